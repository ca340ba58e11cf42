"""Every pair of geom types in a few poses of each family (all of them: `./test.sh --long poses`), and the reference that judges them."""
import mujoco
import numpy as np
import pytest

import physics
from tests.naive.collide import box_separation
from tests.oracle import poses
from tests.oracle.shapes import SIGNS, Placed, Shape, apart, signed_distance, unit

QUICK = 10
# poses of the quick set in which the official engine is nearer the truth, with the reason
WORSE: dict[str, tuple[int, str]] = {}
READY = tuple(kinds for kinds in poses.PAIRS if kinds not in poses.NEVER and poses.has_routine(kinds))


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def turned(r) -> np.ndarray:
    q, _ = np.linalg.qr(r.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


@pytest.mark.parametrize("kinds", READY, ids="-".join)
def test_poses_agree_or_are_nearer_the_truth(kinds):
    row = poses.judge_pair(kinds, QUICK)
    assert row["poses"] == QUICK and row["touching"] >= QUICK // 2
    allowed = WORSE.get(row["pair"], (0, ""))[0]
    assert row["official"] <= allowed, [off for off in row["off"] if off["verdict"] == "official"]


@pytest.mark.parametrize("field, change", [("dist", 3e-6), ("normal", 3e-6)])
def test_a_routine_that_is_a_little_wrong_would_be_seen(monkeypatch, field, change):
    right = poses.contacts

    def wrong(scene):
        ours, official = right(scene)
        getattr(ours, field)[...] += change
        return ours, official

    monkeypatch.setattr(poses, "contacts", wrong)
    row = poses.judge_pair(("sphere", "box"), QUICK)
    assert row["agree"] < 5 and row["official"] >= 5


def test_a_contact_too_few_would_be_seen(monkeypatch):
    right = poses.contacts

    def wrong(scene):
        ours, official = right(scene)
        return poses.Contacts(ours.dist[:0], ours.pos[:0], ours.normal[:0]), official

    monkeypatch.setattr(poses, "contacts", wrong)
    assert poses.judge_pair(("box", "box"), QUICK)["official"] >= 5


def test_the_families_are_what_they_say():
    found = {}
    for family in poses.FAMILIES:
        s = poses.scene(("box", "box"), family, 0)
        r = np.random.default_rng(0)
        for _ in range(20):
            poses.place(s, r)
            ours, _official = poses.contacts(s)
            true = poses.truths(s, ours.normal)[0]
            found.setdefault(family, []).append((true.dist, len(ours), s.reach))
    dist = {family: np.array([row[0] for row in rows]) for family, rows in found.items()}
    number = {family: np.array([row[1] for row in rows]) for family, rows in found.items()}
    assert (np.abs(dist["touching"]) < 2e-3).all() and (np.abs(dist["edges"]) < 1e-2).all()
    assert dist["deep"].min() < -0.1 and (number["deep"] > 0).all()
    assert (number["faces"] > 2).mean() > 0.5 and (number["edges"][number["edges"] > 0] == 1).mean() > 0.5
    assert ((dist["margin"] > 0) & (number["margin"] > 0)).mean() > 0.5 and max(row[2] for row in found["margin"]) > 0


def test_the_reference_knows_boxes():
    r = np.random.default_rng(3)
    for _ in range(30):
        sizes, turns, pos = r.uniform(0.05, 0.5, (2, 3)), (turned(r), turned(r)), r.normal(size=3) * 0.3
        boxes = [Placed(Shape("box", size, SIGNS * size), place, turn) for size, place, turn in zip(sizes, (np.zeros(3), pos), turns)]
        true, separation = signed_distance(*boxes), box_separation(np.zeros(3), turns[0], sizes[0], pos, turns[1], sizes[1])
        assert true.dist == pytest.approx(separation, abs=1e-12) if separation < 0 else true.dist >= separation - 1e-12


def test_the_reference_knows_the_distance_of_a_point_and_an_ellipsoid():
    """A ball around a point that is `far` out along the normal of a surface point is `far` less its radius away."""
    r = np.random.default_rng(4)
    for far in (0.5, 1e-3, -0.04):   # less deep than the least radius of curvature
        size = r.uniform(0.2, 0.3, 3)
        u = unit(r.normal(size=3))
        on = size**2 * u / np.linalg.norm(size * u)
        turn, place = turned(r), r.normal(size=3)
        ellipsoid = Placed(Shape("ellipsoid", size), place, turn)
        ball = Placed(Shape("sphere", np.array([0.01, 0, 0])), place + turn @ (on + far * u), np.eye(3))
        true = signed_distance(ellipsoid, ball)
        assert true.dist == pytest.approx(far - 0.01, abs=1e-12) and true.unique
        assert true.normal == pytest.approx(turn @ u, abs=1e-6)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"])
def test_reaches_and_features_belong_to_the_shape(kind):
    """No feature is outside of the shape in any direction, and each is on the surface along its own normal."""
    r = np.random.default_rng(5)
    s = poses.scene((kind, kind), "faces", 0)
    shape = s.shapes[0]
    u = unit(r.normal(size=(500, 3)))
    for family in ("any", "edge", "face"):
        for _ in range(20):
            f = shape.feature(family, r)
            assert (u @ f.point <= shape.reach(u) + 1e-9).all()
            assert f.normal @ f.point == pytest.approx(shape.reach(f.normal[None])[0], abs=1e-9)
            assert abs(f.normal @ f.tangent) < 1e-9 and np.linalg.norm([f.normal, f.tangent], axis=1) == pytest.approx([1, 1])


def test_two_equal_faces_have_no_unique_normal():
    size = np.array([0.1, 0.1, 0.1])
    boxes = [Placed(Shape("box", size, SIGNS * size), place, np.eye(3)) for place in (np.zeros(3), np.array([0.15, 0.15, 0]))]
    true = signed_distance(*boxes)
    assert true.dist == pytest.approx(-0.05) and not true.unique
    assert apart(*boxes, np.eye(3)[:2]) == pytest.approx([-0.05, -0.05])


def test_every_pair_of_types_is_asked_for():
    names = [name for name in dir(mujoco.mjtGeom) if name.startswith("mjGEOM_") and int(getattr(mujoco.mjtGeom, name)) < 8]
    assert {name[7:].lower() for name in names} == set(poses.TYPES) and len(poses.PAIRS) == 36
