"""How the end of a step changes with what it began with: the implicit function theorem at the solution.

    dw/dtheta = -(dr/dw)^-1 dr/dtheta,   r the residual of all equations, w the solution: bodies' motion, slacks, impulses and their duals

The matrix has been factored at the solution; each theta is one right side more, solved as a Newton direction whose products aim at their derivative, 0.
dr/dtheta are central differences of the residual alone at the kept solution, never of the step: another Data (`e`) looks at the nudged state and has the
same trial pose and cones. Contacts keep their features and order: where the collision routines list others, the rows ride on their bodies instead.

`d` holds the solution and the factors, `e` is a copy of it that is nudged.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (11), (30), (32).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.actuator.actuation import actuation
from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO, ROUND, SEGMENTS, SUPPORT_ONE, SUPPORT_TWO, lowest, nearest_of_segments, place_before
from physics.engine.hard.contact.points import contact_rows
from physics.engine.hard.dry_friction import find_dry_friction
from physics.engine.hard.forces import BARE, forget_hard_needs, hard_forces, hard_position, lacks_hard_room
from physics.engine.hard.limits import NONE, find_limits
from physics.engine.hard.momenta import momenta, wrenches
from physics.engine.hard.poses import moves, place_island
from physics.engine.hard.rescue import FAILED, LACKING, UNSOLVED, solve_islands
from physics.engine.hard.residual import residual
from physics.engine.hard.search import direction
from physics.engine.hard.slopes import dof_slopes, servo_slopes
from physics.engine.hard.start import count_pairs
from physics.engine.hard.step import begin_counts, reserve
from physics.engine.hard.system.matrix import matrix
from physics.engine.hard.tendon.bordered import factor_bordered
from physics.engine.hard.tendon.impulses import WIDTH
from physics.engine.hard.tendon.rows import find_tendon_rows
from physics.engine.hard.ties import find_ties
from physics.engine.hard.whole_step import take_part_at
from physics.engine.kinematics.joints import joint_advance
from physics.engine.linalg.quat import conj4, mul4, rotate
from physics.engine.linalg.spatial import addscl6
from physics.engine.linalg.vec import add3, cross3, dot3, norm3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld4, ld6, ld9, st6, st9

# what is nudged
POSITION, VELOCITY, ACTIVATION, CONTROL, NOTHING = range(5)
EXACTLY = 1e-4   # of kappa: how closely products meet it
REFINED = 2      # repetitions of a solve, for what a tie's compliance in the matrix leaves
WIDE = 10.0      # nudges by which things may overlap and be taken as apart: what touches is on neither side of a kink


@helper
def take_island(m, d, i):
    """Let island i be the present one."""
    d.hard_island = i
    d.hard_first = d.hard_islandadr[i, 0]
    d.hard_end = d.hard_first + d.hard_islandnum[i, 0]
    d.hard_rowfirst = d.hard_islandadr[i, 1]
    d.hard_rowend = d.hard_rowfirst + d.hard_islandnum[i, 1]
    count_pairs(m, d)


@kernel("m d f", ret="i")
def find_step_at(m, d, kappa):
    """Solve the step from the present state without taking it, exactly at this point of the central path [J] (0: at its end). Returns the status (rescue.py);
    LACKING where room was lacking.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied
    Writes: hard_h, hard_niter, hard_halved, hard_looked, hard_nrestart, hard_stuck, hard_eased, and what hard_position, hard_forces and take_part_at write
    """
    forget_hard_needs(d)
    if reserve(m, d) == 0:
        return LACKING
    begin_counts(m, d)
    if hard_position(m, d, BARE) == 0:
        return LACKING
    hard_forces(m, d, BARE)
    if d.cb_error != 0:
        return FAILED
    return take_part_at(m, d, 0, kappa)


@kernel("m d", ret="i")
def find_step(m, d):
    """find_step_at the model's own point of the central path.

    Reads: opt_hard_kappa
    Writes: what find_step_at writes
    """
    return find_step_at(m, d, m.opt_hard_kappa)


@kernel("m d f f", ret="i")
def solve_at(m, d, kappa, recover):
    """Solve the step that find_step has prepared at exactly this point of the central path [J], with the contact rows that it found. Returns the status.

    recover: by how much positions end overlaps of the start [m]; 0: not at all, as velocities.
    """
    d.hard_kappa = kappa
    d.hard_ktol = min(m.opt_hard_ktol, EXACTLY * kappa)
    d.hard_recovering = recover
    status = solve_islands(m, d, 0, UNSOLVED)
    d.hard_recover = recover
    return status


@kernel()
def factor_all(m, d):
    """Factor the matrices of all islands at the solution.

    Reads: hard_nisland, hard_islandadr, hard_islandnum, and what matrix and factor_bordered read
    Writes: hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, hard_nlimit, hard_nrub, hfri_at, hard_ntenrow, hard_ntenpair, hten_at, and what matrix and
        factor_bordered write
    """
    for i in range(d.hard_nisland):
        take_island(m, d, i)
        matrix(m, d)
        factor_bordered(m, d)


# ---------------------------------------------------------------- the nudged step


@kernel("m d d i i f")
def nudge(m, d, e, what, k, step):
    """Let e have the state of d, with number k of what is nudged changed by `step` (positions along their tangents)."""
    for i in range(m.nq):
        e.qpos[i] = d.qpos[i]
    for i in range(m.nv):
        e.qvel[i] = d.qvel[i]
    for i in range(m.na):
        e.act[i] = d.act[i]
    for i in range(m.nu):
        e.ctrl[i] = d.ctrl[i]
    if what == POSITION:
        for i in range(m.nv):
            e.hard_y[i] = 0.0
        e.hard_y[k] = 1.0
        joint_advance(m, e.qpos, e.hard_y, m.dof_jntid[k], step)
    elif what == VELOCITY:
        e.qvel[k] += step
    elif what == ACTIVATION:
        e.act[k] += step
    elif what == CONTROL:
        e.ctrl[k] += step


@helper
def same_rows(d, e):
    """Whether the contacts that e has found are those of d, by their geoms, kinds and dimensions."""
    if e.hard_nfirst != d.hard_nfirst:
        return False
    other = 0
    for c in range(d.hard_nfirst):
        if (e.hrow_geom[c, 0] != d.hrow_geom[c, 0] or e.hrow_geom[c, 1] != d.hrow_geom[c, 1] or e.hrow_kind[c] != d.hrow_kind[c]
                or e.hrow_dim[c] != d.hrow_dim[c]):
            other += 1
    return other == 0


@helper
def turn_between(d, e, b):
    """How far body b of e is turned against that of d at the start of the step."""
    if b <= 0:
        return 1.0, 0.0, 0.0, 0.0
    return mul4(ld4(e.hard_quat2, b), conj4(ld4(d.hard_quat2, b)))


@helper
def turn_onto(n, z):
    """The smallest rotation that takes the unit vector n to z, which is near it."""
    c = cross3(n, z)
    w = 1.0 + dot3(n, z)
    s = 1.0 / sqrt(w * w + dot3(c, c))
    return w * s, c[0] * s, c[1] * s, c[2] * s


@helper
def turned_square(q, s):
    """R Q R' of the symmetric Q (xx, xy, xz, yy, yz, zz) and the rotation R of q: three columns of R Q, then its rows."""
    x = rotate(q, (s[0], s[1], s[2]))
    y = rotate(q, (s[1], s[3], s[4]))
    z = rotate(q, (s[2], s[4], s[5]))
    u = rotate(q, (x[0], y[0], z[0]))
    v = rotate(q, (x[1], y[1], z[1]))
    w = rotate(q, (x[2], y[2], z[2]))
    return u[0], u[1], u[2], v[1], v[2], w[2]


