"""The sections of a model in the order in which people write them, and where one that is not there yet belongs."""
from __future__ import annotations

from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last
from editor.edits.patch import Patch
from physics.spec.element import Element

__all__ = ["SECTIONS", "insert_section", "place_of_section"]

SECTIONS = ("compiler", "option", "size", "visual", "statistic", "extension", "custom", "default", "asset", "worldbody", "deformable", "contact", "equality", "tendon",
            "actuator", "sensor", "keyframe")


def place_of_section(root: Element, tag: str) -> tuple[str, Element]:
    """('after' or 'before', a section) or ('last_in', the root): behind the last section that usually stands before it, else before the first; sections of included files are the
    include's."""
    rank = SECTIONS.index(tag) if tag in SECTIONS else len(SECTIONS)
    here = [child for child in root.children if child.tag in SECTIONS and child.origin.file == root.origin.file and not root.included(child)]
    before = [child for child in here if SECTIONS.index(child.tag) <= rank]
    return ("after", before[-1]) if before else ("before", here[0]) if here else ("last_in", root)


def insert_section(text: str, root: Element, new: NewElement) -> Patch:
    """Put a section into the text of a root's file."""
    where, beside = place_of_section(root, new.tag)
    return {"after": insert_after, "before": insert_before, "last_in": insert_last}[where](text, beside, new)
