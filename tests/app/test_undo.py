"""One undo for all texts of the window, whatever has changed them and whatever has the keyboard."""
import os

import pytest
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit

from editor.edits.attribute_patches import attribute_patches
from editor.edits.history import PAUSE
from editor.edits.patch import Edit, Patch
from tests.app.workbench import CTRL, SHIFT, Key

MODEL = """<mujoco>
  <include file="part.xml"/>
  <worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom name="a" size=".1"/></body>
  </worldbody>
</mujoco>
"""
PART = '<mujoco>\r\n  <worldbody>\r\n    <geom name="größe 😀" type="plane" size="2 2 .1"/>\r\n  </worldbody>\r\n</mujoco>\r\n'


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_bytes(PART.encode())
    bench = workbench(tmp_path / "m.xml", size=(900, 600))
    bench.wait(lambda: len(bench.session.document.files()) == 2)
    return bench


def part_of(bench):
    return next(key for key in bench.session.document.files() if key.endswith("part.xml"))


def texts(bench):
    """As the document has them, which is as the editors have them."""
    found = bench.session.document.texts()
    assert {key: bench.source.editor(key).text() for key in found} == found
    return found


def change(bench, name, values):
    """An edit of another part of the window."""
    document = bench.session.document
    element = next(one for one in document.version().root.walk() if one.name == name and one.tag == "geom")
    bench.session.edit(Edit(f"change {name}", attribute_patches(document.files()[element.origin.file].text, element, values)))


def test_ctrl_z_takes_everything_back_whatever_has_the_keyboard(bench):
    begin, main, part = texts(bench), bench.session.document.main_key, part_of(bench)
    editor = bench.source.editor(main)
    editor.setCursorPosition(3, 4)
    editor.setFocus()
    QTest.keyClicks(editor, "<!--hello-->")
    typed = texts(bench)
    change(bench, "a", {"size": ".25"})
    change(bench, "größe 😀", {"size": "3 3 .1", "rgba": "1 0 0 1"})
    changed = texts(bench)
    assert changed[part].count("\r\n") == 5 and 'rgba="1 0 0 1"' in changed[part]
    bench.press_key(Key.Key_Z, CTRL)            # the view
    assert texts(bench)[part] == PART
    assert bench.source._tabs.currentWidget() is bench.source.editor(part)
    QTest.keyClick(editor, Key.Key_Z, CTRL)
    assert texts(bench) == typed
    assert bench.actions["undo"].text() == "Undo Typing in m.xml" and bench.actions["redo"].text() == "Redo change a"
    line = bench.source.editor(main).getCursorPosition()[0]
    assert line == 3
    while bench.session.document.history.position:
        QTest.keyClick(editor, Key.Key_Z, CTRL)
    assert texts(bench) == begin and not bench.session.modified and bench.window.windowTitle().startswith("m.xml")
    for key, modifiers in ((Key.Key_Y, CTRL), *((Key.Key_Z, CTRL | SHIFT),) * 9):
        QTest.keyClick(editor, key, modifiers)
    assert texts(bench) == changed and bench.session.modified
    bench.wait(lambda: bench.context.model.geom_size[bench.context.model.id("geom", "größe 😀")][0] == 3)


def test_typing_is_undone_word_by_word_and_what_is_typed_comes_as_patches(bench):
    main = bench.session.document.main_key
    editor, told = bench.source.editor(main), []
    bench.session.edited.connect(told.append)
    editor.setFocus()
    editor.setCursorPosition(5, 0)
    QTest.keyClicks(editor, "<!-- one two -->")
    assert len(told) == 16 and all(len(edit.patches) == 1 and len(edit.patches[0].text) == 1 for edit in told)
    history = bench.session.document.history
    assert [entry.edit.patches[0].text for entry in history.entries] == ["<!-- ", "one ", "two ", "-->"]
    bench.session.undo()
    assert "<!-- one two </mujoco>" in texts(bench)[main]
    editor.setCursorPosition(5, 0)
    QTest.keyClicks(editor, "x")
    QTest.keyClick(editor, Key.Key_Right)
    QTest.keyClick(editor, Key.Key_Left)
    QTest.keyClicks(editor, "y")            # the cursor has been elsewhere meanwhile
    assert [entry.edit.patches[0].text for entry in history.entries][3:] == ["x", "y"]
    bench.session.apply()
    QTest.keyClicks(editor, "z")
    assert len(history.entries) == 6
    assert PAUSE == 1.0


