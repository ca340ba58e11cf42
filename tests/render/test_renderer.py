"""What pixels show, with colours that follow from the scene by hand. Software GL (see conftest)."""
import ctypes
import ctypes.util
from dataclasses import replace

import numpy as np
import pytest

from render.gpu import context
from render.offscreen import Offscreen
from render.quality import QUALITIES, choose, is_software
from render.renderer import Renderer
from render.scene import shapes
from render.scene.camera import CameraState, Lens, View, free_view
from render.scene.snapshot import MeshAsset, Texture
from tests.render.stage import ABOVE, FRONT, LENS, flat_scene, floor, one, textured

GL_UNPACK_ALIGNMENT = 0x0CF5
RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)


def center(rgb, dx=0, dy=0):
    """Colour dx right of and dy above the middle, in pixels."""
    return rgb[60 - dy, 80 + dx].astype(int)


def near(color, expected, tolerance=2):
    return np.abs(np.asarray(color, int) - expected).max() <= tolerance


# ------------------------------------------------------------------ shapes

SOLIDS = [(shapes.SPHERE, (0.5, 0.5, 0.5)), (shapes.CAPSULE, (0.3, 0.3, 0.5)), (shapes.ELLIPSOID, (0.5, 0.3, 0.8)), (shapes.CYLINDER, (0.4, 0.4, 0.6)),
          (shapes.BOX, (0.5, 0.3, 0.7))]
# silhouette area seen along -y from far away [m^2]
AREAS = {shapes.SPHERE: np.pi * 0.25, shapes.CAPSULE: np.pi * 0.09 + 0.6, shapes.ELLIPSOID: np.pi * 0.4, shapes.CYLINDER: 0.8 * 1.2, shapes.BOX: 1.0 * 1.4}


@pytest.mark.parametrize(('shape', 'size'), SOLIDS)
def test_silhouette_has_the_shapes_area(offscreen, shape, size):
    view = free_view(CameraState(distance=10, elevation=0), Lens(3, 0.1, 50, orthographic=True))
    seen = offscreen.segments(one(shape, size), view) == 0
    metre = 120 / 3
    assert seen.sum() / metre ** 2 == pytest.approx(AREAS[shape], rel=0.02)     # 28-sided silhouettes lose about 1 %


@pytest.mark.parametrize(('shape', 'size', 'front'), [(shapes.SPHERE, (0.5, 0.5, 0.5), 0.5), (shapes.BOX, (0.5, 0.3, 0.7), 0.3),
                                                       (shapes.CAPSULE, (0.3, 0.3, 0.5), 0.3), (shapes.ELLIPSOID, (0.5, 0.2, 0.8), 0.2)])
def test_depth_is_the_distance_along_the_view(offscreen, shape, size, front):
    depth = offscreen.depth(one(shape, size), FRONT)
    assert depth[60, 80] == pytest.approx(4 - front, abs=0.012)     # facets of round shapes lie up to 1 - cos(pi/28) inside
    assert np.isinf(depth[0, 0])


def test_plane_depth_is_exact(offscreen):
    scene = flat_scene()
    floor(scene, size=(0, 0, 1))
    view = free_view(CameraState(distance=3, elevation=-30), LENS)
    depth = offscreen.depth(scene, view)
    for row in (60, 90, 119):
        slope = (row + 0.5 - 60) / 60 * np.tan(np.radians(22.5))      # tangent below the axis
        height, down = 1.5, np.radians(30)
        expected = height / (np.sin(down) + slope * np.cos(down))
        assert depth[row, 80] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize('shape', [shapes.ARROW, shapes.ARROW1, shapes.ARROW2])
def test_arrows_reach_from_pos_to_their_length(offscreen, shape):
    view = free_view(CameraState(distance=10, elevation=0), Lens(3, 0.1, 50, orthographic=True))
    rows = np.flatnonzero((offscreen.segments(one(shape, (0.1, 0.1, 1.2)), view) == 0).any(1))
    top, bottom = 60 - rows.min(), 60 - 1 - rows.max()
    assert top == pytest.approx(1.2 * 40, abs=3) and bottom == pytest.approx(0, abs=3)      # pointed ends fall between pixels


