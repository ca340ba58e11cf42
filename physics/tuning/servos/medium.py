"""What the medium does to a coordinate while all else is held: a force that depends on the velocity alone.

    F(v) = -(linear + odd |v|) v - even v^2

With no wind all parts of the engine's models are homogeneous in the velocity, of first degree (Stokes' drag) or second (drag, lift, Magnus' force, added mass), and a held mechanism
turns about its hinge as one: so two speeds, each in both directions, say what the force is at all of them, wherever the hinge is.

Source: MuJoCo documentation, chapter Computation, "Passive forces", and "Fluid forces".
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import fwd_velocity

__all__ = ["NO_MEDIUM", "Medium", "medium_along"]


@dataclass(frozen=True, slots=True)
class Medium:
    """linear [N s/m or N m s], odd, even [N s^2/m^2 or N m s^2]: as above."""

    linear: float = 0.0
    odd: float = 0.0
    even: float = 0.0

    def force(self, v: float) -> float:
        """At a velocity along the coordinate."""
        return -((self.linear + self.odd * abs(v)) + self.even * v) * v

    def slope(self, v: float) -> float:
        """-dF/dv."""
        return self.linear + 2.0 * (self.odd * abs(v) + self.even * v)


NO_MEDIUM = Medium()


def medium_along(m: Model, w: Data, rates: Mapping[int, float]) -> Medium:
    """Of a coordinate along which degrees of freedom move at these rates. w: at rest, with its position computed; it is so again afterwards. With a wind the force depends on the
    position, too: then none is given. Raises as `fwd_velocity`."""
    if not (m.opt_density or m.opt_viscosity) or any(m.opt_wind):
        return NO_MEDIUM
    found = []
    for speed in (1.0, 2.0):
        there, back = (_force(m, w, rates, sign * speed) for sign in (1.0, -1.0))
        found.append((0.5 * (back - there), -0.5 * (there + back)))
    w.qvel[:] = 0.0
    fwd_velocity(m, w)
    (once, even), (twice, _even) = found
    odd = 0.5 * (twice - 2.0 * once)
    return Medium(once - odd, odd, even)


def _force(m: Model, w: Data, rates: Mapping[int, float], speed: float) -> float:
    """The medium's force along the coordinate at a velocity of it."""
    w.qvel[:] = 0.0
    for dof, rate in rates.items():
        w.qvel[dof] = rate * speed
    fwd_velocity(m, w)
    return sum(rate * float(w.qfrc_fluid[dof]) for dof, rate in rates.items())
