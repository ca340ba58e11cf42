"""A field for one number: any notation Python reads, small arithmetic, Up and Down to change by steps, Esc to take back."""
import ast
import math
import operator
from types import MappingProxyType

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QLineEdit

OPERATIONS = MappingProxyType({ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow})
NAMES = MappingProxyType({"pi": math.pi, "e": math.e, "inf": math.inf})
BAD_STYLE = "background: #7a1f1f; color: white;"


def parse_number(text: str) -> float:
    """Value of a number or a small expression (+ - * / **, pi). Raises ValueError with what is wrong."""
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, TypeError, ZeroDivisionError, OverflowError) as error:
        raise ValueError(f"'{text}' is not a number") from error
    if isinstance(value, complex) or math.isnan(value):
        raise ValueError(f"'{text}' is not a number")
    return float(value)


def _value(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.Name) and node.id in NAMES:
        return NAMES[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        return -_value(node.operand) if isinstance(node.op, ast.USub) else _value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and abs(right) > 64:
            raise ValueError("the power is too large")
        return OPERATIONS[type(node.op)](left, right)
    raise ValueError("only numbers and + - * / ** are understood here")


class NumberEdit(QLineEdit):
    """Signals: edited(float) when the user has entered a value that is a number within `low` and `high`."""

    edited = pyqtSignal(float)

    def __init__(self, value: float = 0.0, low: float = -math.inf, high: float = math.inf, whole: bool = False, width: int = 74):
        super().__init__()
        self._low, self._high, self._whole = low, high, whole
        self._number = value
        self.setMaximumWidth(width)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.returnPressed.connect(self._commit)
        self.editingFinished.connect(self._commit)
        self.show_value(value)

    @property
    def number(self) -> float:
        """The last good value."""
        return self._number

    def show_value(self, value: float) -> None:
        """Show a value that comes from elsewhere; what the user is typing stays."""
        if self.hasFocus() and self.isModified():
            return
        self._number = value
        text = f"{value:.6g}"
        if text != self.text():
            self.setText(text)
            self.setCursorPosition(0)
        self._praise()

    def _commit(self) -> None:
        if not self.isModified():
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
        self.setText(f"{value:.6g}")
        self.edited.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.setModified(False)
            self.show_value(self._number)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            step = 1.0 if self._whole else 10.0 ** math.floor(math.log10(abs(self._number) or 1.0)) / 10
            wanted = self._number + (step if event.key() == Qt.Key.Key_Up else -step)
            self._accept(min(max(wanted, self._low), self._high))
        else:
            super().keyPressEvent(event)
