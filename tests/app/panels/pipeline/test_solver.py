"""The Solver panel: what it shows of a paused state, for islands and compared solvers, and what it leaves alone."""
import threading
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

import physics
from app.panels.diagnostics import live_query
from app.panels.pipeline import solver_tracing
from app.panels.pipeline.contour_lines import contour_lines
from app.panels.pipeline.iterate_markers import OWNER
from app.panels.pipeline.landscape import DOFS, height_of
from app.panels.pipeline.solver import BESIDE_TRACE, RUNNING, WORKING
from physics.runtime import commands
from tests.physics.pipeline.solver_models import EVERY_KIND


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(EVERY_KIND)
    bench = workbench(tmp_path / "m.xml", size=(1300, 900))
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.time > 0.07)
    return bench


def traced(bench):
    panel = bench.panel("solver")
    bench.wait(lambda: panel.traced is not None)
    return panel


def of_present(bench):
    """The trace of the window's present state, made here."""
    found = []
    bench.runner.send(commands.Visit(lambda m, d: found.append((m, physics.solver_trace(m, d)))))
    bench.wait(lambda: found)
    return found[0]


def points(curve):
    x, y = curve.getData()
    return ([], []) if x is None else (x.tolist(), y.tolist())


def test_plots_and_table_hold_the_same_numbers(bench):
    panel = traced(bench)
    m, trace = of_present(bench)
    figures = trace.figures()
    assert panel.table.model().rowCount() == len(trace.iterates) >= 2
    for k in range(len(trace.iterates)):
        assert float(panel.table.text(k, "Cost")) == pytest.approx(figures["cost"][k], rel=1e-6)
        assert float(panel.table.text(k, "Gradient")) == pytest.approx(figures["gradient"][k], rel=1e-6)
        assert panel.table.text(k, "Active") == str(figures["active"][k]) and panel.table.text(k, "Changed") == str(figures["changed"][k])
    x, y = points(panel.plots.curves[1][0])
    assert x == figures["iteration"].tolist() and y == pytest.approx(np.log10(figures["gradient"]))
    assert points(panel.plots.curves[0][0])[1][0] == pytest.approx(np.log10(figures["cost"][0] - trace.lowest()))
    assert np.array_equal(panel.plots.active.states, np.array([one.efc_state for one in trace.iterates]).T)
    assert "NEWTON" in panel.told.text() and f": {trace.niter.max()} iteration" in panel.told.text()


def test_an_island_is_chosen_and_the_copied_table_is_its(bench):
    panel = traced(bench)
    m, trace = of_present(bench)
    assert panel.island.count() == trace.nisland + 1
    for island in range(trace.nisland):
        panel.island.setCurrentIndex(island + 1)
        panel.island.activated.emit(island + 1)
        rows = trace.problem.island_rows(island)
        assert panel.plots.active.states.shape == (len(rows), trace.niter[island] + 1) and panel.rows.model().rowCount() == len(rows)
        assert "Ended: " in panel.told.text()
        panel.tabs.setCurrentWidget(panel.table)
        panel.table.setFocus()
        bench.wait(panel.table.hasFocus)
        QTest.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        lines = QGuiApplication.clipboard().text().splitlines()
        heads = lines[0].split("\t")
        assert len(lines) == trace.niter[island] + 2 and heads[2] == "Cost"
        assert [float(line.split("\t")[2]) for line in lines[1:]] == pytest.approx(trace.figures(island)["cost"], rel=1e-6)


def test_a_chosen_iterate_shows_its_rows_and_forces(bench):
    panel = traced(bench)
    m, trace = of_present(bench)
    panel.tabs.setCurrentWidget(panel.plots)
    active = panel.plots.active
    bench.wait(lambda: active.width() > 20)
    QTest.mouseClick(active, Qt.MouseButton.LeftButton, pos=active.centre_of(0, 1).toPoint())
    assert panel._place == 1 and panel.table.currentIndex().row() == 1 and panel.tabs.tabText(2) == "Rows (1)"
    one = trace.iterates[1]
    assert [float(panel.rows.text(k, "Force")) for k in range(trace.problem.nefc)] == pytest.approx(one.efc_force, rel=1e-5, abs=1e-12)
    there = np.linalg.norm(trace.problem.contacts.forces(trace.problem.efc_type, one.efc_force)[:, :3], axis=1) > 1e-9
    assert bench.context.markers._frames[OWNER].elements == there.sum() > 0
    panel.forces.setChecked(False)
    assert OWNER not in bench.context.markers._frames
    assert active._tip(0, 1).startswith("row 0: same, equality")


