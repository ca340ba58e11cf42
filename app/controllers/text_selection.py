"""The selection and the text: the tag at the cursor selects its element, and what is selected is marked in the text."""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QObject

from app.context import AppContext
from app.controllers.selection import SelectionController
from editor.source.place_link import PlaceLink
from physics.errors import Place
from physics.model.elements import Element, element


class TextSelection(QObject):
    """One for a window."""

    def __init__(self, context: AppContext, selection: SelectionController, link: PlaceLink):
        super().__init__()
        self._context, self._selection, self._link = context, selection, link
        self._by_place: tuple[object, Mapping[Place, list[tuple[str, int]]]] = (None, {})
        self._from_text = False
        link.cursor_moved.connect(self._cursor_moved)
        context.selection_changed.connect(lambda _selection: self._mark())
        context.model_changed.connect(lambda _model: self._mark())

    def elements_at(self, place: Place) -> list[Element]:
        """All elements that come from the text at a place; several where it is replicated."""
        m = self._context.model
        if m is None:
            return []
        if self._by_place[0] is not m:
            table: dict[Place, list[tuple[str, int]]] = {}
            for kind, places in m.places.items():
                for i, known in enumerate(places):
                    if known is not None:
                        table.setdefault(known, []).append((kind, i))
            self._by_place = m, table
        return [element(m, kind, i) for kind, i in self._by_place[1].get(place, ())]

    def _cursor_moved(self, place: Place) -> None:
        found = self.elements_at(place)
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
