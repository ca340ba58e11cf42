"""The process that makes a film for the window: `python -m app.film.worker`, begun by process.py. No Qt, an OpenGL context of its own.

    standard input, in this order (pipe.py)          standard output, a JSON line each
      FilmPlan, name of a quality or None                  ["at", drawn, written]
      ("model", Model)   before its first frame state       ["done", written]     the film is there
      ("part", number, part)   before the look with it      ["failed", reason]    there is none
      ("frame", Snapshot, opt, look)                        (parts and looks: looks.py)
      ("end",) or ("abandon",)

Where the window ends without a word, the film ends with what is drawn.
"""
from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from app.film.formats import FilmError
from app.film.looks import LookReceiver
from app.film.pipe import receive
from app.film.plan import FilmPlan
from app.film.signals import WakefulReader, signals_raise

NICENESS = 5        # the window goes first
LOOK = 0.2          # s between two looks at the encoder that completes the film


class _Asked(Exception):
    """A plain kill: the film ends there."""


def make_film(incoming: BinaryIO, tell: Callable[..., None], renderer: Callable) -> None:
    """Make one film of what comes in. tell(word, *numbers) answers; renderer(quality) makes what draws it."""
    try:
        plan, quality = receive(incoming)
    except EOFError:    # it was not wanted after all
        return
    try:
        _make(plan, incoming, tell, renderer(quality))
    except FilmError as error:
        tell("failed", str(error))
    except Exception as error:  # told where the film is waited for: nobody reads this process's last words
        tell("failed", f"{plan.path}: the film was given up: {type(error).__name__}: {error}")


def _make(plan: FilmPlan, incoming: BinaryIO, tell: Callable[..., None], renderer) -> None:
    from app.film.recording import Recording

    recording = Recording(plan, renderer)
    encoder = recording.encoder
    try:
        encoder.await_open()
        with signals_raise(_Asked, "SIGTERM"):
            wanted = _draw(recording, incoming, tell)
    except BaseException:
        encoder.abandon()
        encoder.join()
        raise
    recording.end() if wanted else encoder.abandon()
    while not encoder.join(LOOK):
        tell("at", encoder.taken, encoder.written)
    renderer.close()
    if encoder.error is not None:
        raise encoder.error
    tell("done", encoder.written)


def _draw(recording, incoming: BinaryIO, tell: Callable[..., None]) -> bool:
    """Draw frame states until the last; whether the film is wanted."""
    model, looks = None, LookReceiver()
    try:
        while True:
            word, *what = receive(incoming)
            if word == "model":
                model = what[0]
            elif word == "part":
                looks.take(*what)
            elif word == "frame":
                snapshot, opt, look = what
                for name, value in opt.items():
                    setattr(model, name, value)
                snapshot.model = model
                recording.add(snapshot, *looks.unpack(look, model))
                tell("at", recording.encoder.taken, recording.encoder.written)
            else:
                return word == "end"
    except (EOFError, _Asked):
        return True


def _offscreen_renderer(quality: str | None):
    import moderngl

    from app.film.offscreen_renderer import OffscreenRenderer
    from render.quality import QUALITIES

    try:
        return OffscreenRenderer(QUALITIES.get(quality))
    except (RuntimeError, moderngl.Error) as error:
        raise FilmError(f"a film cannot be drawn: {error}") from error


def main() -> None:
    """Serve the window that began this process."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    with suppress(OSError):     # without a console there is no error stream
        os.dup2(2, 1)       # what libraries print is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl+C in the terminal goes to the window, which ends the film
    signal.signal(signal.SIGTERM, signal.SIG_IGN)   # means something while drawing only: nothing half is left
    if hasattr(os, "nice"):
        os.nice(NICENESS)

    def tell(*words) -> None:
        with suppress(OSError):     # the window is gone; the film is completed all the same
            print(json.dumps(words), file=answers, flush=True)

    import app.film.recording  # noqa: F401  while the user still chooses a name

    make_film(WakefulReader(sys.stdin.buffer.raw) if os.name == "posix" else sys.stdin.buffer, tell, _offscreen_renderer)


if __name__ == "__main__":
    main()
