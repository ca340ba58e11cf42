"""Jacobians, velocities, accelerations and products with the inertia that scripts ask for are what dense Jacobians say."""
import mujoco
import numpy as np
import pytest

import physics
from physics import Data
from physics.enums import ObjType
from tests.naive import sensors, smooth
from tests.naive.sensing import below
from tests.naive.test_sensor_twins import SCENE
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state


@pytest.fixture(scope="module", autouse=True)
def all_kernels():
    physics.ensure_kernels()


@pytest.fixture(params=[pytest.param("small", marks=pytest.mark.nojit), "mixed"])
def scene(request):
    mj = mujoco.MjModel.from_xml_string(SCENE if request.param == "small" else models.MIXED)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    mjd, m = mujoco.MjData(mj), model_from(mj)
    d = Data(m)
    randomize(mj, mjd, 6)
    take_state(d, mjd)
    physics.forward(m, d)
    return m, d, sensors.Motion(m, d)


def test_jacobians(scene):
    m, d, _ = scene
    lin, ang = smooth.jacobians(m, d.qpos, d.mocap_pos, d.mocap_quat)
    inertias = smooth.world_inertias(m, d.qpos, d.mocap_pos, d.mocap_quat)
    for b in range(m.nbody):
        p = d.xipos[b] + [0.1, -0.2, 0.3]
        found = physics.jac(m, d, p, b)
        assert np.allclose(found[0], lin[b] - np.cross([0.1, -0.2, 0.3], ang[b].T).T, atol=1e-12) and np.allclose(found[1], ang[b], atol=1e-12)
        inside = below(m, b)
        mass = m.body_mass[inside]
        if mass.sum() > 0:
            mean = np.tensordot(mass, lin[inside], 1) / mass.sum()
            assert np.allclose(physics.jac_subtree_com(m, d, b), mean, atol=1e-12)
            centre = mass @ d.xipos[inside] / mass.sum()
            spin = sum(inertias[k] @ ang[k] + m.body_mass[k] * np.cross(d.xipos[k] - centre, (lin[k] - mean).T).T for k in inside)
            assert np.allclose(physics.angmom_mat(m, d, b), spin, atol=1e-11)


def test_rates_of_jacobians(scene):
    """Differences of the dense ones; the parts of ball joints behind which a slide moves included."""
    m, d, _ = scene
    h, b = 1e-6, m.nbody - 1
    ends = [smooth.jacobians(m, smooth.move(m, d.qpos, s * d.qvel), d.mocap_pos, d.mocap_quat) for s in (h, -h)]
    found = physics.jac_dot(m, d, d.xipos[b], b)
    for rate, k in zip(found, (0, 1)):
        expected = (ends[0][k][b] - ends[1][k][b]) / (2 * h)
        assert np.allclose(rate, expected, atol=1e-7 * max(1, np.abs(expected).max()))


def test_velocities_and_accelerations(scene):
    m, d, motion = scene
    for kind, count in ((ObjType.BODY, m.nbody), (ObjType.XBODY, m.nbody), (ObjType.GEOM, m.ngeom), (ObjType.SITE, m.nsite)):
        for k in range(count):
            assert np.allclose(physics.object_velocity(m, d, kind, k), np.concatenate(motion.velocity(int(kind), k)), atol=1e-10)
            expected = np.concatenate(motion.acceleration(int(kind), k))
            assert np.allclose(physics.object_acceleration(m, d, kind, k), expected, atol=2e-6 * max(1, np.abs(expected).max()))


def test_inertia(scene):
    m, d, _ = scene
    full = smooth.mass_matrix(m, d.qpos, d.mocap_pos, d.mocap_quat)
    x = np.cos(np.arange(m.nv))
    assert np.allclose(physics.full_m(m, d), full, atol=1e-11) and np.allclose(physics.mul_m(m, d, x), full @ x, atol=1e-11)
    assert np.allclose(physics.solve_m(m, d, x), np.linalg.solve(full, x), rtol=1e-8, atol=1e-9)
