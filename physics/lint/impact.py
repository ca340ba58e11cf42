"""One coordinate that hits a constraint, step by step as the engine takes it: whether it leaves faster than it came.

    aref = -b v - k d(r) r;    a1 = d aref + (1 - d) a0 while aref > a0, else a0;    v += h a1;    x += h v

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters", with an inverse inertia that is the approximate one.
"""
from __future__ import annotations

import numpy as np

from physics.engine.constraint.impedance import clip_impedance, impedance

SPEEDS = (0.1, 1.0, 3.0)    # m/s
PHASES = 8                  # where within a step the impact begins
MOST_STEPS = 400


def largest_restitution(stiffness: float, damping: float, solimp: tuple[float, ...], h: float) -> float:
    """Largest ratio of the speed after an impact to that before, over speeds and phases, without other forces. stiffness [1/s2], damping [1/s]: of the direct format;
    h: the timestep [s]."""
    dw = clip_impedance(solimp[1])
    k, b = stiffness / (dw * dw), damping / dw
    return max(_restitution(speed, phase, k, b, solimp, h) for speed in SPEEDS for phase in np.arange(PHASES) / PHASES)


def _restitution(speed: float, phase: float, k: float, b: float, solimp: tuple[float, ...], h: float) -> float:
    x, v = -(phase + 1e-9) * h * speed, -speed
    for _ in range(MOST_STEPS):
        if x >= 0.0:
            break
        d, _slope = impedance(solimp, x)
        aref = -b * v - k * d * x
        if aref > 0.0:
            v += h * d * aref
        x += h * v
    return v / speed if x >= 0.0 else 0.0
