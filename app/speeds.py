"""The speeds the window offers, as factors of real time, and how they are written."""
from physics.runtime import pacing

SPEEDS = tuple(sorted(percent / 100 for percent in pacing.SPEEDS))


def nearest_speed(factor: float) -> int:
    """Index into SPEEDS of the value nearest to `factor` in ratio."""
    return min(range(len(SPEEDS)), key=lambda i: max(SPEEDS[i] / factor, factor / SPEEDS[i]))


def speed_text(factor: float | None) -> str:
    """Speed as the user reads it: '25 %', 'max'."""
    return "max" if factor is None else f"{factor * 100:.4g} %"
