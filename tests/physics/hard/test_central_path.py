"""The iterates of a step: they begin at the start of the solve and end where the step ends."""
import numpy as np
import pytest

import physics
from physics import hard
from tests.physics.hard import differences


def test_iterates_end_where_the_step_does():
    m, d = differences.two_boxes(0.0)
    m.opt.hard_rtol = m.opt.hard_ktol = 1e-8
    points = list(hard.central_path(m, d))
    end = d.copy()
    physics.step(m, end)
    assert len(points) == end.hard_niter + 1 > 4
    assert np.array_equal(points[-1].qpos, end.qpos)
    assert points[-1].r_vio < 1e-8 and points[-1].kappa_vio < 1e-8 < points[0].kappa_vio
    assert points[0].alpha == 0 and all(0 < p.alpha <= 1 for p in points[1:])
    # forces on geom 2's bodies, all of the upper box's together, change its momentum
    up = points[-1].force[(points[-1].geom == 2).any(axis=1)][:, 2].sum()
    assert up == pytest.approx(1.0 * ((end.qvel[8] + 0.4) / 0.01 + 9.81), rel=1e-6)


def test_state_stays():
    m, d = differences.two_boxes(1e-4)
    qpos, time = d.qpos.copy(), d.time
    assert sum(1 for _ in hard.central_path(m, d)) > 2
    assert np.array_equal(d.qpos, qpos) and d.time == time
