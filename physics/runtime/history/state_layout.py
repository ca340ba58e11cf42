"""What is kept of a Model whose states are still in the history: enough to read them and to carry them into another Model, and nothing of its meshes and textures."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.model.state_fields import RECORDED, count

SIZES = ("nq", "nv", "nu", "na", "nbody", "njnt", "nactuator", "neq", "ntendon", "nsite", "nsensor", "nmocap", "nhistory", "ntree", "nuserdata")
KINDS = ("body", "joint", "actuator", "site", "tendon", "equality", "sensor")
ARRAYS = (
    "body_parentid", "body_mocapid", "jnt_type", "jnt_bodyid", "jnt_qposadr", "jnt_dofadr", "actuator_trnid", "actuator_trntype", "actuator_ctrladr", "actuator_ctrlnum",
    "actuator_actadr", "actuator_actnum", "actuator_history", "actuator_historyadr", "sensor_type", "sensor_dim", "sensor_history", "sensor_historyadr", "site_bodyid",
    "site_type", "tendon_type", "eq_type", "eq_active0",
)


class StateLayout:
    """How a Model's states lie in memory and whose they are; `carry_over` takes it in place of the Model of old.

    parts: {recorded field: how many numbers it has}, in the order of an entry.
    """

    def __init__(self, m):
        for name in SIZES:
            setattr(self, name, int(getattr(m, name)))
        for name in ARRAYS:
            setattr(self, name, np.array(getattr(m, name)))
        self.names = {kind: m.names[kind] for kind in KINDS}
        self.places = {kind: m.places[kind] for kind in KINDS}
        self.parts: Mapping[str, int] = MappingProxyType({name: count(m, name) for name in RECORDED})

    def fits(self, m) -> bool:
        """Whether the states of a Model lie the same way and belong to the same elements."""
        return (all(getattr(self, name) == getattr(m, name) for name in SIZES) and all(self.names[kind] == m.names[kind] for kind in KINDS)
                and all(np.array_equal(getattr(self, name), getattr(m, name)) for name in ARRAYS))

    def name(self, kind: str, index: int) -> str:
        """As Model.name."""
        return self.names[kind][index]
