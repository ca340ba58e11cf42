"""Slacks, impulses and duals of tendons: residuals, and what of a direction is theirs. L3: lengths at the end of the step (rows.py).

    range         s_u = (range_1 - L3) / h,  s_l = (L3 - range_0) / h,   s_u g_u = kappa,  s_l g_l = kappa
    dry friction  J qd = p - n,   p (h f + t) = kappa,  n (h f - t) = kappa
    coupling      c3 / h = 0,  c = (y - y0) - a0 - a1 x - ... - a4 x^4,  x, y lengths of two tendons

The whole impulse along a row is P = g_l - g_u + t + multiplier. It is an unknown of the Newton system (bordered.py): J x + E dP = E a, where E is the row's
compliance and a what P changes by while the tendon does not move. What is left of the bounds of t, h f + t and h f - t, is kept beside p and n: each is a pair.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", section III and equations 33-38.
"""
from __future__ import annotations

from physics.engine.hard.tendon.rows import LIMIT, RUB, TIE, coupling_off, end_gaps, may_stay_of, push_row, rate, row_rate, speed_scale
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off

UPPER, LOWER, FORWARDS, BACKWARDS = 0, 2, 4, 6   # where a pair begins in hten_var
MULTIPLIER = 8
WIDTH = 9       # of hten_var
SLOWEST = 1e-12   # 1/kg
STIFFEST = 1e-300


@helper
def first_pair(kind):
    """Where the pairs of a row begin: those of a range come first."""
    return UPPER if kind & LIMIT else FORWARDS


@helper
def pairs_end(kind):
    """And where they end."""
    if kind & RUB:
        return MULTIPLIER
    return FORWARDS if kind & LIMIT else first_pair(kind)


@helper
def left_of(d, c):
    """What of a coupling's residual at the start of the step may stay: less hard_recover."""
    return max(0.0, c - d.hard_recover) + min(0.0, c + d.hard_recover)


@helper
def whole_impulse(d, r):
    """P of row r."""
    v = off(d.hten_var, WIDTH * r)
    kind = d.hten_kind[r]
    p = 0.0
    if kind & LIMIT:
        p += v[LOWER + 1] - v[UPPER + 1]
    if kind & RUB:
        p += 0.5 * (v[FORWARDS + 1] - v[BACKWARDS + 1])
    if kind & TIE:
        p += v[MULTIPLIER]
    return p


@kernel()
def start_tendons(m, d):
    """Put the present island's rows on the central path by physical scales: 1 / tendon_invweight0 as the mass, the speed of rows.speed_scale.

    Reads: hard_ntenrow, hten_at, hten_tendon, hten_loss, ten_length, ten_J, hard_qd, hard_qd0, hard_spread, hard_recover, hard_h
    Writes: hten_var
    """
    h = d.hard_h
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        t = d.hten_tendon[r]
        v = off(d.hten_var, WIDTH * r)
        speed = d.hard_spread * speed_scale(m, d, t)
        mass = 1.0 / max(m.tendon_invweight0[t], SLOWEST)
        upper, lower = open_ends(m, d, t)
        s = max(upper / h, speed)
        v[UPPER] = s
        v[UPPER + 1] = mass * speed * speed / s
        s = max(lower / h, speed)
        v[LOWER] = s
        v[LOWER + 1] = mass * speed * speed / s
        v[FORWARDS] = speed
        v[FORWARDS + 1] = d.hten_loss[r]
        v[BACKWARDS] = speed
        v[BACKWARDS + 1] = d.hten_loss[r]
        v[MULTIPLIER] = 0.0


@helper
def open_ends(m, d, t):
    """end_gaps at the trial pose, less what of an overlap at the start may stay."""
    upper, lower = end_gaps(m, d, t, d.hard_h * rate(m, d, t, d.hard_qd))
    before, below = end_gaps(m, d, t, 0.0)
    return upper - may_stay_of(m, d, t, before), lower - may_stay_of(m, d, t, below)


@helper
def note_product(d, product):
    """Raise hard_kv by a product."""
    d.hard_kv = max(d.hard_kv, abs(product - d.hard_kappa))


