"""The document and the running model together: what applies, what is kept, what is refused, what the disk does."""
import os
import threading
import time

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtCore import QPointF
from PyQt6.QtWidgets import QMessageBox

from app.viewport import window_turns
from assets.locate import bundled_model
from editor.document import NEW_NAME
from physics.compiler import compile as compiler
from physics.compiler.compile import compile_root
from physics.errors import Issue, Place
from physics.runtime import commands
from tests.app.workbench import CTRL, SLOW, Button

MODEL = """<mujoco>
  <include file="part.xml"/>
  <worldbody>
    <body name="a" pos="0 0 1"><freejoint/><geom name="a" size=".1"/></body>
    <body name="b" pos="1 0 1"><joint name="b" axis="0 1 0"/><geom name="b" size=".1" pos="0 0 -.3"/></body>
  </worldbody>
</mujoco>"""
PART = '<mujoco><worldbody><geom name="floor" type="plane" size="2 2 .1"/></worldbody></mujoco>'


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_text(PART)
    return workbench(tmp_path / "m.xml", size=(700, 420))


def apply(bench, key, text):
    """Edit a file's text in the panel and apply it now."""
    model = bench.context.model
    bench.source.editor(key).replace_text(text)
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model or any(issue.severity == "error" for issue in bench.session.issues))


def test_an_included_file_has_a_tab_and_applies_unsaved(bench, tmp_path):
    part = str(tmp_path / "part.xml")
    assert bench.source.editor(part).text() == PART
    apply(bench, part, PART.replace("floor", "ground"))
    assert bench.context.model.names["geom"][0] == "ground" and "floor" in (tmp_path / "part.xml").read_text()
    bench.session.revert()
    bench.wait(lambda: bench.context.model.names["geom"][0] == "floor")
    assert bench.source.editor(part).text() == PART and not bench.session.modified


def test_a_change_of_an_included_file_is_taken(bench, tmp_path):
    new = tmp_path / "new"
    new.write_text(PART.replace("floor", "ground"))
    os.replace(new, tmp_path / "part.xml")
    bench.wait(lambda: bench.context.model.names["geom"][0] == "ground")
    assert "ground" in bench.source.editor(str(tmp_path / "part.xml")).text()


def test_a_file_that_changed_while_nothing_included_it_is_compiled_as_it_is(bench, tmp_path):
    main, part, session = str(tmp_path / "m.xml"), tmp_path / "part.xml", bench.session
    place = str(part)
    apply(bench, main, MODEL.replace('<include file="part.xml"/>', ""))
    bench.wait(lambda: place not in session.document.files() and "floor" not in bench.context.model.names["geom"])
    part.write_text(PART.replace('<geom name="floor"', '<geom name="wall" size=".1"/><geom name="floor"'))
    apply(bench, main, MODEL)
    bench.wait(lambda: place in session.document.files() and not session._compiler.busy and session._running_texts.get(place) == part.read_text())
    elements = {one.name: one.id for one in session.document.version().root.walk() if one.tag == "geom"}
    assert set(bench.context.model.names["geom"]) == set(elements)
    for i, name in enumerate(bench.context.model.names["geom"]):
        assert bench.context.model.links.source("geom", i).element == elements[name]


def test_state_selection_and_camera_find_their_element_again(bench, tmp_path):
    main = str(tmp_path / "m.xml")
    bench.context.select_body(2, (0, 0, -0.3))
    bench.application.view_control.track_body(2)
    bench.panel("joints").rows[7].enter(0.5)
    bench.wait(lambda: bench.snapshot.qpos[7] == 0.5)
    apply(bench, main, MODEL.replace('<body name="a"', '<body name="new" pos="0 1 1"><joint name="new"/><geom size=".1"/></body><body name="a"'))
    bench.wait(lambda: bench.snapshot.model is bench.context.model)
    model = bench.context.model
    assert bench.context.selection.bodyid == model.id("body", "b") == bench.application.view_control.camera.trackbodyid == 3
    assert bench.snapshot.qpos[model.jnt_qposadr[model.id("joint", "b")]] == 0.5
    apply(bench, main, MODEL.replace('name="b"', 'name="c"'))
    assert bench.context.selection.bodyid == 0 and bench.application.view_control.camera.kind == "free"
    bench.wait(lambda: bench.logged("Not carried over"))


