"""Trajectories by iterative LQR with an augmented Lagrangian: controls that lead from a state to where costs and constraints want it.

    roll out the controls -> derivatives of each step, costs to second order -> backward pass: k, K -> u + alpha k + K (x_new [-] x) for falling alpha
    -> ... until nothing is gained -> multipliers and penalty of the constraints -> again, until they hold

Bounds of controls hold exactly, in every iterate. Either engine moves the model and is differentiated as physics/optimise/engine_derivatives.py has it.

Source: Tassa, Erez and Todorov, "Synthesis and stabilization of complex behaviors through online trajectory optimization", 2012 (regularisation, line search);
Howell, Jackson and Manchester, "ALTRO", 2019 (outer loop).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np

from physics.enums import StateBit
from physics.model.data import Data
from physics.model.model import Model
from physics.optimise.augmented_lagrangian import AugmentedLagrangian
from physics.optimise.backward_pass import Gains, backward_pass
from physics.optimise.constraints import Constraint
from physics.optimise.costs import Cost, Expansion, Knot
from physics.optimise.engine_derivatives import Linear, Start, linearise_knots
from physics.optimise.progress import Checkpoint, Progress, Report, fingerprint, reported
from physics.optimise.tangent import State, Tangent
from physics.simulate.state_vector import get_state, set_state
from physics.simulate.step import check_dynamics, check_pair, step

WHAT = "ilqr"
GROWTH = 1.6        # of the growth of mu, and of its fall
LEAST, MOST = 1e-8, 1e10    # mu that is not 0, and with which the search gives up
KEPT = int(StateBit.INTEGRATION)
FLAT, SMALL = "the gradient is within its tolerance", "the cost changes by less than its tolerance"
SETTLED = (FLAT, SMALL)


@dataclass(frozen=True, slots=True)
class ILQROptions:
    """nstep: steps of the engine for each control. iterations: at most, over all outer ones. cost_tolerance: of the augmented cost, relative (with 1 added);
    loose_tolerance: the same as long as constraints do not hold, with more updates to come (None: cost_tolerance): a minimum that multipliers will move need not be met exactly.
    gradient_tolerance: largest feedforward. constraint_tolerance: largest violation at the end; outer: how often multipliers and penalty are updated;
    penalty, penalty_factor: first, and its growth. armijo: share of the expected gain that counts as one; shortest: smallest alpha. mu: first regularisation of Q_uu.
    bounds: (low, high) of controls, one number or nu each; None: actuator_ctrlrange where that is on. kappa: as for linearise."""

    nstep: int = 1
    iterations: int = 200
    cost_tolerance: float = 1e-7
    loose_tolerance: float | None = None
    gradient_tolerance: float = 1e-6
    constraint_tolerance: float = 1e-4
    outer: int = 20
    penalty: float = 1.0
    penalty_factor: float = 10.0
    armijo: float = 1e-4
    shortest: float = 1e-5
    mu: float = 0.0
    bounds: tuple | None = None
    kappa: float | None = None

    def __post_init__(self):
        if self.nstep < 1 or self.iterations < 0 or self.outer < 0:
            raise ValueError(f"nstep {self.nstep}, iterations {self.iterations}, outer {self.outer}: need 1, 0 and 0 or more")


@dataclass(frozen=True, slots=True)
class ILQRResult:
    """states: N + 1; controls (N, nu); feedback (N, nu, nx): u + K (x [-] states[k]) holds the trajectory. cost: without constraints; violation: the largest of a
    constraint. iterations: backward passes; outer: updates of the multipliers. converged: nothing more to gain, and constraints within the tolerance; why: in words.
    costs: cost after each iteration. Where a step of a trajectory on the way has no derivatives the search ends there, and `why` says which."""

    states: tuple[State, ...]
    controls: np.ndarray
    feedback: np.ndarray
    cost: float
    violation: float
    iterations: int
    outer: int
    converged: bool
    why: str
    costs: tuple[float, ...]


class Trajectory(NamedTuple):
    """states: N + 1; starts: from where each control begins; totals of the augmented Lagrangian, the costs, and the largest violation."""

    states: tuple[State, ...]
    starts: tuple[Start, ...]
    controls: np.ndarray
    total: float
    cost: float
    violation: float


def solve_ilqr(m: Model, start: Data, controls, costs: Sequence[Cost], constraints: Sequence[Constraint] = (), options: ILQROptions | None = None,
               report: Report | None = None, checkpoint: Checkpoint | None = None) -> ILQRResult:
    """Controls that minimise the costs under the constraints.

    start: a Data of m in the state in which the trajectory begins, with whatever else acts (applied forces, mocap poses); it stays as it is. controls (N, nu): first guess,
    taken into the bounds. report: called after each iteration. checkpoint: where to go on from, and where to write.
    Raises ValueError for sizes that do not fit, for a first guess under which the model diverges, and for models with delays; ViewOnlyError as `step`; what callbacks raise.
    """
    check_pair(m, start)
    check_dynamics(m)
    options = options or ILQROptions()
    guess = np.array(controls, np.float64)
    if guess.ndim != 2 or guess.shape[1] != m.nu or not len(guess):
        raise ValueError(f"controls: needs (N, {m.nu}) numbers, got {guess.shape}")
    if m.nhistory:
        raise ValueError("iLQR: delays of controls and sensors are not supported")
    return _Search(m, start, guess, costs, constraints, options, report, checkpoint).run()


def bounds_of(m: Model, given: tuple | None) -> tuple[np.ndarray, np.ndarray]:
    """(low, high), nu each. Raises ValueError."""
    if given is None:
        limited = m.actuator_ctrllimited != 0
        return np.where(limited, m.actuator_ctrlrange[:, 0], -np.inf), np.where(limited, m.actuator_ctrlrange[:, 1], np.inf)
    low, high = (np.broadcast_to(np.asarray(side, np.float64), (m.nu,)).copy() for side in given)
    if not (low <= high).all():
        raise ValueError(f"bounds of controls: {low} is not below {high}")
    return low, high


class _Search:
    """One call of solve_ilqr."""

    def __init__(self, m: Model, start: Data, guess: np.ndarray, costs, constraints, options: ILQROptions, report: Report | None, checkpoint: Checkpoint | None):
        self.m, self.options, self.report, self.checkpoint = m, options, report, checkpoint
        self.low, self.high = bounds_of(m, options.bounds)
        self.d = start.copy()
        self.begin = get_state(m, start, KEPT)
        self.tangent = Tangent(m)
        self.lagrangian = AugmentedLagrangian(m, costs, constraints, len(guess), options.penalty)
        self.guess = np.clip(guess, self.low, self.high)
        self.mark = fingerprint(m, self.begin, self.guess, asdict(replace(options, iterations=0))) if checkpoint else ""
        self.mu, self.growth = options.mu, GROWTH
        self.iterations = self.outer = 0
        self.costs: list[float] = []
        self.stopped, self.failed, self.ended = False, "", ""     # by the report or a failure, which one; why the augmented Lagrangian is at its minimum
        self.feedback = np.zeros((*self.guess.shape, self.tangent.nx))

    # ------------------------------------------------ one trajectory

    def roll(self, controls: np.ndarray, around: Trajectory | None = None, gains: Gains | None = None, alpha: float = 1.0) -> Trajectory | None:
        """The trajectory under these controls, or under the step alpha of gains around another one; None where the model diverges."""
        m, d, last = self.m, self.d, len(controls)
        set_state(m, d, self.begin, KEPT)
        used = np.array(controls)
        states, starts, sums, worst = [], [], np.zeros(2), 0.0
        for k in range(last + 1):
            x = self.tangent.state(d)
            states.append(x)
            u = None
            if k < last:
                if gains is not None:
                    off = self.tangent.difference(around.states[k], x)
                    used[k] = np.clip(controls[k] + alpha * gains.k[k] + gains.K[k] @ off, self.low, self.high)
                u = used[k]
                d.ctrl[:] = u
                starts.append(Start(d.time, x, d.qacc_warmstart.copy()))
            total, cost, violation = self.lagrangian.value(Knot(k, last, x, u))
            sums += total, cost
            worst = max(worst, violation)
            if not np.isfinite(sums).all() or k < last and step(m, d, self.options.nstep, autoreset=False) != self.options.nstep:
                return None
        return Trajectory(tuple(states), tuple(starts), used, float(sums[0]), float(sums[1]), worst)

    def knots(self, trajectory: Trajectory) -> list[Knot]:
        """Its knots with their controls."""
        last = len(trajectory.controls)
        return [Knot(k, last, x, trajectory.controls[k] if k < last else None) for k, x in enumerate(trajectory.states)]

    def expand(self, trajectory: Trajectory) -> tuple[list[Linear], list[Expansion]]:
        """Each step to first order, costs and constraints to second."""
        set_state(self.m, self.d, self.begin, KEPT)
        steps = linearise_knots(self.m, self.d, trajectory.starts, trajectory.controls, self.options.nstep, self.options.kappa)
        return steps, [self.lagrangian.expand(knot) for knot in self.knots(trajectory)]

    # ------------------------------------------------ the search

    def run(self) -> ILQRResult:
        """All of it."""
        kept = self.checkpoint.load(WHAT, self.mark) if self.checkpoint else None
        if kept is not None:
            self.take(kept)
        now = self.roll(self.guess)
        if now is None:
            raise ValueError("the model diverges under the first guess of the controls")
        while True:
            if not self.ended:
                now = self.minimise(now)
            held = now.violation <= self.options.constraint_tolerance
            if held or not self.lagrangian.constrained or not self.ended or self.outer >= self.options.outer:
                break
            self.lagrangian.update(self.knots(now), self.options.penalty_factor)
            self.outer += 1
            self.mu, self.growth, self.ended = self.options.mu, GROWTH, ""
            now = self.roll(now.controls)   # the same motion, valued anew
        if self.checkpoint:
            self.keep(now, True)
        why = self.failed or self.ended or ("stopped by the report" if self.stopped else "the iterations are used up")
        return ILQRResult(now.states, now.controls, self.feedback, now.cost, now.violation, self.iterations, self.outer, held and self.ended in SETTLED and not self.failed, why, tuple(self.costs))

    def minimise(self, now: Trajectory) -> Trajectory:
        """The augmented Lagrangian as it is, to its minimum near this trajectory; `ended` says why it is one."""
        expanded = None
        while self.iterations < self.options.iterations and not self.ended and not self.stopped:
            try:
                expanded = expanded or self.expand(now)
            except ValueError as why:   # of a trajectory that can be rolled out, a step may still have no derivatives
                self.stopped, self.failed = True, str(why)
                break
            gains = backward_pass(*expanded, now.controls, self.low, self.high, self.mu)
            if gains is None:
                if not self.stiffen():
                    self.ended = "no descent: the regularisation is at its end"
                continue
            self.iterations += 1
            self.feedback, before = gains.K, now.total
            new = None if gains.gradient < self.options.gradient_tolerance else self.search(now, gains)
            least = self.tolerance(now if new is None else new) * (1.0 + abs(before))
            if gains.gradient < self.options.gradient_tolerance:
                self.ended = FLAT
            elif new is not None:
                now, expanded = new, None
                self.soften()
                self.ended = SMALL if before - now.total < least else ""
            elif -(gains.slope + 0.5 * gains.curve) < least:
                self.ended = SMALL
            elif not self.stiffen():
                self.ended = "no descent: the line search found nothing"
            self.note(now)
        return now

    def tolerance(self, now: Trajectory) -> float:
        """By how little the cost may change, relative, for a minimisation to be at its end."""
        options = self.options
        loosely = options.loose_tolerance is not None and now.violation > options.constraint_tolerance and self.outer < options.outer
        return options.loose_tolerance if loosely else options.cost_tolerance

    def search(self, now: Trajectory, gains: Gains) -> Trajectory | None:
        """The first of falling steps that gains its share of what is expected (Armijo); None where none does."""
        alpha = 1.0
        while alpha >= self.options.shortest:
            new = self.roll(now.controls, now, gains, alpha)
            expected = alpha * gains.slope + 0.5 * alpha * alpha * gains.curve
            if new is not None and new.total < now.total and now.total - new.total >= -self.options.armijo * expected:
                return new
            alpha *= 0.5
        return None

    def stiffen(self) -> bool:
        """More regularisation; whether there is any left."""
        self.growth = max(GROWTH, self.growth * GROWTH)
        self.mu = max(LEAST, self.mu * self.growth)
        return self.mu <= MOST

    def soften(self) -> None:
        """Less regularisation."""
        self.growth = min(1 / GROWTH, self.growth / GROWTH)
        self.mu = self.mu * self.growth if self.mu * self.growth > LEAST else 0.0

    def note(self, now: Trajectory) -> None:
        """Report an iteration and write the checkpoint."""
        self.costs.append(now.cost)
        if self.checkpoint:
            self.keep(now)
        text = f"violation {now.violation:.2g}, mu {self.mu:.1g}, update {self.outer}"
        self.stopped = not reported(self.report, Progress(WHAT, self.iterations, self.options.iterations, now.cost, text))

    # ------------------------------------------------ checkpoints

    def keep(self, now: Trajectory, last: bool = False) -> None:
        """Write what a search needs to go on from here."""
        arrays = {"controls": now.controls, "counts": np.array([self.iterations, self.outer]), "mu": np.array([self.mu, self.growth]), "costs": np.array(self.costs),
                  "feedback": self.feedback, "ended": np.array(self.ended)}
        self.checkpoint.save(WHAT, self.mark, {**arrays, **self.lagrangian.kept()}, self.iterations, last)

    def take(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from what was written."""
        self.guess, self.feedback, self.ended = arrays["controls"], arrays["feedback"], str(arrays["ended"])
        self.iterations, self.outer = (int(n) for n in arrays["counts"])
        self.mu, self.growth = (float(x) for x in arrays["mu"])
        self.costs = arrays["costs"].tolist()
        self.lagrangian.take(arrays)
