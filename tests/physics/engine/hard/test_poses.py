"""Poses and twists of the hard engine's trial point: those of the kinematics, and of differences."""
import numpy as np
import pytest

import physics
from physics.engine.hard import poses
from physics.engine.hard.momenta import keep_start
from tests.physics.engine.hard.tree_models import mixed, roomy, shaken


@pytest.fixture
def placed():
    m = mixed()
    d = roomy(m)
    shaken(m, d, 3)
    physics.kinematics(m, d)
    keep_start(m, d)
    return m, d


def moved(m, d, velocity):
    """The trial pose, `velocity` times h from the start."""
    d.hard_qpos[:m.nq] = physics.integrate_pos(m, d.qpos, velocity, d.hard_h)
    poses.place_all(m, d)


def test_a_trial_pose_is_that_of_the_kinematics(placed):
    m, d = placed
    v = np.random.default_rng(1).normal(size=m.nv)
    moved(m, d, v)
    d.qpos[:] = physics.integrate_pos(m, d.qpos, v, d.hard_h)
    physics.kinematics(m, d)
    assert np.abs(d.hard_x[1:m.nbody] - d.xipos[1:]).max() < 1e-14
    same = np.abs((d.hard_quat[1:m.nbody] * d.xiquat[1:]).sum(1))
    assert np.abs(same - 1).max() < 1e-14


def test_nothing_moves_at_the_start(placed):
    m, d = placed
    poses.place_all(m, d)
    assert np.abs(d.hard_vel[1:m.nbody]).max() < 1e-11
    assert np.abs(d.hard_turn[1:m.nbody] - [1, 0, 0, 0]).max() < 1e-14


def test_twists_are_the_bodies_slopes_by_the_joints(placed):
    m, d = placed
    rng = np.random.default_rng(2)
    v = rng.normal(size=m.nv)
    moved(m, d, v)
    axes = d.hard_axis[:m.nv].copy()
    centre = d.hard_qpos[:m.nq].copy()
    eps = 1e-6
    for k in range(m.nv):
        ends = []
        for sign in (1, -1):
            step = np.zeros(m.nv)
            step[k] = sign * eps
            d.hard_qpos[:m.nq] = physics.integrate_pos(m, centre, step, 1.0)
            poses.place_all(m, d)
            ends.append((d.hard_x[:m.nbody].copy(), d.hard_quat[:m.nbody].copy()))
        b = m.dof_bodyid[k]
        moving = (ends[0][0][b] - ends[1][0][b]) / (2 * eps)
        p, q = ends[0][1][b], ends[1][1][b]
        turned = 2 * np.array([-p[0] * q[i] + p[i] * q[0] - np.cross(p[1:], q[1:])[i - 1] for i in (1, 2, 3)]) / (2 * eps)
        assert np.abs(np.concatenate([moving, turned]) - axes[k]).max() < 1e-8, k


def test_velocities_are_difference_quotients(placed):
    m, d = placed
    v = np.random.default_rng(4).normal(size=m.nv)
    moved(m, d, v)
    h = d.hard_h
    assert np.allclose(d.hard_vel[1:m.nbody, :3], (d.hard_x[1:m.nbody] - d.hard_x2[1:m.nbody]) / h, atol=1e-12)
    s, u = d.hard_turn[1:m.nbody, 0], d.hard_turn[1:m.nbody, 1:]
    assert np.allclose(d.hard_vel[1:m.nbody, 3:], 2 * u / h, atol=1e-12) and (s > 0).all()
    assert np.allclose(s ** 2 + (u ** 2).sum(1), 1, atol=1e-14)
