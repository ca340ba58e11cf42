"""The sweep of broad.py for many geoms: along the axis as before, but each only against those in columns beside its own.

Across the axis space is cut into columns at least as wide as two geoms that touch are apart, so that partners stand in the
3 x 3 columns around. All geoms are gone through in the order of their lower ends; each column's cursor then stands at the
first geom in it that begins later, and from there on one looks until they begin after one's own end.

    v ^ |   |   |   |        geoms far out count as in the outermost column; geoms much larger than most are in a
        |---+---+---|        list of their own, which all look through, and themselves look at all that begin later
        |   | a |   |
        |---+---+---| -> u

Any cut gives the same pairs. Source: C. Ericson, "Real-Time Collision Detection", 2005, chapters 7.1 (grids) and 7.5 (sorting).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.filter import bounds_apart, excluded
from physics.engine.collide.vectors import EXACT
from physics.enums import DSBL_FILTERPARENT
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld4, st4

ROUNDING = 1.0 + 1e-12  # balls only prune: bounds_apart decides
INSIDE = 1.0 - 1e-12  # and nothing else can come out of it nearer than this
GEOM, BODY, WELD, PARENT, MOVES, CONTYPE, CONAFFINITY = range(7)  # columns of sweep_rules
LARGE = 3.0  # times the mean reach: larger geoms stand in no column
SPREAD = 4.0  # standard deviations that the columns cover


@helper
def add_candidate(d, n, g1, g2):
    """Store pair n if there is room; -> n + 1"""
    if n < d.maxcon:
        d.cand_geom[n, 0] = g1
        d.cand_geom[n, 1] = g2
    return n + 1


@helper(fastmath=EXACT)
def balls_meet(a, b, share):
    """Whether two balls touch, with their squared reach times `share`; False where a number is none"""
    x = a[0] - b[0]
    y = a[1] - b[1]
    z = a[2] - b[2]
    reach = a[3] + b[3]
    return x * x + y * y + z * z <= reach * reach * share


@helper(fastmath=EXACT)
def meet(m, d, a, b, one, two, n):
    """Append the geoms at positions `one` and `two` of sweep_geom, whose balls a and b touch, if they may; -> new number.

    The rules are those of bodies_may_touch and masks_match, and the balls those of bounds_apart, which decides where rounding may.
    """
    f = m.sweep_rules
    w1 = f[one, WELD]
    w2 = f[two, WELD]
    if w1 == w2 or (f[one, MOVES] == 0 and f[two, MOVES] == 0):
        return n
    if (f[one, CONTYPE] & f[two, CONAFFINITY]) == 0 and (f[two, CONTYPE] & f[one, CONAFFINITY]) == 0:
        return n
    if (f[one, PARENT] == w2 or f[two, PARENT] == w1) and w1 != 0 and w2 != 0 and not m.opt_disableflags & DSBL_FILTERPARENT:
        return n
    if f[one, BODY] > f[two, BODY]:
        one, two = two, one
    if m.nexclude > 0 and excluded(m, f[one, BODY], f[two, BODY]):
        return n
    if (m.flg_maxmargin or not balls_meet(a, b, INSIDE)) and bounds_apart(m, d, f[one, GEOM], f[two, GEOM]):
        return n
    return add_candidate(d, n, f[one, GEOM], f[two, GEOM])


@helper(fastmath=EXACT)
def across(a, axis):
    """The two coordinates of a ball across the axis"""
    if axis == 0:
        return a[1], a[2]
    if axis == 1:
        return a[0], a[2]
    return a[0], a[1]


@helper(fastmath=EXACT)
def column_of(x, count):
    """Number from 1 to count of the column at x column widths; what is outside, or no number, is in an outermost one"""
    if not x > 0.0:
        return 1
    if x >= count:
        return count
    return int(x) + 1


@helper(fastmath=EXACT)
def column_count(deviation, width, most):
    """How many columns of at least this width cover the spread"""
    n = SPREAD * deviation / width
    if not n > 1.0:
        return 1
    if n >= most:
        return most
    return int(n)


@kernel("m d i", fastmath=EXACT)
def set_up_columns(m, d, axis):
    """Give every swept geom its column, and copy the balls column by column in the order of their lower ends.

    Column 0 holds the large geoms. Around the columns are empty ones, so that each has eight neighbours.
    Reads: nsweep, sweep_ball, sweep_order, sweep_low
    Writes: column_of_geom, column_end, column_cursor, column_ball, column_low, column_item, column_row
    """
    n = m.nsweep
    su = sv = suu = svv = mean = 0.0
    for k in range(n):
        a = ld4(d.sweep_ball, k)
        u, v = across(a, axis)
        su += u
        sv += v
        suu += u * u
        svv += v * v
        mean += a[3]
    su /= n
    sv /= n
    du = sqrt(max(0.0, suu / n - su * su))
    dv = sqrt(max(0.0, svv / n - sv * sv))
    limit = LARGE * mean / n
    width = 0.0
    for k in range(n):
        r = d.sweep_ball[k, 3]
        if width < r <= limit:
            width = r
    width *= 2.0 * ROUNDING
    # columns, with two at the edges each way, must fit into the arrays
    most = int(sqrt(float(n - 1))) - 2
    nu = nv = 1
    if width > 0.0:
        nu = column_count(du, width, most)
        nv = column_count(dv, width, most)
        wide_u = max(width, SPREAD * du / nu)
        wide_v = max(width, SPREAD * dv / nv)
    else:
        wide_u = wide_v = 1.0
    d.column_row = nv + 2
    total = (nu + 2) * (nv + 2) + 1
    for c in range(total):
        d.column_end[c] = 0
    for k in range(n):
        a = ld4(d.sweep_ball, k)
        c = 0
        if a[3] <= limit:
            u, v = across(a, axis)
            c = 1 + column_of((u - su) / wide_u + 0.5 * nu, nu) * (nv + 2) + column_of((v - sv) / wide_v + 0.5 * nv, nv)
        d.column_of_geom[k] = c
        d.column_end[c] += 1
    at = 0
    for c in range(total):
        count = d.column_end[c]
        d.column_cursor[c] = at
        d.column_end[c] = at
        at += count
    for k in range(n):
        c = d.column_of_geom[k]
        at = d.column_end[c]
        d.column_end[c] = at + 1
        d.column_item[at] = d.sweep_order[k]
        d.column_low[at] = d.sweep_low[k]
        st4(d.column_ball, at, ld4(d.sweep_ball, k))


@kernel("m d i i", ret="i", fastmath=EXACT)
def column_pairs(m, d, axis, n):
    """Append the swept pairs in reach after the n candidates so far, in no particular order; -> new number.

    Reads: nsweep, sweep_geom, sweep_order, sweep_low, sweep_ball, column_of_geom, column_end, column_ball, column_low, column_item,
    column_row, sweep_rules
    Writes: cand_geom, column_cursor, column_hit
    """
    row = d.column_row
    for i in range(m.nsweep):
        a = ld4(d.sweep_ball, i)
        end = (a[0] if axis == 0 else (a[1] if axis == 1 else a[2])) + a[3]
        one = d.sweep_order[i]
        own = d.column_of_geom[i]
        d.column_cursor[own] += 1
        if own == 0:
            for k in range(i + 1, m.nsweep):
                if d.sweep_low[k] > end:
                    break
                b = ld4(d.sweep_ball, k)
                if balls_meet(a, b, ROUNDING):
                    n = meet(m, d, a, b, one, d.sweep_order[k], n)
            continue
        hits = 0
        for c in range(10):
            at = 0
            if c < 9:
                at = own + (c // 3 - 1) * row + c % 3 - 1
            for k in range(d.column_cursor[at], d.column_end[at]):
                if d.column_low[k] > end:
                    break
                # without a branch: few of many touch, which no processor foresees
                d.column_hit[hits] = k
                hits += 1 if balls_meet(a, ld4(d.column_ball, k), ROUNDING) else 0
        for h in range(hits):
            k = d.column_hit[h]
            n = meet(m, d, a, ld4(d.column_ball, k), one, d.column_item[k], n)
    return n
