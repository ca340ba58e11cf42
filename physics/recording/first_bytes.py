"""How a recording's file begins."""
from __future__ import annotations

from pathlib import Path

SUFFIX = ".h5"
FIRST_LINE = b"Linkwork recording 1\n"
BEFORE = 512        # bytes before HDF5 begins


def is_recording(path: Path) -> bool:
    """Whether a file begins as a recording does."""
    try:
        with open(path, "rb") as file:
            return file.read(len(FIRST_LINE)) == FIRST_LINE
    except OSError:
        return False
