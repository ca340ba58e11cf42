"""The plots panel: curves of every step, the cursor, forms, figures, files, what is dragged in."""
import csv

import numpy as np
import pyqtgraph as pg
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

import physics
from app.panels.plots.chart import HISTOGRAM, PHASE, SPECTRUM, TIME
from app.panels.plots.curve import Curve
from app.panels.quantity_drag import mime_of
from app.timeline.region import Region
from assets.locate import bundled_model
from physics.runtime import commands


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("double_pendula.xml"), size=(1100, 760))


@pytest.fixture
def panel(bench):
    return bench.panel("plots")


def joint(bench):
    return next(name for name in bench.context.model.names["joint"] if name)


def enter(panel, text):
    panel.edit.setFocus()
    panel.edit.clear()
    QTest.keyClicks(panel.edit, text)
    QTest.keyClick(panel.edit, Qt.Key.Key_Escape)       # the list of completions
    QTest.keyClick(panel.edit, Qt.Key.Key_Return)


def run(bench, seconds):
    bench.runner.send(commands.Run())
    bench.pass_time(seconds)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)


def newest(bench, panel, text):
    """Waits until the curves have all steps."""
    bench.wait(lambda: len(panel.series[text].entries) and panel.series[text].entries[-1] == bench.snapshot.history_gone + bench.snapshot.history_index - 1)
    return panel.series[text]


def test_an_entered_expression_is_drawn_at_every_step(bench, panel):
    text = f'qpos["{joint(bench)}"]'
    enter(panel, text)
    chart = panel.charts[0]
    assert chart.texts == (text,) and panel.edit.text() == "" and not panel.note.isVisible()
    run(bench, 0.5)
    series = newest(bench, panel, text)
    steps = round(0.5 / bench.context.model.opt_timestep)
    assert len(series.entries) >= steps and np.array_equal(np.diff(series.entries), np.ones(len(series.entries) - 1))
    d = physics.Data(bench.context.model)
    for value in series.values[:100, 0]:
        assert value == d.qpos[bench.context.model.jnt_qposadr[bench.context.model.id("joint", joint(bench))]]
        physics.step(bench.context.model, d)
    bench.wait(lambda: chart.curves[0].item.getData()[0] is not None and len(chart.curves[0].item.getData()[0]) > 10)
    assert "rad" in chart.legend.text()


def test_what_is_no_expression_is_told_and_the_text_stays(bench, panel):
    for text, said in (("qpoz", "did you mean 'qpos'"), ("contact_dist", "choose a row")):
        enter(panel, text)
        assert said in panel.note.text() and panel.note.isVisible() and panel.edit.text() == text
    assert panel.texts == ()


def test_nothing_is_taken_while_the_panel_is_hidden(bench, panel):
    enter(panel, "qpos[0]")
    run(bench, 0.1)
    assert bench.context.traced.all == ("qpos[0]",)
    bench.docks.toggle("plots")
    bench.wait(lambda: bench.context.traced.all == ())
    run(bench, 0.1)
    before = sum(len(piece.rows) for piece in bench.snapshot.trace.pieces)
    run(bench, 0.1)
    assert sum(len(piece.rows) for piece in bench.snapshot.trace.pieces) == before
    bench.panel("plots")
    run(bench, 0.1)
    series, last = panel.series["qpos[0]"], bench.snapshot.history_length - 2
    bench.wait(lambda: series.count(0, last) == last + 1)       # what was not taken is computed
    assert not np.isnan(series.values[:, 0]).any()


def test_the_cursor_scrubs_and_follows_the_timeline(bench, panel):
    enter(panel, "qpos[0]")
    run(bench, 0.3)
    newest(bench, panel, "qpos[0]")
    chart = panel.charts[0]
    bench.runner.send(commands.Scrub(20))
    bench.wait(lambda: chart.time_cursor.value() == 20)
    value = panel.series["qpos[0]"].values[20, 0]
    assert f"{value:.4g}" in chart.legend.text()
    panel.span.setCurrentText("all")
    panel._draw_anew()
    bench.wait(lambda: chart.plot.getViewBox().viewRange()[0][0] <= 1)
    box, view = chart.plot.getViewBox(), chart.plot

    def at(number):
        return view.mapFromScene(box.mapViewToScene(QPointF(number, sum(box.viewRange()[1]) / 2)))

    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(20))
    for number in (22, 30, 40):
        QTest.mouseMove(view.viewport(), at(number))
        bench.qtbot.wait(30)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at(40))
    bench.wait(lambda: bench.snapshot.history_index > 25)


