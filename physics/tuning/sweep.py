"""Sweeps: one or two values over ranges, and what becomes of a number of the run for each.

    contact parameters     the scalar simulation: rest depth, restitution, settling at once        contact_sweep
    the same, of two       the standard drop in the engine: restitution, settling, in the background  DropSweep
    any value, any metric  the engine, in the background on all processors                         Sweep

A metric is a Quantity reduced over a run: min, max, mean, last, integral, or holds, whether a condition is true at the end.
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from physics.model.model import Model
from physics.model.state_fields import State
from physics.tuning.law import Parameters, Row
from physics.tuning.model_values import ModelValue, changes_of, find_value, read_number
from physics.tuning.reductions import REDUCTIONS, reduced
from physics.tuning.runs import BackgroundJobs, Run, Runs, quantities_of
from physics.tuning.scalar import PHASES, impacts, load_step, rest_depth
from physics.tuning.standard_drop import PHASES as DROP_PHASES, StandardDrop
from physics.tuning.target_values import PARAMETERS, with_number

__all__ = ["MOST_RUNS", "PROVEN", "Axis", "ContactSweep", "DropSweep", "Sweep", "SweepResult", "axis_of", "contact_sweep", "range_values", "swept_points", "whole_numbers"]

MOST_RUNS = 100_000
DIMENSIONS = 2
PROVEN = ("restitution", "settling")
PROVEN_UNITS = ("", "s")
FORM = "WHAT=LOW:HIGH:COUNT, WHAT=LOW:HIGH:COUNT:log, WHAT=VALUE or WHAT=VALUE,VALUE,..."


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A value of the Model and the numbers that it takes, (n); one number: it is set and not varied."""

    value: ModelValue
    numbers: np.ndarray

    @property
    def text(self) -> str:
        """Name of the value."""
        return self.value.text

    @property
    def varies(self) -> bool:
        """Whether there is more than one number."""
        return len(self.numbers) > 1


def range_values(low: float, high: float, number: int, log: bool = False) -> np.ndarray:
    """`number` values from low to high with both, evenly spaced, or with log in even ratios. Raises ValueError for fewer than 2, or a logarithm of 0 or across 0."""
    if number < 2:
        raise ValueError(f"a range has 2 values or more, not {number}")
    if not np.isfinite([low, high]).all():
        raise ValueError(f"a range ends in finite numbers, not {low:g} and {high:g}")
    if low == high:
        raise ValueError(f"a range from {low:g} to {high:g} has one value")
    if not log:
        return np.linspace(low, high, number)
    if low * high <= 0.0:
        raise ValueError(f"a range with log has both ends on one side of 0, not {low:g} and {high:g}")
    found = np.sign(low) * np.geomspace(abs(low), abs(high), number)
    found[[0, -1]] = low, high
    return found


def axis_of(m: Model, text: str) -> Axis:
    """An axis by a text of FORM. Raises ValueError naming what is wrong."""
    what, sign, given = text.rpartition("=")
    if not sign or not what.strip() or not given.strip():
        raise ValueError(f"'{text}': write {FORM}")
    value = find_value(m, what)
    if value.count != 1:
        raise ValueError(f"{value.text} has {value.count} numbers; write one of them: {value.text}[0]")
    parts = given.split(":")
    if len(parts) == 1:
        return _checked(Axis(value, np.array([read_number(value, part) for part in given.split(",")])))
    if len(parts) not in (3, 4):
        raise ValueError(f"'{text}': write {FORM}")
    if not parts[2].strip().isdecimal():
        raise ValueError(f"{value.text}: '{parts[2]}' is no number of values")
    if len(parts) == 4 and parts[3].strip() not in ("log", "linear"):
        raise ValueError(f"{value.text}: a range is linear or log, not '{parts[3]}'")
    try:
        numbers = range_values(read_number(value, parts[0]), read_number(value, parts[1]), int(parts[2]), parts[-1].strip() == "log")
    except ValueError as why:
        raise ValueError(f"{value.text}: {why}" if not str(why).startswith(value.text) else str(why)) from None
    return _checked(Axis(value, whole_numbers(value, numbers)))


def whole_numbers(value: ModelValue, numbers: np.ndarray) -> np.ndarray:
    """Of whole numbers those nearest to the range's, each once."""
    if not value.whole:
        return numbers
    near = np.round(numbers)
    return near[np.concatenate([[True], np.diff(near) != 0])]


def _checked(axis: Axis) -> Axis:
    """Whether the value may be all these numbers, each by itself. Raises ValueError."""
    if len(np.unique(axis.numbers)) < len(axis.numbers):
        raise ValueError(f"{axis.text}: a number is there twice")
    for number in axis.numbers.tolist():
        axis.value.check(number)
    return axis


# ------------------------------------------------------------------ by the engine

