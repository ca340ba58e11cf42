"""Writing files so that a reader never sees half of one: a temporary file beside it, then a rename."""
from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

_UMASK = os.umask(0)    # it can only be asked for by setting it, which is for one thread alone
os.umask(_UMASK)


@contextmanager
def replacing(path: str | os.PathLike, wait: bool = True) -> Iterator[IO[bytes]]:
    """A binary file to fill that takes the place of `path` when the block ends well, and vanishes when it does not. wait: until the disk has it, which
    can take a second; without, it outlives a crash of the program but not one of the machine. Raises OSError."""
    path = os.path.realpath(path)   # through a link, so that the link stays one
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f".{os.path.basename(path)[:40]}{_mark(os.getpid())}", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if wait:
                os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


@contextmanager
def replacing_by_name(path: str | os.PathLike) -> Iterator[str]:
    """As `replacing`, for libraries that write files themselves: the name of an empty file to fill."""
    path = os.path.realpath(path)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f".{os.path.basename(path)[:40]}{_mark(os.getpid())}", suffix=".tmp")
    os.close(handle)
    try:
        yield temporary
        with open(temporary, "r+b") as file:
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _mark(pid: int) -> str:
    return f".{pid}-"


def remove_unfinished(folder: str | os.PathLike, pid: int) -> None:
    """Take away the temporary files in a folder that a process left which was killed."""
    with suppress(OSError):
        for entry in list(os.scandir(folder)):
            if entry.name.startswith(".") and _mark(pid) in entry.name and entry.name.endswith(".tmp"):
                os.unlink(entry.path)


def _mode(path: str) -> int:
    """Permissions of the file that is replaced, else those of a new one."""
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return 0o666 & ~_UMASK


def write_file(path: str | os.PathLike, data: bytes | str, wait: bool = True) -> None:
    """Put this content in place of a file, all or nothing; wait as `replacing` has it. Raises OSError."""
    with replacing(path, wait) as file:
        file.write(data.encode() if isinstance(data, str) else data)
