"""The one Edit that gives servos other values: gains in the words that the file has for them, in the element, its default class or one around it.

    writes = servo_write(reading, m, i, before, after, mass0)      servo_places(reading, m, write) -> Places      servo_edit(reading, m, writes, place) -> Edit

    position, intvelocity, pid   kp with kv, or kp with dampratio where the file has that      velocity   kv      general and others   gainprm, biasprm

armature and damping belong to the joint and are always written there.

Source: MuJoCo documentation, XML reference, actuator/general, actuator/position (kp, kv, dampratio), joint.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite
from types import MappingProxyType

from editor.edits.attribute_patches import patches_of
from editor.edits.patch import Edit
from editor.edits.version import Version
from editor.inspect.class_edits import class_choices, class_patches, effects
from editor.inspect.edits import reset, set_texts
from editor.inspect.subject import Reading, Subject
from editor.notation.numbers import number_of, same_words
from editor.structure.draft import Draft
from editor.tuning.edits import MACROS
from editor.tuning.place import Kind, Place, words
from editor.tuning.places import element_places, names_of
from editor.wording import what
from physics.model.elements import element
from physics.model.model import Model
from physics.schema import schema
from physics.tuning.servos.axis import ServoAxis
from physics.tuning.servos.law import dampratio_of
from physics.tuning.servos.values import ServoValues, differing, parameters_with

__all__ = ["MAIN", "ServoWrite", "servo_edit", "servo_places", "servo_write"]

MAIN = "main"
RANGES = MappingProxyType({"forcerange": "forcelimited", "ctrlrange": "ctrllimited"})     # and what says whether they count
NO_RANGE = (0.0, 0.0)
GAINS = frozenset({"kp", "kv"})
Numbers = Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class ServoWrite:
    """What is to be written of one actuator: by MJCF's attributes of its element, and of its joint's."""

    actuator: int
    values: Numbers
    joint: int = -1
    joint_values: Numbers | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All attributes."""
        return *self.values, *(self.joint_values or ())


def servo_write(reading: Reading, m: Model, axis: ServoAxis, before: ServoValues, after: ServoValues, mass0: float) -> ServoWrite:
    """What the texts have to say so that an actuator has the values `after` in place of `before`. mass0: as dampratio_mass, with the values before. m: the Model of the texts.

    Raises ValueError where its element is not in the text, or cannot say it.
    """
    i, subject, names = axis.actuator, _subject(reading, m, ("actuator", axis.actuator)), differing(before, after)
    known, values, joint = subject.spec.attributes, {}, {}
    if GAINS & set(names):
        values.update(_gains(subject, m, i, before, after, mass0 + _more_inertia(axis, before, after)))
    if "gear" in names:
        values["gear"] = (after.gear, *(float(x) for x in m.actuator_gear[axis.output, 1:]))
    for name in RANGES:
        if name in names:
            values[name] = tuple(getattr(after, name) or NO_RANGE)
    if "delay" in names:
        kept = ceil(after.delay / float(m.opt_timestep) - 1e-9) + 1 if after.delay else 0
        values["delay"] = (after.delay,)
        if kept > int(m.actuator_history[i, 0]):
            values["nsample"] = (float(kept),)
    if "timeconst" in names:
        name = "timeconst" if "timeconst" in known else "dynprm"
        values[name] = (after.timeconst,)
    dof = axis.joint_dof
    if "armature" in names:
        joint["armature"] = (after.armature,)
    if "damping" in names:
        more = tuple(float(x) for x in m.dof_dampingpoly[dof])
        joint["damping"] = (after.damping, *(more if any(more) else ()))
    for name in values:
        if name not in known:
            raise ValueError(f"{what(subject.active)} has no {name}")
    return ServoWrite(i, values, int(m.dof_jntid[dof]) if joint else -1, joint or None)


def _more_inertia(axis: ServoAxis, before: ServoValues, after: ServoValues) -> float:
    """By which the mass that dampratio is about grows: 1 / (J M^-1 J') of one joint grows by its armature, per gear^2."""
    return ((after.armature or 0.0) - (before.armature or 0.0)) / axis.gear ** 2


