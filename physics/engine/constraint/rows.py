"""Collect all constraint rows of a pose, in the official order.

    equality | friction of dofs, of tendons | limits of joints, of tendons | contacts
    0        ne                             ne+nf                          ne+nf+nl            nefc

Rows are compressed sparse rows with ascending columns; rows of one contact follow each other and share their columns.
"""
from __future__ import annotations

from physics.engine.constraint.append import SPARE
from physics.engine.constraint.contact_rows import contact_rows
from physics.engine.constraint.equality import equality_rows
from physics.engine.constraint.friction import friction_rows
from physics.engine.constraint.limit import limit_rows
from physics.enums import CNSTR_EQUALITY, CNSTR_FRICTION_TENDON, CNSTR_LIMIT_TENDON, DSBL_CONSTRAINT, DSBL_CONTACT, DSBL_EQUALITY, DSBL_FRICTIONLOSS, DSBL_LIMIT, EQ_TENDON
from physics.kernels.decorators import helper, kernel
from physics.kernels.simd import vbc, vst


@helper
def first_tendon_rows(m, d):
    """tendon_efcadr: the first row of each tendon, of equality constraints, dry friction or limits; -1: none."""
    for t in range(m.ntendon):
        d.tendon_efcadr[t] = -1
    for back in range(d.ne + d.nf + d.nl):
        i = d.ne + d.nf + d.nl - 1 - back
        e = d.efc_id[i]
        if d.efc_type[i] == CNSTR_FRICTION_TENDON or d.efc_type[i] == CNSTR_LIMIT_TENDON:
            d.tendon_efcadr[e] = i
        elif d.efc_type[i] == CNSTR_EQUALITY and m.eq_type[e] == EQ_TENDON:
            d.tendon_efcadr[m.eq_obj1id[e]] = i
            if m.eq_obj2id[e] >= 0:
                d.tendon_efcadr[m.eq_obj2id[e]] = i


@kernel()
def make_constraint(m, d):
    """Write all constraint rows and their parameters.

    Where there is no room: no rows, need_nefc and need_nJ say how much is needed. Call again after growing.
    Reads: qpos, eq_active, ten_length, ten_J, xpos, xmat, xquat, site_xpos, subtree_com, cdof, ncon, contact_dist, contact_pos, contact_frame,
        contact_includemargin, contact_friction, contact_solref, contact_solreffriction, contact_solimp, contact_dim,
        contact_geom
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss,
        efc_diagA, efc_KBIP, efc_R, efc_D, contact_efc_address, contact_exclude, contact_mu, ne, nf, nl, nefc, nJ,
        need_nefc, need_nJ, rows_kept, maxuse_efc, tendon_efcadr
    Source: MuJoCo documentation, chapter Computation, "Constraint model".
    """
    off = m.opt_disableflags
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.nefc = 0
    d.nJ = 0
    d.need_nefc = 0
    d.need_nJ = 0
    d.rows_kept = 0
    if off & DSBL_CONSTRAINT:
        for i in range(d.ncon):
            d.contact_efc_address[i] = -1
        for t in range(m.ntendon):
            d.tendon_efcadr[t] = -1
        return
    if m.neq > 0 and not (off & DSBL_EQUALITY):
        equality_rows(m, d)
    d.ne = d.nefc
    if not (off & DSBL_FRICTIONLOSS):
        friction_rows(m, d)
    d.nf = d.nefc - d.ne
    if not (off & DSBL_LIMIT):
        limit_rows(m, d)
    d.nl = d.nefc - d.nf - d.ne
    if off & DSBL_CONTACT:
        for i in range(d.ncon):
            d.contact_efc_address[i] = -1
    else:
        contact_rows(m, d)
    if d.nefc > d.maxefc or d.nJ + SPARE > d.maxJ:
        d.need_nefc = d.nefc
        d.need_nJ = d.nJ + SPARE
        d.ne = 0
        d.nf = 0
        d.nl = 0
        d.nefc = 0
        d.nJ = 0
    d.maxuse_efc = max(d.maxuse_efc, d.nefc)
    if m.ntendon > 0:
        first_tendon_rows(m, d)
    if d.nefc > 0:
        vst(d.efc_J, d.nJ, vbc(0.0))   # what lies between J's end and the next four is read, times zero
