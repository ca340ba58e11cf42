"""Arrows in the view for the contact forces of one iterate of the solver."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.contacts import towards_higher
from app.bridge.layers.forces import metres_per_newton
from app.bridge.markers.store import OwnedMarkers
from physics.model.model import Model
from physics.pipeline.constraint_problem import ConstraintProblem
from physics.pipeline.solver_trace import Iterate

OWNER = "Solver"
INK = (0.95, 0.6, 0.1, 1.0)
SHIFT = 1e-9        # N, of a force that is drawn
MOST = 2000         # arrows


def show_forces(markers: OwnedMarkers, m: Model, problem: ConstraintProblem, iterate: Iterate, island: int | None) -> int:
    """Draw the forces on the second geom's body, in place of those before; their number."""
    contacts = problem.contacts
    force = contacts.forces(problem.efc_type, iterate.efc_force)[:, :3]
    there = (contacts.address >= 0) & (np.linalg.norm(force, axis=1) > SHIFT)
    if island is not None:
        there[there] = problem.efc_island[contacts.address[there]] == island
    which = np.flatnonzero(there)[:MOST]
    with markers.frame() as frame:
        if len(which):
            start = contacts.pos[which]
            sign = towards_higher(m, contacts.geom[which])      # as the view's own arrows
            world = np.einsum("nk,nkj->nj", force[which], contacts.frame[which])
            frame.arrow(start, start + sign * metres_per_newton(m) * world, width=max(1e-6, 1.3 * m.vis.scale.forcewidth * m.stat_meansize), rgba=INK)
    return len(which)
