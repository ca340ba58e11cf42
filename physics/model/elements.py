"""References to single elements of a Model by kind, number and name, and finding them again in another Model."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Element:
    """One thing of a Model. kind: a key of Model.names ('body', 'joint', 'geom', ...) or 'contact'; id: its number; name: '' where it has none."""

    kind: str
    id: int
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name or self.id}"


def element(m, kind: str, number: int) -> Element:
    """Reference to element `number` of a kind of the Model. Raises IndexError where the Model has none."""
    if kind == "contact":
        return Element(kind, number)
    return Element(kind, int(number), m.names[kind][number] or "")


def find_again(before, m, what: Element) -> Element | None:
    """The same element in another Model `m`: by name; an unnamed one by its number, where there are as many of its kind as in the Model `before`. None: it is gone."""
    if what.kind == "contact" or what.kind not in m.names:
        return None
    if what.name:
        number = m.id(what.kind, what.name)
        return Element(what.kind, number, what.name) if number >= 0 else None
    same = before is not None and len(before.names[what.kind]) == len(m.names[what.kind])
    return what if same and not m.names[what.kind][what.id] else None
