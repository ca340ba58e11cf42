"""Which planes and box tops mirror, where on the screen, and what is seen in each. No GL.

The official renderer lets only the first reflecting geom mirror; here every visible one does, unless the quality is faithful.
"""
from dataclasses import dataclass, field

import numpy as np

from render.gpu import meshes
from render.gpu.instances import InstanceBatch
from render.scene import shapes

MARGIN = 2      # pixels around a mirror's rectangle, for the filter that reads its picture
ROUGH_MARGIN = 0.12     # heights of the picture around a rough one's (WIDEST in shaders/mirror_blur.glsl)


@dataclass(slots=True)
class Mirror:
    """One reflecting surface: index into the frame's columns, a point and the unit normal of its plane, the part of the picture it may cover
    (x, y, width, height) [pixel], its batch in the main rows, and what is seen in it: indices and batches."""
    index: int
    point: np.ndarray
    normal: np.ndarray
    reflectance: float
    rect: tuple
    viewproj: np.ndarray
    batch: InstanceBatch = None
    opaque: list = field(default_factory=list)
    clear: list = field(default_factory=list)
    seen: np.ndarray = None
    rough: float = 0.0          # how far the physical look blurs it


def visible(work, viewproj):
    """Instances whose bounding sphere meets the frustum of a matrix (n,); the far plane does not cull."""
    m = viewproj
    inside = np.ones(len(work.kind), bool)
    for plane in (m[3] + m[0], m[3] - m[0], m[3] + m[1], m[3] - m[1], m[3] + m[2]):
        length = max(np.linalg.norm(plane[:3]), 1e-12)
        inside &= work.center @ plane[:3] + plane[3] >= -work.radius * length
    return inside


def find_mirrors(work, optics, size, quality):
    """Mirrors that face the eye, the largest on the screen first; at most quality.mirrors."""
    shape = np.isin(work.kind, (meshes.PLANE, meshes.GRID, meshes.BOX))
    found = np.flatnonzero(shape & ~work.clear & (work.reflectance > 0))
    if quality.faithful:
        found = found[:1]
    mirrors = [_mirror(work, int(i), optics, size) for i in found[work.seen[found]]]
    mirrors = [mirror for mirror in mirrors if mirror is not None]
    return sorted(mirrors, key=lambda mirror: -mirror.rect[2] * mirror.rect[3])[:quality.mirrors]


def _mirror(work, i, optics, size):
    """The mirror of one instance, None if its face is not seen."""
    row = work.rows[i].astype(float)
    frame, half = row[3:12].reshape(3, 3), row[12:15]
    normal, point = frame[:, 2], row[:3]
    if work.kind[i] == meshes.BOX:
        point = point + half[2] * normal
    facing = -optics.forward if optics.orthographic else optics.eye - point
    if facing @ normal <= 0:
        return None
    corners = point + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half[:2] @ frame[:, :2].T
    rough = float(work.rough[i])
    rect = _rectangle(corners, optics.viewproj, size, MARGIN + (rough > 0) * ROUGH_MARGIN * size[1])
    if rect is None:
        return None
    return Mirror(i, point, normal, float(work.reflectance[i]), rect, _narrowed(optics.mirrored(point, normal).viewproj, rect, size), rough=rough)


def _rectangle(corners, viewproj, size, margin):
    """Pixels (x, y, width, height) around world points; the whole picture if some lie behind the eye, None if nothing is inside."""
    clip = np.c_[corners, np.ones(len(corners))] @ viewproj.T
    if (clip[:, 3] <= 1e-9).any():
        return 0, 0, *size
    at = (clip[:, :2] / clip[:, 3:] + 1) / 2 * size
    low = np.clip(np.floor(at.min(0) - margin), 0, size).astype(int)
    high = np.clip(np.ceil(at.max(0) + margin), 0, size).astype(int)
    return None if (high <= low).any() else (int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1]))


def _narrowed(viewproj, rect, size):
    """A matrix that sees only a rectangle of the picture: for culling."""
    low, side = 2 * np.array(rect[:2]) / size - 1, 2 * np.array(rect[2:]) / size
    crop = np.eye(4)
    crop[0, 0], crop[1, 1] = 2 / side
    crop[:2, 3] = -1 - low * crop[[0, 1], [0, 1]]
    return crop @ viewproj


def fill_mirror(mirror, plan, twice=False):
    """Put what is seen in a mirror into the plan's rows; returns the mirror. twice: its transparent things are laid over in both orders."""
    work = plan.work
    before = (work.center - mirror.point) @ mirror.normal > -work.radius
    seen = visible(work, mirror.viewproj) & before
    seen[mirror.index] = False
    seen &= work.flags & shapes.UNNAMED == 0
    mirror.seen = np.flatnonzero(seen)
    opaque, clear = np.flatnonzero(seen & ~work.clear), np.flatnonzero(seen & work.clear)
    level = work.coarse + work.corners
    opaque = opaque[np.lexsort((level[opaque], work.kind[opaque], work.texid[opaque]))]
    clear = clear[np.argsort(-work.far[clear], kind='stable')]
    mirror.opaque = plan.put(opaque, work.kind, level, work.texid)
    clear = np.r_[clear[::-1], clear] if twice else clear
    mirror.clear = plan.put(clear, work.kind, level, work.texid)
    return mirror
