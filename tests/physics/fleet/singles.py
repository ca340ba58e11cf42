"""The same simulations one by one, as users without a fleet would run them."""
from __future__ import annotations

from functools import cache

import numpy as np

import physics
from assets.locate import bundled_model
from physics.enums import DSBL_AUTORESET, StateBit

ALL = StateBit.INTEGRATION


@cache
def bundled(name: str):
    """A bundled model; not to be changed (`changed` gives one that may be)."""
    return physics.load(bundled_model(f"{name}.xml"))


def changed(name: str):
    """A bundled model of one's own."""
    return physics.load(bundled_model(f"{name}.xml"))


def states_of(m, n: int, speed: float = 0.5, seed: int = 0) -> np.ndarray:
    """n states near the initial pose, with controls and small applied forces."""
    rng, d, found = np.random.default_rng(seed), physics.Data(m), []
    for _ in range(n):
        d.reset()
        d.qvel[:] = speed * rng.normal(size=m.nv)
        d.ctrl[:] = 0.3 * rng.normal(size=m.nu)
        d.qfrc_applied[:] = 0.01 * rng.normal(size=m.nv)
        found.append(physics.get_state(m, d, ALL))
    return np.array(found)


def stepped(m, state: np.ndarray, nstep: int) -> physics.Data:
    """One Data, set to the state and stepped by itself."""
    d = physics.Data(m)
    physics.set_state(m, d, state, ALL)
    physics.step(m, d, nstep, autoreset=False)
    return d


def alone(m, states: np.ndarray, nstep: int) -> np.ndarray:
    """The states after nstep steps of each."""
    return np.array([physics.get_state(m, stepped(m, state, nstep), ALL) for state in states])


def without_autoreset(m):
    """The Model, whose divergence is to be seen in a Data."""
    m.opt_disableflags |= DSBL_AUTORESET
    return m
