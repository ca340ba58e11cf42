"""Fleet: many independent simulations of one Model on all cores.

    rows of states (n)  --thread's Data-->  nstep steps in compiled code  -->  rows of states, and of what was asked for

A thread has one Data; a simulation is a row of everything that its next step depends on (the state bits INTEGRATION, the acceleration that the
solver starts from among them), so thousands take little memory and each moves, to the last bit, as it would alone.
"""
from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.enums import ENBL_SLEEP, StateBit
from physics.fleet.arguments import chosen, rows_of, runs_of
from physics.fleet.divergence import why_stopped
from physics.fleet.rows import COMMON, Rows
from physics.fleet.workers import Workers, thread_count
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import STATE, load_keyframe
from physics.simulate.engines import FleetKernels, engine_of
from physics.simulate.state_vector import state_size
from physics.simulate.step import check_dynamics, forward
from physics.simulate.warnings import CountedWarning, counted

DRIVEN, OWN_START = 1, 2    # flags of engine/fleet/soft.py


class FleetRollout(NamedTuple):
    """state (n, nstep, nstate) after each step, sensordata (n, nstep, nsensordata) of each, steps (n) that each run completed.

    A run that diverges stays where it was last: its rows after `steps` repeat the last sound one.
    """

    state: np.ndarray
    sensordata: np.ndarray
    steps: np.ndarray


