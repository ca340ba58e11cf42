"""What users ask of a computed state: velocities and accelerations of points, products and solutions with M.

Vectors of the user stand in probe_in, answers in probe_out and probe_motion; physics/query/object_motion.py and physics/query/mass_matrix.py hand
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
        d.probe_motion[i] = rot[i]
        d.probe_motion[3 + i] = lin[i]


@kernel("m d i f f f")
def velocity_at(m, d, body, x, y, z):
    """Angular and linear velocity of a body at the point (x, y, z) [m, world]; zero for bodies that no dof moves.

    Reads: cvel, subtree_com
    Writes: probe_motion
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
    Writes: probe_motion
    """
    p = (x, y, z)
    a = ld6(d.cacc, body)
    w = ld6(d.cvel, body)
    turning = cross3((w[0], w[1], w[2]), point_velocity(m, d, body, p))
    put_motion(d, (a[0], a[1], a[2]), add3(moved(a, from_com(m, d, body, p)), turning))


@kernel()
def mul_m(m, d):
    """probe_out = M probe_in.

    Reads: M, probe_in
    Writes: probe_out
    """
    mul_m_vec(m, d, d.probe_in, d.probe_out)


@kernel()
def solve_m(m, d):
    """probe_out = M^-1 probe_in, by the factor of M or the recursion.

    Reads: qLD, qLDiagInv, deep_trees, probe_in
    Writes: probe_out, deep_x
    """
    for k in range(m.nv):
        d.probe_out[k] = d.probe_in[k]
    solve_m_vec(m, d, d.probe_out)
