"""An MjvScene has the official geoms, lights and cameras, and the mouse and the room do what they do officially."""
import copy

import mujoco
import numpy as np
import pytest

from app.mujoco_shim import mujoco as ours
from tests.app.mujoco_shim.models import CONTACTS, SCENERY

SHOWN = (mujoco.mjtVisFlag.mjVIS_JOINT, mujoco.mjtVisFlag.mjVIS_CAMERA)
FIELDS = ("type", "dataid", "objtype", "objid", "category", "matid", "texid", "texuniform", "segid", "size", "pos", "mat", "rgba", "emission", "specular", "shininess", "reflectance",
          "texrepeat", "castshadow", "modelrbound", "label")


@pytest.fixture(scope="module")
def pairs():
    """((module, model, data) of ours, of the official engine)."""
    made = []
    for module in (ours, mujoco):
        m = module.MjModel.from_xml_string(SCENERY)
        d = module.MjData(m)
        module.mj_forward(m, d)
        made.append((module, m, d))
    return made


def scene_of(module, m, d, maxgeom=200, switches=(), camera=None, catmask=7, pert=None, label=0):
    scene, option = module.MjvScene(m, maxgeom), module.MjvOption()
    option.flags[[int(k) for k in switches]] ^= 1
    option.label = label
    cam = module.MjvCamera()
    if camera is None:
        module.mjv_defaultFreeCamera(m, cam)
    else:
        cam.type, cam.fixedcamid = 2, camera
    module.mjv_updateScene(m, d, option, pert, cam, catmask, scene)
    return scene


def assert_alike(one, two, fields):
    for name in fields:
        a, b = getattr(one, name), getattr(two, name)
        assert a == b if isinstance(a, str) else np.allclose(a, b, atol=1e-5), f"{name}: {a} instead of {b}"


@pytest.mark.parametrize("catmask", (7, 1, 2, 4))
def test_geoms_are_the_official_ones(pairs, catmask):
    mine, official = (scene_of(*pair, switches=SHOWN[:1], catmask=catmask, label=int(mujoco.mjtLabel.mjLABEL_GEOM)) for pair in pairs)
    assert mine.ngeom == official.ngeom and mine.status == 0 and len(mine.geoms) == 200
    assert catmask != 7 or mine.ngeom > 10
    for a, b in zip(mine.geoms[:mine.ngeom], official.geoms[:official.ngeom]):
        assert_alike(a, b, FIELDS)


def test_lights_and_cameras_are_the_official_ones(pairs):
    for camera in (None, 0, 1, 2):
        mine, official = (scene_of(*pair, camera=camera) for pair in pairs)
        assert mine.nlight == official.nlight == 2
        for k in range(2):
            assert_alike(mine.lights[k], official.lights[k], mine.lights[k].FIELDS)
            assert_alike(mine.camera[k], official.camera[k], mine.camera[k].FIELDS)


def test_contacts_are_named_where_they_are_drawn():
    found = []
    for module in (ours, mujoco):
        m = module.MjModel.from_xml_string(CONTACTS)
        d = module.MjData(m)
        module.mj_forward(m, d)
        scene = scene_of(module, m, d, switches=(mujoco.mjtVisFlag.mjVIS_CONTACTPOINT,), label=int(mujoco.mjtLabel.mjLABEL_CONTACTPOINT))
        found.append(sorted((g.type, g.label) for g in scene.geoms[:scene.ngeom] if g.label))
    assert found[0] == found[1] and (5, "floor | box") in found[0]


def test_frames_and_centres_of_mass_are_of_no_type(pairs):
    found = []
    for module, m, d in pairs:
        scene, option = module.MjvScene(m, 200), module.MjvOption()
        option.frame, option.flags[int(mujoco.mjtVisFlag.mjVIS_COM)] = int(mujoco.mjtFrame.mjFRAME_GEOM), 1
        module.mjv_updateScene(m, d, option, None, module.MjvCamera(), 7, scene)
        found.append(sorted((g.type, g.objtype, g.objid, g.category) for g in scene.geoms[:scene.ngeom]))
    assert found[0] == found[1]


def test_what_is_selected_glows(pairs):
    glow = []
    for module, m, d in pairs:
        pert = module.MjvPerturb()
        pert.select = 1
        glow.append([g.emission for g in scene_of(module, m, d, pert=pert).geoms[:8]])
    assert np.allclose(*glow) and max(glow[0]) > 0.5


