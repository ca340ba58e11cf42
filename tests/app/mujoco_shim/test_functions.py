"""Functions give what the official ones give, on the same states."""
import copy

import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import MODELS

CLOSE = {"rtol": 1e-9, "atol": 1e-9}


@pytest.fixture(params=MODELS)
def pair(request):
    """(official module, MjModel, MjData), (ours, ...) in the same state, forwarded."""
    found = []
    for module in (mujoco, ours):
        m = module.MjModel.from_xml_string(MODELS[request.param])
        d = module.MjData(m)
        rng = np.random.default_rng(1)
        d.qvel[:] = 0.3 * rng.standard_normal(m.nv)
        d.ctrl[:] = 0.1 * rng.standard_normal(m.nu)
        d.qfrc_applied[:] = 0.01 * rng.standard_normal(m.nv)
        for _ in range(5):
            module.mj_step(m, d)
        module.mj_forward(m, d)
        found.append((module, m, d))
    return found


def each(pair, ask):
    """What `ask(module, m, d)` gives of both, which must be close."""
    official, mine = (ask(*one) for one in pair)
    for a, b in zip(official, mine, strict=True):
        np.testing.assert_allclose(b, a, **CLOSE)
    return mine


def test_states_are_the_same_after_steps(pair):
    each(pair, lambda mj, m, d: (d.qpos, d.qvel, d.qacc, d.xpos, d.geom_xpos, d.qfrc_bias, d.qfrc_constraint, d.sensordata, d.time, d.ten_length, d.actuator_force))


@pytest.mark.parametrize("name", ["mj_jacBody", "mj_jacBodyCom", "mj_jacGeom"])
def test_jacobians(pair, name):
    def ask(mj, m, d):
        p, r = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        assert getattr(mj, name)(m, d, p, r, 1) is None
        alone = np.ones((3, m.nv))
        getattr(mj, name)(m, d, jacp=None, jacr=alone, **{name[6:10].lower(): 1})
        return p, r, alone

    each(pair, ask)


def test_jacobians_of_points_and_subtrees(pair):
    def ask(mj, m, d):
        out = [np.zeros((3, m.nv)) for _ in range(7)]
        mj.mj_jac(m, d, out[0], out[1], [0.1, 0.2, 0.3], 1)
        mj.mj_jacDot(m, d, out[2], out[3], np.array([[0.1], [0.2], [0.3]]), 1)
        mj.mj_jacSubtreeCom(m, d, out[4], 1)
        mj.mj_angmomMat(m, d, out[5], 1)
        mj.mj_jacPointAxis(m, d, None, out[6], [0, 0, 0], [0, 0, 1], 1)
        return out

    each(pair, ask)


def test_the_mass_matrix(pair):
    def ask(mj, m, d):
        full, product, solved, x = np.zeros((m.nv, m.nv)), np.zeros(m.nv), np.zeros((2, m.nv)), np.arange(1.0, m.nv + 1)
        mj.mj_fullM(m, d, full)
        mj.mj_mulM(m, d, product, x)
        mj.mj_solveM(m, d, solved, np.stack([x, 2 * x]))
        return full, product, solved

    each(pair, ask)


def test_motion_and_forces(pair):
    def ask(mj, m, d):
        v, a, w, f, q = np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(6), np.ones(m.nv)
        mj.mj_objectVelocity(m, d, mj.mjtObj.mjOBJ_BODY, 1, v, 0)
        mj.mj_objectVelocity(m, d, mj.mjtObj.mjOBJ_GEOM, 1, w, 1)
        mj.mj_rnePostConstraint(m, d)
        mj.mj_objectAcceleration(m, d, mj.mjtObj.mjOBJ_XBODY, 1, a, 0)
        mj.mj_contactForce(m, d, 10_000, f)
        mj.mj_applyFT(m, d, np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), np.array([0.1, 0, 0.5]), 1, q)
        bias, column = np.zeros(m.nv), np.zeros((m.nv, 1))
        mj.mj_rne(m, d, 0, bias)
        mj.mj_mulM(m, d, column, np.ones((m.nv, 1)))
        return v, w, a, f, q, bias, column, d.cfrc_int

    each(pair, ask)


