"""The list of what can be written, by itself: the line below it has the room that it needs, also above the line that is written in."""
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtWidgets import QWidget

from editor.language.completion import Candidate
from editor.source.completion_popup import CompletionPopup

ROWS = [Candidate("size", "attribute", "3 real", "short"), Candidate("solimp", "attribute", "5 real", "many words " * 40)]
LINE = 20


@pytest.fixture
def popup(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    yield CompletionPopup(parent)       # the parent lives as long


def fits(popup) -> bool:
    return popup.about.height() == popup.about.heightForWidth(popup.about.width()) and popup.height() == popup.layout().totalHeightForWidth(popup.width())


def test_it_grows_and_shrinks_with_what_is_told_of_the_chosen_row(qtbot, popup):
    popup.offer(ROWS, QPoint(50, 50), LINE)
    qtbot.waitUntil(lambda: fits(popup))
    low, top = popup.height(), popup.y()
    popup.step(1)
    qtbot.waitUntil(lambda: fits(popup) and popup.height() > low)
    assert popup.y() == top == 50 + LINE
    popup.step(1)
    qtbot.waitUntil(lambda: fits(popup) and popup.height() == low)


def test_above_a_line_it_grows_upwards(qtbot, popup):
    bottom = popup.screen().availableGeometry().bottom()
    popup.offer(ROWS, QPoint(50, bottom - 2 * LINE), LINE)
    qtbot.waitUntil(lambda: fits(popup))
    low = popup.height()
    assert popup.geometry().bottom() < bottom - 2 * LINE
    popup.step(1)
    qtbot.waitUntil(lambda: fits(popup) and popup.height() > low)
    assert popup.geometry().bottom() < bottom - 2 * LINE, "the line stays in sight"
