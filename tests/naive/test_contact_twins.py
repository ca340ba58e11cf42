"""Contacts of simple geoms lie where the shapes' distance functions say: nearest points on both surfaces, the distance between them, the normal along."""
import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import physics
from physics import Data

SHAPES = {"plane": 'type="plane" size="5 5 .1"', "sphere": 'size=".2"', "capsule": 'type="capsule" size=".1 .3"', "box": 'type="box" size=".2 .3 .15"'}
PAIRS = (("plane", "sphere"), ("plane", "capsule"), ("plane", "box"), ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "box"), ("capsule", "capsule"), ("capsule", "box"))
SCENE = """<mujoco><worldbody><body><{0}/><geom name="one" {1} margin="1"/></body><body pos="0 0 .6"><freejoint/><geom name="two" {2} margin="1"/></body></worldbody></mujoco>"""


def gap(kind: str, p: np.ndarray) -> float:
    """Signed distance of a point in a shape's own axes; inside a box the least depth."""
    if kind == "plane":
        return p[2]
    if kind == "sphere":
        return np.linalg.norm(p) - 0.2
    if kind == "capsule":
        return np.linalg.norm(p - [0, 0, np.clip(p[2], -0.3, 0.3)]) - 0.1
    q = np.abs(p) - [0.2, 0.3, 0.15]
    return np.linalg.norm(np.maximum(q, 0)) + min(q.max(), 0.0)


def local(d, g: int, p) -> np.ndarray:
    return d.geom_xmat[g].reshape(3, 3).T @ (p - d.geom_xpos[g])


def world(d, g: int, p) -> np.ndarray:
    return d.geom_xmat[g].reshape(3, 3) @ p + d.geom_xpos[g]


def nearest(d, kinds, order) -> float:
    """Least distance of two shapes apart: of a sphere's centre, of a capsule's axis, of a box's corners over a plane."""
    one, two = order
    if kinds[1] == "sphere":
        return gap(kinds[0], local(d, one, d.geom_xpos[two])) - 0.2
    if kinds[0] == "sphere":
        return gap(kinds[1], local(d, two, d.geom_xpos[one])) - 0.2
    if kinds == ("plane", "box"):
        corners = np.array(np.meshgrid([-0.2, 0.2], [-0.3, 0.3], [-0.15, 0.15])).reshape(3, -1).T
        return min(gap("plane", local(d, one, world(d, two, c))) for c in corners)
    capsule, other = (two, one) if kinds[1] == "capsule" else (one, two)
    kind = kinds[0] if kinds[1] == "capsule" else kinds[1]
    along = lambda s: gap(kind, local(d, other, world(d, capsule, np.array([0, 0, s]))))  # noqa: E731
    ends = min(along(-0.3), along(0.3))
    return min(ends, minimize_scalar(along, bounds=(-0.3, 0.3), method="bounded", options={"xatol": 1e-12}).fun) - 0.1


def apart(first: str, second: str, count: int, seed: int = 0):
    """(Data, geoms in the engine's order) at random poses with some room between the shapes."""
    joint = "site" if first == "plane" else "freejoint"
    m = physics.load_string(SCENE.format(joint, SHAPES[first], SHAPES[second]))
    d, rng = Data(m), np.random.default_rng(seed)
    while count:
        for j in range(m.njnt):
            d.qpos[7 * j:7 * j + 3] = 0.45 * rng.normal(size=3)
            d.qpos[7 * j + 3:7 * j + 7] = rng.normal(size=4)
        physics.fwd_position(m, d)
        distance = nearest(d, (first, second), (0, 1))
        if 0.01 < distance < 0.9:
            count -= 1
            yield d, distance


@pytest.mark.parametrize("first, second", [pytest.param(*pair, marks=pytest.mark.nojit if pair == ("sphere", "capsule") else ()) for pair in PAIRS])
def test_contacts_of_shapes_apart(first, second):
    for d, distance in apart(first, second, 30 if first != "sphere" else 12):
        assert d.ncon >= 1
        k = int(np.argmin(d.contact_dist[:d.ncon]))
        assert d.contact_dist[k] == pytest.approx(distance, abs=1e-9)
        frame = d.contact_frame[k].reshape(3, 3)
        assert np.allclose(frame @ frame.T, np.eye(3), atol=1e-12) and np.linalg.det(frame) > 0
        half = frame[0] * d.contact_dist[k] / 2
        kinds = {0: first, 1: second}
        for g, p in zip(d.contact_geom[k], (d.contact_pos[k] - half, d.contact_pos[k] + half)):
            assert gap(kinds[int(g)], local(d, g, p)) == pytest.approx(0, abs=1e-8)
