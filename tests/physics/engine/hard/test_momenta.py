"""Discrete momenta: their slope by differences, and what a body takes along is what it brings in the next step."""
import numpy as np
import pytest

import physics
from physics.engine.hard import momenta, poses
from physics.kernels.guard import checked
from tests.physics.engine.hard.tree_models import mixed, roomy, shaken


@pytest.fixture
def begun():
    m = mixed()
    d = roomy(m)
    shaken(m, d, 5, 3.0)
    physics.kinematics(m, d)
    momenta.keep_start(m, d)
    momenta.momenta(m, d)
    return m, d


def product(a, b):
    w, v = a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([w, *v])


def angular(m, d, b, turn):
    """The residual's angular part of body b for a rotation since the start."""
    d.hard_turn[b] = turn
    d.hard_vel[b, 3:] = 2 * turn[1:] / d.hard_h
    return np.array(momenta.momentum_residual(checked(m), checked(d), b)[3:])


def test_the_slope_of_the_angular_momentum_is_that_of_differences(begun):
    m, d = begun
    rng = np.random.default_rng(0)
    for b in range(1, m.nbody):
        turn = np.array([1, *(0.3 * rng.normal(size=3))])
        turn /= np.linalg.norm(turn)
        angular(m, d, b, turn)
        slope = np.array(momenta.momentum_slope(checked(d), b)).reshape(3, 3)
        eps = 1e-6
        found = np.zeros((3, 3))
        for k in range(3):
            e = np.zeros(3)
            e[k] = eps * d.hard_h / 2
            up, down = (product(np.array([np.sqrt(1 - e @ e), *(s * e)]), turn) for s in (1, -1))
            found[:, k] = (angular(m, d, b, up) - angular(m, d, b, down)) / (2 * eps)
        assert np.abs(found - slope).max() < 1e-7 * max(1, np.abs(slope).max())


def test_what_a_body_brings_along_is_what_it_took_into_the_pose(begun):
    """With the same velocity before and after, seen from the middle pose, momentum differs by the turning of the frame alone: at rest by nothing."""
    m, d = begun
    d.qvel[:] = 0
    momenta.keep_start(m, d)
    momenta.momenta(m, d)
    assert np.abs(d.hard_mom[1:m.nbody]).max() < 1e-11
    d.hard_qpos[:m.nq] = d.qpos
    poses.place_all(m, d)
    assert max(np.abs(momenta.momentum_residual(checked(m), checked(d), b)).max() for b in range(1, m.nbody)) < 1e-10


def test_linear_momentum_is_mass_times_velocity(begun):
    m, d = begun
    physics.kinematics(m, d)
    now = d.xipos.copy()
    q = d.qpos.copy()
    d.qpos[:] = physics.integrate_pos(m, d.qpos, d.qvel, -d.hard_h)
    physics.kinematics(m, d)
    v = (now - d.xipos) / d.hard_h
    d.qpos[:] = q
    assert np.allclose(d.hard_mom[1:m.nbody, :3], m.body_mass[1:, None] * v[1:], atol=1e-10)


def test_wrenches_are_impulses_over_the_step(begun):
    m, d = begun
    before = d.hard_mom.copy()
    d.xfrc_applied[2] = [1, 2, 3, 4, 5, 6]
    momenta.wrenches(m, d)
    change = (d.hard_mom - before)[1:m.nbody] / d.hard_h
    assert np.allclose(change[1], [1, 2, 3 - 9.81 * m.body_mass[2], 4, 5, 6])
    assert np.allclose(change[2], [0, 0, -9.81 * m.body_mass[3], 0, 0, 0])
