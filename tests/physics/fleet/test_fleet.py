"""A fleet moves each simulation, to the last bit, as it would move alone: whatever the threads, the order and who else is moved."""
import threading

import numpy as np
import pytest

import physics
from physics.enums import ENGINE_HARD, INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4, StateBit
from tests.physics.fleet.singles import ALL, alone, bundled, changed, states_of, stepped


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name, nstep", [("humanoid", 160), ("quadruped", 60), ("hand", 25), ("cartpole", 40), ("mocap_paddle", 30), ("bouncing_balls", 60)])
def test_each_moves_as_it_would_alone(name, nstep):
    m = bundled(name)
    states = states_of(m, 5)
    fleet = physics.Fleet(m, 5, 2)
    fleet.set_state(states)
    for _ in range(nstep // 5):     # rows go in and out between
        assert len(fleet.step(nstep=5)) == 0
    expected = alone(m, states, nstep // 5 * 5)
    assert fleet.get_state().tobytes() == expected.tobytes()
    assert (fleet.steps == nstep // 5 * 5).all() and len({row.tobytes() for row in expected}) == 5


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE])
def test_with_every_integrator(integrator):
    m = changed("humanoid")
    m.opt_integrator = integrator
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3, 2)
    fleet.set_state(states)
    contacts = fleet.bind("ncon")
    for _ in range(8):
        fleet.step(nstep=20)
    assert fleet.get_state().tobytes() == alone(m, states, 160).tobytes() and contacts.all()


@pytest.mark.parametrize("name", ["hard_stack", "mocap_paddle"])
def test_with_the_hard_engine(name):
    m = changed(name)
    m.opt_engine = ENGINE_HARD
    states = states_of(m, 3, 0.1)
    fleet = physics.Fleet(m, 3, 2)
    fleet.set_state(states)
    for _ in range(3):
        fleet.step(nstep=4)
    assert fleet.get_state().tobytes() == alone(m, states, 12).tobytes()


def test_threads_and_order_change_no_bit():
    m = bundled("humanoid")
    states = states_of(m, 13)
    found = set()
    for nthread, order in ((1, None), (2, None), (5, np.arange(13)[::-1]), (3, np.random.default_rng(1).permutation(13))):
        fleet = physics.Fleet(m, 13, nthread)
        fleet.set_state(states)
        for _ in range(5):
            fleet.step(order, 32)
        assert fleet.nthread == nthread and (nthread == 1 or any(thread.name.startswith("fleet") for thread in threading.enumerate()))
        found.add(fleet.get_state().tobytes())
    assert len(found) == 1


def test_some_of_them_move():
    m = bundled("humanoid")
    states = states_of(m, 6)
    fleet = physics.Fleet(m, 6, 2)
    fleet.set_state(states)
    fleet.step([4, 1], 30)
    fleet.step(np.array([0, 1, 0, 0, 0, 0], bool), 10)
    expected = states.copy()
    expected[4], expected[1] = alone(m, states[4:5], 30)[0], alone(m, states[1:2], 40)[0]
    assert fleet.get_state().tobytes() == expected.tobytes() and fleet.steps.tolist() == [0, 40, 0, 0, 30, 0]
    assert fleet.get_state([4, 1]).tobytes() == expected[[4, 1]].tobytes()
    before = fleet.get_state()
    assert len(fleet.step([], 3)) == 0 and len(fleet.step(nstep=0)) == 0 and (fleet.get_state() == before).all()


def test_state_is_live_both_ways():
    m = bundled("humanoid")
    states = states_of(m, 4)
    fleet = physics.Fleet(m, 4, 2)
    qpos, ctrl, time = fleet.bind("qpos"), fleet.bind("ctrl"), fleet.bind("time")
    fleet.set_state(states)
    assert qpos.shape == (4, m.nq) and (qpos == states[:, 1:1 + m.nq]).all() and fleet.bind("qpos") is qpos
    ctrl[:] = np.arange(4)[:, None] * 0.1
    qpos[2, 2] += 0.5
    fleet.step(nstep=7)
    for i in range(4):
        d = physics.Data(m)
        physics.set_state(m, d, states[i], ALL)
        d.ctrl[:] = 0.1 * i
        d.qpos[2] += 0.5 * (i == 2)
        physics.step(m, d, 7)
        assert (d.qpos == qpos[i]).all() and d.time == time[i]


