"""Box with half sizes 1, every face with its own texture square."""
import numpy as np

# per face: normal, direction of u, direction against v; opposite faces show the same picture, so that one of two is seen mirrored
_FACES = (((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
          ((-1, 0, 0), (0, 1, 0), (0, 0, 1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)), ((0, 1, 0), (1, 0, 0), (0, 0, 1)))


def box():
    """24 vertices, 12 triangles."""
    vertices, triangles = [], []
    for normal, du, dv in np.array(_FACES, float):
        first = len(vertices)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            vertices.append((*(normal + a * du + b * dv), *normal, (a + 1) / 2, (1 - b) / 2, 0))
        one, two = (1, 2) if np.cross(du, dv) @ normal > 0 else (2, 1)
        triangles += [(first, first + one, first + two), (first, first + 1 + one, first + 1 + two)]
    return np.array(vertices, np.float32), np.array(triangles, np.int32)
