"""PNG pictures of the plain kind, decoded by zlib and compiled code (physics/compiler/native/png_rows.py) straight into the channels wanted.

Pillow gives the same pixels and reads all other kinds; it copies a picture three times, which costs more than its decoding.
Plain: 8 bits a channel, grey or colours with or without transparency, not interlaced, no chunks but those that change nothing, one whole stream.
"""
from __future__ import annotations

import zlib
from types import MappingProxyType

import numpy as np

from physics.compiler.native import png_rows
from physics.model.kernel_buffers import Workpiece

MOST_PIXELS = 1 << 26
_STEP = MappingProxyType({0: 1, 2: 3, 6: 4})   # colour type -> bytes of a pixel
_LENGTHS = MappingProxyType({b"IHDR": 13, b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"pHYs": 9, b"tIME": 7, b"IEND": 0})
_LONGEST_TEXT = 1000
_LARGEST_PROFILE = 1 << 16
_PIECE = 1 << 18   # bytes that are unpacked at a time, so that they stay in the cache
_PIECES = 64       # but not in more pieces than this


def read(data: bytes, chunks: list[tuple[bytes, int, int]], channels: int, most: int) -> tuple[np.ndarray, bool] | None:
    """Pixels (height, width, channels), and whether the colours are said to be sRGB; None for a picture that is not plain, broken, or larger than `most` bytes.

    chunks: (name, first byte, length) of the contents of all chunks, which are whole.
    """
    names = [name for name, _start, _length in chunks]
    body = names.index(b"IDAT") if b"IDAT" in names else 0
    parts = names.count(b"IDAT")
    others = chunks[:body] + chunks[body + parts:]
    plain = all(_changes_nothing(name, data[start:start + length]) for name, start, length in others)
    if not (png_rows.unfilter_rows.addr and body and plain) or names[0] != b"IHDR" or names.count(b"IHDR") > 1 or b"sRGB" in names[body:]:
        return None
    start = chunks[0][1]
    width, height = (int.from_bytes(data[k:k + 4], "big") for k in (start, start + 4))
    depth, colour, *methods = data[start + 8:start + 13]
    if depth != 8 or colour not in _STEP or any(methods) or not 0 < width * height <= MOST_PIXELS or width * height * channels > most:
        return None
    packed = [memoryview(data)[first:first + length] for _name, first, length in chunks[body:body + parts]]
    pixels = _unpacked(packed[0] if parts == 1 else b"".join(packed), width, height, _STEP[colour], channels)
    return None if pixels is None else (pixels, b"sRGB" in names)


def _changes_nothing(name: bytes, body: bytes) -> bool:
    """Whether a chunk beside the pixels is whole and of a kind that leaves them as they are: a short text, a small colour profile, one of fixed length."""
    if name == b"tEXt":
        return len(body) <= _LONGEST_TEXT
    if name != b"iCCP":
        return len(body) == _LENGTHS.get(name, -1)
    label, _, profile = body.partition(b"\0")
    stream = zlib.decompressobj()
    try:
        stream.decompress(profile[1:], _LARGEST_PROFILE)
    except zlib.error:
        return False
    return 0 < len(label) < 80 and profile[:1] == b"\0" and stream.eof


def _unpacked(packed, width: int, height: int, step: int, channels: int) -> np.ndarray | None:
    """Pixels of a packed stream; None where it does not hold exactly so many."""
    size = 1 + width * step
    rows = max(1, _PIECE // size, -(-height // _PIECES))
    pixels, stream = np.empty(width * height * channels, np.uint8), zlib.decompressobj()
    piece = Workpiece(png_line=np.zeros(2 * width * step, np.uint8), png_pixels=pixels)
    try:
        for first in range(0, height, rows):
            count = min(rows, height - first)
            raw = stream.decompress(packed, count * size)
            packed = stream.unconsumed_tail
            if len(raw) != count * size:
                return None
            piece.bind("png_packed", np.frombuffer(raw, np.uint8))
            if png_rows.unfilter_rows(piece, first, count, width, step, channels) < 0:
                return None
        if stream.decompress(packed, 1) or not stream.eof or stream.unused_data:
            return None
    except zlib.error:
        return None
    return pixels.reshape(height, width, channels)
