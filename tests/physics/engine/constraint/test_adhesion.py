"""Contacts that stick, beside the official engine and by what the documentation promises: pull-off, tether, unchanged penetration."""
import mujoco
import numpy as np
import pytest

import physics
from physics import Data
from tests.physics.engine.oracle_model import pair_from, rel

CEILING = """<mujoco><option cone="{cone}"/><worldbody><geom type="box" size="1 1 .05" pos="0 0 1.1" adhesion="20" gap=".05" condim="{condim}"/>
  <body pos="0 0 {z}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" condim="{condim}"/></body></worldbody></mujoco>"""
FLOOR = """<mujoco><option timestep=".002"/><worldbody><geom name="floor" type="plane" size="2 2 .1" adhesion="{0}" {1}/>
  <body pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="1" adhesion="{2}"/></body></worldbody>{3}</mujoco>"""
HEAP = """<mujoco><option cone="{cone}" integrator="{integrator}" solver="Newton"/><worldbody><geom type="plane" size="0 0 1" adhesion="1" gap=".01"/>
  <body pos="0 0 .12"><freejoint/><geom size=".1" adhesion=".7" condim="{condim}" gap=".02"/></body>
  <body pos=".05 .12 .25"><freejoint/><geom type="capsule" size=".05 .1" adhesion="2" condim="3"/><geom type="box" size=".05 .06 .07" pos=".05 0 .1" condim="{condim}"/>
    <body pos="0 .1 .1"><joint/><geom name="tip" type="box" size=".05 .06 .07" gap=".03"/></body></body>
  <body pos="-.1 .05 .26"><freejoint/><geom type="box" size=".08 .08 .08" priority="1" adhesion="3"/></body>
  <body pos="0 0 .5"><joint type="slide" axis="0 0 1"/><geom name="lid" type="box" size=".4 .4 .15"/></body></worldbody>
  <contact><pair geom1="tip" geom2="lid" adhesion="5" gap=".1" condim="{condim}"/></contact>
  <sensor><contact geom1="lid" data="found force torque dist" num="4"/></sensor></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def run(m, d, seconds):
    physics.step(m, d, round(seconds / m.opt_timestep))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_a_box_hangs_until_it_is_pulled_off(cone, condim):
    """Four points of 20 N hold 80 N; the distance grows with the load; net forces at the contacts sum to it."""
    m = physics.load_string(CEILING.format(cone=cone, condim=condim, z=0.945))
    d = Data(m)
    apart = []
    for load in (0.0, 50.0):
        d.xfrc_applied[1, 2] = -load
        run(m, d, 3)
        assert d.ncon == 4
        apart.append(d.contact_dist[0])
        total = sum(physics.contact_force(m, d, i)[0] for i in range(d.ncon))
        assert total == pytest.approx(-(load + 9.81), abs=1e-3)
    assert 0 < apart[0] < apart[1] < 0.05
    d.xfrc_applied[1, 2] = -85 + 9.81
    run(m, d, 1)
    assert d.qpos[2] < 0.5


def test_a_box_within_the_gap_is_drawn_to_the_ceiling_and_stays():
    m = physics.load_string(CEILING.format(cone="pyramidal", condim=3, z=0.91))
    d = Data(m)
    run(m, d, 3)
    heights = []
    for _ in range(100):
        run(m, d, 0.01)
        heights.append(d.qpos[2])
    assert min(heights) > 0.94 and np.ptp(heights) < 1e-4


def test_penetration_at_rest_does_not_depend_on_adhesion():
    depth = []
    for pull in (0, 50):
        m = physics.load_string(FLOOR.format(pull, "", 0, ""))
        d = Data(m)
        run(m, d, 3)
        depth.append(d.contact_dist[0])
        assert sum(physics.contact_force(m, d, i)[0] for i in range(d.ncon)) == pytest.approx(9.81, abs=1e-4)
    assert depth[0] == pytest.approx(depth[1], abs=1e-9)


@pytest.mark.parametrize("floor, box, pair, expected", [("", 5, "", 15), ('priority="1"', 5, "", 10), ('priority="-1"', 5, "", 5),
                                                        ("", 5, '<contact><pair geom1="floor" geom2="box" adhesion="7"/></contact>', 7)])
def test_whose_adhesion_counts(floor, box, pair, expected):
    m = physics.load_string(FLOOR.format(10, floor, box, pair))
    d = Data(m)
    physics.forward(m, d)
    assert d.ncon == 4 and (d.contact_adhesion[:4] == expected).all()
    assert d.contact[0].adhesion == expected


def test_without_springs_and_dampers_there_is_no_attraction_as_officially():
    text = HEAP.format(cone="pyramidal", integrator="Euler", condim=3).replace("<option", '<option><flag spring="disable" damper="disable"/></option><option')
    mj, mjd, m, d = pair_from(text)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert not d.qfrc_adhesion.any() and not np.any(mjd.qfrc_adhesion)
    assert rel(d.efc_aref[:d.nefc], mjd.efc_aref) < 1e-9


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "discrete", "RK4"])
@pytest.mark.parametrize("cone, condim", [("pyramidal", 1), ("pyramidal", 3), ("pyramidal", 6), ("elliptic", 3), ("elliptic", 4), ("elliptic", 6)])
def test_a_sticking_heap_moves_as_officially(cone, condim, integrator):
    mj, mjd, m, d = pair_from(HEAP.format(cone=cone, condim=condim, integrator=integrator))
    mj.opt.tolerance = m.opt_tolerance = 0
    mj.opt.ls_tolerance = m.opt_ls_tolerance = 0
    reduced = 0
    for k in range(30):
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
        if k % 10:
            continue
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = mjd.qpos, mjd.qvel, mjd.qacc_warmstart
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        assert np.array_equal(d.contact_dim[:d.ncon], mjd.contact.dim) and np.array_equal(d.contact_exclude[:d.ncon], mjd.contact.exclude)
        assert rel(d.qfrc_adhesion, mjd.qfrc_adhesion) < 1e-9
        assert rel(d.efc_aref[:d.nefc], mjd.efc_aref) < 1e-8
        assert rel(d.qacc, mjd.qacc) < 1e-6
        assert np.allclose(d.sensordata, mjd.sensordata, rtol=1e-6, atol=1e-6)
        force = np.zeros(6)
        for i in range(d.ncon):
            mujoco.mj_contactForce(mj, mjd, i, force)
            assert np.allclose(physics.contact_force(m, d, i), force, rtol=1e-5, atol=1e-5)
        reduced += np.count_nonzero((d.contact_dim[:d.ncon] == 1) & (d.contact_dist[:d.ncon] > 0))
        mujoco.mj_rnePostConstraint(mj, mjd)
        mujoco.mj_inverse(mj, mjd)
        physics.inverse(m, d)
        if integrator != "discrete":
            assert np.allclose(d.qfrc_inverse, mjd.qfrc_inverse, rtol=1e-5, atol=1e-5)
    assert reduced


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("flags", ["", '<flag diagexact="enable"/>'])
def test_damped_joints_under_the_discrete_integrator(cone, flags):
    """The rows push back by what their R is in the effective mass matrix, which the damping makes smaller than R / s."""
    mj, mjd, m, d = pair_from(f"""<mujoco><option cone="{cone}" integrator="discrete" tolerance="0" ls_tolerance="0">{flags}</option><worldbody>
      <geom type="plane" size="1 1 1"/><body pos="0 0 .2"><joint axis="0 1 0" damping="3"/><geom type="capsule" size=".04" fromto="0 0 0 .3 0 -.17"/>
      <body pos=".3 0 -.17"><joint axis="0 1 0" damping=".5"/><geom name="tip" size=".05" adhesion="4" solimp="0 .9999 .01 .5 2.5"/></body></body></worldbody></mujoco>""")
    for _k in range(20):
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        assert d.nefc and rel(d.efc_aref[:d.nefc], mjd.efc_aref) < 1e-9 and rel(d.efc_R[:d.nefc], mjd.efc_R) < 1e-9
        assert rel(d.qacc, mjd.qacc) < 1e-7
        mujoco.mj_step(mj, mjd)
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = mjd.qpos, mjd.qvel, mjd.qacc_warmstart


@pytest.mark.nojit
def test_adhesion_under_the_interpreter():
    """Both kinds of cone; the rows' bias and the attraction cancel: forces on a resting ball are those without adhesion."""
    for cone in ("pyramidal", "elliptic"):
        found = []
        for pull in (0, 3):
            m = physics.load_string(f'<mujoco><option cone="{cone}" tolerance="0"/><worldbody><geom type="plane" size="1 1 1" adhesion="{pull}"/>'
                                    '<body pos="0 0 .099"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
            d = Data(m)
            physics.forward(m, d)
            assert d.qfrc_adhesion[2] == pytest.approx(-pull)
            found.append((d.qacc.copy(), physics.contact_force(m, d, 0)))
        assert np.allclose(found[0][0], found[1][0], atol=1e-6) and np.allclose(found[0][1], found[1][1], atol=1e-6)
