"""The step within a box: against brute force over all sets of active bounds."""
from itertools import product

import numpy as np
import pytest

from physics.inverse_kinematics import box_least_squares as module
from physics.inverse_kinematics.box_least_squares import box_least_squares, box_quadratic


def brute(hessian, gradient, lo, hi):
    """The best of the solutions with each dof free, at its lower or at its upper bound."""
    best, n = None, len(gradient)
    for choice in product((0, 1, 2), repeat=n):
        x = np.where(np.array(choice) == 1, lo, hi)
        free = np.flatnonzero(np.array(choice) == 0)
        fixed = np.flatnonzero(np.array(choice) != 0)
        if len(free):
            x[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free] - hessian[np.ix_(free, fixed)] @ x[fixed])
        if (x < lo - 1e-12).any() or (x > hi + 1e-12).any():
            continue
        cost = 0.5 * x @ hessian @ x - gradient @ x
        if best is None or cost < best[0]:
            best = cost, x
    return best


@pytest.mark.parametrize("circles", [False, True], ids=["active set", "projected Newton"])
@pytest.mark.parametrize("seed", range(40))
def test_the_minimum_within_the_box_is_found(seed, circles):
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 6))
    root = random.normal(size=(n, n))
    hessian, gradient = root @ root.T + 0.01 * np.eye(n), 3 * random.normal(size=n)
    lo, hi = -random.uniform(0, 1, n), random.uniform(0, 1, n)
    x = module._projected_newton(hessian, gradient, lo, hi) if circles else box_quadratic(hessian, gradient, lo, hi, random.integers(-1, 2, n).astype(np.int8))
    assert (x >= lo - 1e-12).all() and (x <= hi + 1e-12).all()
    assert 0.5 * x @ hessian @ x - gradient @ x <= brute(hessian, gradient, lo, hi)[0] + 1e-9


def test_without_bounds_it_is_damped_least_squares():
    random = np.random.default_rng(3)
    jacobian, residual, damping = random.normal(size=(3, 5)), random.normal(size=3), random.uniform(0.1, 1, 5)
    infinite = np.full(5, np.inf)
    rest = random.normal(size=5)
    rows = np.vstack([jacobian, np.diag(np.sqrt(damping))])
    for target, wanted in ((None, np.zeros(5)), (rest, rest)):
        expected = np.linalg.lstsq(rows, np.concatenate([residual, np.sqrt(damping) * wanted]), rcond=None)[0]
        assert np.allclose(box_least_squares(jacobian, residual, damping, -infinite, infinite, target), expected, atol=1e-10)


def test_a_dof_whose_bounds_meet_stays():
    x = box_quadratic(np.eye(2), np.array([1.0, 1.0]), np.array([0.0, -5.0]), np.array([0.0, 5.0]))
    assert x.tolist() == [0.0, 1.0]
