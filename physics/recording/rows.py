"""Rows of states as few bytes, exact to the bit: what follows from the row before is taken away, the rest is sorted by the bytes' significance and compressed.

    rows (n, width) --less what was to be expected, as whole numbers--> bytes by significance --zlib, where a plane has any order in it--> content

Expected of a number is the one before it; of the position of a hinge or slide joint the one before plus the time step times its new velocity, as Euler's integrators
do it: `pairs` names such columns. Nothing depends on whether the expectation is right.
"""
from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE
from physics.recording.errors import RecordingError
from physics.recording.track import HEAD

LEVEL = 1
SLICE = 200_000     # bytes of rows in one record: the interpreter is held for a fraction of a millisecond
ORDERED = 7.97       # bits of a byte of a plane, up to which compression is tried
STILL = 0.25        # share of the numbers that are as expected, from which on a column is packed with others like it
START = struct.Struct("<d")         # time step; then a bit for each column, whether it is one of these
GROUP = struct.Struct("<B3xI")      # a bit for each compressed plane; bytes of these
PLANES = 8
ADDED = MappingProxyType({JNT_FREE: 3, JNT_SLIDE: 1, JNT_HINGE: 1})     # numbers of qpos that move by the time step times a velocity


class Pairs(NamedTuple):
    """Columns of positions, and those of their velocities."""

    positions: np.ndarray
    velocities: np.ndarray


NO_PAIRS = Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64))


def pairs(layout) -> list[tuple[int, int]]:
    """Columns of positions with those of their velocities, for a physics.runtime.history.state_layout.StateLayout; [] for a layout that knows no joints."""
    kinds = getattr(layout, "jnt_type", None)
    if kinds is None:
        return []
    starts, at = {}, HEAD
    for name, count in layout.parts.items():
        starts[name] = at
        at += count
    found = []
    for kind, qpos, dof in zip(kinds.tolist(), layout.jnt_qposadr.tolist(), layout.jnt_dofadr.tolist(), strict=True):
        found += [(starts["qpos"] + qpos + k, starts["qvel"] + dof + k) for k in range(ADDED.get(kind, 0))]
    return found


def checked_pairs(given: Iterable, width: int) -> Pairs:
    """Those of `pairs`, as they were written. Raises RecordingError where they are none of rows of this width."""
    found = np.array([[int(place) for place in pair] for pair in given], np.int64).reshape(-1, 2)
    positions, velocities = found.T
    if len(found) and not (found.min() >= HEAD and found.max() < width and len(set(positions.tolist())) == len(positions) and not set(positions.tolist()) & set(velocities.tolist())):
        raise RecordingError("columns that are no positions and velocities")
    return Pairs(positions, velocities)


def pack(rows: np.ndarray, pairs: Pairs = NO_PAIRS) -> bytes:
    """Rows (n, width) as few bytes."""
    rows = np.ascontiguousarray(rows)
    bits, step = rows.view(np.int64), _step(rows[:, 0])
    left = bits.copy()
    left[1:] -= bits[:-1]
    if len(rows) > 1:
        left[1:, 0] = bits[1:, 0] - (rows[:-1, 0] + step).view(np.int64)
        with np.errstate(all="ignore"):
            expected = rows[:-1, pairs.positions] + step * rows[1:, pairs.velocities]
        left[1:, pairs.positions] = bits[1:, pairs.positions] - expected.view(np.int64)
    left = (left << 1) ^ (left >> 63)      # small ones of both signs have their upper bytes zero
    still = (left[1:] == 0).mean(axis=0) > STILL if len(rows) > 1 else np.zeros(rows.shape[1], bool)
    return START.pack(step) + np.packbits(still).tobytes() + _planes(left[:, still]) + _planes(left[:, ~still])


