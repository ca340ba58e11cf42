"""How densely an image lies on a mesh."""
import numpy as np

ASKED = 4096        # triangles that speak for all


def texel_density(vertices, triangles) -> float:
    """Units of texture along a metre of a mesh (vertices as in geometry/__init__.py), on average over its area; 0 for a mesh without area."""
    triangles = triangles[::max(1, len(triangles) // ASKED)]
    a, b, c = (np.asarray(vertices)[triangles[:, k]].astype(float) for k in range(3))
    area = np.linalg.norm(np.cross(b[:, :3] - a[:, :3], c[:, :3] - a[:, :3]), axis=1).sum()
    (ux, uy), (vx, vy) = (b - a)[:, 6:8].T, (c - a)[:, 6:8].T
    return float(np.sqrt(np.abs(ux * vy - uy * vx).sum() / area)) if area > 0 else 0.0
