"""Recordings made of parts of recordings: trim, cut, merge. What comes of it is a recording like any other, which does again to the bit what the parts did.

    part of a recording --done again, input by input--> the new run, which records itself; both compared at every step

A part begins with the state that its first entry has, solver's warm start included, which the new run takes over by a reset and an input.
"""
from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.demonstrations import episodes as words
from app.demonstrations.episodes import Episode
from app.demonstrations.replay import difference
from app.demonstrations.sources import Demonstrations
from app.demonstrations.states import VALUES, states_of
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import RECORDED, State
from physics.recording import journal
from physics.recording.about import about
from physics.recording.errors import RecordingError
from physics.recording.journal import Op
from physics.recording.models import ModelStore
from physics.recording.recording import Recording
from physics.recording.track import Track, TrackPiece
from physics.runtime import commands as c
from physics.runtime.changed_values import ChangedValues
from physics.runtime.companions.sources import since, until
from physics.runtime.history.history import LOAD
from physics.runtime.perform import perform
from physics.runtime.recorded.capture import capture
from physics.runtime.redo import HISTORY, Redo, write_inputs
from physics.runtime.simulation import Simulation

HELD = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")
SETTINGS = (("autoreset", c.SetAutoReset), ("pause_update", c.SetPauseUpdate), ("critical_damping", c.SetCriticalDamping))
NOISE = ("noise_scale", "noise_rate", "noise_seed")


@dataclass(frozen=True, slots=True)
class Part:
    """Entries first to last of an episode, which become an episode."""

    of: Demonstrations
    episode: Episode
    first: int
    last: int

    @classmethod
    def whole(cls, of: Demonstrations, episode: Episode) -> Part:
        """All of it."""
        return cls(of, episode, episode.first, episode.last)

    @classmethod
    def between(cls, of: Demonstrations, episode: Episode, start: float, end: float) -> Part:
        """From `start` to `end` [s] since its beginning, each at the step nearest to it. Raises RecordingError where nothing is left."""
        time = states_of(of, episode).time
        since_start = time - time[0]
        first, last = (episode.first + int(np.argmin(np.abs(since_start - min(at, since_start[-1])))) for at in (start, end))
        if last <= first:
            raise RecordingError(f"nothing of it lies between {start:g} and {end:g} s", str(of.path), f"episode {episode.number}")
        return cls(of, episode, first, last)


def trimmed(of: Demonstrations, number: int, start: float, end: float) -> list[Part]:
    """The parts of a recording with one episode shortened to what lies between `start` and `end` [s]."""
    of.episode(number)
    return [Part.between(of, one, start, end) if one.number == number else Part.whole(of, one) for one in of.kept]


def split(of: Demonstrations, number: int, at: float) -> list[Part]:
    """The parts of a recording with one episode cut in two, `at` [s] since its beginning."""
    parts: list[Part] = []
    one = of.episode(number)
    for episode in of.kept:
        parts += [Part.whole(of, episode)] if episode is not one else [Part.between(of, one, 0.0, at), Part.between(of, one, at, float("inf"))]
    return parts


def without(of: Demonstrations, numbers: Iterable[int]) -> list[Part]:
    """The parts of a recording without some episodes, and without the discarded ones."""
    gone = {of.episode(number).number for number in numbers}
    return [Part.whole(of, one) for one in of.kept if one.number not in gone]


@contextmanager
def composed(parts: Sequence[Part], name: str = "") -> Iterator[Recording]:
    """A recording of these parts, one after the other; its Models lie in a folder that goes afterwards. Kernels must be compiled. Raises RecordingError where a part cannot be
    done again, or does not come out as it was recorded, with the first difference."""
    if not parts:
        raise RecordingError("no episode is left")
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        new = _New(Path(folder))
        for group in _by_recording(parts):
            _Walk(new, group).walk()
        first = parts[0].of.recording
        taken = capture(new.simulation)
        yield taken.whole(new.texts, about={**about(name=name or first.about.get("name", "")), **taken.recording.about}, note=first.note)


