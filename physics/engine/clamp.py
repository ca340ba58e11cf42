"""Numbers that must stay within bounds."""
from __future__ import annotations

from physics.enums import MAXVAL
from physics.kernels.decorators import helper


@helper
def is_bad(x):
    """Not a number, or absurdly large."""
    return not (abs(x) <= MAXVAL)


@helper
def clip(x, low, high):
    """x within [low, high]."""
    return min(max(x, low), high)


@helper
def is_held(f, limits, k):
    """Whether the force f is at or beyond row k of its limits, so that it does not change with velocity."""
    return f <= limits[k, 0] or f >= limits[k, 1]
