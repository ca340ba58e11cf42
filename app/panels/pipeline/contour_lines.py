"""Lines of equal height on a grid, by marching triangles: each cell is two triangles, and a line crosses a triangle once or not at all."""
from __future__ import annotations

import numpy as np


def contour_lines(height: np.ndarray, level: float) -> np.ndarray:
    """Pieces (n, 2, 2) of the line: two ends with (column, row) each, in places of the grid."""
    rows, columns = height.shape
    row, column = (part.ravel() for part in np.mgrid[0:rows - 1, 0:columns - 1])
    corners = [np.stack([column + dx, row + dy], axis=-1) for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1))]
    triangles = np.concatenate([np.stack([corners[k] for k in which], axis=1) for which in ((0, 1, 2), (3, 2, 1))])     # (n, 3, 2)
    value = height[triangles[..., 1], triangles[..., 0]]
    below = value < level
    crossed = (below.sum(axis=1) % 3) != 0
    triangles, value, below = triangles[crossed].astype(float), value[crossed], below[crossed]
    alone = np.where(below.sum(axis=1) == 1, np.argmax(below, axis=1), np.argmin(below, axis=1))    # the corner on its own side of the line
    every = np.arange(len(triangles))
    ends = []
    for turn in (1, 2):
        other = (alone + turn) % 3
        share = (level - value[every, alone]) / (value[every, other] - value[every, alone])
        ends.append(triangles[every, alone] + share[:, None] * (triangles[every, other] - triangles[every, alone]))
    return np.stack(ends, axis=1) if len(every) else np.zeros((0, 2, 2))
