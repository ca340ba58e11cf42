"""What the options' flags leave on, where more than one stage asks.

Source: MuJoCo documentation, XML reference, option/flag.
"""
from __future__ import annotations

from physics.enums import DSBL_DAMPER, DSBL_SPRING
from physics.kernels.decorators import helper


@helper
def has_passive(m):
    """Whether there are passive forces: with springs and dampers disabled there are none at all, of whatever kind."""
    both = DSBL_SPRING | DSBL_DAMPER
    return m.opt_disableflags & both != both
