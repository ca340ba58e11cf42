"""One drive in the panel Teleoperation: lamp, name, source and what it moves; opened, how it does."""
from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QColor, QPainter
from PyQt6.QtWidgets import QComboBox, QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.inputs.drives.table import DRIVES
from app.inputs.hub import DriveState
from app.inputs.mapping.dead_man import Lamp
from app.inputs.mapping.drive_mapping import DriveMapping
from app.inputs.table import SOURCES, kind_of, missing_packages
from app.panels.teleoperation.learn_line import AIR, LearnLine
from app.panels.teleoperation.weld_menu import TIPS, TITLE
from editor.widgets.number_edit import NumberEdit

# colours that are told apart on light and dark ground, by shape, too: the word beside says it
LAMPS = MappingProxyType({Lamp.DISARMED: "#8a8f98", Lamp.ARMED: "#3fa45b", Lamp.HOLDING: "#d99a2b", Lamp.LOST: "#cf4a4a"})
WORDS = MappingProxyType({Lamp.DISARMED: "off", Lamp.ARMED: "ready", Lamp.HOLDING: "holds: no word from its source", Lamp.LOST: "lost: close the clutch anew"})
FOLLOWS = "follows"
DOT = 10        # logical pixels
# names of sources that are offered: the parts of what sends as several
PARTS = MappingProxyType({"pad": ("pad:0", "pad:1"), "xr": ("xr:right", "xr:left", "xr:head", "xr:phone"), "script": ()})
NAMES = MappingProxyType({"xr:right": "Headset, right", "xr:left": "Headset, left", "xr:head": "Headset, head", "xr:phone": "Phone"})
FRAMES = MappingProxyType({"view": "the view", "world": "the world", "tool": "the tool"})
CLUTCHES = MappingProxyType({"": "as its source has it", "always": "always closed"})


class LampDot(QWidget):
    """A dot in the lamp's colour."""

    def __init__(self):
        super().__init__()
        self.lamp = Lamp.DISARMED
        self.setFixedSize(DOT + 4, DOT + 4)

    def show_lamp(self, lamp: Lamp) -> None:
        """Another colour, if it is another lamp."""
        if lamp is not self.lamp:
            self.lamp = lamp
            self.update()

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(LAMPS[self.lamp]))
        painter.drawEllipse(2, 2, DOT, DOT)


def source_title(name: str) -> str:
    """A source for people: 'Gamepad (0)' of 'pad:0'; one of no known kind as it is called."""
    kind, part = SOURCES.get(name.partition(":")[0]), name.partition(":")[2]
    if kind is None or name in NAMES:
        return NAMES.get(name, name)
    return f"{kind.title} ({part})" if part else kind.title


def offered_sources() -> list[tuple[str, str, str]]:
    """(name, title, packages that are missing) of the sources that can be chosen."""
    return [(name, source_title(name), ", ".join(missing_packages(kind))) for kind in SOURCES.values() for name in PARTS.get(kind.prefix, (kind.prefix,))]


def moves(one: DriveMapping) -> str:
    """What a drive moves, in words."""
    kind = DRIVES[one.kind].title if one.kind in DRIVES else one.kind
    what = one.mocap or one.site or one.body or ", ".join(one.joints or one.actuators or tuple(f"{axis} \u2192 {row[0]}" for axis, row in one.controls.items()))
    return f"{kind}: {what}" if what else kind


def follows(state: DriveState) -> str:
    """That it does, and at which scale where that is not 1."""
    return FOLLOWS if state.scale == 1.0 else f"{FOLLOWS}, \u00d7 {state.scale:.2f}"


