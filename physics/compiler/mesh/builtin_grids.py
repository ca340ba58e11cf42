"""Meshes laid out on a grid of points: grid, square and disc, and the box, cylinder and ellipsoid whose sides are grids.

Solid ones (dim 3, the default of grid, box, cylinder and ellipsoid) are points alone: as a mesh they are bounded by their hull. Flat ones
and open ones (dim 2) are triangles without a volume. The points, their numbering and the triangles are those of the flexes of the same
names. Source: MuJoCo XML reference, asset/mesh/builtin and body/flexcomp; numbers checked against 4.0.0.
"""
from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh.mesh_data import MeshError

GRIDS = ("grid", "box", "cylinder", "ellipsoid", "square", "disc")
MOST_POINTS = 300_000   # more take minutes and show nothing
_AXES = "xyz"
_NAMES = MappingProxyType({True: "count[3], spacing[3]", False: "count[3], spacing[3] and, if wanted, dim"})
_NEAR_AXIS = 1e-14  # points this near to an axis belong to the quadrant beyond it


def dimension(kind: str, params) -> int:
    """2 or 3, as far as the numbers tell; other values are refused when the mesh is built."""
    if kind in ("square", "disc"):
        return 2
    return int(params[6]) if len(params) > 6 and math.isfinite(params[6]) else 3


def is_flat(kind: str, params) -> bool:
    """Whether a mesh of this kind bounds no volume."""
    return kind in GRIDS and dimension(kind, params) < 3


def build_grid(kind: str, params) -> RawMesh:
    """The mesh of a kind. Raises MeshError where the numbers do not fit it."""
    count, dim = _checked(kind, params)
    spacing = [float(s) for s in params[3:6]]
    with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused with all other meshes
        if kind in ("grid", "square", "disc"):
            vert, face = _flat(kind, count, spacing) if dim == 2 else _lattice(count, spacing)
        else:
            vert, face = _hollow(kind, count, spacing, dim)
        return RawMesh(vert=vert.reshape(-1, 3).astype(np.float32), face=face.reshape(-1, 3).astype(np.int32))


def _checked(kind: str, params) -> tuple[list[int], int]:
    """The counts and the dimension. Raises MeshError."""
    flat = kind in ("square", "disc")
    if len(params) != 6 and (flat or len(params) != 7):
        raise MeshError(f"a {kind} is made from {'6' if flat else '6 or 7'} numbers, not {len(params)}", f"They are: {_NAMES[flat]}")
    dim = dimension(kind, params)
    if dim not in (2, 3) or not all(map(math.isfinite, params)):
        raise MeshError(f"the dim of a {kind} is 2 or 3, not {params[-1]:g}" if dim not in (2, 3) else f"a number of the {kind} is not finite")
    used = 2 if dim == 2 and kind in ("grid", "square", "disc") else 3
    count = []
    for axis, value in zip(_AXES, params[:3]):
        low, high = (2, MOST_POINTS) if len(count) < used else (1, 1)
        taken = int(value) if abs(value) < 2**31 else value
        if not low <= taken <= high:
            raise MeshError(f"the count of a {kind} along {axis} is " + (f"from {low} to {high}" if low < high else "1") + f", not {value:g}")
        count.append(taken)
    nx, ny, nz = count
    # the box is counted by its sides, at most its points
    points = nx * ny * nz if kind in ("grid", "square", "disc") else 2 * (nx * ny + ny * nz + nx * nz)
    if points > MOST_POINTS:
        raise MeshError(f"a {kind} of {nx} x {ny} x {nz} points is absurdly large")
    return count, dim


def _line(n: int, spacing: float) -> np.ndarray:
    """n points about 0."""
    return spacing * (np.arange(n) - 0.5 * (n - 1))


def _lattice(count, spacing) -> tuple[np.ndarray, np.ndarray]:
    """All points of a block; the triangles come from the hull."""
    return np.stack(np.meshgrid(*map(_line, count, spacing), indexing="ij"), axis=-1), np.zeros((0, 3), np.int32)