def _by_recording(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts of the same recording that follow each other, in ascending order, so that one pass does them all."""
    groups: list[list[Part]] = []
    for part in parts:
        last = groups[-1][-1] if groups else None
        if last is not None and last.of is part.of and last.episode.begun <= part.episode.begun and last.last <= part.first:
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


class _New:
    """The run that comes about."""

    def __init__(self, folder: Path):
        self.simulation = Simulation(history_bytes=HISTORY, ready=True, models=ModelStore(folder))
        self.texts: dict[int, dict[str, str]] = {}      # by number of the Model
        self._known: tuple[object, int, int] = (None, 0, 0)      # whose Model runs

    def install(self, source: Simulation, model: tuple[object, int, int], texts: dict[str, str], title: str) -> None:
        """Run the Model that a Simulation runs, with the values set in it, unless it runs already. model: what names it."""
        if model == self._known:
            return
        sim, first = self.simulation, self.simulation.model is None
        made: Model = model_beside(source.model)
        sim.install(made, None, source.start_key, None if first else (LOAD, title), ChangedValues.of(source.values.items(source.model)))
        sim.values = ChangedValues.of(source.values.items(source.model))
        self.texts[sim.models.add(made)] = dict(texts)
        self._known = model

    def take_over(self, source: Simulation) -> None:
        """Come to the state of another Simulation that runs the same Model, to the bit, by inputs alone."""
        sim, d = self.simulation, source.data
        for name, command in SETTINGS:
            if getattr(sim, name) != getattr(source, name):
                perform(sim, command(getattr(source, name)))
        noise = tuple(getattr(d, name) for name in NOISE)
        if noise != tuple(getattr(sim.data, name) for name in NOISE):
            perform(sim, c.SetNoise(*noise))
        sim.set_running(False)
        perform(sim, c.SetState(State.of(d)))
        sim.set_running(source.running)
        differing = {name: np.array(getattr(d, name)).ravel() for name in (*RECORDED, *HELD) if getattr(d, name).tobytes() != getattr(sim.data, name).tobytes()}
        if differing:
            self.write(journal.INPUT, differing)

    def write(self, kind: str, fields: dict[str, np.ndarray]) -> None:
        """Numbers that a script wrote."""
        sim = self.simulation
        sim.note(kind, fields)
        write_inputs(sim.data, fields)
        if kind == journal.INPUT:
            sim.edited()

    def do(self, op: Op, shift: int) -> None:
        """What was done elsewhere, whose entries lie `shift` before those of here."""
        sim = self.simulation
        if op.kind == journal.COMMAND:
            perform(sim, op.value)
        elif op.kind == journal.STEPS:
            sim.take(op.value)
        elif op.kind == journal.DRIVEN_STEPS:
            for one in journal.one_by_one(op):
                self.do(one, shift)
        elif op.kind in (journal.INPUT, journal.DRIVEN):
            self.write(op.kind, dict(op.value))
        elif op.kind == journal.SHOW:
            sim.show_entry(op.value + shift - sim.history.gone)
        elif op.kind == journal.RUN:
            sim.set_running(op.value)
        elif op.kind == journal.IDLE:
            for _ in range(op.value):
                sim.idle()


class _Walk:
    """One pass through a recording, done again beside the new run, which is given the parts as they come."""

    def __init__(self, new: _New, parts: list[Part]):
        self._new, self._of, self._parts = new, parts[0].of, parts
        self._redo = Redo(self._of.prepared.store.load)
        self._installed = self._revision = 0

    def walk(self) -> None:
        """All parts."""
        self._of.check_complete()
        ops, place = self._of.prepared.ops, 0
        rest: Op | None = None      # what is left of an op that a part has ended in
        for part in self._parts:
            begin, end = _places(ops, part)
            if (place, rest.number if rest is not None else -1) > begin:
                raise RecordingError("its parts lie across each other", str(self._of.path), f"episode {part.episode.number}")
            place, rest = self._forward(place, rest, begin)
            place, rest = self._part(part, place, rest, end)

    def _forward(self, place: int, rest: Op | None, until_: tuple[int, int]) -> tuple[int, Op | None]:
        """Do what comes before a place: (number of the op, entry)."""
        ops = self._of.prepared.ops
        while place < until_[0]:
            self._source(rest or ops[place])
            place, rest = place + 1, None
        if until_[1] >= 0:
            op = rest or ops[place]
            before, rest = _cut(op, until_[1])
            if before is not None:
                self._source(before)
            place += rest is None
        return place, rest

    def _source(self, op: Op) -> None:
        if op.kind == journal.INSTALL:
            self._installed = op.value.model
        if op.kind == journal.INSTALL or op.kind == journal.COMMAND and _sets_model(op.value):
            self._revision += 1
        self._redo.do([op])

    def _part(self, part: Part, place: int, rest: Op | None, end: tuple[int, int]) -> tuple[int, Op | None]:
        source, new, episode = self._redo.simulation, self._new, part.episode
        where = f"episode {episode.number}"
        if source.data.perturb_active:
            raise RecordingError("a body is being pulled where the part would begin: begin it before that, or after", str(self._of.path), where)
        if source.history.number != part.first:
            raise RecordingError(f"entry {part.first} is not there", str(self._of.path), where)
        new.install(source, (self._of, self._installed, self._revision), dict(self._texts()), f"{self._of.name}, {where}")
        new.take_over(source)
        sim = new.simulation
        begun = sim.history.number
        shift = begun - part.first
        self._say(words.DRIVER, episode.driver(part.first))
        self._say(words.START, episode.task, episode.drawn)
        ops = self._of.prepared.ops
        while place < end[0]:
            self._both(rest or ops[place], shift, place)
            place, rest = place + 1, None
        if end[1] >= 0:
            before, rest = _cut(rest or ops[place], end[1])
            if before is not None:
                self._both(before, shift, place)
            place += rest is None
        for note in episode.notes:
            self._say(words.NOTE, note)
        if episode.outcome in words.OUTCOMES:
            self._say(episode.outcome, episode.how)
        sim.set_running(False)
        self._compare(part, begun)
        return place, rest

    def _texts(self):
        try:
            return self._of.recording.model(self._installed).texts
        except KeyError:
            return {}

    def _say(self, what: str, text: str = "", number: int = -1) -> None:
        perform(self._new.simulation, c.NoteEpisode(what, text, number))

    def _both(self, op: Op, shift: int, place: int) -> None:
        self._source(op)
        said = op.kind == journal.COMMAND and type(op.value) is c.NoteEpisode
        if op.kind in (journal.BRANCH, journal.INSTALL):
            raise RecordingError("another branch or model begins in the middle of it", str(self._of.path), f"input {place + 1}")
        if not said or op.value.what == words.DRIVER:
            self._new.do(op, shift)

    def _compare(self, part: Part, begun: int) -> None:
        """Both runs at every entry of the part, and with what was recorded. Raises RecordingError with the first difference."""
        first, last, sim = part.first, part.last, self._new.simulation
        mine, noisy = self._redo.simulation.history.line().pieces, bool(sim.data.noise_scale)
        again = _track(sim.history.line().pieces, begun, begun + last - first, first - begun, noisy)
        found = difference(_track(mine, first, last, 0, noisy), again, first)
        if found is None and part.episode.whole:    # all but the newest entry, which has what was set behind it
            recorded = states_of(self._of, part.episode).track.pieces
            found = difference(_track(recorded, first, last - 1, 0, noisy), again, first)
        if found is not None:
            raise RecordingError(f"it does not come out as it was recorded: {found}", str(self._of.path), f"episode {part.episode.number}")


def _track(pieces: Sequence[TrackPiece], first: int, last: int, shift: int, noisy: bool) -> Track:
    """Entries first to last, with numbers `shift` higher; without the count of noise where there is none."""
    found = []
    for piece in until(since(pieces, first), last):
        rows = np.array(piece.rows)
        if not noisy:
            rows[:, 1] = 0
        found.append(TrackPiece(piece.layout, rows, piece.number + shift, piece.model))
    return Track(tuple(found))


def _sets_model(command) -> bool:
    return isinstance(command, VALUES)


def _cut(op: Op, entry: int) -> tuple[Op | None, Op | None]:
    """An op that has steps in two: what comes before an entry, and what comes after."""
    steps = journal.steps_of(op)
    n = min(max(0, entry - op.number), steps)
    return (journal.part_of(op, 0, n) if n else None), (journal.part_of(op, n, steps - n) if n < steps else None)


def _places(ops: Sequence[Op], part: Part) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where a part begins and ends in the inputs: (number of the op, entry within it, -1: before all of it). Entries may be gone through several times, where the run was taken
    back; the last time counts, as that is what the line has."""
    episode = part.episode
    end = episode.ended if episode.ended >= 0 else len(ops)
    begin, until_ = (episode.begun, -1), (end, -1)
    at = episode.first
    for k in range(episode.begun, end):
        op = ops[k]
        steps = journal.steps_of(op)
        if op.kind == journal.SHOW:
            at = op.value
            continue
        if not steps:
            continue
        at = op.number
        if at <= part.first < at + steps and part.first > episode.first:
            begin = k, part.first
        if at <= part.last - 1 < at + steps and part.last < episode.last:
            until_ = k, part.last
    return begin, until_
