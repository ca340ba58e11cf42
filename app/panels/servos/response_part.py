"""The response as curves: what is asked for, what runs and what is tried, held and in the mechanism; and the row above that says what the test is."""
from __future__ import annotations

from dataclasses import replace
from html import escape

import numpy as np
from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.diagnostics.query_panel import text_label
from app.panels.plots.curve import COLOURS
from app.panels.servos.curves_plot import FAINT, CurvesPlot, Line
from app.panels.servos.study import Tried
from editor.widgets.number_edit import NumberEdit
from physics.tuning.servos.force import Range
from physics.tuning.servos.law import VELOCITY
from physics.tuning.servos.trial import KINDS, SINE, Outcome, Trial

RUNS, TRIED = 0, 1      # numbers of COLOURS
TITLES = tuple(kind.capitalize() for kind in KINDS)


class TrialRow(QWidget):
    """What the servo is given. Signals: edited(trial) by the user; pose_wanted()."""

    edited = pyqtSignal(object)
    pose_wanted = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.trial = Trial()
        self.kind = QComboBox()
        self.kind.addItems(TITLES)
        self.kind.setToolTip("What the control does; it begins where the servo holds")
        self.amplitude, self.seconds, self.frequency = NumberEdit(0.1, share=1.2), NumberEdit(1.0, 1e-3, 100.0, share=1.2), NumberEdit(1.0, 1e-3, 1e4, share=1.2)
        self.amplitude.setToolTip("Of the control: height of the step, of the ramp at its end, amplitude of the sine")
        self.pose = QPushButton("Take this pose")
        self.pose.setToolTip("Test it in the pose of this moment; while paused that follows by itself")
        self._hertz = QLabel("at [Hz]")
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 0, 4, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for place, part in enumerate((self.kind, QLabel("by"), self.amplitude, QLabel("for [s]"), self.seconds)):
            grid.addWidget(part, 0, place)
        for place, part in enumerate((self.pose, self._hertz, self.frequency)):
            grid.addWidget(part, 1, (0, 3, 4)[place], 1, (2, 1, 1)[place])
        grid.setColumnStretch(5, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.kind.activated.connect(lambda index: self._edit(kind=KINDS[index]))
        self.amplitude.edited.connect(lambda value: self._edit(size=value))
        self.seconds.edited.connect(lambda value: self._edit(seconds=value))
        self.frequency.edited.connect(lambda value: self._edit(frequency=value))
        self.pose.clicked.connect(lambda _checked=False: self.pose_wanted.emit())
        self.show_trial(self.trial)

    def _edit(self, **given) -> None:
        self.trial = replace(self.trial, **given)
        self.show_trial(self.trial)
        self.edited.emit(self.trial)

    def show_trial(self, trial: Trial) -> None:
        """Show another one."""
        self.trial = trial
        self.kind.setCurrentIndex(KINDS.index(trial.kind))
        self.amplitude.show_value(trial.size)
        self.seconds.show_value(trial.seconds)
        self.frequency.show_value(trial.frequency)
        for part in (self._hertz, self.frequency):
            part.setVisible(trial.kind == SINE)


class ResponsePlots(QWidget):
    """Positions (of velocity servos velocities) above, forces below."""

    def __init__(self, context: AppContext):
        super().__init__()
        self.response, self.force = CurvesPlot(context, 10, ""), CurvesPlot(context, 8, "time [ms]")
        self.legend = text_label(rich=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        for part in (self.response, self.force, self.legend):
            layout.addWidget(part)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_responses(self, runs: Tried | None, tried: Tried | None, now: Outcome | None, kind: str, units: tuple[str, str], forcerange: Range | None,
                       left_out: tuple[str, ...] = ()) -> None:
        """runs, tried: in force, and others where there are some; now: the newest of what is tried, held, which comes before the rest. forcerange: of what is tried.
        left_out: what acts in the mechanism and not where all else is held."""
        found = [(RUNS, outcome, held) for outcome, held in ((runs.held, True), (runs.real, False))] if runs is not None else []
        if now is not None:
            colour = TRIED if tried is not None else RUNS
            found = [one for one in found if not (colour == RUNS and one[2])] + [(colour, now, True)]
        if tried is not None:
            found.append((TRIED, tried.real, False))
        shown = [(colour, outcome, held) for colour, outcome, held in found if outcome is not None]
        response = [Line(1e3 * outcome.trace.time, outcome.made, colour, held) for colour, outcome, held in shown]
        force = [Line(1e3 * outcome.trace.time, outcome.trace.force, colour, held) for colour, outcome, held in shown]
        if shown:
            last = max((outcome for _colour, outcome, _held in shown), key=lambda outcome: outcome.trace.steps)
            response.insert(0, Line(1e3 * last.trace.time, last.asked, FAINT, False, 1.0))
            if forcerange is not None:
                ends = 1e3 * last.trace.time[[0, -1]]
                force += [Line(ends, np.full(2, limit), FAINT, True, 1.0) for limit in forcerange]
        length = f"velocity [{units[0]}/s]" if kind == VELOCITY else f"position [{units[0]}]"
        self.response.show_lines(response, length)
        self.force.show_lines(force, f"force [{units[1]}]")
        marks = ((RUNS, "runs"), *(((TRIED, "tried"),) if tried is not None else ()))
        text = " &nbsp; ".join(f'<span style="color:{COLOURS[colour]}">▬</span> {word}' for colour, word in marks)
        without = f" (without {', '.join(left_out)})" if left_out else ""
        said = f"{text} &nbsp; full: in the mechanism, dashed: all else held{escape(without)}, grey: asked for, forcerange"
        if self.legend.text() != said:
            self.legend.setText(said)
