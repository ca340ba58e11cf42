"""The triple buffer gives whole values, newest last; contact forces are decoded as the official engine does."""
import sys
import threading
import time

import numpy as np

from physics.runtime.snapshot import TripleBuffer


def test_the_reader_never_sees_a_torn_value_and_never_goes_back():
    buffer, stop, n = TripleBuffer(lambda: np.zeros(512)), threading.Event(), 0
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def write():
        nonlocal n
        while not stop.is_set():
            n += 1
            slot = buffer.writing
            for part in range(0, 512, 64):  # many chances to be interrupted
                slot[part:part + 64] = n
            buffer.publish()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        last, seen = 0, set()
        end = time.monotonic() + 10
        while time.monotonic() < end:
            value = buffer.acquire()
            first = value[0]
            assert (value == first).all()
            assert first >= last
            last = first
            seen.add(first)
            if len(seen) > 300:
                break
    finally:
        stop.set()
        writer.join()
        sys.setswitchinterval(old)
    assert len(seen) > 100
    assert buffer.acquire()[0] == n


def test_a_slot_in_use_is_left_alone():
    buffer = TripleBuffer(lambda: [0])
    buffer.writing[0] = 1
    buffer.publish()
    held = buffer.acquire()
    for k in range(2, 9):
        buffer.writing[0] = k
        buffer.publish()
        assert held == [1]
    assert buffer.acquire() == [8]
    assert buffer.acquire() is buffer.acquire()
