"""Pictures of scripts: colours, distances and numbers beside the official ones, and what else is drawn into framebuffers."""
import gc

import numpy as np
import pytest

from app.mujoco_shim import mujoco
from tests.app.mujoco_shim.models import SCENERY
from tests.render import official

WIDTH, HEIGHT = 160, 120
LIKE = 3.0      # mean difference from the official picture, of 255
RED = (1, 0, 0, 1)


@pytest.fixture(scope="module")
def state():
    m = mujoco.MjModel.from_xml_string(SCENERY)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    return m, d


@pytest.fixture(scope="module")
def shown():
    """The official picture, distances and segmentation of the first camera."""
    return official.shot(xml=SCENERY, width=WIDTH, height=HEIGHT, camera={"type": 2, "fixedcamid": 0}, what=["rgb", "depth", "seg"])


@pytest.fixture
def renderer(state):
    with mujoco.Renderer(state[0], HEIGHT, WIDTH) as made:
        made.update_scene(state[1], "front")
        yield made


@pytest.fixture
def context(state):
    made = mujoco.MjrContext(state[0], mujoco.mjtFontScale.mjFONTSCALE_100)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, made)
    yield made
    made.free()


def scene_of(m, d, maxgeom=100):
    scene, cam = mujoco.MjvScene(m, maxgeom), mujoco.MjvCamera()
    cam.type, cam.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, cam, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return scene


def read(context, rect):
    rgb, depth = np.empty((rect.height, rect.width, 3), np.uint8), np.empty((rect.height, rect.width), np.float32)
    mujoco.mjr_readPixels(rgb, depth, rect, context)
    return rgb, depth


def test_colours_are_like_the_official_ones(renderer, shown):
    rgb = renderer.render()
    assert rgb.shape == (HEIGHT, WIDTH, 3) and rgb.dtype == np.uint8
    assert np.abs(rgb.astype(int) - shown["rgb"]).mean() < LIKE and rgb.std() > 20


def test_distances_are_the_official_ones(renderer, shown):
    renderer.enable_depth_rendering()
    depth = renderer.render()
    off, seen = np.abs(depth - shown["depth"]), shown["depth"] < 100
    assert depth.dtype == np.float32 and np.median(off[seen]) < 1e-3 and np.mean(off[seen] > 0.05) < 0.02
    assert 0.2 < seen.mean() < 1 and np.allclose(depth[~seen], shown["depth"][~seen], rtol=1e-3)     # the far plane, which single precision blurs there
    renderer.disable_depth_rendering()
    assert renderer.render().shape == (HEIGHT, WIDTH, 3)


def test_segmentation_is_the_official_one(renderer, shown):
    renderer.enable_segmentation_rendering()
    seen = renderer.render()
    assert seen.dtype == np.int32 and np.mean((seen != shown["seg"]).any(axis=-1)) < 0.02 and len(np.unique(seen[..., 0])) > 4


def test_an_orthographic_camera_has_distances_in_proportion(state):
    m, d = state
    with mujoco.Renderer(m, 51, 51) as flat:
        flat.update_scene(d, "flat")
        flat.enable_depth_rendering()
        depth = flat.render()
    pos, mat = d.cam_xpos[1], d.cam_xmat[1].reshape(3, 3)
    geom = np.zeros(1, np.int32)
    distance = mujoco.mj_ray(m, d, pos, -mat[:, 2], None, 1, -1, geom)
    assert abs(depth[25, 25] - distance) < 0.02


def test_what_a_script_adds_and_changes_is_drawn(renderer):
    before = renderer.render()
    scene = renderer.scene
    first = scene.ngeom
    mujoco.mjv_initGeom(scene.geoms[first], mujoco.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.5), np.array([0, -1, 1.0]), np.eye(3).ravel(), np.array(RED, np.float32))
    scene.ngeom += 1
    added = renderer.render()
    assert not np.array_equal(before, added) and ((added[..., 0] > 100) & (added[..., 1] < 30)).sum() > 200
    mujoco.mjv_connector(scene.geoms[first], mujoco.mjtGeom.mjGEOM_LINE, 3, np.array([-2, -1, 1.0]), np.array([2, -1, 1.0]))
    assert not np.array_equal(added, renderer.render())
    scene.ngeom -= 1
    assert np.array_equal(before, renderer.render())
    scene.geoms[0].rgba = (0, 0, 1, 1)
    scene.lights[0].diffuse = 0
    assert not np.array_equal(before, renderer.render())


