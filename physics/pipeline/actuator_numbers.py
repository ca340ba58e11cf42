"""The force of an actuator with its numbers put in, for every kind of gain and bias: fixed, affine, muscle, pid, dcmotor, orientation servo.

    force_of(m, v, i): v: the Moment after the stage actuation

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator; the formulas of physics/engine/actuator.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.engine.actuator.activation import driving_input, is_off
from physics.engine.actuator.actuation import target_part
from physics.engine.actuator.dcmotor import CONTROLLER, bristle_place, drive_voltage, integral, resistance
from physics.engine.actuator.muscle import length_curve, optimal_length, peak_force, scaled_length, scaled_speed, speed_curve, stiff_end
from physics.engine.actuator.servo import exp_quat, nearest_turn, servo_inputs, turn_length
from physics.engine.clamp import clip
from physics.engine.linalg.quat import sub_quat, unit4
from physics.enums import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    BIAS_MUSCLE,
    BIAS_NONE,
    CHART_QUAT,
    DCM_COGGING,
    DCM_K,
    DCM_KD,
    DCM_KI,
    DCM_KP,
    DCM_PHASE,
    DCM_POLES,
    DCM_SIGMA0,
    DCM_SIGMA1,
    DCM_TE,
    DCM_VMAX,
    DYN_DCMOTOR,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_PID,
    GAIN_SO3,
)
from physics.pipeline.line import Line, factor, n, named, summed

MINUS = "\u2212"


class Part(NamedTuple):
    """A summand of the force: words; text: with numbers; value; lines: that explain its numbers."""

    words: str
    text: str
    value: float
    lines: tuple[str, ...] = ()


def force_of(m, v, i: int) -> list[Line]:
    """Lines of actuator i's force, from its parts to its limits."""
    out, head = int(m.actuator_outadr[i]), f"actuator_force<sub>{named(m, 'actuator', i)}</sub>"
    force = v.actuator_force[out]
    if is_off(m, i):
        return [Line(f"{head} = 0: its group is switched off", 0.0, float(force), "actuator_force", out)]
    if int(m.actuator_gaintype[i]) == GAIN_SO3:
        return _orientation(m, v, i, out, head)
    push, bias = _PUSHES.get(int(m.actuator_gaintype[i])), _BIASES.get(int(m.actuator_biastype[i]))
    early = m.actuator_dyntype[i] == DYN_DCMOTOR and m.actuator_actearly[i] and m.actuator_gaintype[i] != GAIN_DCMOTOR      # what compiled code alone finds
    if push is None or bias is None or early:
        return [Line(f"{head} = {n(force)}")]
    parts = [part for part in (push(m, v, i, out), bias(m, v, i, out)) if part is not None]
    plain = float(sum(part.value for part in parts))
    words = f"{head} = {' + '.join(part.words for part in parts)} = {summed([part.text for part in parts])} = {n(plain)}"
    plain, limit = _limited(m, i, plain)
    words += limit
    lines = [Line(text) for part in parts for text in part.lines]
    if m.actuator_biastype[i] == BIAS_DCMOTOR and (friction := _friction(m, v, i, out)) is not None:
        plain += friction.value
        lines += [Line(text) for text in friction.lines]
        words += f"; with cogging and friction of bristles: + {factor(friction.value)} = {n(plain)}"
    shared = m.ntendon > 0 and bool(np.any(m.tendon_actfrclimited))     # their forces may shrink together
    return [*lines, Line(words, None if shared else plain, None if shared else float(force), "actuator_force", out)]


def _limited(m, i: int, force: float) -> tuple[float, str]:
    if not m.actuator_forcelimited[i]:
        return force, ""
    low, high = m.actuator_forcerange[i]
    kept = float(clip(force, low, high))
    return kept, f", within [{n(low)}, {n(high)}]: {n(kept)}"