def test_infinite_plane_fills_the_lower_half(offscreen):
    scene = flat_scene()
    floor(scene, (0, 1, 0, 1), size=(0, 0, 1))
    eye = free_view(CameraState(lookat=(0, 0, 1), distance=4, elevation=0), LENS)
    rgb = offscreen.rgb(scene, eye)
    assert near(center(rgb, dy=-8), GREEN) and near(center(rgb, dy=8), (0, 0, 0))
    assert near(rgb[64, 1], GREEN) and near(rgb[119, 158], GREEN)


def test_infinite_plane_far_from_the_origin_keeps_its_texture_in_place(offscreen):
    checker = np.zeros((64, 64, 3), np.uint8)
    checker[:32, :32] = checker[32:, 32:] = 255
    scene = textured(shapes.PLANE, (0, 0, 1), checker, repeat=(1, 1))
    here = offscreen.rgb(scene, free_view(CameraState(lookat=(0.4, 0.3, 0), distance=3, elevation=-70), LENS))
    there = offscreen.rgb(scene, free_view(CameraState(lookat=(400.4, -799.7, 0), distance=3, elevation=-70), LENS))     # whole periods of 2 m away
    assert np.abs(here.astype(int) - there).mean() < 1.5
    assert here.std() > 60


# ------------------------------------------------------------------ light

def test_ambient_light_shows_the_exact_colour(offscreen):
    assert near(center(offscreen.rgb(one(shapes.BOX, (1, 1, 1), (0.2, 0.4, 0.6, 1)), FRONT)), (51, 102, 153), 1)


def test_diffuse_follows_the_cosine(offscreen):
    for angle in (0, 30, 60, 80):
        scene = flat_scene(0)
        floor(scene)
        k = scene.lights.add(1).start
        a = np.radians(angle)
        scene.lights.type[k], scene.lights.dir[k], scene.lights.diffuse[k], scene.lights.specular[k] = 1, (np.sin(a), 0, -np.cos(a)), 0.8, 0
        assert near(center(offscreen.rgb(scene, ABOVE)), np.full(3, 255 * 0.8 * np.cos(a)), 2)


def test_spot_cutoff_exponent_and_attenuation(offscreen):
    scene = flat_scene(0)
    floor(scene)
    k = scene.lights.add(1).start
    lights = scene.lights
    lights.pos[k], lights.dir[k], lights.cutoff[k], lights.exponent[k], lights.attenuation[k] = (0, 0, 2), (0, 0, -1), 20, 4, (1, 0.5, 0)
    lights.diffuse[k], lights.specular[k], lights.castshadow[k] = 1, 0, False
    rgb = offscreen.rgb(scene, ABOVE)
    assert near(center(rgb), np.full(3, 255 / 2), 2)        # 1 / (1 + 0.5 * 2)
    metre = 60 / (4 * np.tan(np.radians(22.5)))
    off = int(0.5 * metre)
    c = 2 / np.hypot(2, (off + 0.5) / metre)
    assert near(center(rgb, dx=off), np.full(3, 255 * c ** 5 / (1 + 0.5 * 2 / c)), 4)
    assert near(center(rgb, dx=int(2 * np.tan(np.radians(20)) * metre) + 2), (0, 0, 0))


def test_headlight_specular_and_emission(offscreen):
    scene = one(shapes.BOX, (1, 1, 1), (0.5, 0.5, 0.5, 1))
    scene.headlight.ambient, scene.headlight.diffuse, scene.headlight.specular = (0, 0, 0), (0.4,) * 3, (0.5,) * 3
    row = scene.assets.materials.add(1).start
    scene.assets.materials.specular[row], scene.assets.materials.shininess[row], scene.assets.materials.emission[row] = 0.6, 0.5, 0.2
    scene.geoms.matid[0] = row
    orthographic = free_view(CameraState(distance=4, elevation=0), Lens(3, 0.1, 50, orthographic=True))
    assert near(center(offscreen.rgb(scene, orthographic)), np.full(3, 255 * (0.5 * 0.2 + 0.5 * 0.4 + 0.6 * 0.5)), 2)
    scene.geoms.glow[0] = 0.3
    assert near(center(offscreen.rgb(scene, orthographic)), np.full(3, 255 * (0.5 * 0.5 + 0.5 * 0.4 + 0.6 * 0.5)), 2)


