"""Copies of elements side by side: elements put into a <replicate>, and what one says changed.

Source: MuJoCo's XML reference, "replicate".
"""
from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.wording import what
from editor.structure.wrap import wrap
from physics.schema.numbers import format_float, format_floats
from physics.spec.defaults import Attrs

__all__ = ["Repetition", "repetition_of", "replicate"]

MOST = 100_000


@dataclass(frozen=True, slots=True)
class Repetition:
    """count: copies, the first of which stands where the pattern does; offset: from copy to copy [m], turned with the copies; euler: turn from copy to copy, in the file's unit and sequence;
    sep: what stands between a name and the number of its copy."""

    count: int = 3
    offset: tuple[float, float, float] = (0.2, 0.0, 0.0)
    euler: tuple[float, float, float] = (0.0, 0.0, 0.0)
    sep: str = ""


def repetition_of(version: Version, number: int) -> Repetition | None:
    """What a replicate says; None for another element, and for one with a value that cannot be read."""
    element = version.element(number)
    if element is None or element.tag != "replicate":
        return None
    attrs = Attrs.alone(element, "body/replicate")
    try:
        vectors = {name: tuple(map(float, attrs[name])) if attrs[name] is not None else (0.0, 0.0, 0.0) for name in ("offset", "euler")}
        return Repetition(int(attrs["count"]), vectors["offset"], vectors["euler"], attrs["sep"] or "")
    except (TypeError, ValueError):
        return None


def replicate(version: Version, numbers: Iterable[int], wanted: Repetition, change_old: bool = True) -> Change:
    """Put siblings into a new replicate, or change the one that is chosen alone. change_old: False puts a replicate that is chosen alone into another one, too.

    Raises Refusal for elements that cannot stand in one, and for a count that makes no copies.
    """
    if not 1 <= wanted.count <= MOST:
        raise Refusal(f"The count is from 1 to {MOST}")
    if not all(map(math.isfinite, (*wanted.offset, *wanted.euler))):
        raise Refusal("A number is not finite")
    chosen = outermost(version, numbers)
    old = repetition_of(version, chosen[0]) if len(chosen) == 1 and change_old else None
    if old is None:
        vectors = {name: format_floats(value) for name in ("offset", "euler") if any(value := getattr(wanted, name))}
        return wrap(version, chosen, "replicate", {"count": str(wanted.count), **vectors} | ({"sep": wanted.sep} if wanted.sep else {}))
    draft = Draft(version)
    element = draft.element(chosen[0])
    values: dict[str, str | None] = {"count": str(wanted.count)} if wanted.count != old.count else {}
    for name in ("offset", "euler"):
        if (value := getattr(wanted, name)) != getattr(old, name):
            values[name] = _text(value, element.attrs.get(name, "")) if any(value) else None
    if wanted.sep != old.sep:
        values["sep"] = wanted.sep or None
    draft.set(element.id, values)
    return draft.change(f"Change {what(element)}", (element.id,))


def _text(values: Iterable[float], before: str) -> str:
    """Numbers as text; words of what is written now whose number stays are kept."""
    values, words = tuple(values), before.split()
    try:
        return " ".join(word if float(word) == value else format_float(value) for word, value in zip(words, values, strict=True))
    except ValueError:      # other words, or another number of them
        return format_floats(values)
