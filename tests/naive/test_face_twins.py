"""Faces laid on faces against all corners of their overlap, found by trying everything."""
import numpy as np
import pytest

from tests.naive.faces import patch
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.convex.flat_poses import apart, area, laid, points, polygons


@pytest.fixture(scope="module", autouse=True)
def kernels():
    oracle_scene.ready()


def in_world(mm, md, g):
    R, at = md.geom_xmat[g].reshape(3, 3), md.geom_xpos[g]
    return [(R @ n, corners @ R.T + at) for n, corners in polygons(mm, g)]


def most_opposed(first, second, n):
    """The most opposed pair of faces that look along n and against it, and the cosine of the next pair."""
    rank = sorted(((a[0] @ b[0], i, j) for i, a in enumerate(first) for j, b in enumerate(second) if a[0] @ n > 0 and b[0] @ n < 0))
    return first[rank[0][1]], second[rank[0][2]], rank[1][0] if len(rank) > 1 else 0.0


def judge(kinds, models, each, seed, margin=0.0) -> int:
    """Compare; -> patches seen."""
    seen = 0
    for d, md, mm in laid(*kinds, models, each, seed, margin, tilt=(0.001, 0.02), aside=0.01):
        ours = points(d)
        if len(ours) < 3:
            continue
        a, b, next_best = most_opposed(in_world(mm, md, 0), in_world(mm, md, 1), ours[0, 4:])
        if next_best < -0.99:
            continue
        rows, on_other = patch(a, b, margin)
        seen += 1
        if len(rows) <= 4:
            assert apart(ours, rows) < 1e-8
            continue
        assert len(ours) == 4
        nearest = [int(np.abs(rows - row).max(1).argmin()) for row in ours]
        assert max(np.abs(rows[k] - row).max() for k, row in zip(nearest, ours)) < 1e-8
        # of a convex polygon the largest quad covers at least 2/pi, and a triangle that is part of it at least 0.41
        whole = area(round_about(on_other, b[0]))
        assert area(round_about(on_other[nearest], b[0])) > 0.4 * whole
    return seen


def round_about(corners, n):
    """Corners of a convex polygon in their order around its middle."""
    middle = corners.mean(0)
    u = corners[0] - middle
    v = np.cross(n, u)
    return corners[np.argsort(np.arctan2((corners - middle) @ v, (corners - middle) @ u))]


@pytest.mark.parametrize("kinds,margin", [(("box", "mesh"), 0.0), (("mesh", "mesh"), 0.0), (("mesh", "mesh"), 0.02), (("cylinder", "box"), 0.0), (("cylinder", "mesh"), 0.01)])
def test_patches_are_overlaps_of_faces(kinds, margin):
    assert judge(kinds, 15, 15, 2, margin) > 20


@pytest.mark.nojit
def test_patches_under_the_interpreter():
    assert judge(("box", "mesh"), 2, 6, 3) + judge(("cylinder", "box"), 2, 6, 3) > 3
