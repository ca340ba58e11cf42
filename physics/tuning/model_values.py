"""Values of a Model by name, for parameter sets and sweeps: from a text to rows of fields.

    opt.impratio   opt.cone   opt.o_solref[0]           an option; words stand for numbers of engine, cone, integrator, solver, jacobian
    geom.floor.solref[0]   geom.*.friction[0]           kind.name.attribute[column]: MJCF's word or the field's; * is all elements of the kind, a number one without a name
    actuator.grip.gainprm[0]   actuator.grip.kp         kp and kv of a position or velocity servo are all the numbers that follow from them

Only what nothing else in the Model follows from may be set (physics/model/live_fields.py), and condim and priority, which are read afresh in each step.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, takewhile
from math import inf, isfinite, prod
from types import MappingProxyType

import numpy as np

from physics.enums import BIAS_AFFINE, ENBL_OVERRIDE, GAIN_FIXED, Cone, Engine, Integrator, Jacobian, Solver
from physics.model.changes.field_changes import FieldChange
from physics.model.live_fields import LIVE_FIELDS, LiveField, row_of
from physics.model.model import ALIASES, Model
from physics.name_hints import hint

__all__ = ["ModelValue", "changes_of", "find_value", "names_offered", "read_number"]

Number = float | Sequence[float]
FRESH: Mapping[str, LiveField] = MappingProxyType({
    "geom_condim": LiveField("geom", "condim", 1, 6), "geom_priority": LiveField("geom", "priority"), "pair_dim": LiveField("pair", "condim", 1, 6),
})
SETTABLE: Mapping[str, LiveField] = MappingProxyType({name: live for name, live in (*LIVE_FIELDS.items(), *FRESH.items()) if live.kind and live.kind != "key"})
WORDS = MappingProxyType({"opt_engine": Engine, "opt_cone": Cone, "opt_integrator": Integrator, "opt_solver": Solver, "opt_jacobian": Jacobian})
NOT_SET = frozenset({"opt_disableflags", "opt_enableflags", "opt_disableactuator"})
LEAST = MappingProxyType({"opt_timestep": 1e-12, "opt_impratio": 1e-12, "opt_density": 0.0, "opt_viscosity": 0.0})     # options that are no other numbers
OPTIONS, ALL = ("opt", "option"), "*"
_INDEXED = re.compile(r"(.*)\[(\d+)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a value is written: rows of a field (None: a single number), column as in a flat row (None: all of the row); factor: by which it is multiplied there."""

    field: str
    rows: tuple[int, ...] | None
    column: int | None
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class ModelValue:
    """text: as it was written. count: numbers that it has; low, high: what they may be; whole: no fractions."""

    text: str
    entries: tuple[Entry, ...]
    count: int
    low: float
    high: float
    whole: bool

    def now(self, m: Model) -> np.ndarray:
        """Its numbers in a Model, (count); of several elements those of the first."""
        entry = self.entries[0]
        array = np.atleast_1d(getattr(m, entry.field))
        row = array if entry.rows is None else np.ravel(array[entry.rows[0]])
        return np.array(row if entry.column is None else row[entry.column:entry.column + 1], float) / entry.factor

    def check(self, number: float) -> None:
        """Raises ValueError for what a number of it cannot be."""
        if not isfinite(number):
            raise ValueError(f"{self.text}: {number} is no finite number")
        if self.whole and number != int(number):
            raise ValueError(f"{self.text} is a whole number, not {number:g}")
        if not self.low <= number <= self.high:
            bounds = f"from {self.low:g} to {self.high:g}" if self.high < inf else "above 0" if 0.0 < self.low < 1e-6 else f"of {self.low:g} or more"
            raise ValueError(f"{self.text} takes numbers {bounds}, not {number:g}")


# ------------------------------------------------------------------ by name

def find_value(m: Model, text: str) -> ModelValue:
    """The value of that name. Raises ValueError with the nearest right name."""
    text = text.strip()
    indexed = _INDEXED.fullmatch(text)
    path, column = (indexed[1], int(indexed[2])) if indexed else (text, None)
    head, _, rest = path.partition(".")
    if head in OPTIONS and rest:
        return _option(m, text, rest, column)
    name, _, attribute = rest.rpartition(".")       # names of elements may hold dots
    kind = ALIASES.get(head)
    if kind is None or not name or not attribute:
        raise ValueError(f"'{text}': write opt.NAME, or KIND.NAME.ATTRIBUTE such as geom.floor.solref[0]{hint(head, (*OPTIONS, *ALIASES)) if head not in ALIASES else ''}")
    numbers = _elements(m, kind, name, text)
    if kind == "actuator" and attribute in GAINS:
        return _gain(m, text, attribute, numbers, column)
    field = _field(kind, attribute, text)
    rows = tuple(row for number in numbers for row in _rows(m, field, number))
    if not rows:
        raise ValueError(f"'{text}': {kind} {name} has no {attribute}")
    array = getattr(m, field)
    width = prod(array.shape[1:])
    live = SETTABLE[field]
    return ModelValue(text, (Entry(field, rows, _column(text, column, width)),), width if column is None else 1, live.low, live.high, array.dtype.kind in "iu")


