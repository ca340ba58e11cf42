"""Keys of the view for the source `keyboard`: while armed, letters move the model and none of the view's shortcuts is taken."""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from PyQt6.QtCore import QEvent, QObject, Qt
from PyQt6.QtGui import QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QWidget

from app.inputs.sources.keyboard import Keyboard

MODIFIERS = MappingProxyType({Qt.Key.Key_Shift: "shift", Qt.Key.Key_Control: "ctrl", Qt.Key.Key_Alt: "alt", Qt.Key.Key_Meta: "meta"})
OTHERS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier   # with these a key is the window's
LOST = (QEvent.Type.FocusOut, QEvent.Type.WindowDeactivate, QEvent.Type.Hide)


def key_name(key: int) -> str:
    """A key as a word in small letters: 'a', 'space', 'f1', 'shift'."""
    return MODIFIERS.get(key) or QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText).lower()


class TeleopKeys(QObject):
    """Hands the keys of a widget to a Keyboard while `armed`. escaped(): what Esc does then: everything holds."""

    def __init__(self, view: QWidget, keyboard: Keyboard, escaped: Callable[[], None]):
        super().__init__(view)
        self._keyboard, self._escaped, self._armed = keyboard, escaped, False
        view.installEventFilter(self)

    @property
    def armed(self) -> bool:
        return self._armed

    def arm(self, armed: bool) -> None:
        """Take the keys, or leave them to the view; what was held is released."""
        self._armed = armed
        self._keyboard.release_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that are taken reach nobody else; a widget that no longer sees keys go up has none held."""
        kind = event.type()
        if not self._armed:
            return False
        if kind in LOST:
            self._keyboard.release_all()
            return False
        if kind not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease) or not isinstance(event, QKeyEvent):
            return False
        if event.modifiers() & OTHERS and kind != QEvent.Type.KeyRelease:
            return False
        if kind == QEvent.Type.ShortcutOverride:
            event.accept()      # comes as a key press then, not as a shortcut
            return True
        self._take(event, kind == QEvent.Type.KeyPress)
        return True

    def _take(self, event: QKeyEvent, down: bool) -> None:
        if event.isAutoRepeat():
            return
        if event.key() == Qt.Key.Key_Escape:
            if down:
                self._keyboard.release_all()
                self._escaped()
        elif down:
            self._keyboard.key_down(key_name(event.key()))
        else:
            self._keyboard.key_up(key_name(event.key()))
