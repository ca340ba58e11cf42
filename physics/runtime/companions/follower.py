"""What a primary run has done, done again on a companion's Simulation at the same simulated times. No thread, no clock of its own.

    Journal of the primary --JournalReader--> ops --Follower--> commands, steps and jumps of the companion

What each op of the primary means for a companion:

    steps       as many where both time steps are equal, so that equal values give equal bits; else until the companion's next step would end after the primary's time
    command     the same command (physics/runtime/companions/matching.py where the Models differ); values that the companion was given for itself stay
    reset, keyframe, state set, restart after a divergence    the same: a companion that had stopped goes on from there
    show        the companion shows its own entry of that time, and runs on from there when the primary does
    branch      likewise: the companion has its own past, not that of the branch
    install     edit of the text: the companion keeps its Model, and inputs are for elements of the same names; reload: the companion starts afresh;
                another document: the companion ends
    diverged    the companion takes the steps that were completed. One that diverges itself stops alone

Two numbers of entries, the primary's and the companion's, belong to the same time by `anchors`.
"""
from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from math import inf
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.model.model import Model
from physics.model.model_copy import put_live_values
from physics.recording import journal
from physics.recording.journal import Op
from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.carry_over import carry_over
from physics.runtime.changed_values import ChangedValues
from physics.runtime.checked import Refused
from physics.runtime.companions.beginning import Beginning, same_structure
from physics.runtime.companions.matching import Matching
from physics.runtime.history.history import LOAD, RESET
from physics.runtime.perform import perform
from physics.runtime.set_values import put_fields
from physics.runtime.simulation import CHUNK, Simulation

MOST = 1000         # ops taken from the journal at once
ANOTHER = "another model was opened"
NEAR = 1e-3         # of a step, by which its end may be after the primary's time: times are rounded
VALUES = frozenset({c.SetOption, c.SetFlag, c.SetActuatorGroup, c.SetField, c.SetVisual, c.RevertValue, c.RevertAll, c.SaveKey})
OWN_VALUES = VALUES | {c.SetFields}
JUMPS = frozenset({c.Reset, c.LoadKey, c.SetState})
MOVED = frozenset({journal.SHOW, journal.BRANCH, journal.INSTALL})      # ops behind which the primary's time is another
SETTINGS = frozenset({c.SetPauseUpdate, c.SetCriticalDamping, c.SetStartKey, c.PerturbStop})    # what matters to one that has stopped, too
BETWEEN = frozenset({journal.STEPS, journal.DIVERGED, journal.INPUT, journal.DRIVEN, journal.DRIVEN_STEPS, journal.SAME})     # their times are that of the first step of several
OWN_PAST = frozenset({"RenameBranch", "ForgetBranch"})      # about the primary's branches; the companion has others


def follow_copy(simulation: Simulation, begun: Beginning) -> Follower:
    """Go on from a beginning that was copied into the Data of this Simulation (begin_beside), whose Model is a copy of the primary's."""
    put_live_values(simulation.model, begun.live)
    simulation.values, simulation.start_key = ChangedValues.of(begun.changed), begun.key
    return _follow(simulation, begun)


def follow_with(simulation: Simulation, begun: Beginning, model: Model) -> Follower:
    """Go on from a beginning with another Model, which has the primary's state as far as it has the same elements."""
    state, _report = carry_over(begun.model, begun.state, model)
    key = begun.key if begun.key is not None and begun.key < model.nkey else None
    simulation.install(model, state, key)
    data = simulation.data
    data.noise_scale, data.noise_rate, data.noise_seed, data.noise_step = begun.noise
    return _follow(simulation, begun)


def _follow(simulation: Simulation, begun: Beginning) -> Follower:
    simulation.history.begin(simulation.model, simulation.data, f"companion from {begun.time:.6g} s")
    for name, value in begun.settings.items():
        setattr(simulation, name, value)
    simulation.look_for_kernels()
    return Follower(simulation, begun)


