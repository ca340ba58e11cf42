"""States as one vector of numbers, chosen by bits (physics.enums.StateBit), and keyframes.

The parts follow each other in the order of their bits:

    TIME 1, QPOS nq, QVEL nv, ACT na, HISTORY nhistory, WARMSTART nv, CTRL nu, QFRC_APPLIED nv, XFRC_APPLIED 6 nbody,
    EQ_ACTIVE neq, MOCAP_POS 3 nmocap, MOCAP_QUAT 4 nmocap, USERDATA nuserdata

FULLPHYSICS (time and what moves) is enough to go on from; INTEGRATION also holds what the user has set, so that going on
gives the same numbers to the last bit. PLUGIN and PLASTIC have no numbers here.
"""
from __future__ import annotations

import numpy as np

from physics.enums import StateBit
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.model.state_fields import STATE, count, store_keyframe
from physics.simulate.arguments import vector
from physics.simulate.step import check_pair


def _parts(sig: int) -> tuple[str, ...]:
    if not 0 <= sig <= StateBit.INTEGRATION:
        raise ValueError(f"{sig} is no combination of state bits")
    return tuple(field.name for field in STATE if sig & field.bit)


def state_size(m: Model, sig: int) -> int:
    """How many numbers the chosen parts have. Raises ValueError for bits that do not exist."""
    return sum(count(m, field) for field in _parts(sig))


def get_state(m: Model, d: Data, sig: int = StateBit.INTEGRATION) -> np.ndarray:
    """The chosen parts as one new vector (state_size)."""
    check_pair(m, d)
    found = [np.ravel(getattr(d, field)) for field in _parts(sig)]
    return np.concatenate(found).astype(np.float64) if found else np.zeros(0)


def set_state(m: Model, d: Data, state, sig: int = StateBit.INTEGRATION) -> None:
    """Write a vector that get_state gave for the same parts. Raises ValueError where its size differs."""
    check_pair(m, d)
    parts = _parts(sig)
    values = vector(state, sum(count(m, field) for field in parts), "state")
    start = 0
    for field in parts:
        end = start + count(m, field)
        if field == "time":
            d.time = values[start]
        else:
            array = getattr(d, field)
            array[...] = (values[start:end] != 0 if field == "eq_active" else values[start:end]).reshape(array.shape)
        start = end


def extract_state(m: Model, state, sig: int, part: int) -> np.ndarray:
    """The numbers of `part` out of a state vector of the parts `sig`, as a new vector. Raises ValueError where sig lacks some of them."""
    values, wanted, found, start = vector(state, state_size(m, sig), "state"), _parts(part), [np.zeros(0)], 0
    if part & ~sig:
        raise ValueError(f"the state of parts {int(sig)} does not hold all of {int(part)}")
    for field in _parts(sig):
        end = start + count(m, field)
        if field in wanted:
            found.append(values[start:end])
        start = end
    return np.concatenate(found)


def copy_state(m: Model, source: Data, target: Data, sig: int = StateBit.INTEGRATION) -> None:
    """Copy the chosen parts from one Data of the model to another."""
    set_state(m, target, get_state(m, source, sig), sig)


def set_keyframe(m: Model, d: Data, key: int | str) -> None:
    """Store the present state in a keyframe that the model has, given by index or name."""
    check_pair(m, d)
    store_keyframe(m, d, index_of(m, "key", key))