@kernel("d d i")
def ride(d, e, c):
    """Let row c of e be that of d, its points and face normals riding on their bodies as these are in e; the contact point stays halfway in the gap."""
    b1 = d.hrow_body[c, 0]
    b2 = d.hrow_body[c, 1]
    kind = d.hrow_kind[c]
    q1 = turn_between(d, e, b1)
    q2 = turn_between(d, e, b2)
    w = ld6(d.hrow_witness, c)
    f = ld9(d.hrow_dir, c)
    n = (f[6], f[7], f[8])
    r1 = rotate(q1, (w[0], w[1], w[2]))
    r2 = rotate(q2, (w[3], w[4], w[5]))
    # points in the world, then and now
    was = sub3(add3((w[3], w[4], w[5]), place_before(d, b2)), add3((w[0], w[1], w[2]), place_before(d, b1)))
    now = sub3(add3(r2, place_before(e, b2)), add3(r1, place_before(e, b1)))
    shape = ld6(d.hrow_shape, c)
    far1 = (0.0, 0.0, 0.0)
    far2 = (0.0, 0.0, 0.0)
    if kind == SEGMENTS:
        # from middles to nearest points
        a1 = (shape[0], shape[1], shape[2])
        a2 = (shape[3], shape[4], shape[5])
        s, t = nearest_of_segments(was, a1, a2)
        far1 = scl3(a2, t)
        was = add3(was, sub3(far1, scl3(a1, s)))
        a1 = rotate(q1, a1)
        a2 = rotate(q2, a2)
        shape = (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2])
        s, t = nearest_of_segments(now, a1, a2)
        far2 = scl3(a2, t)
        now = add3(now, sub3(far2, scl3(a1, s)))
    elif kind == SUPPORT_ONE:
        shape = turned_square(q2, shape)
    elif kind == SUPPORT_TWO:
        shape = turned_square(q1, shape)
    q = (1.0, 0.0, 0.0, 0.0)
    if kind == FACE_ONE or kind == SUPPORT_ONE:
        q = q1
    elif kind == FACE_TWO or kind == SUPPORT_TWO:
        q = q2
    z = rotate(q, n)
    wider = dot3(z, now) - dot3(n, was)
    if kind == ROUND or kind == SEGMENTS:
        z = scl3(now, 1.0 / max(norm3(now), 1e-12))
        q = turn_onto(n, z)
        wider = norm3(now) - norm3(was)
    elif kind == SUPPORT_ONE or kind == SUPPORT_TWO:
        # the lowest point moves over the shape
        s = 1.0 if kind == SUPPORT_ONE else -1.0
        low1 = lowest(ld6(d.hrow_shape, c), scl3(n, s))
        low2 = lowest(shape, scl3(z, s))
        far1 = (low1[0], low1[1], low1[2])
        far2 = (low2[0], low2[1], low2[2])
        wider -= low2[3] - low1[3]
    t1 = rotate(q, (f[0], f[1], f[2]))
    t2 = rotate(q, (f[3], f[4], f[5]))
    st9(e.hrow_dir, c, (t1[0], t1[1], t1[2], t2[0], t2[1], t2[2], z[0], z[1], z[2]))
    st6(e.hrow_witness, c, (r1[0], r1[1], r1[2], r2[0], r2[1], r2[2]))
    # the contact point keeps its place beside the point that meets the face
    a = ld6(d.hrow_arm, c)
    if kind == FACE_TWO or kind == SUPPORT_TWO:
        off = sub3((a[0], a[1], a[2]), add3((w[0], w[1], w[2]), far1))
        p = add3(add3(add3(place_before(e, b1), r1), far2), add3(rotate(q, off), scl3(z, 0.5 * wider)))
    else:
        off = sub3((a[3], a[4], a[5]), add3((w[3], w[4], w[5]), far1))
        p = add3(add3(add3(place_before(e, b2), r2), far2), sub3(rotate(q, off), scl3(z, 0.5 * wider)))
    a1 = sub3(p, place_before(e, b1))
    a2 = sub3(p, place_before(e, b2))
    st6(e.hrow_arm, c, (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]))
    st6(e.hrow_shape, c, shape)
    for i in range(6):
        e.hrow_mu[c, i] = d.hrow_mu[c, i]
    for i in range(2):
        e.hrow_body[c, i] = d.hrow_body[c, i]
        e.hrow_geom[c, i] = d.hrow_geom[c, i]
    for i in range(3):
        e.hrow_drive[c, i] = d.hrow_drive[c, i]
    e.hrow_kind[c] = kind
    e.hrow_dim[c] = d.hrow_dim[c]
    e.hrow_rest[c] = d.hrow_rest[c]
    e.hrow_floor[c] = d.hrow_floor[c]
    if d.hrow_floor[c] < 0.0:
        e.hrow_floor[c] = min(0.0, d.hrow_floor[c] + wider)


