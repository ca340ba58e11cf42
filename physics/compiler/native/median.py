"""Halving a list by quickselect (Hoare 1961) with a median of three, step for step as libc++'s std::nth_element does it, on keys and numbers side by side.

See "official order" in the docstring of physics/compiler/mesh; mesh/median.py runs the same as plain Python.

What is moved about a pivot depends only on which elements come before it: these are counted first, then the k-th one on the wrong side from the
left changes places with the k-th from the right, without a branch that hangs on the data. That is what two searches towards each other do.
Source: Edelkamp and Weiss, "BlockQuicksort: avoiding branch mispredictions in quicksort" (2016).
"""
from __future__ import annotations

from physics.kernels.decorators import EXACT, helper
from physics.kernels.simd import stack

SMALL = 7    # lists up to this length are sorted by selection
EPS = 1e-14  # keys nearer together count as level [m]


@helper(fastmath=EXACT)
def before(x, i, y, j):
    """Whether element i with key x comes before element j with key y: by number where the keys are level or one is not a number."""
    away = x - y
    return (away < -EPS) | ((not away > EPS) & (i < j))


@helper(fastmath=EXACT)
def _less(keys, items, i, j):
    """Whether the element at place i comes before that at place j."""
    return before(keys[i], items[i], keys[j], items[j])


@helper(fastmath=EXACT)
def _swap(keys, items, i, j):
    """Let two places change what they hold."""
    key, item = keys[i], items[i]
    keys[i], items[i] = keys[j], items[j]
    keys[j], items[j] = key, item


@helper(fastmath=EXACT)
def _sort_three(keys, items, a, b, c):
    """Sort three places; whether anything moved."""
    if _less(keys, items, b, a):
        if _less(keys, items, c, b):
            _swap(keys, items, a, c)
            return True
        _swap(keys, items, a, b)
        if _less(keys, items, c, b):
            _swap(keys, items, b, c)
        return True
    if not _less(keys, items, c, b):
        return False
    _swap(keys, items, b, c)
    if _less(keys, items, b, a):
        _swap(keys, items, a, b)
    return True


@helper(fastmath=EXACT)
def _sort_by_rank(keys, items, first, last):
    """Put each of a few elements where the number of those before it says, all at once; False where the order contradicts itself."""
    room, seen, count = stack(14), 0, last - first
    for k in range(first, last):
        x, i, rank = keys[k], items[k], 0
        for other in range(first, last):
            rank += before(keys[other], items[other], x, i)
        room[rank] = x
        room[SMALL + rank] = i
        seen |= 1 << rank
    if seen != (1 << count) - 1:
        return False
    for k in range(count):
        keys[first + k] = room[k]
        items[first + k] = int(room[SMALL + k])
    return True


@helper(fastmath=EXACT)
def _sort_small(keys, items, first, last):
    """Sort a few places. Where the order contradicts itself: three in their own way, others by selection."""
    if last - first < 2:
        return
    if last - first == 2:
        x, i, y, j = keys[first], items[first], keys[first + 1], items[first + 1]
        less = before(y, j, x, i)
        keys[first] = y if less else x
        keys[first + 1] = x if less else y
        items[first] = j if less else i
        items[first + 1] = i if less else j
        return
    if _sort_by_rank(keys, items, first, last):
        return
    if last - first == 3:
        _sort_three(keys, items, first, first + 1, first + 2)
        return
    for k in range(first, last - 1):
        least = k
        for other in range(k + 1, last):
            if _less(keys, items, other, least):
                least = other
        _swap(keys, items, k, least)


@helper(fastmath=EXACT)
def _gather(keys, items, wrong, low, high, pivot):
    """Move what comes before the element at the pivot's place to the front of [low, high).

    Gives the place of the first that does not come before, that of the pivot, and how many swaps it took.
    """
    x, i, yes, no = keys[pivot], items[pivot], 0, 0
    for k in range(low, high):
        wrong[no, 0] = k
        wrong[yes, 1] = k
        less = before(keys[k], items[k], x, i)
        yes += less
        no += not less
    middle, swaps = low + yes, 0
    while swaps < no and wrong[swaps, 0] < middle:
        here, there = wrong[swaps, 0], wrong[yes - 1 - swaps, 1]
        _swap(keys, items, here, there)
        pivot = there if here == pivot else pivot
        swaps += 1
    return middle, pivot, swaps


@helper(fastmath=EXACT)
def _sorted(keys, items, first, last):
    """Whether none in [first, last) comes before the one on its left."""
    for k in range(first + 1, last):
        if _less(keys, items, k, k - 1):
            return False
    return True


@helper(fastmath=EXACT)
def _split_equal(keys, items, first, nth, last):
    """Split where nothing is below the first element: what equals it comes first. The part that holds nth, empty when that place is settled."""
    low, high, key, item = first + 1, last - 1, keys[first], items[first]
    if not before(key, item, keys[high], items[high]):
        while low != high and not before(key, item, keys[low], items[low]):
            low += 1
        if low == high:
            return last, last
        _swap(keys, items, low, high)
        low += 1
    if low == high:
        return last, last
    while True:
        while low < last - 1 and not before(key, item, keys[low], items[low]):
            low += 1
        high -= 1
        while high > 0 and before(key, item, keys[high], items[high]):
            high -= 1
        if low >= high:
            break
        _swap(keys, items, low, high)
        low += 1
    if nth < low:
        return last, last
    return low, last


@helper(fastmath=EXACT)
def _partition(keys, items, wrong, first, nth, last):
    """Split [first, last) about its median of three; the part that holds nth, empty when that place is settled."""
    middle = first + (last - first) // 2
    moved = _sort_three(keys, items, first, middle, last - 1)
    x, i, high = keys[middle], items[middle], last - 1
    if not _less(keys, items, first, middle):
        high -= 1
        while high != first and not before(keys[high], items[high], x, i):
            high -= 1
        if high == first:
            return _split_equal(keys, items, first, nth, last)
        _swap(keys, items, first, high)
        moved = True
    low, middle, swaps = _gather(keys, items, wrong, first + 1, high, middle)
    moved |= swaps > 0
    if low != middle and before(x, i, keys[low], items[low]):
        _swap(keys, items, low, middle)
        moved = True
    if nth == low:
        return last, last
    start, end = (first, low) if nth < low else (low, last)
    if not moved and _sorted(keys, items, start, end):
        return last, last   # it was in order all along
    return start if nth < low else low + 1, end


@helper(fastmath=EXACT)
def halve(keys, items, wrong, first, middle, last):
    """Move those of [first, last) that come before the rest to the places before `middle`. wrong: room for as many pairs of places."""
    while last - first > SMALL:
        first, last = _partition(keys, items, wrong, first, middle, last)
    _sort_small(keys, items, first, last)
