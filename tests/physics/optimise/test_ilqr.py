"""iLQR: against the closed-form Riccati solution, on the shipped pendulum and cartpole, under constraints, and taken up again."""
import numpy as np
import pytest

import physics
from physics.optimise import Checkpoint, ControlCost, ILQROptions, ResidualCost, State, StateBounds, StateCost, StateGoal, UserConstraint, UserCost, linearise, solve_ilqr
from tests.architecture.sources import ROOT

SLIDERS = """<mujoco><option timestep=".05" gravity="0 0 0"/><worldbody><body><joint name="a" type="slide" axis="1 0 0" stiffness="2" damping=".3"/><geom size=".1" mass="2"/>
<body><joint name="b" type="slide" axis="0 1 0" damping=".1"/><geom size=".1" mass="1"/></body></body></worldbody>
<tendon><fixed name="t" stiffness="3"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon>
<actuator><motor joint="a"/><motor joint="b" gear="2"/></actuator></mujoco>"""
MASS = """<mujoco><option timestep=".1" gravity="0 0 0"/><worldbody><body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
<actuator><motor joint="0"/></actuator></mujoco>""".replace('joint="0"', 'joint="x"').replace('<joint type', '<joint name="x" type')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def made(text: str):
    m = physics.load_string(text)
    return m, physics.Data(m)


def riccati(a, b, q, r, qn, n):
    """Gains K_0 .. K_{n-1} and the cost matrix P_0 of a discrete finite-horizon regulator."""
    p, gains = qn, []
    for _ in range(n):
        k = np.linalg.solve(r + b.T @ p @ b, b.T @ p @ a)
        p = q + a.T @ p @ (a - b @ k)
        gains.append(k)
    return gains[::-1], p


def test_a_linear_problem_takes_one_step_to_the_riccati_solution():
    m, d = made(SLIDERS)
    d.qpos[:], d.qvel[:] = (0.5, -0.3), (0.2, 0.4)
    x0 = np.concatenate([d.qpos, d.qvel])
    linear = linearise(m, d.copy())
    n, w = 40, np.array([3.0, 1.0, 0.2, 0.1])
    gains, p = riccati(linear.A, linear.B, np.diag(w), np.diag([0.05, 0.1]), np.diag(10 * w), n)
    costs = [StateCost(w[:2], w[2:], at="running"), StateCost(10 * w[:2], 10 * w[2:], at="final"), ControlCost([0.05, 0.1])]
    found = solve_ilqr(m, d, np.zeros((n, 2)), costs)
    assert found.converged and found.iterations <= 3
    assert found.cost == pytest.approx(0.5 * x0 @ p @ x0, rel=1e-9)
    x = x0
    for k in range(n):
        u = -gains[k] @ x
        assert found.controls[k] == pytest.approx(u, abs=1e-7) and found.feedback[k] == pytest.approx(-gains[k], abs=1e-6)
        x = linear.A @ x + linear.B @ u


def test_a_control_held_for_several_steps_is_one_control():
    m, d = made(SLIDERS)
    d.qvel[:] = 0.3
    once, twice = linearise(m, d.copy()), linearise(m, d.copy(), 2)
    assert twice.A == pytest.approx(once.A @ once.A, abs=1e-9) and twice.B == pytest.approx(once.A @ once.B + once.B, abs=1e-9)
    end = d.copy()
    linearise(m, end, 2)
    physics.step(m, d, 2)
    assert np.array_equal(end.qpos, d.qpos)


def test_a_goal_with_the_least_effort_is_met():
    """A unit mass, 1 m in N steps from rest to rest: the least-norm controls of the linear system."""
    m, d = made(MASS)
    n, h = 20, 0.1
    rows = np.array([[h * h * (n - k) for k in range(n)], [h] * n])     # semi-implicit Euler
    least = rows.T @ np.linalg.solve(rows @ rows.T, [1.0, 0.0])
    goal = StateGoal(State(np.ones(1), np.zeros(1), np.zeros(0)))
    found = solve_ilqr(m, d, np.zeros((n, 1)), [ControlCost(1.0)], [goal], ILQROptions(constraint_tolerance=1e-8))
    assert found.converged and found.violation < 1e-8 and found.outer >= 1
    assert found.controls[:, 0] == pytest.approx(least, abs=1e-6)


