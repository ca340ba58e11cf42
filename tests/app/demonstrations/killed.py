"""A process that gives demonstrations, killed in the middle of it, and what is left of them."""
import os
import signal
import subprocess
import sys
from pathlib import Path

from app.demonstrations.keeper import finish_left
from app.demonstrations.replay import replay
from app.demonstrations.sources import found, opened

OUTCOMES = {"before": [], "open": ["success", "open"], "ended": ["success", "failure"], "discarded": ["success", "discard"], "rewound": ["success", "open"]}     # by phase


def killed(folder: Path, phase: str) -> int:
    """A process gives demonstrations and is killed in a phase; the entry that it was at one second before."""
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(part for part in sys.path if part))
    process = subprocess.Popen([sys.executable, "-m", "tests.app.demonstrations.child", str(folder), phase], stdout=subprocess.PIPE, env=env, text=True)
    try:
        for line in process.stdout:
            word, _, entry = line.partition(" ")
            if word == "now":
                os.kill(process.pid, signal.SIGKILL)
                return int(entry)
        raise AssertionError("it ended by itself")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def check_killed(folder: Path, phase: str) -> int:
    """Raises AssertionError where more than a second is lost, or what is left does not come out the same; how many entries there are."""
    entry = killed(folder, phase)
    (run,) = found([folder])       # it can be looked at as it lies
    assert run.parent.parent.name == "unfinished"
    (path,) = finish_left(folder)
    assert found([folder]) == [path] and not list((folder / "unfinished").iterdir())
    with opened(path) as of:
        line = of.recording.line.track
        assert line.first + len(line) - 1 >= entry, (phase, line.first + len(line) - 1, entry)
        assert [one.outcome for one in of.episodes] == OUTCOMES[phase]
        differences = [f"{phase}, episode {one.episode.number} of {one.episode.steps} steps: {one.difference}" for one in replay(of) if not one.same]
        assert not differences, differences
        return len(line)
