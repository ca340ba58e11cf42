"""Implicit derivatives of hard steps against central differences of whole steps."""
import numpy as np
import pytest

import physics
from physics import hard
from physics.engine.hard import sensitivity
from physics.engine.hard.rescue import LACKING
from physics.enums import Engine
from tests.physics.hard import differences

STATES = {
    "box": differences.box, "box, long step": lambda kappa: differences.box(kappa, 0.05), "two boxes": differences.two_boxes, "limit, ball, dry friction": differences.arm_at_limit,
}


@pytest.mark.parametrize("kappa", [1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("state", STATES)
def test_step_by_state_and_controls(state, kappa):
    m, d = STATES[state](kappa)
    found = hard.gradients(m, d)
    assert found.kappa == kappa
    differences.judge(m, np.concatenate([found.A, found.B], axis=1), differences.columns(m, d))


@pytest.mark.parametrize("kappa", [1e-3, 1e-7])
def test_loop(kappa):
    m, d = differences.loop(kappa)
    found, nv = hard.gradients(m, d).A, m.nv
    differences.judge(m, found[:, nv:], differences.columns(m, d)[:, nv:], first=nv)
    # positions along what the loop lets through: away from it a step undoes what it is off by
    along, eps = np.array([1.0, -1.0, 1.0]), 1e-6
    ends = [differences.end_of(m, d, physics.integrate_pos(m, d.qpos, along, step), d.qvel, d.act, d.ctrl) for step in (eps, -eps)]
    expected = np.concatenate([physics.differentiate_pos(m, ends[1][0], ends[0][0], 2 * eps), (ends[0][1] - ends[1][1]) / (2 * eps)])
    assert np.abs(found[:, :nv] @ along - expected).max() < 1e-5 * np.abs(expected).max()


@pytest.mark.parametrize("kappa", [1e-3, 1e-5, 1e-7])
def test_quadruped_as_its_feet_come_down(kappa):
    m = physics.load("models/quadruped.xml")
    m.opt.engine, m.opt.timestep = Engine.HARD, 0.01
    m.opt.hard_rtol, m.opt.hard_ktol, m.opt.hard_kappa, m.opt.hard_iterations = 1e-11, 1e-12, kappa, 100
    d = physics.Data(m)
    physics.reset(m, d, "home")
    physics.step(m, d, 40)
    d.qpos[2] += 2e-4
    d.qvel[2] = -0.2
    found = hard.gradients(m, d)
    differences.judge(m, np.concatenate([found.A, found.B], axis=1), differences.columns(m, d))


def test_data_stays_as_it_is():
    m, d = differences.box(1e-5)
    before = d.copy()
    hard.gradients(m, d, parameters=("body_mass",))
    assert all(np.array_equal(getattr(d, name), getattr(before, name)) for name in ("qpos", "qvel", "time", "xpos", "contact_dist", "hard_qpos"))
    assert m.body_mass[1] == 1.0


@pytest.mark.parametrize("name, place", [("body_mass", (1,)), ("body_inertia", (1, 1)), ("body_ipos", (1, 0)), ("geom_friction", (1, 0)), ("geom_size", (1, 2)),
                                         ("geom_pos", (1, 2))])
def test_step_by_parameters(name, place):
    m, d = differences.box(1e-4)
    d.qvel[2] = -0.05
    found = hard.gradients(m, d, parameters=(name,))
    assert found.status == 0
    values, ends = getattr(m, name), []
    before = values[place]
    m.geom_sameframe[1] = m.body_sameframe[1] = 0   # their places count
    for step in (1e-6, -1e-6):
        values[place] = before + step
        ends.append(differences.end_of(m, d, d.qpos, d.qvel, d.act, d.ctrl))
    values[place] = before
    expected = np.concatenate([physics.differentiate_pos(m, ends[1][0], ends[0][0], 2e-6), (ends[0][1] - ends[1][1]) / 2e-6])
    column = found.P[name][(slice(None), *place)]
    assert np.abs(expected).max() > 1e-6
    assert np.abs(column - expected).max() < 1e-5 * np.abs(expected).max() + 1e-8


def test_transition_is_the_implicit_derivative():
    m, d = differences.box(1e-4)
    exact, nudged, implicit = physics.transition_fd(m, d), physics.transition_fd(m, d, exact=False, centered=True), hard.gradients(m, d)
    assert np.array_equal(exact.A, implicit.A) and np.array_equal(exact.B, implicit.B)
    assert np.abs(exact.A - nudged.A).max() < 1e-5 * np.abs(nudged.A).max()


def test_what_is_kept_from_call_to_call_does_not_show():
    """One Data that goes on, with contacts that come and go, applied forces and another number of contact rows, against Data that are new for every call."""
    m, d = differences.two_boxes(1e-5)
    d.qpos[2] += 0.02
    d.qpos[9] += 0.05
    rows = set()
    for k in range(12):
        d.xfrc_applied[1, 1] = 0.3 * k
        found, anew = hard.gradients(m, d), hard.gradients(m, d.copy())
        assert np.array_equal(found.A, anew.A)
        physics.step(m, d, 2)
        rows.add(d.hard_nrow)
    assert len(rows) > 1


def test_transition_without_sensors_is_that_with_them():
    m = physics.load("models/quadruped.xml")
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    physics.reset(m, d, "home")
    assert m.nsensordata > 0
    bare, whole = physics.transition_fd(m, d, sensors=False), physics.transition_fd(m, d)
    assert np.array_equal(bare.A, whole.A) and np.array_equal(bare.B, whole.B)
    assert bare.C.shape == (0, 2 * m.nv + m.na) and bare.D.shape == (0, m.nu) and len(whole.C) == m.nsensordata


def test_what_there_is_no_derivative_of():
    m, d = differences.box(1e-4)
    with pytest.raises(ValueError, match="geom_rgba"):
        hard.gradients(m, d, parameters=("geom_rgba",))
    m.opt.engine = Engine.SOFT
    with pytest.raises(ValueError, match="another engine"):
        hard.gradients(m, d)


def test_rows_that_ride_are_those_that_are_found_again():
    """Where the contacts of a nudged state are others than before, those before ride on their bodies. Here they are not, so that both can be compared."""
    m, d = differences.two_boxes(1e-4)
    physics.ensure_hard()
    work, e = d.copy(), d.copy()
    while sensitivity.find_step(m, work) == LACKING:
        assert work.make_room()
    e.copy_from(work)
    compared = 0
    for k in range(m.nv):
        sensitivity.nudge(m, work, e, sensitivity.POSITION, k, 1e-4)
        if sensitivity.look_nudged(m, work, e, sensitivity.POSITION) != 1:
            continue
        compared += 1
        again = {name: getattr(e, name)[:work.hard_nrow].copy() for name in ("hrow_witness", "hrow_arm", "hrow_dir")}
        for c in range(work.hard_nrow):
            sensitivity.ride(work, e, c)
        normals = slice(6, 9)   # tangents may turn about them
        assert np.abs(e.hrow_dir[:work.hard_nrow, normals] - again["hrow_dir"][:, normals]).max() < 1e-9
        floor = work.hrow_body[:work.hard_nrow, 0] == 0   # corners on the floor stay corners; those between the boxes are cut out anew
        assert np.abs(e.hrow_witness[:work.hard_nrow][floor, 3:] - again["hrow_witness"][floor, 3:]).max() < 1e-9
        assert np.abs(e.hrow_arm[:work.hard_nrow][floor, 3:] - again["hrow_arm"][floor, 3:]).max() < 1e-9
    assert compared >= 6


FLYING = """<mujoco><option timestep=".01" density="1.2" wind="1 0 0"/><worldbody><site name="world" pos="1 0 2"/>
<body pos="0 0 2" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .05" mass=".3"/><site name="rotor" pos=".1 0 0"/>
<body pos=".1 0 0"><joint axis="0 1 0" stiffness=".5" damping=".01"/><geom type="capsule" size=".02" fromto="0 0 0 .2 0 0" mass=".1"/></body></body></worldbody>
<actuator>{motor}</actuator></mujoco>"""


@pytest.mark.parametrize("motor", ['<motor site="rotor" gear="0 0 1 0 0 .1"/>', '<position site="rotor" refsite="world" gear="1 0 0 0 0 0" kp="3"/>'])
def test_what_flies(motor):
    """Where it is does not matter to what pushes at a site by itself; it does to what pulls it to a place."""
    m, d = differences.exact(FLYING.replace("{motor}", motor), 1e-6)
    d.qvel[:] = 0.3, -0.2, 0.1, 0.5, -1.0, 2.0, 1.5
    d.ctrl[:] = 0.7
    found = hard.gradients(m, d)
    differences.judge(m, np.concatenate([found.A, found.B], axis=1), differences.columns(m, d))
