"""The discrete integrator's effective (implicit) mass matrix M + h D + h^2 K: springs, dampers and servos act at the end of the step.

    M_eff = M + h D + h^2 K,   force = qfrc_smooth - h K qvel,   qacc_smooth = M_eff^-1 force

D and K are the slopes of damping and stiffness of joints, tendons and actuators, each as far as it holds back. What fits
M's rows is added there (M_eff); a tendon or actuator that ties branches or trees together stays a multiple of J'J beside
them (M_eff_tendon, M_eff_output): the smooth acceleration is then found by conjugate gradients, with the rows' factor as
preconditioner, and the constraint solver takes it as a row of its own (solve/effective_mass_rows.py). With solver PGS tendons and
actuators stay out: that solver needs M's pattern, and the option decides what is computed even where another stands in.

Source: MuJoCo documentation, Computation chapter, "Numerical integration" (discrete); Golub and Van Loan, "Matrix
Computations", 4th edition, 11.5 (preconditioned conjugate gradients). Which slopes count was found by comparing numbers.
"""
from __future__ import annotations

from physics.engine.actuator.activation import is_off
from physics.engine.actuator.length_derivative import actuator_stiffness
from physics.engine.actuator.transmission import tendon_damping
from physics.engine.actuator.velocity_derivative import actuator_slope
from physics.engine.inertia.mass_matrix import factor_like_m
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.engine.integrator.fluid_derivative import add_fluid_rows, fluid_slopes
from physics.engine.kinematics.joints import joint_spring_slope, poly_slope
from physics.engine.linalg.sparse import add_outer, mul_rows, solve_rows
from physics.engine.passive.fluid import has_medium
from physics.engine.passive.passive import has_joint_spring, tendon_stretch
from physics.enums import DSBL_ACTUATION, DSBL_DAMPER, DSBL_SPRING, ENBL_DIAGEXACT, INT_DISCRETE, SOL_CG, SOL_PGS
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off

CG_RESTARTS = 4  # times that conjugate gradients start again from the true residual
AT_REST = 1e-15  # of its length, or of 1: a tendon stretched by less is at rest, to rounding, and its spring has no slope
CG_TOLERANCE = 1e-31  # squared error, as a share of the squared solution, that is not worth another round


@helper
def fits_rows(m, ind, n):
    """Whether all n dofs are on one way to the root and in the row of the last: then M has entries for all their pairs."""
    # both lists ascend: count the dofs of J that are met on the way through the last one's row
    k = ind[n - 1]
    adr = m.M_rowadr[k]
    end = adr + m.M_rownnz[k]
    a = 0
    while a < n and adr < end:
        if m.M_colind[adr] == ind[a]:
            a += 1
        adr += 1
    return a == n


@helper
def add_coupling(m, d, vec, ind, n, s, push):
    """Add s J'J of a sparse row J to the effective mass matrix, if its rows have room, and take push J' off its force. Returns what stays beside the rows: s or 0."""
    # the diagonal of s J'J, and the force as it is at the end of the step
    for a in range(n):
        d.M_eff_diag[ind[a]] += s * vec[a] * vec[a]
        d.M_eff_dof[ind[a]] = 1
        d.qfrc_eff[ind[a]] -= push * vec[a]
    # all pairs of J's dofs have entries in M's pattern: s J'J goes there; else it stays a rank-one term beside the rows
    if n == 0 or fits_rows(m, ind, n):
        add_outer(d.M_eff, m.M_rownnz, m.M_rowadr, m.M_colind, vec, ind, n, s)
        return 0.0
    d.M_eff_coupled = 1
    return s


@kernel()
def joints_in_effective_mass(m, d):
    """Start the effective mass matrix with M, the medium's drag and the joints' springs and dampers.

    Reads: M, qfrc_smooth, qpos, qvel, cvel, cdof, xipos, ximat, geom_xpos, geom_xmat, subtree_com
    Writes: M_eff, M_eff_diag, qfrc_eff, M_eff_dof, spring_slope, fluid_slope, fluid_row, fluid_col
    """
    h = m.opt_timestep
    # M_eff = M - h dF_fluid/dv
    for k in range(m.nC):
        d.M_eff[k] = d.M[k]
    if has_medium(m):
        fluid_slopes(m, d)
        add_fluid_rows(m, d, d.M_eff, -h)
    # slope of the joints' springs, K = -dF/dq
    for k in range(m.nv):
        d.spring_slope[k] = 0.0
    if m.opt_disableflags & DSBL_SPRING == 0:
        for j in range(m.njnt):
            if has_joint_spring(m, j):
                joint_spring_slope(m, d, j)
    # diagonal: M_eff += h D + h^2 K, each where it holds back; F <- F - h K qvel is the spring's force after the step
    damped = m.opt_disableflags & DSBL_DAMPER == 0
    for k in range(m.nv):
        s = max(0.0, d.spring_slope[k])
        x = h * h * s
        if damped:
            x += h * max(0.0, dof_damping_slope(m, d, k))
        end = m.M_rowadr[k] + m.M_rownnz[k] - 1
        d.M_eff_diag[k] = x + d.M_eff[end] - d.M[end]
        d.M_eff_dof[k] = 0
        d.M_eff[end] += x
        d.qfrc_eff[k] = d.qfrc_smooth[k] - h * s * d.qvel[k]


