"""What searches of policies share: iterations with rewards, reports and checkpoints, taken up again to the same numbers."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np

from physics.model.data import Data
from physics.optimise.episode import LinearPolicy, SearchResult, Task, policy_arrays, take_policy
from physics.optimise.progress import Checkpoint, Progress, Report, fingerprint, reported


class Iteration(NamedTuple):
    """reward: of its episodes, their mean; steps: controls taken; text: what else a report says."""

    reward: float
    steps: int
    text: str = ""


def train(what: str, task: Task, policy: LinearPolicy, options: Any, iterate: Callable[[int, Data], Iteration], report: Report | None, checkpoint: Checkpoint | None) -> SearchResult:
    """Iterations until options.iterations are done or the report stops them.

    what: the search's name. policy: the first one, which iterate(k, d) changes; d: a Data of the task's model. options: a dataclass; with the task and the first weights they tell
    checkpoints apart. Raises ValueError for another search's checkpoint, and what iterate raises.
    """
    mark = fingerprint(task.m, asdict(replace(options, iterations=0)), task.horizon, task.nstep, task.clip, task.scale, policy.weights) if checkpoint else ""
    kept = checkpoint.load(what, mark) if checkpoint else None
    rewards, evaluations, stopped, d = [], 0, False, Data(task.m)
    if kept is not None:
        take_policy(policy, kept)
        rewards, evaluations = kept["rewards"].tolist(), int(kept["evaluations"])
    while len(rewards) < options.iterations and not stopped:
        found = iterate(len(rewards), d)
        rewards.append(found.reward)
        evaluations += found.steps
        done, text = len(rewards), ", ".join(filter(None, (found.text, f"{evaluations} evaluations")))
        stopped = not reported(report, Progress(what, done, options.iterations, found.reward, text))
        if checkpoint:
            arrays = {**policy_arrays(policy), "rewards": np.array(rewards), "evaluations": np.array(evaluations)}
            checkpoint.save(what, mark, arrays, done, stopped or done == options.iterations)
    return SearchResult(policy, np.array(rewards), evaluations, stopped)
