"""Jobs with demonstrations in a process of their own: what comes of them, and that nothing is left of one that is stopped or killed."""
import os
import signal

import pytest

from app.headless.demo.job_process import JobError, JobProcess, JobStopped
from tests.app.demonstrations.made import Made

PLAN = {"rate": 200.0, "cameras": ["front", "wrist"], "size": [64, 64]}


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jobs")
    made = Made(folder, 4)
    made.episode(150)
    made.episode(150)
    return made.save(folder / "a.h5")


def test_episodes_are_checked_and_how_much_is_done_is_told(path):
    shares = []
    found = JobProcess().run({"job": "check", "sources": [[str(path), None], [str(path), [2]]]}, shares.append)["replayed"]
    assert [(one["episode"], one["same"], one["difference"]) for one in found] == [(1, True, ""), (2, True, ""), (2, True, "")]
    assert shares == sorted(shares) and all(0 <= share <= 1 for share in shares)


def test_why_a_job_came_to_nothing_is_told(path, tmp_path):
    with pytest.raises(JobError, match="there is no episode 7"):
        JobProcess().run({"job": "split", "recording": str(path), "episode": 7, "at": 0.1, "output": str(tmp_path / "b.h5")})
    with pytest.raises(JobError, match="nowhere.h5"):
        JobProcess().run({"job": "check", "sources": [[str(tmp_path / "nowhere.h5"), None]]})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["robomimic", "lerobot"])
def test_nothing_is_left_of_one_that_is_stopped_or_killed(path, tmp_path, form):
    wanted = {"job": "export", "sources": [[str(path), None]], "output": str(tmp_path / "set"), "format": form, "plan": PLAN, "quality": "lowest"}
    stopped = JobProcess()
    with pytest.raises(JobStopped):
        stopped.run(wanted, lambda share: stopped.stop())
    assert list(tmp_path.iterdir()) == []
    killed = JobProcess()
    with pytest.raises(JobError, match="ended"):
        killed.run(wanted, lambda share: os.kill(killed._process.pid, signal.SIGKILL))
    assert list(tmp_path.iterdir()) == []
    early = JobProcess()
    early.stop()
    with pytest.raises(JobStopped):
        early.run(wanted)
