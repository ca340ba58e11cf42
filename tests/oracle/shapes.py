"""Geoms as sets of points: how far each reaches, where its faces and edges are, and the true distance of two of them.

The signed distance of two convex shapes is the largest, over all directions u, of how far they are apart along u:
    apart(u) = u . (c2 - c1) - reach1(u) - reach2(-u)
negative when they overlap, the depth then being the least one has to move one of them. Nothing here knows GJK or EPA.
"""
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import ConvexHull

SAMPLES = 6000      # directions of the first look
KEPT = 12           # of which so many of the best are made better
AROUND = 24         # directions tried about each of them at once
CREASES = 3         # edges nearly at right angles to it along whose creases it is moved too
APART = 0.02        # rad: closer directions are one and the same start
SMALLEST = 1e-13    # cone at which the search ends, rad
MOST_ROUNDS = 300
SIFTED = 4          # rounds between two looks at which starts are worth going on with
WAY = 30            # cones: farther no start goes from where its cone is
LEAST = 2           # starts that go on though they look for the same
ON_IT = 1e-9        # of the size: corners less far along a direction lie on the same edge or face
THIN = 1e-7         # directions less apart are one
NEWTON_STEPS = 6
STEP = 1e-6         # rad, of the slope's differences
SIGNS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


def sphere_directions(count: int) -> np.ndarray:
    """Directions spread evenly (Fibonacci's spiral), and the axes."""
    k = np.arange(count) + 0.5
    z, angle = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    r = np.sqrt(1 - z * z)
    return np.vstack([np.stack([r * np.cos(angle), r * np.sin(angle), z], 1), np.eye(3), -np.eye(3)])


@dataclass(frozen=True)
class Feature:
    """A point of a surface, a normal of it there, and a direction along the face or edge it lies on."""

    point: np.ndarray
    normal: np.ndarray
    tangent: np.ndarray


