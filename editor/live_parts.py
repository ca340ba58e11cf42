"""What edits change while the present texts cannot be compiled, and where problems are that a compile told, after edits that took none.

    text broken, or with a wrong value, + edit by a tool --touched--> elements --with_elements--> what the Model that runs was made of, with their attributes
"""
from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from editor.edits.last_good import LastGood
from editor.edits.patch import Edit, Patch
from editor.edits.tag_places import tag_places
from physics.errors import Issue, Place
from physics.mjcf.reader import ReadResult
from physics.spec.element import Element, written_id

__all__ = ["moved_issues", "touched", "with_elements"]


def touched(good: LastGood, edit: Edit) -> tuple[Element, ...]:
    """The elements whose opening tags an edit has changed, as far as these can be read. good: the tree after it; the edit's places are those of the texts before it."""
    found: dict[int, Element] = {}
    for file in edit.files:
        known = sorted(((one.origin.start, k, one) for k, one in enumerate(good.walk()) if one.origin.file == file and good.whole(one.id)), key=lambda one: one[:2])
        starts, text = [start for start, _k, _one in known], good.texts.get(file, "")
        for low, high in _after([patch for patch in edit.patches if patch.file == file]):
            first = bisect_left(starts, low)
            inside = known[first:bisect_left(starts, high)]
            if first and _end(text, starts[first - 1]) > low:
                inside = [one for one in known[:first] if one[0] == starts[first - 1]] + inside
            found.update((one.id, one) for _start, _k, one in inside)
    return tuple(found.values())


def _after(patches: Sequence[Patch]) -> list[tuple[int, int]]:
    """Where what patches of one file have put in stands after them."""
    out, moved = [], 0
    for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
        out.append((patch.start + moved, patch.start + moved + len(patch.text)))
        moved += patch.growth
    return out


def _end(text: str, start: int) -> int:
    """Behind the tag that begins at a place, -1 where none can be read there."""
    try:
        return tag_places(text, start).end
    except ValueError:
        return -1


def with_elements(read: ReadResult, elements: Iterable[Element], ids: Mapping[int, int] = MappingProxyType({})) -> ReadResult | None:
    """What texts read as with the attributes that some of its elements have in later ones; None where it has not all of them. ids: of elements -> those that they have in `read`,
    where these differ."""
    new = {ids.get(written_id(one.id), written_id(one.id)): one for one in elements}
    missing = set(new)
    root = _put(read.root, new, missing) if read.root is not None else None
    attached = {path: replace(one, root=_put(one.root, new, missing)) if one.root is not None else one for path, one in read.attached.items()}
    return None if root is None or missing else replace(read, root=root, issues=[], attached=attached)


def _put(element: Element, new: Mapping[int, Element], missing: set[int]) -> Element:
    children = tuple(_put(child, new, missing) for child in element.children)
    found = new.get(written_id(element.id))
    if found is None or found.tag != element.tag:
        return element if all(now is before for now, before in zip(children, element.children, strict=True)) else element.with_changes(children=children)
    missing.discard(written_id(element.id))
    return element.with_changes(children=children, attrs=found.attrs)


def moved_issues(issues: Iterable[Issue], old: Element, new: Element) -> list[Issue]:
    """Problems at the places that they have in a later tree of as many elements, which only has other attributes; where a place is not that of an element or of an
    attribute, so far from its element as before."""
    issues = list(issues)
    wanted = {issue.place for issue in issues if issue.place is not None and issue.place.line > 0}
    if not wanted:
        return issues
    pairs, stack = [], [(old, new)]
    while stack:
        one, other = stack.pop()
        pairs.append((one.origin[:3], one, other))
        stack.extend(zip(one.children, other.children))
    pairs.sort(key=lambda pair: pair[0])
    starts, moved = [pair[0] for pair in pairs], {}
    for place in wanted:
        k = bisect_left(starts, (*place[:2], place.column + 1)) - 1
        if k >= 0 and pairs[k][1].origin.file == place.file:
            moved[place] = _moved(place, *pairs[k][1:])
    return [replace(issue, place=moved.get(issue.place, issue.place)) for issue in issues]


def _moved(place: Place, old: Element, new: Element) -> Place:
    name = next((name for name in old.attrs if place != old.place and old.attr_place(name) == place), None)
    if name is not None and name in new.attrs:
        return new.attr_place(name)
    columns = new.origin.column - old.origin.column if place.line == old.origin.line else 0
    return Place(place.file, place.line + new.origin.line - old.origin.line, max(1, place.column + columns) if place.column else 0)
