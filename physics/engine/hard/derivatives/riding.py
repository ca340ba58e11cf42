"""The residual at a nudged position without looking for contacts again, where their rows ride on the bodies as they would be found: one island, nothing else.

Corners and round shapes on a plane, balls and crossed capsules are held by the same points of the bodies wherever these are, so that what collision would find for the
nudged state is what rides there. Tangents may turn about the normal meanwhile: with the same friction along both of them that changes nothing.
"""
from __future__ import annotations

from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO
from physics.engine.hard.contact.reach import is_exact
from physics.engine.hard.limits import ANGLE
from physics.engine.hard.momenta import add_wrench_on, bring_momentum
from physics.engine.hard.poses import copy_joint, note_motion, place_body
from physics.engine.hard.sensitivity import ride
from physics.engine.kinematics.joints import joint_advance, joint_difference
from physics.engine.kinematics.shapes import BOX, MESH, PLANE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, st3, st4, st6


@helper
def is_corner_on_plane(m, d, c):
    """Whether row c holds a corner of a box or mesh on a plane."""
    kind = d.hrow_kind[c]
    one = m.geom_type[d.hrow_geom[c, 0]]
    two = m.geom_type[d.hrow_geom[c, 1]]
    if kind != FACE_ONE and kind != FACE_TWO:
        return False
    return (one == PLANE and (two == BOX or two == MESH)) or (two == PLANE and (one == BOX or one == MESH))


@helper
def is_even(d, c):
    """Whether friction of row c is the same along both tangents, and no surface moves."""
    mu = d.hrow_mu[c, 0] == d.hrow_mu[c, 1] and d.hrow_mu[c, 3] == d.hrow_mu[c, 4]
    return mu and d.hrow_drive[c, 0] == 0.0 and d.hrow_drive[c, 1] == 0.0 and d.hrow_drive[c, 2] == 0.0


@kernel("m d", ret="i")
def rows_ride(m, d):
    """Whether all contact rows of the start of the step are such, none is of a mocap body that moves, and no ball has a limit in reach, whose axis needs more: 1 or 0.

    Reads: hard_nfirst, hrow_body, hrow_kind, hrow_geom, hrow_mu, hrow_drive, hlim_kind
    Writes: nothing
    """
    for c in range(d.hard_nfirst):
        if d.hrow_body[c, 0] < 0 or d.hrow_body[c, 1] < 0:
            return 0
        if not (is_exact(m, d, c) or is_corner_on_plane(m, d, c)) or not is_even(d, c):
            return 0
    for j in range(m.njnt):
        if d.hlim_kind[j] == ANGLE:
            return 0
    return 1


@kernel()
def begin_island_at(m, d):
    """Start of the step at the coordinates qpos, for the present island: poses, twists, inertias and momenta.

    Reads: qpos, hard_qd0, hard_order, hard_first, hard_end, hard_h, hard_x, hard_quat, hard_axis, hard_turn, hard_vel, xfrc_applied, xfrc_perturb, perturb_bodyid
    Writes: hard_qpos, hard_qpos2, hard_x2, hard_quat2, hard_axis2, hard_inertia, hard_mom, and what place_body writes
    """
    for at in range(d.hard_end - 1, d.hard_first - 1, -1):
        b = d.hard_order[at]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            copy_joint(m, d.qpos, j, d.hard_qpos)
            copy_joint(m, d.qpos, j, d.hard_qpos2)
        place_body(m, d, b)
        st3(d.hard_x2, b, ld3(d.hard_x, b))
        st4(d.hard_quat2, b, ld4(d.hard_quat, b))
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            st6(d.hard_axis2, k, ld6(d.hard_axis, k))
    # one step back
    for at in range(d.hard_end - 1, d.hard_first - 1, -1):
        b = d.hard_order[at]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            joint_advance(m, d.hard_qpos, d.hard_qd0, j, -d.hard_h)
        place_body(m, d, b)
        bring_momentum(m, d, b)
        add_wrench_on(m, d, b)


@kernel("m d d")
def end_island_at(m, d, e):
    """The trial pose of d for the present island of e, as seen from the start of the step of e.

    Reads: hard_order, hard_first, hard_end, hard_qpos, hard_qpos2, hard_x, hard_quat, hard_axis, hard_x2, hard_quat2, hard_h
    Writes: hard_qpos, hard_x, hard_quat, hard_xquat, hard_axis, hard_turn, hard_vel, hard_qd
    """
    for at in range(e.hard_end - 1, e.hard_first - 1, -1):
        b = e.hard_order[at]
        x = ld3(d.hard_x, b)
        q = ld4(d.hard_quat, b)
        st3(e.hard_x, b, x)
        st4(e.hard_quat, b, q)
        st4(e.hard_xquat, b, ld4(d.hard_xquat, b))
        note_motion(e, b, (x[0], x[1], x[2]), (q[0], q[1], q[2], q[3]))
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            st6(e.hard_axis, k, ld6(d.hard_axis, k))
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            copy_joint(m, d.hard_qpos, j, e.hard_qpos)
            joint_difference(m, e.hard_qpos2, e.hard_qpos, j, e.hard_h, e.hard_qd)


@kernel("m d d")
def ride_all(m, d, e):
    """Let all rows of the present island ride on the bodies of e.

    Reads: hrow_at, hard_rowfirst, hard_rowend, and what ride reads
    Writes: what ride writes
    """
    for at in range(e.hard_rowfirst, e.hard_rowend):
        ride(d, e, e.hrow_at[at])
