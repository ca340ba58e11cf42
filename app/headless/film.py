"""linkwork render to a film: simulate from frame to frame, draw, and encode in a thread meanwhile.

Frame k shows the state at the step nearest to start + k * speed / fps, positions and forces computed for that very state.
"""
from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import contextmanager

import physics
from app.film.encoder import Encoder
from app.film.formats import FilmError, fitting, frame_count
from app.film.sinks import sink
from app.film.studio import Texts, time_caption
from app.headless.models import come_to, kernels, simulate
from app.headless.outcome import DIVERGED, DONE, INTERRUPTED, Failed
from app.headless.render import studio
from physics.runtime.filming import steps_to
from physics.runtime.snapshot import Snapshot

DEFAULT_DURATION = 5.0
BAR = 30
REDRAW, LINE_SHARE = 0.1, 0.1      # s between changes of a bar in a terminal; share of the film between lines in a file


class ProgressBar:
    """How far a film is, on the error stream: one line that changes in a terminal, a line each tenth elsewhere."""

    def __init__(self, total: int, stream=None):
        self._total, self._stream = total, stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._start = time.perf_counter()
        self._shown_at, self._shown = -1.0, -1.0

    def show(self, done: int) -> None:
        """So many frames are drawn."""
        now, share = time.perf_counter() - self._start, done / self._total
        last = done == self._total
        if not last and (now - self._shown_at < REDRAW if self._terminal else share - self._shown < LINE_SHARE):
            return
        self._shown_at, self._shown = now, share
        filled = round(BAR * share)
        left = f"{now:.1f} s" if last else f"{now / done * (self._total - done):.0f} s left" if done else ""
        text = f"[{'#' * filled}{'.' * (BAR - filled)}] {100 * share:3.0f} %  frame {done} of {self._total}  {left}"
        print(f"\r{text:<78}" if self._terminal else text, end="" if self._terminal else "\n", file=self._stream, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self._terminal and self._shown >= 0:
            print(file=self._stream, flush=True)


@contextmanager
def _ending_early():
    """A plain kill ends the film as Ctrl+C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def write_film(arguments, m, d, options, camera) -> dict:
    """Make the film; what to print. Raises Failed; a film of a simulation that diverges ends there."""
    total = frame_count(arguments.duration or DEFAULT_DURATION, arguments.fps, arguments.speed)
    size = fitting(arguments.output, arguments.size)
    if m.view_only:
        raise Failed(str(m.view_only[0]))
    kernels()
    encoder = Encoder(sink(arguments.output, size, arguments.fps, arguments.encoding, arguments.codec))
    bar = ProgressBar(total)
    trouble, code = "", DONE
    try:
        with studio(arguments.quality) as drawn, _ending_early():
            frames = _frames(arguments, m, d, total)
            try:
                for k, snapshot in enumerate(frames):
                    caption = time_caption(snapshot.time, arguments.speed) if arguments.caption else ""
                    encoder.put(drawn.shot(snapshot, options, camera, size, Texts(caption=caption), arguments.transparent))
                    bar.show(k + 1)
            except KeyboardInterrupt:
                trouble, code = "stopped before its end", INTERRUPTED
            except Failed as why:
                if why.code != DIVERGED:
                    raise
                trouble, code = str(why), DIVERGED
        if not encoder.taken:
            raise Failed(trouble, code)
        encoder.end()
    except FilmError as error:
        raise Failed(str(error)) from None
    except BaseException:
        encoder.abandon()
        raise
    finally:
        encoder.join()
        bar.close()
    if encoder.error is not None:
        raise Failed(str(encoder.error))
    return _told(arguments, size, encoder.written, total, trouble, code)


def _frames(arguments, m, d, total: int):
    """Snapshots of the film's moments, one after the other in the same storage."""
    come_to(m, d, arguments.time)
    snapshot, start = Snapshot(m, d, 1), d.time
    for k in range(total):
        steps = steps_to(d.time, start + k * arguments.speed / float(arguments.fps), m.opt_timestep)
        if steps > 0:
            simulate(m, d, steps * m.opt_timestep)
            physics.forward(m, d)
        snapshot.copy_from(d)
        yield snapshot


def _told(arguments, size, written: int, total: int, trouble: str, code: int) -> dict:
    seconds = float(written / arguments.fps)
    text = f"{arguments.output}: {size[0]} x {size[1]}, {written} frames, {seconds:g} s at {float(arguments.fps):g} frames per second"
    if size != arguments.size:
        text += f"\na film's sides are even: {arguments.size[0]} x {arguments.size[1]} was asked for"
    if trouble:
        text += f"\n{trouble}: {written} of {total} frames are in the film"
    return {"text": text, "code": code, "output": str(arguments.output), "frames": written, "wanted": total, "size": list(size), "fps": float(arguments.fps),
            "seconds": seconds, "trouble": trouble}
