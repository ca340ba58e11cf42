"""What the user does in the inspector's editors as edits of the session: each typed value one, each drag one gesture, turns of the wheel in a row one entry of what can be
undone."""
from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from editor.edits.patch import Edit
from editor.fields.editors import colour_words
from editor.inspect import edits
from editor.inspect.rows import NAME, ORIENTATION, Row, row_of
from editor.inspect.subject import Reading, Subject
from editor.inspect.values import dragged, step_of, typed_word

COALESCED_MS = 12       # motions within this time are one
COLOUR_PAUSE_MS = 700   # without another colour, after which those of an open dialog are an entry of their own


class FieldChanges(QObject):
    """Signals: refused(row name, component, why) where a value cannot be used; shown(Row) of what a gesture has made of a row; ended() when a gesture is over.

    subject(): what is selected, of the present texts.
    """

    refused = pyqtSignal(str, int, str)
    shown = pyqtSignal(object)
    ended = pyqtSignal()

    def __init__(self, session, subject: Callable[[], Subject | None], parent: QObject | None = None):
        super().__init__(parent)
        self._session, self._subject_now = session, subject
        self._gesture = None
        self._subject: Subject | None = None
        self._row: Row | None = None
        self._index, self._step = 0, 1.0
        self._wanted: tuple[float, bool] | tuple[float, ...] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COALESCED_MS)
        self._timer.timeout.connect(self._show)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(COLOUR_PAUSE_MS)
        self._pause.timeout.connect(self.drop)
        self._resumed = False       # colours of the same dialog are in the history already
        session.document_opened.connect(self._forget)

    @property
    def busy(self) -> bool:
        """Whether a gesture is under way."""
        return self._gesture is not None and not self._gesture.ended

    # ------------------------------------------------------------------ at once

    def apply(self, make: Callable[[Subject], Edit], name: str, component: int = -1) -> bool:
        """Apply what make(subject) gives; False where it is refused, which is told, or nothing is selected."""
        subject = self._subject_now()
        if subject is None:
            return False
        try:
            edit = make(subject)
            if edit.patches:
                self._session.edit(edit)
        except ValueError as why:
            self.refused.emit(name, component, str(why))
            return False
        return True

    def typed(self, row: Row, component: int, text: str) -> bool:
        """The user has typed a number."""
        unit = row.units[component] if component < len(row.units) else ""
        return self.apply(lambda subject: edits.set_component(subject, row, component, lambda word: typed_word(row.spec, text, word, unit)), row.name, component)

    def chosen(self, row: Row, text: str) -> bool:
        """The user has chosen, or typed, the whole value; an empty text takes it away."""
        if row.kind == NAME:
            return self.apply(lambda subject: edits.rename(subject, text), row.name)
        if not text.strip() and not row.required:
            return self.apply(lambda subject: edits.reset(subject, (row.name,)), row.name)
        return self.apply(lambda subject: edits.set_text(subject, row.name, text), row.name)

    def reset(self, name: str) -> bool:
        """Back to class or default."""
        return self.apply(lambda subject: edits.reset(subject, (name,)), name)

    def turned(self, row: Row, notation: str) -> bool:
        """Another notation of an orientation."""
        return self.apply(lambda subject: edits.turn_into(subject, notation), row.name)

    def stepped(self, row: Row, component: int, steps: float, fine: bool) -> bool:
        """The wheel, or a key: steps in a row are undone together."""
        def make(subject: Subject) -> Edit:
            step = self._step_of(subject, row, component)
            merge = ("step", row.name, component, tuple(element.id for element in subject.elements))
            return edits.set_component(subject, row, component, lambda word: dragged(row.spec, word, steps, step, fine), merge, typed=False)

        return self.apply(make, row.name, component)

    def _step_of(self, subject: Subject, row: Row, component: int) -> float:
        word = row.words[component] if component < len(row.words) else ""
        return step_of(row.spec, word, row.units[component] if component < len(row.units) else "")

    # ------------------------------------------------------------------ gestures

    def grab(self, row: Row, component: int) -> None:
        """A drag begins, or a colour is looked for (component -1)."""
        self.drop()
        subject = self._subject_now()
        if subject is None:
            return
        self._subject, self._index = subject, component
        self._row = row_of(subject, row.name) or row
        if row.name == ORIENTATION and self._row.notation != row.notation:
            self._row = row
        self._step = self._step_of(subject, self._row, max(component, 0))
        self._gesture, self._resumed = self._session.gesture(), False

    def drag(self, steps: float, fine: bool) -> None:
        """So many steps since its beginning."""
        self._want((steps, fine))

    def colour(self, value: tuple[float, ...]) -> None:
        """This colour, for now. The dialog stays open as long as one likes: after a pause, or where something else has changed the texts meanwhile, what comes is a gesture of its own."""
        if not self.busy and self._row is not None:
            self.grab(self._row, -1)
            self._resumed = True
        self._want(tuple(value))
        self._pause.start()

    def _want(self, wanted: tuple) -> None:
        if self.busy:
            self._wanted = wanted
            if not self._timer.isActive():
                self._timer.start()

    def _show(self) -> None:
        wanted, self._wanted = self._wanted, None
        if not self.busy or wanted is None:
            return
        begun = time.perf_counter()
        try:
            edit = self._edit(wanted)
            self._session.show(self._gesture, edit if edit.patches else None)
            self._timer.setInterval(max(COALESCED_MS, round(1000 * (time.perf_counter() - begun))))     # what takes long leaves as much time to all else
        except ValueError as why:
            self.refused.emit(self._row.name, self._index, str(why))
            return
        self.shown.emit(self._row_after(wanted))

    def _edit(self, wanted: tuple) -> Edit:
        row, spec, step = self._row, self._row.spec, self._step
        if self._index < 0:
            return edits.set_text(self._subject, row.name, " ".join(self._colour(wanted)))
        steps, fine = wanted
        return edits.set_component(self._subject, row, self._index, lambda word: dragged(spec, word or "0", steps, step, fine), typed=False)

    def _colour(self, wanted: tuple) -> tuple[str, ...]:
        words = self._row.words
        return colour_words(words, wanted)

    def _row_after(self, wanted: tuple) -> Row:
        """What the row shows meanwhile, without another reading of the text."""
        row = self._row
        if self._index < 0:
            return replace(row, words=self._colour(wanted), mixed=(False,) * len(row.words))
        word = row.words[self._index] or "0"
        words = list(row.words)
        words[self._index] = dragged(row.spec, word, wanted[0], self._step, wanted[1])
        return replace(row, words=tuple(words), mixed=tuple(was for was in row.mixed))

    def drop(self) -> None:
        """The gesture ends: one entry of what can be undone."""
        if self._gesture is None:
            return
        if self._wanted is not None:
            self._show()
        gesture, self._gesture = self._gesture, None
        self._timer.stop()
        self._pause.stop()
        self._session.end(gesture)
        self.ended.emit()

    def cancel(self) -> None:
        """The gesture is given up: the texts are as before. Of a dialog's colours that are in the history already the last one, which is that of the beginning, is one more."""
        if self._resumed:
            self.drop()
            return
        if self._gesture is None:
            return
        self._pause.stop()
        gesture, self._gesture, self._wanted = self._gesture, None, None
        self._timer.stop()
        self._session.cancel(gesture)
        self.ended.emit()

    def _forget(self) -> None:
        """Another document: its gesture has gone with the other one."""
        self._gesture, self._wanted, self._row = None, None, None
        self._timer.stop()
        self._pause.stop()


def names_in(reading: Reading, namespace: str) -> list[str]:
    """Names that an attribute may refer to, sorted."""
    return sorted(reading.names.declared.get(namespace, ()), key=str.lower)
