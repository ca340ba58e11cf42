"""Muscles, servos, motors, late controls and adhesion once more, plainly."""
from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from physics.enums import CHART_QUAT, INPUT_FF, INPUT_POS, INPUT_VEL, INPUT_VOLTAGE
from tests.naive.smooth import exp, log, product

INVERSE = np.array([1, -1, -1, -1])


def muscle(m, i, length, velocity, act):
    """Force of muscle i, whose parameters are those of its gain."""
    r0, r1, peak, scale, low, high, vmax, fpmax, fvmax = m.actuator_gainprm[i, :9]
    out = m.actuator_outadr[i]
    peak = peak if peak >= 0 else scale / m.actuator_acc0[out]
    optimal = np.diff(m.actuator_lengthrange[out])[0] / (r1 - r0)
    x = r0 + (length - m.actuator_lengthrange[out, 0]) / optimal
    v = velocity / (optimal * vmax)
    knots = np.array([low, (low + 1) / 2, 1, (1 + high) / 2, high])
    active = 0.0
    if low < x < high:
        k = np.searchsorted(knots, x) - 1
        to_knot = abs(x - knots[[0, 2, 2, 4][k]]) / (knots[k + 1] - knots[k])
        active = to_knot**2 / 2 if k in (0, 3) else 1 - to_knot**2 / 2
    fast = 0 if v <= -1 else (1 + v)**2 if v <= 0 else fvmax - (fvmax - 1 - min(v, fvmax - 1))**2 / (fvmax - 1)
    half = (high - 1) / 2
    s = max(0.0, (x - 1) / half)
    return -peak * (active * fast * act + fpmax * (s**2 / 2 if s <= 1 else s - 0.5))


def muscle_rate(prm, u, act):
    """Rate of a muscle's activation."""
    u, clipped = np.clip(u, 0, 1), np.clip(act, 0, 1)
    wake, relax = prm[0] * (0.5 + 1.5 * clipped), prm[1] / (0.5 + 1.5 * clipped)
    if prm[2] == 0:
        return (u - act) / (wake if u > act else relax)
    x = np.clip((u - act) / prm[2] + 0.5, 0, 1)
    return (u - act) / (relax + (wake - relax) * (6 * x**5 - 15 * x**4 + 10 * x**3))


def inputs(spec, u):
    """{bit: control} of a servo or motor."""
    bits = [b for b in (INPUT_POS, INPUT_VEL, INPUT_FF, INPUT_VOLTAGE) if spec & b]
    return {b: x for b, x in zip(bits, u)}


def pid(m, i, u, length, velocity, act):
    """(force, rates) of pid servo i on a joint that does not turn round."""
    ki, kp, kv = m.actuator_gainprm[i, 0], -m.actuator_biasprm[i, 1], -m.actuator_biasprm[i, 2]
    imax, speed = m.actuator_dynprm[i, :2]
    given, act, rates = inputs(m.actuator_ctrlspec[i], u), list(act), []
    wanted = given.get(INPUT_POS, 0.0)
    if speed > 0:
        was = act.pop(0)
        reach = speed * m.opt_timestep
        wanted = np.clip(wanted, was - reach, was + reach)
        rates.append((wanted - was) / m.opt_timestep)
    f = kp * (wanted - length) + kv * (given.get(INPUT_VEL, 0.0) - velocity) + given.get(INPUT_FF, 0.0) + m.actuator_biasprm[i, 0]
    if ki > 0:
        error = wanted - length
        f += ki * act[0]
        rates.append(0.0 if imax and abs(act[0]) >= imax and error * act[0] > 0 else error)
    return f, rates


