"""Normals, support and vertices of what is drawn, each against brute force."""
import numpy as np
import pytest

from editor.tools import rigid
from editor.tools.rays import Pointer
from editor.tools.surface import reach_along, rows_of, surface_under, vertex_near
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view, project
from render.scene.snapshot import MeshAsset, Scene, SceneAssets

SIZE = (800, 600)
VIEW = free_view(CameraState(lookat=(0, 0, 0.2), distance=3.0, azimuth=130, elevation=-30), Lens())
POSE = rigid.pose((0.05, -0.03, 0.2), (1.0, 0.3, -0.2, 0.5))
SHAPES = ((shapes.SPHERE, (0.3, 0.3, 0.3)), (shapes.ELLIPSOID, (0.3, 0.2, 0.15)), (shapes.BOX, (0.3, 0.2, 0.1)),
          (shapes.CAPSULE, (0.12, 0.12, 0.25)), (shapes.CYLINDER, (0.2, 0.2, 0.3)), (shapes.MESH, (1.0, 1.0, 1.0)))
CORNERS = np.array([(0, 0, 0), (0.5, 0, 0), (0, 0.4, 0), (0, 0, 0.6)], np.float32)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32)


def scene_of(*rows) -> Scene:
    scene = Scene()
    scene.assets = SceneAssets(meshes=[MeshAsset(CORNERS, np.zeros_like(CORNERS), FACES)])
    for number, (shape, size, pose) in enumerate(rows):
        scene.geoms.put(shape, pose[:3, 3], size, (1, 1, 1, 1), pose[:3, :3], objtype=shapes.OBJ_GEOM, objid=number, bodyid=number, dataid=0, flags=shapes.MODEL_GEOM)
    return scene


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_normals_are_those_of_the_plane_through_neighbouring_hits(shape, size):
    scene, seen = scene_of((shape, size, POSE)), 0
    for x, y in np.random.default_rng(1).uniform((330, 230), (470, 370), (60, 2)):
        hits = [surface_under(Pointer(VIEW, SIZE, x + dx, y + dy), scene) for dx, dy in ((0, 0), (0.02, 0), (0, 0.02))]
        if any(hit is None for hit in hits):
            continue
        normals = np.array([hit.normal for hit in hits])
        if np.abs(normals - normals[0]).max() > 1e-2:      # across an edge
            continue
        brute = np.cross(hits[1].point - hits[0].point, hits[2].point - hits[0].point)
        brute /= np.linalg.norm(brute)
        assert abs(brute @ normals[0]) == pytest.approx(1.0, abs=2e-3)
        assert normals[0] @ Pointer(VIEW, SIZE, x, y).ray[1] < 0, "towards the camera"
        seen += 1
    assert seen >= 12


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_support_is_the_farthest_point(shape, size):
    scene, random = scene_of((shape, size, POSE)), np.random.default_rng(2)
    size = np.array(size)
    points = random.normal(size=(20000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    if shape in (shapes.SPHERE, shapes.ELLIPSOID):
        points = points * size
    elif shape == shapes.BOX:
        points = np.sign(points) * size
    elif shape == shapes.CAPSULE:
        points = points * size[0] + np.sign(points[:, 2:]) * (0, 0, size[2])
    elif shape == shapes.CYLINDER:
        flat = points[:, :2] / np.linalg.norm(points[:, :2], axis=1)[:, None] * size[0]
        points = np.column_stack((flat, np.sign(points[:, 2]) * size[2]))
    else:
        points = CORNERS.astype(float)
    world = points @ POSE[:3, :3].T + POSE[:3, 3]
    for direction in random.normal(size=(10, 3)):
        direction /= np.linalg.norm(direction)
        assert reach_along(scene, [0], (0.1, 0.2, 0.3), direction) == pytest.approx(((world - (0.1, 0.2, 0.3)) @ direction).max(), abs=3e-3)


def test_what_is_dragged_is_looked_through():
    behind = rigid.pose(POSE[:3, 3] + 0.8 * np.asarray(VIEW.forward))
    scene = scene_of((shapes.SPHERE, (0.1, 0.1, 0.1), POSE), (shapes.BOX, (0.3, 0.3, 0.3), behind))
    (x, y), = project(VIEW, POSE[:3, 3], SIZE)[0]
    assert surface_under(Pointer(VIEW, SIZE, x, y), scene).objid == 0
    assert surface_under(Pointer(VIEW, SIZE, x, y), scene, rows_of(scene, (), geoms=(0,))).objid == 1
    assert surface_under(Pointer(VIEW, SIZE, x, y), scene, rows_of(scene, (0, 1))) is None


def test_the_vertex_under_the_pointer():
    scene = scene_of((shapes.BOX, (0.3, 0.2, 0.1), POSE), (shapes.MESH, (1, 1, 1), rigid.pose((0.6, 0.2, 0.0))), (shapes.CAPSULE, (0.05, 0.05, 0.2), rigid.pose((-0.6, 0, 0.2))))
    for wanted in ((POSE @ (0.3, 0.2, -0.1, 1.0))[:3], np.array((0.6, 0.2, 0.6)), np.array((-0.6, 0.0, 0.4)), POSE[:3, 3]):
        (x, y), = project(VIEW, wanted, SIZE)[0]
        assert vertex_near(Pointer(VIEW, SIZE, x + 2, y - 2), scene) == pytest.approx(wanted, abs=1e-6)
    assert vertex_near(Pointer(VIEW, SIZE, 20, 20), scene) is None
    assert vertex_near(Pointer(VIEW, SIZE, 20, 20), scene_of()) is None
