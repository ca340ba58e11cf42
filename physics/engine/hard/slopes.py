"""What a dof has of its own: the impulse of its forces, and the slopes of those that are taken at the end of the step.

    r_k = ... + H0_k qd_k - tau_k,    H0 = I_a + h D + h kv + h^2 kp

Dampers and servos on joints are linear about the start of the step and act with the velocity and length at its end; all other forces act as they are at its
start, as springs do in the paper. Slopes that would drive the motion stay at the start, too.

Source: Dojo (engine/hard/__init__.py), section III (joint springs and dampers); MuJoCo documentation, Computation chapter, "Numerical integration".
"""
from __future__ import annotations

from physics.engine.actuator.activation import is_off
from physics.engine.actuator.length_derivative import actuator_stiffness
from physics.engine.actuator.transmission import joint_armature, on_joint
from physics.engine.actuator.velocity_derivative import actuator_slope
from physics.engine.integrator.damped_euler import dof_damping_slope
from physics.engine.kinematics.joints import dof_count
from physics.enums import DSBL_ACTUATION, DSBL_DAMPER
from physics.kernels.decorators import kernel


@kernel()
def dof_slopes(m, d):
    """Impulses of the dofs' forces and slopes of armature and dampers.

    Reads: qfrc_passive, qfrc_applied, qfrc_actuator, qvel, hard_qd0, hard_h
    Writes: hard_tau, hard_H0
    """
    h = d.hard_h
    damped = m.opt_disableflags & DSBL_DAMPER == 0
    for k in range(m.nv):
        qd = d.hard_qd0[k]
        armature = m.dof_armature[k] + joint_armature(m, m.dof_jntid[k])
        slope = 0.0
        if damped:
            slope = h * max(0.0, dof_damping_slope(m, d, k))
        d.hard_H0[k] = armature + slope
        d.hard_tau[k] = h * (d.qfrc_passive[k] + d.qfrc_applied[k] + d.qfrc_actuator[k]) + (armature + slope) * qd


@kernel()
def servo_slopes(m, d):
    """Stiffness and damping of actuators on joints of one dof.

    Reads: actuator_length, actuator_velocity, actuator_force, qfrc_actuator, tendon_total, ctrl_used, act, act_dot, hard_qd0, hard_h
    Writes: hard_tau, hard_H0
    """
    if m.opt_disableflags & DSBL_ACTUATION:
        return
    h = d.hard_h
    for i in range(m.nactuator):
        j = m.actuator_trnid[i, 0]
        if not on_joint(m, i) or dof_count(m.jnt_type[j]) != 1 or is_off(m, i):
            continue
        # force(l + h g qd, g qd) about (l, g qd0), times the gear g
        k = m.jnt_dofadr[j]
        g = m.actuator_gear[m.actuator_outadr[i], 0]
        damping = h * g * g * max(0.0, -actuator_slope(m, d, i))
        stiffness = h * h * g * g * max(0.0, actuator_stiffness(m, d, i))
        d.hard_H0[k] += damping + stiffness
        d.hard_tau[k] += damping * d.hard_qd0[k]
