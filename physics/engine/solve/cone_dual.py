"""Contact forces in their elliptic cones: projection, least cost at a given normal force, states.

Source: MuJoCo documentation, chapter Computation, "PGS"; Boyd and Vandenberghe, "Convex Optimization", appendix B.1 (quadratic cost
within a ball by its multiplier). Thresholds and the number of iterations are the official ones, as they show in results.
"""
from __future__ import annotations

from math import sqrt

from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    MINVAL,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.simd import stack

SMALL = 1e-10  # determinant, pivot, overshoot and change of the multiplier below which the search ends
MULTIPLIERS = 20  # values of the multiplier that are tried


@helper
def ball_point2(a, b, shift):
    """(found, x0, x1, y) with x = -(A + shift)^-1 b and y = x' (A + shift)^-1 x for two tangents; a (4), b (2)."""
    # inverse of the 2 x 2 matrix A + shift by its determinant
    p = a[0] + shift
    q = a[3] + shift
    o = a[1]
    det = p * q - o * o
    if det < SMALL:
        return False, 0.0, 0.0, 0.0
    inv = 1.0 / det
    x0 = -q * inv * b[0] + o * inv * b[1]
    x1 = o * inv * b[0] - p * inv * b[1]
    return True, x0, x1, q * inv * x0 * x0 - 2.0 * o * inv * x0 * x1 + p * inv * x1 * x1


@helper
def ball_point3(a, b, shift):
    """The same for three tangents; a (9), b (3)."""
    # inverse of the 3 x 3 matrix A + shift by cofactors c_ij
    p = a[0] + shift
    q = a[4] + shift
    r = a[8] + shift
    c00 = q * r - a[5] * a[5]
    c11 = p * r - a[2] * a[2]
    c22 = p * q - a[1] * a[1]
    c01 = a[2] * a[5] - a[1] * r
    c02 = a[1] * a[5] - a[2] * q
    c12 = a[1] * a[2] - a[5] * p
    # expansion of the determinant along the first row
    det = p * c00 + a[1] * c01 + a[2] * c02
    if det < SMALL:
        return False, 0.0, 0.0, 0.0, 0.0
    # x = -(A + shift)^-1 b, and y = x' (A + shift)^-1 x, half of -d|x|^2 / d shift
    inv = 1.0 / det
    x0 = -inv * (c00 * b[0] + c01 * b[1] + c02 * b[2])
    x1 = -inv * (c01 * b[0] + c11 * b[1] + c12 * b[2])
    x2 = -inv * (c02 * b[0] + c12 * b[1] + c22 * b[2])
    y = c00 * x0 * x0 + c11 * x1 * x1 + c22 * x2 * x2 + 2.0 * (c01 * x0 * x1 + c02 * x0 * x2 + c12 * x1 * x2)
    return True, x0, x1, x2, inv * y


@helper
def ball_point(a, b, shift, n, f, x):
    """x = -(A + shift)^-1 b for n tangents by Cholesky (f: n n scratch); (found, x' (A + shift)^-1 x)."""
    # A + shift = F F'
    for i in range(n):
        for j in range(i + 1):
            s = a[i * n + j]
            if i == j:
                s += shift
            for k in range(j):
                s -= f[i * n + k] * f[j * n + k]
            if i > j:
                f[i * n + j] = s / f[j * n + j]
            elif s < SMALL:
                return False, 0.0
            else:
                f[i * n + i] = sqrt(s)
    # F z = -b, then F' x = z
    for i in range(n):
        s = -b[i]
        for k in range(i):
            s -= f[i * n + k] * x[k]
        x[i] = s / f[i * n + i]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for k in range(i + 1, n):
            s -= f[k * n + i] * x[k]
        x[i] = s / f[i * n + i]
    y = 0.0
    # y = x' (A + shift)^-1 x = |F^-1 x|^2 is half of -d|x|^2 / d shift
    for i in range(n):
        s = x[i]
        for k in range(i):
            s -= f[i * n + k] * f[n * n + k]
        s /= f[i * n + i]
        f[n * n + i] = s
        y += s * s
    return True, y


@helper
def within_ball(a, b, n, radius, x):
    """x minimises x' A x / 2 + b' x within |x| <= radius. Returns 0 where it is inside, 1 on the ball, -1 where A was singular (x = 0)."""
    # Newton on the multiplier s >= 0 of the constraint |x|^2 = radius^2: x(s) = -(A + s)^-1 b, d|x|^2/ds = -2 x' (A + s)^-1 x
    f = stack(30)
    shift = 0.0
    for _ in range(MULTIPLIERS):
        if n == 2:
            found, x[0], x[1], y = ball_point2(a, b, shift)
        elif n == 3:
            found, x[0], x[1], x[2], y = ball_point3(a, b, shift)
        else:
            found, y = ball_point(a, b, shift, n, f, x)
        if not found:
            for i in range(n):
                x[i] = 0.0
            return -1
        # s = 0 is enough where x lies inside; |x(s)|^2 is convex and falls, so Newton's steps never pass the root
        over = -radius * radius
        for i in range(n):
            over += x[i] * x[i]
        if over < SMALL:
            break
        step = 0.5 * over / y
        if not (step >= SMALL):
            break
        shift += step
    if shift != 0.0:
        return 1
    return 0


