"""From what the panel's fields say to a sweep: by the scalar simulation, by the engine, or both; and what is known of it as a table. No Qt.

    Choice, Choice --plan_of--> Plan --scalar_of--> ContactSweep (at once)
                                     --engine_of--> Sweep, --drops_of--> DropSweep (in the background)      Plan, values --csv_text--> text
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.panels.tuner.prediction import usual_row
from app.panels.tuner.tuned import TunedRow
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State
from physics.tuning.law import Parameters
from physics.tuning.model_values import ModelValue, find_value
from physics.tuning.sweep import Axis, ContactSweep, DropSweep, Sweep, contact_sweep, range_values, whole_numbers
from physics.tuning.target_values import PARAMETERS, number_of, values_of, with_number

PHASES = 12             # of a time step: impacts of each point
MOST_POINTS = 10_000
NOTHING_TUNED = "the tuner is about nothing: show it, and select a contact, geom, pair, joint, tendon or equality"
DIGITS = 6              # that numbers of a range are rounded to


@dataclass(frozen=True, slots=True)
class Choice:
    """What one line of the panel says. what: a number of the tuner ('solref[0]'), or a value of the model by name."""

    what: str
    low: float
    high: float
    count: int
    log: bool

    @property
    def tuned(self) -> bool:
        """Whether it is one of the tuner's numbers."""
        return self.what in PARAMETERS


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """choices: one or two; numbers: of each, ascending as they were given. now: what the tuner was about, where numbers of it are varied, else None."""

    choices: tuple[Choice, ...]
    numbers: tuple[np.ndarray, ...]
    now: TunedRow | None

    @property
    def shape(self) -> tuple[int, ...]:
        """Points along each."""
        return tuple(len(numbers) for numbers in self.numbers)

    @property
    def tuned(self) -> bool:
        """Whether the tuner's numbers are varied."""
        return self.now is not None

    def point(self, place: Sequence[int]) -> tuple[tuple[str, float], ...]:
        """(name, number) of each choice at a point."""
        return tuple((choice.what, float(numbers[k])) for choice, numbers, k in zip(self.choices, self.numbers, place, strict=True))

    def holds_for(self, now: TunedRow, runs: bool = False) -> bool:
        """Whether what was found holds for what the tuner is about by now: it differs in nothing but the numbers that vary. runs: found by runs of the engine, whose row does not
        matter."""
        mine = self.now
        found = now.parameters
        for choice in self.choices:
            found = with_number(found, choice.what, number_of(mine.parameters, choice.what))
        same_row = runs or (now.row, now.speed) == (mine.row, mine.speed)
        return same_row and (now.target, now.both_ways, found) == (mine.target, mine.both_ways, mine.parameters)

    def parameters(self, place: Sequence[int]) -> Parameters:
        """Of the tuner, at a point."""
        found = self.now.parameters
        for name, number in self.point(place):
            found = with_number(found, name, number)
        return found


def plan_of(m: Model, choices: Sequence[Choice], now: TunedRow | None) -> Plan:
    """Raises ValueError naming what is wrong."""
    if not choices:
        raise ValueError("say what is to vary, such as solref[0] or geom.floor.friction[0]")
    if len(choices) > 1 and choices[0].what == choices[1].what:
        raise ValueError(f"{choices[0].what} is there twice")
    tuned = {choice.tuned for choice in choices}
    if len(tuned) > 1:
        raise ValueError("numbers of the tuner and values of the model are not varied together: write what the tuner is about by its name, such as geom.floor.solref[0]")
    if tuned == {True} and now is None:
        raise ValueError(NOTHING_TUNED)
    numbers = tuple(_numbers(m, choice) for choice in choices)
    if np.prod([len(one) for one in numbers]) > MOST_POINTS:
        raise ValueError(f"more than {MOST_POINTS} points")
    return Plan(tuple(choices), numbers, now if tuned == {True} else None)


