"""What Compare does where it is narrow: names are read, values go first, buttons take further lines."""
import pytest
from PyQt6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.panels.compare.comparison import HEADS
from app.panels.compare.sets_tree import FIRST_FIGURE, NAME, SOLIMP, SOLREF, SetsTree
from app.panels.compare.wrapped_row import WrappedRow

ROWS = (["the run", "0.02 1", "0.9 0.95 0.001 0.5 2", "11.7 mm", "23.67 N", "0.0139 J", "–", "–"], ["as it is", "-10000 -20", "0.015 1 0.02 0.5 2", "11.7 mm", "23.67 N", "0.0139 J", "3", "0.801"])


@pytest.fixture
def whole(qtbot):
    made = QWidget()
    qtbot.addWidget(made, before_close_func=lambda _closing, made=made: None)
    made.column = QVBoxLayout(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_names_are_read_at_any_width(whole, qtbot):
    tree = SetsTree(HEADS)
    for row in ROWS:
        tree.add(None, row)
    tree.fit()
    whole.column.addWidget(tree)
    widths = {}
    for width in (900, 560, 330):
        whole.resize(width, 300)
        qtbot.waitUntil(lambda: abs(tree.width() - whole.width()) < 40)
        tree.share()
        widths[width] = [tree.columnWidth(column) if not tree.isColumnHidden(column) else 0 for column in range(tree.columnCount())]
        assert sum(widths[width]) <= tree.width() and widths[width][NAME] >= tree.fontMetrics().horizontalAdvance("as it is")
        assert all(width_of > 0 for width_of in widths[width][FIRST_FIGURE:])
    assert widths[900][SOLIMP] > tree.fontMetrics().horizontalAdvance(ROWS[0][SOLIMP]) and widths[900][NAME] > widths[330][NAME]
    assert 0 < widths[560][SOLIMP] < widths[900][SOLIMP]
    assert widths[330][SOLIMP] == widths[330][SOLREF] == 0 and widths[330][FIRST_FIGURE] < widths[900][FIRST_FIGURE]


def test_figures_that_change_do_not_move_the_columns(whole):
    tree = SetsTree(HEADS)
    for row in ROWS:
        tree.add(None, row)
    whole.column.addWidget(tree)
    whole.resize(900, 300)
    tree.topLevelItem(0).setText(FIRST_FIGURE, "1234567890.1 mm")
    tree.share()
    wide = tree.columnWidth(FIRST_FIGURE)
    tree.topLevelItem(0).setText(FIRST_FIGURE, "1 mm")
    tree.share()
    assert tree.columnWidth(FIRST_FIGURE) == wide
    tree.takeTopLevelItem(1)
    tree.share()
    assert tree.columnWidth(FIRST_FIGURE) < wide


def test_buttons_take_as_many_lines_as_they_need(whole, qtbot):
    buttons = [QPushButton(text) for text in ("Start them all", "Stop", "Something longer", "Remove")]
    row = WrappedRow(*buttons)
    whole.column.addWidget(row)
    whole.column.addStretch(1)

    def lines(width):
        whole.resize(width, 300)
        qtbot.waitUntil(lambda: abs(row.width() - whole.width()) < 40)
        assert all(row.rect().contains(button.geometry()) for button in buttons if not button.isHidden())
        return len({button.y() for button in buttons if not button.isHidden()})

    assert (lines(900), lines(160)) == (1, 4)
    high = row.height()
    buttons[0].hide()
    qtbot.waitUntil(lambda: row.height() < high)
