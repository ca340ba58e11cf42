"""Where a divergence began and who led: levels of motion over the recorded steps, and the forces of the states in which it began.

    rows of LastSteps --differences of qvel--> accelerations of all dofs --where they begin to grow for good--> onset
    states from the onset on --forward, in a Data of its own--> powers of all sources (sources.py), shares of dofs --mean over the first of them--> leaders
"""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.divergence.ratios import Stiff, row_elements
from physics.diagnostics.divergence.sources import COMPENSATION, WEIGHT, Exerted, Source, exerted
from physics.diagnostics.divergence.stopping import Stopping, check
from physics.enums import INT_RK4
from physics.errors import ViewOnlyError
from physics.model.data import Data
from physics.model.model import Model
from physics.query.configuration import integrate_pos
from physics.query.mass_matrix import mul_m
from physics.recording.last_steps import LastSteps
from physics.simulate.step import forward

WINDOW = 50         # entries before the refused step that are looked at as a whole
FACTOR = 10.0       # times the level of before, beyond which accelerations are growing
FIRST = 12          # entries after the onset, at most, that tell who leads: later everything is torn along
FADES = 0.7         # weight of one of these beside that of the one before
FEWEST = 2          # of them, at least
EARLY = 1e4         # times the level at the onset: beyond it is later
STAYS = 20          # rows that another level has to last to count as one
ORDINARY, GRAVITY = 1e3, 9.81       # accelerations of ordinary motion: up to so many times free fall
TINY = 1e-300
CONSTANT = frozenset({WEIGHT, COMPENSATION})


@dataclass(frozen=True, slots=True)
class Moment:
    """A state of the window. row: in LastSteps; time [s]; sources: all that exert forces; qacc (nv) as the step took it; shares (nv): of each dof in a' M a, at least 0;
    kinetic energy [J]."""

    row: int
    time: float
    sources: dict[Source, Exerted]
    qacc: np.ndarray
    shares: np.ndarray
    kinetic: float


@dataclass(frozen=True, slots=True)
class Growth:
    """onset: row from which accelerations grow for good; level (n,): their size at each row [sqrt(W/s)], the last one that of the refused step where it is known; rate: factor
    by which they grow in a step; before: largest kinetic energy before the onset [J]; moments: states of the window; early: how many of them from the onset on tell
    who leads, and begin: the first of these; leaders: sources with their mean shares of the growth, the largest first; rows: constraint rows that were near their limit of stability, the worst of each source."""

    onset: int
    level: np.ndarray
    rate: float
    before: float
    moments: tuple[Moment, ...]
    begin: int
    early: int
    leaders: tuple[tuple[Source, float], ...]
    rows: dict[Source, Stiff]

    @property
    def first(self) -> tuple[Moment, ...]:
        """The moments that tell who leads."""
        return self.moments[self.begin:self.begin + self.early]


def accelerations(steps: LastSteps) -> np.ndarray:
    """(n, nv) acceleration of the step from each row on; of the last row NaN: its step was refused."""
    qvel, time = steps.columns("qvel"), steps.time
    found = np.full(qvel.shape, np.nan)
    if len(qvel) > 1:
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            found[:-1] = np.diff(qvel, axis=0) / np.diff(time)[:, None]
    return found


def levels(m: Model, steps: LastSteps) -> np.ndarray:
    """(n,) size of the accelerations of all dofs, weighed by their inertias in the initial pose: sqrt(sum M0 a^2). The last is that of the refused step, infinite."""
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.sqrt((accelerations(steps) ** 2 * np.asarray(m.dof_M0)).sum(axis=1))
    found[-1] = np.inf
    return found


