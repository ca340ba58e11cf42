"""The solvers' iterates are those of their plain twins."""
import mujoco
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.engine.solve.delassus_diagonal import delassus_diagonal
from physics.enums import DSBL_ISLAND, DSBL_WARMSTART, ENBL_DIAGEXACT, SOL_CG, SOL_PGS, VARIANT_POLAK_RIBIERE, VARIANT_ROW_ORDER
from physics.kernels import load
from tests.naive import constraint, solvers
from tests.naive.test_constraint_twins import SMALL
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.reference", "physics.engine.constraint.rows", "physics.engine.solve.constraint_solve", "physics.engine.solve.delassus_diagonal"])


def posed(cone, speed=1.0):
    """A model of its own, as options are changed, and a Data with its rows made."""
    mj = mujoco.MjModel.from_xml_string(SMALL.format(cone=cone).replace('condim="', 'friction="1 .3 .2" condim="'))   # none that counts for nothing
    m = model_from(mj)
    mjd = mujoco.MjData(mj)
    mjd.qvel[:] = speed * np.random.default_rng(3).normal(size=mj.nv)
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
        assert d.solver_niter_max == n + 1 and rel(d.qacc, q) < 1e-6


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
        assert d.solver_niter_max == n and rel(d.efc_force[:d.nefc], found[n - 1]) < 1e-6
        assert rel(constraint.full_m(m, d) @ (d.qacc - d.qacc_smooth), constraint.dense_j(m, d).T @ d.efc_force[:d.nefc]) < 1e-9


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_without_slip(cone):
    m, d = posed(cone, 0.003)
    m.opt_noslip_tolerance = -1.0
    o.with_room(fwd_constraint, m, d)
    before = d.efc_force[:d.nefc].copy()
    for n in (1, 4):
        m.opt_noslip_iterations = n
        o.with_room(fwd_constraint, m, d)
        assert rel(d.efc_force[:d.nefc], solvers.without_slip(m, d, before, n)) < 1e-6 < rel(d.efc_force[:d.nefc], before)


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_exact_diagonal(cone):
    m, d = posed(cone)
    estimate = d.efc_R[:d.nefc].copy()
    delassus_diagonal(m, d)
    assert (d.efc_R[:d.nefc] == estimate).all()
    m.opt_enableflags = ENBL_DIAGEXACT
    o.with_room(delassus_diagonal, m, d)
    jac = constraint.dense_j(m, d)
    inverse = np.einsum("ij,ji->i", jac, np.linalg.solve(constraint.full_m(m, d), jac.T))
    seen = 0
    for i in range(d.nefc):
        first = i == 0 or d.efc_id[i] != d.efc_id[i - 1] or d.efc_type[i] != d.efc_type[i - 1]
        imp = d.efc_KBIP[i, 2]
        scale = 2 * d.contact_mu[d.efc_id[i]] ** 2 if d.efc_type[i] == 6 else 1.0
        if first:
            assert d.efc_R[i] == pytest.approx(scale * (1 - imp) / imp * inverse[i], rel=1e-9)
            seen += abs(d.efc_R[i] / estimate[i] - 1) > 1e-3
        assert d.efc_D[i] * d.efc_R[i] == pytest.approx(1) and d.efc_diagA[i] == pytest.approx(d.efc_R[i] * imp / (1 - imp))
    assert seen > 0
