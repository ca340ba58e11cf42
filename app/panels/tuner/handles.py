"""The impedance curve's five handles: where they are, and what dragging one makes of solimp. No Qt.

    d0 and dwidth: the curve's ends, up and down      width: on the axis, along it      midpoint: on the curve, along it      power: half way to the midpoint, up and down
"""
from __future__ import annotations

from collections.abc import Iterable
from math import isfinite, log

from physics.enums import MAXIMP, MINIMP
from physics.tuning.law import impedance, usable_solimp

Solimp = tuple[float, float, float, float, float]
NAMES = ("d0", "dwidth", "width", "midpoint", "power")
SIDEWAYS = frozenset(("width", "midpoint"))
LEAST_REACH = 1e-3      # m: of the axis, where nothing gives it a length
MOST_POWER = 20.0
LEAST_SPAN = 0.1        # of the impedance that the picture has


def depth_reach(solimp: Solimp, depths: Iterable[float] = ()) -> float:
    """Depth [m] up to which the curve is drawn: over its width, and over where the contact is."""
    deepest = max((depth for depth in depths if isfinite(depth)), default=0.0)
    width = usable_solimp(solimp)[2]
    return max(1.4 * width, 1.15 * deepest) or LEAST_REACH


def impedance_span(solimp: Solimp) -> tuple[float, float]:
    """(lowest, highest) impedance that the picture shows: the curve with room around it."""
    d0, top = usable_solimp(solimp)[:2]
    low, high = min(d0, top), max(d0, top)
    room = max(0.35 * (high - low), 0.5 * (LEAST_SPAN - (high - low)), 0.01)
    return max(0.0, low - room), min(1.0, high + room)


def handle_points(solimp: Solimp) -> dict[str, tuple[float, float] | None]:
    """(depth [m], impedance) of each handle; of `width` the impedance is NaN, as it lies on the axis; None: a flat curve has no midpoint and no power."""
    d0, top, width, mid, _power = usable_solimp(solimp)
    points: dict[str, tuple[float, float] | None] = {"d0": (0.0, d0), "dwidth": (width, top), "width": (width, float("nan")), "midpoint": None, "power": None}
    if d0 != top:
        points["midpoint"] = mid * width, float(impedance(solimp, -mid * width)[0])
        points["power"] = 0.5 * mid * width, float(impedance(solimp, -0.5 * mid * width)[0])
    return points


def dragged(solimp: Solimp, name: str, depth: float, d: float) -> Solimp:
    """solimp after a handle was moved to a depth [m] and an impedance, within what the engine takes."""
    d0, top, width, mid, power = solimp
    level = min(MAXIMP, max(MINIMP, _tidy(d, 4)))
    if name == "d0":
        return level, top, width, mid, power
    if name == "dwidth":
        return d0, level, width, mid, power
    if name == "width":
        return d0, top, _short(max(0.0, depth)), mid, power
    used = usable_solimp(solimp)
    if name == "midpoint":
        return d0, top, width, min(0.99, max(0.01, _tidy(depth / used[2], 3))) if used[2] > 0.0 else mid, power
    # at half the way to the midpoint y = mid (1/2)^power
    span = used[1] - used[0]
    share = (d - used[0]) / span / used[3] if span else 0.0
    wanted = -log(share) / log(2.0) if share > 0.0 else MOST_POWER
    return d0, top, width, mid, min(MOST_POWER, max(1.0, _tidy(wanted, 2)))


def _tidy(value: float, places: int) -> float:
    return round(float(value), places)


def _short(value: float) -> float:
    return float(f"{value:.3g}")
