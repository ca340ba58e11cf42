"""What is grabbed in the view: arrows, squares, rings, knobs and points, 80 pixels from the pivot at any distance.

Handles are lines and dots in the world, made anew for each picture; whoever draws them projects the same points as `nearest` does.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from editor.tools.rays import GRAZING, pixel_length
from render.scene.camera import View, project

__all__ = ["ARROW", "DOT", "Handle", "KNOB", "LINE", "SQUARE", "move_handles", "nearest", "point_handle", "rotate_handles", "size_handles"]

HIGH = 80.0         # logical pixels from the pivot to the tip of an arrow
REACH = 6.0         # logical pixels between pointer and handle
SQUARES = (0.30, 0.52)      # of the height: near and far side of the squares
SHAFT = 0.14                # where arrows begin
END_ON = 0.985              # |axis . view| above which an arrow is a dot, and is left away
OUTER = 1.22                # radius of the ring about the view, as a share of the height
RING_POINTS = 65
ARROW, SQUARE, LINE, DOT, KNOB = "arrow", "square", "line", "dot", "knob"
NAMES = "xyz"
FIRST = MappingProxyType({DOT: 0, KNOB: 0, ARROW: 1, LINE: 1, SQUARE: 1})     # what lies on top


@dataclass(frozen=True, slots=True, eq=False)
class Handle:
    """what: ('move', axes) along or in the plane of axes of the gizmo, ('view',), ('turn', axis), ('turn view',), ('size', parameter, axis, sign), ('all sizes',), ('end', 0 or 1),
    ('range', 0 or 1), ('aim',), ('point', subject), () for what only shows something. shape: how it is drawn; points (n, 3) [m]; colour: 'x', 'y', 'z', 'view' or 'point';
    text: what it does."""

    what: tuple
    shape: str
    points: np.ndarray
    colour: str
    text: str = ""
    size: float = 6.0       # logical pixels: radius of a dot or knob


def scale_at(view: View, size: tuple[float, float], pivot) -> float:
    """Length [m] that is as high as gizmos are at a point."""
    return HIGH * pixel_length(view, size, pivot)


def _way(view: View, point) -> np.ndarray:
    """Unit vector from the camera to a point, along the view where it is orthographic."""
    if view.orthographic:
        return np.asarray(view.forward, float)
    way = np.asarray(point, float) - np.asarray(view.pos, float)
    return way / max(float(np.linalg.norm(way)), 1e-12)


def move_handles(frame: np.ndarray, view: View, size: tuple[float, float], axes: Sequence[int] = (0, 1, 2)) -> list[Handle]:
    """Arrows along the axes of a frame (4, 4), squares between them, and a dot in the middle that moves in the plane of the picture."""
    pivot, mat, s = frame[:3, 3], frame[:3, :3], scale_at(view, size, frame[:3, 3])
    way, out = _way(view, pivot), []
    for k in axes:
        if abs(float(mat[:, k] @ way)) < END_ON:
            out.append(Handle(("move", (k,)), ARROW, pivot + np.outer((SHAFT * s, s), mat[:, k]), NAMES[k], f"Move along {NAMES[k]}"))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        if i in axes and j in axes and abs(float(mat[:, k] @ way)) > 3 * GRAZING:
            near, far = (s * share for share in SQUARES)
            corners = ((near, near), (far, near), (far, far), (near, far))
            points = np.array([pivot + a * mat[:, i] + b * mat[:, j] for a, b in corners])
            out.append(Handle(("move", tuple(sorted((i, j)))), SQUARE, points, NAMES[k], f"Move in the plane of {NAMES[min(i, j)]} and {NAMES[max(i, j)]}"))
    out.append(Handle(("view",), DOT, pivot[None], "view", "Move in the plane of the picture", 7.0))
    return out


def rotate_handles(frame: np.ndarray, view: View, size: tuple[float, float], axes: Sequence[int] = (0, 1, 2), with_view: bool = True) -> list[Handle]:
    """Rings about the axes of a frame, of which the nearer half is there, and one about the direction of the view."""
    pivot, mat, s = frame[:3, 3], frame[:3, :3], scale_at(view, size, frame[:3, 3])
    way, out = _way(view, pivot), []
    for k in axes:
        u, v = mat[:, (k + 1) % 3], mat[:, (k + 2) % 3]
        out.append(Handle(("turn", k), LINE, pivot + s * _near_half(u, v, way), NAMES[k], f"Turn about {NAMES[k]}"))
    if with_view:
        up = np.asarray(view.up, float)
        right = np.cross(way, up)
        right /= max(float(np.linalg.norm(right)), 1e-12)
        turn = np.linspace(0, 2 * math.pi, RING_POINTS)[:, None]
        ring = np.cos(turn) * right + np.sin(turn) * np.cross(right, way)
        out.append(Handle(("turn view",), LINE, pivot + OUTER * s * ring, "view", "Turn about the direction of the view"))
    return out


def _near_half(u: np.ndarray, v: np.ndarray, way: np.ndarray) -> np.ndarray:
    """(n, 3) the half of a unit circle in the plane of u and v that faces the camera; all of it where that sees it from above."""
    normal = np.cross(u, v)
    if abs(float(normal @ way)) > END_ON:
        start, span = 0.0, 2 * math.pi
    else:
        start, span = math.atan2(-float(v @ way), -float(u @ way)) - math.pi / 2, math.pi
    turn = np.linspace(start, start + span, RING_POINTS)[:, None]
    return np.cos(turn) * u + np.sin(turn) * v


def size_handles(frame: np.ndarray, view: View, size: tuple[float, float], knobs: Sequence[tuple[int, int, int, float, str]]) -> list[Handle]:
    """Knobs for the sizes of a shape, and a dot for all of them where they are several. knobs: (parameter, axis, side of it, how far the shape reaches there [m], name)."""
    pivot, mat, s = frame[:3, 3], frame[:3, :3], scale_at(view, size, frame[:3, 3])
    out = []
    for parameter, axis, sign, reach, name in knobs:
        end = pivot + sign * max(reach, 0.4 * s) * mat[:, axis]
        out.append(Handle(("size", parameter, axis, sign), KNOB, np.array([pivot, end]), NAMES[axis], f"Change the {name}", 5.0))
    if len({knob[0] for knob in knobs}) > 1:
        out.append(Handle(("all sizes",), DOT, pivot[None], "view", "Change all sizes by a factor", 7.0))
    return out


def point_handle(what: tuple, point, text: str, colour: str = "point", start=None) -> Handle:
    """A dot, at the end of a line where it begins at `start`."""
    points = np.atleast_2d(point) if start is None else np.array([start, point], float)
    return Handle(what, DOT if start is None else KNOB, np.asarray(points, float), colour, text, 6.0)


def pixels(handle: Handle, view: View, size: tuple[float, float]) -> np.ndarray | None:
    """(n, 2) where a handle is drawn; None where a part of it is behind the camera."""
    where, depths = project(view, handle.points, size)
    return None if (depths <= view.near).any() else where


def nearest(handles: Sequence[Handle], view: View, size: tuple[float, float], x: float, y: float) -> Handle | None:
    """The handle under the pointer: within REACH pixels, dots before lines, the nearest of several."""
    best, found = (9, math.inf), None
    for handle in handles:
        where = pixels(handle, view, size) if handle.what else None     # some lines only show something
        if where is None:
            continue
        at = np.array([x, y])
        if handle.shape in (DOT, KNOB):
            away = max(0.0, float(np.linalg.norm(where[-1] - at)) - handle.size)
        elif handle.shape == SQUARE:
            away = 0.0 if _inside(where, at) else _distance(np.vstack((where, where[:1])), at)
        else:
            away = _distance(where, at)
        rank = FIRST[handle.shape], away
        if away <= REACH and rank < best:
            best, found = rank, handle
    return found


def _distance(line: np.ndarray, at: np.ndarray) -> float:
    """Pixels from a point to a line of points (n, 2)."""
    start, way = line[:-1], np.diff(line, axis=0)
    length = np.maximum(np.einsum("ij,ij->i", way, way), 1e-12)
    share = np.clip(np.einsum("ij,ij->i", at - start, way) / length, 0, 1)
    return float(np.linalg.norm(start + share[:, None] * way - at, axis=1).min())


def _inside(corners: np.ndarray, at: np.ndarray) -> bool:
    """Whether a point lies in a convex polygon."""
    way, to = np.roll(corners, -1, axis=0) - corners, at - corners
    side = way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())