class Anchor(NamedTuple):
    """Entry `number` of the primary and entry `own` of the companion are of the same time; from there on the companion has `pace` entries for one of the primary."""

    number: int
    own: int
    pace: float


class Follower:
    """One companion's side. simulation: with a Model and Data that are as begun; begun: the present of the primary then; stopped: why it takes no steps, '' where it
    does; ended: why it follows no more."""

    def __init__(self, simulation: Simulation, begun: Beginning):
        self.simulation = simulation
        self.stopped = self.ended = ""
        self.changes: tuple = ()        # commands that make it differ
        self._reader, self._journal, self._models = begun.reader, begun.journal, begun.models
        self._matching = self._match(begun.model)
        self._autoreset = begun.autoreset
        self._timestep, self._file_timestep = float(begun.model.opt_timestep), begun.file_timestep
        self._ops: deque[Op] = deque()
        self._at: tuple[int, float] | None = (begun.number, begun.time)     # entry and time of the primary behind what was read; None: the next op tells
        self._count, self._until = 0, None      # what is still to do: steps, or the time to get to [s]
        self._reset_due = self._look_up = False
        self._stopped_at = 0        # number of the entry at which it stopped
        self.anchors: tuple[Anchor, ...] = (Anchor(begun.number, simulation.history.number, self._pace),)

    def _match(self, primary: Model) -> Matching | None:
        mine = self.simulation.model
        return None if same_structure(primary, mine) else Matching(primary, mine)

    @property
    def _pace(self) -> float:
        return self._timestep / float(self.simulation.model.opt_timestep)

    # ------------------------------------------------ what the companion's owner wants

    def change(self, command) -> str:
        """Make the companion differ by a command (one of VALUES, or SetFields for rows of any fields); '' or why it is refused. The primary's commands do not undo it."""
        if type(command) not in OWN_VALUES:
            return f"{type(command).__name__} is no value of the model"
        said = self._perform(command)
        if not said:
            self.changes = (*(one for one in self.changes if _about(one) != _about(command)), command)
        return said

    def _perform(self, command) -> str:
        sim = self.simulation
        if type(command) is c.SetFields:    # of the companion alone: no text says them
            try:
                put_fields(sim, command)
            except Refused as why:
                return str(why)
            return ""
        before = len(sim.events)
        perform(sim, command)
        return next((event.text for event in list(sim.events)[before:] if event.kind in (events.REFUSED, events.ERROR)), "")

    # ------------------------------------------------ following

    @property
    def behind(self) -> float:
        """Simulated time that is known to be still to do [s]."""
        sim = self.simulation
        return self._count * float(sim.model.opt_timestep) if self._until is None else max(0.0, self._until - sim.data.time)

    def turn(self) -> bool:
        """Do some of what the primary has done, for about a millisecond; False where nothing is left for now. Raises LookupError where the journal does not reach back
        so far."""
        if self.ended:
            return False
        if self._stepping():
            return self._step()
        if self._reset_due:
            self._reset()
            return True
        if not self._ops:
            self._read()
        if not self._ops:
            return False
        op = self._ops.popleft()
        if self._look_up and op.kind not in (journal.SHOW, journal.BRANCH, journal.INSTALL):
            self._show_time(op.time)
        if op.kind not in BETWEEN:
            self._at = None if op.kind in MOVED or type(op.value) in JUMPS else (op.number, op.time)
        TABLE[op.kind](self, op)
        return True

    def _read(self) -> None:
        try:
            self._ops.extend(self._reader.read(MOST))
        except LookupError:
            ops = self._journal.ops
            if not (ops and ops[0].kind == journal.INSTALL and ops[0].value.border is None):
                raise
            self.ended = ANOTHER    # whose journal begins there

    def _stepping(self) -> bool:
        return self._count > 0 or self._until is not None

    def _step(self) -> bool:
        """A chunk of the steps that are due; False where that has to wait for kernels."""
        sim = self.simulation
        timestep, room = float(sim.model.opt_timestep), max(1, min(100_000, int(CHUNK / sim.step_cost))) if sim.step_cost else 1
        due = self._count if self._until is None else int((self._until - sim.data.time) / timestep + NEAR)
        if due <= 0:
            self._count, self._until = 0, None
            return True
        if not sim.ready and not sim.look_for_kernels():
            return False
        wanted = min(room, due)
        done = sim.take(wanted)
        sim.pacing.mark(sim.data.time)
        self._count = max(0, self._count - done)
        if done < wanted:
            if not sim.ready:
                return False
            self._stop(sim.message or "it cannot be simulated with these values")
        return True

    def _stop(self, why: str) -> None:
        self.stopped, self._stopped_at = why, self.simulation.history.number
        self._count, self._until = 0, None

    def _go_on(self) -> None:
        """It had stopped; the primary begins anew."""
        self.stopped = ""

    # ------------------------------------------------ ops

    def _steps(self, op: Op) -> None:
        self._due(op, op.value)

    def _diverged(self, op: Op) -> None:
        self._due(op, op.value - 1)
        self._at = None
        self._reset_due = self._autoreset

    def _due(self, op: Op, steps: int) -> None:
        start = self._at[1] if self._at is not None and self._at[0] == op.number else op.time     # an op that grew tells the time of its first step
        until = start + steps * self._timestep
        self._at = (op.number + steps, until)
        if self.stopped:
            return
        self._anchor(op.number)
        if self._timestep == float(self.simulation.model.opt_timestep):
            self._count += steps
        else:
            self._until = until

    def _command(self, op: Op) -> None:
        command, sim = op.value, self.simulation
        kind = type(command)
        if kind is c.SetAutoReset:
            self._autoreset = bool(command.on)      # of the primary; the companion stops
            return
        if kind.__name__ in OWN_PAST:
            return
        if kind is c.SetFields:     # an edit of the text: the companion keeps its Model
            self._timestep = self._file_timestep = next((float(value) for name, _rows, value in command.rows if name == "opt_timestep"), self._timestep)
            return
        self._note_timestep(command)
        mine = command if self._matching is None else self._matching.command(command)
        if mine is None or self.stopped and kind not in JUMPS | VALUES | SETTINGS:
            return
        perform(sim, mine)
        if kind in VALUES:
            self.repeat_changes()
        if kind in JUMPS:
            self._go_on()

    def repeat_changes(self) -> None:
        """What makes the companion differ holds again."""
        for one in self.changes:
            self._perform(one)

    def _note_timestep(self, command) -> None:
        """The primary's time step after a command."""
        if type(command) is c.SetOption and command.name == "timestep":
            try:
                given = float(command.value)
            except (TypeError, ValueError):
                return
            self._timestep = given if 0 < given < inf else self._timestep
        elif type(command) is c.RevertAll or type(command) is c.RevertValue and command.target == "opt.timestep":
            self._timestep = self._file_timestep

    def _show(self, op: Op) -> None:
        self._look_up = False
        self._show_own(self.own_number(op.value))

    def _branch(self, op: Op) -> None:
        self._look_up = True    # the next op tells the time of what is shown

    def _show_time(self, time: float) -> None:
        self._look_up = False
        found = self.simulation.history.track().nearest(time)
        if found is not None:
            piece, row = found
            self._show_own(piece.number + row)

    def _show_own(self, number: int) -> None:
        """Show an entry of the companion's own, the nearest where it has none of that number."""
        history = self.simulation.history
        newest = history.gone + len(history) - 1
        why = self.stopped
        self.simulation.show_entry(min(max(number, history.gone), newest) - history.gone)
        self.stopped = why if why and number > self._stopped_at else ""

    def _run(self, op: Op) -> None:
        if not self.stopped:
            self.simulation.set_running(bool(op.value))

    def _idle(self, op: Op) -> None:
        sim = self.simulation
        for _ in range(op.value if sim.pause_update else 1):
            sim.idle()

    def _driven(self, op: Op) -> None:
        data = self.simulation.data
        if self.stopped:
            return
        fields = op.value if self._matching is None else self._matching.fields(op.value, data)
        for name, numbers in fields.items():
            if name == "time":
                data.time = float(numbers[0])
                self._at = op.number, data.time
            else:
                getattr(data, name).reshape(-1)[:] = np.ravel(numbers)

    def _driven_steps(self, op: Op) -> None:
        self._ops.extendleft(reversed(tuple(journal.one_by_one(op))))

    def _input(self, op: Op) -> None:
        self._driven(op)
        if not self.stopped:
            self.simulation.edited()

    def _same(self, op: Op) -> None:
        """The companion's own history finds out for itself whether it has become what a branch was."""

    def _install(self, op: Op) -> None:
        begun, self._look_up = op.value, False
        if begun.border is None:
            self.ended = ANOTHER
            return
        model = self._models.living(begun.model)
        if model is not None:
            self._timestep = float(model.opt_timestep)
            self._file_timestep = next((value for target, value, _ in begun.values if target.name == "opt_timestep"), self._timestep)
            self._matching = self._match(model)
        if begun.border[0] == LOAD:
            self.simulation.reset(key=self.simulation.start_key, border=begun.border)
            self._go_on()

    def _reset(self) -> None:
        """The primary has diverged and started over."""
        self._reset_due = False
        self.simulation.reset(key=self.simulation.start_key, border=(RESET, "automatic reset"))
        self._go_on()

    # ------------------------------------------------ numbers of entries

    def _anchor(self, number: int) -> None:
        """The primary takes a step from entry `number`, the companion from its present one."""
        now, pace = self.simulation.history.number, self._pace
        last = self.anchors[-1]
        apart = abs(self.own_number(number) - now)
        if last.number <= number and last.own <= now and last.pace == pace and apart <= (0 if pace == 1.0 else 1):
            return
        kept = [one for one in self.anchors if one.number < number and one.own < now]
        self.anchors = (*kept, Anchor(number, now, pace))

    def own_number(self, number: int) -> int:
        """The companion's entry of the time of an entry of the primary, counted on where there is none yet."""
        return own_number(self.anchors, number)


