"""Forces that act by themselves: springs and dampers on joints and tendons, the medium, and what takes off weight.

Springs may stiffen with displacement, dampers with speed: force -x (k + p0 x + p1 x^2) and -v (b + p0 |v| + p1 v^2).
A tendon's spring acts outside its deadband only.

Source: MuJoCo documentation, Computation chapter, "Passive forces"; XML reference, joint and tendon stiffness, damping.
"""
from __future__ import annotations

from physics.engine.actuator.transmission import dof_damping, tendon_damping
from physics.engine.constraint.adhesion import adhesion_force
from physics.engine.kinematics.joints import joint_spring, poly, poly_energy
from physics.engine.passive.fluid import fluid, has_medium
from physics.engine.passive.gravity_compensation import compensate, compensates_gravity, gravity_compensation
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.state import tendon_state
from physics.engine.switches import has_passive
from physics.enums import DSBL_DAMPER, DSBL_SPRING, S_AWAKE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import callback, off
from physics.kernels.simd import vld, vsum


@helper
def has_joint_spring(m, j):
    """Whether joint j has a spring."""
    return m.jnt_stiffness[j] != 0.0 or m.jnt_stiffnesspoly[j, 0] != 0.0 or m.jnt_stiffnesspoly[j, 1] != 0.0


@helper
def first_spring(m):
    """A joint before which none has a spring, found four by four: many models have none at all (squares below 1e-308 count as none)."""
    more = off(m.jnt_stiffnesspoly, 0)
    j = 0
    while j + 4 <= m.njnt:
        k = vld(m.jnt_stiffness, j)
        p = vld(more, 2 * j)
        q = vld(more, 2 * j + 4)
        if vsum(k * k + p * p + q * q) != 0.0:
            break
        j += 4
    return j


@helper
def tendon_stretch(m, d, t):
    """How far the tendon's length is outside its spring's deadband [m or rad], negative below."""
    length = d.ten_length[t]
    low = m.tendon_lengthspring[t, 0]
    high = m.tendon_lengthspring[t, 1]
    if length > high:
        return length - high
    if length < low:
        return length - low
    return 0.0


@helper
def tendon_spring_energy(m, d, t):
    """Energy stored in the tendon's spring [J]."""
    return poly_energy(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], tendon_stretch(m, d, t))


@kernel()
def tendon_passive(m, d):
    """Add the tendons' springs and dampers to qfrc_spring and qfrc_damper.

    Reads: ten_length, ten_velocity, ten_J
    Writes: qfrc_spring, qfrc_damper
    """
    spring = m.opt_disableflags & DSBL_SPRING == 0
    damper = m.opt_disableflags & DSBL_DAMPER == 0
    for t in range(m.ntendon):
        if some_asleep(m, d) and tendon_state(m, d, t) != S_AWAKE:
            continue
        pull = 0.0
        drag = 0.0
        if spring:
            x = tendon_stretch(m, d, t)
            pull = -x * poly(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x)
        if damper:
            v = d.ten_velocity[t]
            b, p0, p1 = tendon_damping(m, t)
            drag = -v * poly(b, p0, p1, abs(v))
        if pull != 0.0 or drag != 0.0:
            adr = m.ten_J_rowadr[t]
            for a in range(adr, adr + m.ten_J_rownnz[t]):
                k = m.ten_J_colind[a]
                if d.tree_awake[m.dof_treeid[k]] == 0:
                    continue
                d.qfrc_spring[k] += d.ten_J[a] * pull
                d.qfrc_damper[k] += d.ten_J[a] * drag


@helper
def begin_passive(m, d, first, end):
    """Dampers of the dofs first to end - 1; nothing yet of the other kinds of passive force."""
    for k in range(first, end):
        d.qfrc_spring[k] = 0.0
        d.qfrc_damper[k] = 0.0
        d.qfrc_gravcomp[k] = 0.0
        d.qfrc_fluid[k] = 0.0
        d.qfrc_adhesion[k] = 0.0
    if m.opt_disableflags & DSBL_DAMPER == 0:
        for k in range(first, end):
            b, p0, p1 = dof_damping(m, k)
            v = d.qvel[k]
            d.qfrc_damper[k] = -v * poly(b, p0, p1, abs(v))


@helper
def sum_passive(d, first, end):
    """Springs and dampers together."""
    for k in range(first, end):
        d.qfrc_passive[k] = d.qfrc_spring[k] + d.qfrc_damper[k]


@kernel()
def passive(m, d):
    """All passive forces, the user's own last. Compensation of weight on joints whose motors do it (actuatorgravcomp) is not in the sum.

    Reads: cb_passive, qpos, qvel, ten_length, ten_velocity, ten_J, xipos, ximat, geom_xpos, geom_xmat, cvel, subtree_com, cdof, ncon, contact_adhesion
    Writes: qfrc_spring, qfrc_damper, qfrc_gravcomp, qfrc_fluid, qfrc_adhesion, qfrc_passive
    """
    asleep = some_asleep(m, d)
    if not asleep:
        begin_passive(m, d, 0, m.nv)
    else:
        for r in range(d.ndof_run):
            begin_passive(m, d, d.dof_run[r, 0], d.dof_run[r, 1])
    if m.opt_disableflags & DSBL_SPRING == 0:
        for j in range(first_spring(m), m.njnt):
            if has_joint_spring(m, j) and d.body_awake[m.jnt_bodyid[j]] == S_AWAKE:
                joint_spring(m, d, j)
    if m.ntendon > 0:
        tendon_passive(m, d)
    if not asleep:
        sum_passive(d, 0, m.nv)
    else:
        for r in range(d.ndof_run):
            sum_passive(d, d.dof_run[r, 0], d.dof_run[r, 1])
    if has_medium(m):
        fluid(m, d)
        for r in range(d.ndof_run):
            for k in range(d.dof_run[r, 0], d.dof_run[r, 1]):
                d.qfrc_passive[k] += d.qfrc_fluid[k]
    if m.flg_adhesion and has_passive(m):
        adhesion_force(m, d)
        for r in range(d.ndof_run):
            for k in range(d.dof_run[r, 0], d.dof_run[r, 1]):
                d.qfrc_passive[k] += d.qfrc_adhesion[k]
    if compensates_gravity(m):
        gravity_compensation(m, d)
        for j in range(m.njnt):
            if not m.jnt_actgravcomp[j] and d.body_awake[m.jnt_bodyid[j]] == S_AWAKE:
                compensate(m, d, d.qfrc_passive, j)
    if d.cb_passive != 0 and has_passive(m):
        callback(d.cb_passive, m, d)
