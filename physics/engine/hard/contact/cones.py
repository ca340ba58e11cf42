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
from physics.engine.hard.contact.row_slopes import add_sliding, add_wrench_rows, along, mixed6, slip_count, slope_row, turn_slopes
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
    if n >= 3:
        q = scl3(z, d.hrow_mu[c, 2] * xi[at + 2])
    if n >= 5:
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
        # slips and the products of the cone
        if n > 0:
            v1, v2, v3, v4, v5 = slip_of_row(d, c)
            e0 = x[ETA0]
            r[PRODUCT1] = e0 * gamma + inner(x, ETA, x, XI, n)
            kv = max(kv, abs(r[PRODUCT1] - kappa))
            for k in range(n):
                v = v1 if k == 0 else (v2 if k == 1 else (v3 if k == 2 else (v4 if k == 3 else v5)))
                r[SLIP + k] = d.hrow_mu[c, k] * v - x[ETA + k]
                r[PRODUCT + k] = gamma * x[ETA + k] + e0 * x[XI + k]
                rv = max(rv, abs(r[SLIP + k]))
                kv = max(kv, abs(r[PRODUCT + k]))
        push_bodies(d, c, d.hard_res, impulse_of(d, c, gamma, x, XI), -1.0)
    d.hard_rv = rv
    d.hard_kv = kv


# ---------------------------------------------------------------- the first point


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
        # speed and mass
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
        speed = speed * d.hard_spread
        # the gap's pair, then the cones' axes
        slack = max(gap_asked(m, d, c), speed)
        for k in range(SIZE):
            x[k] = 0.0
        x[SLACK] = slack
        x[IMPULSE] = max(mass, 1e-9) * speed * speed / (count * slack)
        if n > 0:
            v1, v2, v3, v4, v5 = slip_of_row(d, c)
            slip = 0.0
            for k in range(n):
                v = v1 if k == 0 else (v2 if k == 1 else (v3 if k == 2 else (v4 if k == 3 else v5)))
                slip += d.hrow_mu[c, k] * d.hrow_mu[c, k] * v * v
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
    D, E = cone_determinants(x, 2)
    mu1 = d.hrow_mu[c, 0]
    mu2 = d.hrow_mu[c, 1]
    gamma = x[IMPULSE]
    e0 = x[ETA0]
    press = -gamma / x[SLACK]
    # deta_0 = main . (v_1, v_2, gap)
    over = 1.0 / D
    main1 = (gamma * x[ETA] - e0 * x[XI]) * mu1 * over
    main2 = (gamma * x[ETA + 1] - e0 * x[XI + 1]) * mu2 * over
    main3 = -E * press * over
    s1 = -mu1 / e0
    s2 = -mu2 / e0
    return (s1 * (x[XI] * main1 + gamma * mu1), s1 * x[XI] * main2, s1 * (x[XI] * main3 + x[ETA] * press),
            s2 * x[XI + 1] * main1, s2 * (x[XI + 1] * main2 + gamma * mu2), s2 * (x[XI + 1] * main3 + x[ETA + 1] * press),
            0.0, 0.0, press)


@helper
def add_column(d, c, i, own, other, both):
    """Add what row c's impulses change by motion of its body i, to the body's own block and to that of the other body's residual.

    own, other: where these begin; both: whether the other body moves.
    """
    n = slip_count(d, c)
    x = off(d.hrow_var, 16 * c)
    a = ld6(d.hrow_arm, c)
    arm = (a[0], a[1], a[2]) if i == 0 else (a[3], a[4], a[5])
    across = (a[3], a[4], a[5]) if i == 0 else (a[0], a[1], a[2])
    f = ld9(d.hrow_dir, c)
    # dgamma = press gap'
    gap = slope_row(d, c, i, 5)
    press = -x[IMPULSE] / x[SLACK]
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
        D, E = cone_determinants(x, n)
        main = mixed6(-E * press / D, gap, 0.0, zero, 0.0, zero)
        for k in range(n):
            main = addscl6(main, slope_row(d, c, i, k), (x[IMPULSE] * x[ETA + k] - x[ETA0] * x[XI + k]) * d.hrow_mu[c, k] / D)
        # mu dxi_k: a force along a tangent, or from the third on a torque
        for k in range(n):
            mu = d.hrow_mu[c, k]
            s = mu / x[ETA0]
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


