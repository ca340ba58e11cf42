"""Engines: what moves a Model. A second one plugs in here: a row of ENGINES, found by the option `engine`.

All work on one Model and one Data; each may have fields of its own there (the column `engine` of the field tables).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from physics.engine import advance as chunk
from physics.engine import user_writes
from physics.engine.step_order import StepStage
from physics.enums import MAXVAL
from physics.errors import Issue
from physics.model.data import Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model
from physics.simulate.fleet_kernels import FleetKernels
from physics.simulate.hard_engine import HardEngine
from physics.simulate.soft_engine import SoftEngine


class Engine(Protocol):
    """A way to move a model. Methods that may lack room return early with need_* set; the caller makes room and calls again.

    Those with a body here work step by step from Python; an engine with a compiled loop overrides them.
    """

    name: str

    def refuses(self, m: Model) -> list[Issue]:
        """What keeps this engine from moving the model as it is now, with places; nothing where it can."""

    def workspace(self, m: Model, d: Data) -> None:
        """Make the room in Data that this engine's first step needs, ahead of it; a step does so itself where nobody has."""

    def forward(self, m: Model, d: Data, skip: int) -> int:
        """Accelerations and all that follows from the state; skip: the Stage taken as done. 0 where room was lacking, else 1."""

    def step(self, m: Model, d: Data, n: int) -> int:
        """Advance by n time steps; how many happened. -1 where `refuses` would name an issue: a cheap test, made at each call."""

    def stages(self) -> tuple[StepStage, ...]:
        """The step in order. While d.cb_stage is set a step calls it as each stage ends, with the row in cb_id (-1: what went before counts for none)."""

    def advance(self, m: Model, d: Data, n: int, started: int) -> int:
        """As `step`, with the mouse's force and control noise before each step and a record after it; started: 1 to repeat a step that lacked room."""
        for k in range(n):
            if not started or k:
                chunk.before_step(m, d)
            if self.step(m, d, 1) != 1 or not sound(d):
                return k
            chunk.record_state(m, d)
        return n

    def advancing(self, m: Model, d: Data, writes: KernelBuffers) -> Callable[[int], int]:
        """For steps around which functions of the user's are called: (step) notes what they have written for it and takes it, as engine/user_writes.py: advance_noting."""
        def advance(step: int) -> int:
            found = user_writes.find_writes(writes, step, 1)
            return found if found < 0 else self.advance(m, d, 1, 0) + (user_writes.HELD_TOO if found & int(writes.write_at[user_writes.HELD]) else 0)
        return advance

    def roll(self, m: Model, d: Data, done: int, n: int, driven: int) -> int:
        """The steps done .. n - 1 of a rollout (engine/rollout.py tells of its arrays); how many of the n are completed."""
        states, sensors, controls = d.rollout_state.reshape(-1, 1 + m.nq + m.nv + m.na + m.nhistory), d.rollout_sensor, d.rollout_ctrl
        for k in range(done, n):
            if driven:
                d.ctrl[:] = controls[k * m.nu:(k + 1) * m.nu]
            if self.step(m, d, 1) != 1:
                return k
            states[k] = np.concatenate([[d.time], d.qpos, d.qvel, d.act, d.history])
            sensors[k * m.nsensordata:(k + 1) * m.nsensordata] = d.sensordata
        return n

    def fleet_kernels(self) -> FleetKernels | None:
        """The compiled loops over many simulations (physics/fleet); None where there are none."""
        return None


ENGINES: tuple[Engine, ...] = (SoftEngine(), HardEngine())   # by physics.enums.Engine


def sound(d: Data) -> bool:
    """Whether positions and velocities are numbers of ordinary size."""
    return bool((np.abs(d.qpos) < MAXVAL).all() and (np.abs(d.qvel) < MAXVAL).all())


def engine_of(m: Model) -> Engine:
    """The engine that the model's options pick. Raises ValueError where there is none of that number, FieldError for whole numbers that were written and are wrong."""
    if m.engine_found is None:   # also after each write that has to be checked
        m.check_written()
        number = m.opt_engine
        if not 0 <= number < len(ENGINES):
            raise ValueError(f"opt.engine is {number}; there are {', '.join(f'{k} ({e.name})' for k, e in enumerate(ENGINES))}")
        m.engine_found = ENGINES[number]
    return m.engine_found
