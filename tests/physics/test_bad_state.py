"""Bad numbers, wrong arrays and degenerate models at run time: an error or a counted warning that names the element, never a crash."""
import math

import mujoco
import numpy as np
import pytest

import physics
from physics.enums import (
    DSBL_AUTORESET,
    WARN_BADCTRL,
    WARN_BADQACC,
    WARN_BADQPOS,
    WARN_BADQVEL,
    WARN_INERTIA,
    StateBit,
)
from tests.physics.engine.oracle_model import model_from
from tests.physics.everything import everything

SCENE = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body name="hand" mocap="true" pos="0 0 2"><geom size=".1"/></body>
<body name="stone" pos="0 0 .09"><freejoint name="stone"/><geom size=".1"/></body>
<body name="arm" pos="1 0 1"><joint name="shoulder" type="ball"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body name="lower" pos=".3 0 0"><joint name="elbow" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body></worldbody>
<actuator><motor name="weak" joint="elbow"/><motor name="strong" joint="elbow" gear="5"/></actuator></mujoco>"""
INPUTS = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart", "qacc")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def scene():
    """Without starting over by itself: what is refused can be looked at."""
    m = physics.load_string(SCENE)
    m.opt_disableflags |= DSBL_AUTORESET
    return m, physics.Data(m)


def test_bad_controls_are_counted_and_named(scene):
    m, d = scene
    d.ctrl[:] = [1, np.nan]
    assert physics.step(m, d, 3) == 3 and (d.qfrc_actuator == 0).all()
    (fault,) = physics.warnings(m, d)
    assert (fault.kind, fault.count, fault.element) == (WARN_BADCTRL, 3, "actuator 'strong'") and "bad control at actuator 'strong'" in str(fault)


@pytest.mark.parametrize("field, index, kind, element", [
    ("qpos", 2, WARN_BADQPOS, "joint 'stone' of body 'stone'"), ("qpos", 6, WARN_BADQPOS, "joint 'stone' of body 'stone'"),
    ("qpos", 8, WARN_BADQPOS, "joint 'shoulder' of body 'arm'"),
    ("qpos", 11, WARN_BADQPOS, "joint 'elbow' of body 'lower'"), ("qvel", 5, WARN_BADQVEL, "joint 'stone' of body 'stone'"),
    ("qvel", 9, WARN_BADQVEL, "joint 'elbow' of body 'lower'")])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e11])
def test_bad_states_are_refused_and_named(scene, field, index, kind, element, bad):
    m, d = scene
    getattr(d, field)[index] = bad
    state = physics.get_state(m, d)
    assert physics.step(m, d, 4) == 0 and f"({element}) became {bad:g} at time 0 s" in physics.step_error(m, d)
    assert np.array_equal(physics.get_state(m, d), state, equal_nan=True)
    assert [(f.kind, f.count, f.element) for f in physics.warnings(m, d)] == [(kind, 1, element)]
    d.reset()
    assert physics.step(m, d, 4) == 4 and physics.warnings(m, d) == () and physics.step_error(m, d) == ""


def test_bad_forces_are_refused_by_the_acceleration(scene):
    m, d = scene
    d.xfrc_applied[m.id("body", "lower"), 2] = np.nan
    assert physics.step(m, d) == 0 and "the acceleration of dof" in physics.step_error(m, d) and "(joint 's" in physics.step_error(m, d)


def test_bad_mocap_poses_are_errors(scene):
    m, d = scene
    d.mocap_quat[0, 1] = np.nan
    for call in (physics.step, physics.forward, physics.inverse, physics.step1, physics.fwd_position):
        with pytest.raises(ValueError, match="'hand'"):
            call(m, d)


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300, 5e-324, 0.0])
def test_no_bad_number_anywhere_crashes(scene, bad):
    m, d = scene
    for field in INPUTS:
        for i in range(getattr(d, field).size):
            d.reset()
            getattr(d, field).reshape(-1)[i] = bad
            for call in (physics.inverse, physics.forward, physics.step):
                try:
                    call(m, d)
                except ValueError:
                    assert field.startswith("mocap")
            done = d.time > 0
            assert not done or (np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all())


def test_zero_quaternions_count_as_no_rotation(scene):
    m, d = scene
    other = d.copy()
    d.qpos[3:7] = d.qpos[7:11] = 0
    d.mocap_quat[0] = 0
    for each in (d, other):
        assert physics.step(m, each, 20) == 20
    assert np.allclose(d.qpos, other.qpos, atol=1e-12)


@pytest.mark.nojit
def test_a_singular_inertia_is_a_counted_warning():
    m = model_from(mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint name="a" type="slide" axis="1 0 0"/><geom size=".1"/></body>'
        '<body><joint name="b" axis="0 1 0"/><geom size=".1"/></body></worldbody></mujoco>'))
    m.names = {**m.names, "joint": ("a", "b")}
    d = physics.Data(m)
    m.body_mass[2] = 0
    m.body_inertia[2] = 0
    m.dof_M0[1] = 0
    physics.forward(m, d)
    (fault,) = physics.warnings(m, d)
    assert fault.kind == WARN_INERTIA and fault.element.startswith("joint 'b' of body") and np.isfinite(d.qacc).all()


ARM = """<mujoco><option integrator="{integrator}"/><worldbody><body><joint name="shoulder" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body pos=".3 0 0"><joint name="elbow" axis="0 1 0" range="-1 1" limited="true"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></body></worldbody>
<actuator><motor joint="elbow"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "discrete"])
@pytest.mark.parametrize("mass, inertia, armature", [(0, 0, 0), (1e-30, 1e-30, 0), (-5, -1, 0), (1, 1, -10), (np.nan, 1, 0)])
def test_a_body_that_loses_its_mass_while_it_runs(integrator, mass, inertia, armature):
    """Counted and refused by name, the state untouched; what is asked about it raises or is finite, and gives back a sound model as soon as there is one."""
    m = physics.load_string(ARM.format(integrator=integrator))
    m.opt_disableflags |= DSBL_AUTORESET
    d = physics.Data(m)
    d.ctrl[0] = 0.1
    assert physics.step(m, d, 3) == 3
    sound, state = (m.body_mass[2], m.body_inertia[2].copy()), physics.get_state(m, d)
    m.body_mass[2], m.body_inertia[2], m.dof_armature[1] = mass * sound[0], inertia * sound[1], armature
    assert physics.step(m, d, 5) == 0 and (physics.get_state(m, d) == state).all()
    kinds = {f.kind: f.element for f in physics.warnings(m, d)}
    assert "the acceleration of dof" in physics.step_error(m, d)
    assert "joint 'elbow'" in kinds.get(WARN_INERTIA, "") or np.isnan(mass)
    physics.inverse(m, d)
    with pytest.raises(ValueError, match="diverged"):
        physics.transition_fd(m, d)
    assert physics.rollout(m, physics.get_state(m, d, StateBit.FULLPHYSICS), np.full((3, 1), 0.1)).steps[0] == 0
    m.body_mass[2], m.body_inertia[2], m.dof_armature[1] = *sound, 0
    assert physics.step(m, d, 5) == 5


