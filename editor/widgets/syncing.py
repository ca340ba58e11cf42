"""A mark for while something is shown that others are told of when the user does it."""
from __future__ import annotations

__all__ = ["Syncing"]


class Syncing:
    """True inside `with`, however many of these stand in each other:  with self._syncing: ...   if self._syncing: return."""

    def __init__(self):
        self._inside = 0

    def __bool__(self) -> bool:
        return self._inside > 0

    def __enter__(self) -> None:
        self._inside += 1

    def __exit__(self, *_error) -> None:
        self._inside -= 1
