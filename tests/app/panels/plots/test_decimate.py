"""What is drawn of a curve with many points: no peak is lost, and it does not flicker as the view moves on."""
import numpy as np
import pytest

from app.panels.plots.decimate import decimated

X = np.arange(10_000, 30_000)


@pytest.fixture
def y():
    return np.random.default_rng(2).normal(size=len(X))


def test_few_points_are_drawn_as_they_are(y):
    x, drawn = decimated(X, y, 12_000, 12_500, 400)
    assert x[0] == 11_999 and x[-1] == 12_501 and len(x) == 503     # one beyond on either side: the lines go on
    np.testing.assert_array_equal(drawn, y[1999:2502])
    assert len(decimated(X[:0], y[:0], 0, 1, 100)[0]) == 0 and len(decimated(X[:1], y[:1], 0, 1, 100)[0]) == 1


@pytest.mark.parametrize("pixels", (100, 333, 600))
def test_of_many_the_extremes_of_all_within_two_pixels_are_kept(y, pixels):
    x, drawn = decimated(X, y, 10_000, 30_000, pixels)
    width = len(X) / pixels
    assert pixels <= len(x) <= 2.1 * pixels and np.all(np.diff(x) >= 0)
    for k in range(0, len(x), 2):
        group = y[(x[k] <= X) & (x[k + 2] > X if k + 2 < len(x) else True)]
        assert (drawn[k], drawn[k + 1]) == (group.min(), group.max()) and len(group) <= 2 * width


def test_a_curve_that_comes_back_to_where_it_began_is_thinned_too(y):
    x = np.concatenate((X[:2000], X[:2000], X[:1])).astype(float)      # the same times again, as after a reset
    with np.errstate(all="raise"):
        found, drawn = decimated(x, y[:4001], X[0], X[1999], 200)
    assert 200 < len(found) < 900 and drawn.max() == y[:4001].max() and drawn.min() == y[:4001].min()


def test_groups_stay_as_the_view_moves_on(y):
    before = dict(zip(*(part.tolist() for part in decimated(X, y, 11_000, 21_000, 300)), strict=True))
    after = dict(zip(*(part.tolist() for part in decimated(X, y, 11_007, 21_007, 300)), strict=True))
    inside = [place for place in after if 11_100 < place < 20_900]
    assert len(inside) > 140 and all(before[place] == after[place] for place in inside)


def test_what_has_no_value_is_left_out_and_a_gap_stays(y):
    y[5000:10_000], y[77] = np.nan, np.nan
    x, drawn = decimated(X, y, 10_000, 30_000, 200)
    gap = np.isnan(drawn)
    assert gap.any() and x[gap].min() >= 15_000 and x[gap].max() < 20_000 and not gap[:4].any()
