"""The process that draws what a policy sees: `python -m app.demonstrations.policy.eyes_process`, begun by eyes.py. No Qt, an OpenGL context of its own: a driver that draws keeps Python's interpreter meanwhile.

    standard input, in this order (app/film/pipe.py)                       standard output, one for each "draw"
      ("model", Model)   before its first picture, and after changes         (bytes of the picture, "")
      ("draw", Snapshot, camera by number or 'free', width, height, format)  (b"", why there is none)

It ends with its input.
"""
from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from typing import BinaryIO

from app.film.pipe import receive, send

NICENESS = 5        # the window and the run go first
QUALITY = 85        # of JPEG: pictures are small, and what sees them was taught with good ones


def packed(rgb, form: str) -> bytes:
    """A picture (height, width, 3) uint8, top row first, as jpeg, png or rgb (rows of bytes)."""
    if form == "rgb":
        return rgb.tobytes()
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(rgb).save(out, form.upper(), **({"quality": QUALITY, "subsampling": 0} if form == "jpeg" else {"compress_level": 1}))
    return out.getvalue()


def serve(incoming: BinaryIO, answers: BinaryIO) -> None:
    """Draw what is asked for until nobody asks any more."""
    model = pictures = None
    while True:
        try:
            word, *what = receive(incoming)
        except EOFError:
            return
        if word == "model":
            model = what[0]
            if pictures is not None:
                pictures.close()
                pictures = None
            continue
        try:
            if pictures is None:
                from app.pictures import Pictures

                pictures = Pictures(model, *what[2:4], quality="low")
            answer = _drawn(pictures, *what), ""
        except Exception as error:      # noqa: BLE001  it is told where the picture is waited for
            answer = b"", f"{type(error).__name__}: {error}"
        send(answers, answer)


def _drawn(pictures, snapshot, camera, width: int, height: int, form: str) -> bytes:
    snapshot.model = pictures.model
    pictures.resize(width, height)
    pictures.look(snapshot, camera)
    return packed(pictures.rgb(), form)


def main() -> None:
    """Serve who began this process."""
    answers = os.fdopen(os.dup(1), "wb")
    with suppress(OSError):
        os.dup2(2, 1)       # what libraries print is no answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl+C in the terminal goes to who began it
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(OSError):     # nobody listens any more
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
