"""Integrators that take the forces linear in velocity at the end of the step.

    implicit       all forces but the constraints', by a factorisation that need not be symmetric
    implicitfast   dampers and velocity terms of actuators, symmetric; and all terms of free bodies on their own

Both solve (M - h D) x = qfrc_smooth + qfrc_constraint with D the derivative of the smooth forces by velocity and step by x;
they return what euler returns.

Source: MuJoCo documentation, Computation chapter, "Numerical integration" and "Gyroscopic derivatives for free bodies".
"""
from __future__ import annotations

from physics.engine.actuator.activation import is_off
from physics.engine.actuator.transmission import tendon_damping
from physics.engine.actuator.velocity_derivative import actuator_slope
from physics.engine.inertia.mass_matrix import factor_like_m
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.engine.integrator.derivative import add_gyroscopic, damped_inertia, gyroscopic, smooth_slope, take_free_block
from physics.engine.integrator.fluid_derivative import add_fluid_square
from physics.engine.integrator.integrate import advance, euler, first_bad, refuse
from physics.engine.kinematics.joints import is_lone_free, poly_slope
from physics.engine.linalg.dense_solve import solve_dense
from physics.engine.linalg.sparse import solve_rows
from physics.engine.linalg.sparse_lu import factor_full, put_columns, solve_full, take_columns
from physics.engine.passive.fluid import has_medium
from physics.enums import DSBL_ACTUATION, DSBL_DAMPER, INT_DISCRETE, INT_IMPLICIT, INT_IMPLICITFAST, WARN_BADQACC, WARN_INERTIA
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack


@helper
def add_square(a, k, vec, ind, n, s):
    """Add s v v' to the 6x6 matrix a of the dofs from k on, for a sparse v (n entries vec at the columns ind, ascending)."""
    if n == 0 or ind[0] > k + 5 or ind[n - 1] < k:
        return
    for p in range(n):
        r = ind[p] - k
        if r >= 0 and r < 6:
            for q in range(n):
                c = ind[q] - k
                if c >= 0 and c < 6:
                    a[6 * r + c] += s * vec[p] * vec[q]


@helper
def add_dampers(m, d, k, a):
    """Add to the 6x6 matrix a of a free joint, whose first dof is k, the velocity terms of dof and tendon damping, times minus the time step."""
    h = m.opt_timestep
    for r in range(6):
        a[7 * r] += h * dof_damping_slope(m, d, k + r)
    for t in range(m.ntendon):
        b, p0, p1 = tendon_damping(m, t)
        s = h * poly_slope(b, p0, p1, abs(d.ten_velocity[t]))
        if s != 0.0:
            adr = m.ten_J_rowadr[t]
            add_square(a, k, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], s)


@helper
def add_actuators(m, d, k, a):
    """The same for actuators."""
    for i in range(m.nactuator):
        for out in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
            adr = d.moment_rowadr[out]
            n = d.moment_rownnz[out]
            if n > 0 and d.moment_colind[adr] <= k + 5 and d.moment_colind[adr + n - 1] >= k and not is_off(m, i):
                add_square(a, k, off(d.actuator_moment, adr), off(d.moment_colind, adr), n, -m.opt_timestep * actuator_slope(m, d, i))


@helper
def free_joint_matrix(m, d, j, a):
    """a (36): rows of M - h D of lone free joint j, with its gyroscopic derivative; neither symmetric nor held in full by M's rows."""
    h = m.opt_timestep
    k = m.jnt_dofadr[j]
    force, torque = gyroscopic(m, d, j)
    take_free_block(m, d.M, k, a)
    if has_medium(m):
        add_fluid_square(d, k, a, -h)
    if m.opt_disableflags & DSBL_DAMPER == 0:
        add_dampers(m, d, k, a)
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        add_actuators(m, d, k, a)
    add_gyroscopic(a, h, force, torque)


@helper
def solve_lone_free(m, d, j):
    """Overwrite qacc_step of a lone free joint with the solution of its block, which stands alone; with that of M where it cannot be solved."""
    a = stack(36)
    b = stack(6)
    k = m.jnt_dofadr[j]
    free_joint_matrix(m, d, j, a)
    for r in range(6):
        b[r] = d.qacc_step[k + r]
    if solve_dense(a, b, 6):
        for r in range(6):
            d.qacc_step[k + r] = b[r]
    else:
        solve_rows(d.qacc_step, d.qLD, d.qLDiagInv, m, k, k + 6)


@helper
def keep_factor(m, d, k):
    """Put M's factor into the rows of qH that belong to the free joint whose first dof is k: its dampers are not in them."""
    last = k + 5
    for p in range(m.M_rowadr[k], m.M_rowadr[last] + m.M_rownnz[last]):
        d.qH[p] = d.qLD[p]
    for i in range(k, k + 6):
        d.qHDiagInv[i] = d.qLDiagInv[i]


