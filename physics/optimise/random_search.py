"""Policies by augmented random search (ARS): finite differences along random directions in the space of a linear policy's weights.

    M <- M + step / (b sigma) sum over the best b directions of (r(M + noise delta) - r(M - noise delta)) delta      sigma: deviation of these 2 b rewards

V1 takes observations as they are, V2 normalises them by what all episodes before have seen; b < directions is their variant t.

Source: Mania, Guy and Recht, "Simple random search provides a competitive approach to reinforcement learning", 2018, algorithm 1 and 2.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.model.data import Data
from physics.optimise.episode import Episode, LinearPolicy, SearchResult, Task, first_policy, run_episode
from physics.optimise.policy_training import Iteration, train
from physics.optimise.progress import Checkpoint, Report, generator

WHAT = "random search"
START, DIRECTIONS, EPISODES = range(3)      # places of random numbers
VERSIONS = ("V1", "V2")


@dataclass(frozen=True, slots=True)
class RandomSearchOptions:
    """iterations; directions, of which the best b count (None: all); step: size; noise: of the directions. version: V1 or V2. first: scale of the first weights
    (0: zeros, as published). least: smallest variance of an observation. common: both episodes of a direction begin alike. seed."""

    iterations: int = 100
    directions: int = 16
    best: int | None = None
    step: float = 0.02
    noise: float = 0.03
    version: str = "V2"
    first: float = 0.0
    least: float = 1e-2
    common: bool = True
    seed: int = 0

    def __post_init__(self):
        if self.version not in VERSIONS:
            raise ValueError(f"version '{self.version}'; there are: {', '.join(VERSIONS)}")
        if not 1 <= (self.best or self.directions) <= self.directions:
            raise ValueError(f"the best {self.best} of {self.directions} directions")
        if not self.noise > 0:
            raise ValueError(f"noise is above 0, not {self.noise}")


def train_ars(task: Task, options: RandomSearchOptions | None = None, policy: LinearPolicy | None = None, report: Report | None = None,
              checkpoint: Checkpoint | None = None) -> SearchResult:
    """Train a linear policy. policy: to begin with; it stays as it is. report: called after each iteration; checkpoint: where to go on from, and where to write.

    The same numbers for the same seed, taken up again or not. Raises ValueError for sizes that do not fit and for another search's checkpoint, and what the task's functions raise.
    """
    options = options or RandomSearchOptions()
    policy = first_policy(task, policy, options.version == "V2", options.least, options.first, generator(options.seed, START))
    return train(WHAT, task, policy, options, lambda k, d: _iterate(task, policy, options, k, d), report, checkpoint)


def _iterate(task: Task, policy: LinearPolicy, options: RandomSearchOptions, k: int, d: Data) -> Iteration:
    """One iteration; the policy is changed."""
    deltas = generator(options.seed, DIRECTIONS, k).standard_normal((options.directions, *policy.weights.shape))
    up, down = ([_episode(task, policy, options, (k, i, side), delta if side == 0 else -delta, d) for i, delta in enumerate(deltas)] for side in (0, 1))
    high, low = np.array([e.reward for e in up]), np.array([e.reward for e in down])
    # the directions with the best of their two rewards
    best = np.argsort(-np.maximum(high, low), kind="stable")[:options.best or options.directions]
    deviation = np.concatenate([high[best], low[best]]).std()
    if deviation > 0:
        gain = np.einsum("i,ijk->jk", high[best] - low[best], deltas[best])
        policy.weights = policy.weights + options.step / (len(best) * deviation) * gain
    for episode in (*up, *down):    # what was seen counts from the next iteration on
        for o in episode.observations:
            policy.seen(o)
    return Iteration(float(np.mean([high, low])), sum(e.steps for e in (*up, *down)))


def _episode(task: Task, policy: LinearPolicy, options: RandomSearchOptions, place: tuple[int, int, int], delta: np.ndarray, d: Data) -> Episode:
    k, i, side = place
    random = generator(options.seed, EPISODES, k, i, 0 if options.common else side)
    return run_episode(task, policy, d, random, policy.weights + options.noise * delta)
