"""What each light's shadow maps see. No GL.

The official renderer gives a directional light a square of visual/map shadowclip extents about its position and a spot light its cone times
shadowscale (`official_maps`). Here a map holds only where shadows can fall that are seen (`fitted_maps`): the casters' bounds, met with the
part of the view in which there is something. A directional light that would still have texels far larger than pixels gets several maps, each
for a part of the view's depth. Sizes and places are rounded so that edges of shadows stand still while the camera moves.
"""
from dataclasses import dataclass

import numpy as np

from render.gpu.lights import DIRECTIONAL, POINT
from render.gpu.uniforms import Optics
from render.scene.camera import View, cross, projection_matrix, unit, view_matrix

SPOT_LIMIT = 160.0      # widest field of a spot's map [degree]
STEPS_PER_OCTAVE = 8    # of a map's size
COARSE = 2.0            # texels this many times larger than a pixel call for a further map
CASCADE_RATIO = 4.0
NEAREST_PART = 1 / 64   # of the depth that is seen, where the finest map starts to be divided
FACE_LIMIT = 46.0       # half a face of a point light's six, with a rim for the filter [degree]
FACES = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))


@dataclass(slots=True)
class Bounds:
    """Spheres: center (n, 3), radius (n,)."""
    center: np.ndarray
    radius: np.ndarray


@dataclass(slots=True)
class ShadowTexels:
    """How fine maps are: side [texel], rim about the casters for filters and penumbras [texel], how many a directional light may have."""
    side: int
    rim: int = 4
    cascades: int = 1


@dataclass(slots=True)
class Sight:
    """What the camera sees: near and far are depths of the finite things in view [m], pixel a pixel's size at depth 1 (at any, if orthographic)."""
    view: View
    aspect: float
    near: float
    far: float
    pixel: float

    def slice(self, near: float, far: float) -> np.ndarray:
        """Corners (8, 3) of the frustum between two depths."""
        view = self.view
        left, right, bottom, top = view.edges(self.aspect)
        axes = view_matrix(view)[:3, :3]
        out = []
        for depth in (near, far):
            scale = 1.0 if view.orthographic else depth / view.near
            out += [np.array((x * scale, y * scale, -depth)) @ axes + np.asarray(view.pos) for x in (left, right) for y in (bottom, top)]
        return np.array(out)


