"""One number of a curve: the metrics of sweeps. Moments at which a value is missing (NaN), as the distance of what does not touch, count for nothing."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.quantities.statistics import figures

__all__ = ["REDUCTIONS", "reduced"]


def _last(_time: np.ndarray, values: np.ndarray) -> float:
    return float(values[-1])


def _integral(time: np.ndarray, values: np.ndarray) -> float:
    """By the trapezoidal rule, over the intervals of which both ends are there."""
    there = np.isfinite(values)
    both = there[1:] & there[:-1]
    return float((0.5 * (values[1:] + values[:-1]) * np.diff(time))[both].sum()) if there.any() else float("nan")


def _holds(_time: np.ndarray, values: np.ndarray) -> float:
    """1 where the condition holds at the end, else 0."""
    return float(np.isfinite(values[-1]) and values[-1] != 0.0)


REDUCTIONS: Mapping[str, Callable[[np.ndarray, np.ndarray], float]] = MappingProxyType({
    "min": lambda time, values: figures(time, values).least, "max": lambda time, values: figures(time, values).most, "mean": lambda time, values: figures(time, values).mean,
    "last": _last, "integral": _integral, "holds": _holds,
})


def reduced(how: str, time: np.ndarray, values: np.ndarray) -> float:
    """A curve as one number; time (n) [s] ascending, values (n), n > 0. Raises ValueError for a word that is none of REDUCTIONS."""
    if how not in REDUCTIONS:
        raise ValueError(f"there is no reduction '{how}'; there are: {', '.join(REDUCTIONS)}")
    return REDUCTIONS[how](time, values)
