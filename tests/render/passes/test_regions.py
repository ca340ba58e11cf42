"""A picture drawn in parts is the picture drawn as a whole. Software GL (see conftest)."""
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import render.renderer as whole_renderer
from render.gpu.uniforms import Optics
from render.offscreen import Offscreen
from render.passes import regions
from render.passes.outlines import around_spheres
from render.passes.tiles import TILE, Tiles
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from render.scene.snapshot import Scene, Texture
from tests.render.stage import LENS

SIZE = (480, 352)
FAR = Lens(45, 0.05, 60)


@pytest.fixture(scope='module')
def camera():
    """Four samples, as the classic look."""
    with Offscreen(*SIZE, replace(QUALITIES['classic'], shadow_size=1024)) as made:
        yield made


def courtyard(plane=(0, 0, 1), reflectance=0.3, sky=True, lights=('directional',)):
    """Things over a textured mirror under lights."""
    scene = Scene()
    rng = np.random.default_rng(0)
    scene.assets.textures.append(Texture('2d', rng.integers(0, 255, (16, 16, 3), dtype=np.uint8)))
    if sky:
        scene.assets.textures.append(Texture('skybox', rng.integers(0, 255, (96, 16, 3), dtype=np.uint8)))
        scene.assets.skybox = 1
    row = scene.assets.materials.add(1).start
    scene.assets.materials.texid[row], scene.assets.materials.reflectance[row] = 0, reflectance
    scene.geoms.put(shapes.PLANE, (0, 0, 0), plane, (1, 1, 1, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0.3, 0, 0.4), (0.2, 0.1, 0.3), (0.8, 0.2, 0.2, 1), flags=shapes.CAST_SHADOW)
    scene.geoms.put(shapes.CAPSULE, (-0.5, 0.6, 0.3), (0.1, 0.1, 0.2), (0.2, 0.8, 0.2, 1), flags=shapes.CAST_SHADOW)
    scene.geoms.put(shapes.SPHERE, (-0.6, -0.3, 0.1), (0.15, 0.15, 0.15), (0.2, 0.2, 0.8, 0.5))
    for kind in lights:
        i = scene.lights.add(1).start
        scene.lights.type[i] = {'spot': scene.lights.SPOT, 'directional': scene.lights.DIRECTIONAL}[kind]
        scene.lights.pos[i], scene.lights.dir[i] = (0.5, 0.3, 3), np.array((0.2, 0.3, -1)) / np.linalg.norm((0.2, 0.3, -1))
        scene.lights.diffuse[i], scene.lights.specular[i], scene.lights.castshadow[i] = (0.6, 0.6, 0.6), (0.3, 0.3, 0.3), True
        scene.lights.cutoff[i], scene.lights.exponent[i], scene.lights.attenuation[i] = 45, 10, (1, 0, 0)
    scene.flags.reflection = scene.flags.shadow = True
    return scene


def both(camera, scene, view, monkeypatch, change=None, background=None):
    """(in parts, as a whole, how it was cut)."""
    found = []

    def cut(*arguments):
        found.append(regions.cut(*arguments))
        if change is not None:
            change(found[-1])
        return found[-1]

    monkeypatch.setattr(whole_renderer, 'cut', cut)
    assert camera.renderer.in_parts
    parts = camera.rgb(scene, view, background=background).astype(int)
    camera.renderer.in_parts = False
    try:
        whole = camera.rgb(scene, view, background=background).astype(int)
    finally:
        camera.renderer.in_parts = True
    return parts, whole, found[0]


def area(rectangles):
    return sum(width * height for _, _, width, height in rectangles) / (SIZE[0] * SIZE[1])


LOOK = CameraState(lookat=(0, 0, 0.2), distance=4, azimuth=100, elevation=-20)
VIEWS = {'near': free_view(LOOK, FAR), 'steep': free_view(replace(LOOK, elevation=-70), FAR), 'grazing': free_view(replace(LOOK, elevation=-4, distance=7), FAR),
         'rolled': replace(free_view(LOOK, FAR), up=(0.3, 0.1, 0.9)), 'aside': replace(free_view(LOOK, FAR), center=0.02, halfwidth=0.03),
         'orthographic': free_view(LOOK, replace(FAR, fovy=3.5, orthographic=True)), 'within': free_view(replace(LOOK, distance=0.9), LENS)}
