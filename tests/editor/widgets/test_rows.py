"""Rows of values: dragging by the name, powers, limits, marks, filters, colours."""
import math

import pytest
from PyQt6.QtCore import QEvent, QPoint, QPointF, Qt
from PyQt6.QtGui import QColor, QMouseEvent, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QCheckBox, QLabel, QVBoxLayout, QWidget

from editor.widgets.changed_mark import ChangedMark
from editor.widgets.colour_button import ColourButton
from editor.widgets.number_edit import NumberEdit
from editor.widgets.property_form import CheckGrid, PropertyForm
from editor.widgets.row_label import RowLabel
from editor.widgets.row_list import RowList
from editor.widgets.section import Section, filter_field
from editor.widgets.slider_row import SLIDER_STEPS, RowSpec, SliderRow

LEFT, NONE, SHIFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def drag(widget, pixels: int, modifiers=NONE) -> None:
    """Press in the middle, move to the right and let go."""
    start = widget.rect().center()
    QTest.mousePress(widget, LEFT, modifiers, start)
    for x in range(1, pixels + 1) if pixels > 0 else range(-1, pixels - 1, -1):
        at = start + QPoint(x, 0)
        QApplication.sendEvent(widget, QMouseEvent(QMouseEvent.Type.MouseMove, QPointF(at), QPointF(widget.mapToGlobal(at)), Qt.MouseButton.NoButton, LEFT, modifiers))
    QTest.mouseRelease(widget, LEFT, modifiers, start + QPoint(pixels, 0))


def turn(widget, notches: int, modifiers=NONE) -> bool:
    """Turn the wheel; whether the widget took it."""
    at = widget.rect().center()
    event = QWheelEvent(QPointF(at), QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, 120 * notches), Qt.MouseButton.NoButton, modifiers, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def shown(qtbot, widget, width=330):
    """The widget on the screen."""
    qtbot.addWidget(widget, before_close_func=lambda _closing, widget=widget: None)    # held until it is closed: Qt may paint it after the test's last line
    widget.resize(width, widget.sizeHint().height())
    widget.show()
    widget.activateWindow()
    qtbot.waitExposed(widget)
    return widget


def test_a_row_is_dragged_by_its_name_and_shift_is_fine(qtbot):
    row, told = shown(qtbot, SliderRow(RowSpec("knee", -1.0, 3.0, 2.0))), []
    row.edited.connect(told.append)
    label = row.findChild(RowLabel)
    drag(label, 50)
    assert told[-1] == row.value == pytest.approx(3.0)      # 50 pixels are one unit of the first digit
    drag(label, -50, SHIFT)
    assert row.value == pytest.approx(2.9)
    row.set_enabled(False)
    count = len(told)
    drag(label, 20)
    assert len(told) == count


def test_a_field_that_may_be_empty_says_when_it_is_emptied(qtbot):
    edit, told, gone = shown(qtbot, NumberEdit(1.0, may_be_empty=True)), [], []
    edit.edited.connect(told.append)
    edit.cleared.connect(lambda: gone.append(True))
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    edit.selectAll()
    QTest.keyClick(edit, Qt.Key.Key_Delete)
    QTest.keyClick(edit, Qt.Key.Key_Return)
    assert gone == [True] and not told and math.isnan(edit.number) and edit.text() == "" and not edit.styleSheet()
    edit.clearFocus()
    assert edit.text() == ""
    edit.show_value(2.0)
    assert edit.text() == "2"
    edit.show_value(math.nan)
    assert edit.text() == ""
    other = shown(qtbot, NumberEdit(1.0))
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    other.selectAll()
    QTest.keyClick(other, Qt.Key.Key_Delete)
    QTest.keyClick(other, Qt.Key.Key_Return)
    assert other.number == 1.0 and other.styleSheet()


def test_a_label_says_how_a_drag_ended(qtbot):
    label, told = shown(qtbot, RowLabel("gain", scrubs=True)), []
    label.released.connect(told.append)
    drag(label, 20)
    assert told == [False]
    QTest.mousePress(label, LEFT, pos=QPoint(5, 5))
    QTest.keyClick(label, Qt.Key.Key_Escape)
    QTest.mouseRelease(label, LEFT, pos=QPoint(5, 5))
    assert told == [False, True]


