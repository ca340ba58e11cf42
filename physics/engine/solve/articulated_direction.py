"""Newton directions by the articulated-body algorithm (ABA, articulated_body.py), for a long chain that touches nothing but the world.

J' W J of contacts of a body with the world acts on the body as a stiffness: the sum of W[r, q] g_r g_q' over the wrenches g of its rows is
added to its inertia. A row with one dof adds to what that dof feels. So neither J nor H is needed, and a direction costs as much
as M^-1 does.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 7; the stiffness of contacts in it: own derivation.
"""
from __future__ import annotations

from physics.engine.inertia.articulated_body import aba_inward_pass, aba_solve, load_body_inertias, put_row
from physics.engine.kinematics.points import axis_wrench
from physics.engine.linalg.vec import sub3
from physics.engine.solve.cost import cone_hessian
from physics.engine.solve.row_products import weight_of
from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTRSTATE_CONE,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9, off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vst


@helper
def moved_body(m, d, i):
    """The body that contact i with the world pushes, -1 where both or none move."""
    # weldid 0: the world and what is fixed to it; a flex or other contact without a geom (-1) has no single body
    b1 = m.body_weldid[m.geom_bodyid[max(0, d.contact_geom[i, 0])]]
    b2 = m.body_weldid[m.geom_bodyid[max(0, d.contact_geom[i, 1])]]
    if min(b1, b2) > 0 or min(d.contact_geom[i, 0], d.contact_geom[i, 1]) < 0:
        return -1
    return max(b1, b2)


@helper
def suits_aba(m, d, row):
    """Whether a block acts on one body from the world or on one dof."""
    kind = d.efc_type[row]
    if kind == CNSTR_CONTACT_FRICTIONLESS or kind == CNSTR_CONTACT_PYRAMIDAL or kind == CNSTR_CONTACT_ELLIPTIC:
        return moved_body(m, d, d.efc_id[row]) > 0
    return d.efc_J_rownnz[row] == 1


@helper
def may_use_aba_island(m, d, island):
    """Whether all blocks of a one-tree island fit and its tree is one whose M^-1 is found by ABA."""
    if d.aba_trees == 0 or not m.tree_aba[d.sol_order[d.sol_island_tree[island]]]:
        return False
    k = d.sol_island_block[island]
    end = k + d.sol_island_nblock[island]
    while k < end:
        if not suits_aba(m, d, d.sol_block_row[d.sol_block_order[k]]):
            return False
        k += 1
    return True


@helper
def put_pyramid_wrench(rows, e, k, mu):
    """Write row e of `rows` (rows of eight) = row 0 plus mu times row k of the frame that starts at row 12."""
    v = vbc(mu)
    vst(rows, 8 * e, vfma(v, vld(rows, 96 + 8 * k), vld(rows, 96)))
    vst(rows, 8 * e + 4, vfma(v, vld(rows, 100 + 8 * k), vld(rows, 100)))


@helper
def contact_wrenches(m, d, i, body, num, pyramid, rows):
    """Wrenches of the rows of contact i on this body: rows 0 to num - 1 of eight numbers; the frame's own from row 12 on."""
    # a unit force along axis a of the contact frame at r is the wrench (r x a, a); torsion and rolling are pure couples (a, 0)
    f = ld9(d.contact_frame, i)
    r = sub3(ld3(d.contact_pos, i), ld3(d.subtree_com, m.body_rootid[body]))
    dim = d.contact_dim[i]
    for k in range(3):
        w = axis_wrench((f[0], f[1], f[2]), r)
        if k == 1:
            w = axis_wrench((f[3], f[4], f[5]), r)
        elif k == 2:
            w = axis_wrench((f[6], f[7], f[8]), r)
        put_row(rows, 96 + 8 * k, w[0], w[1], w[2], w[3], w[4], w[5])
    if dim > 3:
        put_row(rows, 120, f[0], f[1], f[2], 0.0, 0.0, 0.0)
        put_row(rows, 128, f[3], f[4], f[5], 0.0, 0.0, 0.0)
        put_row(rows, 136, f[6], f[7], f[8], 0.0, 0.0, 0.0)
    # row of an edge: normal + mu_k tangent_k, and normal - mu_k tangent_k
    if pyramid:
        for k in range(1, dim):
            mu = d.contact_friction[i, k - 1]
            put_pyramid_wrench(rows, 2 * k - 2, k, mu)
            put_pyramid_wrench(rows, 2 * k - 1, k, -mu)
    # elliptic or frictionless: the rows are the frame's axes themselves
    else:
        for k in range(2 * num):
            vst(rows, 4 * k, vld(rows, 96 + 4 * k))


