"""Values that were set while the model runs, written into its text: one edit, of which each number is what the running Model has.

    written = into_text(reading, m, snapshot.changed_values, id_of)      session.edit(written.edit)      written.left_out: [(label, why)]

Numbers are written so that reading gives the same bits (fields of single precision: the same single), so that nothing differs from the file any more.
"""
from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from editor.edits.patch import Edit, compose
from editor.inspect.edits import allowed_count, insert_section, made
from editor.inspect.sections import found
from editor.inspect.subject import MISSING, Reading, Subject
from editor.notation.numbers import number_of
from editor.wording import what
from physics.enums import Engine
from physics.fields.hard_options import BY_FIELD, ENGINE_TEXT, HARD_NUMBERS, HARD_OPTIONS
from physics.model.live_fields import LIVE_FIELDS, owner_of
from physics.model.state_fields import KEYFRAME
from physics.schema import schema
from physics.schema.numbers import format_float
from physics.schema.schema import AttributeSpec
from physics.spec.element import Element

__all__ = ["Written", "into_text"]

_TARGET = re.compile(r"(\w+)(?:\.([\w.]+))?(?:\[(.+)\])?\Z")
_KEY_WORDS: Mapping[str, str] = MappingProxyType({"key_time": "time", "key_qpos": "qpos", "key_qvel": "qvel", "key_act": "act", "key_ctrl": "ctrl", "key_mpos": "mpos",
                                                  "key_mquat": "mquat"})
_MACROS = frozenset({"composite", "flexcomp", "attach", "flex"})
_SECOND = frozenset({"jnt_stiffnesspoly", "dof_dampingpoly", "tendon_stiffnesspoly", "tendon_dampingpoly"})     # fields of the second and third number of an attribute
# actuator -> attribute that a number of gainprm or biasprm comes from: (field, index) -> (attribute, sign)
_SERVO = MappingProxyType({("gainprm", 0): ("kp", 1.0), ("biasprm", 1): ("kp", -1.0), ("biasprm", 2): ("kv", -1.0)})
_LAWS: Mapping[str, Mapping[tuple[str, int], tuple[str, float]]] = MappingProxyType({
    "position": _SERVO, "intvelocity": _SERVO, "orientation": _SERVO,
    "velocity": MappingProxyType({("gainprm", 0): ("kv", 1.0), ("biasprm", 2): ("kv", -1.0)}),
    "damper": MappingProxyType({("gainprm", 2): ("kv", -1.0)}), "adhesion": MappingProxyType({("gainprm", 0): ("gain", 1.0)}),
    "cylinder": MappingProxyType({("gainprm", 0): ("area", 1.0), ("biasprm", 0): ("bias", 1.0)})})


class _LeftOut(ValueError):
    """Why a value cannot be said in the text."""


@dataclass(slots=True)
class Written:
    """edit: of all that can be written; targets: the names of these; left_out: (label, why) of the others."""

    edit: Edit
    targets: tuple[str, ...] = ()
    left_out: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Pending:
    """What is to be written: {element: {attribute: text or None}}, of sections that are not there {path: {attribute: text}}, and of custom elements that are not
    there {(tag, name): data}."""

    elements: dict[int, tuple[Element, str, dict[str, str | None]]] = field(default_factory=dict)
    sections: dict[str, dict[str, str]] = field(default_factory=dict)
    customs: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, element: Element, path: str) -> dict[str, str | None]:
        """Attributes of an element, to be added to."""
        return self.elements.setdefault(element.id, (element, path, {}))[2]


def into_text(reading: Reading, m, changes: Iterable, id_of: Callable[[str, int], int | None]) -> Written:
    """The edit that has the text say what the Model has. changes: physics.runtime.changed_values.ChangedValue of each; id_of(kind, number): id of the element of the text."""
    pending, done, left_out = _Pending(), [], []
    for change in changes:
        try:
            _note(reading, m, change, id_of, pending)
            done.append(change.target)
        except _LeftOut as why:
            left_out.append((change.label, str(why)))
    label = f"Write {done[0]} into the text" if len(done) == 1 else f"Write {len(done)} values into the text"
    return Written(_edit(reading, pending, label), tuple(done), left_out)


