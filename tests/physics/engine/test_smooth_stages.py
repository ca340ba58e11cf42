"""Every stage without contacts and constraints gives the official engine's numbers on random states."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import DSBL_ACTUATION, DSBL_CLAMPCTRL, DSBL_CONSTRAINT, DSBL_DAMPER, DSBL_GRAVITY, DSBL_SPRING
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

# docs/agreement.md asks for 1e-9; a few hundred operations on numbers of order one stay below this
TOLERANCE = 1e-11
FIELDS = {
    "kinematics": "xpos xquat xmat xipos xiquat ximat xanchor xaxis geom_xpos geom_xquat geom_xmat site_xpos site_xquat site_xmat subtree_com "
                  "cam_xpos cam_xmat light_xpos light_xdir",
    "com": "cinert cdof",
    "tendon": "ten_length ten_J ten_velocity ten_wrapadr ten_wrapnum",
    "transmission": "actuator_length actuator_moment actuator_velocity",
    "inertia": "crb M",
    "factor": "qLD qLDiagInv",
    "velocity": "cvel cdof_dot",
    "passive": "qfrc_spring qfrc_damper qfrc_passive",
    "bias": "qfrc_bias",
    "actuation": "act_dot actuator_force qfrc_actuator",
    "acceleration": "qfrc_smooth qacc_smooth",
    "energy": "energy",
}


def compare(mj, seed, speed=1.0):
    """Largest relative difference of each stage on one random state; fields not written stay NaN and count as off."""
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, seed, speed)
    take_state(d, mjd)
    names = " ".join(FIELDS.values()).split()
    for name in names:
        array = getattr(d, name)
        array[...] = np.nan if array.dtype.kind == "f" else -9
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    if not mj.opt.enableflags & mujoco.mjtEnableBit.mjENBL_ENERGY:
        d.energy[:] = mjd.energy
    return {stage: max(field_rel(d, mjd, f) for f in fields.split()) for stage, fields in FIELDS.items()}


def field_rel(d, mjd, name):
    """Relative difference of one field."""
    ours = getattr(d, name)
    if name == "actuator_moment":  # entries that are exactly zero are not stored, and rounding decides which are
        return rel(moments(d, d.model), moments(mjd, d.model))
    return rel(ours, np.asarray(getattr(mjd, name)).reshape(ours.shape))


def moments(d, m):
    """Moments of all outputs, (nout, nv)."""
    full = np.zeros((m.nout, m.nv))
    for i, (adr, n) in enumerate(zip(np.ravel(d.moment_rowadr), np.ravel(d.moment_rownnz))):
        full[i, np.ravel(d.moment_colind)[adr:adr + n]] = np.ravel(d.actuator_moment)[adr:adr + n]
    return full


@pytest.mark.parametrize("name", models.NAMES)
def test_stages_agree_on_random_states(name):
    mj = models.official(name)
    mj.opt.disableflags |= DSBL_CONSTRAINT
    for seed in range(3):
        off = {k: v for k, v in compare(mj, seed).items() if not v < TOLERANCE}
        assert not off, f"seed {seed}"


@pytest.mark.parametrize("flags", [DSBL_SPRING, DSBL_DAMPER, DSBL_SPRING | DSBL_DAMPER, DSBL_GRAVITY, DSBL_ACTUATION, DSBL_CLAMPCTRL])
@pytest.mark.parametrize("name", ["mixed", "driven"])
def test_disable_flags_mean_what_they_mean_officially(name, flags):
    mj = models.official(name)
    mj.opt.disableflags |= DSBL_CONSTRAINT | flags
    result = compare(mj, 7)
    if flags & DSBL_ACTUATION:  # the official rates of activation are left over from before
        del result["actuation"]
    assert max(result.values()) < TOLERANCE, result


def test_lengths_and_moments_of_orientations():
    mj = mujoco.MjModel.from_xml_string(models.STRUNG.replace("<motor ", '<orientation joint="b" kp="2"/><orientation site="c0" refsite="e0" kp="1"/><motor ', 1))
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, 4)
    take_state(d, mjd)
    mujoco.mj_fwdPosition(mj, mjd)
    stages.fwd_position(m, d)
    assert mj.nout == mj.nactuator + 4
    assert rel(d.actuator_length, mjd.actuator_length) < TOLERANCE and rel(moments(d, m), moments(mjd, m)) < TOLERANCE


@pytest.mark.nojit
def test_stages_agree_on_a_small_model():
    mj = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/>
        <body pos=".3 0 0"><joint name="a" axis="0 1 0" damping=".1" stiffness="2"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/>
        <body pos=".3 0 0"><joint type="ball" stiffness="1"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/></body></body></body></worldbody>
        <tendon><fixed name="t" stiffness="3" springlength="-.1 .1" damping=".1"><joint joint="a" coef="2"/></fixed></tendon>
        <actuator><position joint="a" kp="3" kv=".1"/><motor tendon="t" ctrlrange="-.1 .1"/></actuator></mujoco>"""
    )
    mj.opt.disableflags |= DSBL_CONSTRAINT
    result = compare(mj, 3)
    assert max(result.values()) < TOLERANCE, result


