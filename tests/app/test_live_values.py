"""Nothing that was set in the window is lost: values, history and running outlive edits, mended files and other documents."""
import threading

import pytest

import physics
from app.start_keys import start_key
from editor import live_compile
from physics.runtime import commands
from tests.app.workbench import SLOW

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/><geom name="arm" size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <keyframe><key name="home" qpos=".5"/></keyframe>
</mujoco>"""
BROKEN = MODEL.replace("<worldbody>", "<worldbodies>", 1)


@pytest.fixture
def path(tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return tmp_path / "m.xml"


@pytest.fixture
def bench(workbench, path):
    return workbench(path, size=(700, 420))


def apply(bench, text):
    bench.source.editor().replace_text(text)
    bench.actions["apply"].trigger()
    bench.taken_up()


def test_options_flags_fields_and_keyframes_survive_an_edit_of_the_text(bench):
    for command in (commands.SetOption("gravity", 3.0, 2), commands.SetFlag("enable", 1, True), commands.SetActuatorGroup(1, False), commands.SetVisual("map.stiffness", 7),
                    commands.SetField("geom_rgba", (1, 0, 0, 1), 1), commands.SetQpos(0, 0.25), commands.SaveKey(0)):
        bench.runner.send(command)
    bench.wait(lambda: len(bench.snapshot.changed_values) == 6)
    apply(bench, MODEL.replace("<mujoco>", "<mujoco><!-- a comment -->"))
    m = bench.context.model
    assert m.opt.gravity[2] == 3 and m.opt.enableflags == 1 and m.opt.disableactuator == 2 and m.vis.map.stiffness == 7
    assert m.geom_rgba[1].tolist() == [1, 0, 0, 1] and m.key_qpos[0, 0] == 0.25 and len(bench.snapshot.changed_values) == 6
    apply(bench, MODEL.replace("<mujoco>", '<mujoco><option gravity="0 0 -1"/>'))
    assert bench.context.model.opt.gravity[2] == -1 and len(bench.snapshot.changed_values) == 5
    bench.wait(lambda: bench.logged("the text says 0 0 -1 now") and bench.logged("0 0 3 from the window is dropped"))
    bench.actions["reload"].trigger()
    bench.wait(lambda: bench.logged("5 values changed in the window dropped") and bench.snapshot.changed_values == ())


def test_the_history_survives_edits_and_resets(bench):
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.history_length == 21)
    apply(bench, MODEL.replace('size=".1"', 'size=".2"'))
    bench.actions["reset"].trigger()
    bench.wait(lambda: bench.snapshot.history_length == 23)
    assert [(mark.index, mark.kind) for mark in bench.snapshot.history_marks] == [(0, "start"), (21, "edit"), (22, "reset")]
    assert "edit of m.xml" in bench.snapshot.history_marks[1].text
    bench.runner.send(commands.Scrub(10))
    bench.wait(lambda: bench.snapshot.time == pytest.approx(0.02))


def test_a_file_that_is_broken_at_the_start_runs_when_it_is_mended(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(BROKEN)
    bench = workbench(path, broken=True, running=True)
    bench.wait(lambda: bench.session.issues)
    path.write_text(MODEL)
    bench.wait(lambda: bench.snapshot is not None and bench.snapshot.running and bench.snapshot.time > 0.01)


def test_a_mended_document_starts_at_its_own_state_and_not_at_the_last_ones(bench, tmp_path):
    bench.runner.send(commands.SetQpos(0, 1.25))
    bench.runner.send(commands.SetOption("gravity", 3.0, 2))
    bench.wait(lambda: bench.snapshot.qpos[0] == 1.25)
    (tmp_path / "other.xml").write_text(BROKEN)
    assert bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.session.issues)
    apply(bench, MODEL)
    assert bench.snapshot.qpos[0] == 0 and bench.snapshot.history_length == 1 and bench.context.model.opt.gravity[2] == -9.81
    bench.wait(lambda: bench.logged("1 value changed in the window dropped"))


def test_a_model_is_handed_over_by_the_compilers_thread(bench):
    """Without a turn of the window's event loop."""
    generation, done = bench.snapshot.generation, threading.Event()
    send, names = bench.runner.send, []

    def noted(command):
        names.append((type(command).__name__, threading.current_thread().name))
        send(command)
        done.set()

    bench.session._runner = type("Noting", (), {"send": staticmethod(noted)})()
    bench.session.set_text(bench.session.document.key, MODEL.replace('name="arm" size', 'name="rod" size'))
    bench.session.apply()
    assert done.wait(SLOW / 1000) and names == [("SwapModel", "compile")]   # this thread has waited all the time
    bench.wait(lambda: bench.snapshot.generation > generation)


