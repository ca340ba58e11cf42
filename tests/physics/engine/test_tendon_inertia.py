"""Tendons that carry inertia: closed forms, what stays constant, and the official numbers."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import DSBL_CONSTRAINT
from physics.model.data import Data
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state

# a bead of 2 kg in a plane, on a string to the origin
BEAD = """<mujoco><option integrator="RK4" timestep=".001" gravity="0 0 {gravity}"><flag energy="enable"/></option><worldbody><site name="o"/>
<body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/><geom size=".1" mass="2"/><site name="p"/></body></worldbody>
<tendon><spatial armature="{armature}" stiffness="{stiffness}" springlength=".7"><site site="o"/><site site="p"/></spatial></tendon></mujoco>"""

# a leg in free space, its tendon from one end of the chain to the other
LEG = """<mujoco><option integrator="RK4" timestep=".001" gravity="0 0 0"><flag energy="enable"/></option><worldbody>
<body><freejoint/><geom type="capsule" size=".04" fromto="0 0 0 0 .1 -1"/><site name="a" pos=".1 0 -.3"/><site name="b" pos=".05 -.08 -1.1"/>
<body pos="0 0 -1"><joint axis="0 -1 0" stiffness="20" springref="70"/><geom type="capsule" size=".03" fromto="0 0 0 -.6 0 0"/>
<body pos="-.6 0 0"><joint type="ball" stiffness="20"/><geom type="box" size=".05 .1 .15" pos=".02 0 -.05"/><site name="c" pos=".03 .1 .15"/></body></body></body></worldbody>
<tendon><spatial armature="{armature}" stiffness="10" springlength=".4"><site site="a"/><site site="b"/><site site="c"/></spatial></tendon></mujoco>"""
TIED = """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/><site name="a" pos=".1 .2 .3"/></body>
<body pos="1 0 0"><freejoint/><geom type="box" size=".2 .1 .1"/><site name="b" pos="-.2 .1 .1"/></body></worldbody>
<tendon><spatial armature="5"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""


@pytest.mark.nojit
def test_a_bead_on_a_heavy_string_obeys_the_polar_equations():
    _mj, _mjd, m, d = pair_from(BEAD.format(armature=3.0, stiffness=0, gravity=0))
    rng = np.random.default_rng(0)
    for _ in range(10):
        d.qpos[:], d.qvel[:] = rng.normal(size=2), rng.normal(size=2)
        stages.forward(m, d)
        p = d.qpos + (1, 0)
        r = np.linalg.norm(p)
        out, side = p / r, np.array([-p[1], p[0]]) / r
        turning = d.qvel @ side / r
        # (m + a) r'' = m r w^2, and no force to the side
        assert d.qacc @ out + r * turning**2 == pytest.approx(2 / (2 + 3) * r * turning**2, rel=1e-10)
        assert d.qacc @ side == pytest.approx(0, abs=1e-11 * (1 + r * turning**2))


def test_a_heavy_string_adds_to_the_mass_that_swings_on_it():
    _mj, _mjd, m, d = pair_from(BEAD.format(armature=6.0, stiffness=200, gravity=0))
    # along the string only: period of a mass of 2 + 6 on a spring of 200
    d.qpos[0] = -0.3 + 0.05
    assert stages.step_n(m, d, 1256) == 1256
    assert d.qpos[0] == pytest.approx(-0.3 + 0.05 * np.cos(1.256 * np.sqrt(200 / 8)), abs=1e-9)


@pytest.mark.parametrize("text", [BEAD.format(armature=3.0, stiffness=50, gravity=-9.81), LEG.format(armature=0.5), LEG.format(armature=100)])
def test_energy_stays(text):
    _mj, _mjd, m, d = pair_from(text)
    d.qvel[:] = np.random.default_rng(1).normal(size=m.nv)
    stages.forward(m, d)
    before = d.energy.copy()
    m.opt_timestep = 2.5e-4
    assert stages.step_n(m, d, 2000) == 2000
    stages.forward(m, d)
    assert d.energy.sum() == pytest.approx(before.sum(), rel=3e-9) and d.energy[0] != pytest.approx(before[0], rel=1e-2)


def test_momentum_stays():
    _mj, _mjd, m, d = pair_from(LEG.format(armature=100))

    def momenta():
        stages.forward(m, d)
        p, l = np.zeros((2, 3))
        for b in range(1, m.nbody):
            v = m.body_mass[b] * (d.cvel[b, 3:] + np.cross(d.cvel[b, :3], d.xipos[b] - d.subtree_com[1]))
            r = d.ximat[b].reshape(3, 3)
            p, l = p + v, l + np.cross(d.xipos[b], v) + r @ (m.body_inertia[b] * (r.T @ d.cvel[b, :3]))
        return np.array([p, l])

    m.opt_timestep = 2.5e-4
    assert stages.step_n(m, d, 2000) == 2000
    stages.forward(m, d)
    assert np.abs(momenta()).max() < 1e-8 and d.energy[1] > 0.1  # from rest, moved by the springs alone


def test_inertia_across_trees_is_left_out_as_officially():
    """M keeps the pattern of the trees, so a string between two of them adds to their own blocks only."""
    mj, mjd, m, d = pair_from(TIED)
    randomize(mj, mjd, 1)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert rel(d.M, mjd.M) < 1e-12 and rel(d.qfrc_bias, mjd.qfrc_bias) < 1e-12


def test_a_fixed_tendon_is_the_rotor_of_its_joint():
    body = '<body><joint name="j" axis="0 1 0" {}/><geom type="capsule" size=".05 .2" pos=".2 0 0"/></body>'
    tendon = '<tendon><fixed armature=".3"><joint joint="j" coef="2"/></fixed></tendon>'
    ends = []
    for text in (body.format('armature="1.2"'), body.format("")):
        text = f'<mujoco><option integrator="RK4"/><worldbody>{text}</worldbody>{tendon if "armature" not in text else ""}</mujoco>'
        _mj, _mjd, m, d = pair_from(text)
        assert stages.step_n(m, d, 300) == 300
        ends.append(d.qpos[0])
    assert ends[0] == pytest.approx(ends[1], rel=1e-13) and abs(ends[0]) > 0.1


@pytest.mark.parametrize("branches", ["", '<pulley divisor="2"/><site site="b"/><site site="w"/>'])
def test_random_strings_are_as_officially(branches):
    text = f"""<mujoco><worldbody><site name="w" pos=".3 .2 1"/><body><joint type="ball"/><geom type="box" size=".1 .2 .3"/><site name="a" pos=".2 0 .1"/>
    <body pos=".3 0 0"><joint axis="0 1 0"/><joint type="slide" axis="1 0 1"/><geom size=".1"/><site name="b" pos="0 .1 .2"/>
    <body pos="0 .2 0"><joint axis="1 0 0"/><geom size=".05"/><site name="c" pos="0 .1 0"/></body></body></body></worldbody>
    <tendon><spatial armature="2"><site site="a"/><site site="b"/><site site="c"/><site site="w"/>{branches}</spatial>
    <spatial armature=".1"><site site="w"/><site site="c"/></spatial></tendon></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(text)
    mj.opt.disableflags |= DSBL_CONSTRAINT
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    for seed in range(5):
        randomize(mj, mjd, seed, 3.0)
        take_state(d, mjd)
        mujoco.mj_forward(mj, mjd)
        stages.forward(m, d)
        assert max(rel(d.M, mjd.M), rel(d.qfrc_bias, mjd.qfrc_bias), rel(d.qacc, mjd.qacc)) < 1e-11
