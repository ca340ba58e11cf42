"""The physically based look in pixels: energy, metals, occlusion, layers, decor; and the classic look afterwards."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from render.scene.snapshot import MeshAsset, Texture
from tests.render.stage import FRONT, LENS, flat_scene, floor, one, textured

SIZE = (160, 120)


@pytest.fixture(scope='module')
def cameras():
    """An Offscreen for the qualities with and without a glossy environment."""
    made = {name: Offscreen(*SIZE, QUALITIES[name]) for name in ('low', 'high')}
    yield made
    for camera in made.values():
        camera.close()


def physical(scene):
    scene.flags.physical = True
    return scene


def sky(scene, colour):
    """EnvironmentLight of one colour, or of the six of a cube's faces."""
    faces = np.repeat(np.atleast_2d(colour), 6 // len(np.atleast_2d(colour)), 0)
    scene.assets.textures.append(Texture('skybox', np.repeat(np.repeat(faces.astype(np.uint8)[:, None, None], 8, 1), 8, 2).reshape(48, 8, 3)))
    scene.assets.skybox = len(scene.assets.textures) - 1
    scene.assets.touch()
    return scene


def material(scene, **columns):
    row = scene.assets.materials.add(1).start
    for name, value in columns.items():
        getattr(scene.assets.materials, name)[row] = value
    scene.geoms.matid[:scene.geoms.n] = row
    scene.assets.touch()
    return row


@pytest.mark.parametrize('quality', ['low', 'high'])
@pytest.mark.parametrize('roughness', [1.0, 0.5, 0.2])
@pytest.mark.parametrize('metallic', [0.0, 1.0])
def test_white_in_an_even_white_world_is_even_white(cameras, quality, roughness, metallic):
    scene = physical(sky(one(shapes.SPHERE, (1, 1, 1), (1, 1, 1, 1)), (255, 255, 255)))
    material(scene, specular=0.5, metallic=metallic, roughness=roughness)
    rgb = cameras[quality].rgb(scene, FRONT)
    ball = rgb[(cameras[quality].segments(scene, FRONT) == 0)].astype(int)
    inner = ball[np.abs(ball - np.median(ball, 0)).max(1) < 60]       # but for pixels that the edge shares with the sky
    assert np.ptp(inner[..., 0]) <= 5 and np.ptp(np.median(inner, 0)) <= 1, (inner.min(0), inner.max(0))
    assert len(inner) > 0.9 * len(ball) and np.median(inner) > 215


def test_metal_reflects_the_environment_in_its_colour_and_plastic_shows_its_own(cameras):
    faces = [(255, 255, 255)] * 2 + [(255, 255, 255), (10, 10, 10)] + [(255, 255, 255)] * 2      # dark below
    pictures = []
    for metallic in (0.0, 1.0):
        scene = physical(sky(one(shapes.SPHERE, (1, 1, 1), (1.0, 0.6, 0.2, 1)), faces))
        material(scene, metallic=metallic, roughness=0.05)
        pictures.append(cameras['high'].rgb(scene, FRONT).astype(int))
    (plastic, metal), below, above = pictures, 60 + 28, 60 - 28
    assert metal[above, 80].sum() > 2.5 * metal[below, 80].sum()                 # a mirror of a sphere shows the dark half
    assert plastic[above, 80].sum() < 2.5 * plastic[below, 80].sum()
    assert metal[above, 80, 0] > metal[above, 80, 1] > metal[above, 80, 2]        # tinted


def test_an_image_light_goes_before_the_sky_and_a_sky_of_one_colour_is_no_trouble(cameras):
    def ball(image):
        scene = physical(sky(one(shapes.SPHERE, (1, 1, 1), (0.8, 0.8, 0.8, 1)), (0, 0, 255)))
        if image:
            faces = np.full((6, 4, 4, 3), 255, np.uint8)
            faces[3] = 0        # dark below
            scene.assets.textures.append(Texture('cube', faces.reshape(24, 4, 3)))
            k = scene.lights.add(1).start
            scene.lights.type[k], scene.lights.texid[k] = scene.lights.IMAGE, 1
            scene.assets.touch()
        scene.headlight.ambient = (0.4,) * 3
        return cameras['high'].rgb(scene, FRONT)[60 - 25:60 + 26:50, 80].astype(int)

    blue, grey = ball(False), ball(True)
    assert blue[0, 2] > blue[0, 0] + 5 and blue.min() > 20
    assert np.ptp(grey[0]) <= 2 and grey[0, 0] > grey[1, 0] + 18


@pytest.mark.parametrize('quality', ['low', 'high'])
def test_corners_are_darker_and_open_planes_are_not(cameras, quality):
    view = free_view(CameraState(lookat=(0, 0, 0.2), distance=4, azimuth=90, elevation=-35), LENS)
    scene = physical(sky(flat_scene(0.5), (255, 255, 255)))
    floor(scene, (0.8, 0.8, 0.8, 1), size=(0, 0, 1))
    material(scene, specular=0.0, roughness=1.0)
    scene.look.extent = 3
    empty = cameras[quality].rgb(scene, view)[40:, :, 1].astype(int)
    assert np.ptp(empty) <= 3
    scene.geoms.put(shapes.BOX, (0, 0.5, 0.5), (2, 0.2, 0.5), (0.8, 0.8, 0.8, 1), matid=0)
    walled = cameras[quality].rgb(scene, view)[..., 1].astype(int)
    foot = int(np.flatnonzero(cameras[quality].segments(scene, view)[:, 80] == 1)[-1]) + 1      # first row of the floor before the wall
    assert walled[foot + 1, 80] < walled[110, 80] - 12
    assert abs(walled[110, 80] - np.median(empty)) <= 4


@pytest.mark.parametrize('quality', ['low', 'high', 'classic'])
def test_switching_back_gives_the_classic_bits(quality):
    with Offscreen(*SIZE, QUALITIES[quality]) as camera:
        scene = textured(shapes.SPHERE, (0.6, 0.6, 0.6), np.random.default_rng(1).integers(0, 255, (16, 16, 3)))
        scene.geoms.put(shapes.PLANE, (0, 0, -1), (0, 0, 1), (0.5, 0.6, 0.7, 1))
        scene.geoms.put(shapes.BOX, (1, 0, 0), (0.3, 0.3, 0.3), (1, 0, 0, 0.5))
        k = scene.lights.add(1).start
        scene.lights.pos[k], scene.lights.dir[k] = (1, -1, 3), (-0.3, 0.3, -1)
        before = camera.rgb(scene, FRONT)
        ids, depth = camera.segments(scene, FRONT), camera.depth(scene, FRONT)
        scene.flags.physical = True
        assert np.abs(camera.rgb(scene, FRONT).astype(int) - before).max() > 10
        assert (camera.segments(scene, FRONT) == ids).all() and (camera.depth(scene, FRONT) == depth).all()
        scene.flags.physical = False
        assert (camera.rgb(scene, FRONT) == before).all()


def test_lamps_throw_shadows_and_their_light_adds_up(cameras):
    scene = physical(flat_scene(0.1))
    floor(scene, (0.6, 0.6, 0.6, 1), size=(0, 0, 1))
    scene.geoms.put(shapes.BOX, (0, 0, 1), (0.3, 0.3, 0.05), (1, 1, 1, 1))
    for kind, pos in ((scene.lights.DIRECTIONAL, (0, 0, 3)), (scene.lights.SPOT, (2, 0, 3)), (scene.lights.POINT, (-2, 0, 3))):
        k = scene.lights.add(1).start
        scene.lights.type[k], scene.lights.pos[k], scene.lights.dir[k], scene.lights.exponent[k] = kind, pos, -np.array(pos), 0
    scene.look.extent = 3
    view = free_view(CameraState(lookat=(0, 0, 0), distance=6, azimuth=90, elevation=-60), LENS)
    lit = cameras['low'].rgb(scene, view).astype(int)
    scene.flags.shadow = False
    clear = cameras['low'].rgb(scene, view).astype(int)
    shaded = (clear - lit)[..., 1] > 8
    columns = np.flatnonzero(shaded[62:80].any(0))
    assert (lit <= clear + 2).all() and len(columns) > 20 and columns.min() < 66 and columns.max() > 94      # one below, one on each side


def test_decor_keeps_its_colour(cameras):
    scene = physical(flat_scene(0.3))
    scene.geoms.put(shapes.BOX, (0, 0, 0), (0.5, 0.5, 0.5), (0.2, 0.8, 0.4, 1), flags=shapes.DECOR)
    assert np.abs(cameras['low'].rgb(scene, FRONT)[60, 80].astype(int) - (51, 204, 102)).max() <= 3


def test_layers_of_a_material(cameras):
    def shade(**layers):
        scene = physical(sky(textured(shapes.BOX, (1, 0.1, 1), np.full((4, 4, 3), 200)), (255, 255, 255)))
        for role, colour in layers.items():
            scene.assets.textures.append(Texture('2d', np.full((4, 4, 3), colour, np.uint8)))
            scene.assets.materials.layers[0, int(role[1:])] = len(scene.assets.textures) - 1
        scene.assets.materials.metallic[0], scene.assets.materials.roughness[0] = 1.0, 1.0
        scene.headlight.diffuse, scene.headlight.specular = (0.5,) * 3, (0.5,) * 3
        scene.assets.touch()
        return cameras['high'].rgb(scene, FRONT)[60, 80].astype(int)

    plain = shade()
    assert shade(r2=100).sum() < plain.sum() - 60                      # occlusion
    assert np.abs(shade(r9=(255, 255, 255)) - plain).max() <= 2        # all of it: as without
    assert np.abs(shade(r5=(128, 128, 255)) - plain).max() <= 2        # a normal that does not bend
    assert np.abs(shade(r5=(255, 128, 128)) - plain).max() > 2
    assert shade(r7=(255, 0, 0))[0] > plain[0] + 10                    # emits red
    assert np.abs(shade(r4=0) - plain).max() > 2                       # no metal after all


def test_images_of_roughness_and_metal_alone_say_all(cameras):
    def shade(**columns):
        scene = physical(sky(textured(shapes.BOX, (1, 0.1, 1), np.full((4, 4, 3), 200)), (255, 255, 255)))
        scene.assets.textures.append(Texture('2d', np.full((4, 4, 3), 255, np.uint8)))
        scene.assets.materials.layers[0, 9] = len(scene.assets.textures) - 1
        for name, value in columns.items():
            getattr(scene.assets.materials, name)[0] = value
        scene.assets.touch()
        return cameras['high'].rgb(scene, FRONT)[60, 80].astype(int)

    assert (shade() == shade(metallic=1, roughness=1)).all() and np.abs(shade() - shade(metallic=0, roughness=0.2)).max() > 2


@pytest.mark.parametrize('quality', ['low', 'high'])
def test_an_image_of_opacity_makes_holes_that_hide_nothing(cameras, quality):
    scene = physical(sky(textured(shapes.BOX, (1, 0.1, 1), np.full((4, 4, 3), 200)), (255, 255, 255)))
    opacity = np.full((4, 4), 255, np.uint8)
    opacity[:, :2], opacity[2:, 2:] = 0, 128
    scene.assets.textures.append(Texture('2d', np.repeat(np.repeat(opacity, 16, 0), 16, 1)))
    scene.assets.materials.layers[0, 6] = len(scene.assets.textures) - 1
    scene.assets.touch()
    scene.geoms.put(shapes.BOX, (0, 1, 0), (0.9, 0.1, 0.9), (1, 0, 0, 1))
    picture = cameras[quality].rgb(scene, FRONT)
    redness = picture[..., 0].astype(int) - picture[..., 1]
    corners = sorted(int(redness[row, column]) for row in (48, 72) for column in (68, 92))      # one solid, one half, two holes
    assert abs(corners[0]) <= 4 and 20 < corners[1] < corners[2] - 20 and corners[2] == pytest.approx(corners[3], abs=6)
    scene.flags.physical = False
    flat = cameras[quality].rgb(scene, FRONT)[48:73, 68:93].astype(int)
    assert np.abs(flat[..., 0] - flat[..., 1]).max() <= 2       # the official picture knows nothing of it


def test_transparent_things_receive_shadows(cameras):
    scene = physical(flat_scene(0.2))
    scene.geoms.put(shapes.BOX, (0, 0, 0), (2, 2, 0.05), (0.8, 0.8, 0.8, 0.7))
    scene.geoms.put(shapes.BOX, (0, 0, 1), (0.3, 0.3, 0.05), (1, 1, 1, 1))
    k = scene.lights.add(1).start
    scene.lights.type[k], scene.lights.pos[k], scene.lights.dir[k], scene.lights.diffuse[k] = scene.lights.DIRECTIONAL, (0, 0, 3), (1, 0, -1), 0.6
    scene.look.extent = 3
    view = free_view(CameraState(lookat=(0, 0, 0), distance=6, azimuth=90, elevation=-60), LENS)
    lit = cameras['low'].rgb(scene, view).astype(int)
    scene.flags.shadow = False
    assert (cameras['low'].rgb(scene, view).astype(int) - lit)[..., 1].max() > 15


def test_triangles_without_normals_are_flat_not_black(cameras):
    scene = physical(sky(flat_scene(0.3), (255, 255, 255)))
    corners = np.array([(-1, 0, -1), (1, 0, -1), (1, 0, 1), (-1, 0, 1)], float)
    scene.assets.meshes.append(MeshAsset(corners, np.zeros((4, 3)), np.array([(0, 1, 2), (0, 2, 3)], np.int32)))
    scene.geoms.put(shapes.MESH, (0, 0, 0), (1, 1, 1), (0.8, 0.8, 0.8, 1), dataid=0)
    for quality in ('low', 'high'):
        rgb = cameras[quality].rgb(scene, FRONT)[50:70, 70:90].astype(int)
        assert rgb.min() > 40 and np.ptp(rgb) <= 4


def test_glass_wireframe_fog_orthographic_and_mirrors_draw(cameras):
    scene = physical(sky(flat_scene(0.4), (90, 120, 200)))
    floor(scene, size=(0, 0, 1))
    material(scene, reflectance=0.4)
    scene.geoms.put(shapes.SPHERE, (0, 0, 0.5), (0.4, 0.4, 0.4), (1, 0.2, 0.1, 1))
    scene.geoms.put(shapes.SPHERE, (0.8, 0, 0.5), (0.4, 0.4, 0.4), (1, 1, 1, 0.2))
    view = free_view(CameraState(lookat=(0, 0, 0.2), distance=4, elevation=-20), LENS)
    clear = cameras['high'].rgb(scene, view).astype(int)
    red = lambda rgb, row: int(rgb[row, 80, 0]) - int(rgb[row, 80, 2])  # noqa: E731
    assert red(clear, 48) > 60
    with_mirror = clear[66:86, 70:90]
    scene.flags.reflection = False
    without = cameras['high'].rgb(scene, view)[66:86, 70:90].astype(int)
    assert (without[..., 2] - with_mirror[..., 2]).max() > 15     # the red ball in the white floor
    scene.flags.fog = scene.flags.wireframe = True
    assert np.isfinite(cameras['high'].rgb(scene, view)).all()
    scene.flags.fog = scene.flags.wireframe = False
    flat = free_view(CameraState(lookat=(0, 0, 0.2), distance=4, elevation=-20), Lens(3, 0.1, 50, orthographic=True))
    assert red(cameras['high'].rgb(scene, flat), 48) > 60


def glowing_ball(emission, **hidden):
    scene = physical(flat_scene(0.2))
    row = material(scene, emission=emission)
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (0.3, 0.3, 0.3), (1, 0.9, 0.5, 1), matid=row)
    if hidden:
        scene.geoms.put(shapes.BOX, (0, -1, 0), (1, 0.1, 1), (0.1, 0.1, 0.1, 1))
    return scene


