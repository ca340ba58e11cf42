"""A DC motor's parameters from what a data sheet gives: motor constant, resistance, winding, controller, heat and friction.

Source: MuJoCo MJCF reference, actuator/dcmotor, and its technical note.
"""
from __future__ import annotations

import math

from physics.enums import (
    DCM_CT,
    DCM_DIMAX,
    DCM_FC,
    DCM_FS,
    DCM_IMAX,
    DCM_K,
    DCM_KD,
    DCM_KI,
    DCM_KP,
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
    BiasType,
    CtrlInput,
    DynType,
    GainType,
)


def set_motor(s, read) -> None:
    """Write the motor's force law over the settings of actuator_shortcuts.py.

    The columns of gainprm, dynprm and biasprm are the DCM_ constants of physics/enums.py.
    """
    inherits = s.gaintype == GainType.DCMOTOR
    gain, bias, dyn = (list(values) if inherits else [0.0] * 10 for values in (s.gainprm, s.biasprm, s.dynprm))
    _electrics(s, read, gain)
    _controller(read, gain, dyn)
    _saturation(s, read, gain, dyn)
    _winding(read, gain, dyn)
    _heat(read, gain, dyn)
    bias[:3] = read.over("cogging", tuple(bias[:3]))
    _friction(read, dyn, bias)
    s.gainprm, s.biasprm, s.dynprm = tuple(gain), tuple(bias), tuple(dyn)
    s.gaintype, s.biastype, s.dyntype = GainType.DCMOTOR, BiasType.DCMOTOR, DynType.DCMOTOR
    s.actdim = states(gain, dyn)
    s.actlimited, s.actearly = "false", True


def states(gain, dyn) -> int:
    """Number of states of a motor: slew, integral, temperature, bristle, current."""
    return sum((dyn[DCM_SLEW] > 0, gain[DCM_KI] > 0, dyn[DCM_RT] > 0, dyn[DCM_SIGMA0] > 0, dyn[DCM_TE] > 0))


def _electrics(s, read, gain: list) -> None:
    """Motor constant and resistance, where they are not given from the nominal operating point."""
    torque, emf = read.over("motorconst", (gain[DCM_K], 0.0))
    resistance = read("resistance", gain[DCM_R])
    voltage, stall, speed = read.over("nominal", (0.0, 0.0, 0.0))
    if min(torque, emf) < 0:
        read.error("a motor constant cannot be negative", "motorconst")
    if voltage > 0 and emf <= 0 and speed > 0:
        emf = _back_emf(voltage, stall, speed, s.damping[0], resistance)
    constant = math.sqrt(torque * emf) if torque > 0 and emf > 0 else max(torque, emf)
    if resistance == 0 and voltage > 0 and stall > 0 and constant > 0:
        resistance = constant * voltage / stall
    if constant <= 0 and s.ctrlspec != CtrlInput.NONE:
        read.error("a motor needs a positive motor constant", "motorconst", "Give motorconst, or nominal with voltage and no-load speed")
    if resistance <= 0:
        read.error("a motor needs a positive resistance", "resistance", "Give resistance, or nominal with voltage and stall torque")
    gain[DCM_R], gain[DCM_K] = resistance, constant


def _back_emf(voltage: float, stall: float, speed: float, damping: float, resistance: float) -> float:
    """Motor constant from the no-load speed: voltage = constant speed + current resistance, the current against linear damping."""
    plain = voltage / speed
    if damping > 0 and resistance > 0:
        inside = voltage * voltage - 4 * resistance * damping * speed * speed
        return (voltage + math.sqrt(inside)) / (2 * speed) if inside > 0 else plain
    if damping > 0 and stall > 0:
        exact = plain - voltage * damping / stall
        return exact if exact > 0 else plain
    return plain


def _controller(read, gain: list, dyn: list) -> None:
    old = (gain[DCM_KP], gain[DCM_KI], gain[DCM_KD], dyn[DCM_SLEW], dyn[DCM_IMAX], gain[DCM_VMAX])
    gain[DCM_KP], gain[DCM_KI], gain[DCM_KD], dyn[DCM_SLEW], dyn[DCM_IMAX], gain[DCM_VMAX] = read.over("controller", old)


def _saturation(s, read, gain: list, dyn: list) -> None:
    """Largest torque, or current times motor constant, as the range of forces; largest current rate."""
    if read("saturation") is None:
        return
    torque, current, rate = read.over("saturation", (0.0, 0.0, dyn[DCM_DIMAX]))
    s.forcerange, s.forcelimited = (0.0, 0.0), "auto"
    if torque > 0 or current > 0:
        torque = torque or gain[DCM_K] * current
        s.forcerange, s.forcelimited = (-torque, torque), "true"
    dyn[DCM_DIMAX] = max(rate, 0.0)


def _winding(read, gain: list, dyn: list) -> None:
    inductance, time = read.over("inductance", (0.0, dyn[DCM_TE]))
    if inductance < 0 or time < 0:
        read.error("inductance and electrical time constant cannot be negative", "inductance")
    dyn[DCM_TE] = inductance / gain[DCM_R] if inductance > 0 and gain[DCM_R] else time


def _heat(read, gain: list, dyn: list) -> None:
    """Thermal resistance and capacitance; any two of these and the time constant determine the third."""
    resistance, capacitance, time, coefficient, reference, ambient = read.over("thermal", (dyn[DCM_RT], dyn[DCM_CT], 0.0, gain[DCM_TEMPCO], gain[DCM_TREF], dyn[DCM_TAMB]))
    if resistance <= 0 and capacitance <= 0 and time <= 0:
        return
    if time > 0 and resistance > 0:
        capacitance = time / resistance
    elif time > 0 and capacitance > 0 and resistance == 0:
        resistance = time / capacitance
    if resistance <= 0 or capacitance <= 0:
        read.error("thermal resistance and capacitance must be positive", "thermal")
    dyn[DCM_RT], dyn[DCM_CT], dyn[DCM_TAMB], gain[DCM_TEMPCO], gain[DCM_TREF] = resistance, capacitance, ambient, coefficient, reference


def _friction(read, dyn: list, bias: list) -> None:
    """LuGre friction, where the bristles have stiffness."""
    stiffness, damping, coulomb, static, stribeck = read.over("lugre", (dyn[DCM_SIGMA0], dyn[DCM_SIGMA1], bias[DCM_FC], bias[DCM_FS], bias[DCM_VS]))
    if stiffness > 0:
        dyn[DCM_SIGMA0], dyn[DCM_SIGMA1], bias[DCM_FC], bias[DCM_FS], bias[DCM_VS] = stiffness, damping, coulomb, static, stribeck
