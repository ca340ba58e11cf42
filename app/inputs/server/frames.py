"""What goes to a page: binary frames for what is large or comes often, JSON texts for the rest.

A frame begins with four little-endian whole numbers of 32 bits; the first says what it is. Poses: generation of the geometry, number of bodies, lamp; then step, time [s] and the
number of the newest message that was applied as float64, then position and quaternion of each body as float32. A picture: number, camera, 0; then JPEG. Geometry:
generation, 0, 0; then what `scene_geometry` packs, compressed by gzip.
"""
from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

POSES, PICTURE, GEOMETRY = 1, 2, 3
LAMPS: Mapping[str, int] = MappingProxyType({"disarmed": 0, "armed": 1, "holding": 2, "lost": 3})     # what the edge of the page says

HEAD = struct.Struct("<IIIIddd")


def poses(generation: int, lamp: str, step: int, time: float, pos: np.ndarray, quat: np.ndarray) -> bytes:
    """pos (nbody, 3) [m], quat (nbody, 4) of all bodies of a Snapshot; whoever sends it fills in the number of the newest message (`numbered`)."""
    n = len(pos)
    table = np.empty((n, 7), "<f4")
    table[:, :3], table[:, 3:] = pos, quat
    return HEAD.pack(POSES, generation, n, LAMPS[lamp], step, time, -1.0) + table.tobytes()


def numbered(frame: bytes, seq: int) -> bytes:
    """The same poses, after the message of this number; below 0: of none that the client knows."""
    return frame[:HEAD.size - 8] + struct.pack("<d", seq) + frame[HEAD.size:]


def picture(number: int, camera: int, jpeg: bytes) -> bytes:
    """camera: its place in the list that the page was told."""
    return struct.pack("<IIII", PICTURE, number, camera, 0) + jpeg


def geometry(generation: int, packed: bytes) -> bytes:
    """packed: already compressed."""
    return struct.pack("<IIII", GEOMETRY, generation, 0, 0) + packed


def text(kind: str, **more) -> str:
    """A JSON text: pong, welcome, role, haptic, status, scene, refused."""
    return json.dumps({"v": 1, "kind": kind, **more}, separators=(",", ":"), allow_nan=False)
