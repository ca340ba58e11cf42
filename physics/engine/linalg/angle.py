"""Sine and cosine at once, without a call for angles of any ordinary size.

A larger angle is brought into -pi/4 .. pi/4 by taking off multiples of pi/2, which is held in three parts so that nothing is lost; there
the Taylor series are cut where the next term is below 2^-54 of the result. Beyond FAR the C library answers.

Source: Muller, "Elementary Functions", 3rd edition, chapters 3 and 11 (11.2, the method of Cody and Waite).
"""
from __future__ import annotations

from math import cos, sin

from physics.kernels.decorators import helper

FAR = 1e5  # products of the first two parts with numbers of quarter turns up to here are exact
QUARTER_PI = 0.7853981633974483
ROUNDING = 6755399441055744.0  # 1.5 2^52: adding it leaves no room for a fraction
TURNS = 0.6366197723675814  # 2 / pi
HALF_PI_1 = 1.5707963267341256  # pi / 2 to 33 bits, the next 33 bits, and the rest
HALF_PI_2 = 6.077100506303966e-11
HALF_PI_3 = 2.0222662487959506e-21

S3, S5, S7, S9 = -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0
S11, S13, S15 = -1.0 / 39916800.0, 1.0 / 6227020800.0, -1.0 / 1307674368000.0
C4, C6, C8, C10 = 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40320.0, -1.0 / 3628800.0
C12, C14, C16 = 1.0 / 479001600.0, -1.0 / 87178291200.0, 1.0 / 20922789888000.0


@helper
def near_zero(x):
    """(sin x, cos x) for |x| up to a little above pi / 4."""
    t = x * x
    u = t * t
    s = x + x * t * ((S3 + t * S5) + u * ((S7 + t * S9) + u * ((S11 + t * S13) + u * S15)))
    c = (1.0 - 0.5 * t) + u * ((C4 + t * C6) + u * ((C8 + t * C10) + u * ((C12 + t * C14) + u * C16)))
    return s, c


@helper
def sin_cos(x):
    """(sin x, cos x), each within one unit of the last place of the C library's, beyond pi / 4 within two."""
    if abs(x) <= QUARTER_PI:
        return near_zero(x)
    if not (abs(x) <= FAR):
        return sin(x), cos(x)
    turns = (x * TURNS + ROUNDING) - ROUNDING
    s, c = near_zero(((x - turns * HALF_PI_1) - turns * HALF_PI_2) - turns * HALF_PI_3)
    quarter = int(turns) & 3
    if quarter & 1:
        s, c = c, -s
    if quarter & 2:
        s, c = -s, -c
    return s, c
