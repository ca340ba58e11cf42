"""What the rules for models at rest say of the open document's model, found in a thread of its own while somebody looks.

    a Model is swapped in --begin--> thread: lint --done--> findings     of several that follow each other the newest
"""
from __future__ import annotations

import weakref
from collections.abc import Iterable

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.model_memory import path_of, remember, remembered
from app.panels.pipeline.newest_work import NewestWork
from app.session import Session
from physics.lint.finding import Finding
from physics.lint.lint import lint
from physics.simulate import warm_up

MEMORY = "lint"
REST_MS = 500           # after the last of edits that follow each other
AGAIN_MS = 1000         # until it is looked again whether the kernels are there
NO_MODEL = "There is no model of this text yet."
NO_TEXT = "The rules look at a text, which this document does not have."
LOOKING = "Looking..."
CHANGED = "The text has changed: these are findings of the model that runs."
NO_KERNELS = "The physics engine is still being compiled: rules about poses and contacts follow."


class Linting(QObject):
    """findings: all of the model that runs, the ignored ones too. Signal: changed() when these, what is ignored or `note` are others."""

    changed = pyqtSignal()

    def __init__(self, context: AppContext, session: Session, parent: QObject):
        super().__init__(parent)
        self._context, self._session = context, session
        self.findings: tuple[Finding, ...] = ()
        self.note = ""              # what there is to say of them
        self.seen = False
        self._done_of = self._begun_of = None       # (weak reference to the Model, what its text read as, whether poses were computed)
        self._work = NewestWork("lint", self)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._failed)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(AGAIN_MS)
        self._again.timeout.connect(self.look)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self.look)
        context.model_changed.connect(lambda _model: self._later())
        context.model_edited.connect(lambda _fields: self._rest.start())
        session.document_opened.connect(self._forget)
        session.edited.connect(self._edited)
        session.issues_changed.connect(lambda _issues: self._later())     # a text was compiled, whether another Model comes of it or not

    def set_seen(self, seen: bool) -> None:
        """Somebody looks, or does not any more."""
        self.seen = seen
        if seen:
            self.look()

    def _later(self) -> None:
        """The texts that were compiled are told after the Model."""
        QTimer.singleShot(0, self.look)

    def _forget(self) -> None:
        self._work.give_up()
        self.findings, self._done_of, self._begun_of = (), None, None
        self._say()

    # ------------------------------------------------------------------ looking

    @property
    def up_to_date(self) -> bool:
        """Whether the text that runs is the present one."""
        document = self._session.document
        return all(self._session.running_text(key) == file.text for key, file in document.files().items())

    def look(self) -> None:
        """Find what there is to say of the present Model, unless that is known or nobody looks."""
        model = self._context.model
        if not self.seen:
            return
        if self._session.document.open_gesture is not None:     # each of its motions would begin anew
            self._rest.start()
            self._say()
            return
        if self._no_text() or model is None or not self._session.shown or not self.up_to_date:
            self._say()
            return
        read = self._session.document.version().read
        ready = warm_up.covers(model)
        if not ready:
            self._again.start()
        what = weakref.ref(model), read, ready
        if _same(what, self._done_of) or _same(what, self._begun_of) or read.root is None or read.root.tag != "mujoco":
            self._say()
            return
        self._begun_of = what
        self._work.begin(lambda stop: (what, lint(read, model, (), ready, stop)))
        self._say()

    def _no_text(self) -> bool:
        document = self._session.document
        return bool(document.compiled or document.script or document.recorded is not None)

    def _take(self, result: tuple) -> None:
        what, findings = result
        self._begun_of = None
        if what[0]() is not self._context.model:
            self.look()
            return
        self._done_of, self.findings = what, findings
        self._say()

    def _failed(self, text: str) -> None:
        self._done_of, self._begun_of = self._begun_of, None
        self.findings = ()
        self._say(f"The rules could not be applied: {text}")

    def _edited(self, _edit) -> None:
        if self._state() != self.note:      # else the next of many motions
            self._say()

    def _state(self) -> str:
        """What there is to say while nothing has failed."""
        if self._no_text():
            return NO_TEXT
        if self._context.model is None or not self._session.shown:
            return NO_MODEL
        if self._begun_of is not None:
            return LOOKING
        if not self.up_to_date:
            return CHANGED
        return NO_KERNELS if self._done_of is not None and not self._done_of[2] else ""

    def _say(self, text: str = "") -> None:
        self.note = text or self._state()
        self.changed.emit()

    # ------------------------------------------------------------------ what the user does with them

    @property
    def _path(self) -> str:
        return path_of(self._context.model) if self._context.model is not None else ""

    @property
    def ignored(self) -> frozenset[str]:
        """Keys of findings of this model that are not to be told."""
        found = remembered(self._context.settings, self._path, MEMORY)
        return frozenset(found) if isinstance(found, list) else frozenset()

    def ignore(self, keys: Iterable[str], on: bool = True) -> None:
        """Tell these no more of this model, or (on False) tell them again."""
        now = self.ignored | set(keys) if on else self.ignored - set(keys)
        remember(self._context.settings, self._path, MEMORY, sorted(now) or None)
        self.changed.emit()

    def fix(self, findings: Iterable[Finding], which: int = 0) -> bool:
        """Mend findings by their first fix, or by fix number `which` of one, as one entry of what can be undone; False, and a message, where that cannot be."""
        from editor.lint_fixes import edit_of

        fixes = [f.fixes[which] for f in findings if len(f.fixes) > which]
        label = fixes[0].label if len(fixes) == 1 else f"Mend {len(fixes)} findings"
        try:
            self._session.edit(edit_of(self._session.document.version(), fixes, label))
        except ValueError as why:
            self._context.log("warning", f"Not mended: {why}")
            return False
        return True


def _same(one: tuple, other: tuple | None) -> bool:
    """Whether two looks are at the same; texts that read alike may have been read anew."""
    return other is not None and one[0] == other[0] and one[1] is other[1] and one[2] == other[2]
