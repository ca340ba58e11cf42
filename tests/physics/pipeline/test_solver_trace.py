"""The trace of the solver against the solves that it is made of, against the solver's own figures and against the official cost."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_ISLAND, DSBL_WARMSTART, INT_DISCRETE, INT_RK4, CNSTR_CONTACT_ELLIPTIC, Cone, ConstraintState, ConstraintType, Solver
from physics.model.islands import islands_of
from physics.model.model_copy import model_beside
from physics.pipeline.constraint_problem import ConstraintProblem
from physics.pipeline.row_names import island_name, row_kind, row_name
from physics.pipeline.solver_trace import COLUMNS, NOSLIP, SOLVE, START, TraceStopped
from tests.physics.pipeline.solver_models import EVERY_KIND, every_kind, of_ours

SOLVERS, CONES = tuple(Solver), tuple(Cone)


def of(d, name: str) -> np.ndarray:
    return np.array(getattr(d, name))


def solved(m, d):
    """A Data of its own in which `forward` has run from the state of d."""
    fresh = physics.Data(m)
    physics.set_state(m, fresh, physics.get_state(m, d))
    physics.forward(m, fresh)
    return fresh


def with_iterations(m, d, iterations: int):
    other = model_beside(m)
    other.opt_iterations = iterations
    fresh = physics.Data(other)
    physics.set_state(other, fresh, physics.get_state(m, d))
    physics.forward(other, fresh)
    return fresh


@pytest.mark.parametrize("cone", CONES, ids=lambda x: x.name)
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda x: x.name)
def test_each_iterate_is_the_solve_with_that_limit_to_the_bit(solver, cone):
    m, d = every_kind(opt_solver=solver, opt_cone=cone, opt_iterations=12)
    trace = physics.solver_trace(m, d)
    full = solved(m, d)
    assert trace.nisland == full.sol_nisland >= 4 and trace.niter.max() >= 2
    assert [one.number for one in trace.iterates] == list(range(trace.niter.max() + 1)) and [one.stage for one in trace.iterates] == [START] + [SOLVE] * trace.niter.max()
    for k, one in enumerate(trace.iterates):
        alone = with_iterations(m, d, k)
        assert np.array_equal(one.qacc, alone.qacc) and np.array_equal(one.efc_force, alone.efc_force[:alone.nefc])
        assert np.array_equal(one.efc_state, alone.efc_state[:alone.nefc])
        for island in range(trace.nisland):      # what it gained on the way is the beginning of what the full solve gained
            n = min(k, trace.niter[island])
            assert np.array_equal(alone.solver_improvement[island, :n], full.solver_improvement[island, :n])
    last = trace.iterates[-1]
    assert np.array_equal(last.qacc, full.qacc) and np.array_equal(last.efc_force, full.efc_force[:full.nefc])


def test_the_callers_model_and_data_stay_as_they_are():
    m, d = every_kind()
    before = {name: of(d, name) for name in d.layout.arrays}
    options = {name: getattr(m, name) for name in m.layout.scalars}
    physics.solver_trace(m, d, {"opt_solver": Solver.PGS, "opt_iterations": 5})
    assert all(np.array_equal(before[name], of(d, name), equal_nan=True) for name in before)
    assert options == {name: getattr(m, name) for name in m.layout.scalars}


@pytest.mark.parametrize("cone", CONES, ids=lambda x: x.name)
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda x: x.name)
def test_costs_gradients_and_counts_are_the_solvers_own(solver, cone):
    m, d = every_kind(opt_solver=solver, opt_cone=cone)
    trace, full = physics.solver_trace(m, d), solved(m, d)
    assert set(trace.problem.efc_type.tolist()) >= {0, 1, 2, 3, 5, int(ConstraintType.CONTACT_ELLIPTIC if cone else ConstraintType.CONTACT_PYRAMIDAL)}
    compared = 0
    for island in range(trace.nisland):
        n, scale = int(trace.niter[island]), trace.problem.trace[island]
        figures = trace.figures(island)
        assert n == full.solver_niter[island] and len(figures["cost"]) == n + 1
        if n:
            assert np.array_equal(figures["active"][1:], full.solver_nactive[island, :n])
            assert np.array_equal(figures["improvement"][1:], full.solver_improvement[island, :n])
        drop = -np.diff(figures["dual" if solver == Solver.PGS else "cost"]) / scale
        allowed = 1e-9 * np.abs(figures["cost"][0]) / scale + 1e-9 * np.abs(drop)
        if solver == Solver.PGS:        # a sweep's gain is counted from where Nesterov's step has led: the first begins at the start itself
            drop, allowed = drop[:1], allowed[:1]
        assert np.all(np.abs(drop - full.solver_improvement[island, :len(drop)]) <= allowed)
        compared += len(drop)
        if solver != Solver.PGS:
            assert np.allclose(figures["gradient"][1:] / scale, full.solver_gradient[island, :n], rtol=1e-6, atol=1e-11 * figures["gradient"][0] + 1e-13)
            assert np.array_equal(figures["neval"][1:], full.solver_neval[island, :n])
    assert compared >= 4


@pytest.mark.parametrize("cone", CONES, ids=lambda x: x.name)
@pytest.mark.parametrize("solver", (Solver.NEWTON, Solver.CG), ids=lambda x: x.name)
@pytest.mark.parametrize(("name", "steps"), (("humanoid.xml", 300), ("boxes.xml", 120), ("heap.xml", 400), ("quadruped.xml", 80)))
def test_costs_of_newton_and_cg_never_rise_and_islands_add_up(name, steps, solver, cone):
    m, d = of_ours(name, steps, opt_cone=cone)
    trace = physics.solver_trace(m, d, {"opt_solver": solver})
    assert trace.problem.nefc > 5
    whole = trace.figures()
    parts = [trace.figures(island) for island in range(trace.nisland)]
    for one in (whole, *parts):
        assert np.all(np.diff(one["cost"]) <= 1e-12 * np.abs(one["cost"][0]))
        assert np.allclose(one["cost"], one["gauss"] + one["constraint"], rtol=1e-15)
    assert whole["cost"][-1] == pytest.approx(sum(one["cost"][-1] for one in parts), rel=1e-12)
    assert whole["active"][-1] == sum(one["active"][-1] for one in parts) <= trace.problem.nefc
    assert np.hypot.reduce([one["gradient"][0] for one in parts]) == pytest.approx(whole["gradient"][0], rel=1e-12)
    assert np.all(trace.optimum <= [one["cost"][-1] for one in parts])
    assert trace.lowest() == pytest.approx(whole["cost"][-1], rel=1e-4)
    assert np.array_equal(trace.problem.tree_island, islands_of(m, solved(m, d)).tree_island)


@pytest.mark.parametrize("cone", CONES, ids=lambda x: x.name)
def test_the_cost_of_rows_is_the_official_one_in_every_zone(cone):
    m, d = every_kind(opt_cone=cone)
    d = solved(m, d)
    official = mujoco.MjModel.from_xml_string(EVERY_KIND)
    official.opt.cone = int(cone)
    theirs = mujoco.MjData(official)
    theirs.qpos[:], theirs.qvel[:], theirs.qacc_warmstart[:], theirs.time = d.qpos, d.qvel, d.qacc_warmstart, d.time
    mujoco.mj_forward(official, theirs)
    assert theirs.nefc == d.nefc and np.allclose(theirs.efc_D, d.efc_D[:d.nefc], rtol=1e-9) and np.array_equal(theirs.efc_type, d.efc_type[:d.nefc])
    problem = ConstraintProblem.of(m, d)
    rng, cost, seen = np.random.default_rng(4), np.zeros(1), set()
    scale = np.abs(problem.residual(d.qacc)).max()
    jars = rng.normal(size=(300, d.nefc)) * np.exp(rng.uniform(-12, 1, (300, 1))) * scale
    ours = problem.cost.at(jars)
    for k, jar in enumerate(jars):
        mujoco.mj_constraintUpdate(official, theirs, jar, cost, 0)
        assert ours.cost[k].sum() == pytest.approx(cost[0], rel=1e-9)
        assert np.allclose(ours.force[k], theirs.efc_force, rtol=1e-7, atol=1e-9 * np.abs(theirs.efc_force).max())
        assert np.array_equal(ours.state[k], theirs.efc_state)
        seen |= set(theirs.efc_state.tolist())
    assert seen == set(map(int, ConstraintState)) - (set() if cone else {int(ConstraintState.CONE)})


@pytest.mark.parametrize("cone", CONES, ids=lambda x: x.name)
def test_the_gradient_is_the_derivative_of_the_cost(cone):
    m, d = every_kind(opt_cone=cone)
    problem = ConstraintProblem.of(m, solved(m, d))
    rng = np.random.default_rng(2)
    for one in rng.normal(size=(5, m.nv)) * 3:
        step = 1e-6
        moved = np.concatenate([one + step * np.eye(m.nv), one - step * np.eye(m.nv)])
        costs = problem.at(moved).total
        numeric = (costs[:m.nv] - costs[m.nv:]) / (2 * step)
        assert np.allclose(problem.at(one).gradient, numeric, rtol=1e-4, atol=1e-4 * np.abs(numeric).max())


def test_pgs_has_the_cost_of_its_forces_and_ends_at_newtons_minimum():
    m, d = every_kind(opt_solver=Solver.PGS, opt_iterations=400, opt_tolerance=0.0)
    trace = physics.solver_trace(m, d, most=40)
    figures = trace.figures()
    gap = figures["cost"] + figures["dual"]         # of the two problems, at least zero
    assert np.all(gap > -1e-9 * np.abs(figures["cost"][0])) and gap[-1] < 1e-6 * gap[0]
    assert figures["cost"][-1] == pytest.approx(trace.lowest(), rel=1e-6)
    assert any("PGS" in note for note in trace.notes) and any("first 40" in note for note in trace.notes)
    assert figures["iteration"].tolist() == [*range(41), 400]


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda x: x.name)
def test_noslip_follows_the_solver(solver):
    m, d = every_kind(opt_solver=solver, opt_cone=Cone.ELLIPTIC, opt_iterations=15, opt_noslip_iterations=6)
    trace, full = physics.solver_trace(m, d), solved(m, d)
    stages = [one.stage for one in trace.iterates]
    assert stages.count(SOLVE) == trace.niter.max() and stages.count(NOSLIP) == trace.nnoslip.max() >= 2 and stages == sorted(stages, key=[START, SOLVE, NOSLIP].index)
    assert np.array_equal(trace.iterates[-1].qacc, full.qacc) and np.array_equal(trace.iterates[-1].efc_force, full.efc_force[:full.nefc])
    assert np.array_equal(trace.niter + trace.nnoslip, full.solver_niter[:trace.nisland])
    busiest = int(np.argmax(trace.nnoslip))
    noted = trace.figures(busiest)["improvement"][-int(trace.nnoslip[busiest]):]
    assert np.array_equal(noted, full.solver_improvement[busiest, trace.niter[busiest]:full.solver_niter[busiest]])


def test_the_discrete_integrator_is_traced_in_its_effective_mass_matrix():
    text = EVERY_KIND.replace("</mujoco>", '<actuator><position name="far" tendon="pull" kp="200" kv="20"/></actuator></mujoco>')
    m = physics.load_string(text)
    m.opt_integrator = INT_DISCRETE
    d = physics.Data(m)
    d.qvel[:] = 0.3
    physics.step(m, d, 25)
    trace, full = physics.solver_trace(m, d), solved(m, d)
    assert full.M_eff_coupled and len(trace.problem.coupling_weight) == 1
    assert np.array_equal(trace.iterates[-1].efc_force, full.efc_force[:full.nefc])
    for island in range(trace.nisland):
        figures, n = trace.figures(island), int(trace.niter[island])
        drop = -np.diff(figures["cost"]) / trace.problem.trace[island]
        assert np.allclose(drop, full.solver_improvement[island, :n], rtol=1e-9, atol=1e-9 * figures["cost"][0] / trace.problem.trace[island])
        assert figures["gradient"][-1] <= 1e-5 * (1 + figures["gradient"][0])
    assert any("effective mass matrix" in note for note in trace.notes)


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda x: x.name)
def test_without_islands_all_rows_are_one_problem(solver):
    m, d = every_kind(opt_solver=solver, opt_disableflags=DSBL_ISLAND)
    trace, full = physics.solver_trace(m, d), solved(m, d)
    assert trace.nisland == 1 and len(trace.problem.island_rows(0)) == trace.problem.nefc
    assert np.array_equal(trace.iterates[-1].qacc, full.qacc)
    if solver != Solver.PGS:
        figures = trace.figures(0)
        drop = -np.diff(figures["cost"]) / trace.problem.trace[0]
        assert np.allclose(drop, full.solver_improvement[0, :trace.niter[0]], rtol=1e-9, atol=1e-9 * figures["cost"][0] / trace.problem.trace[0])


def test_changes_are_for_the_trace_only_and_are_told():
    m, d = of_ours("boxes.xml", 120)
    other = physics.solver_trace(m, d, {"opt_cone": Cone.ELLIPTIC, "opt_solver": Solver.CG, "opt_impratio": 20.0, "opt_iterations": 4, "opt_disableflags": DSBL_WARMSTART})
    assert (other.solver, other.cone, other.options["opt_impratio"]) == ("CG", "ELLIPTIC", 20.0) and other.niter.max() == 4
    assert set(other.problem.efc_type.tolist()) == {CNSTR_CONTACT_ELLIPTIC}
    busiest = int(np.argmax(other.niter))
    assert other.ended(busiest) == "limit of 4 iterations"
    assert np.array_equal(other.iterates[0].qacc, other.problem.qacc_smooth)     # no warm start
    mine = physics.solver_trace(m, d)
    assert mine.cone == "PYRAMIDAL" and mine.solver == "NEWTON" and "tolerance" in mine.ended(int(np.argmax(mine.niter)))


def test_rows_islands_and_forces_of_contacts_have_names_and_numbers():
    m, d = every_kind(opt_cone=Cone.ELLIPTIC)
    trace, full = physics.solver_trace(m, d), solved(m, d)
    names = {(row_name(m, trace.problem, k), row_kind(trace.problem, k)) for k in range(trace.problem.nefc)}
    assert {("same", "equality"), ("shoulder", "friction loss"), ("pull", "friction loss"), ("floor and slick", "contact, normal")} <= names
    assert any(kind == "contact, spin" for _name, kind in names)
    assert any("arm" in island_name(m, trace.problem, k) for k in range(trace.nisland))
    for cone in CONES:
        m.opt_cone = cone
        trace, full = physics.solver_trace(m, d), solved(m, d)
        forces = trace.problem.contacts.forces(trace.problem.efc_type, trace.iterates[-1].efc_force)
        for c in range(full.ncon):
            assert np.allclose(forces[c], physics.contact_force(m, full, c), rtol=1e-12, atol=1e-12)


def test_what_cannot_be_traced_is_said():
    m, d = every_kind()
    with pytest.raises(ValueError, match="opt_solwer is no field of the options"):
        physics.solver_trace(m, d, {"opt_solwer": 1})
    with pytest.raises(ValueError, match="geom_friction is no field"):
        physics.solver_trace(m, d, {"geom_friction": 1})
    with pytest.raises(TraceStopped):
        physics.solver_trace(m, d, stop=lambda: True)
    assert any("RK4 solves four times" in note for note in physics.solver_trace(m, d, {"opt_integrator": INT_RK4}).notes)
    d.set_callback("cb_passive", lambda model, data: None)
    assert any("cb_passive" in note for note in physics.solver_trace(m, d).notes)
    d.qpos[0] = np.nan
    with pytest.raises(ValueError, match="no number"):
        physics.solver_trace(m, d)
    free = physics.load_string("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    nothing = physics.solver_trace(free, physics.Data(free))
    assert len(nothing.iterates) == 1 and nothing.nisland == 0 and nothing.lowest() == 0.0 and nothing.figures()["cost"].tolist() == [0.0]
    assert any("no constraint rows" in note for note in nothing.notes) and tuple(nothing.figures()) == COLUMNS
