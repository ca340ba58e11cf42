"""Interior-point iterations on one island: predictor, centring, corrector, line search, end.

Source: Dojo (engine/hard/__init__.py), algorithms 1 and 2; Mehrotra, "On the Implementation of a Primal-Dual Interior Point Method" (1992).
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import lift_rows
from physics.engine.hard.contact.fresh_rows import lift_solved
from physics.engine.hard.poses import keep_pose
from physics.engine.hard.residual import BIG, residual
from physics.engine.hard.search import direction, follow, keep_direction, largest_fraction, products
from physics.engine.hard.start import degree, row_degree, start, start_again
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
AGAIN = 20               # iterations after which a solve that began where one had ended is no shorter than one from the start
EASIER = 0.5             # of the friction, where with all of it no end is found
NEAR_END = 1e-6          # part of the first products from which on such a solution is followed to the whole friction
HELD_SOON, JAMMED_SOON = 1e-2, 3   # what HELD and JAMMED are where there is something else to try
OWN, EASED, OWN_AGAIN = range(3)   # the friction that a solve has
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
    return d.hard_rv < d.hard_rtol and d.hard_kv < d.hard_ktol


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


@helper
def scale_friction(d, factor):
    """Multiply the friction of the present island's contacts; a power of two is undone exactly."""
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        for k in range(5):
            d.hrow_mu[c, k] = d.hrow_mu[c, k] * factor


@helper
def may_ease(m, d, n):
    """Whether less friction may help: where velocities are solved for and few contacts have some."""
    return n < MANY and d.hard_recover == 0.0 and d.hard_kappa == 0.0 and row_degree(d) > d.hard_rowend - d.hard_rowfirst


@helper
def begin_easier(m, d):
    """Begin anew with half of the friction."""
    scale_friction(d, EASIER)
    start(m, d)
    residual(m, d)


@helper
def tighten(m, d, product):
    """Give the friction back that the present solution has been found without, and lift that from the edges of its cones."""
    scale_friction(d, 1.0 / EASIER)
    lift_solved(m, d, product)
    residual(m, d)


@kernel("m d i", ret="i")
def go_on(m, d, most):
    """Solve the present island from the present point, in so many iterations at most. Returns 1 where it ended within the tolerances, 0 where not.

    Rows may jam near the end, where impulses that hold each other may be shared out in many ways: once they are lifted from the edges and the solve goes on.

    Reads: hard_rv, hard_kv, hard_rtol, hard_ktol, hard_recover, and what residual, iterate and lift_rows read
    Writes: hard_trace, and what residual, iterate and lift_rows write
    """
    residual(m, d)
    n = degree(d)
    if d.hard_island < ISLANDS:
        d.hard_trace[d.hard_island, 0] = NONE
    held = 0
    lifted = 0
    first = 0.0
    # where much is asked for at once by few rows short steps may yet lead to the end
    soon = n >= MANY and d.hard_recover == 0.0
    least = HELD_SOON if soon else HELD
    jammed = JAMMED_SOON if soon else JAMMED
    for i in range(most):
        if has_ended(m, d):
            return 1
        iterate(m, d, i, n)
        if i == 0:
            first = d.hard_mu * 1.0
        if not (d.hard_rv < BIG):
            return 0
        # recovering from an overlap may be impossible: that is soon seen; and of many rows those that jam come free by a lift or not at all
        held = held + 1 if d.hard_alpha < least else 0
        if held >= PATIENT and d.hard_recover > 0.0:
            return 0
        if held >= jammed and lifted == 0:
            lifted = 1
            held = 0
            lift_rows(m, d, LIFT * first)
            residual(m, d)
        elif held >= jammed and n >= MANY:
            return 0
    return int(has_ended(m, d))


@kernel("m d i", ret="i")
def go_on_easing(m, d, most):
    """go_on with few contacts. Where friction is large the central path may turn back between sticking and sliding before it comes to its end: then a solution with half of the
    friction is found first, and the one asked for is sought from there. Returns 1 where it ended within the tolerances, 0 where not.

    Reads: hard_rv, hard_kv, hard_ktol, hrow_at, and what start, residual, iterate and lift_solved read
    Writes: hard_trace, hrow_mu (back again at the end), and what start, residual, iterate and lift_solved write
    """
    residual(m, d)
    n = degree(d)
    if d.hard_island < ISLANDS:
        d.hard_trace[d.hard_island, 0] = NONE
    held = 0
    friction = OWN
    first = 0.0
    for i in range(most):
        if has_ended(m, d):
            if friction != EASED:
                return 1
            friction = OWN_AGAIN
            held = 0
            tighten(m, d, NEAR_END * first)
        iterate(m, d, i, n)
        if i == 0:
            first = d.hard_mu * 1.0
        if not (d.hard_rv < BIG):
            break
        held = held + 1 if d.hard_alpha < HELD_SOON else 0
        if held < JAMMED_SOON:
            continue
        if friction != OWN:
            break
        friction = EASED
        held = 0
        begin_easier(m, d)
    if friction == EASED:
        scale_friction(d, 1.0 / EASIER)
        return 0
    return int(has_ended(m, d))


@kernel("m d", ret="i")
def newton(m, d):
    """Solve the present island from its first point. Returns 1 where it ended within the tolerances, 0 where not.

    Reads: opt_hard_iterations, hard_recover, hard_kappa, hrow_at, hrow_dim, hard_project, and what start, go_on_easing and go_on read
    Writes: what start, go_on_easing and go_on write
    """
    start(m, d)
    if may_ease(m, d, degree(d)):
        if go_on_easing(m, d, m.opt_hard_iterations) == 1:
            return 1
        start(m, d)
    return go_on(m, d, m.opt_hard_iterations)


@kernel("m d i", ret="i")
def newton_again(m, d, fresh):
    """Solve the present island from where its last solve has ended, without the rows from `fresh` on. Returns 1 where it ended within the tolerances, 0 where not.

    Reads: opt_hard_iterations, and what start_again and go_on read
    Writes: what start_again and go_on write
    """
    start_again(m, d, fresh)
    return go_on(m, d, min(AGAIN, m.opt_hard_iterations))
