"""The poses in which a model can be without having moved: qpos0 and its keyframes; what touches there, and in poses chosen at random."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from physics.lint.joint_kinds import hinges, scalar_joints
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import fwd_position, reset

__all__ = ["Pose", "Poses"]

MOST_KEYS = 20      # that are looked at
MOST_NUMBERS = 2_000_000    # contacts times poses that may be looked at
SEED = 7


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """key: number of the keyframe, -1 for qpos0; name: in words. Of its contacts: geoms (n, 2), dist (n) [m], normal (n, 3) from the first geom to the second."""

    key: int
    name: str
    geoms: np.ndarray
    dist: np.ndarray
    normal: np.ndarray


class Poses:
    """Computed once, in a Data of its own."""

    def __init__(self, m: Model, go_on: Callable[[], None]):
        self.m, self._go_on = m, go_on

    @cached_property
    def data(self) -> Data:
        """What is computed in."""
        return Data(self.m)

    def put(self, key: int) -> str:
        """Put the Data into a pose; its name."""
        self._go_on()
        reset(self.m, self.data, None if key < 0 else key)
        self.data.wake()
        if key < 0:
            return "at qpos0"
        name = self.m.names["key"][key]
        return f"in keyframe '{name}'" if name else f"in keyframe {key}"

    @property
    def keys(self) -> range:
        """Numbers of the poses, -1 first."""
        return range(-1, min(self.m.nkey, MOST_KEYS))

    @cached_property
    def all(self) -> tuple[Pose, ...]:
        """qpos0 first."""
        return tuple(self._computed(key) for key in self.keys)

    def _computed(self, key: int) -> Pose:
        name = self.put(key)
        fwd_position(self.m, self.data)
        return Pose(key, name, *self._contacts())

    def _contacts(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        d = self.data
        geoms = np.array(d.contact_geom[:d.ncon]).reshape(-1, 2)
        rows = np.flatnonzero((d.contact_exclude[:d.ncon] == 0) & (geoms.min(axis=1, initial=0) >= 0)) if d.ncon else np.zeros(0, int)
        return geoms[rows], np.array(d.contact_dist[:d.ncon])[rows], np.array(d.contact_frame[:d.ncon]).reshape(-1, 9)[rows, :3]

    def at_random(self, count: int) -> Iterator[Pose]:
        """Poses in which each slide and hinge is anywhere in its range, hinges without one anywhere; the others are as at qpos0."""
        m, rng = self.m, np.random.default_rng(SEED)
        scalar = np.flatnonzero(hinges(m) | (scalar_joints(m) & m.jnt_limited.astype(bool)))
        low, high = np.array(m.jnt_range[scalar]).T if len(scalar) else (np.zeros(0), np.zeros(0))
        free = ~m.jnt_limited[scalar].astype(bool)
        low[free], high[free] = -np.pi, np.pi
        for k in range(count):
            self.put(-1)
            self.data.qpos[m.jnt_qposadr[scalar]] = rng.uniform(low, high)
            fwd_position(m, self.data)
            yield Pose(-1, f"pose {k}", *self._contacts())
