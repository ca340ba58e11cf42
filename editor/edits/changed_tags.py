"""The version after an edit that changes numbers in opening tags and nothing else, without reading the texts again: what every motion of a drag does.

    version before + edit --with_changed_tags--> the version that reading the texts would give; None where more than that follows

The tags that are touched are read by themselves and checked by the language's table; all elements behind them move. Whatever is not plain is left to the reader: entities, line
ends, names and what refers to them, tags of which there is something to tell.
"""
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType

from editor.edits.patch import Edit, Patch, apply
from editor.edits.version import Ids, Version
from physics.mjcf.check import ElementChecks
from physics.mjcf.include import TextSource
from physics.mjcf.reader import ReadResult
from physics.mjcf.xml import TextIndex
from physics.schema import schema
from physics.schema.schema import ElementSpec
from physics.spec.element import NO_ATTRS, Element, Origin

__all__ = ["with_changed_tags"]

_NUMBERS = ("real", "int", "bool")      # types of attributes that nothing outside their element depends on
_VALUE = r"""(?:"[^"<&]*"|'[^'<&]*')"""
_TAG = re.compile(rf"<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w.-]*\s*=\s*{_VALUE})*)\s*(/?)>", re.ASCII)
_SPACE = re.compile(r"\r\n|[\t\r\n]")      # what stands for one space in a value
_ATTRIBUTE = re.compile(rf"([A-Za-z_][\w.-]*)\s*=\s*({_VALUE})", re.ASCII)


class _NotPlain(Exception):
    """The reader has to look."""


def with_changed_tags(before: Version, edit: Edit, texts: Mapping[str, str], main: str, base_dir: str | None, ids: Ids) -> Version | None:
    """The version of these texts, which are those of a good version after an edit; None where the texts have to be read. ids: of their elements."""
    read = before.read
    if read.root is None or read.root.id < 0 or read.broken or before.main != main or before.base_dir != base_dir or texts.keys() != before.texts.keys():
        return None     # below 0: made of another language's elements
    if len(edit.files) != 1 or any(issue.severity == "error" for issue in read.issues):
        return None
    file = edit.files[0]
    old = read.sources.get(file)
    if old is None or old != before.texts.get(file) or any(file in other.sources for other in read.attached.values()):
        return None
    if any(texts[key] != text for key, text in before.texts.items() if key != file) or apply(before.texts, edit)[file] != texts[file]:
        return None
    try:
        change = _Change(file, old, texts[file], sorted(edit.patches, key=lambda patch: (patch.start, patch.end)),
                         any(issue.place is None or issue.place.file == file for issue in read.issues))
        root = change.root(read.root)
    except _NotPlain:
        return None
    if change.met < len(change.patches) or any(issue.place is None or issue.place.file == file and issue.place.line in change.lines for issue in read.issues):
        return None     # a comment, a place that has moved
    included = {key: text for key, text in texts.items() if key != main}
    sources = {**read.sources, file: texts[file]}
    again = ReadResult(root, list(read.issues), sources, read.main, read.base_dir, TextSource(base_dir, included), attached=dict(read.attached), ids=ids)
    return Version(main, base_dir, MappingProxyType(dict(texts)), again, ids)


