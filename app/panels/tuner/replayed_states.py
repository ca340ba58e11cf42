"""Recorded states, each computed once more in a thread, with a Model and Data of its own, and looked at by a Follower. No Qt."""
from __future__ import annotations

from math import nan
from typing import Any, Protocol

from app.panels.tuner.figures import Measured
from physics.enums import ENBL_ENERGY
from physics.model.data import Data
from physics.model.elements import CONTACT
from physics.model.model import Model
from physics.recording.track import HEAD, TrackPiece
from physics.simulate.step import forward
from physics.tuning.measured import Probe, Sample, Window
from physics.tuning.target import Form, Target

MOST = 1000             # states at a time


class Follower(Protocol):
    """What looks at state after state, in the thread."""

    def open(self, m: Model) -> None:
        """Of this Model, a copy that may be changed, before any state."""

    def clear(self) -> None:
        """The next state does not follow the one before."""

    def add(self, d: Data) -> None:
        """One more state, computed by `forward`."""

    def found(self) -> Any:
        """What there is to show now."""


class Touches:
    """A Follower of the touches of a contact. mass: 1/A [kg], for the energy of the motion along the normal; whole: the energy is that of the whole model instead [J], and a
    target that is no contact is followed by it alone."""

    def __init__(self, target: Target, mass: float = nan, whole: bool = False):
        self.target, self._mass, self._whole = target, mass, whole
        self._probe: Probe | None = None
        self.window = Window()

    def open(self, m: Model) -> None:
        """Of this Model."""
        if self._whole:
            m.opt_enableflags = int(m.opt_enableflags) | int(ENBL_ENERGY)
        if self.target.form != Form.CONTACT:
            return
        self._probe, what = Probe(m, self.target, self._mass), self.target.element
        if what.kind == CONTACT:        # which two will meet, for the speed before the very first touch
            self._probe.watch(*(geom.id for geom in what.geoms))
        elif what.kind == "pair":
            self._probe.watch(int(m.pair_geom1[what.id]), int(m.pair_geom2[what.id]))

    def clear(self) -> None:
        """Begin anew."""
        self.window.clear()

    def add(self, d: Data) -> None:
        """One more sample."""
        sample = self._probe.sample(d) if self._probe is not None else Sample(float(d.time), False, nan, nan, nan, nan)
        before = self._probe.before if self._probe is not None else nan
        self.window.add(sample._replace(energy=float(d.energy.sum())) if self._whole else sample, before)

    def found(self) -> Measured:
        """Touches so far."""
        touching = self.window.column("touching")
        return Measured(self.window.touches, self.window.settling(), bool(len(touching)) and bool(touching[-1]))


class ReplayedStates:
    """States of one Model; its parts belong to the thread. most: states at a time, of what is older nothing is looked at."""

    def __init__(self, follower: Follower, most: int = MOST):
        self.follower, self._most = follower, most
        self.data: Data | None = None
        self.from_now = False           # nothing of the history counts
        self.last = -1                  # number of the entry that was looked at last

    def work(self, piece: TrackPiece, beside: Model | None) -> Any:
        """Look at the rows that are new; None where there are none. beside: a copy of the Model, where it is another than before."""
        if beside is not None:
            self.follower.open(beside)
            self.data = Data(beside)
        m, d, end = self.data.model, self.data, piece.number + len(piece.rows)
        if any(getattr(d, name).size != count for name, count in piece.layout.parts.items() if name != "time"):
            return None
        first = max(piece.number, end - self._most, self.last + 1)
        if self.last < 0 and self.from_now:
            first = end - 1
        if end - 1 < self.last:        # another branch of the history
            first = max(piece.number, end - self._most)
        if first >= end:
            return None
        if first != self.last + 1:
            self.follower.clear()
        for row in piece.rows[first - piece.number:]:
            _write(d, piece, row)
            forward(m, d)
            self.follower.add(d)
        self.last = end - 1
        return self.follower.found()


def _write(d: Data, piece: TrackPiece, row) -> None:
    """A recorded state."""
    d.time, at = float(row[0]), HEAD
    for name, count in piece.layout.parts.items():
        getattr(d, name).reshape(-1)[:] = row[at:at + count]
        at += count
