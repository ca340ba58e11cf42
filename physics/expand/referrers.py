"""Elements outside the body tree that refer into it, and how they follow when parts of the tree are copied or taken away.

When a part is copied under new names, every element outside is tried under those names, kind after kind, each kind in order and with
the copies made before: it is copied when its references exist. What must exist depends on the kind:

- all: every reference, renamed (actuators, equalities, tuples, skins); the world body keeps its name in equalities and tuples;
- either: of two references one may keep its name (pairs, excludes, sensors); an element without references is always copied;
- any: of a tendon's path at least one element must be renamed, the others may keep their names.

The rules are not documented beyond "all referencing elements are replicated"; they were found by trying MuJoCo 4.0.0
(tests/physics/expand/test_replicate.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import MappingProxyType
from typing import NamedTuple

from physics.expand.renaming import SHARED, Ref, Renaming, references, with_attrs
from physics.schema import schema
from physics.spec.defaults import default_tag
from physics.spec.element import Element, new_id

__all__ = ["KINDS", "Kind", "Referrer", "follow"]

Known = Callable[[str, str], bool]
_ASSETS = SHARED | {"texture", "instance", "model"}


class Kind(NamedTuple):
    """A kind of referring elements: its section, the tags in it (all when empty), the namespace of its names, its rule.

    home: the section copies go to, where that is another one: skins are one list, though they stand in two sections.
    """

    section: str
    tags: frozenset[str]
    namespace: str
    rule: str
    keeps_world: bool = False
    home: str = ""


KINDS = (
    Kind("asset", frozenset({"skin"}), "skin", "all", home="deformable"),
    Kind("deformable", frozenset({"skin"}), "skin", "all"),
    Kind("contact", frozenset({"pair"}), "pair", "either"),
    Kind("contact", frozenset({"exclude"}), "exclude", "either"),
    Kind("tendon", frozenset(), "tendon", "any"),
    Kind("equality", frozenset(), "equality", "all", True),
    Kind("actuator", frozenset(), "actuator", "all"),
    Kind("sensor", frozenset(), "sensor", "either"),
    Kind("custom", frozenset({"tuple"}), "tuple", "all", True),
)


class Referrer:
    """One element outside the tree with what it refers to. groups: references of the element, then of each child."""

    __slots__ = ("element", "path", "groups")

    def __init__(self, element: Element, section: str) -> None:
        spec = schema.child_spec(section, element.tag)
        self.element, self.path = element, spec.path if spec is not None else ""
        self.groups: list[list[Ref]] = [self._of(element, self.path)]
        for child in element.children:
            known = schema.child_spec(self.path, child.tag) if self.path else None
            self.groups.append(self._of(child, known.path if known is not None else ""))

    @staticmethod
    def _of(element: Element, path: str) -> list[Ref]:
        return [ref for ref in references(element, path) if ref.namespace != "default"] if path else []

    def targets(self) -> Iterable[tuple[str, str]]:
        """(namespace, name) of all it refers to but assets."""
        return [(ref.namespace, ref.name) for group in self.groups for ref in group if ref.namespace not in _ASSETS]

    def intact(self, known: Known) -> bool:
        """Whether all it refers to exists."""
        return all(known(*target) for target in self.targets())


def follow(referrer: Referrer, kind: Kind, renaming: Renaming, known: Known) -> Element | None:
    """The element under new names, None where they do not exist. known(namespace, name): what exists."""
    renamed = _RULES[kind.rule](referrer, kind, renaming, known)
    if renamed is None:
        return None
    element = referrer.element
    values = dict(renamed[0])
    if element.name:
        values["name"] = renaming.name(element.name)
    if renaming.classes is not None and default_tag(referrer.path):
        values["class"] = renaming.in_space("default", element.attrs.get("class") or "main")
    children = tuple(with_attrs(child, new) if new else child.with_changes(id=new_id())
                     for child, new in zip(element.children, renamed[1:], strict=True))
    return with_attrs(element, values, children=children)


def _new_name(ref: Ref, kind: Kind, renaming: Renaming) -> str:
    if kind.keeps_world and (ref.namespace, ref.name) == ("body", "world"):
        return ref.name
    return renaming.in_space(ref.namespace, ref.name)


def _all(referrer: Referrer, kind: Kind, renaming: Renaming, known: Known) -> list[dict] | None:
    found = []
    for group in referrer.groups:
        found.append({ref.attribute: _new_name(ref, kind, renaming) for ref in group})
        if not all(known(ref.namespace, found[-1][ref.attribute]) for ref in group if ref.namespace not in _ASSETS):
            return None
    return found


def _either(referrer: Referrer, kind: Kind, renaming: Renaming, known: Known) -> list[dict] | None:
    refs = referrer.groups[0]
    new = {ref.attribute: renaming.name(ref.name) for ref in refs}
    missing = [ref for ref in refs if not known(ref.namespace, new[ref.attribute])]
    if missing and (len(missing) == len(refs) or not all(known(ref.namespace, ref.name) for ref in missing)):
        return None
    new.update({ref.attribute: ref.name for ref in missing})
    return [new, *({} for _ in referrer.groups[1:])]


def _any(referrer: Referrer, kind: Kind, renaming: Renaming, known: Known) -> list[dict] | None:
    found = [{ref.attribute: renaming.in_space(ref.namespace, ref.name) for ref in referrer.groups[0]}]
    followed = False
    for group in referrer.groups[1:]:
        new = {ref.attribute: renaming.in_space(ref.namespace, ref.name) for ref in group}
        if all(known(ref.namespace, new[ref.attribute]) for ref in group):
            followed = followed or bool(group)
        elif all(known(ref.namespace, ref.name) for ref in group):
            new = {ref.attribute: ref.name for ref in group}
        else:
            return None
        found.append(new)
    return found if followed else None


_RULES = MappingProxyType({"all": _all, "either": _either, "any": _any})
