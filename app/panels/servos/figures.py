"""The table of what a servo does: with the values in force and with those being tried, held and in the mechanism. No Qt."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import degrees, inf, isfinite, nan, pi

from app.panels.servos.study import Tried
from app.panels.tuner.figures import NONE, time_text
from physics.tuning.servos.law import VELOCITY
from physics.tuning.servos.trial import Outcome

LEAST = 5e-6    # a share below that is none
Text = Callable[[Outcome, tuple[str, str]], str]


@dataclass(frozen=True, slots=True)
class Figure:
    """One line. of: text of an outcome, or of all that was tried where it is a closed form (then it stands with what is held). free: of a closed form, what stands beside it."""

    name: str
    tip: str
    of: Callable
    closed: bool = False
    free: Callable | None = None


def plain(value: float, unit: str = "") -> str:
    """A number with its unit."""
    if value == inf:
        return "∞"
    return f"{value:.4g} {unit}".strip() if isfinite(value) else NONE


def inertia_unit(units: tuple[str, str]) -> str:
    """Of what a position in these units has."""
    return "kg m²" if units[0] == "rad" else "kg"


def share_text(value: float) -> str:
    """A share in percent."""
    return f"{100 * value:.3g} %" if abs(value) >= LEAST else "0 %" if isfinite(value) else NONE


def position_text(value: float, unit: str) -> str:
    """A position in the unit in which it is read best."""
    if not isfinite(value):
        return NONE
    if unit.startswith("rad"):
        more = unit.removeprefix("rad")
        return f"{degrees(value):.3g}°{more}" if more else f"{1e3 * value:.3g} mrad" if abs(value) < 0.1 else f"{value:.3g} rad"
    return f"{1e3 * value:.3g} mm{unit.removeprefix('m')}" if abs(value) < 0.5 else f"{value:.3g} {unit}"


def _step(name: str, text: Callable) -> Text:
    return lambda outcome, units: text(getattr(outcome.step, name) if outcome.step is not None else nan, units)


def _lag(outcome: Outcome, units: tuple[str, str]) -> str:
    return NONE if outcome.lag is None else f"{position_text(outcome.lag[0], units[0])}, {time_text(outcome.lag[1])}"


def _sine(name: str, unit: str) -> Text:
    return lambda outcome, units: plain(getattr(outcome.sine, name) if outcome.sine is not None else nan, unit)


def _law(text: Callable) -> Callable:
    return lambda found, units: text(found.law, units) if found is not None and found.law is not None else NONE


FIGURES: tuple[Figure, ...] = (
    Figure("rise", "From 10 to 90 % of the step", _step("rise", lambda x, u: time_text(x))),
    Figure("overshoot", "Beyond the end, as a share of the step", _step("overshoot", lambda x, u: share_text(x))),
    Figure("settling to 2 %", "After the step, until it stays within 2 % of it", _step("settling", lambda x, u: time_text(x))),
    Figure("steady error", "Set point less position at the end: what gravity and springs pull it off", _step("steady_error", lambda x, u: position_text(x, u[0]))),
    Figure("lag", "Behind a ramp: distance and time", _lag),
    Figure("gain", "Amplitude of the response to the sine over that asked for", _sine("gain", "")),
    Figure("phase", "Of the response after the sine; negative where it lags", _sine("phase", "°")),
    Figure("saturation", "Share of the time at an end of forcerange", lambda outcome, units: share_text(outcome.saturation)),
    Figure("measured bandwidth", "Up to which this step response follows to 3 dB", lambda outcome, units: plain(outcome.bandwidth, "Hz")),
    Figure("bandwidth", "By the closed form: up to which it follows to 3 dB, with all else held", _law(lambda law, u: plain(law.bandwidth or nan, "Hz")), True),
    Figure("frequency", "Undamped, w / 2 pi", _law(lambda law, u: plain(law.frequency / (2 * pi), "Hz") if law.kind != VELOCITY else NONE), True),
    Figure("damping ratio", "1: no overshoot", _law(lambda law, u: plain(law.damping_ratio) if law.kind != VELOCITY else NONE), True),
    Figure("phase margin", "Of the loop with its time step", _law(lambda law, u: f"{law.margins.phase:.3g}°" if isfinite(law.margins.phase) else plain(law.margins.phase)), True),
    Figure("gain margin", "By which both gains may grow, with this time step", _law(lambda law, u: plain(law.margins.gain)), True),
    Figure("w h", "Frequency times time step: up to 0.2 the step hardly changes it", _law(lambda law, u: plain(law.step_frequency) if law.kind != VELOCITY else NONE), True),
    Figure("effective inertia", "Along the joint, armature counted: with all else held, and with all else free to give way",
           _law(lambda law, u: plain(law.axis.inertia["locked"], inertia_unit(u))), True, _law(lambda law, u: plain(law.axis.inertia["free"], inertia_unit(u)))),
    Figure("force that holds", "The actuator's force in this pose", _law(lambda law, u: plain(law.hold + 0.0, u[1])), True),
)


def texts(figure: Figure, found: Tried | None, units: tuple[str, str]) -> tuple[str, str]:
    """(held, in the mechanism)."""
    if found is None:
        return NONE, NONE
    if figure.closed:
        return figure.of(found, units), figure.free(found, units) if figure.free is not None else ""
    speed = (f"{units[0]}/s", units[1]) if found.law is not None and found.law.kind == VELOCITY else units
    return tuple("diverges" if outcome is not None and outcome.diverged else figure.of(outcome, speed) if outcome is not None else NONE for outcome in (found.held, found.real))
