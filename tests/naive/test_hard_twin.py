"""The plain twin of the hard engine, held by closed forms, conservation and the figures that the paper's authors have kept."""
import numpy as np
import pytest

import physics
from tests.naive import smooth
from tests.naive.hard.newton import newton_direction, next_state, solve
from tests.naive.hard.repository import Point, Repository
from tests.naive.hard.system import System

TREE = """<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .05" mass="2"/>
<body pos=".1 .2 0"><joint axis="0 1 0" pos="0 .02 0"/><joint axis="1 0 .2"/><geom type="capsule" size=".03 .1" pos="0 0 -.1"/>
<body pos="0 0 -.2"><joint type="ball"/><geom type="box" size=".05 .02 .1" pos=".02 0 -.1"/></body></body>
<body pos="-.1 0 0"><joint type="slide" axis="1 .3 0"/><geom type="box" size=".05 .05 .02"/><body pos="-.1 0 0"><geom type="sphere" size=".04"/></body></body>
</body></worldbody></mujoco>"""
BOX = """<mujoco><option timestep="{h}" gravity="0 0 {g}"/><worldbody><geom type="plane" size="0 0 1" friction="{mu}" margin=".3"/>
<body pos="0 0 .25"><freejoint/><geom type="box" size=".25 .25 .25" mass="1" friction="{mu}"/></body></worldbody></mujoco>"""
STOP = """<mujoco><option timestep=".02" gravity="0 0 0"/><worldbody><body><joint type="slide" axis="1 0 0" range="-.5 .5" limited="true" armature=".3"/>
<geom type="sphere" size=".1" mass="2"/></body></worldbody></mujoco>"""
PLANAR = """<mujoco><option timestep=".1" gravity="0 0 -1"/><worldbody><body pos="0 0 .25"><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
<joint type="hinge" axis="1 0 0"/><geom type="box" size=".25 .25 .25" mass="1"/></body></worldbody></mujoco>"""


def model(text):
    m = physics.load_string(text)
    return m, physics.Data(m)


def random_state(m, d, seed=0, size=1.0):
    rng = np.random.default_rng(seed)
    d.qpos[:] = smooth.move(m, d.qpos, 0.4 * size * rng.normal(size=m.nv))
    d.qvel[:] = size * rng.normal(size=m.nv)


def stepped(m, d, **options):
    """The system after its step; d goes on."""
    physics.forward(m, d)
    system = System(m, d, options.pop("kappa", 0.0))
    done, _ = solve(system, **options)
    assert done
    d.qpos[:], d.qvel[:] = next_state(system)
    return system


def test_free_flight_keeps_the_discrete_momentum():
    m, d = model(TREE)
    random_state(m, d)
    found = []
    for _ in range(8):
        system = stepped(m, d, rtol=1e-12)
        p = system.given[system.bodies]
        found.append(np.concatenate([p[:, :3].sum(0), (np.cross(system.x2[system.bodies], p[:, :3]) + p[:, 3:]).sum(0)]))
    assert np.linalg.norm(found[0]) > 1
    assert np.abs(np.diff(found, axis=0)).max() < 1e-10


def test_matrix_is_the_derivative_of_the_residual():
    m, d = model(TREE.replace('gravity="0 0 0"', "").replace("<worldbody>", '<worldbody><geom type="plane" size="0 0 1" margin="3"/>', 1))
    random_state(m, d, 3)
    d.qpos[2] = 0.6
    physics.forward(m, d)
    system = System(m, d)
    assert len(system.rows) > 4
    a, rng = system.matrix(), np.random.default_rng(1)
    _, lam, rate, rows_at, *_ = system.layout()
    x = np.zeros(len(a))
    x[rate:rate + m.nv] = rng.normal(size=m.nv)
    x[:lam] = np.concatenate([system.motion3[b] @ x[rate:rate + m.nv] for b in system.bodies])
    x[rows_at[0]:] = 0.01 * rng.normal(size=len(a) - rows_at[0])
    assert np.abs((a @ x)[lam:rate]).max() < 1e-12        # the motion is one that the joints let through
    start, values = (system.qpos3, system.cone), []
    for eps in (1e-6, -1e-6):
        system.place(smooth.move(m, start[0], eps * system.h * x[rate:rate + m.nv]))
        system.cone = []
        for row, at, (s, gamma, eta, xi) in zip(system.rows, rows_at, start[1], strict=True):
            n = row.cone
            system.cone.append((s + eps * x[at], gamma + eps * x[at + 1], eta + eps * x[at + 2:at + 2 + n], xi + eps * x[at + 2 + n:at + 1 + 2 * n]))
        body, dof, rows, *_ = system.residual()
        values.append(np.concatenate([body[system.bodies].ravel(), dof, *(np.concatenate([[g], slip, [p], ps]) for g, slip, p, ps in rows)]))
    slope, expected = (values[0] - values[1]) / 2e-6, a @ x
    bodies = expected[:lam].reshape(-1, 6)
    dofs = expected[rate:rate + m.nv] + np.einsum("bik,bi->k", system.motion2[system.bodies], bodies)
    free = np.array([m.jnt_type[m.dof_jntid[k]] != 1 for k in range(m.nv)])   # a ball's rates turn with its angle; nothing here depends on them
    assert np.allclose(slope[:lam], expected[:lam], atol=1e-6)
    assert np.allclose(slope[lam:lam + m.nv][free], dofs[free], atol=1e-6)
    assert np.allclose(slope[lam + m.nv:], expected[rows_at[0]:], atol=1e-6)


