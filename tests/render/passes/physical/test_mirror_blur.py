"""Rough mirrors of the physically based look: what touches them stays sharp, what is far from them is spread."""
from types import SimpleNamespace

import numpy as np
import pytest

from render.gpu.uniforms import Optics
from render.offscreen import Offscreen
from render.passes.physical.mirror_blur import on_screen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from tests.render.stage import LENS, flat_scene, floor

SIZE = (640, 480)


def pillar(roughness):
    """A red pillar on a grey mirror."""
    scene = flat_scene(0.6)
    scene.flags.physical = True
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row], scene.assets.materials.roughness[row] = 0.6, roughness
    floor(scene, (0.3, 0.3, 0.3, 1), size=(0, 0, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0, 0, 1), (0.15, 0.15, 1), (1, 0.1, 0.1, 1))
    return scene


def edge(row):
    """Width [pixel] over which the redness of a row of pixels rises from 10 % to 90 % of its peak."""
    redness = row[:, 0].astype(float) - row[:, 2]
    redness -= redness[:20].mean()
    left = redness[:redness.argmax() + 1]
    return int(np.sum((left > 0.1 * left.max()) & (left < 0.9 * left.max())))


@pytest.mark.parametrize('quality', ['low', 'high'])
@pytest.mark.parametrize('lens', [LENS, Lens(4, 0.1, 50, orthographic=True)])
def test_a_rough_mirror_spreads_what_is_far_from_it(quality, lens):
    view = free_view(CameraState(lookat=(0, 0, -0.2), distance=5, azimuth=90, elevation=-20), lens)
    with Offscreen(*SIZE, QUALITIES[quality]) as camera:
        sharp, rough = (camera.rgb(pillar(r), view) for r in (-1, 0.4))
        ids = camera.segments(pillar(0.4), view)
    foot = int(np.flatnonzero((ids == 1).any(1))[-1])
    end = int(np.flatnonzero((sharp[foot:, 320, 0].astype(int) - sharp[foot:, 320, 2]) > 30)[-1]) + foot     # of the mirrored pillar
    near, far = foot + 6, foot + (end - foot) // 2
    assert edge(rough[far]) > edge(rough[near]) + 3 and edge(rough[far]) > edge(sharp[far]) + 3
    assert np.abs(sharp[:foot - 4].astype(int) - rough[:foot - 4])[ids[:foot - 4] == 1].max() <= 2      # the pillar itself is as it was
    assert (rough[near, 320].astype(int) - rough[near, 320, 2])[0] > 25


def test_a_mirror_without_roughness_is_sharp_and_the_classic_look_knows_none():
    view = free_view(CameraState(lookat=(0, 0, -0.2), distance=5, azimuth=90, elevation=-20), LENS)
    with Offscreen(*SIZE, QUALITIES['low']) as camera:
        classic = []
        for roughness in (-1, 0.4):
            scene = pillar(roughness)
            scene.flags.physical = False
            classic.append(camera.rgb(scene, view))
        assert (classic[0] == classic[1]).all()
        rgb = camera.rgb(pillar(-1), view)
        ids = camera.segments(pillar(-1), view)
        assert edge(rgb[int(np.flatnonzero((ids == 1).any(1))[-1]) + 60]) <= 4


@pytest.mark.parametrize('lens', [LENS, Lens(4, 0.1, 50, orthographic=True)])
def test_distance_of_a_mirror_behind_a_pixel(lens):
    view = free_view(CameraState(lookat=(0.3, 0.2, 0), distance=3, azimuth=70, elevation=-40), lens)
    optics = Optics.of(view, SIZE[0] / SIZE[1])
    normal = np.array((0.1, -0.2, 1.0)) / np.linalg.norm((0.1, -0.2, 1.0))
    mirror = SimpleNamespace(point=np.array((0.1, 0.0, 0.05)), normal=normal, rough=0.3)
    told = on_screen(mirror, optics, SIZE)
    for aside in ((0.4, 0.1, 0), (-0.3, 0.5, 0)):
        point = mirror.point + np.array(aside) - (np.array(aside) @ normal) * normal
        clip = optics.viewproj @ (*point, 1)
        tilt = np.dot(told['plane'], (1, *(clip[:2] / clip[3])))
        assert (tilt if lens.orthographic else 1 / tilt) == pytest.approx((point - optics.eye) @ optics.forward, rel=1e-6)
