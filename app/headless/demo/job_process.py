"""The window's end of the process that does a job with demonstrations (worker.py): checking, editing, exporting take nothing from the window."""
from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from physics.files.atomic_write import remove_unfinished

PATIENCE = 5.0      # s that a job which is not wanted any more may take to end
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)     # on Windows


class JobError(RuntimeError):
    """Why a job came to nothing, in words for a person."""


class JobStopped(Exception):
    """It was given up."""


class JobProcess:
    """One job. `run` waits for it, `stop` gives it up, from any thread."""

    def __init__(self):
        self._lock = threading.Lock()       # of the two below
        self._process: subprocess.Popen | None = None
        self._stopped = False

    def run(self, wanted: dict[str, Any], progress: Callable[[float], None] = lambda share: None) -> dict[str, Any]:
        """Have it done: what came of it. progress(share) is called meanwhile. Raises JobError, and JobStopped; then there is nothing half-written."""
        process = self._begin(wanted)
        last: list[Any] = ["", ""]
        try:
            for line in process.stdout:
                last = json.loads(line)
                if last[0] == "at":
                    progress(float(last[1]))
        except (OSError, ValueError):
            pass    # it has ended, and its status says how
        status = process.wait()
        process.stdout.close()
        with contextlib.suppress(OSError):
            process.stdin.close()
        if last[0] == "done":
            return last[1]
        _clear(wanted, process.pid)
        if self._stopped:
            raise JobStopped
        raise JobError(str(last[1]) if last[0] == "failed" else f"the process for it ended (exit status {status})")

    def stop(self) -> None:
        """It is not wanted any more. Returns at once."""
        with self._lock:
            self._stopped, process = True, self._process
        if process is not None and process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                process.stdin.close()
            late = threading.Timer(PATIENCE, process.kill)
            late.daemon = True
            late.start()

    def _begin(self, wanted: dict[str, Any]) -> subprocess.Popen:
        env = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p), OPENBLAS_NUM_THREADS="1")
        with self._lock:
            if self._stopped:
                raise JobStopped
            try:
                process = self._process = subprocess.Popen([sys.executable, "-u", "-m", "app.headless.demo.worker"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                           creationflags=_FLAGS)
                process.stdin.write(json.dumps(wanted).encode() + b"\n")
                process.stdin.flush()
            except OSError as why:
                raise JobError(f"the process for it cannot be begun: {why}") from None
        return process


def _clear(wanted: dict[str, Any], pid: int) -> None:
    """Take away what a process has left that was killed."""
    if "output" in wanted:
        from app.demonstrations.export.lerobot import unfinished

        output = Path(wanted["output"])
        remove_unfinished(output.parent, pid)
        shutil.rmtree(unfinished(output, pid), ignore_errors=True)
