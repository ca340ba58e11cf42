"""The wheel over a control that nobody has chosen scrolls the panel, and changes no value."""
from PyQt6.QtCore import QEvent, QObject
from PyQt6.QtWidgets import QAbstractSpinBox, QComboBox, QSlider, QWidget

KINDS = (QSlider, QComboBox, QAbstractSpinBox)   # whose values Qt changes by the wheel


class WheelGuard(QObject):
    """An event filter that hands wheel events of a control without the keyboard focus on to what it lies in."""

    def eventFilter(self, control: QObject, event: QEvent) -> bool:
        """Qt asks before each event of the control; True: it does not get it."""
        if event.type() == QEvent.Type.Wheel and not control.hasFocus():
            event.ignore()   # Qt then tries the parent
            return True
        return False


def guard_wheel(widget: QWidget) -> None:
    """Guard a widget and all controls in it that are there now."""
    guard = WheelGuard(widget)
    controls = [part for kind in KINDS for part in widget.findChildren(kind)]
    for control in [*controls, *([widget] if isinstance(widget, KINDS) else [])]:
        control.installEventFilter(guard)
