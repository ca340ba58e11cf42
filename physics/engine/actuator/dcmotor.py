"""DC motors: a winding that carries a current, driven by a voltage or by a controller, with heat and dry friction.

    winding      te di/dt = (V - K v) / R - i; without a time constant te the current follows at once
    torque       K i, plus cogging, less the friction of bristles (LuGre)
    controller   torque = kp (position error) + kd (speed error) + ki (integral) + feed forward, made a voltage by
                 V = R / K torque + K v
    heat         C dT/dt = R i^2 - T / RT, T above the surroundings; R grows with it
    bristles     dz/dt = v - z sigma0 |v| / g(v), g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)

    columns of actuator_gainprm, actuator_dynprm and actuator_biasprm: the DCM_ constants of physics/enums.py

States, each only where its parameters ask for it, in this order: set point in effect, integral, temperature, bristle, current.

Source: MuJoCo MJCF reference, actuator/dcmotor, and its technical note; Canudas de Wit et al., "A new model for control of
systems with friction", 1995.
"""
from __future__ import annotations

from math import cos, exp, sin

from physics.engine.actuator.servo import servo_inputs, slew, windup
from physics.engine.clamp import clip
from physics.enums import (
    DCM_COGGING,
    DCM_CT,
    DCM_DIMAX,
    DCM_FC,
    DCM_FS,
    DCM_IMAX,
    DCM_K,
    DCM_KD,
    DCM_KI,
    DCM_KP,
    DCM_PHASE,
    DCM_POLES,
    DCM_R,
    DCM_RT,
    DCM_SIGMA0,
    DCM_SIGMA1,
    DCM_SLEW,
    DCM_TAMB,
    DCM_TE,
    DCM_TEMPCO,
    DCM_TREF,
    DCM_VMAX,
    DCM_VS,
    DYN_DCMOTOR,
    GAIN_DCMOTOR,
    INPUT_FF,
    INPUT_POS,
    INPUT_VEL,
    MINVAL,
)
from physics.kernels.decorators import helper, kernel

CONTROLLER = INPUT_POS | INPUT_VEL | INPUT_FF


@helper
def integral_place(m, i):
    """Place of the integral among the states of motor i, if it has one."""
    if m.actuator_dynprm[i, DCM_SLEW] > 0.0:
        return 1
    return 0


@helper
def heat_place(m, i):
    """Place of the temperature, if it has one."""
    k = integral_place(m, i)
    if m.actuator_gainprm[i, DCM_KI] > 0.0:
        k += 1
    return k


@helper
def bristle_place(m, i):
    """Place of the bristle, if it has one."""
    k = heat_place(m, i)
    if m.actuator_dynprm[i, DCM_RT] > 0.0:
        k += 1
    return k


@helper
def current_place(m, i):
    """Place of the current, if it has one."""
    k = bristle_place(m, i)
    if m.actuator_dynprm[i, DCM_SIGMA0] > 0.0:
        k += 1
    return k


@helper
def state_count(m, i):
    """Number of states that the parameters of motor i ask for."""
    k = current_place(m, i)
    if m.actuator_dynprm[i, DCM_TE] > 0.0:
        k += 1
    return k


@helper
def motor_fits(m, i):
    """Whether actuator i has the states that its parameters, which may change while it runs, ask for; true of all but motors."""
    if m.actuator_dyntype[i] != DYN_DCMOTOR and m.actuator_gaintype[i] != GAIN_DCMOTOR:
        return True
    return m.actuator_actnum[i] == state_count(m, i)


@helper
def motors_fit(m):
    """Whether all motors have the states that their parameters ask for."""
    for i in range(m.nactuator):
        if not motor_fits(m, i):
            return False
    return True


@helper
def integral(m, d, i):
    """Integral of the position error of motor i."""
    if m.actuator_gainprm[i, DCM_KI] > 0.0:
        return d.act[m.actuator_actadr[i] + integral_place(m, i)]
    return 0.0


@helper
def resistance(m, d, i):
    """Resistance of motor i at its temperature."""
    r = m.actuator_gainprm[i, DCM_R]
    if m.actuator_dynprm[i, DCM_RT] > 0.0:
        above = d.act[m.actuator_actadr[i] + heat_place(m, i)]
        r *= 1.0 + m.actuator_gainprm[i, DCM_TEMPCO] * (above + m.actuator_dynprm[i, DCM_TAMB] - m.actuator_gainprm[i, DCM_TREF])
    return r


@helper
def decay(m, i, v):
    """Rate at which the bristle of motor i springs back at speed v: sigma0 |v| / g(v)."""
    x = v / max(MINVAL, m.actuator_biasprm[i, DCM_VS])
    g = m.actuator_biasprm[i, DCM_FC] + (m.actuator_biasprm[i, DCM_FS] - m.actuator_biasprm[i, DCM_FC]) * exp(-x * x)
    return m.actuator_dynprm[i, DCM_SIGMA0] * abs(v) / max(MINVAL, g)


