"""Kernels of an experiment: kinematics, centres of mass, mass matrix and its factor of four worlds at once, a world in each place of a vector (benchmarks/wide_worlds.py).

Numbers lie with the world's index innermost: number k of four worlds is at 4 k. Arrays are lent under names of flat buffer fields that have other uses elsewhere:
qp_hessian qpos, qp_gradient bodies (POSE numbers each: xpos, xquat, xmat, xipos, ximat), qp_lo joints (xanchor, xaxis), qp_hi subtree_com, qp_x cinert, qp_push crb,
qp_factor cdof, qp_step M, qp_way its factor and 1 / D. Trees of hinges, on a free joint or none; tendons' armature is left out.
"""
from __future__ import annotations

from physics.engine.inertia.mass_matrix import crb, factor_m
from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import bodies, subtree_com
from physics.engine.linalg.quat import mul4, to_mat
from physics.engine.linalg.vec import add3, cross3, mat_vec3, scl3, sub3
from physics.enums import JNT_FREE, SAMEFRAME_BODY, SAMEFRAME_BODYROT
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, off
from physics.kernels.simd import vbc, vfma, vld, vset, vst, vturn

POSE = 28
XQUAT, XMAT, XIPOS, XIMAT = 12, 28, 64, 76      # places in a body's pose
BODIES, COM, CRB, FACTOR = 1, 2, 4, 8           # stages, as bits


@helper
def get3(p, k):
    """Three numbers of four worlds."""
    return vld(p, k), vld(p, k + 4), vld(p, k + 8)


@helper
def get4(p, k):
    """Four numbers."""
    return vld(p, k), vld(p, k + 4), vld(p, k + 8), vld(p, k + 12)


@helper
def get9(p, k):
    """Nine numbers."""
    return vld(p, k), vld(p, k + 4), vld(p, k + 8), vld(p, k + 12), vld(p, k + 16), vld(p, k + 20), vld(p, k + 24), vld(p, k + 28), vld(p, k + 32)


@helper
def put3(p, k, v):
    """Write three numbers."""
    vst(p, k, v[0])
    vst(p, k + 4, v[1])
    vst(p, k + 8, v[2])


@helper
def put4(p, k, v):
    """Write four."""
    put3(p, k, (v[0], v[1], v[2]))
    vst(p, k + 12, v[3])


@helper
def put9(p, k, v):
    """Write nine."""
    put3(p, k, (v[0], v[1], v[2]))
    put3(p, k + 12, (v[3], v[4], v[5]))
    put3(p, k + 24, (v[6], v[7], v[8]))


@helper
def all3(x):
    """A vector that all worlds share."""
    return vbc(x[0]), vbc(x[1]), vbc(x[2])


@helper
def all4(x):
    """A quaternion that all worlds share."""
    return vbc(x[0]), vbc(x[1]), vbc(x[2]), vbc(x[3])


@helper
def half_sin_cos(x):
    """sin and cos of x / 2 up to a common sign: less a multiple of pi, then Taylor's polynomials, as no branch may differ between worlds."""
    large = vbc(6755399441055744.0)     # 1.5 * 2^52: what is added to it is rounded to a whole number
    h = x * vbc(0.5)
    k = vfma(h, vbc(0.3183098861837907), large) - large
    r = vfma(k, vbc(-1.2246467991473532e-16), vfma(k, vbc(-3.141592653589793), h))
    z = r * r
    s = vfma(z, vfma(z, vbc(1.9572941063391263e-20), vbc(-8.220635246624329e-18)), vbc(2.8114572543455206e-15))
    s = vfma(z, vfma(z, s, vbc(-7.647163731819816e-13)), vbc(1.6059043836821613e-10))
    s = vfma(z, vfma(z, s, vbc(-2.505210838544172e-08)), vbc(2.7557319223985893e-06))
    s = vfma(z, vfma(z, s, vbc(-0.0001984126984126984)), vbc(0.008333333333333333))
    s = vfma(z * r, vfma(z, s, vbc(-0.16666666666666666)), r)
    c = vfma(z, vfma(z, vbc(4.110317623312165e-19), vbc(-1.5619206968586225e-16)), vbc(4.779477332387385e-14))
    c = vfma(z, vfma(z, c, vbc(-1.1470745597729725e-11)), vbc(2.08767569878681e-09))
    c = vfma(z, vfma(z, c, vbc(-2.755731922398589e-07)), vbc(2.48015873015873e-05))
    c = vfma(z, vfma(z, c, vbc(-0.001388888888888889)), vbc(0.041666666666666664))
    return s, vfma(z, vfma(z, c, vbc(-0.5)), vbc(1.0))


@helper
def near_unit(q):
    """q / |q| for quaternions whose length is 1 but for rounding: one step of Newton's method for 1 / sqrt."""
    s = vfma(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], vbc(-0.5), vbc(1.5))
    return q[0] * s, q[1] * s, q[2] * s, q[3] * s


