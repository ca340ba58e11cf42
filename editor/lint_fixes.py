"""The changes that mend findings (physics/lint/fix.py) as an edit of the texts."""
from __future__ import annotations

from collections.abc import Iterable

from editor.edits.attribute_patches import patches_of
from editor.edits.element_patches import NewElement, insert_before, insert_last, removal
from editor.edits.patch import Edit, Patch
from editor.edits.sections import SECTIONS, insert_section
from editor.edits.version import Version
from physics.lint.fix import Fix, Insert, Remove, SetAttribute, SetWords
from physics.spec.element import Element

__all__ = ["edit_of"]


def edit_of(version: Version, fixes: Iterable[Fix], label: str = "") -> Edit:
    """One edit that does all of these, of a version in which the elements still are. Where two set the same attribute, or the same word of it, the first counts; what stands in
    something that is removed goes with it. label: the first fix's where there is none. Raises ValueError for an element that is gone, or does not stand in a text of the document."""
    fixes = list(fixes)
    changes = list(dict.fromkeys(change for fix in fixes for change in fix.changes))
    gone = {change.element for change in changes if isinstance(change, Remove)}
    values: dict[int, dict[str, str | None]] = {}
    words: dict[tuple[int, str], dict[int, str]] = {}
    patches: list[Patch] = []
    for change in changes:
        if isinstance(change, SetAttribute):
            if not _is_gone(version, change.element, gone):
                values.setdefault(change.element, {}).setdefault(change.name, change.value)
        elif isinstance(change, SetWords):
            if not _is_gone(version, change.element, gone):
                known = words.setdefault((change.element, change.name), {})
                known |= {k: word for k, word in change.words if k not in known}
        elif isinstance(change, Remove):
            element = _element(version, change.element)
            if not _is_gone(version, _parent_id(version, change.element), gone):
                patches.append(removal(_text(version, element), element))
    for (number, name), some in words.items():
        values.setdefault(number, {}).setdefault(name, _with_words(_element(version, number), name, some))
    patches += patches_of(version.texts, ((_element(version, number), given) for number, given in values.items()))
    patches += _insertions(version, [change for change in changes if isinstance(change, Insert)])
    return Edit(label or (fixes[0].label if fixes else ""), tuple(patches))


def _element(version: Version, number: int) -> Element:
    element = version.element(number)
    if element is None:
        raise ValueError("the text has changed since: the element is gone")
    return element


def _with_words(element: Element, name: str, words: dict[int, str]) -> str:
    """An attribute's text with other words. Raises ValueError where there are too few."""
    own = element.attrs.get(name, "").split()
    if max(words) >= len(own):
        raise ValueError(f"the text has changed since: {name} is shorter")
    return " ".join(words.get(k, word) for k, word in enumerate(own))


def _text(version: Version, element: Element) -> str:
    text = version.texts.get(element.origin.file)
    if text is None:
        raise ValueError(f"{element.origin.file} is no text of this document")
    return text


def _parent_id(version: Version, number: int) -> int:
    parent = version.parent(number)
    return parent.id if parent is not None else 0


def _is_gone(version: Version, number: int, gone: set[int]) -> bool:
    """Whether an element, or something that it stands in, is taken out."""
    while number:
        if number in gone:
            return True
        number = _parent_id(version, number)
    return False


# ------------------------------------------------------------------ new elements

def _insertions(version: Version, inserts: list[Insert]) -> list[Patch]:
    """New elements in sections that there are, others in a new one for all of them."""
    patches, missing = [], {}
    for insert in inserts:
        parent = _element(version, insert.parent)
        new = NewElement(insert.tag, dict(insert.attrs))
        if insert.section:
            section = next((child for child in parent.children if child.tag == insert.section and child.origin.file in version.texts), None)
            if section is None:
                missing.setdefault((parent.id, insert.section), []).append(new)
                continue
            parent = section
        elif insert.tag in SECTIONS and parent is version.root:
            patches.append(insert_section(_text(version, parent), parent, new))
            continue
        patches.append((parent, new))
    for (number, tag), children in missing.items():
        root = _element(version, number)
        patches.append(insert_section(_text(version, root), root, NewElement(tag, {}, tuple(children))))
    return [patch for patch in patches if isinstance(patch, Patch)] + _last_in(version, [row for row in patches if not isinstance(row, Patch)])


def _last_in(version: Version, rows: list[tuple[Element, NewElement]]) -> list[Patch]:
    """Patches for all new children of each parent; where that was `<a/>` or `<a></a>` they make one patch."""
    by_parent: dict[int, tuple[Element, list[NewElement]]] = {}
    for parent, new in rows:
        by_parent.setdefault(parent.id, (parent, []))[1].append(new)
    out = []
    for parent, children in by_parent.values():
        text = _text(version, parent)
        first = [insert_last(text, parent, child) for child in children]
        if len(first) == 1 or all(patch.start == patch.end for patch in first):
            out += first
        else:       # the whole of it is written anew
            out.append(Patch(parent.origin.file, parent.origin.start, parent.origin.end, _whole(text, parent, children)))
    return out


def _whole(text: str, parent: Element, children: list[NewElement]) -> str:
    patch = insert_before(text, parent, NewElement(parent.tag, dict(parent.attrs), tuple(children)))
    return patch.text.strip()
