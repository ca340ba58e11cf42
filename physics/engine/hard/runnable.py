"""Whether the hard engine can move a model as it is now: the quick face of physics/simulate/hard_unsupported.py, asked at each call."""
from __future__ import annotations

from physics.engine.actuator.dcmotor import motors_fit
from physics.engine.actuator.transmission import tendon_armature
from physics.engine.clamp import is_bad
from physics.engine.collide.contact import dims_fit
from physics.engine.kinematics.joints import is_ball
from physics.enums import (
    DSBL_CONSTRAINT,
    DSBL_EQUALITY,
    DSBL_LIMIT,
    ENBL_IPC,
    ENBL_SLEEP,
    ENBL_SPECULATIVE,
    EQ_CONNECT,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    MINVAL,
    TRN_BODY,
)
from physics.kernels.decorators import helper, kernel

FORBIDDEN = ENBL_SLEEP | ENBL_IPC | ENBL_SPECULATIVE


@helper
def nothing_pulls(m):
    """Whether no contact is adhesive."""
    for g in range(m.ngeom):
        if m.geom_adhesion[g] != 0:
            return False
    for p in range(m.npair):
        if m.pair_adhesion[p] != 0:
            return False
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_BODY:
            return False
    return True


@helper
def ties_alone(m):
    """Whether every equality is one that is solved exactly."""
    if m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_EQUALITY) != 0:
        return True
    for i in range(m.neq):
        kind = m.eq_type[i]
        if kind != EQ_CONNECT and kind != EQ_WELD and kind != EQ_JOINT and kind != EQ_TENDON:
            return False
    return True


@helper
def tendons_light(m):
    """Whether no tendon has inertia, of its own or lent by an actuator."""
    for i in range(m.ntendon):
        if tendon_armature(m, i) != 0.0:
            return False
    return True


@helper
def balls_alone(m):
    """Whether every ball joint with a limit is the only joint of its body."""
    if m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_LIMIT) != 0:
        return True
    for j in range(m.njnt):
        if m.jnt_limited[j] and is_ball(m, j) and m.body_jntnum[m.jnt_bodyid[j]] > 1:
            return False
    return True


@helper
def all_heavy(m):
    """Whether every dof moves some inertia: a pivot of the elimination is at least that."""
    for k in range(m.nv):
        if not m.dof_M0[k] >= MINVAL:
            return False
    return True


@kernel("m d", ret="i")
def runnable(m, d):
    """Whether hard_unsupported.issues would find nothing: 1 or 0.

    Reads: nothing
    Writes: nothing
    """
    if m.opt_enableflags & FORBIDDEN != 0 or is_bad(m.opt_timestep):
        return 0
    if not (motors_fit(m) and dims_fit(m) and all_heavy(m)):
        return 0
    return 1 if nothing_pulls(m) and ties_alone(m) and tendons_light(m) and balls_alone(m) else 0