def test_another_solver_is_compared_and_the_model_stays(bench):
    panel = traced(bench)
    panel.compare.setChecked(True)
    assert panel.solver.currentText() == "CG"
    bench.wait(lambda: panel.traced.beside is not None)
    assert panel.traced.beside.solver == "CG" and panel.traced.trace.solver == "NEWTON" and bench.context.model.opt_solver == physics.Solver.NEWTON
    assert points(panel.plots.curves[0][1])[0] == panel.traced.beside.figures()["iteration"].tolist()
    panel.details.setCurrentText(BESIDE_TRACE)
    panel.details.activated.emit(1)
    assert panel.table.model().rowCount() == len(panel.traced.beside.iterates)
    panel.iterations.setEditText("2")
    panel.iterations.lineEdit().editingFinished.emit()
    bench.wait(lambda: panel.traced.beside.options["opt_iterations"] == 2)
    panel.impratio.setEditText("many")
    panel.impratio.lineEdit().editingFinished.emit()
    assert "impratio 'many' is no number" in panel.told.text()
    panel.compare.setChecked(False)
    bench.wait(lambda: panel.traced.beside is None)
    assert points(panel.plots.curves[0][1]) == ([], [])


def test_the_last_trace_stays_while_it_runs_and_a_new_state_is_traced_once(bench):
    panel = traced(bench)
    before = panel.traced
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.told.text() == f"{RUNNING} The figures are those of t = {before.time:g} s.")
    assert panel.traced is before
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.traced is not before)
    now, asked = panel.traced, []
    panel._tracing.request = lambda changes: asked.append(changes)
    for _ in range(3):
        bench.context.tell_snapshot()
    assert panel.traced is now and not asked


def test_it_is_said_of_which_state_the_figures_are_while_a_new_trace_is_made(bench, monkeypatch):
    panel = traced(bench)
    before, go_on = panel.traced, threading.Event()

    def slow(*arguments, **options):
        go_on.wait(20)
        return physics.solver_trace(*arguments, **options)

    monkeypatch.setattr(solver_tracing, "solver_trace", slow)
    bench.runner.send(commands.Step(3))
    bench.wait(lambda: panel.told.text() == f"{WORKING} The figures are those of t = {before.time:g} s.")
    go_on.set()
    bench.wait(lambda: panel.traced is not before)
    assert panel.traced.time > before.time and WORKING not in panel.told.text() and "NEWTON" in panel.told.text()
    monkeypatch.setattr(solver_tracing, "solver_trace", lambda *_a, **_o: 1 / 0)
    last = panel.traced.time
    bench.runner.send(commands.Step(3))
    bench.wait(lambda: panel.told.text() == f"ZeroDivisionError: division by zero The figures are those of t = {last:g} s.")


def test_a_trace_that_is_given_up_before_its_state_is_copied_is_not_made(bench):
    panel = traced(bench)
    made = []
    panel._tracing.traced.connect(made.append)
    panel._tracing.request(None)
    panel._tracing.give_up()
    bench.qtbot.wait(600)
    assert not made and not panel._tracing.working and panel._tracing._work._thread is None
    panel._tracing.request(None)
    bench.wait(lambda: made)


def test_kernels_that_are_still_compiled_are_waited_for(bench, monkeypatch):
    panel = traced(bench)
    monkeypatch.setattr(live_query.warm_up, "covers", lambda m: False)
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: panel.told.text().startswith(live_query.COMPILING))
    before = panel.traced
    monkeypatch.undo()
    bench.wait(lambda: panel.traced is not before and panel.traced.time == bench.snapshot.time)     # by itself


