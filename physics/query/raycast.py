"""The Python face of rays: what a half-line meets first in a model, or where it meets one geom.

Data must hold present positions (physics.forward, or a step).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.ray import cast
from physics.model.data import Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model
from physics.simulate.step import check_pair

__all__ = ["Hit", "ray", "ray_geom", "rays"]


class Hit(NamedTuple):
    """A ray's first meeting: distance as a multiple of its vector (-1: none), the geom (-1: none), the outer unit normal."""

    dist: float
    geom: int
    normal: np.ndarray


def _three(values, what: str) -> tuple[float, float, float]:
    numbers = np.asarray(values, float).ravel()
    if numbers.size != 3 or not np.isfinite(numbers).all():
        raise ValueError(f"{what} must be three finite numbers, not {values!r}")
    return tuple(numbers.tolist())


def _direction(values) -> tuple[float, float, float]:
    v = _three(values, "vec")
    if v[0] * v[0] + v[1] * v[1] + v[2] * v[2] < 1e-30:
        raise ValueError("vec has no length")
    return v


def ray(m: Model, d: Data, pnt, vec, geomgroup=None, flg_static: bool = True, bodyexclude: int = -1) -> Hit:
    """The first geom on pnt + x vec, x >= 0. geomgroup: six switches, None: all on. Raises ValueError for a vec without length."""
    check_pair(m, d)
    groups = cast.group_bits(geomgroup)
    dist = cast.cast(m, d, *_three(pnt, "pnt"), *_direction(vec), groups, int(bool(flg_static)), int(bodyexclude))
    return Hit(dist, d.ray_geomid, d.ray_normal[0].copy())


def rays(m: Model, d: Data, pnt, vec, geomgroup=None, flg_static: bool = True, bodyexclude: int = -1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(distances, geoms, normals) of n rays. vec: (n, 3); pnt: one point for all, or (n, 3). A ray of length 0 meets nothing."""
    check_pair(m, d)
    directions = np.ascontiguousarray(np.asarray(vec, float).reshape(-1, 3))
    n = len(directions)
    points = np.ascontiguousarray(np.broadcast_to(np.asarray(pnt, float).reshape(-1, 3), (n, 3)))
    if not (np.isfinite(directions).all() and np.isfinite(points).all()):
        raise ValueError("pnt and vec must be finite numbers")
    out = np.empty(n), np.empty(n, np.int32), np.empty((n, 3))
    piece = KernelBuffers(ray_point=points, ray_vec=directions, ray_dist=out[0], ray_geom=out[1], ray_normal=out[2])
    cast.cast_many(m, d, piece, n, cast.group_bits(geomgroup), int(bool(flg_static)), int(bodyexclude))
    return out


def ray_geom(m: Model, d: Data, geom: int, pnt, vec) -> Hit:
    """Where pnt + x vec first meets one geom of any type, visible or not. Raises IndexError for a geom that does not exist."""
    check_pair(m, d)
    if not 0 <= geom < m.ngeom:
        raise IndexError(f"geom {geom} of {m.ngeom}")
    dist = cast.ray_geom(m, d, int(geom), *_three(pnt, "pnt"), *_direction(vec))
    return Hit(dist, geom if dist >= 0 else -1, d.ray_normal[0].copy())
