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
from physics.runtime import commands

ROUNDS = 40      # solutions for one target, until the posture is where it stays


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
    """What a solution goes on from: the pose before, of the same drag."""

    def __init__(self):
        self.request: Request | None = None
        self.unsettled = False
        self._qpos: np.ndarray | None = None
        self._allowed: dict | None = None
        self._rounds = 0

    def solve(self, solver: IKSolver, request: Request) -> IKResult:
        before, start = self.request, request.start
        if before is None or before.drag != request.drag:
            self._qpos, self._allowed = start.qpos, None
        if request.options.contacts and self._allowed is None:
            self._allowed = solver.depths(start)
        self._rounds = self._rounds + 1 if request is before else 0
        self.request = request
        result = solver.solve([request.target], self._qpos, request.pins, start.qpos, replace(request.options, quick=True), start, self._allowed)
        self._qpos, self.unsettled = result.qpos, not result.settled and self._rounds < ROUNDS
        return result