@kernel()
def tendons_in_effective_mass(m, d):
    """Add the tendons' springs and dampers to the effective mass matrix.

    Reads: ten_length, ten_velocity, ten_J
    Writes: M_eff, M_eff_diag, qfrc_eff, M_eff_dof, M_eff_tendon, M_eff_coupled
    """
    h = m.opt_timestep
    for t in range(m.ntendon):
        # k, c: slopes of spring and damper by length and velocity at the present state; a term that would drive the motion counts as 0
        k = 0.0
        c = 0.0
        if m.opt_disableflags & DSBL_SPRING == 0:
            x = tendon_stretch(m, d, t)
            if abs(x) > AT_REST * max(1.0, abs(d.ten_length[t])):
                k = max(0.0, poly_slope(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x))
        if m.opt_disableflags & DSBL_DAMPER == 0:
            b, p0, p1 = tendon_damping(m, t)
            c = max(0.0, poly_slope(b, p0, p1, abs(d.ten_velocity[t])))
        # the tendon adds s J'J to M_eff, s = h c + h^2 k
        s = h * (h * k + c)
        d.M_eff_tendon[t] = 0.0
        if s != 0.0:
            adr = m.ten_J_rowadr[t]
            push = h * k * d.ten_velocity[t]
            d.M_eff_tendon[t] = add_coupling(m, d, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], s, push)


@kernel()
def actuators_in_effective_mass(m, d):
    """Add the stiffness and damping of actuators to the effective mass matrix.

    Reads: actuator_length, actuator_velocity, actuator_moment, moment_rownnz, moment_rowadr, moment_colind, actuator_force, tendon_total,
        qfrc_actuator, act, act_dot, ctrl_used
    Writes: M_eff, M_eff_diag, qfrc_eff, M_eff_dof, M_eff_output, M_eff_coupled
    """
    h = m.opt_timestep
    for i in range(m.nactuator):
        k = 0.0
        s = 0.0
        if m.opt_disableflags & DSBL_ACTUATION == 0 and not is_off(m, i):
            # k = -dF/dlength, and -dF/dvelocity, of the actuator as a servo
            k = max(0.0, actuator_stiffness(m, d, i))
            s = h * (h * k + max(0.0, -actuator_slope(m, d, i)))
        # each output has its own row of moments J
        for out in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
            d.M_eff_output[out] = 0.0
            if s != 0.0:
                adr = d.moment_rowadr[out]
                push = h * k * d.actuator_velocity[out]
                d.M_eff_output[out] = add_coupling(m, d, off(d.actuator_moment, adr), off(d.moment_colind, adr), d.moment_rownnz[out], s, push)


@helper
def dot_sparse(vec, ind, n, x):
    """J x of a sparse row J."""
    s = 0.0
    for a in range(n):
        s += vec[a] * x[ind[a]]
    return s


@helper
def mul_effective_mass(m, d, x, res):
    """res = M_eff x, with what is beside its rows."""
    # the part in M's pattern, then the rank-one terms: res += s J' (J x)
    mul_rows(res, x, d.M_eff, m, 0, m.nv)
    # tendons, with their Jacobian rows
    for t in range(m.ntendon):
        if d.M_eff_tendon[t] != 0.0:
            adr = m.ten_J_rowadr[t]
            n = m.ten_J_rownnz[t]
            s = d.M_eff_tendon[t] * dot_sparse(off(d.ten_J, adr), off(m.ten_J_colind, adr), n, x)
            for a in range(adr, adr + n):
                res[m.ten_J_colind[a]] += s * d.ten_J[a]
    # actuator outputs, with their rows of moment arms
    for out in range(m.nout):
        if d.M_eff_output[out] != 0.0:
            adr = d.moment_rowadr[out]
            n = d.moment_rownnz[out]
            s = d.M_eff_output[out] * dot_sparse(off(d.actuator_moment, adr), off(d.moment_colind, adr), n, x)
            for a in range(adr, adr + n):
                res[d.moment_colind[a]] += s * d.actuator_moment[a]


@helper
def dot_n(a, b, n):
    """a . b."""
    s = 0.0
    for k in range(n):
        s += a[k] * b[k]
    return s


@helper
def precondition(m, d, x, res):
    """res = x solved by the factor of the effective mass matrix's rows."""
    for k in range(m.nv):
        res[k] = x[k]
    solve_rows(res, d.qH, d.qHDiagInv, m, 0, m.nv)


