"""Finding a median when comparisons contradict one another.

Where an order is sound, any way of halving a list gives the same two halves. Centres of triangles without area are no numbers, and chains of
centres that are level in pairs are not level end to end: then the halves depend on the steps taken. These are those of std::nth_element (see
"official order" in the docstring of physics/compiler/mesh), taken by physics/compiler/native/median.py, which runs as plain Python here.
"""
from __future__ import annotations

import numpy as np

from physics.compiler.native.median import halve


class Steps:
    """The halvings of trees, to be repeated step by step where the order is in doubt.

    The steps depend on the order on arrival, which the halvings before have left: they are repeated from the root on. begin: first element
    of a root; parent: -1 for a root.
    """

    def __init__(self, centres: np.ndarray, nodes: int):
        self._centres = centres
        self.begin, self.parent = np.zeros(nodes, np.int64), np.full(nodes, -1)
        self.axis, self.size = np.zeros(nodes, np.int64), np.zeros(nodes, np.int64)
        self._keys: list[list[float]] = []
        self._pairs = np.zeros((len(centres), 2), np.int64)   # room for the kernel
        self._done: dict[int, list[int]] = {}

    def note(self, node: np.ndarray, axis: np.ndarray, size: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Remember along which axis nodes are split, and into which."""
        self.axis[node], self.size[node] = axis, size
        self.parent[left] = self.parent[right] = node

    def halved(self, node: int) -> list[int]:
        """The elements of a node, its lower half first."""
        if node not in self._done:
            self._keys = self._keys or self._centres.T.tolist()
            parent, size = int(self.parent[node]), int(self.size[node])
            if parent < 0:
                items = list(range(self.begin[node], self.begin[node] + size))
            else:
                above, cut = self.halved(parent), int(self.size[parent]) // 2
                items = above[:cut] if node == parent + 1 else above[cut:]
            keys = self._keys[self.axis[node]]
            halve([keys[i] for i in items], items, self._pairs, 0, size // 2, size)
            self._done[node] = items
        return self._done[node]
