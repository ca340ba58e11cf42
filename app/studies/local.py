"""Trials on this machine: processes, each with the model and the engine loaded once. A process that ends, by whatever reason, is replaced, and its trials are done again.

    Executor: submit(trial) -> Future[Outcome]
"""
from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path

from app.studies.evaluate import Evaluator
from app.studies.study import Study
from app.studies.trial import Outcome, Trial

TRIES = 3       # processes that a trial may take with it until it is told as one that cannot be done
AHEAD = 2       # trials that wait, for each process


class LocalProcesses:
    """Runs trials in processes of their own. model: a compiled model's file (.lwb)."""

    def __init__(self, study: Study, model: Path, workers: int = 0):
        self._study, self._model, self._workers = study, model, workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    def run(self, trials: Iterable[Trial]) -> Iterator[tuple[Trial, Outcome]]:
        """Outcomes in the order of the trials."""
        waiting, running, done, order = iter(trials), {}, {}, []
        lost: Counter[int] = Counter()
        more = True
        while more or running or order:
            while more and len(running) < AHEAD * self._workers:
                trial = next(waiting, None)
                more = trial is not None
                if trial is not None:
                    order.append(trial)
                    running[self._submit(trial)] = trial
            for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                trial = running.pop(future, None)
                if trial is None:
                    continue
                try:
                    done[trial.number] = future.result()
                except BrokenProcessPool:
                    self._begin_again([trial, *running.values()], running, done, lost)
                    break
            while order and order[0].number in done:
                trial = order.pop(0)
                yield trial, done.pop(trial.number)

    def _begin_again(self, trials: list[Trial], running: dict, done: dict, lost: Counter) -> None:
        """A process has ended: all that was under way, of which one may be the reason, is done again, one process at a time once that has happened twice."""
        running.clear()
        self.close()
        for trial in trials:
            lost[trial.number] += 1
            if lost[trial.number] >= TRIES:
                outcome = self._alone(trial)
                done[trial.number] = outcome
            else:
                running[self._submit(trial)] = trial

    def _alone(self, trial: Trial) -> Outcome:
        """In a process that nothing else is in."""
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin, (self._study, self._model)) as pool:
            try:
                return pool.submit(_run, self._study, self._model, trial).result()
            except BrokenProcessPool:
                return Outcome(float("nan"), False, 0.0, "its process ended")

    def _submit(self, trial: Trial) -> Future:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, multiprocessing.get_context("spawn"), _begin, (self._study, self._model))
        try:
            return self._pool.submit(_run, self._study, self._model, trial)
        except BrokenProcessPool as why:        # between two looks: told as all others are
            broken: Future = Future()
            broken.set_exception(why)
            return broken

    def close(self) -> None:
        """End the processes; what they do now is lost."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((getattr(pool, "_processes", None) or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            pool.shutdown(wait=True)


def _begin(study: Study, model: Path) -> None:
    """In a new process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # Ctrl+C is for the process that conducts the study
    _evaluator(study, model)


@lru_cache(1)
def _evaluator(study: Study, model: Path) -> Evaluator:
    """Of this process, made once."""
    import physics

    physics.ensure_kernels()
    return Evaluator(physics.load(model), study)


def _run(study: Study, model: Path, trial: Trial) -> Outcome:
    return _evaluator(study, model).run(trial)
