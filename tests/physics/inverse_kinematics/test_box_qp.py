"""The kernel for quadratic problems within a box: against brute force, the NumPy solver and the interpreter."""
import numpy as np
import pytest

import physics
from physics.engine.linalg.box_qp import box_qp
from physics.inverse_kinematics.box_least_squares import box_least_squares, box_quadratic
from physics.inverse_kinematics.box_qp import BoxQP
from tests.physics.inverse_kinematics.test_box_least_squares import brute


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def _problem(n: int, seed: int) -> BoxQP:
    random = np.random.default_rng(seed)
    root = random.normal(size=(n, n))
    solver = BoxQP(n)
    solver.hessian[:], solver.gradient[:] = root @ root.T + 0.01 * np.eye(n), 3 * random.normal(size=n)
    solver.lo[:], solver.hi[:] = -random.uniform(0, 1, n), random.uniform(0, 1, n)
    return solver


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(20))
def test_the_minimum_is_that_of_all_sets_of_active_bounds(seed):
    solver = _problem(1 + seed % 5, seed)
    h, g = solver.hessian, solver.gradient
    x = solver.solve()
    assert (x >= solver.lo).all() and (x <= solver.hi).all()
    assert 0.5 * x @ h @ x - g @ x <= brute(h, g, solver.lo, solver.hi)[0] + 1e-10


@pytest.mark.nojit
def test_a_box_under_the_interpreter():
    compiled, plain = _problem(4, 3), _problem(4, 3)
    compiled.solve()
    box_qp.plain(plain.buffers, 4, 50)
    assert compiled.x == pytest.approx(plain.x, abs=1e-12)


@pytest.mark.parametrize("n", [12, 30, 50])
def test_larger_ones_are_those_of_the_other_solver_in_few_steps(n):
    steps = []
    for seed in range(20):
        solver = _problem(n, seed)
        solver.hessian += 0.1 * np.eye(n)
        expected = box_quadratic(solver.hessian, solver.gradient, solver.lo, solver.hi)
        assert solver.solve() == pytest.approx(expected, abs=1e-7)
        steps.append(solver.steps)
    assert max(steps) <= 30
    again = solver.solve()      # begins at the solution
    assert solver.steps <= 1 and again == pytest.approx(expected, abs=1e-8)


def test_least_squares_with_bounds_that_meet_and_bounds_that_are_not_there():
    random = np.random.default_rng(5)
    jacobian, residual, damping, rest = random.normal(size=(3, 6)), random.normal(size=3), random.uniform(0.1, 1, 6), random.normal(size=6)
    solver = BoxQP(6)
    solver.lo[:], solver.hi[:] = [-np.inf, 0.1, -0.1, 0, -np.inf, -np.inf], [np.inf, 0.1, 0.1, 0, np.inf, 0.05]
    for wanted in (None, rest):
        expected = box_least_squares(jacobian, residual, damping, solver.lo.copy(), solver.hi.copy(), wanted)
        assert solver.least_squares(jacobian, residual, damping, wanted) == pytest.approx(expected, abs=1e-10)


def test_what_is_no_problem_is_refused():
    solver = _problem(3, 0)
    solver.lo[1] = solver.hi[1] + 1
    with pytest.raises(ValueError, match="lower bound"):
        solver.solve()
    for wrong in (-np.eye(3), np.full((3, 3), np.nan)):
        solver = _problem(3, 0)
        solver.hessian[:] = wrong
        with pytest.raises(ValueError, match="positive definite"):
            solver.solve()
    assert BoxQP(0).solve().shape == (0,)
