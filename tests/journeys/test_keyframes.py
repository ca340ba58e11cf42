"""A pose of a robot becomes a keyframe, its mirror image another, and both part of the text, by clicks and keys."""
import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QStyle, QStyleOptionSlider

import physics
from app.panels.bookmarks import IMAGE
from app.panels.posing.keyframes import ROW
from assets.locate import bundled_model
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys import hands
from tests.journeys.hands import click, click_view, from_palette, strike


@pytest.fixture
def bench(workbench, tmp_path):
    text = bundled_model("humanoid.xml").read_text()
    path = tmp_path / "humanoid.xml"
    for folder in ("common",):
        there = bundled_model("humanoid.xml").parent / folder
        if there.is_dir():
            (tmp_path / folder).symlink_to(there)
    path.write_text(text)
    bench = workbench(path, size=(1500, 950))
    strike(Key.Key_2, CTRL)     # Inspect
    bench.pictures()
    return bench


def names(panel):
    return [panel.list.item(k).text() for k in range(panel.list.count())]


def choose(panel, *rows):
    """Clicks on rows of the list, the others with Ctrl."""
    for k, row in enumerate(rows):
        panel.list.scrollToItem(panel.list.item(row))
        at = panel.list.visualItemRect(panel.list.item(row)).center()
        QTest.mouseClick(panel.list.viewport(), Button.LeftButton, CTRL if k else NONE, at)


def raise_left_arm(bench):
    """The left forearm is dragged with the Pose tool; what floats stays where it is."""
    bench.press_key(Key.Key_P, SHIFT)
    bench.pictures()
    tool = bench.viewport.tools.active
    hands.choose(bench, tool.options.root, "Root is fixed")
    place = bench.centre("forearm_left")
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.wait(lambda: tool._grabbed is not None)
    for k in range(1, 11):
        bench.move(place + QPointF(2, -6) * k)
    bench.wait(lambda: (a := tool.session.answer) is not None and a.target == tool._grabbed and a.result.settled and np.array_equal(a.result.qpos, bench.snapshot.qpos))
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(20, -60)).toPoint())
    bench.press_key(Key.Key_Escape)
    assert bench.viewport.tools.active is None


def drag_slider(bench, slider, value, between):
    """Drag the handle of a slider to a value; between(): called while the button is down."""
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    handle = slider.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider)
    way = round((value - slider.value()) / (slider.maximum() - slider.minimum()) * (slider.width() - handle.width()))
    start = handle.center()
    assert slider.visibleRegion().contains(start)
    QTest.mousePress(slider, Button.LeftButton, NONE, start)
    for k in range(1, 9):
        at = start + QPoint(way * k // 8, 0)
        QApplication.sendEvent(slider, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), QPointF(slider.mapToGlobal(at)), Button.NoButton, Button.LeftButton, NONE))
    between()
    QTest.mouseRelease(slider, Button.LeftButton, NONE, start + QPoint(way, 0))


def blend_by_hand(bench, panel, pose, image):
    """Between two that are chosen: a ghost while the slider is dragged, the state when it is let go, and a keyframe by Keep, which Delete takes away."""
    drag_slider(bench, panel.blend, 50, lambda: bench.wait(lambda: bench.application.keyframes.ghosts))
    share = panel.blend.value() / 100
    assert 0.4 < share < 0.6
    middle = physics.blend_keyframes(bench.context.model, pose, image, share)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, middle.qpos))
    assert not bench.application.keyframes.ghosts
    count = panel.list.count()
    click(panel.keep_blend)
    bench.wait(lambda: panel.list.count() == count + 1)
    choose(panel, count)
    bench.wait(panel.list.hasFocus)
    strike(Key.Key_Delete)
    bench.wait(lambda: panel.list.count() == count)


def copy_the_forearm(bench, panel, row, pose, arm):
    """A click in the view selects the forearm; its joints alone come from a keyframe into the state."""
    bench.settled()
    bench.pictures()     # of the blended state: what a click meets is what was drawn last
    click_view(bench, bench.centre("forearm_left"))
    bench.wait(lambda: panel.selected_bodies == [bench.context.model.id("body", "forearm_left")])
    choose(panel, row)
    bench.wait(panel.copy_part.isEnabled)
    present = bench.snapshot.qpos.copy()
    click(panel.copy_part)
    bench.wait(lambda: not np.array_equal(bench.snapshot.qpos, present))
    changed = np.flatnonzero(bench.snapshot.qpos != present)
    assert set(changed) <= set(arm) and np.allclose(bench.snapshot.qpos[changed], pose.qpos[changed])


def test_a_pose_its_mirror_image_and_the_text(bench):
    from_palette(bench, "Panel Keyframes")
    bench.wait(lambda: "keyframes" in bench.docks.panels and not bench.docks.panels["keyframes"].visibleRegion().isEmpty())
    panel = bench.docks.panels["keyframes"]
    m = bench.context.model
    before = panel.list.count()
    start = bench.snapshot.qpos.copy()
    raise_left_arm(bench)
    click(panel.new)
    bench.wait(lambda: panel.list.count() == before + 1)
    choose(panel, before)
    click(panel.mirror)
    bench.wait(lambda: panel.list.count() == before + 2)
    assert names(panel)[before:] == ["keyframe", "keyframe_mirrored"]
    pose, image = (panel.list.item(before + k).data(ROW).key for k in range(2))
    bodies = m.names["body"]
    arms = {side: [int(m.jnt_qposadr[j]) for j in range(m.njnt) if bodies[m.jnt_bodyid[j]] in (f"forearm_{side}", f"upper_arm_{side}")] for side in ("left", "right")}
    moved = [np.abs(key.qpos[arms[side]] - start[arms[side]]).max() for key in (pose, image) for side in ("left", "right")]
    assert len(arms["left"]) >= 2 and moved[0] > 0.2 and moved[1] < 0.05 and moved[2] < 0.05 and moved[3] == pytest.approx(moved[0]), moved
    for row in (before, before + 1):
        bench.wait(lambda row=row: not panel.list.item(row).data(IMAGE).isNull())

    choose(panel, before, before + 1)       # between the two
    blend_by_hand(bench, panel, pose, image)
    copy_the_forearm(bench, panel, before, pose, arms["left"])
    for k in range(2):
        choose(panel, names(panel).index(("keyframe", "keyframe_mirrored")[k]))
        nkey = bench.context.model.nkey
        click(panel.write)
        bench.wait(lambda nkey=nkey: bench.context.model.nkey == nkey + 1)
        bench.panel("keyframes")
        bench.wait(lambda: panel.list.count() == before + 2)
    m = bench.context.model
    for name, key in (("keyframe", pose), ("keyframe_mirrored", image)):
        assert np.allclose(m.key_qpos[m.id("key", name)], key.qpos, atol=1e-8)
    assert all(panel.list.item(k).data(ROW).own is None for k in range(panel.list.count()))
    choose(panel, names(panel).index("keyframe"))
    click(panel.go)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, pose.qpos, atol=1e-8))
    editor = bench.source.editor()
    editor.setFocus()
    bench.wait(editor.hasFocus)
    QTest.keyClick(editor, Key.Key_Z, CTRL)
    QTest.keyClick(editor, Key.Key_Z, CTRL)
    bench.wait(lambda: bench.context.model.nkey == m.nkey - 2)
    assert not bench.session.modified