def test_a_line_takes_its_own_letters_back_first_and_swallows_nothing(bench, qtbot):
    line = QLineEdit(bench.window)
    line.setText("1")
    line.show()
    bench.window.activateWindow()
    change(bench, "a", {"size": ".25"})
    line.setFocus()
    bench.wait(line.hasFocus)
    QTest.keyClick(line, Key.Key_Z, CTRL)           # nothing is written in it yet
    assert 'size=".1"' in texts(bench)[bench.session.document.main_key] and line.text() == "1"
    QTest.keyClick(line, Key.Key_Z, CTRL | SHIFT)
    assert 'size=".25"' in texts(bench)[bench.session.document.main_key]
    QTest.keyClicks(line, "23")
    QTest.keyClick(line, Key.Key_Z, CTRL)
    assert line.text() == "1" and 'size=".25"' in texts(bench)[bench.session.document.main_key]
    QTest.keyClick(line, Key.Key_Z, CTRL)
    assert 'size=".1"' in texts(bench)[bench.session.document.main_key]
    bench.session.redo()
    QTest.keyClicks(line, "4")
    QTest.keyClick(line, Key.Key_Return)            # entered
    bench.wait(lambda: line.property("letters_not_entered") is False)
    assert line.isModified()            # which is the line's own business
    QTest.keyClick(line, Key.Key_Z, CTRL)
    assert line.text() == "14" and 'size=".1"' in texts(bench)[bench.session.document.main_key]


def test_a_spin_box_swallows_nothing(bench):
    bench.docks.show("physics")
    from PyQt6.QtWidgets import QAbstractSpinBox

    box = next(one for one in bench.docks.panels["physics"].findChildren(QAbstractSpinBox) if one.isVisible()) if bench.docks.panels["physics"].findChildren(QAbstractSpinBox) else None
    if box is None:
        from PyQt6.QtWidgets import QSpinBox

        box = QSpinBox(bench.window)
        box.show()
    change(bench, "a", {"size": ".25"})
    box.setFocus()
    bench.wait(box.hasFocus)
    QTest.keyClick(box, Key.Key_Z, CTRL)
    assert 'size=".1"' in texts(bench)[bench.session.document.main_key]


def test_what_the_disk_changes_is_an_edit_that_can_be_undone(bench, tmp_path):
    part = part_of(bench)
    new = tmp_path / "new"
    new.write_bytes(PART.replace("2 2", "4 4").encode())
    os.replace(new, tmp_path / "part.xml")
    bench.wait(lambda: "4 4" in bench.session.document.texts()[part])
    assert bench.actions["undo"].text() == "Undo part.xml changed on disk" and not bench.session.modified
    bench.session.undo()
    assert texts(bench)[part] == PART and bench.session.modified and bench.source._tabs.tabText(1) == "*part.xml"
    bench.session.redo()
    assert not bench.session.modified


def test_changes_of_other_lines_on_disk_are_merged_and_of_the_same_are_asked_about(bench, tmp_path):
    main = bench.session.document.main_key
    change(bench, "a", {"size": ".25"})
    asked = []
    bench.session.conflict.connect(asked.append)
    (tmp_path / "m.xml").write_text(MODEL.replace("</mujoco>", "  <option timestep='.001'/>\n</mujoco>"))
    bench.wait(lambda: "timestep" in bench.session.document.main.text)
    merged = texts(bench)[main]
    assert 'size=".25"' in merged and not asked and bench.session.modified and bench.session.document.conflicts() == []
    bench.session.undo()
    assert "timestep" not in texts(bench)[main] and 'size=".25"' in texts(bench)[main]
    bench.session.redo()
    (tmp_path / "m.xml").write_text(MODEL.replace('size=".1"', 'size=".7"').replace("</mujoco>", "  <option timestep='.001'/>\n</mujoco>"))
    bench.wait(lambda: asked)
    bench.source.bar.button("merge").click()
    from editor.source.merge_view import MergeView

    view = bench.source.findChild(MergeView)
    assert list(view.choices.values()) == ["mine"] and 'size=".25"' in view.mine.toPlainText() and 'size=".7"' in view.theirs.toPlainText()
    next(button for button in view.buttons.buttons() if button.property("choice") == "theirs").click()
    view._settle()
    assert 'size=".7"' in texts(bench)[main] and "timestep" in texts(bench)[main] and not bench.session.modified and not bench.source.bar.isVisible()


