"""A remedy tried: from an entry before the divergence began on, with the recorded inputs and then the last of them, in a Data and a copy of the Model of its own.

It survives where no number becomes bad and the motion stays within bounds for as long again as it must (`seconds_of`). Chunks of a millisecond in compiled code, so that a
thread that tries remedies keeps nobody waiting.
"""
from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.divergence import changes
from physics.diagnostics.divergence.changes import InputChange
from physics.diagnostics.divergence.growth import Growth
from physics.diagnostics.divergence.remedies import Remedy
from physics.diagnostics.divergence.stopping import Stopping
from physics.errors import ViewOnlyError
from physics.kernels.load import NotCompiledError
from physics.model.data import Data
from physics.model.model import Model
from physics.query.mass_matrix import mul_m
from physics.recording.last_steps import HELD, INPUTS, LastSteps, put_inputs
from physics.simulate.step import step

MARGIN = 10             # entries before the onset, from which on remedies are tried
LEAST, MOST = 1.0, 4.0  # s that a remedy has to survive, at least and at most
LONGER = 10.0           # times as long as it took from the onset to the divergence
WALL = 2.0              # s of computing for one remedy
CHUNK = 1e-3            # s of computing in one call
BOUND = 100.0           # times the energy of before, beyond which the motion is out of bounds
SURVIVES, DIVERGES, UNBOUNDED, UNKNOWN = "survives", "diverges", "unbounded", "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """status: one of the words above; lasted: simulated time from the rewound entry on [s]; beyond: of that behind the moment of the divergence [s]; fastest: largest |qvel|
    in the last quarter of the time; cost: computing per simulated second [s]; text: why nothing is known."""

    status: str
    lasted: float = 0.0
    beyond: float = 0.0
    fastest: float = 0.0
    cost: float = 0.0
    text: str = ""

    @property
    def survives(self) -> bool:
        """Whether the remedy helps."""
        return self.status == SURVIVES

    @property
    def words(self) -> str:
        """In a line."""
        if self.status == SURVIVES:
            return f"survives {duration(self.beyond)}"
        if self.status == DIVERGES:
            return f"diverges after {duration(self.lasted)}" if self.lasted else "diverges in the first step"
        return "energy out of bounds" if self.status == UNBOUNDED else self.text or "not known"


def duration(seconds: float) -> str:
    """A time in words: '1.2 s', '6 ms', not to be broken."""
    return f"{seconds:.2g}\u00a0s" if seconds >= 0.1 or seconds == 0 else f"{1e3 * seconds:.3g}\u00a0ms"


def start_row(growth: Growth) -> int:
    """The row from which remedies are tried."""
    return max(0, growth.onset - MARGIN)


def seconds_of(steps: LastSteps, growth: Growth) -> float:
    """How long a remedy has to survive behind the moment of the divergence [s]."""
    took = float(steps.time[-1] - steps.time[min(growth.onset, len(steps) - 1)])
    return min(MOST, max(LEAST, LONGER * took))


def energy_bound(m: Model, growth: Growth) -> float:
    """Kinetic energy that bounded motion stays below [J]: BOUND times what there was, or what falling through the model's own size gives."""
    weight = float(np.sum(m.body_mass)) * max(1.0, float(np.linalg.norm(m.opt_gravity)))
    return BOUND * max(growth.before, weight * float(m.stat_extent))


def try_remedy(m: Model, steps: LastSteps, growth: Growth, remedy: Remedy, stopping: Stopping = bool, wall: float = WALL) -> Outcome:
    """m: a Model that nobody else uses; it is as before afterwards. stopping: asked now and then whether to give up."""
    before = changes.values_before(m, remedy.changes)
    try:
        with np.errstate(all="ignore"):
            bound = energy_bound(m, growth)
            changes.apply(m, remedy.changes)
            return _run(m, steps, start_row(growth), seconds_of(steps, growth), bound, remedy.inputs, stopping, wall)
    except NotCompiledError:
        return Outcome(UNKNOWN, text="kernels for it are still being compiled")
    except (ViewOnlyError, ValueError, np.linalg.LinAlgError) as why:
        return Outcome(UNKNOWN, text=str(why))
    finally:
        changes.put_back(m, before)


