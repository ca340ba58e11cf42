"""Contacts as rows of the step: whose bodies, which directions, and how the gap follows the bodies.

    frozen   the normal stays as it was, the two witness points ride on their bodies
    face1    the normal and its point ride on body 1, whose face it belongs to; face2: on body 2
    round    the distance of two points that ride on their bodies, less the radii
    segment  the distance of two segments that do, less the radii: of capsules that are not parallel, or of one and a ball
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_PLANE, GEOM_SPHERE
from tests.naive.hard.frames import matrix

ROUND = (GEOM_SPHERE, GEOM_CAPSULE)


class Row(NamedTuple):
    """One contact. Points are in the world, as things are at the start of the step."""

    bodies: tuple[int, int]         # of geom 1 and geom 2; 0 for what does not move
    frame: np.ndarray               # rows: normal from geom 1 to geom 2, two tangents
    point: np.ndarray               # where forces act
    witness: tuple[np.ndarray, np.ndarray]   # between which the gap is measured
    rest: float                     # gap less n . (witness 2 - witness 1) [m]
    kind: str
    friction: np.ndarray            # of all directions but the normal: (condim - 1,)
    drive: np.ndarray               # slip of the surfaces themselves along these
    halves: tuple[np.ndarray, np.ndarray] = (np.zeros(3), np.zeros(3))   # from the middles of segments, their witnesses, to their ends

    @property
    def cone(self) -> int:
        """Dimension of the friction cone, 0: none."""
        return len(self.friction) + 1 if len(self.friction) else 0

    def slips(self, arms, motion):
        """Velocities of body 2 against body 1 in all directions but the normal, and of the surfaces themselves; motion: per body (velocity, angular velocity)."""
        (v1, w1), (v2, w2) = motion
        at_point = v2 + np.cross(w2, arms[1]) - v1 - np.cross(w1, arms[0])
        found = [self.frame[1] @ at_point, self.frame[2] @ at_point, self.frame[0] @ (w2 - w1), self.frame[1] @ (w2 - w1), self.frame[2] @ (w2 - w1)]
        return np.array(found[:len(self.friction)]) + self.drive

    def impulse(self, gamma, xi):
        """(force impulse at the point, torque impulse) on body 2 from the normal impulse and the cone's other components."""
        along = self.friction * xi
        force, torque = gamma * self.frame[0], np.zeros(3)
        for k, size in enumerate(along):
            if k < 2:
                force = force + size * self.frame[1 + k]
            else:
                torque = torque + size * self.frame[k - 2]
        return force, torque

    def gap(self, before, after):
        """Gap [m] once body k has gone from before[k] = x to after[k] = (x, turn); turn: unit quaternion from its orientation then to that now."""
        places, turns = [], []
        for w, x2, (x3, turn) in zip(self.witness, before, after, strict=True):
            turns.append(matrix(turn))
            places.append(x3 + turns[-1] @ (w - x2))
        apart = places[1] - places[0]
        if self.kind == "segment":
            a, b = (turn @ half for turn, half in zip(turns, self.halves, strict=True))
            s, t = nearest(apart.real, a.real, b.real)      # the distance does not change with these, so that their own changes do not count
            apart = apart + t * b - s * a
        if self.kind in ("round", "segment"):
            return np.sqrt(apart @ apart) + self.rest
        normal = self.frame[0]
        if self.kind != "frozen":
            normal = turns[0 if self.kind == "face1" else 1] @ normal
        return normal @ apart + self.rest


def nearest(e, a, b) -> tuple[float, float]:
    """(s, t) in [-1, 1] that make e + t b - s a shortest: the best of what the lines give and of the best along each of the square's four sides."""
    def best(x, along):
        return float(np.clip(-(x @ along) / max(along @ along, 1e-30), -1, 1))
    tried = [(s, best(e - s * a, b)) for s in (-1.0, 1.0)] + [(best(e + t * b, -a), t) for t in (-1.0, 1.0)]
    columns = np.stack([-a, b], axis=1)
    inner = np.linalg.lstsq(columns, -e, rcond=None)[0]
    if np.abs(inner).max() <= 1:
        tried.append((float(inner[0]), float(inner[1])))
    return min(tried, key=lambda st: float(np.linalg.norm(e + st[1] * b - st[0] * a)))


def contact_rows(m, d) -> list[Row]:
    """A row for each contact of Data that the collision test has found."""
    out = []
    for c in range(d.ncon):
        frame = d.contact_frame[c].reshape(3, 3).copy()
        geoms = tuple(int(g) for g in d.contact_geom[c])
        dist, point = float(d.contact_dist[c]), d.contact_pos[c].copy()
        witness = [point - 0.5 * dist * frame[0], point + 0.5 * dist * frame[0]]
        for k, g in enumerate(geoms):
            if m.geom_type[g] in ROUND:
                witness[k] = witness[k] + (2 * k - 1) * m.geom_size[g, 0] * frame[0]
        kind, rest, halves = _kind(m, d, geoms, frame[0]), dist - frame[0] @ (witness[1] - witness[0]), (np.zeros(3), np.zeros(3))
        if kind == "segment":
            witness, rest = [d.geom_xpos[g].copy() for g in geoms], -sum(m.geom_size[g, 0] for g in geoms)
            halves = tuple((m.geom_type[g] == GEOM_CAPSULE) * m.geom_size[g, 1] * d.geom_xmat[g].reshape(3, 3)[:, 2] for g in geoms)
        n = int(d.contact_dim[c]) - 1
        drive = np.zeros(5)
        drive[:3] = d.contact_surfacevel[c]
        out.append(Row(
            bodies=tuple(_moving(m, m.geom_bodyid[g]) for g in geoms), frame=frame, point=point, witness=tuple(witness),
            rest=rest, kind=kind, halves=halves, friction=d.contact_friction[c, :n].copy(), drive=drive[:n]))
    return out


def _moving(m, b) -> int:
    return int(b) if m.body_treeid[b] >= 0 else 0


def _kind(m, d, geoms, normal) -> str:
    if all(m.geom_type[g] in ROUND for g in geoms):
        capsules = [g for g in geoms if m.geom_type[g] == GEOM_CAPSULE]
        axes = [d.geom_xmat[g].reshape(3, 3)[:, 2] for g in capsules]
        return "segment" if len(axes) == 1 or len(axes) == 2 and np.linalg.norm(np.cross(*axes)) > 0.1 else "round"
    for k, g in enumerate(geoms):
        facing = np.abs(d.geom_xmat[g].reshape(3, 3).T @ normal).max() > 1 - 1e-12
        if m.geom_type[g] == GEOM_PLANE or m.geom_type[g] == GEOM_BOX and facing:
            return f"face{k + 1}"
    return "frozen"