def test_a_revert_and_a_conflict_settled_by_the_disk_can_be_undone(bench, tmp_path):
    change(bench, "a", {"size": ".25"})
    mine = texts(bench)
    bench.session.revert()
    assert not bench.session.modified
    bench.session.undo()
    assert texts(bench) == mine and bench.session.modified
    bench.session.save()
    assert not bench.session.modified
    bench.session.undo()
    assert bench.session.modified
    bench.session.redo()
    assert not bench.session.modified


def test_the_history_panel_goes_to_any_edit_by_one_compilation(bench):
    panel = bench.panel("history")
    for size in (".2", ".3", ".4"):
        change(bench, "a", {"size": size})
    bench.session.save()
    change(bench, "a", {"size": ".5"})
    assert panel.rows.rowCount() == 5 and panel.rows.position == 4
    compiled = []
    bench.session.compiling.connect(lambda: compiled.append(1))
    assert [panel.rows.data(panel.rows.index(k)) for k in range(5)] == ["As opened", *["change a"] * 4]
    rect = panel.list.visualRect(panel.rows.index(1))
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert 'size=".2"' in texts(bench)[bench.session.document.main_key] and compiled == [1] and panel.rows.position == 1
    assert panel.rows.data(panel.rows.index(3), Qt.ItemDataRole.ToolTipRole).endswith("On disk: m.xml")
    bench.session.go_to_edit(4)
    assert 'size=".5"' in texts(bench)[bench.session.document.main_key] and compiled == [1, 1]
    bench.wait(lambda: bench.context.model.geom_size[-1][0] == 0.5)


def test_a_file_that_changes_on_disk_during_a_gesture_is_looked_at_afterwards(bench, tmp_path):
    document, main = bench.session.document, bench.session.document.main_key
    gesture = bench.session.gesture()
    at = gesture.texts[main].index('pos="0 0 1"') + 5
    bench.session.show(gesture, Edit("move a", (Patch(main, at, at + 5, "1 0 1"),)))
    (tmp_path / "m.xml").write_text(MODEL.replace("<mujoco>\n", "<mujoco>\n  <option timestep='.001'/>\n"))
    (tmp_path / "part.xml").write_bytes(PART.replace("2 2", "4 4").encode())
    bench.wait(lambda: len(bench.session._held_paths) == 2)
    bench.session.show(gesture, Edit("move a", (Patch(main, at, at + 5, "2 0 1"),)))
    assert "timestep" not in document.main.text and 'pos="2 0 1"' in document.main.text
    bench.session.end(gesture)
    assert "timestep" in texts(bench)[main] and 'pos="2 0 1"' in texts(bench)[main] and "4 4" in texts(bench)[part_of(bench)]
    while bench.session.undo():
        pass
    assert texts(bench) == {main: MODEL, part_of(bench): PART}


def test_an_undo_during_a_gesture_gives_it_up(bench):
    document, main = bench.session.document, bench.session.document.main_key
    begin = texts(bench)
    gesture = bench.session.gesture()
    at = gesture.texts[main].index('pos="0 0 1"') + 5
    edit = Edit("move a", (Patch(main, at, at + 5, "1 0 1"),))
    bench.session.show(gesture, edit)
    bench.session.undo()
    assert texts(bench) == begin and not document.history.entries
    bench.session.show(gesture, edit)       # the hand still moves
    bench.session.end(gesture)
    assert texts(bench) == begin and not document.history.entries
    gesture = bench.session.gesture()
    bench.session.show(gesture, edit)
    change(bench, "a", {"size": ".25"})     # something else ends it
    assert [entry.edit.label for entry in document.history.entries] == ["move a", "change a"] and gesture.ended


def test_an_undo_is_labelled_after_what_it_takes_back(bench, monkeypatch):
    session, main, labels = bench.session, bench.session.document.main_key, []
    change(bench, "a", {"size": ".25"})
    apply = session._apply_edit
    monkeypatch.setattr(session, "_apply_edit", lambda label, edit=None, **more: (labels.append(label), apply(label, edit, **more)))
    gesture = session.gesture()
    at = gesture.texts[main].index('pos="0 0 1"') + 5
    session.show(gesture, Edit("move a", (Patch(main, at, at + 5, "1 0 1"),)))
    for step in (session.undo, session.undo, session.redo):
        assert step()
    session.go_to_edit(0)
    assert labels == ["move a", "move a", "change a", "change a", "history of edits"]


