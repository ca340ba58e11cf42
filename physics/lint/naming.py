"""A rule about names: actuators and sensors without one, names that differ in case only."""
from __future__ import annotations

from collections.abc import Iterator

from physics.diagnostics.advice.finding import count
from physics.lint.finding import NOTE, Finding
from physics.lint.fix import Fix, SetAttribute
from physics.lint.subject import Subject
from physics.spec.element import Element

UNNAMED = ("actuator", "sensor")
SPACES = ("body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "sensor", "mesh", "material", "texture", "key", "equality", "default")
TARGETS = ("joint", "tendon", "site", "body", "jointinparent", "slidersite", "objname", "camera", "geom", "actuator", "geom1", "body1")


def names(s: Subject) -> Iterator[Finding]:
    """Names that scripts will miss, or mistake."""
    yield from _unnamed(s)
    yield from _cases(s)


def _unnamed(s: Subject) -> Iterator[Finding]:
    for kind in UNNAMED:
        names_there = s.m.names[kind]
        without = [i for i, name in enumerate(names_there) if not name]
        if not without:
            continue
        elements = [s.of(kind, i) for i in without]
        first = next((e for e in elements if e is not None), None)
        text = f"{count(len(without), kind)} of {len(names_there)} {'has' if len(without) == 1 else 'have'} no name."
        remedy = "Scripts, plots and keyframes then know them by their number alone, which changes when one is added before them."
        yield s.finding("names", NOTE, first, text, remedy, s.items(kind, *without), [_names_for(s, kind, [e for e in elements if e is not None])], kind)


def _names_for(s: Subject, kind: str, elements: list[Element]) -> Fix | None:
    """Names made of what each is attached to."""
    taken, changes = set(s.names.declared.get(kind, {})), {}
    for element in elements:
        there = s.written(element)
        if there is None or s.in_macro(there):
            return None
        if there.id in changes:
            continue
        target = next((element.attrs[name] for name in TARGETS if element.attrs.get(name)), element.tag)
        base = target if kind == "actuator" else f"{target}_{element.tag}"
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        changes[there.id] = SetAttribute(there.id, "name", name)
    return Fix(f"Name {count(len(changes), kind)} after what they are attached to", tuple(changes.values()), keeps=True) if changes else None


def _cases(s: Subject) -> Iterator[Finding]:
    for space in SPACES:
        known: dict[str, str] = {}
        for name, element in s.names.declared.get(space, {}).items():
            first = known.setdefault(name.lower(), name)
            if first != name and element.tag != "mujoco":
                word = "default class" if space == "default" else space
                text = f"The names of {word} '{name}' and {word} '{first}' differ in case only."
                yield s.finding("names", NOTE, element, text, "Names that are told apart by more than that are not mistaken for each other.", s.made_of(element), part="case")