def test_without_lights_there_is_some_ambient(offscreen):
    scene = one(shapes.BOX, (1, 1, 1), WHITE + (1,))
    scene.geoms.rgba[0] = 1
    scene.headlight.active = False
    assert near(center(offscreen.rgb(scene, FRONT)), np.full(3, 0.3 * 255), 1)


def shadow_scene(lights=1):
    scene = flat_scene(0.2)
    floor(scene)
    scene.geoms.put(shapes.BOX, (0, 0, 1), (0.3, 0.3, 0.05), (1, 1, 1, 1))
    scene.look.extent = 3
    for j in range(lights):
        k = scene.lights.add(1).start
        scene.lights.type[k], scene.lights.diffuse[k], scene.lights.specular[k] = 1, 0.6 / lights, 0
        scene.lights.pos[k], scene.lights.dir[k] = (-2 + 4 * j, 0, 3), (1 - 2 * j, 0, -1)
    return scene


@pytest.mark.parametrize('quality', ['classic', 'high', 'low'])
def test_shadow_darkens_to_the_other_lights(quality):
    with Offscreen(160, 120, QUALITIES[quality]) as off:
        scene = shadow_scene()
        rgb = off.rgb(scene, ABOVE)
        metre = 60 / (4 * np.tan(np.radians(22.5)))
        at = int(0.95 * metre)      # the box at height 1 shades about x = 1, seen from above
        assert near(center(rgb, dx=at), np.full(3, 0.2 * 255), 3)
        assert near(center(rgb, dx=-at), np.full(3, (0.2 + 0.6 * np.sqrt(0.5)) * 255), 3)
        scene.flags.shadow = False
        assert near(center(off.rgb(scene, ABOVE), dx=at), np.full(3, (0.2 + 0.6 * np.sqrt(0.5)) * 255), 3)


def test_each_of_two_lights_has_its_own_shadow(offscreen):
    rgb = offscreen.rgb(shadow_scene(2), ABOVE)
    metre = 60 / (4 * np.tan(np.radians(22.5)))
    half = (0.2 + 0.3 * np.sqrt(0.5)) * 255
    for dx in (int(0.95 * metre), -int(0.95 * metre)):
        assert near(center(rgb, dx=dx), np.full(3, half), 3)
    assert near(center(rgb, dy=int(1.2 * metre)), np.full(3, (0.2 + 0.6 * np.sqrt(0.5)) * 255), 3)


def test_decor_casts_no_shadow(offscreen):
    scene = shadow_scene()
    scene.geoms.flags[1] = shapes.DECOR
    metre = 60 / (4 * np.tan(np.radians(22.5)))
    assert near(center(offscreen.rgb(scene, ABOVE), dx=int(0.95 * metre)), np.full(3, (0.2 + 0.6 * np.sqrt(0.5)) * 255), 3)


# ------------------------------------------------------------------ textures

QUARTERS = np.array([[RED, GREEN], [BLUE, WHITE]], np.uint8).repeat(32, 0).repeat(32, 1)


def test_plane_texture_first_row_at_positive_y(offscreen):
    rgb = offscreen.rgb(textured(shapes.PLANE, (1, 1, 1), QUARTERS), ABOVE)      # +y up in the picture
    assert near(center(rgb, -15, 15), RED) and near(center(rgb, 15, 15), GREEN) and near(center(rgb, -15, -15), BLUE) and near(center(rgb, 15, -15), WHITE)


def test_texrepeat_and_texuniform(offscreen):
    plain = offscreen.rgb(textured(shapes.PLANE, (0.8, 0.8, 1), QUARTERS, repeat=(2, 2)), ABOVE)
    metre = 60 / (4 * np.tan(np.radians(22.5)))
    quarter = int(0.2 * metre)
    for dx, color in ((-3, RED), (-1, GREEN), (1, RED)):
        assert near(center(plain, dx * quarter, 3 * quarter), color)
    uniform = offscreen.rgb(textured(shapes.PLANE, (0.5, 0.5, 1), QUARTERS, repeat=(2, 2), uniform=True), ABOVE)      # 2 * 0.5 = once
    assert near(center(uniform, -8, 8), RED) and near(center(uniform, 8, -8), WHITE)


