"""Ties: connects, welds and coupled joints, held exactly at the end of the step by multipliers; to bodies that the user moves, by implicit springs.

    connect  c = p1 - p2                        three rows
    weld     c and twice the vector part of q1 rel conj(q2), in world axes
    joint    c = (y - y0) - a0 - a1 x - ... - a4 x^4, x the other joint's displacement

Rows ask for c3 / h = 0; of what c there is at the start of the step velocities keep c3 = c2, and positions take off what they are to recover (hard_recover).
The impulse lambda acts along the map G at the start of the step, the residual changes by J at the trial pose. Of a row the multiplier is condensed onto its
bodies as a contact's impulse is, with a small compliance in the matrix alone: dlambda = -(r + J nu) / e. The residual is exact, so that each iteration leaves
e dlambda of it; redundant rows of closed loops share an impulse. A dof's velocity is w . (twist of its body less that of the parent), w the covector that sees
this dof alone.

A spring of stiffness k and damping b at the end of the step is such a row too, with the compliance 1 / (h^2 k + h b) that it has:
lambda = -h (k c3 + b (c3 - c2) / h).

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (13), (14); Bertsekas, "Constrained Optimization and Lagrange Multiplier Methods",
section 4.4 (multipliers in Newton's method); MuJoCo documentation, Computation chapter, "Equality".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.equality import pair_anchor, pair_body, pair_quats
from physics.engine.constraint.impedance import DEFAULT_SOLREF, clip_impedance, damping, ld2, ld5, stiffness, usable_solref
from physics.engine.hard.contact.gaps import place, turned
from physics.engine.hard.contact.row_slopes import add_outer
from physics.engine.hard.poses import carrier_of, moving_body
from physics.engine.linalg.quat import conj4, mul4
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import add3, cross3, sub3
from physics.enums import DSBL_CONSTRAINT, DSBL_EQUALITY, EQ_JOINT, EQ_TENDON, EQ_WELD
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, off, st6

SLOTS = 4               # bodies of a row at most: of two joints, each with its parent
TURN, JOINT = 3, 6      # htie_axis: 0, 1, 2 along the world's axes, 3, 4, 5 about them, 6 a joint's
COMPLIANCE = 1e-7       # of what a row gives way to a unit of impulse: the compliance in the matrix
OFF = 1e-8              # m, rad: what a tie may be off by at the start of the step without being said to be


@helper
def is_held_by_mocap(m, b):
    """Whether the user moves body b, or what it is fixed to: not by joints."""
    return m.body_treeid[b] < 0 and m.body_mocapid[m.body_rootid[b]] >= 0


@helper
def unit_axis(k):
    """World axis k."""
    return (1.0, 0.0, 0.0) if k == 0 else ((0.0, 1.0, 0.0) if k == 1 else (0.0, 0.0, 1.0))


@helper
def add_slot(d, row, b, out, w):
    """Add the covector w to out (24 numbers of the row) in the slot of body b, which is made where it has none; nothing for b = 0."""
    if b == 0:
        return
    k = 0
    while d.htie_body[row, k] != b and d.htie_body[row, k] != 0:
        k += 1
    d.htie_body[row, k] = b
    out[6 * k] += w[0]
    out[6 * k + 1] += w[1]
    out[6 * k + 2] += w[2]
    out[6 * k + 3] += w[3]
    out[6 * k + 4] += w[4]
    out[6 * k + 5] += w[5]


@helper
def cleared(out):
    """24 numbers of a row become 0."""
    for k in range(6 * SLOTS):
        out[k] = 0.0


# ---------------------------------------------------------------- joints


@helper
def scaled6(u, s):
    """s u."""
    return s * u[0], s * u[1], s * u[2], s * u[3], s * u[4], s * u[5]


@helper
def less6(u, v, s):
    """u - s v."""
    return u[0] - s * v[0], u[1] - s * v[1], u[2] - s * v[2], u[3] - s * v[3], u[4] - s * v[4], u[5] - s * v[5]


@helper
def dof_covector(m, d, k, axes):
    """The covector w with w . S_k = 1 that sees no other dof of its body; axes: twists of the dofs. Gram-Schmidt over the other dofs' twists."""
    b = m.dof_bodyid[k]
    first = m.body_dofadr[b]
    n = 0
    for j in range(first, first + m.body_dofnum[b]):
        if j != k:
            u = ld6(axes, j)
            for i in range(n):
                e = ld6(d.htie_basis, i)
                u = less6(u, e, dot6(u, e))
            size = dot6(u, u)
            if size > 1e-20:
                st6(d.htie_basis, n, scaled6(u, 1.0 / sqrt(size)))
                n += 1
    w = ld6(axes, k)
    for i in range(n):
        e = ld6(d.htie_basis, i)
        w = less6(w, e, dot6(w, e))
    return scaled6(w, 1.0 / max(dot6(w, ld6(axes, k)), 1e-20))


