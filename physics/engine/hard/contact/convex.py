"""Contact rows of the convex approach: where a solve of many contacts begins, before the exact rows of cones.py take over.

Coulomb's law is not the optimality condition of anything: near the change from sticking to sliding its central path can fold, and of many contacts there is always one. With
the gap widened by a slip that is held, b = |mu v_t| as it was in the iteration before, it is one: the impulses of a row and (gap and slip) lie in a cone and its dual, and
the path of that problem leads to its end always. At the solution, where b is the slip itself, both laws are the same.

    sigma = phi3 / h + b,  eta_k = mu_k v_k;  x = (gamma, xi), z = (sigma, eta) in the second-order cone,  x o z = kappa e

Scaling of Nesterov and Todd: with u = x / sqrt(det x), v = z / sqrt(det z),
    w = (u + J v) / sqrt(2 + 2 u . v),  beta^2 = sqrt(det x / det z),  H = V^2 = beta^2 (2 w w' - J),  V z = V^-1 x = l
    dx = -x - H dz + V (l^-1 o (target e - (V^-1 dx_p) o (V dz_p))),  dx_p, dz_p the predictor's

hrow_var holds sigma in the place of the slack, and b behind all else; eta_0 is not used. The exact rows continue with eta_0 = sigma, s = sigma - |eta|, which is on their
own central path up to a factor between 1/2 and 1 where this one is on its.

Source: De Saxce and Feng, "The bipotential method", Mathematical and Computer Modelling 28 (1998); Acary, Cadoux, Lemarechal and Malick, "A formulation of the linear discrete
Coulomb friction problem via convex optimization", ZAMM 91 (2011); Vandenberghe, "The CVXOPT linear and quadratic cone program solvers", sections 4 to 6.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.cones import (
    ETA,
    ETA0,
    GAP,
    IMPULSE,
    PRODUCT,
    PRODUCT0,
    SLACK,
    SLIP,
    XI,
    block_across,
    cone_step,
    impulse_of,
    inner,
    push_bodies,
    squared,
)
from physics.engine.hard.contact.gaps import gap_asked, slip_of_row
from physics.engine.hard.contact.row_slopes import add_sliding, add_wrench_rows, along, mixed6, slip_count, slope_row, turn_slopes
from physics.engine.linalg.spatial import addscl6
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld9, off
from physics.kernels.simd import stack

# places in a row of hrow_scale
BETA2, W = 0, 1
LEAST = 1e-300   # of a determinant


@kernel()
def widen_rows(m, d):
    """After start_rows: the first point of the convex rows of the present island, of the same products.

    Reads: hrow_at, hard_rowfirst, hard_rowend
    Writes: hrow_var
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        x = off(d.hrow_var, 16 * c)
        product = x[SLACK] * x[IMPULSE]
        x[SLACK] = x[SLACK] + x[ETA0]
        x[IMPULSE] = product / x[SLACK]
        x[ETA0] = 0.0


@kernel()
def narrow_rows(m, d):
    """The exact rows of the present island that the convex ones lead to.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_dim
    Writes: hrow_var
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        if n > 0:
            x[ETA0] = x[SLACK] * 1.0
            size = sqrt(squared(x, ETA, n))
            # (sigma - |eta|) (sigma + |eta|) is not less than 0 in the cone
            x[SLACK] = x[SLACK] - size


@kernel()
def convex_residuals(m, d):
    """As row_residuals of cones.py, of the convex rows; b is the slip at the trial pose.

    Reads: hard_x, hard_turn, hard_vel, hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_kind, hrow_dim, hrow_dir, hrow_arm, hrow_witness, hrow_mu,
        hrow_drive, hrow_shape, hrow_rest, hrow_floor, hrow_var, hard_recover, hard_kappa, hard_rv, hard_kv
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
        gamma = x[IMPULSE]
        sigma = x[SLACK]
        # the slip, by which the gap is widened
        slip = 0.0
        if n > 0:
            v1, v2, v3, v4, v5 = slip_of_row(d, c)
            for k in range(n):
                v = d.hrow_mu[c, k] * (v1 if k == 0 else (v2 if k == 1 else (v3 if k == 2 else (v4 if k == 3 else v5))))
                slip += v * v
                r[SLIP + k] = v - x[ETA + k]
                r[PRODUCT + k] = gamma * x[ETA + k] + sigma * x[XI + k]
                rv = max(rv, abs(r[SLIP + k]))
                kv = max(kv, abs(r[PRODUCT + k]))
        r[GAP] = gap_asked(m, d, c) + sqrt(slip) - sigma
        r[PRODUCT0] = sigma * gamma + inner(x, ETA, x, XI, n)
        rv = max(rv, abs(r[GAP]))
        kv = max(kv, abs(r[PRODUCT0] - kappa))
        push_bodies(d, c, d.hard_res, impulse_of(d, c, gamma, x, XI), -1.0)
    d.hard_rv = rv
    d.hard_kv = kv


