"""Stage timers: the very step that runs, with a clock read between its stages.

While the profiler is open the runner's steps call back at the end of each stage (Data.cb_stage). All four evaluations of a
Runge-Kutta step count for the stages that they are made of.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType

from physics.engine.step_order import STAGES as ROWS
from physics.kernels.rows import callback
from physics.model.callbacks import C_CALLBACK, address_of
from physics.simulate.engines import engine_of
from physics.simulate.step import check_dynamics

STAGES = tuple(dict.fromkeys(row.name for row in ROWS))
# the official profiler's rows: what each sums up; the rest is 'other'
GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {group: tuple(row.name for row in ROWS if row.group == group) for group in ("collision", "prepare", "solve")}
)


class Profile:
    """Sums of stage times [s] over the steps since the last clear. A Data's callback cb_time is the clock where there is one."""

    def __init__(self, clock=time.perf_counter):
        self._clock = clock
        self.clear()

    def clear(self) -> None:
        """Start counting anew."""
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self.steps = 0

    def per_step(self) -> Mapping[str, float]:
        """Stage -> microseconds per step, with 'total' and the official rows collision, prepare, solve, other under 'group:...'."""
        n = max(1, self.steps)
        out = {name: 1e6 * s / n for name, s in self.seconds.items()}
        total = sum(out.values())
        groups = {"group:" + g: sum(out[s] for s in names) for g, names in GROUPS.items()}
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
        clock, seconds = self._clock_of(m, d), self.seconds
        names = [row.name for row in engine_of(m).stages()]
        for name in names:
            seconds.setdefault(name, 0.0)
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
        self.steps += max(0, done)
        return done

    def step(self, m, d) -> int:
        """One step: 1, or 0 with the state untouched. Raises ViewOnlyError where the options ask for what is missing."""
        done = self.timed(engine_of(m).step, m, d, 1)
        if done < 0:
            check_dynamics(m)
        return max(0, done)
