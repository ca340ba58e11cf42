"""The present pose with nothing in motion: where a question about holding it begins."""
from __future__ import annotations

from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import check_pair, fwd_position, fwd_velocity


def at_rest(m: Model, d: Data, scratch: Data | None = None) -> Data:
    """A Data at the state of d with qvel and qacc 0 and the stages of position and velocity computed for that; d stays as it is. scratch: one of the same Model to compute in;
    without one it is made here. Raises ViewOnlyError as `forward`."""
    check_pair(m, d)
    w = d.copy() if scratch is None else scratch
    if scratch is not None:
        check_pair(m, w)
        w.copy_from(d)
    w.wake()    # what sleeps is left out of the stages
    w.qvel[:] = 0
    w.qacc[:] = 0
    fwd_position(m, w)
    fwd_velocity(m, w)
    return w
