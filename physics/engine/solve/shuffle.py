"""Random orders for sweeps: the same in every step, so that a step repeated gives the same result.

Source: M. O'Neill, "PCG: a family of simple fast space-efficient statistically good algorithms for random number generation", 2014
(PCG-XSH-RR 64/32); R. Durstenfeld, "Algorithm 235: random permutation", 1964.
"""
from __future__ import annotations

from physics.kernels.decorators import helper

MASK = 0xFFFFFFFF
FACTOR_HIGH = 0x5851F42D  # the generator's factor, in two halves as integers here are signed
FACTOR_LOW = 0x4C957F2D


@helper
def advance(d):
    """Next state of the generator; products wrap alike in 64 bits and as Python numbers."""
    # 64-bit state x <- x * factor + 1, in halves of 32 bits
    high = d.pcg_high
    low = d.pcg_low
    product = low * FACTOR_LOW + 1
    d.pcg_low = product & MASK
    d.pcg_high = (((product >> 32) & MASK) + low * FACTOR_HIGH + high * FACTOR_LOW) & MASK


@helper
def start_random(d):
    """The start of every solve."""
    d.pcg_high = 0
    d.pcg_low = 0
    advance(d)


@helper
def random_below(d, n):
    """A random number from 0 to n - 1."""
    high = d.pcg_high
    low = d.pcg_low
    advance(d)
    # output function XSH-RR: xorshift by 18, upper bits, then rotated by the topmost five
    a = high ^ (high >> 18)
    b = low ^ (((low >> 18) | (high << 14)) & MASK)
    x = ((b >> 27) | (a << 5)) & MASK
    turn = high >> 27
    x = ((x >> turn) | (x << ((32 - turn) & 31))) & MASK
    return x - int(x / n) * n   # the remainder: with 32 bits the quotient of doubles is never rounded up to the next number


@helper
def shuffle(d, order, n):
    """Shuffle order[:n]."""
    for i in range(n - 1, 0, -1):
        j = random_below(d, i + 1)
        k = order[i]
        order[i] = order[j]
        order[j] = k