def test_what_is_more_than_maxgeom_is_left_away_with_a_warning(pairs):
    told = []
    ours.set_mju_user_warning(told.append)
    try:
        scene = scene_of(*pairs[0], maxgeom=3)
    finally:
        ours.set_mju_user_warning(None)
    assert scene.ngeom == 3 and scene.status == 1 and told == ["Pre-allocated visual geom buffer is full. Increase maxgeom above 3."]


def test_geoms_are_appended_and_categories_left_out(pairs):
    for module, m, d in pairs[:1]:
        scene = scene_of(module, m, d)
        before = scene.ngeom
        module.mjv_addGeoms(m, d, module.MjvOption(), None, 1, scene)
        assert scene.ngeom > before and all(g.category == 1 for g in scene.geoms[before:scene.ngeom]) and scene.geoms[before].segid == before


def test_a_scene_is_copied_with_its_geoms(pairs):
    scene = scene_of(*pairs[0])
    other = copy.copy(scene)
    other.geoms[0].rgba = (1, 0, 0, 1)
    assert other.ngeom == scene.ngeom and not np.array_equal(scene.geoms[0].rgba, other.geoms[0].rgba) and scene.camera[0] == other.camera[0]


def test_a_geom_refuses_what_it_has_not():
    geom = ours.MjvGeom()
    with pytest.raises(AttributeError):
        geom.colour = 1
    with pytest.raises(TypeError):
        geom.objid = 0.5
    geom.mat = np.arange(9.0)
    geom.label = "a" * 200
    assert geom.mat.shape == (3, 3) and geom.label == "a" * 99


@pytest.mark.parametrize("kind", (0, 2, 3, 4, 5, 6, 7, 100, 103, 107))
def test_geoms_are_made_as_officially(kind):
    made = []
    for module in (ours, mujoco):
        geom = module.MjvGeom()
        module.mjv_initGeom(geom, kind, np.array([0.3, 0.1, 0.2]), np.ones(3), np.eye(3).ravel(), np.array([1, 0, 0, 1], np.float32))
        made.append(geom)
    assert_alike(*made, [f for f in FIELDS if f not in ("objid", "segid", "category")])


def test_connectors_are_the_official_ones():
    rng = np.random.default_rng(1)
    for kind in (3, 5, 100, 101, 102, 103):
        for start, end in (*rng.normal(size=(5, 2, 3)), np.array([(0, 0, 2.0), (0, 0, -1)])):
            made = []
            for module in (ours, mujoco):
                geom = module.MjvGeom()
                module.mjv_connector(geom, kind, 0.05, start, end)
                made.append(geom)
            assert_alike(*made, ("size", "pos"))
            assert np.allclose(made[0].mat[:, 2], made[1].mat[:, 2], atol=1e-5)
    with pytest.raises(ours.FatalError, match="invalid geom type 2"):
        ours.mjv_connector(ours.MjvGeom(), 2, 0.1, np.zeros(3), np.ones(3))


@pytest.mark.parametrize("action", range(1, 8))
def test_the_mouse_moves_cameras_bodies_and_the_model(pairs, action):
    found = []
    for module, m, d in pairs:
        cam, out = module.MjvCamera(), []
        module.mjv_defaultFreeCamera(m, cam)
        cam.azimuth = 130
        scene = module.MjvScene(m, 100)
        module.mjv_updateScene(m, d, module.MjvOption(), None, cam, 7, scene)
        pert = module.MjvPerturb()
        pert.select, pert.localpos[:] = 2, (0.1, 0, 0.1)
        module.mjv_initPerturb(m, d, scene, pert)
        out += [pert.scale, pert.localmass]
        module.mjv_movePerturb(m, d, action, 0.1, 0.2, scene, pert)
        out += [*pert.refpos, *pert.refquat, *pert.refselpos]
        module.mjv_moveCamera(m, action, 0.1, 0.2, cam)
        out += [*cam.lookat, cam.distance, cam.azimuth, cam.elevation]
        for up in ((0, 0, 1.0), (0, 1.0, 0)):
            scene.translate[:], scene.rotate[:], scene.scale, scene.enabletransform = 0, (1, 0, 0, 0), 1, 1
            module.mjv_moveModel(m, action, 0.1, 0.2, np.array(up), scene)
            out += [*scene.translate, *scene.rotate, scene.scale]
        found.append(out)
    assert np.allclose(*found, atol=1e-5), np.abs(np.subtract(*found)).argmax()


