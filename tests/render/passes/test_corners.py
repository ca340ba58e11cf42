"""Light computed at the corners of small triangles: where, and that it looks the same."""
from dataclasses import replace

import numpy as np
import pytest

from render.gpu import meshes
from render.gpu.meshes import Meshes, faceted, triangles
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.snapshot import MeshAsset, SceneAssets, Texture
from tests.render.passes.test_arrange import balls, plan_of
from tests.render.stage import FRONT, flat_scene

CORNERS = replace(QUALITIES['low'], samples=4, lod=False)
PIXELS = replace(CORNERS, corners=False)


def hills(n=60, smooth=False):
    """A grid of n x n points as a mesh without normals, or with its own."""
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    z = 0.2 * np.sin(5 * x) * np.cos(4 * y)
    normal = np.stack([-np.cos(5 * x) * np.cos(4 * y), 0.8 * np.sin(5 * x) * np.sin(4 * y), np.ones_like(x)], 2).reshape(-1, 3)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    at = np.arange(n * n).reshape(n, n)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    face = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]).astype(np.int32)
    return MeshAsset(np.stack([x, y, z], 2).reshape(-1, 3).astype(np.float32), (normal if smooth else 0 * normal).astype(np.float32), face)


def landscape(smooth):
    scene = flat_scene()
    scene.assets.meshes.append(hills(smooth=smooth))
    scene.geoms.put(shapes.MESH, (0, 0, 0), (1, 1, 1), (0.8, 0.6, 0.4, 1), dataid=0)
    scene.geoms.put(shapes.SPHERE, (0, 0, 0.6), (0.12,) * 3, (0.2, 0.6, 0.9, 1))
    k = scene.lights.add(2).start
    scene.lights.pos[k:k + 2], scene.lights.dir[k:k + 2], scene.lights.castshadow[k:k + 2] = (1, 1, 3), (-0.3, -0.3, -1), True
    scene.lights.type[k], scene.lights.cutoff[k] = scene.lights.DIRECTIONAL, 45
    scene.lights.type[k + 1], scene.lights.cutoff[k + 1], scene.lights.exponent[k + 1] = scene.lights.SPOT, 45, 5
    scene.flags.shadow = True
    return scene


@pytest.mark.parametrize('smooth', (True, False))
@pytest.mark.parametrize('fog', (True, False))
def test_it_looks_as_if_computed_at_every_pixel(smooth, fog):
    scene = landscape(smooth)
    scene.flags.fog, scene.look.fogend = fog, 6.0
    pictures = both_ways(scene)
    difference = np.abs(pictures[0] - pictures[1])
    assert pictures[0].std() > 20 and difference.max() > 0 and difference.mean() < 0.8 and np.percentile(difference, 99) < 16


def both_ways(scene):
    """The picture with light computed at every pixel, and at corners."""
    view = replace(FRONT, pos=(0, -3, 1.5), forward=(0, -np.sin(-1.1), -np.cos(-1.1)))
    pictures = []
    for quality in (PIXELS, CORNERS):
        with Offscreen(160, 120, quality) as off:
            pictures.append(off.rgb(scene, view).astype(int))
    return pictures


def painted(scene, image, repeat):
    """The landscape under an image."""
    scene.assets.textures.append(Texture('2d', np.asarray(image, np.uint8)))
    row = scene.assets.materials.add(1).start
    scene.assets.materials.texid[row], scene.assets.materials.texrepeat[row] = 0, repeat
    scene.geoms.matid[0] = row


@pytest.mark.parametrize('smooth', (True, False))
def test_images_are_seen_on_tiny_triangles(smooth):
    scene = landscape(smooth)
    painted(scene, np.kron(np.random.default_rng(0).integers(0, 255, (4, 4, 3)), np.ones((16, 16, 1))), (2, 2))
    pixels, corners = both_ways(scene)
    plain, = both_ways(landscape(smooth))[1:]
    assert np.abs(plain - corners).mean() > 8 and np.abs(pixels - corners).mean() < 2


def test_fine_images_are_thinned_out_on_tiny_triangles():
    """Dark and bright texels far smaller than triangles give grey, not texel_density."""
    scene = landscape(True)
    painted(scene, np.indices((64, 64)).sum(0)[..., None] % 2 * 255 * np.ones(3), (40, 40))
    pixels, corners = both_ways(scene)
    texel_density = [np.abs(np.diff(picture[60:90, 60:100], axis=1)).mean() for picture in (pixels, corners)]
    assert np.abs(pixels - corners).mean() < 1 and texel_density[1] < texel_density[0] + 1


def test_tiny_triangles_are_drawn_by_a_program_of_their_own():
    scene = landscape(True)
    with Offscreen(160, 120, CORNERS) as off:
        off.rgb(scene, FRONT)
        names = {name for name, _ in off.renderer.programs._compiled}
    with Offscreen(160, 120, PIXELS) as off:
        off.rgb(scene, FRONT)
        assert 'speck' in names and 'speck' not in {name for name, _ in off.renderer.programs._compiled}


def test_only_small_triangles_in_qualities_that_want_it():
    small, large = balls((0, 0, 0), radius=0.1), balls((0, 0, 0), radius=1.5)
    assert plan_of(small, 'low').opaque[0].corners and not plan_of(large, 'low').opaque[0].corners
    assert not plan_of(small, 'high').opaque[0].corners


def test_a_faithful_picture_has_light_at_the_corners_that_are_the_official_ones():
    scene = balls((0, 0, 0), radius=1.5)
    scene.geoms.put(shapes.CAPSULE, (0, 0, 0), (0.1, 0.1, 0.5), (1, 1, 1, 1))
    corners, faces = np.random.default_rng(5).normal(size=(30, 3)).astype(np.float32), np.arange(30).reshape(-1, 3).astype(np.int32)
    for k, normal in enumerate((corners, 0 * corners)):     # a flat triangle's corners have no normals of their own
        scene.assets.meshes.append(MeshAsset(corners, normal, faces, None))
        scene.geoms.put(shapes.MESH, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1), dataid=k)
    found = {batch.kind: batch.corners for batch in plan_of(scene, 'classic').opaque}
    assert found == {meshes.SPHERE: 1, meshes.CAPSULE: 0, meshes.MODEL_MESH: 1, meshes.MODEL_MESH + 1: 0}


def test_no_corners_in_wireframe():
    scene = balls((0, 0, 0))
    scene.flags.wireframe = True
    assert not plan_of(scene, 'low').opaque[0].corners


def test_each_triangle_ends_in_a_vertex_that_holds_its_normal():
    asset = hills(5)
    vertices = np.c_[asset.vertex, np.zeros((25, 6), np.float32)]
    face, points, normal = faceted(vertices, asset.face)
    assert np.array_equal(points[face], vertices[asset.face]) and len(np.unique(face[:, 2])) == len(face)
    a, b, c = (points[face[:, k], :3].astype(float) for k in range(3))
    expected = np.cross(b - a, c - a)
    assert np.allclose(normal[face[:, 2]], expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)


def test_triangles_are_counted_about_right():
    made = Meshes(None)
    assets = SceneAssets(meshes=[hills(5)])
    for kind in (meshes.SPHERE, meshes.CAPSULE, meshes.CYLINDER, meshes.BOX):
        for level in (1, 2):
            count, = triangles(np.array([kind]), np.array([level]), made.slices, made.stacks, assets)
            assert 0.5 < count / len(made._build(kind, level)[1]) < 1.5
    assert triangles(np.array([meshes.MODEL_MESH]), np.array([0]), 28, 16, assets)[0] == 32
