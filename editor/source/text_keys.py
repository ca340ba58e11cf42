"""Keys that mean something else while the text has them: F2 renames there, F12 goes to a definition, whatever they do in the rest of the window."""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QEvent, QObject
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QLineEdit, QWidget

SCOPE = "text"
IN_FIELDS = frozenset({"text_find", "text_replace", "text_find_in_files", "text_find_next", "text_find_previous"})     # act in the fields of the search, too


class TextKeys(QObject):
    """actions: of the window by id; those of the scope SCOPE are triggered by their keys in the widgets that are served."""

    def __init__(self, actions: Mapping[str, QAction], parent: QObject):
        super().__init__(parent)
        self._actions = {name: action for name, action in actions.items() if action.property("scope") == SCOPE}

    def serve(self, widget: QWidget) -> None:
        """The keys act in a widget."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            action = self._action(event, isinstance(watched, QLineEdit))
            if action is not None:
                if event.type() == QEvent.Type.ShortcutOverride:
                    event.accept()
                else:
                    action.trigger()
                return True
        return False

    def _action(self, event, in_field: bool) -> QAction | None:
        pressed = QKeySequence(event.keyCombination())
        for name, action in self._actions.items():
            if (not in_field or name in IN_FIELDS) and any(key == pressed for key in action.shortcuts()):
                return action
        return None
