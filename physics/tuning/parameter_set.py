"""Parameter sets: what several Models beside one another differ by, and what the same State becomes with each.

    values by name, or another Model (of before an edit) --> rows of fields --> Model beside | companion of a run | run in the background

Up to four companions begin at one moment of the primary, so that what they show differs for the sake of their parameters alone.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.model.changes.field_changes import FieldChange, differences, image_of, names_of, visual_changes, writable
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import State
from physics.runtime.commands import SetField, SetFields, SetOption
from physics.runtime.companions.companions import MOST, Companions
from physics.runtime.companions.live import LiveCompanion
from physics.tuning.model_values import NOT_SET, Number, changes_of, find_value, read_number
from physics.tuning.runs import Run, Runs, written

__all__ = ["MOST", "Comparison", "ParameterSet", "compare", "contact_texts", "difference", "parameter_set", "start_companions", "window_commands"]


@dataclass(frozen=True, slots=True, eq=False)
class ParameterSet:
    """label: what a person calls it; colour: number of its colour, from 0; changes: rows of fields that make it, () for the Model as it is."""

    label: str
    colour: int
    changes: tuple[FieldChange, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields of the Model that it sets."""
        return names_of(self.changes)

    def beside(self, m: Model) -> Model:
        """A Model of its own with these values. Raises ValueError in words where the engine cannot take them."""
        made = model_beside(m)
        written(made, self.changes)
        return made

    def commands(self) -> tuple[SetFields, ...]:
        """What makes a companion differ by it."""
        return (SetFields(tuple(self.changes), label=self.label),) if self.changes else ()


def parameter_set(m: Model, label: str, values: Mapping[str, Number | str], colour: int = 0) -> ParameterSet:
    """The set of values by name (model_values.py); words of the format stand for numbers. Raises ValueError."""
    pairs = []
    for text, given in values.items():
        value = find_value(m, text)
        pairs.append((value, read_number(value, given) if isinstance(given, str) else given))
    return ParameterSet(label, colour, changes_of(m, pairs))


def difference(m: Model, other: Model, label: str, colour: int = 0) -> ParameterSet:
    """What another Model differs by, as that of before the last edit: pictures left aside. Raises ValueError where it has other elements, or differs in what a Model that runs
    cannot be given."""
    image = image_of(m)
    found = differences(image, other)
    if found is None or dict(m.names) != dict(other.names):
        raise ValueError("the two models have not the same elements")
    looks = set(names_of(visual_changes(image, other.vis)))
    changes = tuple(change for change in found if change.name not in looks)
    fixed = [change.name for change in changes if not writable((change,))]
    if fixed:
        raise ValueError(f"the two models differ in their structure: {', '.join(fixed)}")
    return ParameterSet(label, colour, changes)


def window_commands(changes: Iterable[FieldChange]) -> tuple[tuple[SetOption | SetField, ...], tuple[str, ...]]:
    """(commands that set these values in a running model as if a person had, fields that only the text can give it)."""
    found, left = [], []
    for name, rows, values in changes:
        if name.startswith("opt_") and name not in NOT_SET:
            found.append(SetOption(name.removeprefix("opt_"), values if rows is None else tuple(np.ravel(values).tolist())))
        elif name in LIVE_FIELDS and rows is not None:
            found += [SetField(name, np.array(value), int(row)) for row, value in zip(rows, values, strict=True)]
        elif name == "opt_enableflags":
            found.append(SetOption("enableflags", values))
        else:
            left.append(name)
    return tuple(found), tuple(dict.fromkeys(left))


def start_companions(companions: Companions, sets: Sequence[ParameterSet]) -> tuple[LiveCompanion, ...]:
    """One companion for each set, from one moment of the primary. Raises ValueError where there is not room for all of them; then none begins."""
    return companions.start_together([one.commands() for one in sets])


# ------------------------------------------------------------------ side by side

@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """A run for each set, from the same State."""

    sets: tuple[ParameterSet, ...]
    runs: tuple[Run, ...]

    def curves(self, text: str) -> Mapping[str, tuple]:
        """{label: (time (n) [s], values (n, *shape))} of an expression: what is drawn on common axes. Time steps may differ."""
        return MappingProxyType({one.label: (run.time, run.values[text]) for one, run in zip(self.sets, self.runs, strict=True)})


def compare(m: Model, state: State, sets: Sequence[ParameterSet], texts: Sequence[str], seconds: float, threads: int = 0) -> Comparison:
    """Run each set from a State and take expressions at every step. Waits for it: use Runs to go on meanwhile. Raises ValueError, ExpressionError, ViewOnlyError."""
    if len({one.label for one in sets}) < len(sets):
        raise ValueError("two parameter sets have the same label")
    found: dict[int, Run] = {}
    runs = Runs(m, state, [one.changes for one in sets], texts, seconds, found.__setitem__, threads)
    if sets:
        runs.start()
        try:
            runs.wait()
        finally:
            runs.cancel()
    if runs.error:
        raise ValueError(runs.error)
    return Comparison(tuple(sets), tuple(found[k] for k in range(len(sets))))


def contact_texts(geoms: Iterable[int]) -> Mapping[str, str]:
    """Expressions of what a contact between two geoms is compared by: depth [m] (NaN apart), force [N] along the normal, energy [J] of the whole model."""
    one, two = geoms
    pair = f"contact(geom({one}), geom({two}))"
    return MappingProxyType({"depth": f"-{pair}.dist", "force": f"{pair}.normal", "energy": "energy[0] + energy[1]"})
