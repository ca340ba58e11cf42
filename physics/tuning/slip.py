"""How a contact slips: one moment of it, and over the last steps whether it sticks, creeps, slides, or sticks and slips by turns.

    Data after a step --slip_of--> Slip --SlipWindow.add--> the last steps --creep--> Creep

Within its cone friction holds: what moves there all the same creeps, as rows of friction are soft and have no position to come back to. On the side of the cone it slides.
Creep is told by the mean of the velocity, so that rocking to and fro counts for nothing.

Source: MuJoCo documentation, chapter Computation, "Friction cones"; chapter Modeling, "Preventing slip".
"""
from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

import numpy as np

from physics.diagnostics.contact_state import contact_cone, contact_jacobian
from physics.model.data import Data
from physics.model.model import Model
from physics.query.object_motion import contact_force
from physics.tuning.target import Target, contacts_of

__all__ = ["Creep", "Slip", "SlipWindow", "held", "slip_of"]

SIDE, WITHIN = 0.99, 0.9        # of the cone: from the first on it slides, up to the second it is held again
SECONDS, MOST = 1.0, 4000       # of simulated time, and steps, that are looked back
STILL = 1e-7                    # m/s: below this is rounding


class Slip(NamedTuple):
    """time [s]; velocity (3) [m/s]: of the second geom against the first along the surface, in world axes, the mean of their contacts; normal [N] and friction (3) [N]: sums,
    friction on the second geom; share: of the cone in use, weighted by the normal forces, NaN without any; condim: of the contacts."""

    time: float
    velocity: np.ndarray
    normal: float
    friction: np.ndarray
    share: float
    condim: int

    @property
    def speed(self) -> float:
        """[m/s]."""
        return float(np.linalg.norm(self.velocity))


def slip_of(m: Model, d: Data, target: Target) -> Slip | None:
    """The contacts between a target's two geoms as the last step or `forward` has them; None where none pushes."""
    contacts = [k for k in contacts_of(m, d, target) if d.contact_efc_address[k] >= 0]
    if not contacts:
        return None
    velocity, friction, normal, used = np.zeros(3), np.zeros(3), 0.0, 0.0
    for k in contacts:
        tangents = d.contact_frame[k].reshape(3, 3)[1:3]
        # velocity along the tangents, with that of a moving surface
        velocity += (contact_jacobian(m, d, k)[1:3] @ d.qvel + d.contact_surfacevel[k, :2]) @ tangents / len(contacts)
        force = contact_force(m, d, k)
        cone = contact_cone(m, d, k, force)
        normal += cone.normal
        friction += force[1:3] @ tangents
        used += cone.share * cone.normal
    return Slip(float(d.time), velocity, normal, friction, used / normal if normal > 0.0 else nan, int(d.contact_dim[contacts[0]]))


def held(shares: Iterable[float], before: bool = True) -> np.ndarray:
    """(n) whether friction holds a contact, from shares of its cone: it slides from SIDE on, until it is WITHIN again; where there is no share it stays as it was."""
    found = []
    for share in shares:
        if share == share:
            before = share < SIDE if before else share <= WITHIN
        found.append(before)
    return np.array(found, bool)


@dataclass(frozen=True, slots=True)
class Creep:
    """What there was over some time. seconds [s]; speed [m/s]: of the mean velocity; fastest [m/s]; share: of the cone in use, on average; held: share of the time in which
    friction held; changes: how often it went from sticking to slipping or back; condim."""

    seconds: float
    speed: float
    fastest: float
    share: float
    held: float
    changes: int
    condim: int

    @property
    def slips_by_turns(self) -> bool:
        """Whether it sticks and slips by turns."""
        return self.changes > 2

    @property
    def text(self) -> str:
        """In a word or two."""
        if self.condim == 1:
            return "no friction (condim 1)"
        if self.slips_by_turns:
            return f"sticks and slips, {self.changes // 2} times in {self.seconds:.2g} s"
        if self.held < 0.5:
            return "slides"
        return "creeps" if self.speed > STILL else "sticks"


class SlipWindow:
    """The last moments of a contact's slipping."""

    def __init__(self, seconds: float = SECONDS):
        self._seconds = seconds
        self._slips: deque[Slip] = deque(maxlen=MOST)

    def add(self, time: float, slip: Slip | None) -> None:
        """One more moment [s]; None: nothing touches, as between the hops of what slides. A time that goes back begins anew."""
        if self._slips and time <= self._slips[-1].time:
            self._slips.clear()
        if slip is not None:
            self._slips.append(slip)
        while self._slips and time - self._slips[0].time > self._seconds:
            self._slips.popleft()

    def clear(self) -> None:
        """Forget all of it."""
        self._slips.clear()

    def creep(self) -> Creep | None:
        """What there was; None for less than two moments."""
        if len(self._slips) < 2:
            return None
        velocity = np.array([slip.velocity for slip in self._slips])
        shares = np.array([slip.share for slip in self._slips])
        holds = held(shares.tolist())
        some = shares[np.isfinite(shares)]
        return Creep(self._slips[-1].time - self._slips[0].time, float(np.linalg.norm(velocity.mean(axis=0))), float(np.linalg.norm(velocity, axis=1).max()),
                     float(some.mean()) if len(some) else nan, float(holds.mean()), int(np.count_nonzero(np.diff(holds.astype(int)))), self._slips[-1].condim)
