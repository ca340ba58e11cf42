"""A cylinder's rim in another shape, a face or edge of which is parallel to its side or cap: which points there are, beside the official engine."""
import mujoco
import numpy as np
import pytest

from tests.oracle import poses
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.flat_poses import apart, points

ONE_POINT = int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
RIM = 0.99   # cosine of normals, as in ccd.py


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def detected(s, flag: int) -> np.ndarray:
    """Our contacts, with that flag."""
    s.model.opt.disableflags = flag
    oracle_scene.detect(s.model, s.ours)
    return points(s.ours)


def placed(second: str, family: str, tolerance: float):
    """(scene, our only contact when more are not asked for, all of ours, the official ones) of poses that touch, at that ccd_tolerance."""
    for number in range(12):
        s, r = poses.scene(("cylinder", second), family, number), np.random.default_rng(number)
        for m in (s.model, s.official):
            m.opt.ccd_tolerance, m.opt.ccd_iterations = tolerance, 500
        for _ in range(20):
            poses.place(s, r)
            mujoco.mj_forward(s.official, s.data)
            oracle_scene.place(s.model, s.ours, s.data)
            only = detected(s, ONE_POINT)
            if len(only):
                yield s, only, detected(s, 0), points(s.data)


@pytest.mark.parametrize("second", ["box", "mesh"])
def test_points_of_deep_rims_are_the_official_ones(second):
    """Two along a face or a cap, though neither is where the shapes are deepest; one where a corner is pressed on a cap."""
    tilted = same = corners = 0
    for s, only, ours, theirs in placed(second, "deep", 1e-14):
        if len(theirs) > 1 and theirs[0, 4:] @ only[0, 4:] < RIM:
            tilted += 1
            same += apart(ours, theirs) < 1e-5
        elif len(theirs) == 1 and abs(theirs[0, 4:] @ s.data.geom_xmat[0].reshape(3, 3)[:, 2]) > 1 - 1e-9:
            corners += 1
            assert apart(ours, theirs) < 1e-6
    assert corners > 20
    assert tilted > 12
    assert same >= tilted - 1, (same, tilted)


@pytest.mark.parametrize("second", ["box", "mesh"])
def test_shallow_rims_have_the_point_where_they_are_deepest(second):
    """At the tolerance that models have the official search does not tell what is touched so soon."""
    shallow = 0
    for s, only, ours, _theirs in placed(second, "touching", 1e-6):
        if -only[0, 0] < np.sqrt(2e-6 * s.official.geom_size[0, 0]):
            shallow += 1
            assert (ours[:, 4:] @ only[0, 4:] > RIM).all()
    assert shallow > 100
