"""Where a pointer's ray meets an axis, a plane or a ring, and how large a pixel is there.

Ray o + t r with unit r, as render.scene.camera.pixel_ray gives it. Sources: closest points of two lines and the intersection of a line with a plane follow from setting
the derivative of the distance to zero.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from render.scene.camera import View, pixel_ray, project

__all__ = ["Pointer", "along_axis", "angle_about", "on_plane", "pixel_length"]

ALONG = 0.995       # |a . r| above which an axis is seen end on
GRAZING = 0.05      # |n . r| below which a plane is seen edge on
EDGE_ON = 0.1       # |a . r| below which a ring is seen edge on


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer in a view: pixel (origin at the top left) and size of the picture, in the same units."""

    view: View
    size: tuple[float, float]
    x: float
    y: float

    @property
    def ray(self) -> tuple[np.ndarray, np.ndarray]:
        """(origin, unit direction) of its ray [m]."""
        return pixel_ray(self.view, self.x, self.y, self.size)


def pixel_length(view: View, size: tuple[float, float], point) -> float:
    """Length [m] of a pixel at the depth of a point (3,); of the nearest depth that is drawn for points before that."""
    height = view.top - view.bottom
    if view.orthographic:
        return height / size[1]
    depth = float((np.asarray(point, float) - np.asarray(view.pos)) @ np.asarray(view.forward))
    return max(depth, view.near) * height / view.near / size[1]


def along_axis(pointer: Pointer, point, axis) -> float:
    """Coordinate [m] from `point` on the line along a unit axis of what is nearest to the pointer's ray; seen end on, by the vertical motion of the pointer."""
    point, axis = np.asarray(point, float), np.asarray(axis, float)
    origin, ray = pointer.ray
    q, c = point - origin, float(axis @ ray)
    if abs(c) > ALONG:
        return -pixel_length(pointer.view, pointer.size, point) * pointer.y * math.copysign(1.0, c)
    return float(((q @ ray) * c - q @ axis) / (1 - c * c))


def on_plane(pointer: Pointer, point, normal) -> np.ndarray | None:
    """Where (3,) the pointer's ray meets the plane through a point; None where the plane is seen edge on, or lies behind."""
    origin, ray = pointer.ray
    cosine = float(ray @ np.asarray(normal, float))
    if abs(cosine) < GRAZING:
        return None
    t = float((np.asarray(point, float) - origin) @ np.asarray(normal, float)) / cosine
    return origin + t * ray if t > 0 or pointer.view.orthographic else None


def angle_about(pointer: Pointer, point, axis, start: Pointer) -> float | None:
    """Angle [rad] about an axis through `point` between the rays of two pointers, -pi to pi; of a ring that is seen edge on, by how far the pointer went across the axis, a
    radian a ring's radius of 80 pixels. None where a ray misses the plane."""
    point, axis = np.asarray(point, float), np.asarray(axis, float)
    ray = start.ray[1]
    if abs(float(axis @ ray)) < EDGE_ON:
        (centre, end), _depths = project(start.view, [point, point + axis * pixel_length(start.view, start.size, point)], start.size)
        way = end - centre
        across = np.array([-way[1], way[0]]) / max(np.linalg.norm(way), 1e-9)
        return float(across @ (pointer.x - start.x, pointer.y - start.y)) / 80.0
    a, b = on_plane(start, point, axis), on_plane(pointer, point, axis)
    if a is None or b is None:
        return None
    u, v = a - point, b - point
    return math.atan2(float(axis @ np.cross(u, v)), float(u @ v))
