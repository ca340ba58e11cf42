"""Rows of contacts: motion of geom 2's body relative to geom 1's, along the axes of the contact frame.

The point of the contact moves with the wrench view of its body: the speed along axis u of a body turning with w and
moving with v (about the tree's centre c) is v.u + w.(r x u), r = pos - c. So each axis becomes one six-vector per tree,
and each Jacobian entry one product with the dof's motion axis. Dofs that move both bodies alike get no column.

    frictionless   one row: n                       (n normal, t1 t2 tangents)
    elliptic       n, t1, t2, spin about n, roll about t1, roll about t2     (as many as condim)
    pyramidal      n + mu1 t1, n - mu1 t1, n + mu2 t2, ...                   (2 (condim - 1) rows)

Source: MuJoCo documentation, chapter Computation, "Contact".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.append import reserve
from physics.engine.constraint.impedance import (
    DEFAULT_SOLREF,
    MINVAL,
    clip_impedance,
    copy_four,
    copy_parameters,
    damping,
    impedance,
    ld2,
    ld5,
    put_parameters,
    regularizer,
    resolved,
    stiffness,
    usable_solref,
)
from physics.engine.kinematics.points import axis_wrench, count_columns, last_dof
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import sub3
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_FRICTIONLESS, CNSTR_CONTACT_PYRAMIDAL, CONE_ELLIPTIC
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, off
from physics.kernels.simd import vbc, vfma, vld, vst, vturn


@helper
def along3(c, u):
    """Products of four motion axes, given by components, with an axis of rotation."""
    return vfma(vbc(u[2]), c[2], vfma(vbc(u[1]), c[1], vbc(u[0]) * c[0]))


@helper
def along6(c, w):
    """Products of four motion axes, given by components, with a wrench."""
    return along3(c, (w[0], w[1], w[2])) + vfma(vbc(w[5]), c[5], vfma(vbc(w[4]), c[4], vbc(w[3]) * c[3]))


@helper
def scaled3(v, s):
    """s v."""
    return s * v[0], s * v[1], s * v[2]


@kernel("m d i i i i i f")
def basis_from_world(m, d, adr, nnz, ndim, i, last, sign):
    """contact_basis for a contact with the world: the chain of dofs from `last` up, four neighbours at once; sign: 1 where it moves geom 2."""
    f = ld9(d.contact_frame, i)
    r = sub3(ld3(d.contact_pos, i), ld3(d.subtree_com, m.body_rootid[m.dof_bodyid[last]]))
    n = scaled3((f[0], f[1], f[2]), sign)
    t = scaled3((f[3], f[4], f[5]), sign)
    s = scaled3((f[6], f[7], f[8]), sign)
    wn = axis_wrench(n, r)
    wt = axis_wrench(t, r)
    ws = axis_wrench(s, r)
    axes = off(d.cdof, 0)
    k = last
    at = adr + nnz - 1
    while k >= 0:
        if m.M_rowrun[k] >= 3:
            k -= 3
            at -= 3
            p = 6 * k
            c0, c1, c2, c3 = vturn(vld(axes, p), vld(axes, p + 6), vld(axes, p + 12), vld(axes, p + 18))
            _c2, _c3, c4, c5 = vturn(vld(axes, p + 2), vld(axes, p + 8), vld(axes, p + 14), vld(axes, p + 20))
            c = (c0, c1, c2, c3, c4, c5)
            vst(d.efc_J, at, along6(c, wn))
            if ndim > 1:
                vst(d.efc_J, at + nnz, along6(c, wt))
                vst(d.efc_J, at + 2 * nnz, along6(c, ws))
            if ndim > 3:
                vst(d.efc_J, at + 3 * nnz, along3(c, n))
                if ndim > 4:
                    vst(d.efc_J, at + 4 * nnz, along3(c, t))
                    vst(d.efc_J, at + 5 * nnz, along3(c, s))
            for e in range(4):
                d.efc_J_colind[at + e] = k + e
        else:
            c = ld6(d.cdof, k)
            d.efc_J[at] = dot6(c, wn)
            if ndim > 1:
                d.efc_J[at + nnz] = dot6(c, wt)
                d.efc_J[at + 2 * nnz] = dot6(c, ws)
            if ndim > 3:
                d.efc_J[at + 3 * nnz] = c[0] * n[0] + c[1] * n[1] + c[2] * n[2]
                if ndim > 4:
                    d.efc_J[at + 4 * nnz] = c[0] * t[0] + c[1] * t[1] + c[2] * t[2]
                    d.efc_J[at + 5 * nnz] = c[0] * s[0] + c[1] * s[1] + c[2] * s[2]
            d.efc_J_colind[at] = k
        k = m.dof_parentid[k]
        at -= 1


@kernel("m d i i i i")
def contact_basis(m, d, adr, nnz, ndim, i):
    """Write the columns and the first ndim basis rows (normal, tangents, rotations) of contact i at address adr."""
    b1 = m.geom_bodyid[d.contact_geom[i, 0]]
    b2 = m.geom_bodyid[d.contact_geom[i, 1]]
    f = ld9(d.contact_frame, i)
    pos = ld3(d.contact_pos, i)
    r1 = sub3(pos, ld3(d.subtree_com, m.body_rootid[b1]))
    r2 = sub3(pos, ld3(d.subtree_com, m.body_rootid[b2]))
    n = (f[0], f[1], f[2])
    t = (f[3], f[4], f[5])
    s = (f[6], f[7], f[8])
    na = axis_wrench(n, r1)
    ta = axis_wrench(t, r1)
    sa = axis_wrench(s, r1)
    nb = axis_wrench(n, r2)
    tb = axis_wrench(t, r2)
    sb = axis_wrench(s, r2)
    a = last_dof(m, b1)
    b = last_dof(m, b2)
    at = adr + nnz - 1
    while a != b:
        if a > b:
            k = a
            c = ld6(d.cdof, a)
            sign = -1.0
            d.efc_J[at] = -dot6(c, na)
            if ndim > 1:
                d.efc_J[at + nnz] = -dot6(c, ta)
                d.efc_J[at + 2 * nnz] = -dot6(c, sa)
            a = m.dof_parentid[a]
        else:
            k = b
            c = ld6(d.cdof, b)
            sign = 1.0
            d.efc_J[at] = dot6(c, nb)
            if ndim > 1:
                d.efc_J[at + nnz] = dot6(c, tb)
                d.efc_J[at + 2 * nnz] = dot6(c, sb)
            b = m.dof_parentid[b]
        if ndim > 3:
            d.efc_J[at + 3 * nnz] = sign * (c[0] * n[0] + c[1] * n[1] + c[2] * n[2])
            if ndim > 4:
                d.efc_J[at + 4 * nnz] = sign * (c[0] * t[0] + c[1] * t[1] + c[2] * t[2])
                d.efc_J[at + 5 * nnz] = sign * (c[0] * s[0] + c[1] * s[1] + c[2] * s[2])
        d.efc_J_colind[at] = k
        at -= 1


@helper
def fold_pair(normal, x):
    """The edges of the pyramid that lean towards and away from a tangent."""
    return normal + x, normal - x


@helper
def fold_three(d, adr, nnz, i):
    """fold_pyramid for a contact of condim 3."""
    p = off(d.efc_J, adr)
    q = off(p, nnz)
    r = off(q, nnz)
    u = off(r, nnz)
    mu = d.contact_friction[i, 0]
    nu = d.contact_friction[i, 1]
    c = 0
    while c + 4 <= nnz:
        normal = vld(p, c)
        one, two = fold_pair(normal, vbc(mu) * vld(q, c))
        three, four = fold_pair(normal, vbc(nu) * vld(r, c))
        vst(p, c, one)
        vst(q, c, two)
        vst(r, c, three)
        vst(u, c, four)
        c += 4
    while c < nnz:
        x = mu * q[c]
        y = nu * r[c]
        normal = p[c]
        p[c] = normal + x
        q[c] = normal - x
        r[c] = normal + y
        u[c] = normal - y
        c += 1


@helper
def fold_pyramid(d, adr, nnz, dim, i):
    """Turn the dim basis rows at adr into the 2 (dim - 1) edges of the pyramid, last pair first (it overwrites)."""
    if dim == 3:
        fold_three(d, adr, nnz, i)
        return
    for c in range(nnz):
        at = adr + c
        normal = d.efc_J[at]
        for k in range(dim - 1, 0, -1):
            x = d.contact_friction[i, k - 1] * d.efc_J[at + k * nnz]
            d.efc_J[at + (2 * k - 1) * nnz] = normal - x
            d.efc_J[at + (2 * k - 2) * nnz] = normal + x


@helper
def repeat_columns(d, adr, nnz, nrow):
    """Give all rows the columns of the first."""
    col = off(d.efc_J_colind, adr)
    e = 1
    while e + 3 <= nrow:
        one = off(col, e * nnz)
        two = off(one, nnz)
        three = off(two, nnz)
        for c in range(nnz):
            k = col[c]
            one[c] = k
            two[c] = k
            three[c] = k
        e += 3
    while e < nrow:
        for c in range(nnz):
            col[e * nnz + c] = col[c]
        e += 1


@helper
def describe(d, row, kind, i, pos, margin):
    """Write the plain scalars of a contact row."""
    d.efc_type[row] = kind
    d.efc_id[row] = i
    d.efc_pos[row] = pos
    d.efc_margin[row] = margin
    d.efc_frictionloss[row] = 0.0


@helper
def describe_four(d, row, kind, i, pos, margin):
    """The same for four rows."""
    for k in range(row, row + 4):
        d.efc_type[k] = kind
        d.efc_id[k] = i
    vst(d.efc_pos, row, vbc(pos))
    vst(d.efc_margin, row, vbc(margin))
    vst(d.efc_frictionloss, row, vbc(0.0))


@kernel("m d f f", ret="f")
def regularized_friction(m, d, mu, ratio):
    """Friction as the cone's regularisation sees it. A kernel, so that the root is not taken where it is 1."""
    return mu * sqrt(ratio)


