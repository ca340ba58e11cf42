"""How actuators act on the mechanism: lengths, moment arms, and the armature and damping that they lend.

A joint's or tendon's `actuatorid` says which actuator lends armature and damping: -1 none, k >= 0 that one, -2 several
(then all actuators on it are summed). Both are scaled by the square of the gear.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general (joint,
jointinparent, tendon, gear, armature, damping).
"""
from __future__ import annotations

from physics.engine.joints import joint_moment
from physics.enums import DSBL_ACTUATION, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from physics.kernels.decorators import helper, kernel


@kernel()
def transmission(m, d):
    """Lengths and moment arms of all actuators; one row of actuator_moment per output.

    Reads: qpos, ten_length, ten_J
    Writes: actuator_length, actuator_moment, moment_rownnz, moment_rowadr, moment_colind
    """
    adr = 0
    for i in range(m.nactuator):
        kind = m.actuator_trntype[i]
        out = m.actuator_outadr[i]
        k = m.actuator_trnid[i, 0]
        d.moment_rowadr[out] = adr
        if kind == TRN_TENDON:
            gear = m.actuator_gear[out, 0]
            d.actuator_length[out] = gear * d.ten_length[k]
            row = m.ten_J_rowadr[k]
            n = m.ten_J_rownnz[k]
            for a in range(n):
                d.moment_colind[adr + a] = m.ten_J_colind[row + a]
                d.actuator_moment[adr + a] = gear * d.ten_J[row + a]
        else:
            n = joint_moment(m, d, k, out, adr, kind == TRN_JOINTINPARENT)
        d.moment_rownnz[out] = n
        adr += n


@kernel()
def actuator_velocity(m, d):
    """Rates of the actuator lengths, moment qvel; zero with actuation switched off.

    Reads: actuator_moment, moment_rownnz, moment_rowadr, moment_colind, qvel
    Writes: actuator_velocity
    """
    off = m.opt_disableflags & DSBL_ACTUATION
    for out in range(m.nout):
        v = 0.0
        if off == 0:
            adr = d.moment_rowadr[out]
            for a in range(adr, adr + d.moment_rownnz[out]):
                v += d.actuator_moment[a] * d.qvel[d.moment_colind[a]]
        d.actuator_velocity[out] = v


@helper
def acts_on(m, k, i, tendon):
    """Whether actuator i acts on the joint (tendon = 0) or tendon (tendon = 1) k."""
    if m.actuator_trnid[i, 0] != k:
        return False
    kind = m.actuator_trntype[i]
    if tendon == 1:
        return kind == TRN_TENDON
    return kind == TRN_JOINT or kind == TRN_JOINTINPARENT


@helper
def square_gear(m, i):
    """Square of the first gear number of actuator i."""
    g = m.actuator_gear[m.actuator_outadr[i], 0]
    return g * g


@helper
def lent_armature(m, lender, k, tendon):
    """Armature that actuators lend to joint or tendon k."""
    if lender == -1:
        return 0.0
    if lender >= 0:
        return m.actuator_armature[lender] * square_gear(m, lender)
    total = 0.0
    for i in range(m.nactuator):
        if acts_on(m, k, i, tendon):
            total += m.actuator_armature[i] * square_gear(m, i)
    return total


@helper
def joint_armature(m, j):
    """Armature that actuators lend to each dof of joint j."""
    return lent_armature(m, m.jnt_actuatorid[j], j, 0)


@helper
def tendon_armature(m, t):
    """Armature of tendon t with what actuators lend."""
    return m.tendon_armature[t] + lent_armature(m, m.tendon_actuatorid[t], t, 1)


@helper
def add_damping_of(m, i, b, p0, p1):
    """Damping coefficients (b, p0, p1) plus those of actuator i."""
    g = square_gear(m, i)
    return b + g * m.actuator_damping[i], p0 + g * m.actuator_dampingpoly[i, 0], p1 + g * m.actuator_dampingpoly[i, 1]


@helper
def add_lent_damping(m, lender, k, tendon, b, p0, p1):
    """Damping coefficients (b, p0, p1) of a joint or tendon with what actuators lend."""
    if lender == -1:
        return b, p0, p1
    if lender >= 0:
        return add_damping_of(m, lender, b, p0, p1)
    for i in range(m.nactuator):
        if acts_on(m, k, i, tendon):
            b, p0, p1 = add_damping_of(m, i, b, p0, p1)
    return b, p0, p1


@helper
def dof_damping(m, dof):
    """Damping coefficients (b, p0, p1) of a dof: force -v (b + p0 |v| + p1 v^2)."""
    j = m.dof_jntid[dof]
    return add_lent_damping(m, m.jnt_actuatorid[j], j, 0, m.dof_damping[dof], m.dof_dampingpoly[dof, 0], m.dof_dampingpoly[dof, 1])


@helper
def tendon_damping(m, t):
    """Damping coefficients (b, p0, p1) of a tendon: force -v (b + p0 |v| + p1 v^2)."""
    return add_lent_damping(m, m.tendon_actuatorid[t], t, 1, m.tendon_damping[t], m.tendon_dampingpoly[t, 0], m.tendon_dampingpoly[t, 1])
