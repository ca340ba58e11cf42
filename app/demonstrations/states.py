"""The states of an episode, whatever became of the line since, and the Model as it was then."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.demonstrations.episodes import Episode
from app.demonstrations.sources import Demonstrations
from physics.model.model import Model
from physics.recording import journal
from physics.recording.errors import RecordingError
from physics.recording.recording import RecordedHeld
from physics.recording.track import Track, TrackPiece
from physics.runtime import commands as c
from physics.runtime.companions.sources import since, until
from physics.runtime.perform import perform
from physics.runtime.redo import Redo
from physics.runtime.simulation import Simulation

VALUES = (c.SetOption, c.SetFlag, c.SetActuatorGroup, c.SetVisual, c.SetField, c.SetFields, c.RevertValue, c.RevertAll, c.SaveKey)     # commands that set a Model's values


@dataclass(frozen=True, slots=True)
class EpisodeStates:
    """track: entries first to last, of one Model. held: inputs that rows do not have, ascending. driven: {entry: {field: numbers}} that a script wrote for the step from
    that entry alone."""

    episode: Episode
    track: Track
    held: tuple[RecordedHeld, ...]
    driven: dict[int, dict[str, np.ndarray]]

    @property
    def model(self) -> int:
        """Number of its Model."""
        return self.track.pieces[0].model

    @property
    def time(self) -> np.ndarray:
        """(steps + 1,) simulated times [s]."""
        return np.concatenate([piece.time for piece in self.track.pieces])

    def at(self, entry: int) -> tuple[TrackPiece, int]:
        """The piece of an entry, by its number, and its row there. Raises IndexError."""
        return self.track.at(entry - self.episode.first)

    def column(self, name: str, entry: int) -> np.ndarray:
        """A field at an entry as the step from there on finds it: what a script wrote for that step goes before what the entry has."""
        written = self.driven.get(entry, {})
        if name in written:
            return np.ravel(written[name])
        piece, row = self.at(entry)
        return piece.columns(name)[row]


def states_of(of: Demonstrations, episode: Episode) -> EpisodeStates:
    """Its states: as recorded where they are on the line, else done again. Raises RecordingError where they are not all there."""
    if episode.whole:
        line = of.recording.line
        pieces, held = line.track.pieces, line.held
    else:
        of.check_complete()
        redo = Redo(of.prepared.store.load)
        redo.do(of.prepared.ops[:episode.ended + 1])
        line = redo.simulation.history.line()
        pieces, held = line.pieces, tuple(RecordedHeld(*note) for note in line.held)
    pieces = until(since(pieces, episode.first), episode.last)
    there = sum(len(piece.rows) for piece in pieces)
    if there < episode.steps + 1 or len({piece.model for piece in pieces}) > 1:
        raise RecordingError(f"{there} of {episode.steps + 1} states are there", str(of.path), f"episode {episode.number}")
    return EpisodeStates(episode, Track(tuple(pieces)), tuple(note for note in held if note.number <= episode.last), driven_in(of, episode))


def driven_in(of: Demonstrations, episode: Episode) -> dict[int, dict[str, np.ndarray]]:
    """What scripts wrote for single steps of an episode, by entry; of a part that was gone through again, the last time."""
    found: dict[int, dict[str, np.ndarray]] = {}
    for op in of.prepared.ops[episode.begun:episode.ended + 1 if episode.ended >= 0 else None]:
        if op.kind == journal.SHOW:
            found = {entry: fields for entry, fields in found.items() if entry < op.value}
        elif op.kind == journal.DRIVEN:
            found[op.number] = dict(op.value)
        elif op.kind == journal.DRIVEN_STEPS:
            for one in journal.one_by_one(op):
                if one.kind == journal.DRIVEN:
                    found[one.number] = dict(one.value)
    return found


class Models:
    """The Models of a recording as they were in its episodes, with what was set in them; the same one as long as nothing was set."""

    def __init__(self, of: Demonstrations):
        self._of = of
        self._place, self._simulation = 0, None

    def of(self, episode: Episode) -> Model:
        """The Model at the episode's beginning. To be asked in the order of episodes."""
        ops = self._of.prepared.ops
        if episode.begun < self._place:
            self._place, self._simulation = 0, None
        for op in ops[self._place:episode.begun]:
            if op.kind == journal.INSTALL:
                self._simulation = Simulation()
                redo = Redo(self._of.prepared.store.load, self._simulation)
                redo.do([op._replace(value=op.value._replace(border=None, settings=()))])
            elif op.kind == journal.COMMAND and isinstance(op.value, VALUES):
                perform(self._simulation, op.value)
        self._place = max(self._place, episode.begun)
        if self._simulation is None:
            return self._of.prepared.store.load(self._of.recording.line.track.pieces[0].model)
        return self._simulation.model