@kernel()
def row_blocks(m, d):
    """Condense the rows of the present island onto their bodies: the blocks lose what the impulses change by the bodies' motion.

    Reads: hard_turn, hard_pair, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_pair, hrow_dim, hard_project, hrow_dir, hrow_arm, hrow_mu, hrow_normal, hrow_reach, hrow_var
    Writes: hrow_turn, hard_block, hard_upper, hard_lower
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        pair = d.hrow_pair[c]
        slides = slip_count(d, c) == 2
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
                add_column(d, c, i, own, block_across(d, pair, b), pair >= 0)


# ---------------------------------------------------------------- directions


@helper
def constants(d, c, target, corrector):
    """Products of row c less `target`: (c0, c1); with `corrector` those of the predictor's direction added."""
    r = off(d.hrow_res, 16 * c)
    c0 = r[PRODUCT0] - target
    c1 = r[PRODUCT1] - target
    if corrector != 0:
        y = off(d.hrow_predict, 16 * c)
        c0 += y[SLACK] * y[IMPULSE]
        c1 += y[ETA0] * y[IMPULSE] + inner(y, ETA, y, XI, slip_count(d, c))
    return c0, c1


@helper
def tangential_constant(d, c, k, corrector):
    """The same of product k of the cone, whose target is 0."""
    x = d.hrow_res[c, PRODUCT + k]
    if corrector != 0:
        y = off(d.hrow_predict, 16 * c)
        x += y[IMPULSE] * y[ETA + k] + y[ETA0] * y[XI + k]
    return x


@helper
def respond_sliding(x, y, r, p, target, corrector):
    """As `respond` for a row with two sliding directions; x, y, r, p: its numbers in hrow_var, hrow_step, hrow_res and hrow_predict."""
    gamma = x[IMPULSE]
    e0 = x[ETA0]
    e1 = x[ETA]
    e2 = x[ETA + 1]
    x1 = x[XI]
    x2 = x[XI + 1]
    c0 = r[PRODUCT0] - target
    c1 = r[PRODUCT1] - target
    c2 = r[PRODUCT]
    c3 = r[PRODUCT + 1]
    if corrector != 0:
        # second order: products of the predictor's changes
        c0 += p[SLACK] * p[IMPULSE]
        c1 += p[ETA0] * p[IMPULSE] + p[ETA] * p[XI] + p[ETA + 1] * p[XI + 1]
        c2 += p[IMPULSE] * p[ETA] + p[ETA0] * p[XI]
        c3 += p[IMPULSE] * p[ETA + 1] + p[ETA0] * p[XI + 1]
    push = (-c0 - gamma * y[SLACK]) / x[SLACK]
    y[IMPULSE] = push
    # deta_0, then dxi
    d1 = y[ETA]
    d2 = y[ETA + 1]
    size = sqrt(e1 * e1 + e2 * e2)
    main = e1 * c2 + e2 * c3 - e0 * c1 - (e0 - size) * (e0 + size) * push + (gamma * e1 - e0 * x1) * d1 + (gamma * e2 - e0 * x2) * d2
    main /= gamma * e0 - e1 * x1 - e2 * x2
    over = 1.0 / e0
    y[ETA0] = main
    y[XI] = (-c2 - x1 * main - gamma * d1 - e1 * push) * over
    y[XI + 1] = (-c3 - x2 * main - gamma * d2 - e2 * push) * over


