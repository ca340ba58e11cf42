"""What differs between two versions of a tree.

Versions made by spec/tree.py share all untouched subtrees, so comparing by identity visits only what changed. Two separate readings
of a text share nothing; `same_content` compares those by value.
"""

from __future__ import annotations

from dataclasses import dataclass

from physics.spec.element import Element

__all__ = ["Diff", "difference", "same_content"]


@dataclass(frozen=True, slots=True)
class Diff:
    """Ids of elements added, removed, and changed in place (attributes, or the order or set of children)."""

    added: frozenset[int]
    removed: frozenset[int]
    changed: frozenset[int]

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def difference(old: Element, new: Element) -> Diff:
    """Compare two versions by element identity and id; unchanged subtrees are never entered."""
    gone: dict[int, Element] = {}
    come: dict[int, Element] = {}
    changed: set[int] = set()
    stack = [(old, new)]
    while stack:
        before, after = stack.pop()
        if before is after:
            continue
        if before.id != after.id:
            gone[before.id], come[after.id] = before, after
            continue
        old_ids = [child.id for child in before.children]
        new_ids = [child.id for child in after.children]
        if old_ids != new_ids or dict(before.attrs) != dict(after.attrs) or before.tag != after.tag:
            changed.add(after.id)
        old_children = {child.id: child for child in before.children}
        for child in after.children:
            twin = old_children.pop(child.id, None)
            if twin is None:
                come[child.id] = child
            elif twin is not child:
                stack.append((twin, child))
        gone.update(old_children)
    return _settle(gone, come, changed)


def _settle(gone: dict[int, Element], come: dict[int, Element], changed: set[int]) -> Diff:
    """Whole subtrees that left or arrived, with moved ones (in both) counted as neither."""
    left = {e.id: e for top in gone.values() for e in top.walk()}
    arrived = {e.id: e for top in come.values() for e in top.walk()}
    moved = left.keys() & arrived.keys()
    changed |= {i for i in moved if left[i] is not arrived[i] and dict(left[i].attrs) != dict(arrived[i].attrs)}
    return Diff(frozenset(arrived.keys() - moved), frozenset(left.keys() - moved), frozenset(changed))


def same_content(a: Element, b: Element) -> bool:
    """True when two trees say the same: tags, attributes (in any order) and children in order."""
    stack = [(a, b)]
    while stack:
        x, y = stack.pop()
        if x is y:
            continue
        if x.tag != y.tag or len(x.children) != len(y.children) or dict(x.attrs) != dict(y.attrs):
            return False
        stack.extend(zip(x.children, y.children, strict=True))
    return True
