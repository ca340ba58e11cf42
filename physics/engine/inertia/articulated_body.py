"""Articulated-body algorithm (ABA): M^-1 by a recursion over bodies, for long chains, where factoring M costs the cube of the length.

Leaves to root, each dof with motion axis s takes the part that it can move off the articulated inertia I: U = I s, D = s'U + armature (and
damping times the time step), I <- I - U U'/D, and the rest is added to the parent's. With U and D kept, M x = b is solved by one
pass inwards and one outwards. All of a tree is about one point, its centre of mass, along the world's axes: nothing is transformed.
A six-vector is kept as two vectors of four whose last two places are 0.

It is used for trees that the compiler has marked (tree_aba) while no tendon has armature, which would couple dofs far apart, and
not under the discrete integrator, whose effective mass matrix is not an inertia. qLD then holds no rows of such trees until somebody asks.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 7 (7.2 and table 7.1).
"""
from __future__ import annotations

from physics.engine.actuator.transmission import joint_armature, tendon_armature
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.enums import INT_DISCRETE, MINVAL, WARN_INERTIA
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld10, off
from physics.kernels.simd import vbc, vfma, vld, vmul, vst, vsum


@helper
def may_use_aba(m):
    """Whether ABA holds for the trees that are marked for it."""
    if m.nabadof == 0 or m.opt_integrator == INT_DISCRETE:
        return False
    for t in range(m.ntendon):
        if tendon_armature(m, t) != 0.0:
            return False
    return True


@helper
def put_row(p, k, a0, a1, a2, a3, a4, a5):
    """Six numbers and two zeros from p[k] on."""
    p[k] = a0
    p[k + 1] = a1
    p[k + 2] = a2
    p[k + 3] = a3
    p[k + 4] = a4
    p[k + 5] = a5
    p[k + 6] = 0.0
    p[k + 7] = 0.0


@helper
def put_inertia(p, i):
    """Symmetric 6x6 matrix of the inertia i, rows of eight."""
    # [[I, m c x], [-m c x, m 1]] with i = (I, m c, m): rotational inertia about the point, mass times offset, mass
    put_row(p, 0, i[0], i[3], i[4], 0.0, -i[8], i[7])
    put_row(p, 8, i[3], i[1], i[5], i[8], 0.0, -i[6])
    put_row(p, 16, i[4], i[5], i[2], -i[7], i[6], 0.0)
    put_row(p, 24, 0.0, i[8], -i[7], i[9], 0.0, 0.0)
    put_row(p, 32, -i[8], 0.0, i[6], 0.0, i[9], 0.0)
    put_row(p, 40, i[7], -i[6], 0.0, 0.0, 0.0, i[9])


@helper
def add_vector(dst, src, n):
    """dst[:n] += src[:n], n a multiple of four."""
    for k in range(0, n, 4):
        vst(dst, k, vld(dst, k) + vld(src, k))


@helper
def mul_matrix6(inertia, s, out):
    """out (8) = the 6x6 matrix `inertia` times s."""
    # the symmetric matrix is summed by columns, even and odd ones apart: two chains of fused multiply-adds run side by side
    lo = vmul(vld(inertia, 0), vbc(s[0]))
    hi = vmul(vld(inertia, 4), vbc(s[0]))
    lo1 = vmul(vld(inertia, 8), vbc(s[1]))
    hi1 = vmul(vld(inertia, 12), vbc(s[1]))
    lo = vfma(vld(inertia, 16), vbc(s[2]), lo)
    hi = vfma(vld(inertia, 20), vbc(s[2]), hi)
    lo1 = vfma(vld(inertia, 24), vbc(s[3]), lo1)
    hi1 = vfma(vld(inertia, 28), vbc(s[3]), hi1)
    lo = vfma(vld(inertia, 32), vbc(s[4]), lo)
    hi = vfma(vld(inertia, 36), vbc(s[4]), hi)
    lo1 = vfma(vld(inertia, 40), vbc(s[5]), lo1)
    hi1 = vfma(vld(inertia, 44), vbc(s[5]), hi1)
    vst(out, 0, lo + lo1)
    vst(out, 4, hi + hi1)


