"""Made textures, pixel by pixel: the colours of a gradient cube, and random dots."""
from __future__ import annotations

import math

from physics.kernels.decorators import EXACT, helper, kernel

STATE, MIDDLE = 312, 156   # words of the twister's state, and how far off the other word of a step lies
LOW = 0x7FFFFFFF           # bits of a word that a step takes from the next one
MATRIX = 0xB5026F5AA96619E9 - (1 << 64)
ROOT = 1.0 / math.sqrt(2.0)
HALF_TURN = 0.5 * math.pi


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
def _share(place):
    """How much of the first colour there is, from place -1 (none) to 1 (all), along a soft step."""
    return min(max(0.5 * (1.0 + place / math.sqrt(1.0 + place * place) / ROOT), 0.0), 1.0)


@helper(fastmath=EXACT)
def _paint(pixels, k, ends, share):
    """Mix the two colours into pixel k."""
    for c in range(3):
        pixels[k, c] = int(255.0 * (share * ends[0, c] + (1.0 - share) * ends[1, c]))


@helper(fastmath=EXACT)
def _copy(pixels, k, source):
    """Make pixel k like another."""
    for c in range(3):
        pixels[k, c] = pixels[source, c]


@helper(fastmath=EXACT)
def _x(column, side):
    """Where a column lies, -1 to 1."""
    return 2.0 * column / (side - 1.0) - 1.0


@helper(fastmath=EXACT)
def _y(row, side):
    """Where a row lies, 1 to -1."""
    return 1.0 - 2.0 * row / (side - 1.0)


@kernel("a i", fastmath=EXACT)
def paint_gradient_cube(a, side):
    """Paint the six faces (side x side pixels each, in tex_rgb one after the other) of a cube that goes from colour tex_ends[1] below to tex_ends[0] above.

    Faces stand in the order right left up down front back. The colour follows the direction's height over the horizon: asin(y / |d|) around,
    1 - acos(1 / |d|) above and below, over a quarter turn. What lies as far from the middle as a pixel before is copied. side: at least 2.
    """
    pixels, ends, face = a.tex_rgb, a.tex_ends, side * side
    for row in range(side):
        y, opposite = _y(row, side), _y(side - 1 - row, side)
        for column in range(side):
            x, other = _x(column, side), _x(side - 1 - column, side)
            k, mirror = row * side + column, row * side + side - 1 - column
            far, known = math.sqrt(1.0 + x * x + y * y), 2 * column >= side and x * x == other * other
            if known:
                _copy(pixels, k, mirror)
            else:
                _paint(pixels, k, ends, _share(math.asin(y / far) / HALF_TURN))
            if 2 * row >= side and y * y == opposite * opposite:
                known, mirror = True, (side - 1 - row) * side + column
            if known:
                _copy(pixels, 2 * face + k, 2 * face + mirror)
                _copy(pixels, 3 * face + k, 3 * face + mirror)
            else:
                up = 1.0 - math.acos(1.0 / far) / HALF_TURN
                _paint(pixels, 2 * face + k, ends, _share(up))
                _paint(pixels, 3 * face + k, ends, _share(-up))
    for k in range(face):
        for c in range(3):
            byte = pixels[k, c]
            pixels[face + k, c] = byte
            pixels[4 * face + k, c] = byte
            pixels[5 * face + k, c] = byte