@helper
def contact_parameters(m, d, row, nrow, kind, dim, i):
    """Write all but the Jacobian of the rows of contact i, and its contact_mu."""
    b1 = m.geom_bodyid[d.contact_geom[i, 0]]
    b2 = m.geom_bodyid[d.contact_geom[i, 1]]
    tran = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    dist = d.contact_dist[i]
    margin = d.contact_includemargin[i]
    solimp = ld5(d.contact_solimp, i)
    imp, slope = impedance(solimp, dist - margin)
    ref = usable_solref(m, ld2(d.contact_solref, i), DEFAULT_SOLREF)
    dw = clip_impedance(solimp[1])
    k = stiffness(ref, dw)
    b = damping(ref, dw)
    k, b0 = resolved(m, ref, imp, k, b)
    mu1 = d.contact_friction[i, 0]
    if kind == CNSTR_CONTACT_FRICTIONLESS:
        describe(d, row, kind, i, dist, margin)
        put_parameters(d, row, k, b0, imp, slope, regularizer(imp, max(MINVAL, tran)))
        return
    weight = tran
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        weight = tran + mu1 * mu1 * tran
    r0 = regularizer(imp, max(MINVAL, weight))
    r1 = r0 / max(MINVAL, m.opt_impratio)
    mu = mu1
    if r1 != r0:
        mu = regularized_friction(m, d, mu1, r1 / r0)
    d.contact_mu[i] = mu
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        reg = 2.0 * mu * mu * r0
        weight = 1.0 / reg
        inverse = reg * imp / (1.0 - imp)
        e = 0
        while e + 4 <= nrow:
            describe_four(d, row + e, kind, i, dist, margin)
            copy_four(d, row + e, k, b0, imp, slope, reg, weight, inverse)
            e += 4
        while e < nrow:
            describe(d, row + e, kind, i, dist, margin)
            copy_parameters(d, row + e, k, b0, imp, slope, reg, weight, inverse)
            e += 1
        return
    describe(d, row, kind, i, dist, margin)
    put_parameters(d, row, k, b0, imp, slope, r0)
    ref2 = usable_solref(m, ld2(d.contact_solreffriction, i), (0.0, 0.0))
    if ref2[0] != 0.0 or ref2[1] != 0.0:
        b = damping(ref2, dw)
    for e in range(1, nrow):
        describe(d, row + e, kind, i, 0.0, 0.0)
        mue = d.contact_friction[i, e - 1]
        reg = r1
        if e > 1:
            reg = r1 * mu1 * mu1 / (mue * mue)
        put_parameters(d, row + e, 0.0, b, imp, slope, reg)


