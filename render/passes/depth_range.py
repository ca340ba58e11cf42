"""The near plane drawn with: as far out as nothing in view comes nearer.

A depth buffer of 24 bits tells depths z apart from z + z^2 / (near 2^24). With MJCF's znear (0.01 extents) surfaces that nearly
coincide, such as a robot's shell and the mesh it collides with, flicker through one another. Where nothing is nearer than some depth,
a near plane there changes no pixel and tells them apart that many times better.

Everything is bounded by its sphere, and boxes, planes and meshes also by the planes of their boxes that face the eye: what lies below a
floor's top comes no nearer than that plane does within the frustum.

Surfaces that coincide for good would show patches of either, wherever rounding falls. With `order_bias` the later one in the scene shows,
as for the most part in the official picture.
"""
from dataclasses import replace

import numpy as np

from render.gpu import instances as rows_of
from render.gpu import meshes
from render.scene import shapes
from render.scene.camera import cross

MARGIN = 0.95           # of the nearest depth
ENOUGH = 500            # times znear; what is farther needs no closer look
STEP = 3e-7             # share of their depth by which a surface may lie behind the one before it in the scene and still be shown in its place
SLACK = 3e-6            # the same for the last against the first
BACK = 2e-3             # share of their depth by which things may stand behind what is flagged BEHIND and still be shown in its place
OF_FAR = 0.02           # of the far plane, the most: sky and haze stand at 0.7 of it, and less straight ahead
_BOXED = (meshes.BOX, meshes.SPHERE, meshes.CYLINDER, meshes.PLANE, meshes.GRID)
_FLAT = (meshes.PLANE, meshes.GRID)
_MIX = np.sqrt(np.arange(2, 2 + rows_of.RGBA.start))      # no two placements of a scene give the same sum
BEFORE_ALL = 0.5        # no number of anything
UNLIKE = 1e9            # more than such a sum is


def order_bias(view, plan) -> float:
    """Depth in clip space by which each segment number may come nearer than the one before, at their usual depth."""
    work = plan.work
    if view.orthographic or work is None or not len(work.kind) or not work.seen.any():
        return 0.0
    eye, forward = np.asarray(view.pos, float), np.asarray(view.forward, float)
    depth = np.median((work.rows[work.seen, rows_of.POS] - eye) @ forward) / np.linalg.norm(forward)
    return 2 * _step(work) * view.near / max(depth, view.near)


def _step(work) -> float:
    """Share of their depth by which each segment number comes nearer than the one before."""
    return min(STEP, SLACK / max(float(work.rows[:, rows_of.SURFACE][:, 3].max()), 1.0))


def put_unnamed(work):
    """Give what is nothing of the model one place in the order: before all that is, however many there are, or so low that it is pushed back by BACK."""
    unnamed = work.flags & shapes.UNNAMED != 0
    if unnamed.any():
        number = work.rows[:, rows_of.SURFACE.start + 3]
        number[unnamed] = number[~unnamed].max(initial=0) + BEFORE_ALL
        behind = work.flags & shapes.BEHIND != 0
        number[behind] = -1
        number[behind] = -BACK / _step(work)


def put_ties(work):
    """Give instances that stand exactly where another one does that one's place in the order: no bias may part what has equal depths anyway, or
    rounding would show patches of either. Any two meshes may be alike. What is taken off their numbers goes where only capsules have a size
    (lib/instance.glsl)."""
    rows = work.rows
    key = rows[:, :rows_of.RGBA.start].astype(float) @ _MIX + np.minimum(work.kind, meshes.MODEL_MESH)
    behind = np.flatnonzero(work.flags & shapes.BEHIND)
    key[behind] += UNLIKE * np.arange(1, len(behind) + 1)      # these give way instead
    ordered = np.sort(key)
    if not (ordered[1:] == ordered[:-1]).any():
        return
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    twin = first[group]
    apart = np.where(work.kind == meshes.CAPSULE, 0, rows[:, rows_of.SURFACE][:, 3] - rows[twin, rows_of.SURFACE.start + 3])
    rows[:, rows_of.SCALE][:, 3] += apart


def tightened(view, aspect: float, plan, boxes):
    """The view with its near plane moved out; boxes (n, 6): centre and half sizes of the model's meshes. Orthographic views stay."""
    work = plan.work
    if view.orthographic or work is None:
        return view
    eye, forward = np.asarray(view.pos, float), np.asarray(view.forward, float)
    forward = forward / np.linalg.norm(forward)
    depth = _line_depth(plan.lines, eye, forward)
    seen = np.flatnonzero(work.seen) if len(work.kind) else np.zeros(0, int)
    if len(seen):
        nearest = (work.center[seen] - eye) @ forward - work.radius[seen]
        close = nearest < ENOUGH * view.near
        depth = min(depth, nearest[~close].min(initial=np.inf))
        if close.any():
            depth = min(depth, _boxes_depth(work, seen[close], eye, _corners(view, aspect, forward), boxes, nearest[close]))
    near = min(MARGIN * depth, OF_FAR * view.far)
    if not near > view.near:
        return view
    grow = near / view.near
    return replace(view, near=near, top=grow * view.top, bottom=grow * view.bottom, center=grow * view.center, halfwidth=grow * view.halfwidth)


def _line_depth(lines, eye, forward):
    """Depth of the nearest end of a segment that is in front of the eye at all."""
    if lines is None or not len(lines):
        return np.inf
    start, end = (lines[:, :3] - eye) @ forward, (lines[:, 3:6] - eye) @ forward
    return np.minimum(start, end)[np.maximum(start, end) > 0].min(initial=np.inf)


def _corners(view, aspect, forward):
    """Directions (4, 3) of the frustum's edges, at depth 1."""
    left, right, bottom, top = np.asarray(view.edges(aspect)) / view.near
    side = view.right()
    up = np.array(cross(side, forward))
    return np.array([forward + x * side + y * up for x in (left, right) for y in (bottom, top)])


def _boxes_depth(work, which, eye, corners, boxes, at_least):
    """Depth of the nearest of those instances; at_least (k,): what their spheres say."""
    kind, rows = work.kind[which], work.rows[which].astype(float)
    axes = rows[:, rows_of.ROT].reshape(-1, 3, 3)        # columns
    center, half = rows[:, rows_of.POS].copy(), rows[:, rows_of.SCALE][:, :3].copy()
    half[np.isin(kind, _FLAT), 2] = 0
    mesh = (kind >= meshes.MODEL_MESH) & (kind < meshes.SKIN)
    box = boxes[kind[mesh] - meshes.MODEL_MESH]
    center[mesh] += np.einsum('nij,nj->ni', axes[mesh], half[mesh] * box[:, :3])
    half[mesh] = np.abs(half[mesh]) * box[:, 3:]
    toward = np.einsum('nij,ni->nj', axes, eye - center)         # the eye in each box's frame
    above = np.abs(toward) - half                                # above the face on the eye's side, negative where within the slab
    fall = -np.einsum('nij,ci->njc', axes, corners) * np.sign(toward)[:, :, None]
    fastest = fall.max(2)
    with np.errstate(divide='ignore', invalid='ignore'):
        reached = np.where(above > 0, np.where(fastest > 0, above / fastest, np.inf), 0).max(1)
    known = mesh | np.isin(kind, _BOXED)
    return np.maximum(at_least, np.where(known, reached, 0)).min()
