"""mujoco.batch: many simulations of one model on threads, as rows of states (physics.Fleet)."""
from .batch import Batch, SimulationError
from .fields import DATA_FIELDS, MODEL_FIELDS
from .fields import is_structural as _structural  # noqa: F401
from .selection import ids_of as _ids  # noqa: F401

__all__ = ("DATA_FIELDS", "MODEL_FIELDS", "Batch", "SimulationError")
