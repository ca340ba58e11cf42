"""Rollouts: many independent runs of one model, in parallel on threads.

The kernels release the interpreter's lock. Each run starts from a Data at the initial pose, so that its numbers depend on its
own state and controls alone: they are the same, to the last bit, for any number of threads and in any order.
"""
from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from physics.enums import NWARNING, StateBit
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.engines import engine_of
from physics.simulate.state_vector import get_state, set_state, state_size
from physics.simulate.step import check_dynamics, grow, start_over, step

CHUNK = 1000   # steps per native call, so that threads notice an interruption


class Rollout(NamedTuple):
    """states (n, steps, nstate), sensordata (n, steps, nsensordata), steps (n) that each run completed before it diverged, warnings (n, kinds) counted.

    The rows after `steps` are those of the step that was taken anew from the initial pose, as officially; with the flag `autoreset` off NaN.
    """

    states: np.ndarray
    sensordata: np.ndarray
    steps: np.ndarray
    warnings: np.ndarray


def rollout(m: Model, states, controls=None, nthread: int = 0, *, nstep: int | None = None, warmstart=None,
            prepare: Callable[[Data], None] | None = None) -> Rollout:
    """Run the model from each of the states under the controls.

    states: (n, nstate) or (nstate), time, qpos, qvel, act, history each (state_size(m, StateBit.FULLPHYSICS)).
    controls: (n, steps, nu), or (steps, nu) for all runs, or None: ctrl stays as `prepare` leaves it, nstep says how many steps.
    nthread: threads; 0: one per processor. warmstart: (n, nv) accelerations that the solver starts from, default 0.
    prepare(data): called once for each thread's Data and before each run, to set callbacks, mocap poses, applied forces and the like.

    States are those after each step, sensor values those of the step. A run that diverges ends there: see Rollout.
    Raises ViewOnlyError as `step`, ValueError for arrays of wrong size, and what a callback raises.
    """
    check_dynamics(m)
    start = _start(m, states)
    drive, steps = _drive(m, controls, nstep, len(start))
    warm = None if warmstart is None else _shaped(warmstart, (len(start), m.nv), "warmstart")
    if nthread < 0:
        raise ValueError(f"{nthread} threads")
    count = min(nthread or os.cpu_count() or 1, max(1, len(start)))
    out = Rollout(np.full((len(start), steps, start.shape[1]), np.nan), np.full((len(start), steps, m.nsensordata), np.nan), np.zeros(len(start), int),
                  np.zeros((len(start), NWARNING), int))

    def work(first: int) -> None:
        d = Data(m)
        engine_of(m).workspace(m, d)
        for i in range(first, len(start), count):
            d.reset()
            if prepare is not None:
                prepare(d)
            set_state(m, d, start[i], StateBit.FULLPHYSICS)
            if warm is not None:
                d.qacc_warmstart[:] = warm[i]
            out.steps[i] = run_into(m, d, None if drive is None else drive[i], out.states[i], out.sensordata[i])
            out.warnings[i] = d.warning_number

    with ThreadPoolExecutor(count) as pool:
        for job in [pool.submit(work, k) for k in range(count)]:
            job.result()
    return out


def run_into(m: Model, d: Data, controls: np.ndarray | None, states: np.ndarray, sensors: np.ndarray) -> int:
    """One run from the present state into its rows; how many steps it completed. Arrays are C-contiguous, a row for each step; controls (steps, nu), None: ctrl stays.

    Where it diverges, the rows from there on are those of a step from the initial pose, which d has then taken; with the flag `autoreset` off nothing is written there.
    """
    d.bind("rollout_ctrl", np.zeros(0) if controls is None else controls.reshape(-1))
    d.bind("rollout_state", states.reshape(-1))
    d.bind("rollout_sensor", sensors.reshape(-1))
    engine, done, n = engine_of(m), 0, len(states)
    while done < n:
        to = min(n, done + CHUNK)
        reached = engine.roll(m, d, done, to, int(controls is not None))
        done = reached
        if d.cb_error:
            d.raise_callback_error()
        if reached < to and not grow(d):
            break
    if done < n and start_over(m, d):
        if step(m, d, autoreset=False):   # without controls: the reset has cleared them
            states[done:], sensors[done:] = get_state(m, d, StateBit.FULLPHYSICS), d.sensordata
    return done


def _shaped(values, shape: tuple, what: str) -> np.ndarray:
    try:
        array = np.ascontiguousarray(values, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{what}: needs numbers of shape {shape} ({error})") from None
    if array.shape != shape:
        raise ValueError(f"{what}: needs shape {shape}, got {array.shape}")
    return array


def _start(m: Model, states) -> np.ndarray:
    array = np.atleast_2d(np.asarray(states, np.float64))
    return _shaped(array, (len(array), state_size(m, StateBit.FULLPHYSICS)), "states")


def _drive(m: Model, controls, nstep: int | None, n: int):
    """(controls for each run or None, number of steps)."""
    if controls is None:
        if nstep is None or nstep < 0:
            raise ValueError("without controls, nstep must say how many steps to take")
        return None, nstep
    array = np.asarray(controls, np.float64)
    if array.ndim == 2:
        array = np.broadcast_to(array, (n, *array.shape))
    steps = array.shape[1] if array.ndim == 3 else -1
    array = _shaped(array, (n, steps, m.nu), "controls")
    if nstep is not None and nstep != steps:
        raise ValueError(f"controls of {steps} steps, nstep {nstep}")
    return array, steps
