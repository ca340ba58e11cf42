"""Band of haze along the horizon: a truncated cone whose alpha rises and falls."""
import numpy as np


def haze(width: float, slices: int = 28):
    """(vertices (n, 4): x, y, z in units of (sky distance, sky distance, camera height), alpha; triangles).

    width: visual/map haze, the radial width as a part of the sky's distance. Three rings: on the ground (clear), in the
    middle as seen from the camera (opaque) and at eye height (clear).
    """
    width = max(float(width), 1e-4)
    alpha = np.arctan2(1, width)
    middle = np.sqrt(0.5) * width * np.sin(alpha) / np.sin(0.75 * np.pi - alpha)
    angle = 2 * np.pi * np.arange(slices + 1) / slices
    rings = [np.stack([np.cos(angle) * (1 - width * (1 - h)), np.sin(angle) * (1 - width * (1 - h)), np.full(slices + 1, h), np.full(slices + 1, a)], -1)
             for h, a in ((0, 0), (middle, 1), (1, 0))]
    i, j = np.meshgrid(np.arange(2), np.arange(slices), indexing='ij')
    a = (i * (slices + 1) + j).ravel()
    b = a + slices + 1
    return np.concatenate(rings).astype(np.float32), np.concatenate([np.stack([a, a + 1, b + 1], -1), np.stack([a, b + 1, b], -1)]).astype(np.int32)
