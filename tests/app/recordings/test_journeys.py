"""Recordings in the window: saved, opened again, gone on from; what a crash leaves; reports."""
import json
from pathlib import Path

import h5py
import numpy as np
import pytest
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QFileDialog

from app.controllers import recordings as controller
from app.dialogs.report import ReportDialog
from app.recordings.folders import left_runs
from physics.recording import file
from physics.runtime import commands
from tests.app.workbench import Button, CTRL

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
    bench.drag(at, at + bench_offset(30, -30), button=Button.RightButton, modifiers=CTRL, between=lambda: bench.pass_time(0.05))
    bench.pass_time(0.05)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    bench.runner.send(commands.Scrub(30))
    bench.runner.send(commands.SetCtrl(0, 0.5))
    bench.runner.send(commands.Step(40))
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2)
    key = str(bench.session.path)
    bench.session.set_text(key, MODEL.replace('size=".2"', 'size=".25"', 1))
    model = bench.context.model
    bench.session.apply()
    bench.wait(lambda: bench.context.model is not model)
    bench.runner.send(commands.Step(20))
    bench.wait(lambda: bench.snapshot.history_length > 90)


def bench_offset(x, y):
    from PyQt6.QtCore import QPointF

    return QPointF(x, y)


def saved(bench, target: Path):
    """Wait until a recording is written."""
    bench.wait(lambda: bench.logged(f"Saved {target.name}") or bench.logged("Not saved"))
    assert target.exists(), list(bench.context.log_lines)
    return file.load(target)


def test_a_run_is_saved_opened_scrubbed_and_goes_on(workbench, path, tmp_path, monkeypatch):
    bench = workbench(path)
    bench.pictures()
    play(bench)
    target = tmp_path / "what happened.h5"
    answer_file_dialogs(monkeypatch, save=target, open_=target)
    bench.actions["save_recording"].trigger()
    recording = saved(bench, target)
    assert recording.about["name"] == "drop.xml" and len(recording.models) == 2 and len(recording.branches) == 2
    assert [model.texts[str(path)].count(".25") for model in recording.models] == [0, 1]
    kinds = file.summary(recording)["inputs"]
    assert kinds["PerturbStart"] == kinds["PerturbStop"] == 1 and kinds["install"] == 2
    before = bench.snapshot.history_length, bench.snapshot.time, bench.snapshot.qpos.copy()

    bench.application.files.may_leave = lambda: True
    bench.session.may_leave = lambda: True
    bench.actions["open_recording"].trigger()
    bench.wait(lambda: bench.session.path == target and bench.snapshot.history_length == before[0] and len(bench.snapshot.history_branches) == 2)
    assert bench.snapshot.time == before[1] and (bench.snapshot.qpos == before[2]).all() and not bench.snapshot.running
    assert bench.window.windowTitle().startswith("what happened.h5 (read only)")
    assert bench.source.toPlainText().count('size=".25"') == 1 if hasattr(bench.source, "toPlainText") else True
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
    from app import headless

    assert len(longer.line.track) > len(recording.line.track)
    assert headless.main(["replay", str(again), "--check"]) == 0
