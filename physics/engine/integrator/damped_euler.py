"""Which matrix Euler's method solves with: M + h D, D the derivative of dof damping, tree by tree.

A tree that nothing damps needs no second matrix: M's factor is there. But where one tree is damped all take the forces that the
solver has left: the accelerations that it was at would not fit them where it was stopped early, and momentum would be lost.

Source: MuJoCo documentation, Computation chapter, "Numerical integration" (Euler with implicit damping).
"""
from __future__ import annotations

from physics.engine.actuator.transmission import dof_damping
from physics.engine.kinematics.joints import poly_slope
from physics.kernels.decorators import helper


@helper
def dof_damping_slope(m, d, k):
    """Derivative of the damping force of dof k, with the sign turned."""
    b, p0, p1 = dof_damping(m, k)
    return poly_slope(b, p0, p1, abs(d.qvel[k]))


@helper
def has_dof_damping(m):
    """Whether any dof is damped, be it by an actuator on its joint."""
    n = 0
    for k in range(m.nv):
        if m.dof_damping[k] > 0.0:
            n += 1
    if n > 0:
        return True
    for k in range(m.nv):
        if m.dof_dampingpoly[k, 0] != 0.0 or m.dof_dampingpoly[k, 1] != 0.0:
            n += 1
    for j in range(m.njnt):
        if m.jnt_actuatorid[j] != -1:
            n += 1
    return n > 0


@helper
def is_damped(m, first, end):
    """Whether any of the dofs first to end - 1 is damped."""
    for k in range(first, end):
        if m.dof_damping[k] != 0.0 or m.dof_dampingpoly[k, 0] != 0.0 or m.dof_dampingpoly[k, 1] != 0.0 or m.jnt_actuatorid[m.dof_jntid[k]] != -1:
            return True
    return False


@helper
def add_damping(m, d, first, end):
    """qH = M + h D in the rows first to end - 1."""
    for k in range(m.M_rowadr[first], m.M_rowadr[end - 1] + m.M_rownnz[end - 1]):
        d.qH[k] = d.M[k]
    for k in range(first, end):
        d.qH[m.M_rowadr[k] + m.M_rownnz[k] - 1] += m.opt_timestep * dof_damping_slope(m, d, k)
