"""Whatever changes the text goes one way: parameters are written into the model that runs, all else is compiled; both come to the Model of a fresh compile."""
import os
import time

import pytest
from PyQt6.QtTest import QTest

import physics
from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit
from physics.model.changes.field_changes import differences, image_of
from physics.runtime import commands
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import put_cursor, retype

MODEL = """<mujoco model="m">
  <option gravity="0 0 -1"/>
  <default><default class="red"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".2 .2 .2 1"/>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".1"/>
      <geom name="arm" class="red" type="capsule" size=".1" fromto="0 0 0 .5 0 0"/></body>
    <body name="ball" pos="1 0 1"><freejoint/><geom name="ball" size=".1"/></body>
    <include file="part.xml"/>
  </worldbody>
  <actuator><motor name="motor" joint="shoulder" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="home" qpos=".5 1 0 1 1 0 0 0"/></keyframe>
</mujoco>
"""
PART = '<mujocoinclude>\r\n  <body name="part" pos="-1 0 1"><geom name="part" size=".2" mass="1"/></body>\r\n</mujocoinclude>\r\n'


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "part.xml").write_bytes(PART.encode())
    made = workbench(tmp_path / "m.xml", size=(900, 620), running=True)
    made.wait(lambda: made.session.live.model is made.context.model)
    return made


def fresh(bench):
    document = bench.session.document
    return physics.compile_root(document.version().read)


def equal(bench) -> None:
    """The Model that runs is that of the present texts, bit for bit, and the compile after a pause has found so."""
    bench.taken_up()
    assert differences(image_of(fresh(bench)), bench.context.model) == ()
    bench.wait(lambda: not bench.session._verify_timer.isActive() and not bench.session._compiler.busy and bench.session._untaken is None)
    assert not bench.logged("Please report this") and differences(image_of(fresh(bench)), bench.context.model) == ()


@pytest.mark.parametrize(("old", "new"), [('damping=".1"', 'damping="3.25"'), ('rgba="1 0 0 1"', 'rgba="0 1 .5 1"'), ('size=".1" fromto', 'size=".17" fromto'),
                                          ('pos="1 0 1"', 'pos="1 0 2"'), ('gravity="0 0 -1"', 'gravity="0 0 -3"'), ('ctrlrange="-1 1"', 'ctrlrange="-2 2"'), ('.5 1 0 1', '.7 1 0 1')])
def test_what_is_typed_is_written_into_the_model_after_the_pause(bench, old, new):
    model, marks = bench.context.model, len(bench.snapshot.history_marks)
    retype(bench, bench.source.editor(), old, new)
    assert new in bench.session.document.main.text and not bench.session.runs_present_texts
    equal(bench)
    assert bench.context.model is model and bench.snapshot.running
    bench.wait(lambda: [mark.text for mark in bench.snapshot.history_marks[marks:]] == ["edit of m.xml"])
    assert bench.source._status.text() == "Applied"


def test_ctrl_enter_writes_what_has_changed_at_once_and_compiles_what_has_not(bench):
    bench.settings.set("editor/apply_delay_ms", 0)
    model, editor = bench.context.model, bench.source.editor()
    retype(bench, editor, 'damping=".1"', 'damping="2"')
    assert model.dof_damping[0] == .1 and "Not applied yet" in bench.source._status.text()
    QTest.keyClick(editor, Key.Key_Return, CTRL)
    bench.wait(lambda: model.dof_damping[0] == 2)
    equal(bench)
    assert bench.source._status.text() == "Applied" and bench.context.model is model
    busy = []
    bench.session.busy_changed.connect(busy.append)
    bench.session.apply()           # what runs already is compiled once more, for files may have changed
    bench.wait(lambda: busy == [True, False])
    assert bench.context.model is model and not bench.logged("Please report this")


def test_ctrl_enter_takes_up_a_file_that_nobody_watches(bench, monkeypatch):
    monkeypatch.setattr(bench.session._watcher, "watch", lambda paths: None)
    model = bench.context.model
    real = physics.compile_root

    def other(read, **settings):
        made = real(read, **settings)
        made.geom_rgba[0] = 0, 0, 1, 1        # as if a file had changed
        return made

    with monkeypatch.context() as patch:
        patch.setattr("physics.compiler.compile.compile_root", other)
        bench.session.apply()
        bench.wait(lambda: bench.context.model is not model)
    assert not bench.logged("Please report this") and bench.context.model.geom_rgba[0].tolist() == [0, 0, 1, 1]