def test_rows_of_constraints(pair):
    def ask(mj, m, d):
        up, down = np.zeros(m.nv), np.zeros(d.nefc)
        mj.mj_mulJacVec(m, d, down, np.arange(1.0, m.nv + 1))
        mj.mj_mulJacTVec(m, d, up, np.arange(1.0, d.nefc + 1))
        return np.sort(down), d.efc_J_rownnz.sum(), d.nefc

    each(pair, ask)


def test_rays_and_distances(pair):
    def ask(mj, m, d):
        geom, normal, fromto = np.zeros(1, np.int32), np.zeros(3), np.zeros(6)
        hit = mj.mj_ray(m, d, [0.01, 0.02, 3], [0, 0, -1], None, 1, -1, geom, normal)
        assert mj.mj_ray(m, d, [0, 0, -1], [0, 0, -1], None, 1, -1, None) == -1
        away = mj.mj_geomDistance(m, d, 1, m.ngeom - 1, 5.0, fromto)
        many, ids = np.zeros(2), np.zeros(2, np.int32)
        mj.mj_multiRay(m, d, [0, 0, 3], np.array([0, 0, -1.0, 0, 0, 1]), None, 1, -1, ids, many, None, 2, mj.mjMAXVAL)
        return hit, geom, normal, away, fromto, many, ids

    each(pair, ask)


def test_configurations(pair):
    def ask(mj, m, d):
        there, back, start = d.qpos.copy(), np.zeros(m.nv), d.qpos.copy()
        mj.mj_integratePos(m, there, np.arange(1.0, m.nv + 1), 0.1)
        mj.mj_differentiatePos(m, qvel=back, dt=0.1, qpos1=start, qpos2=there)
        long = 3 * there
        mj.mj_normalizeQuat(m, long)
        return there, back, long

    each(pair, ask)


@pytest.mark.parametrize("sig", ["mjSTATE_FULLPHYSICS", "mjSTATE_INTEGRATION", "mjSTATE_QPOS"])
def test_states_as_vectors(pair, sig):
    def ask(mj, m, d):
        bits = getattr(mj.mjtState, sig)
        state = np.zeros(mj.mj_stateSize(m, bits))
        mj.mj_getState(m, d, state, bits)
        other = mj.MjData(m)
        mj.mj_setState(m, other, state, bits)
        again = np.zeros_like(state)
        mj.mj_getState(m, other, again, bits)
        np.testing.assert_array_equal(state, again)
        return (state,)

    each(pair, ask)


def test_stages_one_by_one_are_forward(pair):
    stages = ("mj_fwdPosition mj_sensorPos mj_energyPos mj_fwdVelocity mj_sensorVel mj_energyVel mj_fwdActuation mj_fwdAcceleration mj_fwdConstraint mj_sensorAcc").split()
    parts = ("mj_kinematics mj_comPos mj_camlight mj_tendon mj_makeM mj_factorM mj_collision mj_makeConstraint mj_transmission mj_comVel mj_passive mj_referenceConstraint "
             "mj_subtreeVel mj_rnePostConstraint").split()

    def ask(mj, m, d):
        other = mj.MjData(m)
        sig = mj.mjtState.mjSTATE_INTEGRATION
        mj.mj_copyState(m, d, other, sig)
        for name in stages:
            getattr(mj, name)(m, other)
        np.testing.assert_allclose(other.qacc, d.qacc, rtol=1e-6, atol=1e-6)
        for name in parts:
            getattr(mj, name)(m, other)
        return other.qacc, other.qfrc_passive, other.cvel, other.subtree_linvel, other.efc_aref[:0], other.energy

    each(pair, ask)


