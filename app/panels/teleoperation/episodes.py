"""Demonstrations: a bar that begins and ends episodes, how they are begun and found to succeed, and the list of them."""
from __future__ import annotations

from functools import partial
from types import MappingProxyType

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHeaderView, QLabel, QLineEdit, QMenu, QPushButton, QSizePolicy, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.demonstrations.episodes import BROKEN, DISCARD, FAILURE, OPEN, SUCCESS, Episode
from app.demonstrations.starts import Range
from app.panels.compare.wrapped_row import WrappedRow
from app.panels.diagnostics.fitted_tree import FittedTree, put
from app.panels.diagnostics.query_panel import show_note, text_label
from app.panels.live_panel import LivePanel
from app.panels.teleoperation.policy_box import PolicyBox
from app.panels.teleoperation.recorded_box import AIR, RecordedBox
from editor.widgets.number_edit import NumberEdit
from editor.widgets.section import Section
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

HEADS = ("", "Task", "Outcome", "Seconds", "By")
WORDS = MappingProxyType({OPEN: "goes on", BROKEN: "broken off", SUCCESS: "success", FAILURE: "failure", DISCARD: "discarded"})
SPREAD = 0.05       # m or rad that starts are drawn within at first
FREE = 0


class DemonstrationsPanel(LivePanel):
    """The bar on top is all that is needed while one demonstrates."""

    def __init__(self, context: AppContext, demonstrations: DemonstrationsController, companions: CompanionsController):
        super().__init__(context)
        self.control = demonstrations
        self.start, self.success, self.failure, self.discard = QPushButton("Start"), QPushButton("Success"), QPushButton("Failure"), QPushButton("Discard")
        for button in (self.start, self.success, self.failure, self.discard):      # all of them in one line where there is room for the panel's list
            button.setFixedWidth(button.fontMetrics().horizontalAdvance(button.text()) + AIR)
        self.again = QToolButton()
        self.again.setText("More")
        self.again.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.again)
        for title, word, tip in (("Record again", "record again", "Discard this one, go to the start and begin anew"), ("Reset", "reset", "Go to the start, or to the next one that is drawn"),
                                 ("Undo the last mark", "undo", "As if the last start or outcome had not been said"), ("Stop without an outcome", "stop", "It may be judged later")):
            action = menu.addAction(title)
            action.setToolTip(tip)
            action.triggered.connect(partial(self._say, word))
        self.again.setMenu(menu)
        for button, word, tip in ((self.start, "start", "An episode begins with the present state"), (self.success, "success", "It ends well"), (self.failure, "failure", "It ends badly"),
                                  (self.discard, "discard", "It is not to count; 'Undo the last mark' brings it back")):
            button.setToolTip(tip)
            button.clicked.connect(partial(self._say, word))
        self.task = QLineEdit()
        self.task.setPlaceholderText("What is to be done: put the peg into the cup")
        self.task.editingFinished.connect(lambda: demonstrations.describe(self.task.text().strip()))
        self.counts, self.note = text_label(), text_label()
        self._make_start()
        self.list = FittedTree(HEADS, 1)
        self.list.setRootIsDecorated(False)
        for column in (0, 2, 3, 4):
            self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.recorded = RecordedBox(context, demonstrations, self.list)
        self._lay_out()
        demonstrations.changed.connect(self._show)
        demonstrations.told.connect(lambda text: show_note(self.note, text))
        show_note(self.note, "")
        self.fill_with_models(self._fill)
        self._show()

    def _make_start(self) -> None:
        """Where episodes begin, and when they succeed by themselves."""
        self.key = QComboBox()
        self.key.setToolTip("Where Reset goes")
        self.key.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.key.setMinimumContentsLength(7)
        self.key.activated.connect(lambda _index: self._start_changed())
        self.drawn = QCheckBox("Scatter by [m]")
        self.drawn.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)     # no wider than what a click on it ticks
        self.drawn.setToolTip("Bodies on free joints begin that far from their place in x and y, drawn anew for each episode, the same for the same seed")
        self.drawn.clicked.connect(lambda _on: self._start_changed())
        self.spread, self.seed = NumberEdit(SPREAD, 0.0, 100.0), NumberEdit(0, 0, 2**31 - 1, whole=True)
        for field in (self.spread, self.seed):
            field.edited.connect(lambda _value: self._start_changed())
        self.expression, self.held = QLineEdit(), NumberEdit(0.5, 0.0, 1000.0)
        self.expression.setPlaceholderText('body("cup").xpos[2] > 0.2, or a sensor')
        self.expression.setToolTip("Ends an episode as a success where it is not 0 for so long")
        self.expression.editingFinished.connect(self._success_changed)
        self.held.edited.connect(lambda _value: self._success_changed())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        rows = (("Begins at", self.key), (self.drawn, self.spread), ("Seed", self.seed), ("Succeeds by itself where", None), (self.expression, self.held))
        for k, (left, right) in enumerate(rows):
            grid.addWidget(QLabel(left) if isinstance(left, str) else left, k, 0, 1, 1 if right is not None else 3)
            if right is not None:
                grid.addWidget(right, k, 1)
        grid.addWidget(QLabel("s"), len(rows) - 1, 2)
        grid.setColumnStretch(0, 1)
        self.how = Section("Start and success", opened=False)
        self.how.body.setLayout(grid)
        self.episodes = Section("Episodes")
        self.episodes.add(self.list)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(4)
        column.addWidget(WrappedRow(self.start, self.success, self.failure, self.discard, self.again))
        column.addWidget(self.task)
        for widget in (self.counts, self.note, self.how, self.episodes, self.recorded):
            column.addWidget(widget)
        column.addWidget(PolicyBox(self.control.policy))
        column.addStretch(1)

    def _fill(self, m: Model) -> None:
        self.key.clear()
        self.key.addItem("start of the model", None)
        for k in range(m.nkey):
            self.key.addItem(m.name("key", k) or f"key {k}", m.name("key", k) or k)
        self.key.setCurrentIndex(max(0, self.key.findData(self.control.start.key)))

    # ------------------------------------------------------------------ what is asked

    def _say(self, word: str, _checked: bool = False) -> None:
        self.control.say(word, self.task.text().strip() if word == "start" else "")

    def _start_changed(self) -> None:
        m, reach, ranges = self._context.model, self.spread.number, []
        if self.drawn.isChecked() and m is not None:
            ranges = [Range(f"{m.name('joint', j) or j}.{axis}", -reach, reach) for j in range(m.njnt) if m.jnt_type[j] == FREE for axis in "xy"]
        self.control.begin_at(self.key.currentData(), tuple(ranges), int(self.seed.number))

    def _success_changed(self) -> None:
        self.control.succeed_by(self.expression.text().strip(), self.held.number)

    # ------------------------------------------------------------------ what is shown

    def show_snapshot(self, _snapshot: Snapshot) -> None:
        """How long the present one lasts."""
        self._show_times()

    def _show(self) -> None:
        episodes, current = self.control.all, self.control.current
        self.start.setEnabled(current is None)
        for button in (self.success, self.failure, self.discard):
            button.setEnabled(bool(episodes))
        counts = self.control.counts
        said = [f"{counts[word]} {title}" for word, title in ((SUCCESS, "succeeded"), (FAILURE, "failed"), (DISCARD, "discarded")) if counts.get(word)]
        state = f"Episode {current.number} is being recorded" if current is not None else f"{len(episodes)} episodes" if episodes else "Nothing is recorded yet"
        self.counts.setText(": ".join((state, ", ".join(said))) if said else state)
        if self.control.episodes is not None and not self.task.hasFocus():
            self.task.setText(self.control.episodes.task)
        while self.list.topLevelItemCount() > len(episodes):
            self.list.takeTopLevelItem(self.list.topLevelItemCount() - 1)
        while self.list.topLevelItemCount() < len(episodes):
            item = self.list.add(None, [""] * len(HEADS))
            item.setTextAlignment(3, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for k, one in enumerate(episodes):
            self._show_row(k, one)
        self.list.fit()

    def _show_row(self, k: int, one: Episode) -> None:
        item = self.list.topLevelItem(k)
        tip = "\n".join((*((one.how,) if one.how else ()), *one.notes))
        for column, text in enumerate((str(one.number), one.task, WORDS[one.outcome], self._seconds(one), ", ".join(dict.fromkeys(who for _entry, who in one.drivers)))):
            put(item, column, text, tip)

    def _seconds(self, one: Episode) -> str:
        m = self._context.model
        return f"{one.steps * float(m.opt_timestep):.1f}" if m is not None else ""

    def _show_times(self) -> None:
        current = self.control.current
        if current is not None and self.list.topLevelItemCount() == len(self.control.all):
            put(self.list.topLevelItem(current.number - 1), 3, self._seconds(current))
