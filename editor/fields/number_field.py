"""A field for one number of an attribute: dragged sideways, typed with arithmetic and units, changed by steps with the wheel while it has the keys."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QResizeEvent, QWheelEvent
from PyQt6.QtWidgets import QLabel, QLineEdit, QSizePolicy

from editor.notation.numbers import number_of
from editor.widgets.endless_drag import EndlessDrag
from editor.widgets.number_edit import BAD_STYLE
from editor.widgets.row_label import RowLabel

PIXELS = 4          # of dragging for one step
SLACK = 3           # pixels that a click may move
NOTCH = 120         # of a wheel, one step [1/8 degree]
FINE, COARSE = 0.1, 10.0    # of a step, with Shift and with Ctrl
MIXED = "mixed"
ROOM = 10           # logical pixels of the field around its text
DIGITS = (6, 5, 4, 3)       # significant, of a number that is too long for its field


class Drag:
    """One drag of a value sideways. begin, then move with each motion: (steps since the press, whether any was finer than one), None while it may still be a click."""

    def __init__(self):
        self.held = False       # the button is down
        self._way = EndlessDrag()
        self._slack = self._steps = 0.0     # pixels while it may still be a click; steps
        self._fine = self.moved = False

    def begin(self, event: QMouseEvent) -> None:
        """The button is pressed."""
        self._way.begin(event)
        self.held, self._slack, self._steps, self._fine, self.moved = True, 0.0, 0.0, False, False

    def move(self, event: QMouseEvent) -> tuple[float, bool] | None:
        """The pointer moved with the button held."""
        moved, keys = self._slack + self._way.move(event), event.modifiers()
        if not self.moved and abs(moved) <= SLACK:
            self._slack = moved
            return None
        self.moved, self._slack = True, 0.0
        fine, coarse = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
        self._steps += moved / PIXELS * (FINE if fine else COARSE if coarse else 1.0)
        self._fine |= bool(fine)
        return (self._steps if self._fine else float(round(self._steps))), self._fine

    def end(self) -> bool:
        """The button is up, or the drag is given up; whether it had moved."""
        moved, self.held, self.moved = self.moved, False, False
        return moved


class _Dragged:
    """What a widget needs that is dragged: the signals grabbed(), dragged(steps, fine), dropped(), cancelled() and a Drag `drag`. Esc, another button, or another window in
    front gives the drag up."""

    drag: Drag
    _no_menu = False        # the next one is of the button that gave a drag up

    def drag_pressed(self, event: QMouseEvent) -> bool:
        """A button is pressed; whether it belongs to the drag."""
        if self.drag.held and event.button() != Qt.MouseButton.LeftButton:
            self._no_menu = event.button() == Qt.MouseButton.RightButton
            self.drag_ended(cancelled=True)
            event.accept()
            return True
        self._no_menu = False
        if self.drag.held:      # its release went elsewhere
            self.drag_ended()
        return False

    def drag_event(self, event: QEvent) -> bool:
        """Any event: whether a menu is swallowed."""
        if event.type() == QEvent.Type.WindowDeactivate and self.drag.held:
            self.drag_ended(cancelled=True)
        if event.type() == QEvent.Type.ContextMenu and (self._no_menu or self.drag.held):
            self._no_menu = False
            event.accept()
            return True
        return False

    def drag_moved(self, event: QMouseEvent) -> None:
        """A motion while it is held."""
        if not event.buttons() & Qt.MouseButton.LeftButton:     # its release went elsewhere
            self.drag_ended()
            return
        began = not self.drag.moved
        found = self.drag.move(event)
        if found is None:
            return
        if began:
            self.grabKeyboard()
            self.grabbed.emit()
        self.dragged.emit(*found)

    def drag_ended(self, cancelled: bool = False) -> bool:
        """The end of it; whether it was more than a click."""
        moved = self.drag.end()
        if moved:
            self.releaseKeyboard()
            (self.cancelled if cancelled else self.dropped).emit()
        return moved

    def drag_key(self, event: QKeyEvent) -> bool:
        """Whether a key belongs to the drag."""
        if not self.drag.moved:
            return False
        if event.key() == Qt.Key.Key_Escape:
            self.drag_ended(cancelled=True)
        event.accept()
        return True


class _TypedField(QLineEdit):
    """Signals: typed(text) when the user has entered another text."""

    typed = pyqtSignal(str)

    def commit(self) -> None:
        """Tell what was typed."""
        if self.isModified():
            self.setModified(False)
            self.typed.emit(self.text())

    def refuse(self, why: str) -> None:
        """What was typed cannot be used: it stays, in red."""
        self.setStyleSheet(BAD_STYLE)
        self.setToolTip(why)


class NumberField(_TypedField, _Dragged):
    """Signals: typed(text) when the user has entered something; grabbed, dragged(steps, fine), dropped, cancelled of a drag; stepped(steps, fine) by the wheel or Up and Down."""

    grabbed = pyqtSignal()
    dragged = pyqtSignal(float, bool)
    dropped = pyqtSignal()
    cancelled = pyqtSignal()
    stepped = pyqtSignal(float, bool)

    def __init__(self):
        super().__init__()
        self.drag = Drag()
        self.word, self._mixed, self._tip, self._suffix = "", False, "", ""
        self._turned = 0        # of the wheel, that is no whole step yet [1/8 degree]
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)     # a click gives it the keys when it is no drag
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.returnPressed.connect(self.commit)
        self.editingFinished.connect(self.commit)
        self._fit()

    def _fit(self) -> None:
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("-0.00") + ROOM)

    def show_word(self, word: str, mixed: bool = False, tip: str = "") -> None:
        """Show a number as the text has it; what the user is typing stays."""
        if self.hasFocus() and self.isModified():
            return
        self.word, self._mixed, self._tip = word, mixed, tip
        if self.styleSheet():
            self.setStyleSheet("")
        self.setToolTip(tip)
        self._write()

    def set_suffix(self, unit: str) -> None:
        """A unit at the right end, as far as there is room for it."""
        if unit != self._suffix:
            self._suffix = unit
            self._make_room()
            self.update()

    @property
    def suffix_width(self) -> int:
        """Logical pixels of the unit, 0 where it has no room."""
        metrics = self.fontMetrics()
        wide = metrics.horizontalAdvance(self._suffix) + 4 if self._suffix else 0
        return wide if wide and self.width() - wide - ROOM >= metrics.horizontalAdvance("-0.000") else 0

    def _make_room(self) -> None:
        if self.textMargins().right() != self.suffix_width:
            self.setTextMargins(0, 0, self.suffix_width, 0)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self.suffix_width:
            painter = QPainter(self)
            painter.setPen(self.palette().color(self.palette().ColorRole.PlaceholderText))
            painter.drawText(self.rect().adjusted(0, 0, -5, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._suffix)
            painter.end()

    def _write(self) -> None:
        text = "" if self._mixed else self.word
        self.setPlaceholderText(MIXED if self._mixed else "")
        if text and not self.hasFocus():
            text = self._short(text)
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)
        self.setModified(False)

    def _short(self, text: str) -> str:
        """With as many digits as there is room for."""
        room, metrics = self.width() - ROOM - self.suffix_width, self.fontMetrics()
        if metrics.horizontalAdvance(text) <= room:
            return text
        try:
            value = number_of(text)
        except ValueError:
            return text
        shorter = [f"{value:.{digits}g}" for digits in DIGITS]
        return next((one for one in shorter if metrics.horizontalAdvance(one) <= room), shorter[-1])

    # ------------------------------------------------------------------ events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.drag_pressed(event):
            return
        if event.button() == Qt.MouseButton.LeftButton and not self.hasFocus():
            if self.isEnabled() and not self.isReadOnly():
                self.drag.begin(event)
            event.accept()
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.drag.held:
            self.drag_moved(event)
        elif self.hasFocus():
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.drag.held:
            if not self.drag_ended():
                self.setFocus(Qt.FocusReason.MouseFocusReason)
                self.selectAll()
        else:
            super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.selectAll()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y() or event.angleDelta().x()     # Qt has Alt turn it sideways
        if not self.hasFocus() or not turn or self.isReadOnly():
            event.ignore()      # the panel scrolls
            return
        self._turned = turn + (self._turned if self._turned * turn > 0 else 0)      # touchpads and fine wheels turn by less than a step
        steps = int(self._turned / NOTCH)
        self._turned -= NOTCH * steps
        if steps:
            self._step(steps, event.modifiers())
        event.accept()

    def _step(self, steps: float, keys) -> None:
        fine, coarse = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
        self.commit()
        self.stepped.emit(steps * (FINE if fine else COARSE if coarse else 1.0), bool(fine))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.drag_key(event):
            return
        if event.key() == Qt.Key.Key_Escape:
            changed = self.isModified() or bool(self.styleSheet())
            self.setModified(False)
            self.show_word(self.word, self._mixed, self._tip)
            if not changed:
                event.ignore()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not self.isReadOnly():
            self._step(1.0 if event.key() == Qt.Key.Key_Up else -1.0, event.modifiers())
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and leaves_undo(self, event):
            event.ignore()
            return False
        return self.drag_event(event) or super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        if not self.isModified():
            self._write()
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        if not self.isModified() and not self.styleSheet():
            self._write()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        if self.drag.held:
            self.drag_ended(cancelled=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()
        if not self.isModified() and not self.styleSheet():
            self._write()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()


def leaves_undo(field: QLineEdit, event) -> bool:
    """Whether a key is for the window's own undo and redo, as nothing has been typed in the field."""
    return not field.isModified() and any(event.matches(key) for key in (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo))


