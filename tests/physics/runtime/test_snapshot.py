"""The snapshot buffer gives whole values, newest last; contact forces are decoded as the official engine does."""
import sys
import threading
import time

import numpy as np
import pytest

from physics.runtime.snapshot import SnapshotBuffer


@pytest.mark.parametrize('readers', [1, 2, 3])
def test_no_reader_ever_sees_a_torn_value_or_goes_back(readers):
    buffer, stop, n = SnapshotBuffer(lambda: np.zeros(512), readers), threading.Event(), 0
    old = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    seen, wrong = [set() for _ in range(readers)], []

    def write():
        nonlocal n
        while not stop.is_set():
            n += 1
            slot = buffer.writing
            for part in range(0, 512, 64):  # many chances to be interrupted
                slot[part:part + 64] = n
            buffer.publish()

    def read(reader):
        last, end = 0, time.monotonic() + 10
        while time.monotonic() < end and len(seen[reader]) <= 300:
            value = buffer.acquire(reader)
            first = value[0]
            for _ in range(3):      # held while others take newer ones
                if not (value == first).all() or first < last:
                    wrong.append((reader, first, last))
            last = first
            seen[reader].add(first)

    threads = [threading.Thread(target=read, args=(reader,)) for reader in range(readers)]
    writer = threading.Thread(target=write)
    try:
        for thread in (writer, *threads):
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        stop.set()
        writer.join()
        sys.setswitchinterval(old)
    assert not wrong
    assert all(len(values) > 100 for values in seen)
    assert all(buffer.acquire(reader)[0] == n for reader in range(readers))


def test_a_slot_in_use_is_left_alone():
    buffer = SnapshotBuffer(lambda: [0])
    buffer.writing[0] = 1
    buffer.publish()
    held = buffer.acquire()
    for k in range(2, 9):
        buffer.writing[0] = k
        buffer.publish()
        assert held == [1]
    assert buffer.acquire() == [8]
    assert buffer.acquire() is buffer.acquire()


def test_each_reader_holds_a_slot_of_its_own():
    buffer = SnapshotBuffer(lambda: [0], readers=3)
    held = []
    for k in range(1, 40):
        buffer.writing[0] = k
        buffer.publish()
        if k % 3 == 0:
            reader = k // 3 % 3
            held = [pair for pair in held if pair[0] != reader] + [(reader, buffer.acquire(reader), k)]
        assert all(value == [at] for _, value, at in held)
    assert len(buffer.slots) == 5
