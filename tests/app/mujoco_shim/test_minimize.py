"""mujoco.minimize under `linkwork exec`: minima with and without bounds, why a search ends, derivatives that are wrong."""
import io

import numpy as np
import pytest
import scipy.optimize

from app.mujoco_shim.mujoco import minimize


def banana(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


@pytest.mark.parametrize("bounds", [None, ([-2, -2], [2, 2]), ([-2, 2], [.5, 3]), ([-2, -2], [.5, 2]), ([1.5, -10], [10, 10])])
def test_the_minimum_is_that_of_another_method(bounds):
    x, trace = minimize.least_squares(np.zeros(2), banana, bounds=bounds, verbose=0)
    start = np.clip(np.zeros(2), *bounds) if bounds else np.zeros(2)
    wanted = scipy.optimize.least_squares(banana, start, bounds=bounds or (-np.inf, np.inf), xtol=1e-14, ftol=1e-14, gtol=1e-12)
    np.testing.assert_allclose(x, wanted.x, atol=1e-5)
    assert [log.objective for log in trace] == sorted((log.objective for log in trace), reverse=True)


def test_points_outside_the_bounds_are_never_asked_for():
    seen = []
    minimize.least_squares(np.array([3.0, -3.0]), lambda x: seen.append(x) or banana(x), bounds=([-1, -1], [.5, .2]), verbose=0)
    points = np.concatenate(seen, axis=1)
    assert (points >= [[-1], [-1]]).all() and (points <= [[.5], [.2]]).all()


def test_a_residual_that_is_no_number_is_gone_around():
    with np.errstate(invalid="ignore"):
        x, _ = minimize.least_squares(np.array([10.0]), np.log, verbose=0)
    assert x == pytest.approx(1)


def test_scales_by_the_jacobian_help_where_columns_differ_widely():
    def powell(x):
        return np.stack([1e4 * x[0] * x[1] - 1, np.exp(-x[0]) + np.exp(-x[1]) - 1.0001])

    x, trace = minimize.least_squares(np.array([0.0, 1.0]), powell, x_scale="jac", verbose=0)
    np.testing.assert_allclose(x, [1.098159e-5, 9.106146], rtol=1e-5)
    assert len(trace) < 70


@pytest.mark.parametrize(("named", "text"), [({}, "norm(gradient) < tol"), ({"max_iter": 2}, "maximum iterations"), ({"xtol": 1.0}, "norm(dx) < tol")])
def test_why_the_search_ended_is_printed(named, text):
    out = io.StringIO()
    minimize.least_squares(np.zeros(2), banana, output=out, verbose=minimize.Verbosity.FINAL, **named)
    assert len(out.getvalue().splitlines()) == 1
    assert text in out.getvalue()


def test_everything_of_an_iteration_is_kept_where_that_is_asked_for():
    _, trace = minimize.least_squares(np.zeros(2), banana, output=io.StringIO(), verbose=minimize.Verbosity.FULLITER)
    first = trace[0]
    np.testing.assert_allclose(first.jacobian, [[-1, 0], [0, 10]], atol=1e-6)
    np.testing.assert_allclose(first.grad[:, 0], [-1, 0], atol=1e-6)
    np.testing.assert_allclose(first.candidate + first.step[:, 0], trace[1].candidate)


def test_a_wrong_jacobian_is_named():
    with pytest.raises(ValueError, match="Jacobian does not match"):
        minimize.least_squares(np.zeros(2), banana, jacobian=lambda x, r: np.array([[-1, 0], [-20 * x[0, 0], 15]]), check_derivatives=True, verbose=0)


@pytest.mark.parametrize(("named", "text"), [({"bounds": [[0, 0]]}, "two arrays"), ({"bounds": ([0], [1])}, "2 numbers"), ({"bounds": ([0, 1], [1, 1])}, "below"),
                                             ({"x_scale": "no"}, "x_scale"), ({"x_scale": [1, -1]}, "positive")])
def test_what_does_not_fit_is_named(named, text):
    with pytest.raises(ValueError, match=text):
        minimize.least_squares(np.zeros(2), banana, verbose=0, **named)