def test_each_unit_has_an_axis(bench, panel):
    for text in ("qpos[0]", "qvel[0]", "time", "qpos[1]"):
        assert panel.add(text)
    chart = panel.charts[0]
    assert chart.units.units == ("rad", "rad/s", "s") and len(chart.curves) == 4
    chart.remove(chart.curves[1])
    assert chart.units.units == ("rad", "s") and panel.texts == ("qpos[0]", "time", "qpos[1]")
    assert len({curve.colour for curve in chart.curves}) == 3


def test_vectors_have_a_curve_for_each_number(bench, panel):
    assert panel.add("xpos[1]") and [curve.name for curve in panel.charts[0].curves] == ["xpos[1][0]", "xpos[1][1]", "xpos[1][2]"]
    assert panel.add("xpos[1] - xpos[2]")
    assert panel.charts[0].curves[-1].name == "(xpos[1] - xpos[2])[2]"


def test_quantities_are_dropped_from_the_watch_panel(bench, panel):
    watch = bench.panel("watch")
    bench.wait(lambda: watch.rows)
    data = watch.table.model().mimeData([watch.table.model().index(0, 0), watch.table.model().index(0, 2)])
    panel = bench.panel("plots")
    chart = panel.new_chart()
    middle = QPointF(chart.rect().center())
    enter_event = QDragEnterEvent(middle.toPoint(), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(chart, enter_event)
    assert enter_event.isAccepted()
    QApplication.sendEvent(chart, QDropEvent(middle, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    assert chart.texts == ("qpos[0]",) and panel.charts[0].texts == ()
    other = mime_of([])
    other.setText("qpos[0]")
    refused = QDragEnterEvent(middle.toPoint(), Qt.DropAction.CopyAction, other, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    refused.ignore()
    QApplication.sendEvent(chart, refused)
    assert not refused.isAccepted()


def test_figures_of_a_stretch(bench, panel):
    enter(panel, "time")
    run(bench, 0.4)
    series = newest(bench, panel, "time")
    chart = panel.charts[0]
    panel.span.setCurrentText("all")
    panel._draw_anew()
    next(action for action in panel.menu_for(chart).actions() if action.text() == "Figures of a stretch").trigger()
    assert chart.figures.isVisible()
    chart.stretch.setRegion((10, 30))
    assert np.isclose(float(chart.figures.figure("time", "mean")), series.time[20], rtol=1e-4)
    assert np.isclose(float(chart.figures.figure("time", "max")), series.time[30], rtol=1e-4)


def test_forms(bench, panel):
    enter(panel, "sin(2*pi*25*time)")
    enter(panel, "cos(2*pi*25*time)")
    run(bench, 1.0)
    newest(bench, panel, "cos(2*pi*25*time)")
    chart = panel.charts[0]
    chart.set_form(SPECTRUM)
    x, y = chart._shapes[0].getData()
    assert np.isclose(x[np.argmax(y)], 25, atol=1) and chart.time_cursor.isVisible() is False
    chart.set_form(PHASE)
    x, y = chart._shapes[0].getData()
    assert len(chart._shapes) == 1 and np.allclose(x**2 + y**2, 1, atol=1e-9)
    chart.set_form(HISTOGRAM)
    assert len(chart._shapes) == 2 and np.isclose(np.sum(chart._shapes[0].getData()[1][:50]), 1, atol=1e-9)
    chart.set_form(TIME)
    assert chart._shapes == [] and chart.time_cursor.isVisible()


def test_curves_are_no_wider_than_what_qt_draws_without_an_outline(bench, panel):
    """Eight noisy curves of 1.5 pixels took 309 ms to paint, of one pixel 3 ms: the window stood still."""
    enter(panel, f'qpos["{joint(bench)}"]')
    enter(panel, f'qvel["{joint(bench)}"]')
    run(bench, 0.1)
    chart = panel.charts[0]
    lines = [curve.item for curve in chart.curves]
    for form in (SPECTRUM, PHASE, HISTOGRAM):
        chart.set_form(form)
        lines += [shape.curve for shape in chart._shapes]
    lines += [one.curve for curves in bench.panel("profiler")._curves for one in curves]
    assert len(lines) > 15 and {line.opts["pen"].widthF() for line in lines} == {1.0}


def test_a_reference_band_is_drawn_and_told(bench, panel):
    enter(panel, "qpos[0]")
    chart = panel.charts[0]
    chart.add_band(-0.1, 0.25)
    assert "band -0.1 to 0.25" in chart.legend.text()
    chart.bands[0].setRegion((0, 0.5))
    assert "band 0 to 0.5" in chart.legend.text()
    chart.remove_bands()
    assert "band" not in chart.legend.text() and chart.bands == []


def test_curves_are_exported_with_all_digits(bench, panel, tmp_path):
    enter(panel, "qpos[0]")
    enter(panel, "qvel[0]")
    run(bench, 0.2)
    series = newest(bench, panel, "qvel[0]")
    newest(bench, panel, "qpos[0]")
    chart = panel.charts[0]
    for suffix in ("csv", "npz", "svg"):
        panel.export(chart, tmp_path / f"c.{suffix}")
        assert not panel.note.isVisible()
    rows = list(csv.reader((tmp_path / "c.csv").open()))
    assert rows[0] == ["time", "entry", "qpos[0]", "qvel[0]"]
    assert np.array_equal(np.array([float(row[3]) for row in rows[1:]]), series.values[:, 0])
    assert np.array_equal(np.array([float(row[0]) for row in rows[1:]]), series.time)
    held = np.load(tmp_path / "c.npz")
    assert list(held["names"]) == ["qpos[0]", "qvel[0]"] and np.array_equal(held["values"][:, 1], series.values[:, 0])
    assert "<svg" in (tmp_path / "c.svg").read_text()
    panel.export(chart, tmp_path / "nowhere" / "c.csv")
    assert "could not be written" in panel.note.text()


def test_the_copied_python_makes_the_same_arrays(bench, panel):
    enter(panel, "norm(xpos[1])")
    enter(panel, "qvel")
    run(bench, 0.3)
    series = newest(bench, panel, "qvel")
    chart = panel.charts[0]
    export = next(action.menu() for action in panel.menu_for(chart).actions() if action.text() == "Export")
    next(action for action in export.actions() if "Python" in action.text()).trigger()
    made = {}
    exec(QGuiApplication.clipboard().text(), made)
    assert np.array_equal(made["time"], series.time)
    assert np.array_equal(made["values"]["qvel[1]"], series.values[:, 1])
    assert np.array_equal(made["values"]["norm(xpos[1])"], panel.series["norm(xpos[1])"].values[:, 0])


def test_curves_go_on_through_an_edit_and_leave_with_another_model(bench, panel, tmp_path):
    enter(panel, "qpos[0]")
    run(bench, 0.1)
    newest(bench, panel, "qpos[0]")
    model = bench.context.model
    document = bench.session.document
    bench.session.set_text(document.key, bundled_model("double_pendula.xml").read_text().replace("<worldbody>", '<worldbody><site name="extra"/>', 1))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    count = len(panel.series["qpos[0]"].entries)
    run(bench, 0.1)
    bench.wait(lambda: len(panel.series["qpos[0]"].entries) > count + 5)
    assert np.isnan(panel.series["qpos[0]"].values[:, 0]).sum() == 1
    (tmp_path / "still.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.session.open(tmp_path / "still.xml", run=False)
    bench.wait(lambda: panel.charts[0].texts == ())
    assert "qpos[0]" in panel.note.text()


def test_charts_come_and_go(bench, panel):
    second = panel.new_chart()
    panel.add("qvel[0]", second)
    assert [chart.texts for chart in panel.charts] == [(), ("qvel[0]",)]
    next(action for action in panel.menu_for(second).actions() if action.text() == "Remove the chart").trigger()
    assert len(panel.charts) == 1 and bench.context.traced.all == ()
    panel.remove_chart(panel.charts[0])
    assert len(panel.charts) == 1


def test_charts_are_remembered_for_each_model(workbench, tmp_path):
    first = workbench(bundled_model("double_pendula.xml"), size=(1100, 760))
    panel = first.panel("plots")
    panel.add("qvel", None, [1])
    panel.charts[0].add_band(-1.0, 1.0)
    panel.add("qpos[0]", panel.new_chart())
    panel.charts[1].set_form(SPECTRUM)
    first.session.open(bundled_model("arm.xml"), run=False)
    first.wait(lambda: "arm" in str(first.context.model.source[0]))
    panel.add("time")
    first.session.open(bundled_model("double_pendula.xml"), run=False)
    first.wait(lambda: "pendula" in str(first.context.model.source[0]))
    assert [[curve.name for curve in chart.curves] for chart in panel.charts] == [["qvel[1]"], ["qpos[0]"]]
    assert panel.charts[0].bands[0].getRegion() == (-1.0, 1.0) and panel.charts[1].form == SPECTRUM
    first.close()
    second = workbench(bundled_model("double_pendula.xml"), size=(1100, 760))
    assert [[curve.name for curve in chart.curves] for chart in second.panel("plots").charts] == [["qvel[1]"], ["qpos[0]"]]
    second.settings.set("run/panels", '{"' + str(bundled_model("arm.xml")) + '": {"plots": [{"curves": [1, ["qpos[0]", 0], ["nothing", 0]], "bands": [3], "form": "?"}, 5]}}')
    second.session.open(bundled_model("arm.xml"), run=False)
    second.wait(lambda: "arm" in str(second.context.model.source[0]))
    assert [chart.texts for chart in second.panel("plots").charts] == [("qpos[0]",), ()]


def test_a_value_of_one_step_among_many_is_still_drawn(qtbot):
    class Spike:
        text, entries, values = "x", np.arange(200_000), np.zeros((200_000, 1))

    Spike.values[77_777] = 5.0
    Spike.values[150_000] = np.nan
    plot = pg.PlotWidget()
    qtbot.addWidget(plot)
    plot.resize(600, 200)
    plot.show()
    curve = Curve(Spike, 0, "#ffffff")
    curve.stand_in(plot.getViewBox())
    curve.draw(0, 200_000, 600)
    _, y = curve.item.getData()
    assert len(y) < 1300 and np.nanmax(y) == 5.0


def test_figures_are_made_of_the_region_of_the_timeline(bench, panel):
    enter(panel, "time")
    run(bench, 0.4)
    newest(bench, panel, "time")
    chart, region = panel.charts[0], bench.context.region

    def entry():
        return next(action for action in panel.menu_for(chart).actions() if action.text() == "Use timeline region")

    assert not entry().isEnabled()
    region.take(Region(20, 60))
    entry().trigger()
    assert chart.figures.isVisibleTo(chart) and chart.stretch.getRegion() == (20, 60) and entry().isChecked()
    values = panel.series["time"].values[:, 0]
    assert chart.figures.figure("time", "min") == f"{values[20]:.5g}" and chart.figures.figure("time", "max") == f"{values[60]:.5g}"
    region.take(Region(30, 50))
    assert chart.stretch.getRegion() == (30, 50) and chart.figures.figure("time", "max") == f"{values[50]:.5g}"
    chart.stretch.setRegion((10, 40))       # by hand
    assert not entry().isChecked()
    region.take(Region(70, 80))
    assert chart.stretch.getRegion() == (10, 40)
    entry().trigger()
    entry().trigger()
    region.clear()
    assert chart.stretch.getRegion() == (70, 80) and not chart.follows_region