def test_bounds_of_controls_hold_exactly_and_are_used():
    m, d = made(MASS)
    goal = State(np.ones(1), np.zeros(1), np.zeros(0))
    found = solve_ilqr(m, d, np.full((20, 1), 3.0), [StateCost(100.0, 1.0, target=goal), ControlCost(1e-3)], options=ILQROptions(bounds=(-1.0, 0.8)))
    u = found.controls[:, 0]
    assert found.converged and u.min() == -1.0 and u.max() == 0.8
    # optimal: no bounded control gains by moving inwards (gradient by differences of the cost)
    def cost(controls):
        e = d.copy()
        total = 0.0
        for k in range(21):
            total += 0.5 * (100 * (e.qpos[0] - 1) ** 2 + e.qvel[0] ** 2)
            if k < 20:
                e.ctrl[:] = controls[k]
                total += 0.5e-3 * controls[k] ** 2
                physics.step(m, e)
        return total
    slope = np.array([(cost(u + 1e-5 * e) - cost(u - 1e-5 * e)) / 2e-5 for e in np.eye(20)])
    assert (slope[u == 0.8] < 1e-3).all() and (slope[u == -1.0] > -1e-3).all()
    assert np.abs(slope[(u > -1) & (u < 0.8)]).max() < 1e-3


def test_bounds_of_states_and_user_constraints_hold():
    m, d = made(MASS)
    goal = StateGoal(State(np.ones(1), np.zeros(1), np.zeros(0)))
    bounds = StateBounds(qvel={0: (-np.inf, 0.45)})
    push = UserConstraint(lambda m, d, u, k: u * u - 0.36, at="running")
    found = solve_ilqr(m, d, np.zeros((30, 1)), [ControlCost(0.1)], [goal, bounds, push], ILQROptions(constraint_tolerance=1e-5))
    speeds = np.array([x.qvel[0] for x in found.states])
    assert found.converged and speeds.max() == pytest.approx(0.45, abs=1e-4) and np.abs(found.controls).max() < 0.6 + 1e-5
    free = solve_ilqr(m, d, np.zeros((30, 1)), [ControlCost(0.1)], [goal])
    assert max(x.qvel[0] for x in free.states) > 0.48 and np.abs(free.controls).max() > 0.62


def test_user_costs_expand_as_the_quadratic_that_they_are():
    m, d = made(SLIDERS)
    d.qpos[:] = 0.3, 0.1
    own = [StateCost(2.0, 0.5), ControlCost(0.1)]
    as_residual = [ResidualCost(lambda m, d, u, k: np.concatenate([d.qpos, d.qvel, [] if u is None else u]), weights=None or [2, 2, .5, .5, .1, .1], at="running"),
                   ResidualCost(lambda m, d, u, k: np.concatenate([d.qpos, d.qvel]), weights=[2, 2, .5, .5], at="final")]
    as_number = [UserCost(lambda m, d, u, k: d.qpos @ d.qpos + 0.25 * d.qvel @ d.qvel + (0.0 if u is None else 0.05 * u @ u))]
    first, second, third = (solve_ilqr(m, d, np.zeros((15, 2)), costs) for costs in (own, as_residual, as_number))
    assert second.cost == pytest.approx(first.cost, rel=1e-8) and second.controls == pytest.approx(first.controls, abs=1e-5)
    assert third.cost == pytest.approx(first.cost, rel=1e-6) and third.controls == pytest.approx(first.controls, abs=1e-3)


def swing_up(name: str, report=None, checkpoint=None, iterations=200):
    """The shipped model from hanging to upright, within its controls' range."""
    m = physics.load(ROOT / "models" / f"{name}.xml")
    m.opt_timestep, m.opt_integrator = 0.01, physics.Integrator.IMPLICITFAST      # coarser than shipped, so that it is quick
    d = physics.Data(m)
    if name == "cartpole":
        d.qpos[:] = 0.0, np.pi
        top, knots, nstep = State(np.zeros(2), np.zeros(2), np.zeros(0)), 60, 4
    else:
        d.qpos[:] = 0.0
        top, knots, nstep = State(np.array([np.pi]), np.zeros(1), np.zeros(0)), 100, 6
    options = ILQROptions(nstep=nstep, iterations=iterations, constraint_tolerance=1e-4, cost_tolerance=1e-5)
    guess = 0.5 * np.sin(3.0 * nstep * m.opt_timestep * np.arange(knots))[:, None]
    return m, d, solve_ilqr(m, d, guess, [ControlCost(0.1)], [StateGoal(top)], options, report, checkpoint)