def test_box_at_rest_keeps_the_distance_of_the_closed_form():
    h, g, kappa, lift = 0.1, 1.0, 1e-3, 0.02
    m, d = model(BOX.format(h=h, g=-g, mu=1))
    d.xfrc_applied[1, 2] = lift / h
    system = stepped(m, d, kappa=kappa, rtol=1e-12, ktol=1e-13)
    x = system.x3[1, 2] - 0.25
    assert len(system.rows) == 4
    assert x / h == pytest.approx(lift - g * h + 4 * h * kappa / x, abs=1e-12)


def test_joint_stops_at_its_limit_as_the_closed_form():
    m, d = model(STOP)
    d.qpos[0], d.qvel[0] = 0.49, 3.0
    kappa, mass, h = 1e-4, 2.3, 0.02
    stepped(m, d, kappa=kappa, rtol=1e-12, ktol=1e-14)
    slack = (0.5 - d.qpos[0]) / h
    assert mass * (d.qvel[0] - 3.0) == pytest.approx(-kappa / slack + kappa / ((d.qpos[0] + 0.5) / h), abs=1e-10)


def test_box_slides_by_coulombs_law():
    m, d = model(BOX.format(h=0.01, g=-9.81, mu=0.3))
    d.qvel[:2] = 0.6, 0.8
    stepped(m, d)
    assert np.hypot(*d.qvel[:2]) == pytest.approx(1 - 0.3 * 9.81 * 0.01, abs=1e-6)
    assert d.qvel[0] / d.qvel[1] == pytest.approx(0.75, abs=1e-6)
    assert abs(d.qpos[2] - 0.25) < 1e-7


def test_direction_is_one_that_joints_let_through():
    m, d = model(TREE)
    random_state(m, d, 2)
    physics.forward(m, d)
    system = System(m, d)
    x = newton_direction(system, system.matrix(), 0.0)
    rate = system.layout()[2]
    for b in system.bodies:
        assert np.allclose(x[system.at[b]:system.at[b] + 6], system.motion3[b] @ x[rate:rate + m.nv], atol=1e-10)


# impulse upwards or sideways [N s], kappa -> displacement [m] and its slope, as kept in the repository's examples/gradients/data_v2
KEPT = {
    (2, 1e-4): {0.001: (0.0015062722181113375, 0.011701085188442595), 0.021: (0.0017181692560502837, 0.015209376459210333),
                0.1: (0.003905599353410172, 0.050251963132753256), 0.2: (0.011516488256320456, 0.08862316284868937)},
    (2, 1e-8): {0.021: (2.531471119393558e-7, 3.2054557880689673e-6), 0.15: (0.005000403823412269, 0.09999200283691356)},
}


@pytest.mark.parametrize("axis, kappa, impulse", [(axis, kappa, f) for (axis, kappa), kept in KEPT.items() for f in kept])
def test_figure_4_to_the_printed_digits(axis, kappa, impulse):
    result = planar_box(axis, impulse, kappa)
    displacement, slope = KEPT[axis, kappa][impulse]
    m, _ = model(PLANAR)
    assert result.converged
    assert result.x3[1, axis] - (0.25 if axis == 2 else 0) == pytest.approx(displacement, rel=1e-7)
    assert result.by_impulse[1, axis, 1, axis] == pytest.approx(slope, rel=1e-6)


def planar_box(axis, impulse, kappa):
    """The repository's step of the planar box under one impulse."""
    m, d = model(PLANAR)
    impulses = np.zeros((2, 3))
    impulses[1, axis] = impulse
    points = [Point(1, np.array([0, y, z]), 1.0) for y in (0.25, -0.25) for z in (0.25, -0.25)]
    return Repository(m, d.qpos, d.qvel, points, impulses).solve(1e-10, kappa)
