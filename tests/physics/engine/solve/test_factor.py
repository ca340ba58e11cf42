"""The supernodal factor and the elimination order, against dense linear algebra."""
import mujoco
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.engine.solve.hessian import factor_island, solve_island
from physics.engine.solve.symbolic_factorisation import FORM_FOREST
from physics.engine.solve.symbolic_factorisation import FORM_TREE as ONE_TREE
from physics.kernels import load
from tests.naive import constraint
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve"])


@pytest.mark.parametrize("xml", [o.coupled(), o.pile(3, "pyramidal"), o.pile(6, "pyramidal", count=12), o.limits_and_friction()])
def test_newton_direction_is_the_dense_one(xml):
    mj, m = o.official(xml)
    islands = set()
    for seed in range(4):
        d = o.ours_at(m, o.settled(mj, 40 * seed, seed))
        o.with_room(make_constraint, m, d)
        reference_constraint(m, d)
        o.with_room(fwd_constraint, m, d)
        jac, w = constraint.dense_j(m, d), np.where(d.efc_state[:d.nefc] == 1, d.efc_D[:d.nefc], 0.0)
        hessian = constraint.full_m(m, d) + jac.T @ (w[:, None] * jac)
        d.sol_grad[:] = np.random.default_rng(seed).normal(size=m.nv)
        d.sol_search[:] = 0.0
        for island in range(d.sol_nisland):
            assert factor_island(m, d, island, 1) in (0, None)
            solve_island(m, d, island, 1)
        tied = np.isin(m.dof_treeid, np.nonzero(d.sol_tree_island >= 0)[0])
        assert rel(-d.sol_search[tied], np.linalg.solve(hessian, d.sol_grad)[tied]) < 1e-7
        islands.add(d.sol_nisland)
        # every tree has its place, later neighbours come later
        places = d.sol_order_inverse[d.sol_tree_island >= 0]
        assert sorted(places) == list(range(len(places)))
        for t in np.nonzero(d.sol_tree_island >= 0)[0]:
            coupled = d.sol_struct_tree[d.sol_struct_adr[t]:d.sol_struct_adr[t] + d.sol_struct_num[t]]
            assert (d.sol_order_inverse[coupled] > d.sol_order_inverse[t]).all() and (np.diff(d.sol_order_inverse[coupled]) > 0).all()
    assert len(islands) > 1 or m.ntree < 3 or m.ntendon


FORM_TREE = """<mujoco><option cone="{cone}"/><default><geom size=".05" friction="1 .1 .1" condim="6"/></default><worldbody><geom type="plane" size="9 9 1"/>
 <body pos="0 0 .3"><freejoint/><geom type="box" size=".2 .1 .05"/>
  {legs}
  <body pos="0 0 .2"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .2"/></body></body></worldbody></mujoco>"""
LEG = """<body pos="{x} {y} -.1"><joint name="hip{k}" axis="1 0 0" limited="true" range="-30 30"/><joint axis="0 1 0"/><joint axis="0 0 1" frictionloss=".1"/>
  <geom type="capsule" fromto="0 0 0 0 0 -.2"/><body pos="0 0 -.25"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom/><geom pos=".1 0 0"/></body></body>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_one_tree_on_the_world_stands_by_rows(cone):
    """Branches, chains of all lengths, limits, friction, blocks in mid-chain: the direction is the dense one, and the same when it is found again."""
    legs = "".join(LEG.format(k=k, x=x, y=y) for k, (x, y) in enumerate(((-.4, -.3), (.4, -.3), (0, .4))))
    mj, m = o.official(FORM_TREE.format(cone=cone, legs=legs))
    by_rows = 0
    for seed in range(6):
        d = o.ours_at(m, o.settled(mj, 30 * seed, seed))
        o.with_room(make_constraint, m, d)
        reference_constraint(m, d)
        o.with_room(fwd_constraint, m, d)
        if d.nefc == 0 or d.sol_island_form[0] != ONE_TREE:
            continue
        by_rows += d.nefc > 12
        hessian = constraint.full_m(m, d) + constraint.curvature(m, d)
        random = np.random.default_rng(seed)
        for carried in (1, 0):
            d.sol_grad[:] = random.normal(size=m.nv)
            if carried:
                factor_island(m, d, 0, 1)
            solve_island(m, d, 0, carried)
            assert rel(-d.sol_search, np.linalg.solve(hessian, d.sol_grad)) < 1e-6
    assert by_rows > 1


@pytest.mark.parametrize("apart,xml", [
    (0.045, FORM_TREE), (0.045, FORM_TREE.replace("</worldbody>", '<body pos="0 .14 .1"><freejoint/><geom size=".1"/></body></worldbody>')),
])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_blocks_across_branches_and_trees_stand_in_one_elimination_tree(cone, apart, xml):
    """Two feet that touch, and a ball that leans on one: what is counted later becomes a descendant of what is counted earlier."""
    mj, m = o.official(xml.format(cone=cone, legs=LEG.format(k=0, x=0, y=-apart) + LEG.format(k=1, x=0, y=apart)))
    sizes = set()
    for seed in range(4):
        d = o.ours_at(m, o.settled(mj, 1 + 10 * seed, seed))
        o.with_room(make_constraint, m, d)
        reference_constraint(m, d)
        o.with_room(fwd_constraint, m, d)
        moved = constraint.dense_j(m, d)[:, 6:16].reshape(-1, 2, 5).any(2)
        if not moved.all(1).any():
            continue
        assert d.sol_island_form[0] == FORM_FOREST and d.sol_etree_depth[11] > m.M_rownnz[11] - 1
        sizes.add(d.sol_island_ntree[0])
        hessian = constraint.full_m(m, d) + constraint.curvature(m, d)
        d.sol_grad[:] = np.random.default_rng(seed).normal(size=m.nv)
        d.sol_search[:] = 0
        for island in range(d.sol_nisland):
            factor_island(m, d, island, 1)
            solve_island(m, d, island, 1)
        tied = np.isin(m.dof_treeid, np.nonzero(d.sol_tree_island >= 0)[0])
        assert rel(-d.sol_search[tied], np.linalg.solve(hessian, d.sol_grad)[tied]) < 1e-6
    assert max(sizes) == m.ntree


SLIDERS = """<mujoco><worldbody><body>{joints}<geom size=".1" mass="2"/></body></worldbody></mujoco>"""
SLIDE = '<joint type="slide" axis="{} {} {}" limited="true" range="-.1 .1" frictionloss=".3"/>'


def test_trees_whose_inertia_is_diagonal():
    """M has no entries between the dofs then, but a limit has a row all the same."""
    mj, m = o.official(SLIDERS.format(joints="".join(SLIDE.format(*axis) for axis in np.eye(3, dtype=int))))
    assert (m.M_rownnz == 1).all()
    mjd = o.settled(mj, 0, 0)
    mjd.qpos[:] = 0.2
    mujoco.mj_forward(mj, mjd)
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    o.with_room(fwd_constraint, m, d)
    assert d.nefc == 6 and d.sol_island_form[0] == ONE_TREE and rel(d.qacc, mjd.qacc) < 1e-6
    hessian = constraint.full_m(m, d) + constraint.curvature(m, d)
    d.sol_grad[:] = 1.0, 2.0, 3.0
    factor_island(m, d, 0, 1)
    solve_island(m, d, 0, 1)
    assert rel(-d.sol_search, np.linalg.solve(hessian, d.sol_grad)) < 1e-6