@dataclass
class Shape:
    """A convex geom in its own frame; kind is MJCF's word, `points` the corners of boxes, meshes and prisms."""

    kind: str
    size: np.ndarray
    points: np.ndarray | None = None

    def reach(self, u: np.ndarray) -> np.ndarray:
        """How far the shape reaches along each of the directions u (n, 3)."""
        s = self.size
        if self.points is not None:
            return (u @ self.points.T).max(1)
        if self.kind == "sphere":
            return s[0] * np.linalg.norm(u, axis=1)
        if self.kind == "capsule":
            return s[0] * np.linalg.norm(u, axis=1) + s[1] * np.abs(u[:, 2])
        if self.kind == "ellipsoid":
            return np.linalg.norm(u * s[:3], axis=1)
        if self.kind == "cylinder":
            return s[0] * np.hypot(u[:, 0], u[:, 1]) + s[1] * np.abs(u[:, 2])
        raise ValueError(self.kind)

    @property
    def largest(self) -> float:
        """About the radius of the shape."""
        return float(self.reach(np.vstack([np.eye(3), -np.eye(3)])).max())

    @cached_property
    def hull(self) -> ConvexHull:
        return ConvexHull(self.points)

    def feature(self, family: str, r: np.random.Generator) -> Feature:
        """A random place of the kind that a family of poses is about: on a face, on an edge, or anywhere."""
        if family == "face" and self.points is not None:
            return self._polytope_face(r)
        if family == "edge" and self.points is not None:
            return self._polytope_edge(r)
        if self.kind == "cylinder" and family in ("face", "edge"):
            return self._cylinder(family, r)
        if self.kind == "capsule" and family in ("face", "edge"):
            side = _radial(r)
            return Feature(side * self.size[0] + [0, 0, r.uniform(-1, 1) * self.size[1]], side, np.array([0.0, 0, 1]))
        u = unit(r.normal(size=3))
        if self.kind == "ellipsoid" and family == "face":
            u = np.eye(3)[r.integers(3)] * r.choice([-1, 1])
        return Feature(self.farthest(u), u, _across(u, r))

    def farthest(self, u: np.ndarray) -> np.ndarray:
        """A point that reaches farthest along u."""
        s = self.size
        if self.points is not None:
            return self.points[np.argmax(self.points @ u)]
        if self.kind == "ellipsoid":
            return s[:3] ** 2 * u / np.linalg.norm(s[:3] * u)
        end = np.array([0, 0, np.copysign(s[1], u[2])]) if self.kind in ("capsule", "cylinder") else np.zeros(3)
        if self.kind == "cylinder":
            radial = np.array([u[0], u[1], 0.0])
            return end + s[0] * (radial / max(np.linalg.norm(radial), 1e-300))
        return end + s[0] * u

    def _polytope_face(self, r) -> Feature:
        hull = self.hull
        k = r.integers(len(hull.simplices))
        corners = self.points[hull.simplices[k]]
        return Feature(r.dirichlet(np.ones(3)) @ corners, hull.equations[k, :3].copy(), unit(corners[1] - corners[0]))

    def _polytope_edge(self, r) -> Feature:
        hull = self.hull
        while True:
            k = r.integers(len(hull.simplices))
            n1 = hull.equations[k, :3]
            for other in r.permutation(hull.neighbors[k]):
                n2 = hull.equations[other, :3]
                if n1 @ n2 < 1 - 1e-6:
                    a, b = self.points[np.intersect1d(hull.simplices[k], hull.simplices[other])]
                    t, w = r.uniform(0.2, 0.8, 2)
                    return Feature(a + t * (b - a), unit(w * n1 + (1 - w) * n2), unit(b - a))

    def _cylinder(self, family: str, r) -> Feature:
        side, up = _radial(r), np.array([0, 0, r.choice([-1.0, 1.0])])
        if family == "edge":
            w = r.uniform(0.2, 0.8)
            return Feature(self.size[0] * side + self.size[1] * up, unit(w * side + (1 - w) * up), np.cross(side, up))
        if r.random() < 0.5:
            return Feature(self.size[0] * np.sqrt(r.random()) * side + self.size[1] * up, up, _radial(r))
        return Feature(self.size[0] * side + r.uniform(-1, 1) * self.size[1] * up, side, np.array([0.0, 0, 1]))


def _radial(r) -> np.ndarray:
    angle = r.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _across(u, r) -> np.ndarray:
    """A random direction at right angles to u."""
    v = r.normal(size=3)
    return unit(v - (v @ u) * u)


@dataclass(frozen=True)
class Placed:
    """A shape at a pose of the world."""

    shape: Shape
    pos: np.ndarray
    mat: np.ndarray

    def reach(self, u: np.ndarray) -> np.ndarray:
        """How far it reaches along world directions from its own centre."""
        return self.shape.reach(u @ self.mat)


def apart(one: Placed, two: Placed, u: np.ndarray) -> np.ndarray:
    """How far `two` is beyond `one` along each of the unit directions u (n, 3); negative where they overlap."""
    return u @ (two.pos - one.pos) - one.reach(u) - two.reach(-u)


def _edges(placed: Placed) -> np.ndarray:
    """Directions of a shape's edges and of its axes: where reach has a crease, at right angles to them."""
    shape = placed.shape
    if shape.points is None:
        return placed.mat.T
    pairs = np.sort(np.vstack([shape.hull.simplices[:, list(k)] for k in ((0, 1), (1, 2), (0, 2))]), axis=1)
    pairs = np.unique(pairs, axis=0)
    return unit(shape.points[pairs[:, 1]] - shape.points[pairs[:, 0]]) @ placed.mat.T


