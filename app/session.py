"""The open document and the running simulation, kept together: open, apply, reload and save; what changes on disk; what goes wrong.

    text --LiveCompiler (thread)--> model --SwapModel--> physics thread --'swapped' event--> report of what was carried over

A text that does not compile changes nothing: the last good model runs on and the problems are listed with their places.
"""
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.settings import state_folder
from editor.autosave import Autosave, Recovered
from editor.document import NEW_NAME, DiskChange, Document
from editor.live_compile import LiveCompiler, Request, Result, asset_files
from editor.watcher import Watcher
from editor.wording import short
from physics.errors import Issue
from physics.runtime import commands

SHOWN_PROBLEMS = 4   # in the view; the XML panel lists them all
LOGGED_PROBLEMS = 100   # likewise
LEVELS = MappingProxyType({"error": "error", "note": "info"})   # of the log, by severity; the others are warnings
AUTOSAVE_MS = 2000   # after the first change of the text since the last copy


@dataclass(frozen=True, slots=True)
class Swap:
    """Why a model was compiled: goes along with it and comes back with the 'swapped' event."""

    keep_state: bool
    run: bool | None


class Session(QObject):
    """Signals (GUI thread):

    document_opened()               another document is open
    files_changed()                 the list of its files, or the text of one behind the editor's back, has changed
    modified_changed(bool)          whether there is unsaved text
    issues_changed(list[Issue])     all problems of the last compilation; empty when it was good
    problem_changed(str)            text for the view: the first problems, '' when all is well
    title_changed(str)              title of the window
    conflict(str)                   a file (key) changed on disk while it has unsaved text
    busy_changed(bool)              a compilation is under way
    compiling()                     the present texts are on their way to the compiler
    view_only_changed(str)          why the model shown cannot be simulated, '' when it can
    recovery_found()                a program that ended unexpectedly left unsaved text behind (`recovery`), or that was settled (None)
    """

    document_opened = pyqtSignal()
    files_changed = pyqtSignal()
    modified_changed = pyqtSignal(bool)
    issues_changed = pyqtSignal(list)
    problem_changed = pyqtSignal(str)
    title_changed = pyqtSignal(str)
    conflict = pyqtSignal(str)
    busy_changed = pyqtSignal(bool)
    compiling = pyqtSignal()
    view_only_changed = pyqtSignal(str)
    recovery_found = pyqtSignal()
    _compiled = pyqtSignal(object)
    _disk_changed = pyqtSignal(object)

    def __init__(self, context: AppContext, carry: Callable | None = None, compiled: Callable | None = None):
        """compiled(model or None) is called in the compiler's thread, as soon as a text is compiled."""
        super().__init__()
        self._context = context
        self._carry = carry or carry_over
        self.document = Document.new()
        self.compat = "4.0"
        self.issues: list[Issue] = []
        self.recovery: Recovered | None = None
        self._autosave = Autosave(state_folder() / "unsaved")
        self._autosave_timer = QTimer(self)
        self._autosave_timer.setSingleShot(True)
        self._autosave_timer.setInterval(AUTOSAVE_MS)
        self._autosave_timer.timeout.connect(self.autosave)
        self._was_modified = False
        self._was_running = False   # when an edit made the model view-only
        self._compiled.connect(self._take_result)
        self._disk_changed.connect(self._take_disk_changes)
        self._compiler = LiveCompiler(self._compiled_in_thread)
        self._tell_compiled = compiled or (lambda model: None)
        self._watcher: Watcher | None = None   # from the first picture on: until then every import counts
        context.first_frame.connect(self._start_watching)

    # ------------------------------------------------------------------ what is open

    @property
    def path(self) -> Path | None:
        """Path of the main file, or of the archive it lies in; None before it has one."""
        return self.document.path

    @property
    def modified(self) -> bool:
        """Whether there is unsaved text."""
        return self.document.modified

    def open(self, path: Path, run: bool | None = None, compat: str | None = None) -> bool:
        """Open a model file and run it; False (and a message) when the file cannot be read. The open document stays then."""
        try:
            document = Document.open(path)
        except OSError as error:
            self._tell_problem(f"{path}: the file cannot be read: {error.strerror or error}")
            return False
        if compat:
            self.compat = compat
        self._context.settings.add_recent(document.path)
        if document.archive is not None:
            self._context.log("info", f"{document.archive.name} is an archive: its texts are read only; File > Save as... unpacks it")
        self._show(document, run)
        return True

    def new(self) -> None:
        """Open a small model that has no file."""
        self._show(Document.new(), None)

    def _show(self, document: Document, run: bool | None) -> None:
        self.document = document
        self._watch()
        self.document_opened.emit()
        self._text_state_changed()
        self._look_for_recovery(self.document.key)
        self._compile(keep_state=False, run=run)

    # ------------------------------------------------------------------ text

    def set_text(self, key: str, text: str) -> None:
        """The editor's text of a file has changed; it is not applied by this."""
        self.document.files()[key].text = text
        self._text_state_changed()

    def apply(self) -> None:
        """Compile the present texts and swap the model in, keeping the state."""
        self._compile(keep_state=True)

    def reload(self) -> None:
        """Compile the present texts and start afresh; unsaved text stays."""
        for key, file in self.document.files().items():
            if file.path is not None and file.look_at_disk() is DiskChange.CONFLICT:
                self.conflict.emit(key)
        self.files_changed.emit()
        self._compile(keep_state=False)

    def save(self) -> bool:
        """Write all unsaved texts; False (and a message) when that fails, or a file changed on disk and the user has not decided yet."""
        conflicts = self.document.conflicts()
        for key in conflicts:
            self.conflict.emit(key)
        if conflicts:
            names = ", ".join(self.document.files()[key].name for key in conflicts)
            self._context.log("warning", f"Not saved: {names} changed on disk meanwhile; choose in the XML panel what to keep")
            return False
        try:
            written = self.document.save()
        except (OSError, ValueError) as error:
            self._context.log("error", f"Not saved: {error}")
            return False
        self._context.log("info", "Saved " + ", ".join(path.name for path in written) if written else "Nothing to save")
        self._text_state_changed()
        return True

    def save_as(self, path: Path) -> bool:
        """Write the main text to another file, which is the document's from now on; False (and a message) when that fails.

        A model from an archive is unpacked there, or its archive copied when the name is one of an archive.
        """
        try:
            self.document.save_as(path)
        except OSError as error:
            self._context.log("error", f"Not saved: {error}")
            return False
        self._context.settings.add_recent(self.document.path)
        self._watch()
        self.files_changed.emit()
        self._text_state_changed()
        self.apply()   # included files are looked up from the new place
        return True

    def revert(self) -> None:
        """Back to the texts on disk."""
        self.document.revert()
        self.files_changed.emit()
        self._text_state_changed()
        self.apply()

    def take_disk(self, key: str) -> None:
        """Settle a conflict: the text on disk replaces the unsaved one."""
        file = self.document.files()[key]
        file.text = file.disk_text if file.disk_text is not None else file.text
        file.look_at_disk()
        self.files_changed.emit()
        self._text_state_changed()
        self.apply()

    def keep_mine(self, key: str) -> None:
        """Settle a conflict: the unsaved text stays, and a save will overwrite what is on disk."""
        self.document.files()[key].keep()
        self._text_state_changed()
        self._context.log("info", f"{self.document.files()[key].name}: the text in the window is kept; saving overwrites the file")

    def _text_state_changed(self) -> None:
        modified = self.document.modified
        if modified != self._was_modified:
            self._was_modified = modified
            self.modified_changed.emit(modified)
        if not self._autosave_timer.isActive():   # not anew at each key: steady typing would put it off for ever
            self._autosave_timer.start()
        archive = self.document.archive
        name = f"{archive.name} (read only)" if archive is not None else self.document.main.name
        self.title_changed.emit(f"{'*' if modified else ''}{name} - Linkwork")

    # ------------------------------------------------------------------ after a crash

    def autosave(self) -> None:
        """Keep a copy of the unsaved texts aside; forget it when there are none."""
        before = self._autosave.problem
        kept = self._autosave.keep(self.document.key, {key: file.text for key, file in self.document.files().items() if file.modified})
        if not kept and self._autosave.problem != before:   # told once, not at each key
            self._context.log("warning", f"No copy of the unsaved text can be kept aside: {self._autosave.problem}. It is only in this window: save it elsewhere")

    def _look_for_recovery(self, key: str | None) -> None:
        found = self._autosave.left_behind(key)
        if found is not None:
            self.recovery = found
            self.recovery_found.emit()

    def look_for_any_recovery(self) -> None:
        """At the start of the program: is there unsaved text of any document that a crash left behind?"""
        if self.recovery is None:
            self._look_for_recovery(None)

    def restore(self) -> bool:
        """Take the text that was left behind into the window (unsaved); False when its document cannot be opened."""
        found = self.recovery
        if found is None:
            return False
        if found.key != self.document.key:
            document = self._document_of(found)
            if document is None:
                return False
            self.document = document
            self._watch()
            self.document_opened.emit()
        for key, text in found.files.items():
            file = self.document.files().get(key) or self.document.include(key)
            file.text = text
        self.autosave()
        self.discard_recovery()
        self.files_changed.emit()
        self._text_state_changed()
        self._compile(keep_state=False)
        return True

    def _document_of(self, found: Recovered) -> Document | None:
        if found.key == NEW_NAME:
            return Document.new()
        try:
            return Document.open(Path(found.key))
        except OSError as error:
            self._tell_problem(f"{found.key}: the file cannot be read: {error.strerror or error}")
            return None

    def discard_recovery(self) -> None:
        """Delete the text that was left behind."""
        if self.recovery is not None:
            found, self.recovery = self.recovery, None
            found.discard()
            self.recovery_found.emit()

    # ------------------------------------------------------------------ compiling

    def _compile(self, keep_state: bool, run: bool | None = None) -> None:
        document = self.document
        base = str(document.path.parent) if document.path is not None else None
        self._compiler.submit(Request(
            document.main.text, document.key, base, document.unsaved_texts(), self.compat, Swap(keep_state, run), document.archive is not None))
        self.compiling.emit()
        self.busy_changed.emit(True)

    def _compiled_in_thread(self, result: Result) -> None:
        self._tell_compiled(result.model)
        self._compiled.emit(examined(result))

    def _take_result(self, result: Result) -> None:
        if result.request.name != self.document.key:   # another document was opened meanwhile
            return
        self.busy_changed.emit(False)
        if self.document.archive is not None:
            changed = self.document.adopt_archive(result.read.main if result.read is not None else "", result.sources)
        else:
            self.document.assets = asset_files(result.read)
            changed = self.document.adopt(result.sources)
        if changed:
            self.files_changed.emit()
        self._watch()
        self._set_issues(list(result.issues))
        if result.model is None:
            return
        swap: Swap = result.request.note
        carry = self._carry if swap.keep_state and self._context.model is not None else None
        self._context.runner.send(commands.SwapModel(result.model, run=self._run_on(result.model, swap), carry=carry, note=swap))
        self.view_only_changed.emit(view_only_text(result.model))

    def _run_on(self, model, swap: Swap) -> bool | None:
        """Whether to run after the swap (None: as now): what an edit made view-only while it ran goes on running when it is mended."""
        snapshot = self._context.snapshot
        if model.view_only:
            self._was_running |= bool(snapshot is not None and snapshot.running)
            return swap.run
        resume, self._was_running = self._was_running and swap.keep_state, False
        return True if resume else swap.run

    def _set_issues(self, issues: list[Issue]) -> None:
        self.issues = issues
        self.issues_changed.emit(issues)
        errors = [issue for issue in issues if issue.severity == "error"]
        for issue in issues:
            self._context.log(LEVELS.get(issue.severity, "warning"), str(issue))
            if issue.severity == "error" and len(errors) > LOGGED_PROBLEMS and issue is errors[LOGGED_PROBLEMS]:
                break
        lines = [short(issue) for issue in errors[:SHOWN_PROBLEMS]]
        if len(errors) > SHOWN_PROBLEMS:
            lines.append(f"and {len(errors) - SHOWN_PROBLEMS} more (see the XML panel)")
        if lines and self._context.model is not None:
            lines.append("The last good model goes on.")
        self.problem_changed.emit("\n".join(lines))

    def _tell_problem(self, text: str) -> None:
        self._context.log("error", text)
        self.problem_changed.emit(text)

    def swapped(self, event) -> None:
        """The physics thread runs a new model: say what could not be carried over."""
        report = event.details.get("report")
        if report is not None and getattr(report, "lost", ()):
            for line in report.lost:
                self._context.log("warning", f"Not carried over: {line}")

    # ------------------------------------------------------------------ the disk

    def _start_watching(self) -> None:
        if self._watcher is None:
            self._watcher = Watcher(self._disk_changed.emit)
            self._watch()
            self._take_disk_changes({file.path for file in self.document.files().values() if file.path is not None})   # of the time before

    def _watch(self) -> None:
        if self._watcher is not None:
            self._watcher.watch(self.document.watched())

    def _take_disk_changes(self, paths: set[Path]) -> None:
        taken = bool(paths & {*self.document.assets, self.document.archive})
        for key, file in self.document.files().items():
            if file.path not in paths:
                continue
            change = file.look_at_disk()
            if change is DiskChange.CONFLICT:
                self.conflict.emit(key)
            elif change is DiskChange.GONE:
                self._context.log("warning", f"{file.name} is no longer on disk; its text stays here")
            elif change is DiskChange.UNREADABLE:
                self._context.log("warning", f"{file.name} cannot be read from disk: {file.problem}; its text stays here")
            taken |= change is DiskChange.TAKEN
        if taken:
            self.files_changed.emit()
            self._text_state_changed()
            self._compile(keep_state=True)

    def close(self, keep_unsaved: bool = False) -> None:
        """Stop compiling and watching. A copy of unsaved text stays for the next start only when the user did not ask for the end."""
        self._autosave_timer.stop()
        if keep_unsaved:
            self.autosave()
        else:
            self._autosave.drop()
        if self._watcher is not None:
            self._watcher.close()
        self._compiler.close()


def examined(result: Result) -> Result:
    """The same with warnings about textures that cannot be drawn. Called in the compiler's thread."""
    if result.model is None or not result.model.ntex:
        return result
    from app.bridge.assets.textures import texture_issues

    return replace(result, issues=(*result.issues, *texture_issues(result.model)))


def view_only_text(model) -> str:
    """Why a model is shown but not simulated, in a sentence or two; '' for one that runs."""
    if not model.view_only:
        return ""
    reasons: dict[str, list[Issue]] = {}
    for issue in model.view_only:
        reasons.setdefault(issue.what, []).append(issue)
    lines = [short(replace(first, hint="")) + (f" (and {len(more)} times more)" if more else "") for first, *more in list(reasons.values())[:SHOWN_PROBLEMS]]
    if len(reasons) > SHOWN_PROBLEMS:
        lines.append(f"and {len(reasons) - SHOWN_PROBLEMS} more reasons (see the XML panel)")
    return "Shown, but not simulated yet:\n" + "\n".join(lines)


def carry_over(old_model, state, new_model):
    """See physics.runtime.carry_over; imported when first needed."""
    from physics.runtime import carry_over as module

    return module.carry_over(old_model, state, new_model)
