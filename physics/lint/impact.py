"""One coordinate that hits a constraint, step by step as the engine takes it: how fast it leaves.

    aref = -b v - k d(r) r;    a1 = d aref + (1 - d) a0 while aref > a0, else a0;    v += h a1;    x += h v

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters", with an inverse inertia that is the approximate one.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.constraint.impedance import clip_impedance, impedance

SPEEDS = (0.1, 1.0, 3.0)    # m/s
PHASES = 8                  # where within a step the impact begins
FINER = 20                  # steps that count as small
MOST_STEPS = 400


class Impacts(NamedTuple):
    """Ratios of the speed after an impact to that before. largest: mean at a speed; scatter: how much they differ with the moment within a step at which the impact begins;
    off: how far their mean is from that of small steps; both at the speed at which that is most."""

    largest: float
    scatter: float
    off: float


def impacts(stiffness: float, damping: float, solimp: tuple[float, ...], h: float) -> Impacts:
    """What a body does that hits without other forces. stiffness [1/s2], damping [1/s]: of the direct format; h: the timestep [s]."""
    dw = clip_impedance(solimp[1])
    k, b = stiffness / (dw * dw), damping / dw
    table = np.array([[_restitution(speed, phase, k, b, solimp, h) for phase in np.arange(PHASES) / PHASES] for speed in SPEEDS])
    fine = np.array([_restitution(speed, 0.5, k, b, solimp, h / FINER) for speed in SPEEDS])
    return Impacts(float(table.mean(axis=1).max()), float(np.ptp(table, axis=1).max()), float(np.abs(table.mean(axis=1) - fine).max()))


def _restitution(speed: float, phase: float, k: float, b: float, solimp: tuple[float, ...], h: float) -> float:
    x, v = -(phase + 1e-9) * h * speed, -speed
    for _ in range(FINER * MOST_STEPS):
        if x >= 0.0:
            break
        d, _slope = impedance(solimp, x)
        aref = -b * v - k * d * x
        if aref > 0.0:
            v += h * d * aref
        x += h * v
    return v / speed if x >= 0.0 else 0.0
