"""While the model runs the text is broken by keys, other elements are changed meanwhile by the gizmo, in Properties and in the tree, and the text is mended: nothing is lost."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

import physics
from editor.edits.patch import Edit, Patch
from editor.source.positions import caret
from editor.tools.handles import pixels
from editor.tools.subject import Moment
from editor.tree.operations import WAITS
from physics.model.changes.field_changes import differences, image_of
from physics.model.elements import element as model_element
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import bring, click_view, geom_at, put_cursor, strike, type_keys, write
from tests.journeys.tree_hands import opened

# the rod swings above the rest: it must not be before what is clicked
MODEL = """<mujoco model="scene">
  <statistic center="0 0 .4" extent="2"/>
  <visual><global azimuth="90" elevation="-20"/></visual>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <geom name="first" type="box" size=".1 .1 .1" pos="-.6 0 .3"/>
    <geom name="post" type="cylinder" size=".05 .3" pos="0 .5 .3" rgba=".2 .5 .8 1"/>
    <body name="arm" pos="0 0 1.4"><joint name="hinge" axis="0 1 0" damping=".2"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/></body>
    <geom name="last" type="box" size=".1   .1 .10" pos="0.600 0 .3"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture(params=["\n", "\r\n"], ids=["LF", "CRLF"])
def bench(workbench, tmp_path, request):
    path = tmp_path / "scene.xml"
    path.write_bytes(MODEL.replace("\n", request.param).encode())
    made = workbench(path, size=(1300, 850), running=True)
    made.wait(lambda: made.session.live.model is made.context.model)
    made.pictures(3)
    return made


def text_of(bench) -> str:
    return bench.session.document.main.text


def break_text(bench) -> None:
    """Take the quote behind the name of the post away, by the key Backspace."""
    editor = bench.source.editor()
    line = next(row for row in range(editor.lines()) if 'name="post"' in editor.text(row))
    put_cursor(bench, editor, line, editor.text(line).index('name="post"') + len('name="post"'))
    strike(Key.Key_Backspace)
    assert 'name="post type' in text_of(bench)
    bench.wait(lambda: bench.session.issues)        # told after a pause
    assert bench.session.document.version().root is None


def mend_text(bench) -> None:
    """Write the quote again."""
    editor = bench.source.editor()
    line = next(row for row in range(editor.lines()) if 'name="post type' in editor.text(row))
    put_cursor(bench, editor, line, editor.text(line).index('name="post type') + len('name="post'))
    assert text_of(bench)[caret(editor) - 4:caret(editor)] == "post"
    type_keys('"')
    bench.wait(lambda: not bench.session.issues and bench.session.runs_present_texts)


def choose(bench, name: str, kind: str = "geom") -> None:
    click_view(bench, geom_at(bench, name))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == name)


def handle_at(bench, what) -> QPointF:
    tool, picture = bench.viewport.tools.active, bench.viewport.picture
    gizmo = tool._gizmo(tool.selected.now())
    found = next(one for one in gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if one.what == what)
    return QPointF(*pixels(found, picture.view, tool._size())[-1])


def drag_x(bench, name: str, by: int) -> list[float]:
    """Drag what is selected by its arrow of x; where the Model has it after each motion."""
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    m, seen = bench.context.model, []
    place = handle_at(bench, ("move", (0,)))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    for k in range(1, 6):
        before = float(m.geom_pos[m.id("geom", name)][0])
        bench.move(place + QPointF(by * k / 5, 0))
        bench.wait(lambda before=before: m.geom_pos[m.id("geom", name)][0] != before)
        seen.append(float(m.geom_pos[m.id("geom", name)][0]))
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(by, 0)).toPoint())
    QTest.keyClick(bench.host, Key.Key_Escape)
    return seen


def model_of(bench):
    """The Model that a fresh compile of the present text gives."""
    return physics.load_string(text_of(bench))


def equal(bench) -> bool:
    """Whether the Model that runs is that of the text, bit for bit."""
    return differences(image_of(model_of(bench)), bench.context.model) == ()


def verified(bench) -> None:
    """The compile after a pause has come to the same."""
    bench.wait(lambda: not bench.session._verify_timer.isActive() and not bench.session._compiler.busy and bench.session._untaken is None)
    assert not bench.logged("Please report this")


