"""The residual of the step at the trial pose, and how far it is from a solution.

    body   R_b = momentum taken along - momentum brought along - impulses of contacts and limits, with the children's carried to it
    dof    r_k = S2_k . R_b + H0_k qd_k - tau_k - impulses of its limits and dry friction, and of its tendons

S2: twists at the start of the step (the impulse map); joints hold to rounding at every iterate, as the trial pose is found from joint coordinates, so that
their impulses are no unknowns: they are R_b.

Source: Dojo (engine/hard/__init__.py), equations 26-28, 49 and 50.
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import row_residuals
from physics.engine.hard.dry_friction import dry_friction_residuals
from physics.engine.hard.limits import limit_residuals
from physics.engine.hard.momenta import momentum_residual
from physics.engine.hard.poses import carrier_of
from physics.engine.hard.tendon.impulses import tendon_residuals
from physics.engine.hard.ties import tie_residuals
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import cross3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, st6

BIG = 1e300


@helper
def carry_inwards(d, b, a, w):
    """Add the wrench w on body b to that on a, about a's centre of mass at the start of the step."""
    t = cross3(sub3(ld3(d.hard_x2, b), ld3(d.hard_x2, a)), (w[0], w[1], w[2]))
    p = ld6(d.hard_wrench, a)
    st6(d.hard_wrench, a, (p[0] + w[0], p[1] + w[1], p[2] + w[2], p[3] + w[3] + t[0], p[4] + w[4] + t[1], p[5] + w[5] + t[2]))


@kernel()
def residual(m, d):
    """Residuals of the present island, with hard_rv, the largest of them, and hard_kv, the largest violation of complementarity.

    A residual that is no number makes hard_rv BIG.

    Reads: hard_order, hard_first, hard_end, hard_nlimit, hard_nrub, hard_ntenrow, hard_vel, hard_turn, hard_mom, hard_inertia, hard_qd, hard_H0, hard_tau, hard_axis2, hard_x2,
        hard_h, and what
        limit_residuals, dry_friction_residuals, tendon_residuals, tie_residuals and row_residuals read
    Writes: hard_res, hard_wrench, hard_g, hard_r, hard_rv, hard_kv, and what limit_residuals, dry_friction_residuals, tendon_residuals, tie_residuals and
        row_residuals write
    """
    d.hard_rv = 0.0
    d.hard_kv = 0.0
    # momenta, and the dofs' own terms
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        st6(d.hard_res, b, momentum_residual(m, d, b))
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_g[k] = d.hard_H0[k] * d.hard_qd[k] - d.hard_tau[k]
    # impulses
    if d.hard_nlimit > 0:
        limit_residuals(m, d)
    if d.hard_nrub > 0:
        dry_friction_residuals(m, d)
    if d.hard_ntenrow > 0:
        tendon_residuals(m, d)
    tie_residuals(m, d)
    row_residuals(m, d)
    # inwards along the trees
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        st6(d.hard_wrench, b, ld6(d.hard_res, b))
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        w = ld6(d.hard_wrench, b)
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            r = dot6(ld6(d.hard_axis2, k), w) + d.hard_g[k]
            d.hard_r[k] = r
            d.hard_rv = max(d.hard_rv, abs(r))
            if not (abs(r) < BIG):
                d.hard_rv = BIG
        a = carrier_of(m, b)
        if a > 0:
            carry_inwards(d, b, a, w)
