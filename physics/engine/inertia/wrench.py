"""Forces on bodies, gathered as one six-vector per body about its tree's centre of mass, and what they are to the joints.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 2 (forces as six-vectors) and table 5.1 (the inward pass).
"""
from __future__ import annotations

from physics.engine.kinematics.points import from_com
from physics.engine.linalg.spatial import add6, dot6
from physics.engine.linalg.vec import add3, cross3
from physics.kernels.decorators import helper
from physics.kernels.rows import ld6, st6


@helper
def clear_wrenches(m, d):
    """No force on any body."""
    for r in range(d.nbody_run):
        for i in range(d.body_run[r, 0], d.body_run[r, 1]):
            st6(d.body_frc, i, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@helper
def add_wrench(m, d, body, p, torque, force):
    """Add a torque, and a force at the point p, to what acts on a body; all in world axes."""
    t = add3(torque, cross3(from_com(m, d, body, p), force))
    st6(d.body_frc, body, add6(ld6(d.body_frc, body), (t[0], t[1], t[2], force[0], force[1], force[2])))


@helper
def spread_wrenches(m, d, qfrc):
    """qfrc: (nv,) becomes what the gathered forces are to the joints. Afterwards a body's row holds its whole subtree's force."""
    for r in range(d.nbody_run - 1, -1, -1):
        for i in range(d.body_run[r, 1] - 1, d.body_run[r, 0] - 1, -1):
            p = m.body_parentid[i]
            if p > 0:
                st6(d.body_frc, p, add6(ld6(d.body_frc, p), ld6(d.body_frc, i)))
    for r in range(d.ndof_run):
        for k in range(d.dof_run[r, 0], d.dof_run[r, 1]):
            qfrc[k] = dot6(ld6(d.cdof, k), ld6(d.body_frc, m.dof_bodyid[k]))
