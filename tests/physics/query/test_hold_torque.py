"""What holds a pose: against inverse dynamics of the official engine, closed forms, and a second of simulation."""
import mujoco
import numpy as np
import pytest

import physics
from physics.query.bounded_least_squares import bounded_least_squares
from physics.query.hold_torque import hold_torque, moment_matrix
from tests.oracle.corpus import entry

BEAM = """<mujoco><option gravity="0 0 -10"/><worldbody>
  <body name="beam"><joint name="hinge" axis="0 1 0" range="-3 3"/><geom type="box" size=".01 .01 .01" pos=".5 0 0" mass="2"/></body></worldbody>
  <actuator>{}</actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def made(text):
    m = physics.load_string(text)
    d = physics.Data(m)
    physics.forward(m, d)
    return m, d


@pytest.mark.parametrize("name", ["kuka_iiwa_14", "ufactory_xarm7", "shadow_hand", "agility_cassie", "dmc_humanoid_CMU", "google_barkour_vb"])
def test_the_torque_is_that_of_official_inverse_dynamics_at_rest(name):
    where = entry(name).path
    m, mm = physics.load(where), mujoco.MjModel.from_xml_path(str(where))
    d, md = physics.Data(m), mujoco.MjData(mm)
    mm.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    r = np.random.default_rng(1)
    md.qpos[:] = mm.qpos0 + 0.1 * r.normal(size=mm.nq)
    mujoco.mj_normalizeQuat(mm, md.qpos)
    d.qpos[:] = md.qpos
    d.qvel[:] = r.normal(size=m.nv)     # at rest all the same
    physics.forward(m, d)
    before = d.qpos.copy(), d.qvel.copy(), d.qfrc_bias.copy()
    mujoco.mj_inverse(mm, md)
    found = hold_torque(m, d)
    assert np.allclose(found.qfrc, md.qfrc_inverse, atol=1e-9 * max(1, np.abs(md.qfrc_inverse).max()))
    assert all(np.array_equal(old, new) for old, new in zip(before, (d.qpos, d.qvel, d.qfrc_bias), strict=True)), "the Data stays as it is"
    again = hold_torque(m, d, scratch=physics.Data(m))
    assert np.array_equal(found.qfrc, again.qfrc)


def test_a_beam_on_a_motor():
    m, d = made(BEAM.format('<motor name="motor" joint="hinge" gear="5" ctrlrange="-1.5 1.5" ctrllimited="true"/>'))
    found = hold_torque(m, d)
    assert found.qfrc == pytest.approx([-10]) and found.force == pytest.approx([-2]) and found.ctrl == pytest.approx([-2])   # 2 kg at 0.5 m
    assert found.share == pytest.approx([2 / 1.5]) and not found.within[0] and not found.remainder.any()


def test_what_the_range_of_the_joint_cuts_off_is_missing():
    m, d = made(BEAM.format('<motor name="motor" joint="hinge" gear="5"/>').replace('name="hinge"', 'name="hinge" actuatorfrcrange="-4 4"'))
    assert hold_torque(m, d).remainder == pytest.approx([-6])
    m, d = made(BEAM.format('<motor name="motor" joint="hinge" gear="5"/>').replace('name="hinge"', 'name="hinge" actuatorfrcrange="-12 12"'))
    assert not hold_torque(m, d).remainder.any()


@pytest.mark.parametrize("most", ["2", "40"])
def test_what_the_range_of_a_tendon_cuts_off_is_missing(most):
    """Two motors share a string: what is left of both is what a step gives."""
    string = f'<tendon><fixed name="string" actuatorfrcrange="-{most} {most}"><joint joint="hinge" coef="1"/></fixed></tendon>'
    m, d = made(BEAM.format('<motor tendon="string"/><motor tendon="string" gear="3"/>').replace("<actuator>", string + "<actuator>"))
    found = hold_torque(m, d)
    d.ctrl[:] = found.ctrl
    physics.forward(m, d)
    assert d.qfrc_actuator == pytest.approx(found.qfrc - found.remainder) and bool(found.remainder.any()) == (most == "2")
    mm = mujoco.MjModel.from_xml_string(BEAM.format('<motor tendon="string"/><motor tendon="string" gear="3"/>').replace("<actuator>", string + "<actuator>"))
    md = mujoco.MjData(mm)
    md.ctrl[:] = found.ctrl
    mujoco.mj_forward(mm, md)
    assert md.qfrc_actuator == pytest.approx(found.qfrc - found.remainder)


def test_a_servo_a_spring_and_gravity_compensation():
    text = BEAM.format('<position name="servo" joint="hinge" kp="40" forcerange="-20 20"/>')
    m, d = made(text)
    assert hold_torque(m, d).ctrl == pytest.approx([-10 / 40]) and hold_torque(m, d).share == pytest.approx([0.5])
    m, d = made(text.replace('axis="0 1 0"', 'axis="0 1 0" stiffness="8" springref="-30"'))
    assert hold_torque(m, d).qfrc == pytest.approx([-10 + 8 * np.radians(30)])
    m, d = made(text.replace('<body name="beam">', '<body name="beam" gravcomp="1">'))
    assert hold_torque(m, d).qfrc == pytest.approx([0], abs=1e-12)
    m, d = made(text.replace('<body name="beam">', '<body name="beam" gravcomp="1">').replace('axis="0 1 0"', 'axis="0 1 0" actuatorgravcomp="true"'))
    found = hold_torque(m, d)
    assert found.qfrc == pytest.approx([-10]) and found.gravcomp == pytest.approx([-10]) and found.force == pytest.approx([0], abs=1e-9)


def test_what_nothing_drives_is_named():
    m, d = made(BEAM.format(""))
    found = hold_torque(m, d)
    assert found.remainder == pytest.approx([-10]) and not len(found.ctrl)
    m, d = made(BEAM.format('<motor joint="hinge" group="3"/>').replace("<option", '<option actuatorgroupdisable="3"'))
    found = hold_torque(m, d)
    assert found.remainder == pytest.approx([-10]) and np.isnan(found.force[0])


def test_a_muscle_pulls_only():
    tendons = """<tendon><spatial name="up"><site site="high"/><site site="end"/></spatial><spatial name="down"><site site="low"/><site site="end"/></spatial></tendon>"""
    text = BEAM.format('<muscle name="up" tendon="up" force="200"/><muscle name="down" tendon="down" force="200"/>').replace("<worldbody>", '<worldbody><site name="high" pos=".1 0 .5"/><site name="low" pos=".1 0 -.5"/>')
    text = text.replace('mass="2"/>', 'mass="2"/><site name="end" pos=".5 0 0"/>').replace("<actuator>", tendons + "<actuator>")
    m, d = made(text)
    found = hold_torque(m, d)
    assert found.force[0] < -1 and found.ctrl[0] > 0.01 and found.ctrl[1] == pytest.approx(0, abs=1e-9) and not found.remainder.any()
    moment = moment_matrix(m, d)
    assert moment.T @ found.force == pytest.approx(found.qfrc)


def test_equality_constraints_hold_loops():
    """A second rod that a weld ties to the first needs no motor of its own."""
    text = BEAM.format('<motor joint="hinge"/>').replace("</worldbody>", """<body name="other" pos="0 .1 0"><joint name="idle" axis="0 1 0"/><geom type="box" size=".01 .01 .01" pos=".5 0 0" mass="1"/></body>
      </worldbody><equality><joint joint1="idle" joint2="hinge"/></equality>""")
    m, d = made(text)
    found = hold_torque(m, d)
    assert not found.remainder.any() and found.force == pytest.approx([-15])


def test_contacts_can_be_counted_as_support():
    text = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="3"/></body></worldbody></mujoco>"""
    m, d = made(text)
    physics.step(m, d, 500)
    physics.forward(m, d)
    assert hold_torque(m, d).remainder[2] == pytest.approx(3 * 9.81)
    found = hold_torque(m, d, contacts=True)
    assert found.support[2] == pytest.approx(3 * 9.81, rel=1e-3) and np.abs(found.qfrc).max() < 0.05