@helper
def add_joint(m, d, row, j, factor, axes, places, out):
    """Add factor times the covector of joint j's velocity, to its body and its parent: axes of dofs and places of bodies are those of one pose."""
    k = m.jnt_dofadr[j]
    b = m.jnt_bodyid[j]
    w = scaled6(dof_covector(m, d, k, axes), factor)
    add_slot(d, row, b, out, w)
    a = carrier_of(m, b)
    if a > 0:
        t = cross3(sub3(ld3(places, b), ld3(places, a)), (w[0], w[1], w[2]))
        add_slot(d, row, a, out, (-w[0], -w[1], -w[2], -w[3] - t[0], -w[4] - t[1], -w[5] - t[2]))


@helper
def coupling(m, i, x):
    """a0 + a1 x + ... + a4 x^4 of equality i, and its slope."""
    a = (m.eq_data[i, 0], m.eq_data[i, 1], m.eq_data[i, 2], m.eq_data[i, 3], m.eq_data[i, 4])
    return a[0] + x * (a[1] + x * (a[2] + x * (a[3] + x * a[4]))), a[1] + x * (2.0 * a[2] + x * (3.0 * a[3] + x * 4.0 * a[4]))


@helper
def displaced(m, qpos, j):
    """Displacement of joint j."""
    return qpos[m.jnt_qposadr[j]] - m.qpos0[m.jnt_qposadr[j]]


@helper
def joint_off(m, i, qpos):
    """c of a coupled joint at these coordinates, and the slope by the other joint's displacement."""
    two = m.eq_obj2id[i]
    x = displaced(m, qpos, two) if two >= 0 else 0.0
    value, slope = coupling(m, i, x)
    return displaced(m, qpos, m.eq_obj1id[i]) - value, slope


# ---------------------------------------------------------------- at the start of the step


@kernel("m d", ret="i")
def find_ties(m, d):
    """Rows of all equality constraints that are on but those of tendons, at the pose of the start of the step. Returns 0, with need_nhe, where there is no room.

    Reads: eq_active, qpos, xpos, xmat, xquat, site_xpos, hard_x2, hard_axis2, hard_h, maxhe
    Writes: need_nhe, hard_ntie, hard_untied, and the fields htie_*
    """
    d.hard_ntie = 0
    d.hard_untied = 0
    if m.neq == 0 or m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_EQUALITY) != 0:
        return 1
    if d.maxhe < 6 * m.neq:
        d.need_nhe = 6 * m.neq
        return 0
    for i in range(m.neq):
        if d.eq_active[i] == 0 or m.eq_type[i] == EQ_TENDON:
            continue
        if m.eq_type[i] == EQ_JOINT:
            tie_joint(m, d, i)
        else:
            tie_pair(m, d, i)
    return 1


@helper
def begin_tie(m, d, i, axis, c, weight, spring):
    """A row of equality i that is off by c; weight: what its bodies give way, 1/kg or 1/(kg m2); spring: whether it is one."""
    row = d.hard_ntie
    d.htie_eq[row] = i
    d.htie_axis[row] = axis
    d.htie_start[row] = c
    d.htie_var[row] = 0.0
    d.htie_soft[row] = 0.0
    d.htie_matrix[row] = COMPLIANCE * max(weight, 1e-10)
    d.htie_aim[row] = 0.0
    for k in range(SLOTS):
        d.htie_body[row, k] = 0
    cleared(off(d.htie_push, 24 * row))
    cleared(off(d.htie_slope, 24 * row))
    if spring:
        # the stiffness and damping of solref, for the mass that the row moves
        ref = usable_solref(m, ld2(m.eq_solref, i), DEFAULT_SOLREF)
        imp = ld5(m.eq_solimp, i)
        dw = clip_impedance(imp[1])
        mass = 1.0 / max(weight, 1e-10)
        h = d.hard_h
        b = damping(ref, dw) * mass
        slope = h * h * stiffness(ref, dw) * mass + h * b
        d.htie_soft[row] = 1.0 / slope
        d.htie_matrix[row] = 1.0 / slope
        d.htie_aim[row] = b * c / slope
    elif abs(c) > OFF:
        d.hard_untied = 1
    else:
        d.htie_start[row] = 0.0   # ended by velocities too: it does not add up
    d.hard_ntie = row + 1
    return row


