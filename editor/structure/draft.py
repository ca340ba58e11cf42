"""An operation in the making: small changes of a version's texts one after the other, which come to one Edit in the end.

    draft = Draft(version) -> insert, move, remove, set ... -> change(label): Change, an Edit with what is to be selected after it

Elements are known by their ids, which stay through every step; also those of what is moved.
"""
from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from editor.edits.attribute_patches import patches_of
from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last, removal
from editor.edits.indentation import indent_before, is_blank_behind, reindented, unit_of, with_comment_above, with_line_ends
from editor.edits.patch import Edit, Patch, compose
from editor.edits.sections import place_of_section
from editor.edits.version import Version, outward
from editor.structure.keyframes import key_patches
from editor.wording import what
from physics.files.text_codec import line_end
from physics.schema import schema
from physics.schema.schema import ElementSpec
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["Change", "Draft", "Refusal", "outermost", "spec_of"]

_COMMENTS = re.compile(r"(?:<!--.*?-->\s*)*", re.DOTALL)
_MARK = "\0"


class Refusal(ValueError):
    """What was asked for cannot be done; the text says why."""


class Change(NamedTuple):
    """edit: all that is to be done. places: where what is to be selected after it begins, as (file, offset) in the texts after it. notes: what the user should know."""

    edit: Edit
    places: tuple[tuple[str, int], ...] = ()
    notes: tuple[str, ...] = ()


def spec_of(version: Version, number: int) -> ElementSpec | None:
    """What the language says of the kind of an element; None for one that it does not know, or that there is not."""
    *inside, root = list(outward(version, number)) or [None]
    spec = schema.lookup("mujoco") if root is not None and root.tag == "mujoco" else None
    for below in reversed(inside):
        spec = schema.child_spec(spec.path, below.tag) if spec is not None else None
    return spec


def text_of(version: Version, element: Element) -> str:
    """Text of the file an element stands in. Raises Refusal where the document does not have that, as for files that were found beside an untitled model."""
    text = version.texts.get(element.origin.file)
    if text is None:
        raise Refusal(f"{what(element)} stands in {os.path.basename(element.origin.file) or 'a file'}, which is no text of this document")
    return text


