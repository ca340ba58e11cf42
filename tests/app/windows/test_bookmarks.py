"""Bookmarks in the window: set, shown as flags, gone to, renamed and deleted; their pictures; what becomes of them."""
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QInputDialog, QLineEdit, QMenu

from app.controllers.timeline import THUMBNAIL
from app.panels.bookmarks import PRESENT
from app.timeline.bookmarks import Bookmark
from app.timeline.region import Region
from app.windows.timeline_menus import fill_axis_menu, fill_bookmark_menu
from physics.runtime import commands
from tests.app.windows.test_playback import scrub
from tests.app.windows.test_timeline import MODEL, ran
from tests.app.workbench import CTRL, SHIFT, Key


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


@pytest.fixture
def bookmarks(bench):
    return bench.context.bookmarks


def mark(bench, index):
    """A bookmark at an entry, set by the key when its picture is seen."""
    scrub(bench, index)
    bench.wait(lambda: bench.viewport.picture.snapshot.history_index == index)
    bench.press_key(Key.Key_B, CTRL)
    return bench.context.bookmarks.at(index)


def picture_of(bookmark):
    return QImage.fromData(bookmark.thumbnail, "PNG")


def entries(menu):
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def test_a_key_marks_the_present_moment_with_what_is_seen(bench, bookmarks):
    ran(bench, 0.2)
    made = mark(bench, 30)
    assert bookmarks.all == (made,) and made.name == f"{made.time:.3f} s" and made.time == pytest.approx(30 * bench.context.model.opt_timestep)
    picture = picture_of(made)
    assert picture.size() == THUMBNAIL and len({picture.pixel(x, y) for x in range(0, 160, 8) for y in range(0, 100, 5)}) > 5
    other = mark(bench, 90)
    assert picture_of(other) != picture, "the ball has fallen meanwhile"
    assert bench.logged("Bookmark at 0.060 s")


def test_while_it_runs_the_moment_is_marked_that_is_seen(bench, bookmarks):
    bench.actions["run"].trigger()
    bench.pass_time(0.1)
    bench.pictures()
    seen = bench.viewport.picture.snapshot
    number = seen.history_gone + seen.history_index
    bench.actions["add_bookmark"].trigger()
    (made,) = bookmarks.all
    assert made.number >= number and made.thumbnail and bench.snapshot.running, "marking pauses nothing"
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    scrub(bench, made.number)
    assert bench.snapshot.time == pytest.approx(made.time)


def test_a_bookmark_that_is_set_before_its_picture_is_there_gets_it(bench, bookmarks):
    ran(bench, 0.2)
    scrub(bench, 40)
    bookmarks.add(Bookmark(40, 0.08, "mine"))
    bookmarks.add(Bookmark(41, 0.082, "never seen"))
    bench.viewport.refresh()
    bench.wait(lambda: bookmarks.at(40).thumbnail)
    assert bookmarks.at(40).name == "mine" and not bookmarks.at(41).thumbnail


def test_flags_are_painted_told_and_clicked(bench, bookmarks):
    ran(bench, 0.2)
    axis = bench.window.timeline.axis
    newest = bench.snapshot.history_length - 1
    bench.wait(lambda: axis.index == newest)
    without = axis.grab().toImage()
    bookmarks.add(Bookmark(50, 0.1, "touch <down>", thumbnail=small()))
    bench.wait(lambda: axis.flags)
    assert axis.grab().toImage() != without
    x, top = axis.x_of(50), axis.height() // 2
    assert "touch <down>" in axis.told(x) and "step 51 of" in axis.told(x) and "touch" not in axis.told(axis.x_of(80))
    tip = axis.tip(x + 5, top)
    assert "touch &lt;down&gt;" in tip and "data:image/png;base64," in tip and "<" not in axis.told(axis.x_of(80))
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(round(x) + 5, top))    # on the flag, beside its entry
    bench.wait(lambda: bench.snapshot.history_index == 50)


def small():
    """Bytes of a PNG."""
    from app.thumbnails import png_of

    image = QImage(16, 10, QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.red)
    return png_of(image)


