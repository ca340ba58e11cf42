"""Posing by inverse kinematics beside the window: a thread that always solves for the newest target and hands each pose to the run.

    want(target) --newest--> thread: IKSolver on a Data of its own --SetPose, newest--> run
                                                                   --> answer, for whoever draws

All public methods may be called from the window's thread; none of them waits for a solution.
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from physics.inverse_kinematics.problem import IKOptions, IKResult, IKTarget
from physics.inverse_kinematics.solve import IKSolver
from physics.model.model import Model
from physics.model.state_fields import State
from physics.query.configuration import differentiate_pos
from physics.runtime import commands

ROUNDS = 40      # solutions for one target, until the posture is where it stays
TRIES = 8        # other starts for a target that is not met from where the mechanism is, while the pointer rests
NEARER = 0.5     # share of the way to the posture of the start below which a pose found from there is taken, ...
FAR = 0.1        # ... where that way is longer than this [rad or m]


@dataclass(frozen=True, slots=True)
class Answer:
    """The newest pose: its solution (None where `problem` says why there is none) and the target that it is for."""

    result: IKResult | None
    target: IKTarget | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """What is solved for: `drag` numbers drags; start: the state when it began."""

    drag: int
    target: IKTarget
    pins: tuple[IKTarget, ...]
    options: IKOptions
    start: State


class PosingSession:
    """Poses one Model. send(key, command): to the run, the newest of a key counts (Runner.latest); told(): called in the session's thread after each answer.

    pins: what stays where it is, changed by assignment; options likewise. `close` ends the thread.
    """

    def __init__(self, model: Model, send: Callable[[Any, Any], None], options: IKOptions, told: Callable[[], None] = lambda: None):
        self.model, self.pins, self.options = model, (), options
        self.answer: Answer | None = None
        self.solutions = 0
        self._send, self._told = send, told
        self._lock = threading.Condition()
        self._request: Request | None = None
        self._start: State | None = None
        self._drag = 0
        self._open = True
        threading.Thread(target=self._work, name="posing", daemon=True).start()

    @property
    def dragging(self) -> bool:
        """Whether a drag is under way."""
        return self._start is not None

    def begin(self, source) -> None:
        """A drag begins in the state of a Snapshot."""
        with self._lock:
            self._start, self.answer = State.of(source), None
            self._drag += 1

    def want(self, target: IKTarget) -> None:
        """The target is there now."""
        with self._lock:
            if self._start is not None:
                self._request = Request(self._drag, target, tuple(self.pins), self.options, self._start)
                self._lock.notify()

    def end(self) -> None:
        """The drag is over; what was wanted last is still solved for."""
        with self._lock:
            self._start = None

    def cancel(self) -> None:
        """The drag is over, and the pose is that of before."""
        with self._lock:
            start, self._start, self._request = self._start, None, None
            self._drag += 1
            if start is not None:
                self._send("pose", commands.SetPose(tuple(start.qpos.tolist())))

    def close(self) -> None:
        """End the thread."""
        with self._lock:
            self._open, self._request = False, None
            self._lock.notify()

    # ------------------------------------------------------------------ the session's thread

    def _work(self) -> None:
        solver, past = None, _Past()
        while True:
            with self._lock:
                while self._open and self._request is None and not (past.unsettled and self._start is not None):     # let go of: the state is somebody else's
                    self._lock.wait()
                if not self._open:
                    return
                request, self._request = self._request or past.request, None
            try:
                solver = solver or IKSolver(self.model)
                answer = Answer(past.solve(solver, request), request.target)
            except Exception as why:    # the window goes on, and says so
                past = _Past()
                answer = Answer(None, request.target, f"{type(why).__name__}: {why}")
            with self._lock:
                if request.drag == self._drag and self._open:
                    self.answer, self.solutions = answer, self.solutions + 1
                    if answer.result is not None:
                        self._send("pose", commands.SetPose(tuple(answer.result.qpos.tolist())))
                else:
                    past.unsettled = False
            self._told()


class _Past:
    """What a solution goes on from: the pose before, of the same drag.

    A search that goes on from pose to pose may end where no small step helps, or in another assembly of a closed loop. So while the target rests other starts are tried: the
    pose of before the drag, then random ones. A pose from there is taken where it meets a target that was not met, or is much nearer to the posture of before the drag.
    """

    def __init__(self):
        self.request: Request | None = None
        self.unsettled = False
        self._qpos: np.ndarray | None = None
        self._allowed: dict | None = None
        self._rounds = self._tries = 0
        self._found: IKResult | None = None     # the result for the target, once it is settled

    def solve(self, solver: IKSolver, request: Request) -> IKResult:
        before, start = self.request, request.start
        if before is None or before.drag != request.drag:
            self._qpos, self._allowed = start.qpos, None
        if request.options.contacts and self._allowed is None:
            self._allowed = solver.depths(start)
        if request is not before:
            self._rounds, self._tries, self._found = 0, 0, None
        self.request = request
        if self._found is not None:
            return self._other_start(solver, request, self._found)
        result = self._from(solver, request, self._qpos, quick=True)
        self._rounds += 1
        self._qpos = result.qpos
        if result.settled or self._rounds >= ROUNDS:
            self._found = result
        self.unsettled = self._found is None or self._wants_another(solver, request, result)
        return result

    def _from(self, solver: IKSolver, request: Request, qpos: np.ndarray, quick: bool) -> IKResult:
        return solver.solve([request.target], qpos, request.pins, request.start.qpos, replace(request.options, quick=quick), request.start, self._allowed)

    def _wants_another(self, solver: IKSolver, request: Request, found: IKResult) -> bool:
        """Whether another start may lead to a better pose: the first where it is far from the posture of before, all where the target is not met."""
        far = request.options.posture > 0 and _away(solver.model, request.start.qpos, found.qpos) > FAR
        return self._tries < (TRIES if not found.converged else 1 if far else 0)

    def _other_start(self, solver: IKSolver, request: Request, found: IKResult) -> IKResult:
        rest = request.start.qpos
        begin = rest if not self._tries else solver.other_start(rest, request.options.limits, self._tries)
        self._tries += 1
        other = self._from(solver, request, begin, quick=False)
        if other.converged and (not found.converged or _away(solver.model, rest, other.qpos) < NEARER * _away(solver.model, rest, found.qpos)):
            self._found = found = other
            self._qpos = other.qpos
        self.unsettled = self._wants_another(solver, request, found)
        return found


def _away(m: Model, one: np.ndarray, two: np.ndarray) -> float:
    """How far a pose is from another [rad or m], all dofs together."""
    return float(np.linalg.norm(differentiate_pos(m, one, two)))
