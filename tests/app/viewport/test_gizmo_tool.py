"""The Move, Rotate, Scale and Create tools in the real window, by mouse and keys: what is dragged, what is written, what stays as it is without a handle."""
import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPointF
from PyQt6.QtGui import QFocusEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from editor.tools.handles import pixels
from editor.tools.subject import Moment
from physics.model.elements import element
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.editor.tools.scenes import PART, written
from tests.journeys.hands import at, click_view


@pytest.fixture
def bench(workbench, tmp_path):
    made = workbench(written(tmp_path), size=(1100, 760))
    made.pictures(3)
    made.wait(lambda: not made.session._compiler.busy)
    return made


def tool_of(bench):
    return bench.viewport.tools.active


def select(bench, kind: str, name: str) -> None:
    bench.context.select_elements((element(bench.context.model, kind, bench.context.model.id(kind, name)),))


def begin(bench, key=Key.Key_G) -> None:
    """One of the tools, by its key, and a picture with its handles."""
    bench.press_key(key, SHIFT)
    bench.settled()
    bench.pictures(2)


def place_of(bench, what: tuple) -> QPointF:
    """Where a handle is in the picture that is seen."""
    tool, picture = tool_of(bench), bench.viewport.picture
    gizmo = tool._gizmo(tool.selected.now())
    handle = next(one for one in gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if one.what == what)
    where = pixels(handle, picture.view, tool._size())
    return QPointF(*(where.mean(0) if handle.shape == "square" else where[len(where) // 3 if handle.shape == "line" else -1]))


def press(bench, what: tuple, keys=NONE) -> QPointF:
    place = place_of(bench, what)
    QTest.mousePress(bench.host, Button.LeftButton, keys, place.toPoint())
    assert tool_of(bench).running is not None
    return place


def let_go(bench, place: QPointF, keys=NONE) -> None:
    QTest.mouseRelease(bench.host, Button.LeftButton, keys, place.toPoint())
    assert tool_of(bench) is None or tool_of(bench).running is None


def geom(bench, name: str) -> np.ndarray:
    return bench.snapshot.geom_xpos[bench.context.model.id("geom", name)].copy()


def entries(bench) -> list[str]:
    return [entry.edit.label for entry in bench.session.document.history.entries[:bench.session.document.history.position]]


def test_an_arrow_is_dragged_and_one_entry_remains(bench, tmp_path):
    select(bench, "geom", "ball")
    begin(bench)
    assert bench.actions["move"].isChecked() and tool_of(bench).strip.isVisible()
    before, camera = geom(bench, "ball"), bench.application.view_control.camera
    place = press(bench, ("move", (2,)))
    for k in range(1, 6):
        bench.move(place + QPointF(0, -8 * k))
        bench.pictures(1)
    assert tool_of(bench).running.motion.texts[0].startswith("z +")
    assert bench.window.statusBar().tool.text().startswith("z +") and bench.window.statusBar().tool.isVisible()
    bench.wait(lambda: geom(bench, "ball")[2] > before[2] + 0.02)
    let_go(bench, place + QPointF(0, -40))
    bench.wait(lambda: not bench.session._compiler.busy)
    assert entries(bench) == ["Move geom ball"] and bench.application.view_control.camera == camera
    assert geom(bench, "ball")[:2] == pytest.approx(before[:2], abs=1e-9)
    bench.session.save()
    text = (tmp_path / "part.xml").read_bytes().decode()
    assert text.split("pos=")[2].startswith('"0.000 .10 0.') and text.count("\r\n") == PART.count("\r\n")
    bench.session.undo()
    bench.wait(lambda: geom(bench, "ball") == pytest.approx(before, abs=1e-9))
    bench.session.save()
    assert (tmp_path / "part.xml").read_bytes().decode() == PART


def test_a_drag_is_taken_back_without_an_entry(bench):
    select(bench, "geom", "block")
    begin(bench)
    for how in ("escape", "right button", "focus"):
        drag_taken_back(bench, how)


def drag_taken_back(bench, how):
    """One of the ways."""
    bench.pictures(2)
    texts, before = bench.session.document.texts(), geom(bench, "block")
    place = press(bench, ("view",))
    bench.move(place + QPointF(50, 30))
    bench.pictures(1)
    assert bench.session.document.texts() != texts
    if how == "escape":
        QTest.keyClick(bench.host, Key.Key_Escape)
    elif how == "right button":
        QTest.mousePress(bench.host, Button.RightButton, NONE, (place + QPointF(50, 30)).toPoint())
        QTest.mouseRelease(bench.host, Button.RightButton, NONE, (place + QPointF(50, 30)).toPoint())
    else:
        QApplication.sendEvent(bench.host, QFocusEvent(QEvent.Type.FocusOut))
    assert tool_of(bench).running is None and bench.session.document.texts() == texts and not bench.session.document.history.entries
    camera = bench.application.view_control.camera
    bench.move(place + QPointF(90, 60))
    let_go(bench, place + QPointF(90, 60))
    assert bench.application.view_control.camera == camera, "the rest of the press is nobody's"
    bench.wait(lambda: geom(bench, "block") == pytest.approx(before, abs=1e-9))
    assert bench.context.selection.elements[0].name == "block"


def test_typed_numbers_set_the_value_and_return_ends(bench, tmp_path):
    select(bench, "body", "part")
    begin(bench)
    place = press(bench, ("move", (0,)))
    bench.move(place + QPointF(11, 3))
    for key in (Key.Key_Minus, Key.Key_Period, Key.Key_5, Key.Key_2, Key.Key_Backspace, Key.Key_Tab, Key.Key_2, Key.Key_Return):
        QTest.keyClick(bench.host, key)
    let_go(bench, place)
    assert "pos='-0.4 3 .5'" in bench.session.document.texts()[str(tmp_path / "part.xml")]


def test_g_and_an_axis_move_without_a_button(bench):
    select(bench, "geom", "block")
    begin(bench)
    flags, before = bench.context.options.copy(), geom(bench, "block")
    middle = at(bench, before)
    bench.move(middle, button=Button.NoButton)
    QTest.keyClick(bench.host, Key.Key_G)
    assert tool_of(bench).running is not None
    QTest.keyClick(bench.host, Key.Key_Z)
    bench.move(middle + QPointF(25, -30), button=Button.NoButton)
    QTest.mouseClick(bench.host, Button.LeftButton, NONE, (middle + QPointF(25, -30)).toPoint())
    assert tool_of(bench).running is None and entries(bench) == ["Move geom block"]
    bench.wait(lambda: geom(bench, "block")[2] > before[2] + 0.01)
    assert geom(bench, "block")[:2] == pytest.approx(before[:2], abs=1e-3)
    assert bench.context.options.flags == flags.flags and bench.context.options.render == flags.render, "G and Z are no switches of the view meanwhile"
    assert bench.context.selection.elements[0].name == "block", "the click that ends it selects nothing"
    bench.wait(lambda: not bench.session._compiler.busy)
    bench.pictures(2)
    QTest.keyClick(bench.host, Key.Key_R)
    assert bench.viewport.tools.name == "rotate" and bench.actions["rotate"].isChecked() and not bench.actions["move"].isChecked()
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert tool_of(bench).running is None


def test_without_a_handle_all_is_as_ever(bench):
    select(bench, "geom", "block")
    begin(bench)
    camera = bench.application.view_control.camera
    corner = QPointF(60, 60)
    bench.drag(corner, corner + QPointF(50, 10))
    assert bench.application.view_control.camera != camera, "the camera turns"
    bench.pictures(2)
    click_view(bench, at(bench, geom(bench, "cube")))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "cube")
    body = bench.context.model.id("body", "base")
    bench.context.select_body(body)
    bench.pictures(2)
    QTest.mousePress(bench.host, Button.RightButton, CTRL, corner.toPoint())
    assert bench.viewport._perturb.perturbation is not None, "the mouse's spring pulls"
    QTest.mouseRelease(bench.host, Button.RightButton, CTRL, corner.toPoint())
    assert not bench.session.document.history.entries
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert tool_of(bench) is None and not bench.actions["move"].isChecked()


def test_a_ring_turns_and_ctrl_snaps(bench, tmp_path):
    select(bench, "geom", "block")
    begin(bench, Key.Key_R)
    tool_of(bench).strip.orientation.setCurrentIndex(tool_of(bench).strip.orientation.findData("local"))
    tool_of(bench).strip.orientation.activated.emit(0)
    assert bench.settings.get("gizmo/orientation") == "local"
    bench.pictures(2)
    place = press(bench, ("turn", 2))
    bench.move(place + QPointF(30, 25), modifiers=CTRL)
    angle = float(tool_of(bench).running.motion.texts[0].rstrip("\N{DEGREE SIGN}"))
    let_go(bench, place + QPointF(30, 25), CTRL)
    assert angle and angle % 15 == 0
    assert 'pos=".1   0 0.05"' in bench.session.document.main.text and 'quat="' not in next(line for line in bench.session.document.main.text.splitlines() if "block" in line)


def test_a_knob_changes_one_size(bench):
    select(bench, "geom", "block")
    begin(bench, Key.Key_S)
    place = press(bench, ("size", 0, 0, 1))
    bench.move(place + QPointF(20, 5))
    let_go(bench, place + QPointF(20, 5))
    line = next(line for line in bench.session.document.main.text.splitlines() if 'name="block"' in line)
    size = line.split('size="')[1].split('"')[0].split()
    assert size[1:] == [".15", ".2"] and size[0] != ".1" and entries(bench) == ["Resize geom block"]


def test_what_cannot_be_moved_says_why(bench):
    begin(bench)
    note = tool_of(bench).strip.note
    bench.wait(lambda: note.text() == "Select what is to be moved")
    select(bench, "geom", "hull")
    bench.pictures(2)
    tool_of(bench).choose("scale")
    bench.wait(lambda: "fitscale" in note.text())
    select(bench, "geom", "pole-03")
    tool_of(bench).choose("move")
    bench.wait(lambda: "of 10" in note.text() and "replicate" in note.text())
    select(bench, "geom", "k_nose")
    bench.wait(lambda: "child.xml" in note.text())


def test_a_body_that_floats_is_seen_to_move_while_paused(bench):
    select(bench, "body", "free")
    begin(bench)
    number = bench.context.model.id("body", "free")
    before = bench.snapshot.xpos[number].copy()
    place = press(bench, ("move", (2,)))
    bench.move(place + QPointF(0, -30))
    bench.wait(lambda: bench.snapshot.xpos[number][2] > before[2] + 0.02)
    QTest.keyClick(bench.host, Key.Key_Escape)
    bench.wait(lambda: bench.snapshot.xpos[number] == pytest.approx(before, abs=1e-9))
    let_go(bench, place)
    bench.wait(lambda: not bench.session._compiler.busy)
    bench.pictures(2)
    place = press(bench, ("move", (2,)))
    bench.move(place + QPointF(0, -30))
    let_go(bench, place + QPointF(0, -30))
    bench.wait(lambda: bench.snapshot.xpos[number][2] > before[2] + 0.02)
    assert bench.snapshot.xpos[number][:2] == pytest.approx(before[:2], abs=1e-6) and entries(bench) == ["Move body free"]
    there = bench.snapshot.xpos[number].copy()
    bench.press_key(Key.Key_Escape)     # without the tool
    bench.session.undo()
    bench.wait(lambda: bench.snapshot.xpos[number] == pytest.approx(before, abs=1e-9))
    bench.session.redo()
    bench.wait(lambda: bench.snapshot.xpos[number] == pytest.approx(there, abs=1e-9))


def test_a_mocap_body_goes_along_while_the_model_runs_and_back_by_undo(workbench, tmp_path):
    (tmp_path / "m.xml").write_text('<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/><body name="hand" mocap="true" pos="0 0 .5">'
                                    '<geom size=".1" contype="0" conaffinity="0"/></body></worldbody></mujoco>')
    bench = workbench(tmp_path / "m.xml", size=(1000, 700), running=True)
    bench.pictures(3)
    select(bench, "body", "hand")
    begin(bench)
    number = bench.context.model.id("body", "hand")
    place = press(bench, ("move", (2,)))
    bench.move(place + QPointF(0, -15))
    bench.pictures(2)
    bench.move(place + QPointF(0, -30))
    bench.wait(lambda: bench.snapshot.xpos[number][2] > 0.51)
    let_go(bench, place + QPointF(0, -30))
    bench.settled()
    written = float(bench.session.document.main.text.split('mocap="true" pos="')[1].split('"')[0].split()[2])
    bench.wait(lambda: bench.snapshot.xpos[number][2] == pytest.approx(written, abs=2e-3))
    bench.session.undo()
    bench.wait(lambda: bench.snapshot.xpos[number] == pytest.approx((0, 0, .5), abs=1e-9))


def test_a_camera_looks_and_moves_in_its_own_picture(bench):
    number = bench.context.model.id("camera", "eye")
    select(bench, "camera", "eye")
    bench.application.view_control.set_camera(number)
    begin(bench, Key.Key_R)
    pos, mat = bench.snapshot.cam_xpos[number].copy(), bench.snapshot.cam_xmat[number].copy()
    start = QPointF(200, 150)
    bench.drag(start, start + QPointF(40, 0))
    bench.wait(lambda: not np.allclose(bench.snapshot.cam_xmat[number], mat, atol=1e-3))
    assert bench.snapshot.cam_xpos[number] == pytest.approx(pos, abs=1e-6) and entries(bench) == ["Turn camera eye"]
    bench.wait(lambda: not bench.session._compiler.busy)
    QTest.keyClick(bench.host, Key.Key_Escape)
    begin(bench, Key.Key_G)
    bench.drag(start, start + QPointF(0, 30))
    bench.wait(lambda: not np.allclose(bench.snapshot.cam_xpos[number], pos, atol=1e-4))


def test_an_axis_from_a_face(bench):
    select(bench, "joint", "swing")
    begin(bench)
    strip = tool_of(bench).strip
    bench.wait(strip.face.isVisible)
    strip.face.click()
    bench.pictures(1)
    floor = at(bench, (0.0, -1.5, 0.0))
    QTest.mouseClick(bench.host, Button.LeftButton, NONE, floor.toPoint())
    assert entries(bench) == ["Axis of joint swing from a face"]
    number = bench.context.model.id("joint", "swing")
    bench.wait(lambda: np.allclose(np.abs(bench.snapshot.xaxis[number]), (0, 0, 1), atol=1e-5))


def test_a_box_is_created_by_dragging_its_base_and_then_its_height(bench):
    bench.press_key(Key.Key_A, SHIFT)
    bench.settled()
    bench.pictures(2)
    assert bench.actions["create"].isChecked()
    count = bench.context.model.ngeom
    a, b = at(bench, (0.6, -1.2, 0.0)), at(bench, (0.9, -1.5, 0.0))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, a.toPoint())
    bench.move(b)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, b.toPoint())
    assert tool_of(bench).creation is not None
    bench.move(b, button=Button.NoButton)
    bench.move(b + QPointF(0, -50), button=Button.NoButton)
    QTest.mouseClick(bench.host, Button.LeftButton, NONE, (b + QPointF(0, -50)).toPoint())
    assert entries(bench) == ["New box"]
    bench.wait(lambda: bench.context.model.ngeom == count + 1)
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "box")
    number = bench.context.model.id("geom", "box")
    size, pos = bench.context.model.geom_size[number], bench.context.model.geom_pos[number]
    assert size[:2] == pytest.approx((0.15, 0.15), abs=0.02) and pos[2] == pytest.approx(size[2], abs=1e-3) and pos[:2] == pytest.approx((0.75, -1.35), abs=0.02)
    bench.session.undo()
    bench.wait(lambda: bench.context.model.ngeom == count)


