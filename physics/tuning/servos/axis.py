"""The coordinate that one actuator moves, and the inertia that it feels there.

    x        the joint's position, or the tendon's length; any other transmission: the actuator's length
    length = gear x + constant, J = d(x)/dq = actuator_moment / gear
    free     1 / (J M^-1 J'): nothing holds the other degrees of freedom
    locked   1 / (J_s M_ss^-1 J_s'), s the degrees of freedom in J: all others are held

Where the others have servos of their own the truth lies between the two: free far above their bandwidth, locked far below.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; Khatib, "A unified approach for motion and force control of robot manipulators", 1987 (effective inertia
along J).
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from physics.engine.actuator.transmission import dof_damping, joint_armature, tendon_armature, tendon_damping
from physics.engine.kinematics.joints import poly_slope, spring_of
from physics.engine.passive.passive import tendon_stretch
from physics.enums import (
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_SPRING,
    JNT_HINGE,
    JNT_SLIDE,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.hold_torque import moment_matrix
from physics.query.mass_matrix import full_m, solve_m
from physics.query.rest_state import at_rest
from physics.query.object_motion import apply_ft
from physics.simulate.step import fwd_position
from physics.tuning.servos.medium import medium_along

RESTS = ("locked", "free")
GEARED = frozenset({TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON, TRN_SLIDERCRANK})   # whose gear is one number
TURNING: Mapping[int, float] = MappingProxyType({JNT_HINGE: 1.0, JNT_SLIDE: 0.0})   # joint type -> angle per position


@dataclass(frozen=True, slots=True)
class ServoAxis:
    """An actuator's coordinate at one state, at rest.

    gear: length per x. position: x [m or rad]. J (nv). dofs: those in J. inertia: {'locked', 'free'}: along x [kg or kg m2], with armature; armature: the part of it that joint,
    tendon and actuators add. stiffness, damping: of the joint's or tendon's own spring and damper along x and of the medium, slopes at this position and at rest. static:
    the force along x [N or N m] that gravity, springs and whatever else is not an actuator exert at rest (that of constraints left out), for the rest locked and free.
    """

    actuator: int
    name: str
    output: int
    gear: float
    position: float
    length: float
    J: np.ndarray = field(compare=False)
    dofs: tuple[int, ...]
    inertia: Mapping[str, float]
    armature: float
    stiffness: float
    damping: float
    static: Mapping[str, float]

    @property
    def joint_dof(self) -> int:
        """The one degree of freedom that it moves, -1 where there are several."""
        return self.dofs[0] if len(self.dofs) == 1 else -1


def servo_axis(m: Model, d: Data, actuator: int | str, scratch: Data | None = None) -> ServoAxis:
    """The coordinate of an actuator, given by index or name, at the state of d, which stays as it is.

    Raises KeyError or IndexError for an actuator that does not exist, ValueError, naming it, for one that has several outputs, is switched off or moves nothing, and as at_rest.
    """
    return axis_of(m, at_rest(m, d, scratch), index_of(m, "actuator", actuator))


def axis_of(m: Model, w: Data, i: int) -> ServoAxis:
    """As servo_axis, at a state that at_rest has computed."""
    name, out = m.name("actuator", i) or str(i), int(m.actuator_outadr[i])
    if m.actuator_outnum[i] != 1:
        raise ValueError(f"actuator '{name}' has {m.actuator_outnum[i]} outputs; a servo's coordinate is one number")
    group = int(m.actuator_group[i])
    if m.opt_disableflags & DSBL_ACTUATION or (0 <= group <= 30 and m.opt_disableactuator >> group & 1):
        raise ValueError(f"actuator '{name}' is switched off")
    gear = float(m.actuator_gear[out, 0]) if m.actuator_trntype[i] in GEARED else 1.0
    moment = moment_matrix(m, w)[out]
    dofs = tuple(np.flatnonzero(moment).tolist())
    if not dofs or gear == 0.0:
        raise ValueError(f"actuator '{name}' moves nothing here: its moment is zero")
    J, length = moment / gear, float(w.actuator_length[out])
    force = w.qfrc_passive - w.qfrc_bias + w.qfrc_applied + _of_bodies(m, w) + relief_by_motors(m, w)
    inertia, static = {}, {}
    for rest in RESTS:
        inertia[rest], static[rest] = _along(m, w, J, dofs, force, rest)
    k, b, armature = _own(m, w, i, direction(m, w, J, dofs))
    return ServoAxis(i, name, out, gear, length / gear, length, J, dofs, MappingProxyType(inertia), armature, k, b, MappingProxyType(static))


def _along(m: Model, w: Data, J: np.ndarray, dofs: tuple[int, ...], force: np.ndarray, rest: str) -> tuple[float, float]:
    """(effective inertia, force along x) with the other degrees of freedom as `rest` says: the force is what gives x the acceleration that `force` (nv) gives it."""
    if rest == "free":
        response = solve_m(m, w, J)
        mobility, accel = float(J @ response), float(response @ force)
    else:
        s = list(dofs)
        response = np.linalg.solve(full_m(m, w, np.array(s)), J[s])
        mobility, accel = float(J[s] @ response), float(response @ force[s])
    if mobility < MINVAL:
        return np.inf, 0.0
    return 1.0 / mobility, accel / mobility


def direction(m: Model, w: Data, J: np.ndarray, dofs: tuple[int, ...]) -> dict[int, float]:
    """{dof: dq/dx} of the degrees of freedom in J (nv) when the actuator alone pushes and all others are held: M_ss^-1 J_s' / (J_s M_ss^-1 J_s')."""
    s = list(dofs)
    response = np.linalg.solve(full_m(m, w, np.array(s)), J[s])
    return dict(zip(dofs, (response / float(J[s] @ response)).tolist(), strict=True))


def relief_by_motors(m: Model, w: Data) -> np.ndarray:
    """Gravity compensation (nv) of joints with actuatorgravcomp: it comes beside the servo's own force."""
    return np.where(np.asarray(m.jnt_actgravcomp, bool)[m.dof_jntid], w.qfrc_gravcomp, 0.0) if m.nv else np.zeros(0)


