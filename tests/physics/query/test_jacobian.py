"""Jacobians, products with M, velocities and differences of positions, against the official functions and by differences."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_CONTACT, ObjType
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state

NAMES = ("humanoid", "walker", "ant", "mixed", "strung")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(params=NAMES)
def pair(request):
    mj = models.official(request.param)
    mj.opt.disableflags |= DSBL_CONTACT
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, 7)
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    return mj, mjd, m, d


def both(mj):
    return np.zeros((3, mj.nv)), np.zeros((3, mj.nv))


def test_points_and_frames(pair):
    mj, mjd, m, d = pair
    point, axis = np.array([0.3, -0.2, 0.5]), np.array([0.1, 0.7, -0.4])
    for b in range(mj.nbody):
        for official, about, ours in (
            (mujoco.mj_jac, (point, b), physics.jac(m, d, point, b)),
            (mujoco.mj_jacBody, (b,), physics.jac_body(m, d, b)),
            (mujoco.mj_jacBodyCom, (b,), physics.jac_body_com(m, d, b)),
            (mujoco.mj_jacPointAxis, (point, axis, b), physics.jac_point_axis(m, d, point, axis, b)),
            (mujoco.mj_jacDot, (point[:, None], b), physics.jac_dot(m, d, point, b)),
        ):
            lin, ang = both(mj)
            official(mj, mjd, lin, ang, *about)
            assert np.allclose(ours[0], lin, atol=1e-12, rtol=1e-12) and np.allclose(ours[1], ang, atol=1e-12, rtol=1e-12)
    for count, official, ours in ((mj.ngeom, mujoco.mj_jacGeom, physics.jac_geom), (mj.nsite, mujoco.mj_jacSite, physics.jac_site)):
        for i in range(count):
            lin, ang = both(mj)
            official(mj, mjd, lin, ang, i)
            assert np.allclose(ours(m, d, i), (lin, ang), atol=1e-12)


def test_centres_of_mass_and_angular_momentum(pair):
    mj, mjd, m, d = pair
    mujoco.mj_subtreeVel(mj, mjd)
    for b in range(mj.nbody):
        lin, ang = both(mj)
        mujoco.mj_angmomMat(mj, mjd, ang, b)
        assert np.allclose(physics.angmom_mat(m, d, b), ang, atol=1e-11, rtol=1e-11)
        assert np.allclose(physics.angmom_mat(m, d, b) @ d.qvel, mjd.subtree_angmom[b], atol=1e-10)
        if mj.body_subtreemass[b] > 0:
            mujoco.mj_jacSubtreeCom(mj, mjd, lin, b)
            assert np.allclose(physics.jac_subtree_com(m, d, b), lin, atol=1e-12)


def test_jacobians_are_derivatives(pair):
    """Ideas 31 and 32 of the reference: by differences of positions, ours alone."""
    _, _, m, d = pair
    body, h = m.nbody - 1, 1e-6
    local = np.array([0.1, 0.2, -0.1])
    at = lambda e: e.xpos[body] + e.xmat[body].reshape(3, 3) @ local  # noqa: E731
    point = at(d)
    lin, _ = physics.jac(m, d, point, body)
    com = physics.jac_subtree_com(m, d, 1)
    rate, rate_ang = physics.jac_dot(m, d, point, body)
    e = d.copy()
    for k in range(m.nv):
        ends = []
        for sign in (1, -1):
            e.copy_from(d)
            e.qpos[:] = physics.integrate_pos(m, d.qpos, np.eye(m.nv)[k], sign * h)
            physics.forward(m, e)
            ends.append((at(e), e.subtree_com[1].copy()))
        assert np.allclose((ends[0][0] - ends[1][0]) / (2 * h), lin[:, k], atol=1e-8)
        assert np.allclose((ends[0][1] - ends[1][1]) / (2 * h), com[:, k], atol=1e-8)
    ends = []
    for sign in (1, -1):
        e.copy_from(d)
        e.qpos[:] = physics.integrate_pos(m, d.qpos, d.qvel, sign * h)
        physics.forward(m, e)
        ends.append(physics.jac(m, e, at(e), body))
    assert np.allclose((ends[0][0] - ends[1][0]) / (2 * h), rate, atol=1e-6 * max(1, np.abs(rate).max()))
    assert np.allclose((ends[0][1] - ends[1][1]) / (2 * h), rate_ang, atol=1e-6 * max(1, np.abs(rate_ang).max()))


def test_rate_of_a_ball_that_a_slide_follows():
    """The ball's axes do not move with the slide behind it (the official mj_jacDot says they do)."""
    m = model_from(mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><joint type="ball"/><joint type="slide" axis="1 0 0"/>'
                                                  '<geom size=".1" pos=".1 .2 .3"/></body></worldbody></mujoco>'))
    d = Data(m)
    d.qvel[:] = [1, 2, 3, 4]
    physics.forward(m, d)
    rate = physics.jac_dot(m, d, d.xpos[1], 1)[0]
    e, h = d.copy(), 1e-6
    ends = []
    for sign in (1, -1):
        e.qpos[:] = physics.integrate_pos(m, d.qpos, d.qvel, sign * h)
        physics.forward(m, e)
        ends.append(physics.jac_body(m, e, 1)[0])
    assert np.allclose((ends[0] - ends[1]) / (2 * h), rate, atol=1e-8)


