"""Taking off a part of bodies' weight, as if they hung on balloons or their motors held them.

Where a joint asks for it (actuatorgravcomp) its share counts as actuator force, and then obeys the joint's actuatorfrcrange.

Source: MuJoCo documentation, XML reference, body/gravcomp and body/joint/actuatorgravcomp.
"""
from __future__ import annotations

from physics.engine.inertia.wrench import add_wrench, clear_wrenches, spread_wrenches
from physics.engine.kinematics.joints import dof_count
from physics.engine.linalg.vec import scl3
from physics.engine.switches import has_passive
from physics.enums import DSBL_GRAVITY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3


@helper
def compensates_gravity(m):
    """Whether any weight is to be taken off."""
    if m.flg_gravcomp == 0 or m.opt_disableflags & DSBL_GRAVITY or not has_passive(m):
        return False
    return m.opt_gravity[0] != 0.0 or m.opt_gravity[1] != 0.0 or m.opt_gravity[2] != 0.0


@kernel()
def gravity_compensation(m, d):
    """Forces at the bodies' centres of mass against their weight.

    Reads: xipos, subtree_com, cdof
    Writes: qfrc_gravcomp (and the scratch rows body_frc)
    """
    g = (m.opt_gravity[0], m.opt_gravity[1], m.opt_gravity[2])
    clear_wrenches(m, d)
    for r in range(d.nbody_run):
        for i in range(d.body_run[r, 0], d.body_run[r, 1]):
            part = m.body_gravcomp[i]
            if part != 0.0:
                add_wrench(m, d, i, ld3(d.xipos, i), (0.0, 0.0, 0.0), scl3(g, -part * m.body_mass[i]))
    spread_wrenches(m, d, d.qfrc_gravcomp)


@helper
def compensate(m, d, qfrc, j):
    """Add to qfrc: (nv,) the compensation on joint j."""
    k = m.jnt_dofadr[j]
    for i in range(k, k + dof_count(m.jnt_type[j])):
        qfrc[i] += d.qfrc_gravcomp[i]