@helper
def subtract_outer(inertia, u, inv):
    """inertia -= u u' inv."""
    # rank-one update I_A <- I_A - U U' / D, column by column (RBDA table 7.1)
    lo = vld(u, 0)
    hi = vld(u, 4)
    for c in range(6):
        f = vbc(-u[c] * inv)
        vst(inertia, 8 * c, vfma(lo, f, vld(inertia, 8 * c)))
        vst(inertia, 8 * c + 4, vfma(hi, f, vld(inertia, 8 * c + 4)))


@helper
def load_body_inertias(m, d, t):
    """aba_inertia of the bodies of tree t: what each is alone."""
    first = m.tree_bodyadr[t]
    for b in range(first, first + m.tree_bodynum[t]):
        put_inertia(off(d.aba_inertia, 48 * b), ld10(d.cinert, b))


@helper
def aba_inward_pass(m, d, t, force, inverse, h, more):
    """Fill rows of `force` (U) and `inverse` (1 / D) for the dofs of tree t, from what its bodies are alone.

    h is the time step where damping counts, else 0. more: what to add to each dof's own inertia (from h < 0 on it is looked at).
    Returns the last dof whose D was raised to MINVAL, -1 when none was.
    """
    raised = -1
    first = m.tree_bodyadr[t]
    # leaves to root: I_A of a body is complete when all its children have been added (RBDA table 7.1, pass 2)
    for b in range(first + m.tree_bodynum[t] - 1, first - 1, -1):
        # I_A = articulated inertia of body b, about the tree's centre of mass
        inertia = off(d.aba_inertia, 48 * b)
        adr = m.body_dofadr[b]
        # the body's dofs one by one, as a chain of one-dof joints with massless bodies between: U = I_A S, D = S' U + armature
        for k in range(adr + m.body_dofnum[b] - 1, adr - 1, -1):
            s = ld6(d.cdof, k)
            u = off(force, 8 * k)
            mul_matrix6(inertia, s, u)
            pivot = (s[0] * u[0] + s[1] * u[1] + s[2] * u[2]) + (s[3] * u[3] + s[4] * u[4] + s[5] * u[5])
            pivot += m.dof_armature[k] + joint_armature(m, m.dof_jntid[k])
            # what else acts on the dof alone: h times its damping (M + h B), or the curvature of its constraint rows
            if h > 0.0:
                pivot += h * dof_damping_slope(m, d, k)
            elif h < 0.0:
                pivot += more[k]
            # a dof that moves no inertia: D is raised, as the pivots of the sparse factor are
            if pivot < MINVAL:
                pivot = MINVAL
                raised = max(raised, k)
            inverse[k] = 1.0 / pivot
            # I_a = I_A - U U' / D: what the parent feels through the joint
            subtract_outer(inertia, u, inverse[k])
        # no coordinate transform: all of a tree is about one point
        if b > first:
            add_vector(off(d.aba_inertia, 48 * m.body_parentid[b]), inertia, 48)
    return raised


@helper
def aba_factor_tree(m, d, t, force, inverse, h):
    """aba_inward_pass over the tree's own body inertias."""
    load_body_inertias(m, d, t)
    return aba_inward_pass(m, d, t, force, inverse, h, inverse)


@helper
def aba_factor_checked(m, d, t, force, inverse, h):
    """aba_factor_tree, and a warning where a pivot was raised."""
    raised = aba_factor_tree(m, d, t, force, inverse, h)
    if raised >= 0:
        d.warning_number[WARN_INERTIA] += 1
        d.warning_lastinfo[WARN_INERTIA] = raised