class DriveBox(QFrame):
    """Signals: arm_wanted(on), source_wanted(name), scale_edited(scale), changed(fields of the DriveMapping), remove_wanted(). learning: its faders; weld: offered where a mocap body, or what
    it would lead, is missing."""

    arm_wanted = pyqtSignal(bool)
    source_wanted = pyqtSignal(str)
    scale_edited = pyqtSignal(float)
    changed = pyqtSignal(dict)
    remove_wanted = pyqtSignal()

    def __init__(self, one: DriveMapping):
        super().__init__()
        self.mapping = one
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.dot, self.name, self.state, self.moves = LampDot(), QLabel(one.name), QLabel(""), QLabel(moves(one))
        font = self.name.font()
        font.setBold(True)
        self.name.setFont(font)
        for label in (self.name, self.state, self.moves):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            label.setMinimumWidth(40)
        for label in (self.name, self.moves, self.state):
            label.setWordWrap(True)
        self.state.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.arm = QPushButton("Arm")
        self.arm.setCheckable(True)
        self.arm.setMinimumWidth(self.arm.fontMetrics().horizontalAdvance("Let go") + AIR)
        self.arm.setToolTip("Have it follow its source, or let go of it")
        self.arm.clicked.connect(self.arm_wanted)
        self.source = QComboBox()
        self.source.setToolTip("The device that it follows")
        self.source.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.source.setMinimumContentsLength(9)
        for name, title, missing in offered_sources():
            self.source.addItem(title, name)
            if missing:
                self.source.setItemData(self.source.count() - 1, f"needs {missing}: pip install \"linkwork[teleop]\"", Qt.ItemDataRole.ToolTipRole)
        if self.source.findData(one.source) < 0:
            self.source.addItem(source_title(one.source), one.source)
        self.source.setCurrentIndex(self.source.findData(one.source))
        self.source.activated.connect(lambda _index: self.source_wanted.emit(self.source.currentData()))
        self.more = QToolButton()
        self.more.setAutoRaise(True)
        self.more.setArrowType(Qt.ArrowType.RightArrow)
        self.more.setToolTip("Scale, speed, filter, clutch, frame")
        self.more.clicked.connect(lambda _on=False: self.fold(self.details.isVisibleTo(self)))
        self.details = self._make_details(one)
        self.learning, self.weld = LearnLine(one), QToolButton()
        self.weld.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.weld.hide()
        self._lay_out()
        self.fold(True)

    def _make_details(self, one: DriveMapping) -> QWidget:
        """The numbers that are seldom changed."""
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        kind = kind_of(one.source) if one.source.partition(":")[0] in SOURCES else None
        cutoff = one.filter.min_cutoff if one.filter.min_cutoff is not None else kind.cutoff if kind is not None else 0.0
        beta = one.filter.beta if one.filter.beta is not None else kind.beta if kind is not None else 0.0
        self.scale, self.speed, self.turn = NumberEdit(one.scale[0], 0.01, 100.0), NumberEdit(one.limits.speed, 0.001, 100.0), NumberEdit(one.limits.turn, 0.01, 100.0)
        self.cutoff, self.beta = NumberEdit(cutoff, 0.0, 1000.0), NumberEdit(beta, 0.0, 1000.0)
        self.frame, self.clutch = QComboBox(), QComboBox()
        for combo, rows, now in ((self.frame, FRAMES, one.frame), (self.clutch, CLUTCHES, one.clutch)):
            for value, title in rows.items():
                combo.addItem(title, value)
            if combo.findData(now) < 0:
                combo.addItem(now, now)
            combo.setCurrentIndex(combo.findData(now))
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(9)
        rows = (("Scale", self.scale, "How far the target goes for a way of the device; 0.25 is fine work, 4 reaches far. The wheel over the view changes it while the drive is held"),
                ("Speed [m/s]", self.speed, "The target goes no faster"), ("Turn [rad/s]", self.turn, "The target turns no faster"),
                ("Cutoff [Hz]", self.cutoff, "Of the one-euro filter at rest: less is smoother and later; 0: no filter"),
                ("Beta", self.beta, "How much the filter opens with speed: more is quicker and less smooth"),
                ("Clutch", self.clutch, "The button that is held while it follows"), ("Frame", self.frame, "Along whose axes it moves"))
        for k, (title, part, tip) in enumerate(rows):
            label = QLabel(title)
            for widget in (label, part):
                widget.setToolTip(tip)
            grid.addWidget(label, k, 0)
            grid.addWidget(part, k, 1)
        self.scale.edited.connect(self.scale_edited)
        self.speed.edited.connect(lambda _value: self._limits())
        self.turn.edited.connect(lambda _value: self._limits())
        self.cutoff.edited.connect(lambda _value: self._filter())
        self.beta.edited.connect(lambda _value: self._filter())
        self.frame.activated.connect(lambda _index: self.changed.emit({"frame": self.frame.currentData()}))
        self.clutch.activated.connect(lambda _index: self.changed.emit({"clutch": self.clutch.currentData()}))
        self.remove = QPushButton("Remove")
        self.remove.setToolTip("Take this drive out of the mapping")
        self.remove.clicked.connect(lambda _on=False: self.remove_wanted.emit())
        grid.addWidget(self.remove, len(rows), 1, Qt.AlignmentFlag.AlignRight)
        grid.setColumnStretch(0, 1)
        return box

    def _limits(self) -> None:
        self.changed.emit({"limits": replace(self.mapping.limits, speed=self.speed.number, turn=self.turn.number)})

    def _filter(self) -> None:
        self.changed.emit({"filter": replace(self.mapping.filter, min_cutoff=self.cutoff.number, beta=self.beta.number)})

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        for widget, stretch in ((self.more, 0), (self.dot, 0), (self.name, 1), (self.arm, 0)):
            first.addWidget(widget, stretch)
        second.addWidget(self.source)
        second.addWidget(self.state, 1)
        second.addWidget(self.learning.learn)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 3, 4, 3)
        column.setSpacing(2)
        column.addLayout(first)
        column.addWidget(self.moves)
        column.addLayout(second)
        column.addWidget(self.weld, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.learning)
        column.addWidget(self.details)

    def offer_weld(self, missing: str) -> None:
        """What its mocap body lacks (app.controllers.teleoperation.welding.lacks_weld), '' for nothing."""
        self.weld.setVisible(bool(missing))
        if missing:
            self.weld.setText(TITLE if missing == "body" else "Weld a body to it")
            self.weld.setToolTip(TIPS[missing])

    def fold(self, folded: bool) -> None:
        """Hide what is seldom needed, or show it."""
        self.details.setVisible(not folded)
        self.more.setArrowType(Qt.ArrowType.RightArrow if folded else Qt.ArrowType.DownArrow)

    def show_state(self, state: DriveState) -> None:
        """How it stands now."""
        self.dot.show_lamp(state.lamp)
        words = "\n".join(map(str, state.problems)) or "\n".join((follows(state) if state.lamp is Lamp.ARMED and state.following else WORDS[state.lamp], *state.waiting))
        if self.state.text() != words:
            self.state.setText(words)
            self.state.setToolTip(words)
        on = state.lamp is not Lamp.DISARMED
        if self.arm.isChecked() != on:
            self.arm.setChecked(on)
            self.arm.setText("Let go" if on else "Arm")
        self.arm.setEnabled(not state.problems)
