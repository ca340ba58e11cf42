"""The panel factor and the elimination order, against dense linear algebra."""
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.engine.solve.hessian import factor_island, solve_island
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
        for island in range(d.nisland):
            assert factor_island(m, d, island, 1) in (0, None)
            solve_island(m, d, island)
        tied = np.isin(m.dof_treeid, np.nonzero(d.sol_tree_island >= 0)[0])
        assert rel(d.sol_search[tied], np.linalg.solve(hessian, d.sol_grad)[tied]) < 1e-7
        islands.add(d.nisland)
        # every tree has its place, later neighbours come later
        places = d.sol_place[d.sol_tree_island >= 0]
        assert sorted(places) == list(range(len(places)))
        for t in np.nonzero(d.sol_tree_island >= 0)[0]:
            coupled = d.sol_next[d.sol_next_adr[t]:d.sol_next_adr[t] + d.sol_next_num[t]]
            assert (d.sol_place[coupled] > d.sol_place[t]).all() and (np.diff(d.sol_place[coupled]) > 0).all()
    assert len(islands) > 1 or m.ntree < 3 or m.ntendon
