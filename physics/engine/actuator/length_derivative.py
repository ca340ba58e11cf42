"""How actuator forces change with the actuators' own length: what the discrete integrator needs.

Source: MuJoCo documentation, Computation chapter, "Actuation model" (gains and biases) and "Numerical integration".
"""
from __future__ import annotations

from physics.engine.actuator.activation import driving_input
from physics.engine.actuator.dcmotor import cogging_stiffness, motor_stiffness
from physics.engine.actuator.muscle import muscle_bias_stretch, muscle_gain_stretch
from physics.engine.actuator.velocity_derivative import force_is_held, joint_is_held
from physics.enums import BIAS_AFFINE, BIAS_DCMOTOR, BIAS_MUSCLE, GAIN_AFFINE, GAIN_DCMOTOR, GAIN_MUSCLE, GAIN_SO3
from physics.kernels.decorators import helper, kernel


@kernel("m d i", ret="f")
def gain_stretch(m, d, i):
    """Derivative by length of the part of the force of actuator i that its input gives.

    Reads: ctrl_used, act, act_dot, actuator_length, actuator_velocity
    """
    s = m.actuator_gainprm[i, 1]
    if m.actuator_gaintype[i] == GAIN_MUSCLE:
        s = muscle_gain_stretch(m, d, i)
    if s == 0.0:
        return 0.0
    return s * driving_input(m, d, i)


@helper
def actuator_stiffness(m, d, i):
    """Derivative of each force of actuator i by the length of its output, with the sign turned; 0 where a range holds the force."""
    gain = m.actuator_gaintype[i]
    s = 0.0
    if m.actuator_biastype[i] == BIAS_AFFINE:
        s = -m.actuator_biasprm[i, 1]
    elif m.actuator_biastype[i] == BIAS_MUSCLE:
        s = -muscle_bias_stretch(m, d, i)
    if gain == GAIN_AFFINE or gain == GAIN_MUSCLE:
        s -= gain_stretch(m, d, i)
    elif gain == GAIN_SO3:
        s += m.actuator_gainprm[i, 0]
    elif gain == GAIN_DCMOTOR:
        s += motor_stiffness(m, d, i)
    if s != 0.0 and force_is_held(m, d, i):
        s = 0.0
    if m.actuator_biastype[i] == BIAS_DCMOTOR and m.actuator_biasprm[i, 0] != 0.0:
        s += cogging_stiffness(m, d, i)
    if s != 0.0 and joint_is_held(m, d, i):
        return 0.0
    return s
