"""The first point of a solve: the pose to which the velocities of before lead, and all cones on a central path by physical scales.

No warm start: a step is a function of its state alone. Within a step the solve that follows a look begins where the one before it has ended.

Source: our own; the velocity scale is that of free fall in a step and of what the bodies have.
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import start_rows
from physics.engine.hard.contact.fresh_rows import lift_solved, start_fresh
from physics.engine.hard.contact.row_slopes import slip_count
from physics.engine.hard.dry_friction import list_dry_friction, start_dry_friction
from physics.engine.hard.limits import lift_limits, limit_degree, start_limits
from physics.engine.hard.poses import place_island, start_island
from physics.engine.hard.tendon.impulses import start_tendons
from physics.engine.hard.tendon.rows import list_tendon_rows
from physics.engine.hard.ties import start_ties
from physics.kernels.decorators import helper, kernel


@helper
def row_degree(d):
    """Sum of the degrees of the contact rows' cones in the present island: an orthant pair each, and a cone where there is friction."""
    n = 0
    for i in range(d.hard_rowfirst, d.hard_rowend):
        n += 1
        if slip_count(d, d.hrow_at[i]) > 0:
            n += 1
    return n


@helper
def degree(d):
    """By this the sum of all products is divided: the mean is mu."""
    return row_degree(d) + d.hard_nlimit + d.hard_nrub + d.hard_ntenpair


@helper
def count_pairs(m, d):
    """Note how many orthant pairs of limits, dry friction and tendons the present island has, and whose they are: where it has none nothing of theirs is looked at."""
    d.hard_nlimit = limit_degree(m, d)
    d.hard_nrub = 0 if d.hard_project != 0 else list_dry_friction(m, d)
    list_tendon_rows(m, d)


@helper
def goes_on(m, d):
    """Whether a solve of the present island may begin where its last one has ended: impulses of contacts and limits alone are known how to be lifted."""
    return d.hard_ntie == 0 and d.hard_nten == 0 and (d.hard_project != 0 or list_dry_friction(m, d) == 0)


@kernel("m d i")
def start_again(m, d, fresh):
    """The first point of the present island where its last solve has ended, without the rows from `fresh` on: these begin by what they ask for, and all else is lifted to the same
    product.

    Reads: hlim_kind, hard_bodyisland, hard_island, and what count_pairs, place_island, start_fresh, lift_solved and lift_limits read
    Writes: hard_nlimit, hard_nrub, hfri_at, hard_ntenrow, hard_ntenpair, hten_at, and what place_island, start_fresh, lift_solved and lift_limits write
    """
    count_pairs(m, d)
    place_island(m, d)
    product = start_fresh(m, d, fresh)
    lift_solved(m, d, product)
    if d.hard_nlimit > 0:
        lift_limits(m, d, product)


@kernel()
def start(m, d):
    """The first point of the present island.

    Reads: hard_order, hard_first, hard_end, hlim_kind, hfri_loss, hard_nten, hten_kind, hten_body, hard_bodyisland, hard_island, hard_project, and what
        start_island, start_limits, start_dry_friction, start_tendons, start_ties and start_rows read
    Writes: hard_nlimit, hard_nrub, hfri_at, hard_ntenrow, hard_ntenpair, hten_at, and what start_island, start_limits, start_dry_friction, start_tendons, start_ties and
        start_rows write
    """
    count_pairs(m, d)
    start_island(m, d)
    start_limits(m, d)
    start_dry_friction(m, d)
    if d.hard_ntenrow > 0:
        start_tendons(m, d)
    start_ties(m, d)
    start_rows(m, d)
