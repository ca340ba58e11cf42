"""Python objects through a pipe between two processes of one program: a pickle, with large arrays beside it so that nothing is copied."""
from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

APART = 1 << 16     # bytes from which on an array goes beside the pickle
HEAD, LENGTH = struct.Struct("<QI"), struct.Struct("<Q")


def send(stream: BinaryIO, thing: Any) -> None:
    """Write one object; returns when the pipe has it. Raises OSError when nobody reads."""
    apart: list[pickle.PickleBuffer] = []

    def keep_inside(buffer: pickle.PickleBuffer) -> bool:
        if buffer.raw().nbytes < APART:
            return True
        apart.append(buffer)
        return False

    body = pickle.dumps(thing, 5, buffer_callback=keep_inside)
    stream.write(HEAD.pack(len(body), len(apart)))
    stream.write(b"".join(LENGTH.pack(buffer.raw().nbytes) for buffer in apart))
    stream.write(body)
    for buffer in apart:
        stream.write(buffer.raw())
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """The next object; its arrays can be written to. Raises EOFError when the other side is gone. For pipes to this program's own processes only."""
    length, count = HEAD.unpack(_read(stream, HEAD.size))
    lengths = [LENGTH.unpack(_read(stream, LENGTH.size))[0] for _ in range(count)]
    body = _read(stream, length)
    return pickle.loads(body, buffers=[_read(stream, n) for n in lengths])


def _read(stream: BinaryIO, count: int) -> bytearray:
    data = bytearray(count)
    room = memoryview(data)
    while len(room):
        got = stream.readinto(room)
        if not got:
            raise EOFError
        room = room[got:]
    return data
