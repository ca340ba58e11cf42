"""Controls, and kept controls and sensor values (physics/engine/actuator/delay_history.py), before the first step."""
from __future__ import annotations

import numpy as np

from physics.enums import CHART_QUAT, GAIN_SO3, MINAWAKE, S_AWAKE, S_STATIC

HEAD = 2  # user, newest: as in physics/engine/actuator/delay_history.py


def start_controls(m) -> np.ndarray:
    """Zeros, but no rotation for controls that are quaternions."""
    ctrl = np.zeros(m.nu)
    ctrl[m.actuator_ctrladr[(m.actuator_gaintype == GAIN_SO3) & (m.actuator_ctrlspec == CHART_QUAT)]] = 1.0
    return ctrl


def wake_all(m, d) -> None:
    """All trees awake, as engine/sleep/awake.py notes it."""
    d.tree_asleep[:], d.tree_awake[:] = -1 - MINAWAKE, 1
    user_moved = m.body_mocapid[m.body_rootid] >= 0
    d.body_awake[:] = np.where((m.body_treeid >= 0) | user_moved, S_AWAKE, S_STATIC)
    d.body_awake_ind[:] = np.arange(m.nbody)
    d.parent_awake_ind[:m.nbody - 1] = np.arange(1, m.nbody)
    d.dof_awake_ind[:] = np.arange(m.nv)
    d.ntree_awake, d.nbody_awake, d.nparent_awake, d.nv_awake = m.ntree, m.nbody, m.nbody - 1, m.nv
    for kind, first, n in (("body", 1, m.nbody), ("dof", 0, m.nv), ("geom", 0, m.ngeom), ("site", 0, m.nsite), ("actuator", 0, m.nactuator)):
        setattr(d, f"n{kind}_run", int(n > first))
        if n > first:
            getattr(d, f"{kind}_run")[0] = first, n
    d.ndof_asleep_run = 0


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
