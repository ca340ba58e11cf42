"""All fields of the model and of its data as text in a dialog."""
import threading

import pytest
from PyQt6 import sip
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.dialogs.listing import ListingDialog
from tests.app.heap import in_use, is_told
from tests.app.workbench import CTRL, Key

MODEL = """<mujoco model="thing"><worldbody><body name="arm"><joint name="elbow"/><geom name="rod" size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml")


def dialog(bench) -> ListingDialog:
    """The one that is open, when its text is there."""
    found = next(widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ListingDialog) and widget.isVisible())
    bench.wait(lambda: found.text.text())
    return found


def test_the_model_is_listed_searched_and_saved(bench, tmp_path):
    bench.press_key(Key.Key_M, CTRL)
    listing = dialog(bench)
    text = listing.text.text()
    assert "geom_friction" in text and "elbow" in text
    QTest.keyClicks(listing.search, "geom_size")
    assert listing.text.selectedText() == "geom_size"
    first = listing.text.selected()[1]
    listing.search.setText("body_")
    before = listing.text.selected()[1]
    QTest.keyClick(listing.search, Qt.Key.Key_Return)
    assert listing.text.selected()[1] != before and first
    QTest.keyClick(listing.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert listing.text.selected()[1] == before, "Shift+Enter goes to the one before"
    assert "found" in listing.note.text()
    listing.search.setText("nowhere to be found")
    assert listing.note.text() == "not found"
    listing.save(tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == text
    listing.close()


def test_a_selection_is_sought_on_from_where_it_is_whatever_its_case(bench):
    bench.press_key(Key.Key_M, CTRL)
    listing = dialog(bench)
    listing.text.show_text("one ELBOW\ntwo \u00e4 elbow\nthree")
    QTest.keyClicks(listing.search, "elb")
    assert listing.text.selectedText() == "ELB" and listing.note.text() == "2 found"
    QTest.keyClicks(listing.search, "ow")       # the same place goes on fitting
    assert listing.text.selectedText() == "ELBOW"
    assert listing.find() and listing.text.selectedText() == "elbow" and listing.text.getSelection() == (1, 6, 1, 11)
    assert listing.find() and listing.text.selectedText() == "ELBOW", "from the beginning again"
    assert listing.find(forward=False) and listing.text.selectedText() == "elbow", "from the end again"
    listing._copy()
    assert QApplication.clipboard().text() == "elbow"
    QTest.keyClick(listing.text, Qt.Key.Key_Delete)
    assert "two" in listing.text.text() and "elbow" in listing.text.text(), "nobody can write into it"
    listing.close()


@pytest.mark.skipif(not is_told(), reason="the C library does not tell what is in use")
def test_a_text_of_very_many_lines_takes_little_more_than_itself(bench):
    bench.press_key(Key.Key_M, CTRL)
    listing = dialog(bench)
    text = "".join(f"row {k}: 0.25 0.5 1e-05\n" for k in range(140_000))
    before = in_use()
    listing._show(text)
    bench.wait(lambda: not listing.text.visibleRegion().isEmpty())
    assert in_use() - before < 8 * len(text) and listing.note.text() == "140000 lines"      # 80 MB where each line was laid out, twenty times as much
    listing.text.setFirstVisibleLine(70_000)
    listing._show(text + "and more")
    assert listing.text.firstVisibleLine() == 70_000, "refreshed, it stays where it was"
    listing.close()


def test_the_data_is_listed_as_it_is_now_and_again(bench):
    bench.press_key(Key.Key_D, CTRL)
    listing = dialog(bench)
    assert listing.text.text().startswith("data at time 0\n") and "xpos" in listing.text.text()
    bench.actions["step_ten"].trigger()
    bench.wait(lambda: bench.snapshot.time > 0.015)
    listing.list_again()
    bench.wait(lambda: listing.text.text().startswith("data at time 0.02\n"))
    listing.close()


def test_a_listing_closed_before_its_text_is_there_ends_quietly(bench, monkeypatch):
    begun, go_on, failed = threading.Event(), threading.Event(), []

    def slow(m, full):
        begun.set()
        assert go_on.wait(20)
        return "late"

    monkeypatch.setattr("app.dialogs.listing._model_text", slow)
    monkeypatch.setattr(threading, "excepthook", failed.append)
    listing = ListingDialog(bench.context, "model", bench.window)
    listing.show()
    bench.wait(begun.is_set)
    listing.close()
    bench.wait(lambda: sip.isdeleted(listing))
    go_on.set()
    bench.wait(lambda: not any(thread.name == "listing" for thread in threading.enumerate()))
    assert not failed


def test_without_a_model_nothing_is_listed(bench):
    bench.context.model = None
    for k, action in enumerate(("list_model", "list_data"), 1):
        bench.actions[action].trigger()
        assert sum("no model" in text for _level, text in bench.context.log_lines) == k and not bench.window.findChildren(ListingDialog)