def test_keys_go_from_one_to_the_next(bench, bookmarks):
    ran(bench, 0.3)
    for number in (20, 60, 100):
        bookmarks.add(Bookmark(number, 0.002 * number, str(number)))
    scrub(bench, 0)
    for number in (20, 60, 100):
        bench.press_key(Key.Key_Right, CTRL)
        bench.wait(lambda number=number: bench.snapshot.history_index == number)
    bench.press_key(Key.Key_Right, CTRL)
    assert bench.logged("There is no later bookmark")
    for number in (60, 20):
        bench.press_key(Key.Key_Left, CTRL)
        bench.wait(lambda number=number: bench.snapshot.history_index == number)
    bench.press_key(Key.Key_End)
    bench.wait(lambda: bench.snapshot.history_index == bench.snapshot.history_length - 1)
    bench.press_key(Key.Key_Home)
    bench.wait(lambda: bench.snapshot.history_index == 0)


def test_the_menu_beside_the_flag_lists_them(bench, bookmarks):
    ran(bench, 0.2)
    bookmarks.add(Bookmark(20, 0.04, "jump & run"))
    menu = bench.window.timeline.bookmark.menu()
    fill_bookmark_menu(menu, bench.window.timeline._services, bench.actions)
    assert entries(menu) == ["jump && run", "Next bookmark", "Previous bookmark", "Bookmarks"]
    menu.actions()[0].trigger()
    bench.wait(lambda: bench.snapshot.history_index == 20)
    QTest.mouseClick(bench.window.timeline.bookmark, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert bookmarks.at(20).name == "jump & run" and len(bookmarks) == 1


def test_the_axis_has_a_menu_for_the_place_and_the_flag(bench, bookmarks):
    ran(bench, 0.2)
    made = bookmarks.add(Bookmark(20, 0.04, "here"))
    services = bench.window.timeline._services
    menu = QMenu(bench.window)
    fill_axis_menu(menu, services, bench.actions, 20, made)
    assert entries(menu)[:3] == ["Go to here", "Rename the bookmark...", "Delete the bookmark"]
    menu.actions()[1].trigger()
    bench.wait(lambda: bench.window.findChildren(QInputDialog))
    (dialog,) = bench.window.findChildren(QInputDialog)
    dialog.setTextValue("there")
    dialog.accept()
    assert bookmarks.at(20).name == "there"
    menu.actions()[2].trigger()
    assert not len(bookmarks)
    plain = QMenu(bench.window)
    fill_axis_menu(plain, services, bench.actions, 60, None)
    assert entries(plain) == ["Region from here", "Region to here", "Whole timeline"]
    plain.actions()[0].trigger()
    assert bench.context.region.region.first == 60


def test_another_document_has_other_bookmarks(bench, bookmarks, tmp_path):
    ran(bench, 0.1)
    bookmarks.add(Bookmark(20, 0.04, "here"))
    bench.context.region.take(Region(5, 20))
    bench.source.editor().replace_text(MODEL.replace("<worldbody>", "<worldbody><site/>", 1))
    bench.actions["apply"].trigger()
    bench.wait(lambda: bench.snapshot.generation == 2)
    assert len(bookmarks) == 1 and bench.context.region.region is not None, "an edit is no other document"
    (tmp_path / "n.xml").write_text(MODEL)
    bench.session.open(tmp_path / "n.xml")
    bench.wait(lambda: bench.snapshot.generation == 3)
    bench.wait(lambda: not len(bookmarks) and bench.context.region.region is None)


# ---------------------------------------------------------------- the panel


@pytest.fixture
def panel(bench):
    return bench.panel("bookmarks")


def rows(panel):
    return [panel.list.item(k).text() for k in range(panel.list.count())]


def click_row(panel, row, button=Qt.MouseButton.LeftButton, keys=Qt.KeyboardModifier.NoModifier):
    at = panel.list.visualItemRect(panel.list.item(row)).center()
    QTest.mouseClick(panel.list.viewport(), button, keys, at)


def test_the_panel_lists_them_and_a_click_goes_there(bench, bookmarks, panel):
    assert panel.note.isVisible() and not panel.more.isEnabled()
    ran(bench, 0.2)
    for index in (70, 20):
        mark(bench, index)
    assert rows(panel) == ["0.040 s", "0.140 s"] and not panel.note.isVisible()
    bench.wait(lambda: [panel.list.item(k).data(PRESENT) for k in range(2)] == [True, False])
    click_row(panel, 1)
    bench.wait(lambda: bench.snapshot.history_index == 70)
    bench.wait(lambda: [panel.list.item(k).data(PRESENT) for k in range(2)] == [False, True])
    QTest.keyClick(panel.list, Qt.Key.Key_Up)
    QTest.keyClick(panel.list, Qt.Key.Key_Return)
    bench.wait(lambda: bench.snapshot.history_index == 20)


def test_they_are_renamed_in_the_list(bench, bookmarks, panel):
    ran(bench, 0.1)
    bookmarks.add(Bookmark(10, 0.02, "a"))
    bookmarks.add(Bookmark(20, 0.04, "b"))
    panel.list.setFocus()
    panel.list.setCurrentRow(0)
    QTest.keyClick(panel.list, Qt.Key.Key_F2)
    editor = panel.list.findChild(QLineEdit)
    assert editor is not None and editor.text() == "a"
    editor.selectAll()
    QTest.keyClicks(editor, "first touch")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    bench.wait(lambda: bookmarks.at(10).name == "first touch")
    assert rows(panel) == ["first touch", "b"]
    bookmarks.rename(bookmarks.at(20), "elsewhere")
    assert rows(panel) == ["first touch", "elsewhere"]


def test_they_are_deleted_by_the_key_and_by_menus(bench, bookmarks, panel):
    ran(bench, 0.1)
    for number in (5, 10, 15, 20):
        bookmarks.add(Bookmark(number, 0.002 * number, str(number)))
    click_row(panel, 0)
    click_row(panel, 1, keys=Qt.KeyboardModifier.ShiftModifier)
    assert [one.number for one in panel.selected] == [5, 10]
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert rows(panel) == ["15", "20"]
    menu = panel.menu_for(panel.list.item(0))
    assert entries(menu) == ["Go there", "Rename", "Delete"]
    menu.actions()[2].trigger()
    assert rows(panel) == ["20"]
    panel.clearing_menu().actions()[1].trigger()
    assert rows(panel) == [] and panel.note.isVisible()


def test_the_button_marks_the_present_moment(bench, bookmarks, panel):
    ran(bench, 0.1)
    QTest.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    assert len(bookmarks) == 1 and bookmarks.at(bench.snapshot.history_index)


def test_one_of_another_branch_is_gone_to_by_showing_that_branch(bench, bookmarks, panel):
    ran(bench, 0.3)
    branch = bench.snapshot.history_branch
    for number in (20, 120):
        bookmarks.add(Bookmark(number, 0.002 * number, str(number), branch))
    scrub(bench, 60)
    bench.runner.send(commands.SetForce(1, (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    bench.runner.send(commands.Step(30))
    bench.wait(lambda: bench.snapshot.history_branch != branch and bench.snapshot.history_index == 90)
    bench.wait(lambda: [one.number for _, one in bench.window.timeline.axis.flags] == [20])
    click_row(panel, 1)
    bench.wait(lambda: bench.snapshot.history_branch == branch and bench.snapshot.history_index == 120)
    click_row(panel, 0)
    bench.wait(lambda: bench.snapshot.history_index == 20)


def test_the_palette_finds_them_by_name(bench, bookmarks):
    ran(bench, 0.1)
    bookmarks.add(Bookmark(20, 0.04, "first touch"))
    bench.press_key(Key.Key_P, CTRL | SHIFT)
    palette = bench.application.program_control.palette
    bench.wait(lambda: palette.isVisible() and palette.field.hasFocus())
    QTest.keyClicks(palette.field, "first touch")
    bench.wait(lambda: palette._search.done)
    assert palette.rows.entries[0].title == "Bookmark first touch"
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    bench.wait(lambda: bench.snapshot.history_index == 20)
