"""Simulations that differ in fields of the Model move as those of a Model with these values."""
import numpy as np
import pytest

import physics
from physics.errors import FieldError
from tests.physics.fleet.singles import ALL, alone, bundled, changed, states_of

N = 4
CHAIN = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .4"><joint axis="0 1 0" limited="true" range="-60 60"/>
<geom type="capsule" size=".04" fromto="0 0 0 {length} 0 0"/><body pos="{length} 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 {length} 0 0"/>
</body></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def singles(name: str, states: np.ndarray, nstep: int, write) -> np.ndarray:
    """Each with a Model into which write(m, i) has written."""
    found = []
    for i, state in enumerate(states):
        m = changed(name)
        write(m, i)
        found.append(alone(m, state[None], nstep)[0])
    return np.array(found)


def test_friction_damping_and_time_step_by_simulation():
    m = bundled("humanoid")
    states = states_of(m, N)
    fleet = physics.Fleet(m, N, 2)
    friction, damping, step, gravity = (fleet.expand(name) for name in ("geom_friction", "dof_damping", "opt_timestep", "opt_gravity"))
    assert friction.shape == (N, m.ngeom, 3) and step.shape == (N,) and (friction == m.geom_friction).all() and fleet.expand("geom_friction") is friction
    for i in range(N):
        friction[i, :, 0] = 0.1 + 0.4 * i
        damping[i] *= 1 + i
        gravity[i, 0] = 0.5 * i
    step[:] = [0.004, 0.003, 0.002, 0.004]
    fleet.set_state(states)
    for _ in range(8):
        fleet.step(nstep=25)

    def write(own, i):
        own.geom_friction[:, 0] = 0.1 + 0.4 * i
        own.dof_damping *= 1 + i
        own.opt_gravity[0] = 0.5 * i
        own.opt_timestep = (0.004, 0.003, 0.002, 0.004)[i]

    expected = singles("humanoid", states, 200, write)
    assert fleet.get_state().tobytes() == expected.tobytes()
    assert (m.geom_friction == changed("humanoid").geom_friction).all() and m.opt_timestep == 0.004      # the Model is as it was
    d = fleet.get_data(2)
    assert d.model is not m and (d.model.geom_friction[:, 0] == 0.1 + 0.4 * 2).all() and d.model.opt_timestep == 0.002


def test_values_given_with_the_name():
    fleet = physics.Fleet(bundled("cartpole"), 3)
    rows = fleet.expand("dof_damping", [0.1, 0.2])
    assert (rows == [0.1, 0.2]).all()
    with pytest.raises(ValueError):
        fleet.expand("dof_damping", np.zeros((2, 2)))


def test_simulations_of_models_of_one_structure():
    """Masses and sizes: what the compiler derives from them comes along."""
    m, other = (physics.load_string(CHAIN.format(length=length)) for length in (0.3, 0.5))
    assert not (m.body_subtreemass == other.body_subtreemass).all() and not (m.dof_invweight0 == other.dof_invweight0).all()
    states = states_of(m, 3)
    fleet = physics.Fleet(m, 3, 2)
    fleet.take_model(1, other)
    fleet.set_state(states)
    fleet.step(nstep=50)
    found = fleet.get_state()
    assert (found[1] == alone(other, states[1:2], 50)[0]).all() and (found[[0, 2]] == alone(m, states[[0, 2]], 50)).all()
    assert not (found[1] == alone(m, states[1:2], 50)[0]).all()
    fleet.take_model(1, m)
    fleet.set_state(states)
    fleet.step(nstep=50)
    assert (fleet.get_state() == alone(m, states, 50)).all()


def test_models_of_another_structure_are_refused():
    fleet = physics.Fleet(bundled("cartpole"), 2)
    with pytest.raises(ValueError, match="n.* differs"):
        fleet.take_model(0, bundled("humanoid"))
    other = changed("cartpole")
    other.geom_condim[:] = 1
    with pytest.raises(ValueError, match="geom_condim"):
        fleet.take_model(0, other)


def test_what_all_must_have_in_common_is_named():
    fleet = physics.Fleet(bundled("cartpole"), 2)
    for name in ("geom_condim", "nq", "opt_integrator", "opt_engine", "body_parentid"):
        with pytest.raises(ValueError, match=name):
            fleet.expand(name)
    with pytest.raises(AttributeError, match="geom_friction"):
        fleet.expand("geom_fiction")


def test_the_initial_pose_may_differ():
    m = bundled("cartpole")
    fleet = physics.Fleet(m, 3)
    fleet.expand("qpos0")[:, 0] = [0.1, 0.2, 0.3]
    fleet.reset([0, 2])
    assert fleet.bind("qpos")[:, 0].tolist() == [0.1, float(m.qpos0[0]), 0.3]


def test_a_wrong_number_in_the_shared_model_is_told():
    m = changed("cartpole")
    fleet = physics.Fleet(m, 2)
    before = fleet.get_state()
    m.geom_bodyid[0] = 99
    with pytest.raises(FieldError, match="geom_bodyid"):
        fleet.step()
    m.geom_bodyid[0] = 0
    assert (fleet.get_state() == before).all() and len(fleet.step()) == 0


def test_controls_of_disabled_actuators_by_simulation():
    """A mask of bits may differ."""
    m = bundled("cartpole")
    fleet = physics.Fleet(m, 2)
    fleet.expand("opt_disableflags")[1] |= 1 << int(np.log2(physics.DisableBit.GRAVITY))
    fleet.step(nstep=30)
    own = changed("cartpole")
    own.opt_disableflags |= physics.DisableBit.GRAVITY
    start = physics.get_state(own, physics.Data(own), ALL)[None]
    assert (fleet.get_state()[1] == alone(own, start, 30)[0]).all() and (fleet.get_state()[0] == alone(m, start, 30)[0]).all()


HELD = """<mujoco><worldbody><body name="a" mocap="true" pos="0 0 1"/><body name="b" mocap="true" pos="1 0 1"/><body name="box"><freejoint/><geom size=".1"/></body></worldbody>
<equality><weld name="grip" body1="a" body2="box"/></equality><keyframe><key name="up" mpos="0 0 2 1 0 2" qpos="0 0 5 1 0 0 0"/></keyframe></mujoco>"""


def test_a_reset_begins_at_what_each_has_for_itself():
    m = physics.load_string(HELD)
    fleet = physics.Fleet(m, 3)
    fleet.expand("eq_active0")[1] = 0
    fleet.expand("body_pos")[2, m.id("body", "b")] = [7, 8, 9]
    fleet.expand("qpos0")[:, 2] = 3.0
    fleet.reset()
    assert fleet.bind("eq_active")[:, 0].tolist() == [True, False, True]
    assert fleet.bind("mocap_pos")[2].tolist() == [[0, 0, 1], [7, 8, 9]] and fleet.bind("mocap_pos")[0].tolist() == [[0, 0, 1], [1, 0, 1]]
    fleet.reset([0, 2], "up")
    assert fleet.bind("mocap_pos")[:, 1, 2].tolist() == [2, 1, 2] and fleet.bind("qpos")[:, 2].tolist() == [5, 3, 5]      # a keyframe wins
    fleet.expand("key_qpos")[2, 0, 2] = 6
    fleet.reset(keyframe=0)
    assert fleet.bind("qpos")[:, 2].tolist() == [5, 5, 6]
