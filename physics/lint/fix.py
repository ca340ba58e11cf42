"""Changes of a model's tree that mend a finding. They name elements by their ids in the tree that was read; `editor/lint_fixes.py` makes patches of the text of them."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from physics.schema.numbers import format_float

__all__ = ["Change", "Fix", "Insert", "Remove", "SetAttribute", "SetWords", "numbers_text"]


@dataclass(frozen=True, slots=True)
class SetAttribute:
    """Give an element's attribute this value; None takes it away."""

    element: int
    name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class SetWords:
    """Give some words of an element's attribute other texts, (number of the word, text) each; the others stay for other fixes."""

    element: int
    name: str
    words: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class Remove:
    """Take an element out with all that it holds."""

    element: int


@dataclass(frozen=True, slots=True)
class Insert:
    """Put a new element behind all children of another one. section: a tag of the root's children in which it is to stand, where `parent` is the root and has none of that tag."""

    parent: int
    tag: str
    attrs: tuple[tuple[str, str], ...] = ()
    section: str = ""


Change = SetAttribute | SetWords | Remove | Insert


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a finding. label: what it does, as a button says it; keeps: whether the motion of the model stays the same."""

    label: str
    changes: tuple[Change, ...]
    keeps: bool = False


def numbers_text(values: Iterable[float], digits: int = 6) -> str:
    """Numbers as a text gives them, with so many digits at most."""
    return " ".join(format_float(float(f"{value:.{digits}g}")) for value in values)