def _numbers(m: Model, choice: Choice) -> np.ndarray:
    value = value_of(m, choice.what) if not choice.tuned else None
    try:
        found = range_values(choice.low, choice.high, choice.count, choice.log)
    except ValueError as why:
        raise ValueError(f"{choice.what}: {why}") from None
    found = np.unique([float(f"{number:.{DIGITS}g}") for number in found.tolist()])     # what is picked is written as it was tried
    found = found if choice.low <= choice.high else found[::-1]
    if value is None:
        return found
    found = whole_numbers(value, found)
    for number in found.tolist():
        value.check(number)
    return found


def value_of(m: Model, what: str) -> ModelValue:
    """A value with one number. Raises ValueError."""
    value = find_value(m, what)
    if value.count != 1:
        raise ValueError(f"{what} has {value.count} numbers; write one of them: {what}[0]")
    return value


def number_now(m: Model, what: str, now: TunedRow | None) -> float:
    """What it is at present. Raises ValueError for what there is not."""
    if what in PARAMETERS:
        if now is None:
            raise ValueError(NOTHING_TUNED)
        return number_of(now.parameters, what)
    return float(value_of(m, what).now(m)[0])


# ------------------------------------------------------------------ doing it

def scalar_of(plan: Plan, stop: Callable[[], bool]) -> ContactSweep | None:
    """By simulating the one coordinate of the tuner's row; None where stop() says that nobody wants it. Raises ValueError where points have no format."""
    now = plan.now
    ranges = [(choice.what, numbers.tolist()) for choice, numbers in zip(plan.choices, plan.numbers, strict=True)]
    return contact_sweep(usual_row(now.row, now.both_ways), now.parameters, ranges, now.speed, PHASES, lambda: not stop())


def engine_of(m: Model, state: State | None, plan: Plan, metric: str, reduction: str, seconds: float) -> Sweep:
    """By runs of the engine, from a state, None: the model's start state. Raises ValueError, ExpressionError, ViewOnlyError."""
    axes: list[Axis] = []
    if plan.now is not None:
        varied = {choice.what: numbers for choice, numbers in zip(plan.choices, plan.numbers, strict=True)}
        values = values_of(m, plan.now.target)
        fixed = [name for name in PARAMETERS if name not in varied]
        axes = [Axis(values[name], numbers) for name, numbers in varied.items()] + [Axis(values[name], np.array([number_of(plan.now.parameters, name)])) for name in fixed]
    else:
        axes = [Axis(value_of(m, choice.what), numbers) for choice, numbers in zip(plan.choices, plan.numbers, strict=True)]
    return Sweep(m, State.of(Data(m)) if state is None else state, axes, metric, reduction, seconds)


def drops_of(plan: Plan, what: str) -> DropSweep:
    """By drops of the tuner's row alone in the engine: what of a contact no run of the scene tells. Raises ValueError where points have no format."""
    now = plan.now
    ranges = [(choice.what, numbers.tolist()) for choice, numbers in zip(plan.choices, plan.numbers, strict=True)]
    return DropSweep(usual_row(now.row, now.both_ways), now.parameters, ranges, what, now.speed, PHASES)


# ------------------------------------------------------------------ as text

def csv_text(plan: Plan, columns: Sequence[tuple[str, np.ndarray]]) -> str:
    """One line for each point: the numbers that vary, then each column (title, values of the plan's shape); nothing where a value is missing."""
    heads = [*(choice.what for choice in plan.choices), *(title for title, _values in columns)]
    lines = [",".join(f'"{head}"' if any(sign in head for sign in ',"') else head for head in (head.replace('"', '""') for head in heads))]
    for place in np.ndindex(plan.shape):
        found = [*(number for _name, number in plan.point(place)), *(float(values[place]) for _title, values in columns)]
        lines.append(",".join("" if np.isnan(number) else f"{number:.12g}" for number in found))
    return "\n".join(lines) + "\n"
