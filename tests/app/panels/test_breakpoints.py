"""The breakpoints panel."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from physics.model.elements import element
from physics.runtime import commands

MODEL = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .4"><freejoint/><geom name="ball" size=".1"/></body>
  <body pos="1 0 1"><joint name="hinge" axis="0 1 0" range="-40 40" limited="true"/><geom size=".05" pos=".3 0 0"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


def enter(panel, text):
    panel.edit.setFocus()
    panel.edit.clear()
    QTest.keyClicks(panel.edit, text)
    QTest.keyClick(panel.edit, Qt.Key.Key_Escape)
    QTest.keyClick(panel.edit, Qt.Key.Key_Return)


def test_an_entered_condition_pauses_the_run_and_the_log_says_why(bench):
    panel = bench.panel("breakpoints")
    enter(panel, "qpos[2] < 0.3")
    assert panel.active == ["qpos[2] < 0.3"] and panel.edit.text() == ""
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.logged("Paused at") and bench.logged("qpos[2] < 0.3"))
    bench.wait(lambda: not bench.snapshot.running and 0.29 < bench.snapshot.qpos[2] < 0.3)
    bench.runner.send(commands.Run())
    bench.pass_time(0.1)
    assert bench.snapshot.running


def test_what_is_no_condition_is_told(bench):
    panel = bench.panel("breakpoints")
    for text, said in (("qpoz > 1", "did you mean 'qpos'"), ("contact_dist", "min(contact_dist)")):
        enter(panel, text)
        assert said in panel.note.text() and panel.texts == [] and panel.edit.text() == text


def test_the_box_switches_one_off_and_delete_removes_it(bench):
    panel = bench.panel("breakpoints")
    enter(panel, "time > 0.2")
    enter(panel, "time > 0.4")
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.logged("time > 0.4"))
    assert not bench.logged("time > 0.2")
    panel.list.setCurrentRow(1)
    QTest.keyClick(panel, Qt.Key.Key_Delete)
    assert panel.texts == ["time > 0.2"] and panel.active == []


def test_usual_conditions_of_what_is_selected(bench):
    panel, m = bench.panel("breakpoints"), bench.context.model
    assert not panel.menu().actions()[0].isEnabled()
    bench.context.select_elements((element(m, "geom", m.id("geom", "floor")), element(m, "geom", m.id("geom", "ball"))))
    menu = panel.menu()
    menu.actions()[0].trigger()
    menu.actions()[2].menu().actions()[0].trigger()
    menu.actions()[3].trigger()
    assert panel.active[0] == 'contact("floor", "ball").count > 0' and len(panel.active) == 3
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.logged("Paused at"))
    assert bench.snapshot is not None and len(panel.texts) == 3


def test_another_model_says_which_mean_nothing_there(bench, tmp_path):
    panel = bench.panel("breakpoints")
    enter(panel, 'qpos["hinge"] > 1')
    (tmp_path / "other.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: "Not in this model" in panel.note.text())
    assert panel.texts == ['qpos["hinge"] > 1']


def test_they_are_remembered_for_each_model(bench, tmp_path):
    panel = bench.panel("breakpoints")
    enter(panel, "time > 5")
    enter(panel, "qpos[2] < 0.3")
    panel.list.item(0).setCheckState(Qt.CheckState.Unchecked)
    (tmp_path / "other.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: "other" in str(bench.context.model.source[0]))
    panel.set_texts([])
    bench.session.open(tmp_path / "m.xml", run=False)
    bench.wait(lambda: panel.texts == ["time > 5", "qpos[2] < 0.3"])
    assert panel.active == ["qpos[2] < 0.3"]
