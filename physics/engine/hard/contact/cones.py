"""Contact rows of the interior-point method: products, the response of impulses to motion, and what rows add to the bodies' residuals and blocks.

A row of dimension n has the slack s and impulse gamma of its gap, and n - 1 pairs eta_k, xi_k under one eta_0. The impulse on body 2 is
f = n gamma + sum of dir_k mu_k xi_k at the contact point, in directions t1, t2 and, for dimensions 4 and 6, as a torque along n, t1, t2. All cones are
those of the soft engine's elliptic contacts: (gamma, xi) and (eta_0, eta) lie in the second-order cone.

    r_s = phi3 / h - s        c0 = s gamma
    r_k = mu_k v_k - eta_k    c1 = eta_0 gamma + eta . xi    c_k = gamma eta_k + eta_0 xi_k

Condensed: with ds and de the motion of the rows plus r,
    dgamma = (-c0 - gamma ds) / s
    deta_0 = (-eta_0 c1 + eta . c + (gamma eta - eta_0 xi) . de - E dgamma) / D,  D = gamma eta_0 - eta . xi,  E = eta_0^2 - |eta|^2
    dxi    = (-c - xi deta_0 - gamma de - eta dgamma) / eta_0

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (3), (19)-(25), (33)-(38).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.gaps import gap_asked, slip_of_row
from physics.engine.hard.contact.row_slopes import SLIDING, WHOLE, add_sliding, add_wrench_rows, along, mixed6, slip_count, slope_row, turn_slopes
from physics.engine.hard.start_scales import fall_speed
from physics.engine.linalg.spatial import addscl6
from physics.engine.linalg.vec import add3, cross3, dot3, scl3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld9, off

# places in a row of hrow_var, hrow_step, hrow_predict
SLACK, IMPULSE, ETA0, ETA, XI = 0, 1, 2, 3, 8
# places in a row of hrow_res
GAP, SLIP, PRODUCT0, PRODUCT1, PRODUCT = 0, 1, 6, 7, 8
SIZE = 13   # numbers of a row that are used
INSIDE = 0.9   # part of the way to the edge of its cone at which a friction is left that is lifted from there
ROUNDING = 1e-14   # of a cone's squared axis: what rounding may hide of how far it is from its edge
# behind them in a row of hrow_var, what every direction from a point divides by: 1 / s, 1 / eta_0, 1 / D; of hrow_step: E / D
OVER_SLACK, OVER_ETA0, OVER_D, E_OVER_D = 13, 14, 15, 13


@helper
def squared(p, at, n):
    """Squared length of p[at:at+n]."""
    x = 0.0
    for k in range(n):
        x += p[at + k] * p[at + k]
    return x


@helper
def inner(p, at, q, bt, n):
    """p[at:at+n] . q[bt:bt+n]."""
    x = 0.0
    for k in range(n):
        x += p[at + k] * q[bt + k]
    return x


# ---------------------------------------------------------------- impulses on bodies


@helper
def impulse_of(d, c, gamma, xi, at):
    """Impulse and twist of row c on body 2 in the world, from gamma and the five of xi[at:]."""
    n = slip_count(d, c)
    f = ld9(d.hrow_dir, c)
    t1 = (f[0], f[1], f[2])
    t2 = (f[3], f[4], f[5])
    z = (f[6], f[7], f[8])
    p = scl3(z, gamma)
    q = (0.0, 0.0, 0.0)
    if n >= 2:
        p = add3(p, add3(scl3(t1, d.hrow_mu[c, 0] * xi[at]), scl3(t2, d.hrow_mu[c, 1] * xi[at + 1])))
    if n > SLIDING:
        q = scl3(z, d.hrow_mu[c, 2] * xi[at + 2])
        q = add3(q, add3(scl3(t1, d.hrow_mu[c, 3] * xi[at + 3]), scl3(t2, d.hrow_mu[c, 4] * xi[at + 4])))
    return p[0], p[1], p[2], q[0], q[1], q[2]


@helper
def push_bodies(d, c, out, f, sign):
    """out of body 2 += sign times the wrench of (impulse, twist) f at the contact point, out of body 1 -= it."""
    a = ld6(d.hrow_arm, c)
    p = (f[0], f[1], f[2])
    for i in range(2):
        b = d.hrow_body[c, i]
        if b > 0:
            s = sign if i == 1 else -sign
            arm = (a[3], a[4], a[5]) if i == 1 else (a[0], a[1], a[2])
            t = cross3(arm, p)
            out[b, 0] += s * p[0]
            out[b, 1] += s * p[1]
            out[b, 2] += s * p[2]
            out[b, 3] += s * (t[0] + f[3])
            out[b, 4] += s * (t[1] + f[4])
            out[b, 5] += s * (t[2] + f[5])


@helper
def cone_residuals(d, c, x, r, n, rv, kv):
    """Slips of row c and the products of its cone; -> the largest residual and violation so far. x, r: its numbers in hrow_var and hrow_res; n: directions."""
    v = slip_of_row(d, c)
    gamma = x[IMPULSE]
    e0 = x[ETA0]
    r[PRODUCT1] = e0 * gamma + inner(x, ETA, x, XI, n)
    kv = max(kv, abs(r[PRODUCT1] - d.hard_kappa))
    for k in range(n):
        r[SLIP + k] = d.hrow_mu[c, k] * fifth(v, k) - x[ETA + k]
        r[PRODUCT + k] = gamma * x[ETA + k] + e0 * x[XI + k]
        rv = max(rv, abs(r[SLIP + k]))
        kv = max(kv, abs(r[PRODUCT + k]))
    return rv, kv


@helper
def fifth(v, k):
    """v_k of five."""
    return v[0] if k == 0 else (v[1] if k == 1 else (v[2] if k == 2 else (v[3] if k == 3 else v[4])))


@kernel()
def row_residuals(m, d):
    """Residuals and products of the rows of the present island, and the bodies' share of their impulses.

    hard_rv and hard_kv become at least the largest residual and the largest distance of a product from hard_kappa.
    Reads: hard_mocap, hard_x, hard_turn, hard_vel, hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_kind, hrow_dim, hard_project, hrow_dir, hrow_arm, hrow_witness, hrow_mu,
        hrow_drive, hrow_shape, hrow_rest,
        hrow_floor, hrow_var, hard_recover, hard_kappa, hard_rv, hard_kv
    Writes: hrow_res, hrow_normal, hrow_reach, hard_res, hard_rv, hard_kv
    """
    rv = d.hard_rv
    kv = d.hard_kv
    kappa = d.hard_kappa
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        r = off(d.hrow_res, 16 * c)
        # the gap and its product
        gamma = x[IMPULSE]
        r[GAP] = gap_asked(m, d, c) - x[SLACK]
        r[PRODUCT0] = x[SLACK] * gamma
        rv = max(rv, abs(r[GAP]))
        kv = max(kv, abs(r[PRODUCT0] - kappa))
        if n == SLIDING:
            rv, kv = cone_residuals(d, c, x, r, SLIDING, rv, kv)
        elif n > 0:
            rv, kv = cone_residuals(d, c, x, r, WHOLE, rv, kv)
        push_bodies(d, c, d.hard_res, impulse_of(d, c, gamma, x, XI), -1.0)
    d.hard_rv = rv
    d.hard_kv = kv


# ---------------------------------------------------------------- the first point


@helper
def row_scales(m, d, c, fall):
    """(speed that row c may see [m/s], mass that it may have to stop [kg]): a fall's speed and the motion of both bodies; the lighter one's tree, shared by its rows."""
    speed = fall
    mass = -1.0
    count = 1
    for i in range(2):
        b = d.hrow_body[c, i]
        if b > 0:
            t = m.body_treeid[b]
            whole = m.body_subtreemass[m.tree_bodyadr[t]]
            if mass < 0.0 or whole < mass:
                mass = whole
                count = max(1, d.hard_treerow[t])
            u = ld6(d.hard_vel, b)
            speed += sqrt(dot3((u[0], u[1], u[2]), (u[0], u[1], u[2])))
            speed += sqrt(squared(off(d.hrow_arm, 6 * c + 3 * i), 0, 3)) * sqrt(dot3((u[3], u[4], u[5]), (u[3], u[4], u[5])))
    return speed, max(mass, 1e-9) / count


@kernel()
def start_rows(m, d):
    """Put the rows of the present island on a central path by physical scales.

    The speed v_s that a row may see: gravity over the step, and the motion of both bodies, times hard_spread (1 is best). The lighter body's tree must be stopped by
    the impulses of its contacts: gamma = m v_s^2 / (n s).
    Reads: hard_mocap, hard_x, hard_turn, hard_vel, hard_treerow, hard_recover, hard_spread, hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_kind, hrow_dim, hard_project, hrow_dir,
        hrow_arm, hrow_witness, hrow_mu, hrow_drive,
        hrow_shape, hrow_rest, hrow_floor
    Writes: hrow_var, hrow_normal, hrow_reach
    """
    fall = fall_speed(m, d)
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        speed, mass = row_scales(m, d, c, fall)
        speed = speed * d.hard_spread
        # the gap's pair, then the cones' axes
        slack = max(gap_asked(m, d, c), speed)
        for k in range(SIZE):
            x[k] = 0.0
        x[SLACK] = slack
        x[IMPULSE] = mass * speed * speed / slack
        if n > 0:
            v = slip_of_row(d, c)
            slip = 0.0
            for k in range(WHOLE):
                slip += d.hrow_mu[c, k] * d.hrow_mu[c, k] * fifth(v, k) * fifth(v, k)
            x[ETA0] = max(d.hrow_mu[c, 0], d.hrow_mu[c, 1]) * speed + 1.5 * sqrt(slip)


@kernel("m d f")
def lift_rows(m, d, product):
    """Lift the rows of the present island from the edges of their cones: slack times impulse, and eta_0 with it, become at least `product` [J], by as little of the impulses as may be.

    Reads: hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hard_project
    Writes: hrow_var
    """
    least = product / fall_speed(m, d)
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        gamma = max(x[IMPULSE], least)
        x[IMPULSE] = gamma
        gap = product / gamma
        x[SLACK] = max(x[SLACK], gap)
        if n > 0:
            x[ETA0] = max(x[ETA0], 0.5 * gap + sqrt(0.25 * gap * gap + squared(x, ETA, n)))
            size = sqrt(squared(x, XI, n))
            if size > INSIDE * gamma:
                for k in range(n):
                    x[XI + k] = x[XI + k] * (INSIDE * gamma / size)


# ---------------------------------------------------------------- blocks


@helper
def cone_determinants(x, n):
    """(D, E) of a row: gamma eta_0 - eta . xi and eta_0^2 - |eta|^2."""
    size = sqrt(squared(x, ETA, n))
    return x[IMPULSE] * x[ETA0] - inner(x, ETA, x, XI, n), (x[ETA0] - size) * (x[ETA0] + size)


@helper
def sliding_changes(d, c):
    """Changes of the impulses along t1, t2 and n of row c, of dimension 3, by v_1, v_2 and the gap: nine numbers by rows."""
    x = off(d.hrow_var, 16 * c)
    mu1 = d.hrow_mu[c, 0]
    mu2 = d.hrow_mu[c, 1]
    gamma = x[IMPULSE]
    e0 = x[ETA0]
    press = -gamma * x[OVER_SLACK]
    # deta_0 = main . (v_1, v_2, gap)
    main1 = (gamma * x[ETA] - e0 * x[XI]) * mu1 * x[OVER_D]
    main2 = (gamma * x[ETA + 1] - e0 * x[XI + 1]) * mu2 * x[OVER_D]
    main3 = -d.hrow_step[c, E_OVER_D] * press
    s1 = -mu1 * x[OVER_ETA0]
    s2 = -mu2 * x[OVER_ETA0]
    return (s1 * (x[XI] * main1 + gamma * mu1), s1 * x[XI] * main2, s1 * (x[XI] * main3 + x[ETA] * press),
            s2 * x[XI + 1] * main1, s2 * (x[XI + 1] * main2 + gamma * mu2), s2 * (x[XI + 1] * main3 + x[ETA + 1] * press),
            0.0, 0.0, press)


@helper
def add_column(d, c, i, own, other, both, n):
    """Add what row c's impulses change by motion of its body i, to the body's own block and to that of the other body's residual.

    own, other: where these begin; both: whether the other body moves; n: directions.
    """
    x = off(d.hrow_var, 16 * c)
    a = ld6(d.hrow_arm, c)
    arm = (a[0], a[1], a[2]) if i == 0 else (a[3], a[4], a[5])
    across = (a[3], a[4], a[5]) if i == 0 else (a[0], a[1], a[2])
    f = ld9(d.hrow_dir, c)
    # dgamma = press gap'
    gap = slope_row(d, c, i, 5)
    press = -x[IMPULSE] * x[OVER_SLACK]
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    change = mixed6(press, gap, 0.0, zero, 0.0, zero)
    force_x = mixed6(f[6], change, 0.0, zero, 0.0, zero)
    force_y = mixed6(f[7], change, 0.0, zero, 0.0, zero)
    force_z = mixed6(f[8], change, 0.0, zero, 0.0, zero)
    torque_x = zero
    torque_y = zero
    torque_z = zero
    if n > 0:
        # deta_0 = main . nu
        main = mixed6(-d.hrow_step[c, E_OVER_D] * press, gap, 0.0, zero, 0.0, zero)
        for k in range(n):
            main = addscl6(main, slope_row(d, c, i, k), (x[IMPULSE] * x[ETA + k] - x[ETA0] * x[XI + k]) * d.hrow_mu[c, k] * x[OVER_D])
        # mu dxi_k: a force along a tangent, or from the third on a torque
        for k in range(n):
            mu = d.hrow_mu[c, k]
            s = mu * x[OVER_ETA0]
            change = mixed6(-s * x[XI + k], main, -s * x[IMPULSE] * mu, slope_row(d, c, i, k), -s * x[ETA + k] * press, gap)
            t = (f[6], f[7], f[8]) if k == 2 else ((f[0], f[1], f[2]) if k == 0 or k == 3 else (f[3], f[4], f[5]))
            if k < 2:
                force_x = addscl6(force_x, change, t[0])
                force_y = addscl6(force_y, change, t[1])
                force_z = addscl6(force_z, change, t[2])
            else:
                torque_x = addscl6(torque_x, change, t[0])
                torque_y = addscl6(torque_y, change, t[1])
                torque_z = addscl6(torque_z, change, t[2])
    add_wrench_rows(own, arm, force_x, force_y, force_z, torque_x, torque_y, torque_z, -1.0)
    if both:
        add_wrench_rows(other, across, force_x, force_y, force_z, torque_x, torque_y, torque_z, 1.0)


@helper
def block_across(d, pair, b):
    """Block of the other body's residual by the motion of body b, hard_lower where b is the earlier of the pair; something, where there is no pair."""
    if pair >= 0 and d.hard_pair[pair, 0] == b:
        return off(d.hard_lower, 48 * pair)
    return off(d.hard_upper, 48 * max(pair, 0))


