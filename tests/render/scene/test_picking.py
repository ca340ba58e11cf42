"""Rays against the official ray caster and against closed forms."""
import mujoco
import numpy as np
import pytest

from render.scene import picking, shapes
from render.scene.bounds import box, frame
from render.scene.camera import CameraState, Lens, free_view, pixel_ray, project
from render.scene.snapshot import MeshAsset, Scene
from tests.render.mujoco_scene import scene_of
from tests.render.stage import FRONT, one

XML = '''<mujoco><worldbody><geom type="plane" size="0 0 1" pos="0 0 -1"/><geom type="plane" size=".5 .6 1" pos="0 0 .4" euler="15 0 0"/>
<geom type="sphere" size=".3" pos="1 0 0"/><geom type="capsule" size=".2 .4" pos="-1 0 0" euler="20 50 0"/>
<geom type="cylinder" size=".3 .2" pos="0 1 0" euler="70 20 0"/>
<geom type="ellipsoid" size=".1 .3 .5" pos="0 -1 0" euler="10 20 30"/><geom type="box" size=".2 .3 .4" pos="0 0 1" euler="10 20 30"/></worldbody></mujoco>'''


def test_every_shape_as_the_official_ray():
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    scene, _ = scene_of(m, d)
    scene.geoms.pos[:m.ngeom] = d.geom_xpos       # the drawn infinite plane may have been recentred
    rng, hits = np.random.default_rng(0), np.zeros(m.ngeom, int)
    for _ in range(600):
        start = rng.normal(size=3) * 2
        ray = rng.normal(size=3) * 0.5 - start
        ray /= np.linalg.norm(ray)
        geomid = np.zeros(1, np.int32)
        t = mujoco.mj_ray(m, d, start, ray, None, 1, -1, geomid)
        hit = picking.pick(scene, start, ray)
        if geomid[0] < 0:
            assert hit is None
            continue
        hits[geomid[0]] += 1
        assert hit.objid == geomid[0] and hit.distance == pytest.approx(t, abs=2e-5)      # scene positions are float32
        assert np.allclose(hit.point, start + t * ray, atol=2e-5)
    assert hits.min() > 5


def test_local_point_and_body_coordinates():
    turn = (0, -1, 0, 1, 0, 0, 0, 0, 1)     # x of the instance points along world y
    scene = one(shapes.BOX, (1, 2, 3), pos=(10, 0, 0), mat=turn, objid=4, objtype=shapes.OBJ_GEOM, bodyid=2)
    hit = picking.pick(scene, (10, -5, 0.5), (0, 1, 0))
    assert (hit.objid, hit.objtype, hit.bodyid) == (4, shapes.OBJ_GEOM, 2)
    assert np.allclose(hit.point, (10, -1, 0.5)) and np.allclose(hit.local, (-1, 0, 0.5))
    assert np.allclose(picking.to_body(hit.point, (10, -2, 0), turn), (1, 0, 0.5))


def test_only_pickable_instances_are_hit():
    scene = one(shapes.SPHERE, (1, 1, 1), flags=shapes.DECOR)
    scene.geoms.put(shapes.SPHERE, (0, 5, 0), (1, 1, 1), (1, 1, 1, 1), objid=9)
    assert picking.pick(scene, (0, -5, 0), (0, 1, 0)).objid == 9
    assert picking.pick(scene, (0, -5, 0), (0, 1, 0), pickable_only=False).row == 0
    assert picking.pick(scene, (0, -5, 0), (0, -1, 0)) is None
    assert picking.pick(Scene(), (0, 0, 0), (0, 1, 0)) is None


def test_pixel_under_an_object_picks_what_the_picture_shows(offscreen):
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    scene, view = scene_of(m, d)
    segments, depth = offscreen.segments(scene, view), offscreen.depth(scene, view)
    wrong = 0
    for y in range(3, 120, 8):
        for x in range(3, 160, 8):
            hit = picking.pick(scene, *pixel_ray(view, x + 0.5, y + 0.5, offscreen.size))
            if (hit.row if hit else -1) != segments[y, x]:
                wrong += 1
            elif hit and np.isfinite(depth[y, x]):
                at, far = project(view, [hit.point], offscreen.size)
                assert np.allclose(at, (x + 0.5, y + 0.5), atol=1e-3)
                if scene.geoms.shape[hit.row] in (shapes.PLANE, shapes.BOX):      # exact: round shapes are polygons on the screen
                    assert far[0] == pytest.approx(depth[y, x], rel=2e-4)
    assert wrong <= 2       # of 300, on silhouettes


def test_inside_a_solid_the_far_side_is_hit_and_planes_have_no_back():
    assert picking.pick(one(shapes.SPHERE, (2, 2, 2)), (0, 0, 0), (0, 0, 1)).distance == pytest.approx(2)
    assert picking.pick(one(shapes.PLANE, (0, 0, 1)), (0, 0, -1), (0, 0, 1)) is None


def test_mesh_triangles():
    tetra = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
    scene = one(shapes.MESH, (2, 2, 2), dataid=0)
    scene.assets.meshes.append(MeshAsset(tetra, tetra, np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], np.int32)))
    assert picking.pick(scene, (0.2, 0.2, -3), (0, 0, 1)).distance == pytest.approx(3)
    assert picking.pick(scene, (5, 5, -3), (0, 0, 1)) is None


def test_framing_shows_the_whole_box():
    scene = one(shapes.SPHERE, (0.5, 0.5, 0.5), pos=(3, 2, 1))
    scene.geoms.put(shapes.CAPSULE, (5, 2, 1), (0.1, 0.1, 1), (1, 1, 1, 1))
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (0, 0, 1), (1, 1, 1, 1))
    lower, upper = box(scene)
    assert np.allclose(lower, (2.5, 0.9, -0.1)) and np.allclose(upper, (6.1, 3.1, 2.1))
    lens = Lens(45, 0.01, 100)
    for aspect, size in ((1.5, (300, 200)), (0.5, (100, 200))):
        view = free_view(frame(CameraState(), lens, lower, upper, aspect), lens)
        corners = [[(lower, upper)[k >> j & 1][j] for j in range(3)] for k in range(8)]
        pixels, _ = project(view, corners, size)
        assert (pixels >= 0).all() and (pixels <= size).all()
        assert np.ptp(pixels, axis=0).max() > 0.4 * min(size)
    assert box(one(shapes.PLANE, (0, 0, 1))) is None


def test_front_view_is_what_it_says():
    origin, ray = pixel_ray(FRONT, 80, 60, (160, 120))
    assert np.allclose(ray, (0, 1, 0), atol=1e-12) and np.allclose(origin, (0, -4, 0), atol=1e-12)
