"""Pairs of geoms that cannot touch anew: one of them sleeps, and the other does too or cannot move.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands".
"""
from __future__ import annotations

from physics.engine.sleep.awake import some_asleep
from physics.enums import S_AWAKE
from physics.kernels.decorators import helper, kernel


@helper
def rests(m, d, g1, g2):
    """Whether neither geom's body is awake."""
    return d.body_awake[m.geom_bodyid[g1]] != S_AWAKE and d.body_awake[m.geom_bodyid[g2]] != S_AWAKE


@helper
def pair_rests(m, d, g1, g2):
    """The same, at once where all are awake."""
    return some_asleep(m, d) and rests(m, d, g1, g2)


@kernel("m d i", ret="i")
def drop_resting(m, d, n):
    """Take the pairs that rest out of n candidates; -> how many are left.

    Reads: body_awake
    Writes: cand_geom
    """
    kept = 0
    for c in range(n):
        g1 = d.cand_geom[c, 0]
        g2 = d.cand_geom[c, 1]
        if not rests(m, d, g1, g2):
            d.cand_geom[kept, 0] = g1
            d.cand_geom[kept, 1] = g2
            kept += 1
    return kept