@kernel("m d d i", ret="i")
def look_nudged(m, d, e, what):
    """All that a step of e needs before its solve, as far as the nudge has changed it. Returns 0 where room was lacking, 2 where the rows ride on their bodies, else 1."""
    found = 1
    forget_hard_needs(e)
    if what == POSITION or what == NOTHING:
        if hard_position(m, e, BARE) == 0:
            return 0
    elif what == VELOCITY:
        for k in range(m.nq):
            e.hard_qpos[k] = e.qpos[k]
        for k in range(m.nv):
            e.hard_qd0[k] = e.qvel[k]
        momenta(m, e)
    if what == CONTROL or what == ACTIVATION:
        actuation(m, e)   # lengths and velocities are those that e has looked at
    else:
        hard_forces(m, e, BARE)
        wrenches(m, e)
    dof_slopes(m, e)
    servo_slopes(m, e)
    if what == POSITION or what == NOTHING:
        find_limits(m, e)
        for j in range(m.njnt):
            e.hlim_kind[j] = d.hlim_kind[j]
        find_dry_friction(m, e)
        find_ties(m, e)
        find_tendon_rows(m, e)
        for r in range(d.hard_nten):
            e.hten_kind[r] = d.hten_kind[r]
        contact_rows(m, e)
        if lacks_hard_room(e):
            return 0
        first = d.hard_nfirst
        if not same_rows(d, e):
            first = 0
            found = 2
        for c in range(first, d.hard_nrow):
            ride(d, e, c)
        e.hard_nrow = d.hard_nrow
        e.hard_nfirst = d.hard_nfirst
        for c in range(d.hard_nrow):
            e.hrow_at[c] = d.hrow_at[c]
            e.hrow_pair[c] = d.hrow_pair[c]
    return found


