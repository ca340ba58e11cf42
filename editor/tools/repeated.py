"""A replicate dragged as a whole: the frame around it, where that holds nothing else, else what is repeated, at its first copy, which all others follow.

A replicate has no pose of its own: it stands in the frame of what holds it, so that all its copies move alike with a frame around it alone. A motion of what is repeated is turned
with the copies: a ring stays one.
"""
from __future__ import annotations

from collections.abc import Iterator

from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.subject import KINDS, Subject, subject_of, subject_of_frame
from physics.model.elements import body_of
from physics.model.elements import element as model_element
from physics.spec.element import Element

__all__ = ["whole_subjects"]


def whole_subjects(trees: ElementTrees, m, element: Element) -> tuple[Subject, ...]:
    """What moves all copies of a <replicate>, to be dragged together. Raises Refused for one that makes nothing with a pose, or nothing that can be changed."""
    element, tree = trees.changeable(element.id)
    around = next(tree.around(element), None)
    if around is not None and around.tag == "frame" and len(around.children) == 1:
        return (subject_of_frame(trees, m, around),)
    found = tuple(_inside(trees, m, element))
    if not found:
        raise Refused("It makes nothing that has a pose")
    return found


def _inside(trees: ElementTrees, m, holder: Element) -> Iterator[Subject]:
    for child in holder.children:
        if child.tag == "replicate":
            yield from _inside(trees, m, child)
        elif child.tag == "frame":
            try:
                yield subject_of_frame(trees, m, child)
            except Refused:     # it holds nothing that is drawn, or what comes from another file
                yield from _inside(trees, m, child)
        elif child.tag in KINDS:
            item = next((item for item in m.links.items(child.id) if item[0] == child.tag), None)
            if item is not None:
                yield subject_of(trees, m, *item)
        else:
            for kind, number in _first_made(m, child.id):
                yield subject_of(trees, m, kind, number)


def _first_made(m, macro: int) -> Iterator[tuple[str, int]]:
    """(kind, number) of what an attach or another macro makes for the first copy of all around it, without what stands in other such things."""
    made = m.links.made_by(macro)
    bodies = frozenset(number for kind, number in made if kind == "body")
    for kind, number in made:
        if kind not in KINDS or kind == "joint" or any(k for one, k in m.links.source(kind, number).copies if one != macro):
            continue
        holder = int(m.body_parentid[number]) if kind == "body" else body_of(m, model_element(m, kind, number))
        if holder not in bodies:
            yield kind, number
