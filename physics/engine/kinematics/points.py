"""How points that are fixed to bodies move: the dofs that move a body, and how a direction at a point looks to them.

A body turning with w and moving with v (about its tree's centre of mass c) moves the point at c + r along the unit vector u
with the speed v.u + w.(r x u): the direction becomes a six-vector once, and each dof's share is its product with cdof.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 2.
"""
from __future__ import annotations

from physics.engine.linalg.spatial import addscl6
from physics.engine.linalg.vec import add3, cross3, sub3
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld6


@helper
def last_dof(m, body):
    """Last dof of the nearest body, upwards from this one, that has any; -1 where none has."""
    b = m.body_weldid[body]
    n = m.body_dofnum[b]
    if n == 0:
        return -1
    return m.body_dofadr[b] + n - 1


@helper
def count_columns(m, a, b):
    """Number of dofs that move only one of the two chains that end at dofs a and b."""
    n = 0
    while a != b:
        if a > b:
            a = m.dof_parentid[a]
        else:
            b = m.dof_parentid[b]
        n += 1
    return n


@helper
def axis_wrench(u, r):
    """Motion along u of the point at r, as a six-vector against (w, v)."""
    c = cross3(r, u)
    return c[0], c[1], c[2], u[0], u[1], u[2]


@helper
def count_either(m, a, b):
    """Number of dofs on the chains that end at dofs a and b, those on both counted once."""
    n = 0
    while a >= 0 or b >= 0:
        k = max(a, b)
        if a == k:
            a = m.dof_parentid[a]
        if b == k:
            b = m.dof_parentid[b]
        n += 1
    return n


@helper
def moved(c, r):
    """Velocity of the point at r by the motion axis c."""
    x = cross3((c[0], c[1], c[2]), r)
    return x[0] + c[3], x[1] + c[4], x[2] + c[5]


@helper
def from_com(m, d, body, p):
    """Where the point p lies from the centre of mass of a body's tree."""
    return sub3(p, ld3(d.subtree_com, m.body_rootid[body]))


@helper
def drift(m, d, body):
    """Spatial acceleration of a body with all dofs at constant speed and no gravity."""
    acc = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    k = last_dof(m, body)
    while k >= 0:
        acc = addscl6(acc, ld6(d.cdof_dot, k), d.qvel[k])
        k = m.dof_parentid[k]
    return acc


@helper
def point_velocity(m, d, body, p):
    """Velocity of a point p that is fixed to a body."""
    return moved(ld6(d.cvel, body), from_com(m, d, body, p))


@helper
def point_drift(m, d, body, p):
    """Acceleration of a point p that is fixed to a body, with all dofs at constant speed and no gravity."""
    w = ld6(d.cvel, body)
    return add3(moved(drift(m, d, body), from_com(m, d, body, p)), cross3((w[0], w[1], w[2]), point_velocity(m, d, body, p)))
