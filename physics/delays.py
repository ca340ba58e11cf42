"""What kept controls and sensor values (physics/engine/history.py) are before the first step."""
from __future__ import annotations

import numpy as np

HEAD = 2  # user, newest: as in physics/engine/history.py


def clear_history(m, d) -> None:
    """Fill Data.history with zeros kept at the steps before time 0, or at a sensor's own times where it has an interval.

    Raises ValueError where the time step is not positive.
    """
    h = m.opt_timestep
    if not h > 0:
        raise ValueError(f"delayed controls and sensors need a positive timestep, not {h}")
    d.history[:] = 0
    for i in np.flatnonzero(m.actuator_history[:, 0] > 0):
        n = int(m.actuator_history[i, 0])
        _begin(d.history[m.actuator_historyadr[i]:], h * np.arange(-n, 0))
    for i in np.flatnonzero(m.sensor_history[:, 0] > 0) if m.nsensor else ():
        n, ring = int(m.sensor_history[i, 0]), d.history[m.sensor_historyadr[i]:]
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
