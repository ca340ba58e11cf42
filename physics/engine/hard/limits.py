"""Limits of joints as orthant pairs: the slack of a side and the impulse that keeps it from becoming negative.

    hinge, slide   s_u = (range_1 - q) / h, s_l = (q - range_0) / h       impulse on the dof: gamma_l - gamma_u
    ball           s = (range - angle) / h                                impulse between the body and its parent, about the axis of the turn

A side that is overstepped at the start of the step is asked not to be overstepped further by velocities, and to end it by positions (hard_recover).
All kernels here work on the joints of the present island.

Source: Dojo (engine/hard/__init__.py), section III (joint limits); MuJoCo documentation, Computation chapter, "Limit" (the angle of a ball).
"""
from __future__ import annotations

from physics.engine.hard.poses import carrier_of
from physics.engine.hard.start_scales import OVERLAP, fall_speed, may_stay, turning_speed
from physics.engine.kinematics.joints import is_ball, is_slide, quat_at
from physics.engine.linalg.quat import rotate, to_rotvec, unit4
from physics.engine.linalg.vec import dot3, norm3, scl3, sub3
from physics.enums import DSBL_CONSTRAINT, DSBL_LIMIT
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld4, ld6, off

FAR, NONE, RANGE, ANGLE = range(-1, 3)   # hlim_kind; FAR: a range whose ends are out of reach in this step
REACH = 20.0   # times the speed scale: beyond it an end is out of reach
SMALL = 1e-9   # rad: below this a ball has no axis of turn


@helper
def ball_turn(m, d, qpos, j, quat):
    """Angle of ball joint j [rad] and the axis of its turn in world axes; quat: the frame of its body there."""
    r = to_rotvec(unit4(quat_at(qpos, m.jnt_qposadr[j])))
    angle = norm3(r)
    if angle < SMALL:
        return angle, 1.0, 0.0, 0.0
    x = rotate(quat, scl3(r, 1.0 / angle))
    return angle, x[0], x[1], x[2]


@kernel()
def find_limits(m, d):
    """Which joints have limits, and the axes along which those of balls push.

    Reads: hard_qpos2, hard_qd0, hard_h, xquat
    Writes: hlim_kind, hlim_axis
    """
    idle = m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_LIMIT) != 0
    for j in range(m.njnt):
        d.hlim_kind[j] = NONE
        if idle or m.jnt_limited[j] == 0:
            continue
        if is_ball(m, j):
            d.hlim_kind[j] = ANGLE
            _, x, y, z = ball_turn(m, d, d.hard_qpos2, j, ld4(d.xquat, m.jnt_bodyid[j]))
            d.hlim_axis[j, 0] = x
            d.hlim_axis[j, 1] = y
            d.hlim_axis[j, 2] = z
        else:
            d.hlim_kind[j] = RANGE
            upper, lower = side_gaps(m, d, j, d.hard_qpos2)
            if m.opt_hard_kappa == 0.0 and min(upper, lower) > REACH * d.hard_h * speed_scale(m, d, j):
                d.hlim_kind[j] = FAR


@kernel("m d", ret="i")
def nearer_limits(m, d):
    """Take in the limits that were taken for out of reach and are overstepped at the trial pose. Returns how many.

    Reads: hlim_kind, hard_qpos
    Writes: hlim_kind, hard_changed
    """
    n = 0
    for j in range(m.njnt):
        if d.hlim_kind[j] == FAR:
            upper, lower = side_gaps(m, d, j, d.hard_qpos)
            if min(upper, lower) < 0.0:
                d.hlim_kind[j] = RANGE
                d.hard_changed[m.body_treeid[m.jnt_bodyid[j]]] = 1
                n += 1
    return n


@helper
def speed_scale(m, d, j):
    """Speed that joint j may have after the step: what it has, and what a fall gives."""
    k = m.jnt_dofadr[j]
    speed = abs(d.hard_qd0[k])
    if d.hlim_kind[j] == ANGLE:
        speed = norm3((d.hard_qd0[k], d.hard_qd0[k + 1], d.hard_qd0[k + 2]))
    if is_slide(m, j):
        return speed + fall_speed(m, d)
    return speed + turning_speed(m, d)


@helper
def side_gaps(m, d, j, qpos):
    """How far joint j is from its upper and its lower limit at these coordinates; a ball has the first alone."""
    if d.hlim_kind[j] == ANGLE:
        angle = norm3(to_rotvec(unit4(quat_at(qpos, m.jnt_qposadr[j]))))
        return max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - angle, 0.0
    q = qpos[m.jnt_qposadr[j]]
    return m.jnt_range[j, 1] - q, q - m.jnt_range[j, 0]


@helper
def open_gaps(m, d, j):
    """side_gaps at the trial pose, less what velocities need not recover of overlaps at the start."""
    upper, lower = side_gaps(m, d, j, d.hard_qpos)
    before, below = side_gaps(m, d, j, d.hard_qpos2)
    return upper - may_stay(d, min(0.0, before)), lower - may_stay(d, min(0.0, below))


