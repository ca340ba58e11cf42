"""From forces to the next state.

    euler          velocity first, then position with the new velocity; joint damping implicit
    rk4_*          the parts of the classical four-stage Runge-Kutta method (the loop over stages is in forward.py);
                   rotations are combined in the tangent space (Munthe-Kaas)
    implicit.py    the methods that take more forces at the end of the step

An integrator takes the accelerations that `forward` has left in Data. It returns 1 when it has advanced the state, and 0,
with the state as it was and the reason in `diverged`, when what it would apply is not a number or absurdly large.

Source: MuJoCo documentation, Computation chapter, "Numerical integration"; Hairer, Norsett, Wanner, "Solving Ordinary
Differential Equations I", table 1.2; Munthe-Kaas, "Runge-Kutta methods on Lie groups", BIT 38, 1998 (the inverse of the
exponential's derivative: Iserles et al., "Lie-group methods", Acta Numerica 2000, (2.46)).
"""
from __future__ import annotations

from math import cos, sin, sqrt

from physics.engine.actuator.activation import advance_act
from physics.engine.actuator.delay_history import keep_controls
from physics.engine.clamp import is_bad
from physics.engine.inertia.articulated_body import aba_solve_damped
from physics.engine.inertia.mass_matrix import factor_like_m, solve_m_tree
from physics.engine.integrator.damped_euler import add_damping, has_dof_damping, is_damped
from physics.engine.kinematics.joints import dof_count, joint_advance, rotation_dof
from physics.engine.linalg.sparse import solve_rows
from physics.engine.linalg.vec import add3, cross3, dot3
from physics.engine.sensor.delays import keep_sensors
from physics.engine.sleep.awake import may_sleep
from physics.engine.sleep.fall_asleep import fall_asleep
from physics.enums import DSBL_DAMPER, DSBL_EULERDAMP, DSBL_SENSOR, WARN_BADQACC
from physics.kernels.decorators import helper, kernel


@helper
def first_bad(x, n):
    """Index of the first bad number of x, -1 when there is none."""
    count = 0
    for i in range(n):   # without a way out, so that several are looked at at once
        if is_bad(x[i]):
            count += 1
    if count > 0:
        for i in range(n):
            if is_bad(x[i]):
                return i
    return -1


@helper
def refuse(d, kind, k):
    """Note that the step does not happen: number k of what the warning `kind` is about is bad. Returns 0."""
    d.diverged = kind
    d.diverged_id = k
    d.warning_number[kind] += 1
    d.warning_lastinfo[kind] = k
    return 0


@helper
def move(m, d, qacc, qvel):
    """Velocities by qacc, then positions by qvel, of all that is awake."""
    h = m.opt_timestep
    for r in range(d.ndof_run):
        first = d.dof_run[r, 0]
        end = d.dof_run[r, 1]
        for k in range(first, end):
            d.qvel[k] += h * qacc[k]
        for j in range(m.dof_jntid[first], m.dof_jntid[end - 1] + 1):
            joint_advance(m, d.qpos, qvel, j, h)
    d.time += h
    for k in range(m.nv):
        d.qacc_warmstart[k] = d.qacc[k]


@kernel()
def finish_advance(m, d):
    """Advance the awake after others have fallen asleep; see advance.

    Reads: qacc_step, qacc
    Writes: time, qpos, qvel, qacc_warmstart
    """
    move(m, d, d.qacc_step, d.qvel)


@helper
def advance(m, d, qacc, qvel, act_dot):
    """Advance the state by one time step: velocity by qacc, then position by qvel; keep qacc for the next solve.

    Where trees fall asleep (nslept > 0) it stops before anything moves, qacc being saved in qacc_step: finish_advance goes on.
    """
    if m.nhistory > 0:
        keep_controls(m, d)
        if m.nsensor > 0 and m.opt_disableflags & DSBL_SENSOR == 0:
            keep_sensors(m, d)
    advance_act(m, d, act_dot)
    if may_sleep(m):
        d.nslept = fall_asleep(m, d)
        if d.nslept > 0:
            for k in range(m.nv):
                d.qacc_step[k] = qacc[k]
            return
    move(m, d, qacc, qvel)


