"""Lowest points of shapes against many points of their surfaces, and the ground below them."""
import numpy as np
import pytest

import physics
from app.inputs.mapping.lowest_points import ground_height, lowest_point

SHAPES = {"sphere": ".2", "capsule": ".1 .3", "cylinder": ".1 .3", "ellipsoid": ".1 .2 .3", "box": ".1 .2 .3", "mesh": None}
TETRA = '<asset><mesh name="t" vertex="0 0 0 .4 0 0 0 .3 0 .1 .1 .5"/></asset>'


def surface(kind: str, size) -> np.ndarray:
    """Points (n, 3) of a shape in its frame."""
    u = np.random.default_rng(0).normal(size=(4000, 3))
    u /= np.linalg.norm(u, axis=1)[:, None]
    if kind == "capsule":
        return size[0] * u + np.sign(u[:, 2:]) * (0, 0, size[1])
    if kind == "cylinder":
        angle = np.linspace(0, 2 * np.pi, 2000)
        ring = np.stack([size[0] * np.cos(angle), size[0] * np.sin(angle), np.full(2000, size[1])], axis=1)
        return np.concatenate([ring, ring * (1, 1, -1)])
    if kind == "box":
        return np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size
    return u * (size if kind == "ellipsoid" else size[0])


@pytest.mark.parametrize("kind", SHAPES)
def test_no_point_of_a_shape_is_lower(kind):
    geom = '<geom type="mesh" mesh="t"/>' if kind == "mesh" else f'<geom type="{kind}" size="{SHAPES[kind]}"/>'
    m = physics.load_string(f'<mujoco>{TETRA}<worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>')
    d, random = physics.Data(m), np.random.default_rng(1)
    for _ in range(5):
        d.qpos[:3] = random.normal(size=3)
        d.qpos[3:] = random.normal(size=4)
        d.qpos[3:] /= np.linalg.norm(d.qpos[3:])
        physics.kinematics(m, d)
        points = m.mesh_vert if kind == "mesh" else surface(kind, m.geom_size[0])
        world = points @ d.geom_xmat[0].reshape(3, 3).T + d.geom_xpos[0]
        low = lowest_point(m, d, 0)
        assert low[2] == pytest.approx(world[:, 2].min(), abs=3e-3) and low[2] <= world[:, 2].min() + 1e-9
        assert np.linalg.norm(world - low, axis=1).min() < 0.03, "it is one of them"


def test_the_ground_is_the_highest_level_plane_that_stands():
    scene = """<mujoco><worldbody><geom type="plane" size="1 1 .1" pos="0 0 -.5"/><geom type="plane" size="1 1 .1" pos="0 0 -.2"/><geom type="plane" size="1 1 .1" pos="0 0 3" euler="90 0 0"/>
    <geom type="box" size="1 1 1"/></worldbody></mujoco>"""
    m = physics.load_string(scene)
    d = physics.Data(m)
    physics.kinematics(m, d)
    assert ground_height(m, d) == pytest.approx(-0.2)
    empty = physics.load_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    assert ground_height(empty, physics.Data(empty)) is None
