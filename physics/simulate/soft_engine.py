"""The engine with soft constraints: MuJoCo's dynamics (physics/engine), as one of those that can move a Model."""
from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

import numpy as np

from physics.engine import advance, data_hooks, forward, rollout, user_writes
from physics.engine.actuator.dcmotor import motor_fits, state_count
from physics.engine.fleet import soft as fleet
from physics.engine.step_order import STAGES, StepStage
from physics.enums import ENBL_IPC, ENBL_SPECULATIVE, MAXVAL, Integrator, Solver
from physics.errors import Issue
from physics.model.data import Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model
from physics.simulate.fleet_kernels import FleetKernels

data_hooks.install()
CONDIMS = (1, 3, 4, 6)
# flags that would change the motion and are not there yet
PENDING_FLAGS = ((ENBL_IPC, "ipc"), (ENBL_SPECULATIVE, "speculative"))


class SoftEngine:
    """Soft constraints: a convex problem per step (physics/simulate/engines.py says what each method does)."""

    name = "soft"

    def refuses(self, m: Model) -> list[Issue]:
        """What the model's present options and values ask for that is not there (yet)."""
        return option_issues(m)

    def workspace(self, m: Model, d: Data) -> None:
        """Data's arrays are this engine's own: there is nothing to make."""

    def forward(self, m: Model, d: Data, skip: int) -> int:
        """As physics/engine/forward.py's evaluate, with sensors and energies."""
        return forward.evaluate.call(m, d, skip, 1)

    def step(self, m: Model, d: Data, n: int) -> int:
        """The compiled loop."""
        return forward.step_n.call(m, d, n)

    def advance(self, m: Model, d: Data, n: int, started: int) -> int:
        """The compiled loop with the mouse's force, noise and record."""
        return advance.advance.call(m, d, n, started)

    def advancing(self, m: Model, d: Data, writes: KernelBuffers) -> Callable[[int], int]:
        """One kernel does both."""
        return user_writes.advance_noting.bound(m, d, writes)

    def roll(self, m: Model, d: Data, done: int, n: int, driven: int) -> int:
        """The compiled loop of rollouts."""
        return rollout.rollout_steps(m, d, done, n, driven)

    def fleet_kernels(self) -> FleetKernels:
        """The compiled loops over many simulations."""
        return FleetKernels(fleet.fleet_steps, fleet.fleet_forward, fleet.fleet_rollout)

    def stages(self) -> tuple[StepStage, ...]:
        """The table that forward.py is held against."""
        return STAGES


def _name(kind: type[IntEnum], value: int) -> str:
    return kind(value).name.lower() if value in tuple(kind) else str(value)


def option_issues(m: Model) -> list[Issue]:
    """What the model's present options ask for that is not there (yet): no dynamics until they are changed back."""
    found = []

    def lack(what: str, hint: str) -> None:
        found.append(Issue("view", None, "mujoco/option", what, hint))

    if m.opt_integrator not in tuple(map(int, Integrator)):
        lack(f"integrator '{_name(Integrator, m.opt_integrator)}' is not there yet", "Use one of Euler, RK4, implicit, implicitfast and discrete.")
    if m.opt_solver not in tuple(map(int, Solver)):
        lack(f"there is no solver {m.opt_solver}", "Use one of PGS, CG and Newton.")
    for bit, name in PENDING_FLAGS:
        if m.opt_enableflags & bit:
            lack(f"flag '{name}' is not there yet", "Disable it.")
    return found + impossible_values(m)


def impossible_values(m: Model) -> list[Issue]:
    """Values written into the model since it was loaded with which no step can be taken."""
    found = []
    if not abs(m.opt_timestep) <= MAXVAL:
        found.append(Issue("view", None, "mujoco/option", f"a time step of {m.opt_timestep} s cannot be taken", "Set timestep to a small number of seconds."))
    for i in range(m.nactuator):
        if not motor_fits(m, i):
            what = f"the parameters of motor '{m.names['actuator'][i] or i}' ask for {state_count(m, i)} states, it has {m.actuator_actnum[i]}"
            found.append(Issue("view", None, "mujoco/actuator", what, "Its states are made when the model is loaded."))
    for g in np.flatnonzero(~np.isin(m.geom_condim, CONDIMS)):
        found.append(Issue("view", None, "mujoco/worldbody", f"geom '{m.names['geom'][g] or g}' has condim {m.geom_condim[g]}", "Contacts have 1, 3, 4 or 6 dimensions."))
    for p in np.flatnonzero(~np.isin(m.pair_dim, CONDIMS)):
        found.append(Issue("view", None, "mujoco/contact", f"pair '{m.names['pair'][p] or p}' has condim {m.pair_dim[p]}", "Contacts have 1, 3, 4 or 6 dimensions."))
    return found
