"""What can be chosen without a selection: the settings of the model, there or not, and its default classes."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from editor.inspect.subject import MISSING, Reading
from editor.wording import place_text
from physics.spec.element import Element

__all__ = ["PATHS", "Choice", "choices", "default_choices", "found"]

PATHS = ("mujoco", "option", "option/flag", "compiler", "size", "statistic", "visual/global", "visual/quality", "visual/headlight", "visual/map", "visual/scale", "visual/rgba")


@dataclass(frozen=True, slots=True)
class Choice:
    """title: as the chooser shows it; path: in the language's table; id: of the element, MISSING for a section that is not there; depth: of a class in another."""

    title: str
    path: str
    id: int
    depth: int = 0


def choices(reading: Reading) -> tuple[Choice, ...]:
    """The settings: one of each section, and of one that stands in several places one each."""
    out = []
    for path in PATHS:
        there = [reading.root] if path == "mujoco" else list(found(reading.root, path.split("/")))
        title = "model" if path == "mujoco" else path.replace("/", " ")
        if len(there) < 2:
            out.append(Choice(title, path, there[0].id if there else MISSING))
        else:
            out += [Choice(f"{title} ({place_text(element.place)})", path, element.id) for element in there]
    return tuple(out)


def found(node: Element, tags: list[str]) -> Iterator[Element]:
    """All elements whose tags lead from a node as these, in their order."""
    for child in node.all(tags[0]):
        if len(tags) == 1:
            yield child
        else:
            yield from found(child, tags[1:])


def default_choices(reading: Reading) -> tuple[Choice, ...]:
    """The elements of all default classes, class by class: 'collision: geom'."""
    out = []
    for top in reading.root.all("default"):
        stack = [(top, top.attrs.get("class") or "main", 0)]
        while stack:
            element, name, depth = stack.pop()
            out += [Choice(f"{name}: {child.tag}", f"default/{child.tag}", child.id, depth) for child in element.children if child.tag != "default"]
            stack.extend((child, child.attrs.get("class", ""), depth + 1) for child in reversed(element.all("default")))
    return tuple(out)
