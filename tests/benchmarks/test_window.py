"""The models that benchmarks.window opens are what they are said to be, and processor time is told of the thread that took it."""
import sys
import threading
import time
from collections import Counter

import pytest

import physics
from benchmarks.many_geoms import COLLIDING, EVERY, many_geoms
from benchmarks.measuring import TICKS, seconds_by_thread
from benchmarks.tuner_handle import BELOW, MOTIONS, REACH, offset
from benchmarks.window_beside import by_name


def test_so_many_geoms_meshes_and_bodies_some_of_which_move():
    m = physics.load_string(many_geoms(geoms=330, bodies=16, meshes=7))
    assert (m.ngeom, m.nbody, m.nmesh, m.nmat) == (331, 17, 7, 8)
    assert m.njnt == 16 // EVERY and m.nv == 2 + 2 * 6
    assert set(m.geom_dataid) == {-1, *range(7)} and (m.geom_contype[1:] != 0).sum() == 16 * COLLIDING
    assert not m.view_only and many_geoms(geoms=50, bodies=4) == many_geoms(geoms=50, bodies=4)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="/proc")
def test_processor_time_is_that_of_the_thread():
    before, took, over = seconds_by_thread(), [], threading.Event()

    def work():
        while time.thread_time() < 10 / TICKS:
            pass
        took.append(seconds_by_thread() - before)
        over.set()

    threading.Thread(target=work, name="busy here").start()
    assert over.wait(60)
    assert took[0]["busy here"] == pytest.approx(10 / TICKS, abs=3 / TICKS)


def test_threads_that_take_next_to_nothing_are_told_together():
    assert by_name(Counter({"MainThread": 2.0, "companion": 3.0, "a": 0.01, "b": 0.02}), 10.0) == {"companions": 3.0, "gui": 2.0, "other": pytest.approx(0.03)}


def test_each_motion_of_the_handle_is_another_than_the_one_before():
    found = [offset(k) for k in range(-2, MOTIONS)]
    assert all(one != other for one, other in zip(found, found[1:])) and min(found) > 0 and max(found) <= BELOW + REACH + 1
