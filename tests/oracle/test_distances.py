"""The distance that `geom_distance` gives, apart and in one another, against the true one and the official engine's."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle import poses
from tests.oracle.shapes import unit

SHAPES = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh")
PAIRS = tuple(pair for pair in poses.PAIRS if set(pair) <= set(SHAPES) and pair not in poses.NEVER and poses.has_routine(pair))
FAR = 10.0


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def lift(s: poses.Scene, r: np.random.Generator, least: float, most: float) -> None:
    """Move the second geom away by a random length along a random direction (up, from a plane)."""
    away = unit(r.normal(size=3))
    if s.kinds[0] == "plane":
        away = np.array(s.data.geom_xmat[0]).reshape(3, 3)[:, 2]
    start = 0 if s.kinds[0] == "plane" else 7
    s.data.qpos[start:start + 3] += r.uniform(least, most) * away
    s.ours.qpos[...] = s.data.qpos


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_distances_apart_are_true(kinds):
    """The truth is found in all directions; the segment is as long as the distance and ends on both shapes."""
    for number in range(2):
        s = poses.scene(kinds, "touching", number)
        r = np.random.default_rng(number)
        for _ in range(5):
            poses.place(s, r)
            mujoco.mj_kinematics(s.official, s.data)
            lift(s, r, 0.2, 1.5)
            poses.contacts(s)
            found = physics.geom_distance(s.model, s.ours, 0, 1, FAR)
            one, two = np.array(found.fromto).reshape(2, 3)
            true = poses.truths(s, (two - one)[None] if found.dist else np.zeros((0, 3)))[0]
            if true.dist <= 1e-3:
                continue   # moved into one another
            official, fromto = mujoco.mj_geomDistance(s.official, s.data, 0, 1, FAR, None), np.zeros(6)
            mujoco.mj_geomDistance(s.official, s.data, 0, 1, FAR, fromto)
            assert abs(found.dist - true.dist) < max(1e-6, 2 * abs(official - true.dist)), (found, true, official)
            assert np.linalg.norm(two - one) == pytest.approx(found.dist, abs=1e-6)
            if kinds[0] != "plane":
                for point, placed in zip((one, two), poses.placed(s)):
                    u = unit(np.random.default_rng(0).normal(size=(200, 3)))
                    assert (u @ (point - placed.pos) <= placed.reach(u) + 1e-6).all()


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_depths_are_those_of_the_contacts(kinds):
    """Inside of one another the distance is the deepest contact's, or nearer the truth than the official one."""
    s = poses.scene(kinds, "deep", 1)
    r = np.random.default_rng(5)
    for _ in range(6):
        poses.place(s, r)
        ours, official = poses.contacts(s)
        found, theirs = physics.geom_distance(s.model, s.ours, 0, 1, FAR).dist, mujoco.mj_geomDistance(s.official, s.data, 0, 1, FAR, None)
        if len(ours) == 0:
            continue
        true = poses.truths(s, ours.normal)[0].dist
        assert found < 0 and (abs(found - theirs) < 1e-6 or abs(found - true) <= abs(theirs - true) + 1e-6), (found, theirs, true)


def test_beyond_the_largest_distance_there_is_none():
    s = poses.scene(("ellipsoid", "mesh"), "touching", 0)
    r = np.random.default_rng(0)
    poses.place(s, r)
    mujoco.mj_kinematics(s.official, s.data)
    lift(s, r, 3.0, 3.0)
    poses.contacts(s)
    found = physics.geom_distance(s.model, s.ours, 0, 1, 0.5)
    assert found.dist == 0.5 and not np.any(found.fromto)
