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


class _Piece(NamedTuple):
    """A run of characters of the text between two edits: those from `start` up to `end` of the text before the first, or, where `text` is not None, new ones, in whose
    place the first edit took `start` to `end` away."""

    start: int
    end: int
    text: str | None

    @property
    def length(self) -> int:
        return self.end - self.start if self.text is None else len(self.text)


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
    """Patches of one file that do what two lists of them do one after the other."""
    pieces, at = [], 0
    for patch in first:
        pieces += [_Piece(at, patch.start, None), _Piece(patch.start, patch.end, patch.text)]
        at = patch.end
    pieces.append(_Piece(at, sys.maxsize, None))     # however long the text is
    for patch in reversed(second):
        pieces = _cut(pieces, patch)
    out: list[Patch] = []
    for piece in pieces:
        if piece.text is None:
            continue
        if out and out[-1].end == piece.start:
            out[-1] = Patch(file, out[-1].start, piece.end, out[-1].text + piece.text)
        else:
            out.append(Patch(file, piece.start, piece.end, piece.text))
    return [patch for patch in out if patch.text or patch.end > patch.start]


def _cut(pieces: list[_Piece], patch: Patch) -> list[_Piece]:
    """The pieces with another text in place of the characters that a patch takes away, counted in what the pieces stand for."""
    out, at, put = [], 0, False
    for piece in pieces:
        low, high = max(patch.start - at, 0), min(patch.end - at, piece.length)
        at += piece.length
        if low > piece.length or high < 0 or (put and high <= 0):
            out.append(piece)
            continue
        new = "" if put else patch.text
        put = True
        high = max(high, low)
        if piece.text is not None:
            out.append(piece._replace(text=piece.text[:low] + new + piece.text[high:]))
        else:
            middle = piece.start + low
            out += [_Piece(piece.start, middle, None), _Piece(middle, piece.start + high, new), _Piece(piece.start + high, piece.end, None)]
    return out


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
