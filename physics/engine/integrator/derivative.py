"""How the smooth forces change with velocity: what the implicit integrators need.

implicit       all of it, in the full pattern (qDeriv): dampers, the medium, velocity terms of actuators, the bias force
implicitfast   the symmetric part (dampers, the medium, velocity terms of actuators), in M's rows; a free body on its own also
               gets the derivative of its gyroscopic force, a 6x6 matrix that is not symmetric

Source: MuJoCo documentation, Computation chapter, "Numerical integration" (implicitfast) and "Analytic derivatives".
"""
from __future__ import annotations

from physics.engine.actuator.activation import is_off
from physics.engine.actuator.transmission import tendon_damping
from physics.engine.actuator.velocity_derivative import actuator_slope
from physics.engine.inertia.mass_matrix import rows_end
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.engine.integrator.fluid_derivative import add_fluid_pattern, add_fluid_rows, fluid_slopes
from physics.engine.integrator.rne_derivative import subtract_bias_slope
from physics.engine.kinematics.joints import poly_slope
from physics.engine.linalg.sparse import add_outer
from physics.engine.linalg.sparse_lu import add_outer_full
from physics.engine.linalg.vec import cross3, mat_mat3, mat_t_mat3, mat_vec3, scl3, skew3, sub3
from physics.engine.passive.fluid import has_medium
from physics.enums import DSBL_ACTUATION, DSBL_DAMPER
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9, ld10, off


@kernel()
def damped_inertia(m, d):
    """M minus the time step times the derivative of passive and actuator forces by velocity, in M's rows.

    Reads: M, qvel, ten_J, ten_velocity, actuator_moment, moment_rownnz, moment_rowadr, moment_colind, actuator_force,
        tendon_total, qfrc_actuator, act, act_dot, ctrl_used, cvel, cdof, xipos, ximat, geom_xpos, geom_xmat, subtree_com
    Writes: qH, fluid_row, fluid_col
    """
    h = m.opt_timestep
    for r in range(d.ndof_run):
        for k in range(m.M_rowadr[d.dof_run[r, 0]], rows_end(m, d.dof_run[r, 1])):
            d.qH[k] = d.M[k]
    if has_medium(m):
        fluid_slopes(m, d)
        add_fluid_rows(m, d, d.qH, -h)
    if m.opt_disableflags & DSBL_DAMPER == 0:
        for r in range(d.ndof_run):
            for k in range(d.dof_run[r, 0], d.dof_run[r, 1]):
                d.qH[m.M_rowadr[k] + m.M_rownnz[k] - 1] += h * dof_damping_slope(m, d, k)
        for t in range(m.ntendon):
            b, p0, p1 = tendon_damping(m, t)
            s = h * poly_slope(b, p0, p1, abs(d.ten_velocity[t]))
            if s != 0.0:
                adr = m.ten_J_rowadr[t]
                add_outer(d.qH, m.M_rownnz, m.M_rowadr, m.M_colind, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], s)
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        for i in range(m.nactuator):
            if is_off(m, i):
                continue
            s = -h * actuator_slope(m, d, i)
            if s != 0.0:
                for out in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
                    adr = d.moment_rowadr[out]
                    add_outer(d.qH, m.M_rownnz, m.M_rowadr, m.M_colind, off(d.actuator_moment, adr), off(d.moment_colind, adr), d.moment_rownnz[out], s)


