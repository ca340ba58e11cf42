"""The sweep panel by real events: the scalar simulation at once, the engine in the background, picking, trying and writing."""
import csv

import numpy as np
import pytest
from PyQt6.QtCore import QEvent, QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QScrollArea

from app.panels.sweep.panel import NO_SCALAR
from physics.tuning.closed_forms import rest_depth
from physics.tuning.target_values import with_number
from tests.app.panels.tuner.test_tuner import MODEL, PAIR, pair_of, text_of
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import bring, choose, enter, press
from tests.physics.tuning.grip import LEAST, grip


@pytest.fixture
def ball(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(contact=PAIR))
    bench = workbench(path, size=(1500, 1000))
    tuner, panel = bench.panel("tuner"), bench.panel("sweep")
    bench.wait(lambda: tuner.row is not None and tuner.writing.places and panel.isVisible())
    bench.settled()
    return bench, tuner, panel


@pytest.fixture
def cup(workbench, tmp_path):
    path = tmp_path / "grip.xml"
    path.write_text(grip(0.05))
    bench = workbench(path, size=(1500, 1000))
    panel = bench.panel("sweep")
    bench.wait(panel.isVisible)
    bench.settled()
    return bench, panel


def name(bench, axis, what):
    """Say what varies, by keys."""
    enter(bench, axis.lineEdit(), what)
    assert axis.what == what


def vary(bench, axis, what, low, high, count):
    name(bench, axis, what)
    for field, number in ((axis.low, low), (axis.high, high), (axis.points, count)):
        enter(bench, field, repr(number))


def pick(panel, place, value=0.0):
    bring(panel.plot)
    at = panel.plot.pixel_of(place, value)
    QTest.mouseClick(panel.plot.plot.viewport(), Button.LeftButton, NONE, at.toPoint())


def test_numbers_of_the_tuner_are_simulated_at_once_picked_and_written(ball):
    bench, tuner, panel = ball
    vary(bench, panel.axes[0], "solimp[0]", 0.2, 0.8, 4)
    bench.wait(lambda: panel.scalar is not None)
    for k, d0 in enumerate((0.2, 0.4, 0.6, 0.8)):
        assert panel.scalar.rest_depth[k] == pytest.approx(rest_depth(tuner.row, with_number(tuner.parameters, "solimp[0]", d0)), rel=1e-9)
    assert panel.engine is None and not panel.apply.isEnabled()
    before = text_of(bench)
    pick(panel, (1,), panel.scalar.rest_depth[1])
    assert panel.place == (1,) and tuner.parameters.solimp[0] == pytest.approx(0.4) and tuner.bar.apply.isEnabled() and "0.4" in panel.message.text()
    assert text_of(bench) == before and panel.scalar is not None        # the tuner's candidate is no other question
    press(panel.apply)
    bench.taken_up()
    assert pair_of(bench)[1][0] == pytest.approx(0.4) and not tuner.bar.apply.isEnabled()
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == before)


def test_the_engine_agrees_with_the_scalar_simulation_on_a_map(ball):
    bench, tuner, panel = ball
    vary(bench, panel.axes[0], "solref[0]", 0.01, 0.03, 3)
    vary(bench, panel.axes[1], "solimp[0]", 0.3, 0.8, 2)
    bench.wait(lambda: panel.scalar is not None)
    assert panel.plot.image.isVisible() and panel.plot.bar.isVisible() and not panel.plot.line.isVisible()
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    assert panel.engine.shape == (3, 2) and panel.engine == pytest.approx(panel.scalar.rest_depth, rel=0.02)
    pick(panel, (2, 1))
    assert panel.place == (2, 1) and (tuner.parameters.solref[0], tuner.parameters.solimp[0]) == pytest.approx((0.03, 0.8)) and "by the engine" in panel.message.text()


def test_metrics_of_the_contact_alone_are_found_by_drops_in_the_engine(ball):
    bench, _tuner, panel = ball
    vary(bench, panel.axes[0], "solref[1]", 0.2, 1.0, 3)
    bring(panel.metric_box)
    choose(bench, panel.metric_box, "Restitution")
    bench.wait(lambda: panel.scalar is not None)
    assert (np.diff(panel.scalar_values) < 0).all()     # the more damping, the less it bounces
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    assert panel.engine == pytest.approx(panel.scalar_values, abs=1e-4)
    choose(bench, panel.metric_box, "Settling")
    bench.wait(lambda: panel.scalar is not None)
    assert panel.engine is None
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    assert panel.engine == pytest.approx(panel.scalar_values, rel=0.02)
    name(bench, panel.axes[0], "opt.timestep")
    assert panel.message.text() == NO_SCALAR and panel.plan is not None and panel.scalar is None and not panel.start.isEnabled()


