"""Conducting a study: the search asks, trials that are not in the table are run, the search is told.

    Search.ask --points--> Trials, one for each seed --not in the table--> Executor --Outcome--> Table, Search.tell
"""
from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from app.studies.evaluate import knots_of, quantities_of, value_of
from app.studies.searches import SEARCHES, number_at
from app.studies.study import Parameter, Study
from app.studies.table import Table
from app.studies.trial import Outcome, Trial, identity
from physics.model.model import Model


class Executor(Protocol):
    """Who runs trials: outcomes in the order of the trials."""

    def run(self, trials: Iterator[Trial]) -> Iterator[tuple[Trial, Outcome]]: ...

    def close(self) -> None: ...


@dataclass(slots=True)
class Progress:
    """done: trials, of these known: that stood in the table already; total: of all, 0 where the search does not say. best: mean value of the best point, NaN before there is
    one; best_point: its number; best_values: its values."""

    done: int = 0
    known: int = 0
    total: int = 0
    diverged: int = 0
    best: float = math.nan
    best_point: int = -1
    best_values: dict[str, float] = field(default_factory=dict)


def parameters_of(m: Model, study: Study) -> tuple[Parameter, ...]:
    """All that is searched: values of the model, then knots of controls within the ranges of their actuators. Raises ValueError naming what the model has not."""
    quantities_of(m, study)
    for name, _number in study.fixed:
        value_of(m, name)
    for one in study.vary:
        value = value_of(m, one.name)
        for number in one.numbers or (one.low, one.high):
            value.check(number if one.numbers or not value.whole else float(round(number)))
    knots = [Parameter(name, *map(float, m.actuator_ctrlrange[control])) for control, names in knots_of(m, study).items() for name in names]
    return (*study.vary, *knots)


def conduct(study: Study, parameters: tuple[Parameter, ...], common: str, table: Table, executor: Executor | None, tell: Callable[[Progress], None],
            hear: Callable[[Trial, Outcome], None] = lambda trial, outcome: None) -> Progress:
    """Do all that is not done yet; tell(progress) after each trial, and once before; hear(trial, outcome) of each, those that are known too, in the order of the trials.
    executor None: only what is known, up to the first population that is not known whole. Raises SearchMissing."""
    search = SEARCHES[study.search.how](parameters, study.search)
    progress = Progress(total=study.seeds * (study.search.trials or math.prod(max(1, len(one.numbers)) for one in parameters)))
    tell(progress)
    count = 0
    while len(points := search.ask()):
        trials = [Trial((count + k) * study.seeds + seed, count + k, seed, {one.name: number_at(one, share) for one, share in zip(parameters, point, strict=True)})
                  for k, point in enumerate(points.tolist()) for seed in range(study.seeds)]
        outcomes = _outcomes(trials, common, table, executor, progress, tell, hear)
        if len(outcomes) < len(trials):
            break
        values = np.array([outcome.value for outcome in outcomes]).reshape(len(points), study.seeds)
        means = values.mean(axis=1)         # NaN where any seed has no value
        for k, mean in enumerate(means.tolist()):
            if study.goal.better(mean, progress.best):
                progress.best, progress.best_point, progress.best_values = mean, count + k, dict(trials[k * study.seeds].values)
        search.tell(points, means if study.goal.largest else -means)
        count += len(points)
        tell(progress)
    return progress


def _outcomes(trials: list[Trial], common: str, table: Table, executor: Executor | None, progress: Progress, tell: Callable[[Progress], None],
              hear: Callable[[Trial, Outcome], None]) -> list[Outcome]:
    """Of all these, from the table where they are in it. Points that are the same are run once. Without an executor only of those that are known."""
    names, new = [identity(common, trial) for trial in trials], {}
    for name, trial in zip(names, trials, strict=True):
        if name not in table.rows:
            new.setdefault(name, trial)
    known = len(trials) - len(new)
    progress.known, progress.done = progress.known + known, progress.done + known
    identities, heard = {trial.number: name for name, trial in new.items()}, 0
    for trial, outcome in executor.run(iter(new.values())) if executor is not None else ():
        table.add(trial, identities[trial.number], outcome)
        progress.done += 1
        heard = _hear_on(trials, names, table, heard, hear)
        tell(progress)
    _hear_on(trials, names, table, heard, hear)
    found = [table.rows[name] for name in names if name in table.rows]
    progress.diverged += sum(outcome.diverged for outcome in found)
    return found


def _hear_on(trials: list[Trial], names: list[str], table: Table, heard: int, hear: Callable[[Trial, Outcome], None]) -> int:
    """Tell of all trials from number `heard` on up to the first that is not done; how many have been told of."""
    while heard < len(trials) and names[heard] in table.rows:
        hear(trials[heard], table.rows[names[heard]])
        heard += 1
    return heard
