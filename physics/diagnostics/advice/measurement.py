"""A Measurement: what a step costs, stage by stage and pair by pair, taken on a Data of one's own from the state of a Sample, so that the run is not slowed.

    Sample.state -> forward (rows, candidates, residual) -> each kind of pair timed alone -> a few steps, stage by stage
"""
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.diagnostics.advice.sample import Sample
from physics.diagnostics.advice.shapes import is_mesh
from physics.engine.collide.convex.ccd import convex_convex
from physics.engine.collide.convex.faces import candidate_faces
from physics.engine.collide.filter import explicit_margin, pair_gap, pair_margin
from physics.engine.collide.pair_table import TABLE, touch
from physics.engine.inertia.mass_matrix import crb
from physics.engine.stage_time import add_stage_time
from physics.enums import SOL_PGS
from physics.errors import ViewOnlyError
from physics.kernels import decorators, load
from physics.kernels.clock import clock_address
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.query.mass_matrix import mul_m
from physics.simulate import stages, step
from physics.simulate.engines import engine_of

TIMED = 0.015       # s that steps are timed for
MOST_STEPS = 40
PAIRS = 12          # of a kind that are timed one by one
REPEATS = 3         # of each, the fastest counts
MOST_POINTS = 64    # that one pair may give: a height field under a large geom


class PairCost(NamedTuple):
    """A candidate pair that was timed alone: its geoms, types ascending; seconds; points that it gives; faces: candidates for the contact on the mesh in it, 0: not known."""

    geom1: int
    geom2: int
    seconds: float
    points: int
    faces: int = 0


class KindCost(NamedTuple):
    """Candidate pairs of two types: the types (GeomType), how many, how many of those that were timed touch (share), seconds of all together, the slowest of the timed."""

    types: tuple[int, int]
    count: int
    touching: float
    seconds: float
    slowest: PairCost


@dataclass(frozen=True, slots=True)
class Measurement:
    """time [s]: simulated, of the state. stages: {stage: seconds a step}, all of them together `total`; kinds: of candidate pairs, the most expensive first; ncand: candidate
    pairs of geoms; touching: those in contact; idle_bodies: (body, body, candidate pairs) that have no contact, the most first; nefc, nJ, nnz, iterations: of the solver;
    residual: |M qacc - qfrc_smooth - qfrc_constraint| against the larger of these forces, nan where the solver works on forces; residual_dof: where it is
    largest; cost: seconds that measuring took."""

    time: float
    stages: Mapping[str, float]
    total: float
    kinds: tuple[KindCost, ...]
    ncand: int
    touching: int
    idle_bodies: tuple[tuple[int, int, int], ...]
    nefc: int
    nJ: int
    nnz: int
    iterations: int
    residual: float
    residual_dof: int
    cost: float


class Measurer:
    """Measures a Model in one thread, not that of the run: on a copy of the Model, which takes over what was set since. stop: asked between pieces of a measurement, which
    is given up where it says True."""

    def __init__(self, model: Model, stop: Callable[[], bool] = lambda: False):
        self._model, self._stop = model, stop
        self._m: Model | None = None
        self._revision = 0
        self._d: Data | None = None

    def _follow(self) -> tuple[Model, Data]:
        """The copy as the Model is now. What is set meanwhile is there the next time."""
        revision = self._model.revision.number
        if self._m is None or revision != self._revision:       # an edit of the text may have written any field
            self._m, self._revision = model_beside(self._model), revision
            self._d = Data(self._m)
            engine_of(self._m).workspace(self._m, self._d)
        else:
            values = live_values(self._model)
            put_live_values(self._m, {name: value for name, value in values.items() if name != "vis"})
        return self._m, self._d

    def energy(self, sample: Sample) -> tuple[float, float]:
        """Potential and kinetic energy [J] of a Sample's state; nan where they cannot be known."""
        if not _can_measure():
            return float("nan"), float("nan")
        m, d = self._follow() if self._m is None else (self._m, self._d)
        d.wake()
        sample.state.write(d)
        for stage in (stages.kinematics, stages.com_pos, stages.tendon):
            stage(m, d)
        crb(m, d)
        return stages.energy_pos(m, d), stages.energy_vel(m, d)

    def measure(self, sample: Sample) -> Measurement | None:
        """What a step from a Sample's state costs. None where it cannot be known: kernels are missing, the state is no sound one, or it was given up."""
        try:
            return self._measured(sample) if _can_measure() else None
        except ViewOnlyError:   # its options ask for what is not there, just now
            return None

    def _measured(self, sample: Sample) -> Measurement | None:
        begun = time.perf_counter()
        m, d = self._follow()
        d.wake()
        d.diverged = 0
        sample.state.write(d)
        if (sample.tree_asleep >= 0).any():
            d.tree_asleep[:] = sample.tree_asleep
            d.let_sleep()
        step.forward(m, d)
        candidates = d.cand_geom[:d.ncand].copy()
        explicit = d.cand_pair[:d.ncand].copy() if m.npair else np.full(d.ncand, -1)
        touched = len(np.unique(d.contact_geom[:d.ncon], axis=0))
        residual, dof = _residual(m, d)
        found = {"nefc": d.nefc, "nJ": d.nJ, "nnz": int(d.solver_nnz.sum()), "iterations": int(d.solver_niter_max)}
        idle = _never_touching(m, d, candidates)
        kinds = _kinds(m, d, candidates, explicit, self._stop)
        if self._stop():
            return None
        step.forward(m, d)      # timing pairs has written into its contacts
        times, steps = _stage_times(m, d, self._stop)
        if not steps or self._stop():
            return None
        per_step = {name: seconds / steps for name, seconds in times.items()}
        return Measurement(sample.time, MappingProxyType(per_step), sum(per_step.values()), kinds, len(candidates), touched, idle, residual=residual, residual_dof=dof,
                           cost=time.perf_counter() - begun, **found)