def test_labels_are_written(state, renderer):
    before = renderer.render()
    option = mujoco.MjvOption()
    option.label = mujoco.mjtLabel.mjLABEL_GEOM
    renderer.update_scene(state[1], "front", option)
    assert renderer.scene.geoms[0].label == "floor" and not np.array_equal(before, renderer.render())


def test_options_and_flags_count(state, renderer):
    before, option = renderer.render(), mujoco.MjvOption()
    option.geomgroup[:] = 0
    renderer.update_scene(state[1], "front", scene_option=option)
    assert renderer.render().std() < before.std()
    renderer.update_scene(state[1], 0)
    renderer.scene.flags[mujoco.mjtRndFlag.mjRND_WIREFRAME] = 1
    assert not np.array_equal(before, renderer.render())


def test_written_colours_and_textures_are_seen(context):
    m = mujoco.MjModel.from_xml_string(SCENERY)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m, HEIGHT, WIDTH) as mine:
        mine.update_scene(d, "front")
        before = mine.render()
        m.geom_rgba[0] = RED
        mine.update_scene(d, "front")
        second = mine.render()
        m.tex_data[:] = 0
        mujoco.mjr_uploadTexture(m, mine._mjr_context, 0)
        mine.update_scene(d, "front")
        assert not np.array_equal(before, second) and not np.array_equal(second, mine.render())
    with pytest.raises(mujoco.FatalError, match="invalid texture id 7"):
        mujoco.mjr_uploadTexture(m, context, 7)


def test_arrays_that_pictures_go_into(renderer):
    expected = renderer.render()
    for out in (np.zeros((HEIGHT, WIDTH, 3), np.uint8), np.zeros((HEIGHT, WIDTH, 3), np.int32), np.asfortranarray(np.zeros((HEIGHT, WIDTH, 3), np.uint8))):
        assert renderer.render(out=out) is out and np.array_equal(out, expected)
    with pytest.raises(ValueError, match="Expected `out.shape"):
        renderer.render(out=np.zeros((3, 3, 3), np.uint8))


def test_cameras_sizes_and_closing(state):
    m, d = state
    with pytest.raises(ValueError, match="Image width 401 > framebuffer width 400"):
        mujoco.Renderer(m, 10, 401)
    with pytest.raises(ValueError, match="Image height 301 > framebuffer height 300"):
        mujoco.Renderer(m, height=301, width=10)
    made = mujoco.Renderer(m, height=20, width=30, max_geom=50)
    for camera, said in (("none", 'camera "none" does not exist'), (-2, "-2 is out of range"), (3, "3 is out of range")):
        with pytest.raises(ValueError, match=said):
            made.update_scene(d, camera=camera)
    made.update_scene(d)
    assert (made.height, made.width, made.scene.maxgeom, made.model) == (20, 30, 50, m)
    made.close()
    made.close()
    with pytest.raises(RuntimeError, match="after close"):
        made.render()


def test_one_that_is_forgotten_does_not_disturb_another(state, renderer):
    expected = renderer.render()
    other = [mujoco.Renderer(state[0], 30, 30)]
    other[0].update_scene(state[1])
    other.append(other)
    other[0].render()
    del other
    gc.collect()
    assert np.array_equal(renderer.render(), expected)


# ---------------------------------------------------------------- mjr_*


def test_pixels_have_the_bottom_row_first_and_parts_of_the_buffer_stay(state, context, renderer):
    scene = scene_of(*state)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)     # the renderer was current
    mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, 400, 300), 0, 1, 0, 1)
    mujoco.mjr_render(mujoco.MjrRect(40, 30, WIDTH, HEIGHT), scene, context)
    rgb, depth = read(context, mujoco.MjrRect(0, 0, 400, 300))
    part = rgb[30:30 + HEIGHT, 40:40 + WIDTH]
    assert np.array_equal(part[::-1], renderer.render()) and (rgb[:30] == (0, 255, 0)).all() and (rgb[:, :40] == (0, 255, 0)).all()
    assert (depth[:30] == 1).all() and 0 < depth[30:30 + HEIGHT, 40:40 + WIDTH].min() < 1


def test_depths_go_either_way(state, context):
    mujoco.mjr_render(mujoco.MjrRect(0, 0, 50, 40), scene_of(*state), context)
    rect = mujoco.MjrRect(0, 0, 50, 40)
    near = read(context, rect)[1]
    context.readDepthMap = mujoco.mjtDepthMap.mjDEPTH_ZEROFAR
    assert np.allclose(near + read(context, rect)[1], 1, atol=1e-6)


