"""The text editor by itself."""
from PyQt6.QtTest import QTest

from editor.source.editor import XmlEditor


def test_a_text_that_was_scrolled_aside_is_seen_whole_in_a_wider_panel(qtbot):
    editor = XmlEditor()
    qtbot.addWidget(editor)
    editor.resize(140, 300)
    editor.show()
    qtbot.waitExposed(editor)
    QTest.keyClicks(editor, '<geom name="box" size=".1 .1 .1"/>')
    assert editor.SendScintilla(editor.SCI_GETXOFFSET) > 0
    editor.resize(700, 300)
    qtbot.waitUntil(lambda: editor.SendScintilla(editor.SCI_GETXOFFSET) == 0)
