"""Measures of responses against closed forms of second-order signals."""
from math import acos, degrees, exp, isnan, log, pi, sqrt

import numpy as np
import pytest

from physics.tuning.servos.measures import ramp_lag, saturation_share, sine_measures, step_measures

T = np.arange(0.0, 6.0, 1e-4)


def step_response(w, zeta, t):
    """Unit step of w^2 / (s^2 + 2 zeta w s + w^2)."""
    if zeta == 1:
        return 1 - (1 + w * t) * np.exp(-w * t)
    if zeta > 1:
        root = sqrt(zeta ** 2 - 1)
        a, b = w * (zeta - root), w * (zeta + root)
        return 1 - (b * np.exp(-a * t) - a * np.exp(-b * t)) / (b - a)
    wd = w * sqrt(1 - zeta ** 2)
    return 1 - np.exp(-zeta * w * t) * np.sin(wd * t + acos(zeta)) / sqrt(1 - zeta ** 2)


@pytest.mark.parametrize("zeta", [.1, .3, .7])
def test_overshoot_and_peak_of_an_oscillation(zeta):
    w, before = 11.0, .25
    t = T - before
    y = 2 + .5 * np.where(t > 0, step_response(w, zeta, np.maximum(t, 0)), 0)
    r = np.where(T >= before, 2.5, 2.0)
    found = step_measures(T, r, y)
    assert found.overshoot == pytest.approx(exp(-pi * zeta / sqrt(1 - zeta ** 2)), rel=1e-3)
    assert found.peak_time == pytest.approx(pi / (w * sqrt(1 - zeta ** 2)), abs=2e-4)
    assert found.start == pytest.approx(2) and found.final == pytest.approx(2.5, abs=1e-3) and found.steady_error == pytest.approx(0, abs=1e-3)


def test_rise_and_settling_of_a_critical_one():
    w = 20.0
    found = step_measures(T, np.ones_like(T), step_response(w, 1.0, T))
    # (1 + x) exp(-x) = 0.9, 0.1, 0.02 at these x
    assert found.rise == pytest.approx((3.889720 - 0.531812) / w, rel=1e-5)
    assert found.settling == pytest.approx(5.833921 / w, rel=1e-5)
    assert found.overshoot < 1e-9


def test_settling_of_an_oscillation_is_where_it_stays_inside():
    w, zeta = 30.0, .2
    found = step_measures(T, np.ones_like(T), step_response(w, zeta, T))
    y = step_response(w, zeta, T)
    assert abs(y[T > found.settling] - 1).max() < .02 < abs(y[T > found.settling - .01] - 1).max()
    assert found.settling <= -log(.02 * sqrt(1 - zeta ** 2)) / (zeta * w)


def test_steady_error_and_what_does_not_happen():
    y = .8 * step_response(20.0, 1.0, T)
    assert step_measures(T, np.ones_like(T), y).steady_error == pytest.approx(.2)
    moving = step_measures(T, np.ones_like(T), step_response(.8, 1.0, T), final=1.0)
    assert isnan(moving.settling) and not isnan(moving.rise)
    still = step_measures(T, np.ones_like(T), np.zeros_like(T))
    assert isnan(still.rise) and still.steady_error == 1


def test_a_downward_step_has_the_same_measures():
    y, r = step_response(20.0, .4, T), np.ones_like(T)
    up, down = step_measures(T, r, y), step_measures(T, -r, -y)
    assert (up.rise, up.overshoot, up.settling) == (down.rise, down.overshoot, down.settling)


def test_gain_and_phase_of_a_sine():
    w, zeta, f = 2 * pi * 8, .6, 5.0
    s = 2j * pi * f
    G = w * w / (s * s + 2 * zeta * w * s + w * w)
    r = .3 + .2 * np.sin(2 * pi * f * T + .4)
    y = .3 + .2 * abs(G) * np.sin(2 * pi * f * T + .4 + np.angle(G)) + .5 * np.exp(-20 * T)
    found = sine_measures(T, r, y, f, skip=2.0)
    assert found.gain == pytest.approx(abs(G), rel=1e-6) and found.phase == pytest.approx(degrees(np.angle(G)), abs=1e-4) and found.residual < 1e-6
    with pytest.raises(ValueError, match="no period"):
        sine_measures(T, r, y, .1)


def test_lag_on_a_ramp():
    w, zeta, rate = 25.0, .8, 1.5
    lag = 2 * zeta / w
    error, time = ramp_lag(T, rate * T, rate * (T - lag * (1 - np.exp(-w * T))))
    assert error == pytest.approx(rate * lag, rel=1e-6) and time == pytest.approx(lag, rel=1e-6)


def test_share_of_saturated_samples():
    assert saturation_share([-5, -5, 0, 1, 2, 3, 4, 5.5], (-5, 5)) == 3 / 8


def test_arrays_must_fit():
    with pytest.raises(ValueError, match="one size"):
        step_measures(T, T, T[1:])
