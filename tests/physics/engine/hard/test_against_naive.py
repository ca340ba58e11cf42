"""The hard engine against the plain twin, which eliminates and condenses nothing: directions, iterates and ends of steps."""
import numpy as np
import pytest

import physics
from physics.engine.hard import central_path, search, sensitivity
from physics.engine.hard.rescue import FAILED, LACKING
from physics.engine.hard.system import matrix
from physics.engine.hard.tendon import bordered
from physics.enums import Engine
from tests.naive.hard import newton
from tests.naive.hard.system import System
from tests.physics.engine.hard.tree_models import roomy, shaken

TREE = """<mujoco><option timestep=".01"/><worldbody>
<body pos="0 0 1" euler="10 20 30"><freejoint/><geom type="box" size=".1 .2 .3" pos=".02 .01 0"/>
  <body pos=".2 0 0" euler="0 30 0"><joint type="ball" pos="-.02 .01 0" {ball}/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 .05"/>
    <body pos=".3 0 0"><joint name="h" axis="0 1 .2" pos=".01 0 0" armature=".01" {hinge}/><joint name="s" type="slide" axis="1 0 .1" {slide}/>
      <geom type="capsule" size=".03" fromto="0 0 0 .3 .1 0"/>
      <body pos=".1 .1 0" euler="0 0 40"><geom type="sphere" size=".05" pos="0 .1 0"/>
        <body pos="0 .2 0"><joint axis="1 0 0" damping=".1"/><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".1 .02 .04"/></body></body></body></body>
  <body pos="-.2 0 0"><joint name="g" axis="0 0 1" damping=".3 .1 .05"/><geom type="capsule" size=".03" fromto="0 0 0 -.3 0 0"/></body></body>
</worldbody>{tendon}<actuator><position joint="h" kp="50" kv="2" gear="1.5"/><motor joint="g"/></actuator></mujoco>"""
TENDON = """<tendon><fixed range="-.8 .8" limited="true" frictionloss=".4"><joint joint="h" coef="1"/><joint joint="g" coef="-.7"/></fixed>
<fixed frictionloss=".2"><joint joint="s" coef="2"/><joint joint="g" coef=".3"/></fixed></tendon>"""
BALL, HINGE, SLIDE = 'range="0 60" limited="true"', 'range="-60 60" limited="true"', 'range="-1 1" limited="true" frictionloss=".5"'
FALLING = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1" condim="{dim}" friction=".5 .01 .002"/>
<body pos="0 0 .1005" euler="0 0 30"><freejoint/><geom type="box" size=".2 .2 .1" condim="{dim}" friction=".5 .01 .002"/></body>
<body pos=".05 .02 .3011" euler="0 0 20"><freejoint/><geom type="box" size=".1 .1 .1" condim="{dim}"/>
  <body pos="0 0 .1"><joint axis="0 1 0"/><geom type="sphere" size=".08" pos=".05 0 .05"/></body></body></worldbody></mujoco>"""
ROUND = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .101"><freejoint/><geom type="sphere" size=".1"/></body>
<body pos=".05 .03 {z}"><freejoint/>{other}</body></worldbody></mujoco>"""
BALL_ON_BALL = ROUND.format(z=0.2725, other='<geom type="sphere" size=".08"/>')
CAPSULE_ON_BALL = ROUND.format(z=0.2765, other='<geom type="capsule" size=".08 .2" euler="90 0 10"/>')


def at_start(m, d):
    """d with all that a solve needs, and the twin of it; contacts are those of the start, nothing overlaps."""
    m.opt.engine = Engine.HARD
    m.opt.hard_looks = 0
    physics.ensure_hard()
    while (status := sensitivity.find_step(m, d)) == LACKING:
        assert d.make_room()
    assert status < FAILED and not d.hard_overlap
    d.hard_recover = 0.0
    return d, System(m, d)


