"""The open document and its files: texts that change, saving, what changes on disk, and what a crash left behind. app/session.py compiles and runs it."""
import contextlib
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.settings import state_folder
from editor.autosave import DAMAGED, Recovered
from editor.document import COMPILED, NEW_NAME, DiskChange, Document, SourceFile
from editor.edits.gesture import Gesture
from editor.edits.line_changes import Merge, edit_by_lines
from editor.edits.patch import Edit, edit_between
from editor.journal import Journal
from editor.replay import Replay
from editor.source_file import read_text
from editor.watcher import Watcher

AUTOSAVE_MS = 500    # after the first key since the journal was written last; other edits are written at once
DISK_HOLD_MS = 400   # another program may not be done with a file: what is wrong in it is told only then


def compiled_path(path: Path) -> Path:
    """The file that a compiled model is written to where this was asked for."""
    return path if path.suffix.lower() == COMPILED else path.with_name(path.name + COMPILED)


class SessionFiles(QObject):
    """Signals (GUI thread):

    document_opened()               another document is open
    files_changed()                 the list of its files, or the text of one behind the editor's back, has changed
    modified_changed(bool)          whether there is unsaved text
    problem_changed(str)            text for the view: the first problems, '' when all is well
    title_changed(str)              title of the window
    loading_changed(str)            name of the document whose model is being loaded while an earlier one, or none, is shown; '' when it is there
    conflict(str)                   a file (key) changed on disk while it has unsaved text
    edited(Edit)                    texts were changed by this edit (editor.edits.patch), by typing, undone or done again, too; places are those of the texts before
    moved(Edit)                     after `edited`: it has undone something, or done it again
    history_changed()               what can be undone or done again is another
    recovery_found()                a program that ended unexpectedly left unsaved text behind (`recovery`), or that was settled (None)
    """

    document_opened = pyqtSignal()
    files_changed = pyqtSignal()
    modified_changed = pyqtSignal(bool)
    problem_changed = pyqtSignal(str)
    title_changed = pyqtSignal(str)
    loading_changed = pyqtSignal(str)
    conflict = pyqtSignal(str)
    edited = pyqtSignal(object)
    moved = pyqtSignal(object)
    history_changed = pyqtSignal()
    recovery_found = pyqtSignal()
    _disk_changed = pyqtSignal(object)
    _written = pyqtSignal(str, str)
    _kept = pyqtSignal(str)
    open: Callable[..., bool]          # these four are Session's own
    shown: bool
    _compile: Callable[..., None]
    _apply_edit: Callable[..., None]

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.document = Document.new()
        self.loading = ""
        self.recovery: Recovered | None = None
        self.may_leave: Callable[[], bool] = lambda: True   # asks about unsaved text where something asks the user (FilesController)
        self._autosave = Journal(state_folder() / "unsaved")
        self._autosave.follow(self.document)
        self._autosave_timer = QTimer(self)
        self._autosave_timer.setSingleShot(True)
        self._autosave_timer.setInterval(AUTOSAVE_MS)
        self._autosave_timer.timeout.connect(self._autosave_aside)
        self._told = ""     # why no copy of unsaved text can be kept, as was said already
        self._kept.connect(self._tell_kept)
        self._was_modified = self._closed = False
        self._files = list(self.document.files())
        self._held_paths: set[Path] = set()   # what has changed on disk during a gesture
        self._disk_changed.connect(self._take_disk_changes)
        self._written.connect(context.log)
        self._watcher: Watcher | None = None   # from the first picture on: until then every import counts
        context.first_frame.connect(self._start_watching)

    @property
    def path(self) -> Path | None:
        """Path of the main file, or of the archive it lies in; None before it has one."""
        return self.document.path

    @property
    def modified(self) -> bool:
        """Whether there is unsaved text."""
        return self.document.modified

    def _opened(self, document: Document) -> None:
        """Another document takes the place of the present one; its model is still to come."""
        if self.document.open_gesture is not None:
            self.document.open_gesture.end()
        self.document = document
        self._autosave.follow(document)
        self._files, self._held_paths = list(document.files()), set()
        self._set_loading(document.path.name if document.path is not None else NEW_NAME)
        self._watch()
        self.document_opened.emit()
        self.history_changed.emit()
        self._text_state_changed()

    def _set_loading(self, name: str) -> None:
        if name != self.loading:
            self.loading = name
            self.loading_changed.emit(name)
            self._tell_title()

    # ------------------------------------------------------------------ text

    def set_text(self, key: str, text: str) -> None:
        """Somebody has written another text of a file; it is not applied by this."""
        file = self.document.files()[key]
        self.typed(edit_between(f"Typing in {file.name}", key, file.text, text, ("typing", key)))

    def typed(self, edit: Edit) -> None:
        """The user has changed a text in its editor; it is not applied by this."""
        if edit.patches:
            self.edit(edit, apply=False)

    def write_text(self, key: str, text: str, label: str) -> None:
        """Another part of the window has changed the text of a file: shown in the editor, and applied."""
        edit = edit_by_lines(label, key, self.document.files()[key].text, text)
        if edit.patches:
            self.edit(edit)

    def edit(self, edit: Edit, apply: bool = True) -> None:
        """Change texts by an edit, which can be undone. apply: compile them and swap the model in, too. A gesture that is under way has ended by this.

        Raises ValueError for an edit that does not fit, or texts that are only read.
        """
        self.document.apply(edit)
        if apply:
            self.document.version()     # so that the compiler gives new elements the ids that they have here
        self._edited(edit, edit.label if apply else "")

    def undo(self) -> bool:
        """Take the last edit back, or give the gesture up that is under way, and apply that; False where there is none."""
        return self._moved(self.document.undo())

    def redo(self) -> bool:
        """Do what was undone last again, and apply that; False where there is nothing."""
        return self._moved(self.document.redo())

    def go_to_edit(self, position: int) -> bool:
        """Undo, or do again, until so many entries of the history are done, and apply that once; False where nothing changes."""
        return self._moved(self.document.go_to(position), "history of edits")

    def _moved(self, done: Edit | None, label: str = "") -> bool:
        if done is not None:
            self._edited(done, label or done.label or "gesture")
            self.moved.emit(done)
        return done is not None

    def gesture(self) -> Gesture:
        """A gesture begins: call `show` of this session, not the gesture's own, with each of its edits, then `end` or `cancel`. What the disk does meanwhile is looked at then."""
        self._autosave_aside()
        return Gesture(self.document)

    def show(self, gesture: Gesture, edit: Edit | None) -> None:
        """One motion of a gesture, applied at once. Nothing where the gesture has ended meanwhile: something else has changed the texts, or it was undone."""
        if gesture.ended:
            return
        done = gesture.show(edit)
        if done.patches:
            self._edited(done, edit.label if edit is not None else "gesture")

    def end(self, gesture: Gesture) -> None:
        """The gesture has ended: it is one entry of what can be undone."""
        gesture.end()
        self._autosave_aside()
        self.history_changed.emit()
        self._take_held_changes()

    def cancel(self, gesture: Gesture) -> None:
        """The gesture is given up: the texts are as they were before it."""
        done = gesture.cancel()
        if done.patches:
            self._edited(done, "gesture")
        self._take_held_changes()

    def _edited(self, edit: Edit, label: str) -> None:
        """label: of the compilation, '' for none."""
        files = list(self.document.files())
        if files != self._files:    # one that is not included any more was changed
            self._files = files
            self.files_changed.emit()
        moving = bool(label) and self.document.open_gesture is not None
        if moving:      # the motion of a drag is on its way to the picture before anybody follows it, and no entry of the history
            self._apply_edit(label, edit)
        self.edited.emit(edit)
        if not moving:
            self.history_changed.emit()
        self._text_state_changed()
        if label and not moving:
            self._autosave_aside()
            self._apply_edit(label, edit)
        self._take_held_changes()

    def revert(self) -> None:
        """Back to the texts on disk, which can be undone."""
        edit = self.document.revert()
        if edit is not None:
            self._edited(edit, "texts of the files")

    def take_disk(self, key: str) -> None:
        """Settle a conflict: the text on disk replaces the unsaved one."""
        self._settled(key, lambda: self.document.take_disk(key))

    def merge_with_disk(self, key: str) -> Merge | None:
        """What was changed in a file here, and on disk, put together; None where that cannot be done."""
        try:
            return self.document.merge(key, read_text(self.document.files()[key].path)[0])
        except OSError:
            return None

    def take_merge(self, key: str, text: str, disk: str) -> None:
        """Settle a conflict: by a text in which both changes are. disk: what the disk had."""
        self._settled(key, lambda: self.document.take_merge(key, text, disk))

    def _settled(self, key: str, settle: Callable[[], Edit | None]) -> None:
        name = self.document.files()[key].name
        try:
            edit = settle()
        except OSError as error:
            self._context.log("error", f"{name} cannot be read from disk: {error.strerror or error}; its text stays here")
            return
        self.history_changed.emit()
        self._text_state_changed()
        if edit is not None:
            self._edited(edit, f"{name} on disk")

    def keep_mine(self, key: str) -> None:
        """Settle a conflict: the unsaved text stays, and a save will overwrite what is on disk."""
        self.document.keep(key)
        self.history_changed.emit()
        self._text_state_changed()
        self._context.log("info", f"{self.document.files()[key].name}: the text in the window is kept; saving overwrites the file")

    def _text_state_changed(self) -> None:
        modified = self.document.modified
        if modified != self._was_modified:
            self._was_modified = modified
            self.modified_changed.emit(modified)
        if not self._autosave_timer.isActive():   # not anew at each key: steady typing would put it off for ever
            self._autosave_timer.start()
        self._tell_title()

    def _tell_title(self) -> None:
        document = self.document
        self.title_changed.emit(f"{'*' if self._was_modified else ''}{document.title}{' (loading)' if self.loading else ''} - Linkwork")

    # ------------------------------------------------------------------ saving

    def save(self) -> bool:
        """Write all unsaved texts; False (and a message) when that fails, or a file changed on disk and the user has not decided yet."""
        conflicts = self.document.conflicts()
        for key in conflicts:
            self.conflict.emit(key)
        if conflicts:
            names = ", ".join(self.document.files()[key].name for key in conflicts)
            self._context.log("warning", f"Not saved: {names} changed on disk meanwhile; choose in the XML panel what to keep")
            return False
        problem = ""
        try:
            written = self.document.save()
        except (OSError, ValueError) as error:
            problem, written = str(error), getattr(error, "written", ())
        if written or not problem:
            self._context.log("info", "Saved " + ", ".join(path.name for path in written) if written else "Nothing to save")
        if problem:
            self._context.log("error", f"Not saved: {problem}")
        self.history_changed.emit()
        self._text_state_changed()
        return not problem

    def save_as(self, path: Path) -> bool:
        """Write the main text to another file, which is the document's from now on; False (and a message) when that fails.

        A model from an archive is unpacked there, or its archive copied when the name is one of an archive; a compiled model is written as MJCF.
        """
        if self.document.compiled:
            return self._write_text_of_model(path)
        try:
            self.document.save_as(path)
        except OSError as error:
            self._context.log("error", f"Not saved: {error}")
            return False
        self._context.settings.add_recent(self.document.path)
        self._watch()
        self._files = list(self.document.files())
        self.files_changed.emit()
        self.history_changed.emit()
        self._text_state_changed()
        self._compile(f"edit of {self.document.main.name}")   # included files, and all others, are looked up from the new place
        return True

    def _write_text_of_model(self, path: Path) -> bool:
        """A compiled model as a text, which is opened; or as a compiled model, which is not."""
        if path.suffix.lower() == COMPILED:
            return self.save_compiled(path)
        if not self.shown:
            self._context.log("error", f"Not saved: {self._why_none()}")
            return False
        from physics.writer import mjcf

        try:
            lost = mjcf.save(self._context.model, path)
        except (OSError, ValueError) as error:
            self._context.log("error", f"Not saved: {error}")
            return False
        for line in lost:
            self._context.log("warning", f"{path.name} does not keep: {line}")
        if self.document.script:    # which stays in the window
            self._context.log("info", f"Saved {path.name}")
            return True
        return self.open(path)

    def save_compiled(self, path: Path) -> bool:
        """Write the model that runs, with all that was changed in the window, as a compiled model (.lwb), away from the GUI thread; False (and a message) where there is none."""
        if not self.shown:
            self._context.log("error", f"Not saved: {self._why_none()}")
            return False
        model = self._context.model
        threading.Thread(target=self._write_compiled, args=(model, compiled_path(path)), name="save", daemon=False).start()
        return True

    def _why_none(self) -> str:
        """Why the open document has no model in the window."""
        name = self.document.path.name if self.document.path is not None else NEW_NAME
        if self.loading:
            return f"the model of {name} is not loaded yet"
        other = "" if self._context.model is None else "; the one in the window is another file's"
        return f"there is no model of {name}, whose problems the XML panel lists{other}"

    def _write_compiled(self, model, path: Path) -> None:
        from physics.model import lwb

        try:
            lwb.save(model, path)
            said = "info", f"Saved {path.name}"
        except OSError as error:
            said = "error", f"Not saved: {path.name}: {error.strerror or error}"
        with contextlib.suppress(RuntimeError):   # the window was closed meanwhile
            self._written.emit(*said)

    # ------------------------------------------------------------------ after a crash

    def autosave(self) -> None:
        """Have all that was done to the texts in the journal on the disk."""
        self._tell_kept("" if self._autosave.write_now() else self._autosave.problem)

    def _autosave_aside(self) -> None:
        """While the work goes on, which does not wait for the disk."""
        def done(problem: str) -> None:
            with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
                self._kept.emit(problem)

        self._autosave.write(done)

    def _tell_kept(self, problem: str) -> None:
        if problem and problem != self._told:   # told once, not at each key
            self._context.log("warning", f"No copy of the unsaved text can be kept aside: {problem}. It is only in this window: save it elsewhere")
        self._told = problem

    def _look_for_recovery(self, key: str | None) -> None:
        found = self._autosave.left_behind(key)
        while self._autosave.damaged:
            place, of, why = self._autosave.damaged.pop()
            self._context.log("warning", f"What was kept of unsaved text of {Path(of).name} cannot be read ({why}); it is kept as {place}")
        if found is not None:
            self.recovery = found
            self.recovery_found.emit()

    def look_for_any_recovery(self) -> None:
        """At the start of the program: is there unsaved text of any document that a crash left behind?"""
        if self.recovery is None:
            self._look_for_recovery(None)

    def restore(self) -> bool:
        """Take the text that was left behind into the window (unsaved), after asking about unsaved text that is open; False when the user keeps that,
        or the document cannot be opened."""
        found = self.recovery if self.recovery is not None and self.may_leave() else None   # another window may settle it during the question
        if found is None:
            return False
        if found.journal is not None:
            done = self._restore_journal(found.journal)
        else:
            done = self._restore_texts(found)
        if not done:
            return False
        self._autosave.replace(found)
        self.autosave()
        self.recovery = None
        self.recovery_found.emit()
        self.history_changed.emit()
        self._text_state_changed()
        self._compile("restored text", keep_state=False)
        return True

    def _restore_texts(self, found: Recovered) -> bool:
        """From whole texts, as one edit."""
        if found.key != self.document.key:
            document = self._document_of(found.key)
            if document is None:
                return False
            self._opened(document)
        for key in found.files:
            if key not in self.document.files():
                self.document.include(key)
        texts = self.document.texts()
        edit = Edit("Restored text", tuple(patch for key, text in found.files.items() for patch in edit_by_lines("", key, texts[key], text).patches))
        self.files_changed.emit()
        if edit.patches:
            self.document.apply(edit)
            self._edited(edit, "")
        return True

    def _restore_journal(self, journal: Replay) -> bool:
        """From a journal, with all that can be undone."""
        document = self._document_of(journal.key, journal)
        if document is None:
            return False
        changed = document.restore(journal)
        self._opened(document)
        if journal.broken:
            place = state_folder() / "unsaved"
            self._context.log("warning", f"The last edits could not be read any more: {journal.broken}. What was kept stays in {place} as a file that ends in {DAMAGED}")
        for key in changed:
            self._context.log("warning", f"{document.files()[key].name} has changed on disk since its text was left unsaved")
        self._look_at_disk(changed)
        return True

    def _document_of(self, key: str, journal: Replay | None = None) -> Document | None:
        """The document that text was left of; where its file is gone, with the text of the journal."""
        if key == NEW_NAME:
            return Document.new() if journal is None else Document.new(journal.disk.get(key) or "")
        try:
            return Document.open(Path(key))
        except FileNotFoundError as error:
            if journal is not None and key in journal.texts:
                return Document(SourceFile(Path(key), journal.texts[key], journal.disk.get(key), journal.codecs[key], gone=True))
            problem = error
        except OSError as error:
            problem = error
        self._tell_problem(f"{key}: the file cannot be read: {problem.strerror or problem}")
        return None

    def discard_recovery(self) -> None:
        """Delete the text that was left behind."""
        if self.recovery is not None:
            found, self.recovery = self.recovery, None
            found.discard()
            self.recovery_found.emit()

    def _tell_problem(self, text: str) -> None:
        self._context.log("error", text)
        self.problem_changed.emit(text)

    # ------------------------------------------------------------------ the disk

    def _start_watching(self) -> None:
        if self._watcher is None and not self._closed:
            self._watcher = Watcher(self._tell_disk)
            self._watch()
            self._take_disk_changes({file.path for file in self.document.files().values() if file.path is not None and not file.sealed})   # of the time before

    def _tell_disk(self, paths: set[Path]) -> None:
        """In the watcher's thread."""
        with contextlib.suppress(RuntimeError):   # the window was closed meanwhile
            self._disk_changed.emit(paths)

    def _watch(self) -> None:
        if self._watcher is not None:
            self._watcher.watch(self.document.watched())

    def _take_disk_changes(self, paths: set[Path]) -> None:
        if self._closed:
            return
        document = self.document
        if document.open_gesture is not None:
            self._held_paths |= paths
            return
        others = [path.name for path in paths & {*document.assets, document.archive, document.main.path if document.compiled else None}]
        taken = self._look_at_disk([key for key, file in document.files().items() if file.path in paths])
        if others or taken:
            self._text_state_changed()
            self._changed_on_disk(f"{(*others, *taken)[0]} changed on disk", bool(others))

    def _changed_on_disk(self, label: str, others: bool) -> None:
        """others: files that the texts name have changed, too, so that what the texts say is not all."""
        if others:
            self._compile(label, hold_ms=DISK_HOLD_MS)
        else:
            self._apply_edit(label, hold_ms=DISK_HOLD_MS, typed=True)

    def _take_held_changes(self) -> None:
        """What the disk has done during a gesture."""
        if self._held_paths and self.document.open_gesture is None:
            held, self._held_paths = self._held_paths, set()
            self._take_disk_changes(held)

    def _look_at_disk(self, keys: Iterable[str]) -> list[str]:
        """Take up what has changed on disk in these files; the names of those whose text is another, or is saved now."""
        taken = []
        for key in keys:
            file = self.document.files()[key]
            change, edit = self.document.look_at_disk(key)
            if change is DiskChange.CONFLICT:
                self.conflict.emit(key)
            elif change is DiskChange.GONE:
                self._context.log("warning", f"{file.name} is no longer on disk; its text stays here, unsaved")
                self._text_state_changed()
            elif change is DiskChange.UNREADABLE:
                self._context.log("warning", f"{file.name} cannot be read from disk: {file.problem}; its text stays here")
            elif change in (DiskChange.TAKEN, DiskChange.MERGED):
                taken.append(file.name)
                if change is DiskChange.MERGED:
                    self._context.log("info", f"{file.name} changed on disk in other lines than here: both changes are in the text now, unsaved")
                if edit is not None:
                    self._edited(edit, "")
                else:
                    self.history_changed.emit()
        return taken

    def close(self, keep_unsaved: bool = False) -> None:
        """Stop watching. A copy of unsaved text stays for the next start only when the user did not ask for the end."""
        self._closed = True
        if self.document.open_gesture is not None:
            self.document.open_gesture.end()
        self._autosave_timer.stop()
        if keep_unsaved:
            self.autosave()
        else:
            self._autosave.drop()
        self._autosave.close()
        if self._watcher is not None:
            self._watcher.close()
