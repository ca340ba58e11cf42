"""Bytes or text to one plain object, within limits: JSON (text, or bytes that begin with a brace) or msgpack (other bytes).

Whatever comes in, nothing but Refused is raised, and the work is bounded by LARGEST: sizes are looked at before anything is read, keys given twice, numbers that
are not finite and objects deeper than DEEPEST are refused.
"""
from __future__ import annotations

import json
from math import isfinite

from app.inputs.protocol.refused import Refused

LARGEST = 65_536        # bytes of a message
DEEPEST = 6             # objects and lists within each other
MOST_VALUES = 8_192     # numbers, texts, lists and objects of a message, all together
LONGEST_TEXT = 512      # characters
WIDEST = 2.0 ** 53      # whole numbers beyond are not told apart by a page


def parse(data: bytes | str) -> dict:
    """The one object that a message is. Raises Refused."""
    if len(data) > LARGEST or isinstance(data, str) and len(data.encode("utf-8", "surrogatepass")) > LARGEST:
        raise Refused(f"a message has at most {LARGEST} bytes")
    if isinstance(data, str) or data.lstrip()[:1] == b"{":
        found = _json(data)
    else:
        found = _msgpack(data)
    if not isinstance(found, dict):
        raise Refused("a message is one object")
    _check(found)
    return found


def _json(data: bytes | str):
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        return json.loads(text, parse_constant=_no_number, object_pairs_hook=_pairs)
    except Refused:
        raise
    except (ValueError, RecursionError):
        raise Refused("not one JSON object") from None


def _msgpack(data: bytes):
    try:
        import msgpack
    except ImportError:
        raise Refused('binary messages need msgpack: pip install "linkwork[teleop]"') from None
    try:
        return msgpack.unpackb(data, raw=False, strict_map_key=True, object_pairs_hook=_pairs, max_str_len=LONGEST_TEXT * 4, max_bin_len=0, max_ext_len=0,
                               max_array_len=MOST_VALUES, max_map_len=MOST_VALUES)
    except Refused:
        raise
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException):
        raise Refused("neither one JSON object nor one of msgpack") from None


def _no_number(_name: str):
    raise Refused("numbers must be finite")


def _pairs(pairs) -> dict:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Refused("a key is given twice")
    return found


def _check(found: dict) -> None:
    """Depth, number of values, finite numbers, short texts; without recursion."""
    seen, level, depth = 0, [found], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise Refused(f"a message is at most {DEEPEST} objects and lists deep")
        inner = []
        for container in level:
            values = container
            if isinstance(container, dict):
                values = container.values()
                for key in container:
                    _check_text(key)
            seen += len(container)
            if seen > MOST_VALUES:
                raise Refused(f"a message has at most {MOST_VALUES} values")
            for value in values:
                if type(value) is float:    # nearly all of them
                    if not isfinite(value):
                        raise Refused("numbers must be finite")
                elif isinstance(value, dict | list):
                    inner.append(value)
                else:
                    _check_value(value)
        level = inner


def _check_text(text) -> None:
    if not isinstance(text, str):
        raise Refused("keys are texts")
    if len(text) > LONGEST_TEXT:
        raise Refused(f"a text has at most {LONGEST_TEXT} characters")


def _check_value(value) -> None:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        if abs(value) > WIDEST:
            raise Refused("a whole number is too large")
    elif isinstance(value, str):
        _check_text(value)
    else:
        raise Refused("a value is a number, a text, true, false, a list or an object")
