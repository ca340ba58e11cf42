"""The branches panel: what was simulated otherwise is listed, shown again, renamed, forgotten."""
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from app.timeline.branch_graph import rows
from physics.runtime import commands as c
from physics.runtime.history.branches import BranchInfo

MODEL = """<mujoco><worldbody>
  <body pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom size=".05" pos=".3 0 0"/></body>
</worldbody><actuator><motor name="m" joint="hinge"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    bench = workbench(tmp_path / "m.xml", size=(1100, 700))
    bench.runner.send(c.Step(50))
    bench.wait(lambda: bench.snapshot.history_length == 51)
    bench.runner.send(c.Scrub(20))
    bench.runner.send(c.SetCtrl(0, 1.0))
    bench.runner.send(c.Step(10))
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2)
    return bench


def point(graph, k: int) -> QPoint:
    return QPoint(graph.width() // 2, round(graph.y_of(k)))


def test_rows_hang_where_they_parted():
    found = rows((BranchInfo(1, 0, 19, 30, 0.04, 0.1, "start", "start"), BranchInfo(2, 0, 20, 11, 0.04, 0.06, "run", "run on", True), BranchInfo(3, 1, 25, 4, 0.05, 0.06, "run", "x")), 0, 31)
    assert [(row.id, row.first, row.last, row.hangs) for row in found] == [(2, 0, 30, None), (3, 25, 29, 2), (1, 19, 49, 0)]
    assert rows((), 0, 0) == []


def test_a_branch_is_shown_by_double_click_and_by_enter(bench):
    panel = bench.panel("branches")
    bench.wait(lambda: len(panel.graph.rows) == 2)
    graph = panel.graph
    assert [row.name for row in graph.rows] == ["changed at 0.04 s", "start"] and not panel.note.isVisible()
    assert "Parts from 'changed at 0.04 s'" in graph.told(1)
    QTest.mouseDClick(graph, Qt.MouseButton.LeftButton, pos=point(graph, 1))
    bench.wait(lambda: bench.snapshot.history_branch == 1 and bench.snapshot.history_length == 51)
    assert bench.snapshot.ctrl[0] == 0 and not bench.snapshot.running
    bench.wait(lambda: graph.rows[0].name == "start")
    graph.setFocus()
    QTest.keyClick(graph, Qt.Key.Key_Down)
    QTest.keyClick(graph, Qt.Key.Key_Down)
    QTest.keyClick(graph, Qt.Key.Key_Return)
    bench.wait(lambda: bench.snapshot.history_branch == 2 and bench.snapshot.ctrl[0] == 1.0)


def test_a_branch_is_renamed_and_forgotten(bench):
    panel = bench.panel("branches")
    bench.wait(lambda: len(panel.graph.rows) == 2)
    panel.rename(1, " before ")
    bench.wait(lambda: panel.graph.rows[1].name == "before")
    menu = panel.menu(panel.graph.rows[0])
    assert [action.isEnabled() for action in menu.actions()] == [False, True, False, False]
    panel.menu(panel.graph.rows[1]).actions()[2].trigger()
    bench.wait(lambda: len(panel.graph.rows) == 1 and panel.note.isVisible())
    panel.forget(2)
    bench.wait(lambda: bench.logged("the branch that is shown stays"))


def test_a_branch_is_drawn_as_a_ghost_beside_the_run(bench):
    panel = bench.panel("branches")
    bench.wait(lambda: len(panel.graph.rows) == 2)
    panel.menu(panel.graph.rows[1]).actions()[3].trigger()
    bench.wait(lambda: [ghost.label for ghost in bench.context.ghosts] == ["branch 1: start"])
    bench.application.companions.stop_all()
    bench.wait(lambda: bench.context.ghosts == ())
