"""Simulation: control noise, and what happens while paused and when it diverges. Run, keyframes and history: app.windows.timeline_bar."""
from PyQt6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.context import AppContext
from editor.widgets.section import Section
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime import commands

NOISE_SCALE, NOISE_RATE = (0.0, 1.0), (0.0, 4.0)   # ranges of the official sliders


class SimulationPanel(QWidget):
    """Two sections."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        layout.addWidget(self._run_section())
        layout.addWidget(self._noise_section())
        layout.addStretch(1)

    def _run_section(self) -> Section:
        section = Section("Run", True)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(6, 0, 6, 0)
        self._update_while_paused = QCheckBox("Refine forces while paused")
        self._update_while_paused.setToolTip("While paused the solver goes on from its last result, so that the forces shown converge")
        self._update_while_paused.clicked.connect(lambda on: self._context.runner.send(commands.SetPauseUpdate(on)))
        column.addWidget(self._update_while_paused)
        self._auto_reset = QCheckBox("Reset when it diverges")
        self._auto_reset.setToolTip("Otherwise the simulation pauses, names the degree of freedom, and keeps the last good state")
        self._auto_reset.clicked.connect(lambda on: self._context.runner.send(commands.SetAutoReset(on)))
        column.addWidget(self._auto_reset)
        return section

    def _noise_section(self) -> Section:
        section = Section("Control noise", True)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(0, 0, 0, 0)
        self.scale = SliderRow(RowSpec("Scale", *NOISE_SCALE, 0.0, "Standard deviation, as a share of half the control range"))
        self.rate = SliderRow(RowSpec("Rate [s]", *NOISE_RATE, 0.0, "Correlation time"))
        for row in (self.scale, self.rate):
            row.edited.connect(lambda _value: self._context.runner.latest("noise", commands.SetNoise(self.scale.value, self.rate.value)))
            column.addWidget(row)
        return section
