"""Studies: many runs of a model, conducted by processes beside the window, searched for the best; each can be opened as a recording.

    study.toml --`linkwork sweep`, a process--> rows, progress --> Results --> table, parallel coordinates, map, best so far
    a row, a line, a dot --> the chosen trial --`linkwork sweep --trial N`--> recording --> the window
"""
from __future__ import annotations

import math
import tempfile
import time
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLabel, QProgressBar, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.query_panel import text_label
from app.panels.in_turn import in_turn_of
from app.panels.live_panel import Sight
from app.panels.studies.study_plots import BestPlot, MapPlot, ParallelPlot
from app.panels.studies.sweep_process import SweepProcess
from app.panels.studies.trials_table import TrialsTable
from app.session import Session
from app.studies.left_time import left_text
from app.studies.results import Results, Row
from app.studies.study import Study
from app.studies.study_file import StudyError, read

SHOW_MS = 250           # between two pictures while trials come
NONE = "Open a study: a file that says what varies and what is best (docs/studies.md)."
LINES, MAP, COURSE = "Parallel coordinates", "Map of two values", "Best so far"
FILTER = "Studies (*.toml)"


class StudiesPanel(QWidget):
    """study: what is open; results: of its trials; chosen: number of the trial that is marked, -1 for none."""

    def __init__(self, context: AppContext, session: Session):
        super().__init__()
        self._context, self._session = context, session
        self.study: Study | None = None
        self.results: Results | None = None
        self.chosen = -1
        self._conducting = False        # whether the process runs trials, else it reads what is known
        self._begun, self._known_first = 0.0, 0
        self._far: dict = {}
        self._changed = False
        self._folder: tempfile.TemporaryDirectory | None = None
        self.process, self.opener = SweepProcess(self), SweepProcess(self)
        self._make()
        self._lay_out()
        self._connect()
        self._show_all()

    def _make(self) -> None:
        self.open_button, self.name = QPushButton("Open study…"), QLabel()
        self.start, self.stop = QPushButton("Run"), QPushButton("Stop")
        self.start.setToolTip("Run all trials that its table does not have yet, in processes beside the window")
        self.stop.setToolTip("What has been done is kept; Run goes on with it")
        self.progress, self.message = QProgressBar(), text_label()
        self.table = TrialsTable()
        self.open_trial = QPushButton("Open trial")
        self.open_trial.setToolTip("Do the chosen trial again and open it as a recording in this window (double click)")
        self.picture = QComboBox()
        self.picture.addItems((LINES, MAP, COURSE))
        self.across, self.up = QComboBox(), QComboBox()
        self.across.setToolTip("Value along the map's horizontal axis")
        self.up.setToolTip("Value along its vertical axis")
        turn = in_turn_of(self._context)
        self.lines, self.map, self.course = ParallelPlot(turn), MapPlot(turn), BestPlot(turn)
        self.pictures = QStackedWidget()
        for plot in (self.lines, self.map, self.course):
            self.pictures.addWidget(plot)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(SHOW_MS)

    def _lay_out(self) -> None:
        head, below, choice = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for part in (self.open_button, self.start, self.stop):
            head.addWidget(part)
        head.addWidget(self.name, 1)
        below.addWidget(self.open_trial)
        below.addWidget(self.progress, 1)
        choice.addWidget(self.picture)
        choice.addWidget(self.across)
        choice.addWidget(self.up)
        choice.addStretch(1)
        left, right, split = QWidget(), QWidget(), QSplitter()
        for side, parts in ((left, (head, self.message, self.table, below)), (right, (choice, self.pictures))):
            layout = QVBoxLayout(side)
            layout.setContentsMargins(4, 4, 4, 4)
            layout.setSpacing(4)
            for part in parts:
                layout.addWidget(part) if isinstance(part, QWidget) else layout.addLayout(part)
            split.addWidget(side)
        split.setChildrenCollapsible(False)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(split)

    def _connect(self) -> None:
        self.open_button.clicked.connect(lambda _checked=False: self._ask())
        self.start.clicked.connect(lambda _checked=False: self._run())
        self.stop.clicked.connect(lambda _checked=False: self.process.stop())
        self.open_trial.clicked.connect(lambda _checked=False: self._open_trial(self.chosen))
        self.table.opened.connect(self._open_trial)
        self.table.chosen.connect(self._choose)
        for plot in (self.lines, self.map):
            plot.picked.connect(self._picked)
        self.picture.currentTextChanged.connect(lambda _text: self._show_pictures())
        for box in (self.across, self.up):
            box.activated.connect(lambda _index: self._show_pictures())
        self.process.row.connect(self._add)
        self.process.progress.connect(self._come_so_far)
        self.process.ended.connect(self._ended)
        self.opener.ended.connect(self._trial_made)
        self._later.timeout.connect(self._show_new)
        Sight(self).changed.connect(lambda seen: self._show_new() if seen else None)

    # ------------------------------------------------------------------ a study

    def _ask(self) -> None:
        start = self.study.path if self.study else self._session.document.path
        name, _filter = QFileDialog.getOpenFileName(self, "Open study", str(Path(start).parent) if start else "", FILTER)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Show a study: what its table knows."""
        try:
            study = read(path.resolve())
        except (StudyError, OSError, UnicodeDecodeError) as why:
            self._say(str(why))
            return
        self._begin(study, conducting=False)

    def _run(self) -> None:
        if self.study is None:
            return
        try:
            study = read(self.study.path)       # as it is now
        except (StudyError, OSError, UnicodeDecodeError) as why:
            self._say(str(why))
            return
        self._begin(study, conducting=True)

    def _begin(self, study: Study, conducting: bool) -> None:
        self.study, self.results, self.chosen, self._conducting = study, None, -1, conducting
        self._far, self._begun = {}, time.monotonic()
        self._say("")
        try:
            self.process.begin(study.path, "--progress", *(() if conducting else ("--known",)))
        except OSError as why:
            self._say(f"The process could not be begun: {why}")
        self.table.show_results(None)
        self._show_all()

    def _add(self, row: Row) -> None:
        if self.results is None:
            self.results = Results(tuple(row.values), self.study.goal.largest, self.study.seeds)
            self.table.show_results(self.results)
            self._offer_axes()
        self.results.add(row)
        self._changed = True
        if not self._later.isActive():
            self._later.start()

    def _come_so_far(self, far: dict) -> None:
        if not self._far:
            self._known_first = far["known"]
        self._far = far
        if not self._later.isActive():
            self._later.start()

    def _ended(self, said: dict, problem: str) -> None:
        if problem:
            self._say(problem)
        elif said.get("problems"):
            self._say(f"Not run: {said['problems'][0]}")
        elif self.results is None:
            self._say("Nothing has been run yet." if not self._conducting else "")
        elif not self._conducting and self._far.get("done", 0) < self._far.get("total", 0):
            self._say("Run goes on with it.")
        self._conducting = False
        self._show_new()

    # ------------------------------------------------------------------ a trial

    def _picked(self, trial: int) -> None:
        self.table.choose(trial)
        self._choose(trial)

    def _choose(self, trial: int) -> None:
        if trial != self.chosen:
            self.chosen = trial
            self._show_pictures()
            self._show_buttons()

    def _open_trial(self, trial: int) -> None:
        if trial < 0 or self.study is None or self.opener.runs:
            return
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="linkwork-trials-", ignore_cleanup_errors=True)
        try:
            self.opener.begin(self.study.path, "--trial", str(trial), "-o", self._folder.name)
        except OSError as why:
            self._say(f"The process could not be begun: {why}")
        self._say(f"Trial {trial} is being done again.")
        self._show_buttons()

    def _trial_made(self, said: dict, problem: str) -> None:
        self._say(problem)
        if not problem:
            self._session.open(Path(said["file"]))
        self._show_buttons()

    # ------------------------------------------------------------------ showing

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _show_all(self) -> None:
        self.name.setText(self.study.path.name if self.study else "")
        self.name.setToolTip(str(self.study.path) if self.study else "")
        if self.study is None:
            self._say(NONE)
        self._offer_axes()
        self._show_new()

    def _offer_axes(self) -> None:
        names = self.results.names if self.results else ()
        for k, box in enumerate((self.across, self.up)):
            if [box.itemText(i) for i in range(box.count())] != list(names):
                box.clear()
                box.addItems(names)
                box.setCurrentIndex(min(k, len(names) - 1))

    def _show_new(self) -> None:
        """What has come since the last time."""
        self.table.grown()
        self._changed = False
        self._show_pictures()
        self._show_buttons()

    def _show_pictures(self) -> None:
        kind = self.picture.currentText()
        self.pictures.setCurrentIndex(self.picture.currentIndex())
        for box in (self.across, self.up):
            box.setVisible(kind == MAP)
        if not self.isVisible():
            return
        results = self.results or Results((), True)
        if kind == COURSE:
            self.course.show_course(results.best_so_far())
            return
        trials, values, means = results.points()
        chosen = self._of_point(trials)
        self.map.axes = (max(0, self.across.currentIndex()), max(0, self.up.currentIndex()) if len(results.names) > 1 else 1)
        (self.map if kind == MAP else self.lines).show_points(results.names, trials, values, means, results.largest, chosen)

    def _of_point(self, trials: np.ndarray) -> int:
        """The trial that stands for the point of the chosen one."""
        row = next((row for row in self.results.rows if row.trial == self.chosen), None) if self.results else None
        return -1 if row is None else next((other.trial for other in self.results.rows if other.point == row.point and other.trial in trials), -1)

    def _show_buttons(self) -> None:
        there, runs = self.study is not None, self.process.runs
        self.start.setEnabled(there and not (runs and self._conducting))
        self.stop.setEnabled(runs and self._conducting)
        self.open_trial.setEnabled(self.chosen >= 0 and not self.opener.runs)
        total, done = self._far.get("total", 0), self._far.get("done", 0)
        self.progress.setVisible(there and bool(total))
        self.progress.setMaximum(max(1, total))
        self.progress.setValue(min(done, total))
        self.progress.setFormat(self._progress_text(done, total))

    def _progress_text(self, done: int, total: int) -> str:
        best = self.results.best()[1] if self.results else math.nan
        said = [f"{done} of {max(done, total)}"]      # a search may finish its last population
        if self._conducting and done < total:
            new = done - self._known_first
            said.append(left_text((time.monotonic() - self._begun) / new * (total - done) if new else math.nan))
        if not math.isnan(best):
            said.append(f"best {best:.5g}")
        return ", ".join(said)
