"""What is to be exported, and as what."""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from app.demonstrations.episodes import BROKEN, DRIVERS, FAILURE, OPEN, SUCCESS

JOINTS, EE_DELTA, EE_ABS, CTRL = "joints", "ee-delta", "ee-abs", "ctrl"
ACTIONS = (CTRL, JOINTS, EE_DELTA, EE_ABS)
WHICH = MappingProxyType({"success": (SUCCESS,), "marked": (SUCCESS, FAILURE), "all": (SUCCESS, FAILURE, BROKEN, OPEN)})     # never those that were discarded
OBSERVED = ("qpos", "qvel")


class ExportError(ValueError):
    """Why a data set cannot be made."""


@dataclass(frozen=True, slots=True)
class ExportPlan:
    """rate: states and actions per simulated second. cameras: by name or number, 'free' the free one; size: (width, height) of their pictures. actions: one of ACTIONS; sites: those
    whose pose is an action or observed, () those of mocap bodies; gripper: actuators whose controls go along with poses. observe: expressions of physics/quantities. which: of WHICH. valid: share of episodes for validation.
    driver: of DRIVERS, only the parts that one drove, each as an episode of its own; '' for all of them whole."""

    rate: float = 30.0
    cameras: tuple[str, ...] = ()
    size: tuple[int, int] = (256, 256)
    actions: str = CTRL
    sites: tuple[str, ...] = ()
    gripper: tuple[str, ...] = ()
    observe: tuple[str, ...] = OBSERVED
    which: str = "success"
    valid: float = 0.1
    driver: str = ""

    def __post_init__(self):
        if not 0 < self.rate < 1e5:
            raise ExportError(f"a rate of {self.rate:g} states per second")
        if self.actions not in ACTIONS:
            raise ExportError(f"there are no actions '{self.actions}'; there are: {', '.join(ACTIONS)}")
        if self.which not in WHICH:
            raise ExportError(f"there are no episodes '{self.which}'; there are: {', '.join(WHICH)}")
        if self.driver and self.driver not in DRIVERS:
            raise ExportError(f"nobody drives as '{self.driver}'; there are: {', '.join(DRIVERS)}")
        if self.cameras and (min(self.size) < 2 or self.size[0] % 2 or self.size[1] % 2):
            raise ExportError(f"pictures of {self.size[0]} x {self.size[1]}: a film's sides are even")


@dataclass(frozen=True, slots=True, eq=False)
class EpisodeArrays:
    """An episode as arrays: n actions, n + 1 states, of which state k precedes action k and the last one follows all.

    time (n + 1,) [s] since its beginning; states (n + 1, 1 + nq + nv): time, qpos, qvel; observed: {expression: (n + 1, numbers)}; actions (n, numbers). rewards (n,): 1 at the end of a success; drivers (n,): who drove as words.
    names: {'action' or expression: what each number is}. xml: text of the model."""

    task: str
    outcome: str
    source: str
    number: int
    time: np.ndarray
    states: np.ndarray
    observed: dict[str, np.ndarray]
    actions: np.ndarray
    rewards: np.ndarray
    drivers: tuple[str, ...]
    names: dict[str, tuple[str, ...]]
    xml: str
    model: str

    def __post_init__(self):
        n = len(self.actions)
        for array in (self.time, self.states, *self.observed.values()):
            if len(array) != n + 1:
                raise ExportError(f"{len(array)} states for {n} actions")
        if not all(np.isfinite(array).all() for array in (self.states, self.actions, *self.observed.values())):
            raise ExportError(f"{self.source}, episode {self.number}: there are numbers in it that are none")

    def __len__(self) -> int:
        return len(self.actions)
