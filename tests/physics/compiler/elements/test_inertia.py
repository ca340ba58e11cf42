"""Principal axes have the official order and signs, and give the tensor back."""
import mujoco
import numpy as np
import pytest

from physics import load_string
from physics.rotation.quaternion import matrix, principal


def tensors(kind: str, count: int = 60) -> list[tuple]:
    """Symmetric tensors (xx, yy, zz, xy, xz, yz) that a body can have."""
    rng = np.random.default_rng(sum(map(ord, kind)))
    found = []
    for _ in range(count):
        moments = rng.uniform(1, 1.9, 3)
        if kind == "two alike":
            moments[1] = moments[0]
        elif kind == "all alike":
            moments[:] = moments[0]
        elif kind == "any size":
            moments *= 10.0 ** rng.integers(-6, 4)
        q = rng.normal(size=4)
        axes = np.array(matrix(tuple(q / np.linalg.norm(q)))).reshape(3, 3)
        if kind == "one turn":
            c, s = np.cos(q[0]), np.sin(q[0])
            axes = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        t = axes @ np.diag(moments) @ axes.T
        found.append(tuple(0.5 * (t + t.T)[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]))
    return found


@pytest.mark.parametrize("kind", ["apart", "two alike", "all alike", "any size", "one turn"])
def test_axes_and_moments_are_the_official_ones(kind):
    cases = tensors(kind)
    bodies = "".join(f'<body><inertial pos="0 0 0" mass="1" fullinertia="{" ".join(map(repr, map(float, c)))}"/></body>' for c in cases)
    official = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    for k, case in enumerate(cases, 1):
        quat, moments = principal(case)
        assert np.allclose(quat, official.body_iquat[k], atol=1e-9)
        assert np.allclose(moments, official.body_inertia[k], rtol=1e-12)
        axes = np.array(matrix(quat)).reshape(3, 3)
        xx, yy, zz, xy, xz, yz = case
        assert np.allclose(axes @ np.diag(moments) @ axes.T, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], rtol=0, atol=1e-13 * max(case[:3]))


def test_turned_inertias_are_rounded_as_officially():
    """Bodies of two geoms each, whose inertias are turned and added: about half of the moments are the official ones to the bit, a quarter in another order."""
    rng = np.random.default_rng(3)
    row = lambda n, low, high: " ".join(map(repr, rng.uniform(low, high, n).tolist()))  # noqa: E731
    geoms = [f'<geom type="box" size="{row(3, .1, 1)}" pos="{row(3, -1, 1)}" euler="{row(3, -180, 180)}"/>' for _ in range(800)]
    text = f"<mujoco><worldbody>{''.join(f'<body>{a}{b}</body>' for a, b in zip(geoms[::2], geoms[1::2]))}</worldbody></mujoco>"
    m, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    assert np.allclose(m.body_inertia, official.body_inertia, rtol=1e-13) and np.allclose(m.body_iquat, official.body_iquat, atol=1e-12)
    assert (m.body_inertia != official.body_inertia).mean() < 0.6
