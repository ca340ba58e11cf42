"""The table of constraint rows: its texts, what stays while numbers change, and copying."""
from dataclasses import replace

import pytest
from PyQt6.QtCore import QItemSelectionModel, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

import physics
from app.panels.diagnostics.rows_table import COLUMNS, RowsTable
from physics.diagnostics.constraint_rows import constraint_rows

ARM = """<mujoco><compiler angle="radian"/><worldbody><body pos="0 0 1"><joint name="arm" axis="0 1 0" limited="true" range="-.1 .1" frictionloss=".5"/><geom size=".1" pos=".3 0 0"/>
<body pos=".5 0 0"><joint name="hand" axis="1 0 0"/><geom size=".1" pos="0 .1 0"/></body></body></worldbody>
<equality><joint name="gear" joint1="arm" joint2="hand" polycoef="0 2 0 0 0"/></equality></mujoco>"""


@pytest.fixture
def rows():
    physics.ensure_kernels()
    m = physics.load_string(ARM)
    d = physics.Data(m)
    d.qpos[0] = 0.2
    physics.forward(m, d)
    return m, constraint_rows(m, d, range(d.nefc))


@pytest.fixture
def table(qtbot, rows):
    table = RowsTable(names=True)
    qtbot.addWidget(table)
    table.resize(320, 200)
    table.show_rows(rows[1], rows[0])
    table.show()
    return table


def test_a_line_for_each_row(table, rows):
    """Titles, numbers, formula and unit in the tooltips, the Jacobian in the title's."""
    model = table.model()
    assert [model.headerData(k, Qt.Orientation.Vertical) for k in range(3)] == ["equality gear: joint position", "joint arm: friction loss, rotation", "joint arm: upper limit"]
    assert table.text(0, "pos") == "0.2" and table.text(2, "pos") == "-0.1" and table.text(2, "state") == rows[1][2].state == "quadratic"
    assert float(table.text(2, "force")) == pytest.approx(rows[1][2].force, rel=1e-3)
    for k, column in enumerate(COLUMNS):
        tip = model.headerData(k, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
        assert column.doc in tip and (not column.unit or f"[{column.unit}]" in tip)
    jacobian = model.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole)
    assert "1 at dof 0 (arm)" in jacobian and "-2 at dof 1 (hand)" in jacobian
    assert repr(rows[1][2].force) in model.data(model.index(2, 0), Qt.ItemDataRole.ToolTipRole)


def test_numbers_change_without_a_reset(table, rows):
    """While the lines are the same, what is selected and scrolled stays; other lines are other ones."""
    resets = []
    table.model().modelReset.connect(lambda: resets.append(1))
    # not selectRow, which goes by the keys that are held at that moment, as a test before may have left them
    table.selectionModel().select(table.model().index(1, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows)
    table.horizontalScrollBar().setValue(40)
    table.show_rows([replace(row, force=row.force + 1, row=row.row) for row in rows[1]])
    assert not resets and [index.row() for index in table.selectionModel().selectedRows()] == [1] and table.horizontalScrollBar().value() == 40
    assert float(table.text(1, "force")) == pytest.approx(rows[1][1].force + 1, rel=1e-3)
    table.show_rows(rows[1][:2])
    assert resets == [1] and table.model().rowCount() == 2
    table.show_rows([])
    assert table.model().rowCount() == 0


def test_copy_as_text(table, rows):
    """Ctrl+C copies the selected lines with their titles, all of them where none is selected."""
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 4 and lines[0].split("\t")[:2] == ["part", "force"] and len({line.count("\t") for line in lines}) == 1
    assert float(lines[3].split("\t")[1]) == rows[1][2].force
    table.selectionModel().select(table.model().index(2, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert [line.split("\t")[0] for line in QGuiApplication.clipboard().text().split("\n")] == ["part", "joint arm: upper limit"]


def test_a_double_click_wants_the_element(table, rows):
    """So that a list of rows leads to what they belong to."""
    wanted = []
    table.element_wanted.connect(wanted.append)
    at = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert wanted == [rows[1][0].element] and wanted[0].name == "gear"


def test_it_fits_a_narrow_panel(table):
    """320 pixels: titles leave room for numbers, the rest is scrolled to."""
    assert table.verticalHeader().width() <= 0.4 * table.width() + 1
    assert table.horizontalScrollBar().maximum() > 0 and table.verticalScrollBar().maximum() == 0


def test_names_of_joints_are_looked_up_for_the_row_that_is_told(table, rows):
    """A model may have tens of thousands of dofs, and rows are shown several times a second."""
    m, shown = rows

    class Names(dict):
        read = 0

        def __getitem__(self, kind):
            Names.read += 1
            return super().__getitem__(kind)

    before, m.names = m.names, Names(m.names)
    try:
        table.show_rows(shown, m)
        assert not Names.read
        assert "(hand)" in table.model().headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) and Names.read == 2
    finally:
        m.names = before
