"""Bodies in a medium: the official numbers, and what physics says of sinking spheres, winds and lost energy."""
import re

import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import DSBL_CONSTRAINT, DSBL_DAMPER, DSBL_SPRING, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state

ELLIPSOID = '<geom fluidshape="ellipsoid" fluidcoef="{}" '
FIELDS = "qfrc_spring qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_passive qfrc_actuator qacc_smooth".split()
KINDS = {"boxes": None, "ellipsoids": ".6 .3 1.2 .8 .7", "blunt": "1 0 0 0 0", "slender": "0 1 0 0 0", "angular": "0 0 1 0 0", "kutta": "0 0 0 1 0", "magnus": "0 0 0 0 1"}


def wet(xml, kind, density=1.2, viscosity=0.1, wind="1 -2 .5"):
    """The model in a windy medium."""
    option = f'<option density="{density}" viscosity="{viscosity}" wind="{wind}" '
    xml = xml.replace("<option ", option, 1) if "<option " in xml else xml.replace("<mujoco>", f"<mujoco>{option}/>", 1)
    return xml if KINDS[kind] is None else re.sub(r"<geom (?!geom=)", ELLIPSOID.format(KINDS[kind]), xml)


def official(name, kind, **medium):
    mj = mujoco.MjModel.from_xml_string(wet(models.OWN[name], kind, **medium))
    mj.opt.disableflags |= DSBL_CONSTRAINT
    return mj


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", models.OWN)
def test_forces_are_the_official_ones(name, kind):
    mj = official(name, kind)
    m, mjd = model_from(mj), mujoco.MjData(mj)
    for seed in range(3):
        d = Data(m)
        randomize(mj, mjd, seed, speed=10.0**-seed)
        take_state(d, mjd)
        mujoco.mj_forward(mj, mjd)
        stages.forward(m, d)
        off = {field: rel(getattr(d, field), getattr(mjd, field)) for field in FIELDS}
        assert max(off.values()) < 1e-11, off
        assert d.qfrc_fluid.any()


@pytest.mark.parametrize("medium", [dict(density=1000, viscosity=0), dict(density=0, viscosity=1), dict(density=1000, viscosity=0.001, wind="0 0 0")])
@pytest.mark.parametrize("kind", ["boxes", "ellipsoids"])
def test_every_part_of_the_medium_alone(kind, medium):
    mj = official("mixed", kind, **medium)
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, 1)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert rel(d.qfrc_fluid, mjd.qfrc_fluid) < 1e-12


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST])
@pytest.mark.parametrize("kind", ["boxes", "ellipsoids"])
@pytest.mark.parametrize("name", models.OWN)
def test_steps_are_the_official_ones(name, kind, integrator):
    mj = official(name, kind, density=30)
    mj.opt.integrator = integrator
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, 3)
    mjd.qpos[:] = mj.qpos0 + 0.1 * np.random.default_rng(0).normal(size=mj.nq)
    take_state(d, mjd)
    steps = 30
    for _ in range(steps):
        mujoco.mj_step(mj, mjd)
    assert stages.step_n(m, d, steps) == steps
    assert not any(w.number for w in mjd.warning)
    assert max(rel(d.qpos, mjd.qpos), rel(d.qvel, mjd.qvel)) < 1e-9


@pytest.mark.nojit
@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST])
def test_small_models_step_as_officially(integrator):
    mj, mjd, m, d = pair_from("""<mujoco><option density="1.5" viscosity=".2" wind="1 0 2"/><worldbody>
    <body><freejoint/><geom type="ellipsoid" size=".1 .2 .3" fluidshape="ellipsoid"/><geom size=".1" pos=".3 0 0"/></body>
    <body pos="3 0 0"><freejoint/><geom type="box" size=".1 .2 .3"/>
    <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05 .1" fluidshape="ellipsoid"/></body></body>
    </worldbody></mujoco>""")
    mj.opt.integrator = m.opt_integrator = integrator
    mj.opt.disableflags |= DSBL_CONSTRAINT
    m.opt_disableflags = DSBL_CONSTRAINT
    mjd.qvel[:] = np.random.default_rng(1).normal(size=mj.nv)
    take_state(d, mjd)
    for _ in range(3):
        mujoco.mj_step(mj, mjd)
    assert stages.step_n(m, d, 3) == 3
    assert rel(d.qvel, mjd.qvel) < 1e-12 and rel(d.qpos, mjd.qpos) < 1e-12


