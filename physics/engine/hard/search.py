"""Directions, how far they may be followed, and where that leads.

Source: Dojo (engine/hard/__init__.py), equations 40-47 and 51-54.
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import keep_predictor, move_rows, push_rows, row_directions, row_fraction, row_products
from physics.engine.hard.dry_friction import (
    dry_friction_directions,
    dry_friction_fraction,
    dry_friction_products,
    keep_dry_friction,
    move_dry_friction,
    push_dry_friction,
)
from physics.engine.hard.limits import keep_limits, limit_directions, limit_fraction, limit_products, move_limits, push_limits
from physics.engine.hard.poses import move_pose
from physics.engine.hard.residual import residual
from physics.engine.hard.tendon.bordered import solve_bordered
from physics.engine.hard.tendon.impulses import keep_tendons, move_tendons, tendon_directions, tendon_fraction, tendon_products
from physics.engine.hard.ties import move_ties, push_ties, tie_directions
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, st6

HALVINGS = 10   # of a direction, at most


@kernel("m d f i")
def direction(m, d, target, corrector):
    """The Newton direction of the present island towards the products `target`; corrector: 1 with the second-order term of the predictor.

    Reads: hard_res, hard_g, hard_nlimit, hard_nrub, hard_ntenrow
    Writes: hard_wrench, hard_y
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        st6(d.hard_wrench, b, ld6(d.hard_res, b))
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_y[k] = d.hard_g[k]
    if d.hard_nlimit > 0:
        push_limits(m, d, target, corrector)
    if d.hard_nrub > 0:
        push_dry_friction(m, d, target, corrector)
    push_ties(m, d)
    push_rows(m, d, target, corrector)
    solve_bordered(m, d, target, corrector)
    tie_directions(m, d)
    if d.hard_ntenrow > 0:
        tendon_directions(m, d, target, corrector)
    if d.hard_nlimit > 0:
        limit_directions(m, d, target, corrector)
    if d.hard_nrub > 0:
        dry_friction_directions(m, d, target, corrector)
    row_directions(m, d, target, corrector)


@helper
def largest_fraction(m, d, orthant, cone):
    """How far the direction may be followed, at most 1: these parts of the way to the edges."""
    a = row_fraction(m, d, orthant, cone)
    if d.hard_nlimit > 0:
        a = min(a, limit_fraction(m, d, orthant))
    if d.hard_nrub > 0:
        a = min(a, dry_friction_fraction(m, d, orthant))
    if d.hard_ntenpair > 0:
        a = min(a, tendon_fraction(m, d, orthant))
    return a


@helper
def products(m, d, fraction):
    """Sum of all products after a part of the direction."""
    total = row_products(m, d, fraction)
    if d.hard_nlimit > 0:
        total += limit_products(m, d, fraction)
    if d.hard_nrub > 0:
        total += dry_friction_products(m, d, fraction)
    if d.hard_ntenpair > 0:
        total += tendon_products(m, d, fraction)
    return total


@kernel()
def keep_direction(m, d):
    """Keep the predictor, for the second-order term.

    Reads: hard_nlimit, hard_nrub, hard_ntenpair, and what keep_limits, keep_dry_friction, keep_tendons and keep_predictor read
    Writes: what keep_limits, keep_dry_friction, keep_tendons and keep_predictor write
    """
    if d.hard_nlimit > 0:
        keep_limits(m, d)
    if d.hard_nrub > 0:
        keep_dry_friction(m, d)
    if d.hard_ntenpair > 0:
        keep_tendons(m, d)
    keep_predictor(m, d)


@kernel("m d f")
def move_cones(m, d, fraction):
    """All slacks, impulses and their duals by a part of the direction, which may be negative."""
    if d.hard_nlimit > 0:
        move_limits(m, d, fraction)
    if d.hard_nrub > 0:
        move_dry_friction(m, d, fraction)
    if d.hard_ntenrow > 0:
        move_tendons(m, d, fraction)
    move_ties(m, d, fraction)
    move_rows(m, d, fraction)


@kernel("m d f i", ret="f")
def follow(m, d, fraction, coned):
    """Follow the direction, half as far as long as the residual and the violation of complementarity both grow. Returns how far.

    Without cones (coned 0) the residual alone counts: the violation is 0 before and after.

    Reads: hard_rv, hard_kv
    Writes: hard_qkept, and what move_pose, move_cones and residual write
    """
    rv = d.hard_rv
    kv = d.hard_kv
    done = 0.0
    for _ in range(HALVINGS):
        move_pose(m, d, fraction)
        move_cones(m, d, fraction - done)
        done = fraction
        residual(m, d)
        if d.hard_rv <= rv or (coned != 0 and d.hard_kv <= kv):
            break
        fraction *= 0.5
    return done
