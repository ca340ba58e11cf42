"""Policies by augmented gradient search (AGS): ascent along the gradient of one episode's reward, through derivatives of its steps.

    S_k+1 = A S_k + B (U_o O S_k + U_M),   dr = r_x S_k+1 + r_before S_k + r_u (U_o O S_k + U_M)       S = dx/dM, U = du/do, du/dM, O = do/dx
    M <- M + step g / max|g|       g: sum of dr over the episode, as long as it is below a bound: beyond, contacts have made it useless

Rewards and observations are differentiated by differences of the task's functions along the state; what these read that is no state (contact forces, sensors) is taken
as constant. The mean and deviation of observations are taken as constant, too.

Source: Howell, Le Cleac'h and others, "Dojo: a differentiable physics engine for robotics", 2022, section on learning (augmented gradient search).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from physics.model.data import Data
from physics.optimise.engine_derivatives import Differences, Linear, Start, gradients_of, linearise
from physics.optimise.episode import LinearPolicy, SearchResult, Task, first_policy
from physics.optimise.policy_training import Iteration, train
from physics.optimise.progress import Checkpoint, Report, generator
from physics.optimise.tangent import State, Tangent

WHAT = "gradient search"
START, EPISODES = range(2)
EPS = 1e-6


@dataclass(frozen=True, slots=True)
class GradientSearchOptions:
    """iterations, of one episode each; step: largest change of a weight; largest: of the gradient's numbers, where an episode's sum ends (800, as published).
    first: scale of the first weights; normalise, least: as LinearPolicy has them; kappa: as for linearise; feedback: whether that states change what the policy sees,
    and so later controls, counts (else controls change by the weights alone: biased, but it does not grow where a policy answers sharply); seed."""

    iterations: int = 30
    step: float = 0.02
    largest: float = 800.0
    first: float = 0.1
    normalise: bool = True
    least: float = 1e-2
    kappa: float | None = None
    feedback: bool = True
    seed: int = 0


class EpisodeGradient(NamedTuple):
    """reward; gradient (nu, no) of it by the weights; steps: controls taken; counted: how many of them the gradient is of."""

    reward: float
    gradient: np.ndarray
    steps: int
    counted: int


def train_ags(task: Task, options: GradientSearchOptions | None = None, policy: LinearPolicy | None = None, report: Report | None = None,
              checkpoint: Checkpoint | None = None) -> SearchResult:
    """Train a linear policy; arguments, errors and repeatability as of train_ars."""
    options = options or GradientSearchOptions()
    policy = first_policy(task, policy, options.normalise, options.least, options.first, generator(options.seed, START))

    def iterate(k: int, d: Data) -> Iteration:
        found = episode_gradient(task, policy, d, generator(options.seed, EPISODES, k), options, learn=True)
        size = float(np.abs(found.gradient).max(initial=0.0))
        if np.isfinite(size) and size > 0:
            policy.weights = policy.weights + options.step * found.gradient / size
        return Iteration(found.reward, found.steps, f"gradient {size:.2g} of {found.counted} of {found.steps} steps")

    return train(WHAT, task, policy, options, iterate, report, checkpoint)


def episode_gradient(task: Task, policy: LinearPolicy, d: Data, random: np.random.Generator, options: GradientSearchOptions, learn: bool = False) -> EpisodeGradient:
    """One episode with the gradient of its reward by the policy's weights. d: a Data of the task's model. learn: observations are counted into the policy."""
    m, slopes = task.m, _TaskSlopes(task)
    scratch = Differences(m, d.copy(), task.nstep) if gradients_of(m) is None else None
    nu, no = policy.weights.shape
    task.begin(d, random)
    sensitivity, gradient = np.zeros((slopes.tangent.nx, nu * no)), np.zeros(nu * no)
    total, steps, counted, counting = 0.0, 0, 0, True
    for _ in range(task.horizon):
        o = np.asarray(task.observe(m, d), np.float64)
        if learn:
            policy.seen(o)
        u, steps, before = policy(o), steps + 1, slopes.tangent.state(d)
        if not counting:
            reward = task.act(d, u)
        else:
            # how the control changes with the weights: by what is seen, which they have led to, and by themselves
            seen, deviation = policy.scaled(o), policy.deviation() if policy.normalise and policy.n else np.ones(no)
            by_weights = np.kron(np.eye(nu), seen)
            if options.feedback:
                by_weights += (policy.weights / deviation) @ slopes.observation(d) @ sensitivity
            reward, linear = _linear_act(task, d, u, options.kappa, scratch)
            if reward is not None:
                after = linear.A @ sensitivity + linear.B @ (np.reshape(np.broadcast_to(task.scale, (nu,)), (nu, 1)) * by_weights)
                rx, rb, ru = slopes.reward(d, u, before)
                gradient += rx @ after + rb @ sensitivity + ru @ by_weights
                sensitivity, counted = after, counted + 1
                counting = bool(np.isfinite(sensitivity).all() and np.abs(gradient).max() <= options.largest)
        if reward is None:
            break
        total += reward
        if task.done is not None and task.done(m, d):
            break
    return EpisodeGradient(total, gradient.reshape(nu, no), steps, counted)


def _linear_act(task: Task, d: Data, u: np.ndarray, kappa: float | None, scratch: Differences | None) -> tuple[float | None, Linear | None]:
    """As Task.act, with derivatives of the steps, by differences on scratch where the engine has no gradients; (None, None) where the model diverges."""
    before, time, warmstart = State(d.qpos.copy(), d.qvel.copy(), d.act.copy()), d.time, d.qacc_warmstart.copy()
    try:
        if scratch is None:
            d.ctrl[:] = task.scale * u
            linear = linearise(task.m, d, task.nstep, kappa)
            return float(np.clip(task.reward(task.m, d, u, before), -task.clip, task.clip)), linear
        linear = scratch.around(Start(time, before, warmstart), np.array(task.scale * u))
    except ValueError:
        return None, None
    return task.act(d, u), linear


class _TaskSlopes:
    """Derivatives of a task's functions by central differences along the state."""

    def __init__(self, task: Task):
        self.task, self.tangent = task, Tangent(task.m)

    def _along(self, d: Data, function) -> np.ndarray:
        """Of function() by the state of d, which is put back; a column for each direction."""
        x, columns = self.tangent.state(d), []
        for i in range(self.tangent.nx):
            step = np.zeros(self.tangent.nx)
            step[i] = EPS
            pair = []
            for side in (step, -step):
                self.tangent.put(d, self.tangent.add(x, side))
                pair.append(np.asarray(function(), np.float64))
            columns.append((pair[0] - pair[1]) / (2 * EPS))
        self.tangent.put(d, x)
        return np.stack(columns, axis=-1)

    def observation(self, d: Data) -> np.ndarray:
        """(no, nx)."""
        return self._along(d, lambda: self.task.observe(self.task.m, d))

    def reward(self, d: Data, u: np.ndarray, before: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """By the state after the steps (nx), by the one before (nx), by the control (nu)."""
        def of(u: np.ndarray, before: State) -> float:
            return float(self.task.reward(self.task.m, d, u, before))

        by_after = self._along(d, lambda: of(u, before))
        by_before, by_control = np.zeros(self.tangent.nx), np.zeros(len(u))
        for values, make in ((by_before, lambda s: of(u, self.tangent.add(before, s))), (by_control, lambda s: of(u + s, before))):
            for i in range(len(values)):
                step = np.zeros(len(values))
                step[i] = EPS
                values[i] = (make(step) - make(-step)) / (2 * EPS)
        return by_after, by_before, by_control
