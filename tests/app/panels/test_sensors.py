"""The sensors panel: bars with names and units, and pictures."""
import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from app.panels.values.sensor_readings import picture_of, pixels, readings
from physics.enums import DisableBit
from physics.quantities.sensor_units import sensor_unit
from physics.runtime import commands

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 -2 1"><camera name="eye" xyaxes="1 0 0 0 .4 1" resolution="16 12"/></body>
    <body name="arm" pos="0 0 1">
      <joint name="elbow" axis="0 1 0"/><joint name="rail" type="slide" axis="0 1 0"/><geom name="rod" size=".1" pos="0 0 -.3"/><site name="tip" pos="0 0 -.4"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="elbow"/></actuator>
  <sensor>
    <jointpos name="angle" joint="elbow"/><jointpos joint="rail"/><jointvel name="rate" joint="elbow" cutoff="2"/>
    <accelerometer name="acc" site="tip"/><touch name="press" site="tip"/><actuatorfrc name="push" actuator="turn" cutoff="10"/>
    <rangefinder name="depth" camera="eye"/><user name="film" dim="12" user="2 2"/>
  </sensor>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 800))


def test_every_number_has_a_bar_with_name_unit_and_value(bench):
    panel = bench.panel("sensors")
    bars = panel.bars
    assert bars.rows == ["jointpos", "angle", "sensor 1", "jointvel", "rate", "accelerometer", "acc x", "acc y", "acc z", "touch", "press", "actuatorfrc", "push"]
    bench.panel("joints").rows[0].enter(0.5)
    bench.panel("controls").rows[0].enter(5.0)
    panel = bench.panel("sensors")
    bench.wait(lambda: bars.text("angle") == "0.5 rad" and bars.text("push") == "5 N m")
    assert bars.share("push") == 0.5     # of the cutoff
    assert bars.share("angle") == 1.0    # of the largest so far
    assert bars.text("sensor 1") == "0 m" and bars.text("acc z").endswith("m/s\u00b2") and bars.text("press") == "0 N" and bars.text("rate") == "0 rad/s"
    bench.runner.send(commands.SetCtrl(0, 50.0))
    bench.wait(lambda: bars.text("push") == "10 N m" and bars.share("push") == 1.0)


def test_bars_are_filtered_and_folded(bench):
    panel = bench.panel("sensors")
    QTest.keyClicks(panel.filter, "acc")
    assert panel.bars.rows == ["accelerometer", "acc x", "acc y", "acc z"]
    panel.filter.setText("joint ra")
    assert panel.bars.rows == ["jointvel", "rate"]
    panel.filter.clear()
    QTest.mouseClick(panel.bars.viewport(), Qt.MouseButton.LeftButton, pos=panel.bars.row_place("accelerometer"))
    assert "acc x" not in panel.bars.rows and "press" in panel.bars.rows


def test_a_click_selects_the_sensor(bench):
    panel = bench.panel("sensors")
    QTest.mouseClick(panel.bars.viewport(), Qt.MouseButton.LeftButton, pos=panel.bars.row_place("rate"))
    assert [str(one) for one in bench.context.selection.elements] == ["sensor rate"]


def test_cameras_and_user_sensors_are_pictures(bench):
    panel = bench.panel("sensors")
    bench.wait(lambda: not panel.picture("depth").isNull() and panel.picture("depth").width() > 100)
    image = panel.picture("depth").toImage()
    assert abs(image.width() / image.height() - 16 / 12) < 0.05
    greys = {image.pixelColor(x, y).red() for x in range(2, image.width(), 11) for y in range(2, image.height(), 11)}
    assert len(greys) > 4
    model = bench.context.model
    film = picture_of(model, model.id("sensor", "film"))
    data = np.zeros(model.nsensordata)
    data[film.adr:film.adr + 12] = [1, 0, 0, 0, 1, 0, 0, 0, 1, .5, .5, .5]
    assert pixels(film, data).tolist() == [[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [127, 127, 127]]]


def test_a_model_without_sensors_and_sensors_that_are_off_are_said(bench, tmp_path):
    panel = bench.panel("sensors")
    bench.runner.send(commands.SetFlag("disable", int(DisableBit.SENSOR), True))
    bench.wait(lambda: "switched off" in panel.note.text())
    (tmp_path / "n.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.session.open(tmp_path / "n.xml")
    bench.wait(lambda: "no sensors" in panel.note.text() and not panel.bars.isVisible())


def test_units_follow_what_the_sensor_is_on(bench):
    model = bench.context.model
    assert [sensor_unit(model, i) for i in range(6)] == ["rad", "m", "rad/s", "m/s\u00b2", "N", "N m"]
    assert sum(len(rows) for rows in readings(model).values()) == 8


def test_a_thousand_sensors_cost_what_is_seen(workbench, tmp_path):
    names = [f"j{i}" for i in range(1000)]
    bodies = "".join(f'<body pos="{i} 0 1"><joint name="{name}" axis="0 1 0"/><geom size=".1" contype="0" conaffinity="0"/></body>' for i, name in enumerate(names))
    sensors = "".join(f'<jointpos name="s{name}" joint="{name}"/>' for name in names)
    (tmp_path / "many.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody><sensor>{sensors}</sensor></mujoco>")
    bench = workbench(tmp_path / "many.xml")
    bars = bench.panel("sensors").bars
    assert len(bars.rows) == 1001
    bar = bars.verticalScrollBar()
    bench.wait(lambda: bar.maximum() > 10000)
    bar.setValue(bar.maximum())
    bench.wait(lambda: bars.text("sj999") == "0 rad")
