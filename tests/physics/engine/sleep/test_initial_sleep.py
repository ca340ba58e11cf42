"""Trees that begin asleep, and sleepers of states that are kept, copied, taken back, or whose model changes."""
import copy
import pickle
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import physics
from physics.enums import ENBL_SLEEP
from physics.kernels.decorators import NOJIT
from physics.runtime.history.history import History
from tests.physics.engine.sleep.scenes import box, difference, pair_of, run, world

pytestmark = pytest.mark.filterwarnings("ignore:1 trees")   # SCENE holds one that cannot begin asleep

# two in the air together, one that rests, one asleep at the touch of one that is not
SCENE = world(box("a", "0 0 1", 'sleep="init"') + box("b", "0 0 1.15", 'sleep="init"') + box("c", "3 0 .1") + box("e", "5 0 .1", 'sleep="init"')
              + box("f", "5 0 .29") + box("g", ".05 0 2.5"),
              '<keyframe><key name="same"/><key name="moved" qpos="0 0 1 1 0 0 0 0 0 1.16 1 0 0 0 3 0 .1 1 0 0 0 5 0 .1 1 0 0 0 5 0 .29 1 0 0 0 .05 0 2.5 1 0 0 0"/></keyframe>')


@pytest.mark.nojit
def test_beginning_asleep_is_as_officially():
    mj, mjd, m, d = pair_of(SCENE)
    assert d.tree_asleep.tolist() == mjd.tree_asleep.tolist() == [1, 0, -10, -11, -10, -10]
    if NOJIT:
        return
    assert difference(mjd, d) == {}
    awake = run((mj, mjd, m, d), 300)
    assert awake[0] == 4 and 2 in np.diff(awake)   # what falls on them wakes them


ALONE = """import sys, physics
physics.compile_kernels()
print(physics.Data(physics.load_string(sys.argv[1])).tree_asleep.tolist())"""


def test_the_first_data_of_a_program_begins_asleep():
    """With nothing imported that steps."""
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", ALONE, SCENE], capture_output=True, text=True, check=True)
    assert ran.stdout.split("\n")[0] == "[1, 0, -10, -11, -10, -10]"


@pytest.mark.parametrize("key", ["same", "moved"])
def test_keyframes_wake_what_they_move(key):
    mj, mjd, m, d = pair_of(SCENE)
    mujoco.mj_resetDataKeyframe(mj, mjd, mj.key(key).id)
    physics.reset(m, d, key)
    assert d.tree_asleep.tolist() == mjd.tree_asleep.tolist()
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert difference(mjd, d) == {} and d.ntree_awake == (4 if key == "same" else 6)


def test_who_cannot_begin_asleep_is_named():
    m = physics.load_string(SCENE)
    with pytest.warns(RuntimeWarning, match="body 'e' \\(4\\)"):
        d = physics.Data(m)
    with pytest.warns(RuntimeWarning, match="1 trees"):
        physics.reset(m, d)


def test_states_put_into_a_data_before_its_first_step():
    _mj, _mjd, m, d = pair_of(SCENE)
    d.sleep_due, d.sleep_qpos[:] = 1, d.qpos   # as where kernels are not compiled yet
    d.tree_asleep[:] = -11
    d.qpos[2] = 1.1
    physics.forward(m, d)
    assert d.ntree_awake == 6 and d.qpos[2] == 1.1


PILE = world(box("a", "0 0 .1") + box("b", "0 0 .3") + box("c", "1 0 .1") + box("d", "1.5 0 2"), "<sensor><accelerometer site='a'/><framepos objtype='body' objname='a'/></sensor>")


def asleep(steps=60):
    m = physics.load_string(PILE)
    d = physics.Data(m)
    physics.step(m, d, steps)
    assert d.ntree_awake == (1 if steps > 50 else 4)
    return m, d


def same(one, two) -> None:
    """Two Data go on alike, bit for bit."""
    for d in (one, two):
        physics.step(d.model, d, 200)
    for name in ("tree_asleep", "qpos", "qvel", "qacc", "xpos", "sensordata"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name


@pytest.mark.parametrize("take", [physics.Data.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))], ids=["copy", "deepcopy", "pickle"])
def test_copies_sleep_on(take):
    _m, d = asleep()
    same(take(d), d)