@kernel("m d i")
def one_contact(m, d, i):
    """Append the rows of contact i."""
    a = last_dof(m, m.geom_bodyid[d.contact_geom[i, 0]])
    b = last_dof(m, m.geom_bodyid[d.contact_geom[i, 1]])
    world = min(a, b) < 0 and max(a, b) >= 0
    if world and m.M_rownnz[max(a, b)] > 1:
        nnz = m.M_rownnz[max(a, b)]
    else:
        nnz = count_columns(m, a, b)   # where M is diagonal its rows do not count the dofs above
    if nnz == 0:
        if m.nv > 0:  # where nothing at all can move nobody looks, as officially
            d.contact_exclude[i] = 3
        return
    dim = d.contact_dim[i]
    kind = CNSTR_CONTACT_PYRAMIDAL
    nrow = 2 * (dim - 1)
    if dim == 1:
        kind = CNSTR_CONTACT_FRICTIONLESS
        nrow = 1
    elif m.opt_cone == CONE_ELLIPTIC:
        kind = CNSTR_CONTACT_ELLIPTIC
        nrow = dim
    row = reserve(d, nrow, nnz)
    if row < 0:
        return
    d.contact_efc_address[i] = row
    adr = d.efc_J_rowadr[row]
    if world:
        sign = 1.0
        if b < 0:
            sign = -1.0
        basis_from_world(m, d, adr, nnz, dim, i, max(a, b), sign)
    else:
        contact_basis(m, d, adr, nnz, dim, i)
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        fold_pyramid(d, adr, nnz, dim, i)
    repeat_columns(d, adr, nnz, nrow)
    contact_parameters(m, d, row, nrow, kind, dim, i)


@kernel()
def contact_rows(m, d):
    """Append the rows of all contacts that are not excluded.

    Reads: ncon, contact_dist, contact_pos, contact_frame, contact_includemargin, contact_friction, contact_solref,
        contact_solreffriction, contact_solimp, contact_dim, contact_geom, contact_exclude, subtree_com, cdof
    Writes: contact_efc_address, contact_exclude, contact_mu, efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr,
        efc_J_colind, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP, efc_R, efc_D, nefc, nJ
    """
    for i in range(d.ncon):
        d.contact_efc_address[i] = -1
        if d.contact_exclude[i] == 0:
            one_contact(m, d, i)
