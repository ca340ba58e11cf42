"""A task: a model with what is seen of it, what is rewarded, when an episode ends and how it begins. All terms are of many simulations at once."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import physics
from linkwork.envs.expressions import evaluator
from physics.fleet.fleet import Fleet
from physics.model.model import Model


class Simulations:
    """What terms are given: every field of Data as an attribute, with a row for each simulation: s.qpos (n, nq), s.xpos (n, nbody, 3), s.ctrl, ...

    fleet, model: those behind it. What simulations start from may be written (see Fleet.bind).
    """

    def __init__(self, fleet: Fleet):
        self.fleet, self.model, self.n = fleet, fleet.model, fleet.n
        self._quantities: dict[str, Callable[[], np.ndarray]] = {}

    def quantity(self, text: str) -> np.ndarray:
        """An expression (docs/quantities.md) of each simulation, (n, *shape). Raises ExpressionError with the column."""
        if text not in self._quantities:
            self._quantities[text] = evaluator(self.fleet, lambda name: getattr(self, name), text)
        return self._quantities[text]()

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_"):
            raise AttributeError(name)
        array = self.fleet.bind(name)
        self.__dict__[name] = array     # the same one for as long as the fleet lives
        return array


Term = Callable[[Simulations], np.ndarray]


@dataclass(frozen=True)
class Task:
    """model: a Model, the path of a file, or MJCF text.

    observation: names of fields of Data, expressions (docs/quantities.md), or functions s -> (n,) or (n, k), side by side in this order.
    reward: {name: expression, function s -> (n,), or (weight, either)}; their weighted sum. terminated: an expression, or s -> (n,) bool, None: never.
    begin: (s, i, rng), called for each simulation i that begins anew, at the initial pose or `keyframe`: writes where it begins (s.qpos[i] += ...), with numbers of its own rng.
    nstep: time steps in one step of the environment. limit: steps after which an episode is truncated, None: never.
    act: (s, actions) writes the actions (n, nu); None: into s.ctrl.
    """

    model: Model | str | os.PathLike
    observation: tuple[str | Term, ...] = ("qpos", "qvel")
    reward: Mapping[str, str | Term | tuple[float, str | Term]] = field(default_factory=dict)
    terminated: str | Term | None = None
    begin: Callable[[Simulations, int, np.random.Generator], Any] | None = None
    nstep: int = 1
    limit: int | None = None
    keyframe: int | str | None = None
    act: Callable[[Simulations, np.ndarray], Any] | None = None

    def load(self) -> Model:
        """The task's Model. Raises as physics.load."""
        if isinstance(self.model, Model):
            return self.model
        text = self.model if isinstance(self.model, str) else ""
        return physics.load_string(text) if text.lstrip().startswith("<") else physics.load(self.model)

    def observe(self, s: Simulations) -> np.ndarray:
        """All observations, (n, k), new memory. Raises ValueError naming the term that has not one row for each simulation."""
        return np.concatenate([_rows(s, term) for term in self.observation], axis=1)

    def rewards(self, s: Simulations) -> dict[str, np.ndarray]:
        """Each term of the reward with its weight, (n,)."""
        found = {}
        for name, term in self.reward.items():
            weight, value = term if isinstance(term, tuple) else (1.0, term)
            array = weight * np.asarray(_called(s, value), np.float64)
            if array.shape != (s.n,):
                raise ValueError(f"reward '{name}' has shape {array.shape}, needs ({s.n},)")
            found[name] = array
        return found

    def ended(self, s: Simulations) -> np.ndarray:
        """Where an episode ends, (n,) bool. Raises ValueError for another shape."""
        if self.terminated is None:
            return np.zeros(s.n, bool)
        found = np.asarray(_called(s, self.terminated))
        if found.shape != (s.n,):
            raise ValueError(f"terminated has shape {found.shape}, needs ({s.n},)")
        return found.astype(bool)


def _called(s: Simulations, term: str | Term) -> np.ndarray:
    return s.quantity(term) if isinstance(term, str) else term(s)


def _rows(s: Simulations, term: str | Term) -> np.ndarray:
    values = np.asarray(_called(s, term), np.float64)
    if values.ndim == 0 or len(values) != s.n:
        name = term if isinstance(term, str) else getattr(term, "__name__", "of a function")
        raise ValueError(f"observation {name} has shape {values.shape}, needs {s.n} rows")
    return values.reshape(s.n, -1)