# ---------------------------------------------------------------- scaling


@helper
def determinant(x, first, rest, n):
    """x[first]^2 - |x[rest:rest+n]|^2 of a point in the cone."""
    size = sqrt(squared(x, rest, n))
    return max((x[first] - size) * (x[first] + size), LEAST)


@helper
def find_scale(d, c, n):
    """Write beta^2 and w of row c to hrow_scale."""
    x = off(d.hrow_var, 16 * c)
    s = off(d.hrow_scale, 8 * c)
    dx = sqrt(determinant(x, IMPULSE, XI, n))
    dz = sqrt(determinant(x, SLACK, ETA, n))
    dot = (x[IMPULSE] * x[SLACK] + inner(x, XI, x, ETA, n)) / (dx * dz)
    over = 1.0 / sqrt(2.0 + 2.0 * max(dot, 1.0))
    s[BETA2] = dx / dz
    s[W] = over * (x[IMPULSE] / dx + x[SLACK] / dz)
    for k in range(n):
        s[W + 1 + k] = over * (x[XI + k] / dx - x[ETA + k] / dz)


@helper
def scaled(s, p, first, rest, n, inverse, out):
    """out = V p, or V^-1 p with inverse 1: p of n + 1 numbers, p[first] and then p[rest:]; out from its start."""
    sign = -1.0 if inverse != 0 else 1.0
    beta = sqrt(s[BETA2])
    f = 1.0 / beta if inverse != 0 else beta
    dot = sign * inner(s, W + 1, p, rest, n)
    out[0] = f * (s[W] * p[first] + dot)
    g = sign * (p[first] + dot / (1.0 + s[W]))
    for k in range(n):
        out[1 + k] = f * (p[rest + k] + g * s[W + 1 + k])


@helper
def respond_convex(d, c, n, target, corrector):
    """Complete hrow_step of row c, which holds the motion dsigma, deta, by the change of impulses that it makes."""
    x = off(d.hrow_var, 16 * c)
    y = off(d.hrow_step, 16 * c)
    s = off(d.hrow_scale, 8 * c)
    # -x - H dz
    main = 2.0 * (s[W] * y[SLACK] + inner(s, W + 1, y, ETA, n))
    gamma = -x[IMPULSE] - s[BETA2] * (main * s[W] - y[SLACK])
    for k in range(n):
        y[XI + k] = -x[XI + k] - s[BETA2] * (main * s[W + 1 + k] + y[ETA + k])
    # V (l^-1 o (target e - second order))
    if target > 0.0 or corrector != 0:
        l = stack(8)
        q = stack(8)
        scaled(s, x, SLACK, ETA, n, 0, l)
        q[0] = target
        for k in range(n):
            q[1 + k] = 0.0
        if corrector != 0:
            p = off(d.hrow_predict, 16 * c)
            a = stack(8)
            b = stack(8)
            scaled(s, p, IMPULSE, XI, n, 1, a)
            scaled(s, p, SLACK, ETA, n, 0, b)
            q[0] -= a[0] * b[0] + inner(a, 1, b, 1, n)
            for k in range(n):
                q[1 + k] -= a[0] * b[1 + k] + b[0] * a[1 + k]
        size = sqrt(squared(l, 1, n))
        first = (l[0] * q[0] - inner(l, 1, q, 1, n)) / max((l[0] - size) * (l[0] + size), LEAST)
        q[0] = first
        for k in range(n):
            q[1 + k] = (q[1 + k] - first * l[1 + k]) / l[0]
        scaled(s, q, 0, 1, n, 0, l)
        gamma += l[0]
        for k in range(n):
            y[XI + k] += l[1 + k]
    y[IMPULSE] = gamma
    y[ETA0] = 0.0


# ---------------------------------------------------------------- blocks


