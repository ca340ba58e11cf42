"""Solves after a look: they begin where those before them have ended, and leave alone what is as it was."""
import numpy as np
import pytest

import physics
from physics.engine.hard import newton, rescue, sensitivity
from physics.engine.hard.rescue import CONVERGED, FAILED, LACKING, UNSOLVED
from physics.enums import Engine
from tests.physics.engine.hard.tree_models import roomy

BOXES = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1" condim="{dim}"/>
<body pos="0 0 .1" euler="0 0 30"><freejoint/><geom type="box" size=".2 .2 .1" condim="{dim}"/></body>
<body pos=".05 .02 .3001" euler="0 0 20"><freejoint/><geom type="box" size=".1 .1 .1" condim="{dim}"/>
  <body pos="0 0 .1"><joint axis="0 1 0" range="-1 1" limited="true"/><geom type="sphere" size=".08" pos=".05 0 .05"/></body></body></worldbody></mujoco>"""
PLANE = '<geom type="plane" size="9 9 .1"/>'
PAIR = '<body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
FAR = '<body pos="3 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'


def found(text):
    """A model and a Data whose step has been solved once, without looking again."""
    physics.ensure_hard()
    m = physics.load_string(text)
    m.opt.engine, m.opt.hard_looks, m.opt.hard_rtol, m.opt.hard_ktol = Engine.HARD, 0, 1e-8, 1e-10
    d = roomy(m)
    d.qvel[:] = 0.1 * np.random.default_rng(1).normal(size=m.nv)
    while (status := sensitivity.find_step(m, d)) == LACKING:
        assert d.make_room()
    assert status < FAILED
    return m, d


@pytest.mark.parametrize("dim", [1, 3, 6])
def test_a_solve_with_more_rows_ends_where_one_from_the_start_does_and_sooner(dim):
    m, d = found(BOXES.format(dim=dim))
    rescue.take_bounds(d, 0)
    rows = d.hard_rowend
    assert d.hard_nisland == 1 and rows == d.hard_nrow
    d.hard_recover = d.hard_recovering = 0.0
    d.hard_niter = 0
    assert rescue.solve_from(m, d, 0) == 1
    whole, cold = d.hard_qd[:m.nv].copy(), d.hard_niter
    # without those between the bodies the upper one falls
    fresh = next(c for c in range(rows) if d.hrow_body[c].min() > 0)
    assert all(d.hrow_body[c].min() > 0 for c in range(fresh, rows))
    d.hard_rowend = fresh
    assert rescue.solve_from(m, d, 0) == 1
    assert np.abs(d.hard_qd[:m.nv] - whole).max() > 1e-2
    d.hard_rowend, d.hard_niter = rows, 0
    assert newton.newton_again(m, d, fresh) == 1
    assert np.abs(d.hard_qd[:m.nv] - whole).max() < 1e-3    # what sticks creeps as far as the tolerance lets it
    assert 0 < d.hard_niter < cold


def test_only_islands_that_have_changed_are_solved_again():
    m, d = found(f"<mujoco><worldbody>{PLANE}{PAIR.replace('.099', '.1')}{FAR}</worldbody></mujoco>")
    assert d.hard_nisland == 2
    assert rescue.solve_islands(m, d, 0, UNSOLVED) == CONVERGED
    d.hard_niter = 0
    assert rescue.solve_islands(m, d, 0, d.hard_nrow) == CONVERGED and d.hard_niter == 0
    before = d.hrow_var[:d.hard_nrow].copy()
    d.hard_changed[1] = 1
    d.hrow_var[:d.hard_nrow] += 1.0
    assert rescue.solve_islands(m, d, 0, d.hard_nrow) == CONVERGED and d.hard_niter > 0 and d.hard_changed[1] == 0
    moved = [c for c in range(d.hard_nrow) if 1 in d.hrow_body[c]]
    assert (d.hrow_var[moved, :2] == before[moved, :2] + 1.0).all()
    others = [c for c in range(d.hard_nrow) if 2 in d.hrow_body[c]]
    assert np.abs(d.hrow_var[others, :2] - before[others, :2]).max() < 1e-6


def iterations(bodies):
    """Of the first step."""
    physics.ensure_hard()
    m = physics.load_string(f"<mujoco><worldbody>{PLANE}{bodies}</worldbody></mujoco>")
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    physics.step(m, d)
    return d.hard_niter, d.qpos.copy()


def test_positions_that_end_an_overlap_are_looked_for_only_where_there_is_one():
    both, qpos = iterations(PAIR + FAR)
    pair, one = iterations(PAIR)
    far, other = iterations(FAR)
    assert both == pair + far
    assert np.abs(qpos - np.concatenate([one, other])).max() < 1e-12 and qpos[2] > 0.0995