@pytest.mark.parametrize("shape", ["box", "sphere"])
def test_a_click_creates_nothing(bench, shape):
    bench.press_key(Key.Key_A, SHIFT)
    bench.settled()
    bench.pictures(2)
    strip = tool_of(bench).strip
    strip.shape.setCurrentIndex(strip.shape.findText(shape))
    texts, place = bench.session.document.texts(), at(bench, (0.6, -1.2, 0.0))
    QTest.mouseClick(bench.host, Button.LeftButton, NONE, place.toPoint())
    assert tool_of(bench).creation is None and bench.session.document.texts() == texts and entries(bench) == []


def test_with_shift_a_ball_becomes_a_body_with_a_free_joint(bench):
    bench.press_key(Key.Key_A, SHIFT)
    bench.settled()
    bench.pictures(2)
    tool_of(bench).strip.shape.setCurrentIndex(tool_of(bench).strip.shape.findData("sphere"))
    count = bench.context.model.nbody
    a, b = at(bench, (0.6, -1.2, 0.0)), at(bench, (0.8, -1.2, 0.0))
    QTest.mousePress(bench.host, Button.LeftButton, SHIFT, a.toPoint())
    bench.move(b)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, b.toPoint())
    bench.wait(lambda: bench.context.model.nbody == count + 1)
    number = bench.context.model.id("body", "sphere")
    bench.wait(lambda: bench.context.selection.bodyid == number)
    assert bench.context.model.body_dofnum[number] == 6 and bench.snapshot.xpos[number][2] == pytest.approx(0.2, abs=0.02)


