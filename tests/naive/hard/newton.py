"""The interior-point iterations on the maximal system: predictor, corrector, step to the edge, halving (algorithm 2, with exact kappa).

The direction is that of the whole dense matrix. Bodies then follow the joints' rates, so that joints hold at every iterate.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tests.naive import smooth
from tests.naive.hard import cones


class Iterate(NamedTuple):
    """A point that the iterations went through, and how they came there."""

    qpos: np.ndarray
    cone: list
    r: float
    kappa: float
    alpha: float
    target: float


def solve(system, rtol=1e-8, ktol=1e-8, iterations=50, floor=100):
    """(converged, iterates) of a step; the last is the solution. The system is left at it. Products aim at no less than ktol / floor."""
    r, k = system.violations()
    passed = [Iterate(system.qpos3.copy(), list(system.cone), r, k, 0.0, 0.0)]
    for _ in range(iterations):
        if r < rtol and k < ktol:
            return True, passed
        matrix = system.matrix()
        alpha, target = 1.0, 0.0
        direction = newton_direction(system, matrix, 0.0)
        if has_cones(system):
            toward = unpack(system, direction)
            reach = longest(system, toward, 0.95, 0.95)
            mu = mean_product(system, toward, 0.0)
            target, second = centring(mean_product(system, toward, reach), mu, system.kappa, ktol, floor)
            # of a direction that leads nowhere the second-order term tells nothing
            direction = newton_direction(system, matrix, target, toward if second and reach >= 0.1 else None)
            fraction = max(0.95, 1 - max(r, k)**2)
            # long rows jam less where cones are kept farther from their edge
            alpha = longest(system, unpack(system, direction), fraction, min(0.95 if len(system.rows) >= 300 else 0.999, fraction))
        r, k, alpha = follow(system, direction, alpha, r, k)
        passed.append(Iterate(system.qpos3.copy(), list(system.cone), r, k, alpha, target))
    return r < rtol and k < ktol, passed


def has_cones(system):
    """Whether anything has a product."""
    return bool(system.rows or system.limits or system.dry)


def centring(mu_after, mu, kappa, ktol, floor=100):
    """(target of the products, whether the second-order term counts) (51)-(54)."""
    sigma = min(1.0, max(0.0, mu_after / (mu + 1e-300)))**3
    if kappa > 0:
        return max(sigma * mu, kappa), not mu < 3 * kappa
    return max(sigma * mu, ktol / floor), True


def newton_direction(system, matrix, target, toward=None):
    """The direction in all unknowns towards products of `target`; toward: a first direction (cones, limits), whose products count too."""
    body, dof, rows, limits, dry = system.residual()
    _, _, rate, rows_at, limits_at, dry_at, n = system.layout()
    value = np.zeros(n)
    for b in system.bodies:
        value[system.at[b]:system.at[b] + 6] = body[b]   # joint impulses count from none
    # what the dofs' own equations hold besides the impulses of joints
    value[rate:rate + system.m.nv] = dof - np.einsum("bik,bi->k", system.motion2, body)
    second = toward or ([None] * len(rows), [None] * len(limits), [None] * len(dry))
    for row, (gap, slip, product, products), at, step in zip(system.rows, rows, rows_at, second[0], strict=True):
        n_t = len(slip)
        value[at], value[at + 1:at + 1 + n_t], value[at + 1 + n_t] = gap, slip, product - target / system.gap_unit
        if step is not None:
            value[at + 1 + n_t] += step[0] * step[1]
        if row.cone:
            value[at + 2 + n_t:at + 2 + n_t + row.cone] = products - target * cones.identity(row.cone)
            if step is not None:
                value[at + 2 + n_t:at + 2 + n_t + row.cone] += cones.product(step[2], np.array([step[1], *step[3]]))
    for (slack, product), at, step in zip(limits, limits_at, second[1], strict=True):
        value[at], value[at + 1] = slack, product - target / system.gap_unit + (step[0] * step[1] if step is not None else 0.0)
    for (rubbed, forwards, backwards), at, step in zip(dry, dry_at, second[2], strict=True):
        value[at:at + 3] = rubbed, forwards - target, backwards - target
        if step is not None:
            value[at + 1:at + 3] += step[1] * step[0], -step[2] * step[0]
    return np.linalg.solve(matrix, -value)


def unpack(system, direction):
    """([(ds, dgamma, deta, dxi)] of rows, [(ds, dgamma)] of limits, [(dtau, dforwards, dbackwards)] of dry friction)."""
    *_, rows_at, limits_at, dry_at, _ = system.layout()
    rows = []
    for row, at in zip(system.rows, rows_at, strict=True):
        n = row.cone
        rows.append((direction[at], direction[at + 1], direction[at + 2:at + 2 + n], direction[at + 2 + n:at + 1 + 2 * n]))
    return rows, [(direction[at], direction[at + 1]) for at in limits_at], [tuple(direction[at:at + 3]) for at in dry_at]


def longest(system, toward, orthant, cone):
    """How far the direction may be followed, at most 1: these shares of the way to the edge (40)-(47)."""
    alpha = 1.0
    for row, (s, gamma, eta, xi), (ds, dgamma, deta, dxi) in zip(system.rows, system.cone, toward[0], strict=True):
        for y, dy in ((s, ds), (gamma, dgamma)):
            alpha = min(alpha, orthant * cones.edge(np.array([y]), np.array([dy])))
        if row.cone:
            for y, dy in ((eta, deta), (np.array([gamma, *xi]), np.array([dgamma, *dxi]))):
                alpha = min(alpha, cone * cones.edge(y, dy))
    for y, dy in zip(system.bound, toward[1], strict=True):
        alpha = min(alpha, *(orthant * cones.edge(np.array([a]), np.array([b])) for a, b in zip(y, dy, strict=True)))
    for (_, loss), (tau, p, n), (dtau, dp, dn) in zip(system.dry, system.rub, toward[2], strict=True):
        for a, b in ((loss + tau, dtau), (loss - tau, -dtau), (p, dp), (n, dn)):
            alpha = min(alpha, orthant * cones.edge(np.array([a]), np.array([b])))
    return alpha


def mean_product(system, toward, alpha):
    """The mean of the cones' products once the direction has been followed by alpha (53), (54)."""
    total, degree = 0.0, 0
    for row, y, dy in zip(system.rows, system.cone, toward[0], strict=True):
        s, gamma, eta, xi = (a + alpha * b for a, b in zip(y, dy, strict=True))
        total += system.gap_unit * s * gamma + (eta @ np.array([gamma, *xi]) if row.cone else 0.0)
        degree += 2 if row.cone else 1
    for y, dy in zip(system.bound, toward[1], strict=True):
        s, gamma = (a + alpha * b for a, b in zip(y, dy, strict=True))
        total, degree = total + system.gap_unit * s * gamma, degree + 1
    for (_, loss), y, dy in zip(system.dry, system.rub, toward[2], strict=True):
        tau, p, n = (a + alpha * b for a, b in zip(y, dy, strict=True))
        total, degree = total + p * (loss + tau) + n * (loss - tau), degree + 2
    return total / max(1, degree)


def follow(system, direction, alpha, r, k):
    """Go along the direction, halving while both violations are worse: (r, kappa, the length gone)."""
    _, _, rate, *_ = system.layout()
    rates = direction[rate:rate + system.m.nv]
    qpos, cone, bound, rub = system.qpos3, system.cone, system.bound, system.rub
    rows, limits, dry = unpack(system, direction)
    for halving in range(10):
        if halving:
            alpha /= 2
        system.place(smooth.move(system.m, qpos, alpha * system.h * rates))
        system.cone = [tuple(a + alpha * b for a, b in zip(y, dy, strict=True)) for y, dy in zip(cone, rows, strict=True)]
        system.bound = [tuple(a + alpha * b for a, b in zip(y, dy, strict=True)) for y, dy in zip(bound, limits, strict=True)]
        system.rub = [tuple(a + alpha * b for a, b in zip(y, dy, strict=True)) for y, dy in zip(rub, dry, strict=True)]
        now = system.violations()
        if now[0] <= r or has_cones(system) and now[1] <= k:
            break
    return *now, alpha


def next_state(system):
    """(qpos, qvel) after the step."""
    return system.qpos3.copy(), system.rates.copy()
