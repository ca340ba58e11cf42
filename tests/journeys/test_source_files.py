"""Find, replace, rename and go through all files of a model in the XML panel, by keys."""
import pytest

from editor.source.marks import FOUND
from editor.source.positions import caret, select
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import click, from_palette, put_cursor, strike, type_keys

MAIN = """<mujoco model="arm">
  <default>
    <default class="link"><geom size=".04"/></default>
  </default>
  <worldbody>
    <light pos="0 -2 4"/>
    <body name="upper" pos="0 0 1" childclass="link">
      <joint name="elbow" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 .5"/>
    </body>
    <include file="part.xml"/>
  </worldbody>
  <actuator>
    <motor name="drive" joint="elbow"/>
    <motor name="turn" joint='wrist'/>
  </actuator>
</mujoco>
"""
PART = "<x>\r\n  <body name='lower' childclass='link'>\r\n    <joint name='wrist'/>\r\n    <geom name='palm' type='sphere'/>\r\n  </body>\r\n</x>\r\n"


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text(MAIN)
    (tmp_path / "part.xml").write_bytes(PART.encode())
    bench = workbench(path, size=(1300, 850))
    bench.part = str(tmp_path / "part.xml")
    return bench


def at(bench, marked: str):
    """Put the caret at the | of a piece of the main text, by a click."""
    editor = bench.source.editor()
    offset = editor.text().index(marked.replace("|", "")) + marked.index("|")
    before = editor.text()[:offset]
    put_cursor(bench, editor, before.count("\n"), offset - before.rfind("\n") - 1)
    return editor


def texts(bench):
    return tuple(file.text for file in bench.session.document.files().values())


def front(bench):
    return bench.source.assist.current()


def test_a_name_is_renamed_everywhere_and_back_by_one_undo(bench):
    at(bench, 'class="li|nk"')
    strike(Key.Key_F2)
    fields = bench.source.assist.fields
    bench.wait(lambda: fields.isVisible() and fields.field.hasFocus())
    assert fields.field.selectedText() == "link" and "class 'link'" in fields.title.text()
    type_keys("main")
    assert "outermost default class" in fields.note.text()
    strike(Key.Key_Return)
    assert fields.isVisible() and texts(bench) == (MAIN, PART)
    fields.field.selectAll()
    type_keys("arm's")
    assert fields.note.text() == "3 places in 2 files"
    strike(Key.Key_Return)
    bench.wait(lambda: not fields.isVisible())
    assert texts(bench) == (MAIN.replace("link", "arm's"), PART.replace("link", "arm&apos;s"))
    assert bench.source.editor(bench.part).text() == texts(bench)[1]
    bench.wait(lambda: not bench.session.issues and bench.session.running_text(bench.part) == texts(bench)[1])
    bench.session.undo()
    assert texts(bench) == (MAIN, PART) and bench.source.editor().text() == MAIN


def test_a_taken_name_is_refused_with_its_place(bench):
    at(bench, 'joint name="el|bow"')
    strike(Key.Key_F2)
    fields = bench.source.assist.fields
    bench.wait(fields.field.hasFocus)
    type_keys("wrist")
    assert "already used: part.xml:3" in fields.note.text()
    strike(Key.Key_Escape)
    bench.wait(lambda: not fields.isVisible() and bench.source.editor().hasFocus())
    assert texts(bench) == (MAIN, PART)


def test_definitions_and_references_lead_through_the_files(bench):
    at(bench, "joint='wr|ist'")
    strike(Key.Key_F12)
    key, editor = front(bench)
    assert key == bench.part and editor.selectedText() == "wrist" and editor.getCursorPosition()[0] == 2
    strike(Key.Key_F12, SHIFT)
    places = bench.source.assist.places
    assert [line.title for line in places.lines] == ["part.xml:3", "arm.xml:15"] and places.title == "joint 'wrist': 1 reference in 2 files"
    bench.wait(lambda: places.view.viewport().visibleRegion().contains(places.view.visualRect(places.view.model().index(1, 0)).center()))
    click(places.view.viewport(), places.view.visualRect(places.view.model().index(1, 0)).center())
    assert front(bench)[0] == bench.session.document.main_key and front(bench)[1].selectedText() == "wrist"
    at(bench, 'file="part|.xml"')
    strike(Key.Key_F12)
    assert front(bench)[0] == bench.part
    strike(Key.Key_G, CTRL)
    fields = bench.source.assist.fields
    bench.wait(fields.field.hasFocus)
    type_keys("rod")
    assert [fields.list.item(i).text() for i in range(fields.list.count())] == ["geom rod  (arm.xml)"]
    strike(Key.Key_Return)
    bench.wait(lambda: front(bench)[0] == bench.session.document.main_key and caret(front(bench)[1]) == MAIN.index("<geom name"))
    strike(Key.Key_G, CTRL)
    bench.wait(fields.field.hasFocus)
    type_keys("3")
    strike(Key.Key_Return)
    assert front(bench)[1].getCursorPosition() == (2, 0)