def test_an_element_is_dragged_while_another_ones_tag_is_broken_and_nothing_is_lost(bench):
    begin, model, end = text_of(bench), bench.context.model, "\r\n" if "\r\n" in text_of(bench) else "\n"
    history = bench.session.document.history
    break_text(bench)
    broken = text_of(bench)
    choose(bench, "last")
    seen = drag_x(bench, "last", 60)
    assert bench.context.model is model and len(set(seen)) == 5 and abs(seen[-1] - .6) > .02, "the view follows each motion"
    dragged = text_of(bench)
    changed = [(old, new) for old, new in zip(broken.split(end), dragged.split(end), strict=True) if old != new]
    assert len(changed) == 1 and changed[0][0].strip() == '<geom name="last" type="box" size=".1   .1 .10" pos="0.600 0 .3"/>', "the edit is in its own tag, in the broken text"
    assert changed[0][1].startswith('    <geom name="last" type="box" size=".1   .1 .10" pos="') and changed[0][1].endswith(' 0 .3"/>')
    assert [entry.edit.label for entry in history.entries][1:] == ["Move geom last"] and bench.session.issues and bench.snapshot.running

    mend_text(bench)
    assert text_of(bench) == dragged.replace('name="post type', 'name="post" type') and len(history.entries) == 3
    assert bench.context.model is model, "a position is written into the model that runs, and no other one takes its place"
    verified(bench)
    assert equal(bench)

    for wanted in (dragged, broken, begin):
        bench.press_key(Key.Key_Z, CTRL)
        assert text_of(bench) == wanted
    bench.wait(lambda: not bench.session.issues and equal(bench))
    assert bench.session.document.modified is False
    for wanted in (broken, dragged):
        bench.session.redo()
        assert text_of(bench) == wanted
    bench.wait(lambda: bench.context.model.geom_pos[bench.context.model.id("geom", "last")][0] == seen[-1])     # though the text is broken there


def test_an_element_is_dragged_where_the_window_had_read_the_texts_before_the_compiler_was_done(workbench, tmp_path):
    """Its elements have other ids then than those of the Model's own reading."""
    bench = workbench(None)
    path = tmp_path / "scene.xml"
    path.write_text(MODEL)
    bench.session.open(path, run=True)
    mine = bench.session.document.version()
    bench.wait(lambda: bench.context.model is not None and bench.session.live.model is bench.context.model and bench.session.live.reading() is not None)
    bench.pictures(3)
    assert bench.session.live.reading() is not mine.read and bench.session.document.version() is mine
    break_text(bench)
    choose(bench, "last")
    assert len(set(drag_x(bench, "last", 60))) == 5
    mend_text(bench)
    verified(bench)
    bench.wait(lambda: equal(bench))


def test_what_is_being_written_itself_cannot_be_dragged_and_says_why(bench):
    choose(bench, "post")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    tool = bench.viewport.tools.active
    assert tool.selected.now().subjects
    break_text(bench)
    bench.pictures(2)
    assert not tool.selected.now().subjects and "mend it first" in tool.strip.note.text()
    before = text_of(bench)
    panel = bench.panel("properties")
    bench.wait(lambda: panel.seen and panel.filled and "cannot be changed here at present" in panel.banner.text())
    assert text_of(bench) == before
    mend_text(bench)
    bench.pictures(2)
    assert [one.element.name for one in tool.selected.now().subjects] == ["post"]
    place = handle_at(bench, ("move", (0,)))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.move(place + QPointF(40, 0))
    bench.pictures(1)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(40, 0)).toPoint())
    line = next(line for line in text_of(bench).splitlines() if "post" in line)
    assert 'pos="0 .5 .3"' not in line and line.startswith('    <geom name="post" type="cylinder" size=".05 .3" pos="')
    verified(bench)
    bench.wait(lambda: equal(bench))


def test_a_number_that_is_half_typed_is_not_written_over_and_says_why(bench):
    choose(bench, "last")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    tool, editor = bench.viewport.tools.active, bench.source.editor()
    place = handle_at(bench, ("move", (0,)))
    line = next(row for row in range(editor.lines()) if 'name="last"' in editor.text(row))
    put_cursor(bench, editor, line, editor.text(line).index('"/>'))
    for _ in range(3):
        strike(Key.Key_Backspace)
    half = text_of(bench)
    assert 'pos="0.600 0"/>' in half
    bench.wait(lambda: "3 values are expected, found 2" in tool.strip.note.text())
    assert not tool.selected.now().subjects
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.move(place + QPointF(40, 0))
    bench.pictures(1)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(40, 0)).toPoint())
    assert text_of(bench) == half
    put_cursor(bench, editor, line, editor.text(line).index('"/>'))
    type_keys(" .3")
    bench.wait(lambda: [one.element.name for one in tool.selected.now().subjects] == ["last"])


def test_properties_change_an_element_behind_the_fault_and_the_model_follows(bench):
    break_text(bench)
    panel, m = bench.panel("properties"), bench.context.model
    bench.context.select_elements([model_element(m, "joint", 0)])
    bench.wait(lambda: panel.seen and panel.filled and panel.view("damping") is not None and panel.view("damping").isVisible())
    assert "what stands before or behind the fault can still be changed" in panel.banner.text()
    view = panel.view("damping")
    bring(view)
    bench.wait(lambda: not view.visibleRegion().isEmpty())
    write(bench, view.editor.fields()[0], "3")
    bench.wait(lambda: m.dof_damping[0] == 3)
    assert 'name="hinge" axis="0 1 0" damping="3"/>' in text_of(bench) and bench.context.model is m and 'name="post type' in text_of(bench)
    mend_text(bench)
    verified(bench)
    assert equal(bench) and bench.context.model is m


