"""What the constraint solver does in one state, iteration by iteration, without touching the solver.

Iterate k is where the solver is after k iterations: the same solve from the same state and warm start, with opt.iterations = k, in a Model and Data of its own. A solver
knows its limit of iterations only as a limit, so the first k iterations of the full solve are these, to the bit. Iterate 0 is the start that the solver chose: the
cheaper of qacc_warmstart and qacc_smooth.

    trace = physics.solver_trace(m, d)                          # d stays as it is
    trace.figures()["cost"], trace.figures(island=2)["gradient"]
    other = physics.solver_trace(m, d, {"opt_solver": physics.Solver.CG})

Source: MuJoCo documentation, chapter Computation, "Constraint solver"; mjData.solver (statistics).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from physics.engine.forward import fwd_constraint
from physics.enums import CNSTRSTATE_SATISFIED, INT_DISCRETE, INT_RK4, SOL_NEWTON, SOL_PGS, Cone, Solver
from physics.model.callbacks import SLOTS
from physics.model.model_copy import model_beside
from physics.pipeline.constraint_problem import ConstraintProblem
from physics.pipeline.sparse_rows import sums_by
from physics.simulate.engines import Data
from physics.simulate.step import call, check_pair, check_soft, forward

START, SOLVE, NOSLIP = "start", "solver", "noslip"      # stage of an iterate
MOST = 200              # iterates of the solver that are traced
EXACT_ITERATIONS = 200  # of the Newton solve that finds the lowest cost
STATISTICS = ("improvement", "gradient", "lineslope", "neval")  # that Data has of each iteration
COLUMNS = ("iteration", "stage", "cost", "gauss", "constraint", "gradient", "active", "changed", "improvement", "lineslope", "neval", "dual")


class TraceStopped(RuntimeError):
    """The caller wants the trace no more."""


@dataclass(frozen=True)
class Iterate:
    """One point of the solver's way. number: iterations before it; stage: START, SOLVE or NOSLIP.

    qacc (nv), efc_force and efc_state (nefc) as in Data; changed (nefc): rows whose state is another than in the iterate before.
    By island: gauss and constraint parts of the cost [N m/s2], gradient: norm of the cost's gradient at qacc [N, N m], active: rows that are not satisfied, nchange: rows
    that changed, improvement, lineslope, neval: the solver's own figures (NaN where it kept none), dual: cost of the forces (PGS and noslip, else NaN) [N m/s2].
    """

    number: int
    stage: str
    qacc: np.ndarray
    efc_force: np.ndarray
    efc_state: np.ndarray
    changed: np.ndarray
    gauss: np.ndarray
    constraint: np.ndarray
    gradient: np.ndarray
    active: np.ndarray
    nchange: np.ndarray
    improvement: np.ndarray
    lineslope: np.ndarray
    neval: np.ndarray
    dual: np.ndarray

    def cost(self, island: int | None = None) -> float:
        """Gauss and constraint part together, of one island or of all [N m/s2]."""
        both = self.gauss + self.constraint
        return float(both.sum() if island is None else both[island])


@dataclass(frozen=True)
class SolverTrace:
    """iterates: the start, those of the solver, those of noslip. problem: what is minimised. niter, nnoslip (nisland): iterations of each island. solver, cone: names;
    options: opt_ fields that the solver reads; solution (nv): the acceleration of the lowest cost that is known, by Newton's method without tolerance; optimum
    (nisland): its cost; notes: what has to be known to read this."""

    problem: ConstraintProblem
    iterates: tuple[Iterate, ...]
    niter: np.ndarray
    nnoslip: np.ndarray
    solver: str
    cone: str
    options: Mapping[str, float]
    solution: np.ndarray
    optimum: np.ndarray
    notes: tuple[str, ...]

    @property
    def nisland(self) -> int:
        """Number of islands."""
        return self.problem.nisland

    @cached_property
    def nsolver(self) -> int:
        """Iterations of the solver that were traced."""
        return sum(one.stage == SOLVE for one in self.iterates)

    def of_island(self, island: int | None = None) -> tuple[Iterate, ...]:
        """The iterates in which an island was worked on, its start included; all for None."""
        if island is None:
            return self.iterates
        last = {START: 0, SOLVE: int(self.niter[island]), NOSLIP: self.nsolver + int(self.nnoslip[island])}
        return tuple(one for one in self.iterates if one.number <= last[one.stage])

    def figures(self, island: int | None = None) -> dict[str, np.ndarray]:
        """COLUMNS as arrays with an entry for each iterate of an island, or of all together: there costs and counts are sums, the gradient is the norm over all,
        improvement and lineslope are the largest."""
        its = self.of_island(island)
        figures: dict[str, np.ndarray] = {"iteration": np.array([one.number for one in its]), "stage": np.array([one.stage for one in its])}
        combine = {"gradient": lambda x: np.sqrt(np.sum(np.square(x))), "improvement": _largest, "lineslope": _largest, "neval": _sum_of_known}
        for name, field in (("gauss", "gauss"), ("constraint", "constraint"), ("gradient", "gradient"), ("active", "active"), ("changed", "nchange"),
                            ("improvement", "improvement"), ("lineslope", "lineslope"), ("neval", "neval"), ("dual", "dual")):
            values = [getattr(one, field) for one in its]
            figures[name] = np.array([combine.get(name, np.sum)(x) if island is None else x[island] for x in values])
        figures["cost"] = figures["gauss"] + figures["constraint"]
        return {name: figures[name] for name in COLUMNS}

    def lowest(self, island: int | None = None) -> float:
        """The lowest cost that is known of an island, or of all [N m/s2]."""
        return float(self.optimum.sum() if island is None else self.optimum[island])

    def ended(self, island: int) -> str:
        """Why the solver ended its work on an island, in words."""
        n, limit, tolerance = int(self.niter[island]), int(self.options["opt_iterations"]), self.options["opt_tolerance"]
        if n >= limit:
            return f"limit of {limit} iterations"
        if n == 0:
            return "the start was good enough"
        last = self.iterates[min(n, self.nsolver)]
        if last.gradient[island] / max(self.problem.trace[island], 1e-15) < tolerance and self.solver != Solver.PGS.name:
            return f"gradient / trace(M) below tolerance {tolerance:g}"
        if 0.0 < last.improvement[island] < tolerance:
            return f"improvement below tolerance {tolerance:g}"
        return "nothing more to gain"


def solver_trace(m, d, changes: Mapping[str, Any] | None = None, most: int = MOST, stop: Callable[[], bool] | None = None) -> SolverTrace:
    """The solver's way in the present state of d, that is the solve that `forward` makes there; m and d stay as they are.

    changes: {field of the options: value}, such as {"opt_solver": 1, "opt_impratio": 10.0}, for the trace only. most: iterates of the solver that are traced; what is
    beyond is left out, but for the last. stop: asked between two solves; TraceStopped is raised where it says True.
    Raises ValueError for another engine, an option that does not exist and a state that is no number, ViewOnlyError as `forward`.
    """
    check_pair(m, d)
    own = model_beside(m)
    for name, value in (changes or {}).items():
        if not name.startswith("opt_") or name not in own.layout.rows:
            raise ValueError(f"{name} is no field of the options")
        setattr(own, name, value)
    check_soft(own, "solver_trace")
    if not (np.isfinite(d.qpos).all() and np.isfinite(d.qvel).all()):
        raise ValueError("the state holds what is no number")
    data = Data(own, d.maxcon, d.maxefc, d.maxJ, d.maxH)
    data.copy_fields(d)
    return _Tracing(own, data, most, stop or (lambda: False), _callbacks(d)).trace()


class _Tracing:
    """Solves of one state in a Model and Data that nobody else has."""

    def __init__(self, m, d, most: int, stop: Callable[[], bool], callbacks: tuple[str, ...]):
        self._m, self._d, self._most, self._stop, self._callbacks = m, d, most, stop, callbacks
        self._iterations, self._noslip = int(m.opt_iterations), int(m.opt_noslip_iterations)

    def trace(self) -> SolverTrace:
        """All of it."""
        m, d = self._m, self._d
        forward(m, d)       # with the options as they are: which factors there are depends on them
        if self._noslip:
            self._solve(self._iterations, 0)
        problem = ConstraintProblem.of(m, d)
        n = problem.nisland
        niter = np.array(d.sol_island_niter[:n], int)
        solved, kept = int(niter.max(initial=0)), self._figures(n)
        numbers = [k for k in range(solved + 1) if k <= self._most or k == solved] if d.nefc else [0]
        points = [(k, START if k == 0 else SOLVE, *self._solve(k, 0)) for k in numbers]
        nnoslip = np.zeros(n, int)
        if self._noslip and d.nefc:
            self._solve(self._iterations, self._noslip)
            nnoslip, kept = np.array(d.sol_island_niter[:n], int) - niter, self._figures(n)
            points += [(solved + j, NOSLIP, *self._solve(self._iterations, j)) for j in range(1, int(nnoslip.max(initial=0)) + 1)]
        solver, full = Solver(m.opt_solver), bool(np.any(d.sol_island_full[:n])) if d.nefc and m.opt_solver == SOL_NEWTON else False
        iterates = _iterates(problem, points, niter, nnoslip, kept, solver)
        options = {name: getattr(m, name) for name in ("opt_tolerance", "opt_ls_tolerance", "opt_impratio", "opt_noslip_tolerance", "opt_ls_iterations")}
        options |= {"opt_iterations": self._iterations, "opt_noslip_iterations": self._noslip}
        notes = self._notes(niter, numbers, full)
        solution, optimum = self._lowest(problem, iterates)
        return SolverTrace(problem, iterates, niter, nnoslip, solver.name, Cone(m.opt_cone).name, options, solution, optimum, notes)

    def _solve(self, iterations: int, noslip: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """qacc, efc_force and efc_state with these limits."""
        if self._stop():
            raise TraceStopped
        m, d = self._m, self._d
        m.opt_iterations, m.opt_noslip_iterations = iterations, noslip
        if d.nefc:
            call(fwd_constraint, m, d)
        return np.array(d.qacc), np.array(d.efc_force[:d.nefc]), np.array(d.efc_state[:d.nefc], np.int8)

    def _figures(self, nisland: int) -> dict[str, np.ndarray]:
        """What Data has of the iterations of the last solve, (islands, iterations) each."""
        return {name: np.array(getattr(self._d, f"solver_{name}")[:nisland]) for name in STATISTICS}

    def _lowest(self, problem: ConstraintProblem, iterates: tuple[Iterate, ...]) -> tuple[np.ndarray, np.ndarray]:
        """The acceleration of the lowest cost, island by island the best of the iterates and of Newton's method without tolerance, and that cost."""
        m = self._m
        m.opt_solver, m.opt_tolerance, m.opt_ls_iterations = SOL_NEWTON, 0.0, max(50, m.opt_ls_iterations)
        known = [one.qacc for one in iterates] + [self._solve(EXACT_ITERATIONS, 0)[0]]
        exact = problem.at(known[-1])
        costs = np.array([*(one.gauss + one.constraint for one in iterates), exact.gauss + exact.constraint])
        best = np.argmin(np.where(np.isfinite(costs), costs, np.inf), axis=0) if problem.nisland else np.zeros(0, int)
        solution = known[-1].copy()
        for island, k in enumerate(best.tolist()):
            dofs = problem.island_dofs(island)
            solution[dofs] = known[k][dofs]
        return solution, costs[best, np.arange(problem.nisland)]

    def _notes(self, niter: np.ndarray, numbers: list[int], full: bool) -> tuple[str, ...]:
        m, d, notes = self._m, self._d, []
        if not d.nefc:
            notes.append("There are no constraint rows: qacc is qacc_smooth, and nothing is solved.")
        if m.opt_solver == SOL_PGS:
            notes.append("PGS works on the forces: cost and gradient are those of the acceleration that its forces give; dual is what it lowers.")
        if self._noslip and d.nefc:
            notes.append("The noslip solver goes on from the last iterate of the solver and minimises the forces' cost without R: this cost rises.")
        if full:
            notes.append("Newton's factor would be too full in an island: conjugate gradients solve it.")
        if m.opt_integrator == INT_DISCRETE and d.nefc:
            notes.append("Discrete integrator: M is the effective mass matrix, and aref and R are those of its rows.")
        if m.opt_integrator == INT_RK4:
            notes.append("RK4 solves four times in a step: this is the first.")
        if len(niter) > len(d.solver_niter):
            notes.append(f"The solver keeps figures of its first {len(d.solver_niter)} islands only.")
        if len(numbers) - 1 < int(niter.max(initial=0)):
            notes.append(f"Of {niter.max()} iterations the first {self._most} are traced, and the last.")
        if self._callbacks:
            notes.append(f"Callbacks of Data are not called here: {', '.join(self._callbacks)}.")
        return tuple(notes)