@pytest.mark.parametrize("name, most", [("kuka_iiwa_14", 1e-3), ("ufactory_xarm7", 1e-3), ("trs_so_arm100", 1e-3), ("flexiv_rizon4", 1e-3), ("shadow_hand", 5e-3)])
def test_with_these_controls_a_robot_stays_where_it_is(name, most):
    """After a second no joint is farther from the pose than `most` [rad, m]."""
    m = physics.load(entry(name).path)
    d = physics.Data(m)
    if m.nkey:
        physics.reset(m, d, 0)
    middle = np.where(m.jnt_limited, m.jnt_range.mean(1), 0.0)[m.jnt_limited.astype(bool)]
    adr = m.jnt_qposadr[m.jnt_limited.astype(bool)]
    d.qpos[adr] = 0.7 * d.qpos[adr] + 0.3 * middle
    m.opt_disableflags |= int(physics.DisableBit.CONTACT)   # fingers of a hand in the middle of their ranges may touch
    physics.forward(m, d)
    found = hold_torque(m, d)
    held = np.flatnonzero(np.isfinite(found.ctrl))
    assert len(held) and found.within[held].all()
    d.ctrl[m.actuator_ctrladr[held]] = found.ctrl[held]
    start = d.qpos.copy()
    physics.step(m, d, round(1 / m.opt_timestep))
    moved = np.abs(physics.differentiate_pos(m, start, d.qpos))
    driven = np.abs(moment_matrix(m, d)).any(axis=0) & (found.remainder == 0)
    assert moved[driven].max() < most, moved


def test_bounded_least_squares_against_all_active_sets():
    r = np.random.default_rng(5)
    for _ in range(60):
        a, b = r.normal(size=(5, 4)), r.normal(size=5)
        low, high = np.full(4, -0.2), np.array([0.3, np.inf, 0.1, np.inf])
        x = bounded_least_squares(a, b, low, high)
        assert (x >= low - 1e-12).all() and (x <= high + 1e-12).all()
        g = a.T @ (a @ x - b)
        for k in range(4):      # the conditions of Karush, Kuhn and Tucker
            assert abs(g[k]) < 1e-8 or (x[k] == low[k] and g[k] > 0) or (x[k] == high[k] and g[k] < 0)
    assert bounded_least_squares(np.zeros((3, 0)), np.ones(3), np.zeros(0), np.zeros(0)).shape == (0,)
    wide = r.normal(size=(2, 5))
    b = r.normal(size=2)
    free = np.full(5, np.inf)
    assert np.allclose(bounded_least_squares(wide, b, -free, free), np.linalg.pinv(wide) @ b), "of the least norm"
