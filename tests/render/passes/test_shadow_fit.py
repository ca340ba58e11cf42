"""What shadow maps see: without GL."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from render.gpu.lights import DIRECTIONAL, POINT, SPOT, Light
from render.gpu.uniforms import Optics
from render.passes.shadow import ShadowPass
from render.passes.shadow_fit import Bounds, ShadowTexels, Sight, fitted_maps, official_maps, sight_of
from render.scene import shapes
from tests.render.passes.test_arrange import balls, plan_of
from tests.render.stage import FRONT, LENS

SIGHT = Sight(FRONT, 4 / 3, 3.0, 5.0, 0.8 / 480)
SIDE = 1024


def light(kind, pos, direction=(0, 0, -1), cutoff=45.0):
    return Light(kind, np.array(pos, float), np.array(direction, float) / np.linalg.norm(direction), cutoff, True, np.zeros((6, 4)))


def spheres(*rows):
    return Bounds(np.array([row[:3] for row in rows], float), np.array([row[3] for row in rows], float))


def inside(one, point):
    clip = one.optics.viewproj @ (*point, 1)
    return bool(clip[3] > 0 and (np.abs(clip[:3]) <= clip[3] * (1 + 1e-9)).all())


def test_official_maps_see_a_cone_and_a_square():
    look = SimpleNamespace(shadowclip=2.0, extent=1.5, shadowscale=0.5)
    cases = (SPOT, 3 * np.tan(np.radians(19.9)), 3 * np.tan(np.radians(20.1))), (DIRECTIONAL, 2.99, 3.01)
    for kind, near, far in cases:
        one, = official_maps(light(kind, (0, 0, 3), cutoff=40.0), look, LENS.znear, LENS.zfar)
        assert inside(one, (near, 0, 0)) and not inside(one, (far, 0, 0))


@pytest.mark.parametrize('scale', [0.1, 1.0, 50.0])
def test_a_directional_map_is_as_large_as_the_casters_and_no_larger(scale):
    sight = Sight(replace(FRONT, pos=(0, -4 * scale, 0), near=0.01 * scale, far=50 * scale, top=FRONT.top * scale, bottom=FRONT.bottom * scale),
                  4 / 3, 3 * scale, 5 * scale, SIGHT.pixel)
    casters = spheres((0.5 * scale, 0, 0, 0.3 * scale), (-0.4 * scale, 0.2 * scale, 0.1 * scale, 0.1 * scale))
    one, = fitted_maps(light(DIRECTIONAL, (0, 0, 5 * scale), (0.3, 0.1, -1)), casters, sight, ShadowTexels(SIDE, cascades=4))
    for center, radius in zip(casters.center, casters.radius):
        for direction in np.concatenate([np.eye(3), -np.eye(3)]):
            assert inside(one, center + radius * direction)
    assert max(one.sides) < 1.3 * 1.3 * scale and one.casters is None


def test_a_directional_map_leaves_out_what_no_visible_shadow_can_come_from():
    far_aside = spheres((0, 0, 0, 0.2), (100, 0, 0, 0.2))
    one, = fitted_maps(light(DIRECTIONAL, (0, 0, 5)), far_aside, SIGHT, ShadowTexels(SIDE, cascades=1))
    assert inside(one, (0, 0, 0)) and not inside(one, (100, 0, 0))
    assert fitted_maps(light(DIRECTIONAL, (0, 0, -5)), far_aside, SIGHT, ShadowTexels(SIDE, cascades=1)) == []       # everything is behind the light
    behind_eye = spheres((0, -10, 0, 0.2))
    assert fitted_maps(light(DIRECTIONAL, (0, 0, 5)), behind_eye, SIGHT, ShadowTexels(SIDE, cascades=1)) == []


def test_a_wide_scene_seen_from_near_gets_finer_maps_for_what_is_near():
    terrain = spheres((0, 0, -25, 35), (0, 0, 0, 0.3))
    sight = Sight(replace(FRONT, pos=(0, -2, 0)), 4 / 3, 0.01, 40.0, SIGHT.pixel)
    maps = fitted_maps(light(DIRECTIONAL, (0, 0, 30)), terrain, sight, ShadowTexels(SIDE, cascades=4))
    assert len(maps) > 2 and [max(one.sides) for one in maps] == sorted(max(one.sides) for one in maps)
    assert max(maps[-1].sides) > 8 * max(maps[0].sides)
    assert inside(maps[0], (0, -1.5, 0)) and not inside(maps[0], (0, 30, 0)) and inside(maps[-1], (0, 30, 0))
    assert len(fitted_maps(light(DIRECTIONAL, (0, 0, 30)), terrain, sight, ShadowTexels(SIDE, cascades=1))) == 1


def test_maps_stand_still_while_the_camera_moves_a_little():
    casters = spheres((0, 0, 0, 30.0))
    matrices = []
    for x in (0, 1e-3, 2e-3):
        sight = Sight(replace(FRONT, pos=(x, -4, 0)), 4 / 3, 3.0, 5.0, SIGHT.pixel)
        one, = fitted_maps(light(DIRECTIONAL, (0, 0, 50)), casters, sight, ShadowTexels(SIDE, cascades=1))
        matrices.append(one.optics.viewproj)
        step = np.abs(one.optics.viewproj[:2, 3] - matrices[0][:2, 3]) * SIDE / 2     # in texels
        assert np.allclose(step, np.round(step), atol=1e-6) and np.allclose(one.optics.viewproj[:3, :3], matrices[0][:3, :3])


def test_a_spot_map_narrows_to_the_casters_in_its_cone():
    casters = spheres((0.5, 0, 0, 0.1), (3, 0, 0, 0.2), (0, 0, 4, 0.1))
    one, = fitted_maps(light(SPOT, (0, 0, 3), cutoff=30.0), casters, SIGHT, ShadowTexels(SIDE, cascades=4))
    assert list(one.casters) == [0] and inside(one, (0.5, 0, 0.05)) and not inside(one, (0, 0, 0))
    assert max(one.sides) == pytest.approx(0.2 / 3, rel=0.2)
    around, = fitted_maps(light(SPOT, (0, 0, 3), cutoff=30.0), spheres((0, 0, 3, 1.0)), SIGHT, ShadowTexels(SIDE, cascades=4))      # the light is within: its whole cone
    assert inside(around, (0, 0, 2.5)) and inside(around, (0.28, 0, 2.5)) and not inside(around, (0.35, 0, 2.5))


def test_a_point_light_has_a_map_for_each_side_with_casters():
    assert len(fitted_maps(light(POINT, (0, 0, 0)), spheres((1, 0, 0, 0.1)), SIGHT, ShadowTexels(SIDE, cascades=4))) == 1
    assert len(fitted_maps(light(POINT, (0, 0, 0)), spheres((1, 1, 0, 0.1), (0, 0, -2, 0.1)), SIGHT, ShadowTexels(SIDE, cascades=4))) == 3
    assert len(fitted_maps(light(POINT, (0, 0, 0)), spheres((0, 0, 0, 1.0)), SIGHT, ShadowTexels(SIDE, cascades=4))) == 6
    corner = (1, 1, 0)
    assert any(inside(one, corner) for one in fitted_maps(light(POINT, (0, 0, 0)), spheres((1, 1, 0, 0.1)), SIGHT, ShadowTexels(SIDE, cascades=4)))


@pytest.mark.parametrize('kind', [DIRECTIONAL, SPOT])
def test_something_enormous_leaves_the_depths_their_precision(kind):
    one, = fitted_maps(light(kind, (0, 0, 5)), spheres((0, 0, 0, 0.2), (0, 0, -1e8, 1e8 - 1)), SIGHT, ShadowTexels(SIDE, cascades=1))
    assert one.ends[1] - one.ends[0] <= 2 * FRONT.far and inside(one, (0, 0, 0)) and inside(one, (0, 0, -1))


def test_sight_reaches_from_the_nearest_to_the_farthest_finite_thing():
    scene = balls((0, 1, 0), (0, -1, 0), (0, -30, 0))
    scene.geoms.put(shapes.PLANE, (0, 0, -1), (0, 0, 1), (1, 1, 1, 1))
    sight = sight_of(FRONT, (160, 120), plan_of(scene).work, Optics.of(FRONT, 4 / 3))
    assert (sight.near, sight.far) == pytest.approx((2.9, 5.1), abs=1e-3)     # 4 +- 1 and the radius of a ball
    corners = sight.slice(1.0, 2.0)
    assert np.ptp(corners[:4, 2]) == pytest.approx(2 * np.tan(np.radians(22.5))) and np.allclose(corners[:4, 1], -3)


def test_infinite_planes_cast_only_when_the_light_is_behind_them():
    between, plane = ShadowPass._between, (None, np.zeros(3), np.array((0, 0, 1.0)))
    assert not between(plane, light(SPOT, (0, 0, 3))) and between(plane, light(SPOT, (0, 0, -1)))
    assert between(plane, light(DIRECTIONAL, (0, 0, 0), (0, 0, 1))) and not between(plane, light(DIRECTIONAL, (0, 0, 0)))
