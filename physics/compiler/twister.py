"""Uniform numbers of the 64-bit Mersenne twister, drawn for the random dots of textures.

Source: Matsumoto and Nishimura, MT19937-64 (2004); a number in [0, 1) is the 64-bit draw over 2^64.
"""
from __future__ import annotations

from functools import lru_cache

import numpy as np

N, M = 312, 156
BLOCK = 1 << 14  # words tempered at a time, which fit the cache
STEP = N - M  # so many new words depend on earlier ones only
_MATRIX = np.uint64(0xB5026F5AA96619E9)
_UPPER, _LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
_ONE = np.uint64(1)
_TEMPER = ((29, 0x5555555555555555, True), (17, 0x71D67FFFEDA60000, False), (37, 0xFFF7EEE000000000, False))


@lru_cache(maxsize=8)
def below(seed: int, count: int, limit: float) -> np.ndarray:
    """Which of the first `count` numbers after seeding are below a limit: their indices, read-only."""
    found = np.flatnonzero(uniform(seed, count) < limit)
    found.flags.writeable = False
    return found


def uniform(seed: int, count: int) -> np.ndarray:
    """The first `count` numbers in [0, 1) after seeding."""
    words = np.empty(N + -(-count // STEP) * STEP, np.uint64)
    words[:N] = _seeded(seed)
    one, two = np.empty(STEP, np.uint64), np.empty(STEP, np.uint64)
    for k in range(0, len(words) - N, STEP):
        np.bitwise_and(words[k:k + STEP], _UPPER, out=one)
        np.bitwise_and(words[k + 1:k + 1 + STEP], _LOWER, out=two)
        np.bitwise_or(one, two, out=one)
        np.bitwise_and(one, _ONE, out=two)
        np.multiply(two, _MATRIX, out=two)
        np.right_shift(one, _ONE, out=one)
        np.bitwise_xor(one, two, out=one)
        np.bitwise_xor(one, words[k + M:k + N], out=words[k + N:k + N + STEP])
    numbers = np.empty(count)
    for k in range(0, count, BLOCK):
        numbers[k:k + BLOCK] = _tempered(words[N + k:min(N + k + BLOCK, N + count)])
    numbers /= 18446744073709551616.0
    return numbers


def _seeded(seed: int) -> np.ndarray:
    values, x = [], seed
    for k in range(1, N + 1):
        values.append(x)
        x = (6364136223846793005 * (x ^ (x >> 62)) + k) & 0xFFFFFFFFFFFFFFFF
    return np.array(values, np.uint64)


def _tempered(words: np.ndarray) -> np.ndarray:
    x = words.copy()
    for shift, mask, right in _TEMPER:
        moved = x >> np.uint64(shift) if right else x << np.uint64(shift)
        moved &= np.uint64(mask)
        x ^= moved
    x ^= x >> np.uint64(43)
    return x
