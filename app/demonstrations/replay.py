"""Doing demonstrations again from their inputs: whether every number of every state comes out as it was recorded, and where the first is that does not."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.demonstrations.episodes import Episode
from app.demonstrations.sources import Demonstrations
from app.demonstrations.states import states_of
from physics.recording import journal
from physics.recording.journal import Op
from physics.recording.track import Track
from physics.runtime.companions.sources import since, until
from physics.runtime.redo import Difference, Redo, first_difference, tracks

CHUNK = 2000    # steps between two looks at what is wanted


@dataclass(frozen=True, slots=True)
class Replayed:
    """An episode done again. difference: the first number that is not as recorded, its step counted from the episode's beginning; None: none."""

    episode: Episode
    difference: Difference | None

    @property
    def same(self) -> bool:
        """Whether every bit is."""
        return self.difference is None


def replay(of: Demonstrations, numbers: frozenset[int] | None = None, each: Callable[[Redo, Op], None] | None = None) -> list[Replayed]:
    """Do a recording again and compare its episodes (of these numbers, None: all). each(redo, op): called after each part. Raises RecordingError, and what Redo raises.
    Kernels must be compiled."""
    of.check_complete()
    redo = Redo(of.prepared.store.load)
    for op in of.prepared.ops:
        steps, done = journal.steps_of(op), 0
        while done < max(1, steps):
            part = journal.part_of(op, done, min(steps - done, CHUNK)) if steps else op
            redo.do([part])
            done += max(1, journal.steps_of(part))
            if each is not None:
                each(redo, part)
    line = redo.simulation.history.line().pieces    # at the very end: the newest entry of an episode has what was set behind it
    found = []
    for episode in of.episodes:
        if numbers is None or episode.number in numbers:
            if episode.whole:
                last = episode.last - (episode.ended < 0 and episode.steps > 0)     # who was killed may have written the newest entry and not the inputs that set it
                recorded, again = (Track(tuple(until(since(pieces, episode.first), last))) for pieces in (states_of(of, episode).track.pieces, line))
                found.append(Replayed(episode, difference(recorded, again, episode.first)))
            else:       # its entries are in branches
                found.append(Replayed(episode, first_difference(of.recording.tracks(), tracks(redo.simulation))))
    return found


def difference(recorded: Track, again: Track, first: int) -> Difference | None:
    """The first difference of two tracks of the same entries; its step is counted from entry `first`."""
    found = first_difference({1: recorded}, {1: again})
    if found is None and len(again) < len(recorded):
        missing = len(again)
        piece, row = recorded.at(missing)
        found = Difference(1, first + missing, float(piece.time[row]), "time", 0, float(piece.time[row]), float("nan"))
    if found is None:
        return None
    return Difference(found.branch, found.step - first, found.time, found.field, found.index, found.recorded, found.again)
