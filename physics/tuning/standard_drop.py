"""The standard drop: one row alone in the engine, as a ball on a vertical slide above a plane, so that parameters are proven by the engine's own steps.

The ball has the row's effective mass 1/A, the load as gravity, the row's time step, integrator, margin and joint damping; its inverse weight is A/s, which the regularisation R is
made of, so that the contact has the row's factor s. Its contact is without friction: one row.

    mass = 1/A      gravity = a0      body_invweight0 = A/s      damping = (rate) / A
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, inf, log

import numpy as np

from physics.compiler.compile import load_string
from physics.enums import DSBL_REFSAFE
from physics.kernels import load
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import step
from physics.tuning.closed_forms import SETTLED, closed_forms, half_period, rest_depth
from physics.tuning.law import Parameters, Row, law_of
from physics.tuning.scalar import approach, surface_speed

__all__ = ["PHASES", "DropProof", "StandardDrop", "prove"]

PHASES = 16             # of a time step at which impacts begin
MOST_STEPS = 20_000     # of an impact, and of coming to rest
RADIUS = 0.1            # m: of the ball, which no figure depends on
NUDGE = 1e-3            # of the rest depth: displacement by which the step's map is linearised
TEXT = """<mujoco><option tolerance="1e-15" iterations="100"/><worldbody><geom type="plane" size="0 0 1" condim="1" solref="{solref}" solimp="{solimp}"/>
  <body pos="0 0 {radius}"><joint type="slide" axis="0 0 1" damping="{damping!r}"/><geom size="{radius}" mass="{mass!r}" condim="1" margin="{margin!r}" solref="{solref}" solimp="{solimp}"/></body>
</worldbody></mujoco>"""


@dataclass(frozen=True, slots=True)
class DropProof:
    """What the engine does: restitution of impacts, one for each phase; rest_depth [m], NaN where it does not come to rest; settling [s] of a small displacement to 2 %, by the step's
    map linearised at rest, inf where rest is unstable or there is none."""

    restitution: np.ndarray
    rest_depth: float
    settling: float

    @property
    def mean(self) -> float:
        """Mean restitution."""
        return float(self.restitution.mean())

    @property
    def scatter(self) -> float:
        """Its standard deviation over the phases."""
        return float(self.restitution.std())


class StandardDrop:
    """A row with parameters in a Model and Data of its own. Raises ValueError while kernels are still being compiled."""

    def __init__(self, row: Row, parameters: Parameters):
        if load.is_partial():
            raise ValueError("the engine is still being compiled")
        self.row, self.parameters = row, parameters = law_of(row, parameters).row, parameters
        mass = 1.0 / row.inverse_mass
        numbers = {name: " ".join(map(repr, map(float, getattr(parameters, name)))) for name in ("solref", "solimp")}
        self.m: Model = load_string(TEXT.format(radius=RADIUS, mass=mass, damping=float(row.damping * mass), margin=float(row.margin), **numbers))
        self.m.opt_timestep, self.m.opt_integrator = row.timestep, row.integrator
        self.m.opt_gravity[:] = 0.0, 0.0, row.a0
        if not row.refsafe:
            self.m.opt_disableflags = int(self.m.opt_disableflags) | int(DSBL_REFSAFE)
        self.m.body_invweight0[1] = row.inverse_mass / row.factor
        self.d = Data(self.m)

    def _put(self, r: float, v: float) -> None:
        """Begin anew at r, the distance less the margin [m], with speed v [m/s]."""
        self.d.reset()
        self.d.qpos[0], self.d.qvel[0] = self.row.margin + r, v

    def _now(self) -> tuple[float, float]:
        return float(self.d.qpos[0]) - self.row.margin, float(self.d.qvel[0])

    def restitution(self, speed: float, phases: int = PHASES, go_on: Callable[[], bool] | None = None) -> np.ndarray:
        """(phases) speed after over before of impacts at `speed` [m/s] at phases of the time step; 0 where it stays in contact, NaN where go_on() said no."""
        forms = closed_forms(self.row, self.parameters, 0.0)
        half = half_period(forms.damping_ratio, forms.frequency)
        most = int(min(MOST_STEPS, max(200, ceil(8.0 * half / self.row.timestep)))) if half < inf else MOST_STEPS
        found = np.full(phases, np.nan)
        for k in range(phases):
            if go_on is not None and not go_on():
                break
            self._put(*map(float, approach(self.row, speed, (k + 0.5) / phases)))
            found[k] = self._leaves(most) / speed
        return found

    def _leaves(self, most: int) -> float:
        """Speed at the surface [m/s] with which it leaves the contact, 0 where it does not within so many steps."""
        for _ in range(most):
            step(self.m, self.d)
            r, v = self._now()
            if r >= 0.0 and v > 0.0:
                return float(surface_speed(self.row, r, v))
        return 0.0

    def rest(self) -> tuple[float, float]:
        """(rest depth [m], settling [s]): begun where it should rest, and a tenth deeper; then what a step makes of small displacements."""
        expected = rest_depth(self.row, self.parameters)
        if not 0.0 < expected < inf:
            return float("nan"), inf
        forms = closed_forms(self.row, self.parameters, expected)
        self._put(-1.1 * expected, 0.0)
        step(self.m, self.d, int(min(MOST_STEPS, max(200, ceil(4.0 * min(forms.settling, 1e6) / self.row.timestep)))), autoreset=False)
        depth, speed = -self._now()[0], self._now()[1]
        if self.d.diverged or not abs(speed) < 0.01 * forms.frequency * abs(depth):
            return float("nan"), inf
        return depth, self._settling(depth, forms.frequency)

    def _settling(self, depth: float, w: float) -> float:
        """From the largest eigenvalue of the step's Jacobian in (r, v/w), by central differences."""
        nudge, columns = NUDGE * depth, []
        for dr, dv in ((nudge, 0.0), (0.0, nudge)):
            ends = []
            for sign in (1.0, -1.0):
                self._put(-depth + sign * dr, sign * w * dv)
                step(self.m, self.d)
                r, v = self._now()
                ends.append((r, v / w))
            columns.append(np.subtract(*ends) / (2.0 * nudge))
        growth = float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())
        return self.row.timestep * log(SETTLED) / log(growth) if 0.0 < growth < 1.0 else inf if growth else 0.0


def prove(row: Row, parameters: Parameters, speed: float, phases: int = PHASES, go_on: Callable[[], bool] | None = None) -> DropProof | None:
    """The standard drop of these parameters; None where go_on() said no. Raises ValueError while kernels are being compiled, and for numbers of which no model can be made."""
    restitution = StandardDrop(row.of_impacts, parameters).restitution(speed, phases, go_on)
    if go_on is not None and not go_on():
        return None
    return DropProof(restitution, *StandardDrop(row, parameters).rest())
