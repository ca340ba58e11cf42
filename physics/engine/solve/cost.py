"""The cost of the rows: forces, zones, and what line search and Hessian need of the elliptic cones.

With x = J qacc - aref and D = 1/R a row costs s(x) and pushes with -s'(x):

    equality          D x^2/2
    friction, bound f D x^2/2 for |x| <= R f, beyond it f|x| - R f^2/2
    limit, pyramid    D x^2/2 for x < 0, else 0
    elliptic contact  in U = (mu x0, mu1 x1, ...), N = U0, T = |U1..|:
                      0 for N >= mu T, the sum of D x^2/2 for mu N + T <= 0, else Dm (N - mu T)^2 / 2

Source: MuJoCo documentation, chapter Computation, "Constraint solver"; Todorov, "Convex and analytically-invertible
dynamics with contacts and constraints", ICRA 2014.
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


@helper
def cone_zone(mu, n, t):
    """Zone of the regularised cone: 0 outside of contact, 1 all rows quadratic, 2 on the side of the cone."""
    # top zone: x lies in the dual of the friction cone, where no force costs least
    if n >= mu * t or (t <= 0.0 and n >= 0.0):
        return 0
    # bottom zone: the force -D x of the quadratic cost lies in the friction cone
    if mu * n + t <= 0.0 or (t <= 0.0 and n < 0.0):
        return 1
    # middle zone: the force lies on the cone's surface
    return 2


@helper
def cone_weight(d, row, mu):
    """Dm of the cost on the side of the cone."""
    return d.efc_D[row] / (mu * mu * (1.0 + mu * mu))


@helper
def scaled_tangent(d, i, row, k):
    """U_k of contact i, k >= 1."""
    return d.sol_jar[row + k] * d.contact_friction[i, k - 1]


@kernel("m d i i", ret="f")
def cone_update(m, d, row, dim):
    """Force and state of an elliptic contact; returns its cost.

    Reads: sol_jar, efc_D, efc_id, contact_friction, contact_mu
    Writes: efc_force, efc_state
    """
    # U = (mu x_0, mu_1 x_1, ...): N = U_0, T = |U_1..|
    i = d.efc_id[row]
    mu = d.contact_mu[i]
    n = d.sol_jar[row] * mu
    tt = 0.0
    for k in range(1, dim):
        u = scaled_tangent(d, i, row, k)
        tt += u * u
    t = sqrt(tt)
    # bottom zone: f = -D x, cost D x^2 / 2 per row; top zone: nothing
    zone = cone_zone(mu, n, t)
    cost = 0.0
    state = CNSTRSTATE_SATISFIED
    if zone == 1:
        state = CNSTRSTATE_QUADRATIC
    elif zone == 2:
        state = CNSTRSTATE_CONE
    for k in range(dim):
        x = d.sol_jar[row + k]
        f = 0.0
        if zone == 1:
            f = -d.efc_D[row + k] * x
            cost -= 0.5 * f * x
        d.efc_force[row + k] = f
        d.efc_state[row + k] = state
    # middle zone: cost Dm (N - mu T)^2 / 2, f = -its gradient: normal -Dm (N - mu T) mu, tangents along U_k / T
    if zone == 2:
        w = cone_weight(d, row, mu)
        gap = n - mu * t
        cost = 0.5 * w * gap * gap
        d.efc_force[row] = -w * gap * mu
        for k in range(1, dim):
            d.efc_force[row + k] = w * gap * mu * scaled_tangent(d, i, row, k) / t * d.contact_friction[i, k - 1]
    return cost


@kernel("m d i i", ret="f")
def update_rows(m, d, u0, nu):
    """Force and state of all rows of the blocks sol_block_order[u0:u0+nu]; returns their cost.

    solver scalars: sol_changed counts rows whose state changed, sol_active those not satisfied, sol_cones contacts
    that are or were on the side of their cone.
    Reads: sol_jar, efc_D, efc_R, efc_frictionloss, efc_type, sol_block_row, sol_block_num, sol_block_order
    Writes: efc_force, efc_state, sol_changed, sol_active, sol_cones
    """
    cost = 0.0
    changed = 0
    active = 0
    cones = 0
    for k in range(u0, u0 + nu):
        block = d.sol_block_order[k]
        row = d.sol_block_row[block]
        num = d.sol_block_num[block]
        # elliptic contact: its rows have one zone in common
        kind = d.efc_type[row]
        if kind == CNSTR_CONTACT_ELLIPTIC:
            # the Hessian has a dense block for those on the cone's side, which must be made anew, or taken out, at each point
            before = d.efc_state[row]
            cost += cone_update(m, d, row, num)
            if d.efc_state[row] != before:
                changed += num
            if before == CNSTRSTATE_CONE or d.efc_state[row] == CNSTRSTATE_CONE:
                cones += 1
            if d.efc_state[row] != CNSTRSTATE_SATISFIED:
                active += num
            continue
        # dry friction, Huber's function: quadratic within |x| <= R f_max, linear beyond, where the force is f_max
        if kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
            x = d.sol_jar[row]
            state = CNSTRSTATE_QUADRATIC
            f = -d.efc_D[row] * x
            bound = d.efc_frictionloss[row]
            # the force is bounded: f_max |x| - R f_max^2 / 2 (f is D x with its sign turned)
            if f >= bound:
                cost -= bound * (0.5 * d.efc_R[row] * bound + x)
                f = bound
                state = CNSTRSTATE_LINEARNEG
            elif f <= -bound:
                cost -= bound * (0.5 * d.efc_R[row] * bound - x)
                f = -bound
                state = CNSTRSTATE_LINEARPOS
            else:
                cost -= 0.5 * f * x
            active += 1
            if state != d.efc_state[row]:
                changed += 1
            d.efc_force[row] = f
            d.efc_state[row] = state
            continue
        # without branches: which rows push is hard to foresee
        # equality: quadratic everywhere; limit, frictionless and pyramidal contact: for x < 0
        always = kind == CNSTR_EQUALITY
        # active rows: s = D x^2 / 2, f = -D x; the others: no cost, no force
        for i in range(row, row + num):
            x = d.sol_jar[i]
            on = always or x < 0.0
            w = d.efc_D[i] if on else 0.0
            state = CNSTRSTATE_QUADRATIC if on else CNSTRSTATE_SATISFIED
            active += 1 if on else 0
            changed += 1 if state != d.efc_state[i] else 0
            cost += 0.5 * w * x * x
            d.efc_force[i] = 0.0 - w * x
            d.efc_state[i] = state
    d.sol_changed = changed
    d.sol_cones = cones
    d.sol_active = active
    return cost


@helper
def cone_hessian(d, row, dim, w):
    """w (36): second derivative of the cost on the side of the cone by the contact's rows, dim by dim, row-major."""
    # N, T and the unit tangent a_k = U_k / T
    i = d.efc_id[row]
    mu = d.contact_mu[i]
    n = d.sol_jar[row] * mu
    tt = 0.0
    for k in range(1, dim):
        u = scaled_tangent(d, i, row, k)
        tt += u * u
    t = max(MINVAL, sqrt(tt))
    # with c(N, U) = Dm (N - mu T)^2 / 2: c_NN = Dm, c_Nk = -Dm mu a_k, c_kj = Dm (mu^2 a_k a_j - mu (N - mu T) (delta_kj - a_k a_j) / T)
    weight = cone_weight(d, row, mu)
    side = -mu * (n - mu * t) / t
    # chain rule to the rows: factor mu for the normal, mu_k for tangent k
    w[0] = weight * mu * mu
    for k in range(1, dim):
        a = scaled_tangent(d, i, row, k) / t
        s = d.contact_friction[i, k - 1]
        w[k] = -weight * mu * mu * a * s
        w[k * dim] = w[k]
        for j in range(1, k + 1):
            b = scaled_tangent(d, i, row, j) / t
            x = (mu * mu - side) * a * b
            if j == k:
                x += side
            x *= weight * s * d.contact_friction[i, j - 1]
            w[k * dim + j] = x
            w[j * dim + k] = x
