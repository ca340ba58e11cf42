import json
import socket
import time
from itertools import count

import pytest

from app.inputs.protocol.encode import encode
from app.inputs.source import SourceMissing
from app.inputs.sources.receiver import BURST
from app.inputs.sources.udp import AT_ONCE, HOST, PORT, UdpSource, _batch, make
from tests.app.inputs.sources.collected import running, wait_until


def test_messages_as_json_and_msgpack():
    msgpack = pytest.importorskip("msgpack")
    source = UdpSource(port=0)
    with running(source) as got, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        wait_until(lambda: source.found)
        assert source.address[0] == "127.0.0.1" and source.state.startswith("ready: 127.0.0.1:")
        sender.settimeout(20)
        text = encode("pose", 1, 0.0, source="right", p=[0.1, 0.2, 0.3], q=[1, 0, 0, 0], axes={"trigger": 0.5}, buttons={"a": True})
        sender.sendto(text.encode(), source.address)
        sample = got.until(lambda s: s.pos is not None)
        assert (sample.source, sample.axes, sample.buttons) == ("udp:right", {"trigger": 0.5}, {"a"})
        sender.sendto(b"\x00junk", source.address)
        sender.sendto(msgpack.packb({**json.loads(text), "seq": 2}), source.address)
        got.until(lambda s: s.seq == 2 and s.pos is not None)
        sender.sendto(encode("ping", 3, 5.0).encode(), source.address)
        assert json.loads(sender.recv(1000))["kind"] == "pong"
        wait_until(lambda: "1 refused" in source.state)


def test_a_taken_port_is_told_and_tried_again():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        source = UdpSource(port=port)
        with running(source):
            wait_until(lambda: f"cannot listen at 127.0.0.1:{port}" in source.state)
            other.close()
            wait_until(lambda: source.found)


def test_who_sends_beside_a_flood_gets_through():
    source = UdpSource(port=0)
    with running(source) as got, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as flood, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hand:
        wait_until(lambda: source.found)
        for k in count(1):
            for _ in range(2 * AT_ONCE):
                flood.sendto(b"junk", source.address)
            hand.sendto(encode("pose", k, 1e3 * time.perf_counter(), source="right", p=[0.1, 0.2, 0.3], q=[1, 0, 0, 0]).encode(), source.address)
            if source.receiver.dropped > BURST and source.receiver.taken > 3:
                break
            wait_until(lambda: source.receiver.dropped + source.receiver.refused + source.receiver.taken > 0)
        assert got.until(lambda s: s.pos is not None).source == "udp:right" and source.receiver.refused < source.receiver.dropped + 10 * BURST
        wait_until(lambda: "too many" in source.state)


def test_no_more_than_a_batch_is_read_at_once():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        listening.bind(("127.0.0.1", 0))
        listening.setblocking(False)
        for k in range(AT_ONCE + 3):
            sender.sendto(str(k).encode(), listening.getsockname())
        first = _batch(listening)
        assert [data for data, _sender in first] == [str(k).encode() for k in range(AT_ONCE)] and len(_batch(listening)) == 3 and _batch(listening) == []


def test_names_mean_addresses():
    assert make("udp").address == make("udp:right").address == (HOST, PORT) and HOST == "127.0.0.1"
    assert make("udp:9000").address == ("127.0.0.1", 9000) and make("udp:0.0.0.0:9000").address == ("0.0.0.0", 9000) and make("udp:[::1]:9000").address == ("::1", 9000)
    with pytest.raises(SourceMissing, match="no port 70000"):
        make("udp:70000")
