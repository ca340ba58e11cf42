"""Limp tendons: between two sites, with slack and nothing that stiffens it, a tendon hangs like a rope in the direction of gravity.

With horizontal distance h, height difference v and rope length s the curve is a cosh(x / a), and a solves
sqrt(s^2 - v^2) = 2 a sinh(h / 2a). With b = a / h this is 1/sqrt(2 b sinh(1/2b) - 1) = 1/sqrt(sqrt(s^2 - v^2) / h - 1), which is
nearly linear in b, so Newton's method settles in a few steps.

Source: MuJoCo documentation, XML reference, tendon/spatial (what hangs); math.stackexchange.com/a/1002996 (the substitution).
"""
from __future__ import annotations

import numpy as np

from physics.enums import DSBL_GRAVITY, TENDON_SPATIAL, TRN_TENDON
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

MOST_POINTS = 100
NARROW = 100.0      # ropes longer than so many horizontal distances are drawn as hanging from a bead
TOLERANCE = 1e-9
STEPS = 50


def _ropes(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """(by_spring, by_limit): tendons that hang whenever their spring is slack, and whenever they are shorter than their limit."""
    stiff = (m.tendon_stiffness != 0) | m.tendon_stiffnesspoly.any(axis=1)
    damped = (m.tendon_damping != 0) | m.tendon_dampingpoly.any(axis=1)
    plain = (m.tendon_type == TENDON_SPATIAL) & (m.tendon_num == 2) & ~damped & (m.tendon_frictionloss == 0)
    plain[m.actuator_trnid[m.actuator_trntype == TRN_TENDON, 0]] = False
    by_spring = plain & stiff & (m.tendon_lengthspring[:, 0] == 0) & (m.tendon_lengthspring[:, 1] > 0)
    by_limit = plain & ~stiff & (m.tendon_limited == 1) & (m.tendon_range[:, 0] == 0)
    return by_spring, by_limit


def rope_lengths(m: Model, snapshot: Snapshot) -> np.ndarray:
    """Length (ntendon,) of the rope that each limp tendon is; 0 for one that is drawn straight."""
    if m.opt_disableflags & DSBL_GRAVITY or not np.any(m.opt_gravity):
        return np.zeros(m.ntendon)
    by_spring, by_limit = _ropes(m)
    slack = by_limit & (snapshot.ten_length < m.tendon_range[:, 1])
    return np.where(by_spring, m.tendon_lengthspring[:, 1], np.where(slack, m.tendon_range[:, 1], 0.0))


def _residual(b: float, target: float) -> tuple[float, float]:
    """Value and slope of 1/sqrt(2 b sinh(1/2b) - 1) - target."""
    a = 0.5 / b
    rest = 2 * b * np.sinh(a) - 1
    return rest ** -0.5 - target, (a * np.cosh(a) - np.sinh(a)) * rest ** -1.5


def flatness(h: float, v: float, length: float) -> float:
    """b = a / h of the rope; h > 0, length > sqrt(h^2 + v^2)."""
    target = 1 / np.sqrt(np.sqrt(length ** 2 - v ** 2) / h - 1)
    b = target / np.sqrt(24)   # where 2 b sinh(1/2b) - 1 is about 1 / 24 b^2
    for _ in range(STEPS):
        value, slope = _residual(b, target)
        if abs(value) < TOLERANCE:
            break
        step = -value / slope
        while b + step <= 0 or abs(_residual(b + step, target)[0]) > abs(value):
            step /= 2
            if abs(step) < TOLERANCE * b:
                return b
        b += step
    return b


def hang(start, end, gravity, length: float, count: int) -> np.ndarray:
    """Points (n, 3) of a rope of this length between two points: 2 of a taut one, 3 of one that hangs nearly straight down, else `count`."""
    span = end - start
    if np.linalg.norm(span) >= length:
        return np.stack([start, end])
    up = -gravity / np.linalg.norm(gravity)
    v = float(span @ up)
    across = span - v * up
    h = float(np.linalg.norm(across))
    across = across / h if h > 0 else across
    if length > NARROW * h:
        down = 0.5 * (np.sqrt(length ** 2 - h ** 2) - v)
        bead = start - down * up + h * down / (2 * down + v) * across
        return np.stack([start, bead, end])
    a = flatness(h, v, length) * h
    lowest = 0.5 * (h - a * np.log((length + v) / (length - v)))
    along = np.linspace(0.0, length, count)   # pieces of equal length; x follows from s = a sinh((x - lowest) / a) + ...
    x = lowest + a * np.arcsinh(along / a - np.sinh(lowest / a))
    y = a * (np.cosh((x - lowest) / a) - np.cosh(lowest / a))
    points = start + x[:, None] * across + y[:, None] * up
    points[-1] = end
    return points


def point_count(m: Model) -> int:
    """How many points a rope is drawn with."""
    return min(m.vis.quality.numslices + 1, MOST_POINTS)
