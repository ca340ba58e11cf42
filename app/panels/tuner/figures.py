"""The table of what parameters mean, do and have done: nominal, effective, measured. No Qt."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf, isfinite, nan, pi, sqrt

import numpy as np

from app.panels.tuner.prediction import Full, Quick
from physics.tuning.law import Row
from physics.tuning.measured import Settling, Touch

NONE = "–"


@dataclass(frozen=True, slots=True)
class Measured:
    """What the contact has done lately: touches that have ended, and how the present one settles, None while it is apart. touching: whether it is in contact."""

    touches: tuple[Touch, ...]
    settling: Settling | None
    touching: bool

    @property
    def bounces(self) -> tuple[float, ...]:
        """Restitution of each touch that has one."""
        return tuple(touch.restitution for touch in self.touches if isfinite(touch.restitution) and isfinite(touch.end))


@dataclass(frozen=True, slots=True)
class Given:
    """All that a figure is made of; None for what is not known yet."""

    quick: Quick
    full: Full | None
    row: Row
    measured: Measured | None
    units: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Figure:
    """name, tip; three functions Given -> text."""

    name: str
    tip: str
    nominal: Callable[[Given], str]
    effective: Callable[[Given], str]
    measured: Callable[[Given], str]


def length_text(value: float, unit: str = "m") -> str:
    """A depth in the unit in which it is read best."""
    if not isfinite(value):
        return "sinks" if value == inf else NONE
    if unit == "rad":
        return f"{1e3 * value:.3g} mrad" if abs(value) < 0.1 else f"{value:.3g} rad"
    size = abs(value)
    return f"{1e6 * value:.3g} µm" if size < 1e-4 else f"{1e3 * value:.3g} mm" if size < 0.5 else f"{value:.3g} m"


def time_text(value: float) -> str:
    """A time in ms or s."""
    return NONE if not isfinite(value) else f"{1e3 * value:.3g} ms" if value < 1.0 else f"{value:.3g} s"


def _plain(value: float, unit: str = "") -> str:
    return f"{value:.4g} {unit}".strip() if isfinite(value) else NONE


def _nothing(_given: Given) -> str:
    return NONE


def _settling(given: Given, name: str) -> float:
    found = given.measured.settling if given.measured is not None else None
    return getattr(found, name) if found is not None else nan


def _last(given: Given, name: str) -> float:
    touches = [touch for touch in given.measured.touches if isfinite(touch.end)] if given.measured is not None else []
    return getattr(touches[-1], name) if touches else nan


def _bounces(given: Given) -> str:
    found = given.measured.bounces if given.measured is not None else ()
    return NONE if not found else f"{found[-1]:.3f}" if len(found) == 1 else f"{np.mean(found):.3f} ± {np.std(found):.3f} ({len(found)})"


def _predicted_bounce(given: Given) -> str:
    if given.full is None or given.quick.time is None:
        return NONE
    impacts = given.full.response.impacts
    return f"{impacts.mean:.3f} ± {impacts.scatter:.3f}" if impacts.mean > 0.0 else "stays"


def _simulated(given: Given) -> tuple[float, float]:
    """(frequency [rad/s], dampratio) of small motions at rest, where they oscillate: the slope of d(r) counts there; else by the closed form."""
    step = given.full.response.load_step if given.full is not None else None
    if step is None or step.frequency <= 0.0 or not 0.0 <= step.damping_ratio < 1.0:
        return given.quick.effective.frequency, given.quick.effective.damping_ratio
    return 2 * pi * step.frequency / sqrt(1.0 - step.damping_ratio ** 2), step.damping_ratio


def _simulated_settling(given: Given) -> str:
    return time_text(given.full.response.load_step.settling if given.full is not None else given.quick.effective.settling)


def _rest_nominal(given: Given) -> str:
    return length_text(given.quick.nominal.depth, given.units[0])


FIGURES: tuple[Figure, ...] = (
    Figure("rest depth", "Where it lies under the present load. Nominal: as if R were made for the true inverse mass, with d = dwidth", _rest_nominal,
           lambda g: length_text(g.quick.rest, g.units[0]), lambda g: length_text(_settling(g, "depth"), g.units[0])),
    Figure("force at rest", "What the row bears then: the load over the inverse mass", _nothing,
           lambda g: _plain(max(0.0, -g.row.load(-g.quick.rest if isfinite(g.quick.rest) else 0.0)) / g.row.inverse_mass, g.units[1]), lambda g: _plain(_settling(g, "force"), g.units[1])),
    Figure("frequency", "Of the undamped motion in contact, w / 2 pi", lambda g: _plain(g.quick.nominal.frequency / (2 * pi), "Hz"),
           lambda g: _plain(_simulated(g)[0] / (2 * pi), "Hz"), lambda g: _plain(_settling(g, "frequency") / (2 * pi), "Hz")),
    Figure("damping ratio", "1: no overshoot at small motions", lambda g: _plain(g.quick.nominal.damping_ratio), lambda g: _plain(_simulated(g)[1]),
           lambda g: _plain(_settling(g, "dampratio"))),
    Figure("w h", "Frequency times time step: up to 0.2 each bounce is like the next", lambda g: _plain(g.quick.nominal.step), lambda g: _plain(_simulated(g)[0] * g.row.timestep),
           lambda g: _plain(_settling(g, "frequency") * g.row.timestep)),
    Figure("settling to 2 %", "Of a small step of the load, in contact", lambda g: time_text(g.quick.nominal.settling), _simulated_settling,
           lambda g: time_text(_settling(g, "settling"))),
    Figure("restitution", "Speed after an impact over speed before: mean and standard deviation over where in a time step it begins; measured: over the bounces seen",
           lambda g: f"{g.quick.nominal.restitution:.3f}" if g.quick.time is not None else NONE, _predicted_bounce, _bounces),
    Figure("impact depth", "Deepest point of an impact at this speed; measured: of the last one", _nothing,
           lambda g: length_text(g.full.response.impacts.depth, g.units[0]) if g.full is not None and g.quick.time is not None else NONE, lambda g: length_text(_last(g, "depth"), g.units[0])),
    Figure("impact duration", "Of that impact; measured: of the last one", _nothing,
           lambda g: time_text(g.full.response.impacts.duration) if g.full is not None and g.quick.time is not None else NONE, lambda g: time_text(_last(g, "duration"))),
)


def table(given: Given) -> Iterable[tuple[Figure, tuple[str, str, str]]]:
    """Each figure with its three texts."""
    for figure in FIGURES:
        yield figure, (figure.nominal(given), figure.effective(given), figure.measured(given))
