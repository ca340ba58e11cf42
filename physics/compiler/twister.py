"""Uniform numbers of the 64-bit Mersenne twister, drawn for the random dots of textures.

Source: Matsumoto and Nishimura, MT19937-64 (2004); a number in [0, 1) is the 64-bit draw over 2^64.
"""
from __future__ import annotations

import numpy as np

N, M = 312, 156
_MATRIX = np.uint64(0xB5026F5AA96619E9)
_UPPER, _LOWER = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF)
_ONE = np.uint64(1)
_TEMPER = ((29, 0x5555555555555555, True), (17, 0x71D67FFFEDA60000, False), (37, 0xFFF7EEE000000000, False))


def uniform(seed: int, count: int) -> np.ndarray:
    """The first `count` numbers in [0, 1) after seeding."""
    state = _seeded(seed)
    draws = np.empty(-(-count // N) * N, np.uint64)
    for start in range(0, count, N):
        _refresh(state)
        draws[start:start + N] = _tempered(state)
    return draws[:count].astype(np.float64) / 18446744073709551616.0


def _seeded(seed: int) -> np.ndarray:
    values, x = [], seed
    for k in range(1, N + 1):
        values.append(x)
        x = (6364136223846793005 * (x ^ (x >> 62)) + k) & 0xFFFFFFFFFFFFFFFF
    return np.array(values, np.uint64)


def _refresh(mt: np.ndarray) -> None:
    """The next generation of the state; later numbers use the new earlier ones."""
    for low, high in ((0, N - M), (N - M, N - 1), (N - 1, N)):
        k = np.arange(low, high)
        x = (mt[k] & _UPPER) | (mt[(k + 1) % N] & _LOWER)
        mt[k] = mt[(k + M) % N] ^ (x >> _ONE) ^ np.where(x & _ONE, _MATRIX, np.uint64(0))


def _tempered(mt: np.ndarray) -> np.ndarray:
    x = mt.copy()
    for shift, mask, right in _TEMPER:
        x ^= ((x >> np.uint64(shift)) if right else (x << np.uint64(shift))) & np.uint64(mask)
    return x ^ (x >> np.uint64(43))