@helper
def sides(d, j):
    """2 for a range, 1 for an angle."""
    if d.hlim_kind[j] == RANGE:
        return 2
    return 1


@helper
def limit_overlaps(m, d, j):
    """Whether joint j is outside its range at the start of the step."""
    if d.hlim_kind[j] <= NONE:
        return False
    upper, lower = side_gaps(m, d, j, d.hard_qpos2)
    return upper < -OVERLAP or lower < -OVERLAP


@helper
def overlapping_limits(m, d):
    """Whether a joint is outside its range at the start of the step."""
    n = 0
    for j in range(m.njnt):
        if limit_overlaps(m, d, j):
            n += 1
    return n > 0


@kernel()
def start_limits(m, d):
    """Put the limits on the central path by physical scales: dof_M0 as the inertia, w = |qd| + g h / 0.1 m as the speed.

    Reads: hlim_kind, hard_order, hard_first, hard_end, hard_qpos, hard_qpos2, hard_qd0, hard_recover, hard_spread, hard_h
    Writes: hlim_var
    """
    h = d.hard_h
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            k = m.jnt_dofadr[j]
            speed = d.hard_spread * speed_scale(m, d, j)
            upper, lower = open_gaps(m, d, j)
            s = max(upper / h, speed)
            d.hlim_var[j, 0] = s
            d.hlim_var[j, 1] = m.dof_M0[k] * speed * speed / s
            s = max(lower / h, speed)
            d.hlim_var[j, 2] = s
            d.hlim_var[j, 3] = m.dof_M0[k] * speed * speed / s


@kernel("m d f")
def lift_limits(m, d, product):
    """Lift the limits from the edges, so that slack times impulse is at least `product` [J].

    Reads: hlim_kind, hard_order, hard_first, hard_end, hard_qd0, hard_h
    Writes: hlim_var
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            speed = speed_scale(m, d, j)
            for k in range(0, 2 * sides(d, j), 2):
                impulse = max(d.hlim_var[j, k + 1], product / max(d.hlim_var[j, k], speed))
                d.hlim_var[j, k + 1] = impulse
                d.hlim_var[j, k] = max(d.hlim_var[j, k], product / impulse)


@helper
def push_ball(m, d, j, to, impulse):
    """Add to `to` of the two bodies what the impulse of a ball's limit is in their residuals."""
    b = m.jnt_bodyid[j]
    a = carrier_of(m, b)
    for i in range(3):
        x = d.hlim_axis[j, i] * impulse
        to[b, 3 + i] += x
        if a > 0:
            to[a, 3 + i] -= x


@kernel()
def limit_residuals(m, d):
    """Residuals and products of the limits; adds their impulses to hard_g and hard_res, and raises hard_rv and hard_kv.

    Reads: hlim_kind, hlim_var, hlim_axis, hard_order, hard_first, hard_end, hard_qpos, hard_qpos2, hard_xquat, hard_recover, hard_kappa, hard_h
    Writes: hlim_res, hlim_axis, hard_g, hard_res, hard_rv, hard_kv
    """
    h = d.hard_h
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            upper, lower = open_gaps(m, d, j)
            v = off(d.hlim_var, 4 * j)
            r = off(d.hlim_res, 4 * j)
            r[0] = upper / h - v[0]
            r[2] = v[0] * v[1]
            d.hard_rv = max(d.hard_rv, abs(r[0]))
            d.hard_kv = max(d.hard_kv, abs(r[2] - d.hard_kappa))
            if d.hlim_kind[j] == ANGLE:
                # the slope of the angle at the trial pose
                angle, x, y, z = ball_turn(m, d, d.hard_qpos, j, ld4(d.hard_xquat, b))
                d.hlim_axis[j, 3] = x
                d.hlim_axis[j, 4] = y
                d.hlim_axis[j, 5] = z
                push_ball(m, d, j, d.hard_res, v[1])
                continue
            r[1] = lower / h - v[2]
            r[3] = v[2] * v[3]
            d.hard_g[m.jnt_dofadr[j]] += v[1] - v[3]
            d.hard_rv = max(d.hard_rv, abs(r[1]))
            d.hard_kv = max(d.hard_kv, abs(r[3] - d.hard_kappa))


@helper
def add_outer3(block, f, x, y):
    """Add f x y' to the angular part of a block."""
    for i in range(3):
        a = f * (x[0] if i == 0 else (x[1] if i == 1 else x[2]))
        block[24 + 8 * i + 3] += a * y[0]
        block[24 + 8 * i + 4] += a * y[1]
        block[24 + 8 * i + 5] += a * y[2]


@helper
def pair_with(d, b, a):
    """The pair of body b, which is eliminated earlier, with body a."""
    for p in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
        if d.hard_pair[p, 1] == a:
            return p
    return -1


