"""Projected Gauss-Seidel against the official engine, sweep by sweep, and what must hold besides."""

import mujoco
import numpy as np
import pytest

from physics.engine.solve.constraint_solve import fwd_constraint
from physics.enums import DSBL_ISLAND, SOL_PGS, VARIANT_ROW_ORDER
from physics.kernels import load
from physics.model.data import Data
from tests.oracle.corpus import REPOSITORY
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel
from tests.physics.engine.solve.test_cg import both, solved

HUMANOID = o.corpus_path("gymnasium/humanoidstandup.xml", exact=True)
OURS = str(REPOSITORY / "models" / "humanoid.xml")
TENDONS = o.corpus_path("mj_replicate/tendon.xml")
SOURCES = (HUMANOID, TENDONS, o.limits_and_friction("elliptic"), o.tied(), o.coupled(), o.odd_parameters(), o.pile(3, "pyramidal"),
           *(o.pile(dim, "elliptic", 5.0) for dim in (1, 3, 4, 6)))


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve"])


def models(source):
    """Official model and ours, both set to PGS; not the shared ones, as options are changed."""
    mj = o.loaded(source)
    mj.opt.solver = SOL_PGS
    return mj, model_from(mj)


def states_compare(d, mjd):
    """Whether states agree but for elliptic contacts at the edge of their cone, where rounding decides."""
    n = d.nefc
    edge = d.efc_type[:n] == 7
    return (d.efc_state[:n][~edge] == mjd.efc_state[~edge]).all()


@pytest.mark.parametrize("flags", [0, DSBL_ISLAND])
@pytest.mark.parametrize("source", SOURCES)
def test_iterates_are_the_official_ones(source, flags):
    mj, m = models(source)
    both(mj, m, disableflags=flags)
    for seed in range(2):
        mjd = o.settled(mj, 60 * seed + 20, seed)
        both(mj, m, tolerance=-1.0)   # a sweep that raises the cost, if only by rounding, would end it
        for count in (1, 2, 5, 20, 100):
            both(mj, m, iterations=count)
            mujoco.mj_forward(mj, mjd)
            d = solved(m, mjd)
            assert d.nefc == mjd.nefc > 3
            assert d.solver_niter_max == mjd.solver_niter.max() == count
            assert rel(d.qacc, mjd.qacc) < 1e-8 and rel(d.efc_force[:d.nefc], mjd.efc_force) < 1e-8
            assert states_compare(d, mjd)
        both(mj, m, tolerance=1e-8, iterations=100)


@pytest.mark.parametrize("source", [HUMANOID, OURS, o.pile(3, "elliptic"), o.pile(4, "pyramidal")])
def test_results_and_sweeps_at_the_files_tolerance(source):
    mj, m = models(source)
    sweeps = 0
    for seed in range(3):
        mjd = o.settled(mj, 20 + 50 * seed, seed)
        d = solved(m, mjd)
        sweeps += d.solver_niter_max
        assert d.solver_niter_max == mjd.solver_niter.max()
        assert rel(d.qacc, mjd.qacc) < 1e-8
    assert sweeps > 10


@pytest.mark.parametrize("jacobian", [0, 1])
def test_theirs_dense_or_sparse_makes_no_difference(jacobian):
    mj, m = models(OURS)
    mj.opt.jacobian = jacobian
    mjd = o.settled(mj, 60, 1)
    assert rel(solved(m, mjd).qacc, mjd.qacc) < 1e-9


def test_the_solution_as_warm_start_stays():
    mj, m = models(o.pile(3, "pyramidal"))
    both(mj, m, tolerance=1e-14, iterations=3000)
    mjd = o.settled(mj, 60, 1)
    d = solved(m, mjd)
    m.opt_tolerance, mjd.qacc_warmstart[:] = 1e-8, d.qacc
    again = solved(m, mjd)
    assert again.solver_niter_max <= 1 and rel(again.qacc, d.qacc) < 1e-5


def test_rows_in_order_end_where_the_others_do():
    mj, m = models(o.pile(3, "pyramidal"))
    mjd = o.settled(mj, 60, 1)
    m.opt_tolerance, m.opt_iterations = 1e-12, 3000
    usual = solved(m, mjd)
    m.flg_variant = VARIANT_ROW_ORDER
    plain = solved(m, mjd)
    assert plain.solver_niter_max != usual.solver_niter_max > 10 and rel(plain.qacc, usual.qacc) < 0.01


def test_no_room_is_reported_before_anything_is_written():
    mj, m = models(OURS)
    mjd = o.settled(mj, 60, 1)
    d = solved(m, mjd)
    small = Data(m, d.maxcon, d.maxefc, d.maxJ, 16)
    for name in small.layout.arrays:
        if getattr(small, name).shape == getattr(d, name).shape:
            getattr(small, name)[...] = getattr(d, name)
    for name in ("ncon", "ne", "nf", "nl", "nefc", "nJ"):
        setattr(small, name, getattr(d, name))
    small.qacc[:] = np.nan
    fwd_constraint(m, small)
    assert small.need_nH > 16 and np.isnan(small.qacc).all()
    small.grow_factor(small.need_nH)
    fwd_constraint(m, small)
    assert (small.qacc == d.qacc).all()