def _corner_directions(one: Placed, two: Placed, edges) -> np.ndarray:
    """Normals of faces, and directions at right angles to an edge of each: where the depth of two polytopes is found."""
    normals = [placed.shape.hull.equations[:, :3] @ placed.mat.T if placed.shape.points is not None else placed.mat.T for placed in (one, two)]
    cross = np.cross(edges[0][:, None], edges[1][None, :]).reshape(-1, 3)
    found = np.vstack([*normals, unit(cross[np.linalg.norm(cross, axis=1) > 1e-9])])
    return np.vstack([found, -found])


def _creases(placed: Placed, u: np.ndarray) -> np.ndarray:
    """World directions in which the part of a shape that lies farthest along u runs straight on: of an edge one, of a face two."""
    shape = placed.shape
    v, slack = u @ placed.mat, ON_IT * shape.largest
    if shape.points is not None:
        heights = shape.points @ v
        along = shape.points[heights > heights.max() - slack]
        found = along[1:] - along[0]
    else:
        flat = {"capsule": (0, 1), "cylinder": (1, 1)}.get(shape.kind, (0, 0))   # has a cap, has a straight side
        found = np.vstack([np.eye(3)[:2] if flat[0] and np.hypot(v[0], v[1]) * shape.size[0] < slack else np.zeros((0, 3)),
                           np.eye(3)[2:] if flat[1] and abs(v[2]) * shape.size[1] < slack else np.zeros((0, 3))])
    return found @ placed.mat.T


def _spanned(vectors: np.ndarray) -> np.ndarray:
    """Unit vectors at right angles to one another that span the same, as rows."""
    _u, values, rows = np.linalg.svd(np.vstack([vectors, np.zeros((3, 3))]))
    return rows[:int((values > THIN * max(values[0], 1e-300)).sum())]


def settled(one: Placed, two: Placed, u: np.ndarray) -> np.ndarray:
    """The direction near u, known to about 1e-8 as a search by values leaves it, to the last digits.

    At right angles to the edges and faces that lie farthest along it; in what is free then, the farthest points of both lie opposite (Newton's method).
    """
    edges = _spanned(np.vstack([_creases(one, u), _creases(two, -u)]))

    def across(n):
        return np.linalg.svd(np.vstack([n, edges]))[2][1 + len(edges):]

    def beside(n, free):
        far = [placed.pos + placed.mat @ placed.shape.farthest(side * n @ placed.mat) for placed, side in ((one, 1.0), (two, -1.0))]
        return free @ (far[1] - far[0])

    u = unit(u - edges.T @ (edges @ u))
    free = across(u)
    for _ in range(NEWTON_STEPS if len(free) else 0):
        slope = np.stack([(beside(unit(u + STEP * t), free) - beside(unit(u - STEP * t), free)) / (2 * STEP) for t in free], 1)
        step = np.linalg.lstsq(slope, beside(u, free), rcond=None)[0]
        u = unit(u - free.T @ step)
        free = across(u)
    return u


def middle(one: Placed, two: Placed, u: np.ndarray) -> np.ndarray | None:
    """The point midway between the farthest points of both along the settled direction u; None where they are not single."""
    bases = [_spanned(_creases(one, u)), _spanned(_creases(two, -u))]
    far = [placed.pos + placed.mat @ placed.shape.farthest(side * u @ placed.mat) for placed, side in ((one, 1.0), (two, -1.0))]
    gap = far[1] - far[0]
    gap -= u * (u @ gap)
    columns = np.vstack([bases[0], -bases[1]]).T
    if len(columns.T) and np.linalg.matrix_rank(columns, THIN) < len(columns.T):
        return None
    move = np.linalg.lstsq(columns, gap, rcond=None)[0] if len(columns.T) else np.zeros(0)
    split = len(bases[0])
    return 0.5 * (far[0] + bases[0].T @ move[:split] + far[1] + bases[1].T @ move[split:])


@dataclass(frozen=True)
class Truth:
    """The distance of two shapes, the direction from the first to the second, and the best value found elsewhere."""

    dist: float
    normal: np.ndarray
    rival: float

    @property
    def unique(self) -> bool:
        return self.dist - self.rival > 1e-5