BALL = '<mujoco><option density="{rho}" viscosity="{beta}" {more}/><worldbody><body><freejoint/><geom size="{r}" mass="2" {shape}/></body></worldbody></mujoco>'


def ball(rho=0.0, beta=0.0, r=0.1, shape='fluidshape="ellipsoid" fluidcoef=".4 .2 1 1 1"', more='integrator="RK4" timestep=".002"'):
    return pair_from(BALL.format(rho=rho, beta=beta, r=r, shape=shape, more=more))[2:]


def test_a_sphere_sinks_with_the_speed_of_stokes():
    m, d = ball(beta=3.0)
    rate = 6 * np.pi * 3.0 * 0.1 / 2
    assert stages.step_n(m, d, 400) == 400
    assert d.qvel[2] == pytest.approx(-9.81 / rate * (1 - np.exp(-rate * 0.8)), rel=1e-10)
    assert stages.step_n(m, d, 10000) == 10000
    assert d.qvel[2] == pytest.approx(-2 * 9.81 / (6 * np.pi * 3.0 * 0.1), rel=1e-12)


def test_a_sphere_falls_with_the_speed_at_which_drag_is_its_weight():
    m, d = ball(rho=1.2, more='integrator="RK4" timestep=".02"')
    final = np.sqrt(2 * 9.81 / (0.4 * 1.2 * np.pi * 0.1**2))
    assert stages.step_n(m, d, 100) == 100
    assert d.qvel[2] == pytest.approx(-final * np.tanh(9.81 * 2.0 / final), rel=1e-8)
    assert stages.step_n(m, d, 5000) == 5000
    assert d.qvel[2] == pytest.approx(-final, rel=1e-12)


def test_a_box_of_inertia_falls_with_the_speed_at_which_drag_is_its_weight():
    m, d = pair_from("""<mujoco><option density="1.2" integrator="implicitfast"/><worldbody>
    <body><freejoint/><geom type="box" size=".1 .2 .3" mass="2"/></body></worldbody></mujoco>""")[2:]
    assert stages.step_n(m, d, 20000) == 20000
    assert d.qvel[2] == pytest.approx(-np.sqrt(2 * 9.81 / (0.5 * 1.2 * 0.2 * 0.4)), rel=1e-10)  # its inertia box is the box itself


def test_a_turning_sphere_slows_as_stokes_says():
    m, d = ball(beta=0.5)
    d.qvel[3:] = 1, 2, -3
    inertia = 0.4 * 2 * 0.1**2
    stages.step_n(m, d, 500)
    assert d.qvel[3:] == pytest.approx(np.array([1, 2, -3]) * np.exp(-8 * np.pi * 0.5 * 0.1**3 / inertia), rel=1e-10)


@pytest.mark.parametrize("kind", ["boxes", "ellipsoids"])
def test_what_drifts_with_the_wind_feels_nothing(kind):
    mj = official("mixed", kind, density=100, wind="3 -1 2")
    m = model_from(mj)
    d = Data(m)
    for j in range(m.njnt):
        if m.jnt_type[j] == 0:
            d.qvel[m.jnt_dofadr[j]:m.jnt_dofadr[j] + 3] = 3, -1, 2
    stages.forward(m, d)
    loose = [k for k in range(m.nv) if m.jnt_type[m.dof_jntid[m.tree_dofadr[m.dof_treeid[k]]]] == 0]
    assert len(loose) > 15 and np.abs(d.qfrc_fluid[loose]).max() < 1e-12 < np.abs(d.qfrc_fluid).max()