def test_snapping_to_a_surface_lays_it_down(bench):
    bench.settings.set("gizmo/snap_to", "surface")
    select(bench, "geom", "mark")
    begin(bench)
    press(bench, ("view",))
    target = at(bench, (0.7, -1.3, 0.0))
    bench.move(target, modifiers=CTRL)
    bench.pictures(2)
    bench.move(target, modifiers=CTRL)
    let_go(bench, target, CTRL)
    bench.wait(lambda: geom(bench, "mark") == pytest.approx((0.7, -1.3, 0.05), abs=0.02))
    assert geom(bench, "mark")[2] == pytest.approx(0.05, abs=1e-4), "the ball of 5 cm rests on the floor"


ROPE = """<mujoco model="rope"><statistic center="0 0 .5" extent="1.5"/><visual><global azimuth="90" elevation="-10"/></visual><worldbody>
  <light pos="0 -2 4" dir="0 .3 -1"/>
  <frame name="holder" pos="0 0 .2" euler="0 0 30"><site name="a" pos="-.4 0 .5"/><site name="b" pos=".4 0 .5"/></frame>
  <body name="mass" pos="0 0 .3"><joint type="slide" axis="0 0 1"/><geom size=".05"/><site name="c"/></body></worldbody>
  <tendon><spatial name="rope" width=".01"><site site="a"/><site site="c"/><site site="b"/></spatial></tendon></mujoco>"""


