"""What is selected in a window as subjects of its gizmo, kept while their texts change and found anew when another model runs."""
from __future__ import annotations

from dataclasses import dataclass, replace

from app.context import AppContext
from editor.tools.edits import outermost
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.subject import KINDS, Subject, subject_after, subject_of, subject_of_frame
from physics.enums import WrapType
from physics.model.elements import Element

MOST = 500      # elements that are moved together


@dataclass(frozen=True, slots=True)
class Subjects:
    """subjects: the active one last; points: they are the sites of a tendon; refusal: why something that is selected is not among them."""

    subjects: tuple[Subject, ...] = ()
    points: bool = False
    refusal: str = ""


class SelectedSubjects:
    """`now` gives them. session: app.session.Session; document_selection: app.controllers.document_selection.DocumentSelection.

    Until the model follows a change of the text, what stands around an element is taken to be as it was."""

    def __init__(self, context: AppContext, session, document_selection):
        self._context, self._session, self._document_selection = context, session, document_selection
        self._found = Subjects()
        self._refused: dict[int, str] = {}      # why some of them cannot be changed at present, by the ids of their elements: their text is being written
        self._active = 0        # id of the element that was active when a drag ended
        self._due, self._carry, self._busy, self._missed = True, False, False, False
        self._connections = ((context.selection_changed, self._select), (document_selection.changed, self._select_in_text), (context.model_changed, self._model_changed),
                             (session.edited, self._edited), (session.busy_changed, self._busy_changed), (session.document_opened, self._select))
        for signal, slot in self._connections:
            signal.connect(slot)
        self._ids = document_selection.ids

    def end(self) -> None:
        """Nobody asks any more."""
        for signal, slot in self._connections:
            signal.disconnect(slot)

    def _select(self, *_what) -> None:
        self._due = True

    def _select_in_text(self) -> None:
        if self._document_selection.ids != self._ids:
            self._ids, self._due = self._document_selection.ids, True

    def _model_changed(self, _model) -> None:
        if self._busy:      # of a text before the present one
            self._missed = True
        else:
            self._due = True

    def _busy_changed(self, busy: bool) -> None:
        self._busy = busy
        if not busy and self._missed:
            self._missed, self._due = False, True

    def _edited(self, _edit) -> None:
        self._carry = True

    def keep(self, subjects: tuple[Subject, ...]) -> None:
        """These are known after a drag, whatever Model of one of its motions still comes; the last one has them found anew."""
        moved = {one.element.id: one for one in subjects}
        left = tuple(one for one in self._found.subjects if one.element.id in self._refused and one.element.id not in moved)
        self._found, self._due, self._carry = replace(self._found, subjects=(*left, *subjects)), False, True
        self._active = subjects[-1].element.id

    def now(self) -> Subjects:
        """The subjects of the present selection."""
        m = self._context.model
        if m is None:
            return Subjects()
        if self._due:
            self._due = self._carry = False
            self._found, self._refused = self._find(m), {}
        elif self._carry:
            self._carry = False
            self._follow_text()
        if not self._refused:
            return self._found
        left = tuple(one for one in self._found.subjects if one.element.id not in self._refused)
        return replace(self._found, subjects=left, refusal=next(iter(self._refused.values())))

    def _follow_text(self) -> None:
        """What the text says of the subjects now; those whose text is being written wait."""
        trees, subjects, self._refused = ElementTrees(self._session.document), [], {}
        for one in self._found.subjects:
            try:
                trees.written(one.element.id)
            except Refused as why:
                self._refused[one.element.id] = f"{one.label}: {why}"
                subjects.append(one)
            else:
                subjects.append(subject_after(one, trees) or one)
        self._found = replace(self._found, subjects=tuple(subjects))

    def _find(self, m) -> Subjects:
        trees, found, refusal = ElementTrees(self._session.document), [], ""
        chosen = self._context.selection.elements
        sites = self._sites(m, chosen)
        for what in (sites or chosen)[-MOST:]:
            try:
                found.append(subject_of(trees, m, what.kind, what.id) if what.kind in KINDS else self._none(what))
            except Refused as why:
                refusal = f"{what}: {why}"
        for element in self._document_selection.elements() if not chosen else ():
            try:
                if element.tag == "frame":
                    found.append(subject_of_frame(trees, m, element))
                else:
                    refusal = f"<{element.tag}> has no pose of its own" if element.tag not in KINDS else "It is not in the model that runs"
            except Refused as why:
                refusal = f"frame {element.name}: {why}".replace(" :", ":")
        if sites:
            found.sort(key=lambda one: one.element.id == self._active)
        return Subjects(tuple(found if sites else outermost(found)), bool(sites), refusal)

    @staticmethod
    def _none(what: Element) -> Subject:
        raise Refused("It has no pose of its own")

    @staticmethod
    def _sites(m, chosen: tuple[Element, ...]) -> tuple[Element, ...]:
        """The sites that a tendon, selected alone, goes through."""
        if len(chosen) != 1 or chosen[0].kind != "tendon":
            return ()
        adr, count = int(m.tendon_adr[chosen[0].id]), int(m.tendon_num[chosen[0].id])
        numbers = dict.fromkeys(int(m.wrap_objid[k]) for k in range(adr, adr + count) if m.wrap_type[k] == WrapType.SITE)
        return tuple(Element("site", number, m.names["site"][number] or "") for number in numbers)
