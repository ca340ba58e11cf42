"""Lines of an OBJ file read one by one, for files that are not written evenly.

A number is read as far as it is one; what comes after the first word that is none is 0. A face's index must be a whole number.
"""
from __future__ import annotations

import re

import numpy as np

from physics.compiler.decode.raw import MeshFileError

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf)", re.IGNORECASE)
_INDEX = re.compile(rb"[+-]?\d{1,10}")


def vectors(text: bytes, width: int) -> np.ndarray:
    """Vectors (n, width) of lines of numbers."""
    return np.array([_vector(line.split(), width) for line in text.splitlines()])


def _vector(words: list[bytes], width: int) -> list[float]:
    out = []
    for word in words[:width]:
        match = _NUMBER.match(word)
        if match is None:
            break
        out.append(float(match.group()))
    return out + [0.0] * (width - len(out))


def faces(text: bytes, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners and their number for each line of faces; at: the number of each line in the file, from 0. Raises MeshFileError."""
    corners, counts = [], []
    for line, number in zip(text.splitlines(), at.tolist()):
        words = line[1:].split()
        corners.extend([_index(part, number) for part in (word.split(b"/") + [b"", b""])[:3]] for word in words)
        counts.append(len(words))
    return np.array(corners, np.int64).reshape(-1, 3), np.array(counts, np.int64)


def _index(part: bytes, line: int) -> int:
    match = _INDEX.match(part)
    if match is None:
        if not part:
            return 0
        raise MeshFileError(f"line {line + 1}: '{part[:20].decode('ascii', 'replace')}' in a face is no index")
    return int(match.group())
