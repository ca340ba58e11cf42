"""What policies are trained on: a task, its episodes, and linear policies of normalised observations.

    u = M ((o - mean) / std)        o: what is observed, (no); M (nu, no); mean and std of what was observed so far

Source: Mania, Guy and Recht, "Simple random search provides a competitive approach to reinforcement learning", 2018, section 3.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.optimise.tangent import State
from physics.simulate.step import check_dynamics, step


def observe_state(m: Model, d: Data) -> np.ndarray:
    """qpos, qvel and act."""
    return np.concatenate([d.qpos, d.qvel, d.act])


@dataclass(frozen=True)
class Task:
    """m: the model. horizon: controls of an episode; nstep: steps for each. reward(m, d, u, before): of one control, after its steps; before: State at its beginning.
    observe(m, d): what the policy sees, (no). reset(m, d, random): puts a reset Data where an episode begins (None: qpos0 at rest). done(m, d): whether it ends early.
    clip: rewards are kept within -clip .. clip. scale: controls are policy's times this, one number or nu; they are taken into actuator_ctrlrange by the engine.

    Random numbers come from `random` alone. Functions may read d and write its state in reset, nothing else.
    """

    m: Model
    horizon: int
    reward: Callable[[Model, Data, np.ndarray, State], float]
    observe: Callable[[Model, Data], np.ndarray] = observe_state
    reset: Callable[[Model, Data, np.random.Generator], None] | None = None
    done: Callable[[Model, Data], bool] | None = None
    nstep: int = 1
    clip: float = np.inf
    scale: float | tuple = 1.0

    def __post_init__(self):
        check_dynamics(self.m)
        if self.horizon < 1 or self.nstep < 1:
            raise ValueError(f"horizon {self.horizon}, nstep {self.nstep}: need 1 or more")

    def begin(self, d: Data, random: np.random.Generator) -> None:
        """The start of an episode."""
        d.reset()
        if self.reset is not None:
            self.reset(self.m, d, random)

    def act(self, d: Data, u: np.ndarray) -> float | None:
        """Take the steps of one control; its reward, None where the model diverges or the task is done before the steps are worth anything."""
        before = State(d.qpos.copy(), d.qvel.copy(), d.act.copy())
        d.ctrl[:] = self.scale * u
        if step(self.m, d, self.nstep, autoreset=False) != self.nstep:
            return None
        return float(np.clip(self.reward(self.m, d, u, before), -self.clip, self.clip))


@dataclass
class LinearPolicy:
    """weights (nu, no); of observations n, mean, and squares (sum of squared differences from the mean). normalise: whether these are used; least: smallest variance."""

    weights: np.ndarray
    normalise: bool = True
    least: float = 1e-2
    n: int = 0
    mean: np.ndarray = field(default_factory=lambda: np.zeros(0))
    squares: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self):
        if not len(self.mean):
            self.mean, self.squares = np.zeros(self.weights.shape[1]), np.zeros(self.weights.shape[1])

    def seen(self, o: np.ndarray) -> None:
        """Count one observation in (Welford 1962)."""
        self.n += 1
        off = o - self.mean
        self.mean = self.mean + off / self.n
        self.squares = self.squares + off * (o - self.mean)

    def scaled(self, o: np.ndarray) -> np.ndarray:
        """The observation as the weights see it."""
        return (o - self.mean) / self.deviation() if self.normalise and self.n else o

    def deviation(self) -> np.ndarray:
        """Standard deviation of what was observed."""
        return np.sqrt(np.maximum(self.least, self.squares / max(1, self.n)))

    def __call__(self, o: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
        """The controls (nu) for an observation."""
        return (self.weights if weights is None else weights) @ self.scaled(o)


class Episode(NamedTuple):
    """reward: the sum; steps: controls that were taken; observations (steps, no)."""

    reward: float
    steps: int
    observations: np.ndarray


class SearchResult(NamedTuple):
    """policy; rewards: of each iteration (mean of its episodes); evaluations: controls taken in all. stopped: by the report."""

    policy: LinearPolicy
    rewards: np.ndarray
    evaluations: int
    stopped: bool


def run_episode(task: Task, policy: LinearPolicy, d: Data, random: np.random.Generator, weights: np.ndarray | None = None, learn: bool = False) -> Episode:
    """One episode under a policy, or under other weights; d: a Data of the task's model to run it on. learn: observations are counted in as they are seen."""
    task.begin(d, random)
    total, seen = 0.0, []
    for _ in range(task.horizon):
        o = np.asarray(task.observe(task.m, d), np.float64)
        seen.append(o)
        if learn:
            policy.seen(o)
        reward = task.act(d, policy(o, weights))
        if reward is None:
            break
        total += reward
        if task.done is not None and task.done(task.m, d):
            break
    return Episode(total, len(seen), np.array(seen))


def first_policy(task: Task, given: LinearPolicy | None, normalise: bool, least: float, scale: float, random: np.random.Generator) -> LinearPolicy:
    """A copy of the given policy, or one with normally distributed weights of this scale (0: zeros)."""
    d = Data(task.m)
    task.begin(d, np.random.default_rng(0))
    shape = task.m.nu, len(np.asarray(task.observe(task.m, d)))
    if given is None:
        return LinearPolicy(scale * random.standard_normal(shape), normalise, least)
    if given.weights.shape != shape:
        raise ValueError(f"the policy's weights are {given.weights.shape}, the task has {shape}")
    return LinearPolicy(given.weights.copy(), given.normalise, given.least, given.n, given.mean.copy(), given.squares.copy())


def policy_arrays(policy: LinearPolicy) -> dict[str, np.ndarray]:
    """What a checkpoint keeps of a policy."""
    return {"weights": policy.weights, "seen": np.array(policy.n), "mean": policy.mean, "squares": policy.squares}


def take_policy(policy: LinearPolicy, arrays: dict[str, np.ndarray]) -> None:
    """What `policy_arrays` gave."""
    policy.weights, policy.n, policy.mean, policy.squares = arrays["weights"], int(arrays["seen"]), arrays["mean"], arrays["squares"]