def test_cube_texture_faces_follow_the_axes(offscreen):
    colors = [RED, (255, 0, 255), GREEN, (255, 255, 0), BLUE, (0, 255, 255)]      # +x -x +y -y +z -z
    faces = np.concatenate([np.broadcast_to(np.uint8(c), (16, 16, 3)) for c in colors])
    for shape, size in ((shapes.BOX, (0.6, 0.6, 0.6)), (shapes.SPHERE, (0.6, 0.6, 0.6)), (shapes.CAPSULE, (0.4, 0.4, 0.4))):
        scene = textured(shape, size, faces, 'cube')
        assert near(center(offscreen.rgb(scene, FRONT)), (255, 255, 0), 4)      # looking at -y
        assert near(center(offscreen.rgb(scene, ABOVE)), BLUE, 4)


def test_texture_switch_and_missing_texture(offscreen):
    scene = textured(shapes.PLANE, (1, 1, 1), QUARTERS)
    scene.texture_on = False
    assert near(center(offscreen.rgb(scene, ABOVE), -15, 15), WHITE)
    scene.texture_on = True
    scene.assets.materials.texid[0] = 99
    assert near(center(offscreen.rgb(scene, ABOVE), -15, 15), WHITE)


def test_changed_assets_are_uploaded_on_touch(offscreen):
    scene = textured(shapes.PLANE, (1, 1, 1), QUARTERS)
    offscreen.rgb(scene, ABOVE)
    scene.assets.textures[0] = Texture('2d', np.full((4, 4, 3), (0, 0, 255), np.uint8))
    scene.assets.touch()
    assert near(center(offscreen.rgb(scene, ABOVE), -15, 15), BLUE)


def test_grey_and_alpha_channels(offscreen):
    assert near(center(offscreen.rgb(textured(shapes.PLANE, (1, 1, 1), np.full((4, 4, 1), 100)), ABOVE)), (100, 100, 100))
    assert near(center(offscreen.rgb(textured(shapes.PLANE, (1, 1, 1), np.full((4, 4, 2), 100)), ABOVE)), (100, 100, 100))


def test_a_cube_of_wrong_shape_is_refused(offscreen):
    with pytest.raises(ValueError, match='six squares'):
        offscreen.rgb(textured(shapes.BOX, (1, 1, 1), np.zeros((30, 10, 3)), 'cube'), FRONT)


def test_sky_surrounds_and_can_be_switched_off(offscreen):
    scene = flat_scene()
    colors = [RED, (255, 0, 255), (0, 0, 255), (255, 255, 0), GREEN, (0, 255, 255)]     # right left up down front back
    faces = np.concatenate([np.broadcast_to(np.uint8(c), (16, 16, 3)) for c in colors])
    scene.assets.textures.append(Texture('skybox', faces))
    scene.assets.skybox = 0
    up = View((0, 0, 0), (0, 0, 1), (0, 1, 0), 0.004, -0.004, 0.01, 50)
    assert near(center(offscreen.rgb(scene, up)), BLUE)
    assert near(center(offscreen.rgb(scene, free_view(CameraState(azimuth=0, elevation=0), LENS))), RED)
    scene.flags.skybox = False
    assert near(center(offscreen.rgb(scene, up)), (0, 0, 0))


# ------------------------------------------------------------------ blending, mirror, lines, flags

def test_transparent_layers_blend_in_depth_order_whatever_their_row_order(offscreen):
    layers = [((0, 1, 0), (0.0, 1, 0, 0.5)), ((0, 0, 0), (1, 0, 0, 0.5)), ((0, -1, 0), (0, 0, 1.0, 0.5))]      # far to near
    expected = np.zeros(3)
    for _, rgba in (*layers[::-1], *layers):        # in both orders, as in the official picture
        expected = (1 - rgba[3]) * expected + rgba[3] * 255 * np.array(rgba[:3])
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        scene = flat_scene()
        for k in order:
            scene.geoms.put(shapes.BOX, layers[k][0], (0.5, 0.05, 0.5), layers[k][1])
        assert near(center(offscreen.rgb(scene, FRONT)), expected, 3)


