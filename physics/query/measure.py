"""Measuring a computed state: distances of things, angles, mass and inertia of a selection of bodies.

A thing is (kind, element): ('body', 'torso') with all its geoms, ('geom', 3), ('site', 'tool'), which is its point, or ('subtree', 'arm'): a body with all
that it carries. Positions are those that `forward` (or a step) has computed last.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.engine.collide.hfield import hfield_convex
from physics.engine.collide.pair_table import TABLE, TYPES
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.geom_distance import geom_distance
from physics.query.point_distance import point_geom
from physics.simulate.arguments import vector
from physics.simulate.step import check_pair

FARTHEST = 1e6      # m: how far things are looked for from each other
FIRST_REACH = 0.02  # m: how far a height field is looked at first, cell by cell; then twice as far, and so on
THINGS = ("body", "geom", "site", "subtree")
# kinds of frames: fields of Data with the origin and with the rotation matrix
FRAMES: Mapping[str, tuple[str, str]] = MappingProxyType({
    "body": ("xpos", "xmat"), "inertia": ("xipos", "ximat"), "geom": ("geom_xpos", "geom_xmat"), "site": ("site_xpos", "site_xmat"), "camera": ("cam_xpos", "cam_xmat"),
})
KNOWN = tuple(tuple(tuple(sorted((one, two))) in TABLE for two in range(TYPES + 1)) for one in range(TYPES + 1))     # of two types, the last: those without pairs


class NearestPoints(NamedTuple):
    """dist [m], negative where the things reach into each other, inf where nothing of them can be compared; fromto (6): the segment from the nearest point of
    the first to that of the second; geoms: the two geoms that they lie on, -1 for a site; unknown: pairs of geoms, -1 for a site, whose distance nothing here
    computes (two planes, height fields against planes, SDFs), so that they were left out."""

    dist: float
    fromto: np.ndarray
    geoms: tuple[int, int]
    unknown: tuple[tuple[int, int], ...]


class Mass(NamedTuple):
    """mass [kg]; com (3) [m]; inertia (3, 3) [kg m2] about com in world axes; moments (3) its principal moments, ascending; axes (3, 3): their directions in world
    axes, the columns of a rotation matrix; bodies: the bodies that were counted."""

    mass: float
    com: np.ndarray
    inertia: np.ndarray
    moments: np.ndarray
    axes: np.ndarray
    bodies: tuple[int, ...]


def distance(a, b) -> float:
    """Distance [m] of two points."""
    return float(np.linalg.norm(vector(b, 3, "point b") - vector(a, 3, "point a")))


def angle(a, b, c) -> float:
    """Angle [rad], 0 to pi, at point b between the directions to points a and c. Raises ValueError where one of these is b."""
    corner = vector(b, 3, "point b")
    return angle_between(vector(a, 3, "point a") - corner, vector(c, 3, "point c") - corner)


def angle_between(u, v) -> float:
    """Angle [rad], 0 to pi, between two directions. Raises ValueError for a vector without length.

    By the arc tangent of cross and dot product, which stays exact near 0 and pi (Kahan, "How Futile are Mindless Assessments of Roundoff", 2006, section 12).
    """
    u, v = vector(u, 3, "direction u"), vector(v, 3, "direction v")
    if not (np.linalg.norm(u) > 0 and np.linalg.norm(v) > 0):
        raise ValueError("an angle needs two directions, and a vector without length is none")
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    return math.atan2(float(np.linalg.norm(np.cross(u, v))), float(u @ v))


def direction(m: Model, d: Data, kind: str, element: int | str, axis: str | int = "z") -> np.ndarray:
    """A unit vector [world]: the axis of a 'joint' (hinge, slide; of a ball or free joint the one in its row of xaxis), or the axis x, y or z of the frame of a
    'body', 'inertia' (a body's), 'geom', 'site' or 'camera'; z is the normal of a plane."""
    check_pair(m, d)
    if kind == "joint":
        return d.xaxis[index_of(m, "joint", element)].copy()
    if kind not in FRAMES:
        raise KeyError(f"'{kind}' has no direction; there are: joint, {', '.join(FRAMES)}")
    column = "xyz".find(axis) if isinstance(axis, str) else int(axis)
    if column not in (0, 1, 2) or axis == "":
        raise ValueError(f"an axis is x, y or z, not {axis!r}")
    i = index_of(m, "body" if kind == "inertia" else kind, element)
    return getattr(d, FRAMES[kind][1])[i].reshape(3, 3)[:, column].copy()


def carried(m: Model, *bodies: int | str) -> np.ndarray:
    """Numbers of bodies and of all that they carry, ascending."""
    inside = np.zeros(m.nbody, bool).tolist()
    for body in bodies:
        inside[index_of(m, "body", body)] = True
    for b, parent in enumerate(m.body_parentid.tolist()):     # a parent has the smaller number
        inside[b] = inside[b] or inside[parent]
    return np.flatnonzero(inside)


def geoms_of(m: Model, thing: tuple[str, int | str]) -> np.ndarray:
    """Numbers of the geoms of a thing; none of a site. Raises KeyError, IndexError."""
    kind, element = thing
    if kind not in THINGS:
        raise KeyError(f"'{kind}' is no kind of thing to measure; there are: {', '.join(THINGS)}")
    if kind == "geom":
        return np.array([index_of(m, "geom", element)])
    if kind == "site":
        index_of(m, "site", element)
        return np.zeros(0, int)
    bodies = carried(m, element) if kind == "subtree" else [index_of(m, "body", element)]
    return np.flatnonzero(np.isin(m.geom_bodyid, bodies))


def nearest_points(m: Model, d: Data, one: tuple[str, int | str], two: tuple[str, int | str]) -> NearestPoints:
    """Where two things are nearest to each other. Pairs of geoms are gone through in the order of what their bounding spheres allow, until none can be nearer.

    Raises ValueError where both are the same, or one has no geoms. Source for pairs of geoms: MuJoCo documentation, API reference, mj_geomDistance.
    """
    check_pair(m, d)
    if (one[0] == "site") or (two[0] == "site"):
        return _from_site(m, d, one, two)
    first, second = geoms_of(m, one), geoms_of(m, two)
    for thing, geoms in ((one, first), (two, second)):
        if not len(geoms):
            raise ValueError(f"{thing[0]} {thing[1]} has no geoms")
    pairs = np.stack(np.meshgrid(first, second, indexing="ij"), -1).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if not len(pairs):
        raise ValueError("a thing has no distance from itself")
    types = np.minimum(m.geom_type[pairs], TYPES)
    has_routine = np.array(KNOWN)[types[:, 0], types[:, 1]]
    unknown = tuple(map(tuple, pairs[~has_routine].tolist()))
    known = pairs[has_routine]
    radius = np.where(m.geom_rbound > 0, m.geom_rbound, np.inf)     # what is unbounded has none
    gap = np.linalg.norm(d.geom_xpos[known[:, 0]] - d.geom_xpos[known[:, 1]], axis=1) - radius[known].sum(1)
    best, fromto, found = math.inf, np.zeros(6), (-1, -1)
    for k in np.argsort(gap, kind="stable").tolist():
        if gap[k] > best:
            break
        i, j = known[k].tolist()
        dist, segment = _pair(m, d, i, j, min(best, FARTHEST))
        if dist < min(best, FARTHEST):
            best, fromto, found = dist, segment, (i, j)
    return NearestPoints(best, fromto, found, unknown)


def _pair(m: Model, d: Data, i: int, j: int, farthest: float):
    """geom_distance; of a height field only the cells in reach are looked at, as of all of them each would be asked, and few are kept."""
    row = TABLE[tuple(sorted((int(m.geom_type[i]), int(m.geom_type[j]))))]
    reach = FIRST_REACH if row.routine is hfield_convex else farthest
    while reach < farthest:
        found = geom_distance(m, d, i, j, reach)
        if found.dist < reach:
            return found
        if reach > 2 * (m.geom_rbound[i] + m.geom_rbound[j] + np.linalg.norm(d.geom_xpos[i] - d.geom_xpos[j])):
            return farthest, found.fromto
        reach *= 2
    return geom_distance(m, d, i, j, farthest)


def _from_site(m: Model, d: Data, one, two) -> NearestPoints:
    """As nearest_points, where at least one of the things is a point."""
    turned = one[0] != "site"
    site, other = (two, one) if turned else (one, two)
    point = d.site_xpos[index_of(m, "site", site[1])].copy()
    if other[0] == "site":
        near = d.site_xpos[index_of(m, "site", other[1])].copy()
        return NearestPoints(distance(point, near), np.r_[point, near], (-1, -1), ())
    best, near, found, unknown = math.inf, point, -1, []
    geoms = geoms_of(m, other)
    if not len(geoms):
        raise ValueError(f"{other[0]} {other[1]} has no geoms")
    for g in geoms.tolist():
        result = point_geom(m, d, point, g)
        if result is None:
            unknown.append((g, -1) if turned else (-1, g))
        elif result[0] < best:
            best, near, found = *result, g
    ends, pair = ((near, point), (found, -1)) if turned else ((point, near), (-1, found))
    return NearestPoints(best, np.concatenate(ends), pair, tuple(unknown))


def mass_properties(m: Model, d: Data, bodies: Iterable[int | str], subtree: bool = False) -> Mass:
    """Mass, centre of mass and inertia of several bodies together, each counted once; subtree: with all that they carry.

    Inertias are moved to the common centre by the parallel axis theorem (Featherstone, "Rigid Body Dynamics Algorithms", section 2.13). The world has no mass.
    Without mass (no bodies, or massless ones) com is the mean of their positions and the inertia 0.
    """
    check_pair(m, d)
    chosen = {index_of(m, "body", body) for body in bodies}
    if subtree:
        chosen = set(carried(m, *chosen).tolist())
    ids = np.array(sorted(chosen), int)
    mass = m.body_mass[ids]
    total = float(mass.sum())
    com = mass @ d.xipos[ids] / total if total > 0 else d.xipos[ids].mean(0) if len(ids) else np.zeros(3)
    off = d.xipos[ids] - com
    turn = d.ximat[ids].reshape(-1, 3, 3)
    inertia = np.einsum("nij,nj,nkj->ik", turn, m.body_inertia[ids], turn)
    inertia += np.eye(3) * float(mass @ np.sum(off * off, axis=1)) - np.einsum("n,ni,nj->ij", mass, off, off)
    moments, axes = np.linalg.eigh(0.5 * (inertia + inertia.T))
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return Mass(total, com, inertia, moments, axes, tuple(ids.tolist()))