@helper
def add_convex_column(d, c, n, i, own, other, both):
    """As add_column of cones.py: impulses change by -H of gap and slips."""
    s = off(d.hrow_scale, 8 * c)
    a = ld6(d.hrow_arm, c)
    arm = (a[0], a[1], a[2]) if i == 0 else (a[3], a[4], a[5])
    across = (a[3], a[4], a[5]) if i == 0 else (a[0], a[1], a[2])
    f = ld9(d.hrow_dir, c)
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    b2 = s[BETA2]
    gap = slope_row(d, c, i, 5)
    main = mixed6(s[W], gap, 0.0, zero, 0.0, zero)
    for k in range(n):
        main = addscl6(main, slope_row(d, c, i, k), s[W + 1 + k] * d.hrow_mu[c, k])
    change = mixed6(-2.0 * b2 * s[W], main, b2, gap, 0.0, zero)
    force_x = mixed6(f[6], change, 0.0, zero, 0.0, zero)
    force_y = mixed6(f[7], change, 0.0, zero, 0.0, zero)
    force_z = mixed6(f[8], change, 0.0, zero, 0.0, zero)
    torque_x = zero
    torque_y = zero
    torque_z = zero
    for k in range(n):
        mu = d.hrow_mu[c, k]
        change = mixed6(-2.0 * b2 * mu * s[W + 1 + k], main, -b2 * mu * mu, slope_row(d, c, i, k), 0.0, zero)
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
def convex_changes(d, c):
    """As sliding_changes of cones.py: -H with the friction of both sides."""
    s = off(d.hrow_scale, 8 * c)
    w0 = s[W]
    f = -2.0 * s[BETA2]
    mu1 = d.hrow_mu[c, 0]
    mu2 = d.hrow_mu[c, 1]
    q1 = mu1 * s[W + 1]
    q2 = mu2 * s[W + 2]
    b2 = s[BETA2]
    return (f * q1 * q1 - b2 * mu1 * mu1, f * q1 * q2, f * q1 * w0,
            f * q1 * q2, f * q2 * q2 - b2 * mu2 * mu2, f * q2 * w0,
            f * w0 * q1, f * w0 * q2, f * w0 * w0 + b2)


@kernel()
def convex_blocks(m, d):
    """As row_blocks of cones.py, of the convex rows, whose scaling it finds.

    Reads: hard_turn, hard_pair, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_pair, hrow_dim, hrow_dir, hrow_arm, hrow_mu, hrow_normal, hrow_reach, hrow_var
    Writes: hrow_scale, hrow_turn, hard_block, hard_upper, hard_lower
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        find_scale(d, c, n)
        pair = d.hrow_pair[c]
        w = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        if n == 2:
            w = convex_changes(d, c)
        for i in range(2):
            b = d.hrow_body[c, i]
            if b == 0:
                continue
            turn_slopes(d, c, i)
            own = off(d.hard_block, 48 * b)
            if n == 2:
                add_sliding(d, c, i, w, own, block_across(d, pair, b), pair >= 0)
            else:
                add_convex_column(d, c, n, i, own, block_across(d, pair, b), pair >= 0)


# ---------------------------------------------------------------- directions


@kernel("m d f i")
def push_convex(m, d, target, corrector):
    """As push_rows of cones.py.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_dim, hrow_dir, hrow_arm, hrow_mu, hrow_var, hrow_res, hrow_scale, hrow_predict
    Writes: hrow_step, hard_wrench
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        y = off(d.hrow_step, 16 * c)
        y[SLACK] = d.hrow_res[c, GAP]
        for k in range(n):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        respond_convex(d, c, n, target, corrector)
        push_bodies(d, c, d.hard_wrench, impulse_of(d, c, y[IMPULSE], y, XI), -1.0)


@kernel("m d f i")
def convex_directions(m, d, target, corrector):
    """As row_directions of cones.py.

    Reads: hard_nu, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_dim, hrow_dir, hrow_mu, hrow_normal, hrow_turn, hrow_var, hrow_res, hrow_scale, hrow_predict
    Writes: hrow_step
    """
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        y = off(d.hrow_step, 16 * c)
        y[SLACK] = d.hrow_res[c, GAP]
        for k in range(n):
            y[ETA + k] = d.hrow_res[c, SLIP + k]
        for i in range(2):
            b = d.hrow_body[c, i]
            if b == 0:
                continue
            sign = -1.0 if i == 0 else 1.0
            v = ld6(d.hard_nu, b)
            y[SLACK] += sign * along(slope_row(d, c, i, 5), v)
            for k in range(n):
                y[ETA + k] += sign * d.hrow_mu[c, k] * along(slope_row(d, c, i, k), v)
        respond_convex(d, c, n, target, corrector)


@kernel("m d f", ret="f")
def convex_fraction(m, d, cone):
    """As row_fraction of cones.py.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hrow_var, hrow_step
    """
    a = 1.0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        y = off(d.hrow_step, 16 * c)
        a = min(a, cone_step(x[SLACK], x, ETA, y[SLACK], y, n, cone))
        a = min(a, cone_step(x[IMPULSE], x, XI, y[IMPULSE], y, n, cone))
    return a


@kernel("m d f", ret="f")
def convex_products(m, d, fraction):
    """As row_products of cones.py.

    Reads: hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hrow_var, hrow_step
    """
    t = 0.0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        x = off(d.hrow_var, 16 * c)
        y = off(d.hrow_step, 16 * c)
        t += (x[SLACK] + fraction * y[SLACK]) * (x[IMPULSE] + fraction * y[IMPULSE])
        for k in range(slip_count(d, c)):
            t += (x[ETA + k] + fraction * y[ETA + k]) * (x[XI + k] + fraction * y[XI + k])
    return t