@kernel()
def tendon_residuals(m, d):
    """Residuals and products of the present island's rows; takes their impulses off hard_g, and raises hard_rv and hard_kv.

    Reads: hard_ntenrow, hten_at, hten_kind, hten_tendon, hten_other, hten_eq, hten_var, hten_push, hten_start, ten_length, ten_J, hard_qd, hard_kappa, hard_recover, hard_h
    Writes: hten_res, hten_slope, hard_g, hard_rv, hard_kv
    """
    h = d.hard_h
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        t = d.hten_tendon[r]
        kind = d.hten_kind[r]
        v = off(d.hten_var, WIDTH * r)
        e = off(d.hten_res, WIDTH * r)
        if kind & LIMIT:
            upper, lower = open_ends(m, d, t)
            e[UPPER] = upper / h - v[UPPER]
            e[LOWER] = lower / h - v[LOWER]
            d.hard_rv = max(d.hard_rv, max(abs(e[UPPER]), abs(e[LOWER])))
        if kind & RUB:
            e[FORWARDS] = rate(m, d, t, d.hard_qd) - v[FORWARDS] + v[BACKWARDS]
            e[BACKWARDS] = 0.0
            d.hard_rv = max(d.hard_rv, abs(e[FORWARDS]))
        for k in range(first_pair(kind), pairs_end(kind), 2):
            e[k + 1] = v[k] * v[k + 1]
            note_product(d, e[k + 1])
        if kind & TIE:
            two = d.hten_other[r]
            change = 0.0
            if two >= 0:
                change = h * rate(m, d, two, d.hard_qd)
            c, slope = coupling_off(m, d, d.hten_eq[r], h * rate(m, d, t, d.hard_qd), change)
            d.hten_slope[r] = -slope
            e[MULTIPLIER] = (c - left_of(d, d.hten_start[r])) / h
            d.hard_rv = max(d.hard_rv, abs(e[MULTIPLIER]))
        push_row(m, d, r, d.hard_g, -whole_impulse(d, r))


# ---------------------------------------------------------------- the row's compliance and its direction


@helper
def rub_compliance(d, r):
    """Change of the velocity by the impulse of dry friction, negative: p / (h f + t) + n / (h f - t)."""
    v = off(d.hten_var, WIDTH * r)
    return v[FORWARDS] / v[FORWARDS + 1] + v[BACKWARDS] / v[BACKWARDS + 1]


@helper
def stiffness(d, r):
    """-dP by the velocity of a row's length: of its range and its dry friction."""
    v = off(d.hten_var, WIDTH * r)
    w = 0.0
    if d.hten_kind[r] & LIMIT:
        w += v[UPPER + 1] / v[UPPER] + v[LOWER + 1] / v[LOWER]
    if d.hten_kind[r] & RUB:
        w += 1.0 / rub_compliance(d, r)
    return max(w, STIFFEST)


@helper
def row_compliance(d, r):
    """E of row r."""
    if d.hten_kind[r] & TIE:
        return d.hten_soft[r] * 1.0
    return 1.0 / stiffness(d, r)


@helper
def wanted(d, r, k, target, corrector):
    """The product of the pair at k less what it is to become, with the second-order term."""
    c = d.hten_res[r, k + 1] - target
    if corrector != 0:
        c += d.hten_predict[r, k] * d.hten_predict[r, k + 1]
    return c


@helper
def end_change(d, r, k, target, corrector, ds):
    """Change of an end's impulse with that of its slack."""
    return (-wanted(d, r, k, target, corrector) - d.hten_var[r, k + 1] * ds) / d.hten_var[r, k]


@helper
def rub_change(d, r, target, corrector, z):
    """Change of the impulse of dry friction with that of the velocity."""
    c = wanted(d, r, FORWARDS, target, corrector) / d.hten_var[r, FORWARDS + 1] - wanted(d, r, BACKWARDS, target, corrector) / d.hten_var[r, BACKWARDS + 1]
    return -(z + d.hten_res[r, FORWARDS] + c) / rub_compliance(d, r)


@helper
def right_side(d, r, target, corrector):
    """E a of row r."""
    if d.hten_kind[r] & TIE:
        return -d.hten_res[r, MULTIPLIER]
    a = 0.0
    if d.hten_kind[r] & LIMIT:
        a += end_change(d, r, LOWER, target, corrector, d.hten_res[r, LOWER]) - end_change(d, r, UPPER, target, corrector, d.hten_res[r, UPPER])
    if d.hten_kind[r] & RUB:
        a += rub_change(d, r, target, corrector, 0.0)
    return a / stiffness(d, r)


