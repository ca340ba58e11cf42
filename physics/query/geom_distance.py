"""The signed distance of two geoms, at the poses that `forward` has computed last."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from physics.engine.collide import distance
from physics.engine.collide.pair_table import max_points
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.simulate.step import check_pair


class Distance(NamedTuple):
    """dist [m], negative inside each other; fromto (6): the segment from the first geom to the second whose length it is."""

    dist: float
    fromto: np.ndarray


def geom_distance(m: Model, d: Data, geom1: int | str, geom2: int | str, distmax: float = 1.0) -> Distance:
    """Distance of two geoms given by index or name; distmax [m] and a segment of zeros where they are farther apart.

    Raises ValueError where distmax is not finite.
    """
    check_pair(m, d)
    one, two = index_of(m, "geom", geom1), index_of(m, "geom", geom2)
    kinds = tuple(sorted(int(m.geom_type[g]) for g in (one, two)))
    if not math.isfinite(distmax):
        raise ValueError(f"a largest distance of {distmax}")
    d.grow_contacts(d.ncon + max_points(*kinds))
    return Distance(distance.geom_distance(m, d, one, two, float(distmax)), d.sens_fromto.ravel().copy())
