"""Names of left and right: which name means the same thing on the other side of a body."""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

# whole words of a name, small letters; of several the first that leads to a name that there is
WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "left": ("right",), "right": ("left",), "l": ("r",), "r": ("l",), "lt": ("rt",), "rt": ("lt",), "lft": ("rgt",), "rgt": ("lft",),
    "fl": ("fr",), "fr": ("fl",), "hl": ("hr",), "hr": ("hl",), "bl": ("br",), "br": ("bl",), "ml": ("mr",), "mr": ("ml",), "rl": ("rr",), "rr": ("rl", "lr"),
    "lf": ("rf",), "rf": ("lf",), "lh": ("rh",), "rh": ("lh",), "lb": ("rb",), "rb": ("lb",), "lm": ("rm",), "rm": ("lm",), "lr": ("rr",),
})
PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+")    # words of snake_case and camelCase, numbers, what stands between


def partners(names: Iterable[str]) -> dict[str, str]:
    """{name: the one on the other side}, both ways, of those that have one among the names: left and right, l and r, fl and fr ..., as a word of the name, in any
    case; else as its beginning or end ('lhip', 'motorL'). Names without a partner are not in it."""
    there = set(names)
    found: dict[str, str] = {}
    for name in sorted(there):
        other = next((one for one in _candidates(name) if one in there and one not in found), None)
        if name not in found and other is not None:
            found[name], found[other] = other, name
    return found


def _candidates(name: str) -> Iterator[str]:
    parts = PARTS.findall(name)
    if not name or "".join(parts) != name:
        return
    swapped = [[_in_case(part, word) for word in WORDS.get(part.lower(), ())] for part in parts]
    for k, words in enumerate(swapped):
        for word in words:
            yield "".join([*parts[:k], word, *parts[k + 1:]])
    if sum(map(bool, swapped)) > 1:     # as in left_arm_l
        yield "".join(words[0] if words else part for words, part in zip(swapped, parts, strict=True))
    for old in ("left", "right"):       # within a word
        for k in (match.start() for match in re.finditer(old, name, re.IGNORECASE)):
            yield name[:k] + _in_case(name[k:k + len(old)], WORDS[old][0]) + name[k + len(old):]
    for k in (0, len(name) - 1):
        if name[k].lower() in "lr":
            yield name[:k] + _in_case(name[k], WORDS[name[k].lower()][0]) + name[k + 1:]


def _in_case(example: str, word: str) -> str:
    if example.isupper():
        return word.upper()
    return word.capitalize() if example[:1].isupper() else word
