"""The Runner of a window that shows what a script simulates: states come from the script, and what changes them goes there."""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any

from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.passive.shared_states import SharedStates
from physics.runtime.passive.shown import News, ShownSimulation
from physics.runtime.runner import NAP, PUBLISH, Runner

HERE = frozenset({c.SwapModel, c.Watch, c.SetTrace, c.SetBreakpoints, c.Visit})       # only look on
BOTH = frozenset({c.Run, c.Pause})      # shown at once; the script's side knows by its next step
SCRIPTS = frozenset({
    c.Step, c.Reset, c.LoadKey, c.SaveKey, c.SetStartKey, c.SetCtrl, c.SetCtrls, c.ClearCtrl, c.SetQpos, c.SetJointCoordinate, c.SetPose, c.SetState, c.SetEqActive, c.SetForce, c.SetNoise,
    c.SetOption, c.SetFlag, c.SetActuatorGroup, c.SetVisual, c.SetField, c.RevertValue, c.RevertAll, c.PerturbStart, c.PerturbMove, c.PerturbStop, c.MoveMocap, c.PoseFree,
    c.ClearWarnings, c.SetCriticalDamping})     # go through the pipe: only commands that are plain values
UNSAID = frozenset({c.SetSpeed, c.SetProfile})     # sent by the window itself; they mean nothing here
_NO_HISTORY = "the script steps, and keeps no history that one could go back in"
_HOOKS = "the script steps: functions that are to be called around a step are called there"
REFUSED: Mapping[type, str] = MappingProxyType({
    **dict.fromkeys((c.StepBack, c.Scrub, c.ScrubTo, c.SwitchBranch, c.RenameBranch, c.ForgetBranch, c.VisitRun, c.Decide, c.NoteEpisode, c.TakeRecording, c.LoadRecording), _NO_HISTORY),
    **dict.fromkeys((c.SetHooks, c.RunHook, c.SetHookValue), _HOOKS),
    c.SetFields: "the model is the script's, and has no text that could be edited",
    c.SetStepsPerPicture: "the script says how fast time passes", c.SetFilming: "a film takes states of exact times, at which a script cannot be stopped",
    c.SetAutoReset: "the script says what happens when its simulation diverges", c.SetPauseUpdate: "a script that is paused computes nothing"})
LOOK = 0.004        # s between looks for a state in shared memory
IDLE = 0.02         # s between looks for a state while none comes
QUIET = 0.5         # s without one, after which none comes
PATIENCE = 3.0      # s without a sync, until it is told that what was asked for waits


class PassiveRunner(Runner):
    """ask(key, command) hands a command to the script's side, the newest of a key counts, None: all do; taken() tells it that news were shown, quiet() that no state has come
    through shared memory for a while. All may be called from any thread and wait for nothing."""

    keeps_history = False

    def __init__(self, ask: Callable[[Hashable | None, Any], None], taken: Callable[[], None], quiet: Callable[[], None] = lambda: None):
        super().__init__(ShownSimulation(lambda command: ask(None, command)))
        self._ask, self._tell_taken, self._tell_quiet = ask, taken, quiet
        self._news: deque[News] = deque()
        self._owed, self._next = 0, 0.0     # news that were shown and not told to be, and when that may be told again
        self.states: SharedStates | None = None     # where the script puts what is nothing but a state
        self._received, self._last = 0, 0.0         # states through the pipe so far, and when one was found there
        self._flows = False     # whether they come there
        self._waits = float("inf")      # since when the script has something to do that it has not heard

    def arrive(self, news: News) -> None:
        """The script's side has sent this. From any thread."""
        self._news.append(news)
        self._mailbox.ring()

    def send(self, command) -> None:
        """Have a command carried out: here where it changes nothing, else by the script's side."""
        self._hand_on(None, command)

    def latest(self, key: Hashable, command) -> None:
        """As `send`, unless a newer one with the same key arrives first."""
        self._hand_on(key, command)

    def _hand_on(self, key: Hashable | None, command) -> None:
        kind = type(command)
        if kind in REFUSED:
            self._sim.events.append(events.Event(events.REFUSED, f"{kind.__name__}: {REFUSED[kind]}"))
            return
        if kind in UNSAID:
            return
        if kind in HERE or kind in BOTH:
            super().send(command)
        if kind is c.Step:
            super().send(c.Pause())
        if kind in BOTH or kind is c.Step:
            self._sim.asked += 1
        if kind not in HERE:
            self._waits = min(self._waits, time.monotonic())
            self._ask(key, command)

    def _turn(self, made_ready: bool) -> float:
        """Show what has arrived; seconds until there is more to do."""
        sim = self._sim
        if made_ready:
            self._ready()
        if self._look():
            self._waits = float("inf")
        if self._news:
            self._waits = float("inf")
        elif time.monotonic() - self._waits > PATIENCE:
            self._waits = float("inf")
            sim.tell(events.WAITING, f"The script has not called sync() for {PATIENCE:g} s: what is done in the window waits for that")
        while self._news and sim.model is not None:
            news = self._news.popleft()
            self._show(news)
            self._received += news.image is not None or news.state is not None
            self._owed += 1
        wait = self._ask_for_more()
        if self.states is None:
            return wait
        if self._flows and time.monotonic() - self._last > QUIET:
            self._flows = False
            self._tell_quiet()
        return min(wait, LOOK if self._flows else IDLE)

    def _show(self, news: News) -> None:
        try:
            self._sim.take(news)
        except Exception as error:      # the window shows it; the thread must live on
            self._sim.stop_for(error)

    def _look(self) -> bool:
        """Show the state that the script has put into shared memory; whether there was a new one."""
        sim, states = self._sim, self.states
        if states is None or sim.model is None:
            return False
        states.want_each(sim.trace.on)
        if not states.take(sim.data, self._received, self._show):
            return False
        self._last, self._flows = time.monotonic(), True
        return True

    def _ask_for_more(self) -> float:
        """Tell that news are shown: at once where every state is looked at, else at the pace of pictures, as sending costs the script time. Seconds until there is more to tell."""
        now = time.monotonic()
        while self._owed and (now >= self._next or self._sim.trace.on):
            self._owed, self._next = self._owed - 1, now + PUBLISH
            self._tell_taken()
        return self._next - now if self._owed else NAP