def test_opaque_hides_transparent_and_depth_knows_both(offscreen):
    scene = one(shapes.BOX, (0.5, 0.05, 0.5), (1, 0, 0, 1))
    scene.geoms.put(shapes.BOX, (0, 1, 0), (0.5, 0.05, 0.5), (0, 1, 0, 0.5))
    assert near(center(offscreen.rgb(scene, FRONT)), RED)
    scene.geoms.rgba[0, 3], scene.geoms.rgba[1, 3] = 0.5, 1
    assert offscreen.depth(scene, FRONT)[60, 80] == pytest.approx(3.95, abs=1e-3)     # as in the official arrays
    assert offscreen.segments(scene, FRONT)[60, 80] == 0


def test_additive_adds(offscreen):
    scene = one(shapes.BOX, (0.5, 0.05, 0.5), (1, 0, 0, 0.5))
    scene.geoms.put(shapes.BOX, (0, 1, 0), (0.5, 0.05, 0.5), (0, 1, 0, 0.5))
    scene.flags.additive = True
    assert near(center(offscreen.rgb(scene, FRONT)), (128, 128, 0))


def test_plane_from_behind_is_faint(offscreen):
    scene = flat_scene()
    floor(scene)
    below = free_view(CameraState(distance=4, elevation=89), LENS)
    a = 1 - (1 - 0.3) ** 2
    assert near(center(offscreen.rgb(scene, below)), np.full(3, 255 * a), 3)


def mirror_scene(shape=shapes.PLANE, size=(2, 2, 1), pos=(0, 0, 0)):
    scene = flat_scene()
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.5
    scene.geoms.put(shape, pos, size, (0, 0, 0.4, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0, 0, 0.8), (0.3, 0.3, 0.2), (1, 0, 0, 1))
    return scene


@pytest.mark.parametrize('quality', ['classic', 'low'])
@pytest.mark.parametrize(('shape', 'size', 'pos'), [(shapes.PLANE, (2, 2, 1), (0, 0, 0)), (shapes.PLANE, (0, 0, 1), (0, 0, 0)),
                                                    (shapes.BOX, (2, 2, 0.1), (0, 0, -0.1))])
def test_mirror_shows_the_mirrored_box_dimmed(quality, shape, size, pos):
    with Offscreen(160, 120, QUALITIES[quality]) as off:
        view = free_view(CameraState(lookat=(0, 0, 0), distance=4, elevation=-20), LENS)
        scene = mirror_scene(shape, size, pos)
        rgb = off.rgb(scene, view)
        from render.scene.camera import project
        (x, y), = project(view, [(0, -0.3, -0.8)], (160, 120))[0]      # where the mirror image of the front face is seen
        assert near(rgb[int(y), int(x)], (128, 0, 102), 6)
        scene.flags.reflection = False
        assert near(off.rgb(scene, view)[int(y), int(x)], (0, 0, 102), 2)


def test_mirror_shows_lines_above_it_only(offscreen):
    from render.scene.camera import project
    view = free_view(CameraState(lookat=(0, 0, 0), distance=4, elevation=-20), LENS)
    scene = mirror_scene()
    for z, color in ((0.6, (0, 1, 0, 1)), (-0.3, (0, 1, 0, 1))):      # the second lies below the plane: its image would stand above
        scene.lines.put((-1, -1, z), (1, -1, z), color, 6)
    rgb = offscreen.rgb(scene, view)
    (x, y), (_, above) = project(view, [(0, -1, -0.6), (0, -1, 0.3)], (160, 120))[0]
    assert near(rgb[int(y), int(x)], (0, 128, 102), 6)
    assert near(rgb[int(above), int(x)], (0, 0, 102), 6)


