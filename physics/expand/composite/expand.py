"""Puts ordinary elements in the place of every <composite>, as MuJoCo 2.3.7 (cables: 3.12) made them.

Bodies and their parts take the composite's place; constraints, tendons, excludes, texts and skins go to sections of their own: before
the written ones where the official reader came to them later, after them otherwise, so that ids are the same.
"""

from __future__ import annotations

from collections import Counter
from types import MappingProxyType

from physics.errors import Issue, Place
from physics.expand.composite.box import box
from physics.expand.composite.cable import cable
from physics.expand.composite.cloth import cloth
from physics.expand.composite.grid import grid, particles
from physics.expand.composite.made import SECTIONS, Made
from physics.expand.composite.recipe import BOXES, Unmakeable, read_recipe
from physics.expand.composite.rope import rope
from physics.schema import schema
from physics.spec.defaults import Resolver
from physics.spec.element import Element, new_id
from physics.spec.links import Traces

__all__ = ["expand_composites"]

_ALONE = MappingProxyType({"particle": particles, "grid": grid, "cable": cable, **dict.fromkeys(BOXES, box)})
_AROUND = MappingProxyType({"rope": rope, "loop": rope, "cloth": cloth})  # they grow from the body they stand in
_BEFORE = frozenset({"contact", "equality", "tendon"})


def expand_composites(root: Element, refused: frozenset[Place] = frozenset(), traces: Traces | None = None) -> tuple[Element, list[Issue]]:
    """The tree without composites, and what was wrong with them; a composite that cannot be made stays.

    refused: places of what the reader has refused; a composite with one of them is left as it is. traces: takes up what the made elements come from.
    """
    resolver = Resolver(root)
    issues: list[Issue] = []
    instead: dict[int, tuple[Element, ...]] = {}
    sections: dict[str, list[Element]] = {tag: [] for tag in SECTIONS}
    for element in root.walk():
        if element.tag != "composite" or (refused and _holds(element, refused)):
            continue
        try:
            made = _make(element, resolver)
            instead[element.id] = made.finish()
            for tag, elements in made.sections.items():
                sections[tag] += elements
            if traces is not None:
                _trace(element, instead[element.id], made.sections, traces)
            issues += _not_simulated(made, resolver)
        except Unmakeable as problem:
            place = problem.element.attr_place(problem.attribute) if problem.attribute else problem.element.place
            issues.append(Issue("error", place, resolver.path(element), problem.what, problem.hint))
    return _with_sections(_replaced(root, instead), sections), issues


def _trace(composite: Element, parts: tuple[Element, ...], sections: dict[str, list[Element]], traces: Traces) -> None:
    """Remember what each made element comes from: the composite, or the element in it that says how such parts look."""
    written = {id(element.origin): element.id for element in reversed(list(composite.walk()))}
    counts: Counter = Counter()
    for section, elements in {"body": parts, **sections}.items():
        for top in elements:
            for element in top.walk() if section == "body" else (top,):
                kind = section, element.tag
                traces.elements[element.id] = written.get(id(element.origin), composite.id)
                traces.copies[element.id] = ((composite.id, counts[kind]),)
                counts[kind] += 1


def _holds(element: Element, places: frozenset[Place]) -> bool:
    return any(e.place in places or any(e.attr_place(name) in places for name in e.attrs) for e in element.walk())


def _make(element: Element, resolver: Resolver) -> Made:
    recipe = read_recipe(element)
    made = Made(recipe, resolver)
    if recipe.kind in _AROUND:
        around = resolver.parent(element)
        while around is not None and around.tag in ("frame", "replicate"):
            around = resolver.parent(around)
        _AROUND[recipe.kind](made, around)
    else:
        _ALONE[recipe.kind](made)
    return made


def _not_simulated(made: Made, resolver: Resolver) -> list[Issue]:
    """Why the model can only be viewed: what was made needs a stage that is not there yet. The reader saw the composite only."""
    kinds = {(tag, element.tag) for tag, elements in made.sections.items() for element in elements}
    missing = {limit.what for tag, kind in kinds for limit in schema.lookup(f"{tag}/{kind}").limits if limit.level in ("view", "refused")}
    element = made.recipe.element
    return [Issue("view", element.place, resolver.path(element), f"the composite makes {what}, which are not supported yet",
                  "The model opens for viewing only") for what in sorted(missing)]


def _replaced(root: Element, instead: dict[int, tuple[Element, ...]]) -> Element:
    """The tree with some elements replaced by several; no recursion, as chains of bodies may be deep."""
    stack: list[tuple[Element, list[Element], int]] = [(root, [], 0)]
    while True:
        element, done, at = stack[-1]
        if at < len(element.children):
            stack[-1] = (element, done, at + 1)
            child = element.children[at]
            if child.id in instead:
                done.extend(instead[child.id])
            elif child.children:
                stack.append((child, [], 0))
            else:
                done.append(child)
            continue
        stack.pop()
        same = len(done) == len(element.children) and all(a is b for a, b in zip(done, element.children, strict=True))
        element = element if same else element.with_changes(children=tuple(done))
        if not stack:
            return element
        stack[-1][1].append(element)


def _with_sections(root: Element, sections: dict[str, list[Element]]) -> Element:
    children = list(root.children)
    for tag, elements in sections.items():
        if elements:
            at = next((i for i, child in enumerate(children) if child.tag == tag), len(children)) if tag in _BEFORE else len(children)
            children.insert(at, Element(new_id(), tag, children=tuple(elements), origin=elements[0].origin))
    return root.with_changes(children=tuple(children))
