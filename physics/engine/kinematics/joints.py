"""Everything that depends on the type of a joint: its frame, motion axes, velocity, spring, and how it advances.

    type   qpos                      dofs
    FREE   position 3, quaternion 4  translation along the world's axes 3, rotation about the body's axes 3
    BALL   quaternion 4              rotation about the body's axes 3
    SLIDE  displacement              1
    HINGE  angle                     1

Other files loop over joints and call these; none of them asks for a joint's type.

Source: MuJoCo documentation, Computation chapter, "Kinematic tree" and "Passive forces"; Featherstone, "Rigid Body
Dynamics Algorithms", chapter 4 (the motion axes, here about the tree's centre of mass).
"""
from __future__ import annotations

from physics.engine.linalg.quat import axis_angle, conj4, mul4, rotate, sub_quat, to_mat, to_rotvec, turn, unit4
from physics.engine.linalg.spatial import addscl6, cross_motion
from physics.engine.linalg.vec import add3, addscl3, cross3, dot3, mat_vec3, norm3, sub3
from physics.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld6, st3, st6


@helper
def position_at(qpos, a):
    """Three numbers of qpos from address a."""
    return qpos[a], qpos[a + 1], qpos[a + 2]


@helper
def quat_at(qpos, a):
    """Four numbers of qpos from address a, not normalised."""
    return qpos[a], qpos[a + 1], qpos[a + 2], qpos[a + 3]


@helper
def dof_count(jnt_type):
    """Number of dofs of a joint type."""
    if jnt_type >= JNT_SLIDE:
        return 1
    if jnt_type == JNT_BALL:
        return 3
    return 6


@helper
def coordinate_count(jnt_type):
    """Number of coordinates of a joint type."""
    if jnt_type >= JNT_SLIDE:
        return 1
    if jnt_type == JNT_BALL:
        return 4
    return 7


@helper
def rotation_dof(m, j):
    """First of the three rotation dofs of a joint with a quaternion, -1 for scalar joints."""
    kind = m.jnt_type[j]
    if kind == JNT_FREE:
        return m.jnt_dofadr[j] + 3
    if kind == JNT_BALL:
        return m.jnt_dofadr[j]
    return -1


@helper
def is_free(m, body):
    """Whether the body's pose is that of its one free joint."""
    return m.body_jntnum[body] == 1 and m.jnt_type[m.body_jntadr[body]] == JNT_FREE


@helper
def is_lone_free(m, j):
    """Whether joint j is the free joint of a body with no other joints, nor any in what it carries: all of the tree is one rigid body."""
    if m.jnt_type[j] != JNT_FREE:
        return False
    b = m.jnt_bodyid[j]
    return m.body_jntnum[b] == 1 and m.tree_dofnum[m.body_treeid[b]] == 6


@helper
def is_ball(m, j):
    """Whether joint j is a ball."""
    return m.jnt_type[j] == JNT_BALL


@helper
def is_slide(m, j):
    """Whether joint j is a slide."""
    return m.jnt_type[j] == JNT_SLIDE


@helper
def free_pose(m, d, j):
    """Position and unit quaternion of a free joint; writes its xanchor and xaxis."""
    a = m.jnt_qposadr[j]
    p = position_at(d.qpos, a)
    st3(d.xanchor, j, p)
    st3(d.xaxis, j, ld3(m.jnt_axis, j))
    return p, unit4(quat_at(d.qpos, a + 3))


@helper
def hinge_angle(m, d, j):
    """How far a hinge has turned, or a slide moved, from where the body's frame was defined."""
    a = m.jnt_qposadr[j]
    return d.qpos[a] - m.qpos0[a]


@helper
def joint_turn(m, d, j, local):
    """Rotation of a hinge about its axis `local`, or of a ball."""
    if m.jnt_type[j] == JNT_HINGE:
        return axis_angle(local, hinge_angle(m, d, j))
    return unit4(quat_at(d.qpos, m.jnt_qposadr[j]))


@helper
def is_origin(p):
    """Whether a point is exactly the origin, where most joints are."""
    return p[0] == 0.0 and p[1] == 0.0 and p[2] == 0.0


@helper
def joint_pose(m, d, j, p, q):
    """Body pose (p, q) before the joint j, which another follows -> pose after it; writes its xanchor and xaxis."""
    pos = ld3(m.jnt_pos, j)
    local = ld3(m.jnt_axis, j)
    axis = rotate(q, local)
    central = is_origin(pos)
    anchor = p
    if not central:
        anchor = add3(rotate(q, pos), p)
    st3(d.xaxis, j, axis)
    st3(d.xanchor, j, anchor)
    if m.jnt_type[j] == JNT_SLIDE:
        return addscl3(p, axis, hinge_angle(m, d, j)), q
    q = mul4(q, joint_turn(m, d, j, local))
    if not central:
        p = sub3(anchor, rotate(q, pos))
    return p, q


