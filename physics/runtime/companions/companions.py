"""All companions of a run: at most MOST at a time, rung whenever the primary has published a state."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from physics.model.model import Model
from physics.recording.track import Track
from physics.runtime.companions.beginning import CommonBeginning
from physics.runtime.companions.companion import Companion
from physics.runtime.companions.live import LiveCompanion
from physics.runtime.companions.recorded import RecordedCompanion
from physics.runtime.companions.rewound import Beginning, RewoundCompanion
from physics.runtime.companions.sources import BranchSource, FileSource, PartSource, TrackSource
from physics.runtime.runner import Runner

MOST = 4


class Companions:
    """Those of one Runner. For one thread, that of their owner. all: in the order in which they began."""

    def __init__(self, primary: Runner):
        self._primary = primary
        self.all: tuple[Companion, ...] = ()
        self._texts: tuple[str, ...] = ()

    def start_live(self, changes: Iterable = (), model: Model | None = None) -> LiveCompanion:
        """One that begins at the primary's present (LiveCompanion). Raises ValueError where there are MOST."""
        return self._add(LiveCompanion(self._primary, changes, model))

    def start_together(self, changes: Iterable[Iterable]) -> tuple[LiveCompanion, ...]:
        """One for each of these lists of commands, all from the same moment of the primary. Raises ValueError where there would be more than MOST; then none begins."""
        wanted, common = tuple(changes), CommonBeginning()
        self._check_room(len(wanted))
        return tuple(self._add(LiveCompanion(self._primary, one, common=common)) for one in wanted)

    def start_branch(self, branch: int) -> RecordedCompanion:
        """The states of a branch of the primary's history. Raises ValueError where there are MOST."""
        return self._add(RecordedCompanion(self._primary, BranchSource(branch)))

    def start_part(self, first: int, last: int) -> RecordedCompanion:
        """Entries number `first` to `last` of the primary's history, at the same simulated times. Raises ValueError where there are MOST."""
        return self._add(RecordedCompanion(self._primary, PartSource(first, last)))

    def start_file(self, path: Path, compile_texts: Callable[[Mapping[str, str]], Model] | None = None) -> RecordedCompanion:
        """The way that a recording's file shows. compile_texts: as of FileSource. Raises ValueError where there are MOST."""
        return self._add(RecordedCompanion(self._primary, FileSource(path, compile_texts)))

    def start_track(self, track: Track, model_of: Callable[[int], Model]) -> RecordedCompanion:
        """Recorded states that somebody has; model_of: a Model for each number in the track, which nobody else uses. Raises ValueError where there are MOST."""
        return self._add(RecordedCompanion(self._primary, TrackSource(track, model_of)))

    def start_rewound(self, beginning: Beginning) -> RewoundCompanion:
        """One that runs on by itself from an entry of before a divergence. Raises ValueError where there are MOST."""
        return self._add(RewoundCompanion(self._primary, beginning))

    def _check_room(self, more: int) -> None:
        if len(self.all) + more > MOST:
            there = f"there are {len(self.all)} companion runs{f' and {more} more are wanted' * (more > 1)}"
            raise ValueError(f"{there}; {MOST} are as many as one run can have")

    def _add(self, companion):
        self._check_room(1)
        self.all = (*self.all, companion)
        self._primary.bells = (*self._primary.bells, companion.ring)
        companion.start()
        companion.trace(self._texts)
        return companion

    def remove(self, companion: Companion) -> None:
        """Stop one and forget it."""
        self.all = tuple(one for one in self.all if one is not companion)
        self._silence((companion,))
        companion.stop()

    def trace(self, texts: tuple[str, ...]) -> None:
        """Have all of them take the numbers of these expressions at every step."""
        if texts != self._texts:
            self._texts = texts
            for one in self.all:
                one.trace(texts)

    def stop(self, wait: bool = False) -> None:
        """Stop all. wait: until their threads have ended."""
        ending, self.all = self.all, ()
        self._silence(ending)
        for one in ending:
            one.stop()
        for one in ending if wait else ():
            one.join()

    def _silence(self, ending: Iterable[Companion]) -> None:
        """The run rings for these no longer; others, as devices and pages, go on to hear it."""
        rings = [one.ring for one in ending]
        self._primary.bells = tuple(bell for bell in self._primary.bells if bell not in rings)
