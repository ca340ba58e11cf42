"""Journeys with numbers of the panel "Properties" that are dragged, turned and stepped: other buttons, other windows, touchpads, whole numbers, lists of words."""
import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF, Qt
from PyQt6.QtGui import QContextMenuEvent, QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QMenu

from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import bring, click
from tests.journeys.test_properties import field, open_panel, row, select

MODEL = """<mujoco>
  <option iterations="2"/>
  <worldbody>
    <geom name="a" type="box" size=".1 .1 .1" condim="3" group="1"/>
    <geom name="b" size=".2" pos="1 0 0"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 800))


def text_of(bench):
    return bench.session.document.main.text


def motion(widget, at, buttons=Button.LeftButton):
    QApplication.sendEvent(widget, QMouseEvent(QEvent.Type.MouseMove, QPointF(at), QPointF(widget.mapToGlobal(at)), Button.NoButton, buttons, NONE))


def begin_drag(bench, number, steps=20):
    at = number.rect().center()
    QTest.mousePress(number, Button.LeftButton, NONE, at)
    for x in range(0, 4 * steps + 1, 8):
        motion(number, at + QPoint(x, 0))
    bench.wait(lambda: text_of(bench) != MODEL)
    return at + QPoint(4 * steps, 0)


def test_another_button_gives_a_drag_up_without_a_menu(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    number = field(bench, panel, "size")
    at = begin_drag(bench, number)
    QTest.mousePress(number, Button.RightButton, NONE, at)
    QApplication.sendEvent(number, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, number.mapToGlobal(at)))
    assert QApplication.activePopupWidget() is None and not panel.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)[1:]
    bench.wait(lambda: text_of(bench) == MODEL)
    QTest.mouseRelease(number, Button.RightButton, NONE, at)
    QTest.mouseRelease(number, Button.LeftButton, NONE, at)
    motion(number, at + QPoint(60, 0), Button.NoButton)
    bench.settled()
    assert text_of(bench) == MODEL and not panel.changes.busy and number.keyboardGrabber() is None
    QApplication.sendEvent(number, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, number.mapToGlobal(at)))      # the next one is a menu again
    bench.wait(lambda: QApplication.activePopupWidget() is not None)
    QApplication.activePopupWidget().close()


def test_a_release_that_went_elsewhere_ends_the_drag(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    number = field(bench, panel, "size")
    at = begin_drag(bench, number)
    motion(number, at + QPoint(40, 0), Button.NoButton)
    bench.wait(lambda: not panel.changes.busy)
    kept = text_of(bench)
    motion(number, at + QPoint(120, 0), Button.NoButton)
    bench.settled()
    assert text_of(bench) == kept != MODEL and number.keyboardGrabber() is None


def test_another_window_in_front_gives_a_drag_up(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    number = field(bench, panel, "size")
    begin_drag(bench, number)
    QApplication.sendEvent(number, QEvent(QEvent.Type.WindowDeactivate))
    bench.wait(lambda: text_of(bench) == MODEL and not panel.changes.busy)


def turn(widget, delta):
    at = QPointF(widget.rect().center())
    QApplication.sendEvent(widget, QWheelEvent(at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, delta), Button.NoButton, NONE,
                                               Qt.ScrollPhase.NoScrollPhase, False))


def test_small_turns_of_a_touchpad_add_up_to_steps(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    number = field(bench, panel, "size")
    click(number)
    bench.wait(number.hasFocus)
    for _ in range(7):
        turn(number, 15)
    assert text_of(bench) == MODEL
    turn(number, 15)
    bench.wait(lambda: 'size=".11 .1 .1"' in text_of(bench))
    for _ in range(8):
        turn(number, -15)
    bench.wait(lambda: 'size=".1 .1 .1"' in text_of(bench))


def test_whole_numbers_stay_in_their_bounds(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    number = field(bench, panel, "condim")
    click(number)
    bench.wait(number.hasFocus)
    for wanted in ("4", "6", "6"):
        QTest.keyClick(number, Key.Key_Up)
        bench.wait(lambda wanted=wanted: f'condim="{wanted}"' in text_of(bench))
    for wanted in ("4", "3", "1", "1"):
        QTest.keyClick(number, Key.Key_Down)
        bench.wait(lambda wanted=wanted: f'condim="{wanted}"' in text_of(bench))
    group = field(bench, panel, "group")
    click(group)
    bench.wait(group.hasFocus)
    for wanted in ("0", "0"):
        QTest.keyClick(group, Key.Key_Down)
        bench.wait(lambda wanted=wanted: f'group="{wanted}"' in text_of(bench))


def test_after_a_word_is_chosen_letters_are_the_views_again(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    box = row(bench, panel, "type").editor.box
    bring(box)
    bench.host.setFocus()
    bench.wait(bench.host.hasFocus)
    QTest.mouseClick(box, Button.LeftButton)
    bench.wait(lambda: QApplication.activePopupWidget() is not None)
    QTest.keyClick(box.view(), Key.Key_Escape)
    bench.wait(lambda: QApplication.activePopupWidget() is None)
    assert not box.hasFocus()


def test_another_notation_of_what_is_not_selected_any_more_changes_nothing(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    editor = row(bench, panel, "orientation").editor
    bench.application.document_selection.select(())
    panel._subject = None
    editor.turned.emit("euler")
    bench.wait(lambda: panel.filled)
    assert text_of(bench) == MODEL
