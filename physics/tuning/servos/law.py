"""A servo in closed form at a state: what it is, how fast and how damped, how far gravity pulls it off, how near it is to instability.

    w^2 = (kp gear^2 + k) / M_eff        zeta = (kv gear^2 + damping) / (2 w M_eff)        error = static force / (kp gear)
    kv = 2 dampratio sqrt(kp / (J M^-1 J')) at qpos0, J the actuator's moment       (MJCF's position, intvelocity, pid)

Source: MuJoCo documentation, XML reference, actuator/position (kp, kv, dampratio); Computation chapter, "Actuation model".
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import copysign, inf, nan, sqrt

from physics.enums import (
    BIAS_AFFINE,
    BIAS_NONE,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_PID,
    MINVAL,
)
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import RESTS, ServoAxis, axis_of
from physics.tuning.servos.force import pair
from physics.tuning.servos.loop import Margins, Poles, ServoLoop, margins, poles

POSITION, VELOCITY, OPEN = "position", "velocity", "open loop"
LINEAR_GAINS, LINEAR_BIASES = frozenset({GAIN_FIXED, GAIN_AFFINE, GAIN_PID}), frozenset({BIAS_NONE, BIAS_AFFINE})


@dataclass(frozen=True, slots=True)
class ServoLaw:
    """An actuator's loop. kind: 'position' (kp > 0), 'velocity' (kv alone), 'open loop'. kp, kv: per actuator length and velocity, as in MJCF. loop: with both seen along the
    axis. rest: whether the others are 'locked' or 'free'. dampratio: what MJCF's attribute would be for this kv. hold: the actuator force [N or N m] that holds the present
    position. steady_error: set point less length at which it does, in the actuator's length; infinite where nothing pulls to the control. hold_ctrl: the control (with an
    integrator the activation) that holds, NaN where none does. limit: the force range's end on hold's side, infinite without. delay [s]: of the control."""

    axis: ServoAxis
    kind: str
    kp: float
    kv: float
    rest: str
    loop: ServoLoop
    dampratio: float
    hold: float
    steady_error: float
    hold_ctrl: float
    limit: float
    delay: float
    poles: Poles
    margins: Margins = field(compare=False)
    notes: tuple[str, ...] = ()

    @property
    def frequency(self) -> float:
        """w [rad/s]."""
        return self.loop.frequency

    @property
    def damping_ratio(self) -> float:
        """zeta."""
        return self.loop.damping_ratio

    @property
    def bandwidth(self) -> float:
        """[Hz]."""
        return self.loop.bandwidth

    @property
    def step_frequency(self) -> float:
        """w h."""
        return self.loop.frequency * self.loop.timestep

    @property
    def saturates(self) -> bool:
        """Whether the force range is too small to hold the present position."""
        return abs(self.hold) > self.limit


def servo_law(m: Model, d: Data, actuator: int | str, rest: str = "locked", loop_delay: float = 0.0, scratch: Data | None = None) -> ServoLaw:
    """The loop of an actuator, given by index or name, at the position of d, which stays as it is; velocities count as 0.

    rest: 'locked' or 'free', how the other degrees of freedom are taken. loop_delay [s]: for the margins, see servo_loop. Any transmission with one output. Raises KeyError or
    IndexError for an actuator that does not exist, ValueError, naming it, for one with another law (muscle, dcmotor, so3, user) or another rest, and as `forward`.
    """
    i = index_of(m, "actuator", actuator)
    w = at_rest(m, d, scratch)
    return law_of(m, w, axis_of(m, w, i), dampratio_mass(m, d, i), rest, loop_delay)


def law_of(m: Model, w: Data, axis: ServoAxis, mass0: float, rest: str = "locked", loop_delay: float = 0.0) -> ServoLaw:
    """As servo_law, at a state that at_rest has computed; mass0: as dampratio_mass."""
    if rest not in RESTS:
        raise ValueError(f"rest is one of {', '.join(RESTS)}, not {rest!r}")
    i = axis.actuator
    kp, kv = gains(m, w, i)
    loop = loop_of(m, axis, kp, kv, rest)
    kind = POSITION if kp > 0 else VELOCITY if kv > 0 else OPEN
    hold = -axis.static[rest] / axis.gear
    error = hold / kp if kp > 0 else inf if hold else 0.0
    limit = inf
    if m.actuator_forcelimited[i]:
        limit = max(0.0, copysign(1.0, hold) * pair(m.actuator_forcerange[i])[1 if hold >= 0 else 0])
    return ServoLaw(axis, kind, kp, kv, rest, loop, dampratio_of(kv, kp, mass0), hold, error, _holding(m, i, axis.length, hold), limit, float(m.actuator_delay[i]), poles(loop),
                    margins(loop, loop_delay), _notes(m, i, axis))


def loop_of(m: Model, axis: ServoAxis, kp: float, kv: float, rest: str) -> ServoLoop:
    """The loop that gains of MJCF (per actuator length and velocity) make along an axis."""
    square = axis.gear * axis.gear
    filtered = m.actuator_dyntype[axis.actuator] in (DYN_FILTER, DYN_FILTEREXACT)
    return ServoLoop(axis.inertia[rest], axis.stiffness, axis.damping, kp * square, kv * square, float(m.opt_timestep), int(m.opt_integrator),
                     not m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER), float(m.actuator_dynprm[axis.actuator, 0]) if filtered else 0.0)


def gains(m: Model, w: Data, i: int) -> tuple[float, float]:
    """(kp, kv): minus the derivatives of the actuator's force by its length and velocity, at the present input where the gain is affine. Raises ValueError for laws that are not
    linear."""
    gain, bias = int(m.actuator_gaintype[i]), int(m.actuator_biastype[i])
    if gain not in LINEAR_GAINS or bias not in LINEAR_BIASES:
        raise ValueError(f"actuator '{m.name('actuator', i)}' ({i}) is no linear servo: its force is not kp, kv times length, velocity")
    kp, kv = (-float(x) for x in m.actuator_biasprm[i, 1:3]) if bias == BIAS_AFFINE else (0.0, 0.0)
    if gain == GAIN_AFFINE:
        u = float(w.act[m.actuator_actadr[i] + m.actuator_actnum[i] - 1]) if m.actuator_actnum[i] else float(w.ctrl[m.actuator_ctrladr[i]])
        kp, kv = kp - float(m.actuator_gainprm[i, 1]) * u, kv - float(m.actuator_gainprm[i, 2]) * u
    return kp + 0.0, kv + 0.0


def _holding(m: Model, i: int, length: float, hold: float) -> float:
    """The input at which an actuator at rest gives the force `hold`: gain input + bias = hold."""
    b0, b1 = (float(x) for x in m.actuator_biasprm[i, :2]) if m.actuator_biastype[i] == BIAS_AFFINE else (0.0, 0.0)
    gain = float(m.actuator_gainprm[i, 0])
    if m.actuator_gaintype[i] == GAIN_AFFINE:
        gain += float(m.actuator_gainprm[i, 1]) * length
    elif m.actuator_gaintype[i] == GAIN_PID:
        gain = -b1
    return (hold - b0 - b1 * length) / gain if gain else nan


def _notes(m: Model, i: int, axis: ServoAxis) -> tuple[str, ...]:
    """What the closed form leaves out."""
    kind, said = int(m.actuator_dyntype[i]), []
    if kind == DYN_INTEGRATOR:
        said.append("the control is the set point's velocity: the loop's numbers are those of the set point")
    if m.actuator_gaintype[i] == GAIN_PID and m.actuator_gainprm[i, 0] > 0:
        said.append("the integral is not in these numbers: it takes the steady error away and lessens the margins")
    if m.actuator_delay[i] > 0:
        said.append(f"the control acts {float(m.actuator_delay[i]):g} s late; what the servo feels does not")
    if len(axis.dofs) > 1:
        said.append("the degrees of freedom under the transmission are taken as one motion")
    return tuple(said)


def ctrl_scale(m: Model, i: int) -> float:
    """Set point per control of a position or velocity servo: its gain over kp, or kv; 1 but for a `general` whose control has a unit of its own."""
    reference = next((-float(x) for x in m.actuator_biasprm[i, 1:3] if x), 1.0)
    return float(m.actuator_gainprm[i, 0]) / reference if m.actuator_gaintype[i] == GAIN_FIXED else 1.0


# ------------------------------------------------------------------ kv and dampratio

def dampratio_mass(m: Model, d: Data, actuator: int | str) -> float:
    """The inertia 1 / (J M^-1 J') at qpos0, J the actuator's moment (with gear), by which MJCF's dampratio is turned into kv; 0 where the actuator moves nothing there. d stays
    as it is."""
    i = index_of(m, "actuator", actuator)
    return dampratio_masses(m, d, (i,))[i]


def dampratio_masses(m: Model, d: Data, actuators: Iterable[int]) -> dict[int, float]:
    """As dampratio_mass, of several actuators: {index: inertia}."""
    w = d.copy()
    w.qpos[:] = m.qpos0
    w, found = at_rest(m, w), {}
    for i in actuators:
        try:
            axis = axis_of(m, w, i)
        except ValueError:
            found[i] = 0.0
        else:
            found[i] = axis.inertia["free"] / axis.gear ** 2
    return found


def kv_of(dampratio: float, kp: float, mass0: float) -> float:
    """kv of a dampratio; mass0: as dampratio_mass."""
    return 2.0 * dampratio * sqrt(max(0.0, kp * mass0))


def dampratio_of(kv: float, kp: float, mass0: float) -> float:
    """dampratio of a kv; NaN where kp or mass0 are 0."""
    scale = 2.0 * sqrt(max(0.0, kp * mass0))
    return kv / scale if scale > MINVAL else nan


def with_gains(m: Model, law: ServoLaw, kp: float, kv: float, mass0: float) -> ServoLaw:
    """The law of a position or velocity servo with other gains, without computing the state again; what its control stands for stays."""
    loop, i = loop_of(m, law.axis, kp, kv, law.rest), law.axis.actuator
    error = law.hold / kp if kp > 0 else inf if law.hold else 0.0
    ctrl = (law.hold - float(m.actuator_biasprm[i, 0]) + kp * law.axis.length) / ((kp or kv) * ctrl_scale(m, i)) if kp or kv else nan
    return replace(law, kind=POSITION if kp > 0 else VELOCITY if kv > 0 else OPEN, kp=kp, kv=kv, loop=loop, dampratio=dampratio_of(kv, kp, mass0), steady_error=error,
                   hold_ctrl=ctrl, poles=poles(loop), margins=margins(loop))
