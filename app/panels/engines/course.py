"""What a run under one engine has done, state by state, and two of them beside each other. No Qt."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from math import nan

import numpy as np

from physics.diagnostics.engine_figures import Judge
from physics.model.data import Data
from physics.model.model import Model

CAPACITY = 2000         # states that are kept
PLACES = 4_000_000      # numbers of places that are kept: fewer states of a large model


@dataclass(frozen=True, slots=True, eq=False)
class EngineCourse:
    """time (n) [s]; overlap [m], slip [m/s], energy [J], each (n); pose (n): largest distance of a body's centre of mass from that of the other run [m], NaN where that is not
    known; places (n, nbody, 3): centres of mass [m]."""

    time: np.ndarray
    overlap: np.ndarray
    slip: np.ndarray
    energy: np.ndarray
    places: np.ndarray
    pose: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def since(self, begin: float) -> EngineCourse:
        """From a moment on."""
        first = int(np.searchsorted(self.time, begin - 1e-9))
        return EngineCourse(*(getattr(self, name)[first:] for name in ("time", "overlap", "slip", "energy", "places", "pose")))


class EngineStates:
    """A Follower (app/panels/tuner/replayed_states.py) of a run: figures of each state, judged for all engines alike."""

    def __init__(self):
        self._judge: Judge | None = None
        self._rows: deque = deque(maxlen=CAPACITY)

    def open(self, m: Model) -> None:
        """Of this Model."""
        self._judge = Judge(m)
        self._rows = deque(maxlen=max(10, min(CAPACITY, PLACES // max(1, 3 * m.nbody))))

    def clear(self) -> None:
        """Begin anew."""
        self._rows.clear()

    def add(self, d: Data) -> None:
        """One more state."""
        if self._rows and d.time < self._rows[-1][0]:       # reset
            self.clear()
        figures = self._judge.look(d, ahead=True)
        self._rows.append((float(d.time), *figures, self._judge.places.astype(np.float32)))

    def found(self) -> EngineCourse:
        """So far."""
        columns = [np.array([row[k] for row in self._rows]) for k in range(4)]
        places = np.array([row[4] for row in self._rows])
        return EngineCourse(*columns, places, np.full(len(self._rows), nan))


def beside(primary: EngineCourse, other: EngineCourse) -> EngineCourse:
    """The other run with how far it is from the primary at the same times: between two states of the primary along the straight way."""
    pose = np.full(len(other.time), nan)
    if len(primary.time) > 1 and len(other.time) and primary.places.shape[1:] == other.places.shape[1:]:
        known = (other.time >= primary.time[0] - 1e-9) & (other.time <= primary.time[-1] + 1e-9)
        after = np.clip(np.searchsorted(primary.time, other.time[known] - 1e-9), 1, len(primary.time) - 1)
        before, span = after - 1, primary.time[after] - primary.time[after - 1]
        share = np.clip((other.time[known] - primary.time[before]) / np.where(span > 0, span, 1.0), 0.0, 1.0)[:, None, None]
        at = (1.0 - share) * primary.places[before] + share * primary.places[after]
        pose[known] = np.linalg.norm(other.places[known] - at, axis=2).max(axis=1, initial=0.0)
    return replace(other, pose=pose)


@dataclass(frozen=True, slots=True)
class Worst:
    """Of a course: the deepest overlap [m], the fastest slip [m/s], what the energy has changed by [J], the largest distance from the other run [m]; NaN: not known."""

    overlap: float = nan
    slip: float = nan
    drift: float = nan
    pose: float = nan


def worst_of(course: EngineCourse) -> Worst:
    """Of one run."""
    if not len(course.time):
        return Worst()
    pose = float(np.nanmax(course.pose)) if np.isfinite(course.pose).any() else nan
    return Worst(float(course.overlap.max()), float(course.slip.max()), float(course.energy[-1] - course.energy[0]), pose)
