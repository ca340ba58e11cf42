"""The joint-space inertia matrix M, its factor and its products.

M is the sum of the bodies' inertias seen through the motion axes, plus what armature adds: on the diagonal for dofs
and for actuators on joints, as a J'J for tendons and for actuators on tendons. Rows follow the tree (linalg/sparse.py).

Source: Featherstone, "Rigid Body Dynamics Algorithms", section 6.2 (composite bodies) and 6.5 (LTDL).
"""
from __future__ import annotations

from physics.engine.actuator.transmission import joint_armature, tendon_armature
from physics.engine.inertia.articulated_body import aba_factor_trees, aba_solve_tree, may_use_aba
from physics.engine.linalg.sparse import add_outer, factor_rows, mul_rows, raised_pivot, solve_rows
from physics.engine.linalg.spatial import add10, dot6, mul_inertia
from physics.engine.sleep.awake import some_asleep
from physics.enums import WARN_INERTIA
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld10, off, st10
from physics.kernels.simd import vbc, vfma, vld, vmul, vst


@helper
def put_products(out, k, rows, nv, c, force):
    """out[k:k+4] = products of `force` with the axes of dofs c to c + 3, which `rows` holds by components."""
    v = vmul(vld(rows, c), vbc(force[0]))
    v = vfma(vld(rows, nv + c), vbc(force[1]), v)
    v = vfma(vld(rows, 2 * nv + c), vbc(force[2]), v)
    v = vfma(vld(rows, 3 * nv + c), vbc(force[3]), v)
    v = vfma(vld(rows, 4 * nv + c), vbc(force[4]), v)
    vst(out, k, vfma(vld(rows, 5 * nv + c), vbc(force[5]), v))


@helper
def rows_end(m, end):
    """Where M's rows before dof `end` end."""
    return m.M_rowadr[end - 1] + m.M_rownnz[end - 1]


@helper
def add_tendon(m, d, t, armature):
    """Add armature J'J of tendon t to the rows of awake trees; M has no entries for two trees together."""
    a = m.ten_J_rowadr[t]
    end = a + m.ten_J_rownnz[t]
    while a < end:
        tree = m.dof_treeid[m.ten_J_colind[a]]
        n = 1
        while a + n < end and m.dof_treeid[m.ten_J_colind[a + n]] == tree:
            n += 1
        if d.tree_awake[tree] != 0:
            add_outer(d.M, m.M_rownnz, m.M_rowadr, m.M_colind, off(d.ten_J, a), off(m.ten_J_colind, a), n, armature)
        a += n


@helper
def axes_by_component(m, d, first, end):
    """Write the axes of the dofs first to end - 1 to cdof_by_component, long before they are read four at a time, which has to wait for them to arrive in memory."""
    rows = d.cdof_by_component
    for i in range(first, end):
        if m.dof_simplenum[i] == 0:
            axis = ld6(d.cdof, i)
            for k in range(6):
                rows[k * m.nv + i] = axis[k]


@helper
def begin_composites(d, first, end):
    """The bodies' own inertias, first to end - 1, to crb."""
    alone = off(d.cinert, 0)
    composite = off(d.crb, 0)
    for k in range(10 * first, 10 * end):
        composite[k] = alone[k]


@helper
def composites_inwards(m, d, first, end):
    """Add the composite inertias of the bodies end - 1 down to first to those of their parents."""
    for i in range(end - 1, first - 1, -1):
        p = m.body_parentid[i]
        if p > 0:
            st10(d.crb, p, add10(ld10(d.crb, p), ld10(d.crb, i)))


@helper
def rows_of_m(m, d, first, end, stop):
    """The rows first to end - 1 of M, which end at `stop`, but for tendons."""
    nv = m.nv
    for i in range(first, end):
        a = m.M_rowadr[i]
        if m.dof_simplenum[i] != 0:
            d.M[a] = m.dof_M0[i]
            continue
        axis = ld6(d.cdof, i)
        last = a + m.M_rownnz[i] - 1
        force = mul_inertia(ld10(d.crb, m.dof_bodyid[i]), axis)
        # four neighbouring ancestors at once; what is written beyond the row is overwritten below and by the rows after it
        while a < last:
            b = min(a + 3, last - 1)
            c = m.M_colind[a]
            if m.M_colind[b] - c == b - a and a + 4 <= stop:
                put_products(d.M, a, d.cdof_by_component, nv, c, force)
                a += 4
            else:
                d.M[a] = dot6(ld6(d.cdof, c), force)
                a += 1
        d.M[last] = m.dof_armature[i] + joint_armature(m, m.dof_jntid[i]) + dot6(axis, force)