@pytest.mark.parametrize('quality', ['low', 'high'])
def test_what_shines_by_itself_glows_around_it_unless_hidden(cameras, quality):
    camera = cameras[quality]
    dark, dim, bright = (camera.rgb(glowing_ball(e), FRONT).astype(int) for e in (0, 0.3, 3))
    beside = (60, 80 + 24)      # in the empty space by the ball
    assert dark[beside].sum() == dim[beside].sum() == 0
    assert bright[beside][0] > 25 and bright[beside][0] >= bright[beside][1] > bright[beside][2]
    far = bright[60, 80 + 24:158:8, 0]
    assert (np.diff(far) <= 0).all() and far[-1] < far[0] - 15
    wall, same = (camera.rgb(glowing_ball(e, hidden=True), FRONT).astype(int) for e in (0, 3))
    assert np.abs(wall - same).max() <= 2


def test_tiny_pictures_glow_too():
    with Offscreen(18, 12, QUALITIES['low']) as camera:
        assert camera.rgb(glowing_ball(3), FRONT).max() > 0


def test_a_headlight_along_the_view_leaves_no_holes(cameras):
    scene = physical(flat_scene(0.3))
    scene.headlight.diffuse = (0.5,) * 3
    floor(scene, (0.6, 0.6, 0.6, 1), size=(20, 20, 1))
    for elevation in range(-80, -20, 7):
        flat = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=70, elevation=elevation), Lens(2, 0.01, 50, orthographic=True))
        assert cameras['low'].rgb(scene, flat).min() > 40       # a cosine a little above 1 made it black


