"""Shapes with curves: one contact, judged by the official engine where it is right, else by sampled directions."""
import numpy as np
import pytest

from tests.naive.convex import distance, reach_of
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.scenes import both

CURVED = [
    ("sphere", "ellipsoid"), ("capsule", "ellipsoid"), ("capsule", "cylinder"), ("ellipsoid", "ellipsoid"), ("ellipsoid", "cylinder"),
    ("ellipsoid", "box"), ("ellipsoid", "mesh20"), ("cylinder", "cylinder"), ("cylinder", "box"), ("cylinder", "mesh20"),
]
TOUCHING = 1e-9  # nearer shapes may be found to touch or not


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def judged(d, md, mm) -> str:
    """'' where our distance and normal are right to 1e-6, else what is wrong."""
    ours = d.contact_dist[0] if d.ncon else np.inf
    theirs = md.contact.dist[0] if md.ncon else np.inf
    if ours == theirs or (abs(ours - theirs) < 1e-8 and np.abs(d.contact_frame[0, :3] - md.contact.frame[0, :3]).max() < 1e-6):
        return ""
    truth, _n = distance(mm, md, 0, 1)
    reach = mm.geom_margin[0] + mm.geom_gap[0]
    if ours == np.inf:
        return "" if truth > reach - TOUCHING else f"no contact at {truth}"
    # sampling may miss the best direction of a symmetric shape by little, never overshoot it
    return "" if -1e-6 < ours - truth < 5e-5 else f"{ours} instead of {truth}"


@pytest.mark.parametrize("first,second", CURVED)
def test_distance_is_right(first, second):
    """Ours is the reach along its own normal, so a right distance goes with a right normal."""
    found = 0
    for d, md, mm in both(first, second, models=6, each=40, seed=5):
        wrong = judged(d, md, mm)
        assert not wrong, f"{first}-{second} sizes {mm.geom_size.tolist()} qpos {md.qpos.tolist()}: {wrong}"
        found += d.ncon
    assert found > 100


@pytest.mark.parametrize("first,second", CURVED)
def test_distance_goes_with_normal_and_position(first, second):
    """Along the normal the two geoms overlap by the distance, and the point lies midway between their surfaces."""
    for d, md, mm in both(first, second, models=4, each=25, seed=6):
        if d.ncon:
            n, p = d.contact_frame[:1, :3], d.contact_pos[0]
            high, low = reach_of(mm, md, 0)(n)[0], -reach_of(mm, md, 1)(-n)[0]
            assert low - high == pytest.approx(d.contact_dist[0], abs=1e-12)
            assert n[0] @ p == pytest.approx((low + high) / 2, abs=1e-6)


@pytest.mark.nojit
def test_all_shapes_under_the_interpreter():
    for first, second in (*CURVED, ("mesh8", "mesh30"), ("capsule", "mesh20")):
        assert not any(judged(*case) for case in both(first, second, models=2, each=3, seed=7))