def test_mirror_from_behind_shows_nothing(offscreen):
    below = free_view(CameraState(distance=4, elevation=40), LENS)
    scene = mirror_scene()
    with_mirror = offscreen.rgb(scene, below)
    assert with_mirror[..., 0].max() == pytest.approx(255 * 0.49, abs=3)      # the box through the faint plane
    scene.flags.reflection = False
    assert np.array_equal(with_mirror, offscreen.rgb(scene, below))


def test_lines_have_their_width_in_pixels(offscreen):
    scene = flat_scene()
    scene.lines.put((-5, 0, 0), (5, 0, 0), (0, 1, 0, 1), 4)
    rgb = offscreen.rgb(scene, FRONT)
    assert (rgb[:, 80, 1] > 128).sum() == 4 and near(center(rgb), GREEN)
    behind = flat_scene()
    behind.lines.put((0, -9, 0.1), (0, 9, 0.1), (0, 1, 0, 1), 2)      # starts behind the eye
    assert (offscreen.rgb(behind, FRONT)[..., 1] > 128).any()


def test_line_and_linebox_instances(offscreen):
    scene = one(shapes.LINE, (2, 0, 1), (1, 0, 0, 1))
    assert (offscreen.rgb(scene, FRONT)[40:60, 78:82, 0] > 128).any()
    frame = offscreen.rgb(one(shapes.LINEBOX, (0.5, 0.5, 0.5), (1, 0, 0, 1)), FRONT)
    assert near(center(frame), (0, 0, 0)) and frame[..., 0].max() > 200


def test_wireframe_is_mostly_empty(offscreen):
    scene = one(shapes.SPHERE, (0.8, 0.8, 0.8))
    scene.look.numslices = scene.look.numstacks = 10
    full = (offscreen.rgb(scene, FRONT)[..., 0] > 60).sum()
    scene.flags.wireframe = True
    wire = (offscreen.rgb(scene, FRONT)[..., 0] > 60).sum()
    assert 0.05 * full < wire < 0.8 * full


def test_fog_hides_what_is_far(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5), (1, 0, 0, 1))
    scene.flags.fog, scene.look.fog_rgba, scene.look.fogstart, scene.look.fogend = True, (0, 0, 1, 1), 1, 6      # front face at 3.5: half way
    assert near(center(offscreen.rgb(scene, FRONT)), (128, 0, 128), 2)


def test_segment_and_depth_flags_paint_the_picture(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5))
    scene.geoms.segid[0] = 258
    scene.flags.segment = scene.flags.idcolor = True
    assert near(center(offscreen.rgb(scene, FRONT)), (259 & 255, 1, 0), 0)
    scene.flags.idcolor = False
    assert center(offscreen.rgb(scene, FRONT)).min() >= 25
    scene.flags.segment, scene.flags.depth, scene.look.extent = False, True, 3.5
    assert near(center(offscreen.rgb(scene, FRONT)), (128, 128, 128), 1)


def test_segmentation_reports_objects(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5), objtype=shapes.OBJ_GEOM, objid=11)
    picture = offscreen.segmentation(scene, FRONT)
    assert tuple(picture[60, 80]) == (11, shapes.OBJ_GEOM) and tuple(picture[0, 0]) == (-1, -1)


def test_model_meshes_are_drawn_and_replaced(offscreen):
    square = np.array([(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)], np.float32)
    normal = np.tile(np.float32((0, -1, 0)), (4, 1))
    uv = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], np.float32)
    face = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
    scene = textured(shapes.MESH, (0.5, 0.5, 0.5), QUARTERS)
    scene.geoms.dataid[0] = 0
    scene.assets.meshes.append(MeshAsset(square, normal, face, uv))
    rgb = offscreen.rgb(scene, FRONT)
    assert near(center(rgb, -8, 8), RED) and near(center(rgb, 8, -8), WHITE) and near(center(rgb, dy=25), (0, 0, 0))
    scene.assets.meshes[0] = MeshAsset(2 * square, normal, face, uv)
    scene.assets.touch()
    assert not near(center(offscreen.rgb(scene, FRONT), dx=8, dy=25), (0, 0, 0))


