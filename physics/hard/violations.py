"""What a state of the hard engine is wrong by, judged by others than the engine itself."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.diagnostics.engine_figures import Judge
from physics.enums import CNSTR_EQUALITY
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import check_pair


class Violations(NamedTuple):
    """Deepest overlap of two geoms [m], fastest slip of a contact that sticks [m/s], largest error of a tie [m, rad] - joints have none: they are kept by coordinates -,
    and energy [J]."""

    overlap: float
    slip: float
    joint: float
    energy: float


def violations(m: Model, d: Data) -> Violations:
    """Of the state of d, by the collision test, rows and energies of the soft engine; whichever engine moves the model. d stays as it is. Raises ViewOnlyError."""
    check_pair(m, d)
    judge = Judge(m)
    figures = judge.look(d)
    own = judge.data
    ties = own.efc_type[:own.nefc] == CNSTR_EQUALITY
    return Violations(figures.overlap, figures.slip, float(np.abs(own.efc_pos[:own.nefc][ties]).max(initial=0.0)), figures.energy)