def _cells(index: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Corners of the cells of a grid of indices, round each cell: here, on along the first axis, across, on along the second."""
    return index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]


def _pairs(one, two) -> np.ndarray:
    """Two triangles for every cell, cell by cell."""
    return np.stack((*one, *two), axis=-1).reshape(-1, 3)


def _flat(kind: str, count, spacing) -> tuple[np.ndarray, np.ndarray]:
    """A rectangle in the plane z = 0, or the same drawn onto an ellipse."""
    x, y = np.meshgrid(_line(count[0], spacing[0]), _line(count[1], spacing[1]), indexing="ij")
    a, b, c, d = _cells(np.arange(count[0] * count[1]).reshape(count[:2]))
    face = _pairs((a, b, c), (a, c, d))
    if kind == "disc":
        # cells are cut across the direction of the radius
        left, low = x[:-1, :-1] < -_NEAR_AXIS, y[:-1, :-1] < -_NEAR_AXIS
        right, high = x[:-1, :-1] > -_NEAR_AXIS, y[:-1, :-1] > -_NEAR_AXIS
        other = ((left & high) | (right & low)).ravel()
        face = np.where(np.repeat(other, 2)[:, None], _pairs((a, b, d), (b, c, d)), face)
        # the sizes enter twice, here and with the points: so do the official ones
        reach = np.maximum(np.abs(x), np.abs(y))
        (x, y), size = _unit(x, y), [0.5 * s * (n - 1) for s, n in zip(spacing, count)]
        x, y = x * (size[0] * reach), y * (size[1] * reach)
    return np.stack((x, y, np.zeros_like(x)), axis=-1), face


def _unit(*parts) -> list[np.ndarray]:
    """Vectors of length 1, given and returned by coordinates; a vector without length stays."""
    length = np.sqrt(sum(p * p for p in parts))
    length = np.where(length > 0, length, 1.0)
    return [p / length for p in parts]


def _hollow(kind: str, count, spacing, dim: int) -> tuple[np.ndarray, np.ndarray]:
    """The sides of a box, of a cylinder or of an ellipsoid: a solid one with its middle, one of triangles without its top."""
    nx, ny, nz = count
    top = nz if dim == 2 else nz - 1
    ends = ([0, nx - 1], [0, ny - 1], [0] if dim == 2 else [0, nz - 1])
    runs = (np.arange(nx), np.arange(ny), np.arange(nz))
    # bottom and top, then the sides across y, then those across x, each without the points that are there already
    sides = [_steps(ends[2], runs[0], runs[1])[:, [1, 2, 0]], _steps(ends[1], runs[0], runs[2][1:top])[:, [1, 0, 2]],
             _steps(ends[0], runs[1][1:-1], runs[2][1:top])]
    place = np.concatenate(sides)
    vert = _projected(kind, place, count, spacing)
    if dim == 3:
        return np.concatenate((np.zeros((1, 3)), vert)), np.zeros((0, 3), np.int32)
    # only the sides have an index: a table of all points of the block could be far larger than they are
    key = (place[:, 0] * ny + place[:, 1]) * nz + place[:, 2]
    order = np.argsort(key)

    def index(ix, iy, iz):
        return order[np.searchsorted(key, (ix * ny + iy) * nz + iz, sorter=order)]

    a, b, c, d = _cells(index(runs[0][:, None], runs[1], 0))
    face = [_pairs((a, c, b), (a, d, c))]
    for turned, wall in ((False, index(runs[0][:, None], 0, runs[2])), (True, index(runs[0][:, None], ny - 1, runs[2])),
                         (True, index(0, runs[1][:, None], runs[2])), (False, index(nx - 1, runs[1][:, None], runs[2]))):
        a, b, c, d = _cells(wall)
        face.append(_pairs((b, a, d), (b, d, c)) if turned else _pairs((a, b, c), (a, c, d)))
    return vert, np.concatenate(face)


def _steps(*axes) -> np.ndarray:
    """All combinations as rows, the last axis running fastest."""
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes)).astype(np.int64)


def _projected(kind: str, place: np.ndarray, count, spacing) -> np.ndarray:
    """Points of a box at whole-number places, drawn onto the shape."""
    x, y, z = (2.0 * place[:, k] / (count[k] - 1) - 1 for k in range(3))
    size = [0.5 * s * (n - 1) for s, n in zip(spacing, count)]
    if kind == "cylinder":
        reach = np.maximum(np.abs(x), np.abs(y))
        x, y = _unit(x, y)
        return np.stack((x * (size[0] * reach), y * (size[1] * reach), z * size[2]), axis=1)
    if kind == "ellipsoid":
        x, y, z = _unit(x, y, z)
    return np.stack((x * size[0], y * size[1], z * size[2]), axis=1)