def _callbacks(d) -> tuple[str, ...]:
    """Slots that have a callback which may change the motion."""
    return tuple(slot for slot in SLOTS if slot not in ("cb_stage", "cb_time", "cb_sensor") and getattr(d, slot))


def _iterates(problem: ConstraintProblem, points: list[tuple], niter: np.ndarray, nnoslip: np.ndarray, kept: dict[str, np.ndarray],
              solver: Solver) -> tuple[Iterate, ...]:
    """points: (number, stage, qacc, efc_force, efc_state). kept: what the solver has noted."""
    found: list[Iterate] = []
    n, solved = problem.nisland, int(niter.max(initial=0))
    costs = problem.at(np.array([point[2] for point in points]))
    norms = np.sqrt(sums_by(costs.gradient**2, problem.dof_island, n))
    for k, (number, stage, qacc, force, state) in enumerate(points):
        before = found[-1].efc_state if found else state
        changed = state != before
        by_forces = stage == NOSLIP or solver == Solver.PGS
        own = np.where(number <= niter, number, 0) if stage != NOSLIP else np.where(number - solved <= nnoslip, niter + number - solved, 0)
        noted = {name: _noted(values, own - 1) for name, values in kept.items()}
        found.append(Iterate(
            number, stage, qacc, force, state, changed, costs.gauss[k], costs.constraint[k], norms[k], _count(state != CNSTRSTATE_SATISFIED, problem), _count(changed, problem),
            noted["improvement"], noted["lineslope"], noted["neval"], problem.dual(qacc, force) if by_forces else np.full(n, np.nan)))
    return tuple(found)


def _count(rows: np.ndarray, problem: ConstraintProblem) -> np.ndarray:
    return sums_by(rows, problem.efc_island, problem.nisland).astype(int)


def _noted(values: np.ndarray, place: np.ndarray) -> np.ndarray:
    """values[island, place] for each island, NaN where nothing was noted."""
    out = np.full(len(place), np.nan)
    there = (np.arange(len(place)) < len(values)) & (place >= 0) & (place < values.shape[1])
    out[there] = values[np.flatnonzero(there), place[there]]
    return out


def _largest(x: np.ndarray) -> float:
    return float(np.nanmax(x)) if np.isfinite(x).any() else np.nan


def _sum_of_known(x: np.ndarray) -> float:
    return float(np.nansum(x)) if np.isfinite(x).any() else np.nan
