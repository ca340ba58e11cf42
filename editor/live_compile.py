"""Compiles texts to models away from the GUI thread; the newest request wins and older results are dropped."""
import contextlib
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from physics.errors import Issue, ModelError, Place


@dataclass(frozen=True, slots=True)
class Request:
    """A text to compile. name: its path, or a made-up name; files: unsaved texts of included files by path.

    ids: of elements that are known, by file and by where they begin (physics.mjcf.reader).
    keep: whether the result holds what is kept of the compile (physics.compiler.live.kept.KeptCompile), which somebody has to close. quick: whether to try what takes no compile
    first (LiveCompiler). each: what comes of it is handed on though there are newer requests: while somebody drags there always are.
    read: what the texts read as, where somebody has read them. parts: elements that were changed in a text that cannot be compiled, which are tried alone (editor.live).
    memory: of assets (physics.compiler.assets.asset_memory.AssetMemory), the compiler's own.
    archive, compiled: whether name is that of an archive or of a compiled model, which is read afresh; then there is no text.
    """

    text: str
    name: str
    base_dir: str | None
    files: dict[str, str] = field(default_factory=dict)
    compat: str = "4.0"
    note: Any = None
    archive: bool = False
    compiled: bool = False
    ids: Mapping[str, Mapping[int, int]] = field(default_factory=dict, repr=False)
    keep: bool = False
    quick: bool = False
    each: bool = False
    read: Any = field(default=None, repr=False)
    parts: tuple = field(default=(), repr=False)
    memory: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a request: a model, or the problems that prevent one. sources: the text of every file met, by path; kept: as asked for; assets: files to be watched
    (editor.asset_files), where whoever asked has looked for them; edit: what was written in place of a compile (editor.live.FieldEdit), then there is no model;
    compiled: whether the texts were."""

    request: Request
    model: Any
    issues: tuple[Issue, ...]
    sources: dict[str, str]
    read: Any = None
    assets: tuple[Path, ...] = ()
    kept: Any = None
    edit: Any = None
    compiled: bool = True


def compile_text(request: Request, between: Callable[[], None] = lambda: None) -> Result:
    """Compile now; between() is called between the compiler's passes. Never raises: an unexpected failure becomes an issue too."""
    read, kept = None, []
    try:
        from physics.compiler.compile import compile_root

        if request.compiled:
            return _loaded(request)
        read = read_request(request)
        said = list(read.issues)    # by the reader: the compiler adds its own
        between()
        model = compile_root(read, compat=request.compat, stand_ins=True, between=between, keep=kept_by(read, kept) if request.keep else None,
                             memory=request.memory)
    except ModelError as error:
        return Result(request, None, tuple(error.issues), read.all_sources if read else {}, read)
    except Exception as error:   # a bug of ours must not take the user's text or the running model with it
        return Result(request, None, (_of_ours(request, error),), read.all_sources if read else {}, read)
    notes = dict.fromkeys([*(issue for issue in read.issues if issue.severity != "error"), *model.view_only])
    return Result(request, model, tuple(notes), read.all_sources, replace(read, issues=said), kept=kept[0] if kept else None)


def _of_ours(request: Request, error: Exception) -> Issue:
    return Issue("error", Place(request.name, 1, 1), "mujoco", f"internal error while compiling: {type(error).__name__}: {error}", "Please report this model.")


def read_request(request: Request):
    """What its texts read as (physics.mjcf.reader.ReadResult), of its own: the compiler adds issues to it."""
    from physics.mjcf import reader

    if request.archive:     # there is another one in its place, it may be
        return reader.read(request.name)
    if request.read is not None:
        return replace(request.read, issues=list(request.read.issues))
    return reader.read_text(request.text, name=request.name, base_dir=request.base_dir, files=request.files, ids=request.ids)


def kept_by(read, found: list) -> Callable:
    """What puts a KeptCompile of a compile of `read` into a list, unless that is too large."""
    from physics.compiler.compile import take_apart
    from physics.compiler.live.kept import KeptCompile, too_large

    def keep(build, model) -> None:
        if too_large(build):
            take_apart(build)
        else:
            found.append(KeptCompile(read, build, model))

    return keep


def _loaded(request: Request) -> Result:
    """A compiled model. Raises ModelError."""
    from physics.model import lwb

    model = lwb.load(request.name)
    return Result(request, model, tuple(model.view_only), {})


def asset_memory():
    """One for the compiles of a window."""
    from physics.compiler.assets.asset_memory import AssetMemory    # late: at the start every import counts

    return AssetMemory()


def stated_statistics(read) -> tuple[str, ...]:
    """The statistics that a text fixes itself ('extent', ...): the others follow from the model."""
    if read is None or read.root is None:
        return ()
    return tuple(name for element in read.root.all("statistic") for name in element.attrs)


class LiveCompiler:
    """One worker thread; `done(result)` is called in it for the newest request only, and between() between the passes of each: it may wait there.

    quick(request) is asked first where a request says so: what it gives is the result, unless that is None. What was written, or comes of a request that says so, is handed on
    though there are newer ones."""

    def __init__(self, done: Callable[[Result], None], between: Callable[[], None] = lambda: None, quick: Callable[[Request], Result | None] = lambda request: None):
        self._done, self._between, self._quick = done, between, quick
        self._wanted: Request | None = None
        self._wake = threading.Condition()
        self._closed = False
        self._busy = False
        self.hurried = False    # whether something is tried that takes no compile, or waits for that
        self._memory = None     # of assets
        self._thread = threading.Thread(target=self._work, name="compile", daemon=True)
        self._thread.start()

    @property
    def busy(self) -> bool:
        """Whether something is being compiled or waits to be."""
        with self._wake:
            return self._busy or self._wanted is not None

    def submit(self, request: Request) -> None:
        """Compile this next; whatever waited is dropped."""
        with self._wake:
            self._wanted = request
            self.hurried |= request.quick and not self._busy
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                while self._wanted is None and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                request, self._wanted = self._wanted, None
                self._busy = True
            result = self._tried(request) if request.quick else None
            if result is None:
                self._memory = self._memory or asset_memory()
                result = compile_text(replace(request, memory=self._memory), self._between)
            with self._wake:
                stale = self._wanted is not None and not request.each and result.edit is None or self._closed
            if not stale:
                self._tell(result)
            elif result.kept is not None:
                result.kept.close()

    def _tried(self, request: Request) -> Result | None:
        """What takes no compile; where that fails the text is compiled."""
        self.hurried = True
        try:
            return self._quick(request)
        except Exception:
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self._thread)))
            return None
        finally:
            self.hurried = False

    def _tell(self, result: Result) -> None:
        """Hand a result on; where that fails, that it has, as somebody waits for it."""
        try:
            self._done(result)
        except Exception as error:
            threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), self._thread)))
            with contextlib.suppress(Exception):
                self._done(Result(result.request, None, (_of_ours(result.request, error),), result.sources))

    def close(self) -> None:
        """End the worker; a running compilation finishes unheard."""
        with self._wake:
            self._closed = True
            self._wake.notify()
