"""The best trials of a study as recordings and films, beside its table; what is there already is not made again."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import numpy as np

from app.headless.study.film import film
from app.headless.study.recording import record
from app.studies.results import Results
from app.studies.study import Study
from app.studies.trial import Trial
from physics.model.model import Model


def best_trials(results: Results, number: int) -> list[Trial]:
    """The first seed's trial of each of the best points, the best first; of points that are the same one."""
    trials, _values, means = results.points()
    there = np.flatnonzero(np.isfinite(means))
    order = there[np.argsort(-means[there] if results.largest else means[there], kind="stable")]
    rows = {row.trial: row for row in results.rows}
    found: dict[tuple, Trial] = {}
    for row in (rows[int(trials[k])] for k in order):
        found.setdefault(tuple(row.values.values()), Trial(row.trial, row.point, row.seed, row.values))
    return list(found.values())[:number]


def keep_best(m: Model, study: Study, results: Results, texts: Mapping[str, str], name_of: Callable[[Trial], str]) -> Iterator[Path]:
    """Make what the study says is to be kept, one file after the other. name_of: a name by which a trial is known again. Raises as film and record."""
    folder = study.path.with_suffix(".kept")
    for trial in best_trials(results, study.keep.recordings):
        if not list(folder.glob(f"{name_of(trial)}*.h5")):
            folder.mkdir(exist_ok=True)
            yield record(m, study, trial, folder, texts, name_of(trial))
    for trial in best_trials(results, study.keep.films):
        path = folder / f"{name_of(trial)}.mp4"
        if not path.exists():
            folder.mkdir(exist_ok=True)
            film(m, study, trial, path)
            yield path
