"""Values as lines of JSON: exact to the bit, and nothing comes back that was not named."""
import json
import math
import struct
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

from physics.recording.encode import Codec
from physics.recording.errors import RecordingError


@dataclass(frozen=True, slots=True)
class Push:
    body: int
    force: Any = ()


class Place(NamedTuple):
    x: float
    words: tuple


CODEC = Codec({"Push": Push, "Place": Place})
NANS = [struct.unpack(">d", bytes.fromhex(bits))[0] for bits in ("7ff8000000000000", "fff8000000000001", "7ff0000000000000", "fff0000000000000", "7ff800000000abcd")]


def bits(value):
    return struct.pack(">d", value)


@pytest.mark.parametrize("value", [None, True, False, 0, -7, 1 << 80, "", "text \u2028 \" \\ \n", (), (1, (2.5, "x"), None), [1, [2]], {"qpos": (1, 2), "b": {}},
                                   Push(3, (1.0, 2.0)), Push(1, Place(0.1, ("a", None))), Place(-0.0, ())])
def test_values_come_back_as_they_were(value):
    text = CODEC.text(value)
    assert "\n" not in text and CODEC.value(text) == value and type(CODEC.value(text)) is type(value)


@pytest.mark.parametrize("value", [0.1, -0.0, 5e-324, 1.7976931348623157e308, 1 / 3, 1e22, *NANS])
def test_floats_are_exact_to_the_bit(value):
    assert bits(CODEC.value(CODEC.text(value))) == bits(value)
    json.loads(CODEC.text((value,)), parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))


@pytest.mark.parametrize("array", [np.array([0.1, -0.0, 3]), np.array([[1.5, np.nan], [np.inf, -np.inf]]), np.zeros((0, 3)), np.array(NANS), np.arange(6, dtype=np.int32).reshape(2, 3),
                                   np.array([True, False]), np.array([1, 255], np.uint8), np.array([0.1, 3], np.float32), np.array([2**63 + 5], np.uint64), np.arange(5.0)[::2],
                                   np.array([1.0, 2.0], ">f8")])
def test_arrays_are_exact_to_the_bit(array):
    back = CODEC.value(CODEC.text(array))
    assert back.shape == array.shape and back.dtype == array.dtype.newbyteorder("=") and back.tobytes() == array.astype(array.dtype.newbyteorder("=")).tobytes()
    assert back.flags.writeable


def test_numbers_of_numpy_come_back_as_such():
    for value in (np.float32(0.1), np.int32(-3), np.bool_(True), np.uint8(200), np.array(2.5)):
        back = CODEC.value(CODEC.text(value))
        assert back == value and back.dtype == value.dtype
    assert CODEC.value(CODEC.text(np.float64(0.1))) == 0.1


@pytest.mark.parametrize("value", [object(), {1: 2}, {"#": 1}, b"bytes", np.array(["text"]), np.array([object()]), np.array([1 + 2j]), {1, 2}, lambda: None, int])
def test_what_has_no_text_is_refused(value):
    with pytest.raises(RecordingError):
        CODEC.text(value)


@pytest.mark.parametrize("text, words", [
    ("", "not JSON"), ("{", "not JSON"), ('{"#":"os.system","command":"true"}', "nothing called 'os.system'"), ('{"#":"Pull"}', "nothing called"), ('{"#":["Push"]}', "nothing called"),
    ('{"#":"Push","body":1,"__class__":2}', "Push has no '__class__'"), ('{"#":"Push"}', "Push lacks body"), ('{"#":"array","type":"|O","shape":[1],"values":[1]}', "not an array"),
    ('{"#":"array","type":"<f8","shape":[2],"values":[1]}', "not an array"), ('{"#":"array","type":"<f8","shape":[-1],"values":[]}', "not an array"),
    ('{"#":"array","type":"<f8","shape":[1e9],"values":[]}', "not an array"), ('{"#":"array","type":"<f8","shape":[1],"bytes":"zz"}', "not an array"),
    ('{"#":"array","type":"|u1","shape":[1],"values":[300]}', "not an array"), ('{"#":"array"}', "not an array"), ('{"#":"float","bits":"00"}', "not a number"),
    ('{"#":"float"}', "not a number"), ('{"#":"list","values":3}', "not a list"), ("[" * 100000, "not JSON"), ("1" * 5000, "not JSON")])
def test_what_is_no_value_gives_one_error(text, words):
    with pytest.raises(RecordingError, match=words.replace("[", r"\[")):
        CODEC.value(text)


def test_deep_values_end_in_an_error():
    deep = "[" * 3000 + "]" * 3000
    with pytest.raises(RecordingError):
        CODEC.value(deep)
    assert math.isnan(CODEC.value(CODEC.text((math.nan,)))[0])
