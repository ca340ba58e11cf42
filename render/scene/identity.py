"""Which number stands for which thing in the id pictures, and the colours of pictures that show what is what.

Every drawn row has a number: geoms their `segid` or else their row, lines follow behind. `table` says what each number is.
"""
import numpy as np

from render.scene import shapes

# one colour per object type; others get one of their own from the type's number
TYPE_COLOURS = ((shapes.OBJ_BODY, (200, 120, 220)), (shapes.OBJ_JOINT, (60, 180, 235)), (shapes.OBJ_GEOM, (120, 150, 175)), (shapes.OBJ_SITE, (235, 200, 60)),
                (shapes.OBJ_CAMERA, (110, 215, 110)), (shapes.OBJ_LIGHT, (250, 240, 170)), (shapes.OBJ_SKIN, (225, 165, 130)),
                (shapes.OBJ_EQUALITY, (205, 60, 60)), (shapes.OBJ_TENDON, (240, 125, 45)), (shapes.OBJ_ACTUATOR, (45, 130, 90)),
                (shapes.OBJ_SENSOR, (250, 250, 60)), (shapes.OBJ_CONTACT, (255, 95, 150)), (shapes.OBJ_PERTURB, (255, 60, 255)))


def geom_numbers(scene) -> np.ndarray:
    """(n,) number of each instance."""
    segid = scene.geoms.view('segid')
    return np.where(segid >= 0, segid, np.arange(scene.geoms.n))


def first_line(scene) -> int:
    """Number of the first line; the others follow."""
    return int(max(scene.geoms.n, geom_numbers(scene).max(initial=-1) + 1))


def table(scene) -> np.ndarray:
    """(count, 3) int32: object type, object id and body id by number; (-1, -1, -1) for numbers that are not drawn."""
    first = first_line(scene)
    out = np.full((first + scene.lines.n, 3), -1, np.int32)
    numbers = geom_numbers(scene)
    for rows, where in ((scene.geoms, numbers), (scene.lines, slice(first, None))):
        for k, name in enumerate(('objtype', 'objid', 'bodyid')):
            out[where, k] = rows.view(name)
    return out


def legend_rows(scene) -> np.ndarray:
    """(count,) by number: the row of the legend that tells of it, of its switch the one with the most similar colour; -1 where none does."""
    first = first_line(scene)
    out = np.full(first + scene.lines.n, -1)
    for switch, geoms, lines in scene.origins:
        rows = [i for i, row in enumerate(scene.legend) if row.switch == switch]
        if rows:
            wanted = _hue(np.array([scene.legend[i].rgba[:3] for i in rows]))
            for drawn, (start, end), shift in ((scene.geoms, geoms, 0), (scene.lines, lines, first)):
                off = ((_hue(drawn.rgba[start:end, None, :3]) - wanted) ** 2).sum(axis=2)
                out[shift + start:shift + end] = np.asarray(rows)[off.argmin(axis=1)]
    return out


def amounts(scene) -> tuple[np.ndarray, np.ndarray]:
    """(count,) by number: what the thing stands for, and in which unit (Instances.amount, quantity); 0 and -1 for lines."""
    first, numbers = first_line(scene), geom_numbers(scene)
    amount, quantity = np.zeros(first + scene.lines.n, np.float32), np.full(first + scene.lines.n, -1, np.int8)
    amount[numbers], quantity[numbers] = scene.geoms.view('amount'), scene.geoms.view('quantity')
    return amount, quantity


def _hue(rgb) -> np.ndarray:
    """Colours (..., 3), the brightest channel 1."""
    return rgb / np.maximum(rgb.max(axis=-1, keepdims=True), 1e-6)


def colours(scene, by_type: bool) -> np.ndarray:
    """(count, 4) uint8 by number: one colour per object, or per object type."""
    types, ids = table(scene)[:, :2].T
    out = spread(7 + 5 * ids.astype(np.int64) + 131 * types)
    if by_type:
        out = type_colours(types)
    return np.concatenate([out, np.full((len(out), 1), 255, np.uint8)], axis=1)


def type_colours(types) -> np.ndarray:
    """(n, 3) uint8 of object types (n,)."""
    out = spread(types.astype(np.int64))
    for objtype, colour in TYPE_COLOURS:
        out[types == objtype] = colour
    return out


def spread(numbers) -> np.ndarray:
    """(n, 3) uint8: colours that differ well for numbers that differ little (Halton's sequences in the three channels)."""
    out = np.empty((len(numbers), 3))
    for k, base in enumerate((2, 3, 5)):
        rest, step, value = np.maximum(numbers, 0) + 10, 1.0, np.zeros(len(numbers))
        while rest.any():
            step /= base
            value += step * (rest % base)
            rest = rest // base
        out[:, k] = 0.15 + 0.8 * value
    return np.rint(255 * out).astype(np.uint8)
