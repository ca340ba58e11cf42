"""The profiler panel: what it shows, and what it leaves alone."""
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QAbstractItemView, QLabel

from app.panels.engines.step_figures import CONVERGENCE, COUNTS
from app.panels.profiler import COLUMNS
from physics.runtime.profile import STAGES
from tests.app.panels.test_wheel import turn_wheel

FIGURES_PER_ITERATION = [field for _name, field in COUNTS + CONVERGENCE if field]
HISTORY = ("history_gone", "history_index", "history_branch", "history_branches")
MODEL = """<mujoco>
  <option><flag island="enable"/></option>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom size=".1"/></body>
    <body pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="2 0 1"><joint name="elbow" axis="0 1 0" range="-40 90" limited="true"/><geom size=".1" pos="0 0 -.3"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 800))


def test_the_profiler_times_stages_only_while_it_is_seen(bench):
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.timers and panel.stage_time("kinematics") != "")
    assert float(panel.stage_time("kinematics")) > 0
    timers = bench.snapshot.timers
    assert timers["total"] == pytest.approx(sum(timers[stage] for stage in STAGES))   # every stage counts once
    panel._pause.stop()
    panel.show_snapshot(bench.snapshot)
    last = {name: values[-1] for name, values in panel.times.items()}
    assert last["total"] == timers["total"] == pytest.approx(sum(value for name, value in last.items() if name != "total"))
    assert [float(panel.stage_time(stage)) for stage in STAGES] == pytest.approx([timers[stage] for stage in STAGES], abs=0.006)   # two places are shown
    bench.docks.toggle("profiler")
    bench.wait(lambda: not bench.snapshot.timers)


def test_the_stages_are_shown_with_mean_and_share_and_cannot_be_written(bench):
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.stage_time("collision", "mean") != "" and len(panel.times["total"]) > 3)
    shares = [float(panel.stage_time(stage, "share").split()[0]) for stage in STAGES]
    assert sum(shares) == pytest.approx(100, abs=len(STAGES) / 2 + 1)
    assert all(float(panel.stage_time(stage, "max")) >= float(panel.stage_time(stage, "mean")) - 0.01 for stage in STAGES)
    assert panel.table.editTriggers() == QAbstractItemView.EditTrigger.NoEditTriggers and panel.table.rowCount() == len(STAGES)
    item = panel.table.item(0, 0)
    QTest.mouseDClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=panel.table.visualItemRect(item).center())
    QTest.keyClicks(panel.table, "x")
    assert item.text() == STAGES[0] and panel.table.state() != QAbstractItemView.State.EditingState
    assert [panel.table.horizontalHeaderItem(i).text() for i in range(len(COLUMNS))] == list(COLUMNS)
    last = panel.table.item(len(STAGES) - 1, 0)
    panel.table.scrollToItem(last)
    bench.wait(lambda: panel.table.viewport().rect().contains(panel.table.visualItemRect(last).center()))
    assert "us" in panel.cost.text()


def test_axes_are_fixed_and_no_drag_or_wheel_moves_them(bench):
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: len(panel.times["total"]) > 2)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.pictures(2)
    bench.wait(lambda: not panel._pause.isActive())     # the last state is drawn
    ranges = [plot.viewRange() for plot in panel.plots]
    assert ranges[1][1] == [-15, 5] and ranges[0][0][1] >= 20 and ranges[0][1][1] >= 80 and ranges[0][1][0] <= 0
    for plot in panel.plots:
        middle = plot.viewport().rect().center()
        QTest.mousePress(plot.viewport(), Qt.MouseButton.LeftButton, pos=middle)
        QTest.mouseMove(plot.viewport(), middle * 1.5)
        QTest.mouseRelease(plot.viewport(), Qt.MouseButton.LeftButton, pos=middle * 1.5)
        turn_wheel(plot.viewport(), 5)
        assert not plot.getPlotItem().menuEnabled()
    assert [plot.viewRange() for plot in panel.plots] == ranges


def test_legends_stand_beside_the_plots(bench):
    panel = bench.panel("profiler")
    bench.pictures(1)
    legends = [label for label in panel.findChildren(QLabel) if "\u25cf" in label.text()]
    assert len(legends) == len(panel.plots) == 4
    for legend, plot in zip(legends, panel.plots, strict=True):
        assert not legend.geometry().intersects(plot.geometry()) and legend.heightForWidth(legend.width()) <= legend.height()


def test_one_island_is_chosen_or_all_are_shown(bench):
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: np.count_nonzero(bench.snapshot.solver_niter) >= 2 and panel.islands.count() >= 4)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.pictures(1)
    bench.wait(lambda: not panel._pause.isActive())

    def points() -> int:
        x = panel._curves[0][1].getData()[0]
        return 0 if x is None else int(np.isfinite(x).sum())

    numbers = bench.snapshot.solver_niter[bench.snapshot.solver_niter > 0]
    for text, wanted in (("all islands", numbers.sum()), ("slowest island", numbers.max()), ("island 0", numbers[0]), ("island 1", numbers[1])):
        panel.islands.setCurrentText(text)
        panel.islands.activated.emit(panel.islands.currentIndex())
        assert points() == wanted


def test_figures_are_all_kept_and_drawn_some_times_a_second_the_last_always(bench):
    panel, snapshot = bench.panel("profiler"), bench.snapshot
    bench.wait(lambda: not panel._pause.isActive())
    before, curve = len(panel._dimensions["contact"]), panel._curves[2][0]
    for _ in range(5):
        panel.show_snapshot(snapshot)
    assert len(panel._dimensions["contact"]) == before + 5 and len(curve.getData()[0]) == before + 1
    bench.wait(lambda: len(curve.getData()[0]) == len(panel._dimensions["contact"]))
    bench.wait(lambda: not panel._pause.isActive())
    assert panel._newest is None


def test_what_is_dragged_across_the_window_does_not_reach_the_plots(bench):
    """Qt's graphics view complained on the error stream about leaves without an enter."""
    panel = bench.panel("profiler")
    assert not any(part.acceptDrops() for plot in panel.plots for part in (plot, plot.viewport()))


