"""What waits for a slow client is bounded, and the newest."""
import asyncio

import numpy as np
import pytest

from app.inputs.server import frames
from app.inputs.server.outbox import MOST_TEXTS, Outbox


def taken(box: Outbox) -> list:
    """All that would be sent now: `next` goes on without waiting as long as there is something."""
    out = []
    while True:
        going = box.next()
        try:
            going.send(None)
        except StopIteration as found:
            out.append(found.value)
        else:
            going.close()
            return out


@pytest.fixture(autouse=True)
def loop():
    """One in which nothing runs: what waits, waits."""
    made = asyncio.new_event_loop()
    asyncio._set_running_loop(made)
    yield
    asyncio._set_running_loop(None)
    made.close()


def test_of_poses_and_pictures_the_newest_is_sent_and_of_texts_the_last():
    box = Outbox()
    for k in range(1000):
        box.poses(b"%d" % k)
        box.picture(k, b"picture %d" % k)
        box.text(str(k))
    assert taken(box) == [*(str(k) for k in range(1000 - MOST_TEXTS, 1000)), b"999", b"picture 999"]


def test_a_picture_waits_until_the_one_before_was_seen():
    box = Outbox()
    assert box.wants_picture
    box.picture(1, b"one")
    assert taken(box) == [b"one"] and not box.wants_picture
    box.picture(2, b"two")
    box.picture(3, b"three")
    assert taken(box) == []
    box.seen(0)     # of one long ago
    assert taken(box) == []
    box.seen(1)
    assert taken(box) == [b"three"]
    box.seen(3)
    assert box.wants_picture


def test_poses_of_the_model_before_are_not_sent_after_another_geometry():
    box = Outbox()
    box.poses(b"old")
    box.geometry(b"geometry")
    assert taken(box) == [b"geometry"]
    box.poses(b"new")
    assert taken(box) == [b"new"]


def test_poses_are_packed_as_pages_read_them():
    frame = frames.numbered(frames.poses(3, "armed", 9, 1.5, [[1, 2, 3], [4, 5, 6]], [[1, 0, 0, 0], [0, 1, 0, 0]]), 12)
    assert frames.HEAD.unpack(frame[:frames.HEAD.size]) == (frames.POSES, 3, 2, 1, 9, 1.5, 12) and len(frame) == 40 + 2 * 28
    with pytest.raises(KeyError):
        frames.poses(1, "no lamp", 0, 0, np.zeros((0, 3)), np.zeros((0, 4)))
