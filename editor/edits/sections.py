"""The order in which models usually have their sections, and where a new one comes among those of the root's own file."""
from __future__ import annotations

from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last
from editor.edits.patch import Patch
from physics.spec.element import Element

__all__ = ["SECTIONS", "new_section", "place_of_section"]

SECTIONS = ("compiler", "option", "size", "visual", "statistic", "extension", "custom", "default", "asset", "worldbody", "deformable", "contact", "equality", "tendon",
            "actuator", "sensor", "keyframe")


def place_of_section(root: Element, tag: str) -> tuple[str, Element]:
    """Where a section comes: ('after' or 'before', the section that is there) or ('last_in', the root).

    Behind the last that usually stands before it, or has the same tag; those of included files are the include's.
    """
    rank = SECTIONS.index(tag) if tag in SECTIONS else len(SECTIONS)
    own = [child for child in root.children if child.origin.file == root.origin.file and not root.included(child) and child.tag in SECTIONS]
    before = [child for child in own if SECTIONS.index(child.tag) <= rank]
    if before:
        return "after", before[-1]
    return ("before", own[0]) if own else ("last_in", root)


def new_section(text: str, root: Element, new: NewElement) -> Patch:
    """Put a section at its place. text: of the root's file."""
    how, where = place_of_section(root, new.tag)
    return {"after": insert_after, "before": insert_before, "last_in": insert_last}[how](text, where, new)
