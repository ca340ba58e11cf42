"""An operation in the making: small changes of a version's texts one after the other, which come to one Edit in the end.

    draft = Draft(version) -> insert, move, remove, set ... -> change(label): Change, an Edit with what is to be selected after it

Elements are known by their ids, which stay through every step; also those of what is moved.
"""
from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from editor.edits.attribute_patches import patches_of
from editor.edits.element_patches import NewElement, insert_after, insert_before, insert_last, removal
from editor.edits.indentation import LINE_END, behind_comment, indent_before, is_blank_behind, reindented, unit_of, with_comment_above, with_line_ends
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

__all__ = ["Change", "Draft", "Refusal", "outermost", "spec_of", "text_of"]

_COMMENTS = re.compile(r"(?:<!--.*?-->\s*)*", re.DOTALL)
_MARK = "\0"
Emptied = tuple[Iterable[Patch], Container[int]]     # patches that take tags of includes away, and ids of what goes with these
New = NewElement | Sequence[str]        # what is written, or its lines, the first without indentation


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
        found = [(self.element(number), some) for number, some in values.items() if some]
        for element, _some in found:
            self.text(element)      # raises Refusal
        self.put(patches_of(self.version.texts, found))

    def remove(self, numbers: Iterable[int], with_comment: bool = True, others: Iterable[Patch] = ()) -> None:
        """Take elements out, none of which stands in another. with_comment: with a comment that stands directly above. others: patches of the same step."""
        found = [self.element(number) for number in numbers]
        patches = [removal(self.text(one), one, with_comment) for one in found]
        self.put(_apart([*patches, *others]))

    def insert(self, new: New, *, last_in: int | None = None, before: int | None = None, after: int | None = None) -> int:
        """Put an element into a place; its id. new: what is written, or its lines, the first without indentation."""
        return self.insert_all([(new, {"last_in": last_in, "before": before, "after": after})])[0]

    def insert_all(self, wanted: Iterable[tuple[New, Mapping[str, int | None]]]) -> list[int]:
        """Put elements into places of the version by now, in one step; their ids. Each place as of `insert`; those for one place come one behind the other."""
        groups: dict[tuple, list[tuple[int, New]]] = {}
        for k, (new, place) in enumerate(wanted):
            groups.setdefault((place.get("last_in"), place.get("before"), place.get("after")), []).append((k, new))
        rows = [(*self._insertion([new for _k, new in group], *place), [k for k, _new in group]) for place, group in groups.items()]
        rows.sort(key=lambda row: row[0][:3])
        if any(a[0].file == b[0].file and a[0].end > b[0].start for a, b in zip(rows, rows[1:])):
            return self._one_by_one(groups)
        self.put([patch for patch, _begins, _numbers in rows])
        found, grown = {}, {}
        for patch, begins, numbers in rows:
            moved = grown.get(patch.file, 0)
            found |= {k: self.version.ids.get(patch.file, {}).get(patch.start + moved + at) for k, at in zip(numbers, begins, strict=True)}
            grown[patch.file] = moved + patch.growth
        if any(number is None or self.version.element(number) is None for number in found.values()):
            raise Refusal("The text cannot be put there")
        return [found[k] for k in sorted(found)]

    def _one_by_one(self, groups: Mapping[tuple, list[tuple[int, New]]]) -> list[int]:
        """The same for places within each other."""
        found = {k: made for place, group in groups.items()
                 for (k, _new), made in zip(group, self.insert_all([(new, dict(zip(("last_in", "before", "after"), place, strict=True))) for _k, new in group]), strict=True)}
        return [found[k] for k in sorted(found)]

    def _insertion(self, elements: Sequence[New], last_in: int | None, before: int | None, after: int | None) -> tuple[Patch, list[int]]:
        """(the patch, where in its text each element begins)."""
        probe = self._probe(last_in, before, after)
        text = self.version.texts[probe.file]
        pieces = []
        at = probe.text.index(_MARK)
        indent = indent_before(probe.text, at) if len(probe.text) > 1 else None
        for new in elements:
            lines = new.lines(unit_of(text)) if isinstance(new, NewElement) else list(new)
            if indent is not None:
                pieces.append(reindented(line_end(text).join(lines), "", indent))
            else:       # within a line
                pieces.append(("" if isinstance(new, NewElement) else " ").join(line.strip() for line in lines if line.strip()))
        words, starts = _joined(pieces, line_end(text) + indent if indent is not None else "")
        return probe._replace(text=probe.text.replace(_MARK, words)), [at + start + _COMMENTS.match(piece).end() for start, piece in zip(starts, pieces, strict=True)]

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
        if previous is not None and is_blank_behind(text, behind_comment(text, previous.origin.end)) and indent_before(text, previous.origin.start) is not None:
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
        self.move_all([number], last_in=last_in, before=before, after=after)

    def move_all(self, numbers: Sequence[int], *, last_in: int | None = None, before: int | None = None, after: int | None = None, emptied: Emptied = ((), ())) -> None:
        """The same for several elements, which come one behind the other, in one step. emptied: of includes that have nothing left then (editor.structure.includes.emptied)."""
        elements = [self.element(number) for number in numbers]
        goal = self.element(next(one for one in (last_in, before, after) if one is not None))
        for element in elements:
            if any(inside.id == goal.id for inside in element.walk()):
                raise Refusal(f"{what(element)} cannot be moved into itself")
        probe = self._probe(last_in, before, after)
        there, at = self.version.texts[probe.file], probe.text.index(_MARK)
        indent = indent_before(probe.text, at) if len(probe.text) > 1 else None
        pieces = [_Moved.of(element, self.text(element), indent, there) for element in elements]
        words, starts = _joined([piece.words for piece in pieces], line_end(there) + indent if indent is not None else "")
        put = probe._replace(text=probe.text.replace(_MARK, words))
        tags, whole = emptied
        taken = _apart([*(removal(self.text(element), element, True) for element in elements if element.id not in whole), *tags])
        if any(one.file == put.file and one.start < put.end and put.start < one.end for one in taken):
            if len(numbers) == 1:
                return      # it stands there already
            for number in numbers if after is None else reversed(numbers):
                self.move(number, last_in=last_in, before=before, after=after)
            return
        begins = put.start + at + sum(one.growth for one in taken if one.file == put.file and one.start < put.start)
        back = {begins + start + place: inner for piece, start in zip(pieces, starts, strict=True) for place, inner in piece.places.items()}
        self.put([*taken, put], {put.file: back})
        for element in elements:
            if self.version.element(element.id) is None:
                raise Refusal(f"{what(element)} cannot be put there")

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


