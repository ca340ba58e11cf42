"""The window's end of the process that reads and writes recordings' files (physics/recording/convert.py)."""
from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from physics.files.atomic_write import remove_unfinished
from physics.recording.errors import RecordingError

_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)     # on Windows


def convert(wanted: dict[str, Any], progress: Callable[[float], None], stopping: Callable[[], bool] = lambda: False) -> int:
    """Have it done and wait for it: bytes written. For a thread that may wait. progress(share) is called in it; stopping() is looked at then: the process is ended.
    Raises RecordingError, also where the process ends by itself."""
    env = dict(os.environ, PYTHONPATH=os.pathsep.join(p for p in sys.path if p), OPENBLAS_NUM_THREADS="1")
    try:
        process = subprocess.Popen([sys.executable, "-u", "-m", "physics.recording.convert"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, creationflags=_FLAGS)
    except OSError as why:
        raise RecordingError(f"the process for recordings cannot be begun: {why}") from None
    last: list[Any] = ["", ""]
    try:
        process.stdin.write(json.dumps(wanted).encode() + b"\n")
        process.stdin.close()
        for line in process.stdout:
            last = json.loads(line)
            if last[0] == "at":
                progress(float(last[1]))
            if stopping():
                process.kill()
    except (OSError, ValueError):
        pass    # it has ended, and its status says how
    status = process.wait()
    process.stdout.close()
    if last[0] == "done":
        return int(last[1])
    if "file" in wanted:
        remove_unfinished(Path(wanted["file"]).parent, process.pid)
    raise RecordingError(str(last[1]) if last[0] == "failed" else f"the process for recordings ended (exit status {status})")
