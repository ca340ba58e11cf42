"""Limits, dry friction and couplings of tendons under the hard engine, against closed forms and differences."""
import numpy as np
import pytest

import physics
from physics.engine.hard import newton, search, start
from physics.engine.hard.residual import residual
from physics.engine.hard.system import matrix
from physics.engine.hard.tendon.bordered import factor_bordered
from physics.enums import CNSTR_FRICTION_TENDON, CNSTR_LIMIT_TENDON, Engine
from tests.physics.engine.hard.test_directions import begun, islands
from tests.physics.engine.hard.tree_models import roomy

# two masses on slides, of trees of their own: a tendon between them has two trees
SLIDES = """<mujoco><option timestep="{h}" gravity="0 0 {g}"><flag contact="disable"/></option><worldbody>
<body name="a"><joint name="x" type="slide" axis="0 0 1"/><geom size=".1" mass="2"/></body>
<body name="b" pos="1 0 0"><joint name="y" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
</worldbody><tendon>{tendon}</tendon><equality>{equality}</equality></mujoco>"""
FIXED = '<fixed name="t" {more}><joint joint="x" coef="1"/><joint joint="y" coef="{c}"/></fixed>'
ROPE = """<mujoco><option timestep="{h}"/><worldbody><site name="top" pos="0 0 1"/>
<body name="ball" pos="{x} 0 {z}"><freejoint/><geom size=".05" mass="1" contype="0" conaffinity="0"/><site name="s"/></body></worldbody>
<tendon><spatial name="rope" range="0 .5" limited="true"><site site="top"/><site site="s"/></spatial></tendon></mujoco>"""


def hard(text):
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def slides(tendon="", equality="", h=0.01, g=0.0):
    return hard(SLIDES.format(h=h, g=g, tendon=tendon, equality=equality))


def whole(d):
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0


@pytest.mark.parametrize("h", [0.001, 0.01, 0.05])
def test_a_limit_stops_both_bodies_at_the_range(h):
    """x + y at most 0.3: the impulse goes to both along the coefficients, and their difference of velocities per mass stays."""
    m, d = slides(FIXED.format(more='range="-.2 .3" limited="true"', c=1), h=h)
    d.qvel[:], d.qfrc_applied[:] = [1.0, 0.5], [1.0, 1.0]
    longest = 0.0
    for _ in range(round(0.5 / h)):
        physics.step(m, d)
        longest = max(longest, d.qpos.sum())
    assert d.hard_nisland == 1 and longest <= 0.3 + 1e-8 and d.qpos.sum() == pytest.approx(0.3, abs=1e-6)
    # 2 vx - vy is kept, vx + vy is 0
    assert d.qvel == pytest.approx([0.5, -0.5], abs=1e-4)
    whole(d)


def test_a_limit_out_of_reach_is_taken_in_where_an_impulse_reaches_it():
    m, d = slides(FIXED.format(more='range="-.2 .3" limited="true"', c=1))
    d.qfrc_applied[0] = 1e5
    physics.step(m, d)
    assert d.hard_looked == 1 and d.qpos.sum() <= 0.3 + 1e-8
    whole(d)


def test_what_hangs_on_a_limit_pulls_by_its_weight():
    """x is held by y's weight alone over a coefficient of 2: 2 g = f and g = 2 f cannot both be; what is applied to x makes up for it."""
    m, d = slides(FIXED.format(more='range="-1 0" limited="true"', c=2), g=9.81)
    d.qfrc_applied[0] = 9.81 / 2 - 2 * 9.81
    physics.step(m, d, 50)
    assert np.abs(d.qpos).max() < 1e-5
    row = int(np.flatnonzero(d.efc_type[:d.nefc] == CNSTR_LIMIT_TENDON)[0])
    assert d.nefc == d.nl == 1 and d.tendon_efcadr[0] == row and d.efc_force[row] == pytest.approx(9.81 / 2, rel=1e-6)
    assert d.qfrc_constraint == pytest.approx([-9.81 / 2, -9.81], rel=1e-6)
    whole(d)


def test_a_tendon_beyond_its_range_comes_back_without_speed():
    m, d = slides(FIXED.format(more='range="-.2 .3" limited="true"', c=1))
    d.qpos[:] = [0.2, 0.112]
    for left in (0.007, 0.002, 0.0):
        physics.step(m, d)
        assert d.qpos.sum() - 0.3 == pytest.approx(left, abs=1e-5) and np.abs(d.qvel).max() < 1e-3


def test_dry_friction_holds_below_and_slides_above_its_force():
    m, d = slides(FIXED.format(more='frictionloss="2"', c=1))
    d.qfrc_applied[:] = [1.9, 1.9]
    physics.step(m, d, 50)
    assert np.abs(d.qpos).max() < 1e-4
    assert d.nf == d.nefc == 1 and d.efc_type[0] == CNSTR_FRICTION_TENDON and d.efc_force[0] == pytest.approx(-1.9, abs=1e-3)
    d.qfrc_applied[:] = [4.0, 3.0]
    v = d.qvel.copy()
    physics.step(m, d, 50)
    assert d.qvel - v == pytest.approx([(4 - 2) / 2 * 0.5, (3 - 2) * 0.5], abs=2e-3)
    whole(d)


def test_a_coupling_holds_two_joints_together():
    """Of one tendon's length in the other's, quadratic."""
    one = '<fixed name="t"><joint joint="x" coef="1"/></fixed><fixed name="u"><joint joint="y" coef="2"/></fixed>'
    m, d = slides(one, '<tendon tendon1="t" tendon2="u" polycoef="0 .5 .3 0 0"/>')
    d.qfrc_applied[:] = [3.0, -1.0]
    for _ in range(60):
        physics.step(m, d)
        u = 2 * d.qpos[1]
        assert abs(d.qpos[0] - 0.5 * u - 0.3 * u * u) < 1e-9
    assert abs(d.qpos[0]) > 0.05 and d.hard_nisland == 1 and d.ne == d.nefc == 1
    whole(d)