def _own(m: Model, w: Data, i: int, rates: Mapping[int, float]) -> tuple[float, float, float]:
    """Stiffness, damping and armature along x of the joints that move at these rates and of the actuator's tendon: K = sum K_i (dq_i/dx)^2."""
    k = b = armature = 0.0
    for dof, rate in rates.items():
        j, v = int(m.dof_jntid[dof]), rate * rate
        if m.jnt_type[j] in TURNING:
            at = int(m.jnt_qposadr[j])
            k += v * poly_slope(*(float(x) for x in spring_of(m, j)), float(w.qpos[at] - m.qpos_spring[at]))
        b += v * float(dof_damping(m, dof)[0])
        armature += v * float(m.dof_armature[dof] + joint_armature(m, j))
    if m.actuator_trntype[i] == TRN_TENDON:
        t = int(m.actuator_trnid[i, 0])
        x = float(tendon_stretch(m, w, t))
        k += poly_slope(float(m.tendon_stiffness[t]), *(float(p) for p in m.tendon_stiffnesspoly[t]), x) if x else 0.0
        b += float(tendon_damping(m, t)[0])
        armature += float(tendon_armature(m, t))
    off = m.opt_disableflags
    return (0.0 if off & DSBL_SPRING else k), (0.0 if off & DSBL_DAMPER else b) + medium_along(m, w, rates).linear, armature


def _of_bodies(m: Model, w: Data) -> np.ndarray:
    """J' xfrc_applied (nv)."""
    out = np.zeros(m.nv)
    for body in np.flatnonzero(w.xfrc_applied.any(axis=1)).tolist():
        out += apply_ft(m, w, w.xfrc_applied[body, :3], w.xfrc_applied[body, 3:], w.xipos[body], body)
    return out


# ------------------------------------------------------------------ along a motion

@dataclass(frozen=True, slots=True)
class InertiaCurve:
    """position (n): of the swept joint [m or rad]; locked, free (n): effective inertias of the actuator's coordinate there."""

    position: np.ndarray = field(compare=False)
    locked: np.ndarray = field(compare=False)
    free: np.ndarray = field(compare=False)


