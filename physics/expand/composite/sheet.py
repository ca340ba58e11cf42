"""Skins over sheets of bodies: two layers of triangles joined at the rim, optionally with smooth points between the bodies.

Between bodies a skin point follows the 16 bodies around its square by a bicubic patch: values at the four corners and slopes from
differences (central inside, one-sided at the rim). Source: any text on bicubic Hermite interpolation; order of points,
triangles and bones as MuJoCo 2.3.7 makes them.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from physics.expand.composite.made import Made
from physics.schema.numbers import format_floats

__all__ = ["put_skin", "sheet_skin", "single"]

_HERMITE = ((1, 0, 0, 0), (0, 0, 1, 0), (-3, 3, -2, -1), (2, -2, 1, 1))  # powers of t by (f0, f1, slope0, slope1)
_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
_SLOPES = ((0, 0), (1, 0), (0, 1), (1, 1))  # value, slope along x, along y, mixed


def single(values) -> str:
    """Numbers as text that reads back as the same single-precision numbers."""
    return " ".join(np.asarray(values, np.float32).ravel().astype(str).tolist())


def whole(values) -> str:
    """Whole numbers as text."""
    return " ".join(map(str, np.asarray(values).ravel().tolist()))


def put_skin(made: Made, vertex, texcoord, face, bones, inflate: float) -> None:
    """Add the skin. vertex (n, 3), face (m, 3); texcoord (n, 2) or None; bones: (body, bindpos, vertex ids, weights)."""
    recipe = made.recipe
    attrs = {"name": recipe.prefix + "Skin", "vertex": single(vertex), "face": whole(face)}
    if recipe.skin_value("texcoord"):
        attrs["texcoord"] = single(texcoord)
    if recipe.skin is not None and "material" in recipe.skin.attrs:
        attrs["material"] = recipe.skin.attrs["material"]
    attrs["rgba"] = format_floats(recipe.skin_value("rgba"))
    attrs |= {"inflate": format_floats([inflate]), "group": str(int(recipe.skin_value("group")))}
    children = tuple(
        made.part("bone", {"body": body, "bindpos": single(bindpos), "bindquat": "1 0 0 0", "vertid": whole(ids), "vertweight": single(weights)})
        for body, bindpos, ids, weights in bones)
    made.add("deformable", "skin", attrs, children, recipe.skin)


def sheet_skin(made: Made, inflate: float, across: int | None = None, bones=None) -> None:
    """A skin over recipe.count[0] x recipe.count[1] bodies B{x}_{y}, or over `across` points of `bones` beside each body of a cable.

    bones: (body name, bindpos) of each point, in the order of x, then y.
    """
    recipe = made.recipe
    nx, ny = recipe.count[0], recipe.count[1] if across is None else across
    more = max(int(recipe.skin_value("subgrid")), 0)
    fine_x, fine_y = nx + (nx - 1) * more, ny + (ny - 1) * more
    step = recipe.spacing / (1 + more)
    points = np.array([(x * step, y * step, 0.0) for x, y in product(range(fine_x), range(fine_y))])
    if not more:
        points = np.zeros_like(points)
    if bones is None:
        bones = [(f"{recipe.prefix}B{x}_{y}", (x * recipe.spacing, y * recipe.spacing, 0.0) if more else (0.0, 0.0, 0.0))
                 for x, y in product(range(nx), range(ny))]
    held = _patches(nx, ny, more) if more else [([i, i + nx * ny], [1.0, 1.0]) for i in range(nx * ny)]
    # single precision as the official maker divides
    texcoord = np.array([(np.float32(x) / np.float32(fine_x - 1), np.float32(y) / np.float32(fine_y - 1))
                         for x, y in product(range(fine_x), range(fine_y))])
    put_skin(made, np.tile(points, (2, 1)), np.tile(texcoord, (2, 1)), _triangles(fine_x, fine_y),
             [(*bone, *hold) for bone, hold in zip(bones, held)], inflate)


def _triangles(nx: int, ny: int) -> np.ndarray:
    """Both layers of a grid of points, then the rim: along x at both ends of y, along y at both ends of x."""
    n = nx * ny
    x, y = (k.ravel() for k in np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij"))
    a, right, up, both = x * ny + y, (x + 1) * ny + y, x * ny + y + 1, (x + 1) * ny + y + 1
    upper = np.stack([a, right, both, a, both, up], 1)
    lower = np.stack([a, both, right, a, up, both], 1) + n
    x, y = np.arange(nx - 1), np.arange(ny - 1)
    rims = []
    for at, flip in ((0, False), (ny - 1, True)):
        rims.append(_rim(x * ny + at, (x + 1) * ny + at, n, flip))
    for at, flip in ((0, True), ((nx - 1) * ny, False)):
        rims.append(_rim(y + at, y + 1 + at, n, flip))
    return np.concatenate([part.reshape(-1, 3) for part in (upper, lower, *rims)])


def _rim(a: np.ndarray, b: np.ndarray, n: int, flip: bool) -> np.ndarray:
    """Two thin triangles for each edge a-b between the layers."""
    if flip:
        return np.stack([a, b, n + b, a, n + b, n + a], 1)
    return np.stack([a, n + b, b, a, n + a, n + b], 1)


def _patches(nx: int, ny: int, more: int) -> list[tuple[list[int], list[float]]]:
    """Vertices and weights of each of the nx x ny bones, filled square by square."""
    held: list[tuple[list[int], list[float]]] = [([], []) for _ in range(nx * ny)]
    fine_y = ny + (ny - 1) * more
    layer = (nx + (nx - 1) * more) * fine_y
    weights = {(kx, ky): _weights(more, kx, ky) for kx in range(4) for ky in range(4)}
    for x, y in product(range(nx - 1), range(ny - 1)):
        table = weights[_at_rim(x, nx), _at_rim(y, ny)]
        bones = [(x + dx) * ny + y + dy for dx, dy in product(range(-1, 3), repeat=2)]
        # the last square of a row owns its far rim
        for sx, sy in product(range(1 + more + (x == nx - 2)), range(1 + more + (y == ny - 2))):
            vertex = (x * (1 + more) + sx) * fine_y + y * (1 + more) + sy
            row = table[sx * (2 + more) + sy]
            for k in np.flatnonzero(row).tolist():
                ids, shares = held[bones[k]]
                ids += (vertex, vertex + layer)
                shares += (row[k], row[k])
    return held


def _at_rim(i: int, n: int) -> int:
    """0 for the first square of a row, 2 for the last, 1 inside, 3 for the only one."""
    return (3 if n == 2 else 0) if i == 0 else 2 if i == n - 2 else 1


def _weights(more: int, kx: int, ky: int) -> np.ndarray:
    """Share of the 16 bodies around a square in its (2 + more)^2 points.

    Summed term by term in the official order, since what cancels to nothing but rounding still counts as a weight there.
    """
    step = 1.0 / (1 + more)
    powers = []
    for sx, sy in product(range(2 + more), repeat=2):
        x, y = sx * step, sy * step
        lead = (1.0, x, x * x, x * x * x)
        powers.append([value for p in lead for value in (p, p * y, p * y * y, p * y * y * y)])
    return _product(_product(np.array(powers), _patch_matrix()), _differences(kx, ky))


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a @ b, each entry summed from the first term to the last."""
    total = np.zeros((len(a), b.shape[1]))
    for k in range(a.shape[1]):
        total += a[:, k:k + 1] * b[k]
    return total


