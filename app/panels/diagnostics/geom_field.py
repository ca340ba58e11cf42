"""A field for a geom: by its name, with completion, or by its number."""
from __future__ import annotations

import re
import weakref

from PyQt6.QtCore import QStringListModel, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent
from PyQt6.QtWidgets import QCompleter, QLineEdit

from physics.model.model import Model
from physics.name_hints import hint

_NUMBER = re.compile(r"(?:geom )?(\d+)(?: in .*)?")
SHOWN = 14      # names that are offered at once


class GeomField(QLineEdit):
    """Signals: chosen(geom) another geom was entered; refused(text) why what was entered is none."""

    chosen = pyqtSignal(int)
    refused = pyqtSignal(str)

    def __init__(self, placeholder: str):
        super().__init__()
        self._of: weakref.ref[Model] | None = None          # it may not be seen for long: it keeps no Model alive
        self._offered: weakref.ref[Model] | None = None     # whose geoms are offered
        self._geom, self._shown = -1, ""                    # and what it is called
        self.setPlaceholderText(placeholder)
        self.setToolTip("A geom by name or number; a few letters of it are enough to find it")
        self._words = QStringListModel()
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(SHOWN)
        completer.activated.connect(lambda _text: self._enter())
        self.setCompleter(completer)
        self.returnPressed.connect(self._enter)

    @property
    def geom(self) -> int:
        """The geom, -1 for none."""
        return self._geom

    @property
    def _model(self) -> Model | None:
        return self._of() if self._of is not None else None

    def show_geom(self, model: Model, geom: int) -> None:
        """Show a geom of this Model, -1 none; what is being typed stays."""
        if self.hasFocus():
            self._offer(model)
        if model is not self._model or geom != self._geom or not self.hasFocus():
            self._of, self._geom = weakref.ref(model), geom
            self._shown = geom_text(model, geom) if geom >= 0 else ""
            if self.text() != self._shown:
                self.setText(self._shown)
                self.setCursorPosition(0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Names are looked up when somebody wants to type."""
        model = self._model
        if model is not None:
            self._offer(model)
        super().focusInEvent(event)

    def _offer(self, model: Model) -> None:
        if self._offered is None or self._offered() is not model:
            self._offered = weakref.ref(model)
            self._words.setStringList([geom_text(model, geom) for geom in range(model.ngeom)])

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed and not entered is forgotten."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setText(self._shown)
            self.setCursorPosition(0)

    def _enter(self) -> None:
        model = self._model
        if model is None:
            return
        text = self.text().strip()
        geom = geom_of(model, text)
        if geom < 0:
            self.refused.emit(f"There is no geom '{text}'{hint(text, [name for name in model.names['geom'] if name])}.")
        elif geom != self._geom:
            self._geom, self._shown = geom, geom_text(model, geom)
            self.chosen.emit(geom)


def geom_text(model: Model, geom: int) -> str:
    """A geom's name; its number and body where it has none."""
    body = int(model.geom_bodyid[geom])
    return model.names["geom"][geom] or f"geom {geom} in {model.names['body'][body] or f'body {body}'}"


def geom_of(model: Model, text: str) -> int:
    """The geom that a text names, -1 for none."""
    if text in model.names["geom"]:
        return model.names["geom"].index(text) if text else -1
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found and int(found[1]) < model.ngeom else -1
