"""Which elements of the document are selected: those that the selection of the model comes from, or others that no model has (sections, default classes, assets' settings).

    selection of the model (app.context) <-> ids of elements of the document's version (editor.edits.version.Version)

An id stays with its element through edits, so that the selection does, too.
"""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.session import Session
from physics.errors import Place
from physics.model.elements import Element as ModelElement
from physics.model.elements import element as model_element
from physics.spec.element import Element


class DocumentSelection(QObject):
    """Signals: changed() when other elements are selected, or those that are have changed in the text. One for a window."""

    changed = pyqtSignal()

    def __init__(self, context: AppContext, session: Session):
        super().__init__()
        self._context, self._session = context, session
        self._ids: tuple[int, ...] = ()
        self._choosing = False
        context.selection_changed.connect(lambda _selection: self._follow())
        context.model_changed.connect(lambda _model: self._follow())
        session.edited.connect(lambda _edit: self.changed.emit())
        session.document_opened.connect(lambda: self._choose(()))

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the elements, the active one last; of some that an edit has taken away there may be no element now."""
        return self._ids

    def elements(self) -> tuple[Element, ...]:
        """The elements that there are now, the active one last."""
        if not self._ids:
            return ()
        version = self._session.document.version()
        return tuple(found for number in self._ids if (found := version.element(number)) is not None)

    def select(self, ids: Iterable[int]) -> None:
        """Select elements of the document, the active one last, and what the model that runs has of them."""
        ids = tuple(dict.fromkeys(ids))
        self._choosing = True
        try:
            self._context.select_elements([item for number in ids for item in self.items_of(number)])
        finally:
            self._choosing = False
        self._choose(ids)

    def items_of(self, number: int) -> list[ModelElement]:
        """What the model that runs has of an element of the document: several where it is replicated, nothing where it was written just now."""
        m, found = self._context.model, self._session.document.version().element(number)
        if m is None or found is None:
            return []
        return [model_element(m, kind, i) for kind, places in m.places.items() for i, place in enumerate(places) if place == found.place]

    def id_of(self, item: ModelElement) -> int | None:
        """The id of the element of the document that an element of the model comes from; None where that is not known."""
        m = self._context.model
        places = m.places.get(item.kind, ()) if m is not None else ()
        place: Place | None = places[item.id] if item.id < len(places) else None
        root = self._session.document.version().root
        if place is None or root is None:
            return None
        return next((element.id for element in root.walk() if element.place == place), None)

    def _follow(self) -> None:
        """The selection of the model has changed."""
        if self._choosing:
            return
        items = self._context.selection.elements
        if items:
            self._choose(tuple(dict.fromkeys(found for item in items if (found := self.id_of(item)) is not None)))
        elif self._ids and any(self.items_of(number) for number in self._ids):
            self._choose(())

    def _choose(self, ids: tuple[int, ...]) -> None:
        if ids != self._ids:
            self._ids = ids
            self.changed.emit()
