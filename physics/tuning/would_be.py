"""The row that two geoms would have if they touched where they are nearest now, so that a ball in the air can be tuned.

    J = n (J2 - J1) at the nearest points     A = J inv(M) J'     a0 = J qacc_smooth     s = A / Â times that of one contact with its friction (law.py)

with n along the shortest way and Â from body_invweight0, as the engine takes it. One point of contact is taken for granted: a box that comes to lie on four has four times the s.

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters", "Contact"; XML reference, option flag diagexact.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.diagnostics.contact_parameters import pair_parameters
from physics.enums import DSBL_REFSAFE, ENBL_DIAGEXACT
from physics.model.data import Data
from physics.model.model import Model
from physics.query.geom_distance import geom_distance
from physics.query.jacobian import jac
from physics.query.mass_matrix import solve_m
from physics.tuning.law import Friction, Row, contact_factor

__all__ = ["WouldBe", "would_be_row"]

FAR = 1e3       # m: farther apart there is no row


class WouldBe(NamedTuple):
    """row, and the friction that it would have."""

    row: Row
    friction: Friction


def would_be_row(m: Model, d: Data, geom1: int, geom2: int) -> WouldBe | None:
    """Of two geoms that are apart, at the state that `forward` or a step has computed last; None where they overlap, are too far apart, or nothing moves one against the other.
    A scratch field of d is written."""
    found = pair_parameters(m, geom1, geom2)
    one, two = found.geoms
    distance, segment = geom_distance(m, d, one, two, FAR)
    way = segment[3:] - segment[:3]
    length = float(np.linalg.norm(way))
    if not 0.0 < distance < FAR or not length > 0.0:
        return None
    bodies = [int(m.geom_bodyid[g]) for g in (one, two)]
    J = (way / length) @ (jac(m, d, segment[3:], bodies[1])[0] - jac(m, d, segment[:3], bodies[0])[0])
    A = float(J @ solve_m(m, d, J))
    weight = float(m.body_invweight0[bodies, 0].sum())
    if not (A > 0.0 and weight > 0.0):
        return None
    friction = Friction(int(found["condim"].value[0]), float(found["friction"].value[0]), float(m.opt_impratio), int(m.opt_cone))
    factor = contact_factor(1, friction) * (1.0 if m.opt_enableflags & ENBL_DIAGEXACT else A / weight)
    response = solve_m(m, d, J)
    damping = float(response @ (m.dof_damping * response)) / A
    margin = float(found["margin"].value[0])
    return WouldBe(Row(A, factor, float(J @ d.qacc_smooth), float(m.opt_timestep), int(m.opt_integrator), not m.opt_disableflags & DSBL_REFSAFE, margin, damping), friction)
