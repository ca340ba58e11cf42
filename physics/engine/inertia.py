"""The joint-space inertia matrix M, its factor and its products.

M is the sum of the bodies' inertias seen through the motion axes, plus what armature adds: on the diagonal for dofs
and for actuators on joints, as a J'J for tendons and for actuators on tendons. Rows follow the tree (linalg/sparse.py).

Source: Featherstone, "Rigid Body Dynamics Algorithms", section 6.2 (composite bodies) and 6.5 (LTDL).
"""
from __future__ import annotations

from physics.engine.joints import translations_before
from physics.engine.linalg.sparse import add_outer, factor_rows, mul_rows, solve_rows
from physics.engine.linalg.spatial import add10, dot6, mul_inertia
from physics.engine.transmission import joint_armature, tendon_armature
from physics.enums import WARN_INERTIA
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld10, off, st10
from physics.kernels.simd import stack, vld, vmul, vsum


@kernel()
def crb(m, d):
    """Assemble M.

    Reads: cinert, cdof, ten_J
    Writes: crb, M
    Source: Featherstone 2008, table 6.2. Dofs of a body whose inertia is diagonal in its joints keep dof_M0.
    """
    nbody = m.nbody
    first = stack(4)  # of the six numbers of the force, for the 4-wide products
    for i in range(nbody):
        st10(d.crb, i, ld10(d.cinert, i))
    for i in range(nbody - 1, 0, -1):
        p = m.body_parentid[i]
        if p > 0:
            st10(d.crb, p, add10(ld10(d.crb, p), ld10(d.crb, i)))
    for i in range(m.nv):
        adr = m.M_rowadr[i]
        if m.dof_simplenum[i] != 0:
            d.M[adr] = m.dof_M0[i]
            continue
        end = adr + m.M_rownnz[i] - 1
        axis = ld6(d.cdof, i)
        force = mul_inertia(ld10(d.crb, m.dof_bodyid[i]), axis)
        d.M[end] = m.dof_armature[i] + joint_armature(m, m.dof_jntid[i]) + dot6(axis, force)
        # the force along a root's translations is read off
        if end - adr >= 3 and translations_before(m, m.M_colind[adr]) == 3:
            d.M[adr] = force[3]
            d.M[adr + 1] = force[4]
            d.M[adr + 2] = force[5]
            adr += 3
        for k in range(4):
            first[k] = force[k]
        v = vld(first, 0)
        for a in range(adr, end):
            col = off(d.cdof, 6 * m.M_colind[a])
            d.M[a] = vsum(vmul(vld(col, 0), v)) + (col[4] * force[4] + col[5] * force[5])
    for t in range(m.ntendon):
        armature = tendon_armature(m, t)
        if armature != 0.0:
            adr = m.ten_J_rowadr[t]
            add_outer(d.M, m.M_rownnz, m.M_rowadr, m.M_colind, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], armature)


@helper
def factor_like_m(m, d, mat, diaginv):
    """Factor a matrix with M's rows in place; a pivot raised to MINVAL is a warning."""
    raised = factor_rows(mat, diaginv, m, 0, m.nv)
    if raised >= 0:
        d.warning_number[WARN_INERTIA] += 1
        d.warning_lastinfo[WARN_INERTIA] = raised


@kernel()
def factor_m(m, d):
    """Factor M = L'DL.

    Reads: M
    Writes: qLD, qLDiagInv, warning_number, warning_lastinfo
    """
    for k in range(m.nC):
        d.qLD[k] = d.M[k]
    factor_like_m(m, d, d.qLD, d.qLDiagInv)


@helper
def solve_m_vec(m, d, x):
    """x: (nv,) becomes M^-1 x."""
    solve_rows(x, d.qLD, d.qLDiagInv, m, 0, m.nv)


@helper
def mul_m_vec(m, d, x, res):
    """res: (nv,) = M x."""
    mul_rows(res, x, d.M, m, 0, m.nv)