@pytest.mark.parametrize('quality', ['low', 'high'])
def test_everything_at_once_compiles_and_draws(quality):
    """Also what is meant for GPUs, on whatever GL there is."""
    scene = physical(sky(textured(shapes.BOX, (0.3, 0.3, 0.3), np.full((8, 8, 3), 200)), (90, 120, 200)))
    layers = scene.assets.materials.layers
    for role in (2, 3, 4, 5, 6, 7):
        scene.assets.textures.append(Texture('2d', np.full((4, 4, 3), (250, 128, 130), np.uint8)))
        layers[0, role] = len(scene.assets.textures) - 1
    mirror = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[mirror], scene.assets.materials.roughness[mirror] = 0.5, 0.3
    floor(scene, (0.4, 0.4, 0.4, 1), size=(0, 0, 1), matid=mirror)
    corners = np.array([(-1, 0, 0), (1, 0, 0), (0, 0, 1)], float)
    scene.assets.meshes.append(MeshAsset(corners, np.zeros((3, 3)), np.array([(0, 1, 2)], np.int32)))
    scene.geoms.put(shapes.MESH, (0, 1, 0), (1, 1, 1), (0.8, 0.8, 0.8, 1), dataid=0)
    scene.geoms.put(shapes.BOX, (1, 0, 0.3), (0.2, 0.2, 0.2), (0.8, 0.8, 0.8, 1), matid=mirror)
    scene.geoms.put(shapes.SPHERE, (-1, 0, 0.3), (0.3, 0.3, 0.3), (0.8, 0.8, 1, 0.4))
    scene.assets.touch()
    for kind in (scene.lights.DIRECTIONAL, scene.lights.SPOT, scene.lights.POINT):
        k = scene.lights.add(1).start
        scene.lights.type[k], scene.lights.pos[k], scene.lights.dir[k], scene.lights.bulbradius[k] = kind, (0.5, -1, 3), (-0.2, 0.3, -1), 0.1
    with Offscreen(64, 48, QUALITIES[quality]) as camera:
        for fog, orthographic in ((False, False), (True, True)):
            scene.flags.fog = fog
            view = free_view(CameraState(lookat=(0, 0, 0.2), distance=4, azimuth=80, elevation=-25), Lens(3, 0.1, 50, orthographic=True) if orthographic else LENS)
            rgb = camera.rgb(scene, view)
            assert len(np.unique(rgb.reshape(-1, 3), axis=0)) > 100 and (rgb.max(2) == 0).mean() < 0.02
