"""Controls, and kept controls and sensor values (physics/engine/history.py), before the first step."""
from __future__ import annotations

import numpy as np

from physics.enums import CHART_QUAT, GAIN_SO3

HEAD = 2  # user, newest: as in physics/engine/history.py


def start_controls(m) -> np.ndarray:
    """Zeros, but no rotation for controls that are quaternions."""
    ctrl = np.zeros(m.nu)
    ctrl[m.actuator_ctrladr[(m.actuator_gaintype == GAIN_SO3) & (m.actuator_ctrlspec == CHART_QUAT)]] = 1.0
    return ctrl


def ring_size(n: int, width: int) -> int:
    """Numbers of a ring that keeps n samples of so many values."""
    return HEAD + n * (1 + width)


def start_history(m) -> np.ndarray:
    """Data.history of a new Data. Raises as fill_history."""
    history = np.zeros(m.nhistory)
    if m.nhistory:
        fill_history(m, history)
    return history


def fill_history(m, history: np.ndarray) -> None:
    """Fill a history with the start's controls and zeros kept at the steps before time 0, or at a sensor's own times where it has an interval.

    Raises ValueError where the time step is not positive.
    """
    h = m.opt_timestep
    if not h > 0:
        raise ValueError(f"delayed controls and sensors need a positive timestep, not {h}")
    history[:] = 0
    for i in np.flatnonzero(m.actuator_history[:, 0] > 0):
        n, ring = int(m.actuator_history[i, 0]), history[m.actuator_historyadr[i]:]
        _begin(ring, h * np.arange(-n, 0))
        first, count = m.actuator_ctrladr[i], m.actuator_ctrlnum[i]
        ring[HEAD + n:HEAD + n + n * count] = np.tile(start_controls(m)[first:first + count], n)
    for i in np.flatnonzero(m.sensor_history[:, 0] > 0) if m.nsensor else ():
        n, ring = int(m.sensor_history[i, 0]), history[m.sensor_historyadr[i]:]
        interval, phase = m.sensor_interval[i]
        last = -h
        times = h * np.arange(-n, 0)
        if interval > 0:
            last = phase or -interval
            times = np.ceil((last - interval * np.arange(n - 1, -1, -1)) / h) * h
        _begin(ring, times)
        ring[0] = last  # when the sensor was last read


def _begin(ring, times) -> None:
    """Put n samples of zero at the given times into a ring, the last one newest."""
    n = len(times)
    ring[1] = n - 1
    ring[HEAD:HEAD + n] = times
