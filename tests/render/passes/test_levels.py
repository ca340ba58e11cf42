"""Levels of detail of height fields, and which triangles count as tiny."""
from dataclasses import replace

import numpy as np
import pytest

from render.geometry.height_field import surface
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, Lens, free_view
from render.scene.snapshot import MeshAsset
from tests.render.passes.test_arrange import plan_of
from tests.render.stage import flat_scene

LOD = replace(QUALITIES['classic'], lod=True, corners=True)


def field(n=200):
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    noise = 0.005 * np.random.default_rng(0).random((n, n))
    vertex, face = surface(np.dstack([x, y, noise + 0.1 * np.sin(4 * x) * np.cos(3 * y)]), -0.2)
    scene = flat_scene(0.4)
    scene.headlight.diffuse = (0.6,) * 3
    scene.assets.meshes.append(MeshAsset(vertex, np.zeros_like(vertex), face, grid=(n, n)))
    scene.geoms.put(shapes.MESH, (0, 0, 0), (1, 1, 1), (0.8, 0.6, 0.4, 1), dataid=0)
    return scene


def seen_from(distance, scene=None, quality='low', elevation=-40):
    return plan_of(scene or field(), quality, free_view(CameraState(lookat=(0, 0, 0), distance=distance, azimuth=90, elevation=elevation), Lens(45, 0.01, 50))).opaque[0]


def test_fields_are_coarser_the_farther_they_are_and_full_up_close():
    levels = [seen_from(distance).level for distance in (0.5, 1.0, 3.0, 6.0, 16.0)]
    assert levels[:2] == [0, 0] and levels == sorted(levels) and 0 < levels[2] < levels[3] <= levels[4]


def test_large_fields_have_few_levels():
    large = field(500)
    assert {seen_from(distance, large).level % 4 for distance in (1.0, 2.0, 3.0, 4.5, 6.0, 9.0)} == {0}


def test_the_classic_picture_and_wireframes_have_every_cell():
    assert seen_from(16.0, quality='classic').level == 0
    scene = field()
    scene.flags.wireframe = True
    assert seen_from(16.0, scene).level == 0


@pytest.mark.parametrize('number', (np.nan, np.inf))
def test_absurd_fields_are_no_trouble(number):
    scene = field(20)
    scene.geoms.size[0] = number
    with Offscreen(40, 30, LOD) as off:
        off.rgb(scene, free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-40), Lens(45, 0.01, 50)))


def test_the_coarser_field_looks_alike():
    scene, view = field(), free_view(CameraState(lookat=(0, 0, 0), distance=3.5, azimuth=90, elevation=-30), Lens(45, 0.01, 50))
    pictures = []
    for lod in (False, True):
        with Offscreen(240, 180, replace(LOD, lod=lod)) as off:
            pictures.append(off.rgb(scene, view).astype(int))
    there = [picture.sum(2) > 0 for picture in pictures]
    assert (there[0] & there[1]).sum() / (there[0] | there[1]).sum() > 0.99
    assert 0 < np.abs(pictures[0] - pictures[1])[there[0]].mean() < 6
    assert abs(pictures[0][there[0]].mean() - pictures[1][there[1]].mean()) < 3


def test_triangles_count_as_tiny_by_the_area_of_their_mesh():
    """A flat field fills little of its sphere: its triangles are smaller than the sphere says."""
    assert seen_from(4.0).corners == 2
    assert seen_from(0.4).corners < 2