@helper
def keep_divisors(d, c):
    """Keep what every direction of row c from the present point divides by."""
    n = slip_count(d, c)
    x = off(d.hrow_var, 16 * c)
    x[OVER_SLACK] = 1.0 / x[SLACK]
    if n > 0:
        D, E = cone_determinants(x, n)
        x[OVER_ETA0] = 1.0 / x[ETA0]
        x[OVER_D] = 1.0 / D
        d.hrow_step[c, E_OVER_D] = E * x[OVER_D]


@helper
def add_columns(d, c, i, own, other, both):
    """add_column, compiled for rows without friction and for all others that do not only slide."""
    if slip_count(d, c) > 0:
        add_column(d, c, i, own, other, both, WHOLE)
    else:
        add_column(d, c, i, own, other, both, 0)


@kernel()
def row_blocks(m, d):
    """Condense the rows of the present island onto their bodies: the blocks lose what the impulses change by the bodies' motion. Keeps what directions divide by, too.

    Reads: hard_turn, hard_pair, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_pair, hrow_dim, hard_project, hrow_dir, hrow_arm, hrow_mu, hrow_normal, hrow_reach, hrow_var
    Writes: hrow_turn, hrow_var, hrow_step, hard_block, hard_upper, hard_lower
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        pair = d.hrow_pair[c]
        keep_divisors(d, c)
        slides = slip_count(d, c) == SLIDING
        w = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if slides:
            w = sliding_changes(d, c)
        for i in range(2):
            b = d.hrow_body[c, i]
            if b <= 0:
                continue
            turn_slopes(d, c, i)
            own = off(d.hard_block, 48 * b)
            if slides:
                add_sliding(d, c, i, w, own, block_across(d, pair, b), pair >= 0)
            else:
                add_columns(d, c, i, own, block_across(d, pair, b), pair >= 0)


# ---------------------------------------------------------------- directions


@helper
def respond_normal(x, y, r, p, target, corrector):
    """-> dgamma of a row whose slack changes as its step y says; x, y, r, p: its numbers in hrow_var, hrow_step, hrow_res and hrow_predict."""
    c0 = r[PRODUCT0] - target
    if corrector != 0:
        c0 += p[SLACK] * p[IMPULSE]
    return (-c0 - x[IMPULSE] * y[SLACK]) * x[OVER_SLACK]


@helper
def tangential_constant(r, p, k, corrector):
    """Product k of the cone, whose target is 0; with `corrector` that of the predictor's direction added."""
    c = r[PRODUCT + k]
    if corrector != 0:
        c += p[IMPULSE] * p[ETA + k] + p[ETA0] * p[XI + k]
    return c