def test_the_mouse_pulls_bodies_and_carries_mocap_ones(pairs):
    found = []
    for module, m, d in pairs:
        d, scene = copy.copy(d), scene_of(module, m, d)
        out = []
        for body in (2, 3):
            pert = module.MjvPerturb()
            pert.select = body
            module.mjv_initPerturb(m, d, scene, pert)
            pert.active = 3
            pert.refselpos += (0.1, 0.2, 0.3)
            pert.refpos += (0.1, 0.2, 0.3)
            pert.refquat[:] = (0.6, 0.8, 0, 0)
            module.mjv_applyPerturbForce(m, d, pert)
            module.mjv_applyPerturbPose(m, d, pert, 0)
            out += [*d.xfrc_applied[2], *d.mocap_pos[0], *d.mocap_quat[0]]
        module.mj_step(m, d)
        found.append(out + d.qpos.tolist())
    assert np.allclose(*found, rtol=1e-6, atol=1e-8)


def test_what_is_under_a_pixel(pairs):
    rng, found = np.random.default_rng(2), []
    points = [(0.5, 0.5), *rng.uniform(size=(30, 2))]
    for module, m, d in pairs:
        out = []
        for camera in (None, 0, 1):
            scene = scene_of(module, m, d, camera=camera)
            for x, y in points:
                point, geom, flex, skin = np.zeros(3), np.zeros(1, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)
                body = module.mjv_select(m, d, module.MjvOption(), 1.5, x, y, scene, point, geom, flex, skin)
                out.append([body, *(point if body >= 0 else (0, 0, 0)), *geom, *flex, *skin])
        found.append(out)
    assert np.allclose(*found, atol=1e-5) and len({row[0] for row in found[0]}) > 2


def test_room_and_model(pairs):
    found = []
    for module, m, d in pairs:
        scene, out = scene_of(module, m, d, camera=0), []
        for on in (0, 1):
            scene.enabletransform, scene.translate[:], scene.rotate[:], scene.scale = on, (1, 2, 3), (np.cos(0.3), 0, 0, np.sin(0.3)), 2
            for name in ("mjv_room2model", "mjv_model2room"):
                pos, quat = np.zeros(3), np.zeros(4)
                getattr(module, name)(pos, quat, np.array([1.0, 0.5, 0]), np.array([0.6, 0.8, 0, 0]), scene)
                out += [*pos, *quat]
            for name in ("mjv_cameraInModel", "mjv_cameraInRoom"):
                axes = np.zeros((3, 3))
                getattr(module, name)(*axes, scene)
                out += axes.ravel().tolist()
        res = np.zeros(3)
        module.mjv_alignToCamera(res, np.array([1.0, 2, 3]), np.array([0.5, 0.2, 0.1]))
        out += [*res, module.mjv_frustumHeight(scene)]
        for camera in (0, 1, 2):
            cam = module.MjvCamera()
            cam.type, cam.fixedcamid = 2, camera
            axes, planes = np.zeros((4, 3)), np.zeros((3, 2), np.float32)
            module.mjv_cameraFrame(*axes, d, cam)
            module.mjv_cameraFrustum(*planes, m, cam)
            gl = module.mjv_camera2GLCamera(m, d, cam)
            out += [*axes.ravel(), *planes.ravel(), *gl.pos, *gl.forward, gl.frustum_top, gl.frustum_width, gl.orthographic]
        out += [*module.mjv_averageCamera(*scene.camera).pos]
        found.append(out)
    assert np.allclose(*found, atol=1e-5), np.flatnonzero(~np.isclose(*found, atol=1e-5))


def test_cameras_that_there_are_not_raise(pairs):
    module, m, d = pairs[0]
    for kind, name in ((2, "fixedcamid"), (1, "trackbodyid")):
        cam = module.MjvCamera()
        cam.type = kind
        setattr(cam, name, 99)
        with pytest.raises(module.FatalError, match="outside valid range"):
            module.mjv_updateCamera(m, d, cam, module.MjvScene(m, 1))
    with pytest.raises(TypeError):
        module.mjv_updateScene(m, 3, module.MjvOption(), None, module.MjvCamera(), 7, module.MjvScene(m, 1))
