"""What is written in the text editor comes as patches, exactly, whatever characters there are; what others change comes into it as patches."""
import random

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from editor.edits.patch import Edit, Patch, apply
from editor.source.editor import TEXT, XmlEditor
from editor.source.typing_runs import TypingRuns

SCI = XmlEditor
TEXTS = ("<a>\n  <b/>\n</a>\n", "<a>\r\n\t<größer x='€ 😀'/>\r\n<!-- 😀😀 é -->\r\n</a>", "é\r<a/>\r\n\n😀", "")


class Heard:
    """What an editor has told, and the text that this makes."""

    def __init__(self, editor, text):
        self.editor, self.text, self.runs, self.patches = editor, text, [], []
        editor.written.connect(self._take)

    def _take(self, patches, run):
        self.patches.append(patches)
        self.runs.append(run)
        self.text = {TEXT: self.text, **apply({TEXT: self.text}, Edit("", patches))}[TEXT]
        assert self.text == self.editor.known_text == self.editor.text()


@pytest.fixture
def editor(qtbot):
    made = XmlEditor()
    qtbot.addWidget(made)
    made.leave_undo()
    made.resize(400, 200)
    return made


def put_cursor(editor, offset):
    editor.SendScintilla(SCI.SCI_SETEMPTYSELECTION, editor.byte_of(offset))


@pytest.mark.parametrize("text", TEXTS)
def test_keys_paste_and_tabs_are_told_exactly(editor, text):
    editor.load(text)
    heard, rng = Heard(editor, text), random.Random(text)
    for _ in range(120):
        put_cursor(editor, rng.randint(0, len(editor.known_text)))
        kind = rng.randrange(7)
        if kind == 0:
            QTest.keyClick(editor, rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Tab)))
        elif kind == 1:
            letters = rng.choice("é<x€😀")      # as an input method or an odd keyboard has it
            QApplication.sendEvent(editor, QKeyEvent(QKeyEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letters))
        elif kind == 2:
            QApplication.clipboard().setText(rng.choice(("😀", "<g/>\r\n<h/>", "é é", "\n")))
            editor.paste()
        elif kind == 3:
            a, b = sorted(rng.randint(0, len(editor.known_text)) for _ in range(2))
            editor.SendScintilla(SCI.SCI_SETSEL, editor.byte_of(a), editor.byte_of(min(b, a + 9)))
            QTest.keyClick(editor, rng.choice((Qt.Key.Key_X, Qt.Key.Key_Delete, Qt.Key.Key_Tab)))
        elif kind == 4:
            a, b = sorted(rng.randint(0, len(editor.known_text)) for _ in range(2))
            patch = Patch("m.xml", a, min(b, a + 6), rng.choice(("", "😀", "é\r\n", "xyz")))
            after = editor.known_text[:patch.start] + patch.text + editor.known_text[patch.end:]
            editor.follow((patch,), after)
            heard.text = after
        elif kind == 5:
            editor.replace_text(editor.known_text.replace("a", rng.choice(("b", "a")), 1) + rng.choice(("", "\n", "é")))
        else:
            QTest.keyClicks(editor, rng.choice(("ab", "<", " x")))
        assert editor.known_text == editor.text() == heard.text
    assert editor.known_text == heard.text and heard.patches


def test_many_lines_that_one_key_indents_are_one_change(editor):
    text = "".join(f"<a{k}/>\r\n" for k in range(50))
    editor.load(text)
    heard = Heard(editor, text)
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert len(heard.patches) == 1 and len(heard.patches[0]) == 50 and heard.text == "".join(f"  <a{k}/>\r\n" for k in range(50)) and heard.runs == [0]


def test_what_others_change_leaves_cursor_folds_and_view(editor, qtbot):
    lines = ["<a>"] + [f"  <b{k}>\n    <c/>\n  </b{k}>" for k in range(100)] + ["</a>"]
    text = "\n".join(lines)
    editor.show()
    qtbot.waitExposed(editor)
    editor.load(text)
    put_cursor(editor, text.index("<b60>") + 2)
    editor.SendScintilla(SCI.SCI_COLOURISE, 0, -1)
    editor.foldLine(editor.lineIndexFromPosition(text.index("<b50>"))[0])
    editor.setFirstVisibleLine(150)
    heard, seen, folded = Heard(editor, text), editor.text(editor.SendScintilla(SCI.SCI_DOCLINEFROMVISIBLE, editor.firstVisibleLine())), editor.contractedFolds()
    at = text.index("<b10>")
    patches = (Patch("m", at, at, "<new/>\n<new/>\n  "), Patch("m", text.index("</b90>"), text.index("</b90>"), "<z/>"))
    after = apply({"m": text}, Edit("", patches))["m"]
    editor.follow(patches, after)
    assert editor.text() == after == editor.known_text and not heard.patches
    line, column = editor.getCursorPosition()
    assert editor.text(line)[:column] == "  <b"
    assert "<b60>" in editor.text(line) and editor.contractedFolds() == [fold + 2 for fold in folded]
    assert editor.text(editor.SendScintilla(SCI.SCI_DOCLINEFROMVISIBLE, editor.firstVisibleLine())) == seen
    editor.show_offset(after.index("<z/>") + 4)
    line, column = editor.getCursorPosition()
    assert editor.text(line)[:column].endswith("<z/>")


def test_the_component_keeps_nothing_to_undo(editor):
    editor.load("<a/>")
    QTest.keyClicks(editor, "xy")
    editor.undo()
    assert editor.text() == "xy<a/>" and not editor.isUndoAvailable()


def runs(*changes):
    made = TypingRuns()
    return [made.jumped() if change is None else made.of((Patch(TEXT, *change),)) for change in changes]


def test_a_run_is_a_word():
    size, space, range_ = (0, 0, "s"), (1, 1, " "), (2, 2, "r")
    a, b, c = runs(size, space, range_)
    assert a == b != c                                                      # the space belongs to the word before it
    assert len(set(runs((0, 0, "s"), (1, 1, "i"), (1, 2, ""), (1, 1, "e")))) == 1       # a letter that is mended
    assert len(set(runs((0, 0, "s"), (9, 9, "i")))) == 2                    # elsewhere
    first, _, second = runs((0, 0, "s"), None, (1, 1, "i"))
    assert first != second
    assert runs((0, 5, ""), (0, 0, "<geom/>")) == [0, 0]                    # cut, pasted
    a, b = runs((0, 5, "x"), (1, 1, "y"))                                   # typed over a selection
    assert a == b != 0
    assert len(set(runs((5, 6, ""), (4, 5, ""), (4, 5, "")))) == 1          # backspace, delete
