"""`linkwork sweep` beside the window: its lines of JSON as signals. The window never waits for it, and it ends with the window, if not by its signal then by the broken pipe."""
from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

from PyQt6.QtCore import QObject, Qt, pyqtSignal

from app.studies.results import Row

PATIENCE = 5.0      # s that a process may take to end when it is asked to
_FLAGS = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)     # on Windows


class SweepProcess(QObject):
    """One process at a time. Signals: row(Row), progress({done, known, total, diverged}), ended({...}, problem): what it said at its end, and why it failed, '' where it did not."""

    row = pyqtSignal(object)
    progress = pyqtSignal(dict)
    ended = pyqtSignal(dict, str)
    _line = pyqtSignal(object, bytes)
    _over = pyqtSignal(object, int, str)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._process: subprocess.Popen | None = None
        self._said: dict = {}
        self._line.connect(self._take, Qt.ConnectionType.QueuedConnection)
        self._over.connect(self._finished, Qt.ConnectionType.QueuedConnection)
        living = self._living = []
        self.destroyed.connect(lambda: [_end(process) for process in living])

    @property
    def runs(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    def begin(self, study: Path, *options: str) -> None:
        """Start `linkwork sweep STUDY OPTIONS`, in place of what runs. Raises OSError."""
        self.drop()
        self._said = {}
        environment = dict(os.environ, PYTHONPATH=os.pathsep.join(path or os.getcwd() for path in sys.path))
        process = subprocess.Popen([sys.executable, "-m", "app.main", "sweep", str(study), "--json", *options], env=environment, cwd=study.parent, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, creationflags=_FLAGS)
        self._process = process
        self._living.append(process)
        threading.Thread(target=self._read, args=(process,), name="sweep", daemon=True).start()

    def stop(self) -> None:
        """As by Ctrl+C: what has been done is kept, and it says how far it came."""
        if self._process is not None:
            _end(self._process)

    def drop(self) -> None:
        """Have nothing more to do with it: it ends by itself."""
        process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _read(self, process: subprocess.Popen) -> None:
        """In a thread of its own."""
        errors: list[bytes] = []
        aside = threading.Thread(target=lambda: errors.extend(process.stderr.readlines()[-20:]), daemon=True)
        aside.start()
        with suppress(RuntimeError):        # the window is closed
            for line in process.stdout:
                self._line.emit(process, line)
            aside.join()
            self._over.emit(process, process.wait(), b"".join(errors).decode(errors="replace").strip().rpartition("\n")[2])

    def _take(self, process, line: bytes) -> None:
        if process is not self._process:
            return
        with suppress(ValueError):
            said = json.loads(line)
            if "trial" in said and "point" in said:
                value = math.nan if said["value"] is None else said["value"]
                self.row.emit(Row(said["trial"], said["point"], said["seed"], said["values"], value, said["diverged"], said["problem"]))
            elif "progress" in said:
                self.progress.emit(said["progress"])
            else:
                self._said = said

    def _finished(self, process, code: int, last_error: str) -> None:
        if process in self._living:
            self._living.remove(process)
        if process is self._process:
            self._process = None
            self.ended.emit(self._said, self._said.get("error", "") if self._said else last_error or f"the process ended with code {code}")


def _end(process: subprocess.Popen) -> None:
    """Ask it to end as Ctrl+C does; what does not is killed, with the processes that it has begun (they would keep its output open). Returns at once."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        process.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
    timer = threading.Timer(PATIENCE, _kill, (process,))
    timer.daemon = True
    timer.start()


def _kill(process: subprocess.Popen) -> None:
    """It and all of its session."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)      # it was begun with a session of its own
