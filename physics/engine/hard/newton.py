"""Interior-point iterations on one island: predictor, centring, corrector, line search, end.

Source: Dojo (engine/hard/__init__.py), algorithms 1 and 2; Mehrotra, "On the Implementation of a Primal-Dual Interior Point Method" (1992).
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import lift_rows
from physics.engine.hard.poses import keep_pose
from physics.engine.hard.residual import BIG, residual
from physics.engine.hard.search import direction, follow, keep_direction, largest_fraction, products
from physics.engine.hard.start import degree, start
from physics.engine.hard.system.matrix import matrix
from physics.engine.hard.tendon.bordered import factor_bordered
from physics.kernels.decorators import helper, kernel

FRACTION = 0.95          # part of the way to an orthant's edge, and of a predictor's to any
TRACED, ISLANDS, KEPT = 50, 20, 5   # iterations and islands that are kept for the profiler, numbers of each
NONE = -1.0              # residual behind the last iteration
TINY = 1e-300
HELD = 1e-3              # part of a direction below which an iteration leads nowhere
SHORT = 0.1              # part of a predictor below which it has no second-order term
MANY = 40                # sum of degrees from which on a second jam ends a solve
JAMMED, LIFT = 4, 0.1     # so many of these in a row show it; products then become at least this part of what they were at first
PATIENT = 6              # so many of these in a row end a solve that asks for what may be impossible


@helper
def note_iteration(d, i, rv, kv, mu, target, fraction):
    """Keep iteration i of the present island for the profiler."""
    if i < TRACED and d.hard_island < ISLANDS:
        row = KEPT * i
        d.hard_trace[d.hard_island, row] = rv
        d.hard_trace[d.hard_island, row + 1] = kv
        d.hard_trace[d.hard_island, row + 2] = mu
        d.hard_trace[d.hard_island, row + 3] = target
        d.hard_trace[d.hard_island, row + 4] = fraction
        if i + 1 < TRACED:
            d.hard_trace[d.hard_island, row + KEPT] = NONE


@helper
def has_ended(m, d):
    """Whether the present point is within the tolerances."""
    return d.hard_rv < m.opt_hard_rtol and d.hard_kv < d.hard_ktol


@kernel("m d f", ret="f")
def corrected_direction(m, d, n):
    """The predictor towards 0, then the direction with its second-order term towards the mean product that it lets hope for. Returns that target.

    n: the sum of the cones' degrees. At a fixed point of the central path the term is left out near its end: there it does not converge to that point.
    """
    direction(m, d, 0.0, 0)
    a = largest_fraction(m, d, FRACTION, FRACTION)
    mu = products(m, d, 0.0) / n
    sigma = min(1.0, max(0.0, products(m, d, a) / n / (mu + TINY)))
    target = max(sigma * sigma * sigma * mu, 0.01 * d.hard_ktol)
    corrector = 1
    # of a predictor that leads nowhere the second-order term tells nothing, and can hold the corrector at a cone's edge
    if a < SHORT:
        corrector = 0
    if d.hard_kappa > 0.0:
        target = max(sigma * sigma * sigma * mu, d.hard_kappa)
        if mu < 3.0 * d.hard_kappa:
            corrector = 0
    d.hard_mu = mu
    keep_direction(m, d)
    direction(m, d, target, corrector)
    return target


@kernel("m d i i")
def iterate(m, d, i, n):
    """One iteration, the i-th, on the present island from the present point. n: the sum of the cones' degrees.

    Reads: hard_rv, hard_kv, hard_kappa, hard_ktol, hard_fraction, hard_island, hard_mu, and what matrix, factor_bordered, direction and follow read
    Writes: hard_niter, hard_mu, hard_aim, hard_alpha, hard_trace, and what matrix, factor_bordered, direction, keep_direction, keep_pose and follow write
    """
    d.hard_niter += 1
    matrix(m, d)
    factor_bordered(m, d)
    target = 0.0
    d.hard_mu = 0.0
    if n > 0:
        target = corrected_direction(m, d, float(n))
    else:
        direction(m, d, 0.0, 0)
    # nearer to the edges as the end comes near
    worst = max(d.hard_rv, d.hard_kv)
    part = max(FRACTION, 1.0 - worst * worst)
    a = largest_fraction(m, d, part, min(d.hard_fraction, part))
    rv = d.hard_rv
    kv = d.hard_kv
    keep_pose(m, d)
    a = follow(m, d, a, int(n > 0))
    d.hard_aim = target
    d.hard_alpha = a
    note_iteration(d, i, rv, kv, d.hard_mu, target, a)


@kernel("m d", ret="i")
def newton(m, d):
    """Solve the present island from its first point. Returns 1 where it ended within the tolerances, 0 where not.

    Rows may jam near the end, where impulses that hold each other may be shared out in many ways: once they are lifted from the edges and the solve goes on.

    Reads: hard_rv, hard_kv, hard_ktol, hard_recover, and what start, residual, iterate and lift_rows read
    Writes: hard_trace, and what start, residual, iterate and lift_rows write
    """
    start(m, d)
    residual(m, d)
    n = degree(d)
    if d.hard_island < ISLANDS:
        d.hard_trace[d.hard_island, 0] = NONE
    held = 0
    lifted = 0
    first = 0.0
    for i in range(m.opt_hard_iterations):
        if has_ended(m, d):
            return 1
        iterate(m, d, i, n)
        if i == 0:
            first = d.hard_mu * 1.0
        if not (d.hard_rv < BIG):
            return 0
        # recovering from an overlap may be impossible: that is soon seen; and of many rows those that jam come free by a lift or not at all
        held = held + 1 if d.hard_alpha < HELD else 0
        if held >= PATIENT and d.hard_recover > 0.0:
            return 0
        if held >= JAMMED and lifted == 0:
            lifted = 1
            held = 0
            lift_rows(m, d, LIFT * first)
            residual(m, d)
        elif held >= JAMMED and n >= MANY:
            return 0
    return int(has_ended(m, d))