@helper
def solve_damped(m, d):
    """Overwrite qacc_step, the forces, with the accelerations: lone free joints one by one, what lies between them by a factor of qH."""
    for r in range(d.ndof_run):
        first = d.dof_run[r, 0]
        last = m.dof_jntid[d.dof_run[r, 1] - 1]
        for j in range(m.dof_jntid[first], last + 2):
            end = d.dof_run[r, 1]
            if j <= last:
                if not is_lone_free(m, j):
                    continue
                end = m.jnt_dofadr[j]
                keep_factor(m, d, end)
                solve_lone_free(m, d, j)
            if first < end:
                factor_like_m(m, d, d.qH, d.qHDiagInv, first, end)
                solve_rows(d.qacc_step, d.qH, d.qHDiagInv, m, first, end)
            first = end + 6


@kernel("m d", ret="i")
def implicitfast(m, d):
    """Advance with all forces linear in velocity taken at the end of the step.

    Reads: qacc, qfrc_smooth, qfrc_constraint, qfrc_actuator, M, qLD, qLDiagInv, act_dot, xpos, xmat, xipos, ximat, actuator_length,
        actuator_force, actuator_moment, moment_rownnz, moment_rowadr, moment_colind, ctrl_used, tendon_total, ten_J, ten_velocity,
        fluid_row, cdof, crb, subtree_com
    Writes: time, qpos, qvel, act, qacc_warmstart, nslept, qH, qHDiagInv, qacc_step, diverged, diverged_id, warning_number,
        warning_lastinfo
    """
    damped_inertia(m, d)
    for k in range(m.nv):
        d.qacc_step[k] = d.qfrc_smooth[k] + d.qfrc_constraint[k]
    solve_damped(m, d)
    bad = first_bad(d.qacc_step, m.nv)
    if bad >= 0:
        return refuse(d, WARN_BADQACC, bad)
    advance(m, d, d.qacc_step, d.qvel, d.act_dot)
    return 1


@helper
def implicit_matrix(m, d):
    """qLU = M - h D, entries of the full pattern; qDeriv holds D."""
    smooth_slope(m, d)
    for k in range(m.nD):
        x = -m.opt_timestep * d.qDeriv[k]
        if m.mapM2D[k] >= 0:
            x += d.M[m.mapM2D[k]]
        d.qLU[k] = x


@kernel("m d", ret="i")
def implicit(m, d):
    """Advance with all forces but the constraints' taken at the end of the step, to first order in the velocity.

    Reads: qacc, qfrc_smooth, qfrc_constraint, qfrc_actuator, M, act_dot, actuator_length, actuator_force, actuator_moment,
        moment_rownnz, moment_rowadr, moment_colind, ctrl_used, tendon_total, ten_J, ten_velocity, cdof, cdof_dot, crb, cinert, cvel
    Writes: time, qpos, qvel, act, qacc_warmstart, nslept, qDeriv, qLU, lu_upper, bias_slope, axis_rate, row_cursor, qacc_step,
        diverged, diverged_id, warning_number, warning_lastinfo
    """
    implicit_matrix(m, d)
    for k in range(m.nv):
        d.qacc_step[k] = d.qfrc_smooth[k] + d.qfrc_constraint[k]
    take_columns(d.lu_upper, d.qLU, m, d)
    raised = factor_full(d.qLU, d.lu_upper, m)
    if raised >= 0:
        d.warning_number[WARN_INERTIA] += 1
        d.warning_lastinfo[WARN_INERTIA] = raised
    put_columns(d.qLU, d.lu_upper, m, d)
    solve_full(d.qacc_step, d.qLU, d.lu_upper, m)
    bad = first_bad(d.qacc_step, m.nv)
    if bad >= 0:
        return refuse(d, WARN_BADQACC, bad)
    advance(m, d, d.qacc_step, d.qvel, d.act_dot)
    return 1


@kernel("m d", ret="i")
def single_step(m, d):
    """Advance by the integrator of the options where that needs the accelerations of one state only, else by Euler's.

    Reads: what implicit, implicitfast and euler read
    Writes: time, qpos, qvel, act, qacc_warmstart, qacc_step, nslept, and what implicit, implicitfast and euler write
    """
    if m.opt_integrator == INT_IMPLICITFAST:
        return implicitfast(m, d)
    if m.opt_integrator == INT_IMPLICIT:
        return implicit(m, d)
    if m.opt_integrator == INT_DISCRETE:
        # the accelerations are those of the step already
        advance(m, d, d.qacc, d.qvel, d.act_dot)
        return 1
    return euler(m, d)
