"""What a solve keeps of its iterations for those who look at it."""
import numpy as np

import physics
from physics.engine.hard.newton import KEPT, TRACED

MODEL = """<mujoco><option timestep="%g"/><custom><text name="linkwork_engine" data="hard"/></custom><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


def kept(d):
    rows = d.hard_trace[0].reshape(TRACED, KEPT)
    return rows[:np.flatnonzero(rows[:, 0] < 0)[0]]


def test_iterations_of_the_last_solve_and_no_older_ones(tmp_path):
    (tmp_path / "m.xml").write_text(MODEL % 0.01)
    m = physics.load(tmp_path / "m.xml")
    d = physics.Data(m)
    d.qvel[:] = 1.0, 0.2, -1.0, 2.0, 1.0, 0.5
    counts = []
    for _ in range(60):
        physics.step(m, d)
        rows = kept(d)
        counts.append(len(rows))
        if not (d.hard_looked or d.hard_halved or d.hard_nrestart):
            assert len(rows) == d.hard_niter
        assert (rows[:, 0] > 0).all() and ((rows[:, 4] > 0) & (rows[:, 4] <= 1)).all()
    assert min(counts) < max(counts)        # shorter ones are not followed by what stood there


def test_the_same_iterates_as_on_the_central_path(tmp_path):
    (tmp_path / "m.xml").write_text(MODEL % 0.01)
    m = physics.load(tmp_path / "m.xml")
    d = physics.Data(m)
    physics.step(m, d, 5)
    points = list(physics.hard.central_path(m, d))
    physics.step(m, d)
    rows = kept(d)
    assert np.array_equal(rows[:, 0], [p.r_vio for p in points[:-1]]) and np.array_equal(rows[:, 3], [p.target for p in points[1:]])
