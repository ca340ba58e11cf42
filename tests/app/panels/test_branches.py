"""The branches panel: what was simulated otherwise is listed, shown again, renamed, forgotten."""
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from app.timeline.branch_graph import rows
from physics.runtime import commands as c
from physics.runtime.history.branches import BranchInfo
from physics.runtime.history.history import Mark

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


def test_what_a_reset_or_an_edit_began_is_a_part_of_its_own():
    line, other = BranchInfo(2, 0, 20, 90, 0.04, 0.2, "run", "run on", True), BranchInfo(1, 0, 20, 30, 0.04, 0.1, "start", "start")
    marks = (Mark(0, 0.0, "start", "start", 0.0), Mark(40, 0.08, "timestep", "", 0.078), Mark(51, 0.0, "reset", "reset", 0.1), Mark(81, 0.06, "edit", "edit of m.xml", 0.058))
    found = rows((other, line), 0, 111, marks, (0.0, 0.12))
    assert [(row.name, row.first, row.last, row.hangs, row.part, row.own, row.steps) for row in found] == [
        ("edit of m.xml", 81, 110, None, False, False, 29), ("reset", 51, 80, 0, True, False, 29), ("run on", 0, 50, 1, True, True, 50), ("start", 20, 50, 2, False, True, 30)]
    assert [(row.start, row.end) for row in found[:3]] == [(0.06, 0.12), (0.0, 0.058), (0.0, 0.1)] and found[3].joint == 20
    assert [row.name for row in rows((BranchInfo(1, 0, -1, 111, 0.0, 0.12, "start", "start", True),), 200, 111, marks[2:], (0.0, 0.12))] == ["edit of m.xml", "reset", "start"]
    shown_at_reset = BranchInfo(3, 0, 50, 60, 0.0, 0.12, "run", "run on", True)
    assert [row.name for row in rows((shown_at_reset,), 0, 111, marks, (0.0, 0.12))] == ["edit of m.xml", "reset", "start"]
    goes_on = BranchInfo(2, 0, 50, 9, 0.1, 0.12, "run", "as before")
    assert [row.name for row in rows((shown_at_reset, goes_on), 0, 111, marks[1:], (0.0, 0.12))] == ["edit of m.xml", "reset", "as before", "as before"]
    assert rows((shown_at_reset,), 0, 111, marks[2:], (0.0, 0.12))[2].name == "earlier"
    assert rows((BranchInfo(3, 0, 60, 50, 0.0, 0.12, "run", "run on", True),), 0, 111, marks, (0.0, 0.12))[1].name == "reset, run on"


def test_what_was_before_a_reset_is_shown_again_and_runs_on_as_a_branch(bench):
    panel = bench.panel("branches")
    bench.runner.send(c.Reset())
    bench.runner.send(c.Step(15))
    bench.wait(lambda: [row.name for row in panel.graph.rows] == ["reset", "changed at 0.04 s", "start"] and bench.snapshot.time > 0.029)
    graph, before = panel.graph, bench.snapshot.history_length
    assert "Before 'reset'" in graph.told(1) and [action.isEnabled() for action in panel.menu(graph.rows[1]).actions()] == [True, True, False, True]
    assert [action.isEnabled() for action in panel.menu(graph.rows[0]).actions()] == [False, False, False, False]
    QTest.mouseDClick(graph, Qt.MouseButton.LeftButton, pos=point(graph, 1))
    bench.wait(lambda: bench.snapshot.time == pytest.approx(0.06) and bench.snapshot.ctrl[0] == 1.0)
    assert bench.snapshot.history_length == before and not bench.snapshot.running
    bench.runner.send(c.Run())
    bench.wait(lambda: [row.name for row in graph.rows] == ["changed at 0.04 s", "reset", "start"])      # the same run goes on
    bench.runner.send(c.Pause())
    assert bench.snapshot.time > 0.06 and graph.rows[1].hangs == 0 and graph.rows[1].joint == 30
    panel.show_branch(graph.rows[1])
    bench.wait(lambda: [row.name for row in graph.rows] == ["reset", "changed at 0.04 s", "changed at 0.04 s", "start"] and bench.snapshot.time == pytest.approx(0.03))


def test_what_was_before_a_reset_runs_beside_as_a_ghost(bench):
    panel = bench.panel("branches")
    pose = bench.snapshot.xpos[1].copy()
    bench.runner.send(c.Reset())
    bench.wait(lambda: [row.name for row in panel.graph.rows][:2] == ["reset", "changed at 0.04 s"])
    panel.menu(panel.graph.rows[1]).actions()[3].trigger()
    bench.wait(lambda: [ghost.label for ghost in bench.context.ghosts] == ["changed at 0.04 s, to 0.06 s"])
    companion = bench.application.companions.rows[0]
    bench.wait(lambda: companion.snapshot is not None and companion.snapshot.time == 0)
    bench.runner.send(c.Step(30))
    bench.wait(lambda: companion.snapshot.time == pytest.approx(0.06))
    assert companion.snapshot.xpos[1] == pytest.approx(pose)     # at the same simulated time, where it was then
    bench.application.companions.stop_all()


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
