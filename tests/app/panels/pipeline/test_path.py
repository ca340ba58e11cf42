"""The Central path panel: what it shows of the next hard step of a paused state, scrubbed by real keys and clicks, and when it shows nothing."""
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtTest import QTest

import physics
from app.panels.pipeline import path as path_panel
from app.panels.pipeline import path_work
from app.panels.pipeline.path_drawing import OWNER, friction_share
from app.panels.pipeline.path_work import KAPPAS, Wish
from physics import hard
from physics.enums import Engine
from physics.runtime import commands
from tests.app.workbench import Key

MODEL = """<mujoco><option timestep="0.01"/><custom><text name="linkwork_engine" data="hard"/></custom><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="box" pos="0 0 .1"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/><geom name="box" type="box" size=".1 .1 .1" mass="2"/></body>
</worldbody><actuator><motor name="push" joint="x"/><motor name="lift" joint="z"/></actuator></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    physics.ensure_kernels()
    physics.ensure_hard()
    (tmp_path / "m.xml").write_text(MODEL)
    bench = workbench(tmp_path / "m.xml", size=(1300, 900))
    bench.runner.send(commands.Step(3))
    bench.wait(lambda: bench.snapshot.time > 0.025)
    return bench


def traced(bench):
    panel = bench.panel("central_path")
    bench.wait(lambda: panel.path is not None and panel.path.time == bench.snapshot.time)
    return panel


def of_present(bench):
    """Iterates of the window's present state, made here."""
    found = []
    bench.runner.send(commands.Visit(lambda m, d: found.append((m, list(hard.central_path(m, d))))))
    bench.wait(lambda: found)
    return found[0]


def shown(bench):
    return [ghost for ghost in bench.context.ghosts if ghost.label.startswith("iterate")]


def drawn(bench):
    frame = bench.context.markers._frames.get(OWNER)
    return frame.elements if frame is not None else 0


def test_curves_and_figures_are_those_of_the_next_step(bench):
    panel = traced(bench)
    _m, points = of_present(bench)
    assert len(panel.path.points) == len(points) > 2 and panel.slider.maximum() == len(points) - 1 == panel.chosen
    for name, curve in panel.plot.curves.items():
        first = 0 if name.endswith("vio") else 1
        x, y = curve.getData()
        assert y[first:] == pytest.approx(np.log10([max(getattr(p, name), 1e-16) for p in points[first:]]), abs=1e-6) and np.isnan(y[:first]).all()
        assert x.tolist() == list(range(len(points)))
    assert panel.told.text().startswith(f"t = 0.03 s, iterate {len(points) - 1}: r_vio") and "4 contacts" in panel.told.text()
    assert panel.number.text() == f"{len(points) - 1} of {len(points) - 1}" and panel.plot.line.isVisible() and panel.plot.line.value() == len(points) - 1


