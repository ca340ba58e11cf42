"""Curves of companion runs in the charts: dashed, in their tints, at the same simulated times."""
import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from physics.runtime import commands

MODEL = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="arm" size=".05" pos=".3 0 0"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path, monkeypatch):
    """All points are drawn, however long a busy machine lets a run last (thinning: test_decimate.py)."""
    monkeypatch.setattr("app.panels.plots.curve.decimated", lambda x, y, *_range: (x, y))
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 760))


def charted(bench, *texts):
    panel = bench.panel("plots")
    for text in texts:
        panel.edit.setFocus()
        QTest.keyClicks(panel.edit, text)
        QTest.keyClick(panel.edit, Qt.Key.Key_Escape)
        QTest.keyClick(panel.edit, Qt.Key.Key_Return)
    return panel


def begun(bench, row):
    bench.wait(lambda: row.snapshot is not None)
    return row


def run(bench, seconds):
    bench.runner.send(commands.Run())
    bench.pass_time(seconds)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)


def test_each_companion_has_a_dashed_curve_in_its_tint(bench):
    panel, companions = charted(bench, 'qpos["hinge"]', "time"), bench.application.companions
    run(bench, 0.1)
    first = bench.snapshot.history_length - 1
    same, finer = begun(bench, companions.start()), begun(bench, companions.start())
    assert companions.change(finer, "timestep = 0.0005") == "" and companions.change(finer, "gravity = 0 0 -5") == ""
    bench.wait(lambda: len(finer.changes) == 2)
    run(bench, 0.4)
    bench.wait(lambda: all(row.snapshot.time == pytest.approx(bench.snapshot.time, abs=1e-9) for row in (same, finer)))
    panel.span.setCurrentText("all")
    bench.wait(lambda: panel._draw_anew() or all(len(curve.beside) == 2 and len(curve.item.getData()[0]) > 200 for curve in panel.charts[0].curves))
    angle, time = panel.charts[0].curves
    for row in (same, finer):
        item = angle.beside[id(row)]
        pen = item.opts["pen"]
        assert pen.style() == Qt.PenStyle.DashLine and pen.color().getRgbF()[:3] == pytest.approx(row.tint, abs=0.01)
        x, y = time.beside[id(row)].xData, time.beside[id(row)].yData
        assert np.allclose(x * 0.002, y, atol=1e-6) and x[0] == first      # by the simulated time
    x, y = angle.beside[id(same)].xData, angle.beside[id(same)].yData
    own = angle.values()
    assert np.array_equal(own[x.astype(int)], y)     # bit for bit
    others = angle.beside[id(finer)].yData     # four steps to one
    common = min(len(others[::4]), len(y))
    assert len(others) > 3.9 * len(x) and np.abs(others[::4][:common] - y[:common]).max() > 0.1
    assert "gravity 0 0 -5" in panel.charts[0].legend.text()
    companions.stop(finer)
    bench.wait(lambda: panel._draw_anew() or all(set(curve.beside) == {id(same)} for curve in panel.charts[0].curves))


def test_other_forms_of_a_chart_show_the_primary_alone(bench):
    panel, companions = charted(bench, 'qpos["hinge"]'), bench.application.companions
    begun(bench, companions.start())
    run(bench, 0.2)
    chart = panel.charts[0]
    bench.wait(lambda: panel._draw_anew() or chart.curves[0].beside)
    chart.set_form("Spectrum")
    (item,) = chart.curves[0].beside.values()
    assert item.getViewBox() is None or item.scene() is None
    chart.set_form("Over time")
    assert item.scene() is not None


def test_a_branch_has_the_curve_that_it_had(bench):
    panel, companions = charted(bench, 'qpos["hinge"]', 'qfrc_bias["hinge"]'), bench.application.companions
    run(bench, 0.3)
    bench.wait(lambda: panel._draw_anew() or np.isfinite(panel.charts[0].curves[0].values()).sum() == bench.snapshot.history_length - 1)
    before = [curve.values().copy() for curve in panel.charts[0].curves]
    bench.runner.send(commands.Scrub(50))
    bench.runner.send(commands.SetQpos(0, 2.0))
    run(bench, 0.1)
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2)
    row = begun(bench, companions.start_branch(next(info for info in bench.snapshot.history_branches if not info.shown)))
    panel.span.setCurrentText("all")
    pairs = list(zip(panel.charts[0].curves, before, strict=True))
    bench.wait(lambda: panel._draw_anew() or all(id(row) in curve.beside and len(curve.beside[id(row)].xData) >= len(values) for curve, values in pairs))
    for curve, values in pairs:
        assert np.array_equal(curve.beside[id(row)].yData[:len(values)], values)     # computed from the recorded states, bit for bit
