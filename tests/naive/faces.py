"""The overlap of two flat faces, found by trying all corners and all crossings of edges."""
from __future__ import annotations

import numpy as np


def sides(polygon: np.ndarray, n: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """A point of every side and the unit vector inwards, across n."""
    middle = polygon.mean(0)
    found = []
    for a, b in zip(polygon, np.roll(polygon, -1, 0)):
        u = np.cross(b - a, n)
        u /= np.linalg.norm(u)
        found.append((a, u if u @ (middle - a) > 0 else -u))
    return found


def over(p: np.ndarray, polygon: np.ndarray, n: np.ndarray, room: float = 1e-9) -> bool:
    """Whether p is within a polygon, looking along n."""
    return all((p - a) @ u > -room for a, u in sides(polygon, n))


def overlap(reference: np.ndarray, other: np.ndarray, n: np.ndarray, flat: np.ndarray) -> np.ndarray:
    """Corners, in the plane of `other` whose normal is `flat`, of what is over both polygons, looking along n."""
    def raised(p):
        return p + n * ((other[0] - p) @ flat) / (n @ flat)

    found = [p for p in other if over(p, reference, n)] + [raised(p) for p in reference if over(p, other, n)]
    for a, u in sides(reference, n):
        for p, q in zip(other, np.roll(other, -1, 0)):
            g, h = (p - a) @ u, (q - a) @ u
            if g * h < 0:
                x = p + (q - p) * g / (g - h)
                if over(x, reference, n):
                    found.append(x)
    kept = []
    for p in found:
        if all(np.linalg.norm(p - q) > 1e-9 for q in kept):
            kept.append(p)
    return np.array(kept).reshape(-1, 3)


def patch(reference, other, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """(rows of distance, position, normal; those points on the other face) of two faces, each (normal, corners); all corners of the overlap."""
    (n, first), (m, second) = reference, other
    rows, kept = [], []
    for p in overlap(first, second, n, m):
        height = (p - first[0]) @ n
        if height <= reach:
            foot = p - n * height
            dist = (p - foot) @ -m
            rows.append([dist, *(foot - m * dist / 2), *-m])
            kept.append(p)
    return np.array(rows).reshape(-1, 7), np.array(kept).reshape(-1, 3)
