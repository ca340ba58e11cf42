"""What users ask of a computed state: velocities and accelerations of points, products and solutions with M.

Vectors of the user stand in query_in, answers in query_out and query_motion; physics/query/object_motion.py and physics/query/mass_matrix.py hand
them over.
"""
from __future__ import annotations

from physics.engine.inertia.mass_matrix import mul_m_vec, solve_m_vec
from physics.engine.kinematics.points import from_com, last_dof, moved, point_velocity
from physics.engine.linalg.vec import add3, cross3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6


@helper
def put_motion(d, rot, lin):
    """Write a motion: rotation, then translation."""
    for i in range(3):
        d.query_motion[i] = rot[i]
        d.query_motion[3 + i] = lin[i]


@kernel("m d i f f f")
def velocity_at(m, d, body, x, y, z):
    """Angular and linear velocity of a body at the point (x, y, z) [m, world]; zero for bodies that no dof moves.

    Reads: cvel, subtree_com
    Writes: query_motion
    """
    zero = (0.0, 0.0, 0.0)
    if last_dof(m, body) < 0:
        put_motion(d, zero, zero)
        return
    w = ld6(d.cvel, body)
    put_motion(d, (w[0], w[1], w[2]), point_velocity(m, d, body, (x, y, z)))


@kernel("m d i f f f")
def acceleration_at(m, d, body, x, y, z):
    """Angular and linear acceleration of a body's point at (x, y, z) [m, world], gravity as an acceleration upwards.

    Reads: cacc, cvel, subtree_com
    Writes: query_motion
    """
    p = (x, y, z)
    a = ld6(d.cacc, body)
    w = ld6(d.cvel, body)
    turning = cross3((w[0], w[1], w[2]), point_velocity(m, d, body, p))
    put_motion(d, (a[0], a[1], a[2]), add3(moved(a, from_com(m, d, body, p)), turning))


@kernel()
def mul_m(m, d):
    """query_out = M query_in.

    Reads: M, query_in
    Writes: query_out
    """
    mul_m_vec(m, d, d.query_in, d.query_out)


@kernel()
def solve_m(m, d):
    """query_out = M^-1 query_in, by the factor of M or ABA.

    Reads: qLD, qLDiagInv, aba_trees, query_in
    Writes: query_out, aba_x
    """
    for k in range(m.nv):
        d.query_out[k] = d.query_in[k]
    solve_m_vec(m, d, d.query_out)
