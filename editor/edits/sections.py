"""The order in which the sections of a model usually stand, and where a new one comes."""
from __future__ import annotations

from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last
from editor.edits.patch import Patch
from physics.spec.element import Element

__all__ = ["SECTIONS", "new_section"]

SECTIONS = ("compiler", "option", "size", "visual", "statistic", "extension", "custom", "default", "asset", "worldbody", "deformable", "contact", "equality", "tendon", "actuator",
            "sensor", "keyframe")


def new_section(text: str, root: Element, new: NewElement) -> Patch:
    """Put a section into a model behind the last one that usually stands before it, else before the first that stands behind; sections that included files bring are the include's.

    text: of the root's file."""
    rank = SECTIONS.index(new.tag) if new.tag in SECTIONS else len(SECTIONS)
    own = [child for child in root.children if child.tag in SECTIONS and child.origin.file == root.origin.file and not root.included(child)]
    before = [child for child in own if SECTIONS.index(child.tag) <= rank]
    if before:
        return insert_after(text, before[-1], new)
    return insert_before(text, own[0], new) if own else insert_last(text, root, new)
