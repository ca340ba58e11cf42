"""The line around what is selected: where it is, where it is faint, and that it costs nothing and changes nothing without a selection."""
import numpy as np
import pytest

from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene import shapes
from render.scene.snapshot import Outline
from tests.render.stage import FRONT, flat_scene

ACCENT = (0.91, 0.47, 0.12, 1.0)
NONE = np.zeros(0, int)
BALL, BOX = (0.9, 0.9, 0.9, 1), (0.2, 0.4, 0.9, 1)


def ball(hidden=False):
    scene = flat_scene()
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (0.5,) * 3, BALL)
    scene.geoms.put(shapes.BOX, (0.5, -1 if hidden else 1, 0), (0.4, 0.2, 0.8), BOX)
    return scene


@pytest.fixture(params=['low', 'classic'])
def camera(request):
    with Offscreen(160, 120, QUALITIES[request.param]) as off:
        yield off


def near_accent(picture, slack=40):
    return (np.abs(picture.astype(int) - 255 * np.array(ACCENT[:3])) < slack).all(-1)


def test_a_selected_thing_has_a_line_around_it_and_keeps_its_own_colour(camera):
    scene = ball()
    before = camera.rgb(scene, FRONT).astype(int)
    scene.outline = Outline(np.array([0]), NONE, ACCENT, 2.0)
    after = camera.rgb(scene, FRONT).astype(int)
    line = near_accent(after)
    inside = (np.abs(before - 255 * BALL[0]) < 3).all(-1)
    assert line.any() and not (line & inside).any()
    assert np.array_equal(after[inside & ~line][:50], before[inside & ~line][:50])
    rows, columns = np.nonzero(line)
    assert columns.min() < 80 < columns.max() and rows.min() < 60 < rows.max()
    assert abs((columns.max() - columns.min()) - (np.nonzero(inside.any(0))[0].max() - np.nonzero(inside.any(0))[0].min() + 4)) <= 2


def test_it_is_seen_faintly_through_what_hides_it(camera):
    scene = ball(hidden=True)
    before = camera.rgb(scene, FRONT).astype(int)
    scene.outline = Outline(np.array([0]), NONE, ACCENT, 2.0)
    after = camera.rgb(scene, FRONT).astype(int)
    blue = (np.abs(before - 255 * np.array(BOX[:3])) < 3).all(-1)
    changed = (np.abs(after - before).sum(-1) > 0) & blue
    assert changed.sum() > 50, 'the hidden part is told'
    assert not (near_accent(after, 20) & blue)[:, 90:].any(), 'but not as strongly'
    assert near_accent(after).any()


def test_without_a_selection_and_out_of_sight_nothing_changes(camera):
    scene = ball()
    plain = camera.rgb(scene, FRONT)
    scene.geoms.put(shapes.SPHERE, (0, -50, 0), (0.5,) * 3, BALL)      # behind the camera
    scene.outline = Outline(np.array([2]), NONE, ACCENT, 2.0)
    assert np.array_equal(camera.rgb(scene, FRONT), plain)
    scene.outline = Outline(NONE, NONE, ACCENT, 2.0)
    assert np.array_equal(camera.rgb(scene, FRONT), plain)


def test_a_ground_without_an_end_has_no_line_and_costs_nothing(camera):
    scene = ball()
    scene.geoms.put(shapes.PLANE, (0, 0, -1), (0, 0, 1), (1, 1, 1, 1))
    plain = camera.rgb(scene, FRONT)
    scene.outline = Outline(np.array([2]), NONE, ACCENT, 2.0)
    assert np.array_equal(camera.rgb(scene, FRONT), plain)


def test_lines_are_outlined_too(camera):
    scene = ball()
    scene.lines.put((-0.8, -0.6, -0.8), (-0.2, -0.6, -0.8), (0, 1, 0, 1), 3)
    scene.outline = Outline(NONE, np.array([0]), ACCENT, 2.0)
    picture = camera.rgb(scene, FRONT)
    assert near_accent(picture).any() and (picture[..., 1] > 200).any()


def test_lines_are_outlined_where_nothing_else_is_left(camera):
    scene = ball()
    scene.geoms.rgba[:2, 3] = 0     # hidden
    scene.lines.put((-0.8, -0.6, -0.8), (-0.2, -0.6, -0.8), (0, 1, 0, 1), 3)
    scene.outline = Outline(NONE, np.array([0]), ACCENT, 2.0)
    picture = camera.rgb(scene, FRONT)
    assert near_accent(picture).any() and (picture[..., 1] > 200).any()


def test_the_line_can_be_told_on_a_background_of_its_own_colour(camera):
    scene = flat_scene()
    scene.geoms.put(shapes.BOX, (0, 1, 0), (5, 0.1, 5), ACCENT)
    scene.geoms.put(shapes.SPHERE, (0, 0, 0), (0.5,) * 3, ACCENT)
    scene.outline = Outline(np.array([1]), NONE, ACCENT, 2.0)
    picture = camera.rgb(scene, FRONT).astype(int)
    assert (picture.sum(-1) < 0.8 * picture.sum(-1).max()).sum() > 50, 'a dark rim'


def test_other_pictures_of_the_same_scene_have_none(camera):
    scene = ball()
    scene.outline = Outline(np.array([0]), NONE, ACCENT, 2.0)
    outlined = camera.segments(scene, FRONT)
    scene.outline = None
    assert np.array_equal(outlined, camera.segments(scene, FRONT))
