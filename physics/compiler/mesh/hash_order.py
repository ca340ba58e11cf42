"""The order in which the official compiler's hash table of polygons is walked.

Its polygons stand in the order of an unordered map, so ours must. This is that map's order alone: chained buckets on one list, a new key at
the front of its bucket, an empty bucket's first key at the front of the list; more buckets, a prime number, when the keys fill them.
Source: the behaviour of LLVM's libc++ (std::unordered_map); see "official order" in the docstring of physics/compiler/mesh.
"""
from __future__ import annotations

import math

_HEAD = -1


def walk_order(hashes: list[int]) -> list[int]:
    """Indices of distinct keys, given their hashes in the order they are inserted, as a walk over the table meets them."""
    after: list[int | None] = [None] * (len(hashes) + 1)   # of each key, the last for the head
    before_bucket: dict[int, int] = {}
    buckets = 0
    for key in range(len(hashes)):
        if key + 1 > buckets:
            grown = max(2 * buckets + (not _power(buckets)), key + 1)
            buckets = 2 if grown == 1 else grown if grown & (grown - 1) == 0 else _next_prime(grown)
            places = [value % buckets for value in hashes]
            before_bucket = _spread(after, places)
        bucket = places[key]
        front = before_bucket.get(bucket)
        if front is not None:
            after[key], after[front] = after[front], key
            continue
        following = after[_HEAD]
        after[key], after[_HEAD] = following, key
        before_bucket[bucket] = _HEAD
        if following is not None:
            before_bucket[places[following]] = key
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


def _spread(after: list[int | None], places: list[int]) -> dict[int, int]:
    """Regroup the list by the keys' buckets; the key before each bucket's first."""
    before: dict[int, int] = {}
    last, key = _HEAD, after[_HEAD]
    if key is None:
        return before
    here = places[key]
    before[here] = last
    last, key = key, after[key]
    while key is not None:
        bucket = places[key]
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
