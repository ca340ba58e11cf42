"""The engine with hard contact (physics/engine/hard), as one of those that can move a Model."""
from __future__ import annotations

from collections.abc import Callable

from physics.engine.fleet import hard as fleet
from physics.engine.hard import many_steps, step
from physics.engine.hard.step_order import STAGES
from physics.engine.step_order import StepStage
from physics.errors import Issue
from physics.model.data import Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model
from physics.simulate import hard_unsupported, warm_up
from physics.simulate.fleet_kernels import FleetKernels


class HardEngine:
    """Hard contact: a nonlinear complementarity problem per step (physics/simulate/engines.py says what each method does).

    Its kernels are compiled when it is first called, unless that has been done beside something else (warm_up.ensure_hard).
    """

    name = "hard"

    def refuses(self, m: Model) -> list[Issue]:
        """What the model has that this engine cannot map."""
        return hard_unsupported.issues(m)

    def workspace(self, m: Model, d: Data) -> None:
        """Room for bodies, dofs and coordinates; that for contacts is asked for as they come."""
        warm_up.ensure_hard()
        if step.reserve(m, d) == 0:
            d.make_room()

    def forward(self, m: Model, d: Data, skip: int) -> int:
        """A step is solved and not taken: forces, accelerations and sensors are those of the step that would follow."""
        warm_up.ensure_hard()
        return step.evaluate.call(m, d, skip)

    def step(self, m: Model, d: Data, n: int) -> int:
        """The compiled loop."""
        warm_up.ensure_hard()
        return many_steps.step_n.call(m, d, n)

    def advance(self, m: Model, d: Data, n: int, started: int) -> int:
        """The compiled loop with the mouse's force, noise and record."""
        warm_up.ensure_hard()
        return many_steps.advance.call(m, d, n, started)

    def advancing(self, m: Model, d: Data, writes: KernelBuffers) -> Callable[[int], int]:
        """One kernel does both."""
        warm_up.ensure_hard()
        return many_steps.advance_noting.bound(m, d, writes)

    def roll(self, m: Model, d: Data, done: int, n: int, driven: int) -> int:
        """The compiled loop of rollouts."""
        warm_up.ensure_hard()
        return many_steps.rollout_steps.call(m, d, done, n, driven)

    def fleet_kernels(self) -> FleetKernels:
        """The compiled loops over many simulations."""
        warm_up.ensure_hard()
        return FleetKernels(fleet.fleet_steps, fleet.fleet_forward, fleet.fleet_rollout)

    def stages(self) -> tuple[StepStage, ...]:
        """The table that step.py is held against."""
        return STAGES
