"""What is selected in a window as subjects of its gizmo, kept while their texts change and found anew when another model runs."""
from __future__ import annotations

from dataclasses import dataclass, replace

from app.context import AppContext
from editor.tools.chosen import ITSELF, aims_in_text, aims_of, are_parts, dragged_in, subjects_in_model, subjects_in_text
from editor.tools.edits import outermost
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import MOVE, SCALE
from editor.tools.subject import Subject, read_again

MOST = 500      # elements that are moved together


@dataclass(frozen=True, slots=True)
class Subjects:
    """subjects: the active one last; points: they are dragged one by one (sites of a tendon, anchors of a weld); refusal: why something that is selected is not among them;
    aims: what of the active one can be dragged (editor.tools.chosen)."""

    subjects: tuple[Subject, ...] = ()
    points: bool = False
    refusal: str = ""
    aims: tuple[str, ...] = ()


class SelectedSubjects:
    """`now` gives them, those of a mode and an aim found when they are asked for first. session: app.session.Session; document_selection:
    app.controllers.document_selection.DocumentSelection.

    Until the model follows a change of the text, what stands around an element is taken to be as it was."""

    def __init__(self, context: AppContext, session, document_selection):
        self._context, self._session, self._document_selection = context, session, document_selection
        self._found: dict[tuple[bool, str], Subjects] = {}     # by whether sizes are dragged, and what of the selection is
        self._refused: dict[int, str] = {}      # why some of them cannot be changed at present, by the ids of their elements: their text is being written
        self._active = 0, ""        # key of the subject that was active when a drag ended
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

    def keep(self, subjects: tuple[Subject, ...], mode: str = MOVE, aim: str = ITSELF) -> None:
        """These are known after a drag, whatever Model of one of its motions still comes; the last one has them found anew."""
        keys, key = {one.key for one in subjects}, (mode == SCALE, aim)
        found = self._found.get(key, Subjects())
        self._found[key] = replace(found, subjects=(*(one for one in found.subjects if one.key not in keys), *subjects))
        self._due, self._carry = False, True
        self._active = subjects[-1].key

    def now(self, mode: str = MOVE, aim: str = ITSELF) -> Subjects:
        """The subjects of the present selection that have handles in a mode."""
        m = self._context.model
        if m is None:
            return Subjects()
        if self._due:
            self._due = self._carry = False
            self._found, self._refused = {}, {}
        elif self._carry:
            self._carry = False
            trees, self._refused = ElementTrees(self._session.document), {}
            aims = self._aims(trees, m) if self._found else ()
            self._found = {key: replace(found, subjects=tuple(self._followed(trees, one) for one in found.subjects), aims=aims) for key, found in self._found.items()}
        key = mode == SCALE, aim
        if key not in self._found:
            self._found[key] = self._find(m, mode, aim)
        found = self._found[key]
        left = tuple(one for one in found.subjects if one.element.id not in self._refused)
        refusal = found.refusal if len(left) == len(found.subjects) else next(iter(self._refused.values()))
        return replace(found, subjects=dragged_in(mode, left, found.points), refusal=refusal)

    def _followed(self, trees: ElementTrees, one: Subject) -> Subject:
        """What the text says of a subject now. One whose text is being written, or gone while the model still has it, waits: where it stood is something else by now."""
        try:
            return read_again(one, trees)
        except Refused as why:
            self._refused[one.element.id] = f"{one.label}: {why}"
            return one

    def _find(self, m, mode: str, aim: str) -> Subjects:
        trees, found, refusal = ElementTrees(self._session.document), [], ""
        chosen, parts = self._context.selection.elements[-MOST:], 0
        for what in chosen:
            try:
                made = subjects_in_model(trees, m, what.kind, what.id, mode, aim)
                parts = len(made)
                found += made
            except Refused as why:
                refusal = f"{what}: {why}"
        written = self._document_selection.elements() if not chosen else ()
        for element in written:
            try:
                made = subjects_in_text(trees, m, element, aim)
                parts = len(made) if are_parts(element, aim) else 0
                found += made
            except Refused as why:
                refusal = f"{element.tag} {element.name}: {why}".replace(" :", ":")
        points = len(found) == parts > 1 or (len(chosen) == 1 and chosen[0].kind == "tendon" and bool(found))
        if points:
            found.sort(key=lambda one: one.key == self._active)
        return Subjects(tuple(found if points else outermost(found)), points, refusal, self._aims(trees, m))

    def _aims(self, trees: ElementTrees, m) -> tuple[str, ...]:
        """What of the active one can be dragged; of the text's where none of the model is selected."""
        active = self._context.selection.active
        if active is not None:
            return aims_of(trees, m, active.kind, active.id) if active.kind in m.names else (ITSELF,)
        written = self._document_selection.elements()
        return aims_in_text(written[-1]) if written else (ITSELF,)