@helper
def drive_voltage(m, d, i):
    """Voltage that the controller of motor i asks of its supply."""
    position, velocity, force, _voltage = servo_inputs(m, d, i)
    out = m.actuator_outadr[i]
    v = d.actuator_velocity[out]
    torque = force + m.actuator_gainprm[i, DCM_KI] * integral(m, d, i)
    torque += m.actuator_gainprm[i, DCM_KP] * (position - d.actuator_length[out]) + m.actuator_gainprm[i, DCM_KD] * (velocity - v)
    constant = m.actuator_gainprm[i, DCM_K]
    return m.actuator_gainprm[i, DCM_R] / constant * torque + constant * v


@kernel("m d i", ret="f")
def motor_voltage(m, d, i):
    """Voltage at the terminals of motor i: that of its controller, limited by the supply, and what is given directly.

    Reads: ctrl_used, act, actuator_length, actuator_velocity
    """
    _position, _velocity, _force, voltage = servo_inputs(m, d, i)
    if m.actuator_ctrlspec[i] & CONTROLLER == 0:
        return voltage
    drive = drive_voltage(m, d, i)
    most = m.actuator_gainprm[i, DCM_VMAX]
    if most > 0.0:
        drive = clip(drive, -most, most)
    return drive + voltage


@kernel("m d i")
def motor_rates(m, d, i):
    """Rates of the states of motor i; its position set point in ctrl_used becomes the one in effect.

    Reads: act, actuator_length, actuator_velocity, ctrl_used
    Writes: act_dot, ctrl_used
    """
    first = m.actuator_actadr[i]
    out = m.actuator_outadr[i]
    v = d.actuator_velocity[out]
    lag = m.actuator_dynprm[i, DCM_TE]
    if m.actuator_dynprm[i, DCM_SLEW] > 0.0:
        slew(m, d, i, first, m.actuator_dynprm[i, DCM_SLEW], 0.0)
    if m.actuator_gainprm[i, DCM_KI] > 0.0:
        a = first + integral_place(m, i)
        d.act_dot[a] = windup(d.ctrl_used[m.actuator_ctrladr[i]] - d.actuator_length[out], d.act[a], m.actuator_dynprm[i, DCM_IMAX])
    driven = motor_voltage(m, d, i) - m.actuator_gainprm[i, DCM_K] * v
    r = resistance(m, d, i)
    if m.actuator_dynprm[i, DCM_RT] > 0.0:
        a = first + heat_place(m, i)
        current = driven / r
        if lag > 0.0:
            current = d.act[first + current_place(m, i)]
        d.act_dot[a] = (r * current * current - d.act[a] / m.actuator_dynprm[i, DCM_RT]) / m.actuator_dynprm[i, DCM_CT]
    if m.actuator_dynprm[i, DCM_SIGMA0] > 0.0:
        a = first + bristle_place(m, i)
        d.act_dot[a] = v - decay(m, i, v) * d.act[a]
    if lag > 0.0:
        a = first + current_place(m, i)
        rate = (driven / r - d.act[a]) / lag
        fastest = m.actuator_dynprm[i, DCM_DIMAX]
        if fastest > 0.0:
            rate = clip(rate, -fastest, fastest)
        d.act_dot[a] = rate


@kernel("m d i i f", ret="f")
def next_motor_state(m, d, i, a, rate):
    """State act[a] of motor i one time step later: current and bristle as if voltage and speed stayed, the rest along the rate.

    Reads: act, actuator_velocity
    """
    h = m.opt_timestep
    x = d.act[a]
    place = a - m.actuator_actadr[i]
    if m.actuator_dynprm[i, DCM_TE] > 0.0 and place == current_place(m, i):
        lag = m.actuator_dynprm[i, DCM_TE]
        return x + rate * lag * (1.0 - exp(-h / lag))
    if m.actuator_dynprm[i, DCM_SIGMA0] > 0.0 and place == bristle_place(m, i):
        v = d.actuator_velocity[m.actuator_outadr[i]]
        k = decay(m, i, v)
        left = exp(-k * h)
        reach = h
        if k > MINVAL:
            reach = (1.0 - left) / k
        return left * x + reach * v
    x += h * rate
    most = m.actuator_dynprm[i, DCM_IMAX]
    if most > 0.0 and m.actuator_gainprm[i, DCM_KI] > 0.0 and place == integral_place(m, i):
        x = clip(x, -most, most)
    return x


@helper
def torque_per_volt(m, d, i):
    """Torque of motor i per volt where its current follows at once."""
    return m.actuator_gainprm[i, DCM_K] / max(MINVAL, resistance(m, d, i))