def test_the_tree_stays_selects_and_says_why_nothing_is_moved(bench):
    panel = bench.panel("document")
    bench.wait(lambda: panel.model.outline is not None)
    break_text(bench)
    bench.wait(lambda: "The tree shows the text as it was before" in panel.note.text())
    last = next(one for one in bench.session.document.last_good.root.walk() if one.name == "last")
    index = panel.model.index_of_number(last.id)
    for node in index.internalPointer().above()[1:]:
        panel.tree.expand(panel.model.index_of(node))
    panel.tree.scrollTo(index)
    box = panel.tree.visualRect(index)
    QTest.mouseClick(panel.tree.viewport(), Button.LeftButton, NONE, QPoint(box.left() + 20, box.center().y()))
    bench.wait(lambda: [one.name for one in bench.context.selection.elements] == ["last"])
    before = text_of(bench)
    line = next(k for k, words in enumerate(before.splitlines()) if 'name="post type' in words)
    why = f"scene.xml, line {line + 1}, column {before.splitlines()[line].index('cylinder') + 1}: {next(iter(bench.session.issues)).what}. Mend it there"
    bench.application.structure.replicate(), bench.application.structure.add_composite()
    assert QApplication.activeModalWidget() is None, "no dialog for what cannot be done"
    for key, keys in ((Key.Key_Delete, NONE), (Key.Key_D, CTRL), (Key.Key_G, CTRL), (Key.Key_X, CTRL)):
        panel.tell("")
        bench.press_key(key, keys, panel.tree)
        assert panel.note.text() == f"{why}. {WAITS}" and text_of(bench) == before
    panel.tree.customContextMenuRequested.emit(QPoint(box.left() + 20, box.center().y()))
    menu = opened(bench)
    said = [action.text() for action in menu.actions() if not action.isEnabled()]
    assert said == [*why.split(". "), WAITS] and [action.text() for action in menu.actions() if action.isEnabled()] == ["Show the fault", "Show in the text"]
    by_words = {action.text(): action for action in menu.actions()}
    by_words["Show the fault"].trigger()
    assert bench.source.editor().getCursorPosition() == (line, before.splitlines()[line].index("cylinder"))
    by_words["Show in the text"].trigger()
    menu.close()
    row = next(k for k, line in enumerate(before.splitlines()) if 'name="last"' in line)
    assert bench.source.editor().getCursorPosition()[0] == row
    mend_text(bench)
    bench.wait(lambda: panel.note.text() == "" and panel.model.outline.version.texts == bench.session.document.version().texts)
    bench.press_key(Key.Key_Delete, NONE, panel.tree)
    bench.wait(lambda: bench.context.model.id("geom", "last") < 0)
    assert np.allclose(bench.context.model.geom_pos[bench.context.model.id("geom", "post")], [0, .5, .3])


def test_a_fault_in_an_included_file_is_named_and_waits_for(workbench, tmp_path):
    """Also an element of the main file stays where it is: who names it in the other one is not known."""
    (tmp_path / "scene.xml").write_text('<mujoco>\n  <worldbody>\n    <include file="part.xml"/>\n    <geom name="last" size=".1"/>\n  </worldbody>\n</mujoco>\n')
    (tmp_path / "part.xml").write_text('<mujoco>\n  <body name="part" pos="0 0 1">\n    <geom name="ball" size=".1"/>\n  </body>\n</mujoco>\n')
    bench = workbench(tmp_path / "scene.xml", size=(1300, 850))
    panel, session = bench.panel("document"), bench.session
    bench.wait(lambda: panel.model.outline is not None)
    last = next(one for one in session.document.version().root.walk() if one.name == "last")
    key = next(key for key in session.document.files() if key.endswith("part.xml"))
    at = session.document.files()[key].text.index("  </body>")
    session.edit(Edit("break", (Patch(key, at, at + len("  </body>"), "  </bod>"),)))
    bench.application.document_selection.select([last.id])
    bench.wait(lambda: "part.xml, line 4, column 3: </bod> closes nothing" in panel.note.text())
    before = text_of(bench)
    panel.tell("")
    bench.press_key(Key.Key_Delete, NONE, panel.tree)
    assert panel.note.text() == (f"part.xml, line 4, column 3: </bod> closes nothing: <body> from line 2 is still open. Close it with </body> or end its tag with '/>'. {WAITS}")
    assert text_of(bench) == before
    session.undo()
    bench.wait(lambda: panel.note.text() == "")
    bench.press_key(Key.Key_Delete, NONE, panel.tree)
    assert 'name="last"' not in text_of(bench)


def test_a_text_that_was_no_xml_from_the_start_says_where(workbench, tmp_path):
    (tmp_path / "scene.xml").write_text('<mujoco>\n  <worldbody>\n    <geom size=".1"/>\n  </worldbody>\n')
    bench = workbench(tmp_path / "scene.xml", size=(1300, 850), broken=True)
    panel = bench.panel("document")
    bench.wait(lambda: panel.note.text().startswith("scene.xml, line 5, column 1: the file ends while <mujoco> from line 1 is still open"))
    panel.tell("")
    bench.application.structure.add_composite()
    assert panel.note.text().endswith(WAITS)