def test_ctrl_and_the_wheel_step_a_number_that_has_the_focus(qtbot):
    edit = shown(qtbot, NumberEdit(1.0))
    edit.clearFocus()
    assert not turn(edit, 1, CTRL) and edit.number == 1.0
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    assert not turn(edit, 1) and edit.number == 1.0
    assert turn(edit, 1, CTRL) and edit.number == pytest.approx(1.1)


@pytest.mark.parametrize("value", [-1.234567, -0.0001234567, 123456.7, -1.234567e-05, 1e300, 9.80665])
def test_a_number_is_never_cut(qtbot, value):
    edit = shown(qtbot, NumberEdit(0.0), 40)
    edit.show_value(value)
    assert edit.fontMetrics().horizontalAdvance(edit.text()) <= edit.width()
    assert float(edit.text()) == pytest.approx(value, rel=3e-2)
    wide = shown(qtbot, NumberEdit(0.0, share=2.0), 300)
    wide.show_value(value)
    assert float(wide.text()) == pytest.approx(value, rel=1e-6)


def test_seven_digits_are_readable_in_a_row_of_a_panel(qtbot):
    row = shown(qtbot, SliderRow(RowSpec("a_joint_with_a_long_name", -1.0, 3.0)), 300)
    row.show_value(-1.234567)
    number = row.number
    assert number.text() == "-1.234567" and number.fontMetrics().horizontalAdvance(number.text()) <= number.width() - 8


def test_a_slider_takes_the_rest_of_the_line(qtbot):
    row = shown(qtbot, SliderRow(RowSpec("margin", 0.0, 1.0)), 300)
    assert row.slider.width() > 110
    row.resize(500, row.height())
    qtbot.waitUntil(lambda: row.slider.width() > 300)


