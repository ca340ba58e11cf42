"""How the branches of a history are drawn: a row for each way that the run has gone, named by what it began with. No Qt.

    reset                         |==========o          runs now, or is shown
    keyframe up        |==========|                     a part of the same history, before the reset
    start       =======|
    run on from 1 s       +-------                      a branch of its own

A reset, a keyframe, another state and an edit of the text begin a part: the newest is what runs on.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from physics.runtime.history.branches import LINE, BranchInfo
from physics.runtime.history.history import START, TIMESTEP, Mark

EARLIER = "earlier"     # the oldest part, where its beginning is no more in the history


@dataclass(frozen=True, slots=True)
class BranchRow:
    """id: of the branch; name; first, last: numbers of its first and last entry; hangs: the row that it is joined to at entry `joint`, None for what is shown;
    start, end: simulated times [s]; part: whether it is an earlier part of what is shown; own: whether the name is the branch's own, and not that of what began the part."""

    id: int
    name: str
    first: int
    last: int
    hangs: int | None
    joint: int
    start: float
    end: float
    part: bool = False
    own: bool = True

    @property
    def steps(self) -> int:
        return self.last - self.first


def rows(branches: Sequence[BranchInfo], gone: int, length: int, marks: Sequence[Mark] = (), times: tuple[float, float] | None = None) -> list[BranchRow]:
    """A row for each branch, the one that is shown first with its parts from the newest to the oldest, then the others in the same order. gone, length, marks, times: of the
    history's line."""
    shown = next((info for info in branches if info.shown), None)
    if shown is None:
        return []
    inner = [mark for mark in marks if mark.kind not in (START, TIMESTEP) and 0 < mark.index < length]
    oldest = gone + (inner[0].index if inner else length) - 1       # its last entry
    said = [info.text for info in branches if info.fork == oldest and not info.shown] + [mark.text for mark in marks if not mark.index] + [EARLIER]
    found = _parts(shown, gone, length, inner, times or (shown.start, shown.end), said[0])
    ordered = sorted((info for info in branches if not info.shown), key=lambda info: -info.id)
    place = {info.id: len(found) + k for k, info in enumerate(ordered)}
    line = tuple(found)
    for info in ordered:
        joint = max(info.fork, gone)
        on_line = next((k for k, row in enumerate(line) if row.first <= joint), len(line) - 1)
        found.append(BranchRow(info.id, info.text, joint, info.fork + info.count, on_line if info.parent == LINE else place.get(info.parent, 0), joint, info.start, info.end))
    return found


def _parts(shown: BranchInfo, gone: int, length: int, marks: Sequence[Mark], times: tuple[float, float], oldest: str) -> list[BranchRow]:
    """What is shown and its earlier parts, the newest first. oldest: what the oldest part is called, where that is not the branch's own name: as what goes on from its end."""
    firsts = [0, *(mark.index for mark in marks)]
    lasts = [*(mark.index - 1 for mark in marks), length - 1]
    names = [oldest, *(mark.text for mark in marks)]
    starts, ends = [times[0], *(mark.time for mark in marks)], [*(mark.before for mark in marks), times[1]]
    own = max(0, shown.fork + 1 - gone)     # the branch's first entry: the part that it lies in has its name, unless that begins there
    named = max(k for k, first in enumerate(firsts) if first <= own)
    if not named or firsts[named] < own:
        names[named] = f"{names[named]}, {shown.text}" if named else shown.text
    else:
        named = -1
    newest = len(firsts) - 1
    return [BranchRow(shown.id, names[k], gone + firsts[k], gone + lasts[k], None if k == newest else newest - k - 1, gone + lasts[k], starts[k], ends[k], k != newest, k == named)
            for k in range(newest, -1, -1)]
