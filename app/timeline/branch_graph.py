"""How the branches of a history are drawn: a row for each, as long as it has entries, hanging where it parted from another. No Qt.

    start           ======|=====================o        shown
    run on from 1 s       +-------
    changed at 1.4 s          +-----------
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from physics.runtime.history.branches import LINE, BranchInfo


@dataclass(frozen=True, slots=True)
class BranchRow:
    """id; name; first, last: numbers of its first and last entry; hangs: the row that it parts from at entry `first`, None for the way that is shown; start, end: simulated times [s]."""

    id: int
    name: str
    first: int
    last: int
    hangs: int | None
    start: float
    end: float

    @property
    def steps(self) -> int:
        return self.last - self.first


def rows(branches: Sequence[BranchInfo], gone: int, length: int) -> list[BranchRow]:
    """A row for each branch, the one that is shown first, then from the newest to the oldest. gone, length: of the history's line."""
    shown = next((info for info in branches if info.shown), None)
    if shown is None:
        return []
    ordered = [shown, *sorted((info for info in branches if not info.shown), key=lambda info: -info.id)]
    place = {info.id: k for k, info in enumerate(ordered)}
    found = [BranchRow(shown.id, shown.text, gone, gone + length - 1, None, shown.start, shown.end)]
    found += [BranchRow(info.id, info.text, max(info.fork, gone), info.fork + info.count, 0 if info.parent == LINE else place.get(info.parent, 0), info.start, info.end)
              for info in ordered[1:]]
    return found
