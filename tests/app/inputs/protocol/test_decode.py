"""Messages are read strictly: every kind as it should be, and nothing else."""
import json
import math
import random

import msgpack
import numpy as np
import pytest

from app.inputs.protocol.decode import KINDS, decode
from app.inputs.protocol.encode import encode
from app.inputs.protocol.messages import Camera, Controls, Event, Hand, Hello, Joints, Ping, Pose, Seen
from app.inputs.protocol.parse import DEEPEST, LARGEST, MOST_VALUES
from app.inputs.protocol.refused import Refused

HAND = [[0.01 * i, 0.2, 1.0, 1.0, 0.0, 0.0, 0.0] for i in range(25)]
EXAMPLES = {
    "pose": {"source": "right", "p": [1, 2, 3], "q": [1, 0, 0, 0], "axes": {"trigger": 0.5}, "buttons": {"a": True, "b": False, "squeeze": 0.7}, "tracked": False},
    "joints": {"source": "leader", "joints": {"elbow": 0.25}},
    "hand": {"side": "left", "joints": HAND, "radii": [0.01] * 25},
    "controls": {"controls": {"gripper": 1}},
    "event": {"event": "success"},
    "hello": {"token": "abc", "name": "Headset", "watch": True},
    "ping": {"last": [1, 2, 3, 4]},
    "camera": {"camera": "wrist"},
    "seen": {"number": 7},
}


def message(of: str, **changed) -> dict:
    return {"v": 1, "seq": 3, "t": 12.5, "kind": of, **EXAMPLES[of], **changed}


def refused(data) -> str:
    with pytest.raises(Refused) as found:
        decode(data)
    return found.value.reason


def test_every_kind_has_an_example():
    assert EXAMPLES.keys() == KINDS.keys()


@pytest.mark.parametrize("pack", [json.dumps, lambda m: json.dumps(m).encode(), msgpack.packb], ids=["text", "bytes", "msgpack"])
def test_every_kind_is_read_from_text_bytes_and_msgpack(pack):
    read = {kind: decode(pack(message(kind))) for kind in EXAMPLES}
    assert all(m.seq == 3 and m.t == 12.5 for m in read.values())
    assert read["pose"] == Pose(3, 12.5, "right", (1, 2, 3), (1, 0, 0, 0), {"trigger": 0.5}, frozenset({"a", "squeeze"}), False)
    assert read["joints"] == Joints(3, 12.5, "leader", {"elbow": 0.25})
    assert isinstance(read["hand"], Hand) and read["hand"].side == "left" and np.array_equal(read["hand"].joints, HAND) and read["hand"].radii.shape == (25,)
    assert read["controls"] == Controls(3, 12.5, "controls", {"gripper": 1.0}) and read["event"] == Event(3, 12.5, "success")
    assert read["hello"] == Hello(3, 12.5, "abc", "Headset", True) and read["ping"] == Ping(3, 12.5, (1, 2, 3, 4))
    assert read["camera"] == Camera(3, 12.5, "wrist") and read["seen"] == Seen(3, 12.5, 7)


def test_what_may_be_missing_has_its_default():
    pose = decode(encode("pose", 0, 0.0, source="phone"))
    assert pose.p is None and pose.q is None and pose.axes == {} and pose.buttons == frozenset() and pose.tracked
    assert decode(encode("ping", 0, 0.0)).last is None and not decode(encode("hello", 0, 0.0, token="x")).watch


