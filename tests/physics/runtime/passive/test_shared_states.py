"""The newest state in memory of two processes: what is taken is what was offered, whole, and never older than what came otherwise."""
import os

import numpy as np
import pytest

import physics
from physics.runtime.passive.shared_states import READING, SLOTS, SharedStates

TEXT = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>"""


@pytest.fixture
def ends():
    physics.ensure_kernels()
    m = physics.load_string(TEXT)
    d, other = physics.Data(m), physics.Data(m)
    made = SharedStates.made(d)
    return m, d, other, made, SharedStates.opened(made.path)


def taken(opened, d, received=0):
    found = []
    opened.take(d, received, lambda news: found.append((news.image, news.state)) or (news.image.put(d) if news.image is not None else news.state.write(d)))
    return found


def test_a_state_arrives_with_its_contacts_and_only_once(ends):
    m, d, other, made, opened = ends
    for _ in range(5):
        physics.step(m, d, 3)
        assert made.offer(d, False, 0) and len(taken(opened, other)) == 1 and not taken(opened, other)
        assert d.ncon and other.ncon == d.ncon and other.nefc == d.nefc and other.time == d.time
        for name in ("qpos", "qvel", "xpos", "efc_force", "sensordata", "solver_niter"):
            np.testing.assert_array_equal(getattr(other, name), getattr(d, name))
        np.testing.assert_array_equal([c.dist for c in other.contact], [c.dist for c in d.contact])


def test_a_state_alone(ends):
    m, d, other, made, opened = ends
    d.qpos[2], d.time = 0.7, 3.0
    assert made.offer(d, True, 0)
    (image, state), = taken(opened, other)
    assert image is None and state.time == 3.0 and other.qpos[2] == 0.7 and other.time == 3.0


def test_only_the_newest_counts_and_a_slot_that_is_read_is_left_alone(ends):
    m, d, other, made, opened = ends
    for k in range(5):
        d.time = float(k)
        made.offer(d, False, 0)
    times = []

    def reading(news):
        for k in range(7):      # the script goes on meanwhile
            d.time = 100.0 + k
            assert made.offer(d, False, 0)
        news.image.put(other)
        times.append(other.time)

    assert opened.take(other, 0, reading) and times == [4.0]
    assert taken(opened, other) and other.time == 106.0 and made._head[READING] == -1


def test_what_came_through_the_pipe_orders_them(ends):
    m, d, other, made, opened = ends
    d.time = 1.0
    made.offer(d, False, 1)
    assert not taken(opened, other, received=0) and taken(opened, other, received=1)    # waits for what was sent before it
    d.time = 2.0
    made.offer(d, False, 1)
    assert not taken(opened, other, received=2)     # older than the state that came by the pipe
    d.time = 3.0
    made.offer(d, False, 2)
    assert taken(opened, other, received=2) and other.time == 3.0


def test_rows_that_do_not_fit_go_another_way(ends):
    m, d, other, made, opened = ends
    physics.step(m, d)
    made._slots = [slot[:2000] for slot in made._slots]
    assert not made.offer(d, False, 0) and not taken(opened, other)
    made._slots = [slot[:64] for slot in made._slots]
    assert not made.offer(d, True, 0)


def test_the_file_is_gone_when_both_have_it(ends):
    _m, _d, _other, made, opened = ends
    assert not os.path.exists(made.path) or os.name == "nt"
    made.forget()
    assert SharedStates.opened(made.path + "x") is None and len(opened._slots) == SLOTS
    assert not opened.each
    opened.want_each(True)
    assert made.each


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="needs Linux's list of open files")
def test_a_system_without_room_has_none(ends, monkeypatch):
    paths = []

    def none(file, *_arguments):
        paths.append(os.readlink(f"/proc/self/fd/{file}"))
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", none)
    assert SharedStates.made(ends[1]) is None and len(paths) == 1 and not os.path.exists(paths[0])
