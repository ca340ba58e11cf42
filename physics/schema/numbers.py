"""Numbers in attribute text: reading with exact complaints, writing so that reading gives the same bits back.

MJCF lists are separated by white space. `inf` and `nan` are numbers (nan earns a warning); a literal too large for a double
is an error, not infinity.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from physics.schema.schema import AttributeSpec

__all__ = ["Value", "format_float", "format_floats", "parse"]

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
EMPTY = "an empty list is the same as leaving the attribute out"
LONG = 4096     # characters from which a text is remembered among few: thousands of versions of a mesh would fill the memory
Value = bool | int | float | str | tuple | np.ndarray


def parse(spec: AttributeSpec, text: str) -> tuple[Value | None, str, str]:
    """(value, problem, warning) of an attribute's text.

    The value is a float or int (one number), a read-only float64 or int64 array (a list), bool for `bool` and `flag`, a keyword,
    a tuple of keywords (`words`), or the text itself. It is None when there is a problem, and for an empty list of numbers, which
    MJCF treats as not given.
    """
    return _parse(spec, text) if len(text) < LONG else _parse_long(spec, text)


def _parse_anew(spec: AttributeSpec, text: str) -> tuple[Value | None, str, str]:
    kind = spec.type
    if kind in ("real", "int"):
        return _numbers(spec, text)
    if kind == "words":
        words = tuple(text.split())
        wrong = next((word for word in words if word not in spec.values), None)
        if not words:
            return None, "", EMPTY
        if wrong is not None:
            return None, f"'{wrong}' is not one of {', '.join(spec.values)}", ""
        return words, "", ""
    if spec.values:
        word = text
        if spec.numbered and text.strip().isdecimal() and int(text) < len(spec.values):
            word = spec.values[int(text)]
        if word not in spec.values:
            return None, f"'{text}' is not one of {', '.join(spec.values)}", ""
        if kind in ("bool", "flag"):
            return word == spec.values[1], "", ""
        return word, "", ""
    if kind == "eulerseq" and (len(text) != 3 or set(text.lower()) - set("xyz")):
        return None, f"'{text}' is not three letters of x, y, z, X, Y, Z", ""
    return text, "", ""


_parse, _parse_long = lru_cache(maxsize=32768)(_parse_anew), lru_cache(maxsize=32)(_parse_anew)


def _numbers(spec: AttributeSpec, text: str) -> tuple[Value | None, str, str]:
    words = text.split()
    if not words:
        return None, "", EMPTY
    counts = spec.counts
    if counts is not None and len(words) not in counts:
        got = f"{len(words)} value{'' if len(words) == 1 else 's'}"
        return None, f"{spec.arity} {'value is' if spec.arity == '1' else 'values are'} expected, found {got}", ""
    numbers, warning = _plain(spec.type, text, words), ""
    if numbers is None:
        read, numbers = _real if spec.type == "real" else _int, []
        for word in words:
            number, problem = read(word)
            if problem:
                return None, problem, ""
            numbers.append(number)
        if spec.type == "real" and any(number != number for number in numbers):
            warning = "nan is not a usable number here"
    if spec.scalar:
        return numbers[0], "", warning
    array = np.array(numbers, dtype=np.float64 if spec.type == "real" else np.int64)
    array.flags.writeable = False
    return array, "", warning


def _plain(kind: str, text: str, words: list[str]) -> list | None:
    """The numbers of a list with nothing to look at twice, else None."""
    if not text.isascii() or "_" in text:
        return None
    try:
        numbers = list(map(float if kind == "real" else int, words))
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers) if kind == "real" else [INT_MIN <= number <= INT_MAX for number in numbers]) else None


def _real(word: str) -> tuple[float, str]:
    try:
        number = float(word)
    except ValueError:
        number = _hexadecimal(word)
        if number is None:
            return 0.0, f"'{word}' is not a number"
    if "_" in word or not word.isascii():
        return 0.0, f"'{word}' is not a number"
    if math.isinf(number) and "n" not in word.lower():
        return 0.0, f"'{word}' is too large for a number"
    return number, ""


def _hexadecimal(word: str) -> float | None:
    try:
        return float.fromhex(word) if "0x" in word.lower() else None
    except (ValueError, OverflowError):
        return None


def _int(word: str) -> tuple[int, str]:
    try:
        number = int(word)
    except ValueError:
        return 0, f"'{word}' is not a whole number"
    if "_" in word or not word.isascii():
        return 0, f"'{word}' is not a whole number"
    if not INT_MIN <= number <= INT_MAX:
        return 0, f"'{word}' is too large for a whole number"
    return number, ""


def format_float(value: float) -> str:
    """The shortest text that reads back as the same double; whole numbers without a point."""
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") and abs(value) < 1e15 else text


def format_floats(values) -> str:
    """A tuple of numbers, an array or a number as attribute text."""
    return " ".join([format_float(value) for value in (values if isinstance(values, tuple) else np.ravel(values).tolist())])