def _edit(reading: Reading, pending: _Pending, label: str) -> Edit:
    """Attributes of what is there in one go, then sections one after the other, each in the text as it is by then."""
    edit = Edit(label, ())
    if pending.elements:
        elements, paths, values = zip(*pending.elements.values(), strict=True)
        edit = made(Subject(reading, elements, paths), label, {element.id: given for element, given in zip(elements, values, strict=True)})
    present = reading.after(edit) if edit.patches and (pending.sections or pending.customs) else reading
    for path, given in pending.sections.items():
        more = made(present.section(path), label, {MISSING: given})
        present, edit = present.after(more), compose(edit, more) if edit.patches else more
    for (tag, name), data in pending.customs.items():
        more = Edit(label, (insert_section(present, f"custom/{tag}", {"name": name, "data": data}),))
        present, edit = present.after(more), compose(edit, more) if edit.patches else more
    return edit


def _note(reading: Reading, m, change, id_of, pending: _Pending) -> None:
    """Add one value to what is to be written. Raises _LeftOut."""
    match = _TARGET.match(change.target)
    head, name, inside = match.groups() if match else ("", None, None)
    if head == "opt" and name in ("disableflags", "enableflags"):
        _setting(reading, pending, "option/flag", inside, "enable" if bool(change.value) == (name == "enableflags") else "disable")
    elif head == "opt" and name == "disableactuator":
        off = [str(group) for group in range(31) if m.opt_disableactuator >> group & 1]
        _setting(reading, pending, "option", "actuatorgroupdisable", " ".join(off) or None)
    elif head == "opt" and (name == "engine" or f"opt_{name}" in BY_FIELD):
        _engine(reading, m, name, pending)
    elif head == "opt":
        _setting(reading, pending, "option", name, _words(_word_of("option", name), change.value))
    elif head == "stat":
        _setting(reading, pending, "statistic", name, _words(_word_of("statistic", name), change.value))
    elif head == "vis":
        group, _, word = name.partition(".")
        _setting(reading, pending, f"visual/{group}", word, _words(_word_of(f"visual/{group}", word), change.value, np.float32))
    elif head == "key":
        number = next((k for k, key in enumerate(m.names["key"]) if key == inside), None)
        _key(reading, m, int(inside) if number is None else number, id_of, pending)
    elif head in LIVE_FIELDS and inside is not None:
        _field(reading, m, head, int(inside), id_of, pending)
    else:
        raise _LeftOut("the text has no word for it")


def _engine(reading: Reading, m, name: str, pending: _Pending) -> None:
    """The engine or the hard engine's options, which are custom elements."""
    if name == "engine":
        tag, named, data = "text", ENGINE_TEXT, Engine(m.opt_engine).name.lower()
    else:
        tag, named, data = "numeric", HARD_NUMBERS, " ".join(shortest(getattr(m, option.field)) for option in HARD_OPTIONS)
    there = next((one for one in reversed(list(found(reading.root, ["custom", tag]))) if one.attrs.get("name") == named), None)
    if there is None:
        pending.customs[tag, named] = data
    else:
        pending.of(there, f"custom/{tag}")["data"] = data


def _word_of(path: str, name: str) -> AttributeSpec:
    """What the language has of an attribute. Raises _LeftOut for one that it does not have."""
    spec = schema.lookup(path)
    if spec is None or name not in spec.attributes:
        raise _LeftOut(f"<{path.rpartition('/')[2]}> has no {name}")
    return spec.attributes[name]


def _setting(reading: Reading, pending: _Pending, path: str, name: str, text: str | None) -> None:
    _word_of(path, name)
    subject = reading.section(path)
    # the last of several sections that gives it is the one in force
    giving = next((one for one in reversed(list(found(reading.root, path.split("/")))) if name in one.attrs), None)
    if giving is not None:
        pending.of(giving, path)[name] = text
    elif not subject.missing:
        pending.of(subject.active, path)[name] = text
    elif text is not None:
        pending.sections.setdefault(path, {})[name] = text


def _words(spec: AttributeSpec, value, precision: type = np.float64) -> str:
    """A value as attribute text. precision: in which the Model keeps it."""
    if spec.values:
        return spec.values[int(value)]
    numbers = [value] if np.ndim(value) == 0 else list(value)
    return " ".join(str(int(number)) if spec.type == "int" else shortest(precision(number)) for number in numbers)


def shortest(value) -> str:
    """The shortest text that reads as the same number, of its own precision."""
    if isinstance(value, np.float32):
        return format_float(float(np.format_float_positional(value, unique=True, trim="-"))) if np.isfinite(value) else format_float(float(value))
    return format_float(float(value))


# ---------------------------------------------------------------- elements

