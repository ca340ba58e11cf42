"""The Studies panel by real events and real processes: what is known at once, a run that grows, stopping and going on, pictures that are picked from, a trial opened."""
import math
import subprocess
import sys
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QObject, Qt
from PyQt6.QtTest import QTest

from app.panels.studies import sweep_process
from app.panels.studies.panel import COURSE, LINES, MAP, NONE
from app.panels.studies.sweep_process import SweepProcess
from app.studies.study_file import read
from tests.app.studies.conftest import MODEL, STUDY
from tests.app.workbench import NONE as NO_KEY
from tests.app.workbench import Button
from tests.journeys.hands import choose, click

LONG = STUDY.replace("seconds = 0.5", "seconds = 2000").replace("steps = 3", "steps = 60")


@pytest.fixture
def opened(workbench, tmp_path):
    (tmp_path / "cart.xml").write_text(MODEL)
    bench = workbench(tmp_path / "cart.xml", size=(1500, 1000))
    panel = bench.panel("studies")
    bench.wait(panel.isVisible)

    def study(text=STUDY):
        path = tmp_path / "study.toml"
        path.write_text(text)
        panel.open(path)
        bench.wait(lambda: not panel.process.runs, 120_000)
        return bench, panel

    return study


def ran(bench, panel):
    click(panel.start)
    assert panel.process.runs and not panel.start.isEnabled() and panel.stop.isEnabled()
    bench.wait(lambda: not panel.process.runs, 120_000)


def pressed(plot, at):
    QTest.mouseClick(plot.viewport(), Button.LeftButton, NO_KEY, at.toPoint())


def test_a_study_is_run_looked_at_and_a_trial_of_it_opened(opened):
    bench, panel = opened()
    assert panel.message.text() == "Nothing has been run yet." and panel.table.trials.rowCount() == 0 and panel.start.isEnabled() and not panel.open_trial.isEnabled()
    ran(bench, panel)
    table = panel.table.trials
    assert table.rowCount() == 12 and table.titles == ("trial", "seed", "value", "joint.slide.stiffness", "joint.slide.damping") and not panel.message.isVisible()
    trial, best = panel.results.best()
    assert panel.progress.text() == f"12 of 12, best {best:.5g}" and panel.start.isEnabled() and not panel.stop.isEnabled()
    assert best == pytest.approx(min(np.mean([row.value for row in panel.results.rows if row.point == point]) for point in range(6)))
    panel.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    first = panel.table.model().index(0, 0)
    assert panel.results.rows[int(panel.table.model().data(first))].value == min(row.value for row in panel.results.rows)

    # a line, then a dot of the map, is picked
    assert panel.picture.currentText() == LINES
    bench.settled()
    pressed(panel.lines, panel.lines.pixel_of(trial, 2))
    assert panel.chosen == trial == panel.table.current and panel.open_trial.isEnabled()
    choose(bench, panel.picture, MAP)
    bench.settled()
    other = next(row.trial for row in panel.results.rows if row.values != panel.results.rows[trial].values and row.seed == 0)
    pressed(panel.map, panel.map.pixel_of(other))
    assert panel.chosen == other == panel.table.current
    choose(bench, panel.picture, COURSE)
    course = panel.results.best_so_far()
    assert (np.diff(course) <= 0).all() and course[-1] == best

    # and done again, in this window
    value = panel.results.rows[other].value
    click(panel.open_trial)
    bench.wait(lambda: not panel.opener.runs and bench.context.model is not None and bench.context.model.jnt_stiffness[0] == panel.results.rows[other].values["joint.slide.stiffness"], 120_000)
    assert not panel.message.isVisible() and math.isfinite(value)


def test_what_is_known_is_there_at_once_and_a_run_is_stopped_and_gone_on_with(opened):
    bench, panel = opened(LONG)
    click(panel.start)
    bench.wait(lambda: panel.table.trials.rowCount() > 4, 120_000)
    assert panel.process.runs and panel.progress.maximum() == 240 and "of 240, " in panel.progress.text() and panel.progress.text().count("left") == 1
    click(panel.stop)
    bench.wait(lambda: not panel.process.runs, 60_000)
    known = len(panel.results.rows)
    assert 4 < known < 240 and panel.start.isEnabled() and not panel.message.isVisible()      # it ended by itself
    panel.open(panel.study.path)        # as after a start of the window
    bench.wait(lambda: not panel.process.runs, 60_000)
    assert len(panel.results.rows) >= known and panel.message.text() == "Run goes on with it."
    panel.study.path.write_text(LONG.replace("steps = 60", "steps = 2"))    # another range: what of it is known is not run again
    ran(bench, panel)
    assert panel.table.trials.rowCount() == 8 and panel.progress.maximum() == 8


def test_what_is_wrong_is_said(opened):
    bench, panel = opened(STUDY.replace("minimise", "minimize"))
    assert panel.message.text() != NONE and "has either maximise or minimise" in panel.message.text() and panel.study is None and not panel.start.isEnabled()
    bench, panel = opened(STUDY.replace("joint.slide.damping", "joint.slide.dampnig"))
    assert "did you mean 'damping'" in panel.message.text()
    bench, panel = opened()
    panel.study.path.with_name("cart.xml").write_text("<mujoco>")
    ran(bench, panel)
    assert "cart.xml" in panel.message.text() and read(panel.study.path)


STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print("{}", flush=True)
time.sleep(600)
"""


def test_what_does_not_end_when_it_is_asked_to_is_killed_with_all_that_it_began(qtbot, monkeypatch):
    monkeypatch.setattr(sweep_process, "PATIENCE", 0.2)
    parent = QObject()
    sweep = SweepProcess(parent)
    stubborn = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    assert stubborn.stdout.readline() == b"{}\n"        # it does not listen from now on
    sweep._process = stubborn
    threading.Thread(target=sweep._read, args=(stubborn,), daemon=True).start()
    with qtbot.waitSignal(sweep.ended, timeout=60_000) as ended:
        sweep.stop()
    assert not sweep.runs and ended.args[1]      # said so