class PlainField(_TypedField):
    """A field for text. Signal: typed(text) when the user has entered another one."""


    def __init__(self):
        super().__init__()
        self.word, self._mixed, self._tip = "", False, ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0" * 6) + ROOM)
        self.returnPressed.connect(self.commit)
        self.editingFinished.connect(self.commit)

    def show_word(self, word: str, mixed: bool = False, tip: str = "") -> None:
        """Show a text; what the user is typing stays."""
        if self.hasFocus() and self.isModified():
            return
        self.word, self._mixed, self._tip = word, mixed, tip
        if self.styleSheet():
            self.setStyleSheet("")
        self.setToolTip(tip)
        self.setPlaceholderText(MIXED if mixed else "")
        text = "" if mixed else word
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)
        self.setModified(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and (self.isModified() or self.styleSheet()):
            self.setModified(False)
            self.show_word(self.word, self._mixed, self._tip)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and leaves_undo(self, event):
            event.ignore()
            return False
        return super().event(event)


class DragLabel(RowLabel, _Dragged):
    """A row's name; where `target` gives a field, that is dragged by it. Signals as NumberField's."""

    grabbed = pyqtSignal()
    dragged = pyqtSignal(float, bool)
    dropped = pyqtSignal()
    cancelled = pyqtSignal()

    def __init__(self, text: str):
        super().__init__(text)
        self.drag = Drag()
        self.drags = False

    def set_drags(self, drags: bool) -> None:
        """Whether there is a number to be dragged by it."""
        self.drags = drags
        self.setCursor(Qt.CursorShape.SizeHorCursor if drags else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self.drag_pressed(event):
            return
        if self.drags and self.isEnabled() and event.button() == Qt.MouseButton.LeftButton:
            self.drag.begin(event)
            event.accept()
        else:
            QLabel.mousePressEvent(self, event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.drag.held:
            self.drag_moved(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.drag.held:
            self.drag_ended()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.drag_key(event):
            QLabel.keyPressEvent(self, event)

    def event(self, event: QEvent) -> bool:
        return self.drag_event(event) or super().event(event)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        if self.drag.held:
            self.drag_ended(cancelled=True)
