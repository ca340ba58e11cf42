"""The discrete momentum of a body, and its slope by the body's motion.

With (s, u) the rotation over a step, w = 2 u / h and I the inertia in world axes at its start, the angular momentum that a step begins with is
s I w + (h/2) w x I w, and the one that a step ends with s I w - (h/2) w x I w, seen from the end: the discrete Legendre transforms. All is in world axes.

Source: Dojo (engine/hard/__init__.py), equations 16 and 17; Manchester and Peck, "Quaternion Variational Integrators for Spacecraft Dynamics" (2016).
"""
from __future__ import annotations

from physics.engine.hard.poses import moves, place_all
from physics.engine.kinematics.joints import joint_advance
from physics.engine.linalg.quat import to_mat
from physics.engine.linalg.spatial import addscl6, world_inertia
from physics.engine.linalg.vec import cross3, mat_vec3
from physics.enums import DSBL_GRAVITY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, ld9, st3, st4, st6, st9


@kernel()
def keep_start(m, d):
    """Keep the pose at the start of the step, and the twists of the dofs there.

    Reads: qpos, qvel, xipos, xiquat, hard_axis, and what place_all reads
    Writes: hard_x2, hard_quat2, hard_qpos, hard_qpos2, hard_qd0, hard_axis2, and what place_all writes
    """
    for b in range(m.nbody):
        st3(d.hard_x2, b, ld3(d.xipos, b))
        st4(d.hard_quat2, b, ld4(d.xiquat, b))
    for k in range(m.nq):
        d.hard_qpos[k] = d.qpos[k]
        d.hard_qpos2[k] = d.qpos[k]
    place_all(m, d)
    for k in range(m.nv):
        d.hard_qd0[k] = d.qvel[k]
        st6(d.hard_axis2, k, ld6(d.hard_axis, k))


@helper
def wrench_on(m, d, b):
    """Force and torque on body b at its centre of mass: gravity, applied, the mouse's."""
    f = ld6(d.xfrc_applied, b)
    if d.perturb_bodyid == b and b > 0:
        x = d.xfrc_perturb
        f = (f[0] + x[0], f[1] + x[1], f[2] + x[2], f[3] + x[3], f[4] + x[4], f[5] + x[5])
    if m.opt_disableflags & DSBL_GRAVITY == 0:
        w = m.body_mass[b]
        f = (f[0] + w * m.opt_gravity[0], f[1] + w * m.opt_gravity[1], f[2] + w * m.opt_gravity[2], f[3], f[4], f[5])
    return f


@helper
def bring_momentum(m, d, b):
    """Inertia of body b at the start of the step, and the momentum that it brings along; hard_turn and hard_vel lead one step back."""
    i = world_inertia(ld3(m.body_inertia, b), to_mat(ld4(d.hard_quat2, b)))
    inertia = (i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2])
    st9(d.hard_inertia, b, inertia)
    # p = m v, l = s I w - (h/2) w x I w with the velocities of the last step
    mass = m.body_mass[b]
    v = ld6(d.hard_vel, b)
    s = d.hard_turn[b, 0]
    w = (-v[3], -v[4], -v[5])
    l = mat_vec3(inertia, w)
    c = cross3(w, l)
    e = 0.5 * d.hard_h
    st6(d.hard_mom, b, (-mass * v[0], -mass * v[1], -mass * v[2], s * l[0] - e * c[0], s * l[1] - e * c[1], s * l[2] - e * c[2]))


@helper
def add_wrench_on(m, d, b):
    """Add the impulses of gravity and applied wrenches on body b to its momentum."""
    st6(d.hard_mom, b, addscl6(ld6(d.hard_mom, b), wrench_on(m, d, b), d.hard_h))


@kernel()
def momenta(m, d):
    """Inertias at the start of the step, and the momenta that bodies bring along from one step before.

    hard_vel is that backwards afterwards: of the velocities' size, with the signs turned.

    Reads: hard_quat2, hard_qd0, hard_turn, hard_vel, hard_h, and what place_all reads
    Writes: hard_inertia, hard_mom, hard_qpos, and what place_all writes
    """
    # one step back: turn and difference quotients lead from the start to there
    for j in range(m.njnt):
        joint_advance(m, d.hard_qpos, d.hard_qd0, j, -d.hard_h)
    place_all(m, d)
    for b in range(1, m.nbody):
        if moves(m, b):
            bring_momentum(m, d, b)


@kernel()
def wrenches(m, d):
    """Add the impulses of gravity and applied wrenches to the momenta.

    Reads: xfrc_applied, xfrc_perturb, perturb_bodyid, hard_h
    Writes: hard_mom
    """
    for b in range(1, m.nbody):
        if moves(m, b):
            add_wrench_on(m, d, b)


@helper
def momentum_residual(m, d, b):
    """Momentum that body b takes into the trial pose, less what it brought along: linear part first."""
    mass = m.body_mass[b]
    v = ld6(d.hard_vel, b)
    w = (v[3], v[4], v[5])
    l = mat_vec3(ld9(d.hard_inertia, b), w)
    c = cross3(w, l)
    s = d.hard_turn[b, 0]
    e = 0.5 * d.hard_h
    p = ld6(d.hard_mom, b)
    return mass * v[0] - p[0], mass * v[1] - p[1], mass * v[2] - p[2], s * l[0] + e * c[0] - p[3], s * l[1] + e * c[1] - p[4], s * l[2] + e * c[2] - p[5]


@helper
def momentum_slope(d, b):
    """Slope of the angular momentum of body b by its turning (phi / h), nine numbers by rows.

    (s I + [u] I - [I u]) (s 1 - [u]) - (I u) u', regular at any turn.
    """
    i = ld9(d.hard_inertia, b)
    t = ld4(d.hard_turn, b)
    s = t[0]
    u = (t[1], t[2], t[3])
    y = mat_vec3(i, u)
    # B = s I + [u] I - [I u]
    b0 = s * i[0] + u[1] * i[6] - u[2] * i[3]
    b1 = s * i[1] + u[1] * i[7] - u[2] * i[4] + y[2]
    b2 = s * i[2] + u[1] * i[8] - u[2] * i[5] - y[1]
    b3 = s * i[3] + u[2] * i[0] - u[0] * i[6] - y[2]
    b4 = s * i[4] + u[2] * i[1] - u[0] * i[7]
    b5 = s * i[5] + u[2] * i[2] - u[0] * i[8] + y[0]
    b6 = s * i[6] + u[0] * i[3] - u[1] * i[0] + y[1]
    b7 = s * i[7] + u[0] * i[4] - u[1] * i[1] - y[0]
    b8 = s * i[8] + u[0] * i[5] - u[1] * i[2]
    # B (s 1 - [u]) - y u'
    return (s * b0 - (b1 * u[2] - b2 * u[1]) - y[0] * u[0], s * b1 - (b2 * u[0] - b0 * u[2]) - y[0] * u[1], s * b2 - (b0 * u[1] - b1 * u[0]) - y[0] * u[2],
            s * b3 - (b4 * u[2] - b5 * u[1]) - y[1] * u[0], s * b4 - (b5 * u[0] - b3 * u[2]) - y[1] * u[1], s * b5 - (b3 * u[1] - b4 * u[0]) - y[1] * u[2],
            s * b6 - (b7 * u[2] - b8 * u[1]) - y[2] * u[0], s * b7 - (b8 * u[0] - b6 * u[2]) - y[2] * u[1], s * b8 - (b6 * u[1] - b7 * u[0]) - y[2] * u[2])
