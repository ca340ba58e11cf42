"""All forces but those of constraints, summed, and the acceleration that they alone would give.

    qfrc_smooth = qfrc_passive - qfrc_bias + qfrc_applied + qfrc_actuator + J' xfrc_applied
    qacc_smooth = inv(M) qfrc_smooth

Source: MuJoCo documentation, Computation chapter, "Smooth dynamics".
"""
from __future__ import annotations

from physics.engine.inertia.mass_matrix import solve_m_awake
from physics.engine.integrator.discrete import discrete_smooth
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import add3, cross3, sub3
from physics.engine.sleep.awake import some_asleep
from physics.engine.solve.effective_mass_rows import rows_in_effective_mass
from physics.enums import INT_DISCRETE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, off


@helper
def add_wrench(m, d, body, frc, trq):
    """Add to qfrc_smooth the force frc at the body's centre of mass and the torque trq, both in world axes."""
    arm = sub3(ld3(d.xipos, body), ld3(d.subtree_com, m.body_rootid[body]))
    t = add3(trq, cross3(arm, frc))
    f = (t[0], t[1], t[2], frc[0], frc[1], frc[2])
    b = body
    while b > 0 and m.body_dofnum[b] == 0:
        b = m.body_parentid[b]
    if b > 0:
        k = m.body_dofadr[b] + m.body_dofnum[b] - 1
        while k >= 0:
            d.qfrc_smooth[k] += dot6(ld6(d.cdof, k), f)
            k = m.dof_parentid[k]


@kernel()
def xfrc_accumulate(m, d):
    """Add Cartesian forces on bodies, and the mouse's, to qfrc_smooth.

    Reads: xfrc_applied, xfrc_perturb, perturb_bodyid, xipos, subtree_com, cdof
    Writes: qfrc_smooth
    """
    if d.perturb_bodyid > 0:
        x = d.xfrc_perturb
        add_wrench(m, d, d.perturb_bodyid, (x[0], x[1], x[2]), (x[3], x[4], x[5]))
    forces = off(d.xfrc_applied, 0)
    count = 0
    for k in range(6, 6 * m.nbody):
        if forces[k] != 0.0:
            count += 1
    if count == 0:
        return
    for i in range(1, m.nbody):
        f = ld6(d.xfrc_applied, i)
        if f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0 or f[3] != 0.0 or f[4] != 0.0 or f[5] != 0.0:
            add_wrench(m, d, i, (f[0], f[1], f[2]), (f[3], f[4], f[5]))


@helper
def smooth_forces(d, first, end):
    """qfrc_smooth of the dofs first to end - 1, but for forces on bodies."""
    for k in range(first, end):
        d.qfrc_smooth[k] = d.qfrc_passive[k] - d.qfrc_bias[k] + d.qfrc_applied[k] + d.qfrc_actuator[k]


@helper
def begin_acceleration(d, first, end):
    """The forces that qacc_smooth follows from."""
    for k in range(first, end):
        d.qacc_smooth[k] = d.qfrc_smooth[k]


@kernel()
def fwd_acceleration(m, d):
    """Sum of all forces but the constraints', and the acceleration that it alone would give.

    Reads: qfrc_passive, qfrc_bias, qfrc_applied, qfrc_actuator, xfrc_applied, xfrc_perturb, qLD, qLDiagInv, aba_trees, and what discrete_smooth
        and rows_in_effective_mass read
    Writes: qfrc_smooth, qacc_smooth, aba_x, under the discrete integrator also qacc_step and what discrete_smooth and rows_in_effective_mass write
    """
    asleep = some_asleep(m, d)
    if not asleep:
        smooth_forces(d, 0, m.nv)
    else:
        for r in range(d.ndof_run):
            smooth_forces(d, d.dof_run[r, 0], d.dof_run[r, 1])
    xfrc_accumulate(m, d)
    if m.opt_integrator == INT_DISCRETE:
        for r in range(d.ndof_asleep_run):   # the effective mass matrix is that of all trees: sleepers keep what they have
            for k in range(d.dof_asleep_run[r, 0], d.dof_asleep_run[r, 1]):
                d.qacc_step[k] = d.qacc_smooth[k]
        discrete_smooth(m, d)
        for r in range(d.ndof_asleep_run):
            for k in range(d.dof_asleep_run[r, 0], d.dof_asleep_run[r, 1]):
                d.qacc_smooth[k] = d.qacc_step[k]
        rows_in_effective_mass(m, d)
        return
    if not asleep:
        begin_acceleration(d, 0, m.nv)
    else:
        for r in range(d.ndof_run):
            begin_acceleration(d, d.dof_run[r, 0], d.dof_run[r, 1])
    solve_m_awake(m, d, d.qacc_smooth)