def _option(m: Model, text: str, name: str, column: int | None) -> ModelValue:
    field, layout = f"opt_{name}", m.layout
    known = sorted(row.removeprefix("opt_") for row in layout.rows if row.startswith("opt_") and row not in NOT_SET)
    if name not in known:
        raise ValueError(f"'{text}': there is no option '{name}'{hint(name, known)}; there are: {', '.join(known)}")
    least = LEAST.get(field, -inf)
    if field in layout.scalars:
        if column is not None:
            raise ValueError(f"'{text}': {name} is a single number")
        whole = layout.scalars[field][1] != "f"
        return ModelValue(text, (Entry(field, None, None),), 1, max(least, 0.0) if whole else least, inf, whole)
    width = getattr(m, field).size
    return ModelValue(text, (Entry(field, None, _column(text, column, width)),), width if column is None else 1, least, inf, False)


def _elements(m: Model, kind: str, name: str, text: str) -> tuple[int, ...]:
    names = m.names[kind]
    if name == ALL:
        if not names:
            raise ValueError(f"'{text}': the model has no {kind}")
        return tuple(range(len(names)))
    if name in names:
        return (names.index(name),)
    if name.isdecimal() and int(name) < len(names):
        return (int(name),)
    raise ValueError(f"'{text}': there is no {kind} '{name}'{hint(name, [other for other in names if other])}")


def _field(kind: str, attribute: str, text: str) -> str:
    """The field of a kind by its own word, else by MJCF's."""
    of_kind = [name for name, live in SETTABLE.items() if live.kind == kind]
    for name in of_kind:
        if name.partition("_")[2] == attribute:
            return name
    for name in of_kind:
        if SETTABLE[name].attribute == attribute:
            return name
    words = sorted({word for name in of_kind for word in (SETTABLE[name].attribute, name.partition("_")[2])} | (set(GAINS) if kind == "actuator" else set()))
    offered = f"there are: {', '.join(words)}" if words else "nothing of its kind can be"
    raise ValueError(f"'{text}': {attribute} of a {kind} cannot be set while the model is as it is{hint(attribute, words)}; {offered}")


def _rows(m: Model, field: str, number: int) -> list[int]:
    if not SETTABLE[field].by:
        return [number]
    return list(takewhile(lambda row: row is not None, (row_of(m, field, number, offset) for offset in count())))


def _column(text: str, column: int | None, width: int) -> int | None:
    if column is not None and column >= width:
        raise ValueError(f"'{text}': it has {width} number{'s' * (width != 1)}, from 0 on")
    return column


# numbers of a servo that follow from a gain: (attribute, field, column, factor)
GAINS = MappingProxyType({
    "kp": (("actuator_gainprm", 0, 1.0), ("actuator_biasprm", 1, -1.0)),
    "kv": (("actuator_biasprm", 2, -1.0),),
})


def _gain(m: Model, text: str, attribute: str, numbers: tuple[int, ...], column: int | None) -> ModelValue:
    """kp and kv of a position servo, kv of a velocity servo, whose gain it is too. Raises ValueError for what is none."""
    if column is not None:
        raise ValueError(f"'{text}': {attribute} is a single number")
    velocity = {_is_velocity_servo(m, number, attribute, text) for number in numbers}
    if len(velocity) > 1:
        raise ValueError(f"'{text}': some of these are position servos and some are velocity servos")
    own = ((("actuator_gainprm", 0, 1.0),) if velocity == {True} else ())
    return ModelValue(text, tuple(Entry(field, numbers, at, factor) for field, at, factor in (*GAINS[attribute], *own)), 1, 0.0, inf, False)


