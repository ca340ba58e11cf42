"""The companions panel and what the window makes of companion runs, with real events."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog

import physics
from app.controllers.companions import TINTS, change_commands, described
from assets.locate import bundled_model
from physics.runtime import commands
from physics.runtime.companions.companion import DIVERGED, PAUSED, RUNNING
from physics.tuning.parameter_set import ParameterSet, parameter_set

MODEL = """<mujoco><option timestep="0.002"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1"/></body>
  <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0" stiffness="1"/><geom name="arm" size=".05" pos=".3 0 0"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 760))


def click(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def enter(panel, text):
    panel.edit.setFocus()
    panel.edit.clear()
    QTest.keyClicks(panel.edit, text)
    QTest.keyClick(panel.edit, Qt.Key.Key_Escape)
    QTest.keyClick(panel.edit, Qt.Key.Key_Return)


def started(bench, panel):
    """A companion by the button, when it has begun."""
    click(panel.start)
    row = bench.application.companions.rows[-1]
    bench.wait(lambda: row.state.status in (PAUSED, RUNNING) and row.snapshot is not None)
    return row


def test_one_is_started_given_a_value_and_followed(bench):
    panel = bench.panel("companions")
    assert "takes the same inputs" in panel.note.text() and not panel.stop.isEnabled()
    row = started(bench, panel)
    assert panel.chosen is row and not panel.note.text() and panel.list.topLevelItemCount() == 1
    enter(panel, "gravity = 0 0 -1")
    bench.wait(lambda: "gravity 0 0 -1" in panel.differs.text() and row.title == "gravity 0 0 -1")
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running and row.snapshot.time == bench.snapshot.time)
    assert row.snapshot.qpos[2] > bench.snapshot.qpos[2] + 0.2
    assert panel.list.topLevelItem(0).text(1) in (PAUSED, RUNNING)
    (ghost,) = bench.application.companions.ghosts()
    ball = bench.context.model.id("geom", "ball")
    assert ghost.model is bench.context.model and ghost.label == row.title and ghost.geom_xpos[ball, 2] == pytest.approx(row.snapshot.qpos[2])


def test_wrong_values_are_told(bench):
    panel = bench.panel("companions")
    row = started(bench, panel)
    for text, said in (("gravityy = 0 0 1", "did you mean 'gravity'"), ("gravity 0 0 1", "write what is to be changed"), ("timestep = fast", "no number"),
                       ("flag.contact = 1", "on or off"), ("flag.contacts = off", "did you mean 'contact'"),
                       ("integrator = fast", "it is one of"), ("geom_friction[flor] = 1 0 0", "no geom 'flor'")):
        enter(panel, text)
        assert said in panel.note.text() and panel.edit.text() == text
    enter(panel, "timestep = 0.001")
    assert panel.note.text() == "" and panel.edit.text() == ""
    enter(panel, "geom_friction[99] = 1 0 0")        # only the run itself knows
    bench.wait(lambda: "no element 99" in panel.note.text())
    assert len(row.changes) == 1


def test_names_of_values():
    m = physics.load(bundled_model("humanoid.xml"))
    for text, said in (("timestep = 0.001", "timestep 0.001"), ("opt.gravity = 0 0 -3", "gravity 0 0 -3"), ("gravity[2] = -3", "gravity[2] -3"),
                       ("option.integrator = rk4", "integrator rk4"),
                       ("solver = cg", "solver cg"), ("cone = elliptic", "cone elliptic"), ("iterations = 3", "iterations 3"),
                       ("impratio = 10", "impratio 10"), ("o_solref = 0.01 1", "o_solref 0.01 1, override on"),
                       ("o_solimp[1] = 0.99", "o_solimp[1] 0.99, override on"), ("flag.contact = off", "contact off"), ("flag.multiccd = on", "multiccd on"),
                       ("geom_friction[floor] = 0.1 0 0", "geom_friction[0] 0.1 0 0"), ("jnt_stiffness = 2", "jnt_stiffness 2")):
        found = change_commands(m, text)
        assert ", ".join(map(described, found)) == said, text


