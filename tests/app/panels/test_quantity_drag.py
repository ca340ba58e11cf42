"""What is dragged out of panels: expressions that are right for the model."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.panels import outliner
from app.panels.elements.quantities import WORDS, element_text, quantity_of
from app.panels.quantity_drag import mime_of, texts_of
from app.panels.values import sensor_bars
from physics.model.elements import element
from physics.quantities.quantity import compile_quantity

MODEL = """<mujoco>
  <worldbody>
    <light name="lamp" pos="0 0 3"/><camera name="eye" pos="0 -3 1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .099"><freejoint/><geom name="cube" type="box" size=".1 .1 .1"/><site name="tip"/></body>
    <body name="arm &quot;one&quot;" pos="1 0 1"><joint name="elbow" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="elbow" coef="1"/></fixed></tendon>
  <actuator><motor name="turn" joint="elbow"/></actuator>
  <sensor><accelerometer name="acc" site="tip"/></sensor>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


def move(view, at):
    """A mouse motion with the left button held."""
    event = QMouseEvent(QMouseEvent.Type.MouseMove, QPointF(at), QPointF(view.mapToGlobal(at)), Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(view, event)


def rows_of(panel, section):
    item = panel._sections[section]
    return [item.child(k) for k in range(item.childCount())]


def test_rows_of_the_inspector_are_quantities(bench):
    panel, m = bench.panel("inspector"), bench.context.model
    bench.context.select_elements((element(m, "body", 1),))
    bench.wait(lambda: not panel._stale and panel.value("pos"))
    texts = {item.text(0): texts_of(data) if (data := panel.table.mimeData([item])) is not None else [] for section in ("Now", "Model") for item in rows_of(panel, section)}
    assert texts["pos"] in (['body("box").xpos'], ['body("box").pos']) and texts["mass"] == ['body("box").mass'] and texts["contact force"] == ['contact(body("box")).force'] and texts["velocity"] == []
    for found in texts.values():
        for text in found:
            compile_quantity(m, text)


def test_every_word_of_the_inspector_that_is_called_otherwise_is_right(bench):
    m = bench.context.model
    for kind, word in WORDS:
        number = {"body": 1, "geom": 1}.get(kind, 0)
        assert quantity_of(m, element(m, kind, number), word), (kind, word)


def test_elements_of_the_outliner_carry_what_is_asked_first(bench, monkeypatch):
    panel, m = bench.panel("outliner"), bench.context.model
    wanted = {"body": 'body("box").xpos', "joint": "joint(0).qpos", "geom": 'geom("cube").xpos', "site": 'site("tip").xpos', "camera": 'camera("eye").xpos', "light": 'light("lamp").xpos',
              "tendon": 'tendon("cord").length', "actuator": 'actuator("turn").force', "sensor": 'sensor("acc").data'}
    for kind, text in wanted.items():
        number = {"body": 1, "geom": 1}.get(kind, 0)
        assert quantity_of(m, element(m, kind, number)) == text
    dragged = []
    monkeypatch.setattr(outliner, "drag", lambda source, texts: dragged.append(texts))
    index = panel.model.index_of(panel.model.tree.node(element(m, "body", 1)))
    panel.tree.scrollTo(index)
    view, at = panel.tree.viewport(), panel.tree.visualRect(index).center()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    for x in (at.x() + 10, view.width() + 5, view.width() + 30):
        move(view, QPoint(x, at.y()))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert dragged == [['body("box").xpos']]


def test_names_with_quotes_are_written_so_that_they_are_read_again(bench):
    m = bench.context.model
    text = quantity_of(m, element(m, "body", 2))
    assert text == element_text(element(m, "body", 2)) + ".xpos" and np.array_equal(compile_quantity(m, text).leaves[0].places, [6, 7, 8])


def test_bars_of_sensors_are_dragged(bench, monkeypatch):
    panel, dragged = bench.panel("sensors"), []
    monkeypatch.setattr(sensor_bars, "drag", lambda source, texts: dragged.append(texts))
    view, at = panel.bars.viewport(), panel.bars.row_place("acc y")
    QTest.mousePress(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    for step in (2, 30, 60):
        QTest.mouseMove(view, at + QPoint(step, 0))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert dragged == [["sensordata[1]"]]


def test_lines_come_back_as_they_were():
    assert texts_of(mime_of(["a", 'b["größe"]'])) == ["a", 'b["größe"]']
