"""Skins over shells of bodies B{x}_{y}_{z}: every vertex follows one body. Faces of a box have vertices of their own; round sides share them.

Order of faces, vertices and bones as MuJoCo 2.3.7 makes them.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from physics.expand.composite.made import Made
from physics.expand.composite.sheet import put_skin

__all__ = ["box_skin", "cylinder_skin", "smooth_skin"]

_ORIGIN = (0.0, 0.0, 0.0)
_Z, _Y, _X = 2, 1, 0
_ORDER = ((_Z, 0, 1), (_Z, 1, 0), (_Y, 0, 0), (_Y, 1, 1), (_X, 0, 1), (_X, 1, 0))  # axis across the face, far end?, which way it turns


class _Shell:
    """The skin being put together."""

    def __init__(self, made: Made) -> None:
        self.made, self.count, self.prefix = made, made.recipe.count, made.recipe.prefix
        self.texcoord: list[tuple[float, float]] = []
        self.face: list[tuple[int, int, int]] = []
        self.bones: list[tuple] = []
        self.shared: dict[tuple[int, ...], int] = {}   # cell -> vertex

    def sides(self, across: int) -> tuple[int, int]:
        """The two axes a face runs along."""
        first, second = (k for k in range(3) if k != across)
        return first, second

    def cell(self, across: int, far: int, i: int, j: int) -> tuple[int, ...]:
        first, second = self.sides(across)
        cell = [0, 0, 0]
        cell[across] = self.count[across] - 1 if far else 0
        cell[first], cell[second] = i, j
        return tuple(cell)

    def bone(self, cell: tuple[int, ...], vertex: int) -> None:
        self.bones.append(("{}B{}_{}_{}".format(self.prefix, *cell), _ORIGIN, [vertex], [1.0]))

    def box_face(self, across: int, far: int, turn: int) -> None:
        """A face with vertices of its own."""
        first, second = self.sides(across)
        n, m = self.count[first], self.count[second]
        start = len(self.texcoord)
        for i, j in product(range(n), range(m)):
            self.texcoord.append(_share(i, n, j, m))
            if i < n - 1 and j < m - 1:
                a, right, up, both = (start + x * m + y for x, y in ((i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1)))
                self.face += [(a, both, right), (a, up, both)] if turn else [(a, right, both), (a, both, up)]
            self.bone(self.cell(across, far, i, j), start + i * m + j)

    def share_vertices(self, axes: tuple[int, ...]) -> None:
        """One vertex for every cell at an end of one of `axes`; the first such axis lays out its texture."""
        for cell in product(*map(range, self.count)):
            across = next((k for k in axes if cell[k] in (0, self.count[k] - 1)), None)
            if across is not None:
                first, second = self.sides(across)
                self.shared[cell] = len(self.texcoord)
                self.texcoord.append(_share(cell[first], self.count[first], cell[second], self.count[second]))

    def smooth_face(self, across: int, far: int, turn: int) -> None:
        """A face over shared vertices."""
        first, second = self.sides(across)
        n, m = self.count[first], self.count[second]
        at = lambda i, j: self.shared[self.cell(across, far, i, j)]  # noqa: E731
        for i, j in product(range(n), range(m)):
            if i < n - 1 and j < m - 1:
                a, right, up, both = at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)
                self.face += [(a, up, both), (a, both, right)] if turn else [(a, right, both), (a, both, up)]
            self.bone(self.cell(across, far, i, j), at(i, j))

    def finish(self) -> None:
        put_skin(self.made, np.zeros((len(self.texcoord), 3)), self.texcoord, self.face, self.bones, self.made.recipe.skin_value("inflate"))


def _share(i: int, n: int, j: int, m: int) -> tuple[float, float]:
    """Texture coordinates, divided in single precision."""
    return float(np.float32(i) / np.float32(max(n - 1, 1))), float(np.float32(j) / np.float32(max(m - 1, 1)))


def box_skin(made: Made) -> None:
    """Six separate faces."""
    shell = _Shell(made)
    for face in _ORDER:
        shell.box_face(*face)
    shell.finish()


def cylinder_skin(made: Made) -> None:
    """A round side and two separate ends."""
    shell = _Shell(made)
    shell.share_vertices((_X, _Y))
    for face in _ORDER[2:]:
        shell.smooth_face(*face)
    for face in _ORDER[:2]:
        shell.box_face(*face)
    shell.finish()


def smooth_skin(made: Made) -> None:
    """One round surface."""
    shell = _Shell(made)
    shell.share_vertices((_X, _Y, _Z))
    for face in _ORDER:
        shell.smooth_face(*face)
    shell.finish()