@pytest.fixture
def rope(workbench, tmp_path):
    path = tmp_path / "rope.xml"
    path.write_text(ROPE)
    made = workbench(path, size=(1100, 760))
    made.pictures(3)
    return made


def test_a_tendon_is_dragged_by_the_sites_that_it_goes_through(rope):
    select(rope, "tendon", "rope")
    begin(rope)
    before = rope.snapshot.site_xpos.copy()
    place = press(rope, ("point", 0))
    rope.move(place + QPointF(-30, 0))
    let_go(rope, place + QPointF(-30, 0))
    rope.wait(lambda: np.abs(rope.snapshot.site_xpos[0] - before[0]).max() > 0.02)
    assert rope.snapshot.site_xpos[1:] == pytest.approx(before[1:], abs=1e-9) and entries(rope) == ["Move site a"]
    assert tool_of(rope).selected.now().subjects[-1].element.name == "a", "it has the arrows now"


def test_a_frame_that_is_selected_in_the_text_is_moved_with_what_it_holds(rope):
    root = rope.session.document.version().root
    rope.application.document_selection.select([next(one.id for one in root.walk() if one.tag == "frame")])
    begin(rope)
    before = rope.snapshot.site_xpos.copy()
    place = press(rope, ("move", (2,)))
    rope.move(place + QPointF(0, -30))
    let_go(rope, place + QPointF(0, -30))
    rope.wait(lambda: rope.snapshot.site_xpos[0][2] > before[0][2] + 0.02)
    assert rope.snapshot.site_xpos[:2, 2] - before[:2, 2] == pytest.approx(np.ptp(rope.snapshot.site_xpos[:2, 2]) + rope.snapshot.site_xpos[0][2] - before[0][2], abs=1e-9)
    assert entries(rope) == ["Move frame holder"] and 'euler="0 0 30"' in rope.session.document.main.text


