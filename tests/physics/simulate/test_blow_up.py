"""What scripts read after a step that blew up, and after a Runge-Kutta step, is what the official engine leaves.

The sequences are those of gymnasium's MujocoEnv (controls, mj_step over the frames, mj_rnePostConstraint) and of dm_control's Physics (mj_step2,
mj_step for the other substeps, mj_step1; with Runge-Kutta mj_step; PhysicsError where the count of a warning has grown).
"""
import mujoco
import numpy as np
import pytest
from mujoco import rollout

import physics
from physics.enums import DSBL_AUTORESET, StateBit, WarningType

SCENE = """<mujoco><option timestep=".005" integrator="{integrator}"><flag energy="enable"/></option>
<worldbody><geom type="plane" size="3 3 .1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/><site name="s"/></body>
<body pos="1 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body pos=".3 0 0"><joint name="b" axis="0 1 0" range="-20 20"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body></worldbody>
<actuator><motor joint="a"/><general joint="b" dyntype="integrator" gainprm="2"/><position joint="b" kp="3"/></actuator>
<sensor><accelerometer site="s"/><jointvel joint="a"/>{sensor}</sensor>
<keyframe><key name="k" qpos="0 0 1 1 0 0 0 .1 .2"/></keyframe></mujoco>"""
READ = ("qpos", "qvel", "act", "ctrl", "qacc", "act_dot", "qfrc_applied", "qfrc_actuator", "qfrc_constraint", "actuator_force", "actuator_velocity",
        "actuator_length", "xpos", "xmat", "geom_xpos", "site_xpos", "subtree_com", "cinert", "cvel", "cfrc_ext", "sensordata", "energy", "qacc_warmstart")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def pair(integrator="Euler", sensor=""):
    text = SCENE.format(integrator=integrator, sensor=sensor)
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    return mj, mujoco.MjData(mj), m, physics.Data(m)


def frames_of_gymnasium(mj, mjd, m, d, ctrl, n=3):
    for each in (mjd, d):
        each.ctrl[:] = ctrl
    mujoco.mj_step(mj, mjd, nstep=n)
    mujoco.mj_rnePostConstraint(mj, mjd)
    physics.step(m, d, n)
    physics.rne_post_constraint(m, d)


def frames_of_dm_control(mj, mjd, m, d, ctrl, n=3):
    """Returns the warnings for which either raises PhysicsError."""
    for each in (mjd, d):
        each.ctrl[:] = ctrl
    before = [w.number for w in mjd.warning], [w.number for w in d.warning]
    if mj.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:
        mujoco.mj_step(mj, mjd, n)
        physics.step(m, d, n)
    else:
        mujoco.mj_step2(mj, mjd)
        mujoco.mj_step(mj, mjd, n - 1)
        physics.step2(m, d)
        physics.step(m, d, n - 1)
    mujoco.mj_step1(mj, mjd)
    physics.step1(m, d)
    return [[WarningType(k) for k, w in enumerate(each.warning) if w.number > old[k]] for each, old in zip((mjd, d), before)]


def same(mjd, d):
    assert d.time == pytest.approx(mjd.time, abs=1e-14)
    assert [(w.number, w.lastinfo) for w in d.warning] == [(w.number, w.lastinfo) for w in mjd.warning]
    assert d.ncon == mjd.ncon
    for name in READ:
        assert np.allclose(np.ravel(getattr(d, name)), np.ravel(getattr(mjd, name)), rtol=1e-7, atol=1e-8), name


BLOWS = {"position": ("qpos", 7, np.nan), "huge position": ("qpos", 8, 1e11), "velocity": ("qvel", 2, np.inf), "acceleration": ("qfrc_applied", 6, 1e13)}


