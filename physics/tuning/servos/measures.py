"""What a response is worth, from its samples alone: rise, overshoot, settling, steady error, lag on a ramp, gain and phase of a sine, saturation. Pure functions over arrays.

Times between samples are found by straight lines. Source of the terms: Åström and Murray, "Feedback Systems", 2008, section 5.3.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import atan2, degrees, hypot, nan, pi, sqrt

import numpy as np

SETTLED = 0.02      # of the change: the band of the settling time
NEGLIGIBLE = 1e-12  # a change below that is none
FREQUENCIES = 300   # at which a transfer function is looked at


@dataclass(frozen=True, slots=True)
class StepMeasures:
    """start, final: the response before the step and where it ends. rise [s]: from 10 to 90 % of the change; peak_time [s] after the step. overshoot: beyond final, as a share
    of the change. settling [s]: after the step, until it stays within 2 % of the change about final. steady_error: reference - final. NaN for what did not happen (a response
    that has not settled has no settling)."""

    start: float
    final: float
    rise: float
    overshoot: float
    peak_time: float
    settling: float
    steady_error: float


@dataclass(frozen=True, slots=True)
class SineMeasures:
    """gain: amplitude of the response over that of the reference. phase [degrees]: of the response after the reference, negative where it lags. centre: the mean of the
    response. residual: root mean square of what is no sine of this frequency, as a share of the response's amplitude."""

    gain: float
    phase: float
    centre: float
    residual: float


def step_measures(time, reference, response, final: float | None = None, band: float = SETTLED) -> StepMeasures:
    """Measures of a step in the reference (n) at the first sample where it changes (the first one where it is constant) and of the response (n), over time (n) [s].

    final: where the response ends, by default the mean of its last twentieth. Raises ValueError for arrays of different or too small size.
    """
    t, r, y = _arrays(time, reference, response)
    changes = np.flatnonzero(np.diff(r) != 0.0)
    first = int(changes[0]) + 1 if changes.size else 0
    start = float(y[first])
    end = float(np.mean(y[-max(1, len(y) // 20):])) if final is None else float(final)
    t, y, change = t[first:] - t[first], y[first:], end - start
    error = float(r[-1]) - end
    if abs(change) < NEGLIGIBLE:
        return StepMeasures(start, end, nan, 0.0, nan, 0.0, error)
    share = (y - start) / change
    low, high = _crossing(t, share, 0.1), _crossing(t, share, 0.9)
    peak = int(share.argmax())
    return StepMeasures(start, end, high - low, max(0.0, float(share[peak]) - 1.0), float(t[peak]), _settling(t, share, band), error)


def _crossing(t: np.ndarray, share: np.ndarray, level: float) -> float:
    """When the share of the change first reaches the level; NaN where it never does."""
    above = np.flatnonzero(share >= level)
    if not above.size:
        return nan
    k = int(above[0])
    if k == 0:
        return float(t[0])
    part = (level - share[k - 1]) / (share[k] - share[k - 1])
    return float(t[k - 1] + part * (t[k] - t[k - 1]))


def _settling(t: np.ndarray, share: np.ndarray, band: float) -> float:
    """When the share of the change enters the band about 1 for good; NaN where it ends outside."""
    off = np.abs(share - 1.0)
    outside = np.flatnonzero(off > band)
    if not outside.size:
        return 0.0
    k = int(outside[-1])
    if k == len(t) - 1:
        return nan
    part = (off[k] - band) / (off[k] - off[k + 1])
    return float(t[k] + part * (t[k + 1] - t[k]))


def ramp_lag(time, reference, response, share: float = 0.2) -> tuple[float, float]:
    """(reference - response, that as a time [s]) of a ramp, mean over the last part of the samples. The second is NaN where the reference stands still."""
    t, r, y = _arrays(time, reference, response)
    last = slice(-max(2, int(share * len(t))), None)
    error = float(np.mean(r[last] - y[last]))
    rate = float(r[-1] - r[last][0]) / float(t[-1] - t[last][0])
    return error, error / rate if abs(rate) > NEGLIGIBLE else nan


def sine_measures(time, reference, response, frequency: float, skip: float = 0.0) -> SineMeasures:
    """Gain and phase at a frequency [Hz], by least squares of a sine, a cosine and a constant over the last whole periods after `skip` [s], when the beginning has died away.

    Raises ValueError where less than one period is left, or as step_measures.
    """
    t, r, y = _arrays(time, reference, response)
    periods = int((t[-1] - t[0] - skip) * frequency * (1.0 + 1e-12))
    if periods < 1 or frequency <= 0.0:
        raise ValueError(f"{t[-1] - t[0] - skip:g} s hold no period of {frequency:g} Hz")
    kept = t > t[-1] - periods / frequency + 1e-9 * (t[1] - t[0])
    angle = 2.0 * pi * frequency * t[kept]
    basis = np.column_stack([np.sin(angle), np.cos(angle), np.ones(len(angle))])
    (a, b, _mean), (p, q, centre) = (np.linalg.lstsq(basis, x[kept], rcond=None)[0] for x in (r, y))
    size, asked = hypot(p, q), hypot(a, b)
    rest = float(np.sqrt(np.mean((y[kept] - basis @ (p, q, centre)) ** 2)))
    phase = degrees(atan2(q, p) - atan2(b, a))
    return SineMeasures(size / asked if asked else nan, (phase + 180.0) % 360.0 - 180.0, float(centre), rest / size if size else nan)


def step_bandwidth(time, reference, response) -> float:
    """[Hz] up to which the response follows to 3 dB, from its step response (n) alone, where that is linear.

    H(f) = sum of (y[k+1] - y[k]) exp(-2 pi i f t[k]) is the transfer function at f times the step (Åström and Murray, section 9.2: the impulse response is the derivative of the
    step response). NaN for a response that has not settled, or follows up to half the sampling frequency. Raises as step_measures.
    """
    t, r, y = _arrays(time, reference, response)
    changes = np.flatnonzero(np.diff(r) != 0.0)
    first = int(changes[0]) + 1 if changes.size else 0
    impulse, at = np.diff(y[first:]), t[first:-1] - t[first]
    total = float(impulse.sum())
    tail = max(1, len(impulse) // 20)
    if len(impulse) < 3 or abs(total) < NEGLIGIBLE or float(np.abs(y[-tail:] - y[-1]).max()) > SETTLED * abs(total):
        return nan
    h = float(t[1] - t[0])
    frequency = np.geomspace(0.02 / float(at[-1]), 0.5 / h, FREQUENCIES)
    size = np.abs(np.exp(-2j * pi * np.outer(frequency, at)) @ impulse) / abs(total)
    below = np.flatnonzero(size < sqrt(0.5))
    if not below.size or below[0] == 0:
        return nan
    k = int(below[0]) - 1
    part = (size[k] - sqrt(0.5)) / (size[k] - size[k + 1])
    return float(frequency[k] * (frequency[k + 1] / frequency[k]) ** part)


def saturation_share(force, limits: tuple[float, float]) -> float:
    """Share of the samples at which a force (n) is at or beyond an end of its range."""
    f = np.asarray(force, float)
    return float(np.mean((f <= limits[0]) | (f >= limits[1]))) if f.size else nan


def _arrays(time, *others) -> tuple[np.ndarray, ...]:
    found = tuple(np.asarray(x, float) for x in (time, *others))
    if len(found[0]) < 3 or any(x.shape != found[0].shape or x.ndim != 1 for x in found):
        raise ValueError(f"needs arrays of one size, at least 3, not {[x.shape for x in found]}")
    return found
