"""The open document and the running simulation, kept together: open, apply and reload; what goes wrong.

    texts --LiveModel--> fields --SetFields--> physics thread         parameters: without a compile, which follows after a pause and must come to the same
      +----LiveCompiler (thread)--> model --SwapModel--> physics thread --'swapped' event--> report of what was carried over
                                      +---result---> GUI thread: problems, files met

All changes of the texts go this way: typed, by tools, undone, by other programs. A text that does not compile changes nothing but what tools do to elements of it that can be
read: the last good model runs on and the problems are listed with their places. The compiler's thread hands the model over itself, so that no picture is waited for; what was
opened meanwhile is looked up under a lock.
"""
import contextlib
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from PyQt6.QtCore import QTimer, pyqtSignal

from app.context import AppContext
from app.problem_lines import log_lines, problem_text, view_only_text
from app.session_files import SessionFiles
from app.start_keys import remember_start_key, start_key
from app.viewport.window_turns import WindowTurns
from editor.asset_files import asset_files
from editor.document import Document
from editor.edits.patch import Edit
from editor.live import FieldEdit, LiveModel
from editor.live_compile import LiveCompiler, Request, Result, compile_text, read_request, stated_statistics
from editor.live_parts import moved_issues, touched
from physics.errors import Issue
from physics.recording.first_bytes import is_recording
from physics.runtime import commands
from physics.spec.element import Element

VERIFY_MS = 600     # after the last edit that was written without a compile, until one looks at it
READ_AT_ONCE = 200_000      # characters that are read in the GUI thread, in 15 ms or so; longer texts in the compiler's


@dataclass(frozen=True, slots=True)
class Swap:
    """Why a model was compiled: goes along with it and comes back with the 'swapped' event.

    opening: number of the document's opening; label: for the history; tell_at: when problems may be told (time.monotonic); texts: what was compiled, by key.
    verifies: number of the edit (LiveModel.number) whose fields the compiled Model is compared with; again: no more than that was asked for, and files may be others by now.
    gesture: one motion of several, which the history does not mark; its number, 0 for none. typed: by the user or another program, not by a tool of the window.
    """

    opening: int
    keep_state: bool
    label: str = ""
    tell_at: float = 0.0
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    verifies: int | None = None
    again: bool = False
    gesture: int = 0
    typed: bool = False


