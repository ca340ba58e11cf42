"""Which fader sets which control, learnt by touching both: the fader or stick of a drive's source, and the slider of a control in the panel Controls.

    begin(drive) --a fader moves, a slider is touched, in any order--> a pair in the drive's `controls` --> the next pair ... --> end(), Esc

The drive lets go meanwhile; a fader takes over only when it comes past its control's value (app/inputs/drives/controls.py), so that nothing jumps afterwards.
"""
from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication

from app.context import AppContext
from app.controllers.teleoperation.devices import TeleoperationController

if TYPE_CHECKING:
    from app.inputs.mapping.drive_mapping import DriveMapping

LOOK_MS = 30
STILL = 0.7         # s without a motion after which what was just paired can be meant again: the hand that moved it goes on for a while
KINDS = ("controls", "joints")      # of drives that learn: one of joints becomes one of controls, for a fader tells no angles
SOURCES = ("midi", "pad")           # whose controls can be touched one by one


def can_learn(one: DriveMapping) -> bool:
    """Whether a drive's faders can be learnt."""
    return one.kind in KINDS and one.source.partition(":")[0] in SOURCES


class FaderTeaching(QObject):
    """Signals: changed() `drive`, `axis`, `actuator` or `last` is another.

    drive: name of the drive that learns, '' for none; axis, actuator: what was touched of the next pair, '' for nothing yet; last: the pair that was learnt last, in words."""

    changed = pyqtSignal()

    def __init__(self, context: AppContext, teleoperation: TeleoperationController, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._control = context, teleoperation
        self.drive = self.axis = self.actuator = self.last = ""
        self._rearm = False
        self._paired = ""               # axis of the last pair, while it still moves
        self._seen = 0.0, 0.0           # its value, and when it changed last
        self._held = "", 0.0            # actuator of the last pair, and when its slider moved last
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)
        context.control_touched.connect(self._touched)
        teleoperation.changed.connect(self._mapping_changed)
        context.model_changed.connect(self._model_changed)

    # ------------------------------------------------------------------ begin, end

    def begin(self, name: str) -> bool:
        """Learn faders of a drive; False where its source is not there, which is told."""
        self.end()
        one = self._one(name)
        if one is None or not can_learn(one) or not self._control.listen(one.source):
            return False
        self._rearm = self._control.states[self._names.index(name)].lamp != "disarmed"
        self._control.disarm(name)
        self.drive, self._paired, self._held = name, "", ("", 0.0)
        self._next()
        self._timer.start()
        QApplication.instance().installEventFilter(self)
        self.changed.emit()
        return True

    def end(self) -> None:
        """No more; the drive is armed again if it was, and faders are its source, which jump nowhere."""
        if not self.drive:
            return
        name, self.drive = self.drive, ""
        self._timer.stop()
        QApplication.instance().removeEventFilter(self)
        one = self._one(name)
        if self._rearm and one is not None and one.source.partition(":")[0] == "midi":
            self._control.arm(name)
        self.axis = self.actuator = self.last = ""
        self.changed.emit()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Esc ends it, whoever has the keys, unless something has popped up."""
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress) or not isinstance(event, QKeyEvent):
            return False
        if event.key() != Qt.Key.Key_Escape or QApplication.activePopupWidget() is not None:
            return False
        event.accept()      # an override comes as a key press then, and not as a shortcut
        if event.type() == QEvent.Type.KeyPress:
            self.end()
        return True

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self._control.mapping.drives]

    def _one(self, name: str) -> DriveMapping | None:
        return next((one for one in self._control.mapping.drives if one.name == name), None)

    def _mapping_changed(self) -> None:
        one = self._one(self.drive) if self.drive else None
        if self.drive and (one is None or not can_learn(one)):      # removed, or of another source
            self.end()

    # ------------------------------------------------------------------ what is touched

    def _next(self) -> None:
        from app.inputs.fader_learning import FaderLearning

        self.axis = self.actuator = ""
        self._faders = FaderLearning()
        self._look()        # from where they stand now

    def _look(self) -> None:
        """A fader may have moved."""
        one = self._one(self.drive)
        hub = self._control.hub
        slot = hub.inbox.counts().get(one.source) if hub is not None and one is not None else None
        if slot is None or slot.newest is None:
            return
        axis = self._faders.take(self._settled(slot.newest.axes))
        if axis is not None and not self.axis:
            self.axis = axis
            self._pair()

    def _settled(self, axes) -> dict[str, float]:
        """Without the axis that was paired last, until it stands still."""
        now, (value, since) = time.monotonic(), self._seen
        if self._paired and axes.get(self._paired, value) != value:
            self._seen = axes[self._paired], now
        elif self._paired and now - since >= STILL:
            self._paired = ""
        return {name: number for name, number in axes.items() if name != self._paired}

    def _touched(self, number: int) -> None:
        """The slider of a control."""
        m = self._context.model
        if not self.drive or m is None:
            return
        from app.inputs.servos import control_index

        name = next((m.name("actuator", i) for i in range(m.nactuator) if control_index(m, i) == number), "")
        (held, since), now = self._held, time.monotonic()
        if name and name == held and now - since < STILL:
            self._held = held, now
        elif name:
            self.choose(name)

    def _model_changed(self, m) -> None:
        """Another Model: of another document nothing is learnt on; an actuator that went is not waited for."""
        if self._context.newly_opened:
            self.end()
        elif self.actuator and not _has_control(m, self.actuator):
            self.actuator = ""
        if self.drive:
            self.changed.emit()

    def choose(self, actuator: str) -> None:
        """The control of the next pair, by its actuator's name."""
        if self.drive and actuator != self.actuator and _has_control(self._context.model, actuator):
            self.actuator = actuator
            self._pair()

    def _pair(self) -> None:
        """Enter the pair into the drive's mapping, once both are known."""
        one = self._one(self.drive)
        if self.axis and self.actuator and one is not None:
            axis, actuator = self.axis, self.actuator
            kept = {other: row for other, row in one.controls.items() if other != axis and row[0] != actuator}
            self.last, now = f"{axis} sets {actuator}", time.monotonic()
            self._paired, self._seen, self._held = axis, (float("nan"), now), (actuator, now)
            self._control.change(one.name, kind="controls", joints=(), leader={}, controls={**kept, axis: (actuator, *self._range(actuator, one.source))})
            self._next()
        self.changed.emit()

    def _range(self, actuator: str, source: str) -> tuple[float, float]:
        """(control at 0, control at 1) of the axis: a fader goes over the whole range, a stick from the middle to both ends."""
        from app.inputs.servos import control_index

        m = self._context.model
        control = control_index(m, m.id("actuator", actuator))
        low, high = m.actuator_ctrlrange[control].tolist() if m.actuator_ctrllimited[control] else (-1.0, 1.0)
        centred = source.partition(":")[0] == "pad" and not self.axis.endswith("trigger") or self.axis.startswith("bend")
        return (0.5 * (low + high), high) if centred else (low, high)


def _has_control(m, actuator: str) -> bool:
    """Whether an actuator of that name has one control."""
    from app.inputs.servos import control_index

    number = m.id("actuator", actuator) if m is not None else -1
    return number >= 0 and control_index(m, number) >= 0