def test_a_coupling_to_a_constant_holds_a_sum():
    m, d = slides(FIXED.format(more="", c=-1), '<tendon tendon1="t"/>', g=-9.81)
    physics.step(m, d, 20)
    assert abs(d.qpos[0] - d.qpos[1]) < 1e-9
    d.qfrc_applied[:] = [0, 3 * 9.81]      # all of the weight by one: 2 g go through the coupling
    physics.step(m, d)
    assert abs(d.qpos[0] - d.qpos[1]) < 1e-9 and d.efc_force[0] == pytest.approx(2 * 9.81, rel=1e-6)
    whole(d)


def test_a_ball_hangs_on_a_rope_by_its_weight():
    m, d = hard(ROPE.format(h=0.005, x=0, z=0.6))
    physics.step(m, d, 200)
    assert d.qpos[2] == pytest.approx(0.5, abs=1e-6) and d.efc_force[0] == pytest.approx(9.81, rel=1e-5)
    whole(d)


@pytest.mark.parametrize(("h", "most"), [(0.01, 2e-3), (0.002, 1e-4)])
def test_a_ball_on_a_taut_rope_swings_like_a_pendulum(h, most):
    """The rope's error is of second order in the step: it neither grows nor brings energy in."""
    m, d = hard(ROPE.format(h=h, x=0.3, z=0.6))
    lengths, heights = [], []
    for _ in range(round(1.5 / h)):
        physics.step(m, d)
        lengths.append(np.linalg.norm(d.qpos[:3] - [0, 0, 1]))
        heights.append(d.qpos[2] + (d.qvel[:3] @ d.qvel[:3]) / 2 / 9.81)
    assert max(lengths) - 0.5 < most and min(lengths) > 0.5 - most
    assert max(heights) < 0.6 + 20 * h * h + 0.05 * h / 0.01 and min(d.qpos[2], 1) < 0.65
    whole(d)


ALL = """<mujoco><option timestep=".01"><flag contact="disable"/></option><worldbody><site name="w" pos=".1 .2 1.4"/>
<body pos="0 0 1"><freejoint/><geom size=".1"/><site name="a" pos=".1 0 0"/>
  <body pos=".2 0 0"><joint name="p" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/><body pos=".2 0 0"><joint name="q" axis="0 1 .3"/><geom size=".05" pos=".1 0 0"/><site name="b" pos=".1 0 .05"/></body></body></body>
<body pos="1 0 1"><joint name="r" axis="0 1 0"/><geom size=".05" pos=".1 0 0"/><site name="c" pos=".1 0 0"/></body></worldbody>
<tendon><fixed name="f" range="-.1 .1" limited="true" frictionloss=".3"><joint joint="p" coef="1"/><joint joint="q" coef="-.5"/></fixed>
<fixed name="g"><joint joint="r" coef="1"/></fixed><fixed name="h"><joint joint="q" coef="1"/></fixed>
<spatial name="s" range="0 {most}" limited="true" frictionloss=".1"><site site="b"/><site site="c"/></spatial></tendon>
<equality><tendon tendon1="g" tendon2="h" polycoef="0 .7 .4 0 0"/></equality></mujoco>"""


def test_along_the_direction_all_residuals_fall():
    """A range and dry friction in one tendon, two trees, a coupling: one Newton system."""
    m = physics.load_string(ALL.format(most=0.7))
    m.opt.engine = Engine.HARD
    d = roomy(m)
    d.qvel[:] = np.random.default_rng(3).normal(size=m.nv) * 0.3
    begun(m, d)
    assert d.hard_nten == 3 and (d.hten_kind[:3] == [3, 3, 4]).all() and d.hard_nisland == 1
    for _ in islands(d):
        def found():
            residual(m, d)
            return np.concatenate([d.hard_r, d.hten_res[0, [0, 1, 2, 3, 4, 5, 7]], d.hten_res[1, [0, 1, 2, 3, 4, 5, 7]], d.hten_res[2, 8:]])
        start.start(m, d)
        before = found()
        matrix.matrix(m, d)
        factor_bordered(m, d)
        search.direction(m, d, 0.0, 0)
        newton.keep_pose(m, d)
        eps = 1e-6
        search.move_pose(m, d, eps)
        search.move_cones(m, d, eps)
        assert np.abs((found() - before) / eps + before).max() < 1e-4 * np.abs(before).max()


@pytest.mark.parametrize("kappa", [1e-3, 1e-5])
def test_gradients_are_those_of_differences(kappa):
    """But of positions by positions: what a nudge takes a coupling off by stays, while positions of a step from there undo it."""
    m, d = hard(ALL.format(most=0.71))
    d.qvel[:] = np.random.default_rng(3).normal(size=m.nv) * 0.1
    physics.step(m, d, 2)
    m.opt.hard_rtol, m.opt.hard_ktol, m.opt.hard_kappa = 1e-11, 1e-12, kappa   # differences of whole steps need ends that are found exactly
    found = physics.transition_fd(m, d)[0]
    wanted = physics.transition_fd(m, d, exact=False)[0]
    nv = m.nv
    assert np.abs(wanted[nv:, :nv]).max() > 0.1
    assert np.abs(found[nv:] - wanted[nv:]).max() < 2e-4 and np.abs(found[:nv, nv:] - wanted[:nv, nv:]).max() < 1e-7
