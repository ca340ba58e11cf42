"""Number fields, slider rows and the XML editor, by themselves."""
import math

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from editor.source.difference import difference
from editor.source.editor import ERROR_INDICATOR, WARNING_INDICATOR, XmlEditor, end_of_mark
from editor.widgets.number_edit import NumberEdit, parse_number
from editor.widgets.slider_row import RowSpec, SliderRow

TEXT = '<mujoco>\n  <worldbody>\n    <geom name="ä" type="bad" size=".1"/>\n  </worldbody>\n</mujoco>\n'


@pytest.mark.parametrize(("text", "value"), [("1", 1.0), (" -2.5e-3 ", -0.0025), ("pi/2", math.pi / 2), ("2*(3+1)", 8.0), ("2**-2", 0.25), ("inf", math.inf), (".5", 0.5)])
def test_numbers_and_small_sums_are_understood(text, value):
    assert parse_number(text) == value


@pytest.mark.parametrize("text", ["", "a", "1,5", "1 2", "__import__('os')", "9**9**9", "1/0", "nan", "1e400-1e400", "(-1)**.5", "'x'*9", "True", "10.0**64**2", "x" * 5000, "("])
def test_anything_else_is_refused(text):
    with pytest.raises(ValueError):
        parse_number(text)


def test_a_number_field_tells_only_good_values_of_its_range(qtbot):
    edit, told = NumberEdit(1.0, 0.0, 10.0), []
    qtbot.addWidget(edit)
    edit.edited.connect(told.append)

    def enter(text):
        edit.selectAll()
        QTest.keyClicks(edit, text)
        QTest.keyClick(edit, Qt.Key.Key_Return)

    enter("2.5")
    assert told == [2.5] and edit.text() == "2.5"
    enter("11")
    assert told == [2.5] and edit.styleSheet() and "between 0 and 10" in edit.toolTip()
    QTest.keyClick(edit, Qt.Key.Key_Escape)
    assert edit.text() == "2.5" and not edit.styleSheet()
    QTest.keyClick(edit, Qt.Key.Key_Up)
    assert told[-1] == pytest.approx(2.6)
    edit.show_value(7.0)
    assert edit.text() == "7" and told[-1] == pytest.approx(2.6)   # what comes from elsewhere is not told


def test_what_is_being_typed_is_not_overwritten(qtbot):
    edit = NumberEdit(1.0)
    qtbot.addWidget(edit)
    edit.show()
    edit.activateWindow()
    edit.setFocus()
    qtbot.waitUntil(edit.hasFocus)
    QTest.keyClicks(edit, "2")
    typed = edit.text()
    edit.show_value(5.0)
    assert edit.text() == typed


def test_a_slider_row_goes_from_end_to_end_and_back_to_its_start(qtbot):
    row, told = SliderRow(RowSpec("knee", -1.0, 3.0, 0.5)), []
    qtbot.addWidget(row, before_close_func=lambda _closing: row)
    row.edited.connect(told.append)
    assert row.value == 0.5
    row.slider.setValue(row.slider.maximum())
    assert told == [3.0]
    row.slider.setValue(row.slider.minimum())
    assert told[-1] == -1.0
    row.enter(10.0)   # beyond the range by hand
    assert told[-1] == 10.0 and row.slider.value() == row.slider.maximum() and row.value == 10.0
    row.reset.click()
    assert told[-1] == 0.5
    count = len(told)
    row.show_value(2.0)
    assert len(told) == count and row.value == 2.0


def test_marks_stand_at_their_places(qtbot):
    editor = XmlEditor()
    qtbot.addWidget(editor)
    editor.setText(TEXT)
    column = TEXT.splitlines()[2].index('"bad"') + 1
    editor.mark(3, column, "error", "unknown type")
    editor.mark(99, 1, "warning", "past the end")
    assert editor.message_at(2, column) == "unknown type" and editor.message_at(2, 2) == "" and editor.message_at(2, -1) == "unknown type"

    def marked(indicator, row, index):
        return bool(editor.SendScintilla(editor.SCI_INDICATORVALUEAT, indicator, editor.positionFromLineIndex(row, index)))

    assert [marked(ERROR_INDICATOR, 2, i) for i in (column - 2, column - 1, column + 3, column + 4)] == [False, True, True, False]
    assert editor.markersAtLine(2) and not editor.markersAtLine(1)
    editor.clear_marks()
    assert not marked(ERROR_INDICATOR, 2, column) and not marked(WARNING_INDICATOR, 4, 0) and not editor.markersAtLine(2) and not editor.message_at(2, -1)
    editor.go_to(3, column)
    assert editor.getCursorPosition() == (2, column - 1)


def test_new_text_keeps_the_cursor_and_can_be_undone(qtbot):
    editor = XmlEditor()
    qtbot.addWidget(editor)
    editor.setText(TEXT)
    editor.setCursorPosition(2, 7)
    editor.replace_text(TEXT.replace("bad", "box"))
    assert editor.getCursorPosition() == (2, 7) and "box" in editor.text()
    editor.undo()
    assert editor.text() == TEXT
    editor.replace_text("<mujoco/>")
    assert editor.getCursorPosition()[0] == 0


@pytest.mark.parametrize(("text", "start", "marked"), [('<geom a="b c"/>', 8, '"b c"'), ("<geom a='b'/>", 0, "<geom"), ("<geom size='1'/>", 6, "size"),
                                                      ('x="open', 2, '"open'), ('a="1 2" b="3 4"/>', 11, "3 4"), ('a="1 2" b="3 4"/>', 8, "b"), ("", 0, "")])
def test_what_a_mark_covers(text, start, marked):
    assert text[start:end_of_mark(text, start)] == marked


def test_the_difference_to_the_disk(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("one\ntwo\n")
    assert "-two" in difference(path, "one\nthree\n") and "+three" in difference(path, "one\nthree\n")
    assert "no difference" in difference(path, "one\ntwo\n")
    assert "cannot be read" in difference(tmp_path / "gone.xml", "")