@pytest.mark.parametrize("bad", [np.nan, -1.0, 1e300])
def test_no_bad_number_in_the_model_crashes(bad):
    """A third of each array of numbers, one array after the other: steps happen with finite results, or are refused or errors by name."""
    m = physics.load_string(everything('integrator="implicitfast"'))
    rng, refused = np.random.default_rng(0), 0
    for name in m.fields():
        value = getattr(m, name)
        if not isinstance(value, np.ndarray) or value.dtype.kind != "f" or not value.size or name == "qpos0":
            continue
        kept = value.copy()
        with np.errstate(over="ignore"):
            value.reshape(-1)[rng.integers(0, value.size, max(1, value.size // 3))] = bad
        d = physics.Data(m)
        d.ctrl[:] = 0.3
        try:
            for call in (physics.forward, physics.step, physics.step, physics.inverse):
                call(m, d)
            refused += d.diverged != 0
        except (ValueError, physics.ViewOnlyError) as error:
            assert "'" in str(error), name
        assert np.isfinite(physics.get_state(m, d)[:1 + m.nq + m.nv + m.na]).all(), name
        value[...] = kept
    assert refused > 5 or bad == -1.0


def test_contacts_of_dimensions_that_there_are_not_are_named(scene):
    m, d = scene
    m.geom_condim[m.id("body", "stone")] = 5
    for call in (physics.step, physics.forward, physics.inverse, physics.step1):
        with pytest.raises(physics.ViewOnlyError, match="has condim 5"):
            call(m, d)
    m.geom_condim[:] = 6
    assert physics.step(m, d) == 1


def test_arrays_of_wrong_size_or_type_are_errors(scene):
    m, d = scene
    for field, value in (("qpos", np.zeros(3)), ("qpos", [1.0]), ("ctrl", np.zeros((2, 1))), ("qvel", "fast"), ("xfrc_applied", np.zeros(6)),
                         ("ctrl", [1, "x"]), ("ctrl", [1, None, 3]), ("qpos", {})):
        before = getattr(d, field).copy()
        with pytest.raises((ValueError, TypeError)):
            setattr(d, field, value)
        assert (getattr(d, field) == before).all()
    for field in ("xposs", "qposs"):
        with pytest.raises(AttributeError):
            setattr(d, field, 1)
    d.ctrl = [1, 2]
    d.qvel = 0.5
    assert d.ctrl.tolist() == [1, 2] and (d.qvel == 0.5).all()
    with pytest.raises((ValueError, TypeError)):
        d.time = "now"
    with pytest.raises(AttributeError):
        d.body("arm").weight = 3


def test_unknown_names_tell_what_there_is(scene):
    m, d = scene
    with pytest.raises(KeyError, match="arm"):
        d.body("leg")
    with pytest.raises(KeyError, match="no joint"):
        m.joint(99)


def test_absurd_options_do_not_crash(scene):
    m, d = scene
    for field, value in (("opt_timestep", -1.0), ("opt_iterations", -5), ("opt_ls_iterations", -1),
                         ("opt_tolerance", np.nan), ("opt_impratio", 0.0), ("opt_impratio", np.nan)):
        before = getattr(m, field)
        setattr(m, field, value)
        d.reset()
        physics.step(m, d, 5)
        physics.inverse(m, d)
        setattr(m, field, before)
    m.opt_gravity[:] = np.nan
    d.reset()
    assert physics.step(m, d) == 0


def test_a_step_that_diverges_inside_runge_kutta_is_refused():
    """The first stage is sound, the later ones are not: the official engine takes the step and resets in the next; ours leaves the state."""
    text = """<mujoco><option integrator="RK4" timestep=".01" gravity="0 0 0"/><worldbody><body name="bead"><joint name="wire" type="slide" stiffness="1e13"/>
    <geom size=".1" mass="1"/></body></worldbody></mujoco>"""
    official = mujoco.MjModel.from_xml_string(text)
    mjd = mujoco.MjData(official)
    m = physics.load_string(text)
    d = physics.Data(m)
    mjd.qpos[0] = d.qpos[0] = 1e-4
    mujoco.mj_step(official, mjd)
    assert abs(mjd.qpos[0]) > 1e10 and not mjd.warning[WARN_BADQACC].number
    assert physics.step(m, d, autoreset=False) == 0
    assert (d.qpos[0], d.qvel[0], d.time, d.diverged) == (1e-4, 0.0, 0.0, WARN_BADQACC)
    assert "wire" in physics.step_error(m, d)


@pytest.mark.parametrize("timestep", [math.inf, -math.inf, math.nan, 1e11])
def test_an_impossible_time_step_is_refused(timestep):
    m = physics.load_string('<mujoco><worldbody><body><joint/><geom size=".1" pos="1 0 0"/></body></worldbody></mujoco>')
    d = physics.Data(m)
    m.opt.timestep = timestep
    with pytest.raises(physics.ViewOnlyError, match="time step"):
        physics.step(m, d)
    m.opt.timestep = 0.01
    assert physics.step(m, d) == 1 and np.isfinite(d.qpos).all()
