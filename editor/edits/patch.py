"""Changes of texts: an Edit puts other text in place of some pieces of some files.

    texts --apply(edit)--> texts        inverse(edit, texts) takes it back, byte for byte        compose(first, second): one edit for two in a row

Places of an edit's patches are character offsets in the texts before it.
"""
from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

__all__ = ["Edit", "Patch", "apply", "compose", "edit_between", "inverse", "shifted"]


class Patch(NamedTuple):
    """Put `text` in place of the characters from `start` up to `end` of a file (its key in the document)."""

    file: str
    start: int
    end: int
    text: str

    @property
    def growth(self) -> int:
        """Characters that the file gains."""
        return len(self.text) - (self.end - self.start)


@dataclass(frozen=True, slots=True)
class Edit:
    """label: for the list of what can be undone. patches: of one or several files, in any order, no two of which overlap; two that put text in at the same place keep
    their order. merge: edits in a row with the same key, other than None, are undone together."""

    label: str
    patches: tuple[Patch, ...]
    merge: Hashable = None

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it changes."""
        return tuple(dict.fromkeys(patch.file for patch in self.patches))

    @property
    def size(self) -> int:
        """Characters it holds."""
        return sum(len(patch.text) for patch in self.patches)


def apply(texts: Mapping[str, str], edit: Edit) -> dict[str, str]:
    """The texts of the files that an edit changes, after it. Raises ValueError for a file that there is not, a place outside its text, and patches that overlap."""
    return {file: _patched(texts, file, patches) for file, patches in _by_file(edit.patches)}


def _by_file(patches: Iterable[Patch]) -> list[tuple[str, list[Patch]]]:
    """Patches of each file in the order of their places."""
    ordered = sorted(patches, key=lambda patch: (patch.file, patch.start, patch.end))
    return [(file, list(found)) for file, found in groupby(ordered, key=lambda patch: patch.file)]


def _patched(texts: Mapping[str, str], file: str, patches: list[Patch]) -> str:
    if file not in texts:
        raise ValueError(f"there is no text of {file}")
    text, pieces, at = texts[file], [], 0
    for patch in patches:
        if not at <= patch.start <= patch.end <= len(text):
            raise ValueError(f"{file}: characters {patch.start} to {patch.end} overlap another change" if patch.start < at else
                             f"{file}: characters {patch.start} to {patch.end} are not within the {len(text)} of the text")
        pieces += [text[at:patch.start], patch.text]
        at = patch.end
    return "".join((*pieces, text[at:]))


def inverse(edit: Edit, texts: Mapping[str, str]) -> Edit:
    """The edit that takes this one back. texts: as they are before it."""
    patches = []
    for file, ordered in _by_file(edit.patches):
        moved = 0
        for patch in ordered:
            start = patch.start + moved
            patches.append(Patch(file, start, start + len(patch.text), texts[file][patch.start:patch.end]))
            moved += patch.growth
    return Edit(edit.label, tuple(patches), edit.merge)


def shifted(offset: int, patches: Iterable[Patch], file: str) -> int | None:
    """Where a character of a file is after patches; None for one that they took away. One at which text is put in stands behind that."""
    moved = 0
    for patch in patches:
        if patch.file != file or patch.start > offset:
            continue
        if patch.end > offset:
            return None
        moved += patch.growth
    return offset + moved


def compose(first: Edit, second: Edit) -> Edit:
    """One edit that does what two in a row do; label and key are those of the second. Its patches are as few as the places that changed."""
    patches: list[Patch] = []
    later = dict(_by_file(second.patches))
    for file, before in _by_file(first.patches):
        patches += _merged(file, before, later.pop(file, []))
    for after in later.values():
        patches += after
    return Edit(second.label, tuple(patches), second.merge)


def _merged(file: str, first: list[Patch], second: list[Patch]) -> list[Patch]:
    """Patches of one file that do what two lists of them, in the order of their places, do one after the other."""
    walk = _Walk(first)
    for patch in second:
        walk.go_to(patch.start, keep=True)
        walk.go_to(patch.end, keep=False)
        walk.put(walk.origin, patch.text)
    walk.go_on()
    made = (Patch(file, start, end, "".join(pieces)) for start, end, pieces in walk.out)
    return [patch for patch in made if patch.text or patch.end > patch.start]


class _Walk:
    """Along the text between two edits, from its beginning to its end, once. out: what was met that is not as before the first edit, [start, end, pieces of text] each."""

    def __init__(self, first: list[Patch]):
        self.first, self.number = first, 0      # how many of them were reached
        self.at, self.origin = 0, 0             # characters passed, of the text between and of the one before the first edit
        self.new, self.passed = "", 0           # what the last patch that was reached has put in, and how much of that was passed
        self.out: list[list] = []

    def put(self, end: int, text: str) -> None:
        """Have a text in place of the characters before the first edit from here up to `end`."""
        if self.out and self.out[-1][1] == self.origin:
            self.out[-1][1] = end
            self.out[-1][2].append(text)
        else:
            self.out.append([self.origin, end, [text]])
        self.origin = end

    def go_to(self, to: int, keep: bool) -> None:
        """Pass all characters before a place; they stay, or are taken away."""
        while self.at < to:
            if self.passed < len(self.new):
                count = min(len(self.new) - self.passed, to - self.at)
                if keep:
                    self.put(self.origin, self.new[self.passed:self.passed + count])
                self.passed += count
            else:
                count = min((self.first[self.number].start if self.number < len(self.first) else sys.maxsize) - self.origin, to - self.at)
                if not count:
                    self._reach()
                elif keep:
                    self.origin += count
                else:
                    self.put(self.origin + count, "")
            self.at += count

    def _reach(self) -> None:
        """The next patch of the first edit begins here."""
        patch = self.first[self.number]
        self.put(patch.end, "")
        self.new, self.passed, self.number = patch.text, 0, self.number + 1

    def go_on(self) -> None:
        """To the end, where all stays."""
        self.put(self.origin, self.new[self.passed:])
        for patch in self.first[self.number:]:
            self.origin = patch.start
            self.put(patch.end, patch.text)


def edit_between(label: str, file: str, before: str, after: str, merge: Hashable = None) -> Edit:
    """The edit from one text of a file to another: one patch of what lies between their common beginning and their common end, none where they are the same."""
    if before == after:
        return Edit(label, (), merge)
    most = min(len(before), len(after))
    head = _common(before, after, most)
    tail = _common(before[::-1], after[::-1], most - head)
    return Edit(label, (Patch(file, head, len(before) - tail, after[head:len(after) - tail]),), merge)


def _common(a: str, b: str, most: int) -> int:
    """How many characters two texts have in common at their beginning, `most` at the most: by halving, as comparing is quick and looking at each is not."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