def test_halves_of_a_step_and_skipped_stages(pair):
    def ask(mj, m, d):
        mj.mj_step1(m, d)
        d.qfrc_applied[:] += 0.1
        mj.mj_step2(m, d)
        mj.mj_forwardSkip(m, d, mj.mjtStage.mjSTAGE_NONE, 1)
        first = d.qacc.copy()
        mj.mj_forwardSkip(m, d, mj.mjtStage.mjSTAGE_VEL, 0)
        mj.mj_inverse(m, d)
        return d.qpos, d.qvel, first, d.qacc, d.qfrc_inverse

    each(pair, ask)


def test_derivatives(pair):
    def ask(mj, m, d):
        n = 2 * m.nv + m.na
        a, b = np.zeros((n, n)), np.zeros((n, m.nu))
        mj.mjd_transitionFD(m, d, 1e-6, 1, a, b if m.nu else None, None, None)
        q, v, acc = (np.zeros((m.nv, m.nv)) for _ in range(3))
        sensors = [np.zeros((m.nv, m.nsensordata)) for _ in range(3)]
        inertia = np.zeros((m.nv, m.nC))
        before = d.qpos.copy()
        mj.mjd_inverseFD(m, d, 1e-6, 0, q, v, acc, *sensors, inertia)
        np.testing.assert_array_equal(d.qpos, before)
        return a, b, q, v, acc, *sensors, inertia

    official, mine = (ask(*one) for one in pair)
    for one, two in zip(official, mine):
        np.testing.assert_allclose(two, one, rtol=1e-4, atol=1e-3 * max(1.0, np.abs(one).max(initial=0)))


def test_constants_of_the_initial_pose_follow_what_is_written(pair):
    def ask(mj, m, d):
        m.body_mass[1:] *= 2
        m.body_inertia[1:] *= 2
        mj.mj_setConst(m, d)
        return m.body_subtreemass, m.dof_M0, m.body_invweight0, m.dof_invweight0, m.tendon_invweight0, m.actuator_acc0, m.stat.meaninertia, m.tendon_length0, d.qpos

    each(pair, ask)


def test_names_and_keyframes(pair):
    def ask(mj, m, d):
        mj.mj_resetDataKeyframe(m, d, 0)
        return d.qpos, d.ctrl, [mj.mj_name2id(m, mj.mjtObj.mjOBJ_GEOM, "floor"), mj.mj_name2id(m, mj.mjtObj.mjOBJ_BODY, "nothing")]

    each(pair, ask)
    (mj, m, _d), (mine, n, _e) = pair
    assert [mine.mj_id2name(n, 1, b) for b in range(n.nbody)] == [mj.mj_id2name(m, 1, b) for b in range(m.nbody)]
    assert n.names == m.names and mine.mju_type2Str(5) == mj.mju_type2Str(5) and mine.mju_str2Type("joint") == mj.mju_str2Type("joint")
    np.testing.assert_array_equal(n.name_geomadr, m.name_geomadr)


def test_given_arrays_are_written_or_refused(pair):
    _official, (mj, m, d) = pair
    whole = np.zeros((6, m.nv))
    mj.mj_jacBody(m, d, whole[:3], whole[3:], 1)      # views
    one = np.zeros((3, m.nv))
    mj.mj_jacBody(m, d, one, None, 1)
    np.testing.assert_array_equal(whole[:3], one)
    for wrong in (np.zeros((3, m.nv), np.float32), np.zeros((3, m.nv + 1)), np.zeros((4, m.nv)), [[0.0] * m.nv] * 3):
        with pytest.raises(TypeError):
            mj.mj_jacBody(m, d, wrong, None, 1)
    with pytest.raises(TypeError):
        mj.mj_jacBody(d, m, one, None, 1)
    with pytest.raises(TypeError):
        mj.mj_step(m, 3)
    with pytest.raises(mj.FatalError, match="invalid state signature"):
        mj.mj_stateSize(m, 1 << 15)
    with pytest.raises(TypeError, match="state size should equal"):
        mj.mj_getState(m, d, np.zeros(1), 2)


