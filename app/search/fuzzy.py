"""How well a few letters fit a text: 'rst' or 'reset cont' find 'Reset controls'.

Every word of the query must be in the text, in any order. Best is the text itself, then the beginning of it, of a word in it, a part of a
word, and last its letters with others between them.
"""
import re
from functools import lru_cache

WHOLE, START, WORD, INSIDE, SCATTERED = 120.0, 100.0, 80.0, 50.0, 10.0
INITIAL = 12.0      # for each scattered letter that begins a word
SHORT = 20.0        # for a text that is nothing but the query; less the more there is besides
_PARTS = re.compile(r"[0-9]+|[a-z]+")


def words_of(query: str) -> tuple[str, ...]:
    """The words to look for, in small letters."""
    return tuple(query.lower().split())


@lru_cache(maxsize=64)
def _scattered(word: str) -> re.Pattern:
    return re.compile(".*?".join(f"({re.escape(letter)})" for letter in word))


def _spread(word: str, text: str) -> tuple[int, ...]:
    """Where the letters of the word are in the text, in order, at beginnings of words where they can be; () when they are not all there."""
    found = _scattered(word).search(text)
    if found is None:
        return ()
    initials, at = [], 0
    starts = {part.start() for part in _PARTS.finditer(text)}
    for letter in word:     # the initials first: 'ow' is Open Window, not OpeN Window
        place = next((i for i in sorted(starts) if i >= at and text[i] == letter), -1)
        if place < 0:
            return tuple(found.start(i + 1) for i in range(len(word)))
        initials.append(place)
        at = place + 1
    return tuple(initials)


def _place(word: str, text: str) -> int:
    """Where the word stands in the text, best at the beginning of one of its words; -1 when it does not."""
    first = place = text.find(word)
    while place > 0 and text[place - 1].isalnum():
        place = text.find(word, place + 1)
    return first if place < 0 else place


def score(words: tuple[str, ...], text: str, scattered: bool = True) -> float:
    """How well the words fit the text (both in small letters), 0 where not. scattered: whether letters may lie apart."""
    total = 0.0
    for word in words:
        place = _place(word, text)
        if place >= 0:
            total += WHOLE if word == text else START if place == 0 else INSIDE if text[place - 1].isalnum() else WORD
        elif scattered and len(word) > 1 and (letters := _spread(word, text)):
            initials = sum(i == 0 or not text[i - 1].isalnum() for i in letters)
            total += SCATTERED + INITIAL * initials - min(9.0, 0.3 * (letters[-1] - letters[0] - len(word)))
        else:
            return 0.0
        total += SHORT * len(word) / (len(text) + 1)
    return total / max(1, len(words))


def letters(words: tuple[str, ...], text: str) -> frozenset[int]:
    """Which letters of the text the words meant, to be marked in it."""
    text, out = text.lower(), set()
    for word in words:
        place = _place(word, text)
        out.update(range(place, place + len(word)) if place >= 0 else _spread(word, text))
    return frozenset(out)
