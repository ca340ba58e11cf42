"""mujoco.rollout under `linkwork exec`: runs equal steps one by one, and what is wrong is named."""
import numpy as np
import pytest

from app.mujoco_shim import mujoco
from app.mujoco_shim.mujoco import rollout

XML = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body name="arm" pos="0 0 .3"><joint name="a" axis="0 1 0"/>
<geom name="g" type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
<site name="tip" pos=".4 0 0"/></body><body name="target" mocap="true" pos="1 0 0"/></worldbody><actuator><motor joint="a"/></actuator>
<sensor><jointpos joint="a"/><framepos objtype="xbody" objname="target"/></sensor></mujoco>"""
DEEP = """<mujoco><option><flag gravity="disable"/></option><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .2 .4"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def model():
    return mujoco.MjModel.from_xml_string(XML)


def by_steps(model, start, control, spec=mujoco.mjtState.mjSTATE_CTRL):
    """States and sensor values of a run, a step at a time."""
    data, full = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
    states, sensors = np.zeros((len(control), mujoco.mj_stateSize(model, full))), np.zeros((len(control), model.nsensordata))
    mujoco.mj_setState(model, data, start, full)
    for k, row in enumerate(control):
        mujoco.mj_setState(model, data, row, spec)
        mujoco.mj_step(model, data)
        mujoco.mj_getState(model, data, states[k], full)
        sensors[k] = data.sensordata
    return states, sensors


@pytest.mark.parametrize("threads", [1, 3])
def test_runs_equal_steps_one_by_one_on_any_number_of_threads(model, threads):
    rng = np.random.default_rng(0)
    start, control = rng.normal(size=(7, 3)), rng.normal(size=(7, 6, 1))
    states, sensors = rollout.rollout(model, [mujoco.MjData(model) for _ in range(threads)], start, control)
    for k in range(7):
        wanted = by_steps(model, start[k], control[k])
        np.testing.assert_array_equal(states[k], wanted[0])
        np.testing.assert_array_equal(sensors[k], wanted[1])


def test_inputs_of_any_kind_are_written_before_each_step(model):
    spec = mujoco.mjtState.mjSTATE_MOCAP_POS | mujoco.mjtState.mjSTATE_CTRL
    control = np.random.default_rng(1).normal(size=(5, 4))
    states, sensors = rollout.rollout(model, mujoco.MjData(model), np.zeros(3), control, control_spec=spec)
    wanted = by_steps(model, np.zeros(3), control, spec)
    np.testing.assert_array_equal(states[0], wanted[0])
    np.testing.assert_array_equal(sensors[0], wanted[1])
    np.testing.assert_array_equal(sensors[0, :, 1:], control[:, 1:])


def test_a_run_that_diverges_repeats_its_last_row():
    model = mujoco.MjModel.from_xml_string(DEEP)
    start = np.zeros((2, 14))
    start[:, 3], start[:, 4] = .5, 1
    start[0, 8] = 1e12
    states, _ = rollout.rollout(model, mujoco.MjData(model), start, nstep=5)
    assert states[0, -1, 0] == states[0, 0, 0] and states[1, -1, 0] > states[1, -2, 0]


def test_results_go_into_the_arrays_that_are_given(model):
    state, sensors = np.empty((2, 3, 3)), np.empty((2, 3, 4))
    found = rollout.rollout(model, mujoco.MjData(model), np.zeros(3), state=state, sensordata=sensors)
    assert found[0] is state and found[1] is sensors and state[1, 2, 0] == pytest.approx(3 * model.opt.timestep)


@pytest.mark.parametrize(("named", "text"), [
    ({"initial_state": np.zeros(4)}, "trailing dimension of initial_state must be 3, got 4"), ({"control": "a"}, "control must be a numpy array or float"),
    ({"control": np.zeros((1, 2, 3, 1))}, "control can have at most 3 dimensions"), ({"control": np.zeros((2, 1)), "nstep": 3}, "dimension 1 inferred as 3 but control has 2"),
    ({"control": np.zeros(1), "control_spec": 2}, "control_spec can only contain bits in mjSTATE_USER"), ({"nstep": -1}, "nstep must be non-negative"),
    ({"data": []}, "The list of data instances is empty"), ({"chunk_size": 0}, "chunk_size must be a positive integer"),
])
def test_what_does_not_fit_is_named(model, named, text):
    given = {"model": model, "data": mujoco.MjData(model), "initial_state": np.zeros(3), **named}
    with pytest.raises(ValueError, match=text):
        rollout.rollout(**given)


def test_a_closed_pool_runs_nothing(model):
    with rollout.Rollout(nthread=2) as pool:
        with pytest.raises(ValueError, match="Length of data: 1 not equal to nthread: 2"):
            pool.rollout(model, mujoco.MjData(model), np.zeros(3))
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.rollout(model, mujoco.MjData(model), np.zeros(3))
