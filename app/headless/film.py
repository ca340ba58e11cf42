"""linkwork render to a film: simulate from frame to frame, draw, and encode in a thread meanwhile.

Frame k shows the state at the step nearest to start + k * speed / fps, positions and forces computed for that very state.
"""
from __future__ import annotations

import sys
import time

import physics
from app.film.formats import FilmError, frame_count
from app.film.plan import FilmPlan
from app.film.recording import Recording
from app.film.signals import signals_raise
from app.headless.models import come_to, kernels, simulate
from app.headless.opengl import offscreen_renderer
from app.headless.outcome import DIVERGED, DONE, INTERRUPTED, Failed
from physics.runtime.filming import steps_to
from physics.runtime.snapshot import Snapshot

DEFAULT_DURATION = 5.0
ENDING = ("SIGINT", "SIGTERM", "SIGHUP")
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


def write_film(arguments, m, d, options, camera) -> dict:
    """Make the film; what to print. Raises Failed; a film of a simulation that diverges, or is stopped by a signal, ends there."""
    plan = FilmPlan(arguments.output, arguments.size, arguments.fps, arguments.speed, arguments.encoding, caption=arguments.caption,
                transparent=arguments.transparent, codec=arguments.codec)
    total = frame_count(arguments.duration or DEFAULT_DURATION, plan.rate, plan.speed)
    if m.view_only:
        raise Failed(str(m.view_only[0]))
    try:
        with signals_raise(KeyboardInterrupt, *ENDING):
            return _film(arguments, plan, total, m, d, options, camera)
    except KeyboardInterrupt:
        raise Failed(f"{plan.path}: stopped before there was a film", INTERRUPTED) from None


def _film(arguments, plan: FilmPlan, total: int, m, d, options, camera) -> dict:
    kernels()
    bar = ProgressBar(total)
    with offscreen_renderer(arguments.quality) as drawn:
        recording = Recording(plan, drawn)
        encoder = recording.encoder
        try:
            encoder.await_open()
            trouble, code = _draw(recording, _frames(arguments, m, d, total), options, camera, bar)
            if not encoder.taken:
                raise Failed(trouble, code)
            recording.end()
            encoder.join()      # a second Ctrl+C gives the film up
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
    return _told(arguments, plan.drawn_size, encoder.written, total, trouble, code)


def _draw(recording: Recording, frames, options, camera, bar: ProgressBar) -> tuple[str, int]:
    """Draw the frames; why they ended early, and the exit code for that."""
    try:
        for k, snapshot in enumerate(frames):
            recording.add(snapshot, options, camera)
            bar.show(k + 1)
    except KeyboardInterrupt:
        return "stopped before its end", INTERRUPTED
    except Failed as why:
        if why.code != DIVERGED:
            raise
        return str(why), DIVERGED
    return "", DONE


def _frames(arguments, m, d, total: int):
    """Snapshots of the film's frame states, one after the other in the same storage."""
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