def test_a_solver_that_takes_more_iterations_than_are_stored_is_shown_as_far_as_they_go(bench):
    panel = bench.panel("profiler")
    snapshot = bench.snapshot
    stored = snapshot.solver_improvement.shape[1]
    niter = np.zeros_like(snapshot.solver_niter)
    niter[:2] = stored + 50, 3
    many = SimpleNamespace(**{name: getattr(snapshot, name) for name in ("model", "nefc", "ncon", "solver_nnz", "timers", *HISTORY, *FIGURES_PER_ITERATION)}, solver_niter=niter)
    for choice, points in (("slowest island", stored), ("all islands", stored + 3)):
        panel.show_snapshot(many)
        panel.islands.setCurrentText(choice)
        panel._pause.stop()
        panel.show_snapshot(many)
        assert all(np.isfinite(curve.getData()[0]).sum() == points for curve in panel._curves[0])


def test_figures_that_are_no_numbers_are_gaps(bench):
    """As after a step that diverged."""
    panel, snapshot = bench.panel("profiler"), bench.snapshot
    niter = np.zeros_like(snapshot.solver_niter)
    niter[0] = 4
    figures = {name: np.full_like(getattr(snapshot, name), np.nan, float) for name in FIGURES_PER_ITERATION}
    figures["solver_improvement"][0, :4] = 1e-3, np.inf, np.nan, 1e-5
    wrong = SimpleNamespace(**{name: getattr(snapshot, name) for name in ("model", "nefc", "ncon", "solver_nnz", "timers", *HISTORY)}, **figures, solver_niter=niter)
    bench.context.snapshot_ready.disconnect(panel._snapshot_ready)     # the run's own state, which may come late, is not to be drawn over it
    panel._pause.stop()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        panel.show_snapshot(wrong)
        panel.grab()
        bench.qtbot.wait(50)
    assert not told
    drawn = {name: curve.getData()[1] for curve, (name, _field) in zip(panel._curves[1], CONVERGENCE, strict=True)}
    improvement = drawn.pop(next(name for name, field in CONVERGENCE if field == "solver_improvement"))
    assert np.allclose(improvement, [-3, np.nan, np.nan, -5], equal_nan=True)
    assert all(values is None or not len(values) for values in drawn.values())


def test_rows_of_the_profiler_table_grow_with_texts_enlarged_while_it_is_open(bench, enlarge):
    table = bench.panel("profiler").table
    enlarge(bench, table)
    legends = [label for label in bench.panel("profiler").findChildren(QLabel) if "\u25cf" in label.text()]
    assert all(legend.font().pointSizeF() > 0.7 * table.font().pointSizeF() for legend in legends)
