"""What the solvers have in common: one optimum, with islands or without, from any start; and options that all of them keep."""

import mujoco
import numpy as np
import pytest

import physics
from physics.engine.inverse import compare_fwd_inv
from physics.enums import DSBL_ISLAND, DSBL_WARMSTART, ENBL_DIAGEXACT, ENBL_FWDINV, SOL_CG, SOL_NEWTON, SOL_PGS, Integrator
from physics.kernels import load
from tests.naive import constraint
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel
from tests.physics.engine.solve.test_cg import solved
from tests.physics.engine.solve.test_noslip import models

HUMANOID = o.corpus_path("mj_humanoid/humanoid.xml")
EXACT = {SOL_NEWTON: (0.0, 100), SOL_CG: (0.0, 600), SOL_PGS: (-1.0, 6000)}   # tolerance and iterations that leave rounding; PGS ends at a rise of the cost
NEAR = {SOL_NEWTON: 1e-9, SOL_CG: 1e-6, SOL_PGS: 1e-4}


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve", "physics.engine.inverse"])


def exact(m, mjd, solver, flags=0):
    m.opt_solver, (m.opt_tolerance, m.opt_iterations), m.opt_disableflags = solver, EXACT[solver], flags
    return solved(m, mjd)


@pytest.mark.parametrize("source", [HUMANOID, o.pile(3, "pyramidal"), o.limits_and_friction(), o.tied(), o.pile(1, "elliptic")])
def test_all_solvers_find_one_optimum_with_islands_and_without(source):
    mj, m = models(source, SOL_NEWTON)
    mjd = o.settled(mj, 80, 1, kick=0.1)
    newton = exact(m, mjd, SOL_NEWTON)
    assert newton.nefc > 3 and np.linalg.norm(constraint.gradient(m, newton, newton.qacc)) < 1e-8 * np.linalg.norm(newton.qfrc_smooth)
    for solver in (SOL_NEWTON, SOL_CG, SOL_PGS):
        for flags in (0, DSBL_ISLAND, DSBL_WARMSTART):
            d = exact(m, mjd, solver, flags)
            assert rel(d.qacc, newton.qacc) < NEAR[solver], (solver, flags)
            assert rel(d.qfrc_constraint, newton.qfrc_constraint) < 30 * NEAR[solver]


@pytest.mark.parametrize("condim", [3, 4, 6])
def test_cones_with_the_primal_solvers(condim):
    """The dual one stops at the rays of its cones, as the official one does: it is compared with that, test_pgs.py."""
    mj, m = models(o.pile(condim, "elliptic", 10.0), SOL_NEWTON)
    mjd = o.settled(mj, 80, 1, kick=0.1)
    assert rel(exact(m, mjd, SOL_CG).qacc, exact(m, mjd, SOL_NEWTON).qacc) < 1e-5


@pytest.mark.parametrize("solver", [SOL_NEWTON, SOL_CG])
def test_the_optimum_as_warm_start_takes_no_iteration(solver):
    mj, m = models(o.pile(3, "elliptic"), solver)
    mjd = o.settled(mj, 80, 1)
    mjd.qacc_warmstart[:] = exact(m, mjd, SOL_NEWTON).qacc
    m.opt_solver, m.opt_tolerance = solver, 1e-8
    for flags in (0, DSBL_ISLAND):
        m.opt_disableflags = flags
        d = solved(m, mjd)
        assert d.solver_niter_max == 0 and rel(d.qacc, mjd.qacc_warmstart) < 1e-6


@pytest.mark.parametrize("solver", [SOL_NEWTON, SOL_CG, SOL_PGS])
def test_without_a_tolerance_all_iterations_are_made(solver):
    mj, m = models(HUMANOID, solver)
    mjd = o.settled(mj, 150, 1)
    m.opt_tolerance, m.opt_iterations = 0.0, 3
    assert solved(m, mjd).solver_niter_max == 3
    m.opt_iterations = 0
    d = solved(m, mjd)
    assert d.solver_niter_max == 0 and np.isfinite(d.qacc).all()


