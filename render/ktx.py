"""Pictures in KTX containers (1 and 2): the largest level, as bytes or as floating point colours. Of compressed ones those of blocks.py are read.

Source: Khronos, KTX file format 1 and 2; Data format, 10 and 11 bit floating point numbers and shared exponents.
"""
import struct
import zlib
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from render.blocks import GL_BLOCKS, VK_BLOCKS, Blocks, decode, name_of, size_of

_ANY, _FIRST, _SECOND = b'\xabKTX', b'\xabKTX 11\xbb\r\n\x1a\n', b'\xabKTX 20\xbb\r\n\x1a\n'
LARGEST = 1 << 14      # pixels along a side
_BYTES, _HALFS, _FLOATS, _PACKED, _SHARED = '<u1', '<f2', '<f4', 'packed', 'shared'
_GL_TYPES = MappingProxyType({0x1401: _BYTES, 0x140B: _HALFS, 0x1406: _FLOATS, 0x8C3B: _PACKED, 0x8C3E: _SHARED})
_GL_CHANNELS = MappingProxyType({0x1903: 1, 0x8227: 2, 0x1907: 3, 0x1908: 4})
_VK_FORMATS = MappingProxyType({
    9: (_BYTES, 1), 15: (_BYTES, 1), 16: (_BYTES, 2), 22: (_BYTES, 2), 23: (_BYTES, 3), 29: (_BYTES, 3), 37: (_BYTES, 4), 43: (_BYTES, 4), 76: (_HALFS, 1),
    83: (_HALFS, 2), 90: (_HALFS, 3), 97: (_HALFS, 4), 100: (_FLOATS, 1), 103: (_FLOATS, 2), 106: (_FLOATS, 3), 109: (_FLOATS, 4), 122: (_PACKED, 3), 123: (_SHARED, 3)})
_ZLIB, _MOST = 3, 1 << 29   # the way of packing that is unpacked here, to at most so many bytes
_PACKINGS = MappingProxyType({1: 'Basis Universal', 2: 'Zstandard'})


class Held(NamedTuple):
    """What a container holds: kind of its numbers or its Blocks, channels, size, number of faces, where they begin, bytes that rows are a multiple of."""

    kind: str | Blocks
    channels: int
    width: int
    height: int
    faces: int
    start: int
    align: int


def is_ktx(data: bytes) -> bool:
    """Whether these are a container's first bytes."""
    return bytes(data[:len(_ANY)]) == _ANY


def read_ktx(data: bytes) -> np.ndarray:
    """(faces * height, width, channels) uint8, or float32 where the colours may be brighter than 1; a cube has its six faces below each other.

    Raises ValueError with the reason for a damaged file and for one whose pixels are compressed in a way that is not known here.
    """
    if data[:12] not in (_FIRST, _SECOND):
        raise ValueError('it is no KTX container')
    try:
        data, held = (_first if data[:12] == _FIRST else _second)(data)
    except struct.error:
        raise ValueError('it ends within its head') from None
    kind, channels, width, height, faces, start, align = held
    compressed = isinstance(kind, Blocks)
    size = 0 if compressed else 4 if kind in (_PACKED, _SHARED) else np.dtype(kind).itemsize * channels
    row = -(-width * size // align) * align
    face = size_of(kind, width, height) if compressed else height * row
    if start + faces * face > len(data):
        raise ValueError(f'{faces} pictures of {width} x {height} pixels take {faces * face} bytes, it has {max(len(data) - start, 0)}')
    if compressed:
        return np.concatenate([decode(kind, data[start + k * face:start + (k + 1) * face], width, height) for k in range(faces)])
    rows = np.frombuffer(data, np.uint8, faces * face, start).reshape(faces * height, row)[:, :width * size]
    pixels = np.ascontiguousarray(rows).view('<u4' if kind in (_PACKED, _SHARED) else kind)
    if kind in (_PACKED, _SHARED):
        return (_unpacked if kind == _PACKED else _scaled)(pixels)
    return pixels.reshape(faces * height, width, channels).astype(np.uint8 if kind == _BYTES else np.float32)


def _refuse(name):
    """Raise the ValueError of pixels that are not understood."""
    raise ValueError(f'its pixels are compressed ({name}), which is not supported' if name else 'its pixels are of a kind that is not supported')


def _checked(held):
    if not (0 < held.width <= LARGEST and 0 < held.height <= LARGEST and held.faces in (1, 6)):
        raise ValueError(f'it says that it holds {held.faces} pictures of {held.width} x {held.height} pixels')
    return held


def _first(data):
    order, kind, _, form, inner, _, width, height, _, _, faces, _, described = struct.unpack_from('<13I', data, 12)
    if order != 0x04030201:
        raise ValueError('its numbers stand in an order of bytes that is not supported')
    blocks = GL_BLOCKS.get(inner) if not kind else None
    if blocks is None and (kind not in _GL_TYPES or (form not in _GL_CHANNELS and kind not in (0x8C3B, 0x8C3E))):
        _refuse(name_of(inner, vulkan=False))
    start = 12 + 13 * 4 + described + 4
    held = blocks or _GL_TYPES[kind], blocks.channels if blocks else _GL_CHANNELS.get(form, 3), width, max(height, 1), faces, start, 4
    return data, _checked(Held(*held))


def _second(data):
    form, _, width, height, _, _, faces, _, packing = struct.unpack_from('<9I', data, 12)
    if packing not in (0, _ZLIB) or not (form in _VK_FORMATS or form in VK_BLOCKS):
        _refuse(_PACKINGS.get(packing) or name_of(form, vulkan=True))
    start, length, whole = struct.unpack_from('<3Q', data, 80)
    blocks = VK_BLOCKS.get(form)
    kind, channels = (blocks, blocks.channels) if blocks else _VK_FORMATS[form]
    held = _checked(Held(kind, channels, width, max(height, 1), faces, start, 1))
    if packing == _ZLIB:
        data, held = _inflated(data[start:start + length], whole), held._replace(start=0)
    return data, held


def _inflated(data, size):
    """Bytes of a packed level, at most as many as it says."""
    if size > _MOST:
        raise ValueError(f'its packed pixels are absurdly many: {size} bytes')
    try:
        return zlib.decompressobj().decompress(data, max(size, 1))
    except zlib.error as problem:
        raise ValueError(f'its packed pixels are damaged: {problem}') from None


def _unpacked(packed):
    """Floats of 11, 11 and 10 bits: their bits are the upper ones of a half without its sign."""
    parts = [(packed & 0x7FF) << 4, (packed >> 11 & 0x7FF) << 4, (packed >> 22) << 5]
    return np.stack([part.astype(np.uint16).view(np.float16) for part in parts], axis=-1).astype(np.float32)


def _scaled(packed):
    """Three numbers of 9 bits under one exponent."""
    scale = np.exp2((packed >> 27).astype(np.float32) - 24)
    return np.stack([(packed >> shift & 0x1FF) * scale for shift in (0, 9, 18)], axis=-1).astype(np.float32)
