"""What changed between two texts of a file, line by line: an edit that leaves the lines that stayed alone, and a merge of two changes of one text.

    base --> mine, base --> theirs        merged(base, mine, theirs): pieces that neither, one of them, both alike, or both differently have changed
"""
from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from editor.edits.patch import Edit, Patch, edit_between

__all__ = ["Merge", "Piece", "edit_by_lines", "lines_of", "merged"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
MOST_PAIRS = 4_000_000      # of lines that are compared: beyond that it would take seconds


def lines_of(text: str) -> list[str]:
    """The lines of a text with their ends."""
    return _LINE.findall(text)


def edit_by_lines(label: str, file: str, before: str, after: str, merge: Hashable = None) -> Edit:
    """The edit from one text of a file to another, with a patch for each place that changed; elements in the lines between keep their ids."""
    whole = edit_between(label, file, before, after, merge)
    if not whole.patches:
        return whole
    old, new = lines_of(before), lines_of(after)
    if not _comparable(old, new):
        return whole
    patches: list[Patch] = []
    ends_old, ends_new = _offsets(old), _offsets(new)
    for kind, i, j, k, l in _opcodes(old, new):
        if kind == "equal":
            continue
        rows = [(i + n, i + n + 1, k + n, k + n + 1) for n in range(j - i)] if j - i == l - k else [(i, j, k, l)]
        for a, b, c, d in rows:      # as many lines as before: each by itself
            start = ends_old[a]
            inner = edit_between("", file, before[start:ends_old[b]], after[ends_new[c]:ends_new[d]])
            patches += [patch._replace(start=patch.start + start, end=patch.end + start) for patch in inner.patches]
    return Edit(label, tuple(patches), merge)


def _offsets(lines: Sequence[str]) -> list[int]:
    """Where each line begins, and the end."""
    out = [0]
    for line in lines:
        out.append(out[-1] + len(line))
    return out


def _ends_in_common(a: Sequence[str], b: Sequence[str]) -> tuple[int, int]:
    """How many lines two lists have in common at their beginning, and at their end."""
    most = min(len(a), len(b))
    head = next((k for k in range(most) if a[k] != b[k]), most)
    tail = next((k for k in range(most - head) if a[len(a) - 1 - k] != b[len(b) - 1 - k]), most - head)
    return head, tail


def _comparable(a: Sequence[str], b: Sequence[str]) -> bool:
    head, tail = _ends_in_common(a, b)
    return (len(a) - head - tail) * (len(b) - head - tail) <= MOST_PAIRS


def _opcodes(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """As difflib has them, of what lies between the common beginning and end only."""
    head, tail = _ends_in_common(a, b)
    if head:
        yield "equal", 0, head, 0, head
    for kind, i, j, k, l in SequenceMatcher(None, a[head:len(a) - tail], b[head:len(b) - tail], autojunk=False).get_opcodes():
        yield kind, i + head, j + head, k + head, l + head
    if tail:
        yield "equal", len(a) - tail, len(a), len(b) - tail, len(b)


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines in a row, as in the base, here, and on disk. kind: 'same' (nobody changed them), 'mine', 'theirs', 'alike' (both did the same), 'conflict'."""

    kind: str
    base: str
    mine: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merge:
    """Two changes of one text put together."""

    pieces: tuple[Piece, ...]

    @property
    def conflicts(self) -> tuple[Piece, ...]:
        """The pieces that both have changed, and differently."""
        return tuple(piece for piece in self.pieces if piece.kind == "conflict")

    @property
    def theirs(self) -> str:
        """The whole text of the other side."""
        return "".join(piece.theirs for piece in self.pieces)

    def text(self, chosen: Sequence[str] = ()) -> str:
        """All of it. chosen: for each conflict 'mine', 'theirs' or 'both' (mine first); 'mine' where nothing is said."""
        out, choices = [], iter(chosen)
        for piece in self.pieces:
            choice = next(choices, "mine") if piece.kind == "conflict" else "theirs" if piece.kind == "theirs" else "mine"
            out.append(_both(piece) if choice == "both" else getattr(piece, choice))
        return "".join(out)


def _both(piece: Piece) -> str:
    mine = piece.mine
    if mine and piece.theirs and not mine.endswith(("\n", "\r")):      # the last line of the text, which has no end
        mine += "\n"
    return mine + piece.theirs


def merged(base: str, mine: str, theirs: str) -> Merge | None:
    """Put the changes together that two have made of one text; None where the texts are too long to be compared."""
    a, b, c = lines_of(base), lines_of(mine), lines_of(theirs)
    if not (_comparable(a, b) and _comparable(a, c)):
        return None
    pieces: list[Piece] = []
    at_a = at_b = at_c = 0
    for (i, j), k, l in [*_common_runs(a, b, c), ((len(a), len(a)), len(b), len(c))]:
        if (i, k, l) != (at_a, at_b, at_c):
            pieces.append(_changed("".join(a[at_a:i]), "".join(b[at_b:k]), "".join(c[at_c:l])))
        if j > i:
            words = "".join(a[i:j])
            pieces.append(Piece("same", words, words, words))
        at_a, at_b, at_c = j, k + j - i, l + j - i
    return Merge(tuple(pieces))


def _changed(base: str, mine: str, theirs: str) -> Piece:
    kind = "alike" if mine == theirs else "theirs" if mine == base else "mine" if theirs == base else "conflict"
    return Piece(kind, base, mine, theirs)


def _common_runs(a: Sequence[str], b: Sequence[str], c: Sequence[str]) -> list[tuple[tuple[int, int], int, int]]:
    """Runs of lines of `a` that stand in both others, ((from, to), where in b, where in c), in order."""
    one = [(i, j, k) for kind, i, j, k, _l in _opcodes(a, b) if kind == "equal"]
    other = [(i, j, k) for kind, i, j, k, _l in _opcodes(a, c) if kind == "equal"]
    out, n, m = [], 0, 0
    while n < len(one) and m < len(other):
        low, high = max(one[n][0], other[m][0]), min(one[n][1], other[m][1])
        if low < high:
            out.append(((low, high), one[n][2] + low - one[n][0], other[m][2] + low - other[m][0]))
        if one[n][1] < other[m][1]:
            n += 1
        else:
            m += 1
    return out