def test_tint_opacity_name_and_the_box(bench):
    panel = bench.panel("companions")
    row, other = started(bench, panel), started(bench, panel)
    assert row.tint != other.tint and len(bench.application.companions.ghosts()) == 2
    item = panel.list.topLevelItem(0)
    box = panel.list.visualItemRect(item)
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft() + QPoint(10, box.height() // 2))
    bench.wait(lambda: not row.visible)
    assert len(bench.application.companions.ghosts()) == 1
    panel.list.setCurrentItem(item)
    panel.opacity.number.setFocus()
    panel.opacity.number.selectAll()
    QTest.keyClicks(panel.opacity.number, "0.8")
    QTest.keyClick(panel.opacity.number, Qt.Key.Key_Return)
    assert row.opacity == 0.8 and other.opacity != 0.8
    panel.tint.edited.emit((1.0, 0.0, 0.0))
    assert row.tint == (1.0, 0.0, 0.0)
    panel.list.editItem(item, 0)
    editor = panel.list.viewport().findChild(type(panel.edit))
    editor.selectAll()
    QTest.keyClicks(editor, "soft")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    bench.wait(lambda: row.name == row.title == "soft")
    panel.list.setCurrentItem(item)
    panel.list.setFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Delete)
    assert bench.application.companions.rows == [other]


def test_its_values_become_those_of_the_primary(bench):
    panel = bench.panel("companions")
    row = started(bench, panel)
    assert not panel.adopt.isEnabled()
    enter(panel, "gravity = 0 0 -2")
    enter(panel, "jnt_stiffness[hinge] = 7")
    bench.wait(lambda: len(row.changes) == 2 and panel.adopt.isEnabled())
    click(panel.adopt)
    bench.wait(lambda: bench.context.model.opt.gravity[2] == -2 and bench.context.model.jnt_stiffness[1] == 7)
    bench.wait(lambda: {value.target for value in bench.snapshot.changed_values} == {"opt.gravity", "jnt_stiffness[1]"})


def test_parameter_sets_run_in_their_colours_and_one_is_taken_over(bench):
    panel, companions, model = bench.panel("companions"), bench.application.companions, bench.context.model
    soft = parameter_set(model, "soft", {"geom.*.solref": (-400.0, -20.0), "opt.impratio": 3.0}, 2)
    rolling = parameter_set(model, "rolling", {"geom.ball.condim": 6}, 1)
    rows = companions.start_sets((ParameterSet("as it is", 0), soft, rolling))
    assert [row.tint for row in rows] == [TINTS[0], TINTS[2], TINTS[1]] and [row.title for row in rows] == ["as it is", "soft", "rolling"]
    bench.wait(lambda: all(row.snapshot is not None for row in rows) and rows[1].changes and rows[2].changes)
    assert described(rows[2].changes[0]) == "rolling" and rows[2].snapshot.model.geom_condim[1] == 6 and model.geom_condim[1] == 3
    assert companions.start_sets((soft, rolling)) == () and bench.logged("2 more are wanted")
    companions.adopt(rows[1])
    bench.wait(lambda: bench.context.model.opt.impratio == 3 and (bench.context.model.geom_solref[:, 0] == -400).all())
    companions.adopt(rows[2])
    assert bench.logged("geom_condim can only be changed in the text") and panel.list.topLevelItemCount() == 3


def test_one_that_diverges_is_told_and_the_primary_runs_on(bench):
    panel = bench.panel("companions")
    row = started(bench, panel)
    enter(panel, "jnt_stiffness[hinge] = -1e9")
    bench.wait(lambda: row.changes)
    bench.runner.send(commands.Run())
    bench.wait(lambda: row.state.status == DIVERGED and bench.logged("stopped"))
    bench.pass_time(0.1)
    assert bench.snapshot.running and panel.list.topLevelItem(0).text(1) == DIVERGED


def test_actions_start_one_and_stop_all(bench):
    companions = bench.application.companions
    bench.actions["start_companion"].trigger()
    bench.actions["start_companion"].trigger()
    bench.wait(lambda: len(companions.rows) == 2 and all(row.snapshot is not None for row in companions.rows))
    assert "companions" in bench.docks.panels and not bench.docks.docks["companions"].isHidden()
    for _ in range(3):
        bench.actions["start_companion"].trigger()
    assert len(companions.rows) == 4 and bench.logged("as many as one run")
    threads = [row.companion for row in companions.rows]
    bench.actions["stop_companions"].trigger()
    bench.wait(lambda: not companions.rows and not any(one.alive for one in threads))
    assert companions.ghosts() == ()