@helper
def turned(q, v):
    """v turned by q."""
    t = (q[0] * v[0] + q[2] * v[2] - q[3] * v[1], q[0] * v[1] + q[3] * v[0] - q[1] * v[2], q[0] * v[2] + q[1] * v[1] - q[2] * v[0])
    two = vbc(2.0)
    return (v[0] + two * (q[2] * t[2] - q[3] * t[1]), v[1] + two * (q[3] * t[0] - q[1] * t[2]), v[2] + two * (q[1] * t[1] - q[2] * t[0]))


@helper
def hinge_pose(m, a, j, p, q):
    """Body pose before hinge j -> after it."""
    coordinate = m.jnt_qposadr[j]
    axis = all3(ld3(m.jnt_axis, j))
    pos = ld3(m.jnt_pos, j)
    central = pos[0] == 0.0 and pos[1] == 0.0 and pos[2] == 0.0
    anchor = p
    if not central:
        anchor = add3(turned(q, all3(pos)), p)
    put3(a.qp_lo, 24 * j, anchor)
    put3(a.qp_lo, 24 * j + 12, turned(q, axis))
    s, c = half_sin_cos(vld(a.qp_hessian, 4 * coordinate) - vbc(m.qpos0[coordinate]))
    q = mul4(q, (c, axis[0] * s, axis[1] * s, axis[2] * s))
    if not central:
        p = sub3(anchor, turned(q, all3(pos)))
    return p, q


@helper
def body_pose(m, a, i):
    """Pose of body i from its parent's."""
    poses = a.qp_gradient
    j = m.body_jntadr[i]
    n = m.body_jntnum[i]
    if n == 1 and m.jnt_type[j] == JNT_FREE:
        k = 4 * m.jnt_qposadr[j]
        p = get3(a.qp_hessian, k)
        put3(a.qp_lo, 24 * j, p)
        put3(a.qp_lo, 24 * j + 12, all3(ld3(m.jnt_axis, j)))
        return p, near_unit(near_unit(get4(a.qp_hessian, k + 12)))
    p = all3(ld3(m.body_pos, i))
    q = all4(ld4(m.body_quat, i))
    parent = m.body_parentid[i]
    if parent > 0:
        at = 4 * POSE * parent
        p = add3(mat_vec3(get9(poses, at + XMAT), p), get3(poses, at))
        q = mul4(get4(poses, at + XQUAT), q)
    for k in range(j, j + n):
        p, q = hinge_pose(m, a, k, p, q)
    return p, near_unit(q)


@kernel("m a")
def wide_bodies(m, a):
    """Poses of bodies and joints, subtree_com."""
    poses, moments = a.qp_gradient, a.qp_hi
    zero, one = vbc(0.0), vbc(1.0)
    put3(moments, 0, (zero, zero, zero))
    for i in range(1, m.nbody):
        at = 4 * POSE * i
        p, q = body_pose(m, a, i)
        r = to_mat(q)
        put3(poses, at, p)
        put4(poses, at + XQUAT, q)
        put9(poses, at + XMAT, r)
        # inertial frame
        same = m.body_sameframe[i]
        centre = p
        if same != SAMEFRAME_BODY:
            centre = add3(mat_vec3(r, all3(ld3(m.body_ipos, i))), p)
        put3(poses, at + XIPOS, centre)
        if same == SAMEFRAME_BODY or same == SAMEFRAME_BODYROT:
            put9(poses, at + XIMAT, r)
        else:
            put9(poses, at + XIMAT, to_mat(mul4(q, all4(ld4(m.body_iquat, i)))))
        put3(moments, 12 * i, scl3(centre, vbc(m.body_mass[i])))
    for i in range(m.nbody - 1, 0, -1):
        moment = get3(moments, 12 * i)
        parent = 12 * m.body_parentid[i]
        put3(moments, parent, add3(get3(moments, parent), moment))
        put3(moments, 12 * i, scl3(moment, one * vbc(1.0 / m.body_subtreemass[i])))


@helper
def put_inertia(a, k, i, r, o, mass):
    """cinert: principal moments i along the axes of R, centre at offset o (linalg/spatial.py: inertia10)."""
    out = a.qp_x
    x, y, z = mass * o[0], mass * o[1], mass * o[2]
    u = (r[0] * i[0], r[1] * i[1], r[2] * i[2])
    v = (r[3] * i[0], r[4] * i[1], r[5] * i[2])
    w = (r[6] * i[0], r[7] * i[1], r[8] * i[2])
    put3(out, k, (u[0] * r[0] + u[1] * r[1] + u[2] * r[2] + y * o[1] + z * o[2], v[0] * r[3] + v[1] * r[4] + v[2] * r[5] + x * o[0] + z * o[2],
                  w[0] * r[6] + w[1] * r[7] + w[2] * r[8] + x * o[0] + y * o[1]))
    put3(out, k + 12, (u[0] * r[3] + u[1] * r[4] + u[2] * r[5] - x * o[1], u[0] * r[6] + u[1] * r[7] + u[2] * r[8] - x * o[2],
                       v[0] * r[6] + v[1] * r[7] + v[2] * r[8] - y * o[2]))
    put4(out, k + 24, (x, y, z, mass))


