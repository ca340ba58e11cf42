"""The speeds by which the first point of a solve is chosen, what a fall of one step gives; and what of an overlap may stay.

Source: our own (change b of the design: a start on a central path by physical scales).
"""
from __future__ import annotations

from math import sqrt

from physics.enums import DSBL_GRAVITY
from physics.kernels.decorators import helper

LEAST = 0.1      # m/s2: where there is no gravity, something else of this size may push
ARM = 0.1        # m: of a joint's turning
OVERLAP = 1e-7   # m, rad: overlaps from here on are undone by positions alone; smaller ones are what tolerances and looking again leave
RECOVERY = 0.5   # m/s, rad/s: speed at which positions end an overlap that there was at the start
SLOWER = 0.05    # part of it that is asked for where an island cannot be as fast
STUCK = 2        # hard_slowed of what ends no overlap
SHARE = 0.1      # of a deep one: positions end so much of it at least; more would be seen as a jump where the engines take over from each other


@helper
def fall_speed(m, d):
    """Speed after one step of free fall [m/s]."""
    g = 0.0
    if m.opt_disableflags & DSBL_GRAVITY == 0:
        g = sqrt(m.opt_gravity[0] * m.opt_gravity[0] + m.opt_gravity[1] * m.opt_gravity[1] + m.opt_gravity[2] * m.opt_gravity[2])
    return d.hard_h * max(g, LEAST)


@helper
def may_stay(d, overlap):
    """What of an overlap at the start of the step, negative [m, rad], there may be at its end: all of it while velocities are solved for.

    Of a deep one positions end a share in each step: what the user moves into a body faster than RECOVERY does not go through it.
    """
    recover = d.hard_recover
    if recover >= RECOVERY * d.hard_h:
        recover = max(recover, -SHARE * overlap)
    return min(0.0, overlap + recover)


@helper
def recovery_at(d, slowed):
    """hard_recover of what is slowed so much."""
    if slowed >= STUCK:
        return 0.0
    return d.hard_recovering if slowed == 0 else SLOWER * d.hard_recovering


@helper
def slowed_pair(m, d, b1, b2):
    """How much the trees of two bodies are slowed, by the one that is more."""
    n = 0
    if m.body_treeid[b1] >= 0:
        n = max(n, d.hard_slowed[m.body_treeid[b1]])
    if m.body_treeid[b2] >= 0:
        n = max(n, d.hard_slowed[m.body_treeid[b2]])
    return n


@helper
def turning_speed(m, d):
    """The same of what hangs on a joint [rad/s]."""
    return fall_speed(m, d) / ARM