def _input(m, v, i: int, out: int) -> tuple[float, str, tuple[str, ...]]:
    """What a gain multiplies: (value, its name, explanation)."""
    what, u = "act" if m.actuator_actnum[i] > 0 else "ctrl", float(driving_input(m, v, i))
    turn = float(turn_length(m, i))
    if not turn:
        return u, what, ()
    near = float(nearest_turn(u, v.actuator_length[out], turn))
    words = f"input = {what} and the whole turns that bring it nearest to length = {n(u)} + {factor(round((near - u) / turn))}\u00b7{n(turn)} = {n(near)}"
    return near, "input", (words,) if near != u else ()


# ------------------------------------------------------------------ what the input gives

def _fixed(m, v, i: int, out: int) -> Part:
    gain, (u, what, told) = float(m.actuator_gainprm[i, 0]), _input(m, v, i, out)
    return Part(f"gain {what}", f"{n(gain)}\u00b7{factor(u)}", gain * u, told)


def _affine_gain(m, v, i: int, out: int) -> Part:
    text, gain = _affine(m.actuator_gainprm[i], v, out)
    u, what, told = _input(m, v, i, out)
    return Part(f"gain {what}", f"{n(gain)}\u00b7{factor(u)}", gain * u, (f"gain = {text} = {n(gain)}", *told))


def _affine(prm, v, out: int) -> tuple[str, float]:
    length, speed = float(v.actuator_length[out]), float(v.actuator_velocity[out])
    text = f"p<sub>0</sub> + p<sub>1</sub> length + p<sub>2</sub> velocity = {n(prm[0])} + {factor(prm[1])}\u00b7{factor(length)} + {factor(prm[2])}\u00b7{factor(speed)}"
    return text, float(prm[0] + prm[1] * length + prm[2] * speed)


def _muscle_gain(m, v, i: int, out: int) -> Part:
    prm = m.actuator_gainprm
    x, speed, peak, unit = (float(f) for f in (scaled_length(m, v, i, prm), scaled_speed(m, v, i, prm), peak_force(m, i, prm), optimal_length(m, i, prm)))
    by_length, by_speed = float(length_curve(x, prm[i, 4], prm[i, 5])), float(speed_curve(speed, prm[i, 8]))
    gain, (u, what, told) = -peak * by_length * by_speed, _input(m, v, i, out)
    return Part(f"gain {what}", f"{n(gain)}\u00b7{factor(u)}", gain * u, (
        f"L = range<sub>0</sub> + (length {MINUS} lengthrange<sub>0</sub>) / L<sub>0</sub> = {n(prm[i, 0])} + ({n(v.actuator_length[out])} {MINUS} "
        f"{factor(m.actuator_lengthrange[out, 0])}) / {n(unit)} = {n(x)}",
        f"V = velocity / (L<sub>0</sub> vmax) = {n(v.actuator_velocity[out])} / ({n(unit)}\u00b7{n(prm[i, 6])}) = {n(speed)}",
        f"gain = {MINUS}F<sub>0</sub> FL(L) FV(V) = {MINUS}{n(peak)}\u00b7{n(by_length)}\u00b7{n(by_speed)} = {n(gain)}", *told))


def _pid_push(m, v, i: int, out: int) -> Part:
    position, velocity, force, _voltage = (float(x) for x in servo_inputs(m, v, i))
    turn = float(turn_length(m, i))
    if turn:
        position = float(nearest_turn(position, v.actuator_length[out], turn))
    kp, kv, ki = (float(x) for x in (-m.actuator_biasprm[i, 1], -m.actuator_biasprm[i, 2], m.actuator_gainprm[i, 0]))
    push, words = kp * position + kv * velocity + force, "kp position + kv velocity + force"
    numbers = f"{n(kp)}\u00b7{factor(position)} + {n(kv)}\u00b7{factor(velocity)} + {factor(force)}"
    if m.actuator_actnum[i] > 0 and ki > 0.0:
        summed = float(driving_input(m, v, i))
        push, words, numbers = push + ki * summed, words + " + ki integral", numbers + f" + {n(ki)}\u00b7{factor(summed)}"
    return Part("push", n(push), push, (f"push = {words} = {numbers} = {n(push)}",))