@helper
def respond_cone(x, y, r, p, target, corrector, push, n):
    """Complete a row's step y by deta_0 and dxi for dgamma = push and the deta that it has, in n directions; x, y, r, p: as of respond_normal."""
    gamma = x[IMPULSE]
    e0 = x[ETA0]
    c1 = r[PRODUCT1] - target
    if corrector != 0:
        c1 += p[ETA0] * p[IMPULSE] + inner(p, ETA, p, XI, n)
    main = -e0 * c1
    for k in range(n):
        main += x[ETA + k] * tangential_constant(r, p, k, corrector) + (gamma * x[ETA + k] - e0 * x[XI + k]) * y[ETA + k]
    main = main * x[OVER_D] - y[E_OVER_D] * push
    y[ETA0] = main
    over = x[OVER_ETA0]
    for k in range(n):
        y[XI + k] = (-tangential_constant(r, p, k, corrector) - x[XI + k] * main - gamma * y[ETA + k] - x[ETA + k] * push) * over


@helper
def respond(d, c, target, corrector):
    """Complete hrow_step of row c, which holds the motion ds, deta, by the change of impulses that it makes."""
    n = slip_count(d, c)
    x = off(d.hrow_var, 16 * c)
    y = off(d.hrow_step, 16 * c)
    r = off(d.hrow_res, 16 * c)
    p = off(d.hrow_predict, 16 * c)
    push = respond_normal(x, y, r, p, target, corrector)
    y[IMPULSE] = push
    if n == SLIDING:
        respond_cone(x, y, r, p, target, corrector, push, SLIDING)
    elif n > 0:
        respond_cone(x, y, r, p, target, corrector, push, WHOLE)


