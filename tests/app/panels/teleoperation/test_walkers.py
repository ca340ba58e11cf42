"""A model that nobody has described walks by keys as it is opened; one that cannot says why."""
from PyQt6.QtTest import QTest

from app.inputs.mapping.dead_man import Lamp
from tests.app.inputs.mapping.test_walker import text
from tests.app.workbench import Key
from tests.journeys.hands import click


def teleoperated(workbench, tmp_path, model: str):
    path = tmp_path / "walker.xml"
    path.write_text(model)
    bench = workbench(path, size=(1400, 900))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible() and panel.boxes)
    return bench, panel


def pressed(bench, panel) -> bool:
    """Hold W down: a window without a window manager has its keys a moment later, and one that lost them for a second has let go of the drive. Whether it was armed by then."""
    armed = panel.control.armed
    if not armed:
        click(panel.arm)
    bench.host.setFocus()
    QTest.keyPress(bench.host, Key.Key_W)
    return armed


def test_an_unknown_walker_walks_by_keys(workbench, tmp_path):
    bench, panel = teleoperated(workbench, tmp_path, text())
    assert [box.mapping.kind for box in panel.boxes] == ["legs"]
    click(panel.arm)
    bench.wait(lambda: panel.control.states[0].lamp is Lamp.ARMED and bench.context.snapshot.running)
    trunk = bench.context.model.id("body", "torso")
    bench.wait(lambda: bench.context.snapshot.time > 0.5 and abs(bench.context.snapshot.xpos[trunk][2] - 0.3) < 0.03)
    bench.wait(lambda: pressed(bench, panel) and bench.context.snapshot.xpos[trunk][0] > 0.15)
    QTest.keyRelease(bench.host, Key.Key_W)
    assert bench.context.snapshot.xpos[trunk][2] > 0.25


def test_what_does_not_walk_says_why_among_what_is_offered(workbench, tmp_path):
    bench, panel = teleoperated(workbench, tmp_path, text(actuator='<motor joint="{}"/>'))
    panel._fill_menu()
    said = [action for action in panel.menu.actions() if action.text().startswith("Four legs: ")]
    assert len(said) == 1 and not said[0].isEnabled() and "c_a" in said[0].text() and "have motors" in said[0].text()