def test_two_pictures_beside_each_other_keep_colours_and_depths(state, context):
    scene = scene_of(*state)
    left, right = mujoco.MjrRect(0, 0, 50, 40), mujoco.MjrRect(50, 0, 50, 40)
    mujoco.mjr_render(left, scene, context)
    mujoco.mjr_render(right, scene, context)
    one, two = read(context, left), read(context, right)
    assert np.array_equal(one[0], two[0]) and np.array_equal(one[1], two[1]) and one[1].min() < 1


def test_numbers_of_geoms_as_colours(state, context):
    scene, rect = scene_of(*state), mujoco.MjrRect(0, 0, 80, 60)
    scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = scene.flags[mujoco.mjtRndFlag.mjRND_IDCOLOR] = 1
    scene.geoms[0].segid = -1
    mujoco.mjr_render(rect, scene, context)
    rgb, _depth = read(context, rect)
    numbers = set(np.unique(rgb[..., 0] + 256 * rgb[..., 1].astype(int)).tolist())
    assert numbers <= set(range(scene.ngeom + 1)) and 1 not in numbers and len(numbers) > 3


def test_a_scene_that_is_moved_turned_and_scaled_with_its_camera_looks_the_same(state, context):
    rect, scene = mujoco.MjrRect(0, 0, 80, 60), scene_of(*state)
    mujoco.mjr_render(rect, scene, context)
    before = read(context, rect)[0]
    scene.enabletransform, scene.scale, scene.translate[:], scene.rotate[:] = 1, 2.0, (1, 2, 3), (np.cos(0.3), 0, 0, np.sin(0.3))
    mujoco.mjr_render(rect, scene, context)
    assert not np.array_equal(read(context, rect)[0], before)
    for gl in scene.camera:
        for name in ("pos", "forward", "up"):
            at, _quat = np.zeros(3), np.zeros(4)
            mujoco.mjv_model2room(at, _quat, getattr(gl, name).astype(float), np.array([1.0, 0, 0, 0]), scene)
            setattr(gl, name, at if name == "pos" else (at - scene.translate) / 2)
        for name in ("frustum_near", "frustum_far", "frustum_top", "frustum_bottom"):
            setattr(gl, name, 2 * getattr(gl, name))
    mujoco.mjr_render(rect, scene, context)
    assert np.abs(read(context, rect)[0].astype(int) - before).mean() < 1


def test_side_by_side(state, context):
    scene, rect = scene_of(*state), mujoco.MjrRect(0, 0, 160, 60)
    scene.stereo = mujoco.mjtStereo.mjSTEREO_SIDEBYSIDE
    mujoco.mjr_render(rect, scene, context)
    rgb = read(context, rect)[0]
    assert rgb[:, :80].std() > 10 and not np.array_equal(rgb[:, :80], rgb[:, 80:]) and np.abs(rgb[:, :80].astype(int) - rgb[:, 80:]).mean() < 40


def test_texts_boxes_and_frames(state, context):
    rect, scene = mujoco.MjrRect(0, 0, 200, 100), scene_of(*state)
    scene.framewidth, scene.framergb[:] = 2, (1, 0, 0)
    mujoco.mjr_render(rect, scene, context)
    before = read(context, rect)[0]
    assert (before[:2] == (255, 0, 0)).all() and (before[:, -2:] == (255, 0, 0)).all()
    for write in (lambda: mujoco.mjr_text(mujoco.mjtFont.mjFONT_NORMAL, "here", context, 0.1, 0.1, 1, 1, 1),
                  lambda: mujoco.mjr_overlay(mujoco.mjtFont.mjFONT_BIG, mujoco.mjtGridPos.mjGRID_TOPRIGHT, rect, "Time\nSpeed", "1.0\n2.0", context),
                  lambda: mujoco.mjr_overlay(mujoco.mjtFontScale.mjFONTSCALE_150, mujoco.mjtGridPos.mjGRID_BOTTOMLEFT, rect, b"bytes", b"", context),
                  lambda: mujoco.mjr_label(mujoco.MjrRect(50, 40, 40, 20), 0, "a", 0, 0, 1, 1, 1, 1, 1, context)):
        write()
        after = read(context, rect)[0]
        assert not np.array_equal(before, after)
        before = after
    changed = read(context, mujoco.MjrRect(50, 40, 40, 20))[0]
    assert (changed == (0, 0, 255)).all(axis=-1).mean() > 0.5


