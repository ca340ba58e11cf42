"""The near plane moved out: never past anything seen, and far enough to tell close surfaces apart."""
from dataclasses import replace

import numpy as np
import pytest

from render.gpu.instances import together
from render.passes.depth_range import MARGIN, tightened
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from render.scene.snapshot import MeshAsset, Texture
from tests.render.passes.test_arrange import plan_of
from tests.render.stage import FRONT, flat_scene, one

ASPECT = 160 / 120
WIDE = replace(FRONT, far=1000.0)


def near_of(scene, view=WIDE):
    return tightened(view, ASPECT, plan_of(scene, 'classic', view), scene.assets.mesh_boxes()).near


def test_a_box_is_reached_at_its_face_and_a_ball_at_its_top():
    assert near_of(one(shapes.BOX, (3, 0.5, 3), pos=(0, 1, 0))) == pytest.approx(MARGIN * 4.5)
    assert near_of(one(shapes.SPHERE, (0.5,) * 3)) == pytest.approx(MARGIN * 3.5)
    assert near_of(one(shapes.BOX, (9, 9, 9))) == FRONT.near       # the eye is in it
    assert near_of(flat_scene()) == pytest.approx(0.02 * WIDE.far)
    assert near_of(one(shapes.SPHERE, (0.5,) * 3), FRONT) == pytest.approx(0.02 * FRONT.far)


def test_a_floor_is_reached_where_the_picture_ends_below():
    scene = flat_scene()
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (0, 0, 1), (1, 1, 1, 1))
    view = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-45), Lens(45, 0.01, 500))
    lowest = np.radians(45 + 22.5)
    depth = 4 * np.sin(np.radians(45)) / np.sin(lowest) * np.cos(np.radians(22.5))
    assert near_of(scene, view) == pytest.approx(MARGIN * depth, rel=1e-5)
    scene.lines.put((0, 0, 4 * np.sin(np.radians(45))), (0, 9, 9), (1, 1, 1, 1))     # from beside the eye
    assert near_of(scene, view) < depth


def test_the_same_pixels_and_orthographic_views_stay():
    scene = one(shapes.BOX, (0.5, 0.5, 0.5))
    view = tightened(FRONT, ASPECT, plan_of(scene), scene.assets.mesh_boxes())
    assert np.allclose(np.array(view.edges(ASPECT)) / view.near, np.array(FRONT.edges(ASPECT)) / FRONT.near)
    flat = replace(FRONT, orthographic=True)
    assert tightened(flat, ASPECT, plan_of(scene, view=flat), scene.assets.mesh_boxes()) is flat


def test_nothing_seen_is_ever_cut(offscreen):
    rng = np.random.default_rng(1)
    tetrahedron = rng.normal(size=(4, 3))
    gained = 0
    for _ in range(40):
        scene = flat_scene()
        scene.assets.meshes.append(MeshAsset(tetrahedron, tetrahedron, np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])))
        for shape in (shapes.BOX, shapes.PLANE, shapes.MESH, shapes.CYLINDER, shapes.ELLIPSOID, shapes.CAPSULE):
            turn = np.linalg.qr(rng.normal(size=(3, 3)))[0].ravel()
            scene.geoms.put(shape, rng.normal(size=3) * 2 + (0, 1, 0), rng.uniform(0.1, 2, 3), (1, 1, 1, 1), turn, dataid=0)
        scene.flags.cull_face = False
        seen = offscreen.depth(scene, FRONT)
        near = near_of(scene)
        assert near <= seen.min()
        gained += near > 2 * FRONT.near
    assert gained > 10


def test_close_surfaces_are_distinguished(offscreen):
    scene = one(shapes.BOX, (0.6, 0.1, 0.6), segid=1)
    scene.geoms.put(shapes.BOX, (0, 3e-5, 0), (0.6, 0.1, 0.6), (0, 1, 0, 1), matid=-1, segid=2)
    for angle in (0, 3, 11):
        view = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90 + angle, elevation=-angle), Lens(45, 0.002, 50))
        assert not (offscreen.segments(scene, view)[45:75, 65:95] == 2).any()


def test_groups_keep_the_order_of_their_first_rows():
    kind, level, texid = np.array([7, 3, 7, 3, 5]), np.zeros(5, int), np.array([-1, 2, -1, 2, 0])
    assert together(kind, level, texid).tolist() == [0, 2, 1, 3, 4]


def test_a_wide_view_keeps_its_sky(offscreen):
    scene = flat_scene()
    scene.assets.textures.append(Texture('skybox', np.full((6 * 4, 4, 3), 200, np.uint8)))
    scene.assets.skybox = 0
    wide = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-20), Lens(120, 0.01, 50))
    assert (offscreen.rgb(scene, wide) > 150).all()


def test_of_surfaces_that_coincide_the_later_one_shows(offscreen):
    for first, second in ((shapes.BOX, shapes.CYLINDER), (shapes.CYLINDER, shapes.BOX), (shapes.BOX, shapes.BOX)):
        scene = one(first, (0.5, 0.5, 0.2))
        scene.geoms.put(second, (0, 0, 0), (0.4, 0.6, 0.2), (0, 1, 0, 1))
        for azimuth in (10, 47, 101):
            view = free_view(CameraState(lookat=(0, 0, 0), distance=3, azimuth=azimuth, elevation=-70), Lens(45, 0.01, 50))
            assert (offscreen.segments(scene, view)[52:68, 72:88] == 1).all()


def test_equal_shapes_in_one_place_show_no_patches_of_each_other(offscreen):
    """Two meshes of the same corners, far down a long list: a bias must not part them."""
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    corners = np.random.default_rng(5).normal(size=(400, 3)) * 0.3
    faces = np.arange(399).reshape(-1, 3).astype(np.int32)
    scene = flat_scene()
    scene.assets.meshes += [MeshAsset(corners.astype(np.float32), np.tile(np.float32([0, 0, 1]), (400, 1)), faces, None) for _ in range(2)]
    for i in range(80):
        shape = {20: 0, 50: 1}.get(i)
        if shape is None:
            scene.geoms.put(shapes.SPHERE, (0, 30, 0), (0.01,) * 3, (1, 1, 1, 1))
        else:
            scene.geoms.put(shapes.MESH, (0.1, 0.2, 0.3), (1, 1, 1), (1, 1, 1, 1), turn.ravel(), dataid=shape)
    for azimuth in (10, 47, 101):
        view = free_view(CameraState(lookat=(0.1, 0.2, 0.3), distance=3, azimuth=azimuth, elevation=-30), Lens(45, 0.01, 50))
        found = offscreen.segments(scene, view)
        assert (found == 50).sum() > 1000 and (found == 20).sum() == 0


def test_capsules_keep_their_length_where_things_coincide(offscreen):
    scene = one(shapes.CAPSULE, (0.1, 0.1, 0.5), pos=(0, 0, 0))
    alone = (offscreen.segments(scene, FRONT) >= 0).sum()
    for _ in range(3):
        scene.geoms.put(shapes.CAPSULE, (0, 0, 0), (0.1, 0.1, 0.5), (0, 1, 0, 1))
    assert (offscreen.segments(scene, FRONT) >= 0).sum() == alone
