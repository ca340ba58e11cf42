"""The one Edit that has the texts say values of the Model by name, as sweeps vary them: attributes of elements, options, gains of servos.

    value_edit(reading, m, ((value, number), ...)) -> Edit          values: physics.tuning.model_values.find_value

Only numbers that the text says in the Model's own units are written: a text that says them otherwise (an angle in degrees, a shortcut's own word) is refused in words.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from editor.edits.patch import Edit, compose
from editor.inspect.edits import allowed_count, made, set_texts
from editor.inspect.subject import MISSING, Reading, Subject
from editor.notation.numbers import number_of, numbers_text
from editor.tuning.edits import MACROS
from editor.wording import what
from physics.enums import ENBL_OVERRIDE
from physics.model.elements import element
from physics.schema import schema
from physics.tuning.model_values import GAINS, SETTABLE, WORDS, Entry, ModelValue

__all__ = ["value_edit"]

CLOSE = 1e-6        # relative: a number of the text that says what the Model has
OVERRIDES = "opt_o_"


def value_edit(reading: Reading, m, values: Iterable[tuple[ModelValue, float]]) -> Edit:
    """Raises ValueError, with the reason, where a text cannot say one of them: it is not in the text, is one of several copies of one element, or is said in other words."""
    values = tuple(values)
    options: dict[str, str] = {}
    elements: dict[int, dict[str, dict[int, float]]] = {}       # element -> attribute -> column -> number
    for value, number in values:
        value.check(number)
        for entry in value.entries:
            if entry.field.startswith("opt_"):
                options |= _option(m, reading, entry, number, options)
            else:
                _gather(reading, m, value, entry, number, elements)
    edit = Edit("", tuple(patch for number, attributes in elements.items() for patch in _of_element(reading, m, number, attributes, values)))
    # the option block after them: it may have to be made
    present = reading.after(edit) if edit.patches and options else reading
    for path, texts in _option_blocks(m, options).items():
        subject = present.section(path)
        more = made(subject, "", {MISSING: texts}) if subject.missing else set_texts(subject, texts)
        if more.patches:
            present, edit = present.after(more), compose(edit, more) if edit.patches else more
    return Edit(", ".join(value.text for value, _number in values), edit.patches)


# ------------------------------------------------------------------ options

def _option(m, reading: Reading, entry: Entry, number: float, given: Mapping[str, str]) -> dict[str, str]:
    """{attribute: text} of the option block."""
    name = entry.field.removeprefix("opt_")
    spec = schema.lookup("option").attributes.get(name)
    if spec is None:
        raise ValueError(f"the option block of a text has no {name}")
    words = WORDS.get(entry.field)
    if words is not None:
        member = words(int(number)).name.lower()
        return {name: next(word for word in spec.values if word.lower() == member)}
    if entry.column is None:
        return {name: numbers_text((number,), _said(reading, name))}
    numbers = list(map(number_of, given[name].split())) if name in given else np.ravel(getattr(m, entry.field)).tolist()
    numbers[entry.column] = number
    return {name: numbers_text(tuple(numbers), _said(reading, name))}


def _said(reading: Reading, name: str) -> str:
    subject = reading.section("option")
    return subject.active.attrs.get(name, "")


def _option_blocks(m, options: Mapping[str, str]) -> Mapping[str, dict[str, str]]:
    """{section: its texts}; the override's numbers do nothing without the flag."""
    if not options:
        return {}
    flag = any(f"opt_{name}".startswith(OVERRIDES) for name in options) and not m.opt_enableflags & ENBL_OVERRIDE
    return {"option": dict(options), **({"option/flag": {"override": "enable"}} if flag else {})}


# ------------------------------------------------------------------ elements

def _gather(reading: Reading, m, value: ModelValue, entry: Entry, number: float, elements: dict) -> None:
    """Sort one entry by the elements that say it."""
    live = SETTABLE[entry.field]
    items = dict.fromkeys((live.kind, _owner(m, live.by, row)) for row in entry.rows)
    for item in items:
        source = m.links.source(*item)
        subject = reading.subject((source.element,)) if source is not None else None
        if subject is None:
            raise ValueError(f"{element(m, *item)} is not in the text")
        if subject.active.tag in MACROS:
            raise ValueError(f"{element(m, *item)} is made from {what(subject.active)}, which says it in other words: expand that first")
        others = [other for other in m.links.items(source.element) if other[0] == item[0] and other not in items]
        if others:
            raise ValueError(f"{element(m, *item)} is one of {len(others) + 1} copies, which the text says once: it cannot have a value of its own there")
        attribute, column, given = _word(subject, value, entry, number)
        elements.setdefault(source.element, {}).setdefault(attribute, {})[column] = given


def _owner(m, by: str, row: int) -> int:
    """Number of the element that a row belongs to."""
    if by == "dof":
        return int(m.dof_jntid[row])
    return int(np.searchsorted(m.actuator_ctrladr, row, side="right")) - 1 if by == "ctrl" else row


def _word(subject: Subject, value: ModelValue, entry: Entry, number: float) -> tuple[str, int, float]:
    """(attribute, which of its numbers, the number) by which an element says it: a servo by its own word, where it has that."""
    gain = value.text.rpartition(".")[2]
    if gain in GAINS and subject.active.tag != "general":
        if gain not in subject.spec.attributes:
            raise ValueError(f"{what(subject.active)} has no {gain}")
        return gain, 0, number
    attribute = SETTABLE[entry.field].attribute
    if attribute not in subject.spec.attributes:
        raise ValueError(f"{what(subject.active)} has no {attribute}: it says it in other words")
    return attribute, entry.column or 0, number * entry.factor


def _of_element(reading: Reading, m, number: int, attributes: Mapping[str, Mapping[int, float]], values) -> tuple:
    subject = reading.subject((number,))
    texts = {}
    for name, columns in attributes.items():
        words = reading.effective(subject.active, subject.paths[-1], name).split()
        now = _now(m, number, name)
        if now is not None and not _agrees(words, now):
            raise ValueError(f"{what(subject.active)} says {name} in other units or words: change it there")
        for column, given in columns.items():
            while len(words) <= column:
                words.append(numbers_text((float(now[len(words)]) if now is not None else 0.0,), ""))
            words[column] = numbers_text((given,), words[column])
        spec = subject.spec.attributes[name]
        if isinstance(spec.counts, range) and not spec.scalar and not spec.repeat:      # what a shorter list leaves to the class or the language stays so
            del words[max(max(columns) + 1, len(subject.active.attrs.get(name, "").split())):]
        words += [numbers_text((float(now[k]) if now is not None else 0.0,), "") for k in range(len(words), allowed_count(spec, len(words)))]
        texts[name] = " ".join(words)
    return set_texts(subject, texts).patches


def _now(m, number: int, name: str) -> np.ndarray | None:
    """The Model's numbers of an attribute of the first thing that an element stands for; None for a servo's gain, which has no field of its own."""
    for kind, item in m.links.items(number):
        for field, live in SETTABLE.items():
            if live.kind == kind and live.attribute == name and not field.endswith("poly"):
                row = item if not live.by else int((m.jnt_dofadr if live.by == "dof" else m.actuator_ctrladr)[item])
                return np.atleast_1d(np.ravel(getattr(m, field)[row])).astype(float)
    return None


def _agrees(words: list[str], now: np.ndarray) -> bool:
    count = min(len(words), len(now))
    return np.allclose([number_of(word) for word in words[:count]], now[:count], rtol=CLOSE, atol=1e-12)
