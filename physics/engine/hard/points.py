"""From contacts to rows: which bodies, which directions, between which points a gap is measured, and how it follows the bodies.

Source: Dojo (engine/hard/__init__.py), equation 1 and section III.
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel()
def contact_rows(m, d):
    """One row for each contact of the collision routines, at the pose at the start of the step; asks for room in need_nhc where there is none.

    Reads: ncon, contact_dist, contact_pos, contact_frame, contact_geom, contact_dim, contact_friction, contact_surfacevel, geom_xmat, hard_x2
    Writes: hard_nrow, hard_nfirst, hard_treerow, hrow_body, hrow_geom, hrow_contact, hrow_kind, hrow_dim, hrow_dir, hrow_arm, hrow_witness, hrow_mu, hrow_drive,
        hrow_shape, hrow_rest, hrow_floor
    """