def across(direction):
    """A unit vector perpendicular to a light's direction, its map's upward."""
    for other in ((-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        up = cross(direction, other)
        if sum(x * x for x in up) > 0.01:
            break
    return np.array(unit(up))


def sight_of(view, size, work, optics):
    """The Sight of a frame; of infinite planes only what finite things can throw shadows on."""
    aspect = size[0] / size[1]
    pixel = (view.top - view.bottom) / size[1] / (1 if view.orthographic else view.near)
    finite = work.seen & ~work.infinite & (work.radius < 1e8)
    depth = (work.center - optics.eye) @ optics.forward
    if not finite.any():
        return Sight(view, aspect, view.near, view.far, pixel)
    near, far = (depth - work.radius)[finite].min(), (depth + work.radius)[finite].max()
    near = np.clip(near, view.near, view.far)
    return Sight(view, aspect, float(near), float(np.clip(far, near * 1.001, view.far)), pixel)


@dataclass(slots=True)
class ShadowMap:
    """One shadow map before it has a place: matrices, width and height per unit of distance, nearest and farthest distance from the light, and
    which casters fall into it (None: all)."""
    optics: Optics
    sides: tuple
    ends: tuple
    casters: np.ndarray | None = None


def _optics(view):
    return Optics(projection_matrix(view, 1.0) @ view_matrix(view), np.asarray(view.pos), np.asarray(view.forward), view.orthographic, view.far)


def official_maps(light, look, near: float, far: float):
    """The one map of a light as the official renderer sees it."""
    spot = light.kind != DIRECTIONAL
    half = max(look.shadowclip * look.extent, 1e-6)
    if spot:
        half = near * np.tan(np.radians(np.clip(2 * light.cutoff * look.shadowscale, 0.1, SPOT_LIMIT)) / 2)
    view = View(tuple(light.pos), tuple(light.dir), tuple(across(light.dir)), half, -half, near, far, orthographic=not spot)
    width = 2 * half / (near if spot else 1)
    return [ShadowMap(_optics(view), (width, width), (near, far))]


def fitted_maps(light, casters: Bounds, sight: Sight, texels: ShadowTexels):
    """The maps of a light, the finest first; none if nothing that is seen can be in its shadow."""
    if light.kind == DIRECTIONAL:
        return _parallel(light, casters, sight, texels)
    if light.kind == POINT:
        made = (_perspective(light.pos, np.array(face, float), FACE_LIMIT, casters, sight.view, texels) for face in FACES)
    else:
        made = (_perspective(light.pos, light.dir, min(light.cutoff, SPOT_LIMIT / 2), casters, sight.view, texels),)
    return [one for one in made if one is not None]


def _parallel(light, casters, sight, texels):
    """Maps of a directional light: it shines from the plane through its position."""
    up = across(light.dir)
    axes = np.array([cross(light.dir, up), up, light.dir])
    center, radius = (casters.center - light.pos) @ axes.T, casters.radius
    lit = np.flatnonzero(center[:, 2] + radius > sight.view.near)
    if not len(lit):
        return []
    low, high = (center[lit] - radius[lit, None]).min(0), (center[lit] + radius[lit, None]).max(0)
    whole = _meeting(light, axes, sight, sight.view.near, sight.view.far, low, high)
    if whole is None:
        return []
    nearest = max(sight.near, sight.far * NEAREST_PART)
    pixel = sight.pixel * (1 if sight.view.orthographic else nearest)
    excess = (whole[1] - whole[0]).max() / texels.side / (COARSE * pixel)
    count = int(np.clip(1 + np.round(np.log(max(excess, 1)) / np.log(CASCADE_RATIO)), 1, texels.cascades))
    ends = [sight.view.near, *nearest * (sight.far / nearest) ** (np.arange(1, count) / count), sight.view.far]
    out = []
    for near, far in zip(ends[:-1], ends[1:]):
        part = _meeting(light, axes, sight, near, far, low, high) if count > 1 else whole
        if part is not None:
            out.append(_parallel_map(light, up, center, radius, *_rounded(*part, texels), sight.view.near, 2 * sight.view.far))
    return out


def _meeting(light, axes, sight, near, far, low, high):
    """(lower (2,), upper (2,)) in the light's plane of what both the casters' bounds and a part of the view cover, None if nothing."""
    corners = (sight.slice(near, far) - light.pos) @ axes[:2].T
    low, high = np.maximum(low[:2], corners.min(0)), np.minimum(high[:2], corners.max(0))
    return (low, high) if (high > low).all() else None


def _rounded(low, high, texels):
    """The bounds with the rim about them, of a size and at a place that seldom change."""
    wanted = (high - low) * texels.side / max(texels.side - 2 * texels.rim, 1)
    extent = 2 ** (np.ceil(STEPS_PER_OCTAVE * np.log2(np.maximum(wanted, 1e-6))) / STEPS_PER_OCTAVE)
    texel = extent / texels.side
    low = np.floor(((low + high - extent) / 2) / texel) * texel
    return low, low + extent


def _parallel_map(light, up, center, radius, low, high, near, reaches):
    """The map over (low, high) in the light's plane, from its first caster at most `reaches` deep."""
    inside = ((center[:, :2] + radius[:, None] > low) & (center[:, :2] - radius[:, None] < high)).all(1) & (center[:, 2] + radius > near)
    chosen = np.flatnonzero(inside)
    depth, reach = center[chosen, 2], radius[chosen]
    near = max(near, (depth - reach).min(initial=1e9))
    far = np.clip((depth + reach).max(initial=0), near * (1 + 1e-6) + 1e-6, near + reaches)
    view = View(tuple(light.pos), tuple(light.dir), tuple(up), high[1], low[1], near, far, (low[0] + high[0]) / 2, (high[0] - low[0]) / 2, True)
    return ShadowMap(_optics(view), tuple(high - low), (near, far), None if len(chosen) == len(radius) else chosen)


def _perspective(pos, direction, limit, casters, view, texels):
    """The map of a spot light, or of one face of a point light: as much of its field as the casters cover. limit: half the field [degree]."""
    up, nearest, farthest = across(direction), view.near, view.far
    center, radius = (casters.center - pos) @ np.array([cross(direction, up), up, direction]).T, casters.radius
    chosen = np.flatnonzero(center[:, 2] + radius > nearest)
    bounds = []
    for k in range(2):
        low, high = _field(center[chosen, k], center[chosen, 2], radius[chosen], np.radians(limit))
        keep = high > low
        bounds.append((low, high))
        chosen, bounds = chosen[keep], [(a[keep], b[keep]) for a, b in bounds]
    if not len(chosen):
        return None
    low, high = np.array([a.min() for a, _ in bounds]), np.array([b.max() for _, b in bounds])
    low, high = _rounded(low, high, texels)
    depth, reach = center[chosen, 2], radius[chosen]
    near = max(nearest, (depth - reach).min())
    far = np.clip((depth + reach).max(), near * (1 + 1e-6), near + 2 * farthest)
    shape = View(tuple(pos), tuple(direction), tuple(up), near * high[1], near * low[1], near, far, near * (low[0] + high[0]) / 2,
                 near * (high[0] - low[0]) / 2)
    return ShadowMap(_optics(shape), tuple(high - low), (near, far), None if len(chosen) == len(radius) else chosen)


def _field(x, z, radius, limit):
    """Tangents (lower (n,), upper (n,)) between which spheres at (x, z) are seen from the origin, cut to +-limit [rad]; empty where upper <= lower."""
    distance = np.hypot(x, z)
    around = distance <= radius
    half = np.arcsin(np.minimum(radius / np.maximum(distance, 1e-12), 1))
    angle = np.arctan2(x, z)
    low = np.where(around, -limit, np.clip(angle - half, -limit, limit))
    high = np.where(around, limit, np.clip(angle + half, -limit, limit))
    return np.tan(low), np.tan(high)
