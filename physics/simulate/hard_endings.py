"""How steps of the hard engine end that were not solved at once: one table for all that shows their counts since the last reset."""
from __future__ import annotations

from typing import NamedTuple


class Ending(NamedTuple):
    """field: the count in Data and Snapshot; word: as a count of steps; level: 'error', 'warning', or '' where nothing is lost but time; what: the steps in a sentence."""

    field: str
    word: str
    level: str
    what: str


ENDINGS = (
    Ending("hard_nfailed", "failed", "error", "did not happen"),
    Ending("hard_ncoarse", "coarse", "warning", "were solved within a thousand times the tolerances, with less friction or leaving a new overlap"),
    Ending("hard_neased", "eased", "warning", "are coarse as they were solved with less friction"),
    Ending("hard_nstuck", "stuck", "warning", "left an overlap that there was before, as no step can undo it"),
    Ending("hard_nhalved", "halved", "", "were taken in parts"),
)   # the worst first


def counted(of) -> list[tuple[Ending, int]]:
    """Those that there were since the last reset of a Data or Snapshot, with how many steps, the worst first."""
    counts = ((ending, int(getattr(of, ending.field))) for ending in ENDINGS)
    return [(ending, count) for ending, count in counts if count]


def summary(of) -> str:
    """As words: '1 coarse, 3 halved'; '' for none."""
    return ", ".join(f"{count} {ending.word}" for ending, count in counted(of))
