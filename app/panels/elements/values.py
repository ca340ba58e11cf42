"""What there is to know of an element: its compiled values, its state at a moment, and what it refers to. No Qt.

    model_values(m, what)            rows of Model's fields of that element
    live_values(m, what)             what is asked about first, from a Snapshot
    data_values(m, what)             rows of all of Data's fields of that element; those that a Snapshot has not are watched
"""
from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from app.panels.elements.live_values import FIELDS, SnapshotFields, Value
from physics import enums
from physics.fields.layout import LAYOUTS
from physics.model.element_views import ElementView, view_fields
from physics.model.elements import CONTACT, Element
from physics.model.index_fields import INDEX_RULES
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

MOST = 12           # numbers of a field that are shown
DIGITS = 5          # of real ones; all that count are in the exact value
NOTHING = 1e-12     # is shown as 0
STEADY_DIGITS, MOST_DECIMALS, NOISE = 4, 6, 1e-6   # of values that change all the time
_ENUM = re.compile(r"^an? ([A-Z]\w+)")
_INTERNAL = re.compile(r"(^|_)(adr|num|sameframe|simple|simplenum|rownnz|rowrun|rowadr|Madr|diag|bvh\w*|dof_bodyid|jntid)$|adr$|num$|^made_|awake_ind$")
_LINKED = ("index", "bound", "derived", "run")     # rules of numbers that say which other element, or where something lies


@dataclass(frozen=True, slots=True)
class Field:
    """One value: the short name, the official one, unit and meaning, the value in words, and with all digits and numbers."""

    name: str
    official: str
    unit: str
    doc: str
    text: str
    exact: str = ""


def in_words(value, doc: str = "", kind: str = "", most: int = MOST, digits: int = DIGITS) -> str:
    """A value of a field: numbers short, flags as yes and no, members of an enumeration by name."""
    array = np.ravel(np.asarray(value))
    found = _ENUM.match(doc)
    names = getattr(enums, found[1], None) if found else None
    if names is not None and array.size == 1 and int(array[0]) in [int(member) for member in names]:
        return names(int(array[0])).name.lower()
    if kind == "b1" or array.dtype == bool:
        words = ["yes" if x else "no" for x in array[:most]]
    else:
        words = [f"{0 if abs(x) <= NOTHING and digits <= DIGITS else x:.{digits}g}" if array.dtype.kind == "f" else str(x) for x in array[:most].tolist()]
    return " ".join(words) + (f" ... ({array.size})" if array.size > most else "")


def steady(value, most: int = MOST) -> str:
    """A value that changes all the time: real numbers with as many decimals as suit the largest of them, so that the text keeps its width."""
    array = np.ravel(np.asarray(value))
    if array.dtype.kind != "f" or not array.size or array.size > most or not np.isfinite(array).all():
        return in_words(value, most=most)
    largest = float(np.abs(array).max())
    if largest < NOISE:
        return in_words(np.zeros(array.size, int))
    decimals = int(min(max(STEADY_DIGITS - 1 - np.floor(np.log10(largest)), 0), MOST_DECIMALS))
    return " ".join(f"{x:.{decimals}f}" for x in array.tolist()) if largest < 10 ** DIGITS else in_words(value)


def _field(m: Model, what: Element, name: str, official: str, value) -> Field:
    row = (m.layout if official in m.layout.rows else LAYOUTS["d"]).rows[official]
    words, exact = in_words(value, row.doc, row.kind), in_words(value, row.doc, row.kind, most=10**6, digits=17)
    return Field(name, official, unit_of(m, what, "" if row.unit == "*" else row.unit), row.doc, words, exact)


def live_field(m: Model, what: Element, value: Value, read) -> Field:
    """What a live value is at a moment, as `value.read` has read it."""
    return Field(value.name, value.name, unit_of(m, what, value.unit), value.doc, steady(read), in_words(read, most=10**6, digits=17))


def unit_of(m: Model, what: Element, unit: str) -> str:
    """Unit of a value of an element: of 'm, rad' that which is right for a joint of its type."""
    parts = unit.split(", ")
    if what.kind != "joint" or len(parts) != 2:
        return unit
    kind = m.jnt_type[what.id]
    return unit if kind == enums.JointType.FREE else parts[int(kind != enums.JointType.SLIDE)]


def model_values(m: Model, what: Element, internal: bool = False) -> list[Field]:
    """Compiled values of an element; internal: where its data lie and what was derived for the engine, in place of what its author gave."""
    if what.kind == CONTACT:
        return []
    view, out = ElementView(m, m, what.kind, what.id), []
    for name, official in view_fields(view).items():
        rule = INDEX_RULES.get(official)
        inside = bool(_INTERNAL.search(name)) or rule is not None and rule.rule in _LINKED
        value = np.asarray(getattr(view, name))
        if inside == internal and value.size:
            out.append(_field(m, what, name, official, value))
    return out


def data_fields(m: Model, what: Element) -> dict[str, str]:
    """{short name: official name} of the fields of Data that an element has a part of."""
    if what.kind == CONTACT:
        return {name.removeprefix("contact_"): name for name in LAYOUTS["d"].public if name.startswith("contact_")}
    return view_fields(ElementView(SnapshotFields(None), m, what.kind, what.id))


def watched_fields(m: Model, what: Element, snapshot: Snapshot) -> tuple[str, ...]:
    """Official names of the fields of Data that an element has a part of and a Snapshot has not."""
    return tuple(official for official in data_fields(m, what).values() if getattr(snapshot, official, None) is None)


def data_values(m: Model, what: Element, snapshot: Snapshot, number: int | None = None) -> list[Field]:
    """All of Data's values of an element at a moment; '' for what is not watched yet. number: that a contact has now."""
    out, fields = [], SnapshotFields(snapshot)
    view = None if what.kind == CONTACT else ElementView(fields, m, what.kind, what.id)
    for name, official in data_fields(m, what).items():
        array = np.asarray(getattr(fields, official))
        there = len(array) > 0 and (view is not None or number is not None and 0 <= number < len(array))
        value = (getattr(view, name) if view is not None else array[number]) if there else np.zeros(0)
        out.append(_field(m, what, name, official, value))
    return out


def live_values(what: Element) -> tuple[Value, ...]:
    """What is asked about first of an element of this kind."""
    return FIELDS.get(what.kind, ())


def shared_fields(m: Model, elements: tuple[Element, ...]) -> list[Field]:
    """Compiled values of several elements of one kind: the value where they agree, else from the least to the greatest; [] for several kinds."""
    if len({what.kind for what in elements}) != 1 or elements[0].kind == CONTACT:
        return []
    first, kind = model_values(m, elements[0]), elements[0].kind
    ids = [what.id for what in elements]
    out = []
    for field in first:
        array = np.asarray(getattr(m, field.official))
        if len(array) != len(m.names[kind]):
            continue
        rows = array[ids]
        if (rows == rows[0]).all():
            out.append(field)
        elif rows.dtype.kind == "f" and rows.ndim == 1:
            out.append(Field(field.name, field.official, field.unit, field.doc, f"{rows.min():.5g} ... {rows.max():.5g}"))
        else:
            out.append(Field(field.name, field.official, "", field.doc, "differ"))
    return out
