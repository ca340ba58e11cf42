"""What the hard engine has to tell while it runs: what of a model it leaves out of account, and steps that were not solved at once."""
from __future__ import annotations

import time

import numpy as np

from physics.enums import Engine
from physics.runtime import events
from physics.simulate import hard_unsupported
from physics.simulate.warnings import step_error

NOTHING = (0, 0, 0, 0)
AGAIN = 1.0     # s between two lines of the log
HELPS = "A smaller time step helps, and fewer contacts that do the same work"


def tell_ignored(sim) -> None:
    """A line for each kind of value that the engine of this Model leaves out of account."""
    m = sim.model
    if m.opt_engine == Engine.HARD and not m.view_only:
        for issue in hard_unsupported.ignored(m):
            sim.tell(events.WARNING if issue.severity == "warning" else events.NOTE, worded(issue), issue=issue)


def worded(issue) -> str:
    """An issue as a line of the log, which says itself how bad it is."""
    return f"{f'{issue.place}: ' if issue.place else ''}{issue.what}{f'. {issue.hint}' if issue.hint else ''}"


class HardReport:
    """Of one Simulation: tells of halved and coarse steps and of overlaps that stay, the first at once, more of them at most once a second, with how many there were since."""

    def __init__(self):
        self._told, self._at = NOTHING, float("-inf")

    def begin(self) -> None:
        """Counts begin at 0."""
        self._told = NOTHING

    def look(self, sim) -> None:
        """After steps were taken."""
        d = sim.data
        counts = d.hard_nhalved, d.hard_ncoarse, d.hard_nstuck, d.hard_neased
        if counts == self._told:
            return
        if min(np.subtract(counts, self._told)) < 0:    # begun anew
            self._told = NOTHING
        now = time.monotonic()
        if now - self._at < AGAIN and self._told != NOTHING:
            return
        halved, coarse, stuck, eased = (int(x) for x in np.subtract(counts, self._told))
        self._told, self._at = counts, now
        if halved or coarse or stuck:
            sim.tell(events.WARNING, f"At time {d.time:g} s: {said(sim.model, d, halved, coarse, stuck, eased)}", halved=halved, coarse=coarse, stuck=stuck, eased=eased)


def tell_unsolved(sim) -> None:
    """While paused: that there is no solution for the state as it is; not where a step has just failed there, which has been told."""
    if sim.model.opt_engine == Engine.HARD and sim.data.diverged and not sim.message:
        sim.tell(events.WARNING, f"Forces and accelerations of this state are not known. {step_error(sim.model, sim.data)}")


def said(m, d, halved: int, coarse: int, stuck: int = 0, eased: int = 0) -> str:
    """That so many steps were halved or are coarse, some of them solved with less friction, or left overlaps as deep as they were; where the contacts are deepest, and what
    helps."""
    parts = [f"{plural(halved, 'hard step')} {'was' if halved == 1 else 'were'} taken in halves"] if halved else []
    if coarse:
        of = f"residual {d.hard_rv:.1e}, complementarity {d.hard_kv:.1e} J" if d.hard_status else "within a thousand times the tolerance"
        parts.append(f"{plural(coarse, 'hard step')} {'is' if coarse == 1 else 'are'} coarse ({of})")
    if eased:
        parts.append(f"{eased} of these with less friction for a part of the step")
    if stuck:
        parts.append(f"{plural(stuck, 'hard step')} could not undo an overlap that there was before: no motion of the joints parts the bodies, or they are wedged")
    return ", ".join(parts) + deepest(m, d) + f". {HELPS}"


def deepest(m, d) -> str:
    """Which contact of the last step is the deepest, '' where there is none."""
    if not d.ncon:
        return ""
    k = int(np.argmin(d.contact_dist[:d.ncon]))
    pair = " and ".join(f"'{m.names['geom'][g] or g}'" for g in d.contact_geom[k].tolist())
    return f"; deepest contact: {pair}, {max(0.0, -float(d.contact_dist[k])):.2g} m"


def plural(count: int, word: str) -> str:
    """'1 hard step', '2 hard steps'."""
    return f"{count} {word}{'s' * (count != 1)}"
