"""Gains for a wanted bandwidth and damping: of one servo or of all of a robot at once.

    w = 2 pi bandwidth / sqrt(1 - 2 zeta^2 + sqrt((1 - 2 zeta^2)^2 + 1))        kp gear^2 = M w^2 - k        kv gear^2 = 2 zeta w M - damping

or, with `exact_step`, the gains whose steps of the model's length have exactly these two modes (servo_loop.place_poles). What the time step or the passive spring and damper
forbid is not written: the nearest that they allow is, and the result says so.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, isfinite, pi, sqrt
from types import MappingProxyType

from physics.enums import BIAS_AFFINE, DYN_INTEGRATOR, GAIN_FIXED, GAIN_PID, INT_EULER, INT_RK4
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import ServoAxis, axis_of, inertia_extremes
from physics.tuning.servos.force import three
from physics.tuning.servos.law import POSITION, VELOCITY, ServoLaw, ctrl_scale, dampratio_masses, dampratio_of, gains, law_of, loop_of, with_gains
from physics.tuning.servos.loop import ServoLoop, bandwidth, margins, natural_frequency, place_poles, poles

POSE, RANGE = "pose", "range"
OFF = 0.1           # by which w and zeta between steps may differ from the equations'
COARSE = 0.5        # w h beyond which no step is called a motion
GAIN_MARGIN = 2.0   # that the step must leave
ROUNDS = 50
SMALL = 1e-9
STEP = 0.1          # of the control's range, or so much of it where it has none: a step that should not saturate


@dataclass(frozen=True, slots=True)
class Tuned:
    """Gains for an actuator.

    attributes: MJCF's, by name: kp with kv or dampratio, of a velocity servo kv; of a servo whose control has a unit of its own, which only `general` has, gainprm and biasprm
    (3). parameters: the same as gainprm and biasprm in any case. wanted, given: (bandwidth [Hz], damping ratio); they differ where
    feasible is False. law: with the new gains, at the pose. inertia: smallest and largest [kg or kg m2] that were looked at; the gains are for the largest. largest_step: of the
    control, from the holding one, that does not saturate. warnings: in words."""

    actuator: int
    name: str
    attributes: Mapping[str, float | tuple[float, float, float]]
    parameters: Mapping[str, tuple[float, float, float]]
    wanted: tuple[float, float]
    given: tuple[float, float]
    feasible: bool
    law: ServoLaw = field(compare=False)
    inertia: tuple[float, float]
    largest_step: float
    warnings: tuple[str, ...] = ()


def tune(m: Model, d: Data, wanted_bandwidth: float, damping_ratio: float = 1.0, actuators: Iterable[int | str] | None = None, *, rest: str = "locked", inertia: str = POSE,
         write: str = "kv", exact_step: bool = False, poses: int = 64) -> list[Tuned]:
    """Gains with which actuators follow their controls up to a bandwidth [Hz] (3 dB) with a damping ratio; d stays as it is.

    actuators: by index or name, by default all position and velocity servos; of velocity servos the bandwidth is that of the velocity, and the damping means nothing. rest:
    'locked' or 'free', how the other degrees of freedom count. inertia: 'pose' as in d; 'range' the largest over `poses` poses within the joints' ranges, while the time step is
    checked with the smallest. write: 'kv' or 'dampratio'. exact_step: gains for this time step and integrator exactly, which another time step makes wrong.
    Raises ValueError for a bandwidth or damping ratio that is not positive and for an actuator that is no servo, and as servo_law.
    """
    if not (0 < wanted_bandwidth < inf and 0 < damping_ratio < inf):
        raise ValueError(f"needs a positive bandwidth and damping ratio, not {wanted_bandwidth} Hz and {damping_ratio}")
    if inertia not in (POSE, RANGE) or write not in ("kv", "dampratio"):
        raise ValueError(f"inertia is '{POSE}' or '{RANGE}', write 'kv' or 'dampratio', not {inertia!r} and {write!r}")
    w = at_rest(m, d)
    chosen = servos(m, w) if actuators is None else [index_of(m, "actuator", a) for a in actuators]
    for i in chosen:
        if servo_kind(m, w, i) is None:
            raise ValueError(f"actuator '{m.name('actuator', i)}' ({i}) is no servo: nothing pulls it to its control")
    extremes = inertia_extremes(m, d, chosen, poses) if inertia == RANGE else {}
    masses, found = dampratio_masses(m, d, chosen), []
    for i in chosen:
        axis, mass0 = axis_of(m, w, i), masses[i]
        law = law_of(m, w, axis, mass0, rest)
        light, heavy = extremes[i][rest] if i in extremes else (axis.inertia[rest], axis.inertia[rest])
        job = _Job(m, law, light, heavy, mass0, write, exact_step)
        found.append(job.velocity(wanted_bandwidth, damping_ratio) if servo_kind(m, w, i) == VELOCITY else job.position(wanted_bandwidth, damping_ratio))
    return found


def changes(tuned: Iterable[Tuned]) -> list[tuple[str, Mapping[str, float | tuple[float, float, float]]]]:
    """[(actuator name, {attribute: value})]: what to write."""
    return [(t.name, t.attributes) for t in tuned]


def servo_kind(m: Model, w: Data, i: int) -> str | None:
    """'position' or 'velocity' for an actuator whose control is one of these, times a positive number; None for others."""
    gain, bias = int(m.actuator_gaintype[i]), int(m.actuator_biastype[i])
    if bias != BIAS_AFFINE or gain not in (GAIN_FIXED, GAIN_PID) or m.actuator_outnum[i] != 1:
        return None
    kp, kv = gains(m, w, i)
    if gain == GAIN_FIXED and m.actuator_gainprm[i, 0] <= 0:
        return None
    if kp > 0:
        return POSITION
    return VELOCITY if kp == 0 and kv > 0 and gain == GAIN_FIXED and m.actuator_dyntype[i] != DYN_INTEGRATOR else None


def servos(m: Model, w: Data) -> list[int]:
    """All position and velocity servos that move something at a state that at_rest has computed."""
    found = []
    for i in range(m.nactuator):
        if servo_kind(m, w, i) is not None:
            try:
                axis_of(m, w, i)
            except ValueError:      # switched off, or without a moment here
                continue
            found.append(i)
    return found


# ------------------------------------------------------------------ one actuator

@dataclass(frozen=True, slots=True)
class _Job:
    """One actuator to be tuned. light, heavy: its smallest and largest inertia."""

    m: Model
    law: ServoLaw
    light: float
    heavy: float
    mass0: float
    write: str
    exact_step: bool

    @property
    def axis(self) -> ServoAxis:
        return self.law.axis

    def loop(self, kp: float, kv: float, inertia: float) -> ServoLoop:
        """The loop of gains along the axis, with this inertia."""
        return replace(loop_of(self.m, self.axis, 0.0, 0.0, self.law.rest), inertia=inertia, kp=kp, kv=kv, filter_time=0.0)

    def gains(self, hertz: float, zeta: float) -> tuple[float, float]:
        """(kp, kv) along the axis, negative where spring or damper do more than is wanted."""
        w, bare = natural_frequency(hertz, zeta), self.loop(0.0, 0.0, self.heavy)
        if self.exact_step:
            return place_poles(bare, w, zeta)
        return bare.inertia * w * w - bare.stiffness, 2.0 * zeta * w * bare.inertia - bare.damping

    def refusal(self, hertz: float, zeta: float) -> str:
        """What forbids this, in words; '' where nothing does."""
        kp, kv = self.gains(hertz, zeta)
        b, k = self.axis.damping, self.axis.stiffness
        if kp <= 0 and not self.exact_step:
            return f"the passive spring ({k:.4g}) alone is faster than {hertz:.4g} Hz"
        if kv < 0 and not self.exact_step:
            return f"the passive damping ({b:.4g}) alone gives a damping ratio above {zeta:.4g}"
        return self.step_refusal(kp, kv, zeta)

    def step_refusal(self, kp: float, kv: float, zeta: float) -> str:
        """What the time step forbids, in words: in the heaviest pose the step must make what is asked for, in the lightest it must not swing by itself."""
        h = float(self.m.opt_timestep)
        heavy = self.loop(max(kp, 0.0), max(kv, 0.0), self.heavy)
        step, made = heavy.frequency * h, poles(heavy)
        if step > COARSE:
            return f"w h = {step:.3g} at the timestep of {h:g} s, above {COARSE:g}: too few steps in a motion"
        if kp <= 0 or kv < 0:
            return f"the timestep of {h:g} s makes such modes with no positive gains"
        if not made.stable or not isfinite(made.frequency):
            return f"w h = {step:.3g} at the timestep of {h:g} s: the step does not settle"
        slip, off = made.frequency / heavy.frequency - 1.0, made.damping_ratio / heavy.damping_ratio - 1.0
        if max(abs(slip), abs(off)) > OFF and not self.exact_step:
            return (f"w h = {step:.3g} at the timestep of {h:g} s: the step makes the frequency {1 + slip:.3g} and the damping ratio {1 + off:.3g} times what they should be; "
                    "exact_step allows for that")
        lightest = self.loop(kp, kv, self.light)
        made, margin = poles(lightest), margins(lightest).gain
        if not made.stable or not isfinite(made.frequency) or margin < GAIN_MARGIN:
            where = "" if self.light == self.heavy else f" in the lightest pose ({self.light:.3g} instead of {self.heavy:.3g})"
            return f"gain margin {margin:.3g} at the timestep of {h:g} s{where}, below {GAIN_MARGIN:g}"
        return ""

    def position(self, hertz: float, zeta: float) -> Tuned:
        """Tune a position servo."""
        why, given = self.refusal(hertz, zeta), (hertz, zeta)
        if why:
            given = self.nearest(hertz, zeta)
            why += f"; the nearest that is possible: {given[0]:.4g} Hz with damping ratio {given[1]:.4g}"
        kp, kv = (x / self.axis.gear ** 2 for x in self.gains(*given))
        # a kv that is nothing beside the passive damping is none
        kv = kv if kv * self.axis.gear ** 2 > SMALL * self.axis.damping else 0.0
        attributes = {"kp": kp, "kv": kv} if self.write == "kv" or not self.mass0 or not kv else {"kp": kp, "dampratio": dampratio_of(kv, kp, self.mass0)}
        return self.result(kp, kv, attributes, {"gainprm": self.gain(kp), "biasprm": (self.bias0, -kp, -kv)}, (hertz, zeta), given, why)

    def velocity(self, hertz: float, zeta: float) -> Tuned:
        """Tune a velocity servo: (kv gear^2 + damping) / M = 2 pi bandwidth."""
        h, rate, b = float(self.m.opt_timestep), 2.0 * pi * hertz, self.axis.damping
        given, why = hertz, ""
        if self.heavy * rate <= b:
            given, why = b / self.heavy / (2.0 * pi) * (1.0 + 1e-3), f"the passive damping ({b:.4g}) alone is faster than {hertz:.4g} Hz"
        explicit = int(self.m.opt_integrator) in (INT_EULER, INT_RK4)     # kv acts on the velocity before the step: the lightest pose decides
        fastest = COARSE / h * (self.light / self.heavy if explicit else 1.0) / (2.0 * pi)
        if given > fastest:
            why = f"{given:.4g} Hz are {given * 2 * pi * h:.3g} per timestep of {h:g} s, above {fastest * 2 * pi * h:.3g}"
            given = fastest
        if why:
            why += f"; the nearest that is possible: {given:.4g} Hz"
        kv = max(0.0, self.heavy * 2.0 * pi * given - b) / self.axis.gear ** 2
        return self.result(0.0, kv, {"kv": kv}, {"gainprm": self.gain(kv), "biasprm": (self.bias0, 0.0, -kv)}, (hertz, zeta), (given, zeta), why)

    @property
    def scale(self) -> float:
        return ctrl_scale(self.m, self.axis.actuator)

    def gain(self, reference: float) -> tuple[float, float, float]:
        """gainprm that goes with a kp, or a kv: a pid's is its integral's and stays."""
        i = self.axis.actuator
        return three(self.m.actuator_gainprm[i]) if self.m.actuator_gaintype[i] == GAIN_PID else (reference * self.scale, 0.0, 0.0)

    @property
    def bias0(self) -> float:
        return float(self.m.actuator_biasprm[self.axis.actuator, 0])

    def nearest(self, hertz: float, zeta: float) -> tuple[float, float]:
        """The nearest (bandwidth, damping ratio) that nothing forbids: more damping where the damper does more, another bandwidth where that is at fault."""
        if not self.exact_step and self.gains(hertz, zeta)[1] < 0 < self.gains(hertz, zeta)[0]:
            most = zeta
            while self.gains(hertz, most)[1] < 0 and most < 1e6:
                most *= 2.0
            zeta = bisect(lambda x: self.gains(hertz, x)[1] >= 0, most, zeta)
        if not self.refusal(hertz, zeta):
            return hertz, zeta
        # slower, until the step resolves it; or faster than the spring alone
        slow = hertz
        while self.refusal(slow, zeta) and slow > SMALL * hertz:
            slow *= 0.5
        if not self.refusal(slow, zeta):
            return bisect(lambda x: not self.refusal(x, zeta), slow, min(2.0 * slow, hertz)), zeta
        fast = max(hertz, bandwidth(sqrt(max(0.0, self.axis.stiffness) / self.heavy), zeta) * (1.0 + 1e-3))
        zeta = max(zeta, self.axis.damping / (2.0 * natural_frequency(fast, zeta) * self.heavy) * (1.0 + 1e-6))
        return fast, zeta

    def result(self, kp: float, kv: float, attributes: dict, parameters: dict, wanted, given, why: str) -> Tuned:
        law = with_gains(self.m, self.law, kp, kv, self.mass0)
        largest = self.largest_step(law, (kp or kv) * self.scale)
        if abs(self.scale - 1.0) > SMALL or self.bias0:
            attributes = parameters
        warnings = ([why] if why else []) + self.warnings(law, largest)
        return Tuned(self.axis.actuator, self.m.name("actuator", self.axis.actuator), MappingProxyType(attributes), MappingProxyType(parameters), wanted, given, not why, law,
                     (self.light, self.heavy), largest, tuple(warnings))

    def largest_step(self, law: ServoLaw, gain: float) -> float:
        """The step of the control up or down, whichever is less, from where it holds, whose first force is within forcerange; infinite without a range."""
        i = self.axis.actuator
        if not self.m.actuator_forcelimited[i]:
            return inf
        low, high = (float(x) for x in self.m.actuator_forcerange[i])
        return max(0.0, min(high - law.hold, law.hold - low)) / gain if gain > 0 else inf

    def warnings(self, law: ServoLaw, largest: float) -> list[str]:
        """What the user should know beside the gains, in words."""
        c, said = int(self.m.actuator_ctrladr[self.axis.actuator]), []
        usual = STEP * float(self.m.actuator_ctrlrange[c, 1] - self.m.actuator_ctrlrange[c, 0]) if self.m.actuator_ctrllimited[c] else STEP
        if law.saturates:
            said.append(f"holding takes {abs(law.hold):.4g}, forcerange gives {law.limit:.4g}: it sags")
        elif largest < usual:
            said.append(f"forcerange saturates at steps of the control above {largest:.3g}; beyond that it is slower than asked for")
        if law.kind == POSITION and law.loop.filter_time and law.bandwidth < 0.9 * bandwidth(law.frequency, law.damping_ratio):
            said.append(f"the control's filter ({law.loop.filter_time:g} s) leaves a bandwidth of {law.bandwidth:.3g} Hz")
        if law.margins.gain < GAIN_MARGIN:
            said.append(f"gain margin {law.margins.gain:.3g} with this time step")
        return said + list(law.notes)


def bisect(good: Callable[[float], bool], inside: float, outside: float) -> float:
    """The point between one that is good and one that is not, as far out as it is still good."""
    for _ in range(ROUNDS):
        middle = sqrt(inside * outside)
        inside, outside = (middle, outside) if good(middle) else (inside, middle)
    return inside
