"""Simulation of one servo on its coordinate, all else held, by the engine's step rules: its numbers are the engine's, a hundred times sooner on a large mechanism.

    Euler          (M + h D_x) a = F                                   D_x: slope of the joint's damping
    implicit(fast) (M + h (D_x + D_m) - h J^2 dforce/dvelocity) a = F                          D_m: of the medium's drag
    discrete       (M + h (D_x + D_m) + h^2 K_x + J^2 (h^2 k + h b)) a = F - h K_x v - h k J (J v)     K_x, k, b: slopes of spring and servo, where they hold back
    RK4            M a = F at four stages

then act, v += h a, x += h v, in this order. Controls are kept, delayed, clamped, and pass the activation as in the engine.

Source: MuJoCo documentation, Computation chapter, "Numerical integration", "Actuation model", "Delays".
"""
from __future__ import annotations

from typing import NamedTuple

from physics.engine.actuator.delay_history import insert, read
from physics.engine.kinematics.joints import poly, poly_slope
from physics.enums import INT_DISCRETE, INT_EULER, INT_RK4
from physics.tuning.servos.frozen import FrozenServo
from physics.tuning.servos.reference import Reference
from physics.tuning.servos.trace import ServoTrace, empty_rows, trace_of

LARGEST = 1e10      # beyond that, or not a number: the step is refused, as by the engine


class Point(NamedTuple):
    """A state at which forces were evaluated: total force along x, act rate, actuator force and its slopes by length and velocity (0 where a range holds it)."""

    force: float
    act_rate: float
    actuator_force: float
    stretch: float
    slope: float


def simulate(servo: FrozenServo, reference: Reference, steps: int) -> ServoTrace:
    """Follow a reference for so many steps from the servo's state. A run that diverges ends there."""
    h, start = servo.timestep, servo.time0
    x, v, act, t = servo.x0, servo.v0, servo.act0, start
    ring = list(servo.history)
    advance = _rk4 if servo.integrator == INT_RK4 else _single
    rows, blank = empty_rows(steps), not servo.law.has_act
    for k in range(steps + 1):
        ctrl = reference(t - start)
        here = evaluate(servo, x, v, act, _control(servo, ring, t, ctrl))
        rows[k] = t - start, ctrl, _length(servo, x), servo.J * v, here.actuator_force, float("nan") if blank else act
        if k == steps:
            break
        accel, speed, rate = advance(servo, here, x, v, act, t, ring, ctrl)
        # the state, the acceleration of the present forces, and the one that the step takes; not (a <= b) also where a is no number
        present = accel if servo.integrator == INT_DISCRETE else here.force / servo.inertia
        if not max(abs(present), abs(accel), abs(x), abs(v)) <= LARGEST or not abs(accel + present) <= 2.0 * LARGEST:
            return trace_of(rows[:k + 1])
        _keep(servo, ring, t, ctrl)
        act = servo.law.next_act(act, rate, h) if servo.law.has_act else act
        v += h * accel
        x += h * (v if speed is None else speed)
        t += h
    return trace_of(rows)


def _single(servo: FrozenServo, here: Point, x, v, act, t, ring, ctrl) -> tuple[float, float | None, float]:
    """(acceleration, None: x moves by the new velocity, activation's rate) of the one-stage integrators."""
    return accelerate(servo, here, x, v), None, here.act_rate


def accelerate(servo: FrozenServo, here: Point, x: float, v: float) -> float:
    """The acceleration by which a one-stage integrator moves on from a state."""
    h, J = servo.timestep, servo.J
    drag = poly_slope(*servo.damping, abs(v))
    if servo.integrator == INT_EULER:
        return here.force / (servo.inertia + (h * drag if servo.eulerdamp else 0.0))
    inertia = servo.inertia + h * servo.medium.slope(v)
    if servo.integrator != INT_DISCRETE:
        return here.force / (inertia + h * drag - h * J * here.slope * J)
    # effective mass: springs, dampers and servo at the end of the step, each where it holds back
    spring = max(0.0, poly_slope(*servo.spring, x - servo.rest))
    mass = inertia + h * max(0.0, drag) + h * h * spring
    force = here.force - h * spring * v
    if servo.servo_implicit:
        k = max(0.0, -here.stretch)
        mass += h * (h * k + max(0.0, -here.slope)) * J * J
        force -= h * k * J * v * J
    return force / mass


