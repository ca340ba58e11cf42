"""Where episodes of a task file begin: drawn around the initial pose or keyframe, each simulation with its own random numbers."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import physics


@dataclass(frozen=True, slots=True)
class Place:
    """A body that begins anywhere within a box. mocap: its number among mocap bodies, or -1; qposadr: of its free joint, or -1. low, high: the corners (3) [m], world frame."""

    mocap: int
    qposadr: int
    low: tuple[float, ...]
    high: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """Called for each simulation that begins anew (Task.begin).

    qpos: half width of the uniform displacement of each degree of freedom (rotations as a rotation vector) [m or rad]; qvel: of each velocity [m/s or rad/s].
    joints: (qposadr, low, high) of joints that begin anywhere in a range. Drawn in this order, joints and places last, which is what they are then.
    """

    qpos: float = 0.0
    qvel: float = 0.0
    joints: tuple[tuple[int, float, float], ...] = ()
    places: tuple[Place, ...] = ()

    def __call__(self, s, i: int, rng: np.random.Generator) -> None:
        m = s.model
        if self.qpos:
            s.qpos[i] = physics.integrate_pos(m, s.qpos[i].copy(), rng.uniform(-self.qpos, self.qpos, m.nv), 1.0)
        if self.qvel:
            s.qvel[i] += rng.uniform(-self.qvel, self.qvel, m.nv)
        for at, low, high in self.joints:
            s.qpos[i, at] = rng.uniform(low, high)
        for place in self.places:
            point = rng.uniform(place.low, place.high)
            if place.mocap >= 0:
                s.mocap_pos[i, place.mocap] = point
            else:
                s.qpos[i, place.qposadr:place.qposadr + 3] = point
