"""Derivatives of the dofs' forces where each dof has its own: springs and dampers of joints, one actuator at most.

Then all positions, velocities, activations or controls are nudged at once, and each dof tells what its own nudge did to it. Where forces depend on more - a medium,
tendons, sites, compensation of gravity, what the user has programmed - they are nudged one by one.
"""
from __future__ import annotations

from physics.engine.actuator.activation import advance_act
from physics.engine.actuator.actuation import actuation
from physics.engine.actuator.transmission import actuator_velocity, on_joint, tendon_damping, transmission
from physics.engine.hard.next_state import first_column, nudges_of, room_for
from physics.engine.hard.sensitivity import ACTIVATION, CONTROL, NOTHING, POSITION, VELOCITY, nudge
from physics.engine.hard.slopes import dof_slopes, servo_slopes
from physics.engine.kinematics.joints import dof_count, rotation_dof
from physics.engine.passive.fluid import has_medium
from physics.engine.passive.gravity_compensation import compensates_gravity
from physics.engine.passive.passive import has_joint_spring, passive
from physics.enums import TENDON_FIXED, TRN_SITE
from physics.kernels.decorators import helper, kernel


@helper
def programmed(d):
    """Whether the user has programmed a force."""
    return d.cb_passive != 0 or d.cb_control != 0 or d.cb_act_dyn != 0 or d.cb_act_gain != 0 or d.cb_act_bias != 0


@helper
def tendons_idle(m):
    """Whether no tendon pulls, and all have lengths that are sums of joints' coordinates."""
    for t in range(m.ntendon):
        b, p0, p1 = tendon_damping(m, t)
        if m.tendon_type[t] != TENDON_FIXED or b != 0.0 or p0 != 0.0 or p1 != 0.0:
            return False
        if m.tendon_stiffness[t] != 0.0 or m.tendon_stiffnesspoly[t, 0] != 0.0 or m.tendon_stiffnesspoly[t, 1] != 0.0:
            return False
    return True


@helper
def springs_apart(m):
    """Whether no joint of several dofs has a spring."""
    for j in range(m.njnt):
        if dof_count(m.jnt_type[j]) != 1 and has_joint_spring(m, j):
            return False
    return True


@helper
def actuators_apart(m):
    """Whether every actuator has one control and one activation at most, and a joint of one dof to itself."""
    for i in range(m.nactuator):
        if not on_joint(m, i) or dof_count(m.jnt_type[m.actuator_trnid[i, 0]]) != 1 or m.actuator_ctrlnum[i] > 1 or m.actuator_actnum[i] > 1:
            return False
        for k in range(i):
            if m.actuator_trnid[k, 0] == m.actuator_trnid[i, 0]:
                return False
    return True


@kernel("m d", ret="i")
def forces_are_own(m, d):
    """Whether each dof's forces depend on its own position, velocity, activation and control alone: 1 or 0.

    Reads: cb_passive, cb_control, cb_act_dyn, cb_act_gain, cb_act_bias
    Writes: nothing
    """
    if programmed(d) or has_medium(m) or compensates_gravity(m) or m.flg_adhesion:
        return 0
    return 1 if tendons_idle(m) and springs_apart(m) and actuators_apart(m) else 0


@helper
def actuators_on_bodies(m):
    """Whether every actuator acts on a joint or pushes at a site by itself."""
    for i in range(m.nactuator):
        if not on_joint(m, i) and not (m.actuator_trntype[i] == TRN_SITE and m.actuator_trnid[i, 1] < 0):
            return False
    return True


@kernel("m d", ret="i")
def forces_ride(m, d):
    """Whether all forces ride on the trees: the same wherever a tree without contacts and springs to the world is. 1 or 0.

    Reads: cb_passive, cb_control, cb_act_dyn, cb_act_gain, cb_act_bias
    Writes: nothing
    """
    return 1 if not programmed(d) and m.ntendon == 0 and not m.flg_adhesion and actuators_on_bodies(m) else 0


