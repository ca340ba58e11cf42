"""Figures of curves against what is known of them."""
import numpy as np
import pytest

from physics.quantities.statistics import figures, histogram, spectrum


def test_a_sine_over_whole_periods():
    t = np.linspace(0, 2, 2001)
    found = figures(t, 3 + 2 * np.sin(2 * np.pi * 5 * t))
    assert np.isclose(found.mean, 3, atol=1e-9) and np.isclose(found.rms, np.sqrt(9 + 2), rtol=1e-6)
    assert np.isclose(found.least, 1, atol=1e-3) and np.isclose(found.most, 5, atol=1e-3) and found.count == 2001


def test_time_is_the_weight_however_moments_are_spaced():
    t = np.concatenate([np.linspace(0, 1, 1000), [2.0]])
    assert np.isclose(figures(t, t).mean, 1.0, atol=1e-6)


def test_an_exponential_settles_after_four_time_constants():
    t = np.linspace(0, 5, 50001)
    assert np.isclose(figures(t, 1 - np.exp(-t / 0.25)).settling, 0.25 * np.log(50), rtol=1e-3)     # within 2 %


def test_what_never_settles_has_no_settling_time():
    t = np.linspace(0, 1, 1000)
    assert np.isnan(figures(t, t).settling)
    assert figures(t, np.ones(1000)).settling == 0.0


def test_missing_values_are_left_out():
    found = figures(np.arange(4.0), np.array([1.0, np.nan, 3.0, np.nan]))
    assert found.count == 2 and found.mean == 2.0
    assert figures(np.zeros(3), np.full(3, np.nan)).count == 0


@pytest.mark.parametrize("even", [True, False])
def test_the_spectrum_has_the_amplitude_of_a_sine_at_its_frequency(even):
    t = np.linspace(0, 4, 4001)
    if not even:
        t = t + 1e-4 * np.random.default_rng(1).uniform(size=4001)
    frequency, amplitude = spectrum(t, 7 + 3 * np.sin(2 * np.pi * 20 * t))
    top = int(np.argmax(amplitude))
    assert np.isclose(frequency[top], 20, atol=0.1) and np.isclose(amplitude[top], 3, rtol=0.02) and amplitude[0] < 0.01
    assert spectrum(t[:3], t[:3])[0].size == 0


def test_shares_of_a_histogram():
    edges, shares = histogram(np.array([0, 0, 0, 1, np.nan]), 2)
    assert np.array_equal(edges, [0, 0.5, 1]) and np.array_equal(shares, [0.75, 0.25])
