"""Exact line search: the minimum over alpha of the cost at qacc + alpha p.

The cost along the line is convex, smooth inside each combination of zones and once differentiable across them. Newton
steps on its slope lead to the zero of the slope or across it; then it is enclosed from both sides.

Source: MuJoCo documentation, chapter Computation, "Newton"; Nocedal and Wright, "Numerical Optimization", section 3.5.
Tolerance, order of the trial points and choice among them are the official ones, as they show in results at the usual
tolerances.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.solve.cost import cone_weight, cone_zone
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, MINVAL
from physics.kernels.decorators import helper, kernel


@helper
def cone_cost(d, row, dim, mu, n, t, alpha, zone):
    """Cost of an elliptic contact in this zone."""
    if zone == 0:
        return 0.0
    if zone == 2:
        gap = n - mu * t
        return 0.5 * cone_weight(d, row, mu) * gap * gap
    s = 0.0
    for k in range(dim):
        x = d.sol_jar[row + k] + alpha * d.sol_jv[row + k]
        s += d.efc_D[row + k] * x * x
    return 0.5 * s


@kernel("m d i i f")
def evaluate_line_cone(m, d, row, dim, alpha):
    """Add the gain, slope and curvature of an elliptic contact to sol_gain, sol_slope and sol_curvature.

    Reads: sol_jar, sol_jv, efc_D, efc_id, contact_friction, contact_mu
    Writes: sol_gain, sol_slope, sol_curvature
    """
    # along the line U = U_0 + alpha V: N = n0 + alpha dn, T^2 = |U_1..|^2; dots of U and V give T' = tv / t and T'' = (V'V - T'^2) / T
    i = d.efc_id[row]
    mu = d.contact_mu[i]
    n0 = d.sol_jar[row] * mu
    dn = d.sol_jv[row] * mu
    n = n0 + alpha * dn
    # uu = |U_0|^2 of the tangents at the start, tt = |U|^2 at alpha, tv = U . V, vv = |V|^2
    uu = 0.0
    tt = 0.0
    tv = 0.0
    vv = 0.0
    for k in range(1, dim):
        s = d.contact_friction[i, k - 1]
        v = d.sol_jv[row + k] * s
        u0 = d.sol_jar[row + k] * s
        u = u0 + alpha * v
        uu += u0 * u0
        tt += u * u
        tv += u * v
        vv += v * v
    t0 = sqrt(uu)
    t = sqrt(tt)
    # the gain is the difference of two costs, each in its own zone
    zone = cone_zone(mu, n, t)
    d.sol_gain += cone_cost(d, row, dim, mu, n, t, alpha, zone) - cone_cost(d, row, dim, mu, n0, t0, 0.0, cone_zone(mu, n0, t0))
    # sum of quadratics: slope D x v, curvature D v^2
    if zone == 1:
        for k in range(dim):
            w = d.efc_D[row + k] * d.sol_jv[row + k]
            d.sol_slope += w * (d.sol_jar[row + k] + alpha * d.sol_jv[row + k])
            d.sol_curvature += w * d.sol_jv[row + k]
    elif zone == 2:
        # Dm (N - mu T)^2 / 2: slope Dm gap gap', curvature Dm (gap'^2 + gap gap''), gap'' = -mu T''
        w = cone_weight(d, row, mu)
        dt = tv / t
        gap = n - mu * t
        dgap = dn - mu * dt
        d.sol_slope += w * gap * dgap
        d.sol_curvature += w * (dgap * dgap - gap * mu * (vv - dt * dt) / t)


@helper
def friction_cost(x, weight, bound):
    """Cost of a friction row at x."""
    f = weight * x
    if abs(f) < bound:
        return 0.5 * f * x
    return bound * (abs(x) - 0.5 * bound / weight)


@kernel("m d i i f")
def evaluate_line(m, d, u0, nu, alpha):
    """Change of the cost from 0 to alpha, its slope and curvature at alpha, for the blocks sol_block_order[u0:u0+nu].

    Reads: sol_jar, sol_jv, sol_gauss1, sol_gauss2, efc_D, efc_type, efc_frictionloss, sol_block_row, sol_block_num
    Writes: sol_gain, sol_slope, sol_curvature, sol_neval
    """
    d.sol_neval += 1
    d.sol_gain = 0.0
    d.sol_slope = 0.0
    d.sol_curvature = 0.0
    # Gauss term (a - a0)' M (a - a0) / 2 along the line: g1 alpha + g2 alpha^2 / 2
    gain = alpha * (d.sol_gauss1 + 0.5 * alpha * d.sol_gauss2)
    slope = d.sol_gauss1 + alpha * d.sol_gauss2
    curvature = d.sol_gauss2
    for k in range(u0, u0 + nu):
        block = d.sol_block_order[k]
        row = d.sol_block_row[block]
        num = d.sol_block_num[block]
        kind = d.efc_type[row]
        if kind == CNSTR_CONTACT_ELLIPTIC:
            evaluate_line_cone(m, d, row, num, alpha)
        # Huber's function: quadratic within the bound, else linear
        elif kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
            v = d.sol_jv[row]
            x0 = d.sol_jar[row]
            x = x0 + alpha * v
            w = d.efc_D[row]
            bound = d.efc_frictionloss[row]
            gain += friction_cost(x, w, bound) - friction_cost(x0, w, bound)
            if abs(w * x) < bound:
                slope += w * x * v
                curvature += w * v * v
            elif x > 0.0:
                slope += bound * v
            else:
                slope -= bound * v
        # D x^2 / 2; the gain as D alpha v (x + x0) / 2, without the cancellation of x^2 - x0^2
        elif kind == CNSTR_EQUALITY:
            v = d.sol_jv[row]
            x0 = d.sol_jar[row]
            x = x0 + alpha * v
            w = d.efc_D[row] * v
            slope += w * x
            curvature += w * v
            gain += 0.5 * alpha * w * (x + x0)
        else:
            # without branches: which rows push is hard to foresee
            for i in range(row, row + num):
                v = d.sol_jv[i]
                x0 = d.sol_jar[i]
                w = d.efc_D[i]
                # D x^2 / 2 for x < 0; where it is active at both ends the gain is found without cancellation, as above
                step = alpha * v
                x = x0 + step
                now = w if x < 0.0 else 0.0
                then = w if x0 < 0.0 else 0.0
                both = now if x0 < 0.0 else 0.0
                slope += now * v * x
                curvature += now * v * v
                gain += 0.5 * (both * step * (x + x0) + ((now - both) * x * x - (then - both) * x0 * x0))
    d.sol_gain += gain
    d.sol_slope += slope
    d.sol_curvature += curvature
    # Newton's step divides by it
    if d.sol_curvature <= 0.0:
        d.sol_curvature = MINVAL


@helper
def line_point(m, d, u0, nu, alpha):
    """(alpha, gain, slope, curvature) of a trial point."""
    evaluate_line(m, d, u0, nu, alpha)
    return alpha, d.sol_gain, d.sol_slope, d.sol_curvature


@helper
def newton_point(p):
    """Where the tangent of the slope at a trial point is zero."""
    return p[0] - p[2] / p[3]


@helper
def closer(p, q):
    """Whether q lies on the same side of the zero as p and nearer to it."""
    return (p[2] < 0.0 and q[2] < 0.0 and p[2] < q[2]) or (p[2] > 0.0 and q[2] > 0.0 and p[2] > q[2])


@helper
def nearest(p, a, b, c):
    """p, or what of a, b, c (in this order) comes nearer to the zero on its side."""
    best = p
    if closer(best, a):
        best = a
    if closer(best, b):
        best = b
    if closer(best, c):
        best = c
    return best


@helper
def chosen(d, p):
    """Leave the values of the chosen point for the caller."""
    d.sol_gain = p[1]
    d.sol_slope = p[2]
    return p[0]


@helper
def better(p, q, gtol):
    """p or q, whichever has converged; the lower one if both have."""
    if abs(q[2]) < gtol and (not abs(p[2]) < gtol or q[1] < p[1]):
        return q
    return p


@helper
def bracketed_search(m, d, u0, nu, p, q, gtol):
    """The alpha nearest to the zero between trial points p and q, whose slopes differ in sign or are hard to tell from zero.

    Newton points of both ends and the middle are candidates for either end; qnext is p, which came from q.
    """
    # p and q enclose the zero of the slope; candidates for a nearer end on either side: Newton points of both and the middle
    pnext = line_point(m, d, u0, nu, newton_point(p))
    qnext = p
    while d.sol_neval < m.opt_ls_iterations:
        mid = line_point(m, d, u0, nu, 0.5 * (p[0] + q[0]))
        # one of them may be good enough
        best = better(better(pnext, qnext, gtol), mid, gtol)
        if abs(best[2]) < gtol:
            return chosen(d, best)
        # p and q move to the best candidate on their side
        a = nearest(p, pnext, qnext, mid)
        b = nearest(q, pnext, qnext, mid)
        # neither moved: rounding hides the zero
        if a[0] == p[0] and b[0] == q[0]:
            return chosen(d, mid)
        # new Newton points, only where an end has moved
        c0 = pnext
        if a[0] != p[0]:
            c0 = line_point(m, d, u0, nu, newton_point(a))
        if b[0] != q[0]:
            qnext = line_point(m, d, u0, nu, newton_point(b))
        p = a
        q = b
        pnext = c0
    # out of evaluations: the lower end, if it gains anything
    if p[1] <= q[1] and p[1] < 0.0:
        return chosen(d, p)
    if q[1] <= p[1] and q[1] < 0.0:
        return chosen(d, q)
    return 0.0


@kernel("m d i i f f f", ret="f")
def line_search(m, d, u0, nu, slope, curvature, gtol):
    """The alpha where the slope is within gtol of zero, or as near as ls_iterations evaluations come; 0: no gain.

    slope, curvature: of the cost at alpha = 0.
    Reads: sol_gauss1, sol_gauss2
    Writes: sol_gain, sol_slope, sol_curvature, sol_neval
    """
    d.sol_neval = 1
    # first trial: the full Newton step on the slope
    p = line_point(m, d, u0, nu, -slope / curvature)
    if abs(p[2]) < gtol and p[1] < 0.0:
        return chosen(d, p)
    # side: 1 where the slope is still negative at the trial point, so that the minimum lies beyond it, -1 where it was passed
    side = 1.0
    if p[2] >= 0.0:
        side = -1.0
    # go on by Newton steps from p, with q the point before, until the slope changes its sign: then p and q bracket the minimum
    q = (0.0, 0.0, slope, curvature)
    while p[2] * side <= -gtol and d.sol_neval < m.opt_ls_iterations:
        q = p
        p = line_point(m, d, u0, nu, newton_point(p))
        if abs(p[2]) < gtol and p[1] < 0.0:
            return chosen(d, p)
    # evaluations spent: take what there is
    if d.sol_neval >= m.opt_ls_iterations:
        return chosen(d, p)
    return bracketed_search(m, d, u0, nu, p, q, gtol)
