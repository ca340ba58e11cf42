"""A trial done again as a film."""
from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import physics
from app.bridge.options import VisOptions
from app.bridge.view import default_camera
from app.film.formats import FilmError, frame_count
from app.film.plan import FilmPlan
from app.film.recording import Recording
from app.headless.opengl import offscreen_renderer
from app.headless.outcome import Failed
from app.studies.evaluate import Evaluator, steps_of
from app.studies.study import Study
from app.studies.trial import Trial
from physics.model.model import Model
from physics.runtime.filming import steps_to
from physics.runtime.snapshot import Snapshot

SIZE, RATE = (640, 480), Fraction(30)


def film(m: Model, study: Study, trial: Trial, path: Path) -> None:
    """Do a trial again and film it through the camera that the model opens with, at its own speed. Raises ValueError for what the model cannot take, Failed without OpenGL or
    where the file cannot be written."""
    evaluator = Evaluator(m, study)
    d, controls = evaluator.prepare(trial)
    model = evaluator.model
    steps = steps_of(model, study.seconds) - 1
    seconds = steps * float(model.opt_timestep)
    plan = FilmPlan(path, SIZE, RATE, caption=True)
    with offscreen_renderer("high") as drawn:
        recording = Recording(plan, drawn)
        try:
            recording.encoder.await_open()
            for snapshot in _frames(model, d, controls, steps, frame_count(max(seconds, 1e-3), RATE, 1.0)):
                recording.add(snapshot, VisOptions(), default_camera(model))
            recording.end()
        except FilmError as error:
            raise Failed(str(error)) from None
        except BaseException:
            recording.encoder.abandon()
            raise
        finally:
            recording.encoder.join()
    if recording.encoder.error is not None:
        raise Failed(str(recording.encoder.error))


def _frames(m: Model, d, controls, steps: int, total: int):
    """Snapshots of the frames' states, in the same storage."""
    physics.forward(m, d)
    snapshot, done, start = Snapshot(m, d, 1), 0, d.time
    for k in range(total):
        there = min(steps, done + max(0, steps_to(d.time, start + k / float(RATE), m.opt_timestep)))
        if controls is None:
            physics.step(m, d, there - done, autoreset=False)
        for row in controls[done:there] if controls is not None else ():
            d.ctrl[:] = row
            physics.step(m, d, 1, autoreset=False)
        done = there
        physics.forward(m, d)
        snapshot.copy_from(d)
        yield snapshot