def test_what_steps_find_is_copied_out():
    m = bundled("quadruped")
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3, 2)
    names = ("xpos", "sensordata", "geom_xmat", "qfrc_constraint", "ncon", "energy", "subtree_com", "qacc")
    bound = {name: fleet.bind(name) for name in names}
    fleet.set_state(states)
    fleet.step(nstep=40)
    for i in range(3):
        d = stepped(m, states[i], 40)
        for name, rows in bound.items():
            assert np.array_equal(rows[i], getattr(d, name)), name
    assert bound["ncon"].dtype == np.int64 and bound["ncon"].max() > 0 and bound["xpos"].shape == (3, m.nbody, 3)
    fleet.reset()
    assert not any(rows.any() for rows in bound.values())
    fleet.forward([1])
    d = physics.Data(m)
    physics.forward(m, d)
    assert np.array_equal(bound["xpos"][1], d.xpos) and not bound["xpos"][0].any() and (fleet.steps == 0).all()


def test_reset_of_some_and_to_keyframes():
    m = bundled("humanoid")
    assert m.nkey
    fleet = physics.Fleet(m, 4, 2)
    start = fleet.get_state()
    fleet.set_state(states_of(m, 4))
    fleet.step(nstep=20)
    moved = fleet.get_state()
    fleet.reset([1])
    fleet.reset([2], m.names["key"][0])
    d = physics.Data(m)
    physics.reset(m, d, 0)
    found = fleet.get_state()
    assert (found[1] == start[1]).all() and (found[2] == physics.get_state(m, d, ALL)).all() and (found[[0, 3]] == moved[[0, 3]]).all()
    assert fleet.steps.tolist() == [20, 0, 0, 20]
    fleet.step(nstep=15)     # nothing is left of what was before
    physics.step(m, d, 15)
    assert (fleet.get_state()[2] == physics.get_state(m, d, ALL)).all()
    fleet.reset(keyframe=0)
    physics.reset(m, d, 0)
    assert (fleet.get_state() == physics.get_state(m, d, ALL)).all()


def test_parts_of_states():
    m = bundled("mocap_paddle")
    fleet = physics.Fleet(m, 3)
    some = StateBit.QPOS | StateBit.MOCAP_POS | StateBit.EQ_ACTIVE
    values = fleet.get_state(sig=some)
    assert values.shape == (3, physics.state_size(m, some))
    values[:, m.nq + m.neq:] += 0.25
    fleet.set_state(values[1], [2], some)
    assert (fleet.get_state([2], some) == values[1]).all() and (fleet.get_state([0], StateBit.MOCAP_POS) == fleet.bind("mocap_pos")[0].ravel()).all()
    assert (fleet.bind("mocap_pos")[2] == fleet.bind("mocap_pos")[0] + 0.25).all()


def test_one_of_them_as_a_data():
    m = bundled("humanoid")
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3)
    fleet.set_state(states)
    fleet.step(nstep=170)
    d, other = fleet.get_data(1), stepped(m, states[1], 170)
    physics.forward(m, other)
    assert d.model is m and d.ncon == other.ncon > 0 and (d.xpos == other.xpos).all() and (d.efc_force[:d.nefc] == other.efc_force[:d.nefc]).all()
    physics.step(m, d, 9)
    physics.step(m, other, 9)
    assert (physics.get_state(m, d) == physics.get_state(m, other)).all() and fleet.steps[1] == 170


def test_a_model_that_changes_between_steps():
    m = changed("humanoid")
    fleet = physics.Fleet(m, 2)
    fleet.step(nstep=5)
    m.opt_gravity[2], m.opt_timestep = -1.0, 0.001
    fleet.step(nstep=5)
    d = physics.Data(m)
    m.opt_gravity[2], m.opt_timestep = -9.81, 0.004
    physics.step(m, d, 5)
    m.opt_gravity[2], m.opt_timestep = -1.0, 0.001
    physics.step(m, d, 5)
    assert (fleet.get_state()[1] == physics.get_state(m, d, ALL)).all()
