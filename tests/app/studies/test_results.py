"""What is known of a study as its trials come: points when all their seeds are there, the best, and the same numbers however often somebody looks."""
import math

import numpy as np
import pytest

from app.studies.results import Results, Row


def filled(results, looks):
    rng = np.random.default_rng(0)
    for trial in range(60):
        value = math.nan if trial == 17 else float(rng.normal())
        results.add(Row(trial, trial // 3, trial % 3, {"a": float(trial // 3), "b": -1.0}, value))
        if looks:
            results.points()
    return results


@pytest.mark.parametrize("largest", [True, False])
def test_points_are_the_means_of_their_seeds(largest):
    results = filled(Results(("a", "b"), largest, 3), False)
    trials, values, means = results.points()
    by_hand = [np.mean([row.value for row in results.rows if row.point == point]) for point in range(20)]
    assert trials.tolist() == list(range(0, 60, 3)) and values.tolist() == [[float(k), -1.0] for k in range(20)]
    np.testing.assert_array_equal(means, by_hand)
    best = np.nanmax(by_hand) if largest else np.nanmin(by_hand)
    assert results.best() == (3 * by_hand.index(best), best) and results.best_so_far()[-1] == best
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(results.points(), filled(Results(("a", "b"), largest, 3), True).points(), strict=True))


def test_a_point_counts_when_all_its_seeds_are_there():
    results = Results(("a",), True, 2)
    assert [len(part) for part in results.points()] == [0, 0, 0] and results.best()[0] == -1 and not len(results.best_so_far())
    results.add(Row(0, 0, 0, {"a": 1.0}, 5.0))
    assert not len(results.points()[0])
    results.add(Row(1, 0, 1, {"a": 1.0}, 7.0))
    assert results.points()[2].tolist() == [6.0] and results.points()[1].tolist() == [[1.0]]