@pytest.mark.parametrize("name", ["pendulum", "cartpole"])
def test_shipped_models_swing_up_within_their_controls(name):
    m, d, found = swing_up(name)
    assert found.converged and found.violation < 1e-4
    low, high = m.actuator_ctrlrange[0]
    assert (found.controls >= low).all() and (found.controls <= high).all()
    nstep = {"pendulum": 6, "cartpole": 4}[name]
    for u in found.controls:    # the controls by themselves lead there
        d.ctrl[:] = u
        physics.step(m, d, nstep)
    assert d.qpos == pytest.approx(found.states[-1].qpos, abs=1e-9)
    goal = [np.pi] if name == "pendulum" else [0.0, 0.0]
    assert d.qpos == pytest.approx(goal, abs=1e-4) and d.qvel == pytest.approx(np.zeros(m.nv), abs=1e-4)


def fold(report=None, checkpoint=None, iterations=200):
    """Two links from hanging to a pose at rest, within bounds: several updates of the multipliers."""
    m, d = made("""<mujoco><option timestep=".02"/><worldbody><body><joint name="a" axis="0 1 0" damping=".3"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass="1"/>
    <body pos="0 0 -.5"><joint name="b" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.5" mass=".5"/></body></body></worldbody>
    <actuator><motor joint="a" gear="8"/><motor joint="b" gear="4"/></actuator></mujoco>""")
    goal = StateGoal(State(np.array([1.0, -1.5]), np.zeros(2), np.zeros(0)))
    options = ILQROptions(nstep=2, iterations=iterations, bounds=(-1.0, 1.0))
    return solve_ilqr(m, d, np.zeros((20, 2)), [ControlCost(0.1)], [goal], options, report, checkpoint)


@pytest.mark.parametrize("after", [2, 7])
def test_a_search_taken_up_again_ends_in_the_same_numbers(tmp_path, after):
    whole, path, seen = fold(), tmp_path / "fold.npz", []

    def stop(progress):
        seen.append(progress)
        return len(seen) < after

    assert whole.converged and whole.outer >= 2 and whole.iterations > 8
    part = fold(stop, Checkpoint(path))
    assert not part.converged and part.why == "stopped by the report" and part.iterations == seen[-1].done == after
    rest = fold(checkpoint=Checkpoint(path))
    assert np.array_equal(rest.controls, whole.controls) and rest.costs == whole.costs and rest.iterations == whole.iterations
    again = fold(checkpoint=Checkpoint(path))    # nothing is left to do
    assert np.array_equal(again.controls, whole.controls) and again.iterations == whole.iterations and again.converged
    assert np.array_equal(again.feedback, whole.feedback)


def test_more_iterations_go_on_from_where_they_were_used_up(tmp_path):
    short = fold(checkpoint=Checkpoint(tmp_path / "a.npz"), iterations=4)
    assert short.why == "the iterations are used up" and short.iterations == 4
    assert np.array_equal(fold(checkpoint=Checkpoint(tmp_path / "a.npz")).controls, fold().controls)