def test_structure_is_compiled_whatever_else_was_typed_with_it(bench):
    model = bench.context.model
    bench.source.editor().replace_text(MODEL.replace('damping=".1"', 'damping="2"').replace('name="ball" size', 'name="ball" contype="2" size'))
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    equal(bench)
    model = bench.context.model
    retype(bench, bench.source.editor(), 'damping="2"', 'damping="4"')      # against the newly compiled one
    equal(bench)
    assert bench.context.model is model and model.dof_damping[0] == 4


def test_a_file_that_another_program_saves_is_written_into_the_model(bench, tmp_path):
    model, marks = bench.context.model, len(bench.snapshot.history_marks)
    new = tmp_path / "new"
    new.write_bytes(PART.replace('mass="1"', 'mass="2.5"').encode())
    os.replace(new, tmp_path / "part.xml")
    bench.wait(lambda: model.body_mass[model.id("body", "part")] == 2.5)
    equal(bench)
    bench.wait(lambda: [mark.text for mark in bench.snapshot.history_marks[marks:]] == ["part.xml changed on disk"])
    assert bench.context.model is model and not bench.session.modified


def test_undo_and_redo_of_what_was_typed_go_the_same_way(bench):
    model = bench.context.model
    bench.source.editor().replace_text(MODEL.replace('damping=".1"', 'damping="2"'))
    equal(bench)
    for undone in (True, False):
        bench.press_key(Key.Key_Z, CTRL if undone else CTRL | SHIFT)
        equal(bench)
        assert model.dof_damping[0] == (.1 if undone else 2) and bench.context.model is model
    retype(bench, bench.source.editor(), 'damping="2"', 'damping="3"')      # several entries, some of them of no good text
    equal(bench)
    while bench.session.document.main.text != MODEL:
        assert bench.session.undo()
    equal(bench)
    assert bench.context.model.dof_damping[0] == .1


def test_the_state_and_what_was_set_in_the_window_go_on(bench):
    model = bench.context.model
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.runner.send(commands.SetField("geom_rgba", (1, 1, 0, 1), 0))
    bench.runner.send(commands.SetOption("gravity", -5.0, 2))
    bench.wait(lambda: len(bench.snapshot.changed_values) == 2)
    qpos, told = bench.snapshot.qpos.copy(), len(bench.context.log_lines)
    retype(bench, bench.source.editor(), 'pos="1 0 1"', 'pos="1 0 2"')
    bench.taken_up()
    assert (bench.snapshot.qpos == qpos).all() and model.geom_rgba[0].tolist() == [1, 1, 0, 1] and model.opt.gravity[2] == -5 and len(bench.snapshot.changed_values) == 2
    assert [text for _level, text in list(bench.context.log_lines)[told:]] == []        # as a compile says nothing of it
    bench.source.editor().replace_text(bench.session.document.main.text.replace('gravity="0 0 -1"', 'gravity="0 0 -2"'))
    bench.wait(lambda: bench.session.runs_present_texts)
    bench.wait(lambda: bench.logged("the text says 0 0 -2 now") and len(bench.snapshot.changed_values) == 1)
    assert bench.context.model is model and model.opt.gravity[2] == -2


def test_problems_are_told_taken_back_and_moved_as_by_a_compile(bench):
    warned = MODEL.replace('"part.xml"', '"part.xml" name="part"')        # an attribute that the language does not know
    editor, key = bench.source.editor(), bench.session.document.main_key
    editor.replace_text(warned)
    bench.wait(lambda: [issue.severity for issue in bench.session.issues] == ["warning"])
    bench.taken_up()
    model, place = bench.context.model, bench.session.issues[0].place
    editor.replace_text(warned.replace('name="floor"', 'name="floor').replace('damping=".1"', 'damping="5"'))
    bench.wait(lambda: any(issue.severity == "error" for issue in bench.session.issues))
    assert bench.context.model is model and model.dof_damping[0] == .1
    editor.replace_text(warned.replace("  <option", "\n\n  <option").replace('damping=".1"', 'damping="5"'))
    bench.session._verify_timer.setInterval(60_000)
    bench.wait(lambda: model.dof_damping[0] == 5)
    bench.wait(lambda: [issue.place.line for issue in bench.session.issues] == [place.line + 2])       # without a compile
    issue = bench.session.issues[0]
    assert issue.place.column == place.column and issue.place.file == key and editor.message_at(issue.place.line - 1, issue.place.column - 1)
    wanted = [(one.place, one.what) for one in bench.session.issues]
    bench.session._verify_timer.setInterval(10)
    bench.session._verify_timer.start()
    equal(bench)
    assert [(one.place, one.what) for one in bench.session.issues] == wanted and bench.context.model is model