@helper
def is_free_of_rows(d, t):
    """Whether no constraint row moves tree t, so that its accelerations are its forces' to the last digit; a solver that was stopped early leaves others less exact."""
    return d.nefc == 0 or d.sol_tree_island[t] < 0


@kernel("m d", ret="i")
def euler(m, d):
    """Advance by the semi-implicit Euler method; forces of dof damping are taken at the end of the step.

    Reads: qacc, qfrc_smooth, qfrc_constraint, nefc, sol_tree_island, M, qLD, qLDiagInv, aba_trees, act_dot, actuator_length, and of trees solved by ABA
        what aba_solve_damped and aba_solve_tree read
    Writes: time, qpos, qvel, act, qacc_warmstart, nslept, qH, qHDiagInv, qacc_step, aba_x, diverged, diverged_id, warning_number,
        warning_lastinfo
    """
    if m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) or not has_dof_damping(m):
        advance(m, d, d.qacc, d.qvel, d.act_dot)
        return 1
    for t in range(m.ntree):
        if d.tree_awake[t] == 0:
            continue
        first = m.tree_dofadr[t]
        end = first + m.tree_dofnum[t]
        damped = is_damped(m, first, end)
        if not damped and is_free_of_rows(d, t):
            for k in range(first, end):
                d.qacc_step[k] = d.qacc[k]
            continue
        for k in range(first, end):
            d.qacc_step[k] = d.qfrc_smooth[k] + d.qfrc_constraint[k]
        if not damped:
            solve_m_tree(m, d, t, d.qacc_step)
            continue
        if d.aba_trees != 0 and m.tree_aba[t]:
            aba_solve_damped(m, d, t)
            continue
        add_damping(m, d, first, end)
        factor_like_m(m, d, d.qH, d.qHDiagInv, first, end)
        solve_rows(d.qacc_step, d.qH, d.qHDiagInv, m, first, end)
    bad = first_bad(d.qacc_step, m.nv)
    if bad >= 0:
        return refuse(d, WARN_BADQACC, bad)
    advance(m, d, d.qacc_step, d.qvel, d.act_dot)
    return 1


# ---------------------------------------------------------------- Runge-Kutta


@helper
def stage_share(s):
    """How far stage s reaches into the time step."""
    if s == 3:
        return 1.0
    return 0.5


@helper
def stage_weight(s):
    """Weight of stage s in the sum."""
    if s == 0 or s == 3:
        return 1.0 / 6.0
    return 1.0 / 3.0


@helper
def dexp_inv(theta, w):
    """Rate of the rotation vector theta when the body turns with w: w + theta x w / 2 + kappa theta x (theta x w)."""
    t2 = dot3(theta, theta)
    if t2 < 1e-4:
        kappa = 1.0 / 12.0 + t2 * (1.0 / 720.0 + t2 * (1.0 / 30240.0 + t2 / 1209600.0))  # remainder below 1e-19
    else:
        t = sqrt(t2)
        kappa = (1.0 - 0.5 * t * cos(0.5 * t) / sin(0.5 * t)) / t2
    a = cross3(theta, w)
    b = cross3(theta, a)
    return add3(w, (0.5 * a[0] + kappa * b[0], 0.5 * a[1] + kappa * b[1], 0.5 * a[2] + kappa * b[2]))


@kernel()
def rk4_begin(m, d):
    """Keep the state at the start of the step and begin the sums with its slopes.

    Reads: qpos, qvel, act, qacc, act_dot, actuator_velocity
    Writes: rk_qpos, rk_qvel, rk_act, rk_slope, rk_qvel_sum, rk_qacc_sum, rk_act_sum, rk_actuator_velocity
    """
    w = stage_weight(0)
    for k in range(m.nq):
        d.rk_qpos[k] = d.qpos[k]
    for k in range(m.nv):
        d.rk_qvel[k] = d.qvel[k]
        d.rk_slope[k] = d.qvel[k]
        d.rk_qvel_sum[k] = w * d.qvel[k]
        d.rk_qacc_sum[k] = w * d.qacc[k]
    for k in range(m.na):
        d.rk_act[k] = d.act[k]
        d.rk_act_sum[k] = w * d.act_dot[k]
    for k in range(m.nout):
        d.rk_actuator_velocity[k] = d.actuator_velocity[k]


