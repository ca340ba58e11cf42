"""What a step found, in the soft engine's words: contacts, constraint rows and their forces.

Source: MuJoCo documentation, Computation chapter, "Constraint model" (types and order of rows).
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel("m d", ret="i")
def reserve_rows(m, d):
    """Ask for room for all contacts and constraint rows that report may write (need_ncon, need_nefc), before anything moves. Returns 1 where there is room.

    Reads: hard_nrow, hlim_kind, hfri_loss
    Writes: need_ncon, need_nefc
    """
    return 1


@kernel()
def report(m, d):
    """Contacts and constraint rows (dry friction, limits, contacts) with positions, forces (impulse / h) and states; qfrc_constraint.

    Contacts are those at the start of the step and those that came from looking again; xpos and all else of the position are those at the start.

    Reads: hard_nrow, hrow_geom, hrow_dim, hrow_dir, hrow_arm, hrow_var, hrow_mu, hrow_body, hard_h, hlim_kind, hlim_var, hfri_loss, hfri_var, hard_axis2
    Writes: ncon, nefc, ne, nf, nl, nJ, qfrc_constraint and the fields contact_* and efc_*
    """