class Session(SessionFiles):
    """Signals (GUI thread), beside those of SessionFiles:

    issues_changed(list[Issue])     all problems of the last compilation; empty when it was good
    busy_changed(bool)              a compilation is under way
    compiling()                     the present texts are on their way to the compiler
    view_only_changed(str)          why the model shown cannot be simulated, '' when it can
    """

    issues_changed = pyqtSignal(list)
    busy_changed = pyqtSignal(bool)
    compiling = pyqtSignal()
    view_only_changed = pyqtSignal(str)
    _compiled = pyqtSignal(object)
    _failed_fields = pyqtSignal(str)

    def __init__(self, context: AppContext, carry: Callable | None = None, compiled: Callable | None = None):
        """compiled(model or None) is called in the compiler's thread, as soon as a text is compiled; what it returns, where that is a function, when the model is on its way."""
        super().__init__(context)
        self._carry = carry or carry_over
        self.compat = "4.0"
        self.issues: list[Issue] = []
        self.start_key: str | int | None = None   # keyframe that the model starts at
        self._runner = context.runner
        self._lock = threading.Lock()   # of the next four and start_key, which the compiler's thread reads too
        self._opening = 0   # counts documents that were opened
        self._running_opening = -1   # the one whose model was handed over last
        self._first_run: bool | None = None   # whether the document's first good model runs at once; None: as now
        self._untaken: Result | None = None   # of the compiler's thread, for the window
        self._running_texts: Mapping[str, str] = {}   # of the Model that runs, with all that was written into it
        self._newest: tuple[Callable, Mapping[str, str]] = (lambda: None, {})   # the Model that was written into last (a weak reference), and the texts that it has since
        self._good: tuple[tuple[Issue, ...], Element] | None = None     # what the last good compile told, and of what
        self._held: Result | None = None   # with problems that are not told yet
        self._tell_timer = QTimer(self)
        self._tell_timer.setSingleShot(True)
        self._tell_timer.timeout.connect(self._tell_held)
        self._compiled.connect(self._take_result)
        self._failed_fields.connect(self._tell_failed)
        self._turns = WindowTurns(self)
        self._compiler = LiveCompiler(self._compiled_in_thread, between=self._wait_for_the_window, quick=self._write_in_thread)
        self.live = LiveModel()
        self._cancelling = self._verifying = self._told_start = False
        self._gestures = 0      # so many have begun
        self._verify_timer = QTimer(self)
        self._verify_timer.setSingleShot(True)
        self._verify_timer.setInterval(VERIFY_MS)
        self._verify_timer.timeout.connect(self._verify)
        self._tell_compiled = compiled or (lambda model: None)
        self.model_keepers: list[Callable[[object, Mapping[str, str]], None]] = []      # f(model, texts), for recordings; called in the compiler's thread
        self.open_recording: Callable[[Path], bool] = lambda path: False        # reads one, and calls show_recording (RecordingController)

    def keep_model(self, model, texts: Mapping[str, str]) -> None:
        """Tell who keeps Models of one and of the texts that it was compiled from, before it runs. In the compiler's thread."""
        for keep in tuple(self.model_keepers):
            keep(model, texts)

    # ------------------------------------------------------------------ what is open

    def open(self, path: Path, run: bool | None = None, compat: str | None = None, key: str | int | None = None, recent: bool = True) -> bool:
        """Open a model file and run it; False (and a message) when the file cannot be read. The open document stays then.

        run: whether to run, as soon as its text compiles; None: as now. key: the keyframe to start at, by name or number; None: what is remembered for the file.
        recent: the file is one of those opened lately from now on.
        """
        if self.document.script:
            self._context.log("warning", f"{path} is not opened: this window shows the model of a script")
            return False
        if is_recording(path):
            return self.open_recording(Path(path))
        try:
            document = Document.open(path)
        except OSError as error:
            self._tell_problem(f"{path}: the file cannot be read: {error.strerror or error}")
            return False
        if compat:
            self.compat = compat
        if recent:
            self._context.settings.add_recent(document.path)
        if document.archive is not None:
            self._context.log("info", f"{document.archive.name} is an archive: its texts are read only; File > Save as... unpacks it")
        self._show(document, run, key)
        return True

    def show_recording(self, path: Path, texts: Mapping[str, str], main: str, prepared) -> None:
        """A recording that was read (physics.runtime.recorded.restore.Prepared) is the document now, with its texts by path, and runs on."""
        self._opened(Document.of_recording(path, texts, main))
        self._set_issues([])
        if path.exists():
            self._context.settings.add_recent(self.document.path)
        with self._lock:
            self._running_opening = self._opening
            self._runner.send(commands.LoadRecording(prepared, self._opening, Swap(self._opening, False, texts=texts)))

    def recording_failed(self, text: str) -> None:
        """One could not be read: why."""
        self._tell_problem(text)

    def new(self, text: str | None = None, run: bool | None = None) -> None:
        """Open a model that has no file: of this text, or a small one. run: as for `open`."""
        self._show(Document.new() if text is None else Document.new(text), run, None)

    def show_model(self, model, name: str) -> None:
        """Show the Model of a script under this name; no text belongs to it, and nothing is compiled."""
        self._opened(Document.of_script(name))
        with self._lock:
            opening = self._running_opening = self._opening
        self._runner.send(commands.SwapModel(model, note=Swap(opening, False), document=opening))
        self.view_only_changed.emit(view_only_text(model))

    def _show(self, document: Document, run: bool | None, key: str | int | None) -> None:
        self._opened(document, key)
        self._first_run = run
        self._look_for_recovery(self.document.key)
        self._compile("", keep_state=False)

    def _opened(self, document: Document, key: str | int | None = None) -> None:
        with self._lock:
            self._opening += 1
            self._first_run = self._good = None
            self.live.close()
            self.start_key = start_key(self._context.settings, document.path) if key is None else key
        super()._opened(document)

    @property
    def shown(self) -> bool:
        """Whether the model in the window is the open document's; an earlier document's stays there until another compiles."""
        return self._context.model is not None and self._context.document == self._opening

    def choose_start_key(self, key: str | int | None, remember: bool = True) -> None:
        """Have the model start, and reset, at a keyframe (name or number) from now on; None: at its start state. remember: for the next time it is opened.

        Refused, with a message, while the model of another document is shown, whose keyframes these are.
        """
        if not self.shown:
            self._context.log("error", f"The keyframe to start at stays: {self._why_none()}")
            return
        self.start_key = key
        self._runner.send(commands.SetStartKey(key))
        if remember:
            remember_start_key(self._context.settings, self.document.path, key)

    def reload(self) -> None:
        """Compile the present texts and start afresh; unsaved text stays."""
        self._look_at_disk([key for key, file in self.document.files().items() if file.path is not None])
        self._compile("reload", keep_state=False)

    def typed(self, edit: Edit) -> None:
        """The user has changed a text in its editor; it is not applied by this. Problems of the text before it are not told any more."""
        self._tell_timer.stop()
        if self._verify_timer.isActive():       # when he has done
            self._verify_timer.start()
        super().typed(edit)

    def apply(self, hold_ms: int = 0) -> None:
        """Have the present texts run, keeping the state: written into the model, where only parameters are others, else compiled and swapped in. Problems are told after so many
        ms, and not at all where the text changes before. Texts that run already are compiled once more: files that they name may be others."""
        self.document.history.seal()    # what is typed from now on is undone by itself
        label = f"edit of {self.document.main.name}"
        if self._live and self.runs_present_texts and not hold_ms and (not self._compiler.busy or self._verifying):
            self._submit(Swap(self._opening, True, label, time.monotonic(), self.document.texts(), verifies=self.live.number, again=True))
            self._tell_submitted()
        else:
            self._apply_edit(label, hold_ms=hold_ms, typed=True)

    # ------------------------------------------------------------------ compiling

    def _compile(self, label: str, keep_state: bool = True, hold_ms: int = 0) -> None:
        document = self.document
        if document.recorded is not None:       # has nothing to compile
            self.open_recording(document.recorded)
            return
        self._submit(Swap(self._opening, keep_state, label, time.monotonic() + hold_ms / 1000, document.texts()))
        self._tell_submitted()

    def _tell_submitted(self) -> None:
        self.compiling.emit()
        self.busy_changed.emit(True)

    def _submit(self, swap: Swap, quick: bool = False, parts: tuple = ()) -> None:
        """Have the present texts compiled, or written where that is quick. parts: elements of texts that cannot be compiled, which are written alone."""
        document = self.document
        base = str(document.path.parent) if document.path is not None else None
        self._tell_timer.stop()
        self._verifying = swap.verifies is not None
        self._verify_timer.stop()
        ids = document.known_ids if swap.typed else document.ids      # what was typed is read in the compiler's thread, unless somebody has read it
        self._compiler.submit(Request(document.main.text, document.key, base, document.included_texts(), self.compat, swap, document.archive is not None,
                                      document.compiled, ids, keep=True, quick=quick, each=quick and not swap.typed, read=document.read_already, parts=parts))
        if self._context.model is not None:     # at the start there is no window to wait for
            self._turns.watch(True, lambda: self._compiler.busy)

    # ------------------------------------------------------------------ parameters

    @property
    def _live(self) -> bool:
        """Whether the model that runs can be written into."""
        return self.live.model is not None and self.shown and self.document.recorded is None and not self.document.sealed

    @property
    def runs_present_texts(self) -> bool:
        """Whether the model that runs is that of the present texts."""
        now = self.document.texts()
        return bool(self._running_texts) and all(now.get(key) == text for key, text in self._running_texts.items())

    def _apply_edit(self, label: str, edit: Edit | None = None, hold_ms: int = 0, typed: bool = False) -> None:
        """The texts were changed: write what that changes into the Model that runs, where it can be done; else compile them. edit: what has changed them, of a tool."""
        document = self.document
        if not self._live:
            self._compile(label, hold_ms=hold_ms)
            return
        gesture = self._gestures if self._gesturing and not typed else 0
        swap = Swap(self._opening, True, label, time.monotonic() + hold_ms / 1000, document.texts(), gesture=gesture, typed=typed)
        wrong, parts = False, ()
        if not typed:
            short = sum(map(len, swap.texts.values())) <= READ_AT_ONCE
            version = document.version() if short else document.known_version
            wrong = version is not None and any(read.errors for read in (version.read, *version.read.attached.values()))
            if wrong:
                parts = touched(document.last_good, edit) if edit is not None else ()
                if gesture and not parts:
                    return
            elif short and (not self._compiler.busy or self._verifying):    # else what is compiled first is another text
                written = self._write(version.read, swap, quick=True)
                if written is not None:
                    self._tell_timer.stop()
                    self._written_fields(swap, written, version.read)
                    self.compiling.emit()
                    return
        self._submit(swap, quick=bool(parts) or not wrong, parts=parts)
        if not gesture:
            self._tell_submitted()

    def _write(self, read, swap: Swap, quick: bool) -> FieldEdit | None:
        """Send what texts change; None where that takes a compile, or more than a moment (quick). From any thread."""
        return self.live.edit(read, quick, lambda edit: self._send_fields(edit, swap, stated_statistics(read), swap.texts), swap.gesture or None)

    def _send_fields(self, edit: FieldEdit, swap: Swap, stated: tuple[str, ...], texts: Mapping[str, str]) -> None:
        self._newest, self._running_texts = (weakref.ref(edit.model), texts), texts
        self._runner.latest("fields", commands.SetFields(edit.rows, edit.model, "" if swap.gesture else swap.label, stated, edit.number))

    def _write_in_thread(self, request: Request) -> Result | None:
        """The same for a request, in the compiler's thread."""
        swap: Swap = request.note
        if request.parts:
            stated = stated_statistics(self.live.reading())
            edit = self.live.edit_elements(request.parts, lambda edit: self._send_fields(edit, swap, stated, self._running_texts), swap.gesture or None)
            result = Result(request, None, (), {}, compiled=False) if swap.gesture else compile_text(request, self._wait_for_the_window)
            return replace(result, edit=edit)
        read = read_request(request)
        edit = self._write(read, swap, quick=False) if not read.errors else None
        return None if edit is None else Result(request, None, (), read.all_sources, read, edit=edit, compiled=False)

    def _written_fields(self, swap: Swap, edit: FieldEdit, read=None) -> None:
        """What an edit changes is on its way; whether it came to the same as a compile is looked at after a pause. read: what the texts read as, where all of them are written."""
        if "qpos0" in edit.changed and not swap.typed and not (self._gesturing and self._told_start):
            self._told_start = True
            self._context.log("info", f"{swap.label}: the start state is another one now; the present state stays as it is until the next reset")
        if read is not None and not self._gesturing and self._good is not None and (self.issues or self._good[0]):
            issues = moved_issues(*self._good, read.root)
            if issues != self.issues:
                self._set_issues(issues)
        if not self._gesturing:
            self._verify_timer.start()

    def _verify(self) -> None:
        if self._gesturing or self._compiler.busy or not self.shown:
            self._verify_timer.start()
            return
        if not self.runs_present_texts:      # more was typed, which whoever applies it has compiled or looked at
            return
        self._submit(Swap(self._opening, True, "mended fields", time.monotonic(), self.document.texts(), verifies=self.live.number))

    def _verified(self, result: Result) -> bool:
        """In the compiler's thread: whether the Model of a full compile has the fields that are in force, so that it is not needed; else it is swapped in."""
        swap: Swap = result.request.note
        running = self.live.model       # of another one, that comes meanwhile, nothing is said
        wrong = self.live.verified(swap.verifies, result.model, result.kept) if result.model is not None else ()
        if wrong:
            if not swap.again:
                self._failed_fields.emit(", ".join(wrong))
        elif wrong is not None and running is not None and result.model is not None:
            self.keep_model(running, result.sources)
        return not wrong

    def _tell_failed(self, names: str) -> None:
        self._context.log("error", f"Please report this: an edit that was written into the model that runs came to other numbers than compiling it, in {names}. The compiled model runs now")

    def writes(self) -> bool:
        """Whether an edit is about to be written into the Model that runs, for which the next picture waits. From any thread."""
        return self._compiler.hurried

    def gesture(self):
        """As of SessionFiles; until it ends its edits are written at once, and none is looked at by a compile."""
        self._told_start = False
        self._gestures += 1
        return super().gesture()

    def end(self, gesture) -> None:
        """As of SessionFiles."""
        label = gesture.shown.label if gesture.shown is not None and gesture.shown.patches else ""
        super().end(gesture)
        self._gesture_over(label)

    def cancel(self, gesture) -> None:
        """As of SessionFiles."""
        self._cancelling = True
        try:
            super().cancel(gesture)
        finally:
            self._cancelling = False
        self._gesture_over("")

    @property
    def _gesturing(self) -> bool:
        """Whether edits are those of a gesture, which is undone, or ended by another edit, without being told here."""
        return self._cancelling or self.document.open_gesture is not None

    def _gesture_over(self, label: str) -> None:
        if self.live.model is not None and self.shown:
            if label:
                self._runner.send(commands.SetFields((), label=label))
            self._verify_timer.start()

    # ------------------------------------------------------------------ in the compiler's thread

    def _wait_for_the_window(self) -> None:
        """In the compiler's thread: let the window have the interpreter while it is in a long turn."""
        if self._context.model is not None:
            self._turns.wait(lambda: self._closed)

    def _compiled_in_thread(self, result: Result) -> None:
        swap: Swap = result.request.note
        done = not result.compiled or swap.verifies is not None and self._verified(result)
        rest = self._tell_compiled(result.model) if not done else None
        try:
            if result.compiled:
                result = examined(result)
            with self._lock:
                self._untaken = result   # before the model is on its way: the window knows of the problems when it hears of it
            if result.model is not None and not done:
                self.keep_model(result.model, result.sources or {result.request.name: result.request.text})
                self._hand_over(result)
            with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
                self._compiled.emit(result)
        finally:
            if callable(rest):
                rest()

    def _hand_over(self, result: Result) -> None:
        """In the compiler's thread: give the model to the physics thread, unless another document was opened meanwhile."""
        swap: Swap = result.request.note
        stated = stated_statistics(result.read)
        with self._lock:
            if swap.opening != self._opening:
                if result.kept is not None:
                    result.kept.close()
                return
            known = self._running_opening == swap.opening
            self._running_opening = swap.opening
            command = commands.SwapModel(
                result.model, run=None if known else self._first_run, carry=self._carry if swap.keep_state else None, note=swap, key=self.start_key,
                stated=stated, document=swap.opening, label=swap.label)
            self.live.started(result.model, result.kept, lambda: self._runner.send(command))

    def _take_result(self, result: Result) -> None:
        with self._lock:
            if self._closed or result is not self._untaken:   # known already, or there is a newer one
                return
            self._untaken = None
        swap: Swap = result.request.note
        if swap.opening != self._opening:   # another document was opened meanwhile
            return
        if swap.verifies is None or swap.again:
            self.busy_changed.emit(False)
        if not result.compiled and result.read is not None:
            self.document.adopt_reading(result.read)
        if result.edit is not None:
            self._written_fields(swap, result.edit, result.read if not result.compiled else None)
        if not result.compiled:     # no more than a part of what a compile would tell
            return
        if self.document.archive is not None:
            changed = self.document.adopt_archive(result.read.main if result.read is not None else "", result.sources)
        else:
            self.document.assets = result.assets
            changed = self.document.adopt(result.sources, complete=result.read is None or result.read.root is not None)    # what a text that is no XML includes is not known
        if result.read is not None:
            self.document.adopt_reading(result.read)
            self._join_links(result)
        if changed:
            known, self._files = set(self._files), list(self.document.files())
            self.files_changed.emit()
            taken = self._look_at_disk([key for key, file in self.document.files().items() if key not in known and file.disk_text is not None])
            if taken:       # they were aside while the disk changed: what was compiled has elements of a text that nobody knew here
                self._text_state_changed()
                self._compile(f"{taken[0]} changed on disk")
        self._watch()
        if result.model is None:
            self._set_loading("")
            wait = swap.tell_at - time.monotonic()
            if wait > 0:
                self._held = result
                self._tell_timer.start(round(1000 * wait))
                return
        else:
            self._good = (result.issues, result.read.root) if result.read is not None else None
            self.view_only_changed.emit(view_only_text(result.model))
            if swap.verifies == self.live.number and self.shown and self.live.model is not None:
                self.live.model.places, self.live.model.links = result.model.places, result.model.links    # the text before them has other lengths
        if swap.verifies is None or swap.again or list(result.issues) != self.issues:
            self._set_issues(list(result.issues))

    def _join_links(self, result: Result) -> None:
        """Where the window has read the same texts meanwhile, their elements have the ids that it gave them."""
        ids = self.document.other_ids(result.read) if result.model is not None else {}
        if ids:
            result.model.links = result.model.links.renumbered(ids)
            self.live.known_as(result.model, ids)

    def _tell_held(self) -> None:
        held, self._held = self._held, None
        if held is not None and held.request.note.opening == self._opening:
            self._set_issues(list(held.issues))

    def _set_issues(self, issues: list[Issue]) -> None:
        self._tell_timer.stop()
        self.issues = issues
        self.issues_changed.emit(issues)
        for level, line in log_lines(issues):
            self._context.log(level, line)
        self.problem_changed.emit(problem_text(issues, self._context.model is not None))

    def swapped(self, event) -> None:
        """The physics thread runs a new model: say what could not be carried over."""
        swap, untaken = event.details.get("note"), self._untaken
        if untaken is not None and untaken.request.note is swap:
            self._take_result(untaken)
        written, texts = self._newest
        self._running_texts = texts if written() is event.details["model"] else swap.texts if isinstance(swap, Swap) else {}     # something may have been written into it already
        if isinstance(swap, Swap) and swap.opening == self._opening:
            self._set_loading("")
        report = event.details.get("report")
        for level, line in log_lines(getattr(report, "lost", ()) if report is not None else ()):
            self._context.log(level, f"Not carried over: {line}")

    def running_text(self, key: str) -> str | None:
        """The text of a file that the Model that runs was compiled from; None where that is not known."""
        file = self.document.files().get(key)
        if key in self._running_texts and file is not None and not file.sealed:
            return self._running_texts[key]
        return file.text if file is not None and not file.modified and not self.loading else None

    def close(self, keep_unsaved: bool = False) -> None:
        """Stop compiling and watching. A copy of unsaved text stays for the next start only when the user did not ask for the end."""
        super().close(keep_unsaved)
        self._tell_timer.stop()
        self._verify_timer.stop()
        self._turns.watch(False)
        self._compiler.close()
        self.live.close()


def examined(result: Result) -> Result:
    """The same with the files of its assets, and with warnings about textures that cannot be drawn. Called in the compiler's thread."""
    result = replace(result, assets=asset_files(result.read))
    if result.model is None or not result.model.ntex:
        return result
    from app.bridge.assets.textures import texture_issues

    return replace(result, issues=(*result.issues, *texture_issues(result.model)))


def carry_over(old_model, state, new_model):
    """See physics.runtime.carry_over; imported when first needed."""
    from physics.runtime import carry_over as module

    return module.carry_over(old_model, state, new_model)
