"""Recordings in the window: saved, opened again, gone on from; what a crash leaves; reports."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PyQt6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PyQt6.QtGui import QDropEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog

from app import headless
from app.dialogs.report import ReportDialog
from app.recordings.folders import left_runs
from physics.recording import file
from physics.runtime import commands
from tests.app.workbench import CTRL, Button

MODEL = """<mujoco model="drop">
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="ball" pos="0 0 0.5"><freejoint/><geom size=".2" rgba="1 0 0 1"/></body>
    <body name="arm" pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 -.2"/></body>
  </worldbody>
  <actuator><motor name="m" joint="hinge"/></actuator>
</mujoco>"""


@pytest.fixture
def path(tmp_path):
    file_path = tmp_path / "drop.xml"
    file_path.write_text(MODEL)
    return file_path


def answer_file_dialogs(monkeypatch, save: Path | None = None, open_: Path | None = None):
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_args, **_more: (str(save) if save else "", ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args, **_more: (str(open_) if open_ else "", ""))


def play(bench):
    """Run, drag the ball with the mouse, go back, run on, change the text: what people do."""
    bench.actions["run"].trigger()
    bench.pass_time(0.1)
    bench.context.select_body(1)
    at = bench.centre("ball")
    bench.drag(at, at + QPointF(30, -30), button=Button.RightButton, modifiers=CTRL, between=lambda: bench.pass_time(0.05))
    bench.pass_time(0.05)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.runner.send(commands.Scrub(30))
    bench.runner.send(commands.SetCtrl(0, 0.5))
    bench.runner.send(commands.Step(40))
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2)
    key = str(bench.session.path)
    bench.session.set_text(key, MODEL.replace('size=".2"', 'size=".25" contype="3"', 1))
    model = bench.context.model
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.history_length > 90)


def saved(bench, target: Path):
    """Wait until a recording is written."""
    bench.wait(lambda: bench.logged(f"Saved {target.name}") or bench.logged("Not saved"))
    assert target.exists(), list(bench.context.log_lines)
    return file.load(target)


def test_a_run_is_saved_opened_scrubbed_and_goes_on(workbench, path, tmp_path, monkeypatch):
    bench = workbench(path)
    bench.pictures()
    play(bench)
    bench.runner.send(commands.Scrub(20))
    bench.wait(lambda: bench.snapshot.history_index == 20)
    mark = bench.application.timeline.add_bookmark()
    bench.context.bookmarks.rename(mark, "before the pull")
    bench.context.region.mark(bench.snapshot, 10, 30)
    bench.runner.send(commands.Scrub(-1))
    bench.wait(lambda: bench.snapshot.history_index > 90)
    target = tmp_path / "what happened.h5"
    answer_file_dialogs(monkeypatch, save=target, open_=target)
    bench.actions["save_recording"].trigger()
    recording = saved(bench, target)
    assert recording.about["name"] == "drop.xml" and len(recording.models) == 2 and len(recording.branches) == 2
    assert [model.texts[str(path)].count(".25") for model in recording.models] == [0, 1]
    kinds = file.summary(recording)["inputs"]
    assert kinds["PerturbStart"] == kinds["PerturbStop"] == 1 and kinds["install"] == 2
    assert recording.bookmarks[0].name == "before the pull" and recording.regions[0][:3] == (10, 30, recording.shown)
    before = bench.snapshot.history_length, bench.snapshot.time, bench.snapshot.qpos.copy()

    bench.session.may_leave = lambda: True
    bench.actions["open_recording"].trigger()
    bench.wait(lambda: bench.session.path == target and bench.snapshot.history_length == before[0] and len(bench.snapshot.history_branches) == 2)
    assert bench.snapshot.time == before[1] and (bench.snapshot.qpos == before[2]).all() and not bench.snapshot.running
    assert bench.window.windowTitle().startswith("what happened.h5 (read only)")
    bench.wait(lambda: len(bench.context.bookmarks) == 1)
    assert bench.context.bookmarks.all[0].name == "before the pull" and bench.context.region.region[:2] == (10, 30)
    assert bench.session.document.main.text.count('size=".25"') == 1 and bench.source.editor().text() == bench.session.document.main.text
    bench.runner.send(commands.Scrub(10))
    row = recording.line.track.pieces[0].rows[10]
    bench.wait(lambda: bench.snapshot.history_index == 10)
    assert bench.snapshot.time == row[0]
    bench.runner.send(commands.Scrub(-1))
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.time > before[1] + 0.05)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)

    again = tmp_path / "again.h5"
    answer_file_dialogs(monkeypatch, save=again)
    bench.actions["save_recording"].trigger()
    longer = saved(bench, again)
    assert len(longer.line.track) > len(recording.line.track) and longer.bookmarks[0].name == "before the pull"
    assert headless.main(["replay", str(again), "--check"]) == 0


def test_a_recording_is_opened_like_any_model(workbench, path, tmp_path, monkeypatch):
    bench = workbench(path)
    bench.pictures()
    bench.runner.send(commands.Step(30))
    target = tmp_path / "run.h5"
    bench.application.recordings.save_to(target)
    saved(bench, target)
    bench.close()

    other = workbench(target)       # as the command line opens it
    other.pictures()
    assert other.snapshot.history_length == 31 and other.session.path == target
    assert str(target) in other.settings.get("files/recent")
    model = other.context.model
    other.actions["reload"].trigger()       # is read again
    other.wait(lambda: other.context.model is not model and other.snapshot.history_length == 31)
    url = QMimeData()
    url.setUrls([QUrl.fromLocalFile(str(target))])
    model = other.context.model
    other.window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, url, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))
    other.wait(lambda: other.context.model is not model and other.snapshot.history_length == 31)
    monkeypatch.setattr(other.application.files, "_ask", lambda _text: True)
    answer_file_dialogs(monkeypatch, save=tmp_path / "written.xml")
    other.actions["save"].trigger()
    other.wait(lambda: other.session.path == tmp_path / "written.xml" and other.session.shown)
    assert "ball" in (tmp_path / "written.xml").read_text()


def test_damaged_and_other_files_are_refused_and_what_is_open_stays(workbench, path, tmp_path):
    bench = workbench(path)
    bench.pictures()
    target = tmp_path / "run.h5"
    bench.application.recordings.save_to(target)
    saved(bench, target)
    broken = bytearray(target.read_bytes())
    broken[3000] ^= 1
    target.write_bytes(broken)
    model = bench.context.model
    assert bench.session.open(target)
    bench.wait(lambda: bench.logged("its checksum is wrong"))
    assert bench.session.path == path and bench.context.model is model
    bench.application.recordings.open(path)
    assert bench.logged("this is no recording of Linkwork")
    bench.application.recordings.save_to(tmp_path / "nowhere" / "x.h5")
    bench.wait(lambda: bench.logged("Not saved: x.h5"))


def test_a_report_holds_recording_note_log_and_settings_but_no_private_names(workbench, path, tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    bench = workbench(path)
    bench.pictures()
    bench.runner.send(commands.Step(20))
    bench.context.log("warning", f"something about {path}")
    target = tmp_path / "report.h5"
    answer_file_dialogs(monkeypatch, save=target)
    seen = []

    def write():
        dialog = QApplication.activeModalWidget()
        if dialog is None:      # not shown yet
            QTimer.singleShot(50, write)
            return
        assert isinstance(dialog, ReportDialog)
        seen.append(dialog)
        QTest.keyClicks(dialog.note, "It fell over.")
        QTest.mouseClick(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)

    QTimer.singleShot(300, write)
    bench.actions["report"].trigger()
    recording = saved(bench, target)
    assert seen and recording.note == "It fell over." and len(recording.line.track) == 21
    assert any("something about ~" in line for line in recording.log) and recording.settings["view/theme"] == "dark" and "files/recent" not in recording.settings
    private = str(tmp_path)
    assert not any(private in word for word in (*recording.log, *recording.settings.values(), *recording.about.values(), *recording.models[0].texts, *recording.inputs))
    assert private.encode() not in recording.models[0].content()
    assert headless.main(["replay", str(target), "--check"]) == 0


def test_nothing_is_written_where_the_user_wants_that_and_a_file_is_made_all_the_same(workbench, path, tmp_path):
    bench = workbench(path)
    bench.pictures()
    recorder = bench.application.recordings.recorder
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.history_length == 21)
    assert recorder.flush() and recorder.folder is not None and any(recorder.folder.iterdir())
    bench.settings.set("recording/disk_mb", 0)
    bench.wait(lambda: recorder.folder is None)
    target = tmp_path / "run.h5"
    bench.application.recordings.save_to(target)
    assert len(saved(bench, target).line.track) == 21
    bench.settings.set("recording/disk_mb", 1000)
    assert recorder.flush()
    bench.wait(lambda: recorder.folder is not None)
    home = recorder.home
    assert [p.is_dir() for p in home.iterdir()] == [True]
    bench.close()
    assert list(home.iterdir()) == []


def test_another_document_begins_another_run_on_the_disk(workbench, path, tmp_path):
    bench = workbench(path)
    bench.pictures()
    recorder = bench.application.recordings.recorder
    bench.runner.send(commands.Step(20))
    assert recorder.flush()
    first = recorder.folder
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace("drop", "other"))
    bench.session.open(other)
    bench.wait(lambda: bench.session.shown)
    bench.runner.send(commands.Step(5))
    bench.wait(lambda: bench.snapshot.history_length == 6)
    assert recorder.flush() and recorder.folder != first and not first.exists()
    target = tmp_path / "run.h5"
    bench.application.recordings.save_to(target)
    recording = saved(bench, target)
    assert recording.about["name"] == "other.xml" and len(recording.models) == 1 and len(recording.line.track) == 6


def test_a_run_whose_window_was_killed_is_offered_and_opened(workbench, path, tmp_path, monkeypatch):
    state = tmp_path / "killed"
    code = f"""
