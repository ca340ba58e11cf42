"""What the maths of one constraint row is given: the row as the model has it, and the parameters that are tuned.

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters".
"""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What a row sees of the model.

    inverse_mass: A = J inv(M) J' [1/kg, or 1/(kg m^2) of a rotation]. factor: s = A times the sum of 1/efc_diagA: the true inverse mass over the one that R was made for.
    a0: unconstrained acceleration along the row, positive = apart [m/s^2, rad/s^2]. timestep [s]; integrator: a number of physics.enums.Integrator; refsafe: whether that flag
    is on. margin: distance at which the row begins to push [m, rad].
    """

    inverse_mass: float
    factor: float
    a0: float
    timestep: float
    integrator: int
    refsafe: bool
    margin: float


@dataclass(frozen=True, slots=True)
class Parameters:
    """solref (timeconst [s], dampratio), or not positive (-stiffness [1/s^2], -damping [1/s]); solimp (d0, dwidth, width [m], midpoint, power)."""

    solref: tuple[float, float]
    solimp: tuple[float, float, float, float, float]
