"""Rows of states as few bytes: the same bits come back, whatever the numbers are; damage is an error."""
import numpy as np
import pytest

from physics.recording import rows
from physics.recording.errors import RecordingError


def same(a, b):
    return a.shape == b.shape and (np.ascontiguousarray(a).view(np.int64) == np.ascontiguousarray(b).view(np.int64)).all()


def motion(n=200, h=0.002):
    """Rows (time, noise, qpos 3, qvel 3, ...) as Euler's integrator makes them, with some noise and a jump in them."""
    r = np.random.default_rng(1)
    found = np.zeros((n, 12))
    vel, pos, time = np.zeros(3), np.zeros(3), 0.0
    for k in range(n):
        vel = vel + h * r.normal(size=3)
        pos = pos + h * vel
        time = 0.0 if k == 120 else time + h
        found[k] = [time, k, *pos, *vel, *r.normal(size=2), 1.0, -0.0]
    return found


PAIRS = rows.checked_pairs([(2, 5), (3, 6), (4, 7)], 12)


def test_motion_comes_back_and_takes_less_room():
    given = motion()
    content = rows.pack(given, PAIRS)
    assert same(rows.unpack(content, *given.shape, PAIRS), given)
    assert len(content) < len(rows.pack(given)) < given.nbytes / 1.6
    assert len(rows.pack(given[:100, :8], PAIRS)) < 0.5 * given[:100, :8].nbytes


@pytest.mark.parametrize("shape", [(1, 2), (1, 12), (2, 12), (3, 13), (190, 129), (5, 2)])
def test_any_bits_come_back(shape):
    r = np.random.default_rng(shape[0])
    for given in (r.integers(-2**63, 2**63 - 1, shape).view(float), np.full(shape, np.nan), np.zeros(shape), r.normal(size=shape), np.full(shape, np.inf), np.full(shape, -0.0)):
        for pairs in (rows.NO_PAIRS, PAIRS) if shape[1] >= 12 else (rows.NO_PAIRS,):
            assert same(rows.unpack(rows.pack(given, pairs), *shape, pairs), given)


def test_columns_of_joints_are_found():
    class Layout:
        parts = {"qpos": 7 + 1 + 4 + 1, "qvel": 6 + 1 + 3 + 1, "act": 0}
        jnt_type, jnt_qposadr, jnt_dofadr = np.array([0, 3, 1, 2]), np.array([0, 7, 8, 12]), np.array([0, 6, 7, 10])

    assert rows.pairs(Layout) == [(2, 15), (3, 16), (4, 17), (9, 21), (14, 25)]
    assert rows.pairs(object()) == []


@pytest.mark.parametrize("given", [[(2, 5), (2, 6)], [(2, 3), (3, 4)], [(1, 5)], [(2, 12)], [(2, -1)], [(2,)], "ab", [["x", 1]]])
def test_columns_that_are_none_are_refused(given):
    with pytest.raises((RecordingError, ValueError)):
        rows.checked_pairs(given, 12)


def test_damaged_content_is_an_error_or_other_numbers_but_never_more():
    given = motion(40)
    content = rows.pack(given, PAIRS)
    for end in (0, 4, 10, 20, len(content) // 2, len(content) - 1):
        with pytest.raises(RecordingError):
            rows.unpack(content[:end], *given.shape, PAIRS)
    with pytest.raises(RecordingError):
        rows.unpack(content + b"x", *given.shape, PAIRS)
    for count in (39, 41, 4000):
        with pytest.raises(RecordingError):
            rows.unpack(content, count, 12, PAIRS)
    r = np.random.default_rng(0)
    for _ in range(300):
        broken = bytearray(content)
        broken[r.integers(len(broken))] ^= 1 << r.integers(8)
        try:
            assert rows.unpack(bytes(broken), *given.shape, PAIRS).shape == given.shape
        except RecordingError:
            pass
