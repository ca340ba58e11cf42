"""Pairs of shapes from a tenth of a millimetre to ten kilometres, a needle beside a plate: contacts are finite and where they are in truth."""
import numpy as np
import pytest

import physics
from tests.oracle import poses
from tests.oracle.shapes import apart

KINDS = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
PAIRS = tuple(pair for pair in poses.PAIRS if set(pair) <= set(KINDS) and pair not in poses.NEVER and poses.has_routine(pair))
FAMILIES = ("touching", "deep", "edges", "faces")
CURVED, COARSE = ("ellipsoid", "cylinder"), 2e-6   # of the larger shape: how far the search for a curved one may be off so far
SMALLEST, LARGEST = -4, 4   # powers of ten


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def geom(kind: str, name: str, r: np.random.Generator, alike: bool) -> tuple[str, str]:
    """(asset, element) of a size anywhere in the range; the lengths of one shape are alike or up to a thousand times as long as one another."""
    size = 10 ** (r.uniform(SMALLEST, LARGEST) + (0 if alike else 1) * r.uniform(-1.5, 1.5, 3) + np.zeros(3))
    if kind == "plane":
        return "", '<geom type="plane" size="0 0 1"/>'
    body = '<body><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="{}" {}/></body>'
    if kind == "mesh":
        points = r.normal(size=(12, 3))
        points *= size / np.linalg.norm(points, axis=1)[:, None]
        return f'<mesh name="{name}" vertex="{" ".join(f"{x:.7g}" for x in points.ravel())}" inertia="shell"/>', body.format(kind, f'mesh="{name}"')
    number = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)
    return "", body.format(kind, f'size="{" ".join(f"{x:.7g}" for x in size[:number])}"')


def scene(kinds: tuple[str, str], family: str, seed: int, alike: bool = True) -> poses.Scene | None:
    """Two shapes of extreme sizes; None where the official compiler refuses a mesh as too thin."""
    r = np.random.default_rng(seed)
    assets, geoms = zip(*(geom(kind, name, r, alike) for kind, name in zip(kinds, ("one", "two"))))
    try:
        return poses.scene_of(f"<mujoco><asset>{''.join(assets)}</asset><worldbody>{''.join(geoms)}</worldbody></mujoco>", kinds, family)
    except ValueError:
        return None


def wrong(s: poses.Scene) -> dict | None:
    """What is not finite or not true of our contacts at the present pose; the official ones beside it."""
    ours, official = poses.contacts(s)
    if not (np.isfinite(ours.dist).all() and np.isfinite(ours.pos).all() and np.isfinite(ours.normal).all()):
        return {"bad numbers": ours}
    if not np.allclose(np.linalg.norm(ours.normal, axis=1), 1, atol=1e-9):
        return {"normals": ours.normal}
    true = poses.truths(s, np.vstack([ours.normal, official.normal]))[0]
    fixed = s.kinds[0] == "plane"
    sizes = [shape.largest for shape in s.shapes[fixed:]]
    room = 1e-9 * max(sizes) + 1e-6 * min(sizes) + 1e-12 * np.abs(s.data.geom_xpos).max()
    if len(ours) == 0:
        return {"missing": true.dist, "room": room, "official": official.dist} if true.dist < -room and len(official) else None
    off, theirs = (untruth(s, side, true.dist) for side in (ours, official))
    if off > max(room, COARSE * max(sizes) if set(s.kinds) & set(CURVED) else 0.0, 2 * theirs):
        return {"off": off, "official off": theirs, "room": room, "true": true.dist}
    return None


def untruth(s: poses.Scene, found: poses.Contacts, true: float) -> float:
    """How far the deepest contact's distance is from the truth, and from what its own normal says."""
    if len(found) == 0:
        return np.inf
    k = int(found.dist.argmin())
    said = true if s.kinds[0] == "plane" else apart(*poses.placed(s), found.normal[k][None])[0]
    return float(max(abs(found.dist[k] - true), abs(said - true)))


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_contacts_of_extreme_sizes_are_true(kinds):
    tried = 0
    for seed in range(8):
        s = scene(kinds, FAMILIES[seed % len(FAMILIES)], seed, alike=seed % 3 > 0)
        r = np.random.default_rng(seed)
        for _ in range(2 if s else 0):
            poses.place(s, r)
            assert not (found := wrong(s)), (seed, found, [shape.size.tolist() for shape in s.shapes])
            tried += 1
    assert tried >= 10


def test_thick_capsules_touch_boxes():
    """Thicker than 4 m: a length was once compared with a squared one."""
    for radius, half in ((5.0, 5.0), (300.0, 1.0), (1e4, 1e-3)):
        s = poses.scene_of(f'<mujoco><worldbody><body><freejoint/><geom type="capsule" size="{radius} {half}"/></body><body pos="{1.0005 * radius} .2 .1"><freejoint/>'
                           f'<geom type="box" size="{0.001 * radius} .5 .5"/></body></worldbody></mujoco>', ("capsule", "box"), "touching")
        ours, official = poses.contacts(s)
        assert len(ours) == len(official) > 0 and ours.dist == pytest.approx(official.dist, rel=1e-9)
        assert ours.dist.min() < -2e-4 * radius


def test_a_wrong_depth_would_be_seen():
    s = scene(("sphere", "box"), "deep", 0)
    poses.place(s, np.random.default_rng(0))
    assert wrong(s) is None
    s.model.geom_size[0, 0] *= 1.1
    assert wrong(s)


@pytest.mark.parametrize("kinds", [pair for pair in PAIRS if pair[0] != "plane"], ids="-".join)
def test_one_in_the_other_exactly(kinds):
    """The same centre and the same axes, moved by nothing or by a rounding, turned by quarters: finite, of unit length and inside."""
    for number in range(2):
        s = poses.scene(kinds, "deep", number)
        for quat in ((1, 0, 0, 0), (0, 1, 0, 0), (0.5**0.5, 0, 0.5**0.5, 0)):
            for step in (0.0, 1e-300, 1e-17, 1e-12):
                s.data.qpos[:] = [0, 0, 0, 1, 0, 0, 0, step, -step, 0, *quat]
                s.ours.qpos[...] = s.data.qpos
                ours, official = poses.contacts(s)
                assert len(ours) > 0 and len(official) > 0
                for field in (ours.dist, ours.pos, ours.normal):
                    assert np.isfinite(field).all(), (quat, step)
                assert np.allclose(np.linalg.norm(ours.normal, axis=1), 1) and ours.dist.min() < 0
                true = poses.truths(s, ours.normal)[0].dist
                least = {("box", "box"): 0.06, ("capsule", "mesh"): 0.01}.get(kinds, 0.0) * abs(true) + 1e-6
                assert abs(ours.dist.min() - true) <= max(least, 2 * abs(official.dist.min() - true)), (quat, step, ours.dist, true)
