"""Sleepers in the running program: timed steps, the flag's switch, scrubbing, reload."""
import numpy as np
import pytest

import physics
import physics.runtime.commands as c
from physics.enums import ENBL_SLEEP
from physics.runtime.profile import Profile
from tests.physics.engine.sleep.scenes import box, world
from tests.physics.runtime.models import do, simulation

PILE = world(box("a", "0 0 .1") + box("b", "0 0 .3") + box("c", "1 0 .1") + box("d", "0 0 1"), "<sensor><accelerometer site='a'/></sensor>")


@pytest.fixture()
def sim():
    return simulation(physics.load_string(PILE))


def test_timed_steps_sleep_and_wake_alike():
    m = physics.load_string(PILE)
    plain, timed, profile = physics.Data(m), physics.Data(m), Profile()
    seen = set()
    for _ in range(160):
        assert physics.step(m, plain) == 1
        while profile.step(m, timed) == 0:
            assert timed.make_room()
        assert np.array_equal(plain.tree_asleep, timed.tree_asleep) and np.array_equal(plain.qpos, timed.qpos)
        seen.add(plain.ntree_awake)
    assert {4, 1, 3} <= seen   # d falls on a and b, which sleep by then


def test_the_flag_is_a_switch(sim):
    sim.take(60)
    assert sim.data.ntree_awake == 1
    do(sim, c.SetFlag("enable", ENBL_SLEEP, False))
    sim.take(1)
    assert sim.data.ntree_awake == 4
    do(sim, c.SetFlag("enable", ENBL_SLEEP, True))
    sim.take(40)
    assert sim.data.ntree_awake < 4


def test_scrubbing_takes_sleepers_back(sim):
    sim.take(90)
    end = sim.data.copy()
    do(sim, c.Scrub(50))
    assert sim.data.ntree_awake == 1 and sim.data.tree_asleep[:3].tolist() == [1, 0, 2] != end.tree_asleep[:3].tolist()
    do(sim, c.Scrub(5))
    assert sim.data.ntree_awake == 4
    do(sim, c.Scrub(60))
    sim.history.cut()
    sim.take(30)
    assert np.array_equal(sim.data.qpos, end.qpos) and np.array_equal(sim.data.tree_asleep, end.tree_asleep)


def test_dragging_a_sleeper_wakes_it(sim):
    sim.take(60)
    do(sim, c.SetForce(1, (0, 0, 1, 0, 0, 0)))
    sim.take(1)
    assert sim.data.tree_awake.tolist() == [1, 1, 0, 1]
    sim.set_running(False)
    do(sim, c.SetQpos(14, 1.2))
    assert sim.data.tree_awake[2] == 1 or sim.stale
    sim.take(1)
    assert sim.data.tree_awake[2] == 1