SCENES = {'endless': {}, 'finite': {'plane': (2, 1.5, 1)}, 'dull': {'reflectance': 0}, 'dark': {'sky': False, 'plane': (3, 2, 1)},
          'spot': {'lights': ('spot',)}, 'two lights': {'lights': ('spot', 'directional')}, 'no light': {'lights': ()}}


@pytest.mark.parametrize('view', VIEWS)
@pytest.mark.parametrize('scene', SCENES)
def test_parts_make_the_whole(camera, monkeypatch, scene, view):
    parts, whole, _ = both(camera, courtyard(**SCENES[scene]), VIEWS[view], monkeypatch)
    off = np.abs(parts - whole).max(2)
    assert (off > 2).sum() <= 40 and off.max() <= 40      # the sky's own facets meet in a few pixels


def test_most_of_an_open_picture_is_drawn_once(camera, monkeypatch):
    _, _, found = both(camera, courtyard(), VIEWS['near'], monkeypatch)
    assert area(found.many) < 0.45
    assert not found.plain.rectangles and found.plain.patches
    assert {part[2:] for part in found.plain.patches} >= {(False, False)} and any(part[3] for part in found.plain.patches)


@pytest.mark.parametrize('lost', ['shadows', 'mirror images', 'edges'])
def test_what_is_left_out_is_seen(camera, monkeypatch, lost):
    def change(found):
        if lost == 'edges':
            found.plain.rectangles += [(rectangle, True, True) for rectangle in found.many]
            found.many.clear()
        for parts in (found.plain.rectangles, found.plain.patches):
            parts[:] = [(*part, shadowed and lost != 'shadows', mirrored and lost != 'mirror images') for *part, shadowed, mirrored in parts]

    scene = courtyard()
    scene.geoms.pos[1] = (0.3, 0, 1)
    parts, whole, _ = both(camera, scene, free_view(replace(LOOK, distance=6), FAR), monkeypatch, change)
    assert (np.abs(parts - whole).max(2) > 10).sum() > 100


def test_background_and_fog(camera, monkeypatch):
    scene = courtyard(plane=(2, 2, 1))
    scene.flags.fog = True
    for background in (None, (1.0, 0.5, 0.0)):
        parts, whole, found = both(camera, scene, VIEWS['near'], monkeypatch, background=background)
        assert found.rest and (np.abs(parts - whole).max(2) > 2).sum() <= 40


def test_crowds_and_odd_views_are_drawn_as_a_whole(camera, monkeypatch):
    scene = courtyard()
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (30, 30, 30), (1, 1, 1, 0.3))
    assert both(camera, scene, VIEWS['near'], monkeypatch)[2] is None
    scene = courtyard()
    scene.geoms.pos[0] = (0, 0, VIEWS['near'].pos[2])        # seen edge on
    parts, whole, _ = both(camera, scene, VIEWS['near'], monkeypatch)
    assert (np.abs(parts - whole).max(2) > 2).sum() <= 40


def test_rectangles_cover_a_mask_and_nothing_else():
    rng, tiles = np.random.default_rng(3), Tiles((500, 300))
    for share in (0.05, 0.5, 0.9):
        mask = rng.random((tiles.rows, tiles.columns)) < share
        count = np.zeros((300, 500), int)
        for x, y, width, height in tiles.rectangles(mask):
            count[y:y + height, x:x + width] += 1
        assert (count == np.kron(mask, np.ones((TILE,) * 2, int))[:300, :500]).all()


def test_bounds_hold_what_they_bound():
    rng = np.random.default_rng(4)
    view = replace(free_view(CameraState(distance=3, elevation=-30), LENS), center=0.004)
    points = rng.normal(size=(2000, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    for one in (view, free_view(CameraState(distance=3), Lens(3, 0.1, 50, orthographic=True))):
        optics = Optics.of(one, 4 / 3)
        for _ in range(50):
            center, radius = rng.uniform(-1.5, 1.5, 3), rng.uniform(0.01, 0.8)
            low, high = around_spheres(center[None], np.array([radius]), optics)
            clip = (center + radius * points) @ optics.viewproj[:, :3].T + optics.viewproj[:, 3]
            at = clip[:, :2] / clip[:, 3:]
            assert (at >= low - 1e-9).all() and (at <= high + 1e-9).all()
            if np.isfinite(low).all():
                assert (at.min(0) - low < 0.1 * (high - low)).all()      # and not by much


def test_tiles_are_in_order():
    x, y = Tiles((100, 70)).corners()
    assert x.shape == (1, 5) and y.shape == (4, 1) and all(b > a for a, b in pairwise(x[0])) and x[0, 0] == -1
