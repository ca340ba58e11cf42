"""The matrix of the Newton system, condensed: blocks of bodies, of pairs of bodies, and the diagonal of the dofs' own terms.

Source: Dojo (engine/hard/__init__.py), equations 29 and 31.
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import row_blocks
from physics.engine.hard.dry_friction import dry_friction_slopes
from physics.engine.hard.limits import limit_blocks
from physics.engine.hard.momenta import momentum_slope
from physics.engine.hard.ties import tie_blocks
from physics.kernels.decorators import kernel
from physics.kernels.rows import off

LEAST_PIVOT = 1e-12   # added to every dof's slope: a body without mass does not divide by 0


@kernel()
def matrix(m, d):
    """Blocks of the present island, at the trial pose.

    Reads: hard_order, hard_first, hard_end, hard_nlimit, hard_nrub, hard_inertia, hard_turn, hard_H0, hard_pairadr, hard_pairnum, and what limit_blocks,
        dry_friction_slopes, tie_blocks and row_blocks read
    Writes: hard_block, hard_upper, hard_lower, hard_H, and what limit_blocks, dry_friction_slopes, tie_blocks and row_blocks write
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        # diag(m 1, A E)
        block = off(d.hard_block, 48 * b)
        for k in range(48):
            block[k] = 0.0
        mass = m.body_mass[b]
        block[0] = mass
        block[9] = mass
        block[18] = mass
        s = momentum_slope(d, b)
        block[27] = s[0]
        block[28] = s[1]
        block[29] = s[2]
        block[35] = s[3]
        block[36] = s[4]
        block[37] = s[5]
        block[43] = s[6]
        block[44] = s[7]
        block[45] = s[8]
        # pairs in which it is the earlier one
        upper = off(d.hard_upper, 48 * d.hard_pairadr[b])
        lower = off(d.hard_lower, 48 * d.hard_pairadr[b])
        for k in range(48 * d.hard_pairnum[b]):
            upper[k] = 0.0
            lower[k] = 0.0
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_H[k] = d.hard_H0[k] + LEAST_PIVOT
    if d.hard_nlimit > 0:
        limit_blocks(m, d)
    if d.hard_nrub > 0:
        dry_friction_slopes(m, d)
    tie_blocks(m, d)
    row_blocks(m, d)
