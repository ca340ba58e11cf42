"""The view cube: turns with the camera, turns it by clicks on faces, edges and corners, and takes nothing beside itself. The menu of the right button."""
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu

from app.controllers.view import SIDES
from app.viewport.view_cube import FACES, HALF
from physics.model.elements import element
from render.scene.camera import TRACKING
from tests.app.workbench import Button

MODEL = """<mujoco><visual><global azimuth="150" elevation="-25"/></visual><statistic extent="3"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body name="box" pos="0 0 .5"><freejoint/><geom name="crate" type="box" size=".3 .3 .3"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "model.xml").write_text(MODEL)
    bench = workbench(tmp_path / "model.xml", size=(1000, 700))
    bench.pictures()
    return bench


@pytest.fixture
def cube(bench):
    return bench.viewport.cube


def click(bench, place, button=Button.LeftButton):
    QTest.mouseClick(bench.host, button, pos=place.toPoint())


def looks_from(bench):
    """Unit vector from what is looked at to the camera."""
    view = bench.application.view_control.view(bench.snapshot)
    return -np.asarray(view.forward)


def turned(bench, direction):
    bench.wait(lambda: not bench.application.view_control.flying)
    bench.pictures()
    wanted = np.asarray(direction, float) / np.linalg.norm(direction)
    np.testing.assert_allclose(looks_from(bench), wanted, atol=1e-6)


def test_it_stands_at_the_top_right_and_turns_with_the_camera(bench, cube):
    x, y, wide, high = cube.area
    assert x + wide == bench.host.width() - 10 and y == 10
    towards = {name: (cube._axes @ np.asarray(normal))[2] for normal, _right, _up, name in FACES}
    assert {name for name, z in towards.items() if z > 0} == {"Front", "Right", "Top"}      # the camera is at +x, -y, +z
    before = cube.at((1, 1, 1))
    bench.drag(QPointF(100, 300), QPointF(160, 300))
    bench.pictures()
    assert cube.at((1, 1, 1)) != before


def test_a_click_on_a_face_an_edge_or_a_corner_turns_the_camera(bench, cube):
    control, first = bench.application.view_control, bench.application.view_control.camera
    for direction in ((1, 0, 0), (0, -1, 0), (0, 0, 1), (1, -1, 0), (1, 0, 1), (0, -1, 1), (1, -1, 1)):
        control.camera = first
        bench.pictures()
        on = 0.85 * np.asarray(direction, float)
        face = int(np.argmax(np.abs(on)))
        on[face] = np.sign(on[face])
        place = cube.at(on)
        assert cube.direction_at(place.x(), place.y()) == direction
        click(bench, place)
        turned(bench, direction)
        after = control.camera
        assert after.lookat == first.lookat and after.distance == pytest.approx(first.distance) and not bench.context.selection.elements


def test_every_side_has_an_action(bench):
    for side, direction in (("front", (1, 0, 0)), ("left", (0, 1, 0)), ("bottom", (0, 0, -1))):
        bench.actions[f"look_from_{side}"].trigger()
        turned(bench, direction)


def test_drags_on_it_orbit_and_beside_it_they_are_not_its(bench, cube):
    camera = bench.application.view_control.camera
    middle = cube.at((0, 0, 0))
    bench.drag(middle, middle + QPointF(20, 0), middle + QPointF(40, 5))
    after = bench.application.view_control.camera
    assert after.azimuth != camera.azimuth and after.lookat == camera.lookat
    beside = QPointF(cube.area[0] + 1, cube.area[1] + 1)      # in its square, beside the cube itself
    assert cube.direction_at(beside.x(), beside.y()) is None
    click(bench, beside)
    bench.pictures(3)
    assert not bench.application.view_control.flying
    bench.drag(QPointF(100, 300), QPointF(middle), button=Button.RightButton)      # one that comes from elsewhere is no click on it
    assert bench.application.view_control.camera.lookat != after.lookat and not bench.application.view_control.flying


def test_what_is_under_the_pointer_is_lit(bench, cube):
    place = cube.at((1, 0, 0))
    bench.move(place, Button.NoButton)
    assert cube._under == (1, 0, 0)
    bench.move(QPointF(50, 300), Button.NoButton)
    assert cube._under is None


def test_it_can_be_switched_off_and_stays_off(bench, cube):
    assert bench.actions["view_cube"].isChecked()
    bench.actions["view_cube"].trigger()
    bench.pictures()
    assert cube.area is None and bench.settings.get("view/cube") is False and not bench.actions["view_cube"].isChecked()
    assert not cube.event(type("Event", (), {"type": lambda self: None})())
    bench.actions["view_cube"].trigger()
    bench.pictures()
    assert cube.area is not None and HALF < cube.area[2]


def test_a_click_means_what_was_there_when_it_was_pressed(bench, cube):
    bench.application.selection.hide((element(bench.context.model, "geom", 1),))
    bench.pictures()
    middle = cube.at((0, 0, 0))
    corners = [cube.at((x, y, z)) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    place = middle + 0.95 * (max(corners, key=lambda at: (at - middle).manhattanLength()) - middle)      # near the rim
    direction = cube.direction_at(place.x(), place.y())
    assert direction is not None
    QTest.mousePress(bench.host, Button.LeftButton, pos=place.toPoint())
    control = bench.application.view_control
    control.move(replace(control.camera, azimuth=180.0, elevation=0.0))     # turns under the pointer, as after the first click of two
    bench.pictures(3)
    assert cube.direction_at(place.x(), place.y()) is None
    QTest.mouseRelease(bench.host, Button.LeftButton, pos=place.toPoint())
    turned(bench, direction)
    assert cube.note == "1 hidden" and bench.context.options.hidden


def test_it_turns_a_camera_that_tracks_a_moving_body(workbench, tmp_path, monkeypatch):
    (tmp_path / "falling.xml").write_text(MODEL.replace('<geom name="floor" type="plane" size="5 5 .1"/>', ""))
    bench = workbench(tmp_path / "falling.xml", size=(1000, 700))
    control = bench.application.view_control
    control.track_body(1)
    bench.actions["run"].trigger()
    bench.pass_time(0.02)
    height = control.camera.lookat[2]
    bench.actions["look_from_right"].trigger()
    bench.wait(lambda: not control.flying)
    assert (control.camera.azimuth, control.camera.elevation) == SIDES["right"] and control.camera.kind == TRACKING
    bench.wait(lambda: control.camera.lookat[2] < height)      # goes on to follow
    monkeypatch.setattr("app.controllers.camera_flight.SECONDS", 1000)
    before = control.camera
    bench.actions["look_from_left"].trigger()
    bench.wait(lambda: control.camera != before)
    control.move(replace(control.camera, distance=3.0))         # the mouse takes it
    bench.wait(lambda: not control.flying)
    assert control.camera.distance == 3.0 and control.camera.azimuth != SIDES["left"][0]


def test_a_flight_ends_with_the_window(bench, monkeypatch):
    monkeypatch.setattr("app.controllers.camera_flight.SECONDS", 1000)
    bench.actions["look_from_back"].trigger()
    assert bench.application.view_control.flying
    bench.close()
    assert not bench.application.view_control.flying


def test_a_note_below_it_tells_what_is_hidden_and_shows_it_again(bench, cube):
    bench.actions["hide_selected"].trigger()
    bench.pictures()
    assert cube.note == ""
    bench.context.select_elements((element(bench.context.model, "geom", 1),))
    bench.actions["hide_selected"].trigger()
    bench.pictures()
    assert cube.note == "1 hidden"
    click(bench, cube._note_area.center())
    bench.pictures()
    assert not bench.context.options.hidden and cube.note == ""


# ------------------------------------------------------------------ the right button

def menu_texts(bench):
    bench.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    texts = [action.text() for action in menu.actions() if action.text()]
    return menu, texts


def test_a_right_click_on_a_thing_has_a_menu_of_it(bench):
    at = bench.centre("box")
    click(bench, at, Button.RightButton)
    menu, texts = menu_texts(bench)
    assert texts[:3] == ["geom crate", "Select", "Select its body"] and {"Look here", "Track with the camera", "Hide", "Copy pose", "Go to XML"} <= set(texts)
    assert not bench.context.selection.elements, "it selects nothing by itself"
    next(action for action in menu.actions() if action.text() == "Track with the camera").trigger()
    menu.close()
    assert bench.application.view_control.camera.kind == "tracking"


def test_a_right_click_on_nothing_has_the_view_s_menu_and_a_right_drag_none(bench):
    click(bench, QPointF(5, 5), Button.RightButton)
    menu, texts = menu_texts(bench)
    assert "View from the front" in texts and "Show" in texts and "View cube" in texts
    menu.close()
    bench.drag(QPointF(60, 300), QPointF(90, 300), button=Button.RightButton)
    bench.pictures(4)
    assert QApplication.activePopupWidget() is None


def test_a_problem_is_told_beside_the_cube(bench, cube):
    x, y, wide, high = (round(value) for value in cube.area)
    before = bench.host.grab().toImage()
    bench.application.overlay.problem = "model.xml:4:5: what is wrong here needs many words, more than the view has room for beside all else that is to be seen there\n" * 3
    bench.pictures()
    after = bench.host.grab().toImage()
    assert after != before and after.copy(x, y, wide, high) == before.copy(x, y, wide, high)
