"""The outliner: a tree of everything, searched and filtered at once however large, selected and hidden as in the view."""
import time

import pytest
from PyQt6.QtCore import QItemSelectionModel, QPoint, Qt
from PyQt6.QtTest import QTest

import physics
from app.panels.elements.model import EYE, NAME
from app.panels.elements.tree import ROOT, ElementTree
from physics.model.elements import Element, element
from tests.app.workbench import CTRL, NONE, Button

MODEL = """<mujoco><asset><material name="paint" rgba="1 0 0 1"/></asset>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><camera name="eye" pos="0 -3 1"/>
<body name="arm" pos="0 0 1"><joint name="hinge"/><geom name="rod" size=".1" material="paint"/><geom size=".05"/>
<body name="hand" pos="1 0 0"><joint name="wrist"/><geom name="palm" size=".1"/></body></body></worldbody>
<actuator><motor name="drive" joint="hinge"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1000, 700))


@pytest.fixture
def outliner(bench):
    return bench.panel("outliner")


def of(bench, kind, name):
    return element(bench.context.model, kind, bench.context.model.id(kind, name))


def rows(outliner):
    """Texts of the visible rows from the top, indented."""
    out, index = [], outliner.model.index(0, NAME)
    while index.isValid():
        depth, above = 0, index
        while (above := above.parent()).isValid():
            depth += 1
        out.append("  " * depth + index.data())
        index = outliner.tree.indexBelow(index)
    return out


def index_of(outliner, what):
    return outliner.model.index_of(outliner.model.tree.node(what))


def click(outliner, what, column=NAME, keys=NONE):
    place = outliner.tree.visualRect(index_of(outliner, what).siblingAtColumn(column)).center()
    QTest.mouseClick(outliner.tree.viewport(), Button.LeftButton, keys, place)


def test_it_shows_bodies_with_what_they_carry_and_the_rest_in_groups(outliner):
    assert rows(outliner) == ["world", "  floor", "  eye", "  arm", "    hinge", "    rod", "    geom 2", "    hand", "Materials  1", "Actuators  1"]


def test_rows_select_and_what_is_selected_is_shown(bench, outliner):
    click(outliner, of(bench, "geom", "rod"))
    assert bench.context.selection.elements == (of(bench, "geom", "rod"),)
    click(outliner, of(bench, "joint", "hinge"), keys=CTRL)
    assert bench.context.selection.elements == (of(bench, "geom", "rod"), of(bench, "joint", "hinge"))
    bench.context.select_elements((of(bench, "geom", "palm"), of(bench, "actuator", "drive")))     # as from the view: its row comes into sight
    assert "    drive" not in rows(outliner) and "  drive" in rows(outliner)
    assert {index.data() for index in outliner.tree.selectionModel().selectedRows()} == {"palm", "drive"}
    assert outliner.tree.currentIndex().data() == "drive"
    bench.context.select_nothing()
    assert not outliner.tree.selectionModel().hasSelection()


def test_search_and_filter(bench, outliner):
    QTest.keyClicks(outliner.search, "ha")
    bench.wait(lambda: rows(outliner) == ["world", "  arm", "    hand"])
    outliner.search.setText("geom 2")
    bench.wait(lambda: rows(outliner) == ["world", "  arm", "    geom 2"])
    QTest.keyClick(outliner.search, Qt.Key.Key_Return)
    assert bench.context.selection.elements == (Element("geom", 2),)
    outliner.search.clear()
    outliner.show_kinds(("joint", "actuator"))
    assert rows(outliner) == ["world", "  arm", "    hinge", "    hand", "Actuators  1"]
    outliner.kind_actions["joint"].trigger()
    assert rows(outliner) == ["Actuators  1"]
    outliner.filter_button.menu().actions()[0].trigger()
    assert len(rows(outliner)) == 10
    outliner.tree.setFocus()
    QTest.keyClicks(outliner.tree, "pal")      # typing in the tree searches
    bench.wait(lambda: rows(outliner)[-1].strip() == "palm")


def test_the_eye_hides_and_shows(bench, outliner):
    arm = of(bench, "body", "arm")
    click(outliner, arm, EYE)
    assert bench.context.options.hidden == {arm} and not bench.context.selection.elements
    rod = index_of(outliner, of(bench, "geom", "rod"))
    assert rod.data(Qt.ItemDataRole.ForegroundRole) is not None      # gone with its body
    click(outliner, arm, EYE)
    assert not bench.context.options.hidden and rod.data(Qt.ItemDataRole.ForegroundRole) is None


def test_the_menu_acts_on_the_row_and_on_all_that_is_selected(bench, outliner):
    texts = lambda menu: [action.text() for action in menu.actions() if action.text()]  # noqa: E731
    arm, hand = of(bench, "body", "arm"), of(bench, "body", "hand")
    menu = outliner.menu_at(index_of(outliner, arm))
    assert texts(menu) == ["body arm", "Select", "Select parent", "Select children", "Frame", "Track with the camera", "Hide", "Show alone", "Copy name", "Copy path",
                           "Copy pose", "Go to XML"]
    next(action for action in menu.actions() if action.text() == "Select children").trigger()
    assert [str(what) for what in bench.context.selection.elements] == ["joint hinge", "geom rod", "geom 2", "body hand"]
    bench.context.select_elements((arm, hand))
    menu = outliner.menu_at(index_of(outliner, hand))
    assert texts(menu)[0] == "2 elements"
    next(action for action in menu.actions() if action.text() == "Hide").trigger()
    assert bench.context.options.hidden == {arm, hand}
    assert outliner.menu_at(outliner.model.index(1, NAME)) is None     # of a group


def test_what_is_open_stays_open_over_edits_and_the_tree_is_refilled_only_where_names_changed(bench, outliner):
    outliner.tree.expand(index_of(outliner, of(bench, "body", "hand")))
    outliner.tree.collapse(outliner.model.index(1, NAME))
    before, resets, model = rows(outliner), [], bench.context.model
    outliner.model.modelReset.connect(lambda: resets.append(1))
    bench.source.editor().replace_text(MODEL.replace('size=".05"', 'size=".06"'))
    bench.session.apply()
    bench.taken_up()
    assert bench.context.model is model and not resets and rows(outliner) == before and outliner.model.tree.model is bench.context.model
    model = bench.context.model
    bench.source.editor().replace_text(MODEL.replace('</worldbody>', '<body name="new"><geom size=".2"/></body></worldbody>'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    assert resets and [row for row in rows(outliner) if "new" not in row] == before


# ------------------------------------------------------------------ large models

@pytest.fixture(scope="module")
def large():
    """Fifty thousand elements."""
    bodies = "".join(f'<body name="b{i}" pos="{i} 0 0"><joint name="j{i}"/><geom name="g{i}" size=".1"/><geom size=".1"/><site name="s{i}"/></body>' for i in range(10_000))
    return physics.load_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")


def spent(work) -> float:
    """Least processor seconds of this thread in five: the others draw and step beside it."""
    times = []
    for _ in range(5):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


def test_fifty_thousand_elements_open_and_filter_without_delay(bench, outliner, large):
    assert ElementTree(large).count > 50_000

    def open_it():
        outliner._structure = None
        outliner._model_changed(large)

    assert spent(open_it) < 0.1
    outliner.search.setText("")

    def search(text):
        outliner.search.blockSignals(True)
        outliner.search.setText(text)
        outliner.search.blockSignals(False)
        outliner._filter()

    for text in ("7", "77", "b777", "geom 1234", ""):
        assert spent(lambda text=text: search(text)) < 0.1, text
    assert outliner.model.rowCount(outliner.model.index(0, NAME)) < 1000      # told to the view as far as it was scrolled to
    last = Element("geom", large.ngeom - 1)
    index = outliner.model.index_of(outliner.model.tree.node(last))
    assert index.isValid() and index.parent().data() == "b9999"


def test_scrolling_down_brings_further_rows(bench, outliner, large):
    outliner._structure = None
    outliner._model_changed(large)
    world = outliner.model.index(0, NAME)
    outliner.tree.expand(world)
    known = outliner.model.rowCount(world)
    bar = outliner.tree.verticalScrollBar()
    bench.wait(lambda: bar.maximum() > 0)

    def scrolled():
        bar.setValue(bar.maximum())
        return outliner.model.rowCount(world) > known

    bench.wait(scrolled)
    outliner.tree.indexAt(QPoint(5, 5))


def test_thousands_are_selected_as_few_ranges(large):
    from app.panels.elements.model import ElementModel

    model, tree = ElementModel(frozenset, (), lambda: None), ElementTree(large)
    model.show(tree, tree.search(""))
    ranges = model.selection_of(range(tree.start["body"] + 1, tree.start["body"] + 3001))
    assert len(ranges) == 1 and ranges[0].height() == 3000
    assert tree.everything.count(ROOT) == 1
    chooser = QItemSelectionModel(model)
    chooser.select(ranges, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    assert len(chooser.selectedRows()) == 3000


def test_ctrl_in_a_filtered_tree_keeps_what_is_selected_but_not_shown(bench, outliner, monkeypatch):
    hinge, rod, palm = of(bench, "joint", "hinge"), of(bench, "geom", "rod"), of(bench, "geom", "palm")
    bench.context.select_elements((hinge,))
    outliner.show_kinds(("geom",))
    outliner.tree.expandAll()
    click(outliner, rod, keys=CTRL)
    assert bench.context.selection.elements == (hinge, rod)
    click(outliner, palm, keys=CTRL)
    click(outliner, rod, keys=CTRL)
    assert bench.context.selection.elements == (hinge, palm)
    click(outliner, rod)
    assert bench.context.selection.elements == (rod,)
    monkeypatch.setattr("app.panels.outliner.MOST_SELECTED", 1)
    bench.context.select_elements((palm, of(bench, "geom", "floor"), rod))
    click(outliner, rod, keys=CTRL)
    assert bench.context.selection.elements == (palm, of(bench, "geom", "floor"))
    click(outliner, rod, keys=CTRL)
    assert bench.context.selection.elements == (palm, of(bench, "geom", "floor"), rod)


def test_the_active_one_of_several_stands_out(bench, outliner):
    rod, palm = of(bench, "geom", "rod"), of(bench, "geom", "palm")

    def bold(what) -> bool:
        font = index_of(outliner, what).data(Qt.ItemDataRole.FontRole)
        return font is not None and font.bold()

    bench.context.select_elements((palm, rod))
    assert bold(rod) and not bold(palm)
    outliner.tree.expandAll()
    click(outliner, rod, keys=CTRL)
    click(outliner, rod, keys=CTRL)
    click(outliner, palm, keys=CTRL)
    click(outliner, palm, keys=CTRL)
    assert bench.context.selection.elements == (rod, palm) and bold(palm) and not bold(rod)
    bench.context.select_elements((rod,))
    assert not bold(rod)
