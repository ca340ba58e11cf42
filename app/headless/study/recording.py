"""A trial done again as a recording, which a window opens and replays."""
from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from app.demonstrations.keeper import Keeper
from app.demonstrations.sources import UNFINISHED
from app.studies.evaluate import Evaluator, steps_of
from app.studies.study import Study
from app.studies.trial import Trial
from physics.model.model import Model
from physics.model.state_fields import State
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

PATIENCE = 600.0    # s that a run may take


def record(m: Model, study: Study, trial: Trial, folder: Path, texts: Mapping[str, str], name: str = "") -> Path:
    """Do a trial again and keep it in a folder; the file. name: how its name begins, '' for the study's with the trial's number. The model of the recording has the trial's values, and its inputs are the controls at their steps.

    Raises ValueError for what the model cannot take, OSError, TimeoutError.
    """
    evaluator = Evaluator(m, study)
    d, controls = evaluator.prepare(trial)
    runner = Runner(Simulation(ready=True))
    keeper = Keeper(runner, folder, name or f"{study.path.stem}-trial{trial.number}")
    keeper.keep_model(evaluator.model, texts)
    runner.start()
    try:
        keeper.begin()
        runner.send(commands.SwapModel(evaluator.model, run=False, document=str(study.model)))
        runner.send(commands.SetState(State.of(d)))
        steps = steps_of(evaluator.model, study.seconds) - 1
        everyone = tuple(range(evaluator.model.nu))
        for row in controls[:steps].tolist() if controls is not None else ():
            runner.send(commands.SetCtrls(everyone, tuple(row)))
            runner.send(commands.Step(1))
        if controls is None:
            runner.send(commands.Step(steps))
        over = threading.Event()
        runner.send(commands.VisitRun(lambda sim: over.set()))
        if not over.wait(PATIENCE):
            raise TimeoutError(f"the trial took more than {PATIENCE:.0f} s")
    finally:
        files = keeper.close()
        runner.stop()
        with suppress(OSError):     # what other runs left there stays
            (folder / UNFINISHED).rmdir()
    if not files:
        raise OSError(f"no recording could be made in {folder}")
    return files[0]