def motor(m, i, u, length, velocity, act):
    """(force, rates) of DC motor i."""
    h = m.opt_timestep
    R, K, alpha, T0, kp, ki, kd, vmax = m.actuator_gainprm[i, :8]
    te, dimax, RT, C, Ta, s0, s1, speed, imax = m.actuator_dynprm[i, :9]
    amplitude, poles, phase, Fc, Fs, vs = m.actuator_biasprm[i, :6]
    given, state, rates = inputs(m.actuator_ctrlspec[i], u), list(act), []
    wanted, summed, friction = given.get(INPUT_POS, 0.0), 0.0, amplitude * np.sin(poles * length + phase)
    if speed > 0:
        was = state.pop(0)
        wanted = np.clip(wanted, was - speed * h, was + speed * h)
        rates.append((wanted - was) / h)
    if ki > 0:
        summed = state.pop(0)
        error = wanted - length
        rates.append(0.0 if imax and abs(summed) >= imax and error * summed > 0 else error)
    V = 0.0
    if len({INPUT_POS, INPUT_VEL, INPUT_FF} & set(given)):
        torque = kp * (wanted - length) + kd * (given.get(INPUT_VEL, 0.0) - velocity) + ki * summed + given.get(INPUT_FF, 0.0)
        V = R / K * torque + K * velocity
        V = np.clip(V, -vmax, vmax) if vmax > 0 else V
    V += given.get(INPUT_VOLTAGE, 0.0)
    if RT > 0:
        T = state.pop(0)
        R *= 1 + alpha * (T + Ta - T0)
        now = act[-1] if te > 0 else (V - K * velocity) / R
        rates.append((R * now**2 - T / RT) / C)
    if s0 > 0:
        z = state.pop(0)
        rates.append(velocity - z * s0 * abs(velocity) / (Fc + (Fs - Fc) * np.exp(-(velocity / vs)**2)))
        friction -= s0 * z + s1 * rates[-1]
    now = (V - K * velocity) / R
    if te > 0:
        rate = (now - state[0]) / te
        rates.append(np.clip(rate, -dimax, dimax) if dimax > 0 else rate)
        now = state[0] + rates[-1] * te * (1 - np.exp(-h / te))
    f = K * now
    if m.actuator_forcelimited[i]:
        f = np.clip(f, *m.actuator_forcerange[i])
    return f + friction, rates


def orientation(m, i, u, turn, velocity):
    """Torques of orientation servo i at the rotation vector `turn`."""
    target = np.asarray(u) / np.linalg.norm(u) if m.actuator_ctrlspec[i] == CHART_QUAT else exp(np.asarray(u))
    f = m.actuator_gainprm[i, 0] * log(product(exp(turn) * INVERSE, target)) + m.actuator_biasprm[i, 2] * velocity
    most, n = m.actuator_forcerange[i, 1], np.linalg.norm(f)
    return f * most / n if m.actuator_forcelimited[i] and n > most else f


class Kept:
    """n samples in the order of their times."""

    def __init__(self, n, h, dim=1):
        self.samples = [(-(n - k) * h, np.zeros(dim)) for k in range(n)]

    def insert(self, t, x):
        """Keep x at t: over a sample at the same time, else for the oldest; what is older than all takes the oldest's place."""
        times = [s[0] for s in self.samples]
        if t not in times:
            self.samples.pop(0)
        self.samples = sorted([s for s in self.samples if s[0] != t] + [(t, np.array(x, float))], key=lambda s: s[0])

    def read(self, t, order):
        """Value at t."""
        times, values = np.array([s[0] for s in self.samples]), np.array([s[1] for s in self.samples])
        if t <= times[0] or t >= times[-1]:
            return values[0 if t <= times[0] else -1]
        k = int(np.searchsorted(times, t))
        if times[k] == t or order == 0:
            return values[k if times[k] == t else k - 1]
        if order == 1:
            return values[k - 1] + (t - times[k - 1]) / (times[k] - times[k - 1]) * (values[k] - values[k - 1])
        slopes = np.zeros_like(values)
        slopes[1:-1] = (values[2:] - values[:-2]) / (times[2:] - times[:-2])[:, None]
        return CubicHermiteSpline(times, values, slopes)(t)
