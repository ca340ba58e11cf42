"""What a fleet refuses, how much memory it takes, what it does about sleep."""
import tracemalloc

import numpy as np
import pytest

import physics
from tests.physics.fleet.singles import ALL, alone, bundled, states_of

SLEEPERS = """<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def test_bad_numbers_of_simulations_and_threads():
    m = bundled("cartpole")
    with pytest.raises(ValueError, match="0 simulations"):
        physics.Fleet(m, 0)
    with pytest.raises(ValueError, match="-1 threads"):
        physics.Fleet(m, 2, -1)
    with pytest.raises(TypeError, match="Data"):
        physics.Fleet(physics.Data(m), 2)
    fleet = physics.Fleet(m, 2, 64)
    assert fleet.nthread == 2 and len(fleet) == 2
    with pytest.raises(ValueError, match="-1 steps"):
        fleet.step(nstep=-1)


@pytest.mark.parametrize("ids, error, text", [([0, 5], IndexError, "simulation 5 of 3"), ([-1], IndexError, "simulation -1"), ([1, 1], ValueError, "1 is named twice"),
                                              (np.ones(2, bool), ValueError, "mask"), ([0.5], ValueError, "whole numbers"), (np.zeros((2, 2), int), ValueError, "one row")])
def test_bad_ids_are_named_by_every_verb(ids, error, text):
    fleet = physics.Fleet(bundled("cartpole"), 3)
    before = fleet.get_state()
    for call in (fleet.step, fleet.forward, fleet.reset, fleet.get_state, lambda ids: fleet.set_state(before[0], ids), lambda ids: fleet.rollout(nstep=1, ids=ids)):
        with pytest.raises(error, match=text):
            call(ids)
    assert (fleet.get_state() == before).all()


def test_bad_states_keyframes_and_fields_are_named():
    m = bundled("cartpole")
    fleet = physics.Fleet(m, 3)
    with pytest.raises(ValueError, match="state"):
        fleet.set_state(np.zeros(3))
    with pytest.raises(ValueError, match="state bits"):
        fleet.get_state(sig=-1)
    with pytest.raises(KeyError, match="nothing"):
        fleet.reset(keyframe="nothing")
    with pytest.raises(IndexError):
        fleet.reset(keyframe=m.nkey)
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        fleet.bind("qposs")
    for name in ("contact_dist", "efc_force", "qLD", "diverged"):
        with pytest.raises(ValueError, match=name):
            fleet.bind(name)


def test_a_step_allocates_nothing():
    m = bundled("humanoid")
    fleet = physics.Fleet(m, 40, 2)
    fleet.bind("xpos")
    fleet.set_state(states_of(m, 40))
    fleet.step(nstep=150)      # contacts have come: room for them is there
    size = fleet.nbytes()
    fleet.step()
    tracemalloc.start()
    try:
        for _ in range(5):
            fleet.step(nstep=2)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert fleet.nbytes() == size and peak < 20_000      # Python's small change; one row of humanoid alone is 2 kB, all of them 90
    assert size < 10 * physics.Data(m).nbytes() + 40 * 8000     # and no Data for each


def test_room_is_made_when_contacts_come(monkeypatch):
    from physics.fleet import workers

    m = bundled("humanoid")
    states = states_of(m, 4)
    monkeypatch.setattr(workers, "Data", lambda model: physics.Data(model, 1, 1, 1, 1))
    fleet = physics.Fleet(m, 4, 2)
    fleet.set_state(states)
    fleet.step(nstep=120)
    assert fleet.get_state().tobytes() == alone(m, states, 120).tobytes()


def test_sleepers_need_a_data_each():
    m = physics.load_string(SLEEPERS)
    with pytest.raises(ValueError, match="persistent"):
        physics.Fleet(m, 2)
    states = np.repeat(physics.get_state(m, physics.Data(m), ALL)[None], 3, axis=0)
    states[:, 3] += [0.0, 0.01, 1.0]       # dropped from different heights
    fleet = physics.Fleet(m, 3, 2, persistent=True)
    fleet.set_state(states)
    asleep = fleet.bind("tree_asleep")
    for _ in range(5):
        fleet.step(nstep=50)
    for i in range(3):
        d = physics.Data(m)
        physics.set_state(m, d, states[i], ALL)
        physics.step(m, d, 250)
        assert (fleet.get_state()[i] == physics.get_state(m, d, ALL)).all() and (d.tree_asleep == asleep[i]).all()
    assert (asleep[0] >= 0).all() and (asleep[2] < 0).any()
    with pytest.raises(ValueError, match="sleep"):
        fleet.rollout(nstep=1)
    fleet.reset([1])
    d = physics.Data(m)
    physics.step(m, d, 60)
    fleet.step([1], 60)
    assert (fleet.get_state()[1] == physics.get_state(m, d, ALL)).all()


def test_persistent_is_the_same_to_the_bit():
    m = bundled("quadruped")
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3, 2, persistent=True)
    fleet.set_state(states)
    fleet.step(nstep=30)
    assert fleet.get_state().tobytes() == alone(m, states, 30).tobytes()
    d = fleet.get_data(2)
    assert d.time == fleet.bind("time")[2] and d.ncon > 0


def test_an_error_in_a_thread_reaches_the_caller_and_threads_end():
    m = bundled("cartpole")
    with physics.Fleet(m, 8, 2) as fleet:
        fleet.step()
    fleet.step()       # by the caller's thread alone
    assert (fleet.steps == 2).all()


def test_room_that_is_made_within_a_call_leaves_sleepers_as_they_are(monkeypatch):
    """The second box lands when the first one has long been asleep: there is no room for its contacts, and the steps before must not be taken again."""
    from physics.fleet import fleet as fleets

    m = physics.load_string(SLEEPERS)
    state = physics.get_state(m, physics.Data(m), ALL)
    state[1 + 7 + 2] += 1.0
    monkeypatch.setattr(fleets, "Data", lambda model: physics.Data(model, 1, 1, 1, 1))
    fleet = physics.Fleet(m, 2, 2, persistent=True)
    fleet.set_state(state)
    asleep = fleet.bind("tree_asleep")
    fleet.step(nstep=260)
    d = physics.Data(m)
    physics.set_state(m, d, state, ALL)
    physics.step(m, d, 200)
    assert d.tree_asleep[0] >= 0 and d.ncon <= 4        # what the test is about
    physics.step(m, d, 60)
    assert d.ncon > 0 and (fleet.get_state() == physics.get_state(m, d, ALL)).all() and (asleep == d.tree_asleep).all() and (fleet.steps == 260).all()


def test_no_simulations_are_nothing_to_do():
    fleet = physics.Fleet(bundled("cartpole"), 3)
    fleet.step([])
    assert fleet.get_state([]).shape == (0, fleet.get_state().shape[1]) and (fleet.bind("time") == 0).all()


@pytest.mark.parametrize("persistent", [False, True])
def test_a_simulation_is_where_a_data_is(persistent):
    m = bundled("quadruped")
    fleet = physics.Fleet(m, 3, 2, persistent=persistent)
    fleet.bind("qvel")[1] = np.inf
    assert fleet.step().tolist() == [1]
    xpos, d = fleet.bind("xpos"), physics.Data(m)
    physics.step(m, d, 20)
    fleet.set_data(1, d)
    assert (xpos[1] == d.xpos).all() and not fleet.diverged.any()
    fleet.step([1], 10)
    physics.step(m, d, 10)
    assert (fleet.get_state([1])[0] == physics.get_state(m, d, ALL)).all()
