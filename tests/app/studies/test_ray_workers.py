"""What is asked of Ray, with a stand-in for it: order, limits, tokens, tasks that are lost. A real cluster of two nodes: `./test.sh --long ray`."""
import sys
from types import ModuleType, SimpleNamespace

import pytest

import physics
from app import headless
from app.studies import ray_workers
from app.studies.ray_workers import AHEAD, MEMORY, RETRIES, TRIES, RayMissing, RayWorkers
from app.studies.trial import Trial, program_version
from tests.app.studies.conftest import STUDY
from tests.app.studies.test_studies import InThisProcess, conducted


class RayError(Exception):
    """A task has failed for good."""


class Cluster:
    """Runs a task when it is waited for, one from the middle first; loses those that `loses` says."""

    def __init__(self, processors=2, version=None):
        self.exceptions = SimpleNamespace(RayError=RayError)
        self.processors, self.version, self.options, self.most, self.joined, self.left, self.cancelled = processors, version, [], 0, None, False, []
        self.loses = lambda trial, times: False
        self.which = lambda tasks: tasks[len(tasks) // 2]       # is done next
        self._waits, self._results, self._times, self._store = {}, {}, {}, {}

    def init(self, **how):
        self.joined = how

    def shutdown(self):
        self.left = True

    def put(self, value):
        self._store[key := ("put", len(self._store))] = value
        return key

    def nodes(self):
        return [{"Alive": True, "NodeID": "a", "NodeManagerAddress": "10.0.0.1"}, {"Alive": False, "NodeID": "b"}]

    def cluster_resources(self):
        return {"CPU": float(self.processors)}

    def remote(self, function):
        def called(*arguments):
            key = ("task", len(self._results) + len(self._waits))
            self._waits[key] = (function, [self._store.get(one, one) if isinstance(one, tuple) else one for one in arguments])
            self.most = max(self.most, len(self._waits))
            return key

        task = SimpleNamespace(remote=called)
        task.options = lambda **how: (self.options.append(how), task)[1]
        return task

    def _run(self, key):
        function, arguments = self._waits.pop(key)
        trial = arguments[-1] if arguments else None
        if isinstance(trial, Trial):
            self._times[trial.number] = times = self._times.get(trial.number, 0) + 1
            if self.loses(trial, times):
                self._results[key] = RayError("the node died")
                return
        self._results[key] = (self.version if function is ray_workers._ready and self.version is not None else function(*arguments))

    def wait(self, tasks, num_returns):
        key = self.which(tasks)
        self._run(key)
        return [key], [task for task in tasks if task != key]

    def get(self, key):
        if isinstance(key, list):
            return [self.get(one) for one in key]
        if key in self._waits:
            self._run(key)
        if isinstance(self._results[key], Exception):
            raise self._results[key]
        return self._results[key]

    def cancel(self, task, force):
        self.cancelled.append(task)


@pytest.fixture
def cluster(monkeypatch):
    made, util, scheduling = Cluster(), ModuleType("ray.util"), ModuleType("ray.util.scheduling_strategies")
    scheduling.NodeAffinitySchedulingStrategy = lambda node, soft: (node, soft)
    for name, module in (("ray", made), ("ray.util", util), ("ray.util.scheduling_strategies", scheduling)):
        monkeypatch.setitem(sys.modules, name, module)
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"):
        monkeypatch.setenv(name, "")
    ray_workers._evaluator.cache_clear()
    yield made
    ray_workers._evaluator.cache_clear()


@pytest.fixture
def study(made, tmp_path):
    study, m = made()
    physics.save(m, tmp_path / "model.lwb")
    return study, m, tmp_path / "model.lwb"


def test_rows_are_those_of_one_process_whatever_is_done_first_and_lost(cluster, study):
    study, m, model = study
    _progress, rows = conducted(study, m, InThisProcess(study, m))
    study.table.unlink()
    cluster.loses = lambda trial, times: trial.number in (3, 7) and times < TRIES
    executor = RayWorkers(study, model)
    progress, same = conducted(study, m, executor)
    assert same == rows and progress.done == 12 and cluster.left
    assert 2 < cluster.most <= AHEAD * cluster.processors
    assert {"num_cpus": 1, "max_retries": RETRIES, "memory": MEMORY} in cluster.options and any("scheduling_strategy" in how for how in cluster.options)


def test_a_trial_that_is_lost_each_time_is_told_in_its_row(cluster, study):
    study, m, model = study
    cluster.loses = lambda trial, times: trial.number == 4
    progress, rows = conducted(study, m, RayWorkers(study, model))
    assert progress.done == 12 and sum("its tasks failed: RayError" in row for row in rows.splitlines()) == 1


def test_connections_need_a_token(cluster, study, monkeypatch):
    import os

    RayWorkers(*study[::2]).close()
    assert os.environ["RAY_AUTH_MODE"] == "token" and len(os.environ["RAY_AUTH_TOKEN"]) == 64 and cluster.joined["_node_ip_address"] == "127.0.0.1"
    monkeypatch.setenv("RAY_AUTH_TOKEN", "")
    RayWorkers(*study[::2], address="ray://10.0.0.1:6379").close()
    assert cluster.joined["address"] == "10.0.0.1:6379" and not os.environ["RAY_AUTH_TOKEN"]        # that of the cluster, which its owner gives


def test_a_node_of_another_version_is_refused(cluster, study):
    cluster.version = "99"
    with pytest.raises(RayMissing, match="the node 10.0.0.1 has Linkwork 99, this is " + (program_version() or "from a folder")):
        RayWorkers(*study[::2])


def test_what_is_under_way_is_given_up_at_the_end(cluster, study):
    executor = RayWorkers(*study[::2])
    outcomes = executor.run(iter([Trial(k, k, 0, {"joint.slide.stiffness": 10.0 + k, "joint.slide.damping": 1.0}) for k in range(20)]))
    cluster.which = lambda tasks: tasks[0]
    next(outcomes)
    under_way = len(executor._running)
    executor.close()
    assert under_way and len(cluster.cancelled) == under_way and cluster.left and not executor._running


def test_without_ray_the_command_says_what_to_install(tmp_path, made, monkeypatch, capsys):
    made(STUDY)
    monkeypatch.setitem(sys.modules, "ray", None)
    assert headless.main(["sweep", str(tmp_path / "study.toml"), "--on", "ray"]) == 1 and 'pip install "linkwork[ray]"' in capsys.readouterr().err
    assert headless.main(["sweep", str(tmp_path / "study.toml"), "--on", "moon"]) == 2 and "not 'moon'" in capsys.readouterr().err
