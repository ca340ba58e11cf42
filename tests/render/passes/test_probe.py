"""What a probe finds at a pixel is what the whole id picture shows there."""
import numpy as np
import pytest

from render.gpu import context
from render.passes.probe import REACH, Probe, chosen
from render.scene import identity, shapes
from render.scene.camera import CameraState, Lens, cropped, free_view, pixel_ray, project
from tests.render.stage import FRONT, flat_scene

SIZE = (160, 120)
FLAT = free_view(CameraState(lookat=(0, 0, 0), distance=4, azimuth=90, elevation=-20), Lens(3, 0.01, 50, True))


def crowd():
    """Many shapes of different objects, one transparent, a plane and lines."""
    scene = flat_scene()
    rng = np.random.default_rng(2)
    for k in range(60):
        shape = (shapes.SPHERE, shapes.BOX, shapes.CAPSULE, shapes.CYLINDER)[k % 4]
        scene.geoms.put(shape, rng.uniform(-1, 1, 3), (.08, .08, .12), (1, 0, 0, .4 if k % 5 == 0 else 1), objtype=shapes.OBJ_GEOM, objid=100 + k, bodyid=k)
    scene.geoms.put(shapes.PLANE, (0, 0, -1), (3, 3, 1), (1, 1, 1, 1), objtype=shapes.OBJ_GEOM, objid=7, bodyid=0)
    scene.lines.put((-1, -1, 1.2), (1, -1, 1.2), (1, 1, 1, 1), 1, objtype=shapes.OBJ_SENSOR, objid=3, bodyid=-1)
    return scene


@pytest.mark.parametrize('view', (FRONT, FLAT), ids=('perspective', 'orthographic'))
def test_a_probe_says_what_the_whole_picture_says(offscreen, view):
    scene = crowd()
    seg, depth = offscreen.segments(scene, view), offscreen.depth(scene, view)
    told, renderer = identity.table(scene), offscreen.renderer
    rng, agreed, asked = np.random.default_rng(1), 0, 0
    with context.use(offscreen.ctx):
        probe = Probe(renderer)
        for x, y in rng.uniform((0, 0), SIZE, (80, 2)):
            column, row = int(x), int(y)
            near = seg[max(0, row - REACH):row + REACH + 1, max(0, column - REACH):column + REACH + 1]
            if (near >= identity.first_line(scene)).any() or seg[row, column] < 0:
                continue
            probe.ask(scene, view, SIZE, x, y)
            assert probe.waiting
            found = probe.answer()
            asked += 1
            if found is not None and (found.objtype, found.objid, found.bodyid) == tuple(told[seg[row, column]]):
                agreed += 1
                pixel, along = project(view, [found.point], SIZE)
                assert np.abs(pixel[0] - (column + .5, row + .5)).max() < 0.02 and along[0] == pytest.approx(found.depth, rel=1e-4)
                if np.isfinite(depth[row, column]) and scene.geoms.rgba[seg[row, column], 3] == 1:
                    assert found.depth == pytest.approx(depth[row, column], rel=1e-3)
        probe.release()
    assert asked > 30 and agreed >= asked - 1      # an outline may fall differently


def test_a_line_close_by_goes_first_and_nothing_is_none(offscreen):
    scene = crowd()
    with context.use(offscreen.ctx):
        probe = Probe(offscreen.renderer)
        assert probe.answer() is None
        at = project(FRONT, [(0, -1, 1.2)], SIZE)[0][0]
        probe.ask(scene, FRONT, SIZE, at[0], at[1] + 2)
        found = probe.answer()
        assert (found.objtype, found.objid) == (shapes.OBJ_SENSOR, 3)
        probe.ask(flat_scene(), FRONT, SIZE, 20, 20)
        assert probe.answer() is None
        probe.ask(scene, FRONT, SIZE, 20, 20)
        probe.forget()
        assert probe.answer() is None and not probe.waiting
        probe.release()


def test_which_of_the_pixels_counts():
    number = np.full((7, 7), -1)
    assert chosen(number, 5) is None
    number[0, 3] = 2
    assert chosen(number, 5) == (0, 3)
    number[3, 3] = 1
    assert chosen(number, 5) == (3, 3)
    number[3, 5] = 5
    assert chosen(number, 5) == (3, 5)


def test_a_cropped_view_has_the_rays_of_the_whole():
    for view in (FRONT, FLAT):
        close = cropped(view, SIZE, 37, 51, 9, 6)
        for x, y in ((0, 0), (4.5, 3), (9, 6)):
            whole, part = pixel_ray(view, 37 + x, 51 + y, SIZE), pixel_ray(close, x, y, (9, 6))
            np.testing.assert_allclose(part, whole, atol=1e-12)
