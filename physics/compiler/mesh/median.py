"""Finding a median when comparisons contradict one another.

Where an order is sound, any way of halving a list gives the same two halves. Centres of triangles without area are no numbers, and chains of
centres that are level in pairs are not level end to end: then the halves depend on the steps taken. These are those of quickselect (Hoare
1961) with a median of three, as the C++ library that the official compiler is built with takes them.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

SMALL = 7  # lists up to this length are sorted by selection

Less = Callable[[int, int], bool]


def order_by(keys: Sequence[float], eps: float) -> Less:
    """Whether one element comes before another: by key, by number where the keys are within eps or one is not a number."""

    def less(a: int, b: int) -> bool:
        x, y = keys[a], keys[b]
        return x < y if abs(x - y) > eps else a < b

    return less


def halve(items: list[int], middle: int, less: Less) -> None:
    """Move the first `middle` elements by `less` to the front, in place."""
    first, last = 0, len(items)
    while last - first > SMALL:
        span = _partition(items, first, middle, last, less)
        if span is None:
            return
        first, last = span
    _sort_small(items, first, last, less)


def _sort_small(items: list[int], first: int, last: int, less: Less) -> None:
    if last - first == 3:
        _sort_three(items, first, first + 1, first + 2, less)
        return
    for k in range(first, last - 1):
        least = k
        for other in range(k + 1, last):
            if less(items[other], items[least]):
                least = other
        items[k], items[least] = items[least], items[k]


def _sort_three(items: list[int], a: int, b: int, c: int, less: Less) -> int:
    """Sort three places; the number of swaps."""

    def swap(p: int, q: int) -> int:
        items[p], items[q] = items[q], items[p]
        return 1

    if less(items[b], items[a]):
        if less(items[c], items[b]):
            return swap(a, c)
        swap(a, b)
        return 1 + (less(items[c], items[b]) and swap(b, c))
    if not less(items[c], items[b]):
        return 0
    swap(b, c)
    return 1 + (less(items[b], items[a]) and swap(a, b))


def _partition(items: list[int], first: int, nth: int, last: int, less: Less) -> tuple[int, int] | None:
    """Split [first, last) about its median of three; the part that holds nth, None when that place is settled."""
    pivot = first + (last - first) // 2
    swaps = _sort_three(items, first, pivot, last - 1, less)
    low, high = first, last - 1
    if not less(items[low], items[pivot]):
        high = _guard(items, low, high, pivot, less)
        if high == low:
            return _split_equal(items, first, nth, last, less)
        items[low], items[high] = items[high], items[low]
        swaps += 1
    low, pivot, more = _cross(items, low + 1, high, pivot, last, less)
    swaps += more
    if low != pivot and less(items[pivot], items[low]):
        items[low], items[pivot] = items[pivot], items[low]
        swaps += 1
    if nth == low:
        return None
    span = (first, low) if nth < low else (low, last)
    if not swaps and not any(less(items[k], items[k - 1]) for k in range(span[0] + 1, span[1])):
        return None   # it was in order all along
    return span if nth < low else (low + 1, last)


def _guard(items: list[int], low: int, high: int, pivot: int, less: Less) -> int:
    """The last place before `high` with an element below the pivot; `low` when there is none."""
    high -= 1
    while high != low and not less(items[high], items[pivot]):
        high -= 1
    return high


def _cross(items: list[int], low: int, high: int, pivot: int, last: int, less: Less) -> tuple[int, int, int]:
    """Swap elements on the wrong sides until the two searches have passed each other: (where, place of the pivot, swaps)."""
    swaps = 0
    while low < high or swaps:
        while low < last - 1 and less(items[low], items[pivot]):
            low += 1
        high -= 1
        while high > 0 and not less(items[high], items[pivot]):
            high -= 1
        if low >= high:
            break
        items[low], items[high] = items[high], items[low]
        swaps += 1
        pivot = high if pivot == low else pivot
        low += 1
    return low, pivot, swaps


def _split_equal(items: list[int], first: int, nth: int, last: int, less: Less) -> tuple[int, int] | None:
    """Split where nothing is below the first element: what equals it comes first."""
    low, high, head = first + 1, last - 1, items[first]
    if not less(head, items[high]):
        while low != high and not less(head, items[low]):
            low += 1
        if low == high:
            return None
        items[low], items[high] = items[high], items[low]
        low += 1
    if low == high:
        return None
    while True:
        while low < last - 1 and not less(head, items[low]):
            low += 1
        high -= 1
        while high > 0 and less(head, items[high]):
            high -= 1
        if low >= high:
            break
        items[low], items[high] = items[high], items[low]
        low += 1
    return None if nth < low else (low, last)


class Steps:
    """The halvings of trees, to be repeated step by step where the order is in doubt.

    The steps depend on the order on arrival, which the halvings before have left: they are repeated from the root on. begin: first element
    of a root; parent: -1 for a root.
    """

    def __init__(self, centres: np.ndarray, eps: float, nodes: int):
        self._centres, self._eps = centres, eps
        self.begin, self.parent = np.zeros(nodes, np.int64), np.full(nodes, -1)
        self.axis, self.size = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self._orders: list[Less] = []
        self._done: dict[int, list[int]] = {}

    def note(self, node: np.ndarray, axis: np.ndarray, size: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Remember along which axis nodes are split, and into which."""
        self.axis[node], self.size[node] = axis, size
        self.parent[left] = self.parent[right] = node

    def halved(self, node: int) -> list[int]:
        """The elements of a node, its lower half first."""
        if node not in self._done:
            if not self._orders:
                self._orders = [order_by(column.tolist(), self._eps) for column in self._centres.T]
            parent, size = int(self.parent[node]), int(self.size[node])
            if parent < 0:
                items = list(range(self.begin[node], self.begin[node] + size))
            else:
                above, cut = self.halved(parent), int(self.size[parent]) // 2
                items = above[:cut] if node == parent + 1 else above[cut:]
            halve(items, size // 2, self._orders[self.axis[node]])
            self._done[node] = items
        return self._done[node]
