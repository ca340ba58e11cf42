"""The wheel over the controls of every panel scrolls, and changes no value."""
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QScrollArea, QSlider

from app.panels.table import PANELS
from editor.widgets.number_edit import NumberEdit

CONTROLS = (QSlider, QComboBox, QAbstractSpinBox, NumberEdit)
NOTCH = 120   # Qt's eighths of a degree
MODEL = """<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0" range="-40 90" limited="true"/><geom name="rod" size=".1"/><site name="tip"/></body>
  </worldbody>
  <actuator><motor name="turn" joint="elbow" ctrlrange="-2 3" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="elbow"/><accelerometer site="tip"/></sensor>
  <keyframe><key name="home"/><key name="away" qpos="0 0 2 1 0 0 0 1" time="3"/></keyframe>
</mujoco>"""


def value(control):
    """What a control holds."""
    if isinstance(control, QComboBox):
        return control.currentIndex()
    return control.text() if isinstance(control, NumberEdit) else control.value()


def turn_wheel(control, notches: int, modifiers=Qt.KeyboardModifier.NoModifier) -> None:
    """Turn the wheel over the middle of a widget. What it does not take goes to its parents, as Qt does it for the window system's own events."""
    at = control.mapToGlobal(control.rect().center())
    while control is not None:
        event = QWheelEvent(QPointF(control.mapFromGlobal(at)), QPointF(at), QPoint(), QPoint(0, notches * NOTCH), Qt.MouseButton.NoButton, modifiers,
                            Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(control, event)
        if event.isAccepted() or control.isWindow():
            return
        control = control.parentWidget()


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1000, 500))


def test_the_wheel_changes_no_control_of_a_panel(bench):
    for row in PANELS:
        panel = bench.panel(row.id)
        bench.wait(panel.isVisible)
        bench.pictures(2)
        controls = [part for kind in CONTROLS for part in panel.findChildren(kind) if part.isVisible() and part.isEnabled() and not part.hasFocus()]
        before = [value(control) for control in controls]
        for control in controls:
            turn_wheel(control, -1)
            turn_wheel(control, 2)
            turn_wheel(control, -3)
        assert [value(control) for control in controls] == before, row.id
        bench.docks.docks[row.id].hide()        # as few as at first: what is seen has its size


def test_the_wheel_over_a_slider_scrolls_the_panel(bench):
    panel = bench.panel("physics")
    bar = panel.parentWidget().parentWidget().verticalScrollBar()
    bench.wait(lambda: bar.maximum() > 50)
    turn_wheel(panel.choices["integrator"], -2)
    assert bar.value() > 0


def test_a_control_that_was_chosen_by_key_takes_the_wheel(bench):
    panel = bench.panel("visual")
    panel.tree_depth.setFocus()
    bench.wait(panel.tree_depth.hasFocus)
    before = panel.tree_depth.value()
    turn_wheel(panel.tree_depth, 1)
    assert panel.tree_depth.value() == before + 1


def test_panels_have_controls_to_be_tried(bench):
    counts = {name: sum(len(bench.panel(name).findChildren(kind)) for kind in CONTROLS) for name in ("controls", "joints", "physics", "visual", "simulation")}
    assert all(counts.values()), counts
    assert isinstance(bench.panel("physics").parentWidget().parentWidget(), QScrollArea)
