"""The wheel over a control that nobody has chosen scrolls the panel, and changes no value."""
import weakref
from collections.abc import Callable

from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QAbstractSpinBox, QComboBox, QSlider, QWidget

KINDS = (QSlider, QComboBox, QAbstractSpinBox)   # whose values Qt changes by the wheel


def _only_with_focus(control: QWidget) -> Callable[[QWheelEvent], None]:
    """wheelEvent of this control, but without the keyboard focus the event is ignored: Qt then tries the parent."""
    usual, this = type(control).wheelEvent, weakref.ref(control)

    def wheelEvent(event: QWheelEvent) -> None:
        there = this()
        if there is not None and there.hasFocus():
            usual(there, event)
        else:
            event.ignore()

    return wheelEvent


def guard_wheel(widget: QWidget) -> None:
    """Guard a widget and all controls in it that are there now. A handler in each, as an event filter would be asked about all events of all of them."""
    for control in [*widget.findChildren(KINDS), *([widget] if isinstance(widget, KINDS) else [])]:
        control.wheelEvent = _only_with_focus(control)