def _element(reading: Reading, kind: str, number: int, id_of) -> tuple[Element, str]:
    known = id_of(kind, number)
    element = reading.version.element(known) if known is not None else None
    path = reading.path(element) if element is not None else None
    if element is not None and path is None:
        raise _LeftOut(f"it stands in {os.path.basename(element.origin.file)}, which is attached" if element.origin.file != reading.version.main else "the text has no word for it")
    if element is None or path is None:
        raise _LeftOut("its element is not in the text")
    around = reading.version.parent(element.id)
    while around is not None:
        if around.tag == "replicate":
            raise _LeftOut("it is one of several copies, which the text says once")
        around = reading.version.parent(around.id)
    if element.tag in _MACROS:
        raise _LeftOut(f"it is made from {what(element)}, which says it in other words")
    return element, path


def _field(reading: Reading, m, name: str, row: int, id_of, pending: _Pending) -> None:
    kind, number, offset = owner_of(m, name, row)
    element, path = _element(reading, kind, number, id_of)
    live = LIVE_FIELDS[name]
    values = np.ravel(np.asarray(getattr(m, name)[row]))
    if offset:
        if not np.array_equal(getattr(m, name)[row], getattr(m, name)[row - offset]):
            raise _LeftOut(f"the {'controls' if live.by == 'ctrl' else 'degrees of freedom'} of one element differ, which the text cannot say")
        return
    if live.attribute in ("gainprm", "biasprm", "dynprm") and live.attribute not in schema.lookup(path).attributes:
        _law(reading, element, path, live.attribute, values, pending)
        return
    if live.attribute not in schema.lookup(path).attributes:
        raise _LeftOut(f"<{element.tag}> has no {live.attribute}")
    spec = schema.lookup(path).attributes[live.attribute]
    numbers = [shortest(value) for value in values[:spec.counts[-1] if spec.counts is not None else None]]
    _put_words(reading, element, path, live.attribute, int(name in _SECOND), numbers, pending)


def _put_words(reading: Reading, element: Element, path: str, name: str, first: int, numbers: list[str], pending: _Pending) -> None:
    """Have an attribute say these numbers from its number `first` on; those that it says already keep their characters."""
    given = pending.of(element, path)
    own = (given[name] or "").split() if name in given else element.attrs.get(name, "").split()
    words = [source.text for source in reading.sources(element, path, name)]
    words = [*own, *words[len(own):]]
    last = len(own)
    for k, number in enumerate(numbers, first):
        words += ["0"] * (k + 1 - len(words))
        if not _same_bits(words[k], number):
            words[k] = number
            last = max(last, k + 1)
    last = allowed_count(schema.lookup(path).attributes[name], last) if last else 0
    words += ["0"] * (last - len(words))
    if words[:last] != own:
        given[name] = " ".join(words[:last])
    elif not given:
        del pending.elements[element.id]


def _same_bits(word: str, number: str) -> bool:
    try:
        return number_of(word) == number_of(number)
    except ValueError:
        return False


def _law(reading: Reading, element: Element, path: str, name: str, values: np.ndarray, pending: _Pending) -> None:
    """Gains of an actuator in the words of its shortcut."""
    law = _LAWS.get(element.tag)
    if law is None:
        raise _LeftOut(f"<{element.tag}> says it in other words")
    given = pending.of(element, path)
    for (field_name, index), (attribute, sign) in law.items():
        if field_name != name:
            continue
        number = shortest(sign * values[index] + 0.0)
        if attribute == "kv" and "dampratio" in schema.lookup(path).attributes and reading.effective(element, path, "dampratio") not in ("", "0"):
            if _same_bits(number, reading.effective(element, path, "kv") or "0") or "dampratio" not in element.attrs:
                continue
            given["dampratio"] = None
        if not _same_bits(given.get(attribute) or reading.effective(element, path, attribute) or "0", number):
            given[attribute] = number
    if not given:
        del pending.elements[element.id]


def _key(reading: Reading, m, number: int, id_of, pending: _Pending) -> None:
    """All of a keyframe that is not as the text has it."""
    element, path = _element(reading, "key", number, id_of)
    usual = {"key_qpos": m.qpos0, "key_qvel": np.zeros(m.nv), "key_act": np.zeros(m.na), "key_ctrl": np.zeros(m.nu), "key_time": np.zeros(1)}
    for one in KEYFRAME:
        name, values = _KEY_WORDS[one.key], np.ravel(getattr(m, one.key)[number])
        if not len(values) or name not in element.attrs and (one.key not in usual or np.array_equal(values, np.ravel(usual[one.key]))):
            continue
        numbers = [shortest(value) for value in values]
        own = element.attrs.get(name, "").split()
        words = [word if k < len(own) and _same_bits(word := own[k], number) else number for k, number in enumerate(numbers)]
        if words != own:
            pending.of(element, path)[name] = " ".join(words)