def _rk4(servo: FrozenServo, here: Point, x, v, act, t, ring, ctrl) -> tuple[float, float, float]:
    """(mean acceleration, mean velocity, mean rate of the activation) of the four stages; the control stays, what is delayed is read at each stage's time."""
    h, M = servo.timestep, servo.inertia
    accel, speed, rate = here.force / M, v, here.act_rate
    sums = accel / 6.0, speed / 6.0, rate / 6.0
    for share, weight in ((0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)):
        c = h * share
        at, fast, on = x + c * speed, v + c * accel, act + c * rate
        stage = evaluate(servo, at, fast, on, _control(servo, ring, t + c, ctrl))
        accel, speed, rate = stage.force / M, fast, stage.act_rate
        sums = sums[0] + weight * accel, sums[1] + weight * speed, sums[2] + weight * rate
    return sums


def evaluate(servo: FrozenServo, x: float, v: float, act: float, ctrl: float) -> Point:
    """Forces at a position, velocity and activation under a control that counts (delayed and clamped)."""
    law, J = servo.law, servo.J
    # what drives the force: control, activation, or the activation after the step
    rate, drive = 0.0, ctrl
    if law.has_act:
        rate = law.rate(act, ctrl)
        drive = law.next_act(act, rate, servo.timestep) if law.actearly else act
    # the actuator's force, within the tendon's, its own and the joint's range
    force, stretch, slope = law.terms(drive, _length(servo, x), J * v)
    way = x - servo.x0
    relief, held = servo.relief(way), False
    if servo.forcerange_tendon is not None:
        held = _holds(servo.forcerange_tendon, force)
        force = _clip(force, servo.forcerange_tendon)
    if law.forcerange is not None:
        force = _clip(force, law.forcerange)
        held = held or _holds(law.forcerange, force)
    push = J * force + (relief if servo.relief_by_motor else 0.0)
    if servo.forcerange_joint is not None:
        push = _clip(push, servo.forcerange_joint)
        held = held or _holds(servo.forcerange_joint, push)
    # passive forces and weight
    spring, drag = x - servo.rest, abs(v)
    passive = -spring * poly(*servo.spring, spring) - v * poly(*servo.damping, drag) + (0.0 if servo.relief_by_motor else relief)
    total = passive + servo.weight(way) + servo.medium.force(v) + servo.applied + push
    return Point(total, rate, force, 0.0 if held else stretch, 0.0 if held else slope)


def _length(servo: FrozenServo, x: float) -> float:
    return servo.length0 + servo.J * (x - servo.x0)


def _clip(x: float, limits: tuple[float, float]) -> float:
    return min(max(x, limits[0]), limits[1])


def _holds(limits: tuple[float, float], force: float) -> bool:
    return force <= limits[0] or force >= limits[1]


# ------------------------------------------------------------------ controls that are kept and act late

def _control(servo: FrozenServo, ring: list[float], t: float, ctrl: float) -> float:
    """The control that counts at time t: the one of `delay` before, clamped."""
    law = servo.law
    if law.samples > 0 and law.delay != 0.0:
        late = [0.0]
        read(ring, law.samples, 1, t - law.delay, law.interpolation, late, 0)
        ctrl = late[0]
    return ctrl if law.ctrlrange is None else _clip(ctrl, law.ctrlrange)


def _keep(servo: FrozenServo, ring: list[float], t: float, ctrl: float) -> None:
    if servo.law.samples > 0:
        ring[insert(ring, servo.law.samples, 1, t)] = ctrl


