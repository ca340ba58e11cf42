"""How points that are fixed to bodies move: the dofs that move a body, and how a direction at a point looks to them.

A body turning with w and moving with v (about its tree's centre of mass c) moves the point at c + r along the unit vector u
with the speed v.u + w.(r x u): the direction becomes a six-vector once, and each dof's share is its product with cdof.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 2.
"""
from __future__ import annotations

from physics.engine.linalg.vec import cross3
from physics.kernels.decorators import helper


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
