"""A tree that is narrower than its names: both ends of a name are seen, what it is about is in the tip."""
import pytest
from PyQt6.QtCore import QRect, Qt
from PyQt6.QtWidgets import QStyleOptionViewItem

from editor.edits.version import Version
from editor.structure.outline import Outline
from editor.tree.model import OutlineModel
from editor.tree.view import INDENTATION, TreeView

NAME = "left_front_hip_abduction_link_visual"
TEXT = f'<mujoco>\n  <worldbody>\n    <geom name="{NAME}" type="box" size="1 1 1"/>\n  </worldbody>\n</mujoco>'


@pytest.fixture
def tree(qtbot):
    model = OutlineModel()
    view = TreeView(model)
    qtbot.addWidget(view)
    model.show(Outline(Version.of({"m.xml": TEXT}, "m.xml"), ""), {})
    view.expandAll()
    yield view
    view.setModel(None)


def painted(tree, wide: int) -> QStyleOptionViewItem:
    """How the geom's row is painted in so many pixels."""
    index = tree.model().index(0, 0, tree.model().index(0, 0))
    option = QStyleOptionViewItem()
    option.widget, option.rect, option.fontMetrics = tree, QRect(0, 0, wide, 20), tree.fontMetrics()
    tree.itemDelegate().initStyleOption(option, index)
    return option


def test_a_row_without_room_for_all_has_its_name_alone(tree):
    all_of_it = tree.fontMetrics().horizontalAdvance(f"{NAME}   box")
    assert painted(tree, all_of_it + 80).text == f"{NAME}   box"
    narrow = painted(tree, all_of_it - 20)
    assert narrow.text == NAME and narrow.textElideMode == Qt.TextElideMode.ElideMiddle


def test_the_tip_has_all_of_it(tree):
    index = tree.model().index(0, 0, tree.model().index(0, 0))
    assert index.data(Qt.ItemDataRole.ToolTipRole).splitlines()[:2] == [f"geom {NAME}", "box"]


def test_deep_rows_are_indented_less_in_a_narrow_tree(qtbot):
    depth, model = 14, OutlineModel()
    text = "<mujoco><worldbody>" + "".join(f'<body name="link{k}">' for k in range(depth)) + "</body>" * depth + "</worldbody></mujoco>"
    view = TreeView(model)
    qtbot.addWidget(view)
    view.resize(180, 500)
    view.show()
    qtbot.waitExposed(view)
    model.show(Outline(Version.of({"m.xml": text}, "m.xml"), ""), {})
    view.expandAll()
    qtbot.waitUntil(lambda: view.indentation() < INDENTATION[1])
    index = model.index(0, 0)
    while model.rowCount(index):
        index = model.index(0, 0, index)
    assert view.visualRect(index).width() > 5 * view.fontMetrics().averageCharWidth()
    view.resize(700, 500)
    qtbot.waitUntil(lambda: view.indentation() == INDENTATION[1])
    view.setModel(None)
