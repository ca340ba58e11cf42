"""What reading or resetting a Data has this engine compute: the kernels that it gives to Data, which names no engine itself."""
from __future__ import annotations

from physics.engine.forward import compute_sleep_state
from physics.engine.inertia.mass_matrix import fill_factor
from physics.model.data import Data, EngineHooks


def install() -> None:
    """Have Data put sleepers to sleep at a reset, and complete qLD where it is read."""
    Data.engine_hooks = EngineHooks(initial_sleep=compute_sleep_state, fill_factor=fill_factor.at_once)