@kernel()
def limit_blocks(m, d):
    """Add the limits' slopes to hard_H, those of balls to the blocks of the two bodies.

    Reads: hlim_kind, hlim_var, hlim_axis, hard_order, hard_first, hard_end, hard_pair, hard_pairadr, hard_pairnum
    Writes: hard_H, hard_block, hard_upper, hard_lower
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            slope = d.hlim_var[j, 1] / d.hlim_var[j, 0]
            if d.hlim_kind[j] == RANGE:
                d.hard_H[m.jnt_dofadr[j]] += slope + d.hlim_var[j, 3] / d.hlim_var[j, 2]
                continue
            # dgamma = slope axis . (turn of the body less that of its parent)
            z = ld6(d.hlim_axis, j)
            one = (z[0], z[1], z[2])
            two = (z[3], z[4], z[5])
            add_outer3(off(d.hard_block, 48 * b), slope, one, two)
            a = carrier_of(m, b)
            if a > 0:
                add_outer3(off(d.hard_block, 48 * a), slope, one, two)
                p = pair_with(d, b, a)
                add_outer3(off(d.hard_upper, 48 * p), -slope, one, two)
                add_outer3(off(d.hard_lower, 48 * p), -slope, one, two)


@helper
def side_target(d, j, side, target, corrector):
    """The product of a side less what it is to become, with the second-order term."""
    c = d.hlim_res[j, 2 + side] - target
    if corrector != 0:
        c += d.hlim_predict[j, 2 * side] * d.hlim_predict[j, 2 * side + 1]
    return c


@helper
def side_impulse(d, j, side, target, corrector, ds):
    """Change of a side's impulse with that of its slack."""
    return (-side_target(d, j, side, target, corrector) - d.hlim_var[j, 2 * side + 1] * ds) / d.hlim_var[j, 2 * side]


@kernel("m d f i")
def push_limits(m, d, target, corrector):
    """Add to hard_y, the right side of the dofs, and to hard_wrench what the limits' residuals alone change on the way to the products `target`.

    Reads: hlim_kind, hlim_var, hlim_res, hlim_predict, hlim_axis
    Writes: hard_y, hard_wrench
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            upper = side_impulse(d, j, 0, target, corrector, d.hlim_res[j, 0])
            if d.hlim_kind[j] == RANGE:
                d.hard_y[m.jnt_dofadr[j]] += upper - side_impulse(d, j, 1, target, corrector, d.hlim_res[j, 1])
            else:
                push_ball(m, d, j, d.hard_wrench, upper)


@kernel("m d f i")
def limit_directions(m, d, target, corrector):
    """hlim_step from hard_dir of the dofs and hard_nu of the bodies; target, corrector: as of push_limits."""
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] <= NONE:
                continue
            if d.hlim_kind[j] == RANGE:
                x = d.hard_dir[m.jnt_dofadr[j]]
                ds = d.hlim_res[j, 1] + x
                d.hlim_step[j, 2] = ds
                d.hlim_step[j, 3] = side_impulse(d, j, 1, target, corrector, ds)
            else:
                z = ld6(d.hlim_axis, j)
                n = ld6(d.hard_nu, b)
                w = (n[3], n[4], n[5])
                a = carrier_of(m, b)
                if a > 0:
                    n = ld6(d.hard_nu, a)
                    w = sub3(w, (n[3], n[4], n[5]))
                x = dot3((z[3], z[4], z[5]), w)
            ds = d.hlim_res[j, 0] - x
            d.hlim_step[j, 0] = ds
            d.hlim_step[j, 1] = side_impulse(d, j, 0, target, corrector, ds)


@kernel("m d f", ret="f")
def limit_fraction(m, d, part):
    """How far hlim_step may be followed, at most 1: this part of the way to the edge."""
    a = 1.0
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                for k in range(2 * sides(d, j)):
                    if d.hlim_step[j, k] < 0.0:
                        a = min(a, -part * d.hlim_var[j, k] / d.hlim_step[j, k])
    return a


@kernel("m d f", ret="f")
def limit_products(m, d, fraction):
    """Sum of all products after a part of hlim_step."""
    t = 0.0
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                for k in range(0, 2 * sides(d, j), 2):
                    t += (d.hlim_var[j, k] + fraction * d.hlim_step[j, k]) * (d.hlim_var[j, k + 1] + fraction * d.hlim_step[j, k + 1])
    return t


@kernel("m d f")
def move_limits(m, d, fraction):
    """hlim_var += fraction hlim_step.

    Reads: hlim_step
    Writes: hlim_var
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                for k in range(2 * sides(d, j)):
                    d.hlim_var[j, k] += fraction * d.hlim_step[j, k]


@kernel()
def keep_limits(m, d):
    """hlim_predict = hlim_step.

    Reads: hard_order, hard_first, hard_end, hlim_kind, hlim_step
    Writes: hlim_predict
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                for k in range(4):
                    d.hlim_predict[j, k] = d.hlim_step[j, k]


@helper
def limit_degree(m, d):
    """Number of the limits' orthant pairs in the present island."""
    n = 0
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                n += sides(d, j)
    return n