def _run(m: Model, steps: LastSteps, start: int, seconds: float, bound: float, inputs: tuple[InputChange, ...], stopping: Stopping, wall: float) -> Outcome:
    d = Data(m)
    steps.put(d, start)
    begun, clock, cost, speeds, energies = d.time, time.perf_counter(), 0.0, [], []
    moment = float(steps.time[-1])      # of the divergence
    end = moment + seconds

    def outcome(status: str) -> Outcome:
        late = speeds[-max(1, len(speeds) // 4):] if speeds else [0.0]
        passed = max(d.time - begun, m.opt_timestep)
        text = f"not known: {duration(d.time - begun)} of {duration(end - begun)} in {wall:g} s of computing" if status == UNKNOWN else ""
        return Outcome(status, d.time - begun, max(0.0, d.time - moment), max(late), (time.perf_counter() - clock) / passed, text)

    for until, given in _stretches(steps, start, end):
        put_inputs(d, given)
        clamp(d, inputs)
        while d.time < until - 1e-6 * m.opt_timestep:
            if stopping():
                return outcome(UNKNOWN)
            left = int(np.ceil((until - d.time) / m.opt_timestep - 1e-6))
            n = max(1, min(left, int(CHUNK / cost) if cost else 1, 200))
            at = time.perf_counter()
            if step(m, d, n, autoreset=False) < n:
                return outcome(DIVERGES)
            took = (time.perf_counter() - at) / n
            cost = took if not cost else 0.8 * cost + 0.2 * took
            speed = np.array(d.qvel)
            speeds.append(float(np.abs(speed).max(initial=0.0)))
            energies.append(0.5 * float(speed @ mul_m(m, d, speed)))
            if time.perf_counter() - clock > wall:
                return outcome(_bounded(energies, bound) if d.time - moment > LONGER * (moment - begun) else UNKNOWN)
    return outcome(_bounded(energies, bound))


def _bounded(energies: list[float], bound: float) -> str:
    """Whether the motion ends within bounds: in the second half of the time."""
    return SURVIVES if all(energy < bound for energy in energies[len(energies) // 2:]) else UNBOUNDED


def _stretches(steps: LastSteps, start: int, end: float) -> Iterator[tuple[float, dict]]:
    """(until when [s], inputs) from a row on: those that were recorded, then those of the refused step until the end."""
    given = steps.inputs_of(start)
    for k in range(start + 1, len(steps)):
        following = steps.inputs_of(k)
        if any(not np.array_equal(np.ravel(following[name]), np.ravel(given[name])) for name in (*INPUTS, *HELD) if name in following and name in given):
            yield float(steps.time[k]), given
            given = following
    yield end, given


def clamp(d: Data, inputs: tuple[InputChange, ...]) -> None:
    """Hold inputs of a Data within bounds."""
    for change in inputs:
        array = getattr(d, change.field)
        array[change.index] = change.held(array[change.index])


def varying_inputs(steps: LastSteps, start: int) -> dict[str, tuple[int, ...]]:
    """{field of inputs: its rows} that were not the same in all recorded steps from a row on: a run that holds those of that row goes another way."""
    first, found = steps.inputs_of(start), {}
    for _until, given in _stretches(steps, start, float(steps.time[-1])):
        for name in first:
            shape = np.shape(getattr(steps.refused, name))
            now, before = np.reshape(given[name], shape), np.reshape(first[name], shape)
            differs = (now != before) & ~(np.isnan(now) & np.isnan(before))
            rows = np.flatnonzero(differs.reshape(shape[0], -1).any(axis=1)) if shape and shape[0] else ()
            if len(rows):
                found.setdefault(name, set()).update(np.asarray(rows).tolist())
    return {name: tuple(sorted(rows)) for name, rows in found.items()}
