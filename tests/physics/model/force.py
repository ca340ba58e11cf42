"""Sizes of a finished Model, which cannot be written, written all the same: what files from outside may say."""
from __future__ import annotations

import physics


def force(m: physics.Model, field: str, value: int) -> None:
    """Put a number into a scalar field as it lies in memory."""
    m._block[m.layout.scalars[field][0] >> 3] = value
