"""Files of records, one after the other, each with its length and checksum: who is killed while writing loses the last one only.

    kind (4 bytes) | length (4) | CRC-32 of kind, length and content (4) | content
"""
from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

HEAD = struct.Struct("<4sII")
MOST = 1 << 30      # bytes of one record; more is a damaged length


class FrameFile:
    """A file that records are appended to. size: bytes written. Raises OSError."""

    def __init__(self, path: Path):
        self.path = path
        self._file = open(path, "ab", buffering=0)
        self.size = os.fstat(self._file.fileno()).st_size

    def add(self, kind: bytes, content: bytes) -> int:
        """Append one record; how many bytes that were."""
        head = kind + struct.pack("<I", len(content))
        data = memoryview(b"".join((head, struct.pack("<I", zlib.crc32(content, zlib.crc32(head))), content)))
        done = 0
        try:
            while done < len(data):     # a write may be a part only
                done += self._file.write(data[done:])
        except OSError:     # a full disk: half a record would hide those after it
            os.ftruncate(self._file.fileno(), self.size)
            raise
        self.size += done
        return done

    def close(self) -> None:
        self._file.close()


def read_frames(path: Path) -> Iterator[tuple[bytes, bytes]]:
    """(kind, content) of each record, until the end or to the first that is not whole. Raises OSError."""
    with open(path, "rb") as file:
        left = os.fstat(file.fileno()).st_size
        while left >= HEAD.size:
            head = file.read(HEAD.size)
            left -= len(head)
            if len(head) < HEAD.size:
                return
            kind, length, check = HEAD.unpack(head)
            if length > min(MOST, left):
                return
            content = file.read(length)
            left -= length
            if len(content) < length or zlib.crc32(content, zlib.crc32(head[:8])) != check:
                return
            yield kind, content


def whole(path: Path) -> bool:
    """Whether the file ends where a record ends. Raises OSError."""
    end = sum(HEAD.size + len(content) for _kind, content in read_frames(path))
    return end == os.path.getsize(path)
