"""Islands, the order of elimination and its fill: planned anew only where the set of touching pairs of bodies has changed.

    hard_order    bodies, islands one after the other, each child before its parent, else least degree first
    hard_pair     pairs of bodies with a block: those that touch or are tied, and fill; grouped by the one that is eliminated earlier
    hard_target   where the products of two pairs of one earlier body go

Two bodies are in one island where their trees are tied or touch. Bodies that do not move (body_treeid < 0) are in none.

Source: George and Liu, "Computer Solution of Large Sparse Positive Definite Systems" (minimum degree); Dojo (engine/hard/__init__.py), equation 14 and figure 3.
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel()
def plan(m, d):
    """Order, pairs and islands for the present rows; asks for room in need_nhB and need_nht where there is none.

    Pairs of the limited ball joints' bodies with their parents count as touching: their limits act on both.

    Reads: hard_nrow, hrow_body
    Writes: hard_order, hard_place, hard_pair, hard_pairadr, hard_pairnum, hard_pairnext, hard_targetadr, hard_target, hard_npair, hard_ntouch, hard_nplan, hard_touch,
        hard_touchwas, hard_pairof, hard_nisland, hard_bodyisland, hard_islandadr, hard_islandnum, hard_childleft, hard_mark, hard_link, hrow_at, hrow_pair, hard_degree
    """
