"""Each smooth kernel gives what its plain twin gives."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.engine.integrator import derivative
from physics.enums import INT_EULER, INT_IMPLICITFAST, INT_RK4
from physics.model.data import Data
from tests.naive import smooth
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

SMALL = """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/>
<body pos=".3 0 0"><joint name="a" axis="0 1 0" pos="0 .1 0" damping=".1 .02" stiffness="2 .1" armature=".1"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/>
<body pos=".3 0 0"><joint type="ball" stiffness="1"/><joint name="s" type="slide" axis="1 0 0"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/></body>
</body></body></worldbody>
<tendon><fixed name="t" stiffness="3" springlength="-.1 .1" damping=".1" armature=".1"><joint joint="a" coef="2"/><joint joint="s" coef="-1"/></fixed></tendon>
<actuator><position joint="a" kp="3" kv=".1" timeconst=".1"/><motor tendon="t" ctrlrange="-.1 .1"/></actuator></mujoco>"""
SOURCES = {"small": SMALL, "mixed": models.MIXED, "driven": models.DRIVEN}


@pytest.fixture(params=[pytest.param("small", marks=pytest.mark.nojit), "mixed", "driven"])
def pair(request):
    """Model and Data at a random state, everything but constraints computed."""
    mj = mujoco.MjModel.from_xml_string(SOURCES[request.param])
    mj.opt.disableflags |= 1
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, 5)
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    stages.forward(m, d)
    return m, d


def at(d):
    return d.qpos, d.mocap_pos, d.mocap_quat


def test_poses(pair):
    m, d = pair
    place, joints = smooth.poses(m, *at(d))
    assert rel(d.xpos, np.array([p for p, _ in place])) < 1e-13
    assert rel(d.xmat, np.array([r.ravel() for _, r in place])) < 1e-13
    assert rel(d.xanchor, np.array([joints[j][0] for j in range(m.njnt)])) < 1e-13
    assert rel(d.xaxis, np.array([joints[j][1] for j in range(m.njnt)])) < 1e-13
    for g in range(m.ngeom):
        p, r = place[m.geom_bodyid[g]]
        assert np.allclose(d.geom_xpos[g], p + r @ m.geom_pos[g], atol=1e-13)
        assert np.allclose(d.geom_xmat[g].reshape(3, 3), r @ smooth.matrix(m.geom_quat[g]), atol=1e-13)
    coms = np.array([p + r @ m.body_ipos[b] for b, (p, r) in enumerate(place)])
    for b in range(m.nbody):
        inside = [k for k in range(m.nbody) if b in ancestors(m, k)]
        if m.body_mass[inside].sum() > 0:
            assert np.allclose(d.subtree_com[b], m.body_mass[inside] @ coms[inside] / m.body_mass[inside].sum(), atol=1e-13)


def ancestors(m, b):
    chain = [b]
    while chain[-1] > 0:
        chain.append(m.body_parentid[chain[-1]])
    return chain


def test_velocities(pair):
    m, d = pair
    lin, ang = smooth.jacobians(m, *at(d))
    for b in range(1, m.nbody):
        arm = d.xipos[b] - d.subtree_com[m.body_rootid[b]]
        assert np.allclose(d.cvel[b, :3], ang[b] @ d.qvel, atol=1e-12)
        assert np.allclose(d.cvel[b, 3:] + np.cross(d.cvel[b, :3], arm), lin[b] @ d.qvel, atol=1e-12)


def test_inertia_factor_and_products(pair):
    m, d = pair
    full = smooth.dense(m, d.M)
    assert rel(full, smooth.mass_matrix(m, *at(d))) < 1e-12
    lower = np.tril(smooth.dense(m, d.qLD), -1) + np.eye(m.nv)
    assert rel(lower.T @ np.diag(1 / d.qLDiagInv) @ lower, full) < 1e-12
    assert rel(d.qacc_smooth, np.linalg.solve(full, d.qfrc_smooth)) < 1e-10
    stages.energy_vel(m, d)
    assert d.energy[1] == pytest.approx(d.qvel @ full @ d.qvel / 2, rel=1e-13)


def test_bias(pair):
    m, d = pair
    # differences of momenta with a step of 1e-5: rounding 1e-16 / 1e-5 and truncation 1e-10
    assert rel(d.qfrc_bias, smooth.bias(m, d.qpos, d.qvel, d.mocap_pos, d.mocap_quat)) < 1e-7


def test_springs_and_dampers(pair):
    m, d = pair
    assert rel(d.qfrc_spring, smooth.spring_force(m, d.qpos)) < 1e-7
    assert rel(d.qfrc_damper, smooth.damper_force(m, d.qvel)) < 1e-13
    stages.energy_pos(m, d)
    assert d.energy[0] == pytest.approx(smooth.spring_energy(m, d.qpos) - (d.xipos @ m.opt_gravity) @ m.body_mass, rel=1e-12)


def test_tendons_and_transmissions(pair):
    m, d = pair
    assert rel(d.ten_length, np.array(smooth.tendon_lengths(m, d.qpos))) < 1e-14
    jac = smooth.csr(m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, d.ten_J, m.nv)
    assert rel(jac, smooth.tendon_jacobian(m)) < 1e-14
    moment = smooth.csr(d.moment_rownnz, d.moment_rowadr, d.moment_colind, d.actuator_moment, m.nv)
    assert rel(d.ten_velocity, jac @ d.qvel) < 1e-13
    assert rel(d.actuator_velocity, moment @ d.qvel) < 1e-13


def test_actuators(pair):
    m, d = pair
    if m.nactuator == 0:
        assert not d.qfrc_actuator.any()
        return
    rate, force = smooth.actuator_forces(m, d.ctrl, d.act, d.actuator_length, d.actuator_velocity)
    balls = [i for i in range(m.nactuator) if m.actuator_trntype[i] == 0 and m.jnt_type[m.actuator_trnid[i, 0]] == 1]
    rest = np.setdiff1d(np.arange(m.nactuator), balls)  # a servo on a ball turns the short way; test_smooth_stages judges it
    assert rel(d.act_dot, rate) < 1e-13
    assert rel(d.actuator_force[rest], force[rest]) < 1e-12
    moment = smooth.csr(d.moment_rownnz, d.moment_rowadr, d.moment_colind, d.actuator_moment, m.nv)
    total = moment.T @ d.actuator_force
    for j in np.nonzero(m.jnt_actfrclimited)[0]:
        total[m.jnt_dofadr[j]] = np.clip(total[m.jnt_dofadr[j]], *m.jnt_actfrcrange[j])
    assert rel(d.qfrc_actuator, total) < 1e-13


def test_velocity_derivative(pair):
    m, d = pair
    m.jnt_actfrclimited[:] = m.tendon_actfrclimited[:] = m.actuator_forcelimited[:] = False  # kinks have no derivative
    stages.forward(m, d)
    derivative.damped_inertia(m, d)
    ours = (smooth.dense(m, d.M) - smooth.dense(m, d.qH)) / m.opt_timestep
    qvel, h, columns = d.qvel.copy(), 1e-6, []
    for k in range(m.nv):
        ends = []
        for s in (h, -h):
            d.qvel[:] = qvel
            d.qvel[k] += s
            stages.forward(m, d)
            ends.append(d.qfrc_passive + d.qfrc_actuator)
        columns.append((ends[0] - ends[1]) / (2 * h))
    theirs = np.array(columns).T
    known = smooth.dense(m, np.ones(m.nC)) > 0  # M's rows leave out what couples trees, and blocks of diagonal bodies
    assert np.allclose(ours, theirs * known, atol=1e-7)


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICITFAST])
def test_implicit_steps_solve_their_linear_system(pair, integrator):
    m, d = pair
    m.opt_integrator = integrator
    before = d.copy()
    stages.forward(m, before)
    assert stages.step(m, d) == 1
    full, h = smooth.dense(m, before.M), m.opt_timestep
    if integrator == INT_EULER:
        slopes = [(smooth.damper_force(m, before.qvel + e) - smooth.damper_force(m, before.qvel - e))[k] / 2e-6 for k, e in enumerate(np.eye(m.nv) * 1e-6)]
        for t, row in enumerate(smooth.tendon_jacobian(m)):  # Euler takes the dampers of joints only
            v = row @ before.qvel
            b, p = m.tendon_damping[t], m.tendon_dampingpoly[t].copy()
            for i in smooth.lenders(m, "tendon", t):
                b, p = b + m.actuator_gear[i, 0] ** 2 * m.actuator_damping[i], p + m.actuator_gear[i, 0] ** 2 * m.actuator_dampingpoly[i]
            slopes = np.array(slopes) + row**2 * (b + 2 * p[0] * abs(v) + 3 * p[1] * v * v)
        full -= h * np.diag(slopes)
    else:
        derivative.damped_inertia(m, before)
        full = smooth.dense(m, before.qH)
    acc = np.linalg.solve(full, before.qfrc_smooth)
    lone = [k for j in range(m.njnt) if m.jnt_type[j] == 0 and m.tree_dofnum[m.body_treeid[m.jnt_bodyid[j]]] == 6
            for k in range(m.jnt_dofadr[j], m.jnt_dofadr[j] + 6)] if integrator == INT_IMPLICITFAST else []
    rest = np.setdiff1d(np.arange(m.nv), lone)
    assert np.allclose(d.qvel[rest], (before.qvel + h * acc)[rest], rtol=1e-7, atol=1e-8)
    assert rel(d.qpos, smooth.move(m, before.qpos, h * d.qvel)) < 1e-13
    for j in np.unique(m.dof_jntid[lone]) if lone else []:
        k = m.jnt_dofadr[j]
        block = slice(k, k + 6)
        slope = np.array([stage_force(m, before, k + c, 1e-6)[block] for c in range(6)]).T
        expected = before.qvel[block] + h * np.linalg.solve(smooth.dense(m, before.M)[block, block] - h * slope, before.qfrc_smooth[block])
        assert np.allclose(d.qvel[block], expected, rtol=1e-6, atol=1e-7)


def stage_force(m, before, k, e):
    """Derivative of the smooth force by velocity k, by central differences."""
    ends = []
    for s in (e, -e):
        other = before.copy()
        other.qvel[k] += s
        stages.forward(m, other)
        ends.append(other.qfrc_smooth.copy())
    return (ends[0] - ends[1]) / (2 * e)


@pytest.mark.nojit
def test_runge_kutta_on_scalar_joints_is_the_textbook_method():
    mj = mujoco.MjModel.from_xml_string(
        """<mujoco><option integrator="RK4" timestep=".01"/><worldbody><body><joint axis="0 1 0"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint name="s" type="slide" axis="0 0 1"/><geom size=".1"/></body></body></worldbody>
        <actuator><general joint="s" dyntype="filter" dynprm=".1"/></actuator></mujoco>"""
    )
    m = model_from(mj)
    assert m.opt_integrator == INT_RK4
    d = Data(m)
    d.qpos[:], d.qvel[:], d.ctrl[:] = [0.3, 0.1], [1.0, -0.5], 2.0
    probe = d.copy()

    def slope(y):
        probe.qpos[:], probe.qvel[:], probe.act[:] = y[:2], y[2:4], y[4:]
        stages.forward(m, probe)
        return np.array([*y[2:4], *probe.qacc, *probe.act_dot])

    y, h = np.array([0.3, 0.1, 1.0, -0.5, 0.0]), m.opt_timestep
    for _ in range(3):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        assert stages.step(m, d) == 1
    assert np.allclose([*d.qpos, *d.qvel, *d.act], y, atol=1e-13)