def _is_velocity_servo(m: Model, number: int, attribute: str, text: str) -> bool:
    gain, bias = float(m.actuator_gainprm[number, 0]), m.actuator_biasprm[number, :3].tolist()
    affine = m.actuator_gaintype[number] == GAIN_FIXED and m.actuator_biastype[number] == BIAS_AFFINE
    velocity = affine and bias[1] == 0.0 and bias[2] == -gain
    if affine and bias[1] == -gain or velocity and attribute == "kv":
        return velocity and bias[1] != -gain
    name = m.names["actuator"][number] or number
    raise ValueError(f"'{text}': actuator {name} is no {'position' if attribute == 'kp' else 'position or velocity'} servo; its numbers are gainprm and biasprm")


def names_offered(m: Model) -> tuple[str, ...]:
    """Beginnings of the names that `find_value` knows, for completion."""
    options = (f"opt.{row.removeprefix('opt_')}" for row in m.layout.rows if row.startswith("opt_") and row not in NOT_SET)
    elements = (f"{live.kind}.{name}.{live.attribute}" for live in SETTABLE.values() for name in m.names[live.kind] if name)
    return tuple(dict.fromkeys((*options, *elements)))


def read_number(value: ModelValue, text: str) -> float:
    """A number for a value, or a word of the format for one that has words. Raises ValueError."""
    words = {member.name.lower(): int(member) for member in WORDS.get(value.entries[0].field, ())}
    word = text.strip()
    if word.lower() in words:
        return float(words[word.lower()])
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"{value.text}: '{word}' is no number{hint(word.lower(), words)}{'; words: ' + ', '.join(words) if words else ''}") from None


# ------------------------------------------------------------------ as rows

def changes_of(m: Model, values: Iterable[tuple[ModelValue, Number]]) -> tuple[FieldChange, ...]:
    """Rows of fields that give a Model these values; rows keep their other numbers. opt.o_... also turns the override on, without which it does nothing.

    Raises ValueError for numbers that a value cannot be, and for solref with one positive number and one that is not, which is neither format.
    """
    single: dict[str, float | int] = {}
    arrays: dict[str, np.ndarray] = {}
    touched: dict[str, set[int]] = {}
    for value, given in values:
        numbers = _checked(value, given)
        for entry in value.entries:
            if entry.field in m.layout.scalars:
                single[entry.field] = int(numbers[0]) if value.whole else float(numbers[0])
                continue
            array = arrays.setdefault(entry.field, np.array(getattr(m, entry.field)))
            rows = (0,) if entry.rows is None else entry.rows
            flat = array.reshape(1 if entry.rows is None else len(array), -1)
            flat[list(rows), slice(None) if entry.column is None else entry.column] = numbers * entry.factor if entry.column is None else numbers[0] * entry.factor
            touched.setdefault(entry.field, set()).update(range(array.size) if entry.rows is None else rows)
    if any(name.startswith("opt_o_") for name in (*single, *arrays)) and not m.opt_enableflags & ENBL_OVERRIDE:
        single["opt_enableflags"] = int(m.opt_enableflags) | int(ENBL_OVERRIDE)
    found = [FieldChange(name, None, number) for name, number in single.items()]
    for name, array in arrays.items():
        rows = np.array(sorted(touched[name]))
        _check_solref(m, name, array, rows)
        found.append(FieldChange(name, rows, array[rows]))
    return tuple(found)


def _checked(value: ModelValue, given: Number) -> np.ndarray:
    """Its numbers, (count)."""
    numbers = np.atleast_1d(np.asarray(given, float))
    if numbers.shape != (value.count,):
        more = f"; write {value.text}[0] for one of them" if numbers.size == 1 else ""
        raise ValueError(f"{value.text} has {value.count} number{'s' * (value.count != 1)}, {numbers.size} {'is' if numbers.size == 1 else 'are'} given{more}")
    for number in numbers.tolist():
        value.check(number)
    return numbers


def _check_solref(m: Model, name: str, array: np.ndarray, rows: np.ndarray) -> None:
    """The engine takes its default in place of a solref of no format: a value that is set so would do nothing."""
    if "solref" not in name:
        return
    pairs = array.reshape(1, 2) if array.ndim == 1 else array[rows]
    mixed = np.flatnonzero((pairs[:, 0] > 0.0) != (pairs[:, 1] > 0.0))
    if len(mixed):
        live = SETTABLE.get(name)
        of = name if live is None or live.by else f"{live.kind} {m.names[live.kind][rows[mixed[0]]] or rows[mixed[0]]}"
        one, two = pairs[mixed[0]].tolist()
        raise ValueError(f"solref of {of} would be ({one:g}, {two:g}): either both are positive (timeconst, dampratio) or none is (-stiffness, -damping); set the other number too")
