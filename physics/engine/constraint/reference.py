"""What the rows ask for: their velocity and the reference acceleration of a spring and damper along each.

Source: MuJoCo documentation, chapter Computation, "Constraint model: reference acceleration".
"""
from __future__ import annotations

from physics.engine.constraint.adhesion import adhesion_reference
from physics.engine.constraint.equality import equality_drift
from physics.engine.constraint.jacobian import mul_block, rows_of_block
from physics.engine.constraint.surface import add_surface_velocities
from physics.enums import INT_DISCRETE
from physics.kernels.decorators import kernel


@kernel()
def reference_constraint(m, d):
    """Write efc_vel = J qvel and efc_aref = -B vel - K I (pos - margin), for connects and welds without dJ/dt qvel.

    Velocities of contacts are against moving surfaces; rows that stick push back against their attraction.
    Reads: qvel, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_type, efc_id, efc_pos, efc_margin, efc_KBIP,
        contact_dim, nefc, ne, xpos, xmat, xquat, site_xpos, subtree_com, cvel, cdof_dot,
        ncon, contact_adhesion, contact_surfacevel, contact_efc_address
    Writes: efc_vel, efc_aref, rows_kept
    """
    d.rows_kept &= ~2  # the reference changes (solve/effective_mass_rows.py)
    i = 0
    while i < d.nefc:
        n = rows_of_block(d, i)
        mul_block(d, i, n, d.qvel, d.efc_vel)
        i += n
    if m.flg_surfacevel:
        add_surface_velocities(m, d)
    for i in range(d.nefc):
        push = d.efc_KBIP[i, 0] * d.efc_KBIP[i, 2] * (d.efc_pos[i] - d.efc_margin[i])
        d.efc_aref[i] = -d.efc_KBIP[i, 1] * d.efc_vel[i] - push
    if m.flg_adhesion and m.opt_integrator != INT_DISCRETE:   # whose rows' final R is not known yet
        adhesion_reference(m, d)
    if d.ne > 0:
        equality_drift(m, d)
