"""Trials on several machines by Ray: one task for each trial, the model once in the object store, kernels compiled once on each node before.

    ray start --head --port 6379          linkwork sweep study.toml --on ray://HOST:6379          linkwork sweep study.toml --on ray    a cluster of this machine alone

A node or a worker that is lost takes no trial with it: Ray does the task again elsewhere. Connections need a token, always; what goes over them is not encrypted (Ray's own
limits): use a network that is trusted, or a tunnel. Linkwork has to be installed on each node in the version of the one that conducts the study; a node with another one is refused.
"""
from __future__ import annotations

import atexit
import hashlib
import os
import secrets
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from app.studies.evaluate import Evaluator
from app.studies.study import Study
from app.studies.trial import Outcome, Trial, program_version

TRIES = 3           # of a trial whose tasks fail for good, each of which Ray has tried again itself
RETRIES = 3         # by Ray, of a task whose worker or node is lost
AHEAD = 4           # trials under way, for each processor
MEMORY = 1 << 30    # bytes that a trial may take: Ray starts no more at a time than fit


class RayMissing(Exception):
    """Ray is not there, or the cluster cannot be reached; the message says what to do."""


class RayWorkers:
    """Runs trials on a cluster. model: a compiled model's file (.lwb). address: 'ray' for a cluster of this machine alone, or 'ray://HOST:PORT' of one that was started by
    `ray start`. workers: trials at a time, 0: as many as the cluster has processors. Raises RayMissing."""

    def __init__(self, study: Study, model: Path, address: str = "ray", workers: int = 0):
        os.environ["RAY_AUTH_MODE"] = "token"       # read as the package is imported
        try:
            import ray
        except ImportError:
            raise RayMissing('studies on several machines need the package ray: pip install "linkwork[ray]"') from None
        self._ray = ray
        _join(ray, address.removeprefix("ray").removeprefix("://"), workers)
        content = model.read_bytes()
        self._given = (study, ray.put(content), hashlib.sha256(content).hexdigest())
        self._prepare()
        self._at_a_time = AHEAD * (workers or int(ray.cluster_resources().get("CPU", 1)))
        self._task = ray.remote(_run).options(num_cpus=1, max_retries=RETRIES, memory=MEMORY)
        self._running: dict[Any, Trial] = {}

    def _prepare(self) -> None:
        """The kernels of each node, before any trial waits for them. Raises RayMissing for a node of another version."""
        ray = self._ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        nodes = [node for node in ray.nodes() if node["Alive"]]
        tasks = [ray.remote(_ready).options(num_cpus=1, max_retries=RETRIES, scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=True)).remote() for node in nodes]
        for node, version in zip(nodes, ray.get(tasks), strict=True):
            if version != program_version():
                raise RayMissing(f"the node {node.get('NodeManagerAddress', '')} has Linkwork {version or 'from a folder'}, this is {program_version() or 'from a folder'}: rows would not agree")

    def run(self, trials: Iterable[Trial]) -> Iterator[tuple[Trial, Outcome]]:
        """Outcomes in the order of the trials."""
        waiting, done, order, lost = iter(trials), {}, [], Counter()
        more = True
        while more or self._running or order:
            while more and len(self._running) < self._at_a_time:
                trial = next(waiting, None)
                more = trial is not None
                if trial is not None:
                    order.append(trial)
                    self._submit(trial)
            if self._running:
                ready, _rest = self._ray.wait(list(self._running), num_returns=1)
                for task in ready:
                    self._take(task, done, lost)
            while order and order[0].number in done:
                trial = order.pop(0)
                yield trial, done.pop(trial.number)

    def _submit(self, trial: Trial) -> None:
        self._running[self._task.remote(*self._given, trial)] = trial

    def _take(self, task, done: dict[int, Outcome], lost: Counter) -> None:
        trial = self._running.pop(task)
        try:
            done[trial.number] = self._ray.get(task)
        except self._ray.exceptions.RayError as why:
            lost[trial.number] += 1
            if lost[trial.number] < TRIES:
                self._submit(trial)
            else:
                done[trial.number] = Outcome(float("nan"), False, 0.0, f"its tasks failed: {type(why).__name__}")

    def close(self) -> None:
        """Give up what is under way, and leave the cluster."""
        for task in self._running:
            self._ray.cancel(task, force=True)
        self._running.clear()
        self._ray.shutdown()


def _join(ray, address: str, workers: int) -> None:
    """Join the cluster at an address, or begin one of this machine alone. Raises RayMissing."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]))
    how: dict[str, Any] = {"include_dashboard": False, "_node_ip_address": "127.0.0.1", "num_cpus": workers or None}
    if address:
        how = {"address": address}
    elif not any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")):
        os.environ["RAY_AUTH_TOKEN"] = secrets.token_hex(32)        # of this cluster, which ends with this process
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", runtime_env={"env_vars": {"PYTHONPATH": path, "OPENBLAS_NUM_THREADS": "1"}}, **how)
    except (ConnectionError, RuntimeError, ValueError) as why:
        raise RayMissing(f"the cluster {address or 'of this machine'} cannot be joined: {why}. Its token is looked for in RAY_AUTH_TOKEN, RAY_AUTH_TOKEN_PATH or ~/.ray/auth_token.") from None


def _ready() -> str:
    """On a node: compile the kernels; its version."""
    import physics

    physics.ensure_kernels()
    return program_version()


def _run(study: Study, model: bytes, name: str, trial: Trial) -> Outcome:
    """On a node: one trial. Ray replaces the reference by the model's bytes, which processes of a node share."""
    path = Path(tempfile.gettempdir(), f"linkwork-{os.getpid()}-{name[:16]}.lwb")
    if not path.exists():
        path.write_bytes(model)
        atexit.register(path.unlink, missing_ok=True)
    return _evaluator(study, path).run(trial)


@lru_cache(1)
def _evaluator(study: Study, model: Path) -> Evaluator:
    """Of this process, made once for a study."""
    import physics

    physics.ensure_kernels()
    return Evaluator(physics.load(model), study)