def test_views_go_on_with_the_last_good_tree_while_the_text_is_broken(bench):
    document, main = bench.session.document, bench.session.document.main_key
    editor = bench.source.editor(main)
    editor.setFocus()
    editor.setCursorPosition(1, 2)
    QTest.keyClicks(editor, "<")
    good = document.last_good
    assert document.version().root is None and good.root is not None
    element = next(one for one in good.root.walk() if one.name == "a" and one.tag == "geom")
    assert good.whole(element.id)
    bench.session.edit(Edit("size", attribute_patches(document.main.text, element, {"size": ".3"})))
    again = document.last_good.element(element.id)
    assert again.attrs["size"] == ".3" and document.last_good.whole(element.id)
    bench.session.edit(Edit("size", attribute_patches(document.main.text, again, {"size": ".35"})))
    editor.setCursorPosition(1, 3)
    QTest.keyClick(editor, Key.Key_Backspace)
    found = document.version().element(element.id)
    assert found is not None and found.attrs["size"] == ".35"


def test_the_first_conflict_is_asked_about_in_a_panel_that_is_made_for_it_and_the_second_after_it(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_bytes(PART.encode())
    bench = workbench(tmp_path / "m.xml", size=(900, 600))
    bench.wait(lambda: len(bench.session.document.files()) == 2)
    assert "source" not in bench.docks.panels
    main, part = bench.session.document.main_key, part_of(bench)
    change(bench, "a", {"size": ".25"})
    change(bench, "größe 😀", {"size": "3 3 .1"})
    (tmp_path / "m.xml").write_text(MODEL.replace('size=".1"', 'size=".7"'))
    (tmp_path / "part.xml").write_bytes(PART.replace("2 2", "5 5").encode())
    bench.wait(lambda: "source" in bench.docks.panels and len(bench.session.document.conflicts()) == 2)
    bar = bench.source.bar
    bench.wait(lambda: bar.isVisible() and bar.key in (main, part))
    first = bar.key
    bar.button("take_disk").click()
    bench.wait(lambda: bar.isVisible() and bar.key == ({main, part} - {first}).pop())
    bar.button("keep_mine").click()
    assert not bar.isVisible() and bar.key == "" and bench.session.document.conflicts() == []
    assert ('size=".7"' in texts(bench)[main]) == (first == main) and ("5 5" in texts(bench)[part]) == (first == part)


def test_a_question_goes_with_its_document_and_a_merge_of_an_older_text_is_asked_anew(bench, tmp_path):
    from editor.source.merge_view import MergeView

    change(bench, "a", {"size": ".25"})
    (tmp_path / "m.xml").write_text(MODEL.replace('size=".1"', 'size=".7"'))
    bench.wait(lambda: bench.source.bar.isVisible())
    bench.source.bar.button("merge").click()
    view = bench.source.findChild(MergeView)
    assert view.isModal()
    change(bench, "a", {"rgba": "1 0 0 1"})      # a script, or another window's hand
    view._settle()
    main = bench.session.document.main_key
    assert 'rgba="1 0 0 1"' in texts(bench)[main] and 'size=".25"' in texts(bench)[main] and bench.source.bar.isVisible()
    bench.source.bar.button("merge").click()
    (tmp_path / "other.xml").write_text("<mujoco/>")
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: not bench.source.bar.isVisible() and not bench.source.findChildren(MergeView))


def test_a_text_that_is_only_read_has_a_menu_to_copy(bench):
    from PyQt6.QtGui import QContextMenuEvent
    from PyQt6.QtWidgets import QApplication, QMenu

    editor = bench.source.editor(bench.session.document.main_key)
    editor.setReadOnly(True)
    editor.selectAll()
    seen = []

    def look():
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            seen.append([action.text().split("\t")[0].replace("&", "") for action in menu.actions()])
            menu.close()

    timer = QTimer()
    timer.timeout.connect(look)
    timer.start(20)
    editor.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Mouse, editor.rect().center(), editor.mapToGlobal(editor.rect().center())))
    timer.stop()
    assert seen[0][0] == "Copy" and not any("ndo" in text for text in seen[0])


def test_a_gesture_that_is_undone_leaves_nothing_under_way(bench):
    session = bench.session
    gesture = session.gesture()
    document = session.document
    element = next(one for one in document.version().root.walk() if one.name == "a" and one.tag == "geom")
    session.show(gesture, Edit("drag", attribute_patches(document.main.text, element, {"size": ".3"})))
    assert session._gesturing
    session.undo()
    assert not session._gesturing and document.main.text == MODEL
    change(bench, "a", {"size": ".4"})
    bench.wait(lambda: bench.context.model.geom_size[bench.context.model.id("geom", "a"), 0] == .4)
    assert document.history.undo_label == "change a"