@dataclass(frozen=True, slots=True, eq=False)
class SweepResult:
    """axes: those that vary, in order; values: one dimension for each, NaN where a run diverged or is not done; diverged, done: likewise, which of them. unit: of the values."""

    axes: tuple[Axis, ...]
    values: np.ndarray
    diverged: np.ndarray
    done: np.ndarray
    unit: str

    @property
    def complete(self) -> bool:
        """Whether all runs are done."""
        return bool(self.done.all())


class Sweep:
    """One sweep by the engine. `start` returns at once; progress and result may be asked for at any time, from any thread."""

    def __init__(self, m: Model, state: State, axes: Iterable[Axis], metric: str, reduction: str = "last", seconds: float = 1.0, threads: int = 0):
        """state: with which all runs begin, its controls stay as they are. metric: an expression with one number; reduction: one of REDUCTIONS; seconds: simulated, of each run;
        threads: 0: one per processor.

        Raises ValueError for what is no sweep, ExpressionError for what is no metric of the Model, ViewOnlyError where it cannot be simulated.
        """
        fixed, varying = [], []
        for axis in axes:
            (varying if axis.varies else fixed).append(axis)
        if not 1 <= len(varying) <= DIMENSIONS:
            raise ValueError(f"a sweep varies one or two values, not {len(varying)}")
        _check_apart((*fixed, *varying))
        if reduction not in REDUCTIONS:
            raise ValueError(f"there is no reduction '{reduction}'; there are: {', '.join(REDUCTIONS)}")
        shape = tuple(len(axis.numbers) for axis in varying)
        if np.prod(shape) > MOST_RUNS:
            raise ValueError(f"{np.prod(shape)} runs are more than {MOST_RUNS}")
        quantity = quantities_of(m, (metric,))[metric]
        if quantity.shape:
            raise ValueError(f"'{metric}' has {' x '.join(map(str, quantity.shape))} numbers; a metric is one number, such as one of them or norm(...)")
        self.axes, self.metric, self.reduction, self.seconds = tuple(varying), metric, reduction, seconds
        self.unit = "" if reduction == "holds" else f"{quantity.unit} s".strip() if reduction == "integral" and quantity.unit else quantity.unit
        self._values, self._diverged, self._done = np.full(shape, np.nan), np.zeros(shape, bool), np.zeros(shape, bool)
        self._lock = threading.Lock()
        still = [(axis.value, float(axis.numbers[0])) for axis in fixed]
        points = product(*(axis.numbers.tolist() for axis in varying))
        changes = [changes_of(m, [*still, *((axis.value, number) for axis, number in zip(varying, point, strict=True))]) for point in points]
        self._runs = Runs(m, state, changes, (metric,), seconds, self._finished, threads)

    def _finished(self, k: int, run: Run) -> None:
        value = np.nan if run.diverged else reduced(self.reduction, run.time, run.values[self.metric])
        with self._lock:
            self._values.flat[k], self._diverged.flat[k], self._done.flat[k] = value, run.diverged, True

    def start(self) -> None:
        """Begin in the background. Raises RuntimeError while kernels are still being compiled."""
        self._runs.start()

    def cancel(self) -> None:
        """End soon; what is done stays."""
        self._runs.cancel()

    @property
    def progress(self) -> tuple[int, int]:
        """(runs that are done, all of them)."""
        return self._runs.done, len(self._runs)

    @property
    def over(self) -> bool:
        """Whether nothing goes on any more."""
        return self._runs.over

    @property
    def error(self) -> str:
        """Why it ended early, '' where nothing went wrong."""
        return self._runs.error

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; whether it has come."""
        return self._runs.wait(timeout)

    def result(self) -> SweepResult:
        """What there is by now, copied."""
        with self._lock:
            return SweepResult(self.axes, self._values.copy(), self._diverged.copy(), self._done.copy(), self.unit)


def _check_apart(axes: Sequence[Axis]) -> None:
    """Raises ValueError where two axes set the same number."""
    seen: dict[tuple, Axis] = {}
    for axis in axes:
        for entry in axis.value.entries:
            for row in entry.rows or (-1,):
                other = seen.setdefault((entry.field, row, entry.column), axis)
                if other is not axis:
                    raise ValueError(f"{other.text} and {axis.text} set the same number")


# ------------------------------------------------------------------ by drops in the engine

class DropSweep(BackgroundJobs):
    """Restitution or settling by the standard drop of each point. As Sweep: `start` returns at once; progress and result may be asked for at any time, from any thread."""

    def __init__(self, row: Row, parameters: Parameters, ranges: Sequence[tuple[str, Sequence[float]]], what: str, speed: float, phases: int = DROP_PHASES, threads: int = 0):
        """ranges: one or two of PARAMETERS with their values, the other numbers as in parameters; what: one of PROVEN; speed: of the impacts [m/s];
        threads: 0: one per processor. Raises ValueError for what is no sweep."""
        if what not in PROVEN:
            raise ValueError(f"'{what}' is not found by drops; there are: {', '.join(PROVEN)}")
        if not 0.0 < speed < np.inf:
            raise ValueError(f"impacts at {speed:g} m/s")
        shape, points = swept_points(parameters, ranges)
        super().__init__(len(points), threads)
        self._row, self._points, self._what, self._speed, self._phases = row, points, what, speed, phases
        self._values, self._unstable, self._done = np.full(shape, np.nan), np.zeros(shape, bool), np.zeros(shape, bool)

    @property
    def progress(self) -> tuple[int, int]:
        """(points that are done, all of them)."""
        return self.done, len(self)

    def result(self) -> SweepResult:
        """What there is by now, copied; NaN, and told as diverged, where there is no such number: the contact does not come to rest."""
        with self._lock:
            return SweepResult((), self._values.copy(), self._unstable.copy(), self._done.copy(), PROVEN_UNITS[PROVEN.index(self._what)])

    def _work_off(self) -> None:
        while not self._stop.is_set() and (k := next(self._next)) < len(self):
            value = self._drop(self._points[k])
            if value is None:
                break
            with self._lock:
                self._values.flat[k], self._unstable.flat[k], self._done.flat[k] = value if np.isfinite(value) else np.nan, not np.isfinite(value), True
                self.done += 1

    def _drop(self, parameters: Parameters) -> float | None:
        """Of one point; None where it was cancelled."""
        if self._what == "settling":
            return StandardDrop(self._row, parameters).rest()[1]
        found = StandardDrop(self._row.of_impacts, parameters).restitution(self._speed, self._phases, lambda: not self._stop.is_set())
        return float(found.mean()) if not self._stop.is_set() else None


# ------------------------------------------------------------------ by the scalar simulation

@dataclass(frozen=True, slots=True, eq=False)
class ContactSweep:
    """(n) or (n, k) arrays: rest_depth [m], 0 where nothing presses, inf where no depth bears the load; restitution: mean over the phases of a time step, scatter: its standard
    deviation; settling [s] of a small load step to 2 %, inf where it does not; gains: whether an impact ends livelier than it began, or rest is unstable."""

    rest_depth: np.ndarray
    restitution: np.ndarray
    scatter: np.ndarray
    settling: np.ndarray
    gains: np.ndarray


def contact_sweep(row: Row, parameters: Parameters, ranges: Sequence[tuple[str, Sequence[float]]], speed: float, phases: int = PHASES,
                  go_on: Callable[[], bool] | None = None) -> ContactSweep | None:
    """The scalar simulation for one or two of PARAMETERS over ranges (name, values), the others as they are; speed of the impacts [m/s].

    go_on: asked before each point; None is returned where it says False. Raises ValueError for other names, more ranges, and solref of no format.
    """
    shape, points = swept_points(parameters, ranges)
    found = ContactSweep(*(np.full(shape, np.nan) for _ in range(4)), np.zeros(shape, bool))
    for place, point in zip(np.ndindex(shape), points, strict=True):
        if go_on is not None and not go_on():
            return None
        _put(found, place, row, point, speed, phases)
    return found


def swept_points(parameters: Parameters, ranges: Sequence[tuple[str, Sequence[float]]]) -> tuple[tuple[int, ...], list[Parameters]]:
    """(shape, the parameters of each point in that order) of one or two of PARAMETERS over ranges (name, values). Raises ValueError for other names, more ranges, and solref of no
    format."""
    if not 1 <= len(ranges) <= DIMENSIONS:
        raise ValueError(f"a sweep varies one or two values, not {len(ranges)}")
    names = [name for name, _values in ranges]
    for name in names:
        if name not in PARAMETERS or names.count(name) > 1:
            raise ValueError(f"'{name}' {'is there twice' if name in PARAMETERS else 'is no parameter of a contact'}; there are: {', '.join(PARAMETERS)}")
    points = []
    for numbers in product(*(values for _name, values in ranges)):
        point = parameters
        for name, number in zip(names, numbers, strict=True):
            point = with_number(point, name, number)
        if (point.solref[0] > 0.0) != (point.solref[1] > 0.0):
            raise ValueError(f"solref would be {point.solref}: either both are positive (timeconst, dampratio) or none is (-stiffness, -damping)")
        points.append(point)
    return tuple(len(values) for _name, values in ranges), points


def _put(found: ContactSweep, place: tuple[int, ...], row: Row, parameters: Parameters, speed: float, phases: int) -> None:
    rest, hit = load_step(row, parameters), impacts(row, parameters, (speed,), phases)[0]
    found.rest_depth[place], found.restitution[place], found.scatter[place], found.settling[place] = rest_depth(row, parameters), hit.mean, hit.scatter, rest.settling
    found.gains[place] = hit.energy > 1.0 + 1e-9 or rest.growth > 1.0 + 1e-9
