"""The triple buffer gives whole values, newest last; contact forces are decoded as the official engine does."""
import sys
import threading
import time

import mujoco
import numpy as np
import pytest

from physics.runtime.snapshot import TripleBuffer, contact_forces


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


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contact_forces_are_the_official_ones(cone):
    bodies = "".join(f'<body pos="{i} 0 .095"><freejoint/><geom size=".1" condim="{dim}" friction="1 .1 .05"/></body>' for i, dim in enumerate((1, 3, 4, 6)))
    mj = mujoco.MjModel.from_xml_string(f'<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="9 9 1" condim="1"/>{bodies}</worldbody></mujoco>')
    d, seen = mujoco.MjData(mj), np.zeros(6)
    for seed in range(6):
        mujoco.mj_resetData(mj, d)
        d.qvel[:] = np.random.default_rng(seed).normal(size=mj.nv)
        mujoco.mj_forward(mj, d)
        assert d.ncon == 4

        class Source:
            contact_dim, contact_efc_address, contact_friction, efc_force = d.contact.dim, d.contact.efc_address, d.contact.friction, d.efc_force

        ours, theirs = contact_forces(Source, mj.opt.cone), np.zeros((4, 6))
        for i in range(4):
            mujoco.mj_contactForce(mj, d, i, theirs[i])
        assert np.allclose(ours, theirs, rtol=1e-12, atol=1e-12)
        seen = np.maximum(seen, np.abs(theirs).max(axis=0))
    assert (seen > 0).all()
