"""Skins moved on the GPU: the same places and normals as the CPU's, and a picture's worth of consequences."""
import numpy as np
import pytest

from render.gpu import context, meshes
from render.gpu.skins import WIDTH, corners
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import picking, shapes
from render.scene.camera import pixel_ray
from render.scene.skins import SkinAsset, deform
from tests.render.skin_models import BONES, tube
from tests.render.stage import FRONT, flat_scene, floor


def tube_asset(inflate=0.0):
    vertex, face, texcoord, weight = tube()
    n = len(vertex)
    bone_pos = np.stack([0.2 * np.arange(BONES), np.zeros(BONES), np.zeros(BONES)], 1)
    return SkinAsset(vertex.astype(np.float32), face.astype(np.int32), np.arange(0, n * BONES + 1, BONES), np.tile(np.arange(BONES), n),
                     weight.T.ravel().astype(np.float32), bone_pos, 10 + np.arange(BONES), inflate, texcoord.astype(np.float32))


def turns(seed):
    """(BONES, 12) a rigid pose per bone."""
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(np.eye(3) + 0.15 * rng.normal(size=(BONES, 3, 3)))[0]
    turn *= np.sign(np.einsum('bii->bi', turn))[:, None, :]
    return np.concatenate([turn.reshape(-1, 9), 0.05 * rng.normal(size=(BONES, 3))], 1).astype(np.float32)


REST = np.tile(np.r_[np.eye(3).ravel(), 0, 0, 0], (BONES, 1)).astype(np.float32)


def put(scene, asset, pose, pos=(0, 0, 0), rgba=(1, 0, 0, 1), **columns):
    """Add one skin to a scene."""
    number = len(scene.assets.skins)
    scene.assets.skins.append(asset)
    rows = scene.skins.add(len(pose))
    scene.skins.skin[rows], scene.skins.turn[rows], scene.skins.shift[rows] = number, pose[:, :9], pose[:, 9:]
    radius = asset.radius(pose[:, :9], pose[:, 9:])
    return scene.geoms.put(shapes.SKIN, pos, radius, rgba, dataid=number, objtype=shapes.OBJ_SKIN, objid=number, **columns)


def moved(offscreen, number=0):
    """Positions and normals in the vertex buffer of a drawn skin."""
    with context.use(offscreen.ctx):
        mesh = offscreen.renderer.meshes.get(meshes.SKIN + number, 0)
        return np.hsplit(np.frombuffer(mesh.moved.read(), np.float32).reshape(-1, 6), 2)


@pytest.mark.parametrize('inflate', (0.0, 0.04))
def test_the_gpu_moves_vertices_as_the_cpu_does(offscreen, inflate):
    scene, asset = flat_scene(), tube_asset(inflate)
    put(scene, asset, turns(1))
    for seed in (1, 2):
        scene.skins.turn[:BONES], scene.skins.shift[:BONES] = turns(seed)[:, :9], turns(seed)[:, 9:]
        offscreen.rgb(scene, FRONT)
        expected = deform(asset, turns(seed))
        for ours, theirs in zip(moved(offscreen), expected):
            assert np.abs(ours - theirs).max() < 2e-6


def test_more_vertices_than_a_row_of_a_table(offscreen):
    rng, n = np.random.default_rng(0), WIDTH + 900
    vertex = rng.normal(size=(n, 3)).astype(np.float32)
    start = np.r_[0, np.cumsum(rng.integers(1, 5, n))]
    face = rng.integers(0, n, (2 * n, 3)).astype(np.int32)
    face = face[(face[:, 0] != face[:, 1]) & (face[:, 1] != face[:, 2]) & (face[:, 0] != face[:, 2])]
    weight = rng.random(start[-1]).astype(np.float32)
    asset = SkinAsset(vertex, face, start, rng.integers(0, BONES, start[-1]), weight, np.zeros((BONES, 3)), np.arange(BONES), 0.1)
    scene = flat_scene()
    put(scene, asset, turns(5))
    offscreen.rgb(scene, FRONT)
    place, normal = moved(offscreen)
    expected = deform(asset, turns(5))
    assert np.abs(place - expected[0]).max() < 2e-4 and np.abs(normal - expected[1]).max() < 1e-3


