"""The bias force by recursive Newton-Euler (RNE): what the joints must push for zero acceleration (Coriolis, centrifugal and gravity forces).

Source: Featherstone, "Rigid Body Dynamics Algorithms", section 5.3 (recursive Newton-Euler).
"""
from __future__ import annotations

from physics.engine.linalg.spatial import add6, addscl6, cross_force, dot6, mul_inertia
from physics.engine.sleep.awake import some_asleep
from physics.engine.tendon.tendon import tendon_bias
from physics.enums import DSBL_GRAVITY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, ld10, st6


@helper
def forces_outwards(m, d, first, end):
    """Accelerations of the bodies first to end - 1, and the forces that they need."""
    for i in range(first, end):
        acc = ld6(d.body_acc, m.body_parentid[i])
        k = m.body_dofadr[i]
        for a in range(k, k + m.body_dofnum[i]):
            acc = addscl6(acc, ld6(d.cdof_dot, a), d.qvel[a])
        st6(d.body_acc, i, acc)
        inert = ld10(d.cinert, i)
        v = ld6(d.cvel, i)
        st6(d.body_frc, i, add6(mul_inertia(inert, acc), cross_force(v, mul_inertia(inert, v))))


@helper
def forces_inwards(m, d, first, end):
    """Add the forces of the bodies end - 1 down to first to those of their parents."""
    for i in range(end - 1, first - 1, -1):
        p = m.body_parentid[i]
        if p > 0:
            st6(d.body_frc, p, add6(ld6(d.body_frc, p), ld6(d.body_frc, i)))


@helper
def forces_of_dofs(m, d, first, end):
    """What of the bodies' forces acts along the dofs first to end - 1."""
    for a in range(first, end):
        d.qfrc_bias[a] = dot6(ld6(d.cdof, a), ld6(d.body_frc, m.dof_bodyid[a]))


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
    if not some_asleep(m, d):
        forces_outwards(m, d, 1, m.nbody)
        forces_inwards(m, d, 1, m.nbody)
        forces_of_dofs(m, d, 0, m.nv)
    else:
        for r in range(d.nbody_run):
            forces_outwards(m, d, d.body_run[r, 0], d.body_run[r, 1])
        for r in range(d.nbody_run - 1, -1, -1):
            forces_inwards(m, d, d.body_run[r, 0], d.body_run[r, 1])
        for r in range(d.ndof_run):
            forces_of_dofs(m, d, d.dof_run[r, 0], d.dof_run[r, 1])
    if m.ntendon > 0:
        tendon_bias(m, d)
