"""Exact line search: the minimum over alpha of the cost at qacc + alpha p.

The cost along the line is convex, smooth inside each combination of zones and once differentiable across them. Newton
steps on its slope, kept inside a bracket, find the zero of the slope.

Source: Nocedal and Wright, "Numerical Optimization", section 3.5; MuJoCo documentation, chapter Computation, "Newton".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.solve.cost import cone_weight, cone_zone
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON
from physics.kernels.decorators import helper, kernel

SMALLEST_STEP = 1e-15  # relative width of a bracket that floating point cannot divide usefully


@kernel("m d i i f")
def cone_slope(m, d, row, dim, alpha):
    """Add slope and curvature along the line of an elliptic contact to sol_slope and sol_curvature.

    Reads: sol_jar, sol_jv, efc_D, efc_id, contact_friction, contact_mu
    """
    i = d.efc_id[row]
    mu = d.contact_mu[i]
    n = (d.sol_jar[row] + alpha * d.sol_jv[row]) * mu
    dn = d.sol_jv[row] * mu
    tt = 0.0
    tv = 0.0
    vv = 0.0
    for k in range(1, dim):
        s = d.contact_friction[i, k - 1]
        u = (d.sol_jar[row + k] + alpha * d.sol_jv[row + k]) * s
        v = d.sol_jv[row + k] * s
        tt += u * u
        tv += u * v
        vv += v * v
    t = sqrt(tt)
    zone = cone_zone(mu, n, t)
    if zone == 1:
        for k in range(dim):
            w = d.efc_D[row + k] * d.sol_jv[row + k]
            d.sol_slope += w * (d.sol_jar[row + k] + alpha * d.sol_jv[row + k])
            d.sol_curvature += w * d.sol_jv[row + k]
    elif zone == 2:
        w = cone_weight(d, row, mu)
        dt = tv / t
        gap = n - mu * t
        dgap = dn - mu * dt
        d.sol_slope += w * gap * dgap
        d.sol_curvature += w * (dgap * dgap - gap * mu * (vv - dt * dt) / t)


@kernel("m d i i f")
def probe(m, d, u0, nu, alpha):
    """Slope and curvature along the line at alpha, of the units sol_unit_order[u0:u0+nu] and the inertia.

    Reads: sol_jar, sol_jv, sol_gauss1, sol_gauss2, efc_D, efc_type, efc_frictionloss, sol_unit_row, sol_unit_num
    Writes: sol_slope, sol_curvature
    """
    d.sol_slope = d.sol_gauss1 + alpha * d.sol_gauss2
    d.sol_curvature = d.sol_gauss2
    slope = 0.0
    curvature = 0.0
    for k in range(u0, u0 + nu):
        unit = d.sol_unit_order[k]
        row = d.sol_unit_row[unit]
        num = d.sol_unit_num[unit]
        kind = d.efc_type[row]
        if kind == CNSTR_CONTACT_ELLIPTIC:
            cone_slope(m, d, row, num, alpha)
        elif kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
            v = d.sol_jv[row]
            f = d.efc_D[row] * (d.sol_jar[row] + alpha * v)
            bound = d.efc_frictionloss[row]
            if f >= bound:
                slope += bound * v
            elif f <= -bound:
                slope -= bound * v
            else:
                slope += f * v
                curvature += d.efc_D[row] * v * v
        else:
            for i in range(row, row + num):
                v = d.sol_jv[i]
                x = d.sol_jar[i] + alpha * v
                if x < 0.0 or kind == CNSTR_EQUALITY:
                    w = d.efc_D[i] * v
                    slope += w * x
                    curvature += w * v
    d.sol_slope += slope
    d.sol_curvature += curvature


@helper
def newton_point(alpha, slope, curvature, lo, hi):
    """Newton step from alpha; the middle of the bracket where it leads out of it."""
    x = alpha
    if curvature > 0.0:
        x = alpha - slope / curvature
    if not (lo < x < hi):
        x = 0.5 * (lo + hi)
    return x


@kernel("m d i i f", ret="f")
def line_search(m, d, u0, nu, gtol):
    """The alpha >= 0 where the slope is within gtol of zero, or as near as ls_iterations evaluations come.

    Reads: sol_gauss1 (slope of the inertia's cost at 0), sol_gauss2 (its curvature)
    Writes: sol_slope, sol_curvature, sol_neval
    """
    d.sol_neval = 0
    # a Newton direction has its minimum at 1 unless a row changes zone
    alpha = 1.0
    probe(m, d, u0, nu, alpha)
    d.sol_neval = 1
    if abs(d.sol_slope) <= gtol:
        return alpha
    lo = 0.0
    hi = 1.0
    # go right until the slope is positive
    while d.sol_slope < 0.0 and d.sol_neval < m.opt_ls_iterations:
        lo = alpha
        step = alpha
        if d.sol_curvature > 0.0:
            step = -d.sol_slope / d.sol_curvature
        alpha += max(step, 0.0)
        if alpha == lo:
            return alpha
        probe(m, d, u0, nu, alpha)
        d.sol_neval += 1
        if abs(d.sol_slope) <= gtol:
            return alpha
    if d.sol_slope < 0.0:
        return alpha
    hi = alpha
    # close the bracket
    while d.sol_neval < m.opt_ls_iterations and hi - lo > SMALLEST_STEP * hi:
        x = newton_point(alpha, d.sol_slope, d.sol_curvature, lo, hi)
        if x == alpha:
            return alpha
        alpha = x
        probe(m, d, u0, nu, alpha)
        d.sol_neval += 1
        if abs(d.sol_slope) <= gtol:
            return alpha
        if d.sol_slope < 0.0:
            lo = alpha
        else:
            hi = alpha
    return alpha