def test_a_chart(context):
    figure, rect = mujoco.MjvFigure(), mujoco.MjrRect(20, 10, 300, 200)
    mujoco.mjv_defaultFigure(figure)
    figure.title, figure.xlabel, figure.flg_extend, figure.linename[0] = "speed", "time", 0, "wheel"
    figure.range[0][:], figure.range[1][:] = (0, 2), (-1, 1)
    figure.linergb[0], figure.linepnt[0] = (1, 0, 1), 2
    figure.linedata[0][:4] = (0, -1, 2, 1)
    mujoco.mjr_rectangle(mujoco.MjrRect(0, 0, 400, 300), 0, 1, 0, 1)
    mujoco.mjr_figure(rect, figure, context)
    rgb = read(context, mujoco.MjrRect(0, 0, 400, 300))[0]
    line = (rgb[..., 0] > 200) & (rgb[..., 1] < 60) & (rgb[..., 2] > 200)
    low, high = np.argwhere(line)[:, 0].min(), np.argwhere(line)[:, 0].max()
    assert line.sum() > 200 and abs(low - figure.yaxispixel[0]) < 6 and abs(high - figure.yaxispixel[1]) < 6
    assert np.allclose(figure.xaxisdata, (0, 2)) and 20 <= figure.xaxispixel[0] < figure.xaxispixel[1] <= 320 and (rgb[:10] == (0, 255, 0)).all()


def test_buffers_are_copied_and_drawn_into(state, context):
    rect = mujoco.MjrRect(0, 0, 60, 40)
    mujoco.mjr_render(rect, scene_of(*state), context)
    before = read(context, rect)[0]
    mujoco.mjr_addAux(0, 60, 40, 0, context)
    mujoco.mjr_setAux(0, context)
    mujoco.mjr_rectangle(rect, 0, 0, 1, 1)
    mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, context)
    assert np.array_equal(read(context, rect)[0], before)
    mujoco.mjr_blitAux(0, mujoco.MjrRect(0, 0, 10, 10), 5, 5, context)
    assert (read(context, mujoco.MjrRect(5, 5, 10, 10))[0] == (0, 0, 255)).all() and np.array_equal(read(context, rect)[0][20:], before[20:])
    pixels = np.full((4, 6, 3), 7, np.uint8)
    mujoco.mjr_drawPixels(pixels, None, mujoco.MjrRect(20, 20, 6, 4), context)
    assert (read(context, mujoco.MjrRect(20, 20, 6, 4))[0] == 7).all()
    full = mujoco.mjr_maxViewport(context)
    assert (full.width, full.height) == (400, 300)
    mujoco.mjr_resizeOffscreen(64, 32, context)
    full = mujoco.mjr_maxViewport(context)
    assert (full.width, full.height, context.offWidth, context.offHeight) == (64, 32, 64, 32)


def test_arrays_that_pixels_cannot_go_into(context):
    rect = mujoco.MjrRect(0, 0, 10, 10)
    for rgb, depth, said in ((np.empty(299, np.uint8), None, "rgb buffer is too small"), (None, np.empty(99, np.float32), "depth buffer is too small"),
                             (np.empty((20, 20, 3), np.uint8)[::2, ::2], None, "rgb buffer must be C-contiguous")):
        for function in (mujoco.mjr_readPixels, mujoco.mjr_drawPixels):
            if function is mujoco.mjr_readPixels or rgb is None or rgb.flags.c_contiguous:
                with pytest.raises(ValueError, match=said):
                    function(rgb, depth, rect, context)
    with pytest.raises(ValueError, match="non-negative"):
        mujoco.mjr_readPixels(None, None, mujoco.MjrRect(0, 0, -1, 3), context)


def test_a_context_that_is_freed_draws_no_more(state):
    made = mujoco.MjrContext(state[0], 150)
    made.free()
    made.free()
    with pytest.raises(mujoco.FatalError, match="freed"):
        mujoco.mjr_render(mujoco.MjrRect(0, 0, 10, 10), scene_of(*state), made)
    with pytest.raises(ValueError, match="mjtFontScale"):
        mujoco.MjrContext(state[0], 7)


def test_contexts_of_opengl_have_the_official_methods():
    for module in (mujoco, mujoco.egl, mujoco.osmesa, mujoco.glfw, mujoco.gl_context):
        gl = module.GLContext(10, 20)
        gl.make_current()
        with gl.as_current():
            pass
        gl.free()
        gl.free()
    info = mujoco.MjrRendererInfo()
    mujoco.mjr_getRendererInfo(info)
    assert (info.renderer, info.backend) == ("classic", "opengl") and mujoco.mjr_getError() == 0
    assert mujoco.mjr_findRect(5, 5, 2, [mujoco.MjrRect(0, 0, 2, 2), mujoco.MjrRect(4, 4, 3, 3)]) == 1