def test_forces_of_an_iterate_go_with_its_state(bench):
    panel = traced(bench)
    panel.choose(1)
    assert OWNER in bench.context.markers._frames
    panel._tracing.request = lambda changes: None       # no newer trace comes
    bench.runner.send(commands.Step(3))
    bench.wait(lambda: OWNER not in bench.context.markers._frames)


def test_a_hidden_panel_asks_for_nothing(bench):
    panel = traced(bench)
    bench.docks.toggle("solver")
    bench.wait(lambda: not panel.isVisible())
    before = panel.traced
    bench.runner.send(commands.Step(3))
    time = bench.snapshot.time
    bench.wait(lambda: bench.snapshot.time > time)
    bench.qtbot.wait(200)
    assert panel.traced is before


def test_the_landscape_is_computed_when_it_is_seen_and_explains_itself(bench):
    panel = traced(bench)
    view = panel.landscape
    assert view.landscape is None
    panel.tabs.setCurrentWidget(view)
    bench.wait(lambda: view.landscape is not None)
    assert view.landscape.island is None and "sets of row states" in view.note.text() and view.image.image.shape == (81, 81, 3)
    first = view.landscape
    view.plane.setCurrentText(DOFS)
    view.plane.activated.emit(1)
    bench.wait(lambda: view.landscape is not first)
    assert view.landscape.labels[0].startswith("qacc of ") and view.first.isVisible()
    assert any(len(item.getData()[0]) for item in view.contours)


def test_the_chosen_iterate_is_marked_when_the_plane_comes_and_names_go_with_the_model(bench):
    panel = traced(bench)
    view = panel.landscape
    panel.choose(1)
    assert not len(view.chosen.data)
    panel.tabs.setCurrentWidget(view)
    bench.wait(lambda: view.landscape is not None)
    assert np.allclose([view.chosen.data["x"][0], view.chosen.data["y"][0]], view.landscape.path[1])
    view.plane.setCurrentText(DOFS)
    view.plane.activated.emit(1)
    bench.wait(lambda: view.first.count())
    view.clear()
    assert not view.first.count() and not view.second.count() and not len(view.chosen.data)


def test_a_refused_number_is_not_taken_back_by_the_trace_before(bench):
    panel = traced(bench)
    panel.compare.setChecked(True)
    bench.wait(lambda: panel.traced.beside is not None and not panel._tracing.working)
    panel._retrace()
    panel.impratio.setCurrentText("x")
    panel._retrace()
    bench.qtbot.wait(300)
    assert "no number" in panel.told.text()


def test_a_cost_that_differs_by_rounding_alone_has_no_height(bench):
    panel = traced(bench)
    view = panel.landscape
    panel.tabs.setCurrentWidget(view)
    bench.wait(lambda: view.landscape is not None)
    found, noise = view.landscape, 1e-15 * np.random.default_rng(0).standard_normal(view.landscape.cost.shape)
    level = replace(found, cost=found.lowest * (1.0 + noise))
    assert found.lowest != 0.0 and not height_of(level).any() and height_of(found).max() == 1.0
    view._show(level)
    assert "to rounding" in view.note.text() and all(item.getData()[0] is None for item in view.contours)


def test_without_rows_it_says_so(workbench, tmp_path):
    (tmp_path / "free.xml").write_text("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    bench = workbench(tmp_path / "free.xml", size=(1000, 700))
    panel = traced(bench)
    assert "no constraint rows" in panel.told.text() and panel.table.model().rowCount() == 1
    panel.tabs.setCurrentWidget(panel.landscape)
    bench.wait(lambda: "nothing moves here" in panel.landscape.note.text())


def test_contour_lines_are_where_the_height_is():
    y, x = np.mgrid[0:21, 0:31]
    height = (x - 15.0) ** 2 + (y - 10.0) ** 2
    pieces = contour_lines(height, 40.0)
    assert len(pieces) > 20 and np.allclose(np.hypot(pieces[..., 0] - 15, pieces[..., 1] - 10), np.sqrt(40), atol=0.1)
    ends = np.sort(pieces.reshape(-1, 2).round(9).view([("x", float), ("y", float)]).ravel())
    assert (ends[::2] == ends[1::2]).all()       # each end is that of two pieces: the line is closed
    assert len(contour_lines(height, -1.0)) == 0 == len(contour_lines(height, 1e9))
