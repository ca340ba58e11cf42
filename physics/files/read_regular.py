"""Reading files that somebody else names: never waits for a pipe, never fills the memory with what is no file of ours."""
from __future__ import annotations

import errno
import os
import stat
from io import FileIO

_LOOK = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)   # opening a pipe does not wait for a writer


def read_regular(path: str | os.PathLike, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes. Raises OSError, with what is wrong in words, for anything else.

    The file is looked at after it was opened, so that it cannot be another one by then.
    """
    handle = os.open(path, _LOOK)
    try:
        state = os.fstat(handle)
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
        if not stat.S_ISREG(state.st_mode):
            raise OSError("it is not a file but a device or pipe")
        if state.st_size > most:
            raise OSError(f"the file is larger than {most >> 20} MiB")
    except BaseException:
        os.close(handle)
        raise
    with FileIO(handle) as file:
        data = file.read(most + 1)      # it may have grown since
        while data is not None and len(data) <= most and (more := file.read(most + 1 - len(data))):
            data += more
    if len(data) > most:
        raise OSError(f"the file is larger than {most >> 20} MiB")
    return data
