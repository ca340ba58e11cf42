"""Episodes of a run, as the words about them in its journal tell (commands.NoteEpisode): what began and ended where, how it ended, who drove.

    inputs of a run --EpisodeLog--> episodes, counts, who drives now

The words lie between the inputs, at the step at which they were said, so that a recording that has the inputs has the episodes, whatever happened to the program.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import MappingProxyType

from physics.recording import journal
from physics.recording.journal import Op
from physics.runtime import commands as c

START, STOP, SUCCESS, FAILURE, DISCARD, UNDO, TASK, NOTE, DRIVER = "start", "stop", "success", "failure", "discard", "undo", "task", "note", "driver"
OPEN, BROKEN = "open", "broken off"     # an episode that goes on; one that ended without an outcome, as by a reset
OUTCOMES = (SUCCESS, FAILURE, DISCARD)
PERSON, POLICY, SCRIPT = "person", "policy", "script"
DRIVERS = (PERSON, POLICY, SCRIPT)
JUMPS = (c.Reset, c.LoadKey, c.SetState)


@dataclass(frozen=True, slots=True)
class Episode:
    """number: 1, 2, ... in the recording. first, last: entries of the history, of which there is one for each step and one more. outcome: 'success', 'failure', 'discard',
    'open' or 'broken off'. begun, ended: places of the words in the inputs (ended -1: there is none). drivers: (entry, who) ascending, the first at `first`: who drives the
    steps from there on. drawn: number of the start state that was drawn, -1 for none. whole: whether its entries are those of the line still; time: at which it began [s];
    how: text of the word that ended it."""

    number: int
    first: int
    last: int
    time: float
    task: str = ""
    outcome: str = OPEN
    begun: int = -1
    ended: int = -1
    drivers: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    drawn: int = -1
    whole: bool = True
    how: str = ""

    @property
    def steps(self) -> int:
        """How many steps were taken in it."""
        return self.last - self.first

    def driver(self, entry: int) -> str:
        """Who drives the step from this entry on."""
        found = self.drivers[0][1] if self.drivers else PERSON
        for number, who in self.drivers:
            if number > entry:
                break
            found = who
        return found

    def parts(self, who: str) -> tuple[Episode, ...]:
        """What somebody drove of it, each as an episode that is broken off, save the one that it ends with."""
        ends = (*(entry for entry, _who in self.drivers[1:]), self.last)
        found: list[Episode] = []
        for (entry, driver), end in zip(self.drivers, ends, strict=True):
            if driver != who or end <= entry:
                continue
            if found and found[-1].last == entry:       # it was said twice
                found[-1] = replace(found[-1], last=end)
            else:
                found.append(replace(self, first=entry, last=end, drivers=((entry, who),)))
        return tuple(one if one.last == self.last else replace(one, outcome=BROKEN) for one in found)


class EpisodeLog:
    """Takes the inputs of a run as they come. Words that make no sense where they stand (an outcome before any start) change nothing."""

    def __init__(self):
        self._events: list[tuple[int, Op]] = []     # all that matters, with their places: to be gone through again where the last mark is undone
        self._place = 0
        self._forget()

    def _forget(self) -> None:
        self._episodes: list[Episode] = []
        self.task, self.driver = "", PERSON
        self._end = 0       # number of the newest entry of the line

    # ------------------------------------------------ what there is

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """All of them in order, discarded ones too."""
        return tuple(self._episodes)

    @property
    def current(self) -> Episode | None:
        """The one that goes on."""
        return self._episodes[-1] if self._episodes and self._episodes[-1].outcome == OPEN else None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each outcome."""
        found = Counter(episode.outcome for episode in self._episodes)
        return {outcome: found[outcome] for outcome in (*OUTCOMES, BROKEN, OPEN)}

    # ------------------------------------------------ taking

    def take(self, ops: Iterable[Op]) -> bool:
        """Take what was done next; whether an episode, or who drives, is otherwise now."""
        before = self._marks()
        for op in ops:
            self._take(self._place, op)
            self._place += 1
        return before != self._marks()

    def _marks(self) -> tuple:
        newest = self._episodes[-1] if self._episodes else None
        return len(self._episodes), self.driver, self.task, newest and (newest.outcome, newest.notes, newest.whole)

    def _take(self, place: int, op: Op) -> None:
        if op.kind == journal.COMMAND and type(op.value) is c.NoteEpisode and op.value.what == UNDO:
            self._undo()
            return
        if op.kind == journal.INSTALL and op.value.border is None:      # another document: what was before is another run's
            self._events = []
        last = self._events[-1][1] if self._events else None
        if op.kind == journal.STEPS and last is not None and last.kind == journal.STEPS and last.number + last.value == op.number:
            self._events[-1] = self._events[-1][0], last._replace(value=last.value + op.value)
        elif op.kind in KINDS and (op.kind != journal.COMMAND or isinstance(op.value, (c.NoteEpisode, *JUMPS))):
            self._events.append((place, op))
        self._apply(place, op)

    def _undo(self) -> None:
        """As if the last start or outcome had not been said."""
        for k in range(len(self._events) - 1, -1, -1):
            op = self._events[k][1]
            if op.kind == journal.COMMAND and type(op.value) is c.NoteEpisode and op.value.what in (START, STOP, *OUTCOMES):
                del self._events[k]
                self._forget()
                for place, one in self._events:
                    self._apply(place, one)
                return

    def _apply(self, place: int, op: Op) -> None:
        apply = KINDS.get(op.kind)
        if apply is not None:
            apply(self, place, op)
            if op.kind != journal.INSTALL:      # its number is one of before it
                self._end = max(self._end, op.number)

    # ------------------------------------------------ what happened

    def _steps(self, _place: int, op: Op) -> None:
        if op.number < self._end:
            self._run_on_from(op.number)
        self._end = op.number + journal.steps_of(op)
        if self.current is not None:
            self._change(last=self._end)

    def _run_on_from(self, number: int) -> None:
        """The entries after this one are no part of the line any more."""
        for k, episode in enumerate(self._episodes):
            if episode.outcome == OPEN and number >= episode.first:
                self._episodes[k] = replace(episode, last=number, drivers=tuple(one for one in episode.drivers if one[0] <= number))
            elif episode.last > number:
                self._episodes[k] = replace(episode, whole=False, outcome=BROKEN if episode.outcome == OPEN else episode.outcome)

    def _branch(self, place: int, _op: Op) -> None:
        self._break_off(place)
        self._episodes = [replace(episode, whole=False) for episode in self._episodes]

    def _install(self, place: int, op: Op) -> None:
        if op.value.border is None:
            self._forget()
        self._break_off(place)

    def _break_off(self, place: int, *_op) -> None:
        if self.current is not None:
            self._change(outcome=BROKEN, ended=place)

    def _change(self, **values) -> None:
        self._episodes[-1] = replace(self._episodes[-1], **values)

    # ------------------------------------------------ what was said

    def _command(self, place: int, op: Op) -> None:
        if isinstance(op.value, JUMPS):
            self._break_off(place)
        elif type(op.value) is c.NoteEpisode and op.value.what in WORDS:
            WORDS[op.value.what](self, place, op)

    def _start(self, place: int, op: Op) -> None:
        self._break_off(place)
        self.task = op.value.text or self.task
        self._episodes.append(Episode(len(self._episodes) + 1, op.number, op.number, op.time, self.task, begun=place, drivers=((op.number, self.driver),), drawn=op.value.number))

    def _stop(self, place: int, op: Op) -> None:
        current = self.current
        if current is not None:
            self._change(outcome=BROKEN, ended=place, how=op.value.text, last=op.number if op.number >= current.first else current.last)

    def _outcome(self, place: int, op: Op) -> None:
        current = self.current
        if current is not None:
            self._change(outcome=op.value.what, ended=place, how=op.value.text, last=op.number if op.number >= current.first else current.last)
        elif self._episodes:    # of one that was broken off, or another word in place of the one before
            self._change(outcome=op.value.what, how=op.value.text)

    def _task(self, _place: int, op: Op) -> None:
        self.task = op.value.text
        if self.current is not None:
            self._change(task=self.task)

    def _note(self, _place: int, op: Op) -> None:
        if self._episodes:
            self._change(notes=(*self._episodes[-1].notes, op.value.text))

    def _driver(self, _place: int, op: Op) -> None:
        self.driver = op.value.text
        current = self.current
        if current is not None and op.number >= current.first:
            self._change(drivers=(*(one for one in current.drivers if one[0] < op.number), (op.number, self.driver)))


KINDS = MappingProxyType({
    journal.STEPS: EpisodeLog._steps, journal.DRIVEN_STEPS: EpisodeLog._steps, journal.BRANCH: EpisodeLog._branch, journal.INSTALL: EpisodeLog._install,
    journal.DIVERGED: EpisodeLog._break_off, journal.COMMAND: EpisodeLog._command})
WORDS = MappingProxyType({
    START: EpisodeLog._start, STOP: EpisodeLog._stop, SUCCESS: EpisodeLog._outcome, FAILURE: EpisodeLog._outcome, DISCARD: EpisodeLog._outcome, TASK: EpisodeLog._task, NOTE: EpisodeLog._note,
    DRIVER: EpisodeLog._driver})


def episodes_of(ops: Iterable[Op]) -> tuple[Episode, ...]:
    """The episodes of a recording's inputs."""
    log = EpisodeLog()
    log.take(ops)
    return log.episodes
