"""What is drawn, in which order, at which level: without GL."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from render.gpu import meshes
from render.gpu.uniforms import Optics
from render.passes.arrange import arrange
from render.passes.levels import FEW_DRAWN
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.snapshot import MeshAsset
from tests.render.stage import FRONT, flat_scene

SIZE = (160, 120)
NO_TEXTURES = SimpleNamespace(kinds=[])


def plan_of(scene, quality='high', view=FRONT):
    height = (view.top - view.bottom) / view.near
    return arrange(scene, Optics.of(view, SIZE[0] / SIZE[1]), SIZE, height, QUALITIES[quality], NO_TEXTURES)


def balls(*places, alpha=1.0, radius=0.1):
    scene = flat_scene()
    for pos in places:
        scene.geoms.put(shapes.SPHERE, pos, (radius,) * 3, (1, 1, 1, alpha))
    return scene


def test_empty_scene_draws_nothing():
    plan = plan_of(flat_scene())
    assert not plan.opaque and not plan.transparent and not plan.casters and len(plan.rows) == 0


def test_instances_outside_the_frustum_are_culled_but_still_cast():
    plan = plan_of(balls((0, 0, 0), (0, -50, 0), (40, 0, 0), (0, 0, 30), (0, 60, 0)))
    assert sum(b.count for b in plan.opaque) == 2      # the last one is far but in view (60 + 4 m; the far plane does not cull)
    assert sum(b.count for b in plan.casters) == 5


def test_transparent_rows_come_last_and_from_back_to_front():
    scene = balls((0, 1, 0), (0, -1, 0), (0, 0, 0), alpha=0.5)
    scene.geoms.put(shapes.BOX, (0, 2, 0), (0.1,) * 3, (1, 1, 1, 1))
    plan = plan_of(scene)
    assert [b.kind for b in plan.opaque] == [meshes.BOX] and [b.first for b in plan.transparent] == [1]
    assert np.allclose(plan.rows[1:4, 1], (1, 0, -1)) and [(b.first, b.count) for b in plan.beneath] == [(4, 3)]
    assert np.allclose(plan.rows[4:, 1], (-1, 0, 1)) and np.allclose(plan.rows[1:, 19], 0.5)
    alone = plan_of(balls((0, 1, 0), alpha=0.5))
    assert not alone.beneath and np.allclose(alone.rows[:, 19], 1 - 0.5 ** 2)


def test_equal_meshes_share_a_batch():
    scene = balls(*[(0.1 * k, 0, 0) for k in range(10)])
    for k in range(5):
        scene.geoms.put(shapes.BOX, (0.1 * k, 0, 0.3), (0.1,) * 3, (1, 1, 1, 1))
    plan = plan_of(scene)
    assert sorted((b.kind, b.count) for b in plan.opaque) == [(meshes.SPHERE, 10), (meshes.BOX, 5)]


def test_level_follows_the_projected_radius():
    levels = []
    for radius in (3.95, 1.6, 0.5, 0.02):
        plan = plan_of(balls(*[(0, 0, 0)] * (FEW_DRAWN + 1), radius=radius))
        levels.append(plan.opaque[0].level)
        assert plan.casters[0].level == levels[-1]     # a finer caster would shade the drawn facets with a grid
    assert levels == [0, 1, 2, 3]


def test_few_objects_are_never_coarser_than_the_model_asks():
    assert plan_of(balls((0, 0, 0), radius=0.02)).opaque[0].level == 1
    assert plan_of(balls((0, 0, 0), radius=0.01), 'classic').opaque[0].level == 1


def test_decor_neither_casts_nor_is_missing():
    scene = balls((0, 0, 0))
    scene.geoms.flags[0] = shapes.DECOR
    plan = plan_of(scene)
    assert plan.casters == [] and sum(b.count for b in plan.opaque) == 1


def test_plane_behind_is_faint_and_drawn_with_the_transparent():
    scene = flat_scene()
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1))
    plan = plan_of(scene, view=replace(FRONT, pos=(0, -4, -1)))
    assert not plan.opaque and plan.rows[0, 19] == pytest.approx(1 - 0.7 ** 2)


def test_infinite_plane_moves_by_whole_texture_periods():
    scene = flat_scene()
    row = scene.assets.materials.add(1).start
    scene.assets.materials.texrepeat[row] = (2, 5)
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (0, 0, 1), (1, 1, 1, 1), matid=row)
    moved = plan_of(scene, view=replace(FRONT, pos=(103.3, 57.9, 1))).rows[0, :3]
    assert np.allclose(moved[:2] / (4 / 2, 4 / 5), np.round(moved[:2] / (4 / 2, 4 / 5)), atol=1e-4)
    assert np.abs(moved[:2] - (103.3, 57.9)).max() <= 1.0 and moved[2] == 0


def test_rows_of_shadows_and_mirrors_follow_their_batches():
    scene = balls((0, 0, 0.5), (0.3, 0, 0.5))
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.4
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0, 0, 0.2), (0.1,) * 3, (1, 1, 1, 0.5))
    plan = plan_of(scene, view=replace(FRONT, pos=(0, -4, 1)))
    more, mirror = plan.more_rows(), plan.mirrors[0]
    assert sum(b.count for b in plan.casters) == 4 and sum(b.count for b in mirror.opaque) == 2 and sum(b.count for b in mirror.clear) == 1
    for batch in plan.casters + mirror.opaque + mirror.clear:
        heights = more[batch.first:batch.first + batch.count, 2]
        assert np.allclose(heights, {meshes.SPHERE: 0.5, meshes.PLANE: 0, meshes.BOX: 0.2}[batch.kind])


def test_spheres_of_meshes_cull_them():
    for radius, drawn in ((2.0, 1), (40.0, 2)):
        scene = flat_scene()
        corners = radius * np.array([(1, 0, 0), (-1, 0, 0), (0, 0, 1)])
        scene.assets.meshes.append(MeshAsset(corners, corners, np.array([(0, 1, 2)], np.int32)))
        for x in (0, 30):
            scene.geoms.put(shapes.MESH, (x, 0, 0), (1, 1, 1), (1, 1, 1, 1), dataid=0)
        assert sum(b.count for b in plan_of(scene).opaque) == drawn