def inertia_curve(m: Model, d: Data, actuator: int | str, joint: int | str | None = None, count: int = 33, scratch: Data | None = None) -> InertiaCurve:
    """Effective inertia of an actuator's coordinate while a joint goes through its range, all others as in d, which stays as it is.

    joint: a hinge or slide, by default the actuator's own (its first); its range, or where it has none a full turn or a metre about where it is. A joint's locked inertia does
    not change with its own position: it is what the joints beyond it do. Raises as servo_axis, ValueError for other joints.
    """
    i = index_of(m, "actuator", actuator)
    w = at_rest(m, d, scratch)
    j = int(m.dof_jntid[axis_of(m, w, i).dofs[0]]) if joint is None else index_of(m, "joint", joint)
    low, high = joint_range(m, w, j)
    positions = np.linspace(low, high, count)
    found = [_inertias_at(m, w, i, {j: x}) for x in positions.tolist()]
    return InertiaCurve(positions, *np.array(found).T)


def inertia_extremes(m: Model, d: Data, actuators: list[int], poses: int = 64, scratch: Data | None = None) -> dict[int, dict[str, tuple[float, float]]]:
    """{actuator: {'locked', 'free': (smallest, largest)}} effective inertia over poses in which all hinges and slides with a range are anywhere in it, and the present one; d
    stays as it is.

    The poses are the same every time: points of a Halton sequence (Halton 1960), which fill the ranges evenly.
    """
    w = at_rest(m, d, scratch)
    joints = [j for j in range(m.njnt) if m.jnt_type[j] in TURNING and m.jnt_limited[j]]
    ranges = np.array([joint_range(m, w, j) for j in joints]).reshape(-1, 2)
    found: dict[int, dict[str, tuple[float, float]]] = {i: {rest: (np.inf, 0.0) for rest in RESTS} for i in actuators}
    for n in range(poses + 1):
        if n:
            for at, share, (low, high) in zip(joints, halton(n, len(joints)), ranges, strict=True):
                w.qpos[m.jnt_qposadr[at]] = low + share * (high - low)
            fwd_position(m, w)
        moments, full = moment_matrix(m, w), full_m(m, w)
        for i in actuators:
            out = m.actuator_outadr[i]
            J = moments[out] / (float(m.actuator_gear[out, 0]) if m.actuator_trntype[i] in GEARED else 1.0)
            s = np.flatnonzero(J)
            if not s.size:
                continue
            here = {"locked": 1.0 / float(J[s] @ np.linalg.solve(full[np.ix_(s, s)], J[s])), "free": 1.0 / float(J @ solve_m(m, w, J))}
            found[i] = {rest: (min(found[i][rest][0], x), max(found[i][rest][1], x)) for rest, x in here.items()}
    return found


def joint_range(m: Model, d: Data, j: int) -> tuple[float, float]:
    """Range of a hinge or slide, or a full turn or a metre about its position where it has none. Raises ValueError for other joints."""
    if m.jnt_type[j] not in TURNING:
        raise ValueError(f"joint '{m.name('joint', j)}' ({j}) is no hinge and no slide")
    if m.jnt_limited[j]:
        return float(m.jnt_range[j, 0]), float(m.jnt_range[j, 1])
    half, x = (np.pi if TURNING[int(m.jnt_type[j])] else 0.5), float(d.qpos[m.jnt_qposadr[j]])
    return x - half, x + half


def halton(n: int, dimensions: int) -> list[float]:
    """Point n >= 1 of the Halton sequence in the unit cube; dimension k counts in the k-th prime, backwards behind the point."""
    out = []
    for base in _primes(dimensions):
        x, place, k = 0.0, 1.0 / base, n
        while k:
            k, digit = divmod(k, base)
            x += digit * place
            place /= base
        out.append(x)
    return out


def _primes(count: int) -> list[int]:
    found: list[int] = []
    k = 2
    while len(found) < count:
        if all(k % p for p in found):
            found.append(k)
        k += 1
    return found


def _inertias_at(m: Model, w: Data, i: int, positions: Mapping[int, float]) -> tuple[float, float]:
    for j, x in positions.items():
        w.qpos[m.jnt_qposadr[j]] = x
    fwd_position(m, w)
    axis = axis_of(m, w, i)
    return axis.inertia["locked"], axis.inertia["free"]