def test_a_singular_inertia_is_raised_and_warned_of():
    mj = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><joint type="slide"/><geom size=".1"/>
        <body><joint type="slide" axis="0 1 0"/><geom size=".1"/></body></body></worldbody></mujoco>"""
    )
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    for numbers in ([1.0, 2.0, 1.0], [1e-16, 0.0, 1.0], [-3.0, 0.5, 1e-20], [4.0, 0.5, 1.0]):
        mjd.M[:] = d.M[:] = numbers
        before = mjd.warning[0].number
        d.warning_number[:] = 0
        mujoco.mj_factorM(mj, mjd)
        stages.factor_m(m, d)
        assert rel(d.qLD, mjd.qLD) < 1e-15 and rel(d.qLDiagInv, mjd.qLDiagInv) < 1e-15
        assert d.warning_number[0] == mjd.warning[0].number - before
        if d.warning_number[0]:
            assert d.warning_lastinfo[0] == mjd.warning[0].lastinfo


def chain(n, branch):
    """n hinges in a row; with `branch` a second row begins in the middle."""
    def link(k):
        inner = link(k + 1) if k + 1 < n else ""
        if branch and k == n // 2:
            inner += link(k + 1)
        return f'<body pos=".1 0 0"><joint axis="0 {k % 2} 1" armature=".01"/><geom type="capsule" size=".02 .04"/>{inner}</body>'

    return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{link(0)}</worldbody></mujoco>")


@pytest.mark.parametrize("branch", [False, True])
@pytest.mark.parametrize("n", [13, 14, 30])
def test_long_chains_agree(n, branch):
    mj = chain(n, branch)
    mj.opt.disableflags |= DSBL_CONSTRAINT
    result = compare(mj, 1, 0.3)
    # the inertia of a long chain is ill conditioned (1e5 for 30 links), which the factor inherits
    assert max(result[k] for k in ("inertia", "factor", "acceleration")) < 1e-9, result


def test_a_raised_pivot_in_a_long_chain():
    mj = chain(20, False)
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    mujoco.mj_forward(mj, mjd)
    for dof in (19, 18, 17, 3):
        mjd.M[:] = np.arange(1, mj.nC + 1) % 7 * 1e-3
        mjd.M[mj.M_rowadr + mj.M_rownnz - 1] = 5.0
        mjd.M[mj.M_rowadr[dof] + mj.M_rownnz[dof] - 1] = -1.0
        d.M[:] = mjd.M
        d.warning_number[:] = 0
        before = mjd.warning[0].number
        mujoco.mj_factorM(mj, mjd)
        stages.factor_m(m, d)
        assert rel(d.qLDiagInv, mjd.qLDiagInv) < 1e-9
        assert d.warning_number[0] == mjd.warning[0].number - before == 1
        assert d.warning_lastinfo[0] == mjd.warning[0].lastinfo == dof
