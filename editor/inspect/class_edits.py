"""Values moved from elements into their default class, and who else changes by an edit of a class."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from editor.edits.attribute_patches import patches_of
from editor.edits.element_patches import NewElement, insert_last
from editor.edits.patch import Edit, Patch
from editor.inspect.edits import insert_section, label_of
from editor.inspect.rows import ORIENTATION
from editor.inspect.subject import MISSING, Reading, Subject
from editor.notation.numbers import same_words
from editor.notation.orientation import NOTATIONS
from editor.wording import place_text, what
from physics.schema import schema
from physics.schema.schema import ACTUATOR_SHORTCUTS
from physics.spec.defaults import default_tag
from physics.spec.element import Element

__all__ = ["Change", "ClassEdit", "class_choices", "class_patches", "effects", "push_to_class", "users_of_layer"]

_ACTUATORS = ACTUATOR_SHORTCUTS | {"general"}


@dataclass(frozen=True, slots=True)
class Change:
    """Another value of an element that an edit was not about."""

    element: Element
    before: str
    after: str

    def __str__(self) -> str:
        return f"{what(self.element)} ({place_text(self.element.place)}): {self.before or 'nothing'} \N{RIGHTWARDS ARROW} {self.after or 'nothing'}"


@dataclass(frozen=True, slots=True)
class ClassEdit:
    """edit: that moves a value into a class; name: of the class; others: elements that change by it, though they were not selected."""

    edit: Edit
    name: str
    others: tuple[Change, ...]


def class_choices(subject: Subject) -> tuple[str, ...]:
    """Classes that a value of these elements could be moved to: that in force for all of them, then those around it up to 'main'."""
    if subject.missing or any(path.startswith("default") or not default_tag(path) for path in subject.paths):
        return ()
    resolver, chains = subject.reading.resolver, []
    for element in subject.elements:
        name, chain = resolver.class_of(element), []
        while name:
            chain.append(name)
            name = resolver.parent_class.get(name, "")
        chains.append(chain)
    return tuple(name for name in chains[0] if all(name in chain for chain in chains[1:]))


def push_to_class(subject: Subject, name: str, class_name: str = "") -> ClassEdit:
    """Have the class say what the active element says, and take it away from the selected elements that say the same, or anything else. class_name: '' for the innermost that
    all of them have.

    Raises ValueError where the class cannot hold it, or would not give it to all of them.
    """
    reading, active, path = subject.reading, subject.active, subject.paths[-1]
    choices = class_choices(subject)
    names = tuple(one for one in NOTATIONS if one in active.attrs) if name == ORIENTATION else (name,)
    if not choices:
        raise ValueError("these elements have no default class in common")
    class_name = class_name or choices[0]
    if class_name not in choices:
        raise ValueError(f"the class {class_name} is not in force for all of these elements")
    given = {one: active.attrs[one] for one in names if one in active.attrs}
    if not given:
        raise ValueError(f"{what(active)} does not give {name} itself")
    patches = [*class_patches(reading, class_name, path, given)]
    taken = NOTATIONS if name == ORIENTATION else names
    patches += patches_of(reading.version.texts, ((element, {one: None for one in taken if one in element.attrs}) for element in subject.elements))
    edit = Edit(f"{label_of(subject, name)} into class {class_name}", tuple(patches))
    changes = effects(reading, edit, given)
    chosen = {element.id for element in subject.elements}
    wrong = [change for change in changes if change.element.id in chosen and not any(same_words(change.after.split(), text.split()) for text in given.values())]
    if wrong:
        raise ValueError(f"{what(wrong[0].element)} would not have it from the class {class_name}")
    return ClassEdit(edit, class_name, tuple(change for change in changes if change.element.id not in chosen))


def class_patches(reading: Reading, class_name: str, path: str, given: dict[str, str]) -> tuple[Patch, ...]:
    """Have the element of a default class for elements of this path give attributes."""
    tag = default_tag(path)
    tag = path.rpartition("/")[2] if tag == "actuator" else tag
    homes = [element for element in reading.root.walk() if element.tag == "default" and _class_of_default(reading, element) == class_name]
    if schema.lookup(f"default/{tag}") is None:
        raise ValueError(f"default classes have no {tag}")
    for name in given:
        if name not in schema.lookup(f"default/{tag}").attributes:
            raise ValueError(f"a default class cannot say {name} of {tag}")
    for home in reversed(homes):
        there = [child for child in home.children if child.tag == tag or tag in _ACTUATORS and child.tag in _ACTUATORS]
        if there and there[-1].tag != tag:
            raise ValueError(f"the class {class_name} has the default of a {there[-1].tag} actuator, which a {tag} would take the place of")
        if there:
            return patches_of(reading.version.texts, [(there[-1], given)])
    new = NewElement(tag, given)
    if homes:
        return (insert_last(reading.version.texts[homes[-1].origin.file], homes[-1], new),)
    return (insert_section(reading, f"default/{tag}", given),)


def _class_of_default(reading: Reading, element: Element) -> str:
    parent = reading.resolver.parent(element) if element.id in reading.resolver.context else None
    outermost = parent is None or parent.tag != "default"
    return element.attrs.get("class") or ("main" if outermost else "")


def effects(reading: Reading, edit: Edit, names: Iterable[str]) -> tuple[Change, ...]:
    """Elements for which attributes of these names are something else after an edit: those outside default classes."""
    after = reading.after(edit)
    out = []
    names = tuple(names)
    for element, path in ends(reading):
        other = after.version.element(element.id)
        if other is None:
            continue
        known = schema.lookup(path).attributes
        for name in names:
            if name not in known:
                continue
            was, now = reading.effective(element, path, name), after.effective(other, path, name)
            if was != now and not same_words(was.split(), now.split()):
                out.append(Change(element, was, now))
    return tuple(out)


def ends(reading: Reading) -> Iterable[tuple[Element, str]]:
    """(element, path) of all that have values from default classes and are no part of one."""
    for element in reading.root.walk():
        known = reading.resolver.context.get(element.id)
        if known is not None and default_tag(known[0].path):
            yield element, known[0].path


def users_of_layer(reading: Reading, layer: Element) -> tuple[Element, ...]:
    """Elements that start from an element of a default class, or from anything in a class (a <default>)."""
    if layer.id == MISSING:
        return ()
    inside = {layer.id} if layer.tag != "default" else {child.id for child in layer.walk()}
    return tuple(element for element, _path in ends(reading) if not inside.isdisjoint(one.id for one in reading.resolver.attrs(element).layers[:-1]))
