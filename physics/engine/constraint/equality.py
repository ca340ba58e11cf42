"""Equality constraints: points or frames of two bodies held together, joints or tendons coupled by a polynomial.

    connect   3 rows   p1 - p2
    weld      6 rows   p1 - p2, and s times the vector part of e = conj(q2) q1 rel
    joint     1 row    (y - y0) - a0 - a1 x - ... - a4 x^4, x the other joint's displacement; without one (y - y0) - a0
    tendon    1 row    the same with lengths
    distance  1 row    see distance_row.py

p, q: anchors and orientations of bodies, or positions and orientations of sites (then rel is 1); s: torquescale. The rows of
a pair of frames have the impedance of the norm of their residuals. Their reference acceleration also takes off what the
residuals accelerate by themselves at constant joint speeds.

Source: MuJoCo documentation, chapter Computation, "Equality"; XML reference, equality.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.append import drops_empty, is_empty, put_row, put_row_at, reserve
from physics.engine.constraint.distance_row import distance_row
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.kinematics.points import count_either, drift, from_com, last_dof, moved, point_drift
from physics.engine.linalg.quat import conj4, mul4
from physics.engine.linalg.vec import add3, dot3, mat_vec3, scl3, sub3
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.state import equality_sleeps
from physics.enums import CNSTR_EQUALITY, EQ_CONNECT, EQ_DISTANCE, EQ_JOINT, EQ_TENDON, EQ_WELD, OBJ_SITE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, ld9


@kernel()
def equality_rows(m, d):
    """Append the rows of all equality constraints that are on.

    Reads: eq_active, qpos, ten_length, ten_J, xpos, xmat, xquat, site_xpos, subtree_com, cdof, and what distance_row reads
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss,
        efc_diagA, efc_KBIP, efc_R, efc_D, nefc, nJ, and what distance_row writes
    """
    for i in range(m.neq):
        if d.eq_active[i] != 0 and not (some_asleep(m, d) and equality_sleeps(m, d, i)):
            kind = m.eq_type[i]
            if kind == EQ_CONNECT or kind == EQ_WELD:
                pair_rows(m, d, i)
            elif kind == EQ_JOINT or kind == EQ_TENDON:
                coupling_row(m, d, i)
            elif kind == EQ_DISTANCE:
                distance_row(m, d, i)


# ---------------------------------------------------------------- points and frames


@helper
def holds_sites(m, i):
    """Whether constraint i names sites."""
    return m.eq_objtype[i] == OBJ_SITE


@helper
def pair_body(m, i, obj):
    """Body of an object of constraint i."""
    if holds_sites(m, i):
        return m.site_bodyid[obj]
    return obj


@helper
def pair_anchor(m, d, i, obj, first):
    """World position of the anchor on an object of constraint i; first: whether it is the first object."""
    if holds_sites(m, i):
        return ld3(d.site_xpos, obj)
    a = 3
    if first == (m.eq_type[i] == EQ_CONNECT):
        a = 0
    local = (m.eq_data[i, a], m.eq_data[i, a + 1], m.eq_data[i, a + 2])
    return add3(mat_vec3(ld9(d.xmat, obj), local), ld3(d.xpos, obj))


@helper
def pair_quats(m, d, i):
    """(q1 rel, conj(q2)) of a weld."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    q1 = ld4(d.xquat, pair_body(m, i, one))
    q2 = ld4(d.xquat, pair_body(m, i, two))
    if holds_sites(m, i):
        return mul4(q1, ld4(m.site_quat, one)), conj4(mul4(q2, ld4(m.site_quat, two)))
    return mul4(q1, (m.eq_data[i, 6], m.eq_data[i, 7], m.eq_data[i, 8], m.eq_data[i, 9])), conj4(q2)


@helper
def between(a, v, b):
    """Half the vector part of a v b for quaternions a, b and a vector v."""
    q = mul4(mul4(a, (0.0, v[0], v[1], v[2])), b)
    return 0.5 * q[1], 0.5 * q[2], 0.5 * q[3]


@helper
def put_column(d, at, nnz, v):
    """Write one column of three rows of nnz entries; `at`: its address in the first."""
    d.efc_J[at] = v[0]
    d.efc_J[at + nnz] = v[1]
    d.efc_J[at + 2 * nnz] = v[2]