def test_an_error_in_an_included_file_keeps_the_model_and_shows_the_place(bench, tmp_path):
    part, model = str(tmp_path / "part.xml"), bench.context.model
    apply(bench, part, PART.replace('type="plane"', 'type="plain"'))
    issue = bench.session.issues[0]
    assert issue.place.file == part and bench.context.model is model
    assert bench.source.editor(part).message_at(0, issue.place.column) and bench.source.problems.count() == len(bench.session.issues)
    bench.source.problems.setCurrentRow(0)
    bench.source.problems.itemActivated.emit(bench.source.problems.item(0))
    assert bench.source.editor(part).getCursorPosition() == (0, issue.place.column - 1)
    assert "part.xml" in bench.application.overlay.problem


TYPED = ("", "<", "<mujoco", "<mujoco><worldbody></mujoco>", "<robot><joint/></robot>", "\x00\x01", "<mujoco><include file='m.xml'/></mujoco>",
         "<mujoco><worldbody><geom size='nan'/></worldbody></mujoco>", "<mujoco><worldbody><geom size='1e999'/></worldbody></mujoco>",
         "<mujoco><include file='nothing.xml'/></mujoco>", "<mujoco><size nconmax='99999999999999'/><worldbody><geom size='x'/></worldbody></mujoco>")


def test_whatever_is_typed_the_running_model_lives_on(bench):
    model = bench.context.model
    for text in TYPED:
        bench.session.issues = []
        bench.session.set_text(bench.session.document.key, text)
        bench.session.apply()
        bench.wait(lambda: bench.session.issues)
        assert bench.context.model is model and bench.runner.alive and all(str(issue) for issue in bench.session.issues)


def test_a_model_that_is_only_shown_says_why_and_refuses_to_run(bench, tmp_path, monkeypatch):
    main = str(tmp_path / "m.xml")

    def compile_for_viewing(read, **settings):
        model = compile_root(read, **settings)
        model.view_only = (Issue("view", Place(main, 4, 5), "mujoco/worldbody/body[a]", "feathers are not simulated yet", ""),)
        return model

    with monkeypatch.context() as patch:
        patch.setattr("physics.compiler.compile.compile_root", compile_for_viewing)
        apply(bench, main, MODEL.replace('size=".1"', 'size=".1" contype="3"'))
    assert bench.source.editor(main).message_at(3, 6) == "feathers are not simulated yet"
    bench.wait(lambda: bench.snapshot.model is bench.context.model)
    assert "m.xml:4:5: feathers" in bench.application.overlay.notice
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.logged("can be viewed but not simulated"))
    bench.wait(lambda: not bench.actions["run"].isChecked())
    assert not bench.snapshot.running
    apply(bench, main, MODEL)
    assert bench.application.overlay.notice == "" and not bench.session.issues


def test_white_textures_and_notes_are_listed_and_notes_mark_nothing(bench, tmp_path):
    main = str(tmp_path / "m.xml")
    corners = 'vertex="0 0 0 .3 0 0 0 .3 0 0 0 .3" face="0 2 1 0 1 3 1 2 3 0 3 2 0 0 1"'
    bench.wait(lambda: bench.context.model is not None)
    apply(bench, main, MODEL.replace("<worldbody>", f'<asset>\n<texture type="2d" file="none.png" embed="false"/>\n<mesh name="m" {corners}/></asset><worldbody>'))
    note, white = sorted(bench.session.issues, key=lambda issue: issue.severity)
    assert note.severity == "note" and note.place.line == 5 and white.severity == "warning" and white.place.line == 4
    editor = bench.source.editor(main)
    assert "none.png was not found" in editor.message_at(3, -1) and not editor.message_at(4, -1)
    levels = {text: level for level, text in bench.context.log_lines}
    assert levels[str(note)] == "info" and levels[str(white)] == "warning"