def test_numbers_beside_the_pointer_stand_above_the_strip(bench):
    from PyQt6.QtCore import QRectF
    from PyQt6.QtGui import QImage, QPainter

    from app.viewport.tools.gizmo_painter import paint_texts

    begin(bench)
    strip, size = tool_of(bench).strip, (bench.host.width(), bench.host.height())
    assert strip.area.height() > 0
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    try:
        low = paint_texts(painter, strip.area.center(), size, ["z +0.1 m", "= 0.1_"], strip.area)
        high = paint_texts(painter, QPointF(50, 50), size, ["z +0.1 m"], strip.area)
    finally:
        painter.end()
    assert not low.isEmpty() and not low.intersects(strip.area) and QRectF(0, 0, *size).contains(low)
    assert high.top() > 50 and high.left() > 50, "elsewhere it is beside the pointer"


def test_what_lies_outside_of_the_picture_is_told_until_it_is_framed(bench):
    from dataclasses import replace

    select(bench, "geom", "ball")
    begin(bench)
    note, control = tool_of(bench).strip.note, bench.application.view_control
    assert "outside" not in note.text()
    control.camera = replace(control.camera, lookat=(40.0, 0.0, 0.0))
    bench.viewport.refresh()
    bench.wait(lambda: "outside of the picture" in note.text())
    bench.press_key(Key.Key_Period)
    bench.wait(lambda: "outside" not in note.text())


