"""Simulation: keyframes, the history with its time axis, control noise."""
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton, QSlider, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.simulation import SimulationController
from editor.widgets.section import Section
from editor.widgets.slider_row import RowSpec, SliderRow
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

NOISE_SCALE, NOISE_RATE = (0.0, 1.0), (0.0, 4.0)   # ranges of the official sliders


class SimulationPanel(QWidget):
    """Three sections; the history slider shows how far back its entries reach."""

    def __init__(self, context: AppContext, simulation: SimulationController):
        super().__init__()
        self._context = context
        self._simulation = simulation
        layout = QVBoxLayout(self)
        layout.setSpacing(1)
        layout.addWidget(self._run_section())
        layout.addWidget(self._key_section())
        layout.addWidget(self._history_section())
        layout.addWidget(self._noise_section())
        layout.addStretch(1)
        context.model_changed.connect(self._fill_keys)
        context.snapshot_ready.connect(self._update)
        if context.model is not None:
            self._fill_keys(context.model)

    # ------------------------------------------------------------------ making

    def _run_section(self) -> Section:
        section = Section("Run", True)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(6, 0, 6, 0)
        line = QHBoxLayout()
        for title, method in (("Reset", self._simulation.reset), ("Step back", self._simulation.step_back), ("Step", self._simulation.step_forward)):
            button = QPushButton(title)
            button.clicked.connect(lambda _checked=False, method=method: method())
            line.addWidget(button)
        column.addLayout(line)
        self._update_while_paused = QCheckBox("Refine forces while paused")
        self._update_while_paused.setToolTip("While paused the solver goes on from its last result, so that the forces shown converge")
        self._update_while_paused.clicked.connect(lambda on: self._context.runner.send(commands.SetPauseUpdate(on)))
        column.addWidget(self._update_while_paused)
        self._auto_reset = QCheckBox("Reset when it diverges")
        self._auto_reset.setToolTip("Otherwise the simulation pauses, names the degree of freedom, and keeps the last good state")
        self._auto_reset.clicked.connect(lambda on: self._context.runner.send(commands.SetAutoReset(on)))
        column.addWidget(self._auto_reset)
        return section

    def _key_section(self) -> Section:
        section = Section("Keyframes", True)
        line = QHBoxLayout(section.body)
        line.setContentsMargins(6, 0, 6, 0)
        self._keys = QComboBox()
        self._keys.setMinimumContentsLength(6)
        line.addWidget(self._keys, 1)
        self._load, self.store, copy = QPushButton("Load"), QPushButton("Store"), QPushButton("Copy")
        self.store.setToolTip("Put the present state in its place, in the model in memory")
        copy.setToolTip("The present state as a <key> element on the clipboard")
        self._load.clicked.connect(lambda _checked=False: self._simulation.load_key(self._keys.currentIndex()))
        self.store.clicked.connect(lambda _checked=False: self._simulation.save_key(self._keys.currentIndex()))
        copy.clicked.connect(lambda _checked=False: self._simulation.copy_state())
        self._keys.activated.connect(self._simulation.load_key)
        for button in (self._load, self.store, copy):
            button.setMinimumWidth(20)
            line.addWidget(button)
        return section

    def load_key(self, name: str) -> None:
        """Choose a keyframe by name and go there."""
        self._keys.setCurrentText(name)
        self._load.click()

    def _history_section(self) -> Section:
        section = Section("History", True)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(6, 0, 6, 0)
        self.history = QSlider(Qt.Orientation.Horizontal)
        self.history.valueChanged.connect(lambda value: self._context.runner.latest("scrub", commands.Scrub(value)))
        self._history_text = QLabel("")
        column.addWidget(self.history)
        column.addWidget(self._history_text)
        return section

    def _noise_section(self) -> Section:
        section = Section("Control noise", False)
        column = QVBoxLayout(section.body)
        column.setContentsMargins(0, 0, 0, 0)
        self.scale = SliderRow(RowSpec("Scale", *NOISE_SCALE, 0.0, "Standard deviation, as a share of half the control range"))
        self.rate = SliderRow(RowSpec("Rate [s]", *NOISE_RATE, 0.0, "Correlation time"))
        for row in (self.scale, self.rate):
            row.edited.connect(lambda _value: self._context.runner.latest("noise", commands.SetNoise(self.scale.value, self.rate.value)))
            column.addWidget(row)
        return section

    # ------------------------------------------------------------------ values

    def _fill_keys(self, model) -> None:
        chosen, names = self._keys.currentText(), [name or f"keyframe {i}" for i, name in enumerate(model.names["key"])]
        if names != [self._keys.itemText(i) for i in range(self._keys.count())]:
            self._keys.clear()
            self._keys.addItems(names)
            self._keys.setCurrentText(chosen)
        for widget in (self._keys, self._load, self.store):
            widget.setEnabled(model.nkey > 0)

    def _update(self, snapshot: Snapshot) -> None:
        if not self.isVisible():
            return
        if not self.history.isSliderDown():
            self.history.blockSignals(True)
            self.history.setRange(0, max(0, snapshot.history_length - 1))
            self.history.setValue(snapshot.history_index)
            self.history.blockSignals(False)
        oldest, newest = snapshot.history_time
        self._history_text.setText(f"{snapshot.time:.3f} s   of {oldest:.3f} to {newest:.3f} s   ({snapshot.history_length} steps)")
