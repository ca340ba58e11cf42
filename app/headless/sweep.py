"""linkwork sweep: run a study, or go on with it."""
from __future__ import annotations

import json
import math
import os
import signal
import sys
import tempfile
import threading
import time
from pathlib import Path

from app.headless.models import kernels, load
from app.headless.outcome import DIVERGED, DONE, INTERRUPTED, PROBLEM, USAGE, Failed
from app.studies.left_time import left_text

TELL = 1.0      # s between two lines where the error stream is no terminal a tenth of these
BAR = 24        # characters


def command_sweep(arguments) -> dict:
    """Conduct a study: all trials that its table does not have yet."""
    from app.studies.searches import SearchMissing
    from app.studies.study_file import StudyError, read
    from app.studies.table import TableError

    try:
        study = read(arguments.study.resolve())
        m = load(study.model, arguments.compat)
        if m.view_only:
            raise Failed(str(m.view_only[0]))
        if arguments.trial is not None:
            return _recorded(study, m, arguments)
        return _checked(study, m) if arguments.check else _conducted(study, m, arguments)
    except OSError as why:
        raise Failed(f"{why.filename or arguments.study}: {why.strerror or why}") from None
    except (StudyError, TableError) as why:
        raise Failed(str(why), USAGE) from None
    except SearchMissing as why:
        raise Failed(str(why), PROBLEM) from None


def _parameters(study, m):
    from app.studies.conduct import parameters_of
    from app.studies.evaluate import Evaluator

    try:
        Evaluator(m, study)     # all that a run needs is there
        return parameters_of(m, study)
    except ValueError as why:
        raise Failed(f"{study.path}: {why}", USAGE) from None


def _checked(study, m) -> dict:
    parameters = _parameters(study, m)
    points = study.search.trials or math.prod(max(1, len(one.numbers)) for one in parameters)
    lines = [f"{study.path}: {points} points of {len(parameters)} numbers, {study.seeds} run{'s' * (study.seeds != 1)} of {study.seconds:g} s each, by {study.search.how}"]
    lines += [f"  {one.name}: {', '.join(f'{number:g}' for number in one.numbers[:8]) + (' ...' if len(one.numbers) > 8 else '') if one.numbers else f'{one.low:g} to {one.high:g}'}" for one in parameters]
    return {"text": "\n".join(lines), "points": points, "parameters": [one.name for one in parameters], "seeds": study.seeds}


def _conducted(study, m, arguments) -> dict:
    from app.studies.conduct import Progress, conduct
    from app.studies.results import Results, Row
    from app.studies.table import Table
    from app.studies.trial import common_digest, model_digest
    from physics.writer.mjcf import save

    kernels()
    parameters = _parameters(study, m)
    line = ProgressLines() if arguments.progress else ProgressLine()
    if arguments.progress and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)    # a program that was begun in the background ignores it, and so would what it begins
    with tempfile.TemporaryDirectory(prefix="linkwork-study-") as folder:
        model = Path(folder, "model.lwb")
        save(m, model)
        table = Table(study.table, [one.name for one in parameters])
        common, results = common_digest(study, model_digest(m)), Results(tuple(one.name for one in parameters), study.goal.largest, study.seeds)

        def hear(trial, outcome) -> None:
            results.add(Row(trial.number, trial.point, trial.seed, trial.values, outcome.value, outcome.diverged, outcome.problem))
            line.hear(trial, outcome)

        executor = None if arguments.known else _executor(arguments, study, model)
        stopped = False
        try:
            progress = conduct(study, parameters, common, table, executor, line.tell, hear)
        except KeyboardInterrupt:
            stopped, progress = True, line.progress or Progress()
        finally:
            if executor is not None:
                executor.close()
            table.close()
            line.end()
    kept = [] if stopped or arguments.known else _kept(study, m, results, common)
    problems = sorted({outcome.problem for outcome in table.rows.values() if outcome.problem})
    every = progress.done and progress.diverged == progress.done
    told = {"table": str(study.table), "done": progress.done, "known": progress.known, "diverged": progress.diverged, "best": None if math.isnan(progress.best) else progress.best,
            "best_point": progress.best_point, "best_values": progress.best_values, "problems": problems, "complete": not stopped, "kept": kept}
    return {"text": "\n".join([_summary(study, progress, problems, stopped), *(f"kept: {path}" for path in kept)]), "code": INTERRUPTED if stopped else DIVERGED if every else DONE, **told}