def test_an_element_of_a_default_class_stands_nowhere(bench):
    begin(bench)
    tree = bench.session.document.version().root
    rod = next(one for default in tree.walk() if default.tag == "default" and default.attrs.get("class") == "rod" for one in default.walk() if one.tag == "geom")
    bench.application.document_selection.select([rod.id])
    bench.wait(lambda: "what elements of its class have in common" in tool_of(bench).strip.note.text())


def test_the_strip_of_a_tool_that_has_ended_does_not_come_back_with_another_size_of_the_view(bench):
    from PyQt6.QtCore import QSize
    from PyQt6.QtGui import QResizeEvent

    begin(bench)
    strip, tools = tool_of(bench).strip, bench.viewport.tools
    assert strip.isVisible()
    tools.cancel()
    assert not strip.isVisible()
    QApplication.sendEvent(bench.viewport, QResizeEvent(QSize(500, 400), bench.viewport.size()))
    assert not strip.isVisible()


def test_a_narrow_view_has_the_strip_in_rows_without_gaps(bench):
    select(bench, "geom", "block")
    begin(bench)
    strip = tool_of(bench).strip
    wide = strip.height()
    bench.window.resize(660, 560)
    for side in ("left", "right"):
        for dock in bench.docks.open_docks(side).values():
            dock.hide()
    bench.viewport.setMaximumWidth(330)
    bench.wait(lambda: bench.viewport.width() <= 330 and strip.width() <= 330 and strip.height() > wide)
    seen = [one for one in strip._widgets if one.isVisible()]
    rows: dict[int, list] = {}
    for one in seen:
        rows.setdefault(one.geometry().center().y(), []).append(one.geometry())
    assert len(rows) > 1 and len(seen) == 6
    for boxes in rows.values():
        assert all(0 < after.left() - before.right() <= 8 for before, after in zip(boxes, boxes[1:], strict=False)), "side by side"
        assert boxes[0].left() <= 10 and boxes[-1].right() < strip.width()