def test_text_that_waits_to_be_applied_is_not_taken_for_what_runs(bench):
    """The compile that looks at an edit by a tool must not look at what was typed since."""
    bench.settings.set("editor/apply_delay_ms", 0)
    model = bench.context.model
    bench.session.write_text(bench.session.document.main_key, MODEL.replace('damping=".1"', 'damping="2"'), "by a tool")
    bench.wait(lambda: model.dof_damping[0] == 2)
    retype(bench, bench.source.editor(), 'name="ball" size', 'name="globe" size')
    bench.wait(lambda: not bench.session._verify_timer.isActive() and not bench.session._compiler.busy)
    assert bench.context.model is model and not bench.logged("Please report this") and "Not applied yet" in bench.source._status.text()
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    equal(bench)


def test_what_tools_change_is_written_though_something_else_is_wrong_in_the_text(bench):
    """Well-formed, but not to be compiled: what was typed waits, and the drag is seen."""
    model, document = bench.context.model, bench.session.document
    wrong = MODEL.replace('name="ball" size=".1"', 'name="ball" size="x"').replace('damping=".1"', 'damping="2"')
    bench.source.editor().replace_text(wrong)
    bench.wait(lambda: bench.session.issues)
    floor = next(one for one in document.version().root.walk() if one.name == "floor")
    gesture = bench.session.gesture()
    for k in range(1, 5):
        bench.session.show(gesture, Edit("Drag", attribute_patches(gesture.texts[document.main_key], floor, {"rgba": f".{k} 0 0 1", "pos": f"0 0 -{k}"})))
        bench.wait(lambda k=k: model.geom_pos[0, 2] == -k)
    bench.session.end(gesture)
    assert model.geom_rgba[0, 0] == .4 and model.dof_damping[0] == .1 and bench.context.model is model and bench.session.issues
    bench.session.undo()
    bench.wait(lambda: model.geom_pos[0, 2] == 0)
    bench.session.redo()
    bench.source.editor().replace_text(document.main.text.replace('size="x"', 'size=".1"'))
    bench.wait(lambda: not bench.session.issues)
    equal(bench)
    assert bench.context.model is model and model.geom_pos[0, 2] == -4 and model.dof_damping[0] == 2


def test_the_model_of_before_what_was_typed_can_run_beside_it(bench):
    companions = bench.application.companions
    assert not companions.has_before
    for k, damping in enumerate(("2", "3")):
        retype(bench, bench.source.editor(), f'damping="{(".1", "2")[k]}"', f'damping="{damping}"')
        bench.taken_up()
        assert companions.has_before and companions.before.dof_damping[0] == (.1, 2)[k] and bench.context.model.dof_damping[0] == float(damping)
    equal(bench)
    assert companions.before.dof_damping[0] == 2 and companions.start_before().title == "before the edit"


def test_typing_a_parameter_costs_the_window_little_at_2200_lines(workbench, tmp_path):
    lines = "".join(f'    <body name="b{k}" pos="{k % 40} {k // 40} 1">\n      <joint name="j{k}" axis="0 1 0" damping=".1"/>\n      <geom name="g{k}" size=".1"/>\n    </body>\n' for k in range(550))
    text = f"<mujoco>\n  <worldbody>\n{lines}  </worldbody>\n</mujoco>\n"
    assert text.count("\n") >= 2200
    (tmp_path / "m.xml").write_text(text)
    bench = workbench(tmp_path / "m.xml", size=(700, 420))
    bench.wait(lambda: bench.session.live.model is bench.context.model)
    bench.settings.set("editor/apply_delay_ms", 0)
    model, editor = bench.context.model, bench.source.editor()
    bench.session._verify_timer.setInterval(60_000)
    costs = []
    for k in range(8):
        put_cursor(bench, editor, 3, editor.text(3).index('damping="') + 9)
        QTest.keyClicks(editor, "1")
        begun = time.thread_time()
        bench.session.apply()
        costs.append(1000 * (time.thread_time() - begun))
        bench.taken_up()
    assert bench.context.model is model and model.dof_damping[0] == float("1" * 8 + ".1")
    assert sorted(costs)[len(costs) // 2] < 4, costs      # ms of this thread
