"""The two ways to a policy: a process that is started here, by its standard input and output, or one that listens at an address. Lines go there and lines come back.

Reading and writing wait, so both are for threads of their own; `end` may be called from any, waits for nothing, and makes both come back.
"""
from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Protocol

LONGEST_LINE = 65_536
GRACE = 1.5             # for a process that was asked to end [s]
CONNECT = 5.0           # s until an address has to answer
KEPT = 12               # lines of a process's standard error
LONGEST_SAID = 400      # letters of one of them
ADDRESS = re.compile(r"(?:tcp://)?(?P<host>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\]):(?P<port>[0-9]{1,5})")
PYTHONS = ("python", "python3")


class LinkError(Exception):
    """Why there is no way to a policy."""


class Link(Protocol):
    """name: of the policy, for people. gone: whether it has ended by itself."""

    name: str
    gone: bool

    def read(self) -> bytes:
        """The next line, at most LONGEST_LINE + 1 bytes of it; b'' when there are no more."""

    def write(self, data: bytes) -> None:
        """Raises OSError."""

    def said(self) -> tuple[str, ...]:
        """The last lines that it wrote for people."""

    def why(self) -> str:
        """How it ended, once `read` has given nothing."""

    def end(self) -> None:
        """Have it end, soon."""

    def close(self) -> None:
        """Wait until it has ended, by force where it does not want to; give back what was needed."""


class Process:
    """words: the program and its arguments."""

    def __init__(self, words: list[str]):
        self.name = next((Path(word).name for word in words if word.endswith(".py")), Path(words[0]).name)
        self._said: deque[str] = deque(maxlen=KEPT)
        self._ending: threading.Timer | None = None
        self._closed = False        # its number may be another process's by now
        self._lock = threading.Lock()
        try:
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONUNBUFFERED": "1"},
                                             start_new_session=os.name == "posix")      # what it starts itself ends with it
        except (OSError, ValueError) as why:
            said = why.strerror if isinstance(why, OSError) else str(why)
            raise LinkError(f"{words[0]} cannot be run: {said}") from None
        self._listening = threading.Thread(target=self._listen, name=f"policy {self.name} stderr", daemon=True)
        self._listening.start()

    def _listen(self) -> None:
        """Its standard error, to its end."""
        while line := self._process.stderr.readline(LONGEST_LINE):
            self._said.append(line.decode("utf-8", "replace").rstrip()[:LONGEST_SAID])

    @property
    def gone(self) -> bool:
        """See Link."""
        return self._process.poll() is not None

    def read(self) -> bytes:
        """See Link."""
        return self._process.stdout.readline(LONGEST_LINE + 1)

    def write(self, data: bytes) -> None:
        """See Link."""
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def said(self) -> tuple[str, ...]:
        """See Link."""
        return tuple(line for line in self._said.copy() if line)

    def why(self) -> str:
        """See Link."""
        try:
            code = self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "has closed its output"
        self._listening.join(GRACE)
        return f"was ended by signal {signal.Signals(-code).name}" if code < 0 else f"has ended with code {code}"

    def end(self) -> None:
        """See Link."""
        with self._lock:
            if self._ending is None:
                self._ending = threading.Timer(GRACE, self._signal, (getattr(signal, "SIGKILL", signal.SIGTERM),))
                self._ending.daemon = True
                with suppress(RuntimeError):        # the program ends: `close` sees to it alone
                    self._ending.start()
        self._signal(signal.SIGTERM)

    def _signal(self, number: int) -> None:
        """To it and to all that it has started."""
        if self._closed:
            return
        try:
            if os.name == "posix":
                os.killpg(self._process.pid, number)
            else:
                self._process.terminate()
        except (ProcessLookupError, PermissionError):       # it has ended
            pass

    def close(self) -> None:
        """See Link."""
        self.end()
        try:
            self._process.wait(2 * GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))     # what it has started and left behind
        self._closed = True
        self._ending.cancel()
        self._listening.join(GRACE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            try:
                pipe.close()
            except OSError:     # something was still to be written
                pass


class Connection:
    """To a policy that listens at an address."""

    gone = False

    def __init__(self, host: str, port: int):
        self.name = f"the policy at {host}:{port}"
        try:
            self._socket = socket.create_connection((host.strip("[]"), port), CONNECT)
        except (OSError, OverflowError) as why:
            raise LinkError(f"nobody answers at {host}:{port}: {getattr(why, 'strerror', None) or why}") from None
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._lines = self._socket.makefile("rb")

    def read(self) -> bytes:
        """See Link."""
        try:
            return self._lines.readline(LONGEST_LINE + 1)
        except OSError:
            return b""

    def write(self, data: bytes) -> None:
        """See Link."""
        self._socket.sendall(data)

    def said(self) -> tuple[str, ...]:
        """See Link."""
        return ()

    def why(self) -> str:
        """See Link."""
        return "has closed the connection"

    def end(self) -> None:
        """See Link."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:     # it is closed already
            pass

    def close(self) -> None:
        """See Link."""
        self.end()
        self._lines.close()
        self._socket.close()


def open_link(command: str) -> Link:
    """The way to a policy: a command line, a Python file with arguments, or an address as 127.0.0.1:5555. Waits for an address. Raises LinkError."""
    address = ADDRESS.fullmatch(command.strip())
    if address is not None:
        return Connection(address["host"], int(address["port"]))
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as why:
        raise LinkError(f"the command line cannot be read: {why}") from None
    if not words:
        raise LinkError("no command line is given")
    script = Path(words[0]).expanduser()
    if script.suffix == ".py":
        if not script.is_file():
            raise LinkError(f"{script}: there is no such file")
        words = [sys.executable, str(script), *words[1:]]
    elif words[0] in PYTHONS and shutil.which(words[0]) is None:
        words[0] = sys.executable
    return Process(words)
