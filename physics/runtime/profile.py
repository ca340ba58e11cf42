"""Stage timers: the very step that runs, with a clock read between its stages.

While the profiler is open the runner's steps stamp the end of each stage (Data.cb_stage). Compiled code does it (engine/stage_time.py): that
costs some 1.5 us a step; of steps of less than 15 us only some are timed. Without that kernel, or where a Data has a clock of its own (cb_time), a
Python function does, and a step takes two to four times as long. All four evaluations of a Runge-Kutta step count for the stages that they are made of.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType

from physics.engine.stage_time import add_stage_time
from physics.engine.step_order import STAGES as ROWS
from physics.engine.step_order import StepStage
from physics.kernels import decorators, load
from physics.kernels.clock import clock_address
from physics.kernels.rows import callback
from physics.model.callbacks import C_CALLBACK, address_of
from physics.simulate.engines import ENGINES, engine_of
from physics.simulate.step import check_dynamics

STAGES = tuple(dict.fromkeys(row.name for row in ROWS))       # of the soft engine
# the official profiler's rows: what each sums up; the rest is 'other'
GROUPS = ("collision", "prepare", "solve")

def stage_names(m) -> tuple[str, ...]:
    """The stages of the engine that moves a Model, in their order."""
    return tuple(dict.fromkeys(row.name for row in ENGINES[m.opt_engine].stages()))


STAMPS = 1.5e-6   # s that the stamps of a step take
SHARE = 0.1       # of a step: that they may take on average


class Profile:
    """Sums of stage times [s] over the steps since the last clear. A Data's callback cb_time is the clock where there is one.

    clock: of the time that the steps took in all; where it counts less than the wall does (the processor was taken away), stages are taken for shorter by as much.
    """

    def __init__(self, clock=time.perf_counter):
        self._clock = clock
        self._address = clock_address()
        self.every, self._calls = 1, 0
        self._rows: tuple[StepStage, ...] = ROWS      # of the engine whose steps are timed
        self.clear()

    def clear(self) -> None:
        """Start counting anew."""
        self.seconds = dict.fromkeys((row.name for row in self._rows), 0.0)
        self.steps = 0

    def _follow(self, m) -> None:
        """Another engine has other stages: its counts begin at 0."""
        rows = engine_of(m).stages()
        if rows != self._rows:
            self._rows = rows
            self.clear()

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages that are timed, in their order."""
        return tuple(self.seconds)

    def due(self, step_cost: float) -> bool:
        """Whether to time the next steps: all where a step [s] takes long, one in so many calls where the stamps would cost more than a tenth of it."""
        self.every = max(1, ceil(STAMPS / (SHARE * step_cost))) if step_cost else 1
        self._calls += 1
        return self._calls % self.every == 0

    def per_step(self) -> Mapping[str, float]:
        """Stage -> microseconds per step, with 'total' and the official rows collision, prepare, solve, other under 'group:...'."""
        n = max(1, self.steps)
        out = {name: 1e6 * s / n for name, s in self.seconds.items()}
        total = sum(out.values())
        groups = {"group:" + g: sum(out[s] for s in dict.fromkeys(row.name for row in self._rows if row.group == g)) for g in GROUPS}
        groups["group:other"] = total - sum(groups.values())
        return MappingProxyType({**out, "total": total, **groups})

    def _clock_of(self, m, d):
        """The user's clock where the data has one (cb_time), else ours."""
        if not d.cb_time:
            return self._clock

        def ask() -> float:
            callback(d.cb_time, m, d)
            return d.cb_value

        return ask

    def timed(self, steps: Callable[..., int], m, d, *arguments) -> int:
        """steps(m, d, *arguments), a function that takes steps and returns their number, with its stages timed. Raises nothing of its own."""
        self._follow(m)
        compiled = self._address and add_stage_time.addr and not decorators.NOJIT and not load.is_partial() and not d.cb_time
        done = (self._stamped if compiled else self._called_back)(steps, m, d, *arguments)
        self.steps += max(0, done)
        return done

    def _stamped(self, steps: Callable[..., int], m, d, *arguments) -> int:
        """Timed by compiled code."""
        d.clock_address, d.clock_kind = self._address, time.CLOCK_MONOTONIC
        d.stage_time[:] = 0.0
        before, d.cb_stage = d.cb_stage, add_stage_time.addr
        cpu, wall = self._clock(), time.monotonic()
        try:
            done = steps(m, d, *arguments)
        finally:
            d.cb_stage = before
            cpu, wall = self._clock() - cpu, time.monotonic() - wall
        share = min(1.0, cpu / wall) if wall > 0 else 1.0
        for row, nanoseconds in zip(self._rows, d.stage_time.tolist(), strict=False):
            self.seconds[row.name] += 1e-9 * share * nanoseconds
        return done

    def _called_back(self, steps: Callable[..., int], m, d, *arguments) -> int:
        """Timed by a function of Python."""
        clock, seconds = self._clock_of(m, d), self.seconds
        names = [row.name for row in self._rows]
        last = 0.0

        def stage_ends(_m, _d) -> None:
            nonlocal last
            try:
                now, k = clock(), d.cb_id
                if k >= 0:
                    seconds[names[k]] += now - last
                last = now
            except BaseException as error:   # it must not cross the compiled frames
                d.note_callback_error(error)

        function, before = C_CALLBACK(stage_ends), d.cb_stage
        d.cb_stage = address_of(function)
        try:
            done = steps(m, d, *arguments)
        finally:
            d.cb_stage = before
        return done

    def step(self, m, d) -> int:
        """One step: 1, or 0 with the state untouched. Raises ViewOnlyError where the options ask for what is missing."""
        done = self.timed(engine_of(m).step, m, d, 1)
        if done < 0:
            check_dynamics(m)
        return max(0, done)
