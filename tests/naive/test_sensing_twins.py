"""Kernels of sensors, reactions and rays give what their plain twins give."""
import mujoco
import numpy as np
import pytest

import physics
from physics.engine.inertia import rne_post_constraint
from physics.engine.kinematics import subtree
from physics.model.data import Data
from physics.query import raycast
from tests.naive import sensing
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state

SMALL = """<mujoco><worldbody><body name="a"><freejoint/><geom type="box" size=".1 .2 .3"/><body name="b" pos=".3 0 0"><joint axis="0 1 0" damping=".1"/>
<geom type="capsule" size=".05 .1" pos="0 .1 0"/><body pos=".2 0 0"><joint type="ball"/><geom size=".1"/></body></body></body></worldbody></mujoco>"""
SOURCES = {"small": SMALL, "mixed": models.MIXED}


@pytest.fixture(scope="module", autouse=True)
def all_kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", [pytest.param("small", marks=pytest.mark.nojit), "mixed"])
def test_subtrees_and_reactions(name):
    mj = mujoco.MjModel.from_xml_string(SOURCES[name])
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, 3)
    take_state(d, mjd)
    physics.forward(m, d)
    rne_post_constraint.rne_post_constraint(m, d)
    subtree.subtree_vel(m, d)
    for b in range(1, m.nbody):
        mean, spin = sensing.subtree(m, d, b)
        assert np.allclose(d.subtree_linvel[b], mean) and np.allclose(d.subtree_angmom[b], spin)
        force = sensing.joint_force(m, d, b)
        assert np.allclose(d.cfrc_int[b], force, atol=1e-9 * np.abs(force).max())


SHAPES = {
    "sphere": ('size=".5"', lambda p: np.linalg.norm(p) - 0.5),
    "capsule": ('type="capsule" size=".3 .4"', lambda p: np.linalg.norm(p - [0, 0, np.clip(p[2], -0.4, 0.4)]) - 0.3),
    "box": ('type="box" size=".3 .4 .5"', lambda p: np.linalg.norm(np.maximum(abs(p) - [0.3, 0.4, 0.5], 0))),
    "cylinder": ('type="cylinder" size=".3 .4"', lambda p: np.linalg.norm(np.maximum([np.hypot(*p[:2]) - 0.3, abs(p[2]) - 0.4], 0))),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_rays_against_marching(shape):
    attributes, distance = SHAPES[shape]
    m = physics.load_string(f"<mujoco><worldbody><geom {attributes}/></worldbody></mujoco>")
    d = physics.Data(m)
    physics.forward(m, d)
    rng = np.random.default_rng(0)
    points = rng.normal(size=(60, 3))
    points *= 2 / np.linalg.norm(points, axis=1, keepdims=True)
    vectors = -points + 0.4 * rng.normal(size=(60, 3))
    found = raycast.rays(m, d, points, vectors)[0]
    naive = np.array([sensing.march(distance, p, v) for p, v in zip(points, vectors)])
    assert (naive >= 0).sum() > 15 and np.allclose(found, naive, atol=1e-6)


def test_rays_against_all_triangles():
    m = physics.load_string("""<mujoco><asset><mesh name="m" builtin="supertorus" params="12 .4 1 1" scale=".4 .3 .5"/></asset>
                               <worldbody><geom type="mesh" mesh="m" pos=".1 0 .2" euler="10 20 30"/></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    corners = m.mesh_vert[m.mesh_face].astype(float) @ d.geom_xmat[0].reshape(3, 3).T + d.geom_xpos[0]
    rng = np.random.default_rng(0)
    points, vectors = rng.normal(size=(300, 3)), rng.normal(size=(300, 3))
    points[::3] *= 0.1
    vectors[::2] = -points[::2] + 0.2 * vectors[::2]
    found = raycast.rays(m, d, points, vectors)[0]
    naive = np.array([sensing.nearest_triangle(corners, p, v) for p, v in zip(points, vectors)])
    assert (naive >= 0).sum() > 80 and np.allclose(found, naive, atol=1e-9)