@kernel("m d i")
def tie_joint(m, d, i):
    """The row of a coupled joint."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    c, slope = joint_off(m, i, d.qpos)
    weight = m.dof_invweight0[m.jnt_dofadr[one]]
    if two >= 0:
        weight += slope * slope * m.dof_invweight0[m.jnt_dofadr[two]]
    row = begin_tie(m, d, i, JOINT, c, weight, False)
    out = off(d.htie_push, 24 * row)
    add_joint(m, d, row, one, 1.0, d.hard_axis2, d.hard_x2, out)
    if two >= 0:
        add_joint(m, d, row, two, -slope, d.hard_axis2, d.hard_x2, out)


@kernel("m d i")
def tie_pair(m, d, i):
    """The rows of a connect or weld: three of positions, three of turns where these count."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    whole1 = pair_body(m, i, one)
    whole2 = pair_body(m, i, two)
    b1 = moving_body(m, whole1)
    b2 = moving_body(m, whole2)
    if b1 == b2:
        return
    p1 = pair_anchor(m, d, i, one, True)
    p2 = pair_anchor(m, d, i, two, False)
    r1 = p1 if b1 == 0 else sub3(p1, ld3(d.hard_x2, b1))
    r2 = p2 if b2 == 0 else sub3(p2, ld3(d.hard_x2, b2))
    spring = is_held_by_mocap(m, whole1) or is_held_by_mocap(m, whole2)
    e = sub3(p1, p2)
    weight = m.body_invweight0[whole1, 0] + m.body_invweight0[whole2, 0]
    for k in range(3):
        row = begin_tie(m, d, i, k, e[0] if k == 0 else (e[1] if k == 1 else e[2]), weight, spring)
        st6(d.htie_arm, row, (r1[0], r1[1], r1[2], r2[0], r2[1], r2[2]))
        u = unit_axis(k)
        t1 = cross3(r1, u)
        t2 = cross3(r2, u)
        d.htie_ends[row, 0] = b1
        d.htie_ends[row, 1] = b2
        out = off(d.htie_push, 24 * row)
        add_slot(d, row, b1, out, (u[0], u[1], u[2], t1[0], t1[1], t1[2]))
        add_slot(d, row, b2, out, (-u[0], -u[1], -u[2], -t2[0], -t2[1], -t2[2]))
    if m.eq_type[i] != EQ_WELD or m.eq_data[i, 10] == 0.0:
        return
    # turns: from frame 2 to frame 1
    q, back = pair_quats(m, d, i)
    z = conj4(back)
    v = upright(mul4(q, back))
    weight = m.body_invweight0[whole1, 1] + m.body_invweight0[whole2, 1]
    for k in range(3):
        row = begin_tie(m, d, i, TURN + k, 2.0 * (v[1] if k == 0 else (v[2] if k == 1 else v[3])), weight, spring)
        for x in range(4):
            d.htie_quat[row, x] = q[0] if x == 0 else (q[1] if x == 1 else (q[2] if x == 2 else q[3]))
            d.htie_quat[row, 4 + x] = z[0] if x == 0 else (z[1] if x == 1 else (z[2] if x == 2 else z[3]))
        u = unit_axis(k)
        d.htie_ends[row, 0] = b1
        d.htie_ends[row, 1] = b2
        out = off(d.htie_push, 24 * row)
        add_slot(d, row, b1, out, (0.0, 0.0, 0.0, u[0], u[1], u[2]))
        add_slot(d, row, b2, out, (0.0, 0.0, 0.0, -u[0], -u[1], -u[2]))


@helper
def upright(q):
    """q or -q, of which the first number is not negative."""
    if q[0] < 0.0:
        return -q[0], -q[1], -q[2], -q[3]
    return q[0], q[1], q[2], q[3]


# ---------------------------------------------------------------- at the trial pose


