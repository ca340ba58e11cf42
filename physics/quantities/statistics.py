"""Figures of a curve over a stretch of time: mean, root mean square, extremes, settling, spectrum, histogram. Moments may be spaced unevenly and values missing (NaN)."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

SETTLED = 0.02      # share of the whole change that a settled curve stays within (Ogata, Modern Control Engineering, 5-3: the 2 % criterion)
RESTS = 0.05        # share of the stretch, at its end, for which it must have been there


class Figures(NamedTuple):
    """mean and rms are weighted by time (trapezoidal rule). settling: time from the start until the curve stays within 2 % of its whole change about its last value [s], NaN where
    it does not."""

    count: int
    mean: float
    rms: float
    least: float
    most: float
    settling: float


def figures(time: np.ndarray, values: np.ndarray) -> Figures:
    """Figures of a curve: time (n,) [s] ascending, values (n,)."""
    good = np.isfinite(values)
    t, x = time[good], values[good]
    if not len(x):
        return Figures(0, np.nan, np.nan, np.nan, np.nan, np.nan)
    return Figures(len(x), _mean(t, x), float(np.sqrt(_mean(t, x * x))), float(x.min()), float(x.max()), _settling(t, x))


def _mean(t: np.ndarray, x: np.ndarray) -> float:
    span = t[-1] - t[0]
    return float(np.trapezoid(x, t) / span) if span > 0 else float(x.mean())


def _settling(t: np.ndarray, x: np.ndarray) -> float:
    outside = np.flatnonzero(np.abs(x - x[-1]) > SETTLED * abs(x[-1] - x[0]))
    if not len(outside):
        return 0.0
    after, span = t[outside[-1] + 1] - t[0], t[-1] - t[0]
    return float(after) if after <= (1.0 - RESTS) * span else float("nan")


def spectrum(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(frequency [Hz], amplitude in the values' unit) of a curve without its mean, through a Hann window whose loss of amplitude is made good (Harris 1978). Moments that are
    unevenly spaced are interpolated to as many even ones. Empty where there are fewer than four."""
    good = np.isfinite(values)
    t, x = time[good], values[good]
    n = len(x)
    if n < 4 or t[-1] <= t[0]:
        return np.zeros(0), np.zeros(0)
    even = np.linspace(t[0], t[-1], n)
    x = np.interp(even, t, x)
    window = np.hanning(n)
    found = np.abs(np.fft.rfft((x - x.mean()) * window)) * 2.0 / window.sum()
    return np.fft.rfftfreq(n, (t[-1] - t[0]) / (n - 1)), found


def histogram(values: np.ndarray, bins: int = 50) -> tuple[np.ndarray, np.ndarray]:
    """(edges (bins + 1), share of the values in each bin)."""
    x = values[np.isfinite(values)]
    if not len(x):
        return np.zeros(2), np.zeros(1)
    counts, edges = np.histogram(x, bins)
    return edges, counts / len(x)
