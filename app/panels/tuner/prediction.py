"""What a set of parameters would do to a row: at once what is quick enough for each motion of a handle, the rest for a thread. No Qt."""
from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from physics.tuning.badges import DISCRETE, REFSAFE, SIGNS, SINKS, Badge, badges
from physics.tuning.closed_forms import ClosedForms, closed_forms, half_period, rest_depth
from physics.tuning.law import Friction, Parameters, Row
from physics.tuning.scalar import Response, simulate, trajectory

MOST_STEPS, LEAST_STEPS = 160, 40       # of the motion that is drawn while a handle is dragged
PHASES = 16                             # of impacts
OF_BOTH_WAYS = frozenset((REFSAFE, DISCRETE, SIGNS, SINKS))     # warnings that are not about impacts


@dataclass(frozen=True, slots=True)
class Quick:
    """nominal: closed forms as solref and dwidth say; effective: as this row has them at rest; rest: depth [m], inf where nothing bears the load; time [s], distance [m]: an impact
    at `speed` [m/s], None where the row pushes both ways."""

    nominal: ClosedForms
    effective: ClosedForms
    rest: float
    speed: float
    time: np.ndarray | None
    distance: np.ndarray | None


def usual_row(row: Row, both_ways: bool) -> Row:
    """The row under a load that presses: equalities are pulled either way."""
    return replace(row, a0=-abs(row.load()), at=0.0) if both_ways else row


def quick(row: Row, parameters: Parameters, speed: float, both_ways: bool = False) -> Quick:
    """Raises ValueError for a row that nothing moves."""
    row = usual_row(row, both_ways)
    rest = rest_depth(row, parameters)
    effective = closed_forms(row, parameters, rest if rest < inf else 0.0)
    top = parameters.solimp[1]
    plain = replace(parameters, solimp=(top, top, *parameters.solimp[2:]))
    nominal = closed_forms(replace(row, factor=1.0, by_frequency=()), plain)
    if both_ways:
        return Quick(nominal, effective, rest, speed, None, None)
    half = half_period(effective.damping_ratio, effective.frequency)
    steps = int(min(MOST_STEPS, max(LEAST_STEPS, 5.0 * half / row.timestep))) if half < inf else MOST_STEPS
    motion = trajectory(row.of_impacts, parameters, row.margin, -speed, steps * row.timestep)
    return Quick(nominal, effective, rest, speed, motion.time, motion.distance[:, 0])


@dataclass(frozen=True, slots=True)
class Full:
    """response: impacts at many phases and the load step; badges: what to warn of."""

    response: Response
    badges: tuple[Badge, ...]


def full(row: Row, parameters: Parameters, speed: float, friction: Friction | None, both_ways: bool = False) -> Full:
    """What takes milliseconds to a tenth of a second."""
    row = usual_row(row, both_ways)
    response = simulate(row, parameters, speed, PHASES)
    found = badges(row, parameters, response, friction)
    return Full(response, tuple(badge for badge in found if badge.kind in OF_BOTH_WAYS) if both_ways else found)
