"""Motion axes, inertias and velocities about the centre of mass of each kinematic tree.

All spatial quantities of a tree are about one point, the centre of mass of the tree's root body, along the world's
axes: sums up and down the tree need no transformations.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapters 2 and 5; MuJoCo documentation, Computation chapter.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import joint_axes, joint_velocity
from physics.engine.linalg.spatial import inertia10
from physics.engine.linalg.vec import sub3
from physics.engine.sleep.awake import some_asleep
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, st6, st10


@helper
def inertias_and_axes(m, d, first, end):
    """cinert of the bodies first to end - 1, and cdof of their joints."""
    for i in range(first, end):
        com = ld3(d.subtree_com, m.body_rootid[i])
        st10(d.cinert, i, inertia10(ld3(m.body_inertia, i), ld9(d.ximat, i), sub3(ld3(d.xipos, i), com), m.body_mass[i]))
        j = m.body_jntadr[i]
        for k in range(j, j + m.body_jntnum[i]):
            joint_axes(m, d, k, com)


@kernel()
def com_pos(m, d):
    """Express inertias and motion axes about the trees' centres of mass.

    Reads: xipos, ximat, xmat, xanchor, xaxis, subtree_com
    Writes: cinert, cdof
    """
    st10(d.cinert, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if not some_asleep(m, d):
        inertias_and_axes(m, d, 1, m.nbody)
    else:
        for r in range(d.nbody_run):
            inertias_and_axes(m, d, d.body_run[r, 0], d.body_run[r, 1])


@helper
def velocities_outwards(m, d, first, end):
    """cvel of the bodies first to end - 1, and cdof_dot of their joints."""
    for i in range(first, end):
        v = ld6(d.cvel, m.body_parentid[i])
        j = m.body_jntadr[i]
        for k in range(j, j + m.body_jntnum[i]):
            v = joint_velocity(m, d, k, v)
        st6(d.cvel, i, v)


@kernel()
def com_vel(m, d):
    """Velocities of the bodies and of the motion axes.

    Reads: cdof, xaxis, qvel
    Writes: cvel, cdof_dot
    Source: Featherstone 2008, (4.8) and table 5.1; the axes of one ball share the velocity before the joint.
    """
    st6(d.cvel, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if not some_asleep(m, d):
        velocities_outwards(m, d, 1, m.nbody)
    else:
        for r in range(d.nbody_run):
            velocities_outwards(m, d, d.body_run[r, 0], d.body_run[r, 1])