def test_mass_matrix(pair):
    mj, mjd, m, d = pair
    full = np.zeros((mj.nv, mj.nv))
    mujoco.mj_fullM(mj, mjd, full)
    assert rel(physics.full_m(m, d), full) < 1e-12
    x = np.random.default_rng(0).normal(size=(3, m.nv))
    assert np.allclose(physics.mul_m(m, d, x), x @ full, rtol=1e-10, atol=1e-10) and physics.mul_m(m, d, x[0]).shape == (m.nv,)
    assert rel(physics.mul_m(m, d, physics.solve_m(m, d, x)), x) < 1e-8
    assert rel(physics.solve_m(m, d, x[1]), np.linalg.solve(full, x[1])) < 1e-7
    assert physics.mul_m(m, d, np.zeros((0, m.nv))).shape == (0, m.nv)


def test_velocities(pair):
    mj, mjd, m, d = pair
    for kind, count in ((ObjType.BODY, m.nbody), (ObjType.XBODY, m.nbody), (ObjType.GEOM, m.ngeom), (ObjType.SITE, m.nsite), (ObjType.CAMERA, m.ncam)):
        for i in range(count):
            for local in (False, True):
                expected = np.zeros(6)
                mujoco.mj_objectVelocity(mj, mjd, int(kind), i, expected, local)
                assert np.allclose(physics.object_velocity(m, d, kind, i, local), expected, atol=1e-11)
                assert np.allclose(physics.object_velocity(m, d, kind.name.lower(), i, local), expected, atol=1e-11)


def test_accelerations(pair):
    mj, mjd, m, d = pair
    mujoco.mj_rnePostConstraint(mj, mjd)
    for kind, count in ((ObjType.BODY, m.nbody), (ObjType.XBODY, m.nbody), (ObjType.GEOM, m.ngeom), (ObjType.SITE, m.nsite), (ObjType.CAMERA, m.ncam)):
        for i in range(count):
            for local in (False, True):
                expected = np.zeros(6)
                mujoco.mj_objectAcceleration(mj, mjd, int(kind), i, expected, local)
                assert np.allclose(physics.object_acceleration(m, d, kind, i, local), expected, rtol=1e-7, atol=1e-7 * np.abs(mjd.cacc).max())


def test_differences_of_positions(pair):
    mj, _, m, _ = pair
    rng = np.random.default_rng(3)
    one, two, v = rng.normal(size=mj.nq), rng.normal(size=mj.nq), rng.normal(size=mj.nv)
    expected, moved = np.zeros(mj.nv), one.copy()
    one, two = physics.normalize_quat(m, one), physics.normalize_quat(m, two)
    mujoco.mj_normalizeQuat(mj, moved)
    assert np.allclose(one, moved, atol=1e-15)
    mujoco.mj_differentiatePos(mj, expected, 0.1, one, two)
    assert np.allclose(physics.differentiate_pos(m, one, two, 0.1), expected, atol=1e-12)
    mujoco.mj_integratePos(mj, moved, v, 0.2)
    assert np.allclose(physics.integrate_pos(m, one, v, 0.2), moved, atol=1e-14)
    assert np.allclose(physics.integrate_pos(m, one, physics.differentiate_pos(m, one, two)) - two, 0, atol=1e-12) or m.nq != m.nv