@helper
def put_axes(m, a, j, com, pose):
    """cdof of joint j; pose: where its body's pose is."""
    axes = a.qp_factor
    k = 24 * m.jnt_dofadr[j]
    arm = sub3(com, get3(a.qp_lo, 24 * j))
    if m.jnt_type[j] != JNT_FREE:
        x = get3(a.qp_lo, 24 * j + 12)
        put3(axes, k, x)
        put3(axes, k + 12, cross3(x, arm))
        return
    for t in range(3):
        for u in range(6):
            vst(axes, k + 24 * t + 4 * u, vbc(0.0))
        vst(axes, k + 24 * t + 12 + 4 * t, vbc(1.0))
    for t in range(3):
        column = pose + XMAT + 4 * t
        x = (vld(a.qp_gradient, column), vld(a.qp_gradient, column + 12), vld(a.qp_gradient, column + 24))
        put3(axes, k + 72 + 24 * t, x)
        put3(axes, k + 84 + 24 * t, cross3(x, arm))


@kernel("m a")
def wide_com(m, a):
    """cinert, cdof."""
    for i in range(1, m.nbody):
        at = 4 * POSE * i
        com = get3(a.qp_hi, 12 * m.body_rootid[i])
        put_inertia(a, 40 * i, all3(ld3(m.body_inertia, i)), get9(a.qp_gradient, at + XIMAT), sub3(get3(a.qp_gradient, at + XIPOS), com), vbc(m.body_mass[i]))
        j = m.body_jntadr[i]
        for k in range(j, j + m.body_jntnum[i]):
            put_axes(m, a, k, com, at)


@kernel("m a")
def wide_crb(m, a):
    """M by the composite rigid body algorithm."""
    composite, axes = a.qp_push, a.qp_factor
    for k in range(10 * m.nbody):
        vst(composite, 4 * k, vld(a.qp_x, 4 * k))
    for i in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[i]
        if p > 0:
            for k in range(10):
                vst(composite, 40 * p + 4 * k, vld(composite, 40 * p + 4 * k) + vld(composite, 40 * i + 4 * k))
    for i in range(m.nv):
        # momentum of all beyond the dof, moving with it (linalg/spatial.py: mul_inertia)
        o = 40 * m.dof_bodyid[i]
        v = get3(axes, 24 * i)
        w = get3(axes, 24 * i + 12)
        c = get9(composite, o)
        mass = vld(composite, o + 36)
        f = (c[0] * v[0] + c[3] * v[1] + c[4] * v[2] - c[8] * w[1] + c[7] * w[2], c[3] * v[0] + c[1] * v[1] + c[5] * v[2] + c[8] * w[0] - c[6] * w[2],
             c[4] * v[0] + c[5] * v[1] + c[2] * v[2] - c[7] * w[0] + c[6] * w[1], c[8] * v[1] - c[7] * v[2] + mass * w[0], c[6] * v[2] - c[8] * v[0] + mass * w[1],
             c[7] * v[0] - c[6] * v[1] + mass * w[2])
        # its products with the axes of the dof's ancestors
        start = m.M_rowadr[i]
        last = start + m.M_rownnz[i] - 1
        for k in range(start, last + 1):
            at = 24 * m.M_colind[k]
            s = vfma(vld(axes, at + 4), f[1], vld(axes, at) * f[0])
            s = vfma(vld(axes, at + 12), f[3], vfma(vld(axes, at + 8), f[2], s))
            vst(a.qp_step, 4 * k, vfma(vld(axes, at + 20), f[5], vfma(vld(axes, at + 16), f[4], s)))
        vst(a.qp_step, 4 * last, vld(a.qp_step, 4 * last) + vbc(m.dof_armature[i]))


@kernel("m a")
def wide_factor(m, a):
    """M = L'DL, from the leaves inwards."""
    mat = a.qp_way
    for k in range(m.nC):
        vst(mat, 4 * k, vld(a.qp_step, 4 * k))
    for k in range(m.nv - 1, -1, -1):
        start = m.M_rowadr[k]
        n = m.M_rownnz[k] - 1
        pivot = off(mat, 4 * (start + n))
        inv = vset(1.0 / pivot[0], 1.0 / pivot[1], 1.0 / pivot[2], 1.0 / pivot[3])
        vst(mat, 4 * (m.nC + k), inv)
        for e in range(n - 1, -1, -1):
            s = vld(mat, 4 * (start + e)) * inv
            row = 4 * m.M_rowadr[m.M_colind[start + e]]
            for c in range(e + 1):
                vst(mat, row + 4 * c, vfma(vbc(0.0) - s, vld(mat, 4 * (start + c)), vld(mat, row + 4 * c)))
            vst(mat, 4 * (start + e), s)


