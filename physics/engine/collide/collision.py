"""Collision stage: broad phase, then for each candidate pair the routine of its two geom types (pair_table.py).

Contacts come out in the official order: by body pair, by geom pair, then in the order of the routine. Storage: each
pair needs room for the most points its routine can give; where there is none, need_ncon tells how much would do for
all pairs, and the stage ends.

Source: MuJoCo documentation, chapter Computation, "Collision".
"""
from __future__ import annotations

from physics.engine.collide.broad_phase import broad
from physics.engine.collide.contact import finish
from physics.engine.collide.filter import approach, explicit_margin, pair_gap, pair_margin
from physics.engine.collide.pair_table import max_points, touch
from physics.engine.user_callbacks import call_callback, contact_filtered
from physics.enums import DSBL_CONSTRAINT, DSBL_CONTACT
from physics.kernels.decorators import EXACT, helper, kernel


@helper
def needed_room(m, d, first):
    """points that the candidates from `first` on can give at most"""
    n = 0
    for c in range(first, d.ncand):
        t1 = m.geom_type[d.cand_geom[c, 0]]
        t2 = m.geom_type[d.cand_geom[c, 1]]
        n += max_points(min(t1, t2), max(t1, t2))
    return n


@kernel(fastmath=EXACT)
def narrow(m, d):
    """Make the contacts of all candidate pairs.

    The user's filter is not asked about explicit pairs.
    Reads: ncand, cand_geom, cand_pair, geom_xpos, geom_xmat, geom_size, geom_margin, geom_gap, geom_priority, pair_margin, pair_gap, contact_reach,
    cb_contactfilter, cb_contactparam
    Writes: ncon, contact_dist, contact_pos, contact_frame, contact_geom, contact_dim, need_ncon, cb_id, cb_id2
    """
    for c in range(d.ncand):
        # routines want types ascending
        g1 = d.cand_geom[c, 0]
        g2 = d.cand_geom[c, 1]
        if m.geom_type[g1] > m.geom_type[g2]:
            g1 = d.cand_geom[c, 1]
            g2 = d.cand_geom[c, 0]
        # room for what this pair can give at most; where it lacks, for all that is left
        if d.ncon + max_points(m.geom_type[g1], m.geom_type[g2]) > d.maxcon:
            room = d.ncon + needed_room(m, d, c)
            if room > d.maxcon:
                d.need_ncon = room
                return
        # margin and gap: of the explicit pair, else of both geoms, after the user's filter
        pair = d.cand_pair[c] if m.npair > 0 else -1
        if pair < 0:
            if d.cb_contactfilter != 0 and contact_filtered(m, d, d.cand_geom[c, 0], d.cand_geom[c, 1]):
                continue
            margin = pair_margin(m, g1, g2)
            gap = pair_gap(m, g1, g2)
        else:
            margin = explicit_margin(m, pair)
            gap = m.pair_gap[pair]
        # contact points, then the parameters that they share, then the user's say
        n = touch(m, d, g1, g2, margin + gap + approach(d, g1, g2))
        if n > 0:
            k = d.ncon
            finish(m, d, k, g1, g2, pair, margin, n)
            d.ncon = k + n
            if d.cb_contactparam != 0:
                for i in range(k, k + n):
                    call_callback(m, d, d.cb_contactparam, i)


@kernel()
def collision(m, d):
    """Find all contacts at the present geom poses.

    Reads: geom_xpos, geom_xmat, geom_type, geom_size, opt_disableflags, opt_enableflags
    Writes: ncon, contact_dist, contact_pos, contact_frame, contact_includemargin, contact_friction, contact_solref,
    contact_solreffriction, contact_solimp, contact_mu, contact_dim, contact_geom, contact_exclude,
    contact_efc_address, ncand, cand_geom, need_ncon, maxuse_con
    """
    d.ncon = 0
    d.need_ncon = 0
    # a model of the world alone has nothing that could touch; explicit pairs of its geoms are not looked at, as officially
    if m.nbody < 2 or m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_CONTACT):
        return
    broad(m, d)
    if d.need_ncon == 0:
        narrow(m, d)
    d.maxuse_con = max(d.maxuse_con, d.ncon)