class _Moved(NamedTuple):
    """The text of an element as it is to stand elsewhere, and where in it the elements begin that it holds, itself among them: {offset: id}."""

    words: str
    places: Mapping[int, int]

    @classmethod
    def of(cls, element: Element, text: str, indent: str | None, there: str) -> _Moved:
        """With comments above it and behind it on its line. indent: of the new place, None within a line; there: the text that it comes into."""
        start, end, old = with_comment_above(text, element.origin.start), behind_comment(text, element.origin.end), indent_before(text, element.origin.start)
        before = text[start:end]
        after = with_line_ends(reindented(before, old, indent) if old is not None and indent is not None else before, text, there)
        return cls(after, dict(_carried(before, after, [(one.origin.start - start, one.id) for one in element.walk() if one.origin.file == element.origin.file])))


def _carried(before: str, after: str, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """(where a character of a text is in the same lines at another indentation, with other ends, what is given with it)."""
    old, new = ([*(found.start() for found in LINE_END.finditer(text)), len(text)] for text in (before, after))
    for at, number in places:
        line = bisect_left(old, at)
        yield new[line] - (old[line] - at), number


def _joined(pieces: Sequence[str], between: str) -> tuple[str, list[int]]:
    """Texts one behind the other, and where each begins."""
    starts, at = [], 0
    for piece in pieces:
        starts.append(at)
        at += len(piece) + len(between)
    return between.join(pieces), starts


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