def onset_of(level: np.ndarray, most: float = np.inf) -> int:
    """The row behind the last one at which the level was no more than FACTOR times what it was before: in the first quarter of the rows, and, where it then stayed at a level
    that is higher but no growth without end, in these. most: a level beyond which motion is no ordinary one."""
    known = level[:-1]
    if len(known) < 4:
        return 0
    onset, base = 0, min(most / FACTOR, float(np.median(known[:max(1, len(known) // 4)])))
    while True:
        calm = np.flatnonzero(known[onset:] <= FACTOR * base)
        if not len(calm):
            return onset
        onset += int(calm[-1]) + 1
        if onset >= len(known):
            return len(known)
        after = known[onset:]
        first, second = (float(np.median(half)) for half in (after[:max(1, len(after) // 2)], after[len(after) // 2:]))
        if len(after) < STAYS or second > FACTOR * first or second <= base or second > most:
            return onset
        base = second


def growth_of(m: Model, steps: LastSteps, stopping: Stopping = bool) -> Growth:
    """What the recorded steps tell. m: a Model that nobody else uses, with the values of then. Raises GivenUp."""
    level = levels(m, steps)
    onset = onset_of(level, ORDINARY * GRAVITY * float(np.sqrt(np.sum(m.body_mass))))
    end, d = len(steps), Data(m)
    chosen = sorted({*range(max(0, end - WINDOW), end), *range(max(0, onset - 2), min(end, onset + FIRST))})
    acc, moments, rows = accelerations(steps), [], {}
    for k in chosen:
        check(stopping)
        moment = _moment(m, d, steps, k, acc[k], rows)
        if moment is not None:
            moments.append(moment)
    begin = next((i for i, moment in enumerate(moments) if moment.row >= onset), max(0, len(moments) - 1))
    early = _early(level, [moment.row for moment in moments[begin:]])
    first = moments[begin:begin + early]
    return Growth(onset, level, _rate(level[onset:-1]), _kinetic_before(m, steps, onset, moments), tuple(moments), begin, early, _leaders(first), rows)


def note_rows(m: Model, d: Data, rows: dict[Source, Stiff]) -> None:
    """Keep of the constraint rows of a state those that are nearer to their limits than what is kept."""
    for stiff in row_elements(m, d):
        if stiff.source not in rows or stiff.load > rows[stiff.source].load:
            rows[stiff.source] = stiff


def _look_ahead(m: Model, d: Data, qacc: np.ndarray, found: dict[Source, Exerted], rows: dict[Source, Stiff]) -> None:
    """What exerts forces at the end of the step too, about where RK4's last stage is: a contact may begin and end within one step."""
    h, velocity = m.opt_timestep, np.array(d.qvel)
    d.qpos[:] = integrate_pos(m, d.qpos, velocity, h)
    d.qvel[:] = velocity + h * np.array(d.qacc)
    if not (np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()):
        return
    try:
        forward(m, d)
    except (ViewOnlyError, ValueError):
        return
    for source, one in exerted(m, d, qacc).items():
        if source not in found or one.power > found[source].power:
            found[source] = one
    note_rows(m, d, rows)


def _moment(m: Model, d: Data, steps: LastSteps, k: int, taken: np.ndarray, rows: dict[Source, Stiff]) -> Moment | None:
    """The state of a row; None where it cannot be computed."""
    steps.put(d, k)
    with np.errstate(all="ignore"):
        try:
            forward(m, d)
        except (ViewOnlyError, ValueError):
            return None
        qacc = taken if np.isfinite(taken).all() and len(taken) else np.array(d.qacc)
        if not np.isfinite(qacc).all():
            qacc = np.where(np.isfinite(qacc), qacc, 0.0)
        work = qacc * mul_m(m, d, qacc)
        positive = np.where(np.isfinite(work), np.maximum(work, 0.0), 0.0)
        speed = np.array(d.qvel)
        kinetic = 0.5 * float(speed @ mul_m(m, d, speed))
        found = exerted(m, d, qacc)
        note_rows(m, d, rows)
        if m.opt_integrator == INT_RK4:
            _look_ahead(m, d, qacc, found, rows)
        return Moment(k, float(steps.time[k]), found, qacc, positive / max(float(positive.sum()), TINY), kinetic)


def _early(level: np.ndarray, rows: list[int]) -> int:
    """How many of these rows tell who leads: those before the level is EARLY times that of the first of them."""
    if not rows:
        return 0
    start = level[rows[0]] if np.isfinite(level[rows[0]]) and level[rows[0]] > 0 else np.inf
    found = next((i for i, row in enumerate(rows) if level[row] > EARLY * start), len(rows))
    return min(max(FEWEST, found), FIRST, len(rows))


def _leaders(moments: list[Moment]) -> tuple[tuple[Source, float], ...]:
    """Sources with the weighted mean of their shares of all that drives. What is constant, weights and their compensation, drives no growth: it counts where nothing else does."""
    total: dict[Source, float] = defaultdict(float)
    for moment, weight in zip(moments, _weights(len(moments)), strict=True):
        drive = {source: one.power for source, one in moment.sources.items() if np.isfinite(one.power) and one.power > 0}
        drive = {source: power for source, power in drive.items() if source.kind not in CONSTANT} or drive
        whole = sum(drive.values())
        for source, power in drive.items():
            total[source] += weight * power / max(whole, TINY)
    return tuple(sorted(((source, float(share)) for source, share in total.items()), key=lambda item: -item[1]))


def _weights(count: int) -> np.ndarray:
    """Of moments, 1 together: the earlier one counts for more, as what comes later follows from it."""
    found = FADES ** np.arange(count)
    return found / max(found.sum(), TINY)


def leading_dofs(moments: tuple[Moment, ...], source: Source | None) -> tuple[tuple[int, float], ...]:
    """(dof, its mean share of a' M a), the largest first, in the moments in which a source drives; None: in all of them."""
    if not moments:
        return ()
    weights = _weights(len(moments))
    driven = np.array([max(0.0, moment.sources[source].power) / max(_drive(moment), TINY) if source in moment.sources else 0.0 for moment in moments]) * weights
    shares = np.average([moment.shares for moment in moments], axis=0, weights=driven if driven.sum() > 0 and np.isfinite(driven).all() else weights)
    return tuple((int(i), float(shares[i])) for i in np.argsort(-shares, kind="stable"))


def _drive(moment: Moment) -> float:
    return sum(one.power for one in moment.sources.values() if one.power > 0)


def _rate(level: np.ndarray) -> float:
    """Factor per step by which levels grow, from the line through their logarithms; infinite for a single one."""
    level = level[np.isfinite(level) & (level > 0)]
    if len(level) < 2:
        return float("inf")
    return float(np.exp(np.polyfit(np.arange(len(level)), np.log(level), 1)[0]))


def _kinetic_before(m: Model, steps: LastSteps, onset: int, moments: list[Moment]) -> float:
    """The largest kinetic energy up to the onset, by the inertias of the initial pose where states were not computed."""
    speeds = steps.columns("qvel")[:onset + 1]
    with np.errstate(over="ignore"):
        rough = 0.5 * (speeds ** 2 * np.asarray(m.dof_M0)).sum(axis=1)
    exact = [moment.kinetic for moment in moments if moment.row <= onset and np.isfinite(moment.kinetic)]
    return max([*exact, float(rough.max(initial=0.0))])