def test_scrubbed_by_keys_and_by_clicks_the_bodies_and_forces_follow(bench):
    panel = traced(bench)
    last = panel.chosen
    (end,) = shown(bench)
    assert end.label == f"iterate {last}" and np.allclose(end.geom_xpos[1], [0, 0, 0.1], atol=1e-6)
    end_forces = drawn(bench)
    assert end_forces == 4 * (1 + 24 + 4)        # forces, rims and edges of cones
    panel.slider.setFocus()
    QTest.keyClick(panel.slider, Key.Key_Home)
    (first,) = shown(bench)
    assert panel.chosen == 0 and first.label == "iterate 0" and panel.plot.line.value() == 0
    QTest.keyClick(panel.slider, Key.Key_Right)
    assert panel.chosen == 1 and panel.number.text().startswith("1 of ") and shown(bench)[0].label == "iterate 1"
    plot = panel.plot.plot
    at = plot.mapFromScene(plot.getViewBox().mapViewToScene(QPointF(2.0, plot.viewRange()[1][0] + 1.0)))
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at.x(), at.y()))
    bench.wait(lambda: panel.chosen == 2)
    bench.pictures(1)
    QTest.mouseClick(panel.ghost, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.ghost.height() // 2))
    assert not shown(bench)
    QTest.mouseClick(panel.forces, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.forces.height() // 2))
    assert not drawn(bench)


def test_forces_grow_in_their_cones_to_the_weight(bench):
    panel = traced(bench)
    path = panel.path
    assert path.forces(len(path.points) - 1)[:, 2].sum() == pytest.approx(2 * 9.81, rel=1e-5)
    assert all((friction_share(point) < 1.0).all() for point in path.points)
    bench.runner.send(commands.SetCtrl(0, 40.0))
    bench.wait(lambda: panel.path is not path and panel.path is not None and "edge" in panel.told.text())     # more than friction holds
    shares = [float(friction_share(point).max()) for point in panel.path.points]
    assert shares[0] < 0.1 and all(0 <= share < 1 for share in shares) and shares[-1] == pytest.approx(1.0, abs=1e-3)


def test_kappa_moved_while_paused_ends_the_path_elsewhere(bench):
    panel = traced(bench)
    end = panel.path.points[-1]
    bench.runner.send(commands.SetOption("hard_kappa", 1e-3, None))
    bench.wait(lambda: panel.path is not None and panel.path.points[-1].kappa_vio < 1e-6 and panel.path.points[-1].mu > 5e-4)
    assert panel.path.points[-1].qpos[1] > end.qpos[1] and panel.chosen == len(panel.path.points) - 1


def test_motion_is_magnified(bench):
    bench.runner.send(commands.SetCtrl(1, 100.0))
    panel = traced(bench)
    bench.wait(lambda: panel.path is not None and panel.path.points[-1].qpos[1] > 1e-3)
    path = panel.path
    panel.magnify.setFocus()
    QTest.keyClick(panel.magnify, Key.Key_Down)
    bench.wait(lambda: panel.path is not None and panel.path.magnified == 10)
    start = bench.snapshot.qpos[1] + 0.1
    assert panel.path.xpos[-1, 1, 2] - start == pytest.approx(10 * (path.xpos[-1, 1, 2] - start), rel=1e-3) and shown(bench)[0].label.endswith("motion x10")


def test_gradients_of_the_selected_body_by_each_control(bench):
    panel = traced(bench)
    before = drawn(bench)
    assert not panel.gradients.isChecked() and not panel.effects.isVisible()
    QTest.mouseClick(panel.gradients, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.gradients.height() // 2))
    bench.wait(lambda: panel.effects.text() == path_panel.NO_BODY)
    bench.context.select_elements((physics.model.elements.element(bench.context.model, "body", 1),))
    bench.wait(lambda: panel.path is not None and panel.path.arrows is not None)
    change = panel.path.arrows.change
    assert change.shape == (len(KAPPAS), 2, 3) and np.allclose(panel.path.arrows.start, [0, 0, 0.1], atol=1e-5)
    found = []
    bench.runner.send(commands.Visit(lambda m, d: found.append([hard.gradients(m, d, kappa).B for kappa in KAPPAS])))
    bench.wait(lambda: found)
    for k, b in enumerate(found[0]):
        assert change[k, :, 0] == pytest.approx(b[2], abs=1e-9) and change[k, :, 2] == pytest.approx(b[3], abs=1e-9)
    # a contact that holds still lets a push move the box the less, the nearer to the path's end
    assert change[0, 0, 0] > 10 * change[2, 0, 0] > 0 and drawn(bench) > before
    assert "push" in panel.effects.text() and "m/s per unit" in panel.effects.text()
    bench.context.select_elements(())
    bench.wait(lambda: panel.effects.text() == path_panel.NO_BODY and panel.path.arrows is None)


def test_nothing_while_it_runs_with_the_soft_engine_or_out_of_sight(bench):
    panel = traced(bench)
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.told.text() == path_panel.RUNNING)
    assert panel.path is None and not shown(bench) and not drawn(bench)
    bench.actions["run"].trigger()
    bench.wait(lambda: panel.path is not None)
    bench.runner.send(commands.SetOption("engine", int(Engine.SOFT), None))
    bench.wait(lambda: panel.told.text() == path_panel.SOFT)
    assert panel.path is None and not shown(bench) and not drawn(bench)
    bench.runner.send(commands.SetOption("engine", int(Engine.HARD), None))
    bench.wait(lambda: panel.path is not None and shown(bench))
    bench.docks.toggle("central_path")
    bench.wait(lambda: not shown(bench) and not drawn(bench))


def test_it_is_made_neither_by_the_window_nor_by_the_physics_thread(bench, monkeypatch):
    threads = []
    made = path_work.central_path
    monkeypatch.setattr(path_work, "central_path", lambda *a: (threads.append(threading.current_thread()), made(*a))[1])
    traced(bench)
    bench.wait(lambda: threads)
    assert all(t is not threading.main_thread() and t.name == "solver trace" for t in threads)


def test_a_step_without_a_solution_is_told(bench, monkeypatch):
    def fails(*_arguments):
        raise ValueError("no solution as a whole")

    monkeypatch.setattr(path_work, "central_path", fails)
    panel = bench.panel("central_path")
    bench.wait(lambda: "no solution as a whole" in panel.told.text())
    assert panel.path is None and not shown(bench)


def test_what_is_copied_stays(bench):
    """The work itself, without a window."""
    m = bench.context.model
    d = physics.Data(m)
    qpos = d.qpos.copy()
    path = path_work.traced_path(m, d, {}, Wish(), lambda: False)
    assert np.array_equal(d.qpos, qpos) and path.xpos.shape == (len(path.points), m.ngeom, 3) and path.arrows is None
    assert path_work.traced_path(m, d, {}, Wish(), lambda: True).points == ()
