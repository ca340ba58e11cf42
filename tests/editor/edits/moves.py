"""An element taken out of one place and put into another, by the patches of editor.edits.element_patches."""
from collections.abc import Mapping

from editor.edits.element_patches import insert_before, insert_last, removal
from editor.edits.indentation import indent_before, reindented
from editor.edits.patch import Patch
from physics.spec.element import Element


def move_patches(texts: Mapping[str, str], element: Element, *, before: Element | None = None, last_in: Element | None = None) -> tuple[Patch, ...]:
    """Take an element out of its place and put the same characters before another one, or behind all children of `last_in`, indented as it is usual there. texts: of all
    files. Raises ValueError where that lies within the element."""
    target = before if before is not None else last_in
    if target is None:
        raise ValueError("a place to move to is needed")
    origin, goal = element.origin, target.origin
    if goal.file == origin.file and origin.start <= goal.start and goal.end <= origin.end:
        raise ValueError("an element cannot be moved into itself")
    text, there = texts[origin.file], texts[goal.file]
    old = indent_before(text, origin.start)
    words = text[origin.start:origin.end]
    probe = insert_before(there, before, "\0") if before is not None else insert_last(there, last_in, "\0")
    new = indent_before(probe.text, probe.text.index("\0"))
    if old is not None and new is not None and (probe.text.index("\0") != 0 or indent_before(there, probe.start) == ""):
        words = reindented(words, old, new)
    return removal(text, element), probe._replace(text=probe.text.replace("\0", words))
