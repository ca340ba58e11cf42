"""Contact rows in the interior-point method: residuals, products, blocks of the matrix, directions, steps to the cones' edge.

A row has a slack and a normal impulse (an orthant pair), and a cone pair: eta, the slip with its bound, and xi, the friction impulses scaled by 1/mu,
whose first entry is the normal impulse. All kernels here work on the rows of the present island: hrow_at[hard_rowfirst : hard_rowend].

Source: Dojo (engine/hard/__init__.py), equations 3, 19-25, 33-38, 40-47.
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel()
def start_rows(m, d):
    """Put the rows on the central path by physical scales: velocity v_s = g h + |v| + |w||arm| of both bodies, mass of the lighter tree.

    Reads: hard_vel, hard_turn, hard_spread, hard_h, hard_treerow, hard_rowfirst, hard_rowend, hrow_at, hrow_body, hrow_arm, hrow_mu, hrow_dim, and what row_motion reads
    Writes: hrow_var, hrow_normal, hrow_reach
    """


@kernel()
def row_residuals(m, d):
    """Residuals and products of the rows; takes their impulses off hard_res of their bodies, and raises hard_rv and hard_kv (against hard_kappa).

    Reads: hrow_at, hrow_var, hrow_body, hrow_dir, hrow_arm, hrow_mu, hrow_dim, hard_rowfirst, hard_rowend, hard_kappa, and what row_motion reads
    Writes: hrow_res, hrow_normal, hrow_reach, hard_res, hard_rv, hard_kv
    """


@kernel()
def row_blocks(m, d):
    """Add the rows' condensed matrices G W J to hard_block of their bodies and to the blocks of their pairs, which are as hard_block is: residual by motion, less impulses.

    Reads: hrow_at, hrow_var, hrow_body, hrow_pair, hrow_dir, hrow_arm, hrow_mu, hrow_dim, hrow_normal, hrow_reach, hard_turn, hard_pair, hard_rowfirst, hard_rowend
    Writes: hrow_turn, hard_block, hard_upper, hard_lower
    """


@kernel("m d f i")
def push_rows(m, d, target, corrector):
    """Take off hard_wrench of the bodies the impulses that the rows' residuals alone would change by on the way to the products `target`.

    corrector: 1 with the second-order term of hrow_predict.
    """


@kernel("m d f i")
def row_directions(m, d, target, corrector):
    """hrow_step from hard_nu of the bodies; target, corrector: as of push_rows."""


@kernel("m d f f", ret="f")
def row_fraction(m, d, orthant, cone):
    """How far hrow_step may be followed, at most 1: these parts of the way to the edge of an orthant and of a cone (equations 42-47)."""
    return 1.0


@kernel("m d f", ret="f")
def row_products(m, d, fraction):
    """Sum of all products s gamma and eta . xi after a part of hrow_step."""
    return 0.0


@kernel("m d f")
def move_rows(m, d, fraction):
    """hrow_var += fraction hrow_step."""


@kernel()
def keep_predictor(m, d):
    """hrow_predict = hrow_step.

    Reads: hrow_at, hrow_step, hard_rowfirst, hard_rowend
    Writes: hrow_predict
    """
