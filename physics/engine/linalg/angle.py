"""Sine and cosine at once, for the angles that joints mostly have: inlined, without a call.

Below pi/4 the Taylor series are cut where the next term is below 2^-54 of the result; beyond, the C library answers.

Source: Muller, "Elementary Functions", 3rd edition, chapters 3 and 11.
"""
from __future__ import annotations

from math import cos, sin

from physics.kernels.decorators import helper

QUARTER_PI = 0.7853981633974483

S3, S5, S7, S9 = -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0
S11, S13, S15 = -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0
C4, C6, C8, C10 = 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3628800.0
C12, C14, C16 = 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0


@helper
def sin_cos(x):
    """(sin x, cos x), each within one unit of the last place of the C library's."""
    if not (abs(x) <= QUARTER_PI):
        return sin(x), cos(x)
    t = x * x
    u = t * t
    s = x + x * t * ((S3 + t * S5) + u * ((S7 + t * S9) + u * ((S11 + t * S13) + u * S15)))
    c = (1.0 - 0.5 * t) + u * ((C4 + t * C6) + u * ((C8 + t * C10) + u * ((C12 + t * C14) + u * C16)))
    return s, c
