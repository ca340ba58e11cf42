"""Python beside a run: a file dropped on the window with its slider, curve and button, written, broken and mended while it runs; the console; all by real events."""
import os
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QUrl
from PyQt6.QtGui import QDragEnterEvent, QDropEvent
from PyQt6.QtWidgets import QApplication, QPushButton

from app.scripts.script import FAILED, ON
from tests.app.workbench import NONE, Button, Key
from tests.journeys.hands import click, click_view, focused, from_palette, geom_at, press_button, slide, strike, type_keys, write

pytestmark = pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")      # of ipykernel, about itself
# without gravity, so that only what a script does turns the arm
MODEL = """<mujoco model="swing">
  <option gravity="0 0 0"/>
  <statistic center="0 0 .7" extent="2"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1.2"><joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge"/><motor name="clock" joint="hinge" gear="0"/></actuator>
</mujoco>
"""
SCRIPT = """push = ui.slider("push", 0, 4, 0.0, "N m")
ui.plot("qpos['hinge']", "ctrl['turn']")


def before_step(m, d):
    d.ctrl[1] = d.time


def control(m, d):
    d.ctrl[0] = push.value


@ui.button("Kick")
def kick(m, d):
    d.qvel[0] += 3
"""
LINE = 1 + SCRIPT.splitlines().index("    d.ctrl[0] = push.value")
WHOLE = {"push.py": "on", "before_step": "on", "control": "on", "button Kick": "on"}       # what the panel's list says


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "swing.xml").write_text(MODEL)
    (tmp_path / "push.py").write_text(SCRIPT)
    made = workbench(tmp_path / "swing.xml", size=(1400, 900))
    made.wait(made.host.hasFocus)
    return made


def drop(bench, path: Path) -> None:
    """A file of the desktop is dropped on the view."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    place = bench.host.mapTo(bench.window, bench.host.rect().center())
    entered = QDragEnterEvent(place, Qt.DropAction.CopyAction, data, Button.LeftButton, NONE)
    QApplication.sendEvent(bench.window, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(bench.window, QDropEvent(QPointF(place), Qt.DropAction.CopyAction, data, Button.LeftButton, NONE))


def save(path: Path, text: str) -> None:
    """As editors save: the complete file takes the place of the old one."""
    beside = path.with_suffix(".new")
    beside.write_text(text)
    os.replace(beside, path)


def states(panel) -> dict[str, str]:
    """The list of the panel: {what: how it does}."""
    top = panel.tree.topLevelItem(0)
    return {item.text(0): item.text(1) for item in (top, *(top.child(k) for k in range(top.childCount())))}


def goes_on(bench) -> None:
    """Time passes, and before_step is called."""
    clock = bench.snapshot.ctrl[1]
    bench.wait(lambda: bench.snapshot.running and bench.snapshot.ctrl[1] > clock + 0.05)


def opened(bench, path: Path):
    """(the script, its panel), after a drop."""
    drop(bench, path)
    bench.wait(lambda: [script.state for script in bench.application.scripts.set.scripts] == [ON])
    panel = bench.docks.panels["scripts"]
    bench.wait(lambda: states(panel) == WHOLE and not panel.visibleRegion().isEmpty())
    bench.host.setFocus()
    return bench.application.scripts.set.scripts[0], panel


def kick(bench, panel) -> None:
    """Pause, press the script's button, and run on."""
    bench.host.setFocus()
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    before = bench.snapshot.qvel[0]
    click(next(button for button in panel.findChildren(QPushButton) if button.text() == "Kick"))
    bench.wait(lambda: bench.snapshot.qvel[0] == before + 3)
    assert bench.host.hasFocus()                            # a click leaves the keys with the view
    strike(Key.Key_Space)
    goes_on(bench)