class _Change:
    """Patches of one file, in the order of their places; told: whether there was anything to tell of this file. met: how many stand in an opening tag, as far as the tree was
    looked through."""

    def __init__(self, file: str, old: str, new: str, patches: Sequence[Patch], told: bool):
        self.file, self.patches, self.met, self._told = file, patches, 0, told
        self._old, self._new, self._index = old, new, TextIndex(new)
        if any(not (patch.text + old[patch.start:patch.end]).isprintable() for patch in patches):
            raise _NotPlain     # line ends among others
        self._starts, self._ends = [patch.start for patch in patches], [patch.end for patch in patches]
        self._moved = [0, *accumulate(patch.growth for patch in patches)]
        before = TextIndex(old)
        self._lines = [before.line_column(patch.start)[0] for patch in patches]
        self.lines = frozenset(self._lines)
        self._trail: list[Element] = []
        self._checks = ElementChecks()

    def root(self, root: Element) -> Element:
        """The tree with all elements as they are now. Raises _NotPlain."""
        return self._now(root)

    def _now(self, element: Element) -> Element:
        origin = element.origin
        if origin.file != self.file:
            return self._elsewhere(element)
        first, behind = bisect_right(self._ends, origin.start), bisect_left(self._starts, origin.end)
        moved, aside = self._moved[first], self._aside(origin.line, first)
        attrs = element.attrs
        if behind <= first:     # nothing has changed in it
            if not moved and not aside:
                return element
            children = tuple([self._now(child) for child in element.children]) if element.children else element.children
        else:
            self._trail.append(element)
            inside = bisect_left(self._starts, origin.open_end)
            if inside > first:
                attrs = self._attrs(element, first, inside)
            children = tuple([self._now(child) for child in element.children])
            self._trail.pop()
        place = Origin(origin.file, origin.line, origin.column + aside, origin.start + moved, origin.end + self._moved[behind], self._index, origin.included_by)
        return Element(element.id, element.tag, attrs, children, place)

    def _elsewhere(self, element: Element) -> Element:
        """An element of another file, which may hold some of this one; it has come by an include, which must not have moved."""
        if any(place.file == self.file and place.line in self.lines for place in element.origin.included_by):
            raise _NotPlain
        if not element.children:
            return element
        self._trail.append(element)
        children = tuple([self._now(child) for child in element.children])
        self._trail.pop()
        same = all(now is before for now, before in zip(children, element.children, strict=True))
        return element if same else element.with_changes(children=children)

    def _aside(self, line: int, first: int) -> int:
        """By how much what stands behind so many patches has moved along its line."""
        if line not in self.lines:
            return 0
        begin = bisect_left(self._lines, line)      # the patches stand in the order of their places
        return self._moved[first] - self._moved[begin] if begin < first else 0

    # ------------------------------------------------ the tags that are touched

    def _attrs(self, element: Element, first: int, inside: int) -> Mapping[str, str]:
        """Attributes of an element with these patches in its opening tag."""
        start, end = element.origin.start, element.origin.open_end
        patches = self.patches[first:inside]
        if patches[0].start <= start or patches[-1].end >= end:
            raise _NotPlain
        tag, now, closes = _plain(self._new[start + self._moved[first]:end + self._moved[inside]])
        if tag != element.tag or closes != self._old.startswith("/>", end - 2):
            raise _NotPlain
        attrs = {name: _SPACE.sub(" ", value) for name, value in now.items()}
        changed = {name for name in attrs.keys() | element.attrs.keys() if attrs.get(name) != element.attrs.get(name)}
        if not all(attrs.get(name, "").isprintable() for name in changed):
            raise _NotPlain
        made = element.with_changes(attrs=MappingProxyType(attrs) if attrs else NO_ATTRS)
        self._check(element, made, changed)
        self.met += len(patches)
        return made.attrs

    def _check(self, old: Element, new: Element, changed: Iterable[str]) -> None:
        """Raises _NotPlain where more than numbers has changed, or there is something to tell of the element. changed: the attributes that have."""
        spec = self._spec()
        for name in changed:
            known = spec.attributes.get(name)
            if known is None or known.type not in _NUMBERS:
                raise _NotPlain
        if (self._told and self._checks.issues(old, spec.path)) or self._checks.issues(new, spec.path):
            raise _NotPlain

    def _spec(self) -> ElementSpec:
        """Of the innermost element of the trail."""
        spec = schema.lookup("mujoco") if self._trail[0].tag == "mujoco" else None
        for element in self._trail[1:]:
            spec = schema.child_spec(spec.path, element.tag) if spec is not None else None
        if spec is None:
            raise _NotPlain
        return spec


def _plain(words: str) -> tuple[str, dict[str, str], bool]:
    """(name, attributes as they stand between their quotes, whether it closes itself) of an opening tag without entities."""
    found = _TAG.fullmatch(words)
    if found is None:
        raise _NotPlain
    given = _ATTRIBUTE.findall(found[2])
    attrs = {name: value[1:-1] for name, value in given}
    if len(attrs) != len(given):
        raise _NotPlain
    return found[1], attrs, bool(found[3])
