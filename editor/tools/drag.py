"""One drag of a handle: from where the pointer was pressed and where it is, what is wanted of the elements.

All is computed at the present moment: the ray with which the drag began is carried along with what the element hangs on, so that what is grabbed stays under the pointer
while a robot moves.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from editor.tools import rigid
from editor.tools.gizmo import LOCAL, WORLD, Gizmo, forward_of
from editor.tools.handles import HIGH, NAMES, Handle, scale_at
from editor.tools.rays import Pointer, along_axis, angle_about, on_plane, pixel_length
from editor.tools.shape_sizes import ends_of, parameters_of, sizes_of
from editor.tools.subject import Moment, angle_unit
from editor.tools.surface import reach_along, surface_under, vertex_near
from editor.tools.typed import TypedNumbers
from physics.enums import JointType

__all__ = ["Drag", "GRID", "Motion", "SNAPS", "SURFACE", "Snap", "TURN", "VERTEX", "grid_step"]

SNAPS = GRID, SURFACE, VERTEX = "grid", "surface", "vertex"
GRID_PIXELS = 10.0      # least size of a step of the grid
COARSE, FINE = 15.0, 5.0    # degrees
DOUBLING = 100.0        # logical pixels for twice all sizes
LEAST = 1e-6            # of a size [m]
LEAST_RATIO = 1e-3      # of a factor to the one before
SNAPPED_RATIO = 0.1     # steps of that
TURN = 1e-9             # radians, of a motion that does not turn


@dataclass(frozen=True, slots=True)
class Snap:
    """What a drag snaps to. to: GRID, SURFACE or VERTEX; fine: angles by 5 degrees, not 15; scene: what is seen, without: its rows that are dragged; drawn: where the active
    element's pivot is in it (3,)."""

    on: bool = False
    to: str = GRID
    fine: bool = False
    scene: object = None
    without: Sequence[int] = ()
    drawn: np.ndarray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What is wanted. kind: 'rigid' (delta (4, 4) of the world), 'sizes' (values: three sizes [m]), 'factor' (values: one factor), 'ends' (values: two points of the world),
    'range' (values: number of the end, value as the file writes it), 'point' (values: subject; delta). exact: snapped or typed, not by pixels; step: what a pixel is [m];
    texts: the numbers for the user."""

    kind: str
    delta: np.ndarray = field(default_factory=lambda: np.eye(4))
    values: tuple = ()
    exact: bool = False
    step: float = 1e-3
    texts: tuple[str, ...] = ()
    turns: bool = field(init=False)     # whether delta turns

    def __post_init__(self):
        object.__setattr__(self, "turns", float(np.abs(self.delta[:3, :3] - np.eye(3)).max()) > TURN)


def grid_step(pixel: float) -> float:
    """1, 2 or 5 times a power of ten: the least that is GRID_PIXELS pixels of that length."""
    wanted = GRID_PIXELS * pixel
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= wanted * (1 - 1e-9))


def moved_pointer(pointer: Pointer, motion: np.ndarray) -> Pointer:
    """The pointer as if its camera had moved along with something."""
    view, mat = pointer.view, motion[:3, :3]
    pos = tuple(mat @ np.asarray(view.pos, float) + motion[:3, 3])
    return replace(pointer, view=replace(view, pos=pos, forward=tuple(mat @ np.asarray(view.forward)), up=tuple(mat @ np.asarray(view.up))))


class Drag:
    """handle: what was grabbed; pointer: where, at the moment d. what, orientation: as they are constrained by X, Y, Z since; typed: numbers by the keyboard."""

    def __init__(self, gizmo: Gizmo, handle: Handle, pointer: Pointer, moment: Moment):
        self.gizmo, self.handle, self.start = gizmo, handle, pointer
        self.what, self.orientation = handle.what, gizmo.orientation
        self.constraint: tuple | None = None
        self.typed = TypedNumbers(3 if self.moves else 1, self._first_axis)
        self._home = moment.base(self._carried)
        self._angle = self._last = 0.0

    @property
    def _carried(self):
        """The element that the start is carried along with."""
        return self.gizmo.subjects[self.handle.what[1]] if self.handle.what[0] == "point" else self.gizmo.active

    @property
    def moves(self) -> bool:
        """Whether it has three numbers along axes."""
        return self.what[0] in ("move", "view", "end", "point", "aim")

    @property
    def turns(self) -> bool:
        """Whether it has an angle."""
        return self.what[0] in ("turn", "turn view")

    @property
    def _first_axis(self) -> int:
        return self.what[1][0] if self.what[0] == "move" else 0

    def constrain(self, axis: int, plane: bool = False) -> None:
        """Move along, or turn about, one axis only, or in the plane of the others; the same once more: of other axes (the world's, or the element's own), then free again."""
        if not (self.moves or self.turns):
            return
        if self.turns:
            wanted = ("turn", axis)
        else:
            wanted = ("move", tuple(k for k in range(3) if k != axis) if plane else (axis,))
        if self.constraint != wanted:
            self._set(wanted, self.gizmo.orientation)
        elif self.orientation == self.gizmo.orientation:
            self._set(wanted, LOCAL if self.orientation == WORLD else WORLD)
        else:
            self._set(None, self.gizmo.orientation)

    def _set(self, constraint: tuple | None, orientation: str) -> None:
        self.constraint, self.orientation = constraint, orientation
        if self.handle.what[0] in ("move", "view", "turn", "turn view"):
            free = {"move": ("view",), "turn": ("turn view",)}.get(self.handle.what[0], self.handle.what)
            self.what = constraint or free
        self._angle = self._last = 0.0
        if self.moves and constraint is not None:
            self.typed.at = constraint[1][0]

    def motion(self, pointer: Pointer, moment: Moment, snap: Snap) -> Motion:
        """What is wanted by now."""
        start = moved_pointer(self.start, moment.base(self._carried) @ rigid.inverse(self._home))
        make = {"move": self._move, "view": self._move, "end": self._end, "point": self._move, "aim": self._aim, "turn": self._turn, "turn view": self._turn,
                "size": self._size, "all sizes": self._factor, "range": self._range, "look": self._look, "slide": self._slide}[self.what[0]]
        return make(pointer, start, moment, snap)

    # ------------------------------------------------------------------ displacements

    def _displacement(self, pointer: Pointer, start: Pointer, point: np.ndarray, axes: np.ndarray, snap: Snap, home: np.ndarray, reach=None) -> tuple[np.ndarray, bool]:
        """(displacement (3,) along the axes, whether it is exact) of a point (3,). home: its coordinates that go onto the grid; reach(normal): how far off a surface it stays."""
        allowed = self.constraint[1] if self.constraint is not None and self.moves else self.what[1] if self.what[0] == "move" else (0, 1, 2)
        out = np.zeros(3)
        if len(allowed) == 1:
            k = allowed[0]
            out[k] = along_axis(pointer, point, axes[:, k]) - along_axis(start, point, axes[:, k])
        else:
            normal = np.asarray(pointer.view.forward, float) if len(allowed) == 3 else axes[:, ({0, 1, 2} - set(allowed)).pop()]
            a, b = on_plane(start, point, normal), on_plane(pointer, point, normal)
            if a is not None and b is not None:
                out = axes.T @ (b - a)
        out[[k for k in range(3) if k not in allowed]] = 0.0
        exact = False
        if snap.on and snap.to == GRID:
            step = grid_step(pixel_length(pointer.view, pointer.size, point))
            for k in allowed:
                out[k] = round((home[k] + out[k]) / step) * step - home[k]
            exact = True
        elif snap.on and (target := self._target(pointer, snap, reach)) is not None:
            wanted, exact = axes.T @ (target - point), True
            out = np.array([wanted[k] if k in allowed else 0.0 for k in range(3)])
        for k in range(3):
            value = self.typed.value(k) if self.typed.any else None
            if self.typed.any:
                out[k], exact = value or 0.0, True
        return out, exact

    @staticmethod
    def _target(pointer: Pointer, snap: Snap, reach) -> np.ndarray | None:
        """The point of the world to snap to."""
        if snap.scene is None:
            return None
        if snap.to == VERTEX:
            return vertex_near(pointer, snap.scene, snap.without)
        found = surface_under(pointer, snap.scene, snap.without)
        return None if found is None else found.point + found.normal * (reach(found.normal) if reach is not None else 0.0)

    def _move(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        gizmo, one = self.gizmo, self._carried
        point = gizmo.pivot_of(moment, one)[:3, 3] if gizmo.points else gizmo.frame(moment)[:3, 3]
        axes = gizmo.axes(moment, self.orientation)

        def reach(normal):
            return reach_along(snap.scene, snap.without, point if snap.drawn is None else snap.drawn, -normal)

        out, exact = self._displacement(pointer, start, point, axes, snap, self._on_grid(moment, point, axes), reach)
        kind, values = ("point", (self.handle.what[1] if self.handle.what[0] == "point" else len(gizmo.subjects) - 1,)) if gizmo.points else ("rigid", ())
        return Motion(kind, rigid.shift(axes @ out), values, exact, pixel_length(pointer.view, pointer.size, point), _way_texts(out, self.orientation))

    def _on_grid(self, moment: Moment, point: np.ndarray, axes: np.ndarray) -> np.ndarray:
        """Coordinates (3,) that become whole steps: of the world, or those that are written; along an element's own axes only the way does."""
        if self.orientation == WORLD:
            return point
        if self.orientation == LOCAL:
            return np.zeros(3)
        return axes.T @ (point - (moment.carrier(self._carried) @ self._carried.frame)[:3, 3])

    def _end(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        one, k = self.gizmo.active, self.handle.what[1]
        frame, axes = moment.base(one), self.gizmo.axes(moment, self.orientation)
        ends = [(frame @ np.append(end, 1.0))[:3] for end in ends_of(one)]
        radius = float(sizes_of(one)[0]) if one.attrs["type"] == "capsule" else 0.0
        out, exact = self._displacement(pointer, start, ends[k], axes, snap, self._on_grid(moment, ends[k], axes), lambda normal: radius)
        ends[k] = ends[k] + axes @ out
        length = float(np.linalg.norm(ends[0] - ends[1]))
        return Motion("ends", values=tuple(ends), exact=exact, step=pixel_length(pointer.view, pointer.size, ends[k]),
                      texts=(*_way_texts(out, self.orientation), f"length {length:.4g} m"))

    def _aim(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        one = self.gizmo.active
        frame = self.gizmo.pivot_of(moment, one)
        pos, way = frame[:3, 3], forward_of(one, frame)
        height = scale_at(pointer.view, pointer.size, pos)
        far = float(np.linalg.norm(self.handle.points[-1] - self.handle.points[0])) or 2 * height
        axes = self.gizmo.axes(moment, self.orientation)
        out, exact = self._displacement(pointer, start, pos + far * way, axes, replace(snap, on=snap.on and snap.to != GRID), np.zeros(3))
        to = pos + far * way + axes @ out - pos
        if np.linalg.norm(to) < 1e-9:
            return Motion("rigid", step=height / HIGH)
        mat = rigid.smallest_turn(way, to)
        to = to / np.linalg.norm(to)
        return Motion("rigid", rigid.about(pos, mat), exact=exact, step=height / HIGH, texts=("direction " + " ".join(f"{x:.3f}" for x in to),))

    # ------------------------------------------------------------------ turns

    def _unwound(self, pointer: Pointer, start: Pointer, point: np.ndarray, axis: np.ndarray) -> float:
        """Angle [rad] about an axis since the start, beyond whole turns."""
        angle = angle_about(pointer, point, axis, start)
        if angle is not None:
            self._angle += (angle - self._last + math.pi) % (2 * math.pi) - math.pi
            self._last = angle
        return self._angle

    def _turn(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        gizmo = self.gizmo
        pivot = gizmo.frame(moment)[:3, 3]
        if self.what[0] == "turn view":
            axis, name = -np.asarray(pointer.view.forward, float), "view"
        else:
            one = gizmo.active
            local = one.part is None and (one.kind in ("joint", "light") or (one.kind in ("geom", "site") and one.attrs.given("fromto")))
            orientation = LOCAL if local and self.constraint is None else self.orientation
            axis, name = gizmo.axes(moment, orientation)[:, self.what[1]], f"{NAMES[self.what[1]]} {orientation}"
        angle, exact = math.degrees(self._unwound(pointer, start, pivot, axis)), False
        if snap.on:
            step = FINE if snap.fine else COARSE
            angle, exact = round(angle / step) * step, True
        if self.typed.any:
            angle, exact = self.typed.value() or 0.0, True
        return Motion("rigid", rigid.about(pivot, rigid.turn(axis, math.radians(angle))), exact=exact, step=pixel_length(pointer.view, pointer.size, pivot),
                      texts=(f"{angle:.4g}\N{DEGREE SIGN}", name))

    # ------------------------------------------------------------------ sizes and ranges

    def _size(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        one = self.gizmo.active
        _what, place, axis, sign = self.handle.what
        parameter, frame, sizes = parameters_of(one)[place], moment.base(one), np.array(sizes_of(one))
        pivot, way, before = frame[:3, 3], sign * frame[:3, axis], float(sizes[parameter.index])
        pixel = pixel_length(pointer.view, pointer.size, pivot)
        moved, exact = along_axis(pointer, pivot, way) - along_axis(start, pivot, way), snap.on
        if parameter.factor:
            ratio = max(1 + moved / float(np.linalg.norm(self.handle.points[-1] - self.handle.points[0])), LEAST_RATIO)
            value = before * (max(SNAPPED_RATIO, round(ratio / SNAPPED_RATIO) * SNAPPED_RATIO) if snap.on else ratio)
        else:
            step = grid_step(pixel) * one.scale
            value = max(step, round((before + moved) / step) * step) if snap.on else max(before + moved, LEAST)
        if self.typed.any and self.typed.value():
            value, exact = math.copysign(max(abs(self.typed.value()) * one.scale, LEAST if not parameter.factor else 0.0), before), True
        sizes[parameter.index] = value
        return Motion("sizes", values=tuple(sizes), exact=exact, step=pixel, texts=(f"{parameter.name} {value:.4g}" + ("" if parameter.factor else " m"),))

    def _factor(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        factor, exact = 2.0 ** ((pointer.x - start.x - pointer.y + start.y) / DOUBLING), False
        if snap.on:
            factor, exact = max(SNAPPED_RATIO, round(factor / SNAPPED_RATIO) * SNAPPED_RATIO), True
        if self.typed.any and self.typed.value():
            factor, exact = abs(self.typed.value()), True
        pivot = self.gizmo.frame(moment)[:3, 3]
        return Motion("factor", values=(factor,), exact=exact, step=pixel_length(pointer.view, pointer.size, pivot), texts=(f"\N{MULTIPLICATION SIGN} {factor:.3g}",))

    def _range(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        one, k = self.gizmo.active, self.handle.what[1]
        frame, hinge = self.gizmo.pivot_of(moment, one), moment.m.jnt_type[one.number] == JointType.HINGE
        pivot, axis = frame[:3, 3], frame[:3, 2]
        unit = angle_unit(one) if hinge else 1.0
        pixel = pixel_length(pointer.view, pointer.size, pivot)
        if hinge:
            moved = self._unwound(pointer, start, pivot, axis) * unit
        else:
            moved = (along_axis(pointer, pivot, axis) - along_axis(start, pivot, axis)) / one.scale
        value, exact = float(one.attrs["range"][k]) + moved, False
        if snap.on:
            step = FINE / math.degrees(1.0) * unit if hinge else grid_step(pixel)
            value, exact = round(value / step) * step, True
        if self.typed.any:
            value, exact = self.typed.value() or 0.0, True
        other = float(one.attrs["range"][1 - k])
        least = pixel if not hinge else unit / HIGH        # two ends at one place would be no range
        if value > other - least if k == 0 else value < other + least:
            value, exact = other - least if k == 0 else other + least, False
        name = "\N{DEGREE SIGN}" if hinge and unit != 1.0 else " rad" if hinge else " m"
        return Motion("range", values=(k, value), exact=exact, step=least, texts=(f"{('lower', 'upper')[k]} {value:.4g}{name}",))

    # ------------------------------------------------------------------ a camera in its own picture

    def _look(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        frame = self.gizmo.pivot_of(moment, self.gizmo.active)
        view = self.start.view
        pixel = pixel_length(view, pointer.size, np.asarray(view.pos) + np.asarray(view.forward)) if not view.orthographic else 1.0 / pointer.size[1]
        mat = rigid.turn(frame[:3, 1], (pointer.x - self.start.x) * pixel) @ rigid.turn(frame[:3, 0], (pointer.y - self.start.y) * pixel)
        return Motion("rigid", rigid.about(frame[:3, 3], mat), step=pixel, texts=("look",))

    def _slide(self, pointer: Pointer, start: Pointer, moment: Moment, snap: Snap) -> Motion:
        frame = self.gizmo.pivot_of(moment, self.gizmo.active)
        view, far = self.start.view, float(self.handle.points[0][0])
        pixel = pixel_length(view, pointer.size, np.asarray(view.pos) + far * np.asarray(view.forward))
        out = np.array([-(pointer.x - self.start.x) * pixel, (pointer.y - self.start.y) * pixel, 0.0])
        return Motion("rigid", rigid.shift(frame[:3, :3] @ out), step=pixel, texts=_way_texts(out, LOCAL))


def _way_texts(out: np.ndarray, orientation: str) -> tuple[str, ...]:
    """The parts of a displacement that are not zero, and of which axes."""
    parts = [f"{NAMES[k]} {value:+.4g}" for k, value in enumerate(out.tolist()) if abs(value) > 1e-12] or ["0"]
    return "  ".join(parts) + " m", orientation