def test_a_dropped_script_is_moved_seen_and_pressed(bench, tmp_path):
    _script, panel = opened(bench, tmp_path / "push.py")
    assert bench.session.path == tmp_path / "swing.xml"     # the model stays
    strike(Key.Key_Space)
    goes_on(bench)
    assert bench.snapshot.qvel[0] == 0
    row = panel._rows[0][1]
    assert row.name == "push [N m]"
    slide(row.slider, row.slider.maximum() // 2)
    assert bench.host.hasFocus()
    bench.wait(lambda: bench.snapshot.ctrl[0] == row.value and bench.snapshot.qvel[0] > 0.1)
    assert row.value == pytest.approx(2.0, abs=0.2)         # a pixel of the slider is some hundredths
    write(bench, row.number, "1.5")
    bench.wait(lambda: bench.snapshot.ctrl[0] == 1.5)

    plots = bench.panel("plots")
    bench.wait(lambda: plots.texts == ("qpos['hinge']", "ctrl['turn']") and not plots.visibleRegion().isEmpty())
    item = plots.charts[-1].curves[1].item
    bench.wait(lambda: item.getData()[1] is not None and len(item.getData()[1]) and item.getData()[1][-1] == 1.5)     # empty before the first values
    kick(bench, panel)
    passed = bench.snapshot.time
    press_button(bench, "reset")
    bench.wait(lambda: bench.snapshot.time < passed)
    goes_on(bench)
    assert bench.snapshot.ctrl[0] == 1.5


def test_a_script_is_written_broken_and_mended_while_it_runs(bench, tmp_path):
    path = tmp_path / "push.py"
    script, panel = opened(bench, path)
    strike(Key.Key_Space)
    write(bench, panel._rows[0][1].number, "1.5")
    bench.wait(lambda: bench.snapshot.ctrl[0] == 1.5 and bench.snapshot.qvel[0] > 0)

    save(path, SCRIPT.replace("= push.value", "= -push.value"))
    bench.wait(lambda: script.version == 2 and script.state == ON)
    bench.wait(lambda: bench.snapshot.ctrl[0] == -1.5 and panel._rows[0][1].value == 1.5)       # the slider keeps what was set
    bench.wait(lambda: bench.snapshot.qvel[0] < 0)

    save(path, SCRIPT.replace("= push.value", "= pusch.value"))     # loads, and fails when it is called
    bench.wait(lambda: script.version == 3 and script.state == FAILED)
    bench.wait(lambda: states(panel) == {**WHOLE, "push.py": "failed", "control": "off"} and panel.error.isVisible())
    said = f"push.py, line {LINE}"
    assert said in panel.error.text() and "NameError" in panel.error.text()
    bench.wait(lambda: bench.logged(f"control of push.py failed and is off until its file changes: {said}"))
    goes_on(bench)
    bench.pictures(2)
    kick(bench, panel)

    save(path, SCRIPT)
    bench.wait(lambda: script.version == 4 and script.state == ON)
    bench.wait(lambda: bench.snapshot.ctrl[0] == 1.5 and states(panel) == WHOLE and not panel.error.isVisible())
    save(path, SCRIPT.replace("def kick(m, d):", "def kick(m, d:"))      # what does not load leaves the version before running
    bench.wait(lambda: script.state == FAILED and panel.error.isVisible() and "SyntaxError" in panel.error.text())
    goes_on(bench)
    assert bench.snapshot.ctrl[0] == 1.5


def entered(bench, panel, line: str) -> str:
    """Type a line into the console; what it answers."""
    text, number = panel.text._control, panel.text.shell.execution_count
    before = len(text.toPlainText())
    assert focused() is text
    type_keys(line)
    strike(Key.Key_Return)
    bench.wait(lambda: panel.text.shell.execution_count > number and f"In [{number + 1}]: " in text.toPlainText()[before:])
    return text.toPlainText()[before + len(line):].rsplit(f"In [{number + 1}]:", 1)[0].strip()


def test_the_console_answers_and_what_it_changes_goes_on_in_the_run(bench):
    from_palette(bench, "Console")
    bench.wait(lambda: "console" in bench.docks.panels)
    panel = bench.docks.panels["console"]
    bench.wait(lambda: panel.text is not None and "In [1]:" in panel.text._control.toPlainText() and not panel.text._control.visibleRegion().isEmpty())
    if not panel.text._control.hasFocus():
        click(panel.text._control.viewport())
    bench.wait(panel.text._control.hasFocus)
    assert entered(bench, panel, "m.nq, m.nu").endswith("(1, 2)")
    assert entered(bench, panel, 'float(q("norm(qpos)"))').endswith("0.0")
    assert "did you mean" in entered(bench, panel, 'q("qpoz")')      # and the next input runs

    entered(bench, panel, 'ui.set_ctrl("turn", 0.5)')
    bench.wait(lambda: bench.snapshot.ctrl[0] == 0.5)
    assert entered(bench, panel, "ui.step(50); round(d.time, 6)").endswith("0.1")
    bench.wait(lambda: np.isclose(bench.snapshot.time, 0.1) and bench.snapshot.qvel[0] > 0.01)
    assert entered(bench, panel, 'bool(q("qvel[0]") == d.qvel[0])').endswith("True")

    entered(bench, panel, 'ui.set("geom_rgba[rod]", (1, 0, 0, 1))')
    entered(bench, panel, "ui.set_option(gravity=(0, 0, -2))")
    bench.wait(lambda: bench.context.model.geom_rgba[1].tolist() == [1, 0, 0, 1] and bench.context.model.opt_gravity[2] == -2)
    bench.wait(lambda: {"opt.gravity", "geom_rgba[1]"} <= {one.target for one in bench.snapshot.changed_values})     # the window knows of them, and can put them back
    entered(bench, panel, "d.qpos[0] = 1")                   # a copy: the run has none of it
    for key, line in ((Key.Key_Up, "d.qpos[0] = 1"), (Key.Key_Up, "ui.set_option(gravity=(0, 0, -2))"), (Key.Key_Down, "d.qpos[0] = 1"), (Key.Key_Down, "")):
        strike(key)                                         # inputs of before
        assert panel.text.input_buffer == line

    bench.host.setFocus()
    click_view(bench, geom_at(bench, "rod"))
    bench.wait(lambda: [str(one) for one in bench.context.selection.elements] == ["geom rod"])
    bench.press_key(Key.Key_Space)
    bench.pass_time(0.1)
    assert bench.snapshot.qpos[0] < 0.9
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    click(panel.text._control.viewport())
    bench.wait(panel.text._control.hasFocus)
    assert entered(bench, panel, "[(one.kind, one.name) for one in sel]").endswith("[('geom', 'rod')]")
    assert entered(bench, panel, "d.time").endswith(str(bench.snapshot.time))
