"""One that diverges stops where its numbers were sound, is named, and touches nobody else."""
import numpy as np
import pytest

import physics
from physics.enums import WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from tests.physics.fleet.singles import ALL, alone, bundled, changed, states_of, without_autoreset

# a spring so stiff that each step throws it farther: positions grow beyond all bounds
SPRING = """<mujoco><option timestep="0.1" integrator="Euler"><flag eulerdamp="disable"/></option><worldbody>
<body name="bob"><joint name="slide" type="slide" axis="1 0 0" stiffness="0"/><geom size=".1" mass="1"/></body>
<body name="calm" pos="0 1 0"><joint name="turn" axis="0 0 1"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def springs():
    m = physics.load_string(SPRING)
    fleet = physics.Fleet(m, 5, 2)
    fleet.expand("jnt_stiffness")[[1, 3], 0] = 1e4
    fleet.bind("qpos")[:, 0] = 1.0
    return m, fleet


def test_it_stops_at_its_last_sound_state_and_others_go_on(springs):
    m, fleet = springs
    start = fleet.get_state()
    stopped = fleet.step(nstep=40)
    assert stopped.tolist() == [1, 3]
    done = int(fleet.steps[1])
    assert 0 < done < 40 and fleet.steps.tolist() == [40, done, 40, done, 40]
    own = physics.load_string(SPRING)
    own.jnt_stiffness[0] = 1e4
    assert (fleet.get_state()[1] == alone(own, start[1:2], done)[0]).all()
    sound = alone(own, start[1:2], done + 1)[0]
    assert not (np.abs(sound[1:1 + m.nq + m.nv]) < 1e10).all() or fleet.diverged[1] == WARN_BADQACC     # one step more is one too many
    assert (fleet.get_state()[[0, 2, 4]] == alone(m, start[[0, 2, 4]], 40)).all()
    assert (np.abs(fleet.get_state()) < 1e10).all()


def test_one_step_at_a_time_stops_at_the_same_place(springs):
    _m, fleet = springs
    start = fleet.get_state()
    fleet.step(nstep=40)
    states, steps = fleet.get_state(), fleet.steps
    fleet.set_state(start)
    found = [fleet.step().tolist() for _ in range(40)]
    assert [ids for ids in found if ids] == [[1, 3]] and fleet.get_state().tobytes() == states.tobytes()
    assert ((fleet.steps - steps)[[1, 3]] == steps[[1, 3]]).all()


def test_it_is_named_and_counted(springs):
    m, fleet = springs
    fleet.step(nstep=40)
    assert set(fleet.errors()) == {1, 3} and fleet.diverged[0] == 0
    assert "joint 'slide' of body 'bob'" in fleet.errors()[1] and "diverged" in fleet.errors()[1] and f"{fleet.bind('time')[1]:g} s" in fleet.errors()[1]
    (warning,) = fleet.warnings(1)
    assert warning.kind == fleet.diverged[1] and warning.count == 1 and fleet.warnings(0) == ()
    assert len(fleet.step(nstep=3)) == 0 and fleet.warnings(1) == (warning,)     # it is told once, and stays
    fleet.reset([1])
    assert set(fleet.errors()) == {3} and fleet.warnings(1) == () and fleet.steps[1] == 0
    before = fleet.steps[3]
    fleet.set_state(physics.get_state(m, physics.Data(m), ALL), [3])
    assert fleet.errors() == {} and len(fleet.step()) == 0 and fleet.steps[3] == before + 1


@pytest.mark.parametrize("field, kind", [("qpos", WARN_BADQPOS), ("qvel", WARN_BADQVEL), ("qfrc_applied", WARN_BADQACC)])
def test_bad_numbers_that_users_wrote(field, kind):
    m = bundled("humanoid")
    fleet = physics.Fleet(m, 3, 2)
    start = fleet.get_state()
    fleet.bind(field)[1, 8] = np.nan
    assert fleet.step(nstep=5).tolist() == [1] and fleet.diverged.tolist() == [0, kind, 0] and fleet.steps.tolist() == [5, 0, 5]
    d = physics.Data(without_autoreset(changed("humanoid")))
    getattr(d, field)[8] = np.nan
    assert physics.step(d.model, d, autoreset=False) == 0 and physics.step_error(d.model, d) == fleet.errors()[1]
    assert (fleet.get_state()[[0, 2]] == alone(m, start[[0, 2]], 5)).all()
    fleet.reset([1])
    assert len(fleet.step(nstep=2)) == 0 and fleet.steps.tolist() == [7, 2, 7]


def test_nothing_of_it_stays_in_the_memory_that_others_use():
    m = bundled("humanoid")
    states = states_of(m, 6)
    fleet = physics.Fleet(m, 6, 1)
    fleet.set_state(states)
    fleet.bind("qvel")[[0, 3], 7] = np.inf
    fleet.step(nstep=50)
    assert set(fleet.errors()) == {0, 3} and (fleet.get_state()[[1, 2, 4, 5]] == alone(m, states[[1, 2, 4, 5]], 50)).all()


def test_mocap_poses_that_are_no_numbers_are_refused_before_anything_moves():
    m = bundled("mocap_paddle")
    fleet = physics.Fleet(m, 3)
    before = fleet.get_state()
    fleet.bind("mocap_pos")[2, 0, 1] = np.nan
    with pytest.raises(ValueError, match="mocap_pos of simulation 2"):
        fleet.step()
    assert (fleet.get_state([0, 1]) == before[:2]).all()