@helper
def aba_solve(m, d, t, x, force, inverse):
    """x becomes the solution over the dofs of tree t, by U (force) and 1 / D (inverse) of the inward pass."""
    # aba_motion holds p_A, the articulated bias force, on the way inwards, and a, the spatial acceleration, on the way outwards
    first = m.tree_bodyadr[t]
    last = first + m.tree_bodynum[t] - 1
    motion = off(d.aba_motion, 0)
    axis = off(d.aba_cdof, 0)
    zero = vbc(0.0)
    for b in range(first, last + 1):
        vst(motion, 8 * b, zero)
        vst(motion, 8 * b + 4, zero)
    # inwards: what each dof has to push, given what hangs on it
    for b in range(last, first - 1, -1):
        lo = vld(motion, 8 * b)
        hi = vld(motion, 8 * b + 4)
        adr = m.body_dofadr[b]
        for k in range(adr + m.body_dofnum[b] - 1, adr - 1, -1):
            # u = tau - S' p_A, p_a = p_A + U u / D
            rest = x[k] - vsum(vfma(vld(axis, 8 * k), lo, vmul(vld(axis, 8 * k + 4), hi)))
            x[k] = rest
            f = vbc(rest * inverse[k])
            lo = vfma(vld(force, 8 * k), f, lo)
            hi = vfma(vld(force, 8 * k + 4), f, hi)
        # the parent gathers p_a of its children
        if b > first:
            p = 8 * m.body_parentid[b]
            vst(motion, p, vld(motion, p) + lo)
            vst(motion, p + 4, vld(motion, p + 4) + hi)
    # outwards: accelerations
    for b in range(first, last + 1):
        # a of the parent, 0 at the root
        lo = zero
        hi = zero
        if b > first:
            p = 8 * m.body_parentid[b]
            lo = vld(motion, p)
            hi = vld(motion, p + 4)
        adr = m.body_dofadr[b]
        for k in range(adr, adr + m.body_dofnum[b]):
            # qdd = (u - U' a) / D, a <- a + S qdd
            a = (x[k] - vsum(vfma(vld(force, 8 * k), lo, vmul(vld(force, 8 * k + 4), hi)))) * inverse[k]
            x[k] = a
            lo = vfma(vld(axis, 8 * k), vbc(a), lo)
            hi = vfma(vld(axis, 8 * k + 4), vbc(a), hi)
        vst(motion, 8 * b, lo)
        vst(motion, 8 * b + 4, hi)


@helper
def aba_pad_cdof(m, d, t):
    """aba_cdof: cdof of the tree's dofs, with two zeros after each."""
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        s = ld6(d.cdof, k)
        put_row(off(d.aba_cdof, 0), 8 * k, s[0], s[1], s[2], s[3], s[4], s[5])


@kernel()
def aba_factor_trees(m, d):
    """ABA's inward pass on M for every awake tree that is marked for it.

    Reads: cinert, cdof, qvel
    Writes: aba_cdof, aba_U, aba_Dinv, warning_number, warning_lastinfo (and the scratch aba_inertia)
    """
    for t in range(m.ntree):
        if m.tree_aba[t] and d.tree_awake[t] != 0:
            # S with two zeros, so that a dot product takes two vectors of four
            aba_pad_cdof(m, d, t)
            aba_factor_checked(m, d, t, off(d.aba_U, 0), off(d.aba_Dinv, 0), 0.0)


@kernel("m d i")
def aba_solve_damped(m, d, t):
    """Overwrite qacc_step, the forces on the dofs of tree t, with the accelerations under M + h D.

    Reads: qacc_step, cinert, cdof, qvel, aba_cdof
    Writes: qacc_step, warning_number, warning_lastinfo (and the scratch aba_inertia, aba_motion, aba_damped_U, aba_damped_Dinv)
    """
    aba_factor_checked(m, d, t, off(d.aba_damped_U, 0), off(d.aba_damped_Dinv, 0), m.opt_timestep)
    aba_solve(m, d, t, off(d.qacc_step, 0), off(d.aba_damped_U, 0), off(d.aba_damped_Dinv, 0))


@kernel("m d i")
def aba_solve_tree(m, d, t):
    """Overwrite the part of aba_x that belongs to tree t with M^-1 of it.

    Reads: aba_x, aba_cdof, aba_U, aba_Dinv
    Writes: aba_x (and the scratch aba_motion)
    """
    aba_solve(m, d, t, off(d.aba_x, 0), off(d.aba_U, 0), off(d.aba_Dinv, 0))