def _executor(arguments, study, model: Path):
    """Who runs the trials. Raises Failed."""
    if arguments.on == "local":
        from app.studies.local import LocalProcesses

        return LocalProcesses(study, model, arguments.workers)
    if arguments.on != "ray" and not arguments.on.startswith("ray://"):
        raise Failed(f"--on is local, ray or ray://HOST:PORT, not '{arguments.on}'", USAGE)
    from app.studies.ray_workers import RayMissing, RayWorkers

    try:
        return RayWorkers(study, model, arguments.on, arguments.workers)
    except RayMissing as why:
        raise Failed(str(why)) from None


def _kept(study, m, results, common: str) -> list[str]:
    """Recordings and films of the best that were not there yet."""
    if not study.keep.recordings and not study.keep.films:
        return []
    from app.headless.demo.record import texts_of
    from app.headless.study.kept import keep_best
    from app.studies.trial import identity

    try:
        return [str(path) for path in keep_best(m, study, results, texts_of(m), lambda trial: f"{study.path.stem}-{identity(common, trial)[:8]}")]
    except (ValueError, TimeoutError) as why:
        raise Failed(f"{study.path}: the best could not be kept: {why}") from None


def _recorded(study, m, arguments) -> dict:
    """A trial of the table done again as a recording; a window shows it where that is wanted."""
    from app.headless.demo.record import texts_of
    from app.headless.study.recording import record
    from app.studies.table import trial_of

    kernels()
    trial = trial_of(study.table, [one.name for one in _parameters(study, m)], arguments.trial)
    if trial is None:
        raise Failed(f"{study.table} has no trial {arguments.trial}", USAGE)
    folder = arguments.output or study.path.parent
    try:
        path = record(m, study, trial, folder, texts_of(m))
    except (ValueError, TimeoutError) as why:
        raise Failed(f"trial {trial.number}: {why}") from None
    return {"text": str(path), "file": str(path), "values": dict(trial.values), "seed": trial.seed}


def _summary(study, progress, problems: list[str], stopped: bool) -> str:
    lines = [f"{progress.done} runs{', stopped' if stopped else ''}, {progress.known} of them known before, {progress.diverged} diverged: {study.table}"]
    if progress.best_values or not math.isnan(progress.best):
        lines.append(f"best: {progress.best:.9g} at point {progress.best_point}")
        lines += [f"  {name} = {number:.9g}" for name, number in progress.best_values.items()]
    lines += [f"not run: {problem}" for problem in problems[:5]]
    return "\n".join(lines)


class ProgressLine:
    """How far a study is, on the error stream: one line that changes on a terminal, a line now and then elsewhere."""

    def __init__(self):
        self.progress = None
        self._begun, self._known, self._told, self._terminal = time.monotonic(), 0, 0.0, sys.stderr.isatty()

    def tell(self, progress) -> None:
        """Show it, not more often than people can read."""
        self.progress, now = progress, time.monotonic()
        if now - self._told < (TELL if self._terminal else 10 * TELL) or not progress.done:
            return
        self._told = now
        share = min(1.0, progress.done / progress.total) if progress.total else 0.0
        new = progress.done - progress.known
        left = (now - self._begun) / new * max(0, progress.total - progress.done) if new else math.nan
        text = f"[{'#' * round(BAR * share):{BAR}}] {progress.done} of {progress.total}, {left_text(left)}" + ("" if math.isnan(progress.best) else f", best {progress.best:.6g}")
        print(f"\r{text[:os.get_terminal_size(2).columns - 1] if self._terminal else text}", end="\x1b[K" if self._terminal else "\n", file=sys.stderr, flush=True)

    def hear(self, trial, outcome) -> None:
        """Trials one by one are for programs."""

    def end(self) -> None:
        """Leave the line."""
        if self._terminal and self._told:
            print(file=sys.stderr)


class ProgressLines:
    """The same for programs, on the output: {"trial": ...} for each trial in the order in which the study asks, {"progress": ...} now and then and at the end."""

    EVERY = 0.25    # s between two lines about how far it is

    def __init__(self):
        self.progress, self._told = None, 0.0

    def tell(self, progress) -> None:
        """How far it is."""
        self.progress, now = progress, time.monotonic()
        if now - self._told >= self.EVERY or not progress.done:
            self._told = now
            self.end()

    def hear(self, trial, outcome) -> None:
        """A trial."""
        value = None if math.isnan(outcome.value) else outcome.value
        print(json.dumps({"trial": trial.number, "point": trial.point, "seed": trial.seed, "values": dict(trial.values), "value": value, "diverged": outcome.diverged,
                          "problem": outcome.problem}), flush=True)

    def end(self) -> None:
        """How far it is now."""
        if (one := self.progress) is not None:
            print(json.dumps({"progress": {"done": one.done, "known": one.known, "total": one.total, "diverged": one.diverged}}), flush=True)