def test_missing_files_are_reported_and_change_nothing(bench, tmp_path):
    model = bench.context.model
    assert not bench.session.open(tmp_path / "gone.xml")
    assert "cannot be read" in bench.application.overlay.problem and bench.context.model is model and bench.session.path == tmp_path / "m.xml"


def test_a_broken_first_model_still_opens_the_panels(workbench, tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n<geom/></worldbody></mujoco>")
    bench = workbench(path, broken=True)
    bench.wait(lambda: bench.session.issues)
    assert bench.context.model is None and bench.source.editor().text() == path.read_text() and bench.application.overlay.problem
    bench.source.editor().replace_text(MODEL.replace('<include file="part.xml"/>', ""))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not None)


def test_a_new_model_is_saved_under_a_name_of_its_own(workbench, tmp_path, monkeypatch):
    bench = workbench(size=(700, 420))
    assert bench.session.document.key == NEW_NAME and bench.context.model.names["body"] == ("world", "ball")
    monkeypatch.setattr("app.controllers.files.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "mine.xml"), ""))
    bench.actions["save"].trigger()
    bench.wait(lambda: bench.session.path == tmp_path / "mine.xml")
    assert bench.window.windowTitle() == "mine.xml - Linkwork" and (tmp_path / "mine.xml").exists()


def test_unsaved_text_is_asked_about_before_it_is_lost(bench, tmp_path, monkeypatch):
    for answer, name, closes, saved in (("Cancel", "c", False, False), ("Discard", "d", True, False), ("Save", "e", True, True)):
        monkeypatch.setattr(QMessageBox, "question", lambda *_, answer=answer, **__: getattr(QMessageBox.StandardButton, answer))
        bench.session.set_text(bench.session.document.key, MODEL.replace('"b"', f'"{name}"'))
        assert bench.application.files.may_leave() is closes, answer
        assert (f'"{name}"' in (tmp_path / "m.xml").read_text()) is saved, answer


def test_text_left_by_a_crash_is_offered_and_restored(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_text(PART)
    first = workbench(tmp_path / "m.xml", size=(600, 400))
    first.source.editor().replace_text(MODEL.replace('name="b"', 'name="lost"'))
    first.session.autosave()
    first.session._autosave._lock.close()   # as the system does for a program that dies
    first.session._autosave_timer.stop()
    second = workbench(tmp_path / "m.xml", size=(600, 400))
    bar = second.source.recovery_bar
    assert bar.isVisible() and second.session.recovery.key == str(tmp_path / "m.xml")
    bar.button("restore").click()
    second.wait(lambda: second.context.model.id("body", "lost") > 0, SLOW)
    assert second.session.modified and not bar.isVisible() and (tmp_path / "m.xml").read_text() == MODEL
    second.session.autosave()
    second.close()
    assert not list((tmp_path / "state" / "unsaved").glob("*.json"))   # a wanted end leaves nothing behind


def test_reload_starts_afresh(bench):
    bench.panel("joints").rows[7].enter(0.5)
    bench.wait(lambda: bench.snapshot.qpos[7] == 0.5)
    bench.actions["reload"].trigger()
    bench.wait(lambda: bench.snapshot.qpos[7] == 0)
    np.testing.assert_array_equal(bench.snapshot.qpos[:3], [0, 0, 1])


def test_a_perturbed_body_stays_held_over_a_reload(bench, tmp_path):
    bench.pictures()
    bench.context.select_body(1)
    at = bench.centre("a")
    bench.actions["run"].trigger()
    bench.drag(at, at + QPointF(5, -40), button=Button.RightButton, modifiers=CTRL, release=False)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 1 and bench.snapshot.perturb.newton > 0)
    apply(bench, str(tmp_path / "m.xml"), MODEL.replace('<body name="a"', '<body name="new" pos="0 1 1"><joint name="new"/><geom size=".1"/></body><body name="a"'))
    bench.wait(lambda: bench.snapshot.model is bench.context.model and bench.snapshot.perturb.bodyid == bench.context.model.id("body", "a") == 2)
    height = bench.snapshot.perturb.refselpos[2]
    bench.move(at + QPointF(5, -80), Button.RightButton, CTRL)
    bench.wait(lambda: bench.snapshot.perturb.refselpos[2] > height and bench.snapshot.perturb.newton > 0)
    bench.drag(at, button=Button.RightButton, modifiers=CTRL)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 0)