@kernel("m d d f")
def add_residual(m, d, e, factor):
    """Residual of e at the solution of d, times a factor, to the right sides of d. The cones of e are those of d.

    That of the bodies is taken where it has come to the dofs: their twists at the start of the step change, too.

    Reads: hard_qpos, hard_nisland, hard_islandadr, hard_islandnum
    Writes: hard_g, hrow_res, hlim_res, hfri_res, htie_res, hten_res
    """
    wide = e.hard_recover - d.hard_recover
    for row in range(d.hard_ntie):
        # what a tie is off by stays, however little
        e.htie_start[row] += wide if e.htie_start[row] > 0.0 else -wide
    for row in range(d.hard_nten):
        e.hten_start[row] += wide if e.hten_start[row] > 0.0 else -wide
    for k in range(m.nq):
        e.hard_qpos[k] = d.hard_qpos[k]
    for i in range(d.hard_nisland):
        take_island(m, e, i)
        place_island(m, e)
        residual(m, e)
        for at in range(e.hard_first, e.hard_end):
            b = e.hard_order[at]
            for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                d.hard_g[k] += factor * e.hard_r[k]
                if d.hfri_loss[k] > 0.0:
                    for j in range(3):
                        d.hfri_res[k, j] += factor * e.hfri_res[k, j]
            for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
                if d.hlim_kind[j] > NONE:
                    for k in range(4):
                        d.hlim_res[j, k] += factor * e.hlim_res[j, k]
        for at in range(e.hard_rowfirst, e.hard_rowend):
            c = e.hrow_at[at]
            for k in range(16):
                d.hrow_res[c, k] += factor * e.hrow_res[c, k]
    for row in range(d.hard_ntie):
        d.htie_res[row] += factor * e.htie_res[row]
        e.htie_start[row] -= wide if e.htie_start[row] > 0.0 else -wide   # ties are not found anew for every nudge
    for row in range(d.hard_nten):
        for k in range(WIDTH):
            d.hten_res[row, k] += factor * e.hten_res[row, k]
        e.hten_start[row] -= wide if e.hten_start[row] > 0.0 else -wide