def _motor_push(m, v, i: int, out: int) -> Part:
    prm = m.actuator_gainprm[i]
    constant = float(prm[DCM_K])
    if m.actuator_dynprm[i, DCM_TE] > 0.0:
        current, told = _current(m, v, i)
        return Part("K i", f"{n(constant)}\u00b7{factor(current)}", constant * current, (f"K: the motor's constant; i: the current in the winding{told}",))
    voltage, told = _voltage(m, v, i, out)
    r = float(resistance(m, v, i))
    torque = constant / r * voltage
    return Part("K / R V", f"{n(constant)} / {n(r)}\u00b7{factor(voltage)}", torque, (*told, "K: the motor's constant; R: the resistance at the present temperature"))


def _current(m, v, i: int) -> tuple[float, str]:
    """The current in a motor's winding, with actearly that after the step; how it comes about."""
    a = int(m.actuator_actadr[i] + m.actuator_actnum[i]) - 1
    now, rate, lag = float(v.act[a]), float(v.act_dot[a]), float(m.actuator_dynprm[i, DCM_TE])
    if not m.actuator_actearly[i]:
        return now, " (act)"
    share = lag * (1.0 - float(np.exp(-m.opt_timestep / lag)))
    return now + share * rate, f" after the step = act + te (1 {MINUS} exp({MINUS}h / te)) act_dot = {n(now)} + {n(share)}\u00b7{factor(rate)} = {n(now + share * rate)}"


def _voltage(m, v, i: int, out: int) -> tuple[float, tuple[str, ...]]:
    """The voltage at a motor's terminals, and how it comes about."""
    prm = m.actuator_gainprm[i]
    position, velocity, force, voltage = (float(x) for x in servo_inputs(m, v, i))
    if not m.actuator_ctrlspec[i] & CONTROLLER:
        return voltage, (f"V = ctrl = {n(voltage)}",)
    drive, most, speed = float(drive_voltage(m, v, i)), float(prm[DCM_VMAX]), float(v.actuator_velocity[out])
    lines = [f"torque wanted = kp (position {MINUS} length) + kd (velocity {MINUS} speed) + ki integral + force = {n(prm[DCM_KP])}\u00b7({n(position)} {MINUS} "
             f"{factor(v.actuator_length[out])}) + {n(prm[DCM_KD])}\u00b7({n(velocity)} {MINUS} {factor(speed)}) + "
             f"{n(prm[DCM_KI])}\u00b7{factor(integral(m, v, i))} + {factor(force)}",
             f"V = R / K torque + K speed = {n(drive)}"]
    if most > 0.0:
        drive = float(clip(drive, -most, most))
        lines[-1] += f", within \u00b1{n(most)}: {n(drive)}"
    if voltage:
        lines[-1] += f"; with the voltage given: {n(drive + voltage)}"
    return drive + voltage, tuple(lines)


# ------------------------------------------------------------------ bias

def _no_bias(m, v, i: int, out: int) -> None:
    return None


def _affine_bias(m, v, i: int, out: int) -> Part:
    text, value = _affine(m.actuator_biasprm[i], v, out)
    return Part("bias", n(value), value, (f"bias = {text} = {n(value)}",))


def _muscle_bias(m, v, i: int, out: int) -> Part:
    prm = m.actuator_biasprm
    x, peak, most, unit = (float(f) for f in (scaled_length(m, v, i, prm), peak_force(m, i, prm), prm[i, 7], stiff_end(prm, i)))
    knee = 0.5 * (1.0 + float(prm[i, 5]))
    share = 0.0 if x <= 1.0 else 0.5 * ((x - 1.0) / unit) ** 2 if x <= knee else 0.5 + (x - knee) / unit
    value = -peak * most * share
    return Part("bias", n(value), value, (f"bias = {MINUS}F<sub>0</sub> fpmax FP(L) = {MINUS}{n(peak)}\u00b7{n(most)}\u00b7{n(share)} = {n(value)}",))