class Draft:
    """first: the version that it began with; version: as it is by now. Raises Refusal for texts that are no MJCF."""

    def __init__(self, version: Version):
        root = version.root
        if root is None:
            raise Refusal("The text cannot be read as XML: mend it first")
        text = version.texts.get(root.origin.file, "")
        if root.tag != "mujoco" or not re.match(r"<\s*mujoco\b", text[root.origin.start:root.origin.start + 40]):
            raise Refusal("Only MJCF can be changed here: save the model as MJCF first")
        self.first = self.version = version
        self.patched = Edit("", ())
        self.notes: list[str] = []
        self.became: dict[int, list[int]] = {}     # element whose copies stand in its place -> their ids, for keyframes

    # ------------------------------------------------------------------ looking

    @property
    def root(self) -> Element:
        """The tree by now."""
        return self.version.root

    def element(self, number: int) -> Element:
        """The element with an id. Raises Refusal where there is none any more, and for one of an attached model: these are changed as editor.structure.attached has it."""
        found = self.version.element(number)
        if found is None:
            raise Refusal("The element is no longer there")
        if self.version.root_of(number) is not self.root:
            raise Refusal(f"{what(found)} stands in the attached file {os.path.basename(found.origin.file)}: change it there")
        return found

    def parent(self, number: int) -> Element:
        """What an element stands in. Raises Refusal for the root."""
        found = self.version.parent(number)
        if found is None:
            raise Refusal("The root of the model stays as it is")
        return found

    def text(self, element: Element) -> str:
        """Text of the file an element stands in. Raises Refusal where the document does not have that."""
        return text_of(self.version, element)

    def resolver(self) -> Resolver:
        """Default classes of the tree by now."""
        return Resolver(self.root)

    def names(self) -> Names:
        """Names of the tree by now."""
        return Names(self.root)

    def spec(self, number: int) -> ElementSpec:
        """What the language says of the kind of an element. Raises Refusal for one that it does not know."""
        spec = spec_of(self.version, number)
        if spec is None:
            raise Refusal(f"MJCF has no <{self.element(number).tag}> here")
        return spec

    # ------------------------------------------------------------------ changing

    def put(self, patches: Iterable[Patch], back: Mapping[str, Mapping[int, int]] | None = None) -> None:
        """Patches of the texts by now. back: ids of elements that they put back. Raises Refusal where no XML would be left."""
        step = Edit("", tuple(patches))
        if not step.patches:
            return
        after = self.version.after(step, back)
        if after.root is None:
            raise Refusal("The text would be no XML any more")
        self.version, self.patched = after, compose(self.patched, step)

    def with_file(self, key: str) -> None:
        """A file that there is not yet takes part, empty."""
        if key not in self.version.texts:
            self.version = replace(self.version, texts=MappingProxyType({**self.version.texts, key: ""}))

    def set(self, number: int, values: Mapping[str, str | None]) -> None:
        """Attributes of an element; None takes one away."""
        self.set_all({number: values})

    def set_all(self, values: Mapping[int, Mapping[str, str | None]]) -> None:
        """Attributes of several elements."""
        self.put(patches_of(self.version.texts, ((self.element(number), some) for number, some in values.items())))

    def remove(self, numbers: Iterable[int], with_comment: bool = True, others: Iterable[Patch] = ()) -> None:
        """Take elements out, none of which stands in another. with_comment: with a comment that stands directly above. others: patches of the same step."""
        found = [self.element(number) for number in numbers]
        patches = [removal(self.text(one), one, with_comment) for one in found]
        self.put(_apart([*patches, *others]))

    def insert(self, new: NewElement | Sequence[str], *, last_in: int | None = None, before: int | None = None, after: int | None = None) -> int:
        """Put an element into a place; its id. new: what is written, or its lines, the first without indentation."""
        patch, begins = self._insertion(new, last_in, before, after)
        self.put([patch])
        found = self.version.ids.get(patch.file, {}).get(patch.start + begins)
        if found is None or self.version.element(found) is None:
            raise Refusal("The text cannot be put there")
        return found

    def _insertion(self, new: NewElement | Sequence[str], last_in: int | None, before: int | None, after: int | None) -> tuple[Patch, int]:
        """(the patch, where in its text the element begins)."""
        probe = self._probe(last_in, before, after)
        text = self.version.texts[probe.file]
        at = probe.text.index(_MARK)
        indent = indent_before(probe.text, at) if len(probe.text) > 1 else None
        lines = new.lines(unit_of(text)) if isinstance(new, NewElement) else list(new)
        words = "".join(line.strip() if isinstance(new, NewElement) else line for line in lines) if indent is None else reindented(line_end(text).join(lines), "", indent)
        return probe._replace(text=probe.text.replace(_MARK, words)), at + _COMMENTS.match(words).end()

    def _probe(self, last_in: int | None, before: int | None, after: int | None) -> Patch:
        """A patch that puts a mark where an element would come."""
        if last_in is not None:
            parent = self.element(last_in)
            return insert_last(self.text(parent), parent, _MARK)
        sibling = self.element(before if before is not None else after)
        text = self.text(sibling)
        if before is None:
            return insert_after(text, sibling, _MARK)
        previous = self._previous(sibling)      # so that a comment above the sibling stays with it
        if previous is not None and is_blank_behind(text, previous.origin.end) and indent_before(text, previous.origin.start) is not None:
            return insert_after(text, previous, _MARK)
        return insert_before(text, sibling, _MARK)

    def _previous(self, sibling: Element) -> Element | None:
        """The one directly before, of the same parent and file; none where an include stands between."""
        inside = self.parent(sibling.id).children
        at = next(i for i, child in enumerate(inside) if child.id == sibling.id)
        if not at or inside[at - 1].origin.file != sibling.origin.file or inside[at - 1].origin.included_by != sibling.origin.included_by:
            return None
        between = self.text(sibling)[inside[at - 1].origin.end:sibling.origin.start]
        return None if "<include" in between else inside[at - 1]

    def move(self, number: int, *, last_in: int | None = None, before: int | None = None, after: int | None = None) -> None:
        """Put the same characters into another place, with the comment directly above, indented as it is usual there. Raises Refusal where that lies in the element."""
        element = self.element(number)
        goal = self.element(next(one for one in (last_in, before, after) if one is not None))
        if any(inside.id == goal.id for inside in element.walk()):
            raise Refusal(f"{what(element)} cannot be moved into itself")
        text, probe = self.text(element), self._probe(last_in, before, after)
        start, end = element.origin.start, element.origin.end
        start = with_comment_above(text, start)
        words, old = text[start:end], indent_before(text, element.origin.start)
        at = probe.text.index(_MARK)
        new = indent_before(probe.text, at) if len(probe.text) > 1 else None
        if old is not None and new is not None:
            words = reindented(words, old, new)
        there = self.version.texts[probe.file]
        words = with_line_ends(words, text, there)
        taken = removal(text, element, start != element.origin.start)
        put = probe._replace(text=probe.text.replace(_MARK, words))
        if taken.file == put.file and taken.start < put.start < taken.end:
            return      # it stands there already
        begins = put.start + at + _COMMENTS.match(words).end()
        if taken.file == put.file and taken.start < put.start:
            begins += taken.growth
        self._moved(element, [taken, put], put.file, begins)

    def _moved(self, element: Element, patches: list[Patch], file: str, begins: int) -> None:
        """Do what moves an element, and give what it holds its ids again. begins: where it is after that."""
        after = self.version.after(Edit("", tuple(patches)))
        made = next((one for one in after.root.walk() if one.origin.file == file and one.origin.start == begins), None) if after.root is not None else None
        if made is None:
            raise Refusal(f"{what(element)} cannot be put there")
        old = [one for one in element.walk() if one.origin.file == element.origin.file]
        new = [one for one in made.walk() if one.origin.file == file]
        self.put(patches, {file: {b.origin.start: a.id for a, b in zip(old, new)}})

    def section(self, tag: str) -> int:
        """The id of a section of the model, made in the usual order where there is none."""
        found = [one for one in self.root.all(tag) if one.attrs.get("class", "main") == "main" or tag != "default"]
        own = [one for one in found if not self.root.included(one)]
        if found:
            return (own or found)[-1].id
        where, beside = place_of_section(self.root, tag)
        return self.insert(NewElement(tag), **{where: beside.id})

    # ------------------------------------------------------------------ the end

    def change(self, label: str, chosen: Iterable[int] = (), keyframes: bool = True) -> Change:
        """All of it as one Edit. chosen: ids of what is to be selected. keyframes: keep the numbers of keyframes with their joints, actuators and mocap bodies."""
        if keyframes:
            self.put(key_patches(self.first, self.version, self.became))
        if all(text == self.first.texts.get(file) for file, text in self.version.texts.items()):
            return Change(Edit(label, ()), (), tuple(self.notes))
        origins = [found.origin for number in chosen if (found := self.version.element(number)) is not None]
        return Change(Edit(label, self.patched.patches), tuple((origin.file, origin.start) for origin in origins), tuple(self.notes))


def _apart(patches: Iterable[Patch]) -> list[Patch]:
    """Removals of which none overlaps another: those that do become one."""
    out: list[Patch] = []
    for patch in sorted(patches):
        if out and out[-1].file == patch.file and patch.start < out[-1].end:
            out[-1] = out[-1]._replace(end=max(out[-1].end, patch.end))
        else:
            out.append(patch)
    return out


def outermost(version: Version, numbers: Iterable[int]) -> list[int]:
    """Ids of elements that there are, without those that stand in others of them, in document order. The root is never among them."""
    wanted, out = set(numbers), []
    stack = [version.root] if version.root is not None else []
    while stack:
        element = stack.pop()
        if element.id in wanted and element is not version.root:
            out.append(element.id)
        else:
            stack.extend(reversed(element.children))
    return out