def test_the_friction_that_holds_the_cup_is_found_shown_beside_and_written(cup):
    bench, panel = cup
    bench.context.select_body(bench.context.model.id("body", "cup"))
    vary(bench, panel.axes[0], "geom.*.friction[0]", 0.05, 0.3, 5)
    bring(panel.metric_box)
    choose(bench, panel.metric_box, "Held")
    assert panel.expression.text() == 'body("cup").xpos[2] > 0.25' and panel.reduction.currentText() == "holds"
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    numbers = panel.plan.numbers[0]
    held = panel.engine.astype(bool)
    assert held[numbers > 1.3 * LEAST].all() and not held[numbers < LEAST].any()
    pick(panel, (4,), 1.0)
    press(panel.beside)
    bench.wait(lambda: len(bench.application.companions.rows) == 1)
    assert "0.3" in bench.application.companions.rows[0].title
    press(panel.apply)
    bench.taken_up()
    assert text_of(bench).count('friction=') == 4 and (bench.context.model.geom_friction[:, 0] == 0.3).all()
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == grip(0.05))


def test_a_sweep_is_stopped_and_what_is_done_stays_and_is_exported(cup, tmp_path):
    bench, panel = cup
    vary(bench, panel.axes[0], "opt.impratio", 1.0, 10.0, 40)
    enter(bench, panel.expression, "qpos[4]")
    enter(bench, panel.seconds, "20")
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.sweep is not None and panel.sweep.progress[0] > 0)
    assert panel.stop.isVisible() and panel.progress.maximum() == 40
    press(panel.stop)
    bench.wait(lambda: panel.sweep is None)
    done = np.isfinite(panel.engine)
    assert 0 < done.sum() < 40 and panel.start.isVisible()
    panel.write_csv(tmp_path / "out.csv")
    lines = list(csv.reader((tmp_path / "out.csv").open()))
    assert lines[0] == ["opt.impratio", "last of qpos[4] by the engine"] and len(lines) == 41
    assert [bool(line[1]) for line in lines[1:]] == done.tolist() and float(lines[1][0]) == 1.0


@pytest.mark.parametrize("what, words", [("geom.pad.friction[0]", "no geom"), ("solref[0]", "about nothing"), ("geom.cup.friction", "3 numbers")])
def test_what_cannot_vary_is_said(cup, what, words):
    bench, panel = cup
    name(bench, panel.axes[0], what)
    assert words in panel.message.text() and panel.plan is None and not panel.start.isEnabled()


def test_models_that_come_and_go_end_a_sweep(cup):
    bench, panel = cup
    vary(bench, panel.axes[0], "opt.impratio", 1.0, 10.0, 30)
    enter(bench, panel.expression, "qpos[4]")
    enter(bench, panel.seconds, "20")
    bench.wait(panel.start.isEnabled)      # the metric is about what the tuner is about, which it is told a little later
    press(panel.start)
    bench.wait(lambda: panel.sweep is not None)
    sweep = panel.sweep
    bench.session.new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", run=False)
    bench.wait(lambda: bench.context.model.ngeom == 1 and panel.sweep is None and sweep.over)
    assert not panel.apply.isEnabled() and panel.start.isVisible()


def test_what_is_selected_in_a_new_model_before_the_tuner_knows_it_is_no_fault(ball):
    """The selection is found again, with another number, before any panel is told of the Model, which has no such pair (exceptions of slots fail a test)."""
    bench, _tuner, panel = ball
    choose(bench, panel.metric_box, "Largest depth")
    bench.context.select_body(bench.context.model.id("body", "arm"))
    bench.wait(lambda: "contact(" in panel.expression.text())
    bench.session.new('<mujoco><worldbody><body name="arm"><freejoint/><geom name="rod" size=".1"/></body></worldbody></mujoco>', run=False)
    bench.wait(lambda: bench.context.model.nbody == 2 and panel.filled)
    assert bench.context.selection.bodyid == 1 and "contact(" not in panel.expression.text()


def test_figures_of_an_axis_stay_in_its_unit_when_colours_change(ball):
    bench, _tuner, panel = ball
    vary(bench, panel.axes[0], "solimp[0]", 0.2, 0.8, 4)
    bench.wait(lambda: panel.scalar is not None)
    bench.settled()
    QApplication.sendEvent(panel.plot, QEvent(QEvent.Type.PaletteChange))
    axis = panel.plot.plot.getAxis("left")
    assert axis.labelText == "rest depth [m]" and axis.tickStrings([0.5], axis.autoSIPrefixScale * axis.scale, 0.1) == ["0.5"]


def test_the_plot_is_seen_whole_and_stands_below_where_it_is_narrow(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL.format(contact=PAIR))
    bench = workbench(tmp_path / "m.xml", size=(1400, 900))
    bench.press_key(Key.Key_4, CTRL)
    panel = bench.panel("sweep")
    bench.wait(panel.isVisible)

    def bar():
        area = panel.parentWidget()
        while not isinstance(area, QScrollArea):
            area = area.parentWidget()
        return area.verticalScrollBar()

    bench.wait(lambda: panel.seen and bar().maximum() == 0 and panel.plot.mapTo(panel, QPoint(0, 0)).x() > panel.width() // 4)
    bench.wait(lambda: panel.plot.plot.viewport().visibleRegion().boundingRect().height() >= panel.plot.plot.height() - 4 > 5 * panel.fontMetrics().height())
    bench.window.resize(1024, 640)
    bench.wait(lambda: panel.plot.mapTo(panel, QPoint(0, 0)).x() < 10 and panel.plot.width() > 0.9 * panel.width())
    assert panel.plot.height() >= 10 * panel.fontMetrics().height()