def test_corners_name_every_triangle_once_per_vertex():
    face = np.array([[0, 1, 2], [2, 1, 3]])
    asset = SkinAsset(np.zeros((5, 3)), face, np.zeros(6, int), np.zeros(0, int), np.zeros(0), np.zeros((1, 3)), np.zeros(1))
    start, ring = corners(asset)
    assert start.tolist() == [0, 1, 3, 5, 6, 6]
    assert sorted(map(tuple, ring[1:3])) == [(2, 0), (3, 2)] and ring[5].tolist() == [2, 1]


def test_a_skin_that_does_not_move_is_not_moved_again(offscreen):
    scene = flat_scene()
    put(scene, tube_asset(), turns(1))
    offscreen.rgb(scene, FRONT)
    with context.use(offscreen.ctx):
        mesh = offscreen.renderer.meshes.get(meshes.SKIN, 0)
        mesh.moved.write(b'\0' * 24)
    offscreen.rgb(scene, FRONT)
    assert not moved(offscreen)[0][0].any()
    scene.skins.shift[0] += 0.1
    offscreen.rgb(scene, FRONT)
    assert moved(offscreen)[0][0].any()


def test_a_skin_is_in_every_kind_of_picture(offscreen):
    scene = flat_scene()
    put(scene, tube_asset(), REST, pos=(-0.5, 0, 0), segid=7)
    middle = offscreen.size[1] // 2, offscreen.size[0] // 2
    assert np.allclose(offscreen.rgb(scene, FRONT)[middle], (255, 0, 0), atol=1)
    assert offscreen.segments(scene, FRONT)[middle] == 7
    assert offscreen.segmentation(scene, FRONT)[middle].tolist() == [0, shapes.OBJ_SKIN]
    assert offscreen.depth(scene, FRONT)[middle] == pytest.approx(4 - 0.12, abs=0.02)


def test_a_skin_casts_a_shadow_and_is_seen_in_a_mirror():
    from render.scene.camera import CameraState, free_view
    from tests.render.stage import LENS
    view = free_view(CameraState(lookat=(0, 0, 0.2), distance=3, azimuth=90, elevation=-25), LENS)
    with Offscreen(160, 120, QUALITIES['classic']) as off:
        def picture(with_skin, reflectance, lit):
            scene = flat_scene(0.3)
            row = scene.assets.materials.add(1).start
            scene.assets.materials.reflectance[row] = reflectance
            floor(scene, matid=row)
            if lit:
                light = scene.lights.add(1)
                scene.lights.type[light], scene.lights.dir[light], scene.lights.pos[light] = scene.lights.DIRECTIONAL, (0, 0.7, -1), (0, 0, 2)
            if with_skin:
                put(scene, tube_asset(), REST, pos=(-0.5, 0, 0.5))
            return off.rgb(scene, view).astype(int)

        shadow = picture(False, 0, True) - picture(True, 0, True)
        assert (shadow.min(2) > 30).sum() > 100         # the floor is darker where the light is held off
        mirror = picture(True, 0.6, False) - picture(True, 0, False)
        assert (mirror[..., 0] > 20).sum() > 100


def test_a_skin_out_of_view_or_broken_draws_nothing(offscreen):
    scene = flat_scene()
    put(scene, tube_asset(), REST, pos=(0, -50, 0))
    put(scene, tube_asset(), np.full_like(REST, np.nan), pos=(0, 0, 0))
    scene.geoms.put(shapes.SKIN, (0, 0, 0), 1, (1, 1, 1, 1), dataid=9)
    assert not offscreen.rgb(scene, FRONT).any()


def test_a_ray_hits_the_skin_the_picture_shows(offscreen):
    scene = flat_scene()
    put(scene, tube_asset(0.02), turns(2), pos=(-0.5, 0, 0))
    shown, hit = offscreen.segments(scene, FRONT) == 0, []
    places = [(x, y) for x in range(50, 118, 3) for y in range(40, 88, 3)]
    for x, y in places:
        hit.append(picking.pick(scene, *pixel_ray(FRONT, x + 0.5, y + 0.5, offscreen.size)))
    same = [(h is not None) == shown[y, x] for (x, y), h in zip(places, hit)]
    assert np.mean(same) > 0.97 and sum(h is not None for h in hit) > 5
    bodies = [h.bodyid for h in hit if h is not None]
    assert all(10 <= b < 10 + BONES for b in bodies) and len(set(bodies)) >= 3
    assert all(h.objtype == shapes.OBJ_SKIN for h in hit if h is not None)