# but an infinite velocity in the second half: where it spreads to in the implicit integrators' factorisation, and so the number told, is chance
CASES = [(integrator, blow, frames) for integrator in ("Euler", "RK4", "implicit", "implicitfast") for blow in BLOWS
         for frames in (frames_of_gymnasium, frames_of_dm_control) if not (blow == "velocity" and "implicit" in integrator and frames is frames_of_dm_control)]


@pytest.mark.parametrize(("integrator", "blow", "frames"), CASES)
def test_after_a_blow_up(integrator, blow, frames):
    mj, mjd, m, d = pair(integrator)
    field, index, value = BLOWS[blow]
    mujoco.mj_step1(mj, mjd)
    physics.step1(m, d)
    frames(mj, mjd, m, d, [.1, .2, .3])
    same(mjd, d)
    for each in (mjd, d):
        getattr(each, field)[index] = value
    raised = frames(mj, mjd, m, d, [.3, -.2, .1])
    assert mjd.time < 0.02 and sum(w.number for w in mjd.warning) == 1
    same(mjd, d)
    assert raised is None or raised[0] == raised[1] != []
    frames(mj, mjd, m, d, [.3, -.2, .1])
    same(mjd, d)


@pytest.mark.parametrize("sensor", ["", "<e_potential/>", "<subtreelinvel body='world'/>"])
@pytest.mark.parametrize("energy", [True, False])
def test_after_a_runge_kutta_step(sensor, energy):
    """energy, qacc and actuator_velocity were those of the step's start."""
    mj, mjd, m, d = pair("RK4", sensor)
    if not energy:
        mj.opt.enableflags = m.opt_enableflags = 0
    rng = np.random.default_rng(0)
    mjd.qvel[:] = d.qvel[:] = rng.normal(size=m.nv)
    for _ in range(5):
        frames_of_gymnasium(mj, mjd, m, d, rng.normal(size=m.nu), 1)
        same(mjd, d)


def test_without_the_flag_nothing_starts_over():
    """Officially the run then goes on with what is no number; here the step does not happen, and says why."""
    _mj, _mjd, m, d = pair()
    m.opt_disableflags |= DSBL_AUTORESET
    d.qpos[8] = np.nan
    assert physics.step(m, d, 3) == 0 and d.time == 0 and "joint 'b'" in physics.step_error(m, d)
    assert physics.step(m, d, 3, autoreset=True) == 3 and physics.step_error(m, d) == "" and len(physics.warnings(m, d)) == 1


def test_what_is_bad_from_the_start_ends():
    _mj, _mjd, m, d = pair()
    m.opt_gravity[:] = np.nan
    assert physics.step(m, d, 1000) == 0 and d.time == 0 and physics.warnings(m, d)


def test_a_rollout_that_blows_up_ends_as_the_official_one():
    mj, mjd, m, d = pair()
    full = StateBit.FULLPHYSICS
    start = physics.get_state(m, d, full)
    states = np.array([start, start])
    states[1, 1 + m.nq + 7] = 9.9e9   # a turn at which the next step ends beyond what counts as sensible
    states[1, 1 + 8] = 9.9e9
    controls = np.zeros((2, 6, m.nu))
    theirs, sensors = rollout.rollout(mj, mjd, states, controls)
    found = physics.rollout(m, states, controls)
    sound = found.steps[1]
    assert sound < 6 and found.steps[0] == 6 and found.warnings[1].sum() == 1
    assert np.allclose(found.states[0], theirs[0]) and np.allclose(found.states[1, sound:], theirs[1, sound:], atol=1e-9)
    assert np.allclose(found.sensordata[1, sound:], sensors[1, sound:], rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("blow", ["position", "velocity"])
def test_the_first_half_of_a_step_starts_over_too(blow):
    mj, mjd, m, d = pair()
    field, index, value = BLOWS[blow]
    for each in (mjd, d):
        each.qpos[8] = 0.1
        getattr(each, field)[index] = value
    mujoco.mj_step1(mj, mjd)
    assert physics.step1(m, d) == 1
    same(mjd, d)