@kernel()
def smooth_slope(m, d):
    """Derivative of passive and actuator forces less the bias force by velocity, in the full pattern.

    What ties two trees or two branches together (tendons, actuators on them) has no entries there and stays explicit.
    Reads: qvel, ten_J, ten_velocity, actuator_moment, moment_rownnz, moment_rowadr, moment_colind, actuator_force,
        tendon_total, qfrc_actuator, act, act_dot, ctrl_used, cdof, cdof_dot, crb, cinert, cvel, xipos, ximat, geom_xpos, geom_xmat,
        subtree_com
    Writes: qDeriv, bias_slope, axis_rate, row_cursor, fluid_row, fluid_col
    """
    for k in range(m.nD):
        d.qDeriv[k] = 0.0
    if has_medium(m):
        fluid_slopes(m, d)
        add_fluid_pattern(m, d, d.qDeriv, 1.0)
    if m.opt_disableflags & DSBL_DAMPER == 0:
        for k in range(m.nv):
            d.qDeriv[m.D_rowadr[k] + m.D_diag[k]] -= dof_damping_slope(m, d, k)
        for t in range(m.ntendon):
            b, p0, p1 = tendon_damping(m, t)
            s = poly_slope(b, p0, p1, abs(d.ten_velocity[t]))
            if s != 0.0:
                adr = m.ten_J_rowadr[t]
                add_outer_full(d.qDeriv, m.D_rownnz, m.D_rowadr, m.D_colind, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], -s)
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        for i in range(m.nactuator):
            if is_off(m, i):
                continue
            s = actuator_slope(m, d, i)
            if s != 0.0:
                for out in range(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]):
                    adr = d.moment_rowadr[out]
                    add_outer_full(d.qDeriv, m.D_rownnz, m.D_rowadr, m.D_colind, off(d.actuator_moment, adr), off(d.moment_colind, adr), d.moment_rownnz[out], s)
    subtract_bias_slope(m, d)


@helper
def gyroscopic(m, d, j):
    """Derivative of a lone free body's bias force by its angular velocity in body axes; what is welded to the body counts.

    Returns two 3x3 matrices: of the force on the translations and of the torque on the rotations.
    With w the angular velocity, s the tree's centre's offset from the joint, I the inertia about that centre, all in world
    axes: force = m w x (w x s), torque about the joint = s x force + w x I w.
    """
    b = m.jnt_bodyid[j]
    k = m.jnt_dofadr[j] + 3
    r = ld9(d.xmat, b)
    w = mat_vec3(r, (d.qvel[k], d.qvel[k + 1], d.qvel[k + 2]))
    s = sub3(ld3(d.subtree_com, b), ld3(d.xpos, b))
    i6 = ld10(d.crb, b)
    i9 = (i6[0], i6[3], i6[4], i6[3], i6[1], i6[5], i6[4], i6[5], i6[2])
    sw = skew3(w)
    # w x (w x s) changes by -([w x s]x + [w]x [s]x) dw
    a = skew3(cross3(w, s))
    e = mat_mat3(sw, skew3(s))
    mass = -i6[9]
    force = (mass * (a[0] + e[0]), mass * (a[1] + e[1]), mass * (a[2] + e[2]), mass * (a[3] + e[3]), mass * (a[4] + e[4]),
             mass * (a[5] + e[5]), mass * (a[6] + e[6]), mass * (a[7] + e[7]), mass * (a[8] + e[8]))
    # w x I w changes by ([w]x I - [I w]x) dw
    a = mat_mat3(skew3(s), force)
    e = mat_mat3(sw, i9)
    c = skew3(scl3(mat_vec3(i9, w), -1.0))
    torque = (a[0] + e[0] + c[0], a[1] + e[1] + c[1], a[2] + e[2] + c[2], a[3] + e[3] + c[3], a[4] + e[4] + c[4],
              a[5] + e[5] + c[5], a[6] + e[6] + c[6], a[7] + e[7] + c[7], a[8] + e[8] + c[8])
    return mat_mat3(force, r), mat_t_mat3(r, mat_mat3(torque, r))


@helper
def take_free_block(m, mat, k, a):
    """a (36): the symmetric 6x6 block, by rows, that the free joint whose first dof is k has in mat, a matrix with M's rows."""
    for i in range(36):
        a[i] = 0.0
    for r in range(6):
        adr = m.M_rowadr[k + r]
        for p in range(adr, adr + m.M_rownnz[k + r]):
            c = m.M_colind[p] - k
            a[6 * r + c] = mat[p]
            a[6 * c + r] = mat[p]


@helper
def add_gyroscopic(a, h, force, torque):
    """a (36) += h times what gyroscopic gives, in the columns of the rotations."""
    for r in range(3):
        for c in range(3):
            a[6 * r + 3 + c] += h * force[3 * r + c]
            a[6 * (r + 3) + 3 + c] += h * torque[3 * r + c]
