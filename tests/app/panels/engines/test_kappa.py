"""The slider of kappa, paused and running, and what is seen of it: the gap, and the force that acts across it."""
import pytest
from PyQt6.QtTest import QTest

import physics
from physics.enums import Engine
from physics.runtime import commands
from tests.app.workbench import Key

MODEL = """<mujoco><option timestep="0.005"/><custom><text name="linkwork_engine" data="hard"/></custom><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="2"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    physics.ensure_kernels()
    physics.ensure_hard()
    (tmp_path / "ball.xml").write_text(MODEL)
    return workbench(tmp_path / "ball.xml", size=(1300, 900))


def slide(bench, panel, key, presses):
    """From where the slider is."""
    before = bench.context.model.opt.hard_kappa
    panel.kappa.slider.setFocus()
    for _ in range(presses):
        QTest.keyClick(panel.kappa.slider, key)
    bench.wait(lambda: bench.context.model.opt.hard_kappa != before)
    return bench.steady(lambda: float(bench.context.model.opt.hard_kappa), 0.1)


def enter(panel, text):
    panel.kappa.number.setFocus()
    panel.kappa.number.selectAll()
    QTest.keyClicks(panel.kappa.number, text)
    QTest.keyClick(panel.kappa.number, Key.Key_Return)


def gap(bench):
    return float(bench.snapshot.qpos[2]) - 0.1


def test_the_slider_opens_a_gap_while_running_and_the_force_acts_across_it(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    assert bench.context.model.opt.engine == Engine.HARD
    bench.wait(panel.kappa.slider.isEnabled)
    bench.actions["run"].trigger()
    enter(panel, "0.001")
    bench.wait(lambda: option.hard_kappa == 0.001)
    first = slide(bench, panel, Key.Key_PageUp, 3)
    assert 0.001 < first < 0.003
    # at rest force times gap is kappa
    bench.wait(lambda: gap(bench) == pytest.approx(first / (2 * 9.81), rel=0.05))
    bench.wait(lambda: panel.nearest.text().startswith("Nearest: floor and ball, gap") and panel.nearest.text().endswith("19.6 N"))
    second = slide(bench, panel, Key.Key_PageDown, 20)
    assert 0 < second < 0.9 * first
    bench.wait(lambda: gap(bench) == pytest.approx(second / (2 * 9.81), rel=0.05))
    QTest.keyClick(panel.kappa.slider, Key.Key_Home)
    bench.wait(lambda: option.hard_kappa == 0 and abs(gap(bench)) < 1e-6)


def test_the_slider_while_paused_is_for_the_steps_that_follow(bench):
    panel, option = bench.panel("physics"), bench.context.model.opt
    bench.wait(panel.kappa.slider.isEnabled)
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.time > 0.095)
    enter(panel, "0.001")
    bench.wait(lambda: option.hard_kappa == 0.001)
    slide(bench, panel, Key.Key_PageUp, 3)
    assert abs(gap(bench)) < 1e-6 and bench.snapshot.time < 0.105
    bench.runner.send(commands.Step(600))
    bench.wait(lambda: bench.snapshot.time > 3.0)
    assert gap(bench) == pytest.approx(option.hard_kappa / (2 * 9.81), rel=0.01)