@kernel("m d i i")
def tangent_forces(m, d, row, dim):
    """Tangential forces of least cost at the contact's normal force: A (tangent_A, dim - 1 square) and b (tangent_b) without them.

    Reads: tangent_A, tangent_b, efc_force, efc_id, contact_friction
    Writes: efc_force
    """
    # minimise x' A x / 2 + b' x over |x / mu| <= normal force
    n = dim - 1
    normal = d.efc_force[row]
    i = d.efc_id[row]
    a = stack(25)
    b = stack(5)
    x = stack(5)
    # no normal force, no friction
    if normal < MINVAL:
        for k in range(n):
            d.efc_force[row + 1 + k] = 0.0
        return
    # in units of the friction coefficients the ellipsoid is a ball
    for k in range(n):
        mu = d.contact_friction[i, k]
        b[k] = d.tangent_b[k] * mu
        for j in range(n):
            a[k * n + j] = d.tangent_A[k * n + j] * mu * d.contact_friction[i, j]
    scale = 1.0
    if within_ball(a, b, n, normal, x) > 0:   # on the ball exactly
        s = 0.0
        for k in range(n):
            s += x[k] * x[k]
        scale = sqrt(normal * normal / max(MINVAL, s))
    for k in range(n):
        d.efc_force[row + 1 + k] = scale * x[k] * d.contact_friction[i, k]


@helper
def into_cone(d, row, dim):
    """Take an elliptic contact's force into its cone: no pull, and the tangential part no longer than friction allows."""
    # a contact does not pull: no force at all
    normal = d.efc_force[row]
    if normal < 0.0:
        for k in range(dim):
            d.efc_force[row + k] = 0.0
        return
    i = d.efc_id[row]
    # scaled back along the tangential force, not projected orthogonally
    s = 0.0
    for k in range(1, dim):
        x = d.efc_force[row + k] / d.contact_friction[i, k - 1]
        s += x * x
    if s > normal * normal:
        scale = sqrt(normal * normal / max(MINVAL, s))
        for k in range(1, dim):
            d.efc_force[row + k] *= scale


@helper
def cone_state(d, row, dim):
    """State of an elliptic contact, seen from its force."""
    i = d.efc_id[row]
    # the test of cost.cone_zone on the force: N = f_N / mu, T = |f_k / mu_k|
    mu = d.contact_mu[i]
    n = d.efc_force[row] / mu
    tt = 0.0
    for k in range(1, dim):
        x = d.efc_force[row + k] / d.contact_friction[i, k - 1]
        tt += x * x
    t = sqrt(tt)
    if mu * n >= t:
        return CNSTRSTATE_SATISFIED
    if n + mu * t <= 0.0:
        return CNSTRSTATE_QUADRATIC
    return CNSTRSTATE_CONE


@helper
def scalar_state(d, i, kind):
    """State of a row that stands alone, seen from its force."""
    # equality: always active; dry friction: at a bound or between; limit and pyramid edge: active where it pushes
    f = d.efc_force[i]
    if kind == CNSTR_EQUALITY:
        return CNSTRSTATE_QUADRATIC
    if kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
        if f <= -d.efc_frictionloss[i]:
            return CNSTRSTATE_LINEARPOS
        if f >= d.efc_frictionloss[i]:
            return CNSTRSTATE_LINEARNEG
        return CNSTRSTATE_QUADRATIC
    if f <= 0.0:
        return CNSTRSTATE_SATISFIED
    return CNSTRSTATE_QUADRATIC


@kernel("m d i")
def states_of_forces(m, d, island):
    """States of an island's rows, seen from their forces; counts as update_rows does.

    Friction rows count as active whatever their force.
    Reads: efc_force, efc_type, efc_id, efc_frictionloss, contact_friction, contact_mu, sol_block_row, sol_block_num, sol_block_order
    Writes: efc_state, sol_changed, sol_active
    """
    changed = 0
    active = 0
    u0 = d.sol_island_block[island]
    # counts for the statistics: rows that changed their state, rows that act
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        kind = d.efc_type[row]
        # all rows of an elliptic contact have the state of its cone, which its first row tells
        for i in range(row, row + num):
            if kind != CNSTR_CONTACT_ELLIPTIC:
                state = scalar_state(d, i, kind)
            elif i == row:
                state = cone_state(d, row, num)
            else:
                state = d.efc_state[row]
            if state != d.efc_state[i]:
                changed += 1
            if state != CNSTRSTATE_SATISFIED:
                active += 1
            d.efc_state[i] = state
    d.sol_changed = changed
    d.sol_active = active
