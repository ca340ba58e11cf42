"""Rays against axes, planes and rings, each against brute force; handles are found where they are drawn."""
import numpy as np
import pytest

from editor.tools import rigid
from editor.tools.handles import HIGH, move_handles, nearest, pixels, rotate_handles, scale_at
from editor.tools.rays import Pointer, along_axis, angle_about, on_plane, pixel_length
from render.scene.camera import CameraState, Lens, free_view, project

SIZE = (800, 600)
VIEWS = tuple(free_view(CameraState(lookat=(0.1, 0.2, 0.3), distance=3.0, azimuth=azimuth, elevation=elevation), Lens(orthographic=flat, fovy=2.0 if flat else 45.0))
              for azimuth, elevation in ((30, -25), (140, -60), (-80, 10)) for flat in (False, True))


def pixel_of(view, point):
    return project(view, point, SIZE)[0][0]


@pytest.mark.parametrize("view", VIEWS)
def test_the_nearest_point_of_an_axis_is_the_nearest(view):
    point, axis = np.array([0.2, 0.1, 0.4]), np.array([1.0, 2.0, -1.0]) / np.sqrt(6)
    pointer = Pointer(view, SIZE, 350.0, 280.0)
    t, (origin, ray) = along_axis(pointer, point, axis), pointer.ray
    def away(s):
        q = point + s * axis - origin
        return np.linalg.norm(q - (q @ ray) * ray)
    assert all(away(t) <= away(t + step) + 1e-12 for step in (1e-3, -1e-3, 0.1, -0.1))
    x, y = pixel_of(view, point + 0.3 * axis)      # a pixel on the axis is that point of it
    assert along_axis(Pointer(view, SIZE, x, y), point, axis) == pytest.approx(0.3, abs=1e-6)


@pytest.mark.parametrize("view", VIEWS)
def test_planes_and_rings(view):
    point, normal = np.array([0.1, 0.2, 0.2]), np.array([0.2, -0.3, 1.0]) / np.linalg.norm([0.2, -0.3, 1.0])
    u = np.cross(normal, (1.0, 0.0, 0.0))
    u /= np.linalg.norm(u)
    pointers = []
    for angle in (0.3, 1.1):
        target = point + 0.4 * rigid.turn(normal, angle) @ u
        x, y = pixel_of(view, target)
        pointers.append(Pointer(view, SIZE, x, y))
        hit = on_plane(pointers[-1], point, normal)
        if hit is not None:
            assert hit == pytest.approx(target, abs=1e-6)
    if abs(normal @ pointers[0].ray[1]) > 0.1 and on_plane(pointers[1], point, normal) is not None:
        assert angle_about(pointers[1], point, normal, pointers[0]) == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize("view", VIEWS)
def test_gizmos_are_as_high_at_any_distance(view):
    for point in ((0.1, 0.2, 0.3), (0.5, -0.4, 0.6)):
        side = np.asarray(point) + scale_at(view, SIZE, point) * view.right()
        assert np.linalg.norm(pixel_of(view, side) - pixel_of(view, np.asarray(point))) == pytest.approx(HIGH, rel=1e-6)
        assert pixel_length(view, SIZE, point) > 0


def test_a_ring_seen_edge_on_turns_by_how_far_the_pointer_goes_across():
    view = free_view(CameraState(azimuth=0.0, elevation=0.0, distance=2.0), Lens())
    start, end = Pointer(view, SIZE, 400, 300), Pointer(view, SIZE, 440, 300)
    assert abs(angle_about(end, (0, 0, 0), np.array([0.0, 0.0, 1.0]), start)) == pytest.approx(0.5)


@pytest.mark.parametrize("view", VIEWS)
def test_handles_are_found_where_they_are(view):
    frame = rigid.pose((0.1, 0.2, 0.3), (1.0, 0.2, 0.3, -0.1))
    for handles in (move_handles(frame, view, SIZE), rotate_handles(frame, view, SIZE)):
        for handle in handles:
            where = pixels(handle, view, SIZE)
            at = where.mean(0) if handle.shape == "square" else where[len(where) // 3 if handle.shape == "line" else -1]
            found = nearest(handles, view, SIZE, *at)
            assert found is not None and (found is handle or np.linalg.norm(pixels(found, view, SIZE) - at, axis=1).min() < 12)
        assert nearest(handles, view, SIZE, 5, 5) is None
