"""What a hard step reports, in the soft engine's words: contacts, rows, forces, sensors."""
import numpy as np
import pytest

import physics
from physics.engine.constraint.contact_force import contact_force
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_FRICTIONLESS, CNSTR_FRICTION_DOF, CNSTR_LIMIT_JOINT, CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, Engine

G = 9.81
BOX = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="3 3 .1" condim="{condim}" friction="{mu} .05 .01"/>
  <body name="a" pos="0 0 .1"><freejoint/><geom name="g" type="box" size=".1 .1 .1" mass="2" condim="{condim}" friction="{mu} .05 .01"/>
    <site name="skin" type="box" size=".11 .11 .11"/><site name="mid" pos="0 0 0"/></body></worldbody>
  <sensor><touch site="skin"/><force site="mid"/><accelerometer site="mid"/><contact geom1="g" data="found force" reduce="netforce"/></sensor></mujoco>"""


def at_rest(condim=3, mu=.5, n=20, **state):
    m = physics.load_string(BOX.format(condim=condim, mu=mu))
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    for name, value in state.items():
        getattr(d, name)[:] = value
    physics.step(m, d, n)
    assert d.hard_nfailed == d.hard_ncoarse == 0
    return m, d


def jacobian(m, d):
    J = np.zeros((d.nefc, m.nv))
    for r in range(d.nefc):
        at = slice(d.efc_J_rowadr[r], d.efc_J_rowadr[r] + d.efc_J_rownnz[r])
        J[r, d.efc_J_colind[at]] = d.efc_J[at]
    return J


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_a_resting_box_is_carried_by_its_four_corners(condim):
    m, d = at_rest(condim)
    assert d.ncon == 4 and d.nefc == 4 * condim and d.ne == d.nf == d.nl == 0
    assert set(d.efc_type[:d.nefc]) == {CNSTR_CONTACT_FRICTIONLESS if condim == 1 else CNSTR_CONTACT_ELLIPTIC}
    assert (d.contact_efc_address[:4] == condim * np.arange(4)).all() and (d.efc_id[:d.nefc] == np.repeat(np.arange(4), condim)).all()
    forces = np.array([contact_force(m, d, i, np.empty(6)) for i in range(4)])
    assert abs(forces[:, 0].sum() - 2 * G) < 1e-6 and np.abs(forces[:, 0] - G / 2).max() < .1 and np.abs(forces[:, 1:3]).max() < 1e-3
    assert abs(d.qfrc_constraint[2] - 2 * G) < 1e-6 and np.abs(d.qacc).max() < 1e-5
    assert (d.efc_state[:d.nefc] == CNSTRSTATE_QUADRATIC).all()


def test_what_overlaps_at_the_start_is_reported_by_the_impulses_of_its_velocity():
    m, d = at_rest(n=1, qpos=[0, 0, .09, 1, 0, 0, 0])
    assert abs(d.qpos[2] - .095) < 1e-6 and abs(d.qvel[2]) < 1e-5     # on its way out
    assert abs(d.qfrc_constraint[2] - 2 * G) < 1e-3 and abs(d.sensordata[0] - 2 * G) < 1e-3


def test_sensors_of_touch_force_and_acceleration_give_the_weight():
    _, d = at_rest()
    touch, force, acc = d.sensordata[0], d.sensordata[1:4], d.sensordata[4:7]
    assert abs(touch - 2 * G) < 1e-6
    assert np.abs(acc - [0, 0, G]).max() < 1e-5
    # what the parent passes on through a free joint is nothing
    assert np.abs(force).max() < 1e-5
    assert d.sensordata[7] > 0 and abs(np.linalg.norm(d.sensordata[8:11]) - 2 * G) < 1e-6


def test_rows_times_forces_are_what_acts():
    m, d = at_rest(6, n=3, qvel=[1, .5, 0, 0, 0, 2])
    assert np.abs(jacobian(m, d).T @ d.efc_force[:d.nefc] - d.qfrc_constraint).max() < 1e-9
    assert np.abs(d.qfrc_constraint).max() > 5


def test_a_sliding_box_is_at_the_edge_of_its_cones():
    m, d = at_rest(3, .4, 5, qvel=[2, 0, 0, 0, 0, 0])
    forces = np.array([contact_force(m, d, i, np.empty(6)) for i in range(4)])
    sides = np.linalg.norm(forces[:, 1:3], axis=1)
    loaded = forces[:, 0] > .1
    assert loaded.any() and (np.abs(sides[loaded] - .4 * forces[loaded, 0]) < 1e-5).all()
    assert (d.efc_state[d.contact_efc_address[np.flatnonzero(loaded)]] == CNSTRSTATE_CONE).all()
    assert abs(d.qfrc_constraint[0] + .4 * 2 * G) < 1e-4 and abs(d.qacc[0] + .4 * G) < 1e-4


def test_contacts_out_of_reach_are_not_listed():
    m, d = at_rest(3, .5, 1, qpos=[0, 0, .2, 1, 0, 0, 0], qvel=[0, 0, 20, 0, 0, 0])
    # within the step it could come nearer by a fifth of a metre, but goes away
    assert d.hard_nrow == 4 and d.ncon == 0 and d.nefc == 0 and not d.contact_reach.any()


def test_contacts_that_push_at_the_end_of_the_step_only_are_listed():
    m, d = at_rest(3, .5, 1, qpos=[0, 0, .3, 1, 0, 0, 0], qvel=[0, 0, -20, 0, 0, 0])
    assert d.ncon == 4 and np.abs(d.contact_dist[:4] - .2).max() < 1e-12 and d.efc_force[:12:3].sum() > 1 and abs(d.qpos[2] - .1) < 1e-6
    assert not d.contact_exclude[:4].any()
    physics.step(m, d)
    assert d.ncon == 4 and np.abs(d.contact_dist[:4]).max() < 1e-6 and abs(d.qvel[2]) < 1e-5


JOINTS = """<mujoco><option timestep=".01"/><worldbody>
  <body pos="0 0 1"><joint name="stop" type="slide" axis="0 0 1" limited="true" range="-.1 .1"/><geom size=".05" mass="2"/></body>
  <body pos="1 0 1"><joint name="stuck" type="slide" axis="0 0 1" frictionloss="100"/><geom size=".05" mass="2"/></body>
  <body pos="2 0 1"><joint name="slow" type="slide" axis="0 0 1" frictionloss="5"/><geom size=".05" mass="2"/></body>
  <body pos="3 0 1"><joint name="ball" type="ball" limited="true" range="0 .5"/><geom size=".05" pos=".3 0 0" mass="2"/></body>