def tree(seed, speed=1.0, **parts):
    m = physics.load_string(TREE.format(**{"ball": "", "hinge": "", "slide": "", "tendon": "", **parts}))
    d = roomy(m)
    rng = shaken(m, d, seed, speed)
    d.ctrl[:], d.qfrc_applied[:], d.xfrc_applied[1:] = rng.normal(size=m.nu), rng.normal(size=m.nv), rng.normal(size=(m.nbody - 1, 6))
    return m, *at_start(m, d)


def scene(text, seed):
    m = physics.load_string(text)
    d = roomy(m)
    d.qvel[:] = 0.3 * np.random.default_rng(seed).normal(size=m.nv)
    d.qvel[2::6] = -0.2
    m, found = m, at_start(m, d)
    assert found[0].hard_nisland == 1 and found[0].hard_nrow == len(found[1].rows) >= 2
    return m, *found


CASES = {
    "tree": lambda: tree(0, 3.0), "another tree": lambda: tree(1), "hinge limited": lambda: tree(2, hinge=HINGE), "slide limited, dry": lambda: tree(3, slide=SLIDE),
    "ball limited": lambda: tree(4, ball=BALL), "all limited": lambda: tree(5, ball=BALL, hinge=HINGE, slide=SLIDE),
    "tendons": lambda: tree(6, hinge=HINGE, slide=SLIDE, tendon=TENDON),
    "boxes, condim 1": lambda: scene(FALLING.format(dim=1), 0), "boxes, condim 3": lambda: scene(FALLING.format(dim=3), 1),
    "boxes, condim 4": lambda: scene(FALLING.format(dim=4), 2), "boxes, condim 6": lambda: scene(FALLING.format(dim=6), 3),
    "two balls": lambda: scene(BALL_ON_BALL, 4), "ball and capsule": lambda: scene(CAPSULE_ON_BALL, 4),
}


@pytest.fixture(params=CASES)
def both(request):
    return CASES[request.param]()


def near(one, two, share):
    one, two = np.asarray(one, float), np.asarray(two, float)
    return np.abs(one - two).max(initial=0.0) <= share * max(1e-3, np.abs(two).max(initial=0.0))


def test_first_point_and_its_residual(both):
    m, d, twin = both
    central_path.begin_island(m, d, 0)
    r, k = twin.violations()
    assert near(d.hard_qpos[:m.nq], twin.qpos3, 1e-12)
    assert near(d.hard_rv, r, 1e-9) and near(d.hard_kv, k, 1e-9)
    _, dof, *_ = twin.residual()
    assert near(d.hard_r[:m.nv], dof, 1e-9)


def test_elimination_solves_the_whole_system(both):
    m, d, twin = both
    central_path.begin_island(m, d, 0)
    matrix.matrix(m, d)
    bordered.factor_bordered(m, d)
    search.direction(m, d, 0.0, 0)
    whole, rate = twin.matrix(), twin.layout()[2]
    whole[range(rate, rate + m.nv), range(rate, rate + m.nv)] += matrix.LEAST_PIVOT   # which keeps the engine from dividing by 0
    x = newton.newton_direction(twin, whole, 0.0)
    assert near(d.hard_dir[:m.nv], x[rate:rate + m.nv], 1e-10)
    for b in twin.bodies:
        assert near(d.hard_nu[b], x[twin.at[b]:twin.at[b] + 6], 1e-9)


def test_iterates_are_the_twins(both):
    m, d, twin = both
    done, passed = newton.solve(twin)
    assert done
    central_path.begin_island(m, d, 0)
    for k, iterate in enumerate(passed[1:6]):
        assert central_path.continue_island(m, d, 0, k) == 0
        assert near(d.hard_qpos[:m.nq], iterate.qpos, 1e-8)
        assert near(d.hard_alpha, iterate.alpha, 1e-6) and abs(d.hard_aim - iterate.target) <= 1e-6 * abs(iterate.target)


def test_steps_end_where_the_twins_end(both):
    m, d, twin = both
    assert newton.solve(twin)[0]
    while physics.step(m, d) == 0:
        assert d.make_room()
    assert near(d.qpos, twin.qpos3, 1e-7) and near(d.qvel, twin.rates, 1e-5)