def test_bad_rows_are_left_out(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5))
    scene.geoms.put(shapes.SPHERE, (np.nan, 0, 0), (9, 9, 9), (0, 1, 0, 1))
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (9, 9, 9), (0, 1, 0, 0))      # invisible
    scene.geoms.put(shapes.HFIELD, (0, -2, 0), (1, 1, 1), (0, 1, 0, 1))     # not drawn yet
    scene.geoms.put(shapes.MESH, (0, -2, 0), (1, 1, 1), (0, 1, 0, 1))       # without a mesh
    assert near(center(offscreen.rgb(scene, FRONT)), RED)


@pytest.mark.filterwarnings('error')
def test_absurd_values_leave_a_picture(offscreen):
    scene = shadow_scene(2)
    scene.look.extent, scene.look.haze, scene.look.shadowclip = 0.0, 0.0, 0.0
    for k in range(20):
        i = scene.lights.add(1).start
        scene.lights.pos[i], scene.lights.dir[i] = ((np.nan, 0, 1), (0, 0, 3))[k % 2], ((0, 0, 0), (0, 0, -1))[k // 2 % 2]
        scene.lights.cutoff[i] = (0, 45, 90, 180)[k % 4]
    scene.geoms.put(shapes.BOX, (0, 0, 0), (0, 0, 0), (1, 0, 0, 1))
    scene.geoms.put(shapes.SPHERE, (1e30, 0, 0), (1e30, 1e30, 1e30), (1, 0, 0, 1))
    scene.lines.put((np.inf, 0, 0), (0, 0, 0), (1, 1, 1, 1), 1)
    assert offscreen.rgb(scene, ABOVE).max() > 100
    for bad in (dict(pos=(np.nan, 0, 0)), dict(near=0.0), dict(far=0.001), dict(up=FRONT.forward), dict(top=FRONT.bottom)):
        assert offscreen.rgb(scene, replace(FRONT, **bad)).max() == 0
        assert offscreen.segments(scene, replace(FRONT, **bad)).max() == -1


# ------------------------------------------------------------------ quality, hosts, life

def test_coarser_meshes_do_not_show():
    rng = np.random.default_rng(1)
    scene = flat_scene(0.3)
    scene.headlight.diffuse = (0.6,) * 3
    for k in range(40):
        scene.geoms.put((shapes.SPHERE, shapes.CAPSULE, shapes.CYLINDER)[k % 3], rng.uniform(-1.2, 1.2, 3), (0.05, 0.05, 0.1), (*rng.random(3), 1))
    pictures = []
    for name in ('classic', 'high'):
        with Offscreen(160, 120, QUALITIES[name]) as off:
            pictures.append(off.rgb(scene, FRONT).astype(int))
    assert np.abs(pictures[0] - pictures[1]).mean() < 0.6


def test_culling_what_is_outside_changes_nothing(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5))
    alone = offscreen.rgb(scene, FRONT)
    for pos in ((0, -50, 0), (60, 0, 0), (0, 0, 60)):
        scene.geoms.put(shapes.SPHERE, pos, (1, 1, 1), (0, 1, 0, 1))
    assert np.array_equal(alone, offscreen.rgb(scene, FRONT))


def test_software_drivers_get_low_quality():
    assert choose('llvmpipe (LLVM 15.0.6, 256 bits)').name == 'low' and is_software('SWR softpipe')
    assert choose('NVIDIA GeForce RTX 4090/PCIe/SSE2').name == 'high' and choose('Mesa Intel(R) UHD Graphics 620').samples == 4


def test_resizing_keeps_drawing():
    with Offscreen(32, 32, QUALITIES['low']) as off:
        scene = mirror_scene()
        for size in ((64, 40), (16, 80), (1, 1), (160, 120)):
            off.resize(*size)
            assert off.rgb(scene, FRONT).shape == (size[1], size[0], 3)
            with context.use(off.ctx):
                assert off.ctx.error == 'GL_NO_ERROR'
        assert near(center(off.rgb(one(shapes.BOX, (0.5, 0.5, 0.5)), FRONT)), RED)
        with pytest.raises(ValueError, match='at least one pixel'):
            off.resize(0, 10)
        with pytest.raises(ValueError, match='larger than this driver'):
            off.resize(10 ** 6, 10)


