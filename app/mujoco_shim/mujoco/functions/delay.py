"""mj_readCtrl, mj_readSensor and what they read put in place: kept values of delayed controls and sensors. Each returns what goes out (calls.py)."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.engine.actuator.delay_history import HEAD
from physics.engine.actuator.delay_history import read as read_ring


def _ring(m, d, kind: str, element: int) -> tuple[np.ndarray, int, int]:
    """(the ring of an actuator or sensor, how many samples it has, how many numbers each). Raises IndexError, and TypeError for what keeps nothing."""
    count = m.nactuator if kind == "actuator" else m.nsensor
    if not 0 <= element < count:
        raise IndexError(f"{kind} id {element} out of range [0, {count})")
    n = int(getattr(m, f"{kind}_history")[element, 0])
    dim = int(m.actuator_ctrlnum[element] if kind == "actuator" else m.sensor_dim[element])
    start = int(getattr(m, f"{kind}_historyadr")[element])
    return d.history[start:start + HEAD + n * (1 + dim)], n, dim


def _read(m, d, kind: str, element: int, time: float, result, interp: int, now):
    ring, n, dim = _ring(m, d, kind, element)
    if result.size != dim:
        raise TypeError(f"result should have {dim} numbers")
    late = float(getattr(m, f"{kind}_delay")[element])
    if not n or not late:
        result[...] = now(dim).reshape(result.shape)
        return result
    flat = np.zeros(dim)
    read_ring(ring, n, dim, time - late, int(getattr(m, f"{kind}_history")[element, 1]) if interp < 0 else interp, flat, 0)
    result[...] = flat.reshape(result.shape)
    return result


def read_ctrl(m, d, id, time, result, interp):
    """The controls that act on an actuator at a time, its delay before; interp: 0 the latest, 1 a line, 2 a cubic, -1 as the model says."""
    found = _read(m, d, "actuator", id, time, result, interp, lambda dim: d.ctrl[m.actuator_ctrladr[id]:m.actuator_ctrladr[id] + dim])
    return found, found


def read_sensor(m, d, id, time, result, interp):
    """What a sensor shows at a time, its delay before; interp as of mj_readCtrl."""
    found = _read(m, d, "sensor", id, time, result, interp, lambda dim: d.sensordata[m.sensor_adr[id]:m.sensor_adr[id] + dim])
    return found, found


def _fill(m, d, kind: str, element: int, times, values) -> np.ndarray:
    ring, n, dim = _ring(m, d, kind, element)
    if times is not None and times.size != n or values.size != n * dim or values.ndim == 2 and dim > 1 and values.shape != (n, dim):
        raise TypeError(f"needs {n} times and values of shape ({n}, {dim})")
    if times is not None:
        ring[1], ring[HEAD:HEAD + n] = n - 1, times
    order = (int(ring[1]) + 1 + np.arange(n)) % n     # places of the samples, the oldest first
    ring[HEAD + n:].reshape(n, dim)[order] = values.reshape(n, dim)
    return ring


def init_ctrl_history(m, d, id, times, values):
    """The kept controls of an actuator, the oldest first; times None: those that are there."""
    _fill(m, d, "actuator", id, times, values)


def init_sensor_history(m, d, id, times, values, phase):
    """The kept values of a sensor, the oldest first; times None: those that are there; phase: when it was last read."""
    _fill(m, d, "sensor", id, times, values)[0] = phase


TABLE = MappingProxyType({"mj_readCtrl": read_ctrl, "mj_readSensor": read_sensor, "mj_initCtrlHistory": init_ctrl_history, "mj_initSensorHistory": init_sensor_history})
