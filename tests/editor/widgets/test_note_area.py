"""A note beside a tree in a narrow panel: it takes a share of the height, and what does not fit is in its tip and scrolled to."""
import pytest
from PyQt6.QtWidgets import QLabel, QTreeView, QVBoxLayout, QWidget

from editor.widgets.note_area import NoteArea


class Panel(QWidget):
    def __init__(self):
        super().__init__()
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.area = NoteArea(self.note)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(QTreeView(), 1)
        layout.addWidget(self.area)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.area.fit()


@pytest.fixture
def panel(qtbot):
    made = Panel()
    qtbot.addWidget(made)
    made.resize(160, 600)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_long_note_leaves_three_quarters_to_the_tree(panel, qtbot):
    long = "scene.xml, line 4, column 3: </bod> closes nothing. " * 8
    panel.area.say(long)
    qtbot.waitUntil(lambda: panel.area.height() == 150)
    assert panel.area.verticalScrollBar().maximum() > 0 and panel.note.toolTip() == long
    panel.resize(160, 1600)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().maximum() == 0)
    assert panel.area.height() == panel.note.heightForWidth(160) and not panel.note.toolTip()


def test_a_short_note_is_as_high_as_it_needs_and_gone_with_its_text(panel, qtbot):
    panel.area.say("Move geom ball")
    qtbot.waitUntil(lambda: panel.area.height() == panel.note.heightForWidth(160))
    assert panel.area.isVisible() and panel.area.height() < 60
    panel.area.say("")
    assert not panel.area.isVisible()
