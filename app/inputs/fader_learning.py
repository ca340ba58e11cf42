"""Which fader sets what: learnt by touching it."""
from __future__ import annotations

from collections.abc import Mapping

LEARNT = 0.05       # of a fader's whole way, after which it was meant


class FaderLearning:
    """Which axis of a source a person means: the first that moves by LEARNT since the learning began."""

    def __init__(self):
        self._from: dict[str, float] = {}

    def take(self, axes: Mapping[str, float]) -> str | None:
        """The axis that was touched, None: none yet. An axis counts from where it was first seen."""
        moved = {name: abs(value - self._from.setdefault(name, value)) for name, value in axes.items()}
        name = max(moved, key=moved.get, default=None)
        return name if name is not None and moved[name] >= LEARNT else None
