"""Conjugate gradients against the official engine, iterate by iterate, and what must hold besides."""

import mujoco
import pytest

import physics
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.enums import DSBL_ISLAND, SOL_CG, VARIANT_POLAK_RIBIERE
from physics.kernels import load
from tests.oracle.corpus import REPOSITORY
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel

HUMANOID = o.corpus_path("mj_humanoid/humanoid.xml", exact=True)
OURS = str(REPOSITORY / "models" / "humanoid.xml")
CLOTH = o.corpus_path("legacy_composite/expanded_cloth.xml")
SOURCES = (HUMANOID, o.limits_and_friction("elliptic"), o.coupled(), o.odd_parameters(), o.pile(3, "pyramidal"), o.pile(6, "elliptic", 5.0), o.pile(1, "pyramidal"))
COUNTS = (1, 2, 5, 20)
ROUNDING = 1e-9  # how far iterates may part by rounding alone: conjugate gradients amplify it


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve"])


def models(source):
    """Official model and ours, both set to CG; not the shared ones, as options are changed."""
    mj = o.loaded(source)
    mj.opt.solver = SOL_CG
    return mj, model_from(mj)


def both(mj, m, **options):
    for name, value in options.items():
        setattr(mj.opt, name, value)
        setattr(m, "opt_" + name, value)


def solved(m, mjd):
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    o.with_room(fwd_constraint, m, d)
    return d


@pytest.mark.parametrize("flags", [0, DSBL_ISLAND])
@pytest.mark.parametrize("source", SOURCES)
def test_iterates_are_the_official_ones(source, flags):
    mj, m = models(source)
    both(mj, m, disableflags=flags)
    for seed in range(2):
        mjd = o.settled(mj, 60 * seed + 20, seed)
        both(mj, m, tolerance=1e-15, ls_tolerance=1e5)   # lines to the usual accuracy, no end before the last iteration
        for count in COUNTS:
            both(mj, m, iterations=count)
            mujoco.mj_forward(mj, mjd)
            d = solved(m, mjd)
            assert d.nefc == mjd.nefc > 3
            assert rel(d.qacc, mjd.qacc) < ROUNDING * count
            assert rel(d.efc_force[:d.nefc], mjd.efc_force) < 10 * ROUNDING * count
        both(mj, m, tolerance=1e-8, ls_tolerance=0.01, iterations=100)


TIED = """<mujoco><option integrator="discrete" solver="CG" cone="{}"/><worldbody><geom type="plane" size="3 3 1"/>
<body pos="0 0 .12"><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
 <body pos=".3 0 0"><joint name="b" axis="0 1 .1"/><geom type="capsule" fromto="0 0 0 .3 0 -.1" size=".05"/>
  <body pos=".3 0 -.1"><joint name="c" axis="1 1 0"/><geom type="box" size=".1 .08 .06"/></body></body></body>
<body pos="0 .5 .1"><joint name="d" type="slide" axis="0 0 1"/><joint name="e" type="slide" axis="1 0 0"/><geom type="box" size=".1 .1 .12"/></body>
<body pos=".05 .5 .3"><freejoint/><geom type="box" size=".1 .12 .09"/></body></worldbody>
<tendon><fixed stiffness="80" damping="2"><joint joint="a" coef="1"/><joint joint="b" coef="-.7"/><joint joint="c" coef=".4"/></fixed>
<fixed name="t" stiffness="200"><joint joint="b" coef=".5"/><joint joint="d" coef="3"/></fixed></tendon>
<actuator><position tendon="t" kp="30" kv="2"/></actuator></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_tendons_and_actuators_in_the_effective_mass_leave_the_iterates_official(cone):
    """The preconditioner has no more of them than the diagonal. (The official limit of iterations holds for its effective mass matrix too: no fewer than five.)"""
    physics.ensure_kernels()
    mj, m = mujoco.MjModel.from_xml_string(TIED.format(cone)), physics.load_string(TIED.format(cone))
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    for _ in range(3):
        both(mj, m, tolerance=1e-8, iterations=100)
        for _ in range(15):
            mujoco.mj_step(mj, mjd)
        both(mj, m, tolerance=0.0)
        warm = mjd.qacc_warmstart.copy()
        for count in (5, 6, 8):
            both(mj, m, iterations=count)
            d.qpos[:], d.qvel[:], d.qacc_warmstart[:], mjd.qacc_warmstart[:] = mjd.qpos, mjd.qvel, 0.5 * warm, 0.5 * warm
            mujoco.mj_forward(mj, mjd)
            physics.forward(m, d)
            assert d.nefc == mjd.nefc > 3 and d.M_eff_coupled
            assert rel(d.qacc, mjd.qacc) < 1e-7
        mjd.qacc_warmstart[:] = warm


@pytest.mark.parametrize("source", [HUMANOID, OURS, CLOTH, o.pile(3, "elliptic"), o.pile(4, "pyramidal")])
def test_results_and_iterations_at_the_files_tolerance(source):
    mj, m = models(source)
    for seed in range(3):
        mjd = o.settled(mj, 150 + 50 * seed, seed)
        d = solved(m, mjd)
        assert abs(d.solver_niter_max - mjd.solver_niter.max()) <= 1 + mjd.solver_niter.max() // 20
        if d.solver_niter_max == mjd.solver_niter.max() < 25:
            assert rel(d.qacc, mjd.qacc) < 1e-7


@pytest.mark.parametrize("source", [HUMANOID, OURS, o.pile(3, "elliptic")])
@pytest.mark.parametrize("variant", [0, VARIANT_POLAK_RIBIERE])
def test_both_kinds_end_where_newton_does_and_need_nothing_from_there(source, variant):
    mj, m = models(source)
    mjd = o.settled(mj, 150, 1)
    m.flg_variant, m.opt_tolerance, m.opt_iterations = variant, 0.0, 400
    d = solved(m, mjd)
    m.opt_solver = 2
    newton = solved(m, mjd)
    assert d.solver_niter_max > 20 and rel(d.qacc, newton.qacc) < 1e-5
    m.opt_solver, m.opt_tolerance, m.opt_iterations = SOL_CG, 1e-8, 100
    mjd.qacc_warmstart[:] = d.qacc
    again = solved(m, mjd)
    assert again.solver_niter_max == 0 and (again.qacc == d.qacc).all()


def test_no_factor_is_planned_and_a_switch_of_solvers_plans_one():
    mj, m = models(o.pile(3, "pyramidal"))
    mjd = o.settled(mj, 40, 0)
    d = o.ours_at(m, mjd)
    for solver in (SOL_CG, 2, SOL_CG, 2):
        m.opt_solver = solver
        o.with_room(make_constraint, m, d)
        reference_constraint(m, d)
        o.with_room(fwd_constraint, m, d)
        assert (d.sol_symbolic == 3) == (solver == SOL_CG) and (d.qacc == solved(m, mjd).qacc).all()