@helper
def add_stiffness(inertia, g, w, full, num):
    """inertia (six rows of eight) += sum of W[r, q] g_r g_q'; w is num by num (full) or the diagonal."""
    # sum_q W[r, q] g_q, one weight where W is diagonal; then the rank-one term g_r (..)' column by column
    for r in range(num):
        lo = vmul(vbc(w[r]), vld(g, 8 * r))
        hi = vmul(vbc(w[r]), vld(g, 8 * r + 4))
        if full:
            lo = vbc(0.0)
            hi = lo
            for q in range(num):
                lo = vfma(vbc(w[r * num + q]), vld(g, 8 * q), lo)
                hi = vfma(vbc(w[r * num + q]), vld(g, 8 * q + 4), hi)
        for c in range(6):
            x = vbc(g[8 * r + c])
            vst(inertia, 8 * c, vfma(x, lo, vld(inertia, 8 * c)))
            vst(inertia, 8 * c + 4, vfma(x, hi, vld(inertia, 8 * c + 4)))


@helper
def add_contact(m, d, row, num, g, w):
    """Add the stiffness of a contact's rows to the inertia of its body; g, w: scratch."""
    # W: the 2nd derivative of the cone's cost, or D of the rows that are in their quadratic zone
    i = d.efc_id[row]
    body = moved_body(m, d, i)
    kind = d.efc_type[row]
    full = d.efc_state[row] == CNSTRSTATE_CONE
    if full:
        cone_hessian(d, row, num, w)
    else:
        total = 0.0
        for r in range(num):
            w[r] = weight_of(d, row + r)
            total += w[r]
        if total == 0.0:
            return
    # J_r = g_r' X S of the body's dofs, so J' W J is S' (sum W g g') S: a stiffness beside the body's inertia
    contact_wrenches(m, d, i, body, num, kind == CNSTR_CONTACT_PYRAMIDAL, g)
    add_stiffness(off(d.aba_inertia, 48 * body), g, w, full, num)


@kernel("m d i", ret="i")
def factor_by_aba(m, d, island):
    """ABA's inward pass on the Hessian of an island of one tree that is solved by it; returns whether a pivot was raised.

    Reads: cinert, cdof, aba_cdof, sol_block_order, sol_block_row, sol_block_num, efc_type, efc_id, efc_state, efc_D, efc_J, contact_frame, contact_pos
    Writes: aba_damped_U, aba_damped_Dinv, aba_inertia, aba_x
    """
    # H = M + J' W J: inertias of the bodies, plus contacts with the world as stiffness of their body, plus rows of one dof on its diagonal (aba_x)
    t = d.sol_order[d.sol_island_tree[island]]
    load_body_inertias(m, d, t)
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        d.aba_x[k] = 0.0
    # block by block: g, the wrenches of a contact's rows, w, their W
    g = stack(144)
    w = stack(36)
    first = d.sol_island_block[island]
    for k in range(first, first + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        kind = d.efc_type[row]
        if kind == CNSTR_CONTACT_FRICTIONLESS or kind == CNSTR_CONTACT_PYRAMIDAL or kind == CNSTR_CONTACT_ELLIPTIC:
            add_contact(m, d, row, d.sol_block_num[u], g, w)
        else:
            at = d.efc_J_rowadr[row]
            d.aba_x[d.efc_J_colind[at]] += weight_of(d, row) * d.efc_J[at] * d.efc_J[at]
    # U and 1 / D of H; h = -1: aba_x holds what is added to each dof's own inertia
    if aba_inward_pass(m, d, t, off(d.aba_damped_U, 0), off(d.aba_damped_Dinv, 0), -1.0, off(d.aba_x, 0)) >= 0:
        return 1
    return 0


@kernel("m d i")
def solve_by_aba(m, d, island):
    """sol_search of an island of one tree solved by ABA = -H^-1 sol_grad.

    Reads: sol_grad, aba_cdof, aba_damped_U, aba_damped_Dinv
    Writes: sol_search (and the scratch aba_motion)
    """
    t = d.sol_order[d.sol_island_tree[island]]
    first = m.tree_dofadr[t]
    for k in range(first, first + m.tree_dofnum[t]):
        d.sol_search[k] = -d.sol_grad[k]
    aba_solve(m, d, t, off(d.sol_search, 0), off(d.aba_damped_U, 0), off(d.aba_damped_Dinv, 0))