def test_going_back_in_time():
    m, d = asleep(20)
    history = History(1 << 20)
    history.begin(m, d)
    for _ in range(120):
        physics.step(m, d)
        history.make_room()
        history._record()
    straight = d.copy()
    for index in (60, 10, 90):
        history.load(index)
        kept = d.tree_asleep.copy()
        physics.forward(m, d)
        assert np.array_equal(d.tree_asleep, kept) and (kept[:3] >= 0).all() == (index > 20)
        other = d.copy()
        physics.step(m, other, 120 - index)
        for name in ("tree_asleep", "qpos", "qvel", "qacc_warmstart"):
            assert np.array_equal(getattr(other, name), getattr(straight, name)), (index, name)
        assert np.abs(other.sensordata - straight.sensordata).max() < 1e-9


def test_going_back_and_moving_a_sleeper_wakes_it():
    m, d = asleep()
    history = History(1 << 20)
    history.begin(m, d)
    physics.step(m, d, 5)
    history._record()
    history.load(0)
    d.qpos[2] += 1e-3
    physics.kinematics(m, d)
    assert d.xpos[1, 2] == d.qpos[2]
    physics.forward(m, d)
    assert d.ntree_awake == 3 and d.xpos[1, 2] == d.qpos[2]


def test_set_state_keeps_those_asleep_that_it_does_not_move():
    m, d = asleep()
    state = physics.get_state(m, d, physics.enums.StateBit.FULLPHYSICS)
    physics.step(m, d, 3)
    physics.set_state(m, d, state, physics.enums.StateBit.FULLPHYSICS)
    physics.forward(m, d)
    assert d.ntree_awake == 1
    state[1 + 2] += 1e-6
    physics.set_state(m, d, state, physics.enums.StateBit.FULLPHYSICS)
    physics.forward(m, d)
    assert d.ntree_awake == 3 and d.xpos[1, 2] == d.qpos[2]


def test_single_stages_see_what_was_moved():
    m, d = asleep()
    d.qpos[14] += .5
    physics.kinematics(m, d)
    assert d.xpos[3, 0] == d.qpos[14] and d.ntree_awake == 2


def test_waking_by_hand_after_a_change_to_the_model():
    m, d = asleep()
    m.opt_gravity[:] = 0, 0, 9.81
    physics.step(m, d)
    assert d.ntree_awake == 1   # as officially: nobody has told them
    d.wake()
    physics.step(m, d, 2)
    assert d.ntree_awake == 4 and (d.qvel[2:18:6] > .09).all()


def test_runge_kutta_keeps_all_awake():
    m, d = asleep()
    m.opt_integrator = physics.enums.Integrator.RK4
    physics.step(m, d, 30)
    assert d.ntree_awake == 4


def test_the_mouse_wakes_and_keeps_awake():
    m, d = asleep()
    d.perturb_bodyid, d.xfrc_perturb[:] = 1, (0, 0, 1e-3, 0, 0, 0)
    physics.step(m, d, 40)
    assert d.tree_awake.tolist()[:3] == [1, 1, 0]
    d.perturb_bodyid = 0
    physics.step(m, d, 40)
    assert d.tree_awake.tolist()[:3] == [0, 0, 0]


def test_nothing_is_noted_with_the_flag_off():
    m = physics.load_string(PILE)
    m.opt_enableflags &= ~ENBL_SLEEP
    d = physics.Data(m)
    physics.step(m, d, 100)
    assert d.ntree_awake == 4 and (d.tree_asleep == -11).all()


def test_growing_and_halves_change_nothing():
    m = physics.load_string(world(box("a", "0 0 .1") + box("b", "0 0 .3") + box("c", ".3 0 .1") + box("d", ".1 0 1.5") + box("e", ".05 .05 2.5")))
    roomy, tight, halves = physics.Data(m), physics.Data(m, 1, 1, 1, 1), physics.Data(m)
    seen = set()
    for k in range(400):
        assert physics.step(m, roomy) == physics.step(m, tight) == physics.step1(m, halves) == physics.step2(m, halves) == 1
        for d in (tight, halves):
            assert np.array_equal(d.tree_asleep, roomy.tree_asleep) and np.array_equal(d.qpos, roomy.qpos), k
        seen.add(roomy.ntree_awake)
    assert {5, 2} <= seen and len(seen) > 2