@kernel("m d i f", ret="f")
def motor_torque(m, d, i, current):
    """Torque of the winding of motor i: of its current where that is a state, else of its voltage, as if it stood still.

    Reads: ctrl_used, act, actuator_length, actuator_velocity
    """
    if m.actuator_dynprm[i, DCM_TE] > 0.0:
        return m.actuator_gainprm[i, DCM_K] * current
    return torque_per_volt(m, d, i) * motor_voltage(m, d, i)


@kernel("m d i f", ret="f")
def back_emf(m, d, i, per_volt):
    """Torque by which motor i brakes its own motion, where its current follows at once; else that is in the current.

    Reads: act, actuator_velocity
    """
    if m.actuator_dynprm[i, DCM_TE] > 0.0:
        return 0.0
    if m.actuator_gaintype[i] == GAIN_DCMOTOR:
        per_volt = torque_per_volt(m, d, i)
    return -per_volt * m.actuator_gainprm[i, DCM_K] * d.actuator_velocity[m.actuator_outadr[i]]


@kernel("m d i", ret="f")
def motor_friction(m, d, i):
    """Torque of cogging and of bristles of motor i.

    Reads: act, act_dot, actuator_length
    """
    f = 0.0
    if m.actuator_biasprm[i, DCM_COGGING] != 0.0:
        f = m.actuator_biasprm[i, DCM_COGGING] * sin(m.actuator_biasprm[i, DCM_POLES] * d.actuator_length[m.actuator_outadr[i]] + m.actuator_biasprm[i, DCM_PHASE])
    if m.actuator_dynprm[i, DCM_SIGMA0] > 0.0 and m.actuator_actnum[i] > bristle_place(m, i):
        a = m.actuator_actadr[i] + bristle_place(m, i)
        f -= m.actuator_dynprm[i, DCM_SIGMA0] * d.act[a] + m.actuator_dynprm[i, DCM_SIGMA1] * d.act_dot[a]
    return f


@kernel("m d i", ret="f")
def motor_slope(m, d, i):
    """Derivative of motor_torque by velocity; what is at its limit, voltage or rate of the current, does not change.

    A controller's term K v undoes the winding's own braking; what is left is its kd.

    Reads: ctrl_used, act, act_dot, actuator_length, actuator_velocity
    """
    constant = m.actuator_gainprm[i, DCM_K]
    most = m.actuator_gainprm[i, DCM_VMAX]
    driven = 0.0
    if m.actuator_ctrlspec[i] & CONTROLLER and (most <= 0.0 or abs(drive_voltage(m, d, i)) < most):
        driven = constant - m.actuator_gainprm[i, DCM_KD] * m.actuator_gainprm[i, DCM_R] / constant
    lag = m.actuator_dynprm[i, DCM_TE]
    if lag > 0.0:
        driven = (driven - constant) * (1.0 - exp(-m.opt_timestep / lag))
        fastest = m.actuator_dynprm[i, DCM_DIMAX]
        if fastest > 0.0 and abs(d.act_dot[m.actuator_actadr[i] + current_place(m, i)]) >= fastest:
            driven = 0.0
    return torque_per_volt(m, d, i) * driven


@kernel("m d i", ret="f")
def motor_stiffness(m, d, i):
    """Derivative of motor_torque by length, with the sign turned: the controller's kp, where nothing is at its limit.

    Reads: ctrl_used, act, act_dot, actuator_length, actuator_velocity
    """
    most = m.actuator_gainprm[i, DCM_VMAX]
    if m.actuator_ctrlspec[i] & CONTROLLER == 0 or (most > 0.0 and abs(drive_voltage(m, d, i)) >= most):
        return 0.0
    k = torque_per_volt(m, d, i) * m.actuator_gainprm[i, DCM_KP] * m.actuator_gainprm[i, DCM_R] / m.actuator_gainprm[i, DCM_K]
    lag = m.actuator_dynprm[i, DCM_TE]
    if lag > 0.0:
        k *= 1.0 - exp(-m.opt_timestep / lag)
        fastest = m.actuator_dynprm[i, DCM_DIMAX]
        if fastest > 0.0 and abs(d.act_dot[m.actuator_actadr[i] + current_place(m, i)]) >= fastest:
            k = 0.0
    return k


@helper
def cogging_stiffness(m, d, i):
    """Derivative of a motor's cogging by length, with the sign turned."""
    poles = m.actuator_biasprm[i, DCM_POLES]
    return -m.actuator_biasprm[i, DCM_COGGING] * poles * cos(poles * d.actuator_length[m.actuator_outadr[i]] + m.actuator_biasprm[i, DCM_PHASE])


@helper
def friction_slope(m, i):
    """Derivative of motor_friction by velocity, for bristles that keep their length."""
    return -max(0.0, m.actuator_dynprm[i, DCM_SIGMA1])


@helper
def back_emf_slope(m, d, i):
    """Derivative of back_emf by velocity."""
    if m.actuator_dynprm[i, DCM_TE] > 0.0:
        return 0.0
    return -torque_per_volt(m, d, i) * m.actuator_gainprm[i, DCM_K]
