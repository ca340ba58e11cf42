"""A field for one number: any notation Python reads, small arithmetic, Up and Down (or Ctrl and the wheel) to change by steps, Esc to take back."""
import math

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QWheelEvent
from PyQt6.QtWidgets import QLineEdit

from editor.arithmetic import evaluated

BAD_STYLE = "background: #7a1f1f; color: white;"
DIGITS, LEAST_DIGITS = 7, 3   # shown of a value: as many as there is room for
LONGEST = "-0.1234567"        # a number of seven digits that has to be readable
FRAME = 14                    # logical pixels of the field around its text
SCRUB = 50                    # pixels of dragging for one unit of the first digit
WHOLE_SCRUB = 8               # pixels of dragging for one, of whole numbers


def parse_number(text: str) -> float:
    """Value of a number or a small expression (+ - * / **, pi). Raises ValueError with what is wrong."""
    value = evaluated(text)
    if math.isnan(value):
        raise ValueError(f"'{text}' is not a number")
    return value


class NumberEdit(QLineEdit):
    """Signals: edited(float) when the user has entered a value that is a number within `low` and `high`; cleared() where the field may be empty and the user has emptied it: the
    number is NaN then."""

    edited = pyqtSignal(float)
    cleared = pyqtSignal()

    def __init__(self, value: float = 0.0, low: float = -math.inf, high: float = math.inf, whole: bool = False, share: float = 1.0, least: float = 0.7, may_be_empty: bool = False):
        """share, least: how wide at most and at least, in widths of a number of seven digits. may_be_empty: NaN is shown as nothing, and nothing is an answer."""
        super().__init__()
        self._low, self._high, self._whole, self._share, self._least, self._may_be_empty = low, high, whole, share, least, may_be_empty
        self._number = self._grabbed = value
        self._fit_width()
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.returnPressed.connect(self._commit)
        self.editingFinished.connect(self._commit)
        self.show_value(value)

    def _fit_width(self) -> None:
        wide = self.fontMetrics().horizontalAdvance(LONGEST) + FRAME
        self.setMinimumWidth(round(wide * min(self._share, self._least)))
        self.setMaximumWidth(round(wide * self._share))

    @property
    def number(self) -> float:
        """The last good value."""
        return self._number

    def show_value(self, value: float) -> None:
        """Show a value that comes from elsewhere; what the user is typing stays."""
        if self.hasFocus() and self.isModified():
            return
        self._number = value
        self._write()
        self._praise()

    def _write(self) -> None:
        """Write the number with as many digits as there is room for, all of them while it has the focus."""
        text = f"{self._number:.{DIGITS}g}"
        if self._may_be_empty and math.isnan(self._number):
            text = ""
        elif not self.hasFocus():
            room, metrics = self.width() - FRAME + 4, self.fontMetrics()
            shorter = (*(f"{self._number:.{digits}g}" for digits in range(DIGITS, LEAST_DIGITS - 1, -1)), f"{self._number:.1e}")
            text = next((text for text in shorter if metrics.horizontalAdvance(text) <= room), shorter[-1])
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)

    def _commit(self) -> None:
        if not self.isModified():
            return
        if self._may_be_empty and not self.text().strip():
            self._number = math.nan
            self.setModified(False)
            self._praise()
            self.cleared.emit()
            return
        try:
            value = parse_number(self.text())
        except ValueError as error:
            self._refuse(str(error))
            return
        if self._whole:
            value = float(round(value)) if math.isfinite(value) else value
        if not self._low <= value <= self._high:
            self._refuse(f"between {self._low:g} and {self._high:g}")
            return
        self._accept(value)

    def _praise(self) -> None:
        if self.styleSheet():
            self.setStyleSheet("")
            self.setToolTip("")

    def _refuse(self, why: str) -> None:
        self.setStyleSheet(BAD_STYLE)
        self.setToolTip(why)

    def _accept(self, value: float) -> None:
        self._number = value
        self.setModified(False)
        self._praise()
        self._write()
        self.edited.emit(value)

    def grab(self) -> None:
        """The drag of a label begins: `scrub` counts from the present number."""
        self._grabbed = self._number

    def scrub(self, steps: float) -> None:
        """Take the number at `grab` and so many pixels of dragging."""
        if not self.isEnabled() or not math.isfinite(self._grabbed):
            return
        if self._whole:
            wanted = self._grabbed + round(steps / WHOLE_SCRUB)
        else:
            finite = math.isfinite(self._high - self._low)
            unit = 10.0 ** math.floor(math.log10(abs(self._grabbed))) / SCRUB if self._grabbed else (self._high - self._low) / 400 if finite else 0.01
            wanted = float(f"{self._grabbed + steps * unit:.9g}") if steps else self._grabbed
        wanted = min(max(wanted, self._low), self._high)
        if wanted != self._number:
            self._accept(wanted)

    def _step(self, steps: float) -> None:
        """Change by so many steps, of one digit below the first."""
        if not math.isfinite(self._number):
            return
        step = 1.0 if self._whole else 10.0 ** math.floor(math.log10(abs(self._number) or 1.0)) / 10
        self._accept(min(max(self._number + steps * step, self._low), self._high))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._step(1.0 if event.angleDelta().y() > 0 else -1.0)
            event.accept()
        else:
            event.ignore()   # the panel scrolls

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.isModified():
            self._write()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.isModified():
            self._write()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.isModified():
            self._write()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange:
            self._fit_width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.show_value(self._number)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._step(1.0 if event.key() == Qt.Key.Key_Up else -1.0)
        else:
            super().keyPressEvent(event)
