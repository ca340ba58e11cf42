"""Made textures, pixel by pixel: the colours of a gradient cube, and random dots."""
from __future__ import annotations

import math

from physics.kernels.decorators import EXACT, helper, kernel

STATE, MIDDLE = 312, 156   # words of the twister's state, and how far off the other word of a step lies
LOW = 0x7FFFFFFF           # bits of a word that a step takes from the next one
MATRIX = 0xB5026F5AA96619E9 - (1 << 64)
ROOT = 1.0 / math.sqrt(2.0)
HALF_TURN = 0.5 * math.pi
HAIR = 1e-7   # of a byte's step: more than the table of heights and rounding move a colour
THIRD = 1.0 / 3.0


@helper(fastmath=EXACT)
def _step(low, high, middle):
    """The twister's next word from three of its state (64 bits each, as signed numbers)."""
    x = (low & ~LOW) | (high & LOW)
    x = ((x >> 1) & 0x7FFFFFFFFFFFFFFF) ^ (MATRIX if x & 1 else 0)
    return middle ^ x


@helper(fastmath=EXACT)
def _number(word):
    """The number in [0, 1) that a word stands for."""
    word ^= (word >> 29) & 0x555555555
    word ^= (word << 17) & 0x71D67FFFEDA60000
    word ^= ((word & 0x7FFFFFF) << 37) & (0xFFF7EEE000000000 - (1 << 64))
    word ^= (word >> 43) & 0x1FFFFF
    return (float((word >> 32) & 0xFFFFFFFF) * 4294967296.0 + float(word & 0xFFFFFFFF)) / 18446744073709551616.0


@kernel("a i f i i i", fastmath=EXACT)
def paint_dots(a, count, limit, red, green, blue):
    """Paint each of `count` pixels of tex_rgb whose random number is below the limit. draw_state: 312 words as seeded, used up.

    Source: Matsumoto and Nishimura, MT19937-64 (2004).
    """
    state, pixels = a.draw_state, a.tex_rgb
    for first in range(0, count, STATE):
        for k in range(STATE):
            after = k + 1 if k + 1 < STATE else 0
            far = k + MIDDLE if k + MIDDLE < STATE else k + MIDDLE - STATE
            state[k] = _step(state[k], state[after], state[far])
        for k in range(min(STATE, count - first)):
            if _number(state[k]) < limit:
                pixels[first + k, 0] = red
                pixels[first + k, 1] = green
                pixels[first + k, 2] = blue


@helper(fastmath=EXACT)
def _step_at(place):
    """Height of a soft step, -1 to 1 and a little beyond, at a place from -1 to 1; it turns its sign with the place."""
    return place / math.sqrt(1.0 + place * place) / ROOT


@helper(fastmath=EXACT)
def _paint(pixels, k, ends, height):
    """Mix the two colours into pixel k, the second at height -1 of the step, the first at 1. Whether a hair's breadth up or down gives the same bytes."""
    share, settled = min(max(0.5 * (1.0 + height), 0.0), 1.0), True
    for c in range(3):
        value = 255.0 * (share * ends[0, c] + (1.0 - share) * ends[1, c])
        byte = int(value)
        pixels[k, c] = byte
        settled &= (value - byte > HAIR and value - byte < 1.0 - HAIR) or (ends[0, c] == 0.0 and ends[1, c] == 0.0)
    return settled


@helper(fastmath=EXACT)
def _around(x, y):
    """Height of the step in a direction on the first face."""
    return _step_at(math.asin(y / math.sqrt(1.0 + x * x + y * y)) / HALF_TURN)


@helper(fastmath=EXACT)
def _above(x, y):
    """Height of the step in a direction on the face above."""
    return _step_at(1.0 - math.acos(1.0 / math.sqrt(1.0 + x * x + y * y)) / HALF_TURN)


@helper(fastmath=EXACT)
def _between(table, kind, at):
    """The table's value at a place among its rows: a cubic through the four around it."""
    row = int(at)
    w = at - row
    low, high = (w + 1.0) * w * 0.5, (w - 1.0) * (w - 2.0) * 0.5
    return (high * ((w + 1.0) * table[row, kind] - w * THIRD * table[row - 1, kind])
            + low * ((2.0 - w) * table[row + 1, kind] + (w - 1.0) * THIRD * table[row + 2, kind]))


@helper(fastmath=EXACT)
def _four(pixels, ends, place, row, column, side, start, height, kind):
    """Paint the four pixels of a face that lie as a pixel does but for signs, at about this height; where that does not settle their bytes, exactly.

    start: the face's first pixel; kind: 0 for the face around, whose lower half has the other sign, 1 for that above, -1 below.
    """
    mirror = side - 1 - row
    sign = kind if kind != 0 else 1.0
    for half in range(2):
        y = place[mirror if half else row]
        k = start + (mirror if half else row) * side + column
        across = k + side - 1 - 2 * column
        settled = _paint(pixels, k, ends, height * sign)
        if settled:
            for c in range(3):
                pixels[across, c] = pixels[k, c]
        else:
            x, other = place[column], place[side - 1 - column]
            _paint(pixels, k, ends, _around(x, -y) if kind == 0 else sign * _above(x, y))
            _paint(pixels, across, ends, _around(other, -y) if kind == 0 else sign * _above(other, y))
        if kind == 0:
            sign = -sign


@kernel("a i f", fastmath=EXACT)
def paint_gradient_cube(a, side, scale):
    """Paint three of six faces (side x side pixels each, in tex_rgb one after the other) of a cube that goes from colour tex_ends[1] below to tex_ends[0] above.

    Faces stand in the order right left up down front back; left, front and back are as right is, and left to the caller. The colour follows the
    direction's height over the horizon: asin(y / |d|) around, 1 - acos(1 / |d|) above and below, over a quarter turn, along a soft step. tex_place:
    where columns lie, -1 to 1, and rows, 1 to -1, with the other sign; tex_slope: 1 / sqrt(1 + place^2). tex_height: heights of the step on the face
    around and above for tangents (n - 1) / scale over the horizon and from the zenith, near enough that most bytes are settled by them. side: at least 2.
    """
    pixels, ends, place, face = a.tex_rgb, a.tex_ends, a.tex_place, side * side
    for row in range((side + 1) // 2):
        y = place[row]
        for column in range((side + 1) // 2):
            x = place[column]
            _four(pixels, ends, place, row, column, side, 0, _between(a.tex_height, 0, 1.0 + scale * abs(y) * a.tex_slope[column]), 0)
            height = _between(a.tex_height, 1, 1.0 + scale * math.sqrt(x * x + y * y))
            _four(pixels, ends, place, row, column, side, 2 * face, height, 1)
            _four(pixels, ends, place, row, column, side, 3 * face, height, -1)
