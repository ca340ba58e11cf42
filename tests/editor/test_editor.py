"""The text editor by itself."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from editor.source.editor import XmlEditor
from physics.files.text_codec import LINE_ENDS


def test_a_text_that_was_scrolled_aside_is_seen_whole_in_a_wider_panel(qtbot):
    editor = XmlEditor()
    qtbot.addWidget(editor)
    editor.resize(140, 300)
    editor.show()
    qtbot.waitExposed(editor)
    QTest.keyClicks(editor, '<geom name="box" size=".1 .1 .1"/>')
    assert editor.SendScintilla(editor.SCI_GETXOFFSET) > 0
    editor.resize(700, 300)
    qtbot.waitUntil(lambda: editor.SendScintilla(editor.SCI_GETXOFFSET) == 0, timeout=5000)


@pytest.mark.parametrize("end", LINE_ENDS)
def test_lines_that_are_written_end_as_those_of_the_file(qtbot, end):
    text = f"<mujoco>{end}<!-- a -->\n<!-- b -->{end}</mujoco>"
    editor = XmlEditor()
    qtbot.addWidget(editor)
    editor.load(text)
    assert editor.text() == text and not editor.isUndoAvailable()
    editor.setCursorPosition(0, 8)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "<a/>")
    assert editor.text() == text.replace(f"<mujoco>{end}", f"<mujoco>{end}<a/>{end}")
    editor.mark(3, 1, "error", "wrong")
    assert editor.message_at(2, 3) == "wrong"
    other = text.replace(end, "\r\n")
    editor.replace_text(other)
    assert editor.text() == other
    while editor.isUndoAvailable():
        editor.undo()
    assert editor.text() == text