@helper
def respond(d, c, target, corrector):
    """Complete hrow_step of row c, which holds the motion ds, deta, by the change of impulses that it makes."""
    n = slip_count(d, c)
    x = off(d.hrow_var, 16 * c)
    y = off(d.hrow_step, 16 * c)
    if n == 2:
        respond_sliding(x, y, off(d.hrow_res, 16 * c), off(d.hrow_predict, 16 * c), target, corrector)
        return
    c0, c1 = constants(d, c, target, corrector)
    push = (-c0 - x[IMPULSE] * y[SLACK]) / x[SLACK]
    y[IMPULSE] = push
    if n == 0:
        return
    # deta_0, then dxi
    D, E = cone_determinants(x, n)
    e0 = -x[ETA0] * c1 - E * push
    for k in range(n):
        e0 += x[ETA + k] * tangential_constant(d, c, k, corrector) + (x[IMPULSE] * x[ETA + k] - x[ETA0] * x[XI + k]) * y[ETA + k]
    e0 /= D
    y[ETA0] = e0
    for k in range(n):
        y[XI + k] = (-tangential_constant(d, c, k, corrector) - x[XI + k] * e0 - x[IMPULSE] * y[ETA + k] - x[ETA + k] * push) / x[ETA0]


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
        for k in range(slip_count(d, c)):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        respond(d, c, target, corrector)
        push_bodies(d, c, d.hard_wrench, impulse_of(d, c, y[IMPULSE], y, XI), -1.0)


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
        for k in range(n):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        for i in range(2):
            b = d.hrow_body[c, i]
            if b <= 0:
                continue
            sign = -1.0 if i == 0 else 1.0
            v = ld6(d.hard_nu, b)
            y[SLACK] += sign * along(slope_row(d, c, i, 5), v)
            for k in range(n):
                y[ETA + k] += sign * d.hrow_mu[c, k] * along(slope_row(d, c, i, k), v)
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
    root = sqrt(det)
    k = (mixed / root + y0) / (x0 * root + det)
    far = 0.0
    for i in range(n):
        a = y[at + i] / root - k * x[at + i]
        far += a * a
    far = sqrt(far) - mixed / det
    if far > 0.0:
        return min(1.0, share / far)
    return 1.0


@helper
def disc_step(x0, x1, x2, y0, y1, y2, share):
    """As cone_step in three dimensions."""
    size = sqrt(x1 * x1 + x2 * x2)
    det = max((x0 - size) * (x0 + size), 1e-25) + 1e-40
    mixed = x0 * y0 - x1 * y1 - x2 * y2
    over = 1.0 / sqrt(det)
    k = (mixed * over + y0) / (x0 + det * over) * over
    a = y1 * over - k * x1
    b = y2 * over - k * x2
    far = sqrt(a * a + b * b) - mixed * over * over
    if far > 0.0:
        return min(1.0, share / far)
    return 1.0


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
        if y[SLACK] < 0.0:
            a = min(a, -orthant * x[SLACK] / y[SLACK])
        if y[IMPULSE] < 0.0:
            a = min(a, -orthant * x[IMPULSE] / y[IMPULSE])
        if n == 2:
            a = min(a, disc_step(x[ETA0], x[ETA], x[ETA + 1], y[ETA0], y[ETA], y[ETA + 1], cone))
            a = min(a, disc_step(x[IMPULSE], x[XI], x[XI + 1], y[IMPULSE], y[XI], y[XI + 1], cone))
        elif n > 0:
            a = min(a, cone_step(x[ETA0], x, ETA, y[ETA0], y, n, cone))
            a = min(a, cone_step(x[IMPULSE], x, XI, y[IMPULSE], y, n, cone))
    return a


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
        if n > 0:
            t += (x[ETA0] + fraction * y[ETA0]) * gamma
            for k in range(n):
                t += (x[ETA + k] + fraction * y[ETA + k]) * (x[XI + k] + fraction * y[XI + k])
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
