"""A script that steps its own model, as docs/python.md shows it, and the window beside it: driven, pulled, paused by a key, drawn into, closed, by real events."""
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt

import linkwork
from tests.app.passive.script_bench import Button, ScriptBench
from tests.app.workbench import CTRL
from tests.journeys.hands import show_tab, slide

MODEL = """<mujoco model="arm">
  <option gravity="0 0 0"/>
  <statistic center="0 0 1" extent="2"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping=".5"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".1"/>
      <body name="hand" pos=".5 0 0"><geom name="hand" size=".12"/></body>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge" ctrlrange="-3 3"/></actuator>
</mujoco>
"""
PAUSE = ord("U")        # a key without a meaning of the window's own


class Script(threading.Thread):
    """The user's program. turns: of its loop; steps: that it has taken; error: what it ended with, None: as it should."""

    def __init__(self):
        super().__init__(daemon=True)
        self.paused, self.codes, self.turns, self.steps = False, [], 0, 0
        self.bench = self.error = None

    def key_callback(self, code):
        self.codes.append(code)
        if code == PAUSE:
            self.paused = not self.paused

    def run(self):
        m, d = self.bench.m, self.bench.d
        try:
            with self.bench.viewer as viewer:
                while viewer.is_running():
                    if not self.paused:
                        linkwork.step(m, d)
                        self.steps += 1
                    viewer.user_scn.ngeom = 0
                    viewer.user_scn.add(linkwork.GeomType.SPHERE, size=(0.15, 0, 0), pos=d.body("hand").xpos, rgba=(1, 0, 0, 1))
                    viewer.sync()
                    self.turns += 1
        except Exception as error:
            self.error = error


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def bench(qtbot, tmp_path, monkeypatch, kept_context, script):
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    script.bench = made = ScriptBench(qtbot, tmp_path, MODEL, key_callback=script.key_callback)
    made.docks = made.application.window.layout_of_docks
    yield made
    if made.viewer.is_running():
        made.close()


def markers(bench) -> np.ndarray:
    """Where the script's spheres are drawn."""
    return bench.context.markers.now().arrays().solids["pos"]


def controls(bench):
    """The panel with the actuators' sliders."""
    panel = bench.docks.panels.get("controls")
    return panel if panel is not None and not panel.visibleRegion().isEmpty() else show_tab(bench, "Controls")


def test_a_loop_runs_is_pulled_paused_by_a_key_and_ends_with_its_window(bench, script):
    m = bench.m
    bench.application.window.activateWindow()
    script.start()
    bench.wait(lambda: bench.snapshot.time > 0.1)
    assert bench.snapshot.qvel[0] == 0

    row = controls(bench).rows[0]      # the user moves what the script drives
    slide(row.slider, row.slider.maximum() * 3 // 4)
    bench.wait(lambda: bench.d.ctrl[0] > 1 and bench.snapshot.qvel[0] > 0.2)
    assert bench.snapshot.ctrl[0] == row.value

    bench.press_key(Qt.Key.Key_U)                            # the script's own key
    bench.wait(lambda: script.paused)
    turns = script.turns
    bench.wait(lambda: script.turns > turns + 2 and bench.snapshot.time == bench.d.time)    # the step under way is done
    steps = script.steps
    hand = bench.d.body("hand").xpos.copy()
    bench.wait(lambda: markers(bench).shape == (1, 3) and np.allclose(markers(bench), hand, atol=1e-5))
    bench.press_key(Qt.Key.Key_Right, CTRL)                  # nothing of its own; the script hears of it
    bench.wait(lambda: 262 in script.codes)
    assert script.steps == steps

    bench.press_key(Qt.Key.Key_U)
    bench.wait(lambda: script.steps > steps + 50)
    bench.context.select_body(m.id("body", "hand"))
    start = bench.centre("hand")
    bench.drag(start, start + QPointF(0, -40), start + QPointF(0, -160), button=Button.RightButton, modifiers=CTRL, release=False)
    bench.wait(lambda: bench.d.perturb_active == 1 and np.linalg.norm(bench.viewer.perturb.force[:3]) > 0)
    bench.drag(start + QPointF(0, -160), button=Button.RightButton, modifiers=CTRL)
    bench.wait(lambda: bench.d.perturb_active == 0)

    bench.close()       # the window, by its user, and what its process says when it ends
    bench.wait(lambda: not script.is_alive())
    assert script.error is None and not bench.viewer.is_running() and script.steps > steps + 50
