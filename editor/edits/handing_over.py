"""Elements that an edit takes out in one place and puts in at another keep their ids: a move, an element wrapped or written anew.

Which these are is seen from the characters: what is put in holds, white space aside, the same as what was taken out.
"""
from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import itemgetter

from editor.edits.patch import Edit, inverse
from editor.edits.version import Ids

__all__ = ["handed_over", "same_places"]

_TAG = re.compile(r"<[^\s/>!?]")
_SPACE = re.compile(r"\s+")


def handed_over(edit: Edit, texts: Mapping[str, str], ids: Ids) -> dict[str, dict[int, int]]:
    """Ids of the elements that an edit moves, by where they begin after it. texts, ids: as they are before."""
    taken = [patch for patch in edit.patches if "<" in texts.get(patch.file, "")[patch.start:patch.end]]
    out: dict[str, dict[int, int]] = {}
    if not taken or not any("<" in patch.text for patch in edit.patches):
        return out
    given = _Given(edit)
    places = _places_after(edit, texts)
    for patch in taken:
        known, words = ids.get(patch.file, {}), texts[patch.file][patch.start:patch.end]
        tags = _tags(words)
        first = next((k for k, (start, _plain) in enumerate(tags) if patch.start + start in known), None)
        if first is None:
            continue
        found = given.take(_SPACE.sub("", words)[tags[first][1]:])
        if found is None:
            continue
        number, there, begin = found
        for (old, _plain), (now, _where) in zip(tags[first:], there[begin:begin + len(tags) - first], strict=False):
            if (known_id := known.get(patch.start + old)) is not None:
                out.setdefault(edit.patches[number].file, {})[places[number] + now] = known_id
    return out


class _Given:
    """What the patches of an edit put in that holds tags, without white space, one behind the other: each character is taken once."""

    def __init__(self, edit: Edit):
        self.numbers = [k for k, patch in enumerate(edit.patches) if "<" in patch.text]
        self.tags = [_tags(edit.patches[k].text) for k in self.numbers]
        plain = [_SPACE.sub("", edit.patches[k].text) for k in self.numbers]
        self.text = "\0".join(plain)
        self.starts = [0, *accumulate(len(words) + 1 for words in plain)]       # one more than there are
        self.free = self.starts[:-1]        # from where on each is not taken yet
        self._seen: dict[str, int] = {}     # words that were looked for -> from where on they may stand

    def take(self, words: str) -> tuple[int, list[tuple[int, int]], int] | None:
        """Where words stand that nobody has taken yet, beginning with a tag: (number of the patch, its tags, which of these is the first); None for nowhere."""
        at = self._seen.get(words, 0)
        while 0 <= (at := self.text.find(words, at)):
            k = bisect_right(self.starts, at) - 1
            if at < self.free[k]:
                at = self.free[k]
            elif at + len(words) >= self.starts[k + 1]:     # goes over the end of one
                at += 1
            else:
                self._seen[words] = self.free[k] = at + len(words)
                return self.numbers[k], self.tags[k], bisect_left(self.tags[k], at - self.starts[k], key=itemgetter(1))
        self._seen[words] = len(self.text)
        return None


def _tags(text: str) -> list[tuple[int, int]]:
    """Where each opening tag of a text begins, in the text and in the text without white space."""
    out, at, spaces = [], 0, 0
    for match in _TAG.finditer(text):
        spaces += sum(map(len, _SPACE.findall(text, at, match.start())))
        at = match.start()
        out.append((at, at - spaces))
    return out


def same_places(shown: Edit, edit: Edit, texts: Mapping[str, str], ids: Ids) -> dict[str, dict[int, int]]:
    """Ids of the elements that an edit writes where the one shown before it has written as many: the same thing at another motion of a gesture.

    texts: before either; ids: as they are with the one shown.
    """
    if len(shown.patches) != len(edit.patches) or not any("<" in patch.text for patch in edit.patches):
        return {}
    old, new, out = _places_after(shown, texts), _places_after(edit, texts), {}
    for k, (before, after) in enumerate(zip(shown.patches, edit.patches, strict=True)):
        there, here = ([match.start() for match in _TAG.finditer(patch.text)] for patch in (before, after))
        if before.file != after.file or len(there) != len(here):
            continue
        for a, b in zip(there, here, strict=True):
            number = ids.get(before.file, {}).get(old[k] + a)
            if number is not None:
                out.setdefault(after.file, {})[new[k] + b] = number
    return out


def _places_after(edit: Edit, texts: Mapping[str, str]) -> Sequence[int]:
    """Where the text of each patch begins after the edit."""
    order = sorted(range(len(edit.patches)), key=lambda k: (edit.patches[k].file, edit.patches[k].start, edit.patches[k].end))
    back = inverse(edit, texts).patches     # in that order
    out = [0] * len(order)
    for k, patch in zip(order, back, strict=True):
        out[k] = patch.start
    return out
