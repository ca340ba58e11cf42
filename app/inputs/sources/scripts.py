"""A program as a device: a Python file whose generator yields messages, or a process that writes them, one a line.

`script:wave.py` runs a Python file here: its function `teleop()` is a generator of messages (dicts as app.inputs.protocol.decode reads them; v, seq and t may be left out), or
`teleop(t)` gives one for the time t [s] since its start, or None. `script:./policy --fast` runs a program of its own: each line of its output is a message (JSON), each line of
its input one to it: {"kind": "haptic", ...}. What a script writes is read as strictly as what comes from a network. All Samples bear the script's name.
"""
from __future__ import annotations

import inspect
import json
import os
import runpy
import shlex
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from app.inputs.source import SourceMissing
from app.inputs.sources.device_thread import DeviceThread, Gone
from app.inputs.sources.receiver import Receiver

ENTRY = "teleop"        # the function of a Python file
SHORTEST = 0.002        # between two messages of a generator, which may not wait itself [s]
RATE = 100.0            # of a function that is asked for each moment [1/s]
LONGEST_LINE = 65_536
GRACE = 2.0             # for a process that was asked to end [s]
RESTART = 1.0           # before a process that ended is begun again [s]


class ScriptSource(DeviceThread):
    """A generator or function of this process. make_messages(sleep): gives the iterator of messages (dicts), which waits by sleep(s)."""

    search_every = RESTART

    def __init__(self, name: str, make_messages: Callable[[Callable[[float], object]], Iterator[dict]]):
        super().__init__(name)
        self._make_messages, self._ended = make_messages, False
        self.receiver: Receiver | None = None

    def _search(self):
        return None if self._ended else self

    def _read(self, device) -> None:
        self._ended = True      # once
        receiver = self.receiver = Receiver("script", self._put, self.name)
        self.state = "running"
        try:
            for seq, message in enumerate(self._make_messages(self._stop.wait)):
                if self.stopping:
                    return
                if message is not None:
                    now = 1e3 * time.perf_counter()
                    receiver.take(json.dumps({"v": 1, "seq": seq, "t": now, **_named(message)}))
                    self.state = f"running: {receiver.text}"
                self._stop.wait(SHORTEST)
        except Exception as error:   # noqa: BLE001  whatever a user's function raises
            raise Gone(_place(error)) from None
        raise Gone("it has ended")


def _named(message: dict) -> dict:
    """A pose has the source that the script's name stands for."""
    if not isinstance(message, dict):
        raise TypeError(f"{ENTRY} gives dicts, not {type(message).__name__}")
    return {"source": "script", **message} if message.get("kind") == "pose" else message


def _place(error: Exception) -> str:
    """The error with the last line of the script that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    where = next((f" ({Path(f.filename).name}, line {f.lineno})" for f in reversed(frames) if f.filename != __file__), "")
    return f"{type(error).__name__}: {error}{where}"


def messages_of(path: Path, sleep: Callable[[float], object] = time.sleep) -> Iterator[dict]:
    """Messages of a Python file. Raises what the file raises, AttributeError where it has no such function."""
    entry = runpy.run_path(str(path)).get(ENTRY)
    if entry is None:
        raise AttributeError(f"there is no function {ENTRY} in it")
    if inspect.isgeneratorfunction(entry):
        yield from entry()
        return
    start = time.perf_counter()
    while True:
        yield entry(time.perf_counter() - start)
        sleep(1.0 / RATE)


class ProcessSource(DeviceThread):
    """A program that writes messages; begun again when it ends by itself."""

    search_every = RESTART

    def __init__(self, name: str, command: list[str]):
        super().__init__(name)
        self._command = command
        self._process: subprocess.Popen | None = None
        self.receiver: Receiver | None = None

    def feedback(self, strength: float, milliseconds: float, name: str = "") -> None:
        """A line to the program."""
        self.say({"kind": "haptic", "strength": strength, "ms": milliseconds})

    def say(self, message: dict) -> None:
        """Write a line to the program, from any thread; lost where it does not read, so that it holds nothing up."""
        process = self._process
        try:
            if process is not None:
                os.write(process.stdin.fileno(), json.dumps(message).encode() + b"\n")
        except (OSError, ValueError):   # full, or closed
            pass

    def _search(self):
        try:
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            os.set_blocking(self._process.stdin.fileno(), False)
        except OSError as error:
            self.state = f"cannot run {self._command[0]}: {error.strerror or error}"
            return None
        return self._process

    def _read(self, device: subprocess.Popen) -> None:
        receiver = self.receiver = Receiver("script", self._put, self.name)
        self.state = "running"
        while not self.stopping:
            line = device.stdout.readline(LONGEST_LINE + 1)
            if not line:
                raise Gone(f"it has ended with code {device.wait()}" if not self.stopping else "stopped")
            if line.strip():
                receiver.take(line)
                self.state = f"running: {receiver.text}"

    def _wake(self) -> None:
        """End the process: its output ends, and with it the thread's wait."""
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()

    def _leave(self, device: subprocess.Popen) -> None:
        self._process = None
        try:
            device.terminate()
            device.wait(GRACE)
        except subprocess.TimeoutExpired:
            device.kill()
            device.wait()
        device.stdout.close()
        device.stdin.close()


def make(name: str) -> DeviceThread:
    """The script or program that a name means. Raises SourceMissing where there is none."""
    words = shlex.split(name.partition(":")[2])
    if not words:
        raise SourceMissing(f"'{name}' names no script", "script:FILE.py, or script:PROGRAM and its arguments")
    path = Path(words[0]).expanduser()
    if path.suffix != ".py":
        return ProcessSource(name, words)
    if not path.is_file():
        raise SourceMissing(f"{path}: there is no such file", "give the path of a Python file")
    if len(words) > 1:
        return ProcessSource(name, [sys.executable, str(path), *words[1:]])
    return ScriptSource(name, partial(messages_of, path))
