"""Muscles: how fast they wake, and the force they give at a length and speed.

A muscle's length is measured in units of its optimal length, so that `range` (gainprm 0, 1) spans the actuator's length
range; its speed in optimal lengths times vmax per second. Active force = peak x length curve x speed curve x activation;
the passive one depends on length alone. Both pull, so they are negative.

    gainprm, biasprm   range 2, peak force (negative: scale / acc0), scale, lmin, lmax, vmax, fpmax, fvmax
    dynprm             time constants of waking and of relaxing, width over which one turns into the other

Source: MuJoCo documentation, Computation chapter, "Muscles"; Millard et al., "Flexing computational muscle", 2013.
"""
from __future__ import annotations

from physics.engine.clamp import clip
from physics.enums import MINVAL
from physics.kernels.decorators import helper, kernel


@helper
def peak_force(m, i, prm):
    """Largest active force of muscle i at rest."""
    force = prm[i, 2]
    if force < 0.0:
        force = prm[i, 3] / max(MINVAL, m.actuator_acc0[m.actuator_outadr[i]])
    return force


@helper
def optimal_length(m, i, prm):
    """Length of actuator i at which muscle force is largest, without what the range leaves out."""
    out = m.actuator_outadr[i]
    return (m.actuator_lengthrange[out, 1] - m.actuator_lengthrange[out, 0]) / max(MINVAL, prm[i, 1] - prm[i, 0])


@helper
def scaled_length(m, d, i, prm):
    """Length of muscle i in optimal lengths."""
    out = m.actuator_outadr[i]
    return prm[i, 0] + (d.actuator_length[out] - m.actuator_lengthrange[out, 0]) / max(MINVAL, optimal_length(m, i, prm))


@helper
def speed_unit(m, i, prm):
    """Actuator velocity at which muscle i gives no more force."""
    return max(MINVAL, optimal_length(m, i, prm) * prm[i, 6])


@helper
def scaled_speed(m, d, i, prm):
    """Velocity of muscle i in these units."""
    return d.actuator_velocity[m.actuator_outadr[i]] / speed_unit(m, i, prm)


@helper
def stiff_end(prm, i):
    """Length over which the passive force of muscle i rises as a parabola."""
    return max(MINVAL, 0.5 * (1.0 + prm[i, 5]) - 1.0)


@helper
def length_curve(x, low, high):
    """Share of the active force at length x: 0 at both ends, 1 at 1, four parabolas that join smoothly."""
    if x < low or x > high:
        return 0.0
    if x <= 1.0:
        end = x - low
        side = 0.5 * (1.0 - low)
    else:
        end = high - x
        side = 0.5 * (high - 1.0)
    if end <= side:
        s = end / max(MINVAL, side)
        return 0.5 * s * s
    s = abs(1.0 - x) / max(MINVAL, side)
    return 1.0 - 0.5 * s * s


@helper
def length_curve_slope(x, low, high):
    """Derivative of length_curve by x."""
    if x < low or x > high:
        return 0.0
    if x <= 1.0:
        end = x - low
        side = max(MINVAL, 0.5 * (1.0 - low))
        rise = 1.0
    else:
        end = high - x
        side = max(MINVAL, 0.5 * (high - 1.0))
        rise = -1.0
    if end <= side:
        return rise * end / (side * side)
    return (1.0 - x) / (side * side)


@helper
def speed_curve(v, top):
    """Share of the active force at speed v (shortening is negative): 0 from -1 down, 1 at rest, `top` when pulled fast."""
    if v <= -1.0:
        return 0.0
    if v <= 0.0:
        return (1.0 + v) * (1.0 + v)
    rest = top - 1.0 - v
    if rest < 0.0:
        return top
    return top - rest * rest / max(MINVAL, top - 1.0)


@helper
def speed_curve_slope(v, top):
    """Derivative of speed_curve by v."""
    if v <= -1.0:
        return 0.0
    if v <= 0.0:
        return 2.0 * (1.0 + v)
    return 2.0 * max(0.0, top - 1.0 - v) / max(MINVAL, top - 1.0)


@kernel("m d i", ret="f")
def muscle_gain(m, d, i):
    """Force of muscle i per activation.

    Reads: actuator_length, actuator_velocity
    """
    prm = m.actuator_gainprm
    active = length_curve(scaled_length(m, d, i, prm), prm[i, 4], prm[i, 5])
    return -peak_force(m, i, prm) * active * speed_curve(scaled_speed(m, d, i, prm), prm[i, 8])


@kernel("m d i", ret="f")
def muscle_gain_slope(m, d, i):
    """Derivative of muscle_gain by the actuator's velocity.

    Reads: actuator_length, actuator_velocity
    """
    prm = m.actuator_gainprm
    slope = speed_curve_slope(scaled_speed(m, d, i, prm), prm[i, 8]) / speed_unit(m, i, prm)
    return -peak_force(m, i, prm) * length_curve(scaled_length(m, d, i, prm), prm[i, 4], prm[i, 5]) * slope


@kernel("m d i", ret="f")
def muscle_bias(m, d, i):
    """Passive force of muscle i: none up to the optimal length, then a parabola, then a straight line.

    Reads: actuator_length
    """
    prm = m.actuator_biasprm
    x = scaled_length(m, d, i, prm)
    if x <= 1.0:
        return 0.0
    knee = 0.5 * (1.0 + prm[i, 5])
    unit = stiff_end(prm, i)
    if x <= knee:
        s = (x - 1.0) / unit
        share = 0.5 * s * s
    else:
        share = 0.5 + (x - knee) / unit
    return -peak_force(m, i, prm) * prm[i, 7] * share


@kernel("m d i", ret="f")
def muscle_gain_stretch(m, d, i):
    """Derivative of muscle_gain by the actuator's length.

    Reads: actuator_length, actuator_velocity
    """
    prm = m.actuator_gainprm
    slope = length_curve_slope(scaled_length(m, d, i, prm), prm[i, 4], prm[i, 5]) / max(MINVAL, optimal_length(m, i, prm))
    return -peak_force(m, i, prm) * slope * speed_curve(scaled_speed(m, d, i, prm), prm[i, 8])


@kernel("m d i", ret="f")
def muscle_bias_stretch(m, d, i):
    """Derivative of muscle_bias by the actuator's length.

    Reads: actuator_length
    """
    prm = m.actuator_biasprm
    x = scaled_length(m, d, i, prm)
    if x <= 1.0:
        return 0.0
    unit = stiff_end(prm, i)
    slope = min(1.0, (x - 1.0) / unit) / unit
    return -peak_force(m, i, prm) * prm[i, 7] * slope / max(MINVAL, optimal_length(m, i, prm))


@helper
def smooth_step(x):
    """0 up to x = 0, 1 from x = 1, with two continuous derivatives."""
    s = clip(x, 0.0, 1.0)
    return s * s * s * (10.0 + s * (6.0 * s - 15.0))


@kernel("m d i f", ret="f")
def muscle_rate(m, d, i, u):
    """Rate of muscle i's activation at the excitation u.

    Reads: act
    """
    act = d.act[m.actuator_actadr[i]]
    excess = clip(u, 0.0, 1.0) - act
    ease = 0.5 + 1.5 * clip(act, 0.0, 1.0)
    wake = m.actuator_dynprm[i, 0] * ease
    relax = m.actuator_dynprm[i, 1] / ease
    width = m.actuator_dynprm[i, 2]
    if width >= MINVAL:
        tau = relax + (wake - relax) * smooth_step(excess / width + 0.5)
    elif excess > 0.0:
        tau = wake
    else:
        tau = relax
    return excess / max(MINVAL, tau)