def _patch_matrix() -> np.ndarray:
    """Coefficients of x^i y^j (row 4 i + j) of the patch by value, x slope, y slope and mixed slope at the four corners."""
    matrix, powers = np.zeros((16, 16)), np.array(_HERMITE, float)
    for kind, (slope_x, slope_y) in enumerate(_SLOPES):
        for corner, (cx, cy) in enumerate(_CORNERS):
            matrix[:, 4 * kind + corner] = np.outer(powers[:, 2 * slope_x + cx], powers[:, 2 * slope_y + cy]).ravel()
    return matrix


def _differences(kx: int, ky: int) -> np.ndarray:
    """The patch's 16 inputs by the 16 bodies around the square (index 4 x + y)."""
    matrix = np.zeros((16, 16))
    for kind, (slope_x, slope_y) in enumerate(_SLOPES):
        for corner, (cx, cy) in enumerate(_CORNERS):
            matrix[4 * kind + corner] = np.outer(_line(cx, kx, slope_x), _line(cy, ky, slope_y)).ravel()
    return matrix


def _line(corner: int, rim: int, slope: int) -> np.ndarray:
    """Value or slope at a corner of [0, 1] by the values at -1, 0, 1, 2; what lies beyond the rim is not used."""
    row = np.zeros(4)
    at = corner + 1
    if not slope:
        row[at] = 1.0
    elif rim == 3 or (rim == 0 and corner == 0) or (rim == 2 and corner == 1):
        row[1], row[2] = -1.0, 1.0
    else:
        row[at - 1], row[at + 1] = -0.5, 0.5
    return row
