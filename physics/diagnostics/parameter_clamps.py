"""Where the engine takes other values than those that contacts and limits were given: the smallest friction, usable solref, the range of impedances.

Each function gives what is used and a Clamp for every number that was changed on the way.

Source: MuJoCo documentation, chapter Modeling, "Solver parameters"; XML reference, option/flag refsafe.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from physics.engine.constraint.impedance import DEFAULT_SOLREF, clip_impedance, damping, impedance, resolved, stiffness, usable_solref
from physics.enums import MAXIMP, MINIMP, MINVAL
from physics.model.model import Model

IMPEDANCES = (0, 1, 3)      # numbers of solimp that are impedances: d0, dwidth, midpoint


@dataclass(frozen=True, slots=True)
class Clamp:
    """A number that is used otherwise than it was given. name: of the rule; number: which of the parameter's."""

    name: str
    text: str
    number: int
    before: float
    after: float


Clamped = tuple[tuple[float, ...], tuple[Clamp, ...]]


def used_friction(friction: Sequence[float], least: float) -> Clamped:
    """Coefficients of friction, none below `least`."""
    used = tuple(max(least, x) for x in friction)
    text = f"the smallest coefficient of friction is {least:g}"
    return used, tuple(Clamp("MINMU", text, k, x, y) for k, (x, y) in enumerate(zip(friction, used, strict=True)) if x < least)


def used_solref(m: Model, solref: Sequence[float], solimp: Sequence[float], depth: float | None) -> Clamped:
    """solref as rows along a contact's normal take it. depth: distance less margin [m], on which the discrete integrator's limit depends; None: that is left out."""
    used, clamps = _usable(m, solref, DEFAULT_SOLREF, f"both numbers must be positive or both not; the default {DEFAULT_SOLREF[0]:g} {DEFAULT_SOLREF[1]:g} stands in")
    if depth is None:
        return used, clamps
    dw = clip_impedance(solimp[1])
    value, _slope = impedance(tuple(solimp), depth)
    given = stiffness(used, dw)
    k, _b = resolved(m, used, value, given, damping(used, dw))
    if k == given:
        return used, clamps
    # the time constant whose stiffness that is: K = 1 / (dwidth timeconst dampratio)^2
    slower = 1.0 / (dw * used[1] * sqrt(k))
    text = "the integrator 'discrete' takes the stiffest spring that a time step can resolve, K = 1 / (impedance timestep^2)"
    return (slower, used[1]), (*clamps, Clamp("discrete", text, 0, used[0], slower))


def used_solreffriction(m: Model, solref: Sequence[float], normal: Sequence[float]) -> Clamped:
    """The same along the tangents of an elliptic cone: `normal`, what the normal's row uses, where it is not set."""
    used, clamps = _usable(m, solref, (0.0, 0.0), "both numbers must be positive or both not; solref stands in")
    return (used if used != (0.0, 0.0) else tuple(normal)), clamps


def _usable(m: Model, solref: Sequence[float], fallback: tuple[float, float], text: str) -> Clamped:
    """solref with consistent signs, and slow enough for the time step."""
    clamps, signs = [], tuple(solref)
    if (solref[0] > 0.0) != (solref[1] > 0.0):
        signs = fallback
        clamps = [Clamp("signs", text, k, solref[k], fallback[k]) for k in range(2) if solref[k] != fallback[k]]
    used = usable_solref(m, tuple(solref), fallback)
    if used[0] != signs[0]:
        clamps.append(Clamp("refsafe", f"refsafe: not below two time steps of {m.opt_timestep:g} s", 0, signs[0], used[0]))
    return tuple(map(float, used)), tuple(clamps)


def used_solimp(solimp: Sequence[float]) -> Clamped:
    """solimp within its range."""
    used, clamps = list(solimp), []
    for k in IMPEDANCES:
        used[k] = clip_impedance(solimp[k])
        if used[k] != solimp[k]:
            name = "MINIMP" if solimp[k] < used[k] else "MAXIMP"
            clamps.append(Clamp(name, f"impedances lie between {MINIMP:g} and {MAXIMP:g}", k, solimp[k], used[k]))
    for k, least, text in ((2, 0.0, "not below 0"), (4, 1.0, "not below 1")):
        used[k] = max(least, solimp[k])
        if used[k] != solimp[k]:
            clamps.append(Clamp(("width", "power")[k // 4], text, k, solimp[k], used[k]))
    if used[2] <= MINVAL and used[0] != used[1]:
        # without a width there is no slope to follow: one impedance at every depth
        middle = 0.5 * (used[0] + used[1])
        clamps += [Clamp("width", "with a width of 0 the mean of d0 and dwidth counts at every depth", k, used[k], middle) for k in (0, 1)]
        used[0] = used[1] = middle
    return tuple(used), tuple(clamps)
