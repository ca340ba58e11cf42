"""A reference picked by a click: on an element of the right kind, in the view or wherever else elements are selected; what was selected before is selected again."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QApplication

from editor.inspect.subject import Reading
from physics.model.elements import body_of

_FROM_ATTRIBUTE = frozenset({"material", "mesh", "hfield", "texture"})     # named by what is clicked


class Picking(QObject):
    """Signals: picked(name); told(text) while what was clicked will not do; ended(). It begins at once; `stop` ends it, as Esc does."""

    picked = pyqtSignal(str)
    told = pyqtSignal(str)
    ended = pyqtSignal()

    def __init__(self, context, document_selection, reading: Reading, namespace: str, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._document_selection, self._reading, self.namespace = context, document_selection, reading, namespace
        self._ids, self._selection = document_selection.ids, context.selection
        self.active = True
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(0)
        self._look.timeout.connect(self._selected)
        context.selection_changed.connect(self._changed)
        document_selection.changed.connect(self._changed)
        QApplication.instance().installEventFilter(self)

    @property
    def ids(self) -> tuple[int, ...]:
        """What was selected when it began."""
        return self._ids

    def _changed(self, *_selection) -> None:
        if self.active and not self._look.isActive():
            self._look.start()

    def _selected(self) -> None:
        """Something else is selected: is it what is wanted?"""
        if not self.active or self._document_selection.ids == self._ids and self._context.selection == self._selection:
            return
        name, why = self._name()
        if name:
            self.stop(restore=True)
            self.picked.emit(name)
            return
        self._restore()
        if why:
            self.told.emit(why)

    def _name(self) -> tuple[str, str]:
        """(name of what was clicked, why it will not do)."""
        m, wanted = self._context.model, self.namespace
        items = self._context.selection.elements
        elements = self._document_selection.elements()
        if items and m is not None:
            what = items[-1]
            if what.kind == wanted:
                return (what.name, "") if what.name else ("", f"this {what.kind} has no name: give it one first")
            if wanted == "body" and (body := body_of(m, what)):
                name = m.name("body", body)
                return (name, "") if name else ("", "its body has no name: give it one first")
        if not elements:
            return "", f"a {wanted} is wanted"
        element = elements[-1]
        path = self._reading.path(element)
        if wanted in _FROM_ATTRIBUTE and path is not None and (found := self._reading.effective(element, path, wanted)):
            return found, ""
        declared = self._reading.names.declared.get(wanted, {})
        name = element.attrs.get("class", "") if wanted == "default" and element.tag == "default" else element.name
        if name and name in declared and declared[name].id == element.id:
            return name, ""
        if wanted == "default" and element.attrs.get("class"):
            return element.attrs["class"], ""
        return "", f"a {wanted} is wanted; this is a {element.tag}"

    def _restore(self) -> None:
        self._context.select(self._selection)
        if self._document_selection.ids != self._ids:
            self._document_selection.select(self._ids)
        self._look.stop()

    def stop(self, restore: bool = True) -> None:
        """No more clicks are waited for."""
        if not self.active:
            return
        self.active = False
        self._look.stop()
        QApplication.instance().removeEventFilter(self)
        self._context.selection_changed.disconnect(self._changed)
        self._document_selection.changed.disconnect(self._changed)
        if restore:
            self._restore()
        self.ended.emit()

    def eventFilter(self, _widget, event: QEvent) -> bool:
        """Esc ends it, wherever the keys go."""
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.stop()
            return True
        return False
