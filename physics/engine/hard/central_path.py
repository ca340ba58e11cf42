"""A solve taken one iteration at a time, for those who want to see it: the same kernels as in newton.py, and nothing else.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", algorithm 2.
"""
from __future__ import annotations

from physics.engine.hard.newton import BIG, has_ended, iterate
from physics.engine.hard.rescue import fraction_of
from physics.engine.hard.residual import residual
from physics.engine.hard.sensitivity import take_island
from physics.engine.hard.start import degree, start
from physics.kernels.decorators import kernel


@kernel("m d i")
def begin_island(m, d, i):
    """Take island i to its first point.

    Reads: hard_islandadr, hard_islandnum
    Writes: hard_spread, hard_fraction, and what take_island, start and residual write
    """
    take_island(m, d, i)
    d.hard_spread = 1.0
    d.hard_fraction = fraction_of(d, 0)
    start(m, d)
    residual(m, d)


@kernel("m d i i", ret="i")
def continue_island(m, d, i, k):
    """The k-th iteration of island i from where it is. Returns 1 where it was at its end already or cannot go on, and stays.

    Reads: hard_islandadr, hard_islandnum
    Writes: what take_island, residual and iterate write
    """
    take_island(m, d, i)
    residual(m, d)
    if has_ended(m, d) or not (d.hard_rv < BIG):
        return 1
    iterate(m, d, k, degree(d))
    return 0