def _gains(subject: Subject, m: Model, i: int, before: ServoValues, after: ServoValues, mass0: float) -> Numbers:
    """kp and kv in the words of the element."""
    known, reading, active, path = subject.spec.attributes, subject.reading, subject.active, subject.paths[-1]
    changed = {name: (getattr(after, name),) for name in ("kp", "kv") if getattr(after, name) != getattr(before, name)}
    if all(name in known for name in changed):
        said = reading.effective(active, path, "dampratio") if "dampratio" in known else ""
        if said and number_of(said.split()[0]) > 0.0:
            ratio = dampratio_of(after.kv or 0.0, after.kp or 0.0, mass0)
            if not isfinite(ratio):
                raise ValueError("it moves nothing at the initial pose, where dampratio is about: give it a kv in its place")
            return {"kp": (after.kp,), "dampratio": (float(f"{ratio:.9g}"),)} if "kp" in changed else {"dampratio": (float(f"{ratio:.9g}"),)}
        return changed
    if "gainprm" not in known or "biasprm" not in known:
        raise ValueError(f"{what(active)} has no {' and no '.join(name for name in changed if name not in known)}")
    gain, bias = parameters_with(m, i, after.kp, after.kv)
    more = (float(x) for x in m.actuator_gainprm[i, 3:]), (float(x) for x in m.actuator_biasprm[i, 3:])
    return {"gainprm": (*gain, *more[0]), "biasprm": (*bias, *more[1])}


# ------------------------------------------------------------------ places

def _subject(reading: Reading, m: Model, item: tuple[str, int]) -> Subject:
    source = m.links.source(*item)
    subject = reading.subject((source.element,)) if source is not None else None
    if subject is None:
        raise ValueError(f"the element of {element(m, *item)} is not in the text")
    if subject.active.tag in MACROS:
        raise ValueError(f"{element(m, *item)} is made from {what(subject.active)}, which says it in other words: expand that first")
    return subject


def servo_places(reading: Reading, m: Model, write: ServoWrite) -> tuple[Place, ...]:
    """Where the values of one actuator can be written: its element (or the pattern that it is a copy of), then its default class and those around it. Those that refuse say why
    and come last."""
    item = ("actuator", write.actuator)
    found = [place for place in element_places(reading, m, item) if place.kind != Kind.CLASS]
    home = next((place for place in found if place.elements), None)
    if home is not None and write.values:
        subject = reading.subject(home.elements[:1])
        for name in class_choices(subject):
            title = "the defaults of the whole model" if name == MAIN else f"class {name}"
            found.append(Place(Kind.CLASS, title, home.elements, home.items, name))
    checked = [_checked(reading, m, place, write) for place in found]
    return tuple(sorted(checked, key=lambda place: bool(place.refusal)))


def _checked(reading: Reading, m: Model, place: Place, write: ServoWrite) -> Place:
    """The place with whom it changes, too, or why it refuses."""
    if place.refusal:
        return place
    try:
        edit = servo_edit(reading, m, (write,), place)
        others = _others(reading, m, place, write, edit)
    except ValueError as why:
        return replace(place, refusal=str(why))
    notes = (f"{' and '.join(write.joint_values)} {'is' if len(write.joint_values) == 1 else 'are'} written to the joint",) if write.joint_values else ()
    return replace(place, others=others, notes=notes)


def _others(reading: Reading, m: Model, place: Place, write: ServoWrite, edit: Edit) -> tuple[str, ...]:
    """Names of other elements that change. Raises ValueError where the servo itself would not have the values."""
    items: list[tuple[str, int]] = list(place.items[1:])
    if place.kind == Kind.CLASS:
        subject = reading.subject(place.elements[:1])
        after = reading.after(edit)
        same = after.subject(place.elements[:1])
        texts = _class_words(reading, subject.paths[-1], write.values)
        for name, text in texts.items():
            now = after.effective(same.active, same.paths[-1], name).split()
            if not same_words(now[:len(text.split())], text.split()):
                raise ValueError(f"a class within {place.class_name} gives {name} itself")
        for change in effects(reading, edit, write.values):
            items += [one for one in m.links.items(change.element.id) if one[0] == "actuator" and change.element.id != place.elements[0]]
    if write.joint_values:
        source = m.links.source("joint", write.joint)
        items += [one for one in m.links.items(source.element) if one[0] == "joint" and one[1] != write.joint]
    return names_of(m, dict.fromkeys(items))


# ------------------------------------------------------------------ edits

