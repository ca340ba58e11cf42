"""The selection and the text: the tag at the cursor selects its element, and what is selected is marked in the text.

Elements are known by their ids, so places are always those of the present text, also where the Model that runs is of an earlier one. An element that was
written just now is selected in the document at once, and in the model as soon as its text runs.
"""
from __future__ import annotations

from PyQt6.QtCore import QObject

from app.context import AppContext
from app.controllers.document_selection import DocumentSelection
from app.session import Session
from editor.edits.last_good import LastGood
from editor.source.place_link import PlaceLink
from physics.errors import Place
from physics.model.elements import Element


class TextSelection(QObject):
    """One for a window."""

    def __init__(self, context: AppContext, selection: DocumentSelection, link: PlaceLink, session: Session):
        super().__init__()
        self._context, self._selection, self._link, self._session = context, selection, link, session
        self._from_text = False
        self._marked: tuple[Place, ...] = ()
        self._shown: tuple[int, ...] = ()       # ids of those that were brought into sight
        link.cursor_moved.connect(self._cursor_moved)
        selection.changed.connect(self._follow)
        context.model_changed.connect(lambda _model: self._mark())

    def ids_at(self, place: Place) -> tuple[int, ...]:
        """Ids of the elements that begin at a place of the present text: one, several where a URDF's element stands for several."""
        return self._session.document.version().ids_at(place)

    def elements_at(self, place: Place) -> list[Element]:
        """What the model that runs has of the element at a place of the present text; several where it is copied."""
        return [item for number in self.ids_at(place) for item in self._selection.items_of(number)]

    def place_of(self, what: Element) -> Place | None:
        """Where what an element of the model comes from stands in the present text; None where that is not known."""
        source = self._selection.source_of(what)
        element = self._selection.element(source.element) if source is not None else None
        return element.place if element is not None and _stands(self._session.document.last_good, element.id) else None

    def _cursor_moved(self, place: Place) -> None:
        ids = self.ids_at(place)
        if not any(self._selection.items_of(number) for number in ids) and self._session.document.version().root is None:
            return      # of a text that is no XML only what ran before is known
        if ids and set(ids) != set(self._selection.ids):       # of what is selected already it may be one copy only
            self._from_text = True
            try:
                self._selection.select(ids)
            finally:
                self._from_text = False

    def _follow(self) -> None:
        """Others are selected, or have changed in the text: with the motions of a drag nearly always where they were."""
        if self._session.document.open_gesture is None or self._places() != self._marked:
            self._mark()

    def _mark(self) -> None:
        """An edit of what is selected leaves the text where it is."""
        ids, self._marked = self._selection.ids, self._places()
        self._link.mark(self._marked, None if self._from_text or not self._marked else self._marked[-1], show=ids != self._shown)
        if self._marked or not ids:
            self._shown = ids

    def _places(self) -> tuple[Place, ...]:
        """Where what is selected stands."""
        good, elements = self._session.document.last_good, self._selection.elements()
        return tuple(dict.fromkeys(element.place for element in elements if good.current or _stands(good, element.id)))


def _stands(last_good: LastGood, number: int) -> bool:
    """Whether an element stands in the present texts, as far as these can be read."""
    return last_good.element(number) is None or last_good.whole(number)
