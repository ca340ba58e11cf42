"""Contacts made by what is wanted of them: a ball fitted to bounce as stated, a gripper made to hold its cup by a sweep. By real events, proven on the file that was saved."""
from math import sqrt

import numpy as np
import pytest
from PyQt6.QtTest import QTest

import physics
from app.panels.tuner.panel import FIT
from editor.tuning.place import Kind
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import bring, choose, enter, press

BALL = """<mujoco><option timestep="0.001"/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .09995"><freejoint/><geom name="ball" size=".1" mass=".5"/></body>
</worldbody></mujoco>
"""
WANTED, SPEEDS = 0.80, (1.0, 2.5)       # m/s: of the bounces
GRIPPER = """<mujoco><option timestep="0.002" cone="elliptic" impratio="10"/>
  <worldbody><light pos="0 0 3"/>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="left" pos="-.05 0 .3"><joint name="left" type="slide" axis="1 0 0" damping="5" ref="-.02"/><geom name="left" type="box" size=".01 .03 .03" mass=".1"/></body>
    <body name="right" pos=".05 0 .3"><joint name="right" type="slide" axis="-1 0 0" damping="5" ref="-.02"/><geom name="right" type="box" size=".01 .03 .03" mass=".1"/></body>
    <body name="cup" pos="0 0 .3"><freejoint/><geom name="cup" type="box" size=".04 .03 .05" mass=".2" friction=".5"/></body>
  </worldbody>
  <tendon><fixed name="grip"><joint joint="left" coef="1"/><joint joint="right" coef="1"/></fixed></tendon>
  <actuator><position name="grip" tendon="grip" kp="10"/></actuator>
</mujoco>
"""
FALLEN = 0.05       # m


def opened(workbench, tmp_path, text):
    path = tmp_path / "model.xml"
    path.write_text(text)
    bench = workbench(path, size=(1500, 1000))
    bench.press_key(Key.Key_4, CTRL)
    bench.wait(lambda: "tuner" in bench.docks.panels and bench.docks.panels["tuner"].seen)
    bench.settled()
    return bench, path


def saved(bench, path):
    bench.press_key(Key.Key_S, CTRL)
    bench.wait(lambda: path.read_text() == bench.session.document.main.text)
    return physics.load(path)


def bounces(m, count: int = 20) -> np.ndarray:
    """Speed after over before of drops at speeds evenly between SPEEDS; both at the surface, by energy in the flight."""
    d, found, g = physics.Data(m), [], 9.81
    for speed in np.linspace(*SPEEDS, count):
        physics.reset(m, d)
        d.qpos[2] = 0.1 + speed * speed / (2.0 * g)
        touched = False
        while True:
            physics.step(m, d)
            r, v = d.qpos[2] - 0.1, d.qvel[2] - 0.5 * m.opt_timestep * g       # of the parabola that the samples lie on
            touched |= r < 0.0
            if touched and r >= 0.0 and v > 0.0:
                found.append(sqrt(v * v + 2.0 * g * r) / speed)
                break
    return np.array(found)


def test_a_ball_is_fitted_to_a_restitution_and_the_file_says_so(workbench, tmp_path):
    bench, path = opened(workbench, tmp_path, BALL)
    tuner = bench.docks.panels["tuner"]
    bench.wait(lambda: tuner.row is not None and tuner.writing.places)
    enter(bench, tuner.speed, "1.75")
    for title, section in tuner.sections.items():
        section.fold(title == FIT)
    bench.wait(tuner.fit.isVisible)
    enter(bench, tuner.fit.fields["restitution"], str(WANTED))
    enter(bench, tuner.fit.fields["settling"], ".5")
    bench.wait(lambda: tuner.fit.solution is not None and tuner.fit.use.isEnabled())
    press(tuner.fit.prove)
    bench.wait(lambda: tuner.fit.proof is not None)
    assert tuner.fit.proof.bounces.mean() == pytest.approx(WANTED, abs=0.005)
    press(tuner.fit.use)
    both = next(place for place in tuner.writing.places if place.kind == Kind.BOTH)
    choose(bench, tuner.bar.place, both.title)
    before = bench.session.document.main.text
    press(tuner.bar.apply)
    bench.taken_up()
    m = saved(bench, path)
    e = bounces(m)
    print(f"mean {e.mean():.4f}, from {e.min():.4f} to {e.max():.4f}")
    assert e.mean() == pytest.approx(WANTED, abs=0.005) and np.abs(e - WANTED).max() < 0.02
    assert path.read_text().count("solref=") == 2 and m.geom_solref == pytest.approx(np.array([tuner.parameters.solref] * 2))      # both geoms say it
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: bench.session.document.main.text == before)


def held(m) -> bool:
    d = physics.Data(m)
    physics.step(m, d, 1000)
    return d.body("cup").xpos[2] > 0.3 - FALLEN


def test_a_gripper_is_made_to_hold_its_cup_by_a_sweep(workbench, tmp_path):
    bench, path = opened(workbench, tmp_path, GRIPPER)
    assert not held(physics.load(path))
    panel = bench.panel("sweep")
    bench.wait(panel.isVisible)
    bench.settled()
    bench.context.select_body(bench.context.model.id("body", "cup"))
    enter(bench, panel.axes[0].lineEdit(), "actuator.grip.kp")
    for field, number in ((panel.axes[0].low, "5"), (panel.axes[0].high, "320"), (panel.axes[0].points, "7")):
        enter(bench, field, number)
    bring(panel.metric_box)
    choose(bench, panel.metric_box, "Held")
    enter(bench, panel.seconds, "2")
    press(panel.start)
    bench.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    least = int(np.argmax(panel.engine))
    assert 0 < least < 7 and panel.engine[least:].all()
    print(f"holds from kp {panel.plan.numbers[0][least]:g} on")
    bring(panel.plot)
    at = panel.plot.pixel_of((least,), 1.0)
    QTest.mouseClick(panel.plot.plot.viewport(), Button.LeftButton, NONE, at.toPoint())
    assert panel.place == (least,)
    press(panel.apply)
    bench.taken_up()
    m = saved(bench, path)
    assert f'kp="{panel.plan.numbers[0][least]:g}"' in path.read_text() and held(m)
    assert path.read_text().replace(f'kp="{panel.plan.numbers[0][least]:g}"', 'kp="10"') == GRIPPER       # nothing else
