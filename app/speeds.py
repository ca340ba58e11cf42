"""The speeds the window offers, as factors of real time or as steps for each picture, and how they are written."""
from physics.runtime import pacing
from physics.runtime.snapshot import Snapshot

SPEEDS = tuple(sorted(percent / 100 for percent in pacing.SPEEDS))
STEPS = (1, 2, 5, 10, 20)   # for each picture
REAL_SPEED_TOLERANCE = 0.1  # the measured speed is told when it is further off


def nearest_speed(factor: float) -> int:
    """Index into SPEEDS of the value nearest to `factor` in ratio."""
    return min(range(len(SPEEDS)), key=lambda i: max(SPEEDS[i] / factor, factor / SPEEDS[i]))


def speed_text(factor: float | None) -> str:
    """Speed as the user reads it: '25 %', 'max'."""
    return "max" if factor is None else f"{factor * 100:.4g} %"


def steps_text(steps: int) -> str:
    """'1 step per picture'."""
    return f"{steps} step{'' if steps == 1 else 's'} per picture"


def reached_text(snapshot: Snapshot) -> str:
    """The wanted speed, and what a run reaches where that is another: '100 %', '100 % (real 42 %)', '1 step per picture (3 %)'."""
    real = snapshot.real_speed if snapshot.running else 0.0
    rounded = speed_text(float(f"{real:.2g}"))   # more digits only flicker
    if snapshot.steps_per_picture:
        return steps_text(snapshot.steps_per_picture) + (f" ({rounded})" if real else "")
    wanted = speed_text(snapshot.speed)
    if snapshot.speed is None:
        return wanted + (f" ({real:.4g} times)" if real else "")
    return wanted + (f" (real {rounded})" if real and abs(real / snapshot.speed - 1) > REAL_SPEED_TOLERANCE else "")