@helper
def give(wide, k, d0, d1, d2, d3, n):
    """n numbers of four worlds, from place k on, to an array of each world."""
    i = 0
    while i + 4 <= n:
        p = k + 4 * i
        w, x, y, z = vturn(vld(wide, p), vld(wide, p + 4), vld(wide, p + 8), vld(wide, p + 12))
        vst(d0, i, w)
        vst(d1, i, x)
        vst(d2, i, y)
        vst(d3, i, z)
        i += 4
    while i < n:
        p = k + 4 * i
        d0[i] = wide[p]
        d1[i] = wide[p + 1]
        d2[i] = wide[p + 2]
        d3[i] = wide[p + 3]
        i += 1


@kernel("m a D")
def give_to_data(m, a, D):
    """All of it to each world's Data, where contacts, constraint rows and the solver look for it."""
    d, e, f, g = D[0], D[1], D[2], D[3]
    poses, joints = a.qp_gradient, a.qp_lo
    for i in range(1, m.nbody):
        at = 4 * POSE * i
        give(poses, at, off(d.xpos, 3 * i), off(e.xpos, 3 * i), off(f.xpos, 3 * i), off(g.xpos, 3 * i), 3)
        give(poses, at + XQUAT, off(d.xquat, 4 * i), off(e.xquat, 4 * i), off(f.xquat, 4 * i), off(g.xquat, 4 * i), 4)
        give(poses, at + XMAT, off(d.xmat, 9 * i), off(e.xmat, 9 * i), off(f.xmat, 9 * i), off(g.xmat, 9 * i), 9)
        give(poses, at + XIPOS, off(d.xipos, 3 * i), off(e.xipos, 3 * i), off(f.xipos, 3 * i), off(g.xipos, 3 * i), 3)
        give(poses, at + XIMAT, off(d.ximat, 9 * i), off(e.ximat, 9 * i), off(f.ximat, 9 * i), off(g.ximat, 9 * i), 9)
    for j in range(m.njnt):
        give(joints, 24 * j, off(d.xanchor, 3 * j), off(e.xanchor, 3 * j), off(f.xanchor, 3 * j), off(g.xanchor, 3 * j), 3)
        give(joints, 24 * j + 12, off(d.xaxis, 3 * j), off(e.xaxis, 3 * j), off(f.xaxis, 3 * j), off(g.xaxis, 3 * j), 3)
    give(a.qp_hi, 0, off(d.subtree_com, 0), off(e.subtree_com, 0), off(f.subtree_com, 0), off(g.subtree_com, 0), 3 * m.nbody)
    give(a.qp_x, 0, off(d.cinert, 0), off(e.cinert, 0), off(f.cinert, 0), off(g.cinert, 0), 10 * m.nbody)
    give(a.qp_factor, 0, off(d.cdof, 0), off(e.cdof, 0), off(f.cdof, 0), off(g.cdof, 0), 6 * m.nv)
    give(a.qp_step, 0, off(d.M, 0), off(e.M, 0), off(f.M, 0), off(g.M, 0), m.nC)
    give(a.qp_way, 0, off(d.qLD, 0), off(e.qLD, 0), off(f.qLD, 0), off(g.qLD, 0), m.nC)
    give(a.qp_way, 4 * m.nC, off(d.qLDiagInv, 0), off(e.qLDiagInv, 0), off(f.qLDiagInv, 0), off(g.qLDiagInv, 0), m.nv)


@kernel("m a D i i i")
def wide_stages(m, a, D, stages, given, n):
    """The stages of four worlds, n times; given != 0: their results to each world's Data too."""
    for _ in range(n):
        if stages & BODIES:
            wide_bodies(m, a)
        if stages & COM:
            wide_com(m, a)
        if stages & CRB:
            wide_crb(m, a)
        if stages & FACTOR:
            wide_factor(m, a)
        if given != 0:
            give_to_data(m, a, D)


@kernel("m D i i")
def single_stages(m, D, stages, n):
    """The same stages of four worlds, one world after the other, by the engine's own kernels; n times."""
    for _ in range(n):
        for k in range(4):
            d = D[k]
            if stages & BODIES:
                bodies(m, d)
                subtree_com(m, d)
            if stages & COM:
                com_pos(m, d)
            if stages & CRB:
                crb(m, d)
            if stages & FACTOR:
                factor_m(m, d)
