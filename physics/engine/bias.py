"""The bias force: what the joints must push for zero acceleration (Coriolis, centrifugal and gravity forces).

Source: Featherstone, "Rigid Body Dynamics Algorithms", section 5.3 (recursive Newton-Euler).
"""
from __future__ import annotations

from physics.engine.linalg.spatial import add6, addscl6, cross_force, dot6, mul_inertia
from physics.engine.tendon import tendon_bias
from physics.enums import DSBL_GRAVITY
from physics.kernels.decorators import kernel
from physics.kernels.rows import ld6, ld10, st6


@kernel()
def rne(m, d):
    """Bias force of the present positions and velocities.

    Reads: cdof, cdof_dot, cvel, cinert, qvel, site_xpos, subtree_com, ten_J
    Writes: qfrc_bias (and the scratch rows body_acc, body_frc)
    Source: Featherstone 2008, table 5.1, gravity as an acceleration of the world.
    """
    if m.opt_disableflags & DSBL_GRAVITY:
        st6(d.body_acc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        st6(d.body_acc, 0, (0.0, 0.0, 0.0, -m.opt_gravity[0], -m.opt_gravity[1], -m.opt_gravity[2]))
    # accelerations outwards, and the forces that they need
    for r in range(d.nbody_run):
        for i in range(d.body_run[r, 0], d.body_run[r, 1]):
            acc = ld6(d.body_acc, m.body_parentid[i])
            k = m.body_dofadr[i]
            for a in range(k, k + m.body_dofnum[i]):
                acc = addscl6(acc, ld6(d.cdof_dot, a), d.qvel[a])
            st6(d.body_acc, i, acc)
            inert = ld10(d.cinert, i)
            v = ld6(d.cvel, i)
            st6(d.body_frc, i, add6(mul_inertia(inert, acc), cross_force(v, mul_inertia(inert, v))))
    # forces inwards
    for r in range(d.nbody_run - 1, -1, -1):
        for i in range(d.body_run[r, 1] - 1, d.body_run[r, 0] - 1, -1):
            p = m.body_parentid[i]
            if p > 0:
                st6(d.body_frc, p, add6(ld6(d.body_frc, p), ld6(d.body_frc, i)))
    for r in range(d.ndof_run):
        for a in range(d.dof_run[r, 0], d.dof_run[r, 1]):
            d.qfrc_bias[a] = dot6(ld6(d.cdof, a), ld6(d.body_frc, m.dof_bodyid[a]))
    if m.ntendon > 0:
        tendon_bias(m, d)