</worldbody><sensor><jointlimitfrc joint="stop"/></sensor></mujoco>"""


def test_limits_and_dry_friction_have_their_rows():
    m = physics.load_string(JOINTS)
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    physics.step(m, d, 300)
    assert d.nf == 2 and d.nl == 2 and d.nefc == 4
    assert list(d.efc_type[:4]) == [CNSTR_FRICTION_DOF] * 2 + [CNSTR_LIMIT_JOINT] * 2 and list(d.efc_id[:4]) == [1, 2, 0, 3]
    assert np.abs(d.efc_force[:3] - [2 * G, 5, 2 * G]).max() < 1e-4
    # the ball's limit holds the torque of gravity about the joint
    assert abs(d.efc_pos[3]) < 1e-6 and d.efc_force[3] > 1
    assert np.abs(jacobian(m, d).T @ d.efc_force[:4] - d.qfrc_constraint).max() < 1e-6
    assert abs(d.sensordata[0] - 2 * G) < 1e-4


def test_what_was_found_by_looking_again_is_listed_behind_the_others():
    """A ball is hit, and hits another that was out of its reach."""
    balls = "".join(f'<body pos="{x} 0 0"><freejoint/><geom size=".1" mass="1"/></body>' for x in (0, .205, .415))
    m = physics.load_string(f'<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody>{balls}</worldbody></mujoco>')
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    d.qvel[0] = 10
    physics.step(m, d)
    assert d.hard_nfirst == 1 and d.hard_nrow == 2 and d.hard_looked == 1
    assert d.ncon == 2 and d.contact_geom[:2].tolist() == [[0, 1], [1, 2]] and np.abs(d.contact_dist[:2] - [.005, .01]).max() < 1e-9
    assert np.abs(d.contact_frame[:2, :3] - [1, 0, 0]).max() < 1e-12
    assert np.abs(jacobian(m, d).T @ d.efc_force[:d.nefc] - d.qfrc_constraint).max() < 1e-6
    # nothing is lost, and the poses reported are those of the start
    assert abs(d.qvel[[0, 6, 12]].sum() - 10) < 1e-9 and np.abs(d.efc_force[[0, 3]] * .01 - [10 - d.qvel[0], d.qvel[12]]).max() < 1e-6
    assert np.abs(d.xpos[1:, 0] - [0, .205, .415]).max() < 1e-12


COLUMN = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="3 3 .1" condim="1"/>
  <body name="foot" pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1" mass="1" condim="1"/><site name="sole" pos="0 0 -.1" type="box" size=".25 .25 .02"/>
    <body name="top" pos="0 0 .1"><joint axis="0 1 0" stiffness="3000" damping="40"/><geom type="box" size=".05 .15 .2" pos=".03 .02 .2" mass="4"/><site name="joint"/></body></body></worldbody>
  <sensor><force site="joint"/><torque site="joint"/><touch site="sole"/><accelerometer site="joint"/></sensor></mujoco>"""


def test_sensors_of_a_column_read_what_they_read_under_the_soft_engine():
    m = physics.load_string(COLUMN)
    d = physics.Data(m)
    physics.step(m, d, 1500)
    physics.forward(m, d)
    soft, inner = d.sensordata.copy(), d.cfrc_int.copy()
    m.opt.engine = Engine.HARD
    physics.step(m, d, 300)
    physics.forward(m, d)
    assert d.hard_nfailed == 0 and abs(soft[2] - 4 * G) < .01 and abs(soft[6] - 5 * G) < .01 and np.abs(soft[3:6]).max() > .5
    assert np.abs(d.sensordata - soft).max() < .01
    assert np.abs(d.cfrc_int - inner).max() < .01
