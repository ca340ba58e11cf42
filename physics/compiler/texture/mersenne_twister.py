"""Uniform numbers of the 64-bit Mersenne twister, drawn for the random dots of textures.

The dots must be the official ones: see "official order" in the docstring of physics/compiler/mesh.
Source: Matsumoto and Nishimura, MT19937-64 (2004); a number in [0, 1) is the 64-bit draw over 2^64.
"""
from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

N, M = 312, 156
STEP = N - M  # so many new words depend on earlier ones only
BLOCK = 105 * STEP  # words made and tempered at a time, which fit the cache
_MATRIX = np.uint64(0xB5026F5AA96619E9)
_UPPER = np.uint64(0xFFFFFFFF80000000)
_ONE = np.uint64(1)
_TEMPER = ((29, 0x5555555555555555, True), (17, 0x71D67FFFEDA60000, False), (37, 0xFFF7EEE000000000, False))


@lru_cache(maxsize=8)
def below(seed: int, count: int, limit: float) -> np.ndarray:
    """Which of the first `count` numbers after seeding are below a limit: their indices, read-only."""
    found, most = [], np.uint64(min(int(min(max(limit, 0.0), 1.0) * 2**64) + 4096, 2**64 - 1))
    for first, words in _blocks(seed, count):
        near = np.flatnonzero(words <= most)   # rounding to a double moves a word by less
        found.append(first + near[_numbers(words[near]) < limit])
    found = np.concatenate(found) if found else np.zeros(0, np.int64)
    found.flags.writeable = False
    return found


def uniform(seed: int, count: int) -> np.ndarray:
    """The first `count` numbers in [0, 1) after seeding."""
    return np.concatenate([np.zeros(0), *(_numbers(words) for _first, words in _blocks(seed, count))])


def _numbers(words: np.ndarray) -> np.ndarray:
    return words.astype(np.float64) / 18446744073709551616.0


def _blocks(seed: int, count: int) -> Iterator[tuple[int, np.ndarray]]:
    """(index of the first, draws of 64 bits), block by block."""
    words = np.empty(N + BLOCK + 1, np.uint64)
    words[:N] = seeded(seed).view(np.uint64)
    # rows of STEP words, and the same one word later
    rows, later = list(words[:-1].reshape(-1, STEP)), list(words[1:].reshape(-1, STEP))
    one, two = np.empty(STEP, np.uint64), np.empty(STEP, np.uint64)
    both, times, half, differ = np.bitwise_and, np.multiply, np.right_shift, np.bitwise_xor
    for first in range(0, count, BLOCK):
        for low, high, middle, new in zip(rows, later, rows[1:], rows[2:]):
            differ(low, high, one)
            both(one, _UPPER, one)
            differ(one, high, one)   # the upper bits of one word, the lower ones of the next
            both(high, _ONE, two)
            times(two, _MATRIX, two)
            half(one, _ONE, one)
            differ(one, two, one)
            differ(one, middle, new)
        yield first, _tempered(words[N:N + min(BLOCK, count - first)])
        words[:N] = words[BLOCK:BLOCK + N]


def seeded(seed: int) -> np.ndarray:
    """The 312 words of a fresh state."""
    values, x = [], seed
    for k in range(1, N + 1):
        values.append(x)
        x = (6364136223846793005 * (x ^ (x >> 62)) + k) & 0xFFFFFFFFFFFFFFFF
    return np.array(values, np.uint64).view(np.int64)


def _tempered(words: np.ndarray) -> np.ndarray:
    x, moved = words.copy(), np.empty_like(words)
    for shift, mask, right in _TEMPER:
        (np.right_shift if right else np.left_shift)(x, np.uint64(shift), moved)
        moved &= np.uint64(mask)
        x ^= moved
    np.right_shift(x, np.uint64(43), moved)
    x ^= moved
    return x