@pytest.mark.parametrize("kind", ["boxes", "ellipsoids"])
def test_a_calm_medium_only_takes_energy(kind):
    mj = official("mixed", kind, density=100, viscosity=2, wind="0 0 0")
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    for seed in range(20):
        randomize(mj, mjd, seed)
        take_state(d, mjd)
        stages.forward(m, d)
        assert d.qfrc_fluid @ d.qvel < -1.0


def test_lift_and_added_mass_do_no_work():
    mj = mujoco.MjModel.from_xml_string(wet(models.MIXED, "kutta", viscosity=0, wind="0 0 0").replace("0 0 0 1 0", "0 0 0 1 1"))
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    for seed in range(20):
        randomize(mj, mjd, seed)
        take_state(d, mjd)
        stages.forward(m, d)
        assert abs(d.qfrc_fluid @ d.qvel) < 1e-13 * np.abs(d.qfrc_fluid * d.qvel).sum() + 1e-14


def test_forces_turn_with_the_world():
    text = """<mujoco><option density="5" viscosity=".3" wind="{}"/><worldbody>
    <body><freejoint/><geom type="ellipsoid" size=".1 .2 .05" fluidshape="ellipsoid"/></body></worldbody></mujoco>"""
    turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])  # a third of a turn about (1, 1, 1)
    _mj, _mjd, m, d = pair_from(text.format("1 2 3"))
    d.qpos[3:] = 0.8, 0.1, 0.5, 0.3
    d.qvel[:] = 1, -2, 0.5, 3, 1, 2
    stages.forward(m, d)
    _mj, _mjd, m2, d2 = pair_from(text.format("3 1 2"))
    w, x, y, z = 0.5, 0.5, 0.5, 0.5
    a, b, c, e = d.qpos[3:]
    d2.qpos[3:] = w * a - x * b - y * c - z * e, w * b + x * a + y * e - z * c, w * c - x * e + y * a + z * b, w * e + x * c - y * b + z * a
    d2.qvel[:3], d2.qvel[3:] = turn @ d.qvel[:3], d.qvel[3:]
    stages.forward(m2, d2)
    assert rel(d2.qfrc_fluid[:3], turn @ d.qfrc_fluid[:3]) < 1e-13 and rel(d2.qfrc_fluid[3:], d.qfrc_fluid[3:]) < 1e-13


def test_geoms_of_one_body_are_as_good_as_bodies_of_one_geom():
    one = '<geom type="box" size=".1 .02 .01" pos=".1 0 .05" euler="40 0 10" fluidshape="ellipsoid"/>'
    two = '<geom type="capsule" size=".02 .1" pos="-.1 0 0" euler="0 20 0" fluidshape="ellipsoid"/>'
    text = '<mujoco><option wind="4 5 -1" density="10" viscosity=".1"/><worldbody><body pos="1 2 3"><freejoint align="false"/>{}</body></worldbody></mujoco>'
    forces = []
    for parts in (one + two, f"<body>{one}</body><body>{two}</body>"):
        _mj, _mjd, m, d = pair_from(text.format(parts))
        d.qpos[3:] = 0.5, -0.5, 0.5, 0.5
        d.qvel[:] = range(1, 7)
        stages.forward(m, d)
        forces.append(d.qfrc_fluid.copy())
    assert rel(forces[0], forces[1]) < 1e-13 and np.abs(forces[0]).min() > 0


def test_a_plain_geom_beside_an_ellipsoid_feels_nothing():
    text = '<mujoco><option density="10"/><worldbody><body><freejoint/><geom size=".1" fluidshape="ellipsoid" mass="1"/>{}</body></worldbody></mujoco>'
    forces = []
    for more in ("", '<geom type="box" size=".3 .3 .3" mass="1e-3"/>'):
        _mj, _mjd, m, d = pair_from(text.format(more))
        d.qvel[0] = 2
        stages.forward(m, d)
        forces.append(d.qfrc_fluid.copy())
    assert rel(forces[0], forces[1]) < 1e-13
    assert forces[0][0] == pytest.approx(-0.5 * 10 * np.pi * 0.01 * 4, rel=1e-12)


