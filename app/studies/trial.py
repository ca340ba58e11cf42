"""A trial: one run of a study, known by what it depends on."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

import numpy as np

from app.studies.study import Study
from physics.model.model import Model


@dataclass(frozen=True, slots=True)
class Trial:
    """number: in the order in which a study asks, from 0 on; point: of which it is one seed; values {name: number}."""

    number: int
    point: int
    seed: int
    values: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Outcome:
    """value: of the goal, NaN where there is none; diverged: whether the state did; seconds: simulated until the end or the stop. problem: why it could not run, '' for none."""

    value: float
    diverged: bool
    seconds: float
    problem: str = ""


def model_digest(m: Model) -> bytes:
    """Of all numbers and names of a Model, whichever folder its files lie in."""
    digest = hashlib.sha256()
    for name in (*m.layout.scalars, *m.layout.arrays):
        value = getattr(m, name)
        digest.update(f"{name} {value.shape} {value.dtype}".encode() + value.tobytes() if isinstance(value, np.ndarray) else f"{name} {value!r}".encode())
    digest.update(json.dumps([{kind: list(names) for kind, names in m.names.items()}, m.compat]).encode())
    return digest.digest()


def program_version() -> str:
    """'' from a folder that was never installed."""
    try:
        return version("linkwork")
    except PackageNotFoundError:
        return ""


def common_digest(study: Study, model: bytes) -> str:
    """Of all that the trials of a study have in common: the model (model_digest), the goal, how runs begin, and the version of this program."""
    said = [study.goal.text, study.goal.stop, repr(study.seconds), repr(study.fixed), repr(study.start), repr(study.control), study.engine, program_version()]
    return hashlib.sha256(hashlib.sha256(model).digest() + json.dumps(said).encode()).hexdigest()


def identity(common: str, trial: Trial) -> str:
    """By which a trial is known again: the same for the same values and seed, whichever search asks for it."""
    said = json.dumps([sorted((name, float(number).hex()) for name, number in trial.values.items()), trial.seed])
    return hashlib.sha256((common + said).encode()).hexdigest()[:24]
