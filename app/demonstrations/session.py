"""Giving demonstrations: the words about episodes go to the run as commands, and what they made of it is read from its journal.

    button, key, page, script --start, succeed, ...--> Runner --journal--> EpisodeLog --episodes, counts--> who shows them

What is said takes effect at the step at which the physics thread hears it, in the order in which it was said; nothing here waits for that. Call `update` now and then.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.demonstrations import episodes as words
from app.demonstrations.episodes import Episode, EpisodeLog
from app.demonstrations.keeper import Keeper
from app.demonstrations.starts import Start, StartError, start_state
from app.demonstrations.success import Success, Watching
from physics.quantities.syntax import ExpressionError
from physics.recording.journal import JournalReader
from physics.runtime import commands as c
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

AUTOMATIC = "automatic: "       # before the expression, in the word that ends an episode


class Session:
    """One for a Runner. keeper: writes it to the disk, None: nobody does here. start: where episodes begin; success: ends them, None: only a person does.

    problem: why the last start or expression could not be used, '' where it could. For one thread."""

    def __init__(self, runner: Runner, keeper: Keeper | None = None, start: Start = Start(), success: Success | None = None):
        self.start_state, self.problem = start, ""
        self._runner, self._keeper = runner, keeper
        self._log, self._reader = EpisodeLog(), JournalReader(runner.journal, 0)
        self._drawn = self._next = -1       # numbers of the newest draw, and of that which the next episode begins with
        self._watching: Watching | None = None
        self._looking = False       # whether the physics thread has been asked to look and has not yet
        self._ended = 0             # number of the episode that was ended by itself
        self.succeed_by(success)

    # ------------------------------------------------ what there is

    @property
    def episodes(self) -> tuple[Episode, ...]:
        """All so far, as of the last update."""
        return self._log.episodes

    @property
    def current(self) -> Episode | None:
        """The one that goes on."""
        return self._log.current

    @property
    def counts(self) -> Mapping[str, int]:
        """{outcome: how many}."""
        return self._log.counts

    @property
    def task(self) -> str:
        """What is to be done, as it will be said of the next episode."""
        return self._log.task

    @property
    def driver(self) -> str:
        """Who drives: 'person', 'policy' or 'script'."""
        return self._log.driver

    def update(self) -> bool:
        """Read what happened; look whether the episode has succeeded. Whether episodes or the driver are otherwise now."""
        changed = False
        try:
            while ops := self._reader.read():
                changed |= self._log.take(ops)
        except LookupError:     # another document runs, and its journal begins anew
            self._log, self._reader = EpisodeLog(), JournalReader(self._runner.journal, self._runner.journal.gone)
            changed = True
        self._drawn = max(self._drawn, max((episode.drawn for episode in self._log.episodes), default=-1))
        self._look()
        return changed

    # ------------------------------------------------ words

    def start(self, task: str = "") -> None:
        """An episode begins with the present state. task: '' for the one of before."""
        if self._watching is not None:
            self._watching.begin()
        drawn, self._next = self._next, -1
        self._say(words.START, task, drawn)

    def stop(self) -> None:
        """It ends without an outcome, which may follow."""
        self._say(words.STOP)

    def succeed(self, how: str = "") -> None:
        """It ends well; without one that goes on this is said of the last one, whatever was said before."""
        self._say(words.SUCCESS, how)

    def fail(self, how: str = "") -> None:
        """It ends badly."""
        self._say(words.FAILURE, how)

    def discard(self) -> None:
        """It is not to count: it stays in the recording, and `undo` brings it back."""
        self._say(words.DISCARD)

    def record_again(self) -> None:
        """Discard, reset and start."""
        self.discard()
        self.reset()
        self.start()

    def undo(self) -> None:
        """As if the last start, stop or outcome had not been said."""
        self._say(words.UNDO)

    def describe(self, task: str) -> None:
        """What is to be done from now on, and in the present episode."""
        self._say(words.TASK, task)

    def note(self, text: str) -> None:
        """Something about the present episode, or the last one."""
        self._say(words.NOTE, text)

    def driven_by(self, who: str) -> None:
        """Who drives from now on."""
        self._say(words.DRIVER, who)

    def event(self, name: str) -> None:
        """What a device or page says, by its name (EVENTS). Raises KeyError."""
        EVENTS[name](self)

    def _say(self, what: str, text: str = "", number: int = -1) -> None:
        self._runner.send(c.NoteEpisode(what, text, number))
        if self._keeper is not None:
            self._keeper.soon()

    # ------------------------------------------------ the start state

    def reset(self) -> None:
        """Go to the start, or to the next one that is drawn; the next episode that starts has its number."""
        start = self.start_state
        if start.drawn:
            self._drawn += 1
            self._next = self._drawn
        else:
            self._next = -1
        number = self._next
        self._runner.send(c.Decide(lambda sim: self._to_start(sim, start, number)))

    def _to_start(self, sim: Simulation, start: Start, number: int) -> tuple:
        """In the physics thread: how to get there."""
        if sim.model is None or start == Start():
            return (c.Reset(),)
        try:
            state = start_state(sim.model, start, max(0, number))
        except StartError as why:
            self.problem = str(why)
            return ()
        self.problem = ""
        return (c.SetState(state),)

    # ------------------------------------------------ success by itself

    def succeed_by(self, success: Success | None) -> None:
        """End episodes as successes where this holds."""
        self._watching = Watching(success) if success is not None else None

    def _look(self) -> None:
        current = self.current
        if self._watching is None or current is None or self._looking or current.number == self._ended:
            return
        self._looking = True
        self._runner.send(c.VisitRun(lambda sim: self._visit(sim, current.number)))

    def _visit(self, sim: Simulation, number: int) -> None:
        """In the physics thread, between two steps."""
        try:
            watching = self._watching
            if watching is not None and sim.model is not None and watching.look(sim.model, sim.data):
                self._ended = number
                self.succeed(AUTOMATIC + watching.success.text)
            self.problem = ""
        except ExpressionError as why:
            self.problem = str(why)
            self._watching = None
        finally:
            self._looking = False


EVENTS: Mapping[str, Callable[[Session], None]] = MappingProxyType({
    "start": Session.start, "stop": Session.stop, "success": Session.succeed, "failure": Session.fail, "discard": Session.discard, "reset": Session.reset, "undo": Session.undo,
    "record again": Session.record_again})