def _starts(u: np.ndarray, value: np.ndarray, kept: int) -> np.ndarray:
    """Indices of the best directions that are not close to one another."""
    order, found = np.argsort(-value), []
    while len(order) and len(found) < kept:
        found.append(order[0])
        order = order[u[order] @ u[order[0]] < np.cos(APART)]
    return np.array(found)


def _sifted(u: np.ndarray, value: np.ndarray, cone: np.ndarray, size: float) -> np.ndarray:
    """Which starts to go on with (n,): not those that cannot become as good as the best any more, nor, while many are left, those in the cone of a better one, which takes
    the wider cone of both. What is said about the others is -inf: they are not elsewhere.

    size: by how much `apart` changes for a radian, at most. `cone` and `value` are written to.
    """
    go_on = value + np.maximum(WAY * cone * size, 1e-4) >= value.max()
    for k in np.argsort(-value):
        if go_on[k]:
            met = go_on & (np.linalg.norm(u - u[k], axis=1) < np.minimum(np.maximum(cone, cone[k]), APART)) & (value <= value[k])
            met[k] = False
            met &= np.cumsum(met) <= go_on.sum() - LEAST
            cone[k] = max(cone[k], cone[met].max(initial=0.0))
            value[met] = -np.inf
            go_on &= ~met
    return go_on


def signed_distance(one: Placed, two: Placed, hints: np.ndarray | None = None, seed: int = 0, samples: int = SAMPLES, kept: int = KEPT) -> Truth:
    """The truth about two shapes by looking in all directions; hints are directions to be looked at too.

    The best of many samples, and of the normals and edges of polytopes, are improved by trying ever smaller cones of directions about
    them, and the nearest directions at right angles to an edge, without which a search would be stuck on a crease.
    """
    r = np.random.default_rng(seed)
    edges = _edges(one), _edges(two)
    u = np.vstack([sphere_directions(samples), _corner_directions(one, two, edges), np.zeros((0, 3)) if hints is None or len(hints) == 0 else unit(hints)])
    edges = np.vstack(edges)
    value = apart(one, two, u)
    best = _starts(u, value, kept)
    u, value, cone = u[best], value[best], np.full(len(best), 0.05)
    size = np.abs(two.pos - one.pos).max() + one.reach(u).max() + two.reach(u).max()
    noise = 2e-16 * size   # less is no better
    left = [(u[:0], value[:0])]
    for number in range(1, MOST_ROUNDS + 1):
        tried = u[:, None] + cone[:, None, None] * r.normal(size=(len(u), AROUND, 3))
        crease = edges[np.argsort(np.abs(u @ edges.T), axis=1)[:, :CREASES]]
        along = tried[:, None] - np.einsum("iaj,ikj->ika", tried, crease)[..., None] * crease[:, :, None]
        tried = unit(np.concatenate([tried[:, None], along], 1).reshape(len(u), -1, 3))
        values = apart(one, two, tried.reshape(-1, 3)).reshape(len(u), -1)
        k = values.argmax(1)
        better = values[np.arange(len(u)), k] > value + noise
        u[better], value[better] = tried[better, k[better]], values[better, k[better]]
        cone = np.where(better, cone * 1.3, cone * 0.6)
        if cone.max() < SMALLEST:
            break
        if number % SIFTED == 0 and len(u) > 1:
            go_on = _sifted(u, value, cone, size)
            left.append((u[~go_on], value[~go_on]))
            u, value, cone = u[go_on], value[go_on], cone[go_on]
    u, value = (np.concatenate(parts) for parts in zip((u, value), *left))
    k = value.argmax()
    elsewhere = value[u @ u[k] < np.cos(APART)]
    return Truth(float(value[k]), u[k], float(elsewhere.max(initial=-np.inf)))