@helper
def last_joint_pose(m, d, j, p, q):
    """As joint_pose for a body's last joint, with the final orientation as a unit quaternion and as a matrix: (p, q, matrix).

    A hinge's axis does not move with its own turn, so the matrix, which is needed anyway, serves for it.
    """
    kind = m.jnt_type[j]
    pos = ld3(m.jnt_pos, j)
    local = ld3(m.jnt_axis, j)
    central = is_origin(pos)
    anchor = p
    if not central:
        anchor = add3(rotate(q, pos), p)
    st3(d.xanchor, j, anchor)
    if kind == JNT_BALL:
        st3(d.xaxis, j, rotate(q, local))
    if kind != JNT_SLIDE:
        q = mul4(q, joint_turn(m, d, j, local))
    q = unit4(q)
    r = to_mat(q)
    axis = mat_vec3(r, local)
    if kind == JNT_SLIDE:
        p = addscl3(p, axis, hinge_angle(m, d, j))
    elif not central:
        p = sub3(anchor, mat_vec3(r, pos))
    if kind != JNT_BALL:
        st3(d.xaxis, j, axis)
    return p, q, r


@helper
def axes_about(axis, k, anchor, q):
    """Rows k to k + 2 of `axis`: the axes of the frame q, through the point anchor."""
    r = to_mat(q)
    st6(axis, k, (anchor[0], anchor[1], anchor[2], r[0], r[3], r[6]))
    st6(axis, k + 1, (anchor[0], anchor[1], anchor[2], r[1], r[4], r[7]))
    st6(axis, k + 2, (anchor[0], anchor[1], anchor[2], r[2], r[5], r[8]))