def test_find_marks_counts_and_steps(bench):
    editor = at(bench, "<mujoco |")
    strike(Key.Key_F, CTRL)
    bar = bench.source.assist.search.bar
    bench.wait(bar.field.hasFocus)
    type_keys("jo")
    bench.wait(lambda: bar.count.text() == "2 of 5")       # the model's own word 'mujoco' counts
    type_keys("int")
    assert bar.count.text() == "1 of 3" and editor.selectedText() == "joint"
    assert editor.SendScintilla(editor.SCI_INDICATORVALUEAT, FOUND, MAIN.index("joint=") + 1)
    first = caret(editor)
    strike(Key.Key_Return)
    assert bar.count.text() == "2 of 3" and caret(editor) > first
    strike(Key.Key_F3, SHIFT)
    assert bar.count.text() == "1 of 3"
    strike(Key.Key_Escape)
    bench.wait(lambda: editor.hasFocus() and not bar.isVisible())
    assert not editor.SendScintilla(editor.SCI_INDICATORVALUEAT, FOUND, MAIN.index("joint=") + 1)
    strike(Key.Key_F3)
    assert caret(editor) > first


def test_another_tab_has_its_own_path_and_places(bench):
    at(bench, "<mujoco |")
    strike(Key.Key_F, CTRL)
    bar = bench.source.assist.search.bar
    bench.wait(bar.field.hasFocus)
    type_keys("name")
    bench.wait(lambda: bar.count.text().endswith(f"of {MAIN.count('name')}"))
    before = [step.title for step in bench.source.assist.breadcrumb.steps]
    bench.source._tabs.setCurrentWidget(bench.source.editor(bench.part))
    bench.wait(lambda: str(PART.count("name")) in bar.count.text() and str(MAIN.count("name")) not in bar.count.text())
    assert [step.title for step in bench.source.assist.breadcrumb.steps] != before or not before


def test_the_path_is_written_in_the_colours_of_the_theme(bench):
    crumb = bench.source.assist.breadcrumb
    at(bench, 'joint name="el|bow"')
    bench.wait(lambda: crumb.steps)
    for theme in ("theme_light", "theme_dark"):
        bench.actions[theme].trigger()
        bench.wait(lambda: crumb.palette().color(crumb.palette().ColorRole.WindowText).name() in crumb.text())


def test_replace_in_all_files_is_one_entry(bench):
    at(bench, "<mujoco |")
    strike(Key.Key_H, CTRL)
    bar, search = bench.source.assist.search.bar, bench.source.assist.search
    bench.wait(bar.field.hasFocus)
    for button in (bar.every, bar.regex):
        click(button)
    click(bar.field)
    type_keys("(size|name)=(.)(")
    assert "Not a valid regular expression" in bar.count.text()
    strike(Key.Key_Backspace)
    bench.wait(lambda: len(search.found) == 9)
    assert bench.source.assist.places.title == "9 places in 2 files" and len(bench.source.assist.places.lines) == 9
    click(bar.new)
    type_keys("$1=$2")
    entries = len(bench.session.document.history.entries)
    click(bar.replace_one)      # the first is selected: it becomes what it was
    bar.new.setText("$1=$2a_")
    click(bar.replace_all)
    after = texts(bench)
    assert after[0].count("a_") == 6 and after[1].count("a_") == 3 and 'size="a_.04"' in after[0]
    assert len(bench.session.document.history.entries) <= entries + 2
    bench.session.undo()
    assert texts(bench) == (MAIN, PART)


def test_files_that_are_only_read_are_left_alone(bench):
    at(bench, "<mujoco |")
    bench.session.document.files()[bench.part].sealed = True
    strike(Key.Key_F, CTRL | SHIFT)
    bar = bench.source.assist.search.bar
    bench.wait(bar.field.hasFocus)
    type_keys("joint")
    strike(Key.Key_H, CTRL)
    bench.wait(lambda: bar.new.isVisible() and bar.every.isChecked() and bar.count.text() == "1 of 4")
    bar.new.setText("hinge")
    click(bar.replace_all)
    assert texts(bench) == (MAIN.replace("joint", "hinge"), PART)
    assert "1 place in files that are only read left alone" in bench.source.assist.breadcrumb.said


def test_actions_of_the_text_are_found_in_the_palette(bench):
    at(bench, "<mujoco |")
    from_palette(bench, "Find in all files...")
    bar = bench.source.assist.search.bar
    bench.wait(bar.isVisible)
    assert bar.every.isChecked()
    editor = bench.source.editor()
    select(editor, 0, 0)
    from_palette(bench, "Fold all")
    assert not editor.SendScintilla(editor.SCI_GETLINEVISIBLE, 7)


def test_the_search_has_the_keys_wherever_they_were(bench):
    bar = bench.source.assist.search.bar
    for before in (bench.host, bench.docks.show("document").tree):
        bench.docks.show("history")         # the text lies behind another panel
        before.setFocus()
        bench.wait(before.hasFocus)
        from_palette(bench, "Find...")
        bench.wait(bar.field.hasFocus)
        type_keys("size")
        assert bar.field.text() == "size" and texts(bench) == (MAIN, PART)
        strike(Key.Key_Escape)
        bench.wait(lambda: not bar.isVisible())
    strike(Key.Key_H, CTRL)
    bench.wait(bar.field.hasFocus)
    click(bar.new)
    bench.wait(bar.new.hasFocus)
    type_keys("large")
    strike(Key.Key_F, CTRL)
    bench.wait(bar.field.hasFocus)
    type_keys("pos")
    assert (bar.field.text(), bar.new.text()) == ("pos", "large") and texts(bench) == (MAIN, PART)
