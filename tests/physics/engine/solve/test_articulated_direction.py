"""Newton's directions of long chains on the world, found by recursion, against the dense Hessian and the official solution."""
import mujoco
import numpy as np
import pytest

import physics
from physics.engine.solve.hessian import factor_island, solve_island
from physics.engine.solve.symbolic_factorisation import FORM_ABA
from physics.kernels import load
from tests.naive import constraint
from tests.oracle.states import capture
from tests.physics.engine.oracle_model import rel

JOINTS = ('<joint axis="0 1 0" limited="true" range="-2 2"/>', '<joint axis="0 0 1" frictionloss=".002"/><joint axis="0 1 .3" limited="true" range="-1 1" armature=".001"/>',
          '<joint type="ball"/>', '<joint type="slide" axis="1 0 0" limited="true" range="-.01 .01" frictionloss=".1"/>')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.forward", "physics.engine.solve.hessian"])


def rope(count: int, cone: str, ball: str = "") -> str:
    """A rope with joints, limits and friction of many kinds, geoms of all condims, some links without joints, dropped on a plane."""
    body = ""
    for k in range(count, 0, -1):
        joint = JOINTS[k % 4] if k % 9 else ""
        body = (f'<body pos=".07 0 0">{joint}<geom type="capsule" fromto="0 0 0 .05 0 0" size=".02" condim="{(1, 3, 4, 6)[k % 3 + (k % 7 == 0)]}" '
                f'friction="{.3 + .01 * k} .01 .005"/>{body}</body>')
    return f"""<mujoco><option timestep=".002" cone="{cone}"/><worldbody><geom type="plane" size="9 9 1" condim="1"/>
     <body pos="0 0 .03" euler="0 2 0"><freejoint/><geom size=".03"/>{body}</body>{ball}</worldbody></mujoco>"""


def settled(text: str, steps: int):
    """Both engines at the same state, some steps after the start; forward called with tolerance 0."""
    ours_model, official_model = physics.load_string(text), mujoco.MjModel.from_xml_string(text)
    official = mujoco.MjData(official_model)
    for _ in range(steps):
        mujoco.mj_step(official_model, official)
    ours_model.opt.tolerance = official_model.opt.tolerance = 0.0
    ours_model.opt.ls_tolerance = official_model.opt.ls_tolerance = 0.0
    ours = physics.Data(ours_model)
    capture(official).into(ours)
    physics.forward(ours_model, ours)
    mujoco.mj_forward(official_model, official)
    return ours_model, ours, official


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("steps", [5, 60, 200])
def test_directions_are_the_dense_ones(cone, steps):
    m, d, official = settled(rope(34, cone), steps)
    assert d.nefc == official.nefc > 20 and d.sol_island_form[0] == FORM_ABA
    assert rel(d.qacc, official.qacc) < 1e-6 and rel(d.efc_force[:d.nefc], official.efc_force) < 1e-6
    hessian = constraint.full_m(m, d) + constraint.curvature(m, d)
    for seed in range(2):
        d.sol_grad[:] = np.random.default_rng(seed).normal(size=m.nv)
        assert factor_island(m, d, 0, 1) == 0
        solve_island(m, d, 0, 1)
        assert rel(-d.sol_search, np.linalg.solve(hessian, d.sol_grad)) < 1e-5


def test_what_touches_more_than_the_world_has_a_hessian():
    """A ball on the rope ties two trees; a step later without it the recursion is back."""
    m, d, official = settled(rope(34, "pyramidal", '<body pos=".5 .01 .06"><freejoint/><geom size=".02"/></body>'), 40)
    assert (d.sol_island_form[:d.sol_nisland] != FORM_ABA).any() and rel(d.qacc, official.qacc) < 1e-6
    d.qpos[-5] += 1.0
    physics.forward(m, d)
    assert d.sol_island_form[d.sol_tree_island[0]] == FORM_ABA


@pytest.mark.nojit
def test_a_rope_under_the_interpreter():
    m, d, official = settled(rope(34, "elliptic"), 20)
    assert m.tree_aba[0] and d.sol_island_form[0] == FORM_ABA and rel(d.qacc, official.qacc) < 1e-6
