"""A composite written out: the bodies, joints, geoms and sites that it makes in its place, and what ties them in the sections of the model.

MuJoCo 4 has no composites, so this is how a model with one is opened there. What is made is what the compiler makes (physics/expand/composite).
"""
from __future__ import annotations

from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.inlining.replicates import as_new
from editor.wording import what
from physics.expand.composite.expand import expand_composites
from physics.spec.element import Element

__all__ = ["inline_composite"]

DEEPEST = 300       # bodies one in another that are written


def inline_composite(version: Version, number: int) -> Change:
    """What a composite makes, in its place. Raises Refusal where it makes nothing, or bodies too deep in one another to be read as text."""
    draft = Draft(version)
    element, parent = draft.element(number), draft.parent(number)
    if element.tag != "composite":
        raise Refusal(f"{what(element)} is not a composite")
    others = frozenset(one.place for one in version.root.walk() if one.tag == "composite" and one.id != number)
    root, issues = expand_composites(version.root, others)
    if any(issue.severity == "error" for issue in issues):
        raise Refusal(f"The composite cannot be made: {issues[0].what}")
    holder = next((one for one in root.walk() if one.id == parent.id), None)
    if holder is None:
        raise Refusal(f"{what(parent)} stands in a model that is attached: open that file")
    known = {child.id for child in parent.children}
    made = [child for child in holder.children if child.id not in known]
    if any(_deeper_than(one, DEEPEST) for one in made):
        raise Refusal(f"It makes more than {DEEPEST} bodies one in another, which nobody could read")
    chosen = draft.insert_all((as_new(one), {"after": number}) for one in made)
    draft.remove([number], with_comment=False)
    written = {child.id for child in version.root.children}
    for section in root.children:
        if section.id not in written and section.children:
            home = {"last_in": draft.section(section.tag)}
            draft.insert_all((as_new(one), home) for one in section.children)
    return draft.change(f"Write {what(element)} out", chosen, keyframes=False)


def _deeper_than(element: Element, depth: int) -> bool:
    level = [element]
    for _ in range(depth):
        level = [child for one in level for child in one.children if child.children]
        if not level:
            return False
    return True