import sys
sys.path.insert(0, {os.getcwd()!r})
import physics
from pathlib import Path
from app.recordings.recorder import Recorder
from physics.runtime import commands as c
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
physics.ensure_kernels()
runner = Runner(Simulation(ready=True))
runner.start()
recorder = Recorder(runner, Path({str(state / "recordings")!r}), print)
recorder.name = "drop.xml"
recorder.begin(1000)
text = Path({str(path)!r}).read_text()
model = physics.load_string(text)
recorder.keep_model(model, {{{str(path)!r}: text}})
runner.send(c.SwapModel(model, run=True))
import time
while True:
    snapshot = runner.acquire()
    print(0.0 if snapshot is None else float(snapshot.time), flush=True)
    time.sleep(0.02)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    passed, end = 0.0, time.monotonic() + 60
    while passed < 4.0 and time.monotonic() < end:
        passed = float(process.stdout.readline())
    assert left_runs(state / "recordings", 1 << 30) == []       # its process lives
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    passed = float(rest[-1]) if rest else passed

    bench = workbench(path)
    bench.pictures()
    recordings = bench.application.recordings
    recordings.recorder.home = state / "recordings"
    bench.session.may_leave = lambda: True
    recordings.look_for_left()
    assert bench.logged("A recording of drop.xml was not closed")
    left = left_runs(state / "recordings", 1 << 30)[0]
    bench.actions["open_left_recording"].trigger()
    bench.wait(lambda: bench.snapshot.history_length > 100)
    assert passed - 3.0 < bench.snapshot.time <= passed + 0.5       # a second, and what a busy machine adds
    assert bench.session.document.main.text == MODEL
    bench.wait(lambda: recordings.recorder.flush() and not left.folder.exists())
    target = tmp_path / "rescued.h5"
    recordings.save_to(target)
    saved(bench, target)
    assert headless.main(["replay", str(target), "--check"]) == 0
    bench.actions["open_left_recording"].trigger()
    assert bench.logged("There is no recording that was not closed")


