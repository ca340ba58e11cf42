"""Which surfaces mirror, where, and what is seen in them: without GL."""
from dataclasses import replace

import numpy as np
import pytest

from render.gpu import meshes
from render.scene import shapes
from render.scene.camera import project
from tests.render.passes.test_arrange import SIZE, balls, plan_of
from tests.render.stage import FRONT, flat_scene

ABOVE = replace(FRONT, pos=(0, -4, 1))


def shining(scene, *reflectances):
    first = scene.assets.materials.add(len(reflectances)).start
    scene.assets.materials.reflectance[first:first + len(reflectances)] = reflectances
    return first


def test_a_mirror_needs_a_reflecting_opaque_surface_that_faces_the_eye():
    scene = balls((0, 0, 0.5))
    row = shining(scene, 0.4)
    scene.geoms.put(shapes.PLANE, (0, 0, 0), (1, 1, 1), (1, 1, 1, 1), matid=row)
    scene.geoms.put(shapes.PLANE, (0, 0, 2), (1, 1, 1), (1, 1, 1, 1), matid=row)      # seen from below
    scene.geoms.put(shapes.PLANE, (0, 0, -1), (1, 1, 1), (1, 1, 1, 0.5), matid=row)    # transparent
    scene.geoms.put(shapes.SPHERE, (0, 0, 0.3), (0.1,) * 3, (1, 1, 1, 1), matid=row)
    mirror, = plan_of(scene, view=ABOVE).mirrors
    assert np.allclose(mirror.point, 0) and np.allclose(mirror.normal, (0, 0, 1)) and mirror.reflectance == pytest.approx(0.4)
    assert mirror.batch.kind == meshes.PLANE
    assert not plan_of(scene, 'lowest', ABOVE).mirrors
    scene.flags.reflection = False
    assert not plan_of(scene, view=ABOVE).mirrors


def test_every_reflecting_box_top_and_plane_mirrors_the_largest_first():
    scene = flat_scene()
    row = shining(scene, 0.4, 0.2)
    scene.geoms.put(shapes.BOX, (1, 0, -0.5), (0.3, 0.3, 0.2), (1, 1, 1, 1), matid=row + 1)
    scene.geoms.put(shapes.PLANE, (-1, 0, 0), (1, 1, 1), (1, 1, 1, 1), matid=row)
    plan = plan_of(scene, view=ABOVE)
    assert [(m.batch.kind, round(float(m.point[2]), 3), round(m.reflectance, 3)) for m in plan.mirrors] == [(meshes.PLANE, 0, 0.4), (meshes.BOX, -0.3, 0.2)]
    assert not plan.opaque and len(plan.rows) == 2
    only, = plan_of(scene, 'classic', ABOVE).mirrors       # as the official renderer: the first in the scene
    assert only.batch.kind == meshes.BOX


def test_a_mirrors_rectangle_holds_its_corners():
    scene = flat_scene()
    scene.geoms.put(shapes.PLANE, (0.2, 0, 0), (0.5, 0.5, 1), (1, 1, 1, 1), matid=shining(scene, 0.4))
    x, y, width, height = plan_of(scene, view=ABOVE).mirrors[0].rect
    pixels, _ = project(ABOVE, [(a, b, 0) for a in (-0.3, 0.7) for b in (-0.5, 0.5)], SIZE)
    low, high = pixels.min(0), pixels.max(0)
    assert x <= low[0] < x + 5 and x + width - 5 < high[0] <= x + width
    assert y <= SIZE[1] - high[1] < y + 5 and y + height - 5 < SIZE[1] - low[1] <= y + height
    scene.geoms.size[0] = 0         # endless: part of it is behind the eye
    assert plan_of(scene, view=ABOVE).mirrors[0].rect == (0, 0, *SIZE)


def test_only_what_can_be_seen_in_a_mirror_is_drawn_for_it():
    scene = balls((0.2, 0, 0.3), (0.2, 0, -0.5), (0.2, 30, 0.5), (0.2, 0, 0), radius=0.1)      # the last one half sunk in
    scene.geoms.put(shapes.PLANE, (0.2, 0, 0), (0.5, 0.5, 1), (1, 1, 1, 1), matid=shining(scene, 0.4))
    mirror, = plan_of(scene, view=ABOVE).mirrors
    assert sum(b.count for b in mirror.opaque) == 2 and not mirror.clear
