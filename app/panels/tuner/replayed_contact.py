"""A contact in recorded states: each is computed once more, in a thread, with a Model and Data of its own. No Qt."""
from __future__ import annotations

from math import nan

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


class ReplayedContact:
    """One contact in one Model; its parts belong to the thread. mass: 1/A [kg], for the energy of the motion along the normal; whole: the energy is that of the whole model instead
    [J], and a target that is no contact is followed by it alone; most: states at a time, of what is older nothing is looked at."""

    def __init__(self, target: Target, mass: float = nan, whole: bool = False, most: int = MOST):
        self.target, self.mass, self.whole, self._most = target, mass, whole, most
        self.data: Data | None = None
        self.from_now = False           # nothing of the history counts
        self._probe: Probe | None = None
        self.window = Window()
        self.last = -1                 # number of the entry that was looked at last

    def work(self, piece: TrackPiece, beside: Model | None) -> Measured | None:
        """Look at the rows that are new; None where there are none."""
        if beside is not None:
            self._begin(beside)
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
            self.window.clear()
        for row in piece.rows[first - piece.number:]:
            _write(d, piece, row)
            forward(m, d)
            self._add(d)
        self.last = end - 1
        touching = self.window.column("touching")
        return Measured(self.window.touches, self.window.settling(), bool(len(touching)) and bool(touching[-1]))

    def _begin(self, beside: Model) -> None:
        if self.whole:
            beside.opt_enableflags = int(beside.opt_enableflags) | int(ENBL_ENERGY)
        self.data = Data(beside)
        if self.target.form != Form.CONTACT:
            return
        self._probe, what = Probe(beside, self.target, self.mass), self.target.element
        if what.kind == CONTACT:        # which two will meet, for the speed before the very first touch
            self._probe.watch(*(geom.id for geom in what.geoms))
        elif what.kind == "pair":
            self._probe.watch(int(beside.pair_geom1[what.id]), int(beside.pair_geom2[what.id]))

    def _add(self, d: Data) -> None:
        sample = self._probe.sample(d) if self._probe is not None else Sample(float(d.time), False, nan, nan, nan, nan)
        before = self._probe.before if self._probe is not None else nan
        self.window.add(sample._replace(energy=float(d.energy.sum())) if self.whole else sample, before)


def _write(d: Data, piece: TrackPiece, row) -> None:
    """A recorded state."""
    d.time, at = float(row[0]), HEAD
    for name, count in piece.layout.parts.items():
        getattr(d, name).reshape(-1)[:] = row[at:at + count]
        at += count
