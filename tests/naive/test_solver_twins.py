"""The solvers' iterates are those of their plain twins."""
import mujoco
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.enums import DSBL_ISLAND, DSBL_WARMSTART, SOL_CG, SOL_PGS, VARIANT_POLAK_RIBIERE, VARIANT_ROW_ORDER
from physics.kernels import load
from tests.naive import constraint, solvers
from tests.naive.test_constraint_twins import SMALL
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.reference", "physics.engine.constraint.rows", "physics.engine.solve.constraint_solve"])


def posed(cone):
    """A model of its own, as options are changed, and a Data with its rows made."""
    mj = mujoco.MjModel.from_xml_string(SMALL.format(cone=cone))
    m = model_from(mj)
    mjd = mujoco.MjData(mj)
    mjd.qvel[:] = np.random.default_rng(3).normal(size=mj.nv)
    mujoco.mj_forward(mj, mjd)
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    m.opt_disableflags = DSBL_ISLAND | DSBL_WARMSTART
    m.opt_tolerance, m.opt_ls_tolerance = 1e-15, 1e5
    return m, d


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("variant", [0, VARIANT_POLAK_RIBIERE])
def test_conjugate_gradients(cone, variant):
    m, d = posed(cone)
    m.opt_solver, m.flg_variant = SOL_CG, variant
    assert d.nefc > 10
    for n, q in enumerate(solvers.conjugate_gradients(m, d, d.qacc_smooth.copy(), 6, variant != 0)):
        m.opt_iterations = n + 1
        o.with_room(fwd_constraint, m, d)
        assert d.solver_niter == n + 1 and rel(d.qacc, q) < 1e-6


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("variant", [0, VARIANT_ROW_ORDER])
def test_projected_gauss_seidel(cone, variant):
    m, d = posed(cone)
    m.opt_solver, m.flg_variant, m.opt_tolerance = SOL_PGS, variant, -1.0   # sweeps may raise the cost
    found = solvers.projected_gauss_seidel(m, d, np.zeros(d.nefc), 20, variant != 0)
    for n in (1, 2, 5, 20):
        m.opt_iterations = n
        o.with_room(fwd_constraint, m, d)
        assert d.solver_niter == n and rel(d.efc_force[:d.nefc], found[n - 1]) < 1e-6
        assert rel(constraint.full_m(m, d) @ (d.qacc - d.qacc_smooth), constraint.dense_j(m, d).T @ d.efc_force[:d.nefc]) < 1e-9