def test_steps_that_the_memory_has_lost_come_back_from_the_disk(workbench, path):
    bench = workbench(path)
    bench.pictures()
    bench.actions["open_whole_run"].trigger()
    assert bench.logged("No step is missing")
    bench.runner._sim.history._usual = 32 << 10     # for what is opened from now on
    model, recorder = bench.context.model, bench.application.recordings.recorder
    bench.session.open(path, run=False)
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: recorder.flush())
    bench.runner.send(commands.SetCtrl(0, 0.5))
    for _ in range(10):
        bench.runner.send(commands.Step(50))
        steps = bench.snapshot.time + 0.1
        bench.wait(lambda steps=steps: bench.snapshot.time == pytest.approx(steps))
        assert recorder.flush()
    bench.wait(lambda: bench.snapshot.history_gone > 200)
    state = bench.snapshot.qpos.copy()
    bench.session.may_leave = lambda: True
    bench.actions["open_whole_run"].trigger()
    bench.wait(lambda: bench.snapshot.history_length == 501 and not bench.snapshot.history_gone)
    assert (bench.snapshot.qpos == state).all()
    for number in (0, 120, 250):
        bench.runner.send(commands.Scrub(number))
        bench.wait(lambda number=number: bench.snapshot.history_index == number)
        assert bench.snapshot.time == pytest.approx(0.002 * number)
    assert bench.snapshot.ctrl[0] == 0.5 and bench.settings.get("files/recent") == [str(path)]
    whole = bench.session.path
    bench.wait(lambda: not whole.parent.exists())
