"""Inverse dynamics: the force that a given acceleration needs, and what the constraints push meanwhile.

    qfrc_inverse = M qacc + qfrc_bias - qfrc_passive - J' s(J qacc - aref)

The rows' forces follow from the acceleration in closed form (solve/cost.py), so nothing is solved. With the flag
`invdiscrete` qacc is the difference of the velocities of two time steps; the acceleration at the first of them is found
first, by undoing what the integrator makes implicit: M a = (M - h dF/dv) qacc. Under the discrete integrator qacc always is that
difference, and its effective mass matrix stands in M's place.

Source: MuJoCo documentation, Computation chapter, "Inverse dynamics" and "Numerical integration"; Todorov, "Convex and
analytically-invertible dynamics with contacts and constraints", ICRA 2014.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.jacobian import add_block_forces, mul_block
from physics.engine.inertia.mass_matrix import mul_m_vec, solve_m_vec
from physics.engine.integrator.damped_euler import dof_damping_slope, has_dof_damping
from physics.engine.integrator.derivative import damped_inertia, gyroscopic
from physics.engine.integrator.discrete import mul_effective_mass
from physics.engine.integrator.implicit import free_joint_matrix, implicit_matrix
from physics.engine.kinematics.joints import is_lone_free
from physics.engine.linalg.sparse import mul_rows
from physics.engine.linalg.vec import mat_vec3
from physics.engine.solve.constraint_blocks import find_blocks
from physics.engine.solve.cost import update_rows
from physics.engine.solve.effective_mass_rows import is_untouched
from physics.enums import DSBL_DAMPER, DSBL_EULERDAMP, ENBL_INVDISCRETE, INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST
from physics.kernels.decorators import helper, kernel
from physics.kernels.simd import stack


@kernel()
def inv_constraint(m, d):
    """Forces of the rows for the acceleration in qacc.

    Reads: qacc, nefc, efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_aref, efc_D, efc_R,
        efc_frictionloss, contact_dim, contact_friction, contact_mu
    Writes: efc_force, efc_state, qfrc_constraint (and the solver's sol_jar, sol_nblock, sol_block_row, sol_block_num,
        sol_block_order)
    """
    for k in range(m.nv):
        d.qfrc_constraint[k] = 0.0
    if d.nefc == 0:
        return
    find_blocks(m, d)
    n = d.sol_nblock
    for u in range(n):
        row = d.sol_block_row[u]
        d.sol_block_order[u] = u
        mul_block(d, row, d.sol_block_num[u], d.qacc, d.sol_jar)
        for i in range(row, row + d.sol_block_num[u]):
            d.sol_jar[i] -= d.efc_aref[i]
    update_rows(m, d, 0, n)
    for u in range(n):
        add_block_forces(d, d.sol_block_row[u], d.sol_block_num[u], d.efc_force, d.qfrc_constraint)


@kernel()
def euler_impulse(m, d):
    """inv_impulse = (M + h B) qacc, B the slope of dof damping.

    Reads: qacc, qvel, M
    Writes: inv_impulse
    """
    mul_m_vec(m, d, d.qacc, d.inv_impulse)
    for k in range(m.nv):
        d.inv_impulse[k] += m.opt_timestep * dof_damping_slope(m, d, k) * d.qacc[k]


@kernel()
def implicitfast_impulse(m, d):
    """inv_impulse = (M - h dF/dv) qacc with the derivative that implicitfast uses.

    Reads: qacc and what damped_inertia and free_joint_matrix read
    Writes: inv_impulse, qH
    """
    damped_inertia(m, d)
    mul_rows(d.inv_impulse, d.qacc, d.qH, m, 0, m.nv)
    a = stack(36)
    for j in range(m.njnt):
        if is_lone_free(m, j):
            k = m.jnt_dofadr[j]
            free_joint_matrix(m, d, j, a)
            for r in range(6):
                s = 0.0
                for c in range(6):
                    s += a[6 * r + c] * d.qacc[k + c]
                d.inv_impulse[k + r] = s


@kernel()
def implicit_impulse(m, d):
    """inv_impulse = (M - h D) qacc with the derivative that implicit uses.

    Reads: qacc and what implicit_matrix reads
    Writes: inv_impulse, qDeriv, qLU, bias_slope, axis_rate, row_cursor
    """
    implicit_matrix(m, d)
    for i in range(m.nv):
        s = 0.0
        for a in range(m.D_rowadr[i], m.D_rowadr[i] + m.D_rownnz[i]):
            s += d.qLU[a] * d.qacc[m.D_colind[a]]
        d.inv_impulse[i] = s


@kernel()
def continuous_acc(m, d):
    """Overwrite qacc, the change of velocity over a time step, by the acceleration at its start.

    Reads: qacc, qvel, M, qLD, qLDiagInv, aba_trees and what the integrator's derivative reads
    Writes: qacc, inv_impulse, aba_x, qH, qDeriv, qLU and what smooth_slope writes
    """
    if m.opt_integrator == INT_EULER:
        if m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) or not has_dof_damping(m):
            return
        euler_impulse(m, d)
    elif m.opt_integrator == INT_IMPLICITFAST:
        implicitfast_impulse(m, d)
    elif m.opt_integrator == INT_IMPLICIT:
        implicit_impulse(m, d)
    else:
        return
    for k in range(m.nv):
        d.qacc[k] = d.inv_impulse[k]
    solve_m_vec(m, d, d.qacc)


@kernel()
def effective_mass_impulse(m, d):
    """inv_impulse = what the discrete integrator's effective mass matrix makes of qacc, and of the springs' rates at the start of the step.

    Reads: qacc, qvel, qfrc_smooth, M_eff, qfrc_eff, M_eff_tendon, M_eff_output, M_eff_coupled, M_eff_dof, nefc, sol_tree_island, ten_J, actuator_moment,
        moment_rownnz, moment_rowadr, moment_colind, xpos, xmat, subtree_com, crb
    Writes: inv_impulse
    """
    if d.M_eff_coupled != 0:
        mul_effective_mass(m, d, d.qacc, d.inv_impulse)
    else:
        mul_rows(d.inv_impulse, d.qacc, d.M_eff, m, 0, m.nv)
    for k in range(m.nv):
        d.inv_impulse[k] += d.qfrc_smooth[k] - d.qfrc_eff[k]
    h = m.opt_timestep
    for j in range(m.njnt):
        if not is_lone_free(m, j) or not is_untouched(m, d, j):
            continue
        k = m.jnt_dofadr[j]
        tied = 0
        for r in range(6):
            tied += d.M_eff_dof[k + r]
        if tied == 0:
            force, torque = gyroscopic(m, d, j)
            a = (d.qacc[k + 3], d.qacc[k + 4], d.qacc[k + 5])
            f = mat_vec3(force, a)
            t = mat_vec3(torque, a)
            for r in range(3):
                d.inv_impulse[k + r] += h * f[r]
                d.inv_impulse[k + 3 + r] += h * t[r]


@kernel()
def inverse_force(m, d):
    """The force that qacc needs, everything of position and velocity being there; give_back_acc must follow.

    Reads: qacc, qfrc_bias, qfrc_passive, M and what inv_constraint and continuous_acc read
    Writes: qfrc_inverse, qfrc_constraint, efc_force, efc_state, inv_qacc, inv_impulse, qacc (with invdiscrete the continuous acceleration)
    """
    for k in range(m.nv):
        d.inv_qacc[k] = d.qacc[k]
    if m.opt_integrator == INT_DISCRETE:
        effective_mass_impulse(m, d)
    else:
        if m.opt_enableflags & ENBL_INVDISCRETE:
            continuous_acc(m, d)
        mul_m_vec(m, d, d.qacc, d.inv_impulse)
    inv_constraint(m, d)
    for k in range(m.nv):
        d.qfrc_inverse[k] = d.inv_impulse[k] + d.qfrc_bias[k] - d.qfrc_passive[k] - d.qfrc_constraint[k]


@helper
def give_back_acc(m, d):
    """Put back into qacc what inverse_force found there."""
    for k in range(m.nv):
        d.qacc[k] = d.inv_qacc[k]


@helper
def distance(a, b, n):
    """|a - b| over n numbers."""
    s = 0.0
    for k in range(n):
        s += (a[k] - b[k]) * (a[k] - b[k])
    return sqrt(s)


@kernel()
def compare_fwd_inv(m, d):
    """How far inverse dynamics is from the forward dynamics that has been computed: constraint forces, applied forces.

    Reads: qacc, qfrc_smooth, qfrc_passive, qfrc_bias, nefc and what inverse_force reads
    Writes: solver_fwdinv, qfrc_inverse, efc_state, inv_qacc, inv_impulse, inv_qfrc, inv_force; qacc, qfrc_constraint and efc_force (put back)
    """
    d.solver_fwdinv[0] = 0.0
    d.solver_fwdinv[1] = 0.0
    if d.nefc == 0:
        return
    for i in range(d.nefc):
        d.inv_force[i] = d.efc_force[i]
    for k in range(m.nv):
        d.inv_qfrc[k] = d.qfrc_constraint[k]
    inverse_force(m, d)
    give_back_acc(m, d)
    d.solver_fwdinv[0] = distance(d.inv_qfrc, d.qfrc_constraint, m.nv)
    for i in range(d.nefc):
        d.efc_force[i] = d.inv_force[i]
    for k in range(m.nv):
        d.qfrc_constraint[k] = d.inv_qfrc[k]
        # what inverse dynamics should find: applied and actuator forces
        d.inv_qfrc[k] = d.qfrc_smooth[k] - d.qfrc_passive[k] + d.qfrc_bias[k]
    d.solver_fwdinv[1] = distance(d.inv_qfrc, d.qfrc_inverse, m.nv)