class Fleet:
    """n simulations of the Model m, moved by nthread threads (0: one per processor).

    They share the Model, whose fields may be changed between calls, save those that `expand` gave each of them. persistent: each keeps a Data to
    itself (more memory), which models with sleep need. Verbs take `ids`: numbers of simulations, a mask of n bools, or None for all.

    One that diverges (physics.step's warnings) stops at its last sound state until `reset` or `set_state`; the others go on. The model's flag
    `autoreset` is not asked. Nothing is allocated in a step. One call at a time: a second thread's waits.
    Raises ViewOnlyError as physics.step, ValueError for numbers below 1 and for a model with sleep that is not persistent.
    """

    def __init__(self, m: Model, n: int, nthread: int = 0, *, persistent: bool = False):
        if not isinstance(m, Model):
            raise TypeError(f"needs a Model, got {type(m).__name__}")
        if n < 1:
            raise ValueError(f"{n} simulations")
        check_dynamics(m)
        self.model, self.n, self.persistent = m, int(n), bool(persistent)
        self._lock = Lock()
        self._start = Data(m)       # where simulations begin
        self._all = np.arange(self.n)
        self._ids, self._warning, self._place = self._all.copy(), np.zeros(self.n, np.int64), np.zeros(self.n, np.int64)
        self._value, self._steps, self._stopped_before = np.zeros(self.n), np.zeros(self.n, np.int64), np.zeros(self.n, bool)
        self._nobody, self._begun = np.zeros(0, np.int64), np.zeros(self.n, np.int64)
        self._kept = [Data(m) for _ in range(self.n)] if persistent else []
        lent = {"fleet_id": self._ids, "fleet_warning": self._warning, "fleet_place": self._place, "fleet_value": self._value, "fleet_steps": self._steps,
                "fleet_begun": self._begun}
        self._workers = Workers(m, thread_count(nthread, self.n), self._kept, lent)
        self._rows = Rows(self._start, self.n)
        self._rows.begin(slice(None), self._start)
        self._learn()
        self._kernels()

    def __len__(self) -> int:
        return self.n

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, *_error) -> None:
        self.close()

    def close(self) -> None:
        """End the threads; the fleet cannot be moved any more by several of them."""
        with self._lock:
            self._workers.close()

    @property
    def nthread(self) -> int:
        """How many threads move it."""
        return len(self._workers)

    # ------------------------------------------------ moving

    def step(self, ids=None, nstep: int = 1) -> np.ndarray:
        """Advance by nstep time steps. Returns the numbers of the simulations that diverged in this call, () as a rule.

        Those that have stopped before are left out. Fields that are bound hold the numbers of the last step afterwards.
        """
        if nstep < 0:
            raise ValueError(f"{nstep} steps")
        with self._lock:
            count = self._choose(ids)
            kernels = self._kernels()
            stopped = np.count_nonzero(self._warning)
            if stopped:
                np.not_equal(self._warning, 0, out=self._stopped_before)
            if count and nstep:
                try:
                    self._workers.march(kernels.steps, count, nstep, kept=self.persistent)
                except BaseException:
                    self._begun[:] = 0
                    raise
            if np.count_nonzero(self._warning) == stopped:      # as a rule
                return self._nobody
            return np.flatnonzero((self._warning != 0) > self._stopped_before if stopped else self._warning)

    def forward(self, ids=None) -> None:
        """Compute everything that follows from the present states, into the fields that are bound; no simulation advances."""
        with self._lock:
            count = self._choose(ids)
            kernels = self._kernels()
            if count:
                self._workers.march(kernels.forward, count, kept=self.persistent)

    def reset(self, ids=None, keyframe: int | str | None = None) -> None:
        """Put simulations at the model's initial pose, or at a keyframe given by index or name; those that have stopped move again. Raises as physics.reset."""
        m, d = self.model, self._start
        index = -1 if keyframe is None else index_of(m, "key", keyframe)
        with self._lock:
            mine = self._mine(ids)
            d.reset()
            if index >= 0:
                load_keyframe(m, d, index)
            for i in self._numbers(mine) if self._kept else ():
                self._kept[i].reset()
                if index >= 0:
                    load_keyframe(m, self._kept[i], index)
            self._rows.begin(mine, d)
            self._rows.begin_own(mine, m, index)
            self._begin_anew(mine)
            self._steps[mine] = 0

    # ------------------------------------------------ numbers of all simulations

    def bind(self, name: str) -> np.ndarray:
        """A field of Data of all simulations, (n, shape of the field); the same array at each call.

        What simulations start from (time, qpos, qvel, act, history, qacc_warmstart, ctrl, qfrc_applied, xfrc_applied, eq_active, mocap_pos, mocap_quat,
        userdata) is live both ways: the next step begins with what is written there. All other fields (xpos, sensordata, ...) are copied there after
        each step and each forward of a simulation, beginning with the next one. Raises AttributeError for an unknown name, ValueError for a field
        whose size changes (contacts, constraint rows).
        """
        with self._lock:
            before = len(self._rows.found)
            rows = self._rows.look_at(self._start, name)
            if len(self._rows.found) > before:
                self._learn()
            return rows

    def expand(self, name: str, values=None) -> np.ndarray:
        """Let simulations differ in a field of the Model: its values (n, shape of the field), live; the same array at each call.

        They begin as the Model's; values: what they are to be, of that shape or of one row. Written there, they act as if written into the Model of
        a single simulation: nothing that the compiler derived from them is found anew (`take_model` copies all that two models differ in).
        Raises AttributeError for an unknown name, ValueError for whole numbers that decide how the Model is computed.
        """
        with self._lock:
            fresh = name not in self._rows.of_model
            rows = self._rows.expand(self.model, name)
            if fresh:
                self._learn()
        if values is not None:
            rows[...] = values
        return rows

    @property
    def expanded(self) -> Mapping[str, np.ndarray]:
        """Fields of the Model that simulations have for themselves, with their values: {name: (n, shape of the field)}, live."""
        return MappingProxyType(self._rows.of_model)

    def take_model(self, i: int, other: Model) -> None:
        """Simulation i is of another Model from now on, of the same structure: fields in which that differs are expanded. Its state stays as it is.

        Raises ValueError naming the size or field by which the two cannot be in one fleet.
        """
        mine = chosen(i, self.n)
        m, layout = self.model, self.model.layout
        other.check_written()
        for name in layout.scalars:
            if name.startswith("n") and getattr(m, name) != getattr(other, name):
                raise ValueError(f"{name} differs: {getattr(m, name)} and {getattr(other, name)}")
        differ = [name for name in (*layout.scalars, *layout.arrays) if not np.array_equal(getattr(m, name), getattr(other, name))]
        for name in differ:
            if name in COMMON:
                raise ValueError(f"{name} differs: a whole number that all simulations of a fleet have in common")
        for name in {*differ, *self._rows.of_model}:
            self.expand(name)[mine] = getattr(other, name)

    def get_state(self, ids=None, sig: int = StateBit.INTEGRATION) -> np.ndarray:
        """States as rows (len(ids), state_size(m, sig)), new memory; the parts are those of physics.get_state."""
        with self._lock:
            mine = self._mine(ids)
            count = len(self._numbers(mine))
            out = np.zeros((count, state_size(self.model, sig)))
            at = 0
            for name in _parts(sig):
                rows = self._rows.state(name)
                rows = rows[mine].reshape(count, rows[:1].size)
                out[:, at:at + rows.shape[1]] = rows
                at += rows.shape[1]
            return out

    def set_state(self, state, ids=None, sig: int = StateBit.INTEGRATION) -> None:
        """Write rows that get_state gave for the same parts, or one row for all; those that have stopped move again. Raises ValueError where the shape differs."""
        with self._lock:
            mine = self._mine(ids)
            count = len(self._numbers(mine))
            values = rows_of(state, (count, state_size(self.model, sig)), "state")
            at = 0
            for name in _parts(sig):
                rows = self._rows.state(name)
                width = rows[:1].size
                part = values[:, at:at + width].reshape(count, *rows.shape[1:])
                rows[mine] = part != 0 if rows.dtype == bool else part
                at += width
            self._begin_anew(mine)

    # ------------------------------------------------ runs

    def rollout(self, initial_state=None, control=None, *, nstep: int | None = None, warmstart=None, ids=None) -> FleetRollout:
        """Run simulations ahead and leave them where they are: the states and sensor values of each step.

        initial_state: (n, nstate) or (nstate): time, qpos, qvel, act, history (StateBit.FULLPHYSICS); None: the present states. control: (n, nstep, nu), or
        (nstep, nu) for all, or None: ctrl stays as it is, nstep says how many steps. warmstart: (n, nv) for initial_state, default 0. Applied forces,
        mocap poses and expanded fields are those of the simulations `ids`, one run each. Raises ValueError for arrays of wrong size, and for a model with
        sleep, whose runs would depend on who slept before.
        """
        m = self.model
        nstate = state_size(m, StateBit.FULLPHYSICS)
        if m.opt_enableflags & ENBL_SLEEP:
            raise ValueError("bodies may fall asleep in this model (flag sleep): physics.rollout runs it")
        with self._lock:
            count = self._choose(ids)
            kernels = self._kernels()
            runs = runs_of(m, count, nstate, initial_state, control, nstep, warmstart)
            out = FleetRollout(np.zeros((count, runs.nstep, nstate)), np.zeros((count, runs.nstep, m.nsensordata)), np.zeros(count, np.int64))
            empty = np.zeros(0)
            for worker in self._workers:
                worker.bind_runs(fleet_start=empty if runs.start is None else runs.start.reshape(-1), fleet_warm=runs.warm.reshape(-1), fleet_reached=out.steps,
                                 rollout_ctrl=empty if runs.control is None else runs.control.reshape(-1),
                                 rollout_state=out.state.reshape(-1), rollout_sensor=out.sensordata.reshape(-1))
            flags = (runs.control is not None) * DRIVEN + (runs.start is not None) * OWN_START
            try:
                if count and runs.nstep:
                    self._workers.march(kernels.rollout, count, runs.nstep, flags)
            finally:
                for worker in self._workers:
                    worker.bind_runs(fleet_start=empty, fleet_warm=empty, fleet_reached=self._place, rollout_ctrl=empty, rollout_state=empty, rollout_sensor=empty)
            start = self._states(self._ids[:count]) if runs.start is None else runs.start
        for k in np.flatnonzero(out.steps < runs.nstep):
            done = int(out.steps[k])
            out.state[k, done:] = out.state[k, done - 1] if done else start[k]
            out.sensordata[k, done:] = out.sensordata[k, done - 1] if done else 0
        return out

    # ------------------------------------------------ one of them

    def get_data(self, i: int, compute: bool = True) -> Data:
        """Simulation i as a Data of its own, with its own Model where fields are expanded (d.model). compute: with all that follows from its state (physics.forward)."""
        i = int(chosen(i, self.n)[0])
        with self._lock:
            m = self.model
            if self._rows.of_model:
                m = model_beside(m)
                for name, rows in self._rows.of_model.items():
                    setattr(m, name, rows[i])
            d = Data(m)
            if self._kept:
                d.copy_fields(self._kept[i])
            for group in (self._rows.set, self._rows.moved):
                for name, rows in group.items():
                    setattr(d, name, rows[i] if rows.ndim > 1 else rows[i].item())
        if compute:
            forward(m, d)
        return d

    def set_data(self, i: int, d: Data) -> None:
        """Simulation i is where a Data of its Model, or of one with the same sizes, is: its state, warnings, and what was computed there of fields that are bound. It moves (again)."""
        i = int(chosen(i, self.n)[0])
        with self._lock:
            self._rows.begin(slice(i, i + 1), d)
            for name, rows in self._rows.found.items():
                rows[i] = getattr(d, name)
            if self._kept:
                self._kept[i].copy_fields(d)
            self._begin_anew(slice(i, i + 1))

    # ------------------------------------------------ what went wrong

    @property
    def diverged(self) -> np.ndarray:
        """Of each simulation: 0, or the WarningType (BADQPOS, BADQVEL, BADQACC) for which it stopped (n); new memory."""
        return self._warning.copy()

    @property
    def steps(self) -> np.ndarray:
        """Steps that each simulation has completed since its last reset (n); new memory."""
        return self._steps.copy()

    def errors(self) -> dict[int, str]:
        """Why simulations stopped, in words: {number: text}, {} where all go on."""
        time = self._rows.moved["time"]
        return {i: why_stopped(self.model, int(self._warning[i]), int(self._place[i]), float(self._value[i]), float(time[i])).text
                for i in np.flatnonzero(self._warning).tolist()}

    def warnings(self, i: int) -> tuple[CountedWarning, ...]:
        """The warnings of one simulation since its last reset, as physics.warnings."""
        i = int(chosen(i, self.n)[0])
        mine = _Counted(self._rows.moved["warning_number"][i], self._rows.moved["warning_lastinfo"][i])
        return tuple(counted(self.model, mine, k) for k, number in enumerate(mine.warning_number.tolist()) if number)

    def nbytes(self) -> int:
        """Memory of rows and of all Data [byte]."""
        return self._rows.nbytes() + self._workers.nbytes() + self._start.nbytes()

    # ------------------------------------------------

    def _learn(self) -> None:
        for worker in self._workers:
            worker.learn(self._rows)

    def _kernels(self) -> FleetKernels:
        """The compiled loops of the engine that moves the model now, when all that a call needs is in order."""
        m = self.model
        m.check_written()
        engine = engine_of(m)
        if m.view_only or engine.step(m, self._start, 0) < 0:
            check_dynamics(m)
        if m.opt_enableflags & ENBL_SLEEP and not self.persistent:
            raise ValueError("bodies may fall asleep in this model (flag sleep): a sleeper is more than its state, so the fleet must be persistent=True")
        kernels = engine.fleet_kernels()
        if kernels is None:
            raise ValueError(f"the engine '{engine.name}' moves no fleets")
        for name in ("mocap_pos", "mocap_quat") if m.nmocap else ():
            wrong = ~np.isfinite(self._rows.set[name]).all(axis=(1, 2))
            if wrong.any():
                raise ValueError(f"{name} of simulation {int(wrong.argmax())} holds what is no number")
        return kernels

    def _choose(self, ids) -> int:
        """Write the simulations to be moved into fleet_id; how many there are."""
        if ids is None:
            self._ids[:] = self._all
            return self.n
        found = chosen(ids, self.n)
        self._ids[:len(found)] = found
        return len(found)

    def _mine(self, ids) -> np.ndarray | slice:
        return slice(None) if ids is None else chosen(ids, self.n)

    def _numbers(self, mine: np.ndarray | slice) -> np.ndarray:
        return self._all[mine]

    def _states(self, ids: np.ndarray) -> np.ndarray:
        """The present states of runs."""
        return np.concatenate([self._rows.state(name)[ids].reshape(len(ids), self._rows.state(name)[:1].size) for name in _parts(StateBit.FULLPHYSICS)], axis=1)

    def _begin_anew(self, mine: np.ndarray | slice) -> None:
        """These simulations move (again)."""
        self._warning[mine] = self._place[mine] = 0
        self._value[mine] = 0.0


class _Counted(NamedTuple):
    """What is counted of warnings, as a Data has it."""

    warning_number: np.ndarray
    warning_lastinfo: np.ndarray


def _parts(sig: int) -> tuple[str, ...]:
    """Names of the parts of a state vector, in order (state_size has refused what is none)."""
    return tuple(field.name for field in STATE if sig & field.bit)
