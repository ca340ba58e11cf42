"""Draw calls: as many as there are meshes and textures in view, however many instances."""
import numpy as np
import pytest

from render.gpu.instances import InstanceBuffer
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.camera import CameraState, free_view
from tests.render.stage import LENS, flat_scene

KINDS = (shapes.SPHERE, shapes.BOX, shapes.CAPSULE, shapes.CYLINDER, shapes.ELLIPSOID)
DOWNWARD = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-25), LENS)
MESHES = 4      # a sphere and an ellipsoid are the same


@pytest.fixture
def drawn(monkeypatch):
    """[(instances of each draw call)]."""
    calls, draw = [], InstanceBuffer.draw

    def counted(self, program, mesh, first, count, *part):
        calls.append(count)
        draw(self, program, mesh, first, count, *part)

    monkeypatch.setattr(InstanceBuffer, 'draw', counted)
    return calls


def field(count, alpha=1.0):
    """So many primitives of all kinds over a mirroring floor under a light that casts shadows."""
    scene, rng = flat_scene(), np.random.default_rng(0)
    row = scene.assets.materials.add(1).start
    scene.assets.materials.reflectance[row] = 0.3
    scene.geoms.put(shapes.PLANE, (0, 0, -0.2), (3, 3, 1), (1, 1, 1, 1), matid=row)
    for k in range(count):
        scene.geoms.put(KINDS[k % len(KINDS)], rng.uniform((-1, -1, 0), 1), (0.05, 0.05, 0.05), (*rng.uniform(0, 1, 3), alpha))
    k = scene.lights.add(1).start
    scene.lights.pos[k], scene.lights.dir[k], scene.lights.castshadow[k], scene.lights.type[k] = (0, 0, 3), (0, 0, -1), True, scene.lights.DIRECTIONAL
    scene.flags.shadow = scene.flags.reflection = True
    return scene


def calls_of(drawn, scene, quality):
    drawn.clear()
    with Offscreen(64, 48, quality) as off:
        off.rgb(scene, DOWNWARD)
    return list(drawn)


def test_draw_calls_do_not_grow_with_the_number_of_instances(drawn):
    few, many = (calls_of(drawn, field(n), QUALITIES['classic']) for n in (500, 5000))
    assert len(few) == len(many) == 3 * MESHES + 2     # picture, mirror and shadow map; the floor is the mirror and casts
    assert sum(many) > 8 * sum(few)


def test_levels_of_detail_add_at_most_a_call_each(drawn):
    calls = calls_of(drawn, field(5000), QUALITIES['medium'])
    assert len(calls) <= 3 * 2 * 4 * MESHES + 2


def test_what_is_out_of_view_costs_no_call(drawn):
    scene = field(0)
    scene.flags.shadow = scene.flags.reflection = False
    before = calls_of(drawn, scene, QUALITIES['classic'])
    scene.geoms.put(shapes.BOX, (0, -50, 0), (0.1, 0.1, 0.1), (1, 1, 1, 1))
    scene.geoms.put(shapes.SPHERE, (60, 0, 0), (0.1, 0.1, 0.1), (1, 1, 1, 1))
    assert calls_of(drawn, scene, QUALITIES['classic']) == before