def test_forces_at_points(pair):
    mj, mjd, m, d = pair
    force, torque, point = np.array([1.0, 2, 3]), np.array([-1.0, 0.5, 2]), np.array([0.1, 0.2, 0.3])
    expected = np.zeros(mj.nv)
    mujoco.mj_applyFT(mj, mjd, force, torque, point, mj.nbody - 1, expected)
    assert np.allclose(physics.apply_ft(m, d, force, torque, point, m.nbody - 1), expected, atol=1e-12)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_contact_forces(cone):
    mj, mjd, m, d = pair_from(f'<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 .1" condim="6"/><body pos="0 0 .09"><freejoint/>'
                              '<geom size=".1" mass="2"/></body></worldbody></mujoco>')
    mjd.qvel[0] = d.qvel[0] = 0.3
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    expected = np.zeros(6)
    mujoco.mj_contactForce(mj, mjd, 0, expected)
    assert expected[0] > 1 and np.allclose(physics.contact_force(m, d, 0), expected, rtol=1e-7, atol=1e-7)
    with pytest.raises(IndexError, match="contact 1 of 1"):
        physics.contact_force(m, d, 1)


@pytest.mark.nojit
def test_a_pendulum_by_hand():
    m = model_from(mujoco.MjModel.from_xml_string('<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" mass="2" pos=".5 0 0"/></body></worldbody></mujoco>'))
    d = Data(m)
    d.qvel[0] = 3
    physics.forward(m, d)
    lin, ang = physics.jac_body_com(m, d, 1)
    assert np.allclose(lin[:, 0], [0, 0, -0.5]) and np.allclose(ang[:, 0], [0, 1, 0])
    assert np.allclose(physics.jac_dot(m, d, d.xipos[1], 1)[0][:, 0], [-1.5, 0, 0])
    assert physics.full_m(m, d)[0, 0] == pytest.approx(2 * 0.25 + 0.4 * 2 * 0.01) == physics.mul_m(m, d, [1.0])[0]
    assert np.allclose(physics.angmom_mat(m, d, 1)[:, 0], [0, 0.4 * 2 * 0.01, 0]) and np.allclose(physics.jac_subtree_com(m, d, 1), lin)
    assert np.allclose(physics.object_velocity(m, d, "body", 1), [0, 3, 0, 0, 0, -1.5])


def test_wrong_arguments_name_what_is_wrong(pair):
    _, _, m, d = pair
    for call, error, text in (
        (lambda: physics.jac(m, d, [1, 2], 0), ValueError, "point: needs 3 numbers"),
        (lambda: physics.jac(m, d, "abc", 0), ValueError, "point"),
        (lambda: physics.jac(m, d, [1, 2, 3], m.nbody), IndexError, f"body {m.nbody} of {m.nbody}"),
        (lambda: physics.jac_body(m, d, -1), IndexError, "body -1"),
        (lambda: physics.jac_body(m, d, "nobody"), KeyError, "no body named 'nobody'"),
        (lambda: physics.jac_body(m, d, 1.5), TypeError, "float"),
        (lambda: physics.mul_m(m, d, np.zeros(m.nv + 1)), ValueError, f"needs {m.nv} numbers"),
        (lambda: physics.solve_m(m, d, np.zeros((2, m.nv + 1))), ValueError, "numbers"),
        (lambda: physics.integrate_pos(m, np.zeros(m.nq + 1), np.zeros(m.nv)), ValueError, "qpos"),
        (lambda: physics.differentiate_pos(m, np.zeros(m.nq), np.zeros(m.nq), 0.0), ValueError, "time 0"),
        (lambda: physics.object_velocity(m, d, "joint", 0), KeyError, "joint"),
        (lambda: physics.jac_body(m, None, 0), TypeError, "Data"),
    ):
        with pytest.raises(error, match=text):
            call()


def test_names():
    m = physics.load_string('<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>')
    mj = mujoco.MjModel.from_xml_string('<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>')
    for kind, name in ((ObjType.BODY, "arm"), (ObjType.JOINT, "j"), (ObjType.XBODY, "arm"), (ObjType.GEOM, "none")):
        assert physics.name2id(m, kind, name) == mujoco.mj_name2id(mj, int(kind), name)
    assert physics.name2id(m, "body", "arm") == 1 and physics.id2name(m, "body", 1) == "arm"
    assert physics.id2name(m, ObjType.GEOM, 0) is None is mujoco.mj_id2name(mj, int(ObjType.GEOM), 0) and physics.id2name(m, "body", 9) is None
    with pytest.raises(KeyError, match="rotor"):
        physics.name2id(m, "rotor", "x")
