"""The process with the window of a script: `python -m app.passive.worker`, begun by the module linkwork. What goes through its pipes: link.py.

    ("show", Opening)     a window that shows the states that the script sends
    ("launch", Launch)    the full window, whose simulation is its own
"""
from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from app.film.pipe import receive, send
from app.main import NO_DISPLAY, has_display, window_program
from app.passive.link import ScriptLink


NICENESS = 5    # the script goes first


def main() -> int:
    """Serve the script that began this process; the exit code."""
    incoming, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    with suppress(OSError):     # without a console there is no error stream
        os.dup2(2, 1)       # what libraries print is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl+C in the terminal is for the script, which closes the window
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not has_display():
        send(answers, ("failed", NO_DISPLAY.partition("\n")[0]))
        return 2
    module = window_program()   # while the script still makes its model ready
    try:
        word, what = receive(incoming)
    except EOFError:    # no window after all
        return 0
    serve = _show if word == "show" else _launch
    return serve(module, what, incoming, answers)


def _begin(module, overrides=None):
    app, program = module.begin(overrides or {})
    program.end_on_signals()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return app, program


def _show(module, opening, incoming: BinaryIO, answers: BinaryIO) -> int:
    from app.passive.window import ScriptWindow

    if hasattr(os, "nice"):
        os.nice(NICENESS)
    app, program = _begin(module)
    link = ScriptLink(incoming, answers, lambda message: window.arrived(message))
    window = ScriptWindow(program, link, opening)
    window.show()
    link.start()
    return _run(app, program, link, lambda: None)


def _launch(module, launch, incoming: BinaryIO, answers: BinaryIO) -> int:
    from app.passive.launched import LaunchedWindow

    app, program = _begin(module)
    link = ScriptLink(incoming, answers, lambda message: window.arrived(message))
    window = LaunchedWindow(program, link, launch)
    window.show()
    program.loader.start()
    link.start()
    return _run(app, program, link, window.last_state)


def _run(app, program, link: ScriptLink, last: Callable[[], object]) -> int:
    """Until the last window is closed."""
    code = app.exec()
    state = last()
    program.close()
    link.tell("closed", state)
    link.finish()
    return code


if __name__ == "__main__":
    status = main()
    sys.stderr.flush()
    os._exit(status)    # a thread waits for the pipe, whose reader Python would wait for