@kernel("m d f i")
def push_rows(m, d, target, corrector):
    """Take from hard_wrench what the rows' impulses change by while no body moves: products go to `target`, residuals to 0.

    corrector: 1 with the second-order term of the predictor's direction.
    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_dim, hard_project, hrow_dir, hrow_arm, hrow_mu, hrow_var, hrow_res, hrow_predict
    Writes: hrow_step, hard_wrench
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        y = off(d.hrow_step, 16 * c)
        y[SLACK] = d.hrow_res[c, GAP]
        for k in range(WHOLE):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        respond(d, c, target, corrector)
        push_bodies(d, c, d.hard_wrench, impulse_of(d, c, y[IMPULSE], y, XI), -1.0)


@helper
def add_slips(d, c, i, y, v, sign, n):
    """Add to the step y of row c what its n slips change by the motion v of its body i."""
    for k in range(n):
        y[ETA + k] += sign * d.hrow_mu[c, k] * along(slope_row(d, c, i, k), v)


@kernel("m d f i")
def row_directions(m, d, target, corrector):
    """Directions of the rows' unknowns from the bodies' motion hard_nu; target, corrector: as of push_rows.

    Reads: hard_nu, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_dim, hard_project, hrow_dir, hrow_mu, hrow_normal, hrow_turn, hrow_var, hrow_res, hrow_predict
    Writes: hrow_step
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        y = off(d.hrow_step, 16 * c)
        # what the bodies' motion changes of the gap and of the slips
        y[SLACK] = d.hrow_res[c, GAP]
        for k in range(WHOLE):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        for i in range(2):
            b = d.hrow_body[c, i]
            if b <= 0:
                continue
            sign = -1.0 if i == 0 else 1.0
            v = ld6(d.hard_nu, b)
            y[SLACK] += sign * along(slope_row(d, c, i, 5), v)
            if n == SLIDING:
                add_slips(d, c, i, y, v, sign, SLIDING)
            elif n > 0:
                add_slips(d, c, i, y, v, sign, WHOLE)
        respond(d, c, target, corrector)


