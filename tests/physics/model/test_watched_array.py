"""Arrays of whole numbers that note when they are written: everything that scripts do with arrays, and nothing unnoticed."""
import copy
import pickle

import numpy as np
import pytest

import physics
from physics.model.watched_array import WatchedArray

TEXT = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body name="a"><freejoint/><geom name="one" size=".1"/><geom name="two" size=".2"/></body>
<body name="b" pos="1 0 0"><joint name="h" limited="true" range="0 1"/><geom name="three" size=".1" pos=".3 0 0"/></body></worldbody>
<contact><pair geom1="one" geom2="three" condim="4"/></contact><actuator><motor joint="h"/></actuator></mujoco>"""


@pytest.fixture
def m():
    return physics.load_string(TEXT)



WRITES = {
    "item": lambda m: m.geom_condim.__setitem__(1, 4),
    "slice": lambda m: m.geom_condim.__setitem__(slice(1, 2), 4),
    "fancy": lambda m: m.geom_condim.__setitem__([1], 4),
    "mask": lambda m: m.geom_condim.__setitem__(np.arange(4) == 1, 4),
    "view of a view": lambda m: m.geom_condim[::-1][1:][1:].__setitem__(0, 4),
    "reshaped": lambda m: m.geom_condim.reshape(2, 2).__setitem__((0, 1), 4),
    "assigned": lambda m: setattr(m, "geom_condim", [3, 4, 3, 3]),
    "element": lambda m: setattr(m.geom("one"), "condim", 4),
    "element's view": lambda m: m.geom("one").condim.__setitem__(0, 4),
    "put": lambda m: np.put(m.geom_condim, 1, 4),
    "block": lambda m: _in_block(m),
    "bytes": lambda m: m.geom_condim.view(np.uint8).__setitem__(4, 4),
}


def _in_block(m):
    with m.writing("geom_condim") as values:
        np.copyto(values[1:2], 4)
    with pytest.raises(ValueError, match="read-only"):
        values[1] = 3


@pytest.mark.parametrize("how", WRITES)
def test_writes_arrive_and_are_noted(m, how):
    assert not m.writes.fields
    WRITES[how](m)
    assert m.geom_condim.tolist() == [3, 4, 3, 3] and m.writes.fields == {"geom_condim"}
    m.check_written()
    assert not m.writes.fields and m.geom("one").condim == 4


def test_operators_in_place_arrive(m):
    held = m.geom_condim
    held += 1
    assert m.geom_condim is held and held.tolist() == [4, 4, 4, 4]
    m.geom_condim -= 1
    m.geom_condim[1:3] *= 2
    assert m.geom_condim.tolist() == [3, 6, 6, 3]
    m.geom_condim //= 3
    m.jnt_limited |= True
    m.jnt_limited &= np.array([False, True])
    assert m.geom_condim.tolist() == [1, 2, 2, 1] and m.jnt_limited.tolist() == [False, True]
    m.geom_condim.fill(3)
    m.pair_dim[:] = m.geom_condim[:1]
    m.geom_condim[2] = 1
    m.geom_condim.sort()
    assert m.geom_condim.tolist() == [1, 3, 3, 3] and m.pair_dim.tolist() == [3]
    assert m.writes.fields == {"geom_condim", "jnt_limited", "pair_dim"}


@pytest.mark.parametrize("how", [
    lambda a: np.copyto(a, 7), lambda a: np.add(a, 1, out=a), lambda a: np.asarray(a).__setitem__(0, 7), lambda a: a.view(np.ndarray).__setitem__(0, 7),
    lambda a: a.flat.__setitem__(0, 7), lambda a: a.base.__setitem__(0, 7), lambda a: memoryview(a).__setitem__(0, 7), lambda a: a.setflags(write=True),
    lambda a: np.asarray(a).setflags(write=True), lambda a: a.byteswap(True), lambda a: np.place(a, a > 0, 7), lambda a: a.resize(9), lambda a: np.clip(a, 7, 8, out=a),
])
def test_no_other_way_writes(m, how):
    before = m.geom_condim.tolist()
    with pytest.raises((ValueError, TypeError)):
        how(m.geom_condim)
    assert m.geom_condim.tolist() == before and not m.writes.fields


def test_reading_gives_what_arrays_give(m):
    a, plain = m.geom_type, np.asarray(m.geom_type)
    assert isinstance(a, WatchedArray) and type(plain) is np.ndarray
    for result in (a + 1, a == 0, -a, a.copy(), a.max(keepdims=True), np.where(a, 1, 2), np.isin(a, 0), copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert type(result) is np.ndarray and result.flags.writeable
    assert type(a[1]) is type(plain[1]) and type(a.max()) is type(plain.max()) and type(a.sum()) is type(plain.sum())
    assert list(a) == list(plain) and repr(a) == repr(plain) and str(a) == str(plain) and f"{a}" == f"{plain}" and a.tolist() == plain.tolist()
    picked = a[[0, 1]]
    picked[0], picked[1:] = 5, 6
    picked += 1
    assert picked.tolist() == [6, 7] and not m.writes.fields
    rows = list(m.actuator_trnid)
    rows[0][1] = -1
    assert m.writes.fields == {"actuator_trnid"}


def test_numbers_that_may_be_anything_are_plain(m):
    for field in ("geom_contype", "geom_group", "geom_priority", "body_mass", "geom_rgba"):
        assert type(getattr(m, field)) is np.ndarray
    m.geom_contype[1] = 0
    np.copyto(m.geom_conaffinity, 1)
    m.opt.disableflags |= 1
    m.opt.iterations = 5
    assert not m.writes.fields


def test_an_array_outlives_its_model(m):
    held = m.geom_condim
    del m
    held[1] = 4
    assert held.tolist() == [3, 4, 3, 3]


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_note_for_themselves_and_know_what_was_not_checked(m, again):
    other = again(m)
    other.geom_condim[0] = 4
    assert other.writes.fields == {"geom_condim"} and not m.writes.fields and m.geom_condim[0] == 3
    m.geom_bodyid[0] = 99
    with pytest.raises(physics.FieldError, match="geom_bodyid"):
        physics.Data(again(m))


def test_sizes_are_fixed(m):
    with pytest.raises(AttributeError, match="m.nv is a size"):
        m.nv = 3
    with pytest.raises(AttributeError, match="nepa"):
        m.nepa += 1
    m.nv = m.nv


def test_a_field_bound_anew_is_checked(m):
    m.bind("geom_bodyid", np.array([0, 1, 1, 7], np.int32))
    with pytest.raises(physics.FieldError, match="geom_bodyid"):
        m.check_written()
    m.geom_bodyid[3] = 2
    m.check_written()