def test_a_data_goes_along_with_another_model_of_the_same_sizes(pair):
    def ask(mj, m, d):
        other = copy.copy(m)
        other.opt.gravity[:] = (0, 0, -3)
        mj.mj_step(other, d, 3)
        jacobian = np.zeros((3, m.nv))
        mj.mj_jacBody(other, d, jacobian, None, 1)
        lighter = d.qvel.copy()
        mj.mj_step(m, d, 3)
        return lighter, jacobian, d.qvel, copy.copy(d).qpos

    each(pair, ask)
    (_mj, _m, _d), (mine, _n, e) = pair
    with pytest.raises(ValueError, match="other sizes"):
        mine.mj_step(mine.MjModel.from_xml_string("<mujoco/>"), e)


DELAYED = """
<mujoco>
  <worldbody><body><joint name="j"/><geom size="0.1"/><site name="s"/></body></worldbody>
  <actuator><position joint="j" delay="0.01" nsample="4"/></actuator>
  <sensor><accelerometer site="s" delay="0.01" nsample="3"/></sensor>
</mujoco>
"""


def test_kept_values_of_delays():
    results = []
    for mj in (mujoco, ours):
        m = mj.MjModel.from_xml_string(DELAYED)
        d = mj.MjData(m)
        mj.mj_forward(m, d)
        mj.mj_initCtrlHistory(m, d, 0, np.array([0, 0.01, 0.02, 0.03]), np.array([1.0, 2, 3, 4]))
        mj.mj_initSensorHistory(m, d, 0, np.array([0, 0.01, 0.02]), np.arange(9.0).reshape(3, 3), 0.0)
        one, three, found = np.zeros(1), np.zeros(3), []
        for interp in (-1, 0, 1, 2):
            for time in (0.0, 0.02, 0.025, 0.9):
                found += [*mj.mj_readCtrl(m, d, 0, time, one, interp).copy(), *mj.mj_readSensor(m, d, 0, time, three, interp=interp).copy()]
        mj.mj_initCtrlHistory(m, d, 0, None, np.array([5.0, 6, 7, 8]))
        results.append([*found, *d.history])
        with pytest.raises(IndexError):
            mj.mj_readCtrl(m, d, 1, 0.0, one, 0)
        with pytest.raises(TypeError):
            mj.mj_initSensorHistory(m, d, 0, None, np.zeros((3, 2)), 0.0)
    np.testing.assert_allclose(results[1], results[0], atol=1e-12)


ROTORS = """<mujoco><worldbody><body pos="0 0 .3"><joint name="a" axis="0 1 0" armature=".5"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/><body pos=".4 0 0"><joint name="b" axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/></body></body></worldbody><tendon><fixed name="t" armature="2"><joint joint="a" coef="1"/><joint joint="b" coef="3"/></fixed></tendon>
<actuator><motor joint="b" armature="7" gear="2"/></actuator></mujoco>"""


def test_accelerated_bodies_without_their_rotors():
    found = []
    for module in (mujoco, ours):
        m = module.MjModel.from_xml_string(ROTORS)
        d, forces = module.MjData(m), np.zeros(2)
        d.qvel[:] = 1, 2
        module.mj_forward(m, d)
        d.qacc[:] = 1, -1
        module.mj_rne(m, d, 1, forces)
        found.append(forces)
    np.testing.assert_allclose(found[1], found[0], **CLOSE)


@pytest.mark.parametrize("disabled", [False, True])
def test_a_bad_acceleration_is_counted_and_starts_over_as_the_flag_says(disabled):
    found = []
    for module in (mujoco, ours):
        m = module.MjModel.from_xml_string(ROTORS)
        m.opt.disableflags = int(module.mjtDisableBit.mjDSBL_AUTORESET) * disabled
        d = module.MjData(m)
        d.qpos[0], d.time = 0.3, 2.0
        module.mj_forward(m, d)
        d.qacc[1] = np.nan
        module.mj_checkAcc(m, d)
        found.append([*d.qacc, *d.qpos, d.time, d.warning[int(module.mjtWarning.mjWARN_BADQACC)].number])
    np.testing.assert_allclose(found[1], found[0], **CLOSE)
