"""The order in which the official compiler's hash table of polygons is walked.

Its polygons stand in the order of an unordered map, so ours must. This is that map's order alone: chained buckets on one list, a new key at
the front of its bucket, an empty bucket's first key at the front of the list; more buckets, a prime number, when the keys fill them.
Source: the behaviour of LLVM's libc++ (its documentation and that of std::unordered_map), found by trial on the official compiler.
"""
from __future__ import annotations

import math

_HEAD = -1


def walk_order(hashes: list[int]) -> list[int]:
    """Indices of distinct keys, given their hashes in the order they are inserted, as a walk over the table meets them."""
    after: dict[int, int | None] = {_HEAD: None}
    before_bucket: dict[int, int] = {}
    buckets = 0
    for key, value in enumerate(hashes):
        if key + 1 > buckets:
            grown = max(2 * buckets + (not _power(buckets)), key + 1)
            buckets = 2 if grown == 1 else grown if grown & (grown - 1) == 0 else _next_prime(grown)
            before_bucket = _spread(after, hashes, buckets)
        bucket = value % buckets
        if bucket in before_bucket:
            front = before_bucket[bucket]
            after[key], after[front] = after[front], key
            continue
        following = after[_HEAD]
        after[key], after[_HEAD] = following, key
        before_bucket[bucket] = _HEAD
        if following is not None:
            before_bucket[hashes[following] % buckets] = key
    out, key = [], after[_HEAD]
    while key is not None:
        out.append(key)
        key = after[key]
    return out


def _power(n: int) -> bool:
    return n > 2 and n & (n - 1) == 0


def _next_prime(n: int) -> int:
    while n < 2 or any(n % k == 0 for k in range(2, math.isqrt(n) + 1)):
        n += 1
    return n


def _spread(after: dict, hashes: list[int], buckets: int) -> dict[int, int]:
    """Regroup the list for a number of buckets; the key before each bucket's first."""
    before: dict[int, int] = {}
    last, key = _HEAD, after[_HEAD]
    if key is None:
        return before
    here = hashes[key] % buckets
    before[here] = last
    last, key = key, after[key]
    while key is not None:
        bucket = hashes[key] % buckets
        if bucket == here:
            last = key
        elif bucket not in before:
            before[bucket] = last
            last, here = key, bucket
        else:
            front = before[bucket]
            after[last] = after[key]
            after[key], after[front] = after[front], key
        key = after[last]
    return before
