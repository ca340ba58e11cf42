"""Maximal coordinates: exact inverses, joints that hold at both times, and their derivative."""
import numpy as np
import pytest

import physics
from physics import hard
from tests.physics.engine.hard.tree_models import mixed, shaken


@pytest.fixture
def state():
    m = mixed()
    d = physics.Data(m)
    shaken(m, d, 3, 2.0)
    d.qpos[:] = physics.normalize_quat(m, d.qpos)
    return m, d


def test_back_and_forth(state):
    m, d = state
    qpos, qvel = d.qpos.copy(), d.qvel.copy()
    places = hard.to_maximal(m, d)
    d.qpos[:] = physics.integrate_pos(m, qpos, np.full(m.nv, 0.05), 1.0)   # only where to begin looking
    d.qvel[:] = 0
    hard.to_minimal(m, d, *places)
    assert np.abs(physics.differentiate_pos(m, qpos, d.qpos)).max() < 1e-12
    assert np.abs(d.qvel - qvel).max() < 1e-9


def test_velocities_lead_from_one_configuration_to_the_next(state):
    m, d = state
    h, places = m.opt_timestep, hard.to_maximal(m, d)
    old = d.copy()
    old.qpos[:] = physics.integrate_pos(m, d.qpos, d.qvel, -h)
    physics.kinematics(m, old)
    physics.com_pos(m, old)
    assert np.allclose(places.x - h * places.v, old.xipos, atol=1e-13)
    assert (np.linalg.norm(places.w, axis=1)[1:] > 0.1).all()


def test_jacobian_is_the_slope(state):
    m, d = state
    found = hard.maximal_jacobian(m, d)
    eps, work = 1e-6, d.copy()
    for k in range(2 * m.nv):
        ends = []
        for step in (eps, -eps):
            direction = np.eye(m.nv)[k % m.nv]
            work.qpos[:] = physics.integrate_pos(m, d.qpos, direction, step) if k < m.nv else d.qpos
            work.qvel[:] = d.qvel + (step * direction if k >= m.nv else 0)
            ends.append(hard.to_maximal(m, work))
        x, v, w = ((getattr(ends[0], n) - getattr(ends[1], n)) / (2 * eps) for n in "xvw")
        turn = np.array([physics.quat2_vel(physics.mul_quat(a, physics.neg_quat(b)), 2 * eps) for a, b in zip(ends[0].q, ends[1].q)])
        assert np.allclose(found[:, :, k], np.concatenate([x, turn, v, w], axis=1), atol=2e-6), k


def test_poses_that_joints_do_not_allow(state):
    m, d = state
    x, q, v, w = hard.to_maximal(m, d)
    x = x.copy()
    x[5] += 0.1
    with pytest.raises(ValueError, match="do not reach"):
        hard.to_minimal(m, d, x, q, v, w)
