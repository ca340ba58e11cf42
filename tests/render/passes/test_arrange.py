"""What is drawn, in which order, at which level: without GL."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from render.gpu import meshes
from render.gpu.uniforms import Optics
from render.passes.arrange import FEW_DRAWN, arrange
from render.passes.shadow import ShadowPass, light_optics
from render.quality import QUALITIES
from render.scene import shapes
from tests.render.stage import FRONT, LENS, flat_scene

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
    assert np.allclose(plan.rows[1:, 1], (1, 0, -1))
    assert np.allclose(plan.rows[1:, 19], 1 - 0.5 ** 2)


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


def test_mirror_needs_a_reflecting_surface_that_faces_the_eye():
    scene = balls((0, 0, 0.5))
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.4
    above = replace(FRONT, pos=(0, -4, 1))
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1), matid=row)
    scene.geoms.put(shapes.BOX, (0, 0, -3), (1, 1, 1), (1, 1, 1, 1), matid=row)      # only the first one mirrors
    plan = plan_of(scene, view=above)
    point, normal, reflectance = plan.reflector
    assert np.allclose(point, 0) and np.allclose(normal, (0, 0, 1)) and reflectance == pytest.approx(0.4)
    assert [b.kind for b in plan.mirror] == [meshes.PLANE]
    assert meshes.PLANE not in [b.kind for b in plan.reflected]
    assert plan_of(scene, view=replace(FRONT, pos=(0, -4, -2.5))).reflector is None
    assert plan_of(scene, 'lowest', above).reflector is None


def test_infinite_planes_cast_only_when_the_light_is_behind_them():
    scene = balls((0, 0, 1))
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (0, 0, 1), (1, 1, 1, 1))
    plan = plan_of(scene, view=replace(FRONT, pos=(0, -4, 1)))
    lamp = {'spot': True, 'pos': np.array((0, 0, 3.0)), 'dir': np.array((0, 0, -1.0))}
    sun = {'spot': False, 'pos': np.array((0, 0, 0.0)), 'dir': np.array((0, 0, 1.0))}
    between = ShadowPass._planes_between
    assert not between(plan, lamp) and len(between(plan, {**lamp, 'pos': np.array((0, 0, -1.0))})) == 1
    assert len(between(plan, sun)) == 1 and not between(plan, {**sun, 'dir': -sun['dir']})
    assert meshes.GRID not in [b.kind for b in plan.casters]


def test_decor_neither_casts_nor_is_missing():
    scene = balls((0, 0, 0))
    scene.geoms.flags[0] = shapes.DECOR
    plan = plan_of(scene)
    assert plan.casters == [] and sum(b.count for b in plan.opaque) == 1 and sum(b.count for b in plan.reflected) == 1


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


def test_light_sees_its_cone_and_its_square():
    look = SimpleNamespace(shadowclip=2.0, extent=1.5, shadowscale=0.5)
    lamp = {'spot': True, 'pos': np.array((0, 0, 3.0)), 'dir': np.array((0, 0, -1.0)), 'cutoff': 40.0}
    for light, inside, outside in ((lamp, 3 * np.tan(np.radians(19.9)), 3 * np.tan(np.radians(20.1))), ({**lamp, 'spot': False}, 2.99, 3.01)):
        optics = light_optics(light, look, LENS.znear, LENS.zfar)
        for x, seen in ((inside, True), (outside, False)):
            clip = optics.viewproj @ (x, 0, 0, 1)
            assert (np.abs(clip[:2] / clip[3]).max() <= 1) == seen
