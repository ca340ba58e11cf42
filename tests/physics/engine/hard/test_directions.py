"""Newton's direction: along it the residual falls as it should, whatever is condensed and eliminated on the way."""
import numpy as np
import pytest

import physics
from physics.engine.hard import forces, newton, rescue, search, start, whole_step
from physics.engine.hard.residual import residual
from physics.engine.hard.system import eliminate, matrix
from physics.enums import DSBL_CONTACT
from physics.kernels.guard import checked
from tests.physics.engine.hard.tree_models import mixed, roomy, shaken

BALL, HINGE, SLIDE = 'range="0 50" limited="true"', 'range="-15 15" limited="true"', 'range="-.1 .2" limited="true" frictionloss=".5"'
TOUCHING = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1" condim="{dim}" friction=".5 .01 .002"/>
<body pos="0 0 .102"><freejoint/><geom type="box" size=".2 .2 .1" condim="{dim}" friction=".5 .01 .002"/></body>
<body pos=".05 .02 .305" euler="0 0 20"><freejoint/><geom type="box" size=".1 .1 .1" condim="{dim}"/>
  <body pos="0 0 .1"><joint axis="0 1 0"/><geom type="sphere" size=".03" pos=".05 .05 .03"/></body></body>
<body pos="0 -.05 .497"><freejoint/><geom type="sphere" size=".09"/></body></worldbody></mujoco>"""


def begun(m, d):
    """At the first point of a solve from the state as it is: forces, rows and plan are made."""
    m.opt.hard_iterations = 0
    while True:
        forces.forget_hard_needs(checked(d))
        if forces.hard_position(m, d, forces.BARE) == 1:
            forces.hard_forces(m, d, forces.BARE)
            if whole_step.take_part(m, d, 0) != rescue.LACKING:
                break
        assert d.make_room()
    d.hard_spread, d.hard_fraction, d.hard_recover = 1.0, 0.95, 0.0
    return d


def shaken_tree(m, seed, speed=1.0):
    d = roomy(m)
    shaken(m, d, seed, speed)
    return begun(m, d)


def islands(d):
    for i in range(d.hard_nisland):
        d.hard_island = i
        d.hard_first = d.hard_islandadr[i, 0]
        d.hard_end = d.hard_first + d.hard_islandnum[i, 0]
        d.hard_rowfirst = d.hard_islandadr[i, 1]
        d.hard_rowend = d.hard_rowfirst + d.hard_islandnum[i, 1]
        yield i


def residuals(m, d):
    """All that Newton makes 0, as one vector: dofs, slacks, slips, products less the target."""
    rows = d.hrow_at[d.hard_rowfirst:d.hard_rowend]
    dofs = [k for b in d.hard_order[d.hard_first:d.hard_end] for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b])]
    joints = [j for b in d.hard_order[d.hard_first:d.hard_end] for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]) if d.hlim_kind[j]]
    limits = np.concatenate([d.hlim_res[j] if d.hlim_kind[j] == 1 else d.hlim_res[j, [0, 2]] for j in joints] or [[]])
    rubbing = [k for k in dofs if d.hfri_loss[k] > 0]
    return np.concatenate([d.hard_r[dofs], d.hrow_res[rows].ravel(), limits, d.hfri_res[rubbing].ravel()])


def falls(m, d, eps=1e-6):
    """Largest deviation of the residual's slope along the direction from minus the residual, over its size."""
    worst = 0.0
    for _ in islands(d):
        start.start(m, d)
        residual(m, d)
        before = residuals(m, d).copy()
        matrix.matrix(m, d)
        eliminate.factor(m, d)
        search.direction(m, d, 0.0, 0)
        newton.keep_pose(m, d)
        search.move_pose(m, d, eps)
        search.move_cones(m, d, eps)
        residual(m, d)
        slope = (residuals(m, d) - before) / eps
        worst = max(worst, np.abs(slope + before).max() / np.abs(before).max())
    return worst


@pytest.mark.parametrize("seed", range(3))
def test_trees_of_all_joints(seed):
    m = mixed()
    m.opt_disableflags |= DSBL_CONTACT
    assert falls(m, shaken_tree(m, seed, 3.0)) < 1e-4


@pytest.mark.parametrize("limits", [dict(hinge=HINGE), dict(slide=SLIDE), dict(ball=BALL), dict(hinge=HINGE, slide=SLIDE, ball=BALL)])
def test_limits_and_dry_friction(limits):
    m = mixed(**limits)
    m.opt_disableflags |= DSBL_CONTACT
    d = shaken_tree(m, 4)
    assert (d.hlim_kind[:m.njnt] > 0).any() and falls(m, d) < 1e-4


@pytest.mark.parametrize("dim", [1, 3, 4, 6])
def test_contacts_between_bodies_and_with_the_floor(dim):
    m = physics.load_string(TOUCHING.format(dim=dim))
    m.opt.engine = 1
    d = roomy(m)
    d.qvel[:] = np.random.default_rng(7).normal(size=m.nv) * 0.2
    begun(m, d)
    assert d.hard_nrow >= 8 and d.hard_npair >= 2 and d.hard_nisland == 1
    assert falls(m, d) < 1e-4

