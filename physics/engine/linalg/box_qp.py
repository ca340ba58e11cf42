"""A small quadratic problem within a box: min over x of x' H x / 2 - g' x with lo <= x <= hi, H symmetric and positive definite.

Source: Bertsekas, "Projected Newton methods for optimization problems with simple constraints", SIAM J. Control and Optimization 20, 1982; the projected search and
the factor of the free block as in Tassa, Mansard and Todorov, "Control-limited differential dynamic programming", 2014.
"""
from __future__ import annotations

from math import sqrt

from physics.enums import MINVAL
from physics.kernels.decorators import helper, kernel

SHORTEST = 1e-8     # share of a step
TOLERANCE = 1e-12   # of the projected gradient, beside the largest entry of g


@helper
def _gradient(h, g, x, push, n):
    """push: (n,) becomes g - H x, the descent direction."""
    for i in range(n):
        s = g[i]
        for k in range(n):
            s -= h[i * n + k] * x[k]
        push[i] = s


@helper
def _factor(h, n, free, nfree, f):
    """f: (nfree nfree,) by rows becomes the lower Cholesky factor of the free block of H; whether that is positive definite."""
    for i in range(nfree):
        row = free[i] * n
        for j in range(i + 1):
            s = h[row + free[j]]
            for k in range(j):
                s -= f[i * nfree + k] * f[j * nfree + k]
            if i == j:
                if not (s >= MINVAL):
                    return False
                f[i * nfree + i] = sqrt(s)
            else:
                f[i * nfree + j] = s / f[j * nfree + j]
    return True


@helper
def _solve(f, nfree, y):
    """y: (nfree,) becomes (L L')^-1 y."""
    for i in range(nfree):
        s = y[i]
        for k in range(i):
            s -= f[i * nfree + k] * y[k]
        y[i] = s / f[i * nfree + i]
    for i in range(nfree - 1, -1, -1):
        s = y[i]
        for k in range(i + 1, nfree):
            s -= f[k * nfree + i] * y[k]
        y[i] = s / f[i * nfree + i]


@helper
def _try(h, lo, hi, x, push, step, free, nfree, share, way, n):
    """way: (n,) becomes the way to x + share step, projected onto the box; what is gained by it."""
    for i in range(n):
        way[i] = 0.0
    for k in range(nfree):
        i = free[k]
        way[i] = min(max(x[i] + share * step[k], lo[i]), hi[i]) - x[i]
    gain = 0.0
    for k in range(nfree):
        i = free[k]
        s = 0.0
        for j in range(n):
            s += h[i * n + j] * way[j]
        gain += way[i] * (push[i] - 0.5 * s)
    return gain


@kernel("a i i", ret="i")
def box_qp(a, n, most):
    """a.qp_x: (n,) becomes the minimum, from the start that it holds; the number of Newton steps, at most `most`, or -1 where H is not positive definite.

    a.qp_hessian (n n,) by rows, a.qp_gradient, a.qp_lo, a.qp_hi (n,); a.qp_factor (n n,), a.qp_push, a.qp_step, a.qp_way (n,), a.qp_free (n,) are written."""
    h, g, lo, hi, x = a.qp_hessian, a.qp_gradient, a.qp_lo, a.qp_hi, a.qp_x
    push, step, way, free, f = a.qp_push, a.qp_step, a.qp_way, a.qp_free, a.qp_factor
    largest = 0.0
    for i in range(n):
        x[i] = min(max(x[i], lo[i]), hi[i])
        largest = max(largest, abs(g[i]))
    for done in range(most):
        _gradient(h, g, x, push, n)
        # free are those that are not pushed against their bound
        nfree, worst = 0, 0.0
        for i in range(n):
            if push[i] != push[i]:
                return -1
            if not ((x[i] <= lo[i] and push[i] <= 0.0) or (x[i] >= hi[i] and push[i] >= 0.0)):
                free[nfree] = i
                nfree += 1
                worst = max(worst, abs(push[i]))
        if worst <= TOLERANCE * largest:
            return done
        # Newton step in the free ones; those at a bound that it would carry out of the box are held, so that a short enough step always gains
        held = 1
        while held:
            if not _factor(h, n, free, nfree, f):
                return -1
            for k in range(nfree):
                step[k] = push[free[k]]
            _solve(f, nfree, step)
            held = 0
            for k in range(nfree):
                i = free[k]
                if (x[i] <= lo[i] and step[k] < 0.0) or (x[i] >= hi[i] and step[k] > 0.0):
                    held += 1
                else:
                    free[k - held] = i
            nfree -= held
        # projected onto the box, and halved until it gains something
        share = 1.0
        gain = _try(h, lo, hi, x, push, step, free, nfree, share, way, n)
        while gain <= 0.0 and share > SHORTEST:
            share *= 0.5
            gain = _try(h, lo, hi, x, push, step, free, nfree, share, way, n)
        if not (gain > 0.0):
            return done
        for k in range(nfree):      # to the very bound, not x + way, which rounds: what is a bit beside it would count as free
            i = free[k]
            x[i] = min(max(x[i] + share * step[k], lo[i]), hi[i])
    return most