@helper
def is_present(m, d, row):
    """Whether the row is of the present island."""
    return d.hard_bodyisland[d.htie_body[row, 0]] == d.hard_island


@helper
def turn_of_body(d, b):
    """Rotation of body b since the start of the step."""
    if b == 0:
        return 1.0, 0.0, 0.0, 0.0
    q = ld4(d.hard_turn, b)
    return q[0], q[1], q[2], q[3]


@helper
def component(v, k):
    """v_k of three."""
    return v[0] if k == 0 else (v[1] if k == 1 else v[2])


@helper
def point_row(d, row, k):
    """c of a positional row; writes its slopes."""
    b1 = d.htie_ends[row, 0]
    b2 = d.htie_ends[row, 1]
    r = ld6(d.htie_arm, row)
    r1 = turned(d, b1, (r[0], r[1], r[2]))
    r2 = turned(d, b2, (r[3], r[4], r[5]))
    u = unit_axis(k)
    t1 = cross3(r1, u)
    t2 = cross3(r2, u)
    out = off(d.htie_slope, 24 * row)
    add_slot(d, row, b1, out, (u[0], u[1], u[2], t1[0], t1[1], t1[2]))
    add_slot(d, row, b2, out, (-u[0], -u[1], -u[2], -t2[0], -t2[1], -t2[2]))
    return component(sub3(add3(place(d, b1), r1), add3(place(d, b2), r2)), k)


@helper
def turn_row(d, row, k):
    """c of a turning row; writes its slopes: those of E = q1 rel conj(q2) = (s, u) are (s - [u]) phi1 - (s + [u]) phi2."""
    b1 = d.htie_ends[row, 0]
    b2 = d.htie_ends[row, 1]
    q = off(d.htie_quat, 8 * row)
    one = mul4(turn_of_body(d, b1), (q[0], q[1], q[2], q[3]))
    two = mul4(turn_of_body(d, b2), (q[4], q[5], q[6], q[7]))
    e = upright(mul4(one, conj4(two)))
    u = (e[1], e[2], e[3])
    x = unit_axis(k)
    # row k of s - [u] is s x + u x x, as the transpose acts on x
    t = cross3(u, x)
    out = off(d.htie_slope, 24 * row)
    add_slot(d, row, b1, out, (0.0, 0.0, 0.0, e[0] * x[0] + t[0], e[0] * x[1] + t[1], e[0] * x[2] + t[2]))
    add_slot(d, row, b2, out, (0.0, 0.0, 0.0, t[0] - e[0] * x[0], t[1] - e[0] * x[1], t[2] - e[0] * x[2]))
    return 2.0 * component(u, k)


@helper
def joint_row(m, d, row):
    """c of a coupled joint; writes its slopes."""
    i = d.htie_eq[row]
    c, slope = joint_off(m, i, d.hard_qpos)
    out = off(d.htie_slope, 24 * row)
    add_joint(m, d, row, m.eq_obj1id[i], 1.0, d.hard_axis, d.hard_x, out)
    if m.eq_obj2id[i] >= 0:
        add_joint(m, d, row, m.eq_obj2id[i], -slope, d.hard_axis, d.hard_x, out)
    return c


@helper
def left_off(d, c):
    """What of c, the residual at the start of the step, may stay: less hard_recover."""
    return max(0.0, c - d.hard_recover) + min(0.0, c + d.hard_recover)


@kernel()
def tie_residuals(m, d):
    """Residuals of the ties of the present island; takes their impulses off hard_res of the bodies, and raises hard_rv.

    Reads: hard_mocap, hard_ntie, hard_bodyisland, hard_island, hard_x, hard_turn, hard_qpos, hard_axis, hard_h, hard_recover, hard_rv and the fields htie_*
    Writes: htie_slope, htie_res, htie_body, htie_basis, hard_res, hard_rv
    """
    for row in range(d.hard_ntie):
        if not is_present(m, d, row):
            continue
        cleared(off(d.htie_slope, 24 * row))
        axis = d.htie_axis[row]
        if axis == JOINT:
            c = joint_row(m, d, row)
        elif axis >= TURN:
            c = turn_row(d, row, axis - TURN)
        else:
            c = point_row(d, row, axis)
        r = c / d.hard_h
        if d.htie_soft[row] > 0.0:
            r += d.htie_soft[row] * d.htie_var[row] - d.htie_aim[row]
        else:
            r -= left_off(d, d.htie_start[row]) / d.hard_h
        d.htie_res[row] = r
        d.hard_rv = max(d.hard_rv, abs(r))
        push_tie(d, row, d.hard_res, -d.htie_var[row])