def own_number(anchors: Sequence[Anchor], number: int) -> int:
    """The companion's entry of the time of entry `number` of the primary."""
    anchor = anchors[max(0, bisect_right(anchors, number, key=_number) - 1)]
    return anchor.own + int(np.floor((number - anchor.number) * anchor.pace + NEAR))


def primary_numbers(anchors: Sequence[Anchor], own: np.ndarray) -> np.ndarray:
    """For entries of the companion the places between the primary's entries that are of the same times, as floats."""
    starts = np.array([anchor.own for anchor in anchors])
    at = np.maximum(np.searchsorted(starts, own, "right") - 1, 0)
    numbers, paces = np.array([anchor.number for anchor in anchors], float), np.array([anchor.pace for anchor in anchors])
    return numbers[at] + (own - starts[at]) / paces[at]


def _number(anchor: Anchor) -> int:
    return anchor.number


def _about(command) -> tuple:
    """What a command that changes a value is about: a later one about the same takes its place."""
    if type(command) is c.SetFields:
        return (c.SetFields, *((name, None if rows is None else tuple(np.ravel(rows).tolist())) for name, rows, _values in command.rows))
    return (type(command), *(getattr(command, name) for name in ("name", "index", "word", "bit", "group", "path", "target", "key") if hasattr(command, name)))


TABLE: Mapping[str, Callable[[Follower, Op], None]] = MappingProxyType({
    journal.COMMAND: Follower._command, journal.STEPS: Follower._steps, journal.DIVERGED: Follower._diverged, journal.SHOW: Follower._show, journal.BRANCH: Follower._branch,
    journal.RUN: Follower._run, journal.IDLE: Follower._idle, journal.INPUT: Follower._input, journal.DRIVEN: Follower._driven, journal.SAME: Follower._same,
    journal.DRIVEN_STEPS: Follower._driven_steps, journal.INSTALL: Follower._install,
})