@pytest.mark.nojit
def test_without_springs_and_dampers_there_is_no_medium():
    m, d = ball(rho=1.0)
    d.qvel[0] = 3.0
    for flags, felt in ((0, True), (DSBL_SPRING, True), (DSBL_DAMPER, True), (DSBL_SPRING | DSBL_DAMPER, False), (0, True)):
        m.opt_disableflags = flags
        stages.forward(m, d)
        assert (d.qfrc_fluid[0] < 0) == felt == (d.qfrc_passive[0] < 0)


@pytest.mark.parametrize("integrator", [INT_IMPLICIT, INT_IMPLICITFAST])
def test_a_thick_medium_needs_an_implicit_step(integrator):
    text = """<mujoco><option density="1000" viscosity="50" timestep=".01"/><worldbody>
    <body><freejoint/><geom type="box" size=".1 .1 .005" density="1200"/></body></worldbody></mujoco>"""
    _mj, _mjd, m, d = pair_from(text)
    d.qvel[:] = 0.1
    speed = np.abs(d.qvel).max()
    m.opt_integrator = integrator
    assert stages.step_n(m, d, 500) == 500
    assert np.abs(d.qvel).max() < speed
    _mj, _mjd, m, d = pair_from(text)
    d.qvel[:] = 0.1
    m.opt_integrator = INT_EULER
    assert stages.step_n(m, d, 500) < 500 or np.abs(d.qvel).max() > 1e3 * speed


@pytest.mark.parametrize("shape", ["", 'fluidshape="ellipsoid"'])
def test_implicitfast_is_implicit_for_a_free_body(shape):
    text = f"""<mujoco><option density="20" viscosity=".1" wind="1 2 0"/><worldbody>
    <body><freejoint align="false"/><geom type="box" size=".1 .2 .05" pos=".05 .02 0" {shape}/></body></worldbody></mujoco>"""
    ends = []
    for integrator in (INT_IMPLICIT, INT_IMPLICITFAST):
        _mj, _mjd, m, d = pair_from(text)
        m.opt_integrator = integrator
        d.qvel[:] = 1, 2, 3, 4, 5, -6
        assert stages.step_n(m, d, 50) == 50
        ends.append((d.qpos.copy(), d.qvel.copy()))
    assert rel(ends[0][0], ends[1][0]) < 1e-13 and rel(ends[0][1], ends[1][1]) < 1e-13


@pytest.mark.parametrize("size", [(0.1, 0.1, 0), (0.1, 0, 0), (0, 0, 0), (0.1, 0.1, 3e-9), (0.1, 0.1, 4e-9), (0.1, 1.7e-5, 1.7e-5), (0.1, 1.8e-5, 1.8e-5), (0.1, 0.2, 1e-30)])
@pytest.mark.parametrize("speed", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1e-3), (0, 0, 0)])
def test_flat_and_needle_shapes_are_the_official_ones(size, speed):
    mj, mjd, m, d = pair_from("""<mujoco><option density="1.2" integrator="implicit"/><worldbody><body><freejoint/>
    <geom type="ellipsoid" size=".1 .1 .1" mass="1" fluidshape="ellipsoid" fluidcoef=".5 .3 1 1 1"/></body></worldbody></mujoco>""")
    mj.geom_size[0] = m.geom_size[0] = size
    m.opt_integrator = INT_IMPLICIT
    mjd.qvel[:3], mjd.qvel[3:] = speed, (0.1, -0.2, 0.3)
    take_state(d, mjd)
    mujoco.mj_step(mj, mjd)
    assert stages.step(m, d) == 1
    assert rel(d.qfrc_fluid, mjd.qfrc_fluid) < 1e-12 and rel(d.qvel, mjd.qvel) < 1e-13
