"""One actuator and the coordinate that it moves while the rest of the mechanism is held: everything that its motion depends on, without Model and Data.

With all else held a hinge's or slide's inertia does not change with its own position, and no velocity products are left. The weight of what it carries is a sine of a hinge's
angle and the same everywhere for a slide:

    M a = J force + weight(x) + relief(x) + medium(x') - x' damping(|x'|) - (x - rest) stiffness(x - rest) + applied

So for one joint this is the engine's own equation, not an approximation. A tendon over several joints becomes one coordinate, its length; `left_out` says so, and what else is
missing.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np

from physics.engine.actuator.transmission import dof_damping, tendon_damping
from physics.engine.kinematics.joints import spring_of
from physics.enums import (
    DSBL_CLAMPCTRL,
    DSBL_CONSTRAINT,
    DSBL_DAMPER,
    DSBL_EQUALITY,
    DSBL_EULERDAMP,
    DSBL_FRICTIONLOSS,
    DSBL_LIMIT,
    DSBL_SPRING,
    INT_DISCRETE,
    SOL_PGS,
    TENDON_FIXED,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
)
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.initial_state import HEAD
from physics.model.model import Model
from physics.query.hold_torque import moment_matrix
from physics.query.rest_state import at_rest
from physics.simulate.step import fwd_position, fwd_velocity
from physics.tuning.servos.axis import TURNING, ServoAxis, axis_of, direction
from physics.tuning.servos.force import ForceLaw, Range, force_law, pair
from physics.tuning.servos.medium import NO_MEDIUM, Medium, medium_along

Poly = tuple[float, float, float]
NO_POLY = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Wave:
    """A force that is here cos(turn (x - x0)) + quarter sin(turn (x - x0)), with turn the angle per unit of x: what gravity does to a held mechanism about one hinge."""

    here: float = 0.0
    quarter: float = 0.0
    turn: float = 0.0

    def __call__(self, way: float) -> float:
        """The force x - x0 = way away."""
        if self.turn == 0.0:
            return self.here
        return self.here * cos(self.turn * way) + self.quarter * sin(self.turn * way)


@dataclass(frozen=True, slots=True)
class Parts:
    """What attributes of the text stand for in a servo: gear; armature and damping of the joint itself; what the actuator lends of
    both, per gear^2. All along x."""

    gear: float = 1.0
    armature: float = 0.0
    damping: float = 0.0
    lent_armature: float = 0.0
    lent_damping: float = 0.0
    joint: bool = True


@dataclass(frozen=True, slots=True)
class FrozenServo:
    """x0, v0, act0, time0: the state. inertia: along x, armature counted. J: actuator length per x. length0: of the actuator at x0. law: the actuator's force. weight, relief:
    of gravity, and of what compensates it; relief_by_motor: whether that counts as the actuator's force (actuatorgravcomp). damping, spring (b, p0, p1), rest: position of the
    spring without force. medium: what drags at it. applied: other constant force. forcerange_tendon, forcerange_joint: actuatorfrcrange. timestep, integrator and flags as the Model's; eulerdamp: whether
    Euler takes damping implicitly; servo_implicit: whether `discrete` takes the actuator's; clamps: whether controls are kept within ctrlrange at all. history: kept controls, as Data.history. parts: what of these the attributes are.
    left_out: what acts in the mechanism and not here, in words."""

    x0: float
    inertia: float
    law: ForceLaw
    v0: float = 0.0
    act0: float = 0.0
    time0: float = 0.0
    J: float = 1.0
    length0: float = 0.0
    weight: Wave = Wave()
    relief: Wave = Wave()
    relief_by_motor: bool = False
    damping: Poly = NO_POLY
    spring: Poly = NO_POLY
    rest: float = 0.0
    medium: Medium = NO_MEDIUM
    applied: float = 0.0
    forcerange_tendon: Range | None = None
    forcerange_joint: Range | None = None
    timestep: float = 0.002
    integrator: int = 0
    eulerdamp: bool = True
    servo_implicit: bool = True
    clamps: bool = True
    history: tuple[float, ...] = ()
    parts: Parts = Parts()
    left_out: tuple[str, ...] = ()


def frozen_servo(m: Model, d: Data, actuator: int | str, scratch: Data | None = None) -> FrozenServo:
    """An actuator, given by index or name, at the state of d, which stays as it is: position, velocity, activation, kept controls and applied forces are those of d.

    Raises KeyError or IndexError for an actuator that does not exist, ValueError, naming it, for a law or transmission that has no one-coordinate simulation, and as `forward`.
    """
    i = index_of(m, "actuator", actuator)
    law = force_law(m, i, not m.opt_disableflags & DSBL_CLAMPCTRL)
    w = at_rest(m, d, scratch)
    axis = axis_of(m, w, i)
    if m.actuator_trntype[i] not in (TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON) or any(m.jnt_type[m.dof_jntid[k]] not in TURNING for k in axis.dofs):
        raise ValueError(f"actuator '{axis.name}' acts on more than hinges and slides; only the real mechanism shows its response")
    tendon = int(m.actuator_trnid[i, 0]) if m.actuator_trntype[i] == TRN_TENDON else -1
    shared = {
        "law": law, "act0": float(d.act[m.actuator_actadr[i]]) if law.has_act else 0.0, "time0": float(d.time), "length0": axis.length,
        "forcerange_tendon": pair(m.tendon_actfrcrange[tendon]) if tendon >= 0 and m.tendon_actfrclimited[tendon] else None,
        "timestep": float(m.opt_timestep), "integrator": int(m.opt_integrator), "eulerdamp": not m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER),
        "clamps": not m.opt_disableflags & DSBL_CLAMPCTRL, "servo_implicit": m.opt_integrator != INT_DISCRETE or m.opt_solver != SOL_PGS, "history": _history(m, d, i), "left_out": _left_out(m, w, axis, tendon),
    }
    return _one_joint(m, d, w, axis, shared) if axis.joint_dof >= 0 else _several(m, d, w, axis, shared)


def _history(m: Model, d: Data, i: int) -> tuple[float, ...]:
    n, adr = int(m.actuator_history[i, 0]), int(m.actuator_historyadr[i])
    return tuple(d.history[adr:adr + HEAD + 2 * n].tolist()) if n else ()


def _one_joint(m: Model, d: Data, w: Data, axis: ServoAxis, shared: dict) -> FrozenServo:
    dof = axis.joint_dof
    j = int(m.dof_jntid[dof])
    at, turn = int(m.jnt_qposadr[j]), TURNING[int(m.jnt_type[j])]
    J = float(moment_matrix(m, w)[axis.output, dof])
    here, x0, medium = _weights(w, dof), float(w.qpos[at]), medium_along(m, w, {dof: 1.0})
    quarter = (0.0, 0.0)
    if turn:   # a quarter turn away, the sine's share
        w.qpos[at] = x0 + 0.5 * pi
        fwd_position(m, w)
        fwd_velocity(m, w)
        quarter = _weights(w, dof)
    off = m.opt_disableflags
    return FrozenServo(
        x0, axis.inertia["locked"] * float(axis.J[dof]) ** 2, v0=float(d.qvel[dof]), J=J,
        weight=Wave(here[0], quarter[0], turn), relief=Wave(here[1], quarter[1], turn), relief_by_motor=bool(m.jnt_actgravcomp[j]),
        damping=NO_POLY if off & DSBL_DAMPER else poly(dof_damping(m, dof)), spring=NO_POLY if off & DSBL_SPRING else poly(spring_of(m, j)), rest=float(m.qpos_spring[at]),
        medium=medium, applied=float(d.qfrc_applied[dof]), forcerange_joint=pair(m.jnt_actfrcrange[j]) if m.jnt_actfrclimited[j] else None,
        parts=_parts(m, axis, dof, J), **shared)


def _parts(m: Model, axis: ServoAxis, dof: int, J: float) -> Parts:
    """The parts of one joint; an actuator on a tendon lends to that, whose damping is not here."""
    i, off = axis.actuator, m.opt_disableflags & DSBL_DAMPER
    coefficient = (J / axis.gear) ** 2
    on_tendon = m.actuator_trntype[i] == TRN_TENDON
    lends = (m.tendon_actuatorid[m.actuator_trnid[i, 0]] if on_tendon else m.jnt_actuatorid[m.dof_jntid[dof]]) != -1
    return Parts(axis.gear, float(m.dof_armature[dof]), 0.0 if off else float(m.dof_damping[dof]), coefficient * float(m.actuator_armature[i]) if lends else 0.0,
                 float(m.actuator_damping[i]) if lends and not on_tendon and not off else 0.0)


def _weights(w: Data, dof: int) -> tuple[float, float]:
    """(weight, what compensates it) at a degree of freedom at rest."""
    return -float(w.qfrc_bias[dof]), float(w.qfrc_gravcomp[dof])


def _several(m: Model, d: Data, w: Data, axis: ServoAxis, shared: dict) -> FrozenServo:
    """A tendon over several joints: its length, along the direction in which it alone would pull them."""
    rates = direction(m, w, axis.J, axis.dofs)
    dofs, share = list(rates), np.array(list(rates.values()))
    k = rest_force = 0.0
    for dof, rate in rates.items():
        j = int(m.dof_jntid[dof])
        stiffness, way = float(m.jnt_stiffness[j]), float(w.qpos[m.jnt_qposadr[j]] - m.qpos_spring[m.jnt_qposadr[j]])
        k += rate * rate * stiffness
        rest_force -= rate * stiffness * way
    off = m.opt_disableflags
    k, rest_force = (0.0, 0.0) if off & DSBL_SPRING else (k, rest_force)
    b = 0.0 if off & DSBL_DAMPER else sum(r * r * float(dof_damping(m, dof)[0]) for dof, r in rates.items())
    constant = float(share @ (w.qfrc_gravcomp - w.qfrc_bias + d.qfrc_applied)[dofs]) + (0.0 if k else rest_force)
    return FrozenServo(
        axis.position, axis.inertia["locked"], v0=float(axis.J @ d.qvel), J=axis.gear, damping=(b, 0.0, 0.0), spring=(k, 0.0, 0.0),
        rest=axis.position + rest_force / k if k else 0.0, medium=medium_along(m, w, rates), applied=constant,
        parts=Parts(axis.gear, joint=False), **shared)


def poly(coefficients) -> Poly:
    """(c, p0, p1) as plain numbers."""
    c, p0, p1 = coefficients
    return float(c), float(p0), float(p1)


# ------------------------------------------------------------------ what is missing

def _left_out(m: Model, w: Data, axis: ServoAxis, tendon: int) -> tuple[str, ...]:
    """What acts on the coordinate in the mechanism and is no part of the frozen servo."""
    off, dofs = m.opt_disableflags, list(axis.dofs)
    joints = sorted({int(m.dof_jntid[k]) for k in dofs})
    constrained = not off & DSBL_CONSTRAINT
    crossing = [t for t in range(m.ntendon) if _tendon_pulls(m, t) and set(dofs) & set(m.ten_J_colind[m.ten_J_rowadr[t]:m.ten_J_rowadr[t] + m.ten_J_rownnz[t]].tolist())]
    others = [k for k in range(m.nactuator) if k != axis.actuator and moment_matrix(m, w)[m.actuator_outadr[k]:m.actuator_outadr[k] + m.actuator_outnum[k]][:, dofs].any()]
    said = (
        ("the joints under the tendon move as one, as if weight, drag and lever arms stayed as they are", len(dofs) > 1),
        ("lever arms of a spatial tendon stay as they are", tendon >= 0 and not _is_fixed(m, tendon)),
        ("friction loss", constrained and not off & DSBL_FRICTIONLOSS and bool(m.dof_frictionloss[dofs].any() or (tendon >= 0 and m.tendon_frictionloss[tendon]))),
        ("the joint's limits", constrained and not off & DSBL_LIMIT and any(m.jnt_limited[j] for j in joints)),
        ("equality constraints", constrained and not off & DSBL_EQUALITY and bool(m.neq and w.eq_active.any())),
        ("springs and dampers of tendons", bool(crossing)),
        ("other actuators on the same joint", bool(others)),
        ("the medium's drag in its wind", bool(m.opt_density or m.opt_viscosity) and any(m.opt_wind)),
        ("forces applied to bodies", bool(w.xfrc_applied.any())),
    )
    return tuple(words for words, here in said if here)


def _tendon_pulls(m: Model, t: int) -> bool:
    off = m.opt_disableflags
    spring = not off & DSBL_SPRING and (m.tendon_stiffness[t] or m.tendon_stiffnesspoly[t].any())
    return bool(spring or (not off & DSBL_DAMPER and any(tendon_damping(m, t))))


def _is_fixed(m: Model, t: int) -> bool:
    return m.tendon_type[t] == TENDON_FIXED
