import pytest

from app.inputs.protocol.encode import encode
from app.inputs.sources.receiver import BURST, MOST_RATE, MOST_SENDERS, SILENCE, Receiver
from tests.app.inputs.sources.collected import Collected


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def pose(seq: int, t: float = 0.0, **more) -> str:
    return encode("pose", seq, t, source="right", p=[1.0, 2.0, 3.0], q=[1, 0, 0, 0], **more)


@pytest.fixture
def made():
    clock, got = Clock(), Collected()
    return Receiver("udp", got.put, clock=clock), clock, got


def test_a_pose_becomes_a_sample(made):
    receiver, clock, got = made
    assert receiver.take(pose(1, 5.0)) is None
    (sample,) = got.samples
    assert (sample.source, sample.pos, sample.quat, sample.t_received) == ("udp:right", (1, 2, 3), (1, 0, 0, 0), clock.now) and sample.t_source <= sample.t_received


def test_one_device_bears_its_own_name():
    got = Collected()
    Receiver("script", got.put, "script:wave.py").take(pose(1))
    assert got.samples[0].source == "script:wave.py" and got.samples[0].pos == (1, 2, 3)


@pytest.mark.parametrize("junk", [b"", b"\xff" * 40, "not json", '{"v": 1}', pose(1).replace("1.0", "NaN"), pose(1).replace("1.0", "1e300"), "[" * 5000])
def test_junk_is_counted_and_moves_nothing(made, junk):
    receiver, _clock, got = made
    receiver.take(junk)
    assert not got.samples and receiver.refused == 1 and receiver.reason and "1 refused" in receiver.text


def test_falling_numbers_are_dropped(made):
    receiver, clock, got = made
    for seq in (5, 5, 4, 6):
        receiver.take(pose(seq, 1e3 * clock.now))
        clock.now += 0.01
    assert [s.seq for s in got.samples] == [5, 6] and receiver.replayed == 2


def test_late_ones_are_dropped(made):
    receiver, clock, got = made
    receiver.take(pose(1, 0.0))
    clock.now += 0.5
    receiver.take(pose(2, 100.0))       # sent after 0.1 s, here after 0.5 s
    receiver.take(pose(3, 490.0))
    assert [s.seq for s in got.samples] == [1, 3] and receiver.late == 1


def test_a_sender_that_begins_anew_counts_from_anywhere(made):
    receiver, clock, got = made
    receiver.take(pose(1000, 0.0))
    clock.now += SILENCE + 0.1
    receiver.take(pose(1, 0.0))
    assert [s.seq for s in got.samples] == [1000, 1]


def test_one_sender_does_not_disturb_another(made):
    receiver, clock, got = made
    receiver.take(pose(1000), "a")
    receiver.take(pose(1), "b")
    for _ in range(2 * int(BURST)):
        receiver.take("junk", "c")
    receiver.take(pose(1001), "a")
    receiver.take(pose(2), "b")
    assert [s.seq for s in got.samples] == [1000, 1, 1001, 2] and receiver.dropped == BURST


def test_many_senders_are_bounded_too(made):
    receiver, clock, _got = made
    for k in range(20_000):
        receiver.take("junk", k)
        clock.now += 1e-4
    assert len(receiver._senders) == MOST_SENDERS and receiver.refused <= 2 * MOST_RATE + MOST_RATE / 5


def test_a_ping_is_answered(made):
    import json

    receiver, clock, got = made
    answer = json.loads(receiver.take(encode("ping", 1, 77.0)))
    assert (answer["kind"], answer["t"], answer["received"]) == ("pong", 77.0, 1e3 * clock.now) and not got.samples
    receiver.take(encode("ping", 2, 90.0, last=[77.0, 1e3 * clock.now, 1e3 * clock.now, 81.0]))
    receiver.take(pose(3, 100.0))
    assert got.samples[0].t_source == pytest.approx(clock.now + 0.021), "halfway between 77 and 81 ms it was now here"