@kernel("m d d i f")
def add_forces(m, d, e, what, factor):
    """As add_residual where the nudge leaves positions: forces of the dofs alone change, and by velocities the momenta that bodies bring along."""
    for k in range(m.nv):
        d.hard_g[k] += factor * (e.hard_H0[k] * d.hard_qd[k] - e.hard_tau[k])
    if what == VELOCITY:
        for b in range(1, m.nbody):
            if moves(m, b):
                st6(d.hard_res, b, addscl6(ld6(d.hard_res, b), ld6(e.hard_mom, b), -factor))


@kernel()
def clear_right_side(m, d):
    """No right side.

    Reads: hard_nrow, hard_ntie, hard_nten
    Writes: hard_res, hard_g, hrow_res, hlim_res, hfri_res, htie_res, hten_res
    """
    for b in range(m.nbody):
        for k in range(6):
            d.hard_res[b, k] = 0.0
    for k in range(m.nv):
        d.hard_g[k] = 0.0
        for j in range(3):
            d.hfri_res[k, j] = 0.0
    for j in range(m.njnt):
        for k in range(4):
            d.hlim_res[j, k] = 0.0
    for c in range(d.hard_nrow):
        for k in range(16):
            d.hrow_res[c, k] = 0.0
    for row in range(d.hard_ntie):
        d.htie_res[row] = 0.0
    for row in range(d.hard_nten):
        for k in range(WIDTH):
            d.hten_res[row, k] = 0.0


@kernel()
def answer(m, d):
    """hard_dir for the right sides, which are spoilt where there are ties: of these a solve leaves a little, for which it is repeated.

    Reads: hard_nisland, hard_project, hard_islandadr, hard_islandnum, hard_order, hard_first, hard_end, hard_rowfirst, hlim_kind, hfri_loss, hard_nten, hten_kind, hten_body,
        hard_bodyisland, hard_ntenrow, hard_ntenpair, hard_res, hard_g, hrow_res, hlim_res, hfri_res, hten_res, hard_ntie, htie_matrix, htie_soft, htie_step
    Writes: hard_dir, hard_r, htie_res, hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, hard_nlimit, hard_nrub, hfri_at, hard_ntenrow, hard_ntenpair, hten_at,
        and what clear_right_side and direction write
    """
    for i in range(d.hard_nisland):
        take_island(m, d, i)
        direction(m, d, 0.0, 0)
    if d.hard_ntie == 0:
        return
    for k in range(m.nv):
        d.hard_r[k] = d.hard_dir[k]
    for _ in range(REFINED):
        clear_right_side(m, d)
        for row in range(d.hard_ntie):
            d.htie_res[row] = -(d.htie_matrix[row] - d.htie_soft[row]) * d.htie_step[row]
        for i in range(d.hard_nisland):
            take_island(m, d, i)
            direction(m, d, 0.0, 0)
        for k in range(m.nv):
            d.hard_r[k] += d.hard_dir[k]
    for k in range(m.nv):
        d.hard_dir[k] = d.hard_r[k]


@kernel("m d d f", ret="i")
def add_changed(m, d, e, factor):
    """As a nudge of the model: look at e, which has the state of d, and add its residual to the right sides of d. Returns as look_nudged."""
    nudge(m, d, e, NOTHING, 0, 0.0)
    found = look_nudged(m, d, e, NOTHING)
    if found != 0:
        add_residual(m, d, e, factor)
    return found