def test_a_new_context_draws_the_same_scene_again():
    scene = textured(shapes.BOX, (0.6, 0.6, 0.6), QUARTERS)
    pictures = []
    for _ in range(3):
        with Offscreen(80, 60, QUALITIES['low']) as off:
            pictures.append(off.rgb(scene, FRONT))
        off.close()      # closing twice is harmless
    assert np.array_equal(pictures[0], pictures[1]) and np.array_equal(pictures[0], pictures[2]) and pictures[0].max() > 200


def test_two_contexts_take_turns(offscreen):
    scene = one(shapes.BOX, (0.5, 0.5, 0.5))
    with Offscreen(160, 120, QUALITIES['classic']) as other:
        for _ in range(3):
            assert np.array_equal(offscreen.rgb(scene, FRONT), other.rgb(scene, FRONT))


def test_fifty_scenes_leave_nothing_behind(offscreen):
    gl = ctypes.CDLL(ctypes.util.find_library('GL'))

    def alive():
        with context.use(offscreen.ctx):
            return [sum(is_name(k) for k in range(1, 3000)) for is_name in (gl.glIsTexture, gl.glIsBuffer, gl.glIsFramebuffer, gl.glIsVertexArray)]

    for k in range(52):
        scene = textured((shapes.BOX, shapes.SPHERE, shapes.PLANE)[k % 3], (0.5 + 0.01 * k, 0.5, 0.5), QUARTERS, ('2d', 'cube')[k % 2] if k % 2 == 0 else '2d')
        scene.look.haze = 0.1 + 0.01 * k
        offscreen.rgb(scene, FRONT)
        if k == 1:
            before = alive()
    after = alive()
    assert before[0] > 0 and all(b - a <= 6 for a, b in zip(before, after)), (before, after)     # a few meshes and their arrays came later
    with context.use(offscreen.ctx) as ctx:
        assert ctx.error == 'GL_NO_ERROR'


def test_hosts_framebuffer_and_state_afterwards():
    ctx = context.standalone()
    with context.use(ctx):
        renderer = Renderer(ctx, QUALITIES['medium'])
        target = ctx.framebuffer([ctx.texture((160, 120), 4)])       # a host's target without depth
        renderer.draw(mirror_scene(), FRONT, target)
        assert ctx.error == 'GL_NO_ERROR' and ctx.fbo is target and not ctx.wireframe
        alignment = ctypes.c_int(0)
        ctypes.CDLL(ctypes.util.find_library('GL')).glGetIntegerv(GL_UNPACK_ALIGNMENT, ctypes.byref(alignment))
        assert alignment.value == 4       # otherwise Qt's text turns to noise
        assert np.frombuffer(target.read(components=3), np.uint8).max() > 100
        renderer.release()
        target.release()
    ctx.release()


def test_mirror_images_have_smooth_edges_as_officially():
    """Between the colours of a box and of nothing in a mirror there are some."""
    scene, between = flat_scene(), []
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 1.0
    floor(scene, (0, 0, 0, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0, 0, 1), (0.4, 0.4, 0.3), (1, 1, 1, 1), (0.9, -0.44, 0, 0.44, 0.9, 0, 0, 0, 1))
    scene.flags.reflection = True
    view = free_view(CameraState(lookat=(0, 0, 0), distance=5, azimuth=90, elevation=-20), LENS)
    for smooth in (True, False):
        with Offscreen(160, 120, replace(QUALITIES['classic'], mirror_samples=smooth)) as camera:
            image = camera.rgb(scene, view)[65:, :, 0]
        assert (image == 255).sum() > 200
        between.append(((image > 10) & (image < 245)).sum())
    assert between[0] > 30 and between[1] < 0.5 * between[0]


def test_a_picture_is_the_callers(offscreen):
    with Offscreen(8, 1) as camera:
        first = camera.rgb(one(shapes.BOX, (9, 1, 9)), FRONT)
        assert near(first[0, 4], RED)
        camera.rgb(one(shapes.BOX, (9, 1, 9), (0, 1, 0, 1)), FRONT)
        assert near(first[0, 4], RED)
