"""Searches: which points they ask for, the same each time, and that they find what is best."""
import sys

import numpy as np
import pytest

from app.studies.searches import SEARCHES, SearchMissing, number_at, share_of
from app.studies.study import Parameter, Search

PLANE = (Parameter("a", -1.0, 3.0), Parameter("b", 0.01, 100.0, True))
PLACE = np.array([0.3, 0.8])


def best_of(how, trials=160, seed=0):
    """Of a parabola in the unit square: (all points, the best score)."""
    search = SEARCHES[how](PLANE, Search(how, trials, seed=seed))
    points, best = [], -np.inf
    while len(asked := search.ask()):
        scores = -np.square(asked - PLACE).sum(axis=1)
        scores[0] = np.nan      # a run that diverged
        search.tell(asked, scores)
        points.append(asked)
        best = max(best, np.nanmax(scores))
    return np.concatenate(points), best


@pytest.mark.parametrize("how", ["random", "sobol", "cem", "sampling", "mppi"])
def test_points_are_within_the_ranges_so_many_and_the_same_each_time(how):
    points, best = best_of(how)
    again, _best = best_of(how)
    other, _best = best_of(how, seed=1)
    assert points.shape == (160, 2) and points.min() >= 0 and points.max() <= 1 and np.array_equal(points, again) and not np.array_equal(points, other)
    assert best > {"cem": -1e-4, "mppi": -2e-3, "sampling": -2e-2}.get(how, -0.02)


def test_the_nominal_point_stays_among_the_samples_and_moves_as_the_searches_say():
    parameters = (Parameter("a", 0, 1), Parameter("b", 0, 1))
    for how in ("sampling", "mppi"):
        search = SEARCHES[how](parameters, Search(how, 40, 20, 0.2, 0))
        first = search.ask()
        assert first[0].tolist() == [0.5, 0.5]
        scores = -np.abs(first - 0.9).sum(axis=1)
        search.tell(first, scores)
        nominal = search.ask()[0]
        if how == "sampling":
            assert nominal.tolist() == first[scores.argmax()].tolist()      # the best
        else:
            weights = np.exp(3 * (scores - scores.max()) / scores.std())     # the weighted mean, by hand
            np.testing.assert_allclose(nominal, (weights[:, None] * first).sum(axis=0) / weights.sum())
        assert len(search.ask()) == 0


def test_a_grid_has_all_combinations_the_last_varying_fastest():
    parameters = (Parameter("a", 0, 2, False, (0.0, 2.0)), Parameter("b", 1, 100, True, (1.0, 10.0, 100.0)))
    points = SEARCHES["grid"](parameters, Search()).ask()
    assert [tuple(number_at(one, share) for one, share in zip(parameters, point, strict=True)) for point in points.tolist()] == [(a, b) for a in (0.0, 2.0) for b in (1.0, 10.0, 100.0)]


def test_a_sobol_sequence_is_more_even_than_chance():
    points, _best = best_of("sobol", 64)
    counts = np.histogram2d(*points.T, bins=8, range=[[0, 1], [0, 1]])[0]
    assert (counts == 1).all()


def test_numbers_of_a_range_with_even_ratios():
    one = Parameter("b", 0.01, 100.0, True)
    below = Parameter("c", -100000.0, -1000.0, True)
    assert number_at(one, 0.5) == pytest.approx(1.0) and share_of(one, 10.0) == pytest.approx(0.75)
    assert number_at(below, 0.0) == pytest.approx(-100000.0) and number_at(below, 0.5) == pytest.approx(-10000.0) and share_of(below, -1000.0) == pytest.approx(1.0)


@pytest.mark.parametrize("how", ["cma", "tpe"])
def test_searches_of_other_packages(how):
    points, best = best_of(how, 120)
    assert best > (-1e-3 if how == "cma" else -0.02) and points.min() >= 0 and points.max() <= 1


@pytest.mark.parametrize("how", ["cma", "tpe"])
def test_without_its_package_a_search_names_it(how, monkeypatch):
    monkeypatch.setitem(sys.modules, {"cma": "cma", "tpe": "optuna"}[how], None)
    with pytest.raises(SearchMissing, match="pip install"):
        SEARCHES[how](PLANE, Search(how, 10))
