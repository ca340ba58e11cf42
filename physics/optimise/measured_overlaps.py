"""By how much measured states overlap under a model's parameters: what was measured did not, so that it tells sizes and places of geoms, even where a rollout from such a state says
nothing of them, because contact holds whatever the depth.

    o_k = sum over the contacts of a measured state k of max(0, -dist)      one number for each state, by the soft engine's collision test

Source: Pfrommer, Halm and Posa, "ContactNets: learning discontinuous contact dynamics with smooth, implicit representations", 2020: the penetration term of its loss.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from physics.enums import Engine
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.optimise.motions import Motion
from physics.simulate.step import fwd_position


def overlaps(m: Model, motions: Sequence[Motion]) -> np.ndarray:
    """o of every state of the motions, one behind the other [m]."""
    own = model_beside(m)
    own.opt_engine = int(Engine.SOFT)
    d, found = Data(own), []
    for motion in motions:
        for qpos in motion.qpos:
            d.qpos[:] = qpos
            fwd_position(own, d)
            found.append(float(np.maximum(0.0, -d.contact_dist[:d.ncon]).sum()))
    return np.array(found)