def _planes(left: np.ndarray) -> bytes:
    """Whole numbers (n, columns), column by column, by the significance of their bytes."""
    planes = np.ascontiguousarray(left.T).view(np.uint8).reshape(-1, PLANES).T
    ordered = [bool(len(plane)) and _entropy(plane) < ORDERED for plane in planes]
    work = zlib.compressobj(LEVEL)
    packed = [work.compress(plane.tobytes()) for plane, has in zip(planes, ordered, strict=True) if has] + [work.flush()]
    loose = [plane.tobytes() for plane, has in zip(planes, ordered, strict=True) if not has]
    return b"".join([GROUP.pack(sum(has << k for k, has in enumerate(ordered)), sum(map(len, packed))), *packed, *loose])


def _unpack_planes(content: memoryview, count: int, columns: int) -> tuple[np.ndarray, int]:
    """(what `_planes` was given, bytes of it). Raises ValueError, struct.error and zlib.error."""
    mask, length = GROUP.unpack_from(content)
    work, size = zlib.decompressobj(), count * columns
    planes = np.zeros((PLANES, size), np.uint8)
    ordered = [k for k in range(PLANES) if mask >> k & 1]
    loose = [k for k in range(PLANES) if not mask >> k & 1]
    end = GROUP.size + length
    packed = work.decompress(content[GROUP.size:end], size * len(ordered) + 1)
    planes[ordered] = np.frombuffer(packed, np.uint8).reshape(len(ordered), size)
    planes[loose] = np.frombuffer(content[end:end + size * len(loose)], np.uint8).reshape(len(loose), size)
    return np.ascontiguousarray(planes.T).view(np.int64).reshape(columns, count).T, end + size * len(loose)


def _step(time: np.ndarray) -> float:
    """The time step, as somebody may have written it: times are rounded."""
    if len(time) < 2 or not np.isfinite(time).all():
        return 0.0
    return float(f"{float(np.median(np.diff(time))):.9g}")


def _entropy(plane: np.ndarray) -> float:
    """Bits of a byte."""
    counts = np.bincount(plane, minlength=256)
    share = counts[counts > 0] / len(plane)
    return float(-(share * np.log2(share)).sum()) + 8 * 256 / max(256, 8 * len(plane))    # few bytes look ordered


def unpack(content: bytes, count: int, width: int, pairs: Pairs = NO_PAIRS) -> np.ndarray:
    """The rows (count, width). Raises RecordingError where the content does not have so many."""
    try:
        (step,), most = START.unpack_from(content), (width + 7) // 8
        still = np.unpackbits(np.frombuffer(content, np.uint8, most, START.size))[:width].astype(bool)
        left, at = np.empty((count, width), np.int64), START.size + most
        for group in (still, ~still):
            left[:, group], used = _unpack_planes(memoryview(content)[at:], count, int(group.sum()))
            at += used
        if at != len(content):
            raise ValueError
    except (struct.error, zlib.error, ValueError):
        raise RecordingError("rows that are not whole") from None
    left = ((left >> 1) & 0x7FFFFFFFFFFFFFFF) ^ -(left & 1)
    bits = np.cumsum(left, axis=0)
    rows = bits.view(np.float64)
    columns = np.concatenate([[0], pairs.positions])
    _follow(rows, bits, left, columns, pairs.velocities, step)
    return rows


def _follow(rows: np.ndarray, bits: np.ndarray, left: np.ndarray, columns: np.ndarray, velocities: np.ndarray, step: float) -> None:
    """Time and positions, each from the one before."""
    with np.errstate(all="ignore"):
        moves = np.concatenate([np.full((len(rows), 1), step), step * rows[:, velocities]], axis=1)
        rest, now = left[:, columns], bits[0, columns].view(np.float64)
        exact = ~rest[1:].any(axis=0)
        found = np.empty_like(moves)
        found[0] = now
        found[1:, exact] = moves[1:, exact]
        found[:, exact] = np.add.accumulate(found[:, exact], axis=0)     # one after the other, as they came about
        loose = ~exact
        moves, rest, now = moves[:, loose], rest[:, loose], now[loose]
        for k in range(1, len(rows)):
            now = ((now + moves[k]).view(np.int64) + rest[k]).view(np.float64)
            found[k, loose] = now
    bits[:, columns] = found.view(np.int64)
