"""Measurements between points that were clicked: distance, angle, and where two things are nearest. No Qt.

A point stays on the body that it was clicked on; figures are those of a Snapshot, what is nearest is asked of the physics thread (measuring.py).
"""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from physics.model.data import Data
from physics.model.elements import Element, body_of, element
from physics.model.model import Model
from physics.query.measure import angle, nearest_points

GEOMS, BODIES, SUBTREES = "geoms", "bodies", "subtrees"
BETWEEN = (GEOMS, BODIES, SUBTREES)     # what the nearest points are looked for on
MOST_POINTS = 3
LEAST = 1e-6        # what is smaller is shown as 0: positions in pictures are known to seven digits
DEGREE = "\u00b0"


@dataclass(frozen=True, slots=True)
class Picked:
    """A point of a body (its frame [m]), body 0 is the world, and the thing of the model that was clicked there, None for a marker or the like."""

    body: Element
    local: tuple[float, float, float]
    thing: Element | None

    @classmethod
    def at(cls, m: Model, snapshot, point, thing: Element | None, body: int) -> Picked:
        """A point [m, world] of a moment, on a body."""
        local = snapshot.xmat[body].reshape(3, 3).T @ (np.asarray(point, float) - snapshot.xpos[body])
        return cls(element(m, "body", body), tuple(map(float, local)), thing)

    def place(self, snapshot) -> np.ndarray:
        """Where it is now [m, world]."""
        return snapshot.xpos[self.body.id] + snapshot.xmat[self.body.id].reshape(3, 3) @ np.array(self.local)

    def measured(self, m: Model, between: str) -> tuple[str, int] | None:
        """What of it nearest points are looked for on, as physics.query.measure names it; None where it has no extent."""
        if self.thing is None or self.thing.kind not in ("geom", "site", "body"):
            return None
        if between == GEOMS:
            return self.thing.kind, self.thing.id
        body = self.thing.id if self.thing.kind == "body" else body_of(m, self.thing)
        return ("body" if between == BODIES or body == 0 else "subtree"), body

    def __str__(self) -> str:
        """The thing; one without a name also by its body."""
        if self.thing is None:
            return str(self.body)
        return str(self.thing) if self.thing.name or self.thing.kind == "body" else f"{self.thing} ({self.body.name or self.body})"


class NearestNow(NamedTuple):
    """An answer about nearest points: dist [m], ends on two bodies (numbers, points in their frames), pairs that were left out; problem: why there is none."""

    dist: float
    bodies: tuple[int, int]
    local: tuple[np.ndarray, np.ndarray]
    unknown: int
    problem: str = ""

    def ends(self, snapshot) -> np.ndarray:
        """(2, 3) where they are now [m, world]."""
        return np.array([snapshot.xpos[b] + snapshot.xmat[b].reshape(3, 3) @ p for b, p in zip(self.bodies, self.local, strict=True)])


class Figure(NamedTuple):
    """A figure of a measurement: name, value, unit, and the expression that gives it at every step ('' where there is none)."""

    name: str
    value: float
    unit: str
    text: str = ""


@dataclass(eq=False)
class Measurement:
    """Two points: a distance; a third: the angle at the second too. nearest: the newest answer, None before there is one."""

    points: list[Picked] = field(default_factory=list)
    nearest: NearestNow | None = None

    @property
    def title(self) -> str:
        """What it is between."""
        return " to ".join(map(str, self.points))

    def pair(self, m: Model, between: str) -> tuple[tuple[str, int], tuple[str, int]] | None:
        """The two things that nearest points are asked of; None where there are none, or it is one thing."""
        if len(self.points) < 2:
            return None
        one, two = (point.measured(m, between) for point in self.points[:2])
        return None if one is None or two is None or one == two else (one, two)

    def places(self, snapshot) -> np.ndarray:
        """(n, 3) its points now [m, world]."""
        return np.array([point.place(snapshot) for point in self.points]).reshape(-1, 3)

    def figures(self, snapshot) -> list[Figure]:
        """All there is to say of it at this moment."""
        if len(self.points) < 2:
            return []
        places = self.places(snapshot)
        way = places[1] - places[0]
        text = way_text(*self.points[:2])
        rows = [Figure("distance", float(np.linalg.norm(way)), "m", f"norm({text})")]
        rows += [Figure(f"d{axis}", float(way[k]), "m", f"({text})[{k}]") for k, axis in enumerate("xyz")]
        if self.nearest is not None and not self.nearest.problem and math.isfinite(self.nearest.dist):
            rows.append(Figure("nearest", self.nearest.dist, "m"))
        turned = self.angle(snapshot)
        return rows + ([Figure("angle", math.degrees(turned), "deg", angle_text(*self.points))] if turned is not None else [])

    def angle(self, snapshot) -> float | None:
        """At the second point, between the directions to the first and the third [rad]; None without a third, or where two coincide."""
        if len(self.points) < MOST_POINTS:
            return None
        try:
            return angle(*self.places(snapshot))
        except ValueError:
            return None


def point_text(point: Picked) -> str:
    """The expression of a point (docs/quantities.md)."""
    body = point.body
    key = '"' + body.name.replace("\\", "\\\\").replace('"', '\\"') + '"' if body.name else str(body.id)
    return f"point(body({key}), {', '.join(f'{value + 0.0:.9g}' for value in point.local)})"


def way_text(one: Picked, two: Picked) -> str:
    """The expression of the vector from one point to another."""
    return f"{point_text(two)} - {point_text(one)}"


def angle_text(one: Picked, corner: Picked, other: Picked) -> str:
    """The expression of an angle at a corner [deg]."""
    u, v = way_text(corner, one), way_text(corner, other)
    return f"deg(atan2(norm(cross({u}, {v})), dot({u}, {v})))"


def look_nearest(m: Model, d: Data, one: tuple[str, int], two: tuple[str, int]) -> NearestNow:
    """Nearest points of two things, with their ends as points of bodies; a problem in words in place of an error."""
    nowhere = (0, 0), (np.zeros(3), np.zeros(3))
    try:
        found = nearest_points(m, d, one, two)
    except (ValueError, KeyError, IndexError) as why:
        return NearestNow(math.inf, *nowhere, 0, str(why).strip("'\""))
    if not math.isfinite(found.dist):
        return NearestNow(math.inf, *nowhere, len(found.unknown), "no distance is known for these shapes")
    bodies = tuple(_body(m, thing, g) for thing, g in zip((one, two), found.geoms, strict=True))
    local = tuple(d.xmat[b].reshape(3, 3).T @ (p - d.xpos[b]) for b, p in zip(bodies, found.fromto.reshape(2, 3), strict=True))
    return NearestNow(found.dist, bodies, local, len(found.unknown))


def _body(m: Model, thing: tuple[str, int], geom: int) -> int:
    return int(m.geom_bodyid[geom]) if geom >= 0 else int(m.site_bodyid[thing[1]])


def row_text(figure: Figure) -> str:
    """A figure in words: 'distance 0.4123 m'."""
    value = 0.0 if abs(figure.value) < LEAST else figure.value
    return f"{figure.name} {value:.4g}{'' if figure.unit == 'deg' else ' '}{DEGREE if figure.unit == 'deg' else figure.unit}"