@helper
def push_tie(d, row, to, impulse):
    """Add to `to` of the row's bodies what an impulse along it is."""
    for k in range(SLOTS):
        b = d.htie_body[row, k]
        if b > 0:
            g = off(d.htie_push, 24 * row + 6 * k)
            for x in range(6):
                to[b, x] += impulse * g[x]


@helper
def pair_of_ends(d, b, c):
    """The row of hard_pair of two bodies: among those of the one that is eliminated earlier."""
    early = b if d.hard_place[b] < d.hard_place[c] else c
    late = c if early == b else b
    p = d.hard_pairadr[early]
    while d.hard_pair[p, 1] != late:
        p += 1
    return p


@kernel()
def tie_blocks(m, d):
    """Condense the ties of the present island: the blocks get G J / compliance.

    Reads: hard_ntie, hard_bodyisland, hard_island, hard_place, hard_pair, hard_pairadr, htie_body, htie_push, htie_slope, htie_matrix
    Writes: hard_block, hard_upper, hard_lower
    """
    for row in range(d.hard_ntie):
        if not is_present(m, d, row):
            continue
        w = 1.0 / d.htie_matrix[row]
        for i in range(SLOTS):
            b = d.htie_body[row, i]
            if b == 0:
                continue
            g = six(d.htie_push, 24 * row + 6 * i)
            for j in range(SLOTS):
                c = d.htie_body[row, j]
                if c == 0:
                    continue
                v = scaled6(six(d.htie_slope, 24 * row + 6 * j), w)
                # residual of b by motion of c
                if b == c:
                    add_tie_block(off(d.hard_block, 48 * b), g, v)
                else:
                    p = pair_of_ends(d, b, c)
                    if d.hard_pair[p, 0] == b:
                        add_tie_block(off(d.hard_upper, 48 * p), g, v)
                    else:
                        add_tie_block(off(d.hard_lower, 48 * p), g, v)


@helper
def six(field, at):
    """Six numbers of a field from element `at` on."""
    p = off(field, at)
    return p[0], p[1], p[2], p[3], p[4], p[5]


@helper
def add_tie_block(p, g, v):
    """Block p += g v'."""
    add_outer(p, 0, (g[0], g[1], g[2]), v)
    add_outer(p, 24, (g[3], g[4], g[5]), v)


@kernel()
def push_ties(m, d):
    """Take off hard_wrench of the bodies what the multipliers change by while no body moves.

    Reads: hard_ntie, hard_bodyisland, hard_island, htie_body, htie_push, htie_res, htie_matrix
    Writes: hard_wrench
    """
    for row in range(d.hard_ntie):
        if is_present(m, d, row):
            push_tie(d, row, d.hard_wrench, d.htie_res[row] / d.htie_matrix[row])


@kernel()
def tie_directions(m, d):
    """htie_step from the bodies' motion hard_nu.

    Reads: hard_ntie, hard_bodyisland, hard_island, hard_nu, htie_body, htie_slope, htie_res, htie_matrix
    Writes: htie_step
    """
    for row in range(d.hard_ntie):
        if not is_present(m, d, row):
            continue
        r = d.htie_res[row]
        for k in range(SLOTS):
            b = d.htie_body[row, k]
            if b > 0:
                j = off(d.htie_slope, 24 * row + 6 * k)
                for x in range(6):
                    r += j[x] * d.hard_nu[b, x]
        d.htie_step[row] = -r / d.htie_matrix[row]


@kernel("m d f")
def move_ties(m, d, fraction):
    """htie_var += fraction htie_step.

    Reads: hard_ntie, hard_bodyisland, hard_island, htie_step
    Writes: htie_var
    """
    for row in range(d.hard_ntie):
        if is_present(m, d, row):
            d.htie_var[row] += fraction * d.htie_step[row]


@kernel()
def start_ties(m, d):
    """No impulses.

    Reads: hard_ntie, hard_bodyisland, hard_island, htie_body
    Writes: htie_var
    """
    for row in range(d.hard_ntie):
        if is_present(m, d, row):
            d.htie_var[row] = 0.0
