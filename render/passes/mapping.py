"""How a texture lies on each instance: the numbers by which the surface program turns vertices into texture coordinates.

    flat image on a primitive, or on a mesh with coordinates of its own:  coordinates * (scale u, v) + (offset u, v)
    flat image on any other mesh:  laid along local z: (x / 2, -y / 2) * scale + offset, what meshes.py gives such vertices
    cube:  the point itself * (scale x, y, z), as a direction; primitives are measured in half sizes, planes and meshes in metres

Source: MuJoCo 4.0.0, material texrepeat and texuniform; the fixed pipeline's texture matrix and object planes of its classic renderer.
"""
import numpy as np

from render.gpu import meshes

FLAT, CUBE = 1, 2       # Textures.kinds
ENDLESS_CELLS = 198     # squares that an infinite plane has along each axis where no texture sets their size
ENDLESS_REACH = 1.05    # of the far plane, how far an infinite plane goes on either side


def plane_halves(pos, mat, size, infinite, repeat, optics):
    """Half sizes of planes (n, 2); infinite ones are moved under the eye by whole texture periods (pos is changed in place)."""
    half = size[:, :2].astype(float)
    for i in np.flatnonzero(infinite):
        for k in range(2):
            if size[i, k] > 0:
                continue
            axis = mat[i, k::3].astype(float)
            period = 4 / repeat[i, k] if repeat[i, k] > 0 else 4 * ENDLESS_REACH * optics.far / ENDLESS_CELLS
            steps = np.round(np.dot(optics.eye - pos[i], axis) / period)
            pos[i] += steps * period * axis
            half[i, k] = ENDLESS_REACH * optics.far + period
    return half


def grid_spacing(half, far):
    """Width of the 200 squares that make up an infinite plane of that half size."""
    return (half + ENDLESS_REACH * far) / (ENDLESS_CELLS + 2)


def texture_rows(texid, textures, kind, size, texsize, half, infinite, repeat, uniform):
    """Texture columns (n, 4): flat (scale u, v, offset u, v), cube (scale x, y, z, -).

    All arguments but textures are columns of the n instances. texsize (n, 3): what texuniform measures a mesh by; 0 is no measure.
    """
    out = np.zeros((len(kind), 4), np.float32)
    if not np.any(texid >= 0):
        return out
    how = np.array([*textures.kinds, 0])[texid]
    mesh = kind >= meshes.MODEL_MESH
    measure = np.where(mesh[:, None], texsize, size).astype(float)
    measure = np.where(measure > 0, measure, 1)
    grown = np.where(np.asarray(uniform, bool)[:, None], measure, 1)
    scale = np.where(repeat > 0, repeat, 1) * grown[:, :2]
    endless = infinite[:, None] & (size[:, :2] <= 0)
    out[:, :2] = np.where(endless, half * scale, scale)
    out[:, 2:] = np.where(endless, -0.5 * half * scale, 0) - 0.5 * infinite[:, None]
    planar = mesh & _without_coordinates(kind, textures)
    out[planar, :2], out[planar, 2:] = (repeat / measure[:, :2] * grown[:, :2])[planar], -0.5
    cube = how == CUBE
    out[cube, :3] = grown[cube]
    flat = cube & np.isin(kind, (meshes.PLANE, meshes.GRID))
    out[flat, :2] *= half[flat]
    out[cube, 3] = 0
    return out


def _without_coordinates(kind, textures):
    """Which instances show a mesh that has no texture coordinates."""
    table = np.array([*textures.planar, False])
    number = kind - meshes.MODEL_MESH
    return table[np.where((number >= 0) & (number < len(table) - 1), number, -1)]