@helper
def take_missing(d, r):
    """Let the stiffest part of row r take what its parts' impulses, found from its velocity, miss of the whole one: a stiff part amplifies the rounding of a length."""
    v = off(d.hten_var, WIDTH * r)
    x = off(d.hten_step, WIDTH * r)
    rest = d.hten_impulse[r] * 1.0
    upper = 0.0
    lower = 0.0
    rub = 0.0
    if d.hten_kind[r] & LIMIT:
        rest -= x[LOWER + 1] - x[UPPER + 1]
        upper = v[UPPER + 1] / v[UPPER]
        lower = v[LOWER + 1] / v[LOWER]
    if d.hten_kind[r] & RUB:
        rest -= x[FORWARDS + 1]
        rub = 1.0 / rub_compliance(d, r)
    if rub > max(upper, lower):
        x[FORWARDS + 1] += rest
        x[BACKWARDS + 1] -= rest
    elif upper > lower:
        x[UPPER + 1] -= rest
    else:
        x[LOWER + 1] += rest


@kernel("m d f i")
def tendon_directions(m, d, target, corrector):
    """hten_step from hard_dir of the dofs and hten_impulse; target, corrector: as of the solve."""
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        kind = d.hten_kind[r]
        e = off(d.hten_res, WIDTH * r)
        x = off(d.hten_step, WIDTH * r)
        z = row_rate(m, d, r, d.hard_dir, d.hten_slope[r])
        if kind & LIMIT:
            x[UPPER] = e[UPPER] - z
            x[UPPER + 1] = end_change(d, r, UPPER, target, corrector, x[UPPER])
            x[LOWER] = e[LOWER] + z
            x[LOWER + 1] = end_change(d, r, LOWER, target, corrector, x[LOWER])
        if kind & RUB:
            t = rub_change(d, r, target, corrector, z)
            x[FORWARDS] = (-wanted(d, r, FORWARDS, target, corrector) - d.hten_var[r, FORWARDS] * t) / d.hten_var[r, FORWARDS + 1]
            x[FORWARDS + 1] = t
            x[BACKWARDS] = (-wanted(d, r, BACKWARDS, target, corrector) + d.hten_var[r, BACKWARDS] * t) / d.hten_var[r, BACKWARDS + 1]
            x[BACKWARDS + 1] = -t
        if kind & TIE:
            x[MULTIPLIER] = d.hten_impulse[r]
        else:
            take_missing(d, r)


@kernel("m d f", ret="f")
def tendon_fraction(m, d, part):
    """How far hten_step may be followed, at most 1: this part of the way to the edge."""
    a = 1.0
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        kind = d.hten_kind[r]
        for k in range(first_pair(kind), pairs_end(kind)):
            if d.hten_step[r, k] < 0.0:
                a = min(a, -part * d.hten_var[r, k] / d.hten_step[r, k])
    return a


@kernel("m d f", ret="f")
def tendon_products(m, d, fraction):
    """Sum of all products after a part of hten_step."""
    total = 0.0
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        kind = d.hten_kind[r]
        for k in range(first_pair(kind), pairs_end(kind), 2):
            total += (d.hten_var[r, k] + fraction * d.hten_step[r, k]) * (d.hten_var[r, k + 1] + fraction * d.hten_step[r, k + 1])
    return total


@kernel("m d f")
def move_tendons(m, d, fraction):
    """hten_var += fraction hten_step."""
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        kind = d.hten_kind[r]
        for k in range(first_pair(kind), pairs_end(kind)):
            d.hten_var[r, k] += fraction * d.hten_step[r, k]
        if kind & TIE:
            d.hten_var[r, MULTIPLIER] += fraction * d.hten_step[r, MULTIPLIER]


@kernel()
def keep_tendons(m, d):
    """hten_predict = hten_step.

    Reads: hard_ntenrow, hten_at, hten_step
    Writes: hten_predict
    """
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        for k in range(WIDTH):
            d.hten_predict[r, k] = d.hten_step[r, k]
