"""Write a model in the XML panel: candidates by keys, tags that close themselves, help at the pointer, what is not closed."""
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from editor.source.marks import FAULT
from editor.source.positions import caret, point_of, select
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import click, put_cursor, strike, type_keys

ALT = Qt.KeyboardModifier.AltModifier
MODEL = """<mujoco model="arm">
  <worldbody>
    <light pos="0 -2 4"/>
    <body name="upper" pos="0 0 1">
      <joint name="elbow" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 .5" size=".04"/>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="elbow"/>
  </actuator>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1300, 850))


def begin(bench, row: int, column: int):
    """The editor, with the caret put there by a click."""
    editor = bench.source.editor()
    put_cursor(bench, editor, row, column)
    return editor


def popup(bench):
    return bench.source.assist.typing(bench.session.document.main_key).popup


def words(bench) -> list[str]:
    """What is offered, [] for nothing."""
    return [row.word for row in popup(bench).table.rows] if popup(bench).isVisible() else []


def end_of(editor, row: int) -> int:
    return len(editor.text(row).rstrip("\r\n"))


def test_an_element_is_written_with_a_few_keys(bench):
    editor = begin(bench, 5, 6)
    strike(Key.Key_End)
    strike(Key.Key_Return)
    type_keys("<")
    bench.wait(lambda: "geom" in words(bench))
    assert {"site", "camera", "body"} <= set(words(bench))
    type_keys("ge")
    bench.wait(lambda: words(bench)[:1] == ["geom"])
    assert popup(bench).about.text()
    strike(Key.Key_Return)      # taken
    assert editor.text(6).strip() == "<geom/>" and not words(bench)
    type_keys(" ty")
    bench.wait(lambda: words(bench)[:1] == ["type"])
    strike(Key.Key_Tab)
    bench.wait(lambda: "box" in words(bench))
    type_keys("bo")
    strike(Key.Key_Return)
    type_keys('" size=".1 .1 .1" name="block"/>')       # what stands behind the caret by itself is stepped over
    assert editor.text(6).strip() == '<geom type="box" size=".1 .1 .1" name="block"/>'
    bench.wait(lambda: bench.context.model is not None and bench.context.model.id("geom", "block") >= 0)
    assert editor.text().count("\n") == MODEL.count("\n") + 1


def test_names_are_offered_and_chosen_with_arrows(bench):
    editor = begin(bench, 9, 4)
    strike(Key.Key_Return)
    strike(Key.Key_Up)
    strike(Key.Key_End)
    type_keys("<pos")
    bench.wait(lambda: "position" in words(bench))
    strike(Key.Key_Return)
    type_keys(" joint=")
    type_keys('"')
    bench.wait(lambda: words(bench) == ["elbow"])
    strike(Key.Key_Escape)
    bench.wait(lambda: not words(bench))
    strike(Key.Key_Space, CTRL)
    bench.wait(lambda: words(bench) == ["elbow"])
    click(popup(bench).view.viewport(), popup(bench).view.visualRect(popup(bench).table.index(0, 0)).center())
    assert 'joint="elbow"' in editor.text(9)
    strike(Key.Key_End)
    type_keys(" ")
    strike(Key.Key_Space, CTRL)
    bench.wait(lambda: len(words(bench)) > 5)       # between tags: elements
    first = popup(bench).current.word
    strike(Key.Key_Down)
    assert popup(bench).current.word != first
    strike(Key.Key_Up)
    assert popup(bench).current.word == first


def test_writing_every_letter_gives_just_that(bench):
    """Who knows what he writes is not hindered by what helps others."""
    editor = begin(bench, 6, 4)
    strike(Key.Key_End)
    strike(Key.Key_Return)
    written = "<body name=\"lower\" pos='0 0 2'><geom size=\".1\"></geom><site name=\"s\"/></body>"
    type_keys(written)
    strike(Key.Key_Escape)
    assert editor.text(7).strip() == written
    strike(Key.Key_Return)
    for row in ("<frame>", '<geom size=".2"/>', "</frame>"):
        type_keys(row)
        strike(Key.Key_Escape)
        strike(Key.Key_Return) if row != "</frame>" else None
    assert "".join(editor.text().split()) == "".join(MODEL.replace("    </body>\n", f"    </body>\n{written}<frame><geom size=\".2\"/></frame>").split())
    bench.wait(lambda: bench.context.model.id("site", "s") >= 0)


def test_both_tags_are_renamed_and_taken_back_together(bench):
    editor = begin(bench, 3, 9)
    strike(Key.Key_Backspace)
    strike(Key.Key_Backspace)
    strike(Key.Key_Backspace)
    type_keys("ox")
    strike(Key.Key_Escape)
    assert editor.text(3).strip().startswith("<box name") and editor.text(6).strip() == "</box>" and caret(editor) == editor.text().index("<box") + 4
    text = bench.session.document.main.text
    assert text == editor.text() and text == MODEL.replace("<body", "<box").replace("</body", "</box")
    bench.session.undo()
    bench.wait(lambda: editor.text() == MODEL)
    bench.session.redo()
    assert editor.text() == text


def test_what_is_not_closed_is_told_at_once(bench):
    editor = begin(bench, 6, 4)
    for _ in range(len("</body>")):
        strike(Key.Key_Delete)
    line = bench.source.assist.breadcrumb
    bench.wait(lambda: "<body> is not closed" in line.said)
    at = editor.text().index("<body")
    assert editor.SendScintilla(editor.SCI_INDICATORVALUEAT, FAULT, at + 2) and bench.source.assist.marks(bench.session.document.main_key).fault_at(at + 1) == "<body> is not closed"
    type_keys("</")
    bench.wait(lambda: not line.said)
    assert "</body>" in editor.text()


def test_the_line_above_tells_where_the_caret_is(bench):
    editor = begin(bench, 5, 10)
    line = bench.source.assist.breadcrumb
    bench.wait(lambda: [step.title for step in line.steps] == ["mujoco", "worldbody", "body upper", "geom rod"])
    line.linkActivated.emit(f"go:{MODEL.index('<body')}")
    assert editor.selectedText() == MODEL[MODEL.index("<body"):MODEL.index("</body>") + 7]


def test_help_at_the_pointer_tells_meaning_and_value(bench):
    editor = begin(bench, 4, 8)
    at = MODEL.index("axis=") + 1
    told = editor.hover_help(at)
    assert told.startswith("axis: 3 real") and "in force: 0 1 0 (written here)" in told
    editor._hovered(at, 0, 0)
    assert editor.SendScintilla(editor.SCI_CALLTIPACTIVE)
    assert "type, default" not in told and editor.hover_help(MODEL.index("<light") + 2).startswith("light: ")


def test_lines_are_commented_moved_doubled_and_formatted(bench):
    editor = begin(bench, 4, 8)
    strike(Key.Key_Slash, CTRL)
    assert editor.text(4).strip() == '<!-- <joint name="elbow" axis="0 1 0"/> -->'
    strike(Key.Key_Slash, CTRL)
    assert editor.text() == MODEL
    strike(Key.Key_Down, ALT)
    assert editor.text(5) == MODEL.splitlines(True)[4]
    strike(Key.Key_Up, ALT)
    assert editor.text() == MODEL
    strike(Key.Key_D, CTRL | SHIFT)
    assert editor.text(5) == editor.text(4) and editor.getCursorPosition()[0] == 5
    bench.session.undo()
    bench.session.undo() if editor.text() != MODEL else None
    assert editor.text() == MODEL
    type_keys("   ")
    strike(Key.Key_I, CTRL | SHIFT)
    assert editor.text() == MODEL


def test_folds_stay_while_something_else_changes(bench):
    editor = begin(bench, 9, 4)
    bench.actions["text_fold_all"].trigger()
    folded = [line for line in range(editor.lines()) if not editor.SendScintilla(editor.SCI_GETLINEVISIBLE, line)]
    assert 5 in folded and 0 not in folded and 1 not in folded
    bench.session.write_text(bench.session.document.main_key, MODEL.replace('size=".04"', 'size=".05"'), "size")
    assert editor.text() == MODEL.replace('size=".04"', 'size=".05"')
    assert [line for line in range(editor.lines()) if not editor.SendScintilla(editor.SCI_GETLINEVISIBLE, line)] == folded
    bench.actions["text_unfold_all"].trigger()
    assert all(editor.SendScintilla(editor.SCI_GETLINEVISIBLE, line) for line in range(editor.lines()))


def test_places_are_exact_among_letters_of_several_bytes(bench):
    text = MODEL.replace("<worldbody>", "<!-- Größe 大 𝛼 --><worldbody>", 1)
    bench.session.write_text(bench.session.document.main_key, text, "words")
    editor = bench.source.editor()
    for piece in ("worldbody", "rod", "</mujoco>"):
        select(editor, text.index(piece), text.index(piece) + len(piece))
        assert editor.selectedText() == piece and caret(editor) == text.index(piece) + len(piece)
    select(editor, *(text.index("elbow") + 2,) * 2)
    editor.setFocus()
    strike(Key.Key_F12, SHIFT)
    assert [line.text for line in bench.source.assist.places.lines] == ['<joint name="elbow" axis="0 1 0"/>', '<motor name="drive" joint="elbow"/>']
    bench.wait(lambda: editor.viewport().rect().contains(point_of(editor, text.index('joint="elbow"') + 12)))
    where = point_of(editor, text.index('joint="elbow"') + 9)
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, CTRL, where + QPoint(2, 3))
    assert editor.selectedText() == "elbow" and editor.getCursorPosition()[0] == 4
