"""What follows from solref and solimp by formula: rest depth, frequency, damping ratio, settling time, restitution, and whether a time step can follow.

All take the impedance as constant, as it is at one depth; with k, b, d_e of law.py the motion in contact is a'' = -d_e k d r - d_e b v + (1 - d_e) a0(r, v):

    w^2 = d_e k d + (1 - d_e) hold        zeta = (d_e b + (1 - d_e) (damping + drag)) / (2 w)
    rest depth |r| = (1 - d_e) |a0(0)| / w^2        settling to 2 % = -ln 0.02 / (zeta w)
    restitution e = exp(-zeta phi / q), q = sqrt(1 - zeta^2), phi = 2 acos(zeta): the row lets go when it would begin to pull

Small steps show e to 0.002 at e = 0.86, 0.02 at 0.30, 0.04 at 0.135, where gravity is small beside the impact; beyond zeta = 1 gravity decides.

Source: Schwager and Poeschel, "Coefficient of restitution and linear-dashpot model revisited", Granular Matter 9, 2007 (the impact ends with the force).
"""
from __future__ import annotations

from dataclasses import dataclass
from math import acos, acosh, exp, inf, log, pi, sqrt

import numpy as np

from physics.tuning.law import Parameters, Row, impedance, law_of

SETTLED = 0.02              # share of a step that is left when it has settled
STEP_LIMIT = 1.5            # of w h (1 + 2 zeta): up to it the mean restitution is within 0.05 of that of small steps
FINE_STEP = 0.2             # of w h: up to it each bounce is within about 0.02 of the mean


@dataclass(frozen=True, slots=True)
class ClosedForms:
    """A contact's motion at one depth [m]: impedance, d_e; frequency [rad/s]; dampratio; settling [s]; restitution; w h and w h (1 + 2 zeta); K [N/m] and C [N s/m]."""

    depth: float
    impedance: float
    effective: float
    frequency: float
    damping_ratio: float
    settling: float
    restitution: float
    step: float
    step_rule: float
    stiffness: float
    damping: float

    @property
    def step_holds(self) -> bool:
        """Whether the time step can follow the motion: w h (1 + 2 zeta) <= 1.5."""
        return self.step_rule <= STEP_LIMIT


def closed_forms(row: Row, parameters: Parameters, depth: float | None = None) -> ClosedForms:
    """Closed forms at a depth [m], positive; None: where the contact comes to rest, or at the surface where nothing presses."""
    law = law_of(row, parameters)
    if depth is None:
        depth = rest_depth(row, parameters)
        depth = depth if depth < inf else 0.0
    depth, row = abs(depth), law.row
    d_e, P, Q = (float(x) for x in law.terms(-depth))
    w = sqrt(d_e * P + (1.0 - d_e) * row.hold)
    slowing = d_e * Q + (1.0 - d_e) * (row.damping + row.drag)
    zeta = slowing / (2.0 * w) if w > 0.0 else inf
    rule = row.timestep * (w + slowing)         # w h (1 + 2 zeta), also without a spring
    return ClosedForms(depth, float(impedance(law.solimp, -depth)[0]), d_e, w, zeta, settling(zeta, w), restitution(zeta), w * row.timestep, rule,
                       d_e * P / row.inverse_mass, d_e * Q / row.inverse_mass)


def rest_depth(row: Row, parameters: Parameters) -> float:
    """Depth [m] at which the contact bears the load: d_e k d r = (1 - d_e) |a0|. 0 where nothing presses, inf where no depth is enough (no stiffness)."""
    law = law_of(row, parameters)
    row = law.row
    if row.load() >= 0.0:
        return 0.0
    if law.constant and not law.bounded:
        d_e, P, _Q = (float(x) for x in law.terms(-1.0))
        stiffness = d_e * P + (1.0 - d_e) * row.hold
        return (1.0 - d_e) * -row.load() / stiffness if stiffness > 0.0 else inf
    # the shallowest depth at which the row more than bears it, then nearer by ever finer grids
    grid = np.logspace(-15, 4, 400)
    for _ in range(7):
        bears = law.acceleration(-grid, 0.0) >= 0.0
        if not bears.any():
            return inf
        at = int(bears.argmax())
        grid = np.linspace(grid[max(at - 1, 0)], grid[at], 65)
    return float(0.5 * (grid[0] + grid[-1]))


def settling(zeta: float, w: float) -> float:
    """Time [s] until 2 % of a small step is left: of the envelope, or of the slower of two exponentials."""
    if not (zeta > 0.0 and w > 0.0):
        return inf
    slowest = zeta * w if zeta <= 1.0 else w / (zeta + sqrt(zeta * zeta - 1.0))
    return -log(SETTLED) / slowest


def restitution(zeta: float) -> float:
    """Speed after an impact over speed before, for a damping ratio, gravity left out."""
    if zeta <= 0.0:
        return 1.0
    if zeta == inf:
        return 0.0
    if zeta == 1.0:
        return exp(-2.0)
    if zeta < 1.0:
        return exp(-2.0 * zeta * acos(zeta) / sqrt(1.0 - zeta * zeta))
    return exp(-2.0 * zeta * acosh(zeta) / sqrt(zeta * zeta - 1.0))


def damping_ratio_of(e: float) -> float:
    """The damping ratio whose restitution is e. Raises ValueError outside (0, 1]."""
    if not 0.0 < e <= 1.0:
        raise ValueError(f"restitution lies in (0, 1]: {e:g}")
    low, high = 0.0, 1.0
    while restitution(high) > e:
        high *= 2.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if restitution(middle) > e else (low, middle)
    return 0.5 * (low + high)


def bounce_time(e: float, speed: float, a0: float) -> float:
    """Time [s] until all bounces after a first impact at `speed` have ended: 2 v e / (|a0| (1 - e)); inf where nothing brings it back."""
    return 2.0 * speed * e / (-a0 * (1.0 - e)) if a0 < 0.0 and e < 1.0 else inf


def half_period(zeta: float, w: float) -> float:
    """About how long an impact lasts [s]: half an oscillation, longer with damping."""
    if not w > 0.0:
        return inf
    return pi / (w * sqrt(1.0 - zeta * zeta)) if zeta < 0.9 else (4.0 + 2.0 * zeta) / w