@helper
def joint_place(m, qpos, j, p, q, axis):
    """Body pose (p, q) before the joint j, which has the coordinates qpos -> pose after it. joint_twists makes twists of what it writes to `axis`.

    Rows of its dofs in `axis`: of a translation its direction and zeros, of a rotation the anchor and its direction.
    """
    a = m.jnt_qposadr[j]
    k = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_FREE:
        st6(axis, k, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        st6(axis, k + 1, (0.0, 1.0, 0.0, 0.0, 0.0, 0.0))
        st6(axis, k + 2, (0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
        p = position_at(qpos, a)
        q = unit4(quat_at(qpos, a + 3))
        axes_about(axis, k + 3, p, q)
        return p, q
    local = ld3(m.jnt_axis, j)
    if kind == JNT_SLIDE:
        x = rotate(q, local)
        st6(axis, k, (x[0], x[1], x[2], 0.0, 0.0, 0.0))
        return addscl3(p, x, qpos[a] - m.qpos0[a]), q
    pos = ld3(m.jnt_pos, j)
    anchor = add3(rotate(q, pos), p)
    if kind == JNT_HINGE:
        x = rotate(q, local)
        st6(axis, k, (anchor[0], anchor[1], anchor[2], x[0], x[1], x[2]))
        q = mul4(q, axis_angle(local, qpos[a] - m.qpos0[a]))
    else:
        q = mul4(q, unit4(quat_at(qpos, a)))
        axes_about(axis, k, anchor, q)
    return sub3(anchor, rotate(q, pos)), q


@helper
def joint_twists(m, j, com, axis):
    """Make of what joint_place has written the twists of the point com: linear part first."""
    first = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_SLIDE:
        return
    if kind == JNT_FREE:
        first += 3
    for k in range(first, m.jnt_dofadr[j] + dof_count(kind)):
        s = ld6(axis, k)
        c = cross3((s[3], s[4], s[5]), sub3(com, (s[0], s[1], s[2])))
        st6(axis, k, (c[0], c[1], c[2], s[3], s[4], s[5]))


@helper
def joint_axes(m, d, j, com):
    """Write cdof of the joint's dofs: motion axes about the point com (the tree's centre of mass), in world axes."""
    a = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_SLIDE:
        x = ld3(d.xaxis, j)
        st6(d.cdof, a, (0.0, 0.0, 0.0, x[0], x[1], x[2]))
        return
    arm = sub3(com, ld3(d.xanchor, j))
    if kind == JNT_HINGE:
        x = ld3(d.xaxis, j)
        c = cross3(x, arm)
        st6(d.cdof, a, (x[0], x[1], x[2], c[0], c[1], c[2]))
        return
    if kind == JNT_FREE:
        st6(d.cdof, a, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0))
        st6(d.cdof, a + 1, (0.0, 0.0, 0.0, 0.0, 1.0, 0.0))
        st6(d.cdof, a + 2, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
        a += 3
    b = m.jnt_bodyid[j]
    for k in range(3):
        x = (d.xmat[b, k], d.xmat[b, k + 3], d.xmat[b, k + 6])
        c = cross3(x, arm)
        st6(d.cdof, a + k, (x[0], x[1], x[2], c[0], c[1], c[2]))


@helper
def joint_velocity(m, d, j, v):
    """Spatial velocity v before the joint -> velocity after it; writes cdof_dot of its dofs.

    An axis moves with the velocity gathered before its joint; the three axes of a rotation share that velocity.
    """
    a = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind == JNT_SLIDE:
        x = ld3(d.xaxis, j)
        turned = cross3((v[0], v[1], v[2]), x)
        st6(d.cdof_dot, a, (0.0, 0.0, 0.0, turned[0], turned[1], turned[2]))
        moved = addscl3((v[3], v[4], v[5]), x, d.qvel[a])
        return v[0], v[1], v[2], moved[0], moved[1], moved[2]
    if kind == JNT_HINGE:
        c = ld6(d.cdof, a)
        st6(d.cdof_dot, a, cross_motion(v, c))
        return addscl6(v, c, d.qvel[a])
    if kind == JNT_FREE:
        for k in range(3):
            st6(d.cdof_dot, a + k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        v = (v[0], v[1], v[2], v[3] + d.qvel[a], v[4] + d.qvel[a + 1], v[5] + d.qvel[a + 2])
        a += 3
    c0 = ld6(d.cdof, a)
    c1 = ld6(d.cdof, a + 1)
    c2 = ld6(d.cdof, a + 2)
    st6(d.cdof_dot, a, cross_motion(v, c0))
    st6(d.cdof_dot, a + 1, cross_motion(v, c1))
    st6(d.cdof_dot, a + 2, cross_motion(v, c2))
    v = addscl6(v, c0, d.qvel[a])
    v = addscl6(v, c1, d.qvel[a + 1])
    return addscl6(v, c2, d.qvel[a + 2])


@helper
def joint_axis_rates(m, d, j):
    """Write axis_rate of the joint's dofs: the axes' rates as carried by the body before the joint plus those after it.

    A scalar joint does not move its own axis; the axes of a rotation are turned by the whole of it.
    """
    a = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        r = ld6(d.cdof_dot, a)
        st6(d.axis_rate, a, addscl6(r, r, 1.0))
        return
    if kind == JNT_FREE:
        for k in range(3):
            st6(d.axis_rate, a + k, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        a += 3
    v = addscl6((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), ld6(d.cdof, a), d.qvel[a])
    v = addscl6(v, ld6(d.cdof, a + 1), d.qvel[a + 1])
    v = addscl6(v, ld6(d.cdof, a + 2), d.qvel[a + 2])
    for k in range(a, a + 3):
        r = ld6(d.cdof_dot, k)
        st6(d.axis_rate, k, addscl6(addscl6(r, r, 1.0), cross_motion(v, ld6(d.cdof, k)), 1.0))


@helper
def turn_quat(qpos, a, w, h):
    """Advance the quaternion at address a by the body's angular velocity w for the time h."""
    q = turn(quat_at(qpos, a), w, h)
    for k in range(4):
        qpos[a + k] = q[k]


@helper
def ball_turn(m, d, j):
    """Rotation vector of ball joint j."""
    return to_rotvec(unit4(quat_at(d.qpos, m.jnt_qposadr[j])))


@helper
def joint_advance(m, qpos, qvel, j, h):
    """Advance the joint's coordinates in qpos by the velocities in qvel for the time h."""
    a = m.jnt_qposadr[j]
    k = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        qpos[a] += h * qvel[k]
        return
    if kind == JNT_FREE:
        qpos[a] += h * qvel[k]
        qpos[a + 1] += h * qvel[k + 1]
        qpos[a + 2] += h * qvel[k + 2]
        a += 3
        k += 3
    turn_quat(qpos, a, (qvel[k], qvel[k + 1], qvel[k + 2]), h)


@helper
def joint_difference(m, one, two, j, h, out):
    """Write to the joint's dofs of `out` the velocities that lead from the coordinates `one` to `two` in the time h."""
    a = m.jnt_qposadr[j]
    k = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        out[k] = (two[a] - one[a]) / h
        return
    if kind == JNT_FREE:
        for i in range(3):
            out[k + i] = (two[a + i] - one[a + i]) / h
        a += 3
        k += 3
    w = sub_quat(quat_at(two, a), quat_at(one, a))
    for i in range(3):
        out[k + i] = w[i] / h


@helper
def joint_normalize(m, qpos, j):
    """Make the joint's quaternion in qpos one of length 1."""
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        return
    a = m.jnt_qposadr[j]
    if kind == JNT_FREE:
        a += 3
    q = unit4(quat_at(qpos, a))
    for k in range(4):
        qpos[a + k] = q[k]


@helper
def joint_moment(m, d, j, out, adr, inparent):
    """Write length and moment row (at address adr) of the actuator output `out` on joint j; returns the row's length.

    A scalar joint takes gear[0]; a ball takes gear[0:3] as torque axis, and the length is the rotation vector's part
    along it; a free joint takes force gear[0:3] and torque gear[3:6] and has length 0. With inparent the torque axis
    is fixed in the parent's frame.
    """
    a = m.jnt_qposadr[j]
    dof = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        gear = m.actuator_gear[out, 0]
        d.actuator_length[out] = gear * d.qpos[a]
        d.actuator_moment[adr] = gear
        d.moment_colind[adr] = dof
        return 1
    n = 3
    length = 0.0
    if kind == JNT_FREE:
        n = 6
        a += 3
    axis = (m.actuator_gear[out, n - 3], m.actuator_gear[out, n - 2], m.actuator_gear[out, n - 1])
    q = unit4(quat_at(d.qpos, a))
    if inparent:
        axis = rotate(conj4(q), axis)
    if kind == JNT_BALL:
        length = dot3(to_rotvec(q), axis)
    d.actuator_length[out] = length
    for k in range(n - 3):
        d.actuator_moment[adr + k] = m.actuator_gear[out, k]
    for k in range(3):
        d.actuator_moment[adr + n - 3 + k] = axis[k]
    for k in range(n):
        d.moment_colind[adr + k] = dof + k
    return n


# ---------------------------------------------------------------- springs


@helper
def poly(k, p0, p1, x):
    """Coefficient k + p0 x + p1 x^2 of a force -x (k + ...)."""
    return k + x * (p0 + x * p1)


@helper
def poly_slope(k, p0, p1, x):
    """Derivative of x (k + p0 x + p1 x^2)."""
    return k + x * (2.0 * p0 + 3.0 * x * p1)


@helper
def poly_energy(k, p0, p1, x):
    """Integral from 0 to x of t (k + p0 t + p1 t^2)."""
    return x * x * (0.5 * k + x * (p0 / 3.0 + 0.25 * x * p1))


@helper
def rotation_from_spring(m, d, a):
    """Rotation vector from the spring's rest orientation to the quaternion at address a."""
    return sub_quat(unit4(quat_at(d.qpos, a)), quat_at(m.qpos_spring, a))


@helper
def shift_from_spring(m, d, a):
    """How far the position at address a is from the spring's rest position."""
    return sub3(position_at(d.qpos, a), position_at(m.qpos_spring, a))


@helper
def spring_of(m, j):
    """(k, p0, p1) of the joint's spring."""
    return m.jnt_stiffness[j], m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1]


@helper
def joint_spring(m, d, j):
    """Add the joint's spring force to qfrc_spring (a polynomial in the displacement, the distance or the angle)."""
    k, p0, p1 = spring_of(m, j)
    a = m.jnt_qposadr[j]
    v = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        x = d.qpos[a] - m.qpos_spring[a]
        d.qfrc_spring[v] = -x * poly(k, p0, p1, x)
        return
    if kind == JNT_FREE:
        x = shift_from_spring(m, d, a)
        s = poly(k, p0, p1, norm3(x))
        for i in range(3):
            d.qfrc_spring[v + i] = -s * x[i]
        a += 3
        v += 3
    x = rotation_from_spring(m, d, a)
    s = poly(k, p0, p1, norm3(x))
    for i in range(3):
        d.qfrc_spring[v + i] = -s * x[i]


@helper
def joint_spring_slope(m, d, j):
    """Write spring_slope of the joint's dofs: how the spring's coefficient, for distance or angle as a whole, changes with it."""
    k, p0, p1 = spring_of(m, j)
    a = m.jnt_qposadr[j]
    v = m.jnt_dofadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        d.spring_slope[v] = poly_slope(k, p0, p1, d.qpos[a] - m.qpos_spring[a])
        return
    if kind == JNT_FREE:
        s = poly_slope(k, p0, p1, norm3(shift_from_spring(m, d, a)))
        for i in range(3):
            d.spring_slope[v + i] = s
        a += 3
        v += 3
    s = poly_slope(k, p0, p1, norm3(rotation_from_spring(m, d, a)))
    for i in range(3):
        d.spring_slope[v + i] = s


@helper
def joint_spring_energy(m, d, j):
    """Energy stored in the joint's spring [J]."""
    k, p0, p1 = spring_of(m, j)
    a = m.jnt_qposadr[j]
    kind = m.jnt_type[j]
    if kind >= JNT_SLIDE:
        return poly_energy(k, p0, p1, d.qpos[a] - m.qpos_spring[a])
    e = 0.0
    if kind == JNT_FREE:
        e = poly_energy(k, p0, p1, norm3(shift_from_spring(m, d, a)))
        a += 3
    return e + poly_energy(k, p0, p1, norm3(rotation_from_spring(m, d, a)))