def test_what_was_compiled_for_the_document_before_is_dropped(bench, tmp_path, monkeypatch):
    (tmp_path / "other.xml").write_text(MODEL.replace('"arm"', '"leg"'))
    begun, go_on, real = threading.Event(), threading.Event(), live_compile.compile_text

    def slow(request, between):
        if request.name.endswith("m.xml"):
            begun.set()
            go_on.wait(SLOW / 1000)
        return real(request, between)

    monkeypatch.setattr(live_compile, "compile_text", slow)
    sent = []
    monkeypatch.setattr(bench.session, "_runner", type("Noting", (), {"send": staticmethod(lambda command: (sent.append(command), bench.runner.send(command)))})())
    bench.session.apply()
    assert begun.wait(SLOW / 1000)
    bench.session.open(tmp_path / "other.xml")
    go_on.set()
    bench.wait(lambda: bench.context.model.id("body", "leg") > 0)
    assert [command.model.names["body"][1] for command in sent] == ["leg"]


def test_it_is_told_that_another_model_is_being_loaded(bench, tmp_path):
    told, titles = [], []
    bench.session.loading_changed.connect(told.append)
    bench.session.title_changed.connect(titles.append)
    (tmp_path / "other.xml").write_text(MODEL.replace('"arm"', '"leg"'))
    bench.session.open(tmp_path / "other.xml")
    assert told == ["other.xml"] and bench.session.loading == "other.xml" and titles[-1] == "other.xml (loading) - Linkwork"
    bench.wait(lambda: not bench.session.loading)
    assert bench.context.model.id("body", "leg") > 0 and told == ["other.xml", ""] and titles[-1] == "other.xml - Linkwork"
    (tmp_path / "bad.xml").write_text(BROKEN)
    bench.session.open(tmp_path / "bad.xml")
    bench.wait(lambda: told[2:] == ["bad.xml", ""])
    assert bench.session.issues


# ---------------------------------------------------------------- typing

def test_a_well_formed_text_is_applied_soon_and_problems_are_told_later(bench):
    told = []
    bench.settings.set("editor/apply_delay_ms", 30)
    bench.settings.set("editor/error_delay_ms", 60_000)
    bench.session.issues_changed.connect(lambda issues: told.append(list(issues)))
    compiling = []
    bench.session.compiling.connect(lambda: compiling.append(bench.source.editor().text()))
    editor, model = bench.source.editor(), bench.context.model
    editor.replace_text(MODEL[:-3])   # while it is typed
    bench.qtbot.wait(150)
    assert not compiling and not told
    wrong = MODEL.replace('size=".1"', 'size="x"')
    editor.replace_text(wrong)   # well-formed, but no model
    bench.wait(lambda: compiling == [wrong])
    bench.wait(lambda: bench.session._held is not None)
    assert not told and not bench.session.issues
    editor.replace_text(MODEL.replace('size=".1"', 'size=".2"'))
    bench.taken_up()
    assert bench.context.model is model and model.geom_size[1, 0] == .2
    bench.qtbot.wait(100)
    assert all(not issues for issues in told)   # what was wrong meanwhile was never told
    bench.settings.set("editor/error_delay_ms", 200)
    editor.replace_text(MODEL[:-3])
    bench.wait(lambda: any(told) and bench.session.issues)
    bench.settings.set("editor/error_delay_ms", 60_000)
    editor.replace_text(wrong)
    bench.actions["apply"].trigger()   # asked for: at once
    bench.wait(lambda: told[-1] and "x" in told[-1][0].what)


# ---------------------------------------------------------------- keyframes

def test_a_model_starts_at_the_keyframe_that_the_user_chose(bench, path, tmp_path):
    bench.session.open(path, key="home")
    bench.wait(lambda: bench.snapshot.qpos[0] == 0.5 and bench.snapshot.start_key == 0)
    assert start_key(bench.settings, path) is None   # said for this time only
    bench.session.choose_start_key(None)
    bench.actions["reset"].trigger()
    bench.wait(lambda: bench.snapshot.qpos[0] == 0 and bench.snapshot.start_key == -1)
    bench.session.choose_start_key("home")
    assert start_key(bench.settings, path) == "home"
    bench.session.new()
    bench.wait(lambda: bench.context.model.names["body"][-1] == "ball")
    bench.session.open(path)
    bench.wait(lambda: bench.context.model.nkey == 1 and bench.snapshot.qpos[0] == 0.5)
    bench.runner.send(commands.Step(5))
    apply(bench, MODEL.replace('size=".1"', 'size=".2"'))
    assert bench.snapshot.qpos[0] != 0.5
    bench.actions["reset"].trigger()
    bench.wait(lambda: bench.snapshot.qpos[0] == 0.5)