@kernel("m d i f")
def rk4_stage(m, d, s, start):
    """Put the state of stage s into qpos, qvel, act and time; `start` is the step's first time [s].

    Reads: rk_qpos, rk_qvel, rk_act, rk_slope, qacc, act_dot
    Writes: qpos, qvel, act, time
    """
    c = m.opt_timestep * stage_share(s)
    for k in range(m.nq):
        d.qpos[k] = d.rk_qpos[k]
    for j in range(m.njnt):
        joint_advance(m, d.qpos, d.rk_slope, j, c)
    for k in range(m.nv):
        d.qvel[k] = d.rk_qvel[k] + c * d.qacc[k]
    for k in range(m.na):
        d.act[k] = d.rk_act[k] + c * d.act_dot[k]
    d.time = start + c


@kernel("m d i")
def rk4_collect(m, d, s):
    """Add the slopes found at stage s to the sums; rk_slope becomes the stage's slope of the position.

    Reads: qvel, qacc, act_dot, rk_slope
    Writes: rk_slope, rk_qvel_sum, rk_qacc_sum, rk_act_sum
    """
    w = stage_weight(s)
    c = m.opt_timestep * stage_share(s)
    for j in range(m.njnt):
        a = m.jnt_dofadr[j]
        turning = rotation_dof(m, j)
        for k in range(a, a + dof_count(m.jnt_type[j])):
            if k != turning:
                d.rk_slope[k] = d.qvel[k]
            else:
                # the slope that led here gives the rotation reached
                theta = (c * d.rk_slope[k], c * d.rk_slope[k + 1], c * d.rk_slope[k + 2])
                v = dexp_inv(theta, (d.qvel[k], d.qvel[k + 1], d.qvel[k + 2]))
                for i in range(3):
                    d.rk_slope[k + i] = v[i]
                break
    for k in range(m.nv):
        d.rk_qvel_sum[k] += w * d.rk_slope[k]
        d.rk_qacc_sum[k] += w * d.qacc[k]
    for k in range(m.na):
        d.rk_act_sum[k] += w * d.act_dot[k]


@helper
def rk4_restore_state(m, d, start):
    """Put back the state at the start of the step."""
    for k in range(m.nq):
        d.qpos[k] = d.rk_qpos[k]
    for k in range(m.nv):
        d.qvel[k] = d.rk_qvel[k]
    for k in range(m.na):
        d.act[k] = d.rk_act[k]
    d.time = start


@kernel("m d f")
def rk4_restore(m, d, start):
    """Put back the state at the start of the step, and the velocities of actuators.

    Reads: rk_qpos, rk_qvel, rk_act, rk_actuator_velocity
    Writes: qpos, qvel, act, time, actuator_velocity
    """
    rk4_restore_state(m, d, start)
    for k in range(m.nout):
        d.actuator_velocity[k] = d.rk_actuator_velocity[k]


@kernel("m d f", ret="i")
def rk4_finish(m, d, start):
    """Advance the state of the step's start by the weighted sums.

    As officially qacc is the weighted mean of the stages afterwards (the next step's warm start that of the last stage), and actuator_velocity
    that of the last stage again.
    Reads: rk_qpos, rk_qvel, rk_act, rk_actuator_velocity, rk_qvel_sum, rk_qacc_sum, rk_act_sum, qacc
    Writes: time, qpos, qvel, act, actuator_velocity, rk_actuator_velocity, qacc, qacc_warmstart, diverged, diverged_id
    """
    bad = first_bad(d.rk_qacc_sum, m.nv)
    if bad >= 0:
        rk4_restore(m, d, start)
        return refuse(d, WARN_BADQACC, bad)
    for k in range(m.nout):   # some activations advance by the velocities at the start of the step
        last = d.actuator_velocity[k]
        d.actuator_velocity[k] = d.rk_actuator_velocity[k]
        d.rk_actuator_velocity[k] = last
    rk4_restore_state(m, d, start)
    advance(m, d, d.rk_qacc_sum, d.rk_qvel_sum, d.rk_act_sum)
    for k in range(m.nout):
        d.actuator_velocity[k] = d.rk_actuator_velocity[k]
    for k in range(m.nv):
        d.qacc[k] = d.rk_qacc_sum[k]
    return 1
