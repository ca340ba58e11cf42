"""Box with half sizes 1, every face with its own texture square."""
import numpy as np

# per face: normal, direction of u, direction of -v
_FACES = (((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0), (0, -1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
          ((-1, 0, 0), (0, 1, 0), (0, 0, -1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((0, 1, 0), (1, 0, 0), (0, 0, -1)))


def box():
    """24 vertices, 12 triangles."""
    vertices, triangles = [], []
    for normal, du, dv in np.array(_FACES, float):
        first = len(vertices)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            vertices.append((*(normal + a * du + b * dv), *normal, (a + 1) / 2, (1 - b) / 2, 0))
        triangles += [(first, first + 1, first + 2), (first, first + 2, first + 3)]
    return np.array(vertices, np.float32), np.array(triangles, np.int32)