@kernel()
def crb(m, d):
    """Assemble M.

    Reads: cinert, cdof, ten_J
    Writes: crb, M (and the scratch rows cdof_by_component)
    Source: Featherstone 2008, table 6.2. Dofs of a body whose inertia is diagonal in its joints keep dof_M0.
    """
    if not some_asleep(m, d):
        axes_by_component(m, d, 0, m.nv)
        begin_composites(d, 0, m.nbody)
        composites_inwards(m, d, 1, m.nbody)
        rows_of_m(m, d, 0, m.nv, m.nC)
    else:
        for r in range(d.ndof_run):
            axes_by_component(m, d, d.dof_run[r, 0], d.dof_run[r, 1])
        begin_composites(d, 0, 1)
        for r in range(d.nbody_run):
            begin_composites(d, d.body_run[r, 0], d.body_run[r, 1])
        for r in range(d.nbody_run - 1, -1, -1):
            composites_inwards(m, d, d.body_run[r, 0], d.body_run[r, 1])
        for r in range(d.ndof_run):
            rows_of_m(m, d, d.dof_run[r, 0], d.dof_run[r, 1], rows_end(m, d.dof_run[r, 1]))
    for t in range(m.ntendon):
        armature = tendon_armature(m, t)
        if armature != 0.0:
            add_tendon(m, d, t, armature)


@helper
def factor_like_m(m, d, mat, diaginv, first, end):
    """Factor the rows first to end - 1 (whole trees) of a matrix with M's rows in place; a pivot raised to MINVAL is a warning."""
    factor_rows(mat, diaginv, m, first, end)
    raised = raised_pivot(diaginv, first, end)
    if raised >= 0:
        d.warning_number[WARN_INERTIA] += 1
        d.warning_lastinfo[WARN_INERTIA] = raised


@helper
def factor_dofs(m, d, first, end):
    """The rows first to end - 1 (whole trees) in qLD and qLDiagInv."""
    for k in range(m.M_rowadr[first], rows_end(m, end)):
        d.qLD[k] = d.M[k]
    factor_like_m(m, d, d.qLD, d.qLDiagInv, first, end)


@helper
def factor_tree(m, d, t):
    """The rows of tree t in qLD and qLDiagInv."""
    factor_dofs(m, d, m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t])


@kernel()
def factor_m(m, d):
    """Factor M = L'DL; of trees with long chains the articulated inertias (articulated_body.py) instead.

    Reads: M, cinert, cdof
    Writes: qLD, qLDiagInv, aba_trees, qLD_due, warning_number, warning_lastinfo, and what aba_factor_trees writes
    """
    d.qLD_due = 0
    d.aba_trees = 0
    if not may_use_aba(m):
        if not some_asleep(m, d):
            for k in range(m.nC):
                d.qLD[k] = d.M[k]
            factor_like_m(m, d, d.qLD, d.qLDiagInv, 0, m.nv)
            return
        for r in range(d.ndof_run):
            factor_dofs(m, d, d.dof_run[r, 0], d.dof_run[r, 1])
        return
    for t in range(m.ntree):
        if d.tree_awake[t] != 0 and not m.tree_aba[t]:
            factor_tree(m, d, t)
    aba_factor_trees(m, d)
    d.aba_trees = 1
    d.qLD_due = 1


@kernel()
def fill_factor(m, d):
    """Factor the trees that the last factor_m has left to ABA, for whoever reads qLD.

    Reads: M
    Writes: qLD, qLDiagInv, qLD_due, warning_number, warning_lastinfo
    """
    d.qLD_due = 0
    for t in range(m.ntree):
        if m.tree_aba[t]:
            factor_tree(m, d, t)


@helper
def solve_m_tree(m, d, t, x):
    """x: (nv,) becomes M^-1 x over the dofs of tree t."""
    first = m.tree_dofadr[t]
    end = first + m.tree_dofnum[t]
    if d.aba_trees == 0 or not m.tree_aba[t]:
        solve_rows(x, d.qLD, d.qLDiagInv, m, first, end)
        return
    for k in range(first, end):
        d.aba_x[k] = x[k]
    aba_solve_tree(m, d, t)
    for k in range(first, end):
        x[k] = d.aba_x[k]


@helper
def solve_m_vec(m, d, x):
    """x: (nv,) becomes M^-1 x."""
    if d.aba_trees == 0:
        solve_rows(x, d.qLD, d.qLDiagInv, m, 0, m.nv)
        return
    for t in range(m.ntree):
        solve_m_tree(m, d, t, x)


@helper
def solve_m_awake(m, d, x):
    """The same over the dofs that are awake only."""
    if not some_asleep(m, d):
        solve_m_vec(m, d, x)
        return
    if d.aba_trees == 0:
        for r in range(d.ndof_run):
            solve_rows(x, d.qLD, d.qLDiagInv, m, d.dof_run[r, 0], d.dof_run[r, 1])
        return
    for t in range(m.ntree):
        if d.tree_awake[t] != 0:
            solve_m_tree(m, d, t, x)


@helper
def mul_m_vec(m, d, x, res):
    """res: (nv,) = M x."""
    mul_rows(res, x, d.M, m, 0, m.nv)
