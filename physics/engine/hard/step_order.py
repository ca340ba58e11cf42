"""The order of a hard step, said once."""
from __future__ import annotations

from physics.engine.step_order import StepStage

STAGES: tuple[StepStage, ...] = ()
