"""Sweep and prune for many proxies: along the axis as before, but each only against those in cells of a uniform grid beside its own.

Across the axis space is cut into cells at least as wide as two proxies that touch are apart, so that partners are in the
3 x 3 cells around. All proxies are gone through in the order of their lower bounds; each cell's cursor then stands at the
first proxy in it that begins later, and from there on one looks until they begin after one's own end.

    v ^ |   |   |   |        proxies far out count as in the outermost cell; proxies much larger than most are in a
        |---+---+---|        list of their own, which all look through, and themselves look at all that begin later
        |   | a |   |
        |---+---+---| -> u

Any cut gives the same pairs. Source: C. Ericson, "Real-Time Collision Detection", 2005, chapters 7.1 (grids) and 7.5 (sorting).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.sap_proxies import MOVES, ROUNDING, add_proxy_pair, overlap_following, spheres_overlap
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld4, st4

LARGE = 3.0  # times the mean reach: larger proxies are in no cell
SPREAD = 4.0  # standard deviations that the grid covers


@helper(fastmath=EXACT)
def off_axis(a, axis):
    """The two coordinates of a ball across the axis"""
    if axis == 0:
        return a[1], a[2]
    if axis == 1:
        return a[0], a[2]
    return a[0], a[1]


@helper(fastmath=EXACT)
def cell_of(x, count):
    """Number from 1 to count of the cell at x cell widths; what is outside, or no number, is in an outermost one"""
    if not x > 0.0:
        return 1
    if x >= count:
        return count
    return int(x) + 1


@helper(fastmath=EXACT)
def cell_count(deviation, width, most):
    """How many cells of at least this width cover the spread"""
    n = SPREAD * deviation / width
    if not n > 1.0:
        return 1
    if n >= most:
        return most
    return int(n)


@kernel("m d i", fastmath=EXACT)
def build_grid(m, d, axis):
    """Give every proxy its cell, and copy the spheres cell by cell in the order of their lower bounds.

    Cell 0 holds the large ones. Around the grid are empty cells, so that each has eight neighbours.
    Reads: nsapproxy, sap_proxy, sap_sphere, sap_order, sap_lower
    Writes: grid_cell, grid_cellend, grid_cursor, grid_sphere, grid_lower, grid_proxy, grid_nextdynamic, grid_stride
    """
    n = m.nsapproxy
    # mean and variance of the centres across the sweep axis (u, v), and the mean reach
    su = sv = suu = svv = mean = 0.0
    for k in range(n):
        a = ld4(d.sap_sphere, k)
        u, v = off_axis(a, axis)
        su += u
        sv += v
        suu += u * u
        svv += v * v
        mean += a[3]
    su /= n
    sv /= n
    du = sqrt(max(0.0, suu / n - su * su))
    dv = sqrt(max(0.0, svv / n - sv * sv))
    # cells are as wide as twice the largest reach that is not far above the mean
    limit = LARGE * mean / n
    width = 0.0
    for k in range(n):
        r = d.sap_sphere[k, 3]
        if width < r <= limit:
            width = r
    width *= 2.0 * ROUNDING
    # cells, with two at the edges each way, must fit into the arrays
    most = int(sqrt(float(n - 1))) - 2
    nu = nv = 1
    if width > 0.0:
        nu = cell_count(du, width, most)
        nv = cell_count(dv, width, most)
        wide_u = max(width, SPREAD * du / nu)
        wide_v = max(width, SPREAD * dv / nv)
    else:
        wide_u = wide_v = 1.0
    # counting sort of the proxies by cell, which keeps the order of their lower bounds within a cell
    d.grid_stride = nv + 2
    total = (nu + 2) * (nv + 2) + 1
    for c in range(total):
        d.grid_cellend[c] = 0
    # cell of each proxy, and how many there are in each
    for k in range(n):
        a = ld4(d.sap_sphere, k)
        c = 0
        if a[3] <= limit:
            u, v = off_axis(a, axis)
            c = 1 + cell_of((u - su) / wide_u + 0.5 * nu, nu) * (nv + 2) + cell_of((v - sv) / wide_v + 0.5 * nv, nv)
        d.grid_cell[k] = c
        d.grid_cellend[c] += 1
    # prefix sums: where each cell begins
    at = 0
    for c in range(total):
        count = d.grid_cellend[c]
        d.grid_cursor[c] = at
        d.grid_cellend[c] = at
        at += count
    # scatter
    for k in range(n):
        c = d.grid_cell[k]
        at = d.grid_cellend[c]
        d.grid_cellend[c] = at + 1
        d.grid_proxy[at] = d.sap_order[k]
        d.grid_lower[at] = d.sap_lower[k]
        st4(d.grid_sphere, at, ld4(d.sap_sphere, k))
    # for each row the next proxy that can move
    mover = n
    for k in range(n - 1, -1, -1):
        if m.sap_proxy[d.grid_proxy[k], MOVES] != 0:
            mover = k
        d.grid_nextdynamic[k] = mover


@kernel("m d i i", ret="i", fastmath=EXACT)
def grid_pairs(m, d, axis, n):
    """Append the swept pairs in reach after the n candidates so far, in no particular order; -> new number.

    Reads: nsapproxy, sap_geom, sap_order, sap_lower, sap_sphere, grid_cell, grid_cellend, grid_sphere, grid_lower, grid_proxy,
    grid_nextdynamic, grid_stride, sap_nextdynamic, sap_proxy, and what group_pairs reads
    Writes: cand_geom, grid_cursor, grid_overlap, sap_geomaabb, sap_overlap
    """
    row = d.grid_stride
    for i in range(m.nsapproxy):
        a = ld4(d.sap_sphere, i)
        end = (a[0] if axis == 0 else (a[1] if axis == 1 else a[2])) + a[3]
        one = d.sap_order[i]
        own = d.grid_cell[i]
        d.grid_cursor[own] += 1
        still = m.sap_proxy[one, MOVES] == 0  # what stands still looks for movers only
        if own == 0:
            n = overlap_following(m, d, i, a, end, still, n)
            continue
        hits = 0
        for c in range(10):
            at = 0
            if c < 9:
                at = own + (c // 3 - 1) * row + c % 3 - 1
            k = d.grid_cursor[at]
            last = d.grid_cellend[at]
            while k < last:
                if still:
                    k = d.grid_nextdynamic[k]
                    if k >= last:
                        break
                if d.grid_lower[k] > end:
                    break
                # without a branch: few of many touch, which no processor foresees
                d.grid_overlap[hits] = k
                hits += 1 if spheres_overlap(a, ld4(d.grid_sphere, k), ROUNDING) else 0
                k += 1
        for h in range(hits):
            k = d.grid_overlap[h]
            n = add_proxy_pair(m, d, a, ld4(d.grid_sphere, k), one, d.grid_proxy[k], n)
    return n