def _can_measure() -> bool:
    """Whether all kernels are there, compiled."""
    return not decorators.NOJIT and bool(add_stage_time.addr) and bool(clock_address()) and not load.is_partial()


def _residual(m: Model, d: Data) -> tuple[float, int]:
    """The part of the constraint equation that the solver has left, and the dof where it is largest."""
    if not m.nv or not d.nefc or m.opt_solver == SOL_PGS:
        return float("nan"), -1
    left = mul_m(m, d, d.qacc) - d.qfrc_smooth - d.qfrc_constraint
    scale = max(np.linalg.norm(d.qfrc_smooth), np.linalg.norm(d.qfrc_constraint))
    return float(np.linalg.norm(left) / scale) if scale else 0.0, int(np.argmax(np.abs(left)))


def _never_touching(m: Model, d: Data, candidates: np.ndarray) -> tuple[tuple[int, int, int], ...]:
    """(body, body, candidate pairs of geoms) where none of them touches, the most first."""
    if not len(candidates):
        return ()
    bodies = np.sort(m.geom_bodyid[candidates], axis=1)
    touching = np.sort(m.geom_bodyid[d.contact_geom[:d.ncon]], axis=1)
    pairs, counts = np.unique(bodies, axis=0, return_counts=True)
    there = set(map(tuple, touching.tolist()))
    free = [(a, b, n) for (a, b), n in zip(pairs.tolist(), counts.tolist(), strict=True) if (a, b) not in there]
    return tuple(sorted(free, key=lambda row: -row[2])[:5])


# ------------------------------------------------------------------ pairs

def _kinds(m: Model, d: Data, candidates: np.ndarray, explicit: np.ndarray, stop: Callable[[], bool]) -> tuple[KindCost, ...]:
    """Time the narrow phase of pairs of each two types."""
    d.grow_contacts(d.ncon + MOST_POINTS)
    types = m.geom_type[candidates]
    swap = types[:, 0] > types[:, 1]
    geoms = np.where(swap[:, None], candidates[:, ::-1], candidates)
    types = np.sort(types, axis=1)
    out = []
    for kind in np.unique(types, axis=0):
        if tuple(kind.tolist()) not in TABLE:
            continue
        rows = np.flatnonzero((types == kind).all(axis=1))
        chosen = rows[np.unique(np.linspace(0, len(rows) - 1, PAIRS).astype(int))]
        costs = [_time_pair(m, d, int(geoms[k, 0]), int(geoms[k, 1]), int(explicit[k])) for k in chosen if not stop()]
        if not costs:
            break
        mean = float(np.mean([cost.seconds for cost in costs]))
        out.append(KindCost(tuple(kind.tolist()), len(rows), sum(cost.points > 0 for cost in costs) / len(costs), mean * len(rows), max(costs, key=lambda cost: cost.seconds)))
    return tuple(sorted(out, key=lambda kind: -kind.seconds))


def _time_pair(m: Model, d: Data, g1: int, g2: int, pair: int) -> PairCost:
    reach = float(explicit_margin(m, pair) + m.pair_gap[pair] if pair >= 0 else pair_margin(m, g1, g2) + pair_gap(m, g1, g2))
    call = touch.bound(m, d)
    points = int(call(g1, g2, reach))
    best = float("inf")
    for _ in range(REPEATS):
        begun = time.perf_counter()
        call(g1, g2, reach)
        best = min(best, time.perf_counter() - begun)
    return PairCost(g1, g2, best, points, _faces(m, d, g1, g2) if points else 0)


def _faces(m: Model, d: Data, g1: int, g2: int) -> int:
    """Candidate faces at the contact that the last call found, on the meshes in it; 0 where the pair has a routine of its own."""
    kinds = tuple(sorted((int(m.geom_type[g1]), int(m.geom_type[g2]))))
    if TABLE[kinds].routine is not convex_convex:
        return 0
    return max((int(candidate_faces(m, d, s)) for s, g in enumerate((g1, g2)) if is_mesh(m, g)), default=0)


# ------------------------------------------------------------------ stages

def _stage_times(m: Model, d: Data, stop: Callable[[], bool]) -> tuple[dict[str, float], int]:
    """{stage: seconds} of the steps from here on, and how many: as the profiler takes them, by clock readings of compiled code (engine/stage_time.py)."""
    engine, seconds, steps = engine_of(m), dict[str, float](), 0
    d.clock_address, d.clock_kind = clock_address(), time.CLOCK_MONOTONIC
    d.cb_stage = add_stage_time.addr
    end = time.perf_counter() + TIMED
    try:
        while steps < MOST_STEPS and (not steps or time.perf_counter() < end) and not stop():
            share = _one_step(engine.step, m, d)
            if share <= 0.0:
                break
            steps += 1
            for row, nanoseconds in zip(engine.stages(), d.stage_time.tolist(), strict=False):
                seconds[row.name] = seconds.get(row.name, 0.0) + 1e-9 * share * nanoseconds
    finally:
        d.cb_stage = 0
    return seconds, steps


def _one_step(take: Callable, m: Model, d: Data) -> float:
    """One step with its stages timed; the share of the time in which this thread had the processor, 0 where the step could not be completed."""
    d.stage_time[:] = 0.0
    cpu, wall = time.thread_time(), time.monotonic()
    while take(m, d, 1) != 1:
        if not step.grow(d):
            return 0.0
        d.stage_time[:] = 0.0
        cpu, wall = time.thread_time(), time.monotonic()
    wall = time.monotonic() - wall
    return min(1.0, (time.thread_time() - cpu) / wall) if wall > 0 else 1.0
