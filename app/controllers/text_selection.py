"""The selection and the text: the tag at the cursor selects its element, and what is selected is marked in the text.

Places are those of the text that the Model was compiled from: a tag that is written just now is looked up when its text runs.
"""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QObject

from app.context import AppContext
from app.controllers.selection import SelectionController
from app.session import Session
from editor.source.place_link import PlaceLink
from physics.errors import Place
from physics.model.elements import Element, element


class TextSelection(QObject):
    """One for a window."""

    def __init__(self, context: AppContext, selection: SelectionController, link: PlaceLink, session: Session):
        super().__init__()
        self._context, self._selection, self._link, self._session = context, selection, link, session
        self._model = context.model     # that `_by_place` is of, once it is asked for
        self._by_place: Mapping[Place, list[tuple[str, int]]] | None = None
        self._wanted: tuple[Place, str] | None = None   # where the cursor was put in which text, until that runs
        self._from_text = False
        link.cursor_moved.connect(self._cursor_moved)
        context.selection_changed.connect(lambda _selection: self._selected())
        context.model_changed.connect(self._model_changed)

    def elements_at(self, place: Place) -> list[Element]:
        """All elements that come from the text at a place; several where it is replicated."""
        m = self._context.model
        if m is None:
            return []
        if self._by_place is None:
            table: dict[Place, list[tuple[str, int]]] = {}
            for kind, places in m.places.items():
                for i, known in enumerate(places):
                    if known is not None:
                        table.setdefault(known, []).append((kind, i))
            self._by_place = table
        return [element(m, kind, i) for kind, i in self._by_place.get(place, ())]

    def _model_changed(self, model) -> None:
        self._model, self._by_place = model, None
        self._mark()

    def _selected(self) -> None:
        if not self._from_text and self._model is self._context.model:      # by the user, not found again in another Model
            self._wanted = None
        self._mark()

    def _cursor_moved(self, place: Place) -> None:
        file = self._session.document.files().get(place.file)
        self._wanted = (place, file.text) if file is not None else None
        self.look_up()

    def look_up(self) -> None:
        """Select what is at the cursor, if the text in which it was put there runs by now."""
        if self._wanted is None or self._session.running_text(self._wanted[0].file) != self._wanted[1]:
            return
        found, self._wanted = self.elements_at(self._wanted[0]), None
        if found:
            self._from_text = True
            try:
                self._context.select_elements(found)
            finally:
                self._from_text = False

    def _mark(self) -> None:
        elements = self._context.selection.elements
        places = {what: place for what in elements if (place := self._selection.place_of(what)) is not None}
        active = None if self._from_text or not elements else places.get(elements[-1])
        self._link.mark(tuple(dict.fromkeys(places.values())), active)