@pytest.mark.parametrize(("kind", "changed", "said"), [
    ("pose", {"v": 2}, "v must be 1"), ("pose", {"v": "1"}, "v must be"), ("pose", {"kind": "file"}, "kind must be"), ("pose", {"kind": ["pose"]}, "kind must be"),
    ("pose", {"path": "/etc/passwd"}, "no key 'path'"), ("pose", {"seq": -1}, "seq"), ("pose", {"seq": True}, "seq"), ("pose", {"seq": 1.5}, "seq"), ("pose", {"t": None}, "t is"),
    ("pose", {"t": 1e16}, "t is"), ("pose", {"source": "a\n"}, "source"), ("pose", {"source": ""}, "source"), ("pose", {"source": "x" * 65}, "source"), ("pose", {"p": [1, 2]}, "p is 3"),
    ("pose", {"p": [1, 2, "3"]}, "p is 3"), ("pose", {"p": [1, 2, True]}, "p is 3"), ("pose", {"p": [80, 80, 0]}, "nearer"), ("pose", {"p": [1e3, 0, 0]}, "p is 3"),
    ("pose", {"q": [0, 0, 0, 0]}, "unit quaternion"), ("pose", {"q": [9, 0, 0, 0]}, "q is 4"), ("pose", {"axes": {"x": "1"}}, "axes"), ("pose", {"axes": {"x": 1e12}}, "axes"),
    ("pose", {"axes": {"$": 1}}, "axes"), ("pose", {"axes": [1]}, "axes"), ("pose", {"buttons": {"a": "yes"}}, "buttons"), ("pose", {"tracked": 1}, "tracked"),
    ("pose", {"axes": {f"a{i}": 0 for i in range(300)}}, "axes"), ("hand", {"side": "middle"}, "side"), ("hand", {"joints": HAND[:24]}, "25 rows"),
    ("hand", {"joints": [[0] * 7] * 25}, "unit quaternion"), ("hand", {"radii": [-0.01] * 25}, "negative"), ("hand", {"joints": HAND[:24] + [[0] * 6]}, "7 numbers"),
    ("joints", {"joints": {"a": None}}, "joints"), ("event", {"event": "quit"}, "event is one of"), ("hello", {"token": 5}, "token"), ("hello", {"token": "x" * 65}, "token"),
    ("hello", {"name": "a\x00"}, "name"), ("ping", {"last": [1, 2, 3]}, "last"), ("camera", {"camera": ["a"]}, "camera"), ("seen", {"number": -1}, "number"),
])
def test_what_is_not_so_is_refused_by_name(kind, changed, said):
    assert said in refused(json.dumps(message(kind, **changed)))


def test_a_key_that_is_needed_is_asked_for():
    assert refused(json.dumps({"v": 1, "seq": 0, "t": 0, "kind": "pose"})) == "pose needs source"


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 400, "1" * 5000])
def test_numbers_are_finite(number):
    assert refused(json.dumps(message("seen")).replace(": 7", ": " + number))


def test_msgpack_numbers_are_finite_too():
    for wrong in (math.nan, math.inf):
        assert "finite" in refused(msgpack.packb(message("pose", axes={"x": wrong})))


def test_size_depth_and_number_of_values_are_limited():
    assert str(LARGEST) in refused(" " * (LARGEST + 1)) and str(LARGEST) in refused(b"{" * (LARGEST + 1)) and str(LARGEST) in refused("\u00e9" * (LARGEST - 10))
    nested = "[" * DEEPEST + "]" * DEEPEST
    assert f"{DEEPEST} objects" in refused('{"v":' + nested + "}")
    for deep in ('{"v":' + "[" * 30000 + "]" * 30000 + "}", '{"a":' * 9000 + "1" + "}" * 9000, "[" * 60000):
        assert refused(deep)
    assert f"{MOST_VALUES} values" in refused(json.dumps({"v": [0] * (MOST_VALUES + 1)}))


@pytest.mark.parametrize("data", ["", b"", "null", "7", "[]", '"text"', "{", '{"v":1}{"v":1}', b"\xff\xfe", b"{\xff}", b"\xc1", b"\x81", msgpack.packb([1]), msgpack.packb({1: 2}),
                                  msgpack.packb({"v": b"bytes"}), msgpack.packb({"v": msgpack.ExtType(5, b"x")}), msgpack.packb({"v": msgpack.Timestamp(0)}),
                                  b"\xdd\xff\xff\xff\xff", b"\xdf\xff\xff\xff\xff", b"\xdb\xff\xff\xff\xff", b"\x91" * 20000, '{"v":1,"v":1}', b"\x82\xa1v\x01\xa1v\x01"])
def test_what_is_no_message_is_refused(data):
    assert refused(data)


def test_noise_raises_nothing_but_refusals():
    """Whole messages with bytes changed, cut and doubled, and plain noise."""
    rng = random.Random(7)
    good = [pack(message(kind)) for kind in EXAMPLES for pack in (lambda m: json.dumps(m).encode(), msgpack.packb)]
    for _ in range(3000):
        data = bytearray(rng.choice(good))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(data))
            data[at:at + rng.randint(0, 3)] = rng.randbytes(rng.randint(0, 3))
            data = data or bytearray(b"\0")
        for one in (bytes(data), rng.randbytes(rng.randint(0, 40)), data.decode("utf-8", "replace")):
            try:
                assert decode(one).seq >= 0
            except Refused as why:
                assert len(why.reason) < 200
