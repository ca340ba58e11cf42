"""The compiled loops by which an engine moves many simulations."""
from __future__ import annotations

from typing import NamedTuple

from physics.kernels.decorators import Kernel


class FleetKernels(NamedTuple):
    """Kernels of engine/fleet/soft.py, or those of another engine with the same arguments."""

    steps: Kernel
    forward: Kernel
    rollout: Kernel