# ---------------------------------------------------------------- compiled models

@pytest.fixture
def compiled(tmp_path):
    physics.save(physics.load_string(MODEL), tmp_path / "arm.lwb")
    return tmp_path / "arm.lwb"


def test_a_compiled_model_opens_runs_and_cannot_be_written_over_as_text(workbench, compiled, tmp_path, monkeypatch):
    before = compiled.read_bytes()
    bench = workbench(compiled, size=(700, 420), running=True)
    bench.wait(lambda: bench.snapshot.running and bench.snapshot.time > 0.01)
    assert bench.context.model.id("body", "arm") == 1 and not bench.session.issues and not bench.session.modified
    assert bench.window.windowTitle() == "arm.lwb (read only) - Linkwork" and bench.settings.get("files/recent")[0] == str(compiled)
    editor = bench.source.editor()
    assert editor.text() == "" and editor.isReadOnly() and "compiled model" in bench.source._status.text()
    assert not bench.session.save() and bench.logged("has no text")
    monkeypatch.setattr(bench.application.files, "_ask", lambda text: True)
    monkeypatch.setattr("app.controllers.files.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "arm.xml"), ""))
    assert bench.application.files.save()
    bench.wait(lambda: bench.session.path == tmp_path / "arm.xml" and not bench.session.loading)
    assert "<mujoco" in bench.source.editor().text() and bench.context.model.id("body", "arm") == 1
    assert compiled.read_bytes() == before
    assert not bench.session.save_as(compiled) and bench.logged("Save compiled model") and compiled.read_bytes() == before


def test_the_running_model_is_saved_compiled_with_what_was_changed(bench, tmp_path, monkeypatch):
    bench.runner.send(commands.SetOption("gravity", 3.0, 2))
    bench.wait(lambda: bench.snapshot.changed_values)
    monkeypatch.setattr("app.controllers.files.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    bench.actions["save_compiled"].trigger()
    bench.wait(lambda: bench.logged("Saved mine.lwb"))
    assert physics.load(tmp_path / "mine.lwb").opt.gravity[2] == 3


def test_a_compiled_model_is_followed_on_the_disk_and_a_damaged_one_is_told(workbench, compiled):
    bench = workbench(compiled, size=(700, 420))
    physics.save(physics.load_string(MODEL.replace('"arm"', '"leg"')), compiled)
    bench.wait(lambda: bench.context.model.id("body", "leg") == 1)
    compiled.write_bytes(compiled.read_bytes()[:2000])
    bench.wait(lambda: bench.session.issues)
    assert bench.context.model.id("body", "leg") == 1 and bench.application.overlay.problem


def test_a_binary_that_is_no_model_is_refused_with_what_to_do(bench, tmp_path):
    (tmp_path / "m.mjb").write_bytes(bytes(range(256)) * 40)
    model = bench.context.model
    assert not bench.session.open(tmp_path / "m.mjb")
    assert "not a model text" in bench.application.overlay.problem and "MJCF" in bench.application.overlay.problem and bench.context.model is model


# ---------------------------------------------------------------- the log

def test_the_log_tells_what_matters_and_not_that_it_runs(bench):
    for _ in range(3):
        bench.actions["run"].trigger()
        bench.wait(lambda: bench.snapshot.running)
        bench.actions["run"].trigger()
        bench.wait(lambda: not bench.snapshot.running)
    assert not any(text in ("running", "paused") for _level, text in bench.context.log_lines)
    bench.runner.send(commands.SetField("body_mass", 1.0, 1))
    bench.wait(lambda: bench.logged("'body_mass' cannot be set while the model runs"))


def test_alike_warnings_are_one_line_of_the_log(bench):
    textures = "".join(f'<texture name="t{i}" type="2d" file="none{i}.png"/>' for i in range(9))
    apply(bench, MODEL.replace("<worldbody>", f"<asset>{textures}</asset><worldbody>"))
    bench.wait(lambda: len(bench.session.issues) == 9)
    lines = [text for _level, text in bench.context.log_lines if "none" in text]
    assert len(lines) == 1 and "8 more like it: texture[t1], texture[t2]" in lines[0] and bench.source.problems.count() == 9


def test_a_text_that_waits_for_ctrl_enter_is_not_called_applied(bench):
    bench.settings.set("editor/apply_delay_ms", 0)
    panel = bench.source
    panel.editor().setText(MODEL.replace('size=".1"', 'size=".2"'))
    assert "Not applied yet" in panel._status.text()
    bench.actions["apply"].trigger()
    bench.wait(lambda: panel._status.text() == "Applied")