@helper
def is_shift(m, d, k, ride):
    """Whether dof k moves a tree as a whole along an axis of the world and nothing else knows of it; ride: whether all forces ride on the trees. Then the end of the step
    moves as its start does."""
    j = m.dof_jntid[k]
    b = m.dof_bodyid[k]
    # what turns with shifts before it is free
    return (ride != 0 and k < rotation_dof(m, j) and not has_joint_spring(m, j)
            and d.hard_islandnum[d.hard_bodyisland[b], 1] == 0)


@kernel("m d d i i f")
def nudge_all(m, d, e, what, side, step):
    """Let e have the state of d with all numbers of what is nudged changed by `step` to one side; of positions those of joints of one dof. Controls stay in their ranges."""
    nudge(m, d, e, NOTHING, 0, 0.0)
    s = step if side == 0 else -step
    if what == POSITION:
        for j in range(m.njnt):
            if dof_count(m.jnt_type[j]) == 1:
                e.qpos[m.jnt_qposadr[j]] += s
    elif what == VELOCITY:
        for k in range(m.nv):
            e.qvel[k] += s
    elif what == ACTIVATION:
        for k in range(m.na):
            e.act[k] += s
    else:
        for k in range(m.nu):
            e.ctrl[k] += room_for(m, d, CONTROL, k, s)
    for k in range(m.nv):
        e.hard_qd0[k] = e.qvel[k]


@kernel()
def own_forces(m, d):
    """The dofs' forces and slopes where they are their own, from qpos, qvel, act and ctrl alone.

    Reads: qpos, qvel, act, ctrl, hard_qd0, hard_h
    Writes: what transmission, actuator_velocity, passive, actuation, dof_slopes and servo_slopes write
    """
    transmission(m, d)
    actuator_velocity(m, d)
    passive(m, d)
    actuation(m, d)
    dof_slopes(m, d)
    servo_slopes(m, d)


@helper
def part_of(m, d, what, k, side, step):
    """1 over the distance of both nudges of number k, with the sign of the side; 0 where there is no room for any."""
    up = room_for(m, d, what, k, step)
    down = room_for(m, d, what, k, -step)
    if up == down:
        return 0.0
    return (1.0 if side == 0 else -1.0) / (up - down)


@helper
def add_dof_force(m, d, e, c, k, part):
    """Add to the right sides of column c the part of dof k's own."""
    d.hard_right[m.nv * c + k] += part * (e.hard_H0[k] * d.hard_qd[k] - e.hard_tau[k])


@kernel("m d d i f")
def own_columns(m, d, e, what_first, step):
    """Add to the right sides of the columns by what is nudged, from what_first on, what the dofs' forces change by, and write how the activations change.

    Reads: qpos, qvel, act, ctrl, hard_qd
    Writes: hard_right, hard_column; of e what own_forces writes
    """
    wide = 2 * m.nv + m.na + m.nu
    for what in range(what_first, CONTROL + 1):
        if nudges_of(m, what) == 0:
            continue
        first = first_column(m, what)
        for side in range(2):
            nudge_all(m, d, e, what, side, step)
            own_forces(m, e)
            advance_act(m, e, e.act_dot)
            if what == POSITION or what == VELOCITY:
                for k in range(m.nv):
                    add_dof_force(m, d, e, first + k, k, part_of(m, d, what, k, side, step))
            for i in range(m.nactuator):
                k = m.jnt_dofadr[m.actuator_trnid[i, 0]]
                a = m.actuator_actadr[i] if m.actuator_actnum[i] > 0 else -1
                u = m.actuator_ctrladr[i] if m.actuator_ctrlnum[i] > 0 else -1
                n = k if what < ACTIVATION else (a if what == ACTIVATION else u)
                if n < 0:
                    continue
                part = part_of(m, d, what, n, side, step)
                if what >= ACTIVATION:
                    add_dof_force(m, d, e, first + n, k, part)
                if a >= 0:
                    d.hard_column[(2 * m.nv + a) * wide + first + n] += part * e.act[a]
    # as they are
    nudge(m, d, e, NOTHING, 0, 0.0)
    for k in range(m.nv):
        e.hard_qd0[k] = e.qvel[k]
    own_forces(m, e)