@kernel()
def keep_predictor(m, d):
    """The direction found is the predictor's.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_step
    Writes: hrow_predict
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        for k in range(SIZE):
            d.hrow_predict[c, k] = d.hrow_step[c, k]


# ---------------------------------------------------------------- how far, and moving there


@helper
def cone_step(x0, x, at, y0, y, n, share):
    """Longest step in the second-order cone from (x0, x[at:]) along (y0, y[at:]), times `share`; at most 1.

    Source: Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", section 8.3 (Dojo's (42)-(46)).
    """
    size = sqrt(squared(x, at, n))
    det = max((x0 - size) * (x0 + size), 1e-25) + 1e-40
    mixed = x0 * y0 - inner(x, at, y, at, n)
    over = 1.0 / sqrt(det)
    k = (mixed * over + y0) / (x0 + det * over) * over
    far = 0.0
    for i in range(n):
        a = y[at + i] * over - k * x[at + i]
        far += a * a
    far = sqrt(far) - mixed * over * over
    if far > 0.0:
        return min(1.0, share / far)
    return 1.0


@helper
def stays_inside(x0, x, at, y0, y, n, far):
    """Whether (x0, x[at:]) is in the second-order cone, beyond rounding, after a step of length far along (y0, y[at:])."""
    z0 = x0 + far * y0
    det = (1.0 - ROUNDING) * z0 * z0
    for k in range(n):
        z = x[at + k] + far * y[at + k]
        det -= z * z
    return z0 > 0.0 and det > 0.0


@helper
def nearer_edge(x0, x, at, y0, y, n, share, a):
    """cone_step where that is less than a, else a: most cones are far enough from their edges, which is sooner told than how far."""
    if stays_inside(x0, x, at, y0, y, n, a / share):
        return a
    return min(a, cone_step(x0, x, at, y0, y, n, share))


@kernel("m d f f", ret="f")
def row_fraction(m, d, orthant, cone):
    """How far the direction may be followed, at most 1: shares of the way to the edge of the orthants and of the cones.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hard_project, hrow_var, hrow_step
    """
    a = 1.0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        y = off(d.hrow_step, 16 * c)
        if orthant * x[SLACK] + a * y[SLACK] < 0.0:
            a = -orthant * x[SLACK] / y[SLACK]
        if orthant * x[IMPULSE] + a * y[IMPULSE] < 0.0:
            a = -orthant * x[IMPULSE] / y[IMPULSE]
        if n == SLIDING:
            a = nearer_edge(x[ETA0], x, ETA, y[ETA0], y, SLIDING, cone, a)
            a = nearer_edge(x[IMPULSE], x, XI, y[IMPULSE], y, SLIDING, cone, a)
        elif n > 0:
            a = nearer_edge(x[ETA0], x, ETA, y[ETA0], y, WHOLE, cone, a)
            a = nearer_edge(x[IMPULSE], x, XI, y[IMPULSE], y, WHOLE, cone, a)
    return a


@helper
def cone_products(x, y, fraction, n):
    """eta . xi in n directions after a step of length fraction."""
    t = 0.0
    for k in range(n):
        t += (x[ETA + k] + fraction * y[ETA + k]) * (x[XI + k] + fraction * y[XI + k])
    return t


@kernel("m d f", ret="f")
def row_products(m, d, fraction):
    """Sum of the rows' products after a step of length fraction [J]; divided by the cones' degrees it is the mean complementarity.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hard_project, hrow_var, hrow_step
    """
    t = 0.0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        y = off(d.hrow_step, 16 * c)
        gamma = x[IMPULSE] + fraction * y[IMPULSE]
        t += (x[SLACK] + fraction * y[SLACK]) * gamma
        if n == SLIDING:
            t += (x[ETA0] + fraction * y[ETA0]) * gamma + cone_products(x, y, fraction, SLIDING)
        elif n > 0:
            t += (x[ETA0] + fraction * y[ETA0]) * gamma + cone_products(x, y, fraction, WHOLE)
    return t


@kernel("m d f")
def move_rows(m, d, fraction):
    """Follow the direction by fraction.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_step
    Writes: hrow_var
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        for k in range(SIZE):
            d.hrow_var[c, k] += fraction * d.hrow_step[c, k]
