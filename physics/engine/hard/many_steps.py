"""Many hard steps in one call: plain, with the mouse's force, noise and record, and as a rollout."""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel("m d i", ret="i")
def step_n(m, d, n):
    """Advance by up to n time steps; how many happened."""
    return 0
