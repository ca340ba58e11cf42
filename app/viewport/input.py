"""Mouse events of the view as plain values, free of the toolkit: what the camera and perturbation controls are tested with.

Positions are logical pixels with the origin at the top left; dx, dy are displacements divided by the view's HEIGHT, y pointing down
(both axes by the height, as in the official window).
"""
from dataclasses import dataclass
from enum import Flag, auto

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QMouseEvent

WHEEL_CLICK = 0.02           # one wheel click moves like 2 % of the height
WHEEL_UNITS_PER_CLICK = 120  # Qt's angleDelta of one click


class Button(Flag):
    """Buttons held; Alt swaps left and right as in the official window."""

    NONE = 0
    LEFT = auto()
    RIGHT = auto()
    MIDDLE = auto()


@dataclass(frozen=True, slots=True)
class Pointer:
    """One mouse event of the view."""

    x: float
    y: float
    width: float
    height: float
    buttons: Button = Button.NONE
    dx: float = 0.0
    dy: float = 0.0
    ctrl: bool = False
    shift: bool = False

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the view [logical pixels]."""
        return self.width, self.height


def buttons_of(qt_buttons: Qt.MouseButton, alt: bool) -> Button:
    """Buttons of a Qt event; `alt` swaps left and right."""
    found = Button.NONE
    for qt_button, button in ((Qt.MouseButton.LeftButton, Button.LEFT), (Qt.MouseButton.RightButton, Button.RIGHT), (Qt.MouseButton.MiddleButton, Button.MIDDLE)):
        if qt_buttons & qt_button:
            found |= button
    if alt and found & (Button.LEFT | Button.RIGHT) in (Button.LEFT, Button.RIGHT):
        found ^= Button.LEFT | Button.RIGHT
    return found


def pointer_of(event: QMouseEvent, width: float, height: float, last: tuple[float, float] | None = None, buttons: Button | None = None) -> Pointer:
    """Pointer of a Qt mouse event; `last` is the position of the event before, `buttons` overrides (release and double-click events)."""
    at, keys = event.position(), event.modifiers()
    alt = bool(keys & Qt.KeyboardModifier.AltModifier)
    dx, dy = ((at.x() - last[0]) / height, (at.y() - last[1]) / height) if last is not None else (0.0, 0.0)
    held = buttons_of(event.buttons(), alt) if buttons is None else buttons
    return Pointer(at.x(), at.y(), width, height, held, dx, dy, bool(keys & Qt.KeyboardModifier.ControlModifier), bool(keys & Qt.KeyboardModifier.ShiftModifier))
