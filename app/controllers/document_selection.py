"""Which elements of the document are selected: those that the selection of the model comes from, or others that no model has (sections, default classes, assets' settings).

    selection of the model (app.context)  <-- Model.links -->  ids of elements of the document's version (editor.edits.version.Version)

An id stays with its element through edits, so that the selection does, too: also where the model that runs is of an earlier text, and while the text is no XML.
"""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.session import Session
from editor.copies import banner
from editor.edits.version import Version
from physics.model.elements import Element as ModelElement
from physics.model.elements import element as model_element
from physics.spec.element import Element
from physics.spec.links import Links, Source


class DocumentSelection(QObject):
    """Signals: changed() when other elements are selected, or those that are have changed in the text. One for a window."""

    changed = pyqtSignal()

    def __init__(self, context: AppContext, session: Session):
        super().__init__()
        self._context, self._session = context, session
        self._model = context.model     # that `_ids` were followed in last
        self._ids: tuple[int, ...] = ()
        self._choosing = False
        self._banner: tuple[Version, Links | None, tuple, str] | None = None      # what it was made of last, and the line
        context.selection_changed.connect(lambda _selection: self._follow())
        context.model_changed.connect(self._model_changed)
        session.edited.connect(lambda _edit: self.changed.emit())
        session.document_opened.connect(lambda: self._choose(()))

    @property
    def ids(self) -> tuple[int, ...]:
        """Ids of the elements, the active one last; of some that an edit has taken away there may be no element now."""
        return self._ids

    def elements(self) -> tuple[Element, ...]:
        """The elements that there are now, the active one last; while a text is no XML those of the last tree there was."""
        document = self._session.document
        good, version = document.last_good, document.version()
        return tuple(found for number in self._ids if (found := good.element(number) or version.element(number)) is not None)

    def element(self, number: int) -> Element | None:
        """The element of the document with an id, those of attached models too; None where there is none."""
        document = self._session.document
        return document.last_good.element(number) or document.version().element(number)

    def select(self, ids: Iterable[int]) -> None:
        """Select elements of the document, the active one last, and what the model that runs has of them; what it has of them later, once their text runs."""
        ids = tuple(dict.fromkeys(ids))
        self._choosing = True
        try:
            self._context.select_elements([item for number in ids for item in self.items_of(number)])
        finally:
            self._choosing = False
        self._choose(ids)

    def items_of(self, number: int) -> list[ModelElement]:
        """What the model that runs has of an element of the document: several where it is copied, nothing where it was written just now."""
        m = self._context.model
        return [model_element(m, kind, i) for kind, i in m.links.items(number)] if m is not None else []

    def id_of(self, item: ModelElement) -> int | None:
        """The id of the element of the document that an element of the model comes from; None where that is not known."""
        source = self.source_of(item)
        return None if source is None else source.element

    def source_of(self, item: ModelElement) -> Source | None:
        """The element of the document that an element of the model comes from, and which copy of it this is; None where that is not known."""
        m = self._context.model
        return m.links.source(item.kind, item.id) if m is not None else None

    def banner(self) -> str:
        """What to say beside the active element of what an edit of it changes beyond what is seen: copies, models that attach it, an included file; '' for nothing."""
        m, ids, good = self._context.model, self._ids, self._session.document.last_good.good    # while a text is no XML as it was before
        if not ids or good is None:
            return ""
        active = self._context.selection.active
        links = m.links if m is not None else None
        known = self._banner
        if known is None or known[0] is not good or known[1] is not links or known[2] != (ids[-1], active):     # asked with every picture
            source = self.source_of(active) if active is not None else None
            said = banner(good, ids[-1], links, source.copies if source is not None and source.element == ids[-1] else None)
            known = self._banner = good, links, (ids[-1], active), said
        return known[3]

    def _follow(self) -> None:
        """The selection of the model has changed."""
        if self._choosing or self._model is not self._context.model:      # found again in another Model: `_model_changed` comes next
            return
        items = self._context.selection.elements
        if items:
            self._choose(tuple(dict.fromkeys(found for item in items if (found := self.id_of(item)) is not None)))
        elif self._ids and any(self.items_of(number) for number in self._ids):
            self._choose(())

    def _model_changed(self, model) -> None:
        """Another Model runs: elements that were written, renamed or moved in its text are found again by their ids; others are where the window has found them by name.

        It finds unnamed ones by their number, which others have now where elements were put in another order: those are not selected."""
        self._model = model
        selected = self._context.selection.elements
        sources = [source.element if (source := self.source_of(item)) is not None else None for item in selected]
        kept = [item for item, number in zip(selected, sources, strict=True) if not self._ids or item.name or number is None or number in self._ids]
        missed = [item for number in self._ids if number not in sources for item in self.items_of(number)]
        if not missed and len(kept) == len(selected):
            self._follow()
            return
        self._choosing = True
        try:
            self._context.select_elements([*kept, *missed])
        finally:
            self._choosing = False
        self.changed.emit()

    def _choose(self, ids: tuple[int, ...]) -> None:
        if ids != self._ids:
            self._ids = ids
            self.changed.emit()
