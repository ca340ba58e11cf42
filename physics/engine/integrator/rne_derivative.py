"""How the bias force (Coriolis and centrifugal forces) changes with velocity.

With S_j the axis of dof j, w_j the sum of its two rates (as carried by the body before the joint, and by the one after it),
I_b the inertia and C_b the velocity terms of everything that body b carries, b being the one of the two bodies farther out:

    d bias_i / d qvel_j = S_i . (I_b w_j + C_b S_j)

C maps a motion (r, t) to the force (N r, r x p): t does not matter. For one body that moves with (w, u), whose inertia about
the tree's point is J and first moment c, N = -2 [w]x (tr(J)/2 - J) + 2 ((c . u) - u c') and p = 2 (m u + w x c); both add up
along the tree. So one pass over bodies and one over the entries of the full pattern are enough, with no derivatives of velocities kept.

Source: Echeandia and Wensing, "Numerical methods to compute the Coriolis matrix and Christoffel symbols for rigid-body
systems", 2021; Singh, Russell and Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial vector
algebra", 2022. N and p follow from their body matrix by Jacobi's identity and tr(A)(a x b) = A'(a x b) + Aa x b + a x Ab.
Differs from the force in one thing, as MuJoCo does: the bias of tendons with armature is left out.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import joint_axis_rates
from physics.engine.linalg.spatial import dot6, mul_inertia
from physics.engine.linalg.vec import add3, cross3, dot3, mat_mat3, mat_t_vec3, mat_vec3, skew3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld10, off


@helper
def velocity_terms(inert, v):
    """N (nine numbers, by rows) and p (three) of one body, from its inertia and velocity."""
    half = 0.5 * (inert[0] + inert[1] + inert[2])
    spread = (half - inert[0], -inert[3], -inert[4], -inert[3], half - inert[1], -inert[5], -inert[4], -inert[5], half - inert[2])
    n = mat_mat3(skew3((-2.0 * v[0], -2.0 * v[1], -2.0 * v[2])), spread)
    x, y, z = 2.0 * v[3], 2.0 * v[4], 2.0 * v[5]
    mx, my, mz = inert[6], inert[7], inert[8]
    s = x * mx + y * my + z * mz
    h = mul_inertia(inert, v)
    return ((n[0] + s - x * mx, n[1] - x * my, n[2] - x * mz,
             n[3] - y * mx, n[4] + s - y * my, n[5] - y * mz,
             n[6] - z * mx, n[7] - z * my, n[8] + s - z * mz),
            (2.0 * h[3], 2.0 * h[4], 2.0 * h[5]))


@helper
def matrix_at(a, b):
    """N of body b."""
    return a[b, 0], a[b, 1], a[b, 2], a[b, 3], a[b, 4], a[b, 5], a[b, 6], a[b, 7], a[b, 8]


@helper
def momentum_at(a, b):
    """p of body b."""
    return a[b, 9], a[b, 10], a[b, 11]


@kernel()
def carried_terms(m, d):
    """Write N and p of everything that each body carries.

    Reads: cinert, cvel
    Writes: bias_slope
    """
    for b in range(1, m.nbody):
        n, p = velocity_terms(ld10(d.cinert, b), ld6(d.cvel, b))
        for k in range(9):
            d.bias_slope[b, k] = n[k]
        for k in range(3):
            d.bias_slope[b, 9 + k] = p[k]
    for b in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[b]
        if parent > 0:
            to = off(d.bias_slope, 12 * parent)
            for k in range(12):
                to[k] += d.bias_slope[b, k]


@kernel()
def subtract_bias_slope(m, d):
    """Subtract the bias force's derivative by velocity from qDeriv.

    Reads: cdof, cdof_dot, qvel, crb, cinert, cvel
    Writes: qDeriv, bias_slope, axis_rate, row_cursor
    """
    carried_terms(m, d)
    for j in range(m.njnt):
        joint_axis_rates(m, d, j)
    for k in range(m.nv):
        d.row_cursor[k] = m.D_rowadr[k] + m.D_diag[k] + 1
    for k in range(m.nv):
        b = m.dof_bodyid[k]
        inert = ld10(d.crb, b)
        n = matrix_at(d.bias_slope, b)
        p = momentum_at(d.bias_slope, b)
        s = ld6(d.cdof, k)
        turn = (s[0], s[1], s[2])
        # what the rates and turns of the ancestors' axes do to dof k, and what those of dof k do to them
        felt = mul_inertia(inert, s)
        felt_turn = add3(mat_t_vec3(n, turn), cross3(p, (s[3], s[4], s[5])))
        f = mul_inertia(inert, ld6(d.axis_rate, k))
        fr = mat_vec3(n, turn)
        ft = cross3(turn, p)
        push = (f[0] + fr[0], f[1] + fr[1], f[2] + fr[2], f[3] + ft[0], f[4] + ft[1], f[5] + ft[2])
        start = m.D_rowadr[k]
        own = m.D_diag[k]
        for a in range(own + 1):
            c = ld6(d.cdof, m.D_colind[start + a])
            d.qDeriv[start + a] -= dot6(felt, ld6(d.axis_rate, m.D_colind[start + a])) + dot3(felt_turn, (c[0], c[1], c[2]))
            if a < own:
                j = m.D_colind[start + a]
                d.qDeriv[d.row_cursor[j]] -= dot6(c, push)
                d.row_cursor[j] += 1