def servo_edit(reading: Reading, m: Model, writes: Sequence[ServoWrite], place: Place | None = None, merge: Hashable = None) -> Edit:
    """The edit that has the texts say these values. place: of one of `servo_places`, for one servo; None: each in its own element. Raises ValueError, with the reason, where that
    cannot be."""
    if place is not None and place.refusal:
        raise ValueError(place.refusal)
    if isinstance(reading.version, Version):
        Draft(reading.version)      # refuses what is no MJCF
    patches, wanted = [], {}
    for write in writes:
        if place is not None and place.kind == Kind.CLASS:
            patches += _into_class(reading, place, write)
        else:
            _want(reading, m, wanted, ("actuator", write.actuator), write.values)
        if write.joint_values:
            _want(reading, m, wanted, ("joint", write.joint), write.joint_values)
    for subject, values in wanted.values():
        texts, gone = _texts(subject, values), _unsaid(subject, values)
        patches += [*set_texts(subject, {name: text for name, text in texts.items() if name not in gone}).patches, *reset(subject, gone).patches]
    return Edit(_label(m, writes, place), tuple(patches), merge)


def _label(m: Model, writes: Sequence[ServoWrite], place: Place | None) -> str:
    names = ", ".join(dict.fromkeys(name for write in writes for name in write.names))
    whose = str(element(m, "actuator", writes[0].actuator)) if len(writes) == 1 else f"{len(writes)} servos"
    return f"{names} of {whose}" + (f", in {place.title}" if place is not None and place.kind == Kind.CLASS else "")


def _want(reading: Reading, m: Model, wanted: dict, item: tuple[str, int], values: Numbers) -> None:
    """Add what an element is to say. Raises ValueError where copies of one element would have to say different things."""
    if not values:
        return
    subject = _subject(reading, m, item)
    _subject_before, before = wanted.get(subject.active.id, (subject, {}))
    for name, value in values.items():
        if before.get(name, value) != value:
            raise ValueError(f"{element(m, *item)} is a copy of {what(subject.active)}, which says {name} once: its copies cannot have different ones")
    wanted[subject.active.id] = subject, {**before, **values}


def _texts(subject: Subject, values: Numbers) -> dict[str, str]:
    """Attribute texts for one element."""
    texts = words(subject.reading, subject.active, subject.paths[-1], values)
    return texts | _limited(subject, values)


def _limited(subject: Subject, values: Numbers) -> dict[str, str]:
    """A range counts where it is limited: by itself, unless the text says otherwise; one from 0 to 0 is none. Raises ValueError for a range that follows from another."""
    reading, active, path, found = subject.reading, subject.active, subject.paths[-1], {}
    compiler = next((one.attrs["autolimits"] for one in reversed(list(reading.root.all("compiler"))) if "autolimits" in one.attrs), "true")
    for name, limited in RANGES.items():
        if name not in values:
            continue
        if name == "ctrlrange" and (share := reading.effective(active, path, "inheritrange")) and number_of(share.split()[0]) > 0.0:
            raise ValueError(f"the ctrlrange of {what(active)} is that of what it moves: inheritrange says so")
        said = reading.effective(active, path, limited)
        if values[name] == NO_RANGE:
            found |= {limited: "false"} if said == "true" else {}
        elif said == "false" or said in ("", "auto") and compiler == "false":
            found[limited] = "true"
    return found


def _unsaid(subject: Subject, values: Numbers) -> tuple[str, ...]:
    """Ranges that go by not being said any more: no class has one."""
    reading, active, path = subject.reading, subject.active, subject.paths[-1]
    gone = (name for name in RANGES if values.get(name) == NO_RANGE and name in active.attrs)
    return tuple(name for name in gone if not any(number_of(source.text) for source in reading.inherited(active, path, name)))


def _class_words(reading: Reading, path: str, values: Numbers) -> dict[str, str]:
    """Attribute texts for a default class: without the end of a list that says what the language says."""
    short = {}
    for name, value in values.items():
        spec = schema.lookup(path).attributes[name]
        default = [float(word) for word in (spec.default or "").split()]
        kept = len(value)
        while kept > 1 and (spec.counts is None or kept - 1 in spec.counts) and kept <= len(default) and value[kept - 1] == default[kept - 1]:
            kept -= 1
        short[name] = value[:kept]
    return words(reading, None, path, short)


def _into_class(reading: Reading, place: Place, write: ServoWrite) -> Iterable:
    """The class says it, and the element itself no more."""
    subject = reading.subject(place.elements[:1])
    active, path = subject.active, subject.paths[-1]
    for name in write.values:
        if name not in schema.lookup(path).attributes:
            raise ValueError(f"{what(active)} has no {name}")
    texts = _class_words(reading, path, write.values) | _limited(subject, write.values)
    return [*class_patches(reading, place.class_name, path, texts),
            *patches_of(reading.version.texts, [(active, {name: None for name in texts if name in active.attrs})])]