def test_a_branch_of_the_history_is_shown(bench):
    panel = bench.panel("companions")
    assert not panel.menu().actions()[2].menu().isEnabled()
    bench.runner.send(commands.Run())
    bench.pass_time(0.2)
    bench.runner.send(commands.Scrub(20))
    bench.runner.send(commands.SetQpos(2, 3.0))
    bench.runner.send(commands.Run())
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2)
    bench.wait(lambda: bench.snapshot.history_length > 40)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    branches = panel.menu().actions()[2].menu()
    branches.actions()[0].trigger()
    (row,) = bench.application.companions.rows
    bench.wait(lambda: row.snapshot is not None)
    assert row.title.startswith("branch 1") and not row.live and not panel.edit.isEnabled()
    bench.runner.send(commands.Scrub(30))
    bench.wait(lambda: bench.snapshot.history_index == 30 and row.snapshot.time == bench.snapshot.time)
    assert row.snapshot.qpos[2] < 1.0 < bench.snapshot.qpos[2]


def test_a_recording_is_shown_beside(bench, tmp_path, monkeypatch):
    pytest.importorskip("h5py")
    panel = bench.panel("companions")
    bench.runner.send(commands.Step(100))
    bench.wait(lambda: bench.snapshot.history_index == 100)
    bench.application.recordings.save_to(tmp_path / "swing.h5")
    bench.wait(lambda: bench.logged("Saved swing.h5"))
    bench.runner.send(commands.Reset())
    bench.runner.send(commands.SetQpos(2, 3.0))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(tmp_path / "swing.h5"), ""))
    next(action for action in panel.menu().actions() if action.text() == "A recording...").trigger()
    (row,) = bench.application.companions.rows
    bench.wait(lambda: row.snapshot is not None and row.title == "swing")
    bench.runner.send(commands.Step(50))        # no longer than the recording, however busy the machine
    bench.wait(lambda: bench.snapshot.time == pytest.approx(0.1) and row.snapshot.time == pytest.approx(bench.snapshot.time, abs=1e-9))
    assert bench.snapshot.qpos[2] > 2.9 and row.snapshot.qpos[2] == pytest.approx(1 - 0.5 * 9.81 * bench.snapshot.time**2, abs=0.01)


def test_the_model_of_before_an_edit_runs_beside_the_new_one(bench):
    panel = bench.panel("companions")
    assert not panel.menu().actions()[1].isEnabled()
    bench.session.set_text(bench.session.document.key, MODEL.replace('stiffness="1"', 'stiffness="1" damping="5"'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.dof_damping[6] == 5 and bench.application.companions.before is not None)
    panel.menu().actions()[1].trigger()
    (row,) = bench.application.companions.rows
    bench.wait(lambda: row.snapshot is not None)
    bench.runner.send(commands.Run())
    bench.pass_time(0.4)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running and row.snapshot.time == bench.snapshot.time)
    assert row.title == "before the edit" and row.snapshot.model.dof_damping[6] == 0 and abs(row.snapshot.qpos[7] - bench.snapshot.qpos[7]) > 0.05
    assert np.allclose(row.snapshot.qpos[:7], bench.snapshot.qpos[:7], atol=1e-6)       # where it rests the other damping shows in the last digits


def test_closing_the_window_ends_their_threads(bench):
    companions = bench.application.companions
    started = [companions.start().companion for _ in range(3)]
    bench.runner.send(commands.Run())
    bench.wait(lambda: all(one.state.status == RUNNING for one in started))
    bench.close()
    assert not any(one.alive for one in started)


def test_another_model_ends_them(bench, tmp_path):
    panel = bench.panel("companions")
    started(bench, panel)
    (tmp_path / "other.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: not bench.application.companions.rows and bench.logged("another model was opened"))
    assert panel.list.topLevelItemCount() == 0