@kernel()
def solve_coupled(m, d):
    """Bring qacc_smooth to M_eff^-1 qfrc_eff where tendons or actuators are beside the effective mass matrix's rows.

    Reads: qacc_smooth, M_eff, qfrc_eff, M_eff_tendon, M_eff_output, qH, qHDiagInv, ten_J, actuator_moment,
        moment_rownnz, moment_rowadr, moment_colind
    Writes: qacc_smooth, sol_grad, sol_Ma, sol_search, sol_Mp
    """
    # preconditioned conjugate gradients: r residual, z = P^-1 r with P = the rows of M_eff (factored in qH), p direction, q = M_eff p
    n = m.nv
    r = off(d.sol_grad, 0)
    z = off(d.sol_Ma, 0)
    p = off(d.sol_search, 0)
    q = off(d.sol_Mp, 0)
    # stop where r' P^-1 r is that small beside x' b, the solution's squared energy norm
    enough = CG_TOLERANCE * abs(dot_n(d.qacc_smooth, d.qfrc_eff, n))
    # restart from the true residual: the updated one drifts from it by rounding
    for _ in range(CG_RESTARTS):
        mul_effective_mass(m, d, d.qacc_smooth, q)
        for k in range(n):
            r[k] = d.qfrc_eff[k] - q[k]
        # r' z = r' P^-1 r, squared norm of the error as the preconditioner sees it
        precondition(m, d, r, z)
        rz = dot_n(r, z, n)
        if not (rz > enough):
            return
        first = rz
        for k in range(n):
            p[k] = z[k]
        # exact arithmetic would end after as many steps as there are couplings
        for _step in range(2 * n):
            mul_effective_mass(m, d, p, q)
            # alpha = r'z / p'q minimises the quadratic along p
            pq = dot_n(p, q, n)
            if not (pq > 0.0):
                break
            alpha = rz / pq
            for k in range(n):
                d.qacc_smooth[k] += alpha * p[k]
                r[k] -= alpha * q[k]
            # beta = r_new' z_new / r'z keeps the directions conjugate
            precondition(m, d, r, z)
            old = rz
            rz = dot_n(r, z, n)
            if rz <= CG_TOLERANCE * first or not (rz > 0.0):
                break
            for k in range(n):
                p[k] = z[k] + rz / old * p[k]


@helper
def has_preconditioner(m):
    """Whether conjugate gradients are preconditioned by a matrix of their own, M_precond: officially always, and without tendons and actuators it is the effective mass matrix."""
    return m.opt_integrator == INT_DISCRETE and m.opt_solver == SOL_CG and (m.ntendon > 0 or m.nactuator > 0)


@helper
def factor_preconditioner(m, d):
    """Factor the effective mass matrix with no more than the diagonal of tendons and actuators: the flag diagexact and the solver CG look at that."""
    # P = M - h dF_fluid/dv + joints + the diagonal of tendons' and actuators' s J'J
    for k in range(m.nv):
        end = m.M_rowadr[k] + m.M_rownnz[k] - 1
        d.M_precond[end] = d.M[end] + d.M_eff_diag[k]
    factor_like_m(m, d, d.M_precond, d.M_precond_inv, 0, m.nv)


@kernel()
def discrete_smooth(m, d):
    """The effective mass matrix, its factor, and the acceleration that all forces but the constraints' give in it.

    Reads: M, qfrc_smooth, qpos, qvel, ten_length, ten_velocity, ten_J, actuator_length, actuator_velocity, actuator_moment, moment_rownnz,
        moment_rowadr, moment_colind, actuator_force, tendon_total, qfrc_actuator, act, act_dot, ctrl_used,
        cvel, cdof, xipos, ximat, geom_xpos, geom_xmat, subtree_com
    Writes: qacc_smooth, M_eff, M_eff_diag, qfrc_eff, qacc_eff, M_eff_tendon, M_eff_output, M_eff_coupled, M_eff_dof,
        spring_slope, fluid_slope, fluid_row, fluid_col, qH, qHDiagInv, M_precond, M_precond_inv, warning_number, warning_lastinfo, sol_grad, sol_Ma, sol_search, sol_Mp
    """
    d.M_eff_coupled = 0  # with 0 nobody reads M_eff_tendon and M_eff_output
    # assemble M_eff and its right side; P is the state of it before tendons and actuators
    joints_in_effective_mass(m, d)
    exact = m.opt_enableflags & ENBL_DIAGEXACT != 0 or has_preconditioner(m)
    if exact:
        for k in range(m.nC):
            d.M_precond[k] = d.M_eff[k]
    if m.opt_solver != SOL_PGS:
        tendons_in_effective_mass(m, d)
        actuators_in_effective_mass(m, d)
    # P also gets the diagonal of what tendons and actuators have added
    if exact:
        factor_preconditioner(m, d)
    # qacc_eff = M_eff^-1 qfrc_eff by the factor of what fits M's pattern
    for k in range(m.nC):
        d.qH[k] = d.M_eff[k]
    factor_like_m(m, d, d.qH, d.qHDiagInv, 0, m.nv)
    precondition(m, d, d.qfrc_eff, d.qacc_eff)
    for k in range(m.nv):
        d.qacc_smooth[k] = d.qacc_eff[k]
    # the rest of M_eff by conjugate gradients
    if d.M_eff_coupled != 0:
        solve_coupled(m, d)
