"""Letters that an input method only shows are not in the text that is told, and not in the file."""
import pytest
from PyQt6.Qsci import QsciScintilla
from PyQt6.QtGui import QInputMethodEvent

from editor.edits.patch import Edit, Patch, apply
from editor.source.editor import TEXT, XmlEditor
from editor.source.positions import select


@pytest.fixture
def editor(qtbot):
    made = XmlEditor()
    qtbot.addWidget(made)
    made.leave_undo()
    made.load('<a b=""/>')
    select(made, 6, 6)
    made.told = []
    made.written.connect(lambda patches, _run: made.told.append(patches))
    return made


def shown(letters):
    return QInputMethodEvent(letters, [])


def written(letters):
    event = QInputMethodEvent()
    event.setCommitString(letters)
    return event


def test_only_what_is_written_stays(editor):
    for letters in ("k", "か", "かn"):
        editor.inputMethodEvent(shown(letters))
        assert letters in editor.text() and editor.told == []
    editor.inputMethodEvent(written("か"))
    assert editor.text() == editor.known_text == '<a b="か"/>'
    assert len(editor.told) == 1 and apply({TEXT: '<a b=""/>'}, Edit("", editor.told[0])) == {TEXT: '<a b="か"/>'}
    editor.inputMethodEvent(shown("´"))       # a dead key
    editor.inputMethodEvent(written("á"))
    assert editor.text() == editor.known_text == '<a b="かá"/>' and len(editor.told) == 2
    assert not editor.SendScintilla(QsciScintilla.SCI_CANUNDO)


def test_what_is_given_up_leaves_nothing(editor):
    editor.inputMethodEvent(shown("ka"))
    editor.inputMethodEvent(shown(""))
    assert editor.text() == editor.known_text == '<a b=""/>' and editor.told == []


def test_an_edit_of_others_meanwhile_takes_the_letters_away(editor):
    editor.inputMethodEvent(shown("ka"))
    editor.follow((Patch(TEXT, 1, 2, "c"),), '<c b=""/>')
    assert editor.text() == editor.known_text == '<c b=""/>' and editor.told == []
    editor.inputMethodEvent(written("x"))
    assert "x" in editor.text() and len(editor.told) == 1
