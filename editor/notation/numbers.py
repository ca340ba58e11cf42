"""Numbers as attribute text: as few characters as say the value, in the notation that the file has.

A number that nobody has changed never comes here, or keeps its word: its characters stay (editor/edits/attribute_patches.py changes the others, word by word).
"""
from __future__ import annotations

import math
import re
from collections.abc import Sequence

from physics.schema.numbers import format_float

__all__ = ["ROUNDING", "as_text", "decimals", "number_of", "number_text", "numbers_text", "same_words"]

PRECISE = 15        # significant digits of what was worked out: no more, as 0.1 * 3 is 0.3
ROUNDING = 1e-15    # of 1 or of a number's size: what digits beyond it say is rounding
MOST_DIGITS = 17    # that any number needs


def number_of(word: str) -> float:
    """The number that a word of a list stands for. Raises ValueError."""
    try:
        return float(word)
    except ValueError:
        return float.fromhex(word)


def decimals(word: str) -> int:
    """Digits behind the point of a number's text, less its exponent: 2 of '0.25' and of '25e-2'; 0 at least."""
    mantissa, _, exponent = word.lower().partition("e")
    return max(0, len(mantissa.partition(".")[2]) - int(exponent or 0))


def same_words(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two lists say the same numbers, or the same words."""
    if len(one) != len(other):
        return False
    for a, b in zip(one, other, strict=True):
        if a != b:
            try:
                if number_of(a) != number_of(b):
                    return False
            except ValueError:
                return False
    return True


def as_text(value: float, like: str = "", digits: int | None = None) -> str:
    """A number to 15 significant digits in the notation of another one's text: '.5' beside '.25', '1e-05' beside '2e-05', '2.' beside '1.'; digits: behind the point."""
    if math.isfinite(value):
        value = float(f"{value:.{PRECISE}g}") if digits is None else float(f"{float(f'{value:.{digits}f}'):.{PRECISE}g}")
    return _notated(value, like)


def number_text(value: float, within: float | None = None, like: str = "") -> str:
    """A number in as few digits as give it within so much; None: to rounding. like: a number's text in whose notation it is written."""
    allowed = _allowed(value, within)
    if not math.isfinite(value) or abs(value) <= allowed:
        return _notated(value if not math.isfinite(value) else 0.0, like)
    short = (float(f"{value:.{digits}g}") for digits in range(1, MOST_DIGITS))
    return _notated(next((one for one in short if abs(one - value) <= allowed), value), like)


def numbers_text(values: Sequence[float], before: str = "", within: Sequence[float | None] = ()) -> str:
    """Several numbers as text. before: what is written now: words of it whose number stays are kept. within: how exact each has to be, where that is not to rounding."""
    words, within = before.split(), within or (None,) * len(values)
    if len(words) != len(values):
        return " ".join(map(number_text, values, within))
    return " ".join(word if _says(word, value, near) else number_text(value, near, word) for word, value, near in zip(words, values, within, strict=True))


def _allowed(value: float, within: float | None) -> float:
    return ROUNDING * max(1.0, abs(value)) if within is None else max(within, ROUNDING * abs(value))


def _says(word: str, value: float, within: float | None) -> bool:
    try:
        return abs(number_of(word) - value) <= _allowed(value, within)
    except ValueError:
        return False


def _notated(value: float, like: str) -> str:
    """The shortest text of this very number in the notation of another one."""
    text = format_float(value + 0.0)
    if not math.isfinite(value):
        return text
    exponent = "e" in like.lower()
    if "e" in text and not exponent and 1e-7 <= abs(value) < 1e15:
        text = f"{value:.{decimals(text)}f}".rstrip("0").rstrip(".")
    elif exponent and "e" not in text and value:
        short = _plain_exponent(next(one for digits in range(MOST_DIGITS) if float(one := f"{value:.{digits}e}") == value))
        text = short if len(short) < len(text) else text
    if "e" in text and not re.search(r"[eE][-+]?0\d", like or "1e-05"):
        text = _plain_exponent(text)
    if like.startswith((".", "-.", "+.")) and re.match(r"[-+]?\.\d", like):
        text = re.sub(r"^(-?)0\.", r"\1.", text)
    if like.endswith(".") and re.fullmatch(r"[-+]?\d+\.", like) and re.fullmatch(r"-?\d+", text):
        text += "."
    return text


def _plain_exponent(text: str) -> str:
    """Without plus and leading zeros in the exponent."""
    return re.sub(r"e([-+])0*(\d)", lambda found: f"e{found[1] if found[1] == '-' else ''}{found[2]}", text)