@pytest.mark.parametrize("ratio", [1e-3, 1e-2, 1.0, 1e2, 1e3])
@pytest.mark.parametrize("solver", [SOL_NEWTON, SOL_CG, SOL_PGS])
def test_friction_of_any_ratio_keeps_its_cones(solver, ratio):
    xml = o.pile(6, "elliptic", 3.0, count=3).replace(".01 .02", f"{0.5 * ratio} {0.5 / ratio}")
    mj, m = models(xml, solver)
    mjd = o.settled(mj, 60, 1)
    mujoco.mj_forward(mj, mjd)
    d = solved(m, mjd)
    assert np.isfinite(d.qacc).all() and d.nefc > 5
    for row in np.flatnonzero(d.efc_type[:d.nefc] == 7)[::6]:
        f, mu = d.efc_force[row:row + 6], d.contact_friction[d.efc_id[row]]
        assert f[0] >= -1e-9 and np.linalg.norm(f[1:] / mu) <= f[0] * (1 + 1e-7) + 1e-9
    if solver != SOL_CG:   # whose hundred iterations, each a little off by rounding, do not reach the end here
        assert rel(d.qacc, mjd.qacc) < 1e-5


@pytest.mark.parametrize("integrator", [Integrator.EULER, Integrator.DISCRETE])
@pytest.mark.parametrize("solver", [SOL_NEWTON, SOL_CG, SOL_PGS])
@pytest.mark.parametrize("flags", [0, ENBL_DIAGEXACT])
def test_inverse_dynamics_gives_the_forces_back(solver, flags, integrator):
    """The rows' forces follow from the accelerations alone, whoever found them."""
    physics.ensure_kernels()
    m = physics.load(HUMANOID)
    m.opt_solver, (m.opt_tolerance, m.opt_iterations) = solver, EXACT[solver]
    m.opt_enableflags, m.opt_integrator = flags | ENBL_FWDINV, int(integrator)
    d = physics.Data(m)
    physics.reset(m, d, 0)
    for _ in range(3):
        physics.step(m, d, 20)
        physics.forward(m, d)
        compare_fwd_inv(m, d)
        scale = np.linalg.norm(d.qfrc_constraint)
        assert d.nefc > 5 and (d.solver_fwdinv < 100 * NEAR[solver] * scale).all(), d.solver_fwdinv / scale


def test_inverse_dynamics_tells_what_the_second_pass_did():
    """Forces without slip are no optimum of the soft problem: forward and inverse differ, as officially."""
    physics.ensure_kernels()
    m, mj = physics.load(HUMANOID), mujoco.MjModel.from_xml_path(HUMANOID)
    d, mjd = physics.Data(m), mujoco.MjData(mj)
    for each in (m, mj):
        each.opt.noslip_iterations, each.opt.enableflags, each.opt.tolerance = 5, ENBL_FWDINV, 1e-12
    mujoco.mj_step(mj, mjd, 150)
    for name in ("qpos", "qvel", "qacc_warmstart"):
        getattr(d, name)[:] = getattr(mjd, name)
    mujoco.mj_step(mj, mjd)
    physics.step(m, d, 1)
    assert d.solver_fwdinv[0] > 1e-3 and rel(d.solver_fwdinv, mjd.solver_fwdinv) < 1e-4


@pytest.mark.parametrize("flags", [0, DSBL_ISLAND])
def test_another_solver_and_back_leaves_no_trace(flags):
    """Not even where CG without islands counts the trees that no row touches, and nothing else of the plan changes."""
    physics.ensure_kernels()
    m = physics.load_string("""<mujoco><worldbody><geom type="plane" size="3 3 .1"/>
      <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body pos="1 0 5"><freejoint/><geom size=".1"/></body><body pos="2 0 5"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body></worldbody></mujoco>""")
    m.opt_disableflags, m.opt_iterations, m.opt_tolerance = flags, 3, 0.0
    used = physics.Data(m)
    used.qvel[:] = 0.1 * np.arange(1, m.nv + 1)
    for solver in (SOL_PGS, SOL_CG, SOL_PGS, SOL_NEWTON, SOL_CG, SOL_NEWTON, SOL_PGS):
        m.opt_solver = solver
        fresh = physics.Data(m)
        for name in ("qpos", "qvel", "qacc_warmstart"):
            getattr(fresh, name)[:] = getattr(used, name)
        for d in (used, fresh):
            physics.forward(m, d)
        assert used.nefc > 3 and np.array_equal(used.qacc, fresh.qacc) and np.array_equal(used.efc_force[:used.nefc], fresh.efc_force[:fresh.nefc]), solver
        used.qacc_warmstart[:] = 3 * np.arange(m.nv)   # a bad guess, so that three iterations are not the end