def test_what_an_edit_stopped_runs_on_when_it_is_mended(bench, tmp_path):
    main = str(tmp_path / "m.xml")
    bench.context.runner.send(commands.Run())
    bench.wait(lambda: bench.context.snapshot.running and bench.context.snapshot.time > 0.01)
    apply(bench, main, MODEL.replace("<mujoco>", '<mujoco><option><flag speculative="enable"/></option>'))
    bench.wait(lambda: bench.context.model.view_only and not bench.context.snapshot.running)
    stopped = bench.context.snapshot.time
    apply(bench, main, MODEL)
    bench.wait(lambda: bench.context.snapshot.running and bench.context.snapshot.time > stopped)


def test_a_urdf_opens_and_its_edits_apply(workbench, tmp_path):
    arm = ('<robot name="r"><link name="world"/><link name="arm"><inertial><origin xyz="0 0 -.2"/><mass value="1"/>'
           '<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
           '<joint name="hinge" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>')
    (tmp_path / "arm.urdf").write_text(arm)
    bench = workbench(tmp_path / "arm.urdf", size=(700, 420))
    assert bench.context.model.names["joint"] == ("hinge",)
    apply(bench, str(tmp_path / "arm.urdf"), arm.replace('"hinge"', '"elbow"'))
    assert bench.context.model.names["joint"] == ("elbow",)
    apply(bench, str(tmp_path / "arm.urdf"), arm.replace('value="1"', 'value="much"'))
    issue = next(issue for issue in bench.session.issues if issue.severity == "error")
    assert issue.place.file.endswith("arm.urdf") and "'much'" in issue.what


def test_a_window_closed_while_its_model_compiles_ends_quietly(workbench, monkeypatch):
    begun, go_on, failed = threading.Event(), threading.Event(), []
    bench = workbench(bundled_model("pendulum.xml"))
    monkeypatch.setattr(bench.session, "_tell_compiled", lambda model: (begun.set(), go_on.wait(20)))
    monkeypatch.setattr(threading, "excepthook", failed.append)
    bench.session.reload()
    bench.wait(begun.is_set)
    thread = bench.session._compiler._thread
    bench.close()
    sip.delete(bench.session)
    go_on.set()
    bench.wait(lambda: not thread.is_alive())
    assert not failed


def test_the_compiler_waits_while_the_window_is_in_a_long_turn(bench, monkeypatch):
    monkeypatch.setattr(window_turns, "MOST", 60.0)
    before, passes = bench.context.model, []
    tell = bench.session._compiler._between
    monkeypatch.setattr(bench.session._compiler, "_between", lambda: (tell(), passes.append(time.perf_counter())))

    def slow(build):
        time.sleep(3 * window_turns.LONG)

    monkeypatch.setattr(compiler, "READING", (*compiler.READING[:4], slow, *compiler.READING[4:]))
    bench.session.set_text(bench.session.document.key, MODEL.replace('size=".1"', 'size=".2" contype="3"'))
    bench.session.apply()
    until = time.perf_counter() + 1.0
    while time.perf_counter() < until or not passes and time.perf_counter() < until + 20:      # one turn, in which other threads can run
        time.sleep(0.001)
    assert 1 <= len(passes) <= 5
    bench.wait(lambda: bench.context.model is not before)
    assert len(passes) > len(compiler.READING)
