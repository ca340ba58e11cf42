"""mujoco.rollout: runs of a model from given states under given controls, on threads, the states and sensor values of each step kept.

A run begins at the initial pose with the state, the acceleration and the controls that are given, so that nothing depends on what a Data held before. One in which a warning
is counted stops there: its remaining rows repeat the last ones. Steps of a run are one compiled call without the interpreter's lock; each thread works in a Data of the caller's.
"""
from __future__ import annotations

import atexit
import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import NamedTuple

import numpy as np

import physics
from physics.enums import DSBL_AUTORESET, Solver, StateBit
from physics.simulate.rollout import run_into
from physics.simulate.state_vector import get_state, set_state, state_size

from .data import MjData
from .errors import FatalError
from .functions.step import mj_step, structs
from .model import MjModel

_FULL, _CTRL = int(StateBit.FULLPHYSICS), int(StateBit.CTRL)
_USER = int(StateBit.USER)
_SOLVERS = frozenset(map(int, Solver))
_SHARES = 10    # of what a thread has to do, taken one after the other


class Rollout:
    """Runs on a pool of nthread threads; 0 or None: on the caller's. A context manager, whose end ends the threads."""

    def __init__(self, *, nthread: int | None = None):
        self.nthread = nthread or 0
        self._pool = ThreadPoolExecutor(self.nthread, "rollout") if self.nthread else None
        self._closed = False

    def __enter__(self) -> Rollout:
        return self

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        self.close()

    def close(self) -> None:
        """End the threads; nothing can be run any more."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def rollout(self, model, data, initial_state, control=None, *, control_spec: int = _CTRL, skip_checks: bool = False, nstep: int | None = None, initial_warmstart=None,
                state=None, sensordata=None, chunk_size: int | None = None):
        """States and sensor values after each step of runs: (nbatch, nstep, nstate), (nbatch, nstep, nsensordata).

        model: an MjModel, or one for each run, all of the same sizes. data: MjData for the threads to work in, as many as there are threads (one for the caller's thread).
        initial_state: ([nbatch or 1,] nstate), mjSTATE_FULLPHYSICS. control: ([[nbatch or 1,] nstep or 1,] ncontrol), the parts control_spec; None: no controls.
        initial_warmstart: ([nbatch or 1,] nv), default 0. state, sensordata: where the results go. chunk_size: how many runs a thread takes at a time.
        How many runs and steps there are follows from the arrays (and nstep). Raises ValueError naming the argument whose shape is wrong, RuntimeError after `close`.
        """
        if self._closed:
            raise RuntimeError("rollout requested after thread pool shutdown")
        datas = list(data) if isinstance(data, Sequence) else [data]
        if not datas:
            raise ValueError("The list of data instances is empty")
        if self.nthread == 0 and len(datas) > 1:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if self.nthread and len(datas) != self.nthread:
            raise ValueError(f"Length of data: {len(datas)} not equal to nthread: {self.nthread}")
        for k, one in enumerate(datas):
            if one.threadpool:
                raise ValueError(f"data[{k}] has a thread pool")
        models = list(model) if isinstance(model, Sequence) else [model]
        given = _Given(initial_state, control, initial_warmstart, state, sensordata)
        job = _job(models, given, int(control_spec), _whole(nstep, "nstep", 0, "non-negative"), skip_checks)
        self._run(job, datas, _whole(chunk_size, "chunk_size", 1, "a positive integer"))
        return job.state, job.sensordata

    def _run(self, job: _Job, datas: list[MjData], chunk: int | None) -> None:
        """All runs of a job; those of a share by one thread, in its Data."""
        count = len(job.state)
        if self._pool is None:
            for i in range(count):
                job.run(i, datas[0])
            return
        share = chunk or max(1, count // (self.nthread * _SHARES))
        starts = itertools.count(0, share)      # next() of it is whole for Python's threads

        def work(data: MjData) -> None:
            for first in starts:
                if first >= count:
                    return
                for i in range(first, min(count, first + share)):
                    job.run(i, data)

        jobs = [self._pool.submit(work, data) for data in datas]
        for one in jobs:
            one.exception()     # waits: nobody may be at work when the caller goes on
        for one in jobs:
            one.result()


class _Kept:
    """The pool that calls of `rollout` with persistent_pool leave for the next one."""

    def __init__(self):
        self.lock, self.rollout = Lock(), None

    def of(self, nthread: int) -> Rollout:
        if self.rollout is None or self.rollout.nthread != nthread:
            self.close()
            self.rollout = Rollout(nthread=nthread)
        return self.rollout

    def close(self) -> None:
        if self.rollout is not None:
            self.rollout.close()
            self.rollout = None


_KEPT = _Kept()


def shutdown_persistent_pool() -> None:
    """End the threads that `rollout(..., persistent_pool=True)` has kept; done at the interpreter's end by itself."""
    with _KEPT.lock:
        _KEPT.close()


atexit.register(shutdown_persistent_pool)


def rollout(model, data, initial_state, control=None, *, control_spec: int = _CTRL, skip_checks: bool = False, nstep: int | None = None, initial_warmstart=None, state=None,
            sensordata=None, chunk_size: int | None = None, persistent_pool: bool = False):
    """As Rollout.rollout, on as many threads as there are MjData in a list `data`. persistent_pool: the threads are kept for the next call."""
    nthread = len(data) if isinstance(data, Sequence) and len(data) > 1 else 0
    named = dict(control_spec=control_spec, skip_checks=skip_checks, nstep=nstep, initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size)
    if persistent_pool:
        with _KEPT.lock:
            return _KEPT.of(nthread).rollout(model, data, initial_state, control, **named)
    with Rollout(nthread=nthread) as once:
        return once.rollout(model, data, initial_state, control, **named)


# ------------------------------------------------ arguments


class _Given(NamedTuple):
    """Arrays as they were handed over; None: not given."""

    initial_state: object
    control: object
    initial_warmstart: object
    state: object
    sensordata: object


class _Job(NamedTuple):
    """Runs with an own row in each array. start: (n, nstate), warm: (n, nv) or None, control: (n, nstep, ncontrol) or None."""

    models: list[MjModel]
    start: np.ndarray
    warm: np.ndarray | None
    control: np.ndarray | None
    spec: int
    state: np.ndarray
    sensordata: np.ndarray

    def run(self, i: int, data: MjData) -> None:
        """Run i in this MjData, which is where the run ends then."""
        model = self.models[i if len(self.models) > 1 else 0]
        m, d = structs(model, data)
        physics.reset(m, d)
        set_state(m, d, self.start[i], _FULL)
        if self.warm is not None:
            d.qacc_warmstart[:] = self.warm[i]
        states, sensors = self.state[i], self.sensordata[i]
        if not len(states):
            return
        controls = None if self.control is None else self.control[i]
        if controls is not None and self.spec != _CTRL:
            _steps(model, data, controls, self.spec, states, sensors)
            return
        done = run_into(m, d, controls, states, sensors)
        if done == len(states):
            return
        if m.opt_disableflags & DSBL_AUTORESET:       # the step that was refused passes, as in mj_step
            d.time += m.opt_timestep
            states[done:], sensors[done:] = get_state(m, d, _FULL), d.sensordata


def _steps(model: MjModel, data: MjData, controls: np.ndarray, spec: int, states: np.ndarray, sensors: np.ndarray) -> None:
    """Steps one by one, each with its inputs: any parts of the state that users set."""
    m, d = model._inner, data._inner
    for k, row in enumerate(controls):
        set_state(m, d, row, spec)
        mj_step(model, data)
        states[k], sensors[k] = get_state(m, d, _FULL), d.sensordata
        if d.warning_number.any():
            states[k + 1:], sensors[k + 1:] = states[k], sensors[k]
            return


def _whole(value, name: str, least: int, wanted: str) -> int | None:
    """A whole number that is no bool. Raises ValueError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{name} must be an integer")
    if value < least:
        raise ValueError(f"{name} must be {wanted}")
    return int(value)


def _job(models: list[MjModel], given: _Given, spec: int, nstep: int | None, skip_checks: bool) -> _Job:
    """The arrays of a job, a row for each run. Raises ValueError by the first that does not fit."""
    if spec & ~_USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    m = models[0]._inner
    for model in models:
        if model._inner.opt_solver not in _SOLVERS:
            raise FatalError(f"mj_fwdConstraint: unknown solver type {model._inner.opt_solver}")
    widths = _Given(state_size(m, _FULL), state_size(m, spec), m.nv, state_size(m, _FULL), m.nsensordata)
    arrays = {}
    for name, value, most in zip(_Given._fields, given, (2, 3, 2, 3, 3)):
        arrays[name] = None if value is None else _numbers(name, value, most, getattr(widths, name), skip_checks)
    runs = _agreed(0, None, arrays)
    if len(models) > 1:
        if skip_checks:
            runs = min(max(runs, len(arrays["initial_state"])), len(models))
        elif runs not in (1, len(models)):
            raise ValueError(f"nbatch inferred as {runs} but model is length {len(models)}")
        else:
            runs = len(models)
            _check_alike(models)
    steps = _agreed(1, nstep, {name: array for name, array in arrays.items() if array is not None and array.ndim == 3})
    return _Job(models, _rows(arrays["initial_state"], (runs, widths.initial_state)), _rows(arrays["initial_warmstart"], (runs, m.nv)),
                _rows(arrays["control"], (runs, steps, widths.control)), spec,
                _target(arrays["state"], (runs, steps, widths.state)), _target(arrays["sensordata"], (runs, steps, widths.sensordata)))


def _numbers(name: str, value, most: int, width: int, skip_checks: bool) -> np.ndarray:
    """Doubles with `most` dimensions, those that are missing in front; the array itself where it is such a one."""
    if not isinstance(value, np.ndarray | float | int | list | tuple | np.number) or isinstance(value, str):
        raise ValueError(f"{name} must be a numpy array or float")
    array = np.asarray(value, np.float64)
    if array.ndim > most:
        raise ValueError(f"{name} can have at most {most} dimensions")
    array = array if array.ndim == most else array.reshape((1,) * (most - array.ndim) + array.shape)
    if not skip_checks and array.shape[-1] != width:
        raise ValueError(f"trailing dimension of {name} must be {width}, got {array.shape[-1]}")
    return array


def _agreed(axis: int, fixed: int | None, arrays: dict[str, np.ndarray | None]) -> int:
    """The size along an axis: of all arrays the same, or 1. fixed: what it must be. Raises ValueError."""
    found = 1 if fixed is None else fixed
    for name, array in arrays.items():
        if array is None or array.shape[axis] == found or array.shape[axis] == 1:
            continue
        if found != 1 or fixed is not None:
            raise ValueError(f"dimension {axis} inferred as {found} but {name} has {array.shape[axis]}")
        found = array.shape[axis]
    return found


def _rows(array: np.ndarray | None, shape: tuple[int, ...]) -> np.ndarray | None:
    return None if array is None else np.ascontiguousarray(np.broadcast_to(array, shape))


def _target(array: np.ndarray | None, shape: tuple[int, ...]) -> np.ndarray:
    """Where results go: the array that was given, where it can be written as it is."""
    if array is not None and array.shape == shape and array.flags.c_contiguous and array.flags.writeable:
        return array
    return np.zeros(shape)


def _check_alike(models: list[MjModel]) -> None:
    """Raise ValueError unless one MjData can be of all these models."""
    first = models[0]._inner
    sizes = [name for name in first.layout.scalars if name.startswith("n")]
    wanted = [getattr(first, name) for name in sizes]
    if any([getattr(other._inner, name) for name in sizes] != wanted for other in models[1:]):
        raise ValueError("models are not compatible")


