"""One step of differential inverse kinematics, in one call: poses, rows of tasks, damping, rest posture, and the least squares problem within the box of limits and speeds.

    min over dq   |W (J dq - e)|^2 + lambda^2 |dq|^2 + |D^(1/2) N (dq - k (q_rest - q))|^2     subject to     max(lo - q, -h vmax) <= dq <= min(hi - q, h vmax)

Rows of W J are three of a frame's position and three of its orientation; of a pair of frames that is held together they are the difference of both frames' rows at the place where the second ought to be. The rows are turned into each
other until they are orthogonal (one-sided Jacobi): then they are the singular directions, their lengths the singular values, and J' W' W J is the sum of their squares as before. D: strength of the rest posture of each joint.

Source: Nakamura and Hanafusa, "Inverse kinematic solutions with singularity robustness for robot manipulator control", 1986; Chiaverini, Siciliano and Egeland, "Review of the damped least-squares inverse kinematics with experiments on an
industrial robot manipulator", 1994 (numerical filtering of the damping); Hestenes, "Inversion of matrices by biorthogonalization and related results", 1958, and Golub and Van Loan, "Matrix Computations", 4th edition, 8.6.3 (one-sided Jacobi).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import bodies, frames, subtree_com
from physics.engine.kinematics.objects import object_mat, object_pos
from physics.engine.kinematics.points import from_com, last_dof, moved
from physics.engine.linalg.box_qp import box_qp
from physics.engine.linalg.quat import mul4, sub_quat, unit4
from physics.engine.linalg.vec import add3, dot3, mat_vec3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, off

TURN_LENGTH = 0.2       # m that a radian counts as
SINGULAR = 0.04         # singular value of W J [m] below which the damping rises
DAMPING, MOST_DAMPING = 1e-3, 0.05      # lambda [m]: away from singular poses, and at one
NOTHING = 1e-18         # square of a singular value [m2] without a direction
POSTURE = 1e-3 * TURN_LENGTH * TURN_LENGTH      # of D for a strength of 1 [m2]: beside the square of the length of a column of J
SWEEPS = 12             # of rotations over all pairs of rows, at most; four to six are usual
ORTHOGONAL = 1e-10      # cosine between two rows that counts as 0
STEPS = 60              # of Newton's method in the box, at most


@helper
def from_mat(r):
    """The unit quaternion of a rotation matrix, nine numbers by rows.

    Source: Shepperd, "Quaternion from rotation matrix", Journal of Guidance and Control 1, 1978: by the largest of its four components.
    """
    trace = r[0] + r[4] + r[8]
    if trace >= r[0] and trace >= r[4] and trace >= r[8]:
        return unit4((1.0 + trace, r[7] - r[5], r[2] - r[6], r[3] - r[1]))
    if r[0] >= r[4] and r[0] >= r[8]:
        return unit4((r[7] - r[5], 1.0 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6]))
    if r[4] >= r[8]:
        return unit4((r[2] - r[6], r[1] + r[3], 1.0 - r[0] + r[4] - r[8], r[5] + r[7]))
    return unit4((r[3] - r[1], r[2] + r[6], r[5] + r[7], 1.0 - r[0] - r[4] + r[8]))


@helper
def add_rows(m, d, a, n, row, body, point, scale, turns):
    """Add scale times the Jacobian of a point [world] of a body to three rows of W J, or that of its orientation where `turns`."""
    arm = from_com(m, d, body, point)
    k = last_dof(m, body)
    while k >= 0:
        c = a.ik_column[k]
        if c >= 0 and a.ik_moves[c] != 0:
            axis = ld6(d.cdof, k)
            v = moved(axis, arm)
            if turns:
                v = (axis[0], axis[1], axis[2])
            a.ik_jacobian[row * n + c] += scale * v[0]
            a.ik_jacobian[(row + 1) * n + c] += scale * v[1]
            a.ik_jacobian[(row + 2) * n + c] += scale * v[2]
        k = m.dof_parentid[k]


@helper
def begin_rows(a, n, row, scale, e):
    """Three rows without a Jacobian yet; scale times e is what they are to do."""
    for k in range(row * n, (row + 3) * n):
        a.ik_jacobian[k] = 0.0
    a.ik_residual[row] = scale * e[0]
    a.ik_residual[row + 1] = scale * e[1]
    a.ik_residual[row + 2] = scale * e[2]


@helper
def task_rows(m, d, a, n, ntask, gain):
    """Rows of the frames that are led; how many."""
    row = 0
    for t in range(ntask):
        a.ik_error[2 * t] = 0.0
        a.ik_error[2 * t + 1] = 0.0
        asked = a.ik_asked[t]
        if asked == 0:
            continue
        kind = a.ik_kind[t]
        i = a.ik_index[t]
        body = a.ik_body[t]
        here = object_pos(d, kind, i)
        weight = a.ik_weight[t, 0]
        if weight > 0.0:
            away = sub3(ld3(a.ik_pos, t), here)
            a.ik_error[2 * t] = sqrt(dot3(away, away))
            begin_rows(a, n, row, weight * gain, away)
            add_rows(m, d, a, n, row, body, here, weight, False)
            row += 3
        weight = a.ik_weight[t, 1]
        if weight > 0.0 and asked == 2:
            r = object_mat(d, kind, i)
            turn = mat_vec3(r, sub_quat(unit4(ld4(a.ik_quat, t)), from_mat(r)))
            a.ik_error[2 * t + 1] = sqrt(dot3(turn, turn))
            begin_rows(a, n, row, weight * gain, turn)
            add_rows(m, d, a, n, row, body, here, weight, True)
            row += 3
    return row


@helper
def pair_rows(m, d, a, n, row, ntask, npair, gain):
    """Rows of the pairs that are held, after the `row` rows that there are: (J_b - J_a) dq = where b ought to be in a, less where it is. How many rows there are then."""
    for p in range(npair):
        a.ik_error[2 * (ntask + p)] = 0.0
        a.ik_error[2 * (ntask + p) + 1] = 0.0
        weight = a.ik_pair_weight[p]
        if weight <= 0.0:
            continue
        one = a.ik_pair[2 * p]
        other = a.ik_pair[2 * p + 1]
        r = object_mat(d, a.ik_kind[one], a.ik_index[one])
        s = object_mat(d, a.ik_kind[other], a.ik_index[other])
        here = object_pos(d, a.ik_kind[other], a.ik_index[other])
        place = add3(object_pos(d, a.ik_kind[one], a.ik_index[one]), mat_vec3(r, ld3(a.ik_pair_pos, p)))
        away = sub3(place, here)
        a.ik_error[2 * (ntask + p)] = sqrt(dot3(away, away))
        begin_rows(a, n, row, weight * gain, away)
        add_rows(m, d, a, n, row, a.ik_body[other], here, weight, False)
        add_rows(m, d, a, n, row, a.ik_body[one], place, -weight, False)
        row += 3
        turn = mat_vec3(s, sub_quat(mul4(from_mat(r), ld4(a.ik_pair_quat, p)), from_mat(s)))
        a.ik_error[2 * (ntask + p) + 1] = sqrt(dot3(turn, turn))
        weight *= TURN_LENGTH
        begin_rows(a, n, row, weight * gain, turn)
        add_rows(m, d, a, n, row, a.ik_body[other], here, weight, True)
        add_rows(m, d, a, n, row, a.ik_body[one], place, -weight, True)
        row += 3
    return row


@helper
def orthogonal_rows(j, square, rows, n):
    """j: (rows n,): rows are turned into each other, two at a time, until all are orthogonal; square: (rows,) takes the squares of their lengths."""
    for p in range(rows):
        s = 0.0
        for c in range(n):
            s += j[p * n + c] * j[p * n + c]
        square[p] = s
    for sweep in range(SWEEPS):
        turned = 0
        for p in range(rows - 1):
            for q in range(p + 1, rows):
                if square[p] <= NOTHING or square[q] <= NOTHING:
                    continue
                s = 0.0
                for c in range(n):
                    s += j[p * n + c] * j[q * n + c]
                if abs(s) <= ORTHOGONAL * sqrt(square[p] * square[q]):
                    continue
                turned += 1
                # tan of the angle, the smaller one, after which the two are orthogonal
                half = (square[q] - square[p]) / (2.0 * s)
                t = 1.0 / (abs(half) + sqrt(1.0 + half * half))
                if half < 0.0:
                    t = -t
                cosine = 1.0 / sqrt(1.0 + t * t)
                sine = t * cosine
                u = 0.0
                v = 0.0
                for c in range(n):
                    x = j[p * n + c]
                    y = j[q * n + c]
                    x1 = cosine * x - sine * y
                    y1 = sine * x + cosine * y
                    j[p * n + c] = x1
                    j[q * n + c] = y1
                    u += x1 * x1
                    v += y1 * y1
                square[p] = u
                square[q] = v
        if turned == 0:
            break


@helper
def smallest_value(square, rows, n):
    """The smallest singular value of `rows` directions in n dimensions."""
    rank = max(0, rows - n)
    for p in range(rows):
        before = 0
        for q in range(rows):
            if square[q] < square[p] or (square[q] == square[p] and q < p):
                before += 1
        if before == rank:
            return sqrt(square[p])
    return 0.0


@helper
def damped_hessian(a, n, rows):
    """J' W' W J with its damping, and the projector onto the null space.

    Numerical filtering: only directions that are near to singular are damped, so that the null space is not. N = I - J' (J J' + mu I)^-1 J."""
    for k in range(n * n):
        a.qp_hessian[k] = 0.0
        a.ik_kept[k] = 0.0
    for i in range(n):
        a.qp_hessian[i * n + i] = DAMPING * DAMPING
        a.ik_kept[i * n + i] = 1.0
    for p in range(rows):
        s2 = a.ik_square[p]
        if s2 <= NOTHING:
            continue
        extra = 0.0
        if s2 < SINGULAR * SINGULAR:
            extra = MOST_DAMPING * (1.0 - sqrt(s2) / SINGULAR)
            extra *= extra
        seen = 1.0 + extra / s2
        gone = 1.0 / (s2 + extra + DAMPING * DAMPING)
        for i in range(n):
            x = a.ik_jacobian[p * n + i]
            if x == 0.0:
                continue
            for k in range(n):
                y = x * a.ik_jacobian[p * n + k]
                a.qp_hessian[i * n + k] += seen * y
                a.ik_kept[i * n + k] -= gone * y


@helper
def add_posture(a, n, share):
    """The rest posture in the null space: N D N to the Hessian, N D N share (q_rest - q) to the gradient."""
    for i in range(n):
        for k in range(n):
            a.ik_room[i * n + k] = POSTURE * a.ik_posture[i] * a.ik_kept[i * n + k]
    for i in range(n):
        for k in range(i, n):
            s = 0.0
            for c in range(n):      # N is symmetric
                s += a.ik_kept[i * n + c] * a.ik_room[c * n + k]
            a.qp_hessian[i * n + k] += s
            rest = a.ik_rest[k] - a.ik_q[k]
            a.qp_gradient[i] += share * s * rest
            if k > i:
                a.qp_hessian[k * n + i] += s
                a.qp_gradient[k] += share * s * (a.ik_rest[i] - a.ik_q[i])


@kernel("m d a i")
def place(m, d, a, n):
    """Everything where the n joints of ik_q bring it: what Jacobians and distances are of.

    Reads: qpos, mocap_pos, mocap_quat
    Writes: qpos, and what bodies, frames, subtree_com and com_pos write
    """
    for i in range(n):
        d.qpos[a.ik_qposadr[i]] = a.ik_q[i]
    bodies(m, d)
    frames(m, d)
    subtree_com(m, d)
    com_pos(m, d)


@kernel("m d a i i i f f f", ret="f")
def differential_problem(m, d, a, n, ntask, npair, h, gain, posture_gain):
    """The least squares problem of a step of h [s] in qp_hessian, qp_gradient, qp_lo and qp_hi; the smallest singular value of W J [m]. gain, posture_gain: shares of the ways to the targets and to the rest posture that one step goes.

    a.ik_*: as in physics/fields/buffer_fields.py; ik_error takes what is left to each target, to the right pose of each pair after them."""
    place(m, d, a, n)
    rows = pair_rows(m, d, a, n, task_rows(m, d, a, n, ntask, gain), ntask, npair, gain)
    # gradient J' W' W e
    strength = 0.0
    moving = 0
    for i in range(n):
        s = 0.0
        for p in range(rows):
            s += a.ik_jacobian[p * n + i] * a.ik_residual[p]
        a.qp_gradient[i] = s
        strength += a.ik_posture[i]
        if a.ik_moves[i] != 0:
            moving += 1
    orthogonal_rows(off(a.ik_jacobian, 0), off(a.ik_square, 0), rows, n)
    damped_hessian(a, n, rows)
    if strength > 0.0:
        add_posture(a, n, posture_gain)
    # limits of joints and speeds, a box
    for i in range(n):
        most = a.ik_speed[i] * h
        if a.ik_moves[i] == 0:
            most = 0.0
        a.qp_lo[i] = min(max(a.ik_lo[i] - a.ik_q[i], -most), 0.0)
        a.qp_hi[i] = max(min(a.ik_hi[i] - a.ik_q[i], most), 0.0)
    return smallest_value(off(a.ik_square, 0), rows, moving)


@kernel("m d a i i i f f f", ret="f")
def differential_step(m, d, a, n, ntask, npair, h, gain, posture_gain):
    """differential_problem, and its minimum added to ik_q, which stays within its range. -1 where the problem has no minimum."""
    smallest = differential_problem(m, d, a, n, ntask, npair, h, gain, posture_gain)
    if box_qp(a, n, STEPS) < 0:
        return -1.0
    for i in range(n):
        a.ik_q[i] = min(max(a.ik_q[i] + a.qp_x[i], a.ik_lo[i]), a.ik_hi[i])
    return smallest
