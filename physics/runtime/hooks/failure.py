"""What went wrong in the user's code, as plain texts: an exception itself would keep alive all that its frames see, Models and Data among it."""
from __future__ import annotations

import linecache
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from physics.runtime.hooks.call_guard import Stopped


@dataclass(frozen=True, slots=True)
class Failure:
    """text: kind and message in a line; file, line: where in the user's files, '' and 0 where that is not known; trace: the traceback from there on."""

    text: str
    file: str = ""
    line: int = 0
    trace: str = ""

    @property
    def place(self) -> str:
        """'wave.py, line 12', '' where it is not known."""
        return f"{Path(self.file).name}, line {self.line}" if self.file else ""

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.file else self.text


def failure_of(error: BaseException, files: Iterable[str]) -> Failure:
    """An exception in words. files: of the user's; the place is the innermost one in any of them, for a SyntaxError what it names itself."""
    files = frozenset(files)
    for name in files:
        linecache.checkcache(name)      # the text of now, not that of an earlier load
    frames = traceback.extract_tb(error.__traceback__)
    own = [k for k, frame in enumerate(frames) if frame.filename in files]
    trace = "".join(["Traceback:\n", *traceback.format_list(frames[own[0]:] if own else frames), *traceback.format_exception_only(error)])
    if isinstance(error, SyntaxError) and error.filename:
        return Failure(f"{type(error).__name__}: {error.msg}", error.filename, error.lineno or 0, trace)
    text = "stopped, as it did not end" if isinstance(error, Stopped) else "".join(traceback.format_exception_only(error)).strip().splitlines()[-1]
    if not own:
        return Failure(text, trace=trace)
    return Failure(text, frames[own[-1]].filename, frames[own[-1]].lineno or 0, trace)
