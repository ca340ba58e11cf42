"""One simulation as the physics thread holds it: Model, Data, history, pacing; no thread, no lock, no sleep of its own.

    perform(command)  changes it          advance()  lets time pass          show(snapshot)  copies it out

Everything here runs in one thread; runner.py gives it one. Tests drive it by hand with a clock of their own.
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from math import ceil
from operator import itemgetter
from types import MappingProxyType

import numpy as np

from physics.engine import advance as compiled_loop
from physics.engine import perturb
from physics.engine.kinematics import kinematics
from physics.errors import FieldError, ViewOnlyError
from physics.kernels import decorators, load
from physics.model.data import Data
from physics.model.state_fields import State, load_keyframe
from physics.recording import journal
from physics.recording.models import ModelStore
from physics.recording.trace import Trace
from physics.runtime import commands, events, perturbation
from physics.runtime.breakpoints import Breakpoints
from physics.runtime.changed_values import ChangedValues
from physics.runtime.diverged import last_steps_of
from physics.runtime.filming import WAIT, Filming
from physics.runtime.hard_report import HardReport, tell_ignored, tell_unsolved
from physics.runtime.history.history import BYTES, RESET, History
from physics.runtime.hooks.hook import Hooks
from physics.runtime.hooks.stepping import KEPT, call_all, hooked_steps
from physics.runtime.pacing import Pacing
from physics.runtime.picture_pacing import WAIT as UNSEEN
from physics.runtime.picture_pacing import PicturePacing
from physics.runtime.profile import Profile
from physics.runtime.snapshot import Snapshot
from physics.runtime.undo import Undo
from physics.simulate import step, warm_up, warnings
from physics.simulate.engines import engine_of

CHUNK = 1e-3  # s of computing per compiled call
REFINED = 1e-6  # share of the largest acceleration by which a paused state's forces must change to be shown anew
NOISE = ("noise_scale", "noise_rate", "noise_seed")
SETTINGS = ("autoreset", "pause_update", "critical_damping", "running")     # of a Simulation, that a run depends on


class Simulation:
    """What runs.

    compiled: compiled kernels are loaded, at least for some models. ready: they are in use, as all that the present model can reach is
    there; before that the start pose comes from the kernels' Python text.
    """

    def __init__(self, clock=time.perf_counter, history_bytes: int = BYTES, ready: bool | None = None, models: ModelStore | None = None):
        self.model = self.data = None
        self.generation = self.starts = self.jumps = self.inputs = 0     # jumps: starts, and ways into the history; inputs: commands that have changed what runs
        self.pacing, self.pictures = Pacing(clock), PicturePacing()
        self.history = History(history_bytes)
        self.journal, self.models = journal.Journal(), models or ModelStore()
        self.document = None   # whose Model runs: SwapModel.document
        self.values = ChangedValues()   # of the Model that differ from its file
        self.start_key: int | None = None   # keyframe that the model starts at
        self._undo = Undo()
        self.profile = Profile(time.thread_time)
        self.profiling = self.autoreset = self.pause_update = self.critical_damping = False
        self.running = self.stale = self.changed = False
        self.ran = False   # until an edit made a Model that can only be viewed: when that is mended it runs on
        self.compiled = self.ready = decorators.NOJIT or bool(compiled_loop.advance.addr) if ready is None else ready
        self.message = ""
        self.watch: tuple[str, ...] = ()
        self.trace, self.breakpoints = Trace(), Breakpoints()
        self._traced: tuple[str, ...] = ()    # what the window wants to be traced; what breakpoints look at comes besides
        self.filming: Filming | None = None
        self.hooks = Hooks()
        self.events: deque = deque(maxlen=10000)
        self.step_cost = 0.0
        self.timers: Mapping[str, float] = MappingProxyType({})
        self._refined = np.zeros(0)     # qacc that was shown last, of a state whose forces are improved
        self.redone = False     # whether a journal says what is done (redo.py)
        self._stopped_at: int | None = None     # entry at which a breakpoint was met in the last steps
        self._written: list[tuple[str, int, int, dict]] = []      # by the user's functions between the last steps
        self._diverging = False     # whether the last of them diverged
        self._warned, self._hard = np.zeros(7, np.int64), HardReport()
        self._warned_at = self._diverged_at = float("-inf")

    # ------------------------------------------------ state

    @property
    def status(self) -> str:
        """'empty', 'view only', 'preparing' (kernels are being compiled), 'diverged', 'running' or 'paused'."""
        if self.model is None:
            return "empty"
        if self.model.view_only:
            return "view only"
        if not self.ready:
            return "preparing"
        if self.running:
            return "running"
        return "diverged" if self.message else "paused"

    @property
    def moves(self) -> bool:
        """Whether the model's dynamics can be computed, by the engine that it chooses."""
        m = self.model
        return not m.view_only and not engine_of(m).refuses(m)

    def note(self, kind: str, value) -> None:
        """Into the journal."""
        self.journal.add(kind, value, self.history.number if self.data is not None else -1, self.data.time if self.data is not None else 0.0)

    def tell(self, kind: str, text: str, **details) -> None:
        """Note an event for the window."""
        self.events.append(events.Event(kind, text, details))

    def tell_refusal(self, why: ViewOnlyError) -> None:
        """Say why the model cannot be simulated as it is now."""
        head = "Whole numbers of the model are wrong" if isinstance(why, FieldError) else "This model can be viewed but not simulated yet"
        self.tell(events.REFUSED, f"{head}: {why.issues[0]}", issues=why.issues)

    def set_running(self, on: bool) -> None:
        """Run or pause; running is refused for a model that can only be viewed."""
        if on and self.model is not None:
            try:
                step.check_dynamics(self.model)
            except ViewOnlyError as why:
                self.tell_refusal(why)
                on = False
        if on != self.running:
            self.running = on
            self.note(journal.RUN, on)
            self.tell(events.RUNNING, "running" if on else "paused", running=on)
        self.pacing.stop()
        self.changed = True
        if on:
            self.message = ""
            self.breakpoints.begin()
            self.pictures.begin()
        elif self.data is not None:
            self.stale = True

    def install(self, model, state=None, key: int | None = None, border: tuple[str, str] | None = None, values: ChangedValues | None = None) -> None:
        """Make this Model the one that runs, from a State or keyframe; resets go to the keyframe. Raises what Data raises; then the old one stays.

        border: kind and text of the history's mark where it goes on, None for another document, whose history begins. values: for the journal, what differs from the file.
        """
        data = Data(model)
        if warm_up.covers(model):
            engine_of(model).workspace(model, data)
        if key is not None:
            load_keyframe(model, data, key)
        if state is not None:
            state.write(data)
        old, perturbation_before = self.model, self._perturbation()
        if self.data is not None:
            data.noise_scale, data.noise_rate, data.noise_seed = self.data.noise_scale, self.data.noise_rate, self.data.noise_seed
        number = self.models.add(model)
        begun = journal.Installed(number, State.of(data), key, border if old is not None else None, values.items(model) if values is not None else (), self._settings(data))
        if begun.border is None:
            self.journal.begin()
        self.model, self.data, self.start_key = model, data, key
        self.journal.add(journal.INSTALL, begun, self.history.number, data.time)
        self.look_for_kernels()
        self.generation += 1
        try:
            self._start_anew()
        finally:   # an entry holds what is computed from the state too, and whatever happens there is one
            if border is None or old is None:
                self.history.begin(model, data, model=number)
                self.trace.forget()
            else:
                self.history.go_on(model, data, *border, number)
            self.trace.follow(model, data, self.generation)
            self.breakpoints.follow(model)
            self.choose_traced(self._traced)
        tell_ignored(self)
        if old is not None and perturbation_before:
            self._perturb_on(perturbation_before)
        if not self.moves:
            self.ran |= self.running
            self.set_running(self.running)

    def _settings(self, data) -> tuple:
        return (*((name, getattr(data, name)) for name in NOISE), *((name, getattr(self, name)) for name in SETTINGS))

    def take_settings(self, settings) -> None:
        """Those of a journal's Installed."""
        for name, value in settings:
            setattr(self.data if name in NOISE else self, name, value)

    def look_for_kernels(self) -> bool:
        """Use compiled kernels where all that the model can reach with its present options is there; whether that is so. Else they are asked for."""
        self.ready = self.compiled and (self.model is None or warm_up.covers(self.model))
        if not self.ready and self.model is not None:
            warm_up.want(self.model)
        return self.ready

    def wait_for_kernels(self, symbol: str) -> None:
        """Time stands still until this kernel, which was called, and all else that the model can reach are compiled."""
        self.ready = False
        self.changed = True
        self.tell(events.WARNING, f"{symbol} is still being compiled: the simulation goes on when it is there")
        warm_up.want(self.model, symbol)

    def stop_for(self, error: Exception) -> None:
        """Stop, as something failed that should not."""
        said = f"{type(error).__name__}: {error}"
        if self.message != said:   # not again for each picture
            self.tell(events.ERROR, f"the simulation stopped: {said}", error=error)
        self.running = self.stale = False
        self.message = said

    def _perturbation(self):
        """The perturbation of the present Model: (body's name, bits, grab point, reference point, orientation)."""
        d = self.data
        if d is None or not d.perturb_active:
            return None
        name = self.model.name("body", d.perturb_bodyid)
        return name, d.perturb_active, d.perturb_localpos.copy(), d.perturb_refselpos.copy(), d.perturb_refquat.copy()

    def _perturb_on(self, before) -> None:
        """Go on perturbing the body of the same name."""
        name, kind, localpos, refselpos, refquat = before
        self.perturb(commands.PerturbStart(self.model.id("body", name), tuple(localpos), kind))
        perturbation.move(self.data, commands.PerturbMove(tuple(refselpos), tuple(refquat)))

    def _start_anew(self) -> None:
        """After a jump of the state: fresh clocks and messages; positions of bodies follow at once."""
        self.message = ""
        self.starts += 1
        self.jumps += 1
        self._warned[:] = 0
        self._hard.begin()
        self.step_cost = 0.0
        self.pacing.stop()
        self.refresh()
        self.changed = True

    def reset(self, state=None, key: int | None = None, border: tuple[str, str] = (RESET, "reset")) -> None:
        """Back to the start state, a keyframe or a given State. border: kind and text of the history's mark."""
        m, d = self.model, self.data
        kept = {name: getattr(d, name) for name in KEPT}
        d.reset()
        for name, value in kept.items():
            setattr(d, name, value)
        if key is not None:
            load_keyframe(m, d, key)
        if state is not None:
            state.write(d)
        self._start_anew()
        self.history.border(*border)
        call_all(self, "on_reset")

    def refresh(self) -> None:
        """Bring everything that follows from the state up to date (while paused, after changes)."""
        m, d = self.model, self.data
        self.stale = False
        if m.wrong_numbers():   # told when it is to run
            return
        if not self.ready:
            kinematics.kinematics.plain(m, d)
        elif not self.moves:
            kinematics.kinematics(m, d)
        else:
            d.xfrc_perturb[:] = 0  # the mouse pulls only while time passes
            try:
                step.forward(m, d)
                tell_unsolved(self)
            except load.NotCompiledError as why:
                self.wait_for_kernels(why.symbol)
                kinematics.kinematics.plain(m, d)

    def edited(self) -> None:
        """The state was changed by hand: it replaces the present history entry, so that the next step follows from what is recorded."""
        self.changed = True
        if not self.running:
            self.stale = True
            self.message = ""
        self.data.rest_mocap()
        self.history.rewrite()

    def show_entry(self, index: int) -> None:
        """Pause at an entry of the history."""
        self.set_running(False)
        self.note(journal.SHOW, self.history.gone + index)
        self.history.load(index)
        self.jumps += 1
        self.message = ""
        self.stale = self.changed = True

    def switch(self, branch: int) -> None:
        """Pause at the newest entry of a branch. Raises KeyError where there is no such branch."""
        self.set_running(False)
        self.note(journal.BRANCH, branch)
        self.history.switch(branch)
        self.jumps += 1
        self.trace.rewind(self.history.branches.shown[1] + 1)
        self.message = ""
        self.stale = self.changed = True

    def perturb(self, command) -> None:
        """Begin to perturb a body, with the mass that is felt at the grab point."""
        m, d = self.model, self.data
        d.perturb_extra_damping = float(self.critical_damping)
        if perturbation.start(m, d, command) and self.ready and not m.view_only:
            if self.stale:
                self.refresh()
            perturb.perturb_mass.at_once(m, d)

    # ------------------------------------------------ time

    def advance(self) -> float:
        """Simulate what is due, at most about 1 ms of computing; wall seconds until more is due (0: call again at once)."""
        m, d = self.model, self.data
        until_frame = self.filming.due(d.time, m.opt_timestep) if self.filming is not None else None
        if until_frame == 0:
            return 0.0 if self.filming.capture(self) else WAIT
        room = max(1, min(100_000, int(CHUNK / self.step_cost))) if self.step_cost else 1
        if self.pictures.steps is not None:
            n = min(room, self.pictures.due())
            if n == 0:
                return UNSEEN
        else:
            due = self.pacing.due(d.time, m.opt_timestep)
            if due <= 0:
                return max(0.0, self.pacing.wait(d.time))
            n = room if due == float("inf") else min(room, max(1, ceil(due / m.opt_timestep)))
        self.pictures.took(self.take(n if until_frame is None else min(n, until_frame)))
        if self.pictures.complete and self.running:
            step.forward(m, d)   # as in a frame of a film: all that is drawn belongs to this very state
        self.pacing.mark(d.time)
        return 0.0

    @property
    def between_pictures(self) -> bool:
        """Whether the present state is one that passes between two pictures: it is not published."""
        return self.running and self.ready and self.pictures.between

    def choose_traced(self, texts: tuple[str, ...]) -> None:
        """Trace these expressions, and those of the breakpoints."""
        self._traced = tuple(texts)
        self.trace.choose((*self._traced, *self.breakpoints.texts))
        self.changed = True

    def choose_breakpoints(self, texts: tuple[str, ...]) -> None:
        """Pause where one of these expressions becomes true."""
        self.breakpoints.choose(texts)
        self.choose_traced(self._traced)

    def take(self, n: int) -> int:
        """Take n steps from the present state; the number completed. Later entries of the history become a branch."""
        if later := self.history.cut():
            self.tell(events.CUT, f"Running on from {self.data.time:g} s: what came later, {later} step{'s' * (later > 1)}, is kept as a branch", steps=later, number=self.history.number)
        number, now = self.history.number, self.data.time
        done = self._take_parts(n)
        self._journal_steps(number, done if self._stopped_at is None else self._stopped_at - number, now)
        if not self.redone and (branch := self.history.same_again()) is not None:
            self.note(journal.SAME, branch)
            self.history.branches.take_back(branch)
        return done

    def note_written(self, number: int, driven: list, inputs: list) -> None:
        """The user's functions have written this of Data between the steps that are being taken from entry `number`: before steps (Written.stretches) and after them."""
        found = [(step, 1, n, fields) for step, n, fields in driven] + [(step, 0, 0, fields) for step, fields in inputs]
        found.sort(key=itemgetter(0, 1))    # what after_step writes comes before what is written for the next step
        self._written += [(journal.DRIVEN_STEPS if n else journal.INPUT, number + step, n, fields) for step, _, n, fields in found]

    def _journal_steps(self, number: int, steps: int, now: float) -> None:
        """So many steps were taken from entry `number`, at time `now`, and what was written between them."""
        at, end, ops = number, number + steps, []
        for kind, place, n, fields in self._written:
            taken = min(n, end - place)     # the rest did not happen; but what a step begins with that diverges did
            if place > end or n and taken <= 0 and not self._diverging:
                continue
            if place > at:
                ops.append(journal.Op(journal.STEPS, place - at, at, now))
            at = place
            if not n:
                ops.append(journal.Op(kind, fields, place, now))
            elif taken:
                ops.append(journal.Op(kind, {name: rows[:taken] for name, rows in fields.items()}, place, now))
                at = place + taken
            if taken < n and self._diverging:
                ops.append(journal.Op(journal.DRIVEN, {name: rows[taken] for name, rows in fields.items()}, end, now))
        self._written.clear()
        self.journal.extend(ops)
        if end > at:
            self.journal.add(journal.STEPS, end - at, at, now)
        if self._diverging:
            self.journal.add(journal.DIVERGED, 1, end, now)

    def _take_parts(self, n: int) -> int:
        done, self._stopped_at, self._diverging = 0, None, False
        while done < n:
            part = min(n - done, self.history.make_room(), self.trace.make_room(self.history.number))
            if self.hooks.stepping and (self.breakpoints.texts or load.is_partial()):
                part = 1    # a step that is taken back has called nobody too early
            taken = self._take(part)
            done += taken
            if taken < part or self._breaks(taken):
                break
        return done

    def _breaks(self, taken: int) -> bool:
        """Whether one of the last steps has met a breakpoint: then the run pauses in the state in which it did, and the steps behind it did not happen."""
        pieces = self.trace.view().pieces if self.breakpoints.texts else ()
        hit = self.breakpoints.look(pieces[-1], len(pieces[-1].rows) - taken) if pieces else None
        if hit is None:
            return False
        self.set_running(False)
        self.history.load(hit.number - self.history.gone)
        self.history.cut(keep=False)
        self._stopped_at = hit.number
        self.stale = self.changed = True
        self.tell(events.BREAKPOINT, f"Paused at {self.data.time:g} s: {hit.text}", expression=hit.text, time=self.data.time)
        return True

    def _take(self, n: int) -> int:
        """Take n steps, for which the history has room."""
        self.changed = True
        if load.is_partial():
            self._undo.keep(self.data)
        clock = time.perf_counter if self.hooks.stepping else time.thread_time     # functions of the user's may sleep
        start = clock()
        try:
            done = self._steps(n)
        except FieldError as why:   # written while it ran
            self.set_running(False)
            self.history.follow()
            self.tell_refusal(why)
            return 0
        if symbol := load.stubbed_call():
            self._undo.take_back(self.data)
            self.wait_for_kernels(symbol)
            return 0
        if done:
            cost = (clock() - start) / done
            self.step_cost = cost if not self.step_cost else 0.8 * self.step_cost + 0.2 * cost
        self.history.follow()
        self._tell_warnings()
        self._hard.look(self)
        if done < n:
            self._diverging = True
            self._diverged()
        return done

    def _steps(self, n: int) -> int:
        if self.hooks.stepping:
            return hooked_steps(self, n)
        return self.plain_steps(n)

    def plain_steps(self, n: int, started: int = 0) -> int:
        """Take up to n steps, for which the history has room, in compiled code alone; the number completed. started: 1 to repeat one that lacked storage."""
        m, d, done = self.model, self.data, 0
        profiling = self.profiling and self.profile.due(self.step_cost)
        with m.writes.lock:   # whole numbers are written before or after
            advance = engine_of(m).advance
            while done < n:
                taken = self.profile.timed(advance, m, d, n - done, started) if profiling else advance(m, d, n - done, started)
                done += max(0, taken)
                if done < n:
                    if not step.grow(d):
                        break
                    started = 1
        return done

    def _diverged(self) -> None:
        """Go back to the last sound state and stop, saying what happened."""
        m, d = self.model, self.data
        found = warnings.divergence(m, d)
        text = found.text if found else f"The step at time {d.time:g} s could not be completed"
        details = found._asdict() if found else {"time": d.time}
        details.pop("text", None)
        now = time.monotonic()
        if not self.autoreset or now - self._diverged_at > 1.0:  # a model that diverges at once would flood the log
            self.tell(events.DIVERGED, text, **details, last_steps=last_steps_of(self.history, m, d, found), reset=self.autoreset)
            self._diverged_at = now
        if self.autoreset:
            self.reset(key=self.start_key, border=(RESET, "automatic reset"))
            return
        self.set_running(False)
        self.history.load_last_good()
        d.diverged = 0
        self.message = text
        self.stale = True

    def _tell_warnings(self) -> None:
        """Tell about new warnings: the first of a kind at once, more of them at most once a second."""
        number = self.data.warning_number
        if not number.any() or (number == self._warned).all():
            return
        now = time.monotonic()
        for kind in np.nonzero(number > self._warned)[0]:
            if kind not in warnings.DIVERGED and (self._warned[kind] == 0 or now - self._warned_at > 1.0):
                found = warnings.counted(self.model, self.data, int(kind))
                self.tell(events.WARNING, f"At time {self.data.time:g} s: {found}", warning=int(kind), count=found.count,
                          info=int(self.data.warning_lastinfo[kind]))
                self._warned[kind] = found.count
                self._warned_at = now

    def clear_warnings(self) -> None:
        """Count them from 0."""
        self.data.warning_number[:] = 0
        self._warned[:] = 0
        self.changed = True

    def idle(self) -> None:
        """While paused: bring a changed state up to date, or improve the warm start if asked."""
        if self.model is None:
            return
        if self.pause_update and self.ready and not self.model.view_only:
            self.note(journal.IDLE, 1)
            self._refine()
        elif self.stale:
            self.catch_up()
            self.changed = True

    def catch_up(self) -> None:
        """Bring what follows from the state up to date, at a moment that nothing else tells."""
        self.note(journal.IDLE, 1)
        self.refresh()

    def _refine(self) -> None:
        """Solve once more from the last result. Where that changes nothing worth showing no snapshot follows: whoever looks would take it for motion."""
        d, fresh = self.data, self.stale
        d.qacc_warmstart[:] = d.qacc
        self.refresh()
        before = self._refined
        if fresh or len(before) != len(d.qacc) or np.abs(d.qacc - before).max(initial=0.0) > REFINED * max(1.0, np.abs(d.qacc).max(initial=0.0)):
            self._refined, self.changed = d.qacc.copy(), True

    def show(self, snapshot: Snapshot) -> None:
        """Copy everything into a snapshot of this model."""
        snapshot.copy_from(self.data, self.watch)
        snapshot.running, snapshot.status, snapshot.message = self.running, self.status, self.message
        snapshot.starts, snapshot.jumps, snapshot.revision = self.starts, self.jumps, self.model.revision
        snapshot.changed_values = self.values.shown(self.model)
        snapshot.start_key = -1 if self.start_key is None else self.start_key
        snapshot.speed, snapshot.steps_per_picture = self.pacing.speed, self.pictures.steps or 0
        snapshot.real_speed = self.pacing.measured() if self.running else 0.0
        snapshot.step_us = 1e6 * self.step_cost
        if not self.profiling:
            self.timers = MappingProxyType({})
        elif self.profile.steps:
            self.timers = MappingProxyType({**self.profile.per_step(), "every": self.profile.every})
            self.profile.clear()
        snapshot.timers = self.timers
        n = len(self.history)
        snapshot.history_length, snapshot.history_index = n, self.history.index
        snapshot.history_time = (self.history.time(0), self.history.time(n - 1))
        snapshot.history_marks, snapshot.history_gone = self.history.marks(), self.history.gone
        snapshot.history_branch, snapshot.history_branches = self.history.branches.shown[0], self.history.told_branches()
        snapshot.history_pace = float(self.model.opt_timestep)
        snapshot.trace = self.trace.view()
        self.changed = False