def test_a_checkpoint_of_another_search_is_refused(tmp_path):
    m, d = made(MASS)
    solve_ilqr(m, d, np.zeros((5, 1)), [ControlCost(1.0)], checkpoint=Checkpoint(tmp_path / "a.npz"))
    with pytest.raises(ValueError, match="another search"):
        solve_ilqr(m, d, np.ones((5, 1)), [ControlCost(1.0)], checkpoint=Checkpoint(tmp_path / "a.npz"))
    (tmp_path / "b.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="no checkpoint"):
        solve_ilqr(m, d, np.zeros((5, 1)), [ControlCost(1.0)], checkpoint=Checkpoint(tmp_path / "b.npz"))


def test_rotations_are_tracked_along_their_tangent():
    """A free body turned by a half turn's quarter about one axis, wanted upright: torque about that axis alone."""
    m, d = made("""<mujoco><option timestep=".02" gravity="0 0 0"/><worldbody><site name="w"/><body><freejoint/><geom type="box" size=".1 .2 .3" mass="1"/><site name="s"/></body></worldbody>
    <actuator><motor site="s" gear="0 0 0 1 0 0"/><motor site="s" gear="0 0 0 0 1 0"/><motor site="s" gear="0 0 0 0 0 1"/></actuator></mujoco>""")
    d.qpos[3:7] = np.cos(0.4), 0.0, np.sin(0.4), 0.0
    weights = [1, 1, 1, 20, 20, 20]
    found = solve_ilqr(m, d, np.zeros((30, 3)), [StateCost(weights, 0.1), ControlCost(1e-4)])
    assert found.converged and np.abs(found.controls[:, [0, 2]]).max() < 1e-5
    turn = physics.differentiate_pos(m, m.qpos0, found.states[-1].qpos)
    assert np.abs(turn[3:]).max() < 0.05


def test_what_does_not_fit_is_refused():
    m, d = made(MASS)
    with pytest.raises(ValueError, match="controls"):
        solve_ilqr(m, d, np.zeros((3, 2)), [])
    with pytest.raises(ValueError, match="weights"):
        solve_ilqr(m, d, np.zeros((3, 1)), [StateCost(-1.0)])
    with pytest.raises(ValueError, match="knots"):
        solve_ilqr(m, d, np.zeros((3, 1)), [StateCost(1.0, at="sometimes")])
    with pytest.raises(ValueError, match="target"):
        solve_ilqr(m, d, np.zeros((3, 1)), [StateCost(1.0, target=State(np.zeros(2), np.zeros(1), np.zeros(0)))])
    with pytest.raises(ValueError, match="bounds"):
        solve_ilqr(m, d, np.zeros((3, 1)), [], options=ILQROptions(bounds=(1.0, -1.0)))


def test_derivatives_of_several_steps_are_the_product_of_those_of_each():
    """Batched differences over a control's steps against the chain of the steps' own, with contacts, a free body, an applied force, and a control at the end of its range."""
    from physics.optimise.engine_derivatives import Start, linearise_knots
    from physics.optimise.tangent import Tangent
    m, d = made("""<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/>
    <body pos="0 0 .2"><joint name="h" axis="0 1 0" damping=".1"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/></body></body></worldbody>
    <actuator><motor joint="h" ctrlrange="-1 1"/></actuator></mujoco>""")
    physics.step(m, d, 300)
    d.qfrc_applied[0], starts, controls = 1.0, [], np.array([[0.3], [1.0]])
    for u in controls:
        d.ctrl[:] = u
        starts.append(Start(d.time, Tangent(m).state(d), d.qacc_warmstart.copy()))
        physics.step(m, d, 4)
    for start, u, linear in zip(starts, controls, linearise_knots(m, d.copy(), starts, controls, 4)):
        start.put(d)
        d.ctrl[:] = u
        chain = linearise(m, d, 4)
        scale = np.abs(chain.A).max()
        assert np.abs(linear.A - chain.A).max() < 1e-3 * scale and np.abs(linear.B - chain.B).max() < 1e-3 * np.abs(chain.B).max()


def test_a_step_without_derivatives_ends_the_search_with_what_there_is(monkeypatch):
    from physics.optimise import ilqr as module
    m, d = made(MASS)
    whole, calls = module.linearise_knots, []

    def failing(*arguments):
        calls.append(1)
        if len(calls) == 2:
            raise ValueError("the step from time 0.3 s has no solution")
        return whole(*arguments)

    monkeypatch.setattr(module, "linearise_knots", failing)
    goal = State(np.ones(1), np.zeros(1), np.zeros(0))
    found = solve_ilqr(m, d, np.zeros((10, 1)), [StateCost(1.0, target=goal), ControlCost(0.1), UserCost(lambda m, d, u, k: d.qpos[0] ** 4)], [StateGoal(goal)])
    assert not found.converged and "no solution" in found.why and found.iterations == 1 and found.cost < found.costs[0] + 1e-9
