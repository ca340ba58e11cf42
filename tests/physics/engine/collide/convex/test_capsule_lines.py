"""The line of a capsule that lies on a face has the official points, whatever the normal of the nearest points.

Where the capsule's end is touched, or margins swell it, the line was taken from the surface of the side: of 900 poses with capsules and meshes
in a margin 18 had another number of points than officially and 56 another depth, deep ones 6 and 59.
"""
import numpy as np
import pytest

import physics
from tests.oracle import poses

TIGHT = 1e-10   # ccd_tolerance: what is left at the official one is where its search ends
SAME = 1e-6     # m


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("other", ["mesh", "cylinder"])
@pytest.mark.parametrize("family", ["margin", "deep"])
def test_lines_of_capsules_are_the_official_ones(other, family):
    several = oblique = 0
    for number in range(4):
        s = poses.scene(("capsule", other), family, number)
        s.official.opt.ccd_tolerance = s.model.opt_ccd_tolerance = TIGHT
        s.official.opt.ccd_iterations = 1000
        r = np.random.default_rng(1000 + number)
        for pose in range(90):
            poses.place(s, r)
            ours, official = poses.contacts(s)
            assert len(ours) == len(official), (number, pose)
            if len(official) < 2:
                continue
            dist, normal, pos = poses.match(ours, official)
            if normal > 1e-3:   # two ways out are equally long: rounding decides
                continue
            several += 1
            assert dist < SAME and pos < 100 * SAME, (number, pose, dist, pos)
            oblique += abs(s.ours.ccd_normal[0] @ official.normal[0]) < np.cos(np.radians(6))
    assert several >= 10 and (oblique >= 3 or (other, family) == ("cylinder", "margin"))