@helper
def put_pair_row(m, d, row, i, pos, depth, weight):
    """Everything of a row of constraint i but its Jacobian."""
    put_row_at(m, d, row, CNSTR_EQUALITY, i, pos, depth, 0.0, 0.0, weight, ld2(m.eq_solref, i), ld5(m.eq_solimp, i))


@kernel("m d i")
def pair_rows(m, d, i):
    """Append the rows of a connect or weld, unless neither body can move or what moves them changes nothing."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    b1 = pair_body(m, i, one)
    b2 = pair_body(m, i, two)
    a = last_dof(m, b1)
    b = last_dof(m, b2)
    nnz = count_either(m, a, b)
    if nnz == 0:
        return
    welded = m.eq_type[i] == EQ_WELD
    num = 3
    if welded:
        num = 6
    row = reserve(d, num, nnz)
    if row < 0:
        return
    p1 = pair_anchor(m, d, i, one, True)
    p2 = pair_anchor(m, d, i, two, False)
    q, back = pair_quats(m, d, i)
    scale = m.eq_data[i, 10]
    pos = sub3(p1, p2)
    e = mul4(back, q)
    turn = scl3((e[1], e[2], e[3]), scale)
    total = dot3(pos, pos)
    if welded:
        total += dot3(turn, turn)
    depth = sqrt(total)
    weight = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    spin = m.body_invweight0[b1, 1] + m.body_invweight0[b2, 1]
    for k in range(3):
        put_pair_row(m, d, row + k, i, pos[k], depth, weight)
        if welded:
            put_pair_row(m, d, row + 3 + k, i, turn[k], depth, spin)
    r1 = from_com(m, d, b1, p1)
    r2 = from_com(m, d, b2, p2)
    at = d.efc_J_rowadr[row] + nnz
    while a >= 0 or b >= 0:
        k = max(a, b)
        c = ld6(d.cdof, k)
        v = (0.0, 0.0, 0.0)
        w = (0.0, 0.0, 0.0)
        if a == k:
            v = moved(c, r1)
            w = (c[0], c[1], c[2])
            a = m.dof_parentid[a]
        if b == k:
            v = sub3(v, moved(c, r2))
            w = sub3(w, (c[0], c[1], c[2]))
            b = m.dof_parentid[b]
        at -= 1
        put_column(d, at, nnz, v)
        if welded:
            put_column(d, at + 3 * nnz, nnz, scl3(between(back, w, q), scale))
        for e_row in range(num):
            d.efc_J_colind[at + e_row * nnz] = k
    if drops_empty(m) and is_empty(d.efc_J, d.efc_J_rowadr[row], num * nnz):
        d.nefc -= num
        d.nJ -= num * nnz


@helper
def rows_of_pose(m, i):
    """Rows of equality i if it holds a pose: connect 3, weld 6; 0 for the others, which have one."""
    if m.eq_type[i] == EQ_WELD:
        return 6
    if m.eq_type[i] == EQ_CONNECT:
        return 3
    return 0


@kernel()
def equality_drift(m, d):
    """Take off the reference acceleration of connects and welds what their residuals accelerate by themselves.

    On a body with a slide after a ball this is the true value, as differences of positions show; the official one is another there,
    because mj_jacDot turns the ball's axes with the slide.

    Reads: ne, efc_id, qvel, xpos, xmat, xquat, site_xpos, subtree_com, cvel, cdof_dot
    Writes: efc_aref
    """
    row = 0
    while row < d.ne:
        i = d.efc_id[row]
        rows = rows_of_pose(m, i)
        if rows == 0:
            row += 1
            continue
        one = m.eq_obj1id[i]
        two = m.eq_obj2id[i]
        b1 = pair_body(m, i, one)
        b2 = pair_body(m, i, two)
        acc = sub3(point_drift(m, d, b1, pair_anchor(m, d, i, one, True)), point_drift(m, d, b2, pair_anchor(m, d, i, two, False)))
        for k in range(3):
            d.efc_aref[row + k] -= acc[k]
        if rows == 6:
            turn = turn_drift(m, d, i, b1, b2)
            for k in range(3):
                d.efc_aref[row + 3 + k] -= turn[k]
        row += rows


@helper
def turn_drift(m, d, i, b1, b2):
    """Second derivative of the rotation residual of weld i at constant joint speeds: that of s/2 conj(q2) (w1 - w2) q1 rel."""
    q, back = pair_quats(m, d, i)
    v1 = ld6(d.cvel, b1)
    v2 = ld6(d.cvel, b2)
    w1 = (v1[0], v1[1], v1[2])
    w2 = (v2[0], v2[1], v2[2])
    a1 = drift(m, d, b1)
    a2 = drift(m, d, b2)
    w = sub3(w1, w2)
    # conj(q2)' = -conj(q2) w2 / 2 and q1' = w1 q1 / 2
    q_rate = mul4((0.0, 0.5 * w1[0], 0.5 * w1[1], 0.5 * w1[2]), q)
    back_rate = mul4(back, (0.0, -0.5 * w2[0], -0.5 * w2[1], -0.5 * w2[2]))
    acc = add3(between(back_rate, w, q), between(back, w, q_rate))
    acc = add3(acc, between(back, sub3((a1[0], a1[1], a1[2]), (a2[0], a2[1], a2[2])), q))
    return scl3(acc, m.eq_data[i, 10])


# ---------------------------------------------------------------- joints and tendons


@helper
def entries(m, kind, k):
    """Number of dofs that change joint or tendon k."""
    if kind == EQ_JOINT:
        return 1
    return m.ten_J_rownnz[k]


@helper
def entry_dof(m, kind, k, e):
    """Dof of entry e of its Jacobian; beyond the last, more than any."""
    if e >= entries(m, kind, k):
        return m.nv
    if kind == EQ_JOINT:
        return m.jnt_dofadr[k]
    return m.ten_J_colind[m.ten_J_rowadr[k] + e]


@helper
def entry_value(m, d, kind, k, e):
    """Value of entry e of its Jacobian."""
    if kind == EQ_JOINT:
        return 1.0
    return d.ten_J[m.ten_J_rowadr[k] + e]


@helper
def displacement(m, d, kind, k):
    """Joint position or tendon length, from that of the initial pose."""
    if kind == EQ_JOINT:
        a = m.jnt_qposadr[k]
        return d.qpos[a] - m.qpos0[a]
    return d.ten_length[k] - m.tendon_length0[k]


@helper
def coupling_weight(m, kind, k):
    """Inverse inertia of joint or tendon k."""
    if kind == EQ_JOINT:
        return m.dof_invweight0[m.jnt_dofadr[k]]
    return m.tendon_invweight0[k]


@kernel("m d i")
def coupling_row(m, d, i):
    """Append the row that couples two joints or tendons, or holds one, unless nothing moves it."""
    kind = m.eq_type[i]
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    pos = displacement(m, d, kind, one) - m.eq_data[i, 0]
    weight = coupling_weight(m, kind, one)
    slope = 0.0
    more = 0
    if two >= 0:
        x = displacement(m, d, kind, two)
        pos -= x * (m.eq_data[i, 1] + x * (m.eq_data[i, 2] + x * (m.eq_data[i, 3] + x * m.eq_data[i, 4])))
        slope = m.eq_data[i, 1] + x * (2.0 * m.eq_data[i, 2] + x * (3.0 * m.eq_data[i, 3] + x * 4.0 * m.eq_data[i, 4]))
        weight += coupling_weight(m, kind, two)
        more = entries(m, kind, two)
    most = entries(m, kind, one)
    # both lists of dofs ascend: count, then write
    nnz = 0
    e = 0
    f = 0
    while e < most or f < more:
        a = entry_dof(m, kind, one, e)
        b = m.nv
        if f < more:
            b = entry_dof(m, kind, two, f)
        if a <= b:
            e += 1
        if b <= a:
            f += 1
        nnz += 1
    if nnz == 0:
        return
    row = reserve(d, 1, nnz)
    if row < 0:
        return
    at = d.efc_J_rowadr[row]
    size = 0.0
    e = 0
    f = 0
    for k in range(at, at + nnz):
        a = entry_dof(m, kind, one, e)
        b = m.nv
        if f < more:
            b = entry_dof(m, kind, two, f)
        x = 0.0
        if a <= b:
            x = entry_value(m, d, kind, one, e)
            e += 1
        if b <= a:
            x -= slope * entry_value(m, d, kind, two, f)
            f += 1
        d.efc_J[k] = x
        d.efc_J_colind[k] = min(a, b)
        size = max(size, abs(x))
    if size == 0.0:
        d.nefc -= 1
        d.nJ -= nnz
        return
    put_row(m, d, row, CNSTR_EQUALITY, i, pos, 0.0, 0.0, weight, ld2(m.eq_solref, i), ld5(m.eq_solimp, i))