def _back_emf(m, v, i: int, out: int) -> Part | None:
    if m.actuator_dynprm[i, DCM_TE] > 0.0:      # it is in the current
        return None
    constant, speed = float(m.actuator_gainprm[i, DCM_K]), float(v.actuator_velocity[out])
    motor = m.actuator_gaintype[i] == GAIN_DCMOTOR
    per_volt = constant / float(resistance(m, v, i)) if motor else float(m.actuator_gainprm[i, 0])
    value = -per_volt * constant * speed
    words = f"bias = {MINUS}{'K / R' if motor else 'gain'} K velocity = {MINUS}{n(per_volt)}\u00b7{n(constant)}\u00b7{factor(speed)} = {n(value)} (back-EMF)"
    return Part("bias", n(value), value, (words,))


def _friction(m, v, i: int, out: int) -> Part | None:
    """What the gears and the bristles of a motor add behind the limits."""
    bias, dyn, lines, value = m.actuator_biasprm[i], m.actuator_dynprm[i], [], 0.0
    if bias[DCM_COGGING]:
        value = float(bias[DCM_COGGING] * np.sin(bias[DCM_POLES] * v.actuator_length[out] + bias[DCM_PHASE]))
        lines.append(f"cogging = {n(bias[DCM_COGGING])} sin({n(bias[DCM_POLES])}\u00b7{factor(v.actuator_length[out])} + {factor(bias[DCM_PHASE])}) = {n(value)}")
    if dyn[DCM_SIGMA0] > 0.0 and m.actuator_actnum[i] > bristle_place(m, i):
        a = int(m.actuator_actadr[i] + bristle_place(m, i))
        bristles = -float(dyn[DCM_SIGMA0] * v.act[a] + dyn[DCM_SIGMA1] * v.act_dot[a])
        numbers = f"{n(dyn[DCM_SIGMA0])}\u00b7{factor(v.act[a])} + {n(dyn[DCM_SIGMA1])}\u00b7{factor(v.act_dot[a])}"
        lines.append(f"bristles = {MINUS}(\u03c3<sub>0</sub> z + \u03c3<sub>1</sub> z') = {MINUS}({numbers}) = {n(bristles)}")
        value += bristles
    return Part("friction", n(value), value, tuple(lines)) if lines else None


# ------------------------------------------------------------------ orientation servo

def _orientation(m, v, i: int, out: int, head: str) -> list[Line]:
    """Three torques, from the rotation that leads from where the servo is to its target."""
    if m.actuator_ctrlspec[i] == CHART_QUAT:
        u = int(m.actuator_ctrladr[i])
        target = unit4(tuple(map(float, v.ctrl_used[u:u + 4])))
    else:
        target = exp_quat(tuple(float(target_part(m, v, i, k)) for k in range(3)))
    length, speed = v.actuator_length[out:out + 3], v.actuator_velocity[out:out + 3]
    error = np.array(sub_quat(target, exp_quat(tuple(map(float, length)))))
    k, b0, b2 = float(m.actuator_gainprm[i, 0]), float(m.actuator_biasprm[i, 0]), float(m.actuator_biasprm[i, 2])
    force = k * error + b0 + b2 * speed
    lines = [Line(f"error = rotation vector from length {n(length)} to the target's quaternion {n(target)} = {n(error)}")]
    constant = f" + {factor(b0)}" if b0 else ""
    words = f"{head} = kp error{' + bias' if b0 else ''} {MINUS} kv velocity = {n(k)}\u00b7{n(error)}{constant} {MINUS} {n(-b2)}\u00b7{n(speed)} = {n(force)}"
    if m.actuator_forcelimited[i]:
        most, size = float(m.actuator_forcerange[i, 1]), float(np.linalg.norm(force))
        force = force * (most / size) if size > most else force
        words += f", no longer than {n(most)}: {n(force)}"
    return [*lines, Line(words, force, v.actuator_force[out:out + 3], "actuator_force", out)]


_PUSHES: Mapping[int, Callable[..., Part]] = MappingProxyType({
    GAIN_FIXED: _fixed, GAIN_AFFINE: _affine_gain, GAIN_MUSCLE: _muscle_gain, GAIN_PID: _pid_push, GAIN_DCMOTOR: _motor_push})
_BIASES: Mapping[int, Callable[..., Part | None]] = MappingProxyType({BIAS_NONE: _no_bias, BIAS_AFFINE: _affine_bias, BIAS_MUSCLE: _muscle_bias, BIAS_DCMOTOR: _back_emf})