def test_a_slider_of_powers_has_the_geometric_mean_in_the_middle(qtbot):
    row, told = shown(qtbot, SliderRow(RowSpec("time constant", 0.001, 0.1, 0.02, log=True))), []
    row.edited.connect(told.append)
    row.slider.setValue(SLIDER_STEPS // 2)
    assert told[-1] == pytest.approx(0.01)
    row.show_value(0.1)
    assert row.slider.value() == SLIDER_STEPS
    row.show_value(0.0)     # below its least
    assert row.slider.value() == 0


def test_limits_are_drawn_and_a_value_past_them_is_red(qtbot):
    row, told = shown(qtbot, SliderRow(RowSpec("knee", -1.0, 3.0, 0.0, limited=True))), []
    row.edited.connect(told.append)
    low, high = row.slider.limits
    assert 0 < low < high < SLIDER_STEPS and not row.slider.past
    row.slider.setValue(SLIDER_STEPS)
    assert told[-1] == 3.0 and row.slider.value() == high     # the hand stays within the limits
    inside = row.grab().toImage()
    row.show_value(3.2)
    assert row.slider.past and row.slider.value() > high
    slider = row.slider
    at = slider.mapTo(row, QPoint(round(slider.x_of(slider.value())), slider.height() // 2))
    before, after = QColor(inside.pixel(at)), QColor(row.grab().toImage().pixel(at))
    assert after.red() > after.blue() + 60 and before != after


def test_a_mark_shows_the_files_value_and_reverts(qtbot):
    mark, told = ChangedMark(), []
    holder = QWidget()
    QVBoxLayout(holder).addWidget(mark)
    shown(qtbot, holder)
    empty = mark.grab().toImage()
    mark.revert.connect(lambda: told.append("one"))
    mark.revert_section.connect(lambda: told.append("all"))
    mark.show_change("-9.81")
    assert mark.toolTip() == "file: -9.81" and mark.changed and mark.grab().toImage() != empty
    one, every = mark.menu().actions()
    assert "-9.81" in one.text()
    one.trigger()
    every.trigger()
    assert told == ["one", "all"]
    mark.show_change("")
    assert mark.grab().toImage() == empty and not mark.toolTip()


def test_a_mark_looks_at_the_events_of_what_it_covers_only_while_it_has_a_menu_to_offer(qtbot):
    seen = []

    class Watching(ChangedMark):
        def eventFilter(self, watched, event) -> bool:
            seen.append(event.type())
            return super().eventFilter(watched, event)

    holder, label, mark = QWidget(), QLabel("timestep"), Watching()
    row = QVBoxLayout(holder)
    row.addWidget(mark)
    row.addWidget(label)
    mark.cover(label)
    shown(qtbot, holder)
    QApplication.sendEvent(label, QEvent(QEvent.Type.User))
    assert not seen
    mark.show_change("0.002")
    mark.show_change("0.003")
    QApplication.sendEvent(label, QEvent(QEvent.Type.User))
    assert seen == [QEvent.Type.User]
    mark.show_change("")
    QApplication.sendEvent(label, QEvent(QEvent.Type.User))
    assert seen == [QEvent.Type.User]


def test_one_filter_field_narrows_sections_and_opens_them(qtbot):
    folded, other = Section("Sizes", False), Section("Colours", True)
    form, grid = PropertyForm(), CheckGrid()
    form.add("Force width", [NumberEdit()], words="forcewidth")
    form.add("Joint length", [NumberEdit()], words="jointlength")
    for name in ("haze", "fog", "joint"):
        grid.add(QCheckBox(name))
    folded.add(form)
    other.add(grid)
    holder = QWidget()
    layout = QVBoxLayout(holder)
    field = filter_field([folded, other])
    for part in (field, folded, other):
        layout.addWidget(part)
    shown(qtbot, holder)
    QTest.keyClicks(field, "joint")
    assert folded.opened and {box.text() for box in grid.findChildren(QCheckBox) if box.isVisible()} == {"joint"}
    assert {label.text() for label in form.findChildren(RowLabel) if label.isVisible()} == {"Joint length"}
    field.setText("width")
    assert folded.isVisible() and not other.isVisible()
    field.setText("colours")     # the title of a section: all of it
    assert not folded.isVisible() and all(box.isVisible() for box in grid.findChildren(QCheckBox))
    field.clear()
    assert not folded.opened and other.opened and folded.isVisible() and all(box.isVisible() for box in grid.findChildren(QCheckBox))


def test_a_colour_is_chosen_live_and_cancel_takes_it_back(qtbot):
    button, told = ColourButton("fog"), []
    shown(qtbot, button)
    button.show_value((0.0, 0.0, 0.0, 1.0))
    button.edited.connect(told.append)
    QTest.mouseClick(button, LEFT)
    dialog = button.dialog
    assert dialog.isVisible() and not dialog.isModal()
    dialog.setCurrentColor(QColor.fromRgbF(1.0, 0.5, 0.0, 0.25))
    assert told[-1] == pytest.approx((1.0, 0.5, 0.0, 0.25), abs=0.005)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert told[-1] == (0.0, 0.0, 0.0, 1.0) and button.value == (0.0, 0.0, 0.0, 1.0)
    qtbot.waitUntil(lambda: button.dialog is None)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_row_shows_what_is_no_number(qtbot, value):
    row = shown(qtbot, SliderRow(RowSpec("knee", -1.0, 3.0, limited=True)))
    row.show_value(value)
    assert row.number.text() == str(value) and row.slider.value() in (0, SLIDER_STEPS)


def test_a_number_that_is_infinite_is_not_scrubbed(qtbot):
    edit = NumberEdit(math.inf)
    qtbot.addWidget(edit)
    edit.grab()
    edit.scrub(10)
    assert edit.number == math.inf


def test_a_list_of_rows_grows_with_its_texts(qtbot):
    """Heights followed a change of width alone."""
    rows = shown(qtbot, RowList(), width=400)
    rows.set_rows([RowSpec(name, -1.0, 1.0, readout="-000.0°") for name in ("hip", "knee", "ankle")])
    qtbot.waitUntil(lambda: len(rows.made) == 3)
    before = rows.height()
    font = rows.font()
    font.setPointSizeF(2 * font.pointSizeF())
    rows.setFont(font)
    qtbot.waitUntil(lambda: rows.height() > 1.4 * before)
    row = rows.row(2)
    assert row.y() >= 2 * row.number.sizeHint().height() and row.height() >= row.number.sizeHint().height()
    assert row.readout.minimumWidth() >= row.readout.fontMetrics().horizontalAdvance("-000.0°")


def test_in_two_lines_the_name_has_what_the_readout_leaves(qtbot):
    """It was cut where the number below it begins."""
    holder = QWidget()
    row = SliderRow(RowSpec("shoulder_swing_left", -1.0, 1.0, readout="-0.00"), holder)
    shown(qtbot, holder, 500)
    label = row.findChild(RowLabel)
    for width in (226, 400, 226):
        row.setGeometry(0, 0, width, row.suit(width))
        QApplication.processEvents()
    qtbot.waitUntil(lambda: label.width() >= label.fontMetrics().horizontalAdvance(label.text()))
    assert label.geometry().right() < row.readout.x() and row.readout.geometry().bottom() <= row.slider.y() + 1


def test_rows_are_made_a_few_in_each_turn(qtbot, monkeypatch):
    monkeypatch.setattr("editor.widgets.row_list.PORTION", -1.0)
    counts, fill = [], RowList._fill
    monkeypatch.setattr(RowList, "_fill", lambda rows: (fill(rows), counts.append(len(rows.made)))[0])
    rows = RowList()
    rows.set_rows([RowSpec(f"row {k}", -1.0, 1.0) for k in range(12)])
    area = QWidget()
    QVBoxLayout(area).addWidget(rows)
    area.setMinimumHeight(rows.height() + 40)
    shown(qtbot, area)
    qtbot.waitUntil(lambda: len(rows.made) == 12)
    assert all(after - before <= 1 for before, after in zip(counts, counts[1:]))


def move_to(widget, x: float, modifiers=NONE) -> None:
    """A motion with the button held, to a place of the screen."""
    there = QPointF(x, widget.mapToGlobal(QPointF(widget.rect().center())).y())
    QApplication.sendEvent(widget, QMouseEvent(QMouseEvent.Type.MouseMove, widget.mapFromGlobal(there), there, Qt.MouseButton.NoButton, LEFT, modifiers))


@pytest.mark.parametrize("obeys", [True, False], ids=["the pointer is put there", "it is not"])
def test_a_drag_goes_on_beyond_the_edge_of_the_screen(qtbot, monkeypatch, obeys):
    put = []
    monkeypatch.setattr("editor.widgets.endless_drag.QCursor.setPos", lambda x, y: put.append(x))
    label, steps = shown(qtbot, RowLabel("knee", scrubs=True)), []
    label.scrubbed.connect(steps.append)
    screen = label.screen().geometry()
    QTest.mousePress(label, LEFT, NONE, label.rect().center())
    start, right = label.mapToGlobal(QPointF(label.rect().center())).x(), float(screen.right())
    move_to(label, right - 40)
    assert not put
    move_to(label, right)
    assert steps[-1] == right - start and len(put) == 1 and put[0] < screen.left() + 20
    at = put[0] if obeys else right
    move_to(label, right - 1)       # was on its way before the pointer was put there
    for k in range(1, 4):
        move_to(label, min(at + 50 * k, right))
    assert steps[-1] == right - start + (149 if obeys else 0)
    QTest.mouseRelease(label, LEFT, NONE, label.rect().center())


def test_esc_and_another_button_take_the_drag_of_a_name_back(qtbot):
    row, told = shown(qtbot, SliderRow(RowSpec("knee", -1.0, 3.0, 2.0))), []
    row.number.show_value(1.0 / 3.0)
    row.edited.connect(told.append)
    label = row.findChild(RowLabel)
    for how in ("escape", "button"):
        place = label.rect().center()
        QTest.mousePress(label, LEFT, NONE, place)
        move_to(label, label.mapToGlobal(QPointF(place)).x() + 50)
        assert row.value != 1.0 / 3.0
        if how == "escape":
            QTest.keyClick(label, Qt.Key.Key_Escape)
        else:
            QTest.mousePress(label, Qt.MouseButton.RightButton, NONE, place)
        assert row.value == told[-1] == 1.0 / 3.0 and label.keyboardGrabber() is None
        count = len(told)
        move_to(label, label.mapToGlobal(QPointF(place)).x() + 90)
        QTest.mouseRelease(label, LEFT, NONE, place)
        assert len(told) == count
