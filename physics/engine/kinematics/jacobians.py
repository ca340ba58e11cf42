"""Jacobians of points, centres of mass and angular momenta, and their rates.

Row i of a Jacobian is the motion along world axis i by each dof at unit speed: 3 rows by nv columns. The kernels write
jac_lin (translation) and jac_ang (rotation); physics/query/jacobian.py hands them out.

With crb, the inertias of bodies with all that they carry, momenta need no sum over bodies: a dof moves one such composite
as a whole, be it the body in question or a part of what it carries.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapters 2 and 6; Orin and Goswami, "Centroidal momentum matrix of a
humanoid robot", IROS 2008.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import dof_count, rotation_dof
from physics.engine.kinematics.points import from_com, last_dof, moved, point_velocity
from physics.engine.linalg.spatial import addscl6, cross_motion, mul_inertia
from physics.engine.linalg.vec import add3, cross3, sub3
from physics.enums import MINVAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld10


@helper
def put_column(out, nv, k, v):
    """Column k of a 3 by nv matrix."""
    out[k] = v[0]
    out[nv + k] = v[1]
    out[2 * nv + k] = v[2]


@helper
def clear(out, n):
    """n zeros."""
    for k in range(n):
        out[k] = 0.0


@kernel("m d i f f f")
def jac(m, d, body, x, y, z):
    """Jacobian of the point (x, y, z) [m, world] that is fixed to a body.

    Reads: cdof, subtree_com
    Writes: jac_lin, jac_ang
    """
    nv = m.nv
    clear(d.jac_lin, 3 * nv)
    clear(d.jac_ang, 3 * nv)
    arm = from_com(m, d, body, (x, y, z))
    k = last_dof(m, body)
    while k >= 0:
        c = ld6(d.cdof, k)
        put_column(d.jac_ang, nv, k, (c[0], c[1], c[2]))
        put_column(d.jac_lin, nv, k, moved(c, arm))
        k = m.dof_parentid[k]


@helper
def axis_rate(m, d, k):
    """Rate of the motion axis of dof k; the axes of a ball turn with the ball, those of other joints with what is before them."""
    j = m.dof_jntid[k]
    first = rotation_dof(m, j)
    if first < 0 or k < first:
        return ld6(d.cdof_dot, k)
    b = m.dof_bodyid[k]
    v = ld6(d.cvel, m.body_parentid[b])
    for a in range(m.body_dofadr[b], m.jnt_dofadr[j] + dof_count(m.jnt_type[j])):
        v = addscl6(v, ld6(d.cdof, a), d.qvel[a])
    return cross_motion(v, ld6(d.cdof, k))


@kernel("m d i f f f")
def jac_dot(m, d, body, x, y, z):
    """Rate of the Jacobian of the point (x, y, z) [m, world] that is fixed to a body.

    Reads: cdof, cdof_dot, cvel, qvel, subtree_com
    Writes: jac_lin, jac_ang
    """
    nv = m.nv
    clear(d.jac_lin, 3 * nv)
    clear(d.jac_ang, 3 * nv)
    p = (x, y, z)
    arm = from_com(m, d, body, p)
    speed = point_velocity(m, d, body, p)
    k = last_dof(m, body)
    while k >= 0:
        c = ld6(d.cdof, k)
        r = axis_rate(m, d, k)
        put_column(d.jac_ang, nv, k, (r[0], r[1], r[2]))
        put_column(d.jac_lin, nv, k, add3(moved(r, arm), cross3((c[0], c[1], c[2]), speed)))
        k = m.dof_parentid[k]


@helper
def last_inside(m, body):
    """Last body of those that a body carries, itself included; they follow it without a gap."""
    b = body + 1
    while b < m.nbody and m.body_parentid[b] >= body:
        b += 1
    return b - 1


@helper
def carried(m, k, body, last):
    """The composite body that dof k moves within what `body` carries: its own body or `body`; -1 where it moves none of it."""
    b = m.dof_bodyid[k]
    if b >= body:
        if b <= last:
            return b
        return -1
    # a dof outside moves it as a whole where its body is an ancestor
    a = body
    while a > b:
        a = m.body_parentid[a]
    if a == b:
        return body
    return -1


@kernel("m d i")
def jac_subtree_com(m, d, body):
    """Jacobian of the centre of mass of a body with all that it carries; zero where that has no mass.

    Reads: cdof, subtree_com
    Writes: jac_lin
    """
    nv = m.nv
    clear(d.jac_lin, 3 * nv)
    total = m.body_subtreemass[body]
    if total < MINVAL:
        return
    last = last_inside(m, body)
    for k in range(nv):
        b = carried(m, k, body, last)
        if b >= 0:
            v = moved(ld6(d.cdof, k), from_com(m, d, b, ld3(d.subtree_com, b)))
            s = m.body_subtreemass[b] / total
            put_column(d.jac_lin, nv, k, (s * v[0], s * v[1], s * v[2]))


@kernel("m d i")
def angmom_mat(m, d, body):
    """Matrix of the angular momentum of a body with all that it carries, about their centre of mass [kg m2/s per unit speed].

    Reads: cdof, crb, subtree_com
    Writes: jac_ang
    """
    nv = m.nv
    clear(d.jac_ang, 3 * nv)
    last = last_inside(m, body)
    at = ld3(d.subtree_com, body)
    for k in range(nv):
        b = carried(m, k, body, last)
        if b >= 0:
            h = mul_inertia(ld10(d.crb, b), ld6(d.cdof, k))
            arm = sub3(ld3(d.subtree_com, m.body_rootid[b]), at)
            put_column(d.jac_ang, nv, k, add3((h[0], h[1], h[2]), cross3(arm, (h[3], h[4], h[5]))))
