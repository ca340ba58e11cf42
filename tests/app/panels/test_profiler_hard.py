"""The profiler under the hard engine: its own figures, stages and counts, and bars where a step was not solved as wanted."""
from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest

import physics
from app.panels.engines import step_figures
from app.panels.engines.step_figures import FIGURES_OF, HARD_CONVERGENCE, HARD_SIZES, SIZES
from physics.engine.hard.step_order import STAGES
from physics.enums import Engine
from physics.runtime import commands
from physics.runtime.profile import STAGES as SOFT_STAGES

MODEL = """<mujoco><custom><text name="linkwork_engine" data="%s"/></custom><worldbody><geom type="plane" size="5 5 .1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="1 0 .1"><freejoint/><geom size=".1"/></body>
</worldbody></mujoco>"""
NAMES = tuple(dict.fromkeys(row.name for row in STAGES))


@pytest.fixture
def opened(workbench, tmp_path):
    physics.ensure_kernels()
    physics.ensure_hard()

    def make(engine="hard"):
        (tmp_path / "m.xml").write_text(MODEL % engine)
        return workbench(tmp_path / "m.xml", size=(1200, 800))

    return make


def pause(bench):
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)


def drawn(curve):
    y = curve.getData()[1]
    return np.empty(0) if y is None else np.asarray(y)[np.isfinite(y)]


def test_stages_of_the_hard_step_are_timed(opened):
    bench = opened()
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.table.rowCount() == len(NAMES) and panel.stage_time("solve") not in ("", "0.00"))
    timers = bench.snapshot.timers
    assert timers["total"] == pytest.approx(sum(timers[name] for name in NAMES)) and set(NAMES) == {name for name in timers if ":" not in name} - {"total", "every"}
    assert timers["group:solve"] == pytest.approx(timers["solve"]) and timers["group:collision"] == pytest.approx(timers["collision"] + timers["look again"])
    assert timers["group:prepare"] == pytest.approx(timers["rows"])
    assert [panel.table.item(k, 0).text() for k in range(panel.table.rowCount())] == list(NAMES)


def test_curves_are_the_traces_of_the_last_solves(opened):
    bench = opened()
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: len(bench.snapshot.hard_trace) == 2 and len(panel.worse) > 2)
    pause(bench)
    bench.pictures(1)
    bench.wait(lambda: not panel._pause.isActive())
    found = step_figures.traces(bench.snapshot)
    assert sum(map(len, found)) == bench.snapshot.hard_niter > 4      # one solve an island
    for text, chosen in (("all islands", found), ("slowest island", [max(found, key=len)]), ("island 0", found[:1])):
        panel.islands.setCurrentText(text)
        panel.islands.activated.emit(panel.islands.currentIndex())
        for k, curve in enumerate(panel._curves[1]):
            assert drawn(curve) == pytest.approx(np.log10(np.concatenate([one[:, k] for one in chosen])), abs=1e-6)
        assert drawn(panel._curves[0][0]) == pytest.approx(100 * np.concatenate([one[:, 4] for one in chosen]))
    assert all(name in panel._legends[1].text() for name in HARD_CONVERGENCE) and list(panel._dimensions) == list(HARD_SIZES)
    assert panel._dimensions["iteration"][-1] == bench.snapshot.hard_niter and panel._dimensions["island"][-1] == 2


def test_figures_change_with_the_engine_and_back(opened):
    bench = opened("soft")
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.stage_time("kinematics") != "" and bench.snapshot.solver_niter.any())
    assert list(panel._dimensions) == list(SIZES) and panel.table.rowCount() == len(SOFT_STAGES)
    for engine, names, stages in ((Engine.HARD, HARD_SIZES, NAMES), (Engine.SOFT, SIZES, SOFT_STAGES)):
        bench.runner.send(commands.SetOption("engine", int(engine), None))
        bench.wait(lambda: list(panel._dimensions) == list(names) and panel.table.rowCount() == len(stages) and panel.stage_time("kinematics") != "" and len(panel.worse) > 3)
        assert len(panel._curves[2]) == len(names) == len(panel.plots[2].listDataItems()) - 1 and f"\u25cf</span>\u00a0{names[-1]}" in panel._legends[2].text()
    pause(bench)


def test_a_red_bar_stands_where_a_step_was_not_solved_as_wanted_and_a_click_goes_there(opened):
    bench = opened()
    panel = bench.panel("profiler")
    bench.actions["run"].trigger()
    bench.wait(lambda: len(panel.worse) > 2)
    pause(bench)
    bench.wait(lambda: not panel._pause.isActive())
    bench.context.snapshot_ready.disconnect(panel._snapshot_ready)
    assert not any(panel.worse) and not panel.bars.isVisible()
    snapshot, before = bench.snapshot, len(panel.worse)
    one = SimpleNamespace(**{name: getattr(snapshot, name) for name in ("model", "ncon", "nefc", "hard_trace", "hard_niter", "hard_looked", "hard_halved", "hard_nrestart", "hard_rv", "hard_kv",
                                                                        "hard_nfailed", "hard_nhalved", "hard_neased", "timers", "history_gone", "history_index", "history_branch", "history_branches")}, hard_ncoarse=snapshot.hard_ncoarse, hard_nstuck=snapshot.hard_nstuck + 1)
    for shown in (one, one, snapshot):      # it is counted once
        panel._pause.stop()
        panel.show_snapshot(shown)
    assert np.flatnonzero(panel.worse).tolist() == [before] and panel.bars.isVisible()
    assert panel.bars.opts["x"].tolist() == [before] and panel.bars.opts["height"][0] > 0
    entry = snapshot.history_index
    bench.runner.send(commands.Step(7))
    bench.wait(lambda: bench.snapshot.history_index == entry + 7)
    plot = panel.plots[2]
    for frame, there in ((before + 40, False), (before, True)):
        at = plot.mapFromScene(plot.getViewBox().mapViewToScene(QPointF(frame, 3.0)))
        QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at)
        if not there:
            bench.pictures(1)
            assert bench.snapshot.history_index == entry + 7
    bench.wait(lambda: bench.snapshot.history_index == entry)


def test_islands_that_were_chosen_before_the_engine_changed_are_no_error(opened):
    bench = opened("soft")
    snapshot = SimpleNamespace(hard_trace=np.zeros((0, 250)), hard_rv=0.0, hard_kv=0.0, model=bench.context.model)
    lines = FIGURES_OF[int(Engine.HARD)].lines(snapshot, np.array([0]))
    assert not len(lines.x) and all(not len(values) for values in lines.counts + lines.convergence)
