"""What a step found, in the soft engine's words: contacts, constraint rows and their forces, as its elliptic cones would have them.

A force is an impulse over the time step. Rows come in the official order: equality, dry friction of dofs, limits of joints, contacts. What is listed
of contacts is what the soft engine would list at the start of the step, and whatever has pushed since.

Source: MuJoCo documentation, Computation chapter, "Constraint model" (types and order of rows).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.filter import pair_gap
from physics.engine.constraint.append import SPARE, put_row, reserve
from physics.engine.constraint.contact_rows import contact_basis, contact_parameters, repeat_columns
from physics.engine.constraint.equality import equality_rows, rows_of_pose
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.constraint.rows import first_tendon_rows
from physics.engine.hard.contact.cones import ETA0, IMPULSE, SLACK, XI, impulse_of, push_bodies, squared
from physics.engine.hard.contact.points import take_contact
from physics.engine.hard.contact.row_slopes import slip_count
from physics.engine.hard.limits import ANGLE, NONE, ball_turn, push_ball, side_gaps
from physics.engine.hard.poses import carrier_of
from physics.engine.hard.residual import carry_inwards
from physics.engine.hard.tendon.impulses import whole_impulse
from physics.engine.hard.tendon.report import coupling_force, has_couplings, tendon_friction_rows, tendon_limit_rows, tendon_room
from physics.engine.hard.tendon.rows import push_row
from physics.engine.hard.ties import JOINT, TURN, push_tie
from physics.engine.kinematics.points import count_columns, last_dof
from physics.engine.linalg.quat import conj4, rotate
from physics.engine.linalg.spatial import dot6
from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_FRICTION_DOF,
    CNSTR_LIMIT_JOINT,
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
    EQ_TENDON,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld4, ld6, off, st6
from physics.kernels.simd import vbc, vst

SEEN = 1e-7   # J: from this hard_kappa on forces act at a distance, and all are listed
AT_BOUND = 1e-6   # part of a bound by which dry friction may miss it


@helper
def row_mass(m, d, c):
    """Mass of the lighter of the trees that row c is between."""
    mass = -1.0
    for i in range(2):
        b = d.hrow_body[c, i]
        if b > 0:
            x = m.body_subtreemass[m.tree_bodyadr[m.body_treeid[b]]]
            if mass < 0.0 or x < mass:
                mass = x
    return mass


@helper
def pushes(m, d, c):
    """Whether row c pushes: of impulse over mass and slack, both speeds, one is as good as 0."""
    return d.hard_kappa > SEEN or d.hrow_var[c, IMPULSE] > d.hrow_var[c, SLACK] * row_mass(m, d, c)


@helper
def is_listed(m, d, k):
    """Whether contact k of hard_kept is one: it pushes, or the soft engine would list it at its distance."""
    c = d.hard_keptrow[k]
    if c >= 0 and pushes(m, d, c):
        return True
    return d.hard_kept[k, 0] < d.hard_kept[k, 13] + pair_gap(m, int(d.hard_kept[k, 33]), int(d.hard_kept[k, 34]))


@helper
def limit_pushes(m, d, j, side):
    """As `pushes`, for a side of joint j's limit."""
    return d.hlim_var[j, 2 * side + 1] > d.hlim_var[j, 2 * side] * m.dof_M0[m.jnt_dofadr[j]]


@kernel("m d", ret="i")
def reserve_rows(m, d):
    """Ask for room for all contacts and constraint rows that report may write, before anything moves. Returns 1 where there is room.

    Reads: hard_nkept, hard_nrow, hard_ntie, hrow_dim, hrow_geom, hlim_kind, hfri_loss, hard_nten, hten_kind, hten_tendon, maxcon, maxefc, maxJ
    Writes: need_ncon, need_nefc, need_nJ
    """
    rows = 0
    entries = 0
    for c in range(d.hard_nrow):
        rows += d.hrow_dim[c]
        entries += d.hrow_dim[c] * count_columns(m, last_dof(m, m.geom_bodyid[d.hrow_geom[c, 0]]), last_dof(m, m.geom_bodyid[d.hrow_geom[c, 1]]))
    for j in range(m.njnt):
        if d.hlim_kind[j] > NONE:
            rows += 2
            entries += 3
    for k in range(m.nv):
        if d.hfri_loss[k] > 0.0:
            rows += 1
            entries += 1
    if d.hard_ntie > 0 or has_couplings(d):
        rows += 6 * m.neq
        entries += 6 * m.neq * m.nv
    more, width = tendon_room(m, d)
    rows += more
    entries += width
    if d.hard_nkept > d.maxcon:
        d.need_ncon = d.hard_nkept
    if rows > d.maxefc:
        d.need_nefc = rows
    if entries + SPARE > d.maxJ:
        d.need_nJ = entries + SPARE
    return int(d.need_ncon == 0 and d.need_nefc == 0 and d.need_nJ == 0)


@kernel()
def list_contacts(m, d):
    """Put the contacts of the start of the step back, with those that looking again has added; those that neither are near nor push are left out.

    Reads: hard_nkept, hard_kept, hard_nrow, hrow_contact, hrow_var, hrow_body, hard_kappa
    Writes: ncon, hard_keptrow, hrow_contact, contact_dist, contact_pos, contact_frame, contact_includemargin, contact_friction, contact_solref,
        contact_solreffriction, contact_solimp, contact_adhesion, contact_surfacevel, contact_dim, contact_geom, contact_exclude, contact_mu, contact_efc_address
    """
    for k in range(d.hard_nkept):
        d.hard_keptrow[k] = -1
    for c in range(d.hard_nrow):
        d.hard_keptrow[d.hrow_contact[c]] = c
    n = 0
    for k in range(d.hard_nkept):
        c = d.hard_keptrow[k]
        if is_listed(m, d, k):
            take_contact(d, n, k)
            if c >= 0:
                d.hrow_contact[c] = n
            n += 1
        elif c >= 0:
            d.hrow_contact[c] = -1
    d.ncon = n


# ---------------------------------------------------------------- rows


@helper
def no_reference(d, row):
    """A hard row asks for no acceleration."""
    d.efc_vel[row] = 0.0
    d.efc_aref[row] = 0.0
    d.efc_b[row] = 0.0


@helper
def tie_force(d, i, axis):
    """Impulse of equality i along or about an axis, as htie_axis has it; 0 where it has no such row."""
    for row in range(d.hard_ntie):
        if d.htie_eq[row] == i and d.htie_axis[row] == axis:
            return d.htie_var[row] * 1.0
    return 0.0


@helper
def weld_torque(m, d, i):
    """Impulses of weld i about the axes of its second frame, for the official residual, s times the vector part of conj(q2) q1 rel."""
    for row in range(d.hard_ntie):
        if d.htie_eq[row] == i and d.htie_axis[row] == TURN:
            q = off(d.htie_quat, 8 * row)
            f = rotate((q[4], -q[5], -q[6], -q[7]), (d.htie_var[row] * 1.0, d.htie_var[row + 1] * 1.0, d.htie_var[row + 2] * 1.0))
            s = 2.0 / m.eq_data[i, 10]
            return s * f[0], s * f[1], s * f[2]
    return 0.0, 0.0, 0.0


@kernel()
def tie_rows(m, d):
    """Append the rows of the equality constraints, with their forces.

    Reads: eq_active, hard_ntie, hard_nten, hten_eq, hten_var, hard_h, htie_eq, htie_axis, htie_quat, htie_var, and what equality_rows reads
    Writes: efc_force, efc_state, efc_vel, efc_aref, efc_b, and what equality_rows writes
    """
    equality_rows(m, d)
    w = 1.0 / d.hard_h
    row = 0
    while row < d.nefc:
        i = d.efc_id[row]
        n = rows_of_pose(m, i)
        if n == 0:
            d.efc_force[row] = w * (coupling_force(d, i) if m.eq_type[i] == EQ_TENDON else tie_force(d, i, JOINT))
            n = 1
        else:
            for k in range(3):
                d.efc_force[row + k] = w * tie_force(d, i, k)
            if n == 6:
                f = weld_torque(m, d, i)
                d.efc_force[row + 3] = w * f[0]
                d.efc_force[row + 4] = w * f[1]
                d.efc_force[row + 5] = w * f[2]
        for k in range(row, row + n):
            d.efc_state[k] = CNSTRSTATE_QUADRATIC
            no_reference(d, k)
        row += n


@helper
def dry_friction_row(m, d, k):
    """Append the row of dof k's dry friction."""
    row = reserve(d, 1, 1)
    if row < 0:
        return
    adr = d.efc_J_rowadr[row]
    d.efc_J[adr] = 1.0
    d.efc_J_colind[adr] = k
    put_row(m, d, row, CNSTR_FRICTION_DOF, k, 0.0, 0.0, m.dof_frictionloss[k], m.dof_invweight0[k], ld2(m.dof_solref, k), ld5(m.dof_solimp, k))
    force = d.hfri_var[k, 0] / d.hard_h
    d.efc_force[row] = force
    near = (1.0 - AT_BOUND) * m.dof_frictionloss[k]
    d.efc_state[row] = CNSTRSTATE_QUADRATIC
    if force >= near:
        d.efc_state[row] = CNSTRSTATE_LINEARNEG
    elif force <= -near:
        d.efc_state[row] = CNSTRSTATE_LINEARPOS
    no_reference(d, row)


@helper
def put_limit(m, d, row, j, dist, impulse):
    """Write all but the Jacobian of the row of a limit."""
    k = m.jnt_dofadr[j]
    put_row(m, d, row, CNSTR_LIMIT_JOINT, j, dist, m.jnt_margin[j], 0.0, m.dof_invweight0[k], ld2(m.jnt_solref, j), ld5(m.jnt_solimp, j))
    d.efc_force[row] = impulse / d.hard_h
    d.efc_state[row] = CNSTRSTATE_QUADRATIC
    no_reference(d, row)


@helper
def limit_rows_of(m, d, j):
    """Append the rows of joint j's limits that are overstepped or push."""
    upper, lower = side_gaps(m, d, j, d.hard_qpos2)
    if d.hlim_kind[j] == ANGLE:
        if upper < m.jnt_margin[j] or limit_pushes(m, d, j, 0):
            row = reserve(d, 1, 3)
            if row < 0:
                return
            # the axis of the turn in the joint's own axes, as its dofs are
            quat = ld4(d.xquat, m.jnt_bodyid[j])
            _, x, y, z = ball_turn(m, d, d.hard_qpos2, j, quat)
            u = rotate(conj4(quat), (x, y, z))
            adr = d.efc_J_rowadr[row]
            for i in range(3):
                d.efc_J[adr + i] = -(u[0] if i == 0 else (u[1] if i == 1 else u[2]))
                d.efc_J_colind[adr + i] = m.jnt_dofadr[j] + i
            put_limit(m, d, row, j, upper, d.hlim_var[j, 1])
        return
    for side in range(2):
        # lower side: the row is +q, upper side: -q
        dist = lower if side == 0 else upper
        if dist < m.jnt_margin[j] or limit_pushes(m, d, j, 1 - side):
            row = reserve(d, 1, 1)
            if row >= 0:
                adr = d.efc_J_rowadr[row]
                d.efc_J[adr] = 1.0 - 2.0 * side
                d.efc_J_colind[adr] = m.jnt_dofadr[j]
                put_limit(m, d, row, j, dist, d.hlim_var[j, 3 - 2 * side])


@helper
def contact_rows_of(m, d, c):
    """Append the rows of the contact that row c reports to."""
    i = d.hrow_contact[c]
    a = last_dof(m, m.geom_bodyid[d.contact_geom[i, 0]])
    b = last_dof(m, m.geom_bodyid[d.contact_geom[i, 1]])
    nnz = count_columns(m, a, b)
    dim = d.contact_dim[i]
    row = reserve(d, dim, nnz)
    if row < 0:
        return
    kind = CNSTR_CONTACT_FRICTIONLESS if dim == 1 else CNSTR_CONTACT_ELLIPTIC
    d.contact_efc_address[i] = row
    d.contact_exclude[i] = 0
    adr = d.efc_J_rowadr[row]
    contact_basis(m, d, adr, nnz, dim, i)
    repeat_columns(d, adr, nnz, dim)
    contact_parameters(m, d, row, dim, kind, dim, i)
    # forces, and where they are in the cone
    x = off(d.hrow_var, 16 * c)
    w = 1.0 / d.hard_h
    n = slip_count(d, c)
    state = CNSTRSTATE_SATISFIED
    if pushes(m, d, c):
        state = CNSTRSTATE_QUADRATIC
        if n > 0 and x[ETA0] * row_mass(m, d, c) > x[IMPULSE] - sqrt(squared(x, XI, n)):
            state = CNSTRSTATE_CONE
    d.efc_force[row] = w * x[IMPULSE]
    for k in range(n):
        d.efc_force[row + 1 + k] = w * d.hrow_mu[c, k] * x[XI + k]
    for k in range(dim):
        d.efc_state[row + k] = state
        no_reference(d, row + k)


@kernel()
def constraint_forces(m, d):
    """qfrc_constraint of all impulses, of contacts, ties, limits and dry friction, carried inwards along the axes of the start of the step.

    Reads: hard_nrow, hard_project, hrow_body, hrow_dim, hrow_dir, hrow_arm, hrow_mu, hrow_var, hlim_kind, hlim_var, hlim_axis, hfri_loss, hfri_var, hard_ntie, htie_body, htie_push,
        htie_var, hard_nten, hten_kind, hten_tendon, hten_other, hten_push, hten_var, ten_J,
        hard_axis2,
        hard_x2, hard_h
    Writes: qfrc_constraint, hard_wrench
    """
    w = 1.0 / d.hard_h
    for b in range(m.nbody):
        st6(d.hard_wrench, b, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    for k in range(m.nv):
        d.qfrc_constraint[k] = 0.0
        if d.hfri_loss[k] > 0.0:
            d.qfrc_constraint[k] = w * d.hfri_var[k, 0]
    for j in range(m.njnt):
        if d.hlim_kind[j] == ANGLE:
            push_ball(m, d, j, d.hard_wrench, -d.hlim_var[j, 1])
        elif d.hlim_kind[j] > NONE:
            d.qfrc_constraint[m.jnt_dofadr[j]] += w * (d.hlim_var[j, 3] - d.hlim_var[j, 1])
    for r in range(d.hard_nten):
        push_row(m, d, r, d.qfrc_constraint, w * whole_impulse(d, r))
    for row in range(d.hard_ntie):
        push_tie(d, row, d.hard_wrench, d.htie_var[row])
    for c in range(d.hard_nrow):
        push_bodies(d, c, d.hard_wrench, impulse_of(d, c, d.hrow_var[c, IMPULSE], off(d.hrow_var, 16 * c), XI), 1.0)
    for b in range(m.nbody - 1, 0, -1):
        if m.body_treeid[b] < 0:
            continue
        f = ld6(d.hard_wrench, b)
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.qfrc_constraint[k] += w * dot6(ld6(d.hard_axis2, k), f)
        a = carrier_of(m, b)
        if a > 0:
            carry_inwards(d, b, a, f)


@kernel()
def report(m, d):
    """Contacts and constraint rows (equality, dry friction, limits, contacts) with positions, forces (impulse / h) and states; qfrc_constraint.

    Contacts are those at the start of the step and those that came from looking again; xpos and all else of the position are those at the start.
    reserve_rows has found the room.
    Reads: hard_nrow, hard_project, hard_ntie, hard_nten, hten_kind, hard_kappa, hrow_contact, hrow_dim, hrow_var, hrow_mu, hrow_body, hard_h, hard_qpos2, hlim_kind, hlim_var, hfri_loss, hfri_var,
        subtree_com, cdof, xquat, ncon, contact_dim, contact_dist, contact_friction, contact_geom, contact_includemargin, contact_solref, contact_solreffriction,
        contact_solimp
    Writes: ne, nf, nl, nefc, nJ, rows_kept, maxuse_con, maxuse_efc, tendon_efcadr, contact_efc_address, contact_exclude, contact_mu, efc_type, efc_id, efc_J,
        efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP, efc_R, efc_D, efc_vel, efc_aref, efc_b, efc_state,
        efc_force, and what list_contacts, tie_rows and constraint_forces write
    """
    list_contacts(m, d)
    d.nefc = 0
    d.nJ = 0
    d.rows_kept = 0
    if d.hard_ntie > 0 or has_couplings(d):
        tie_rows(m, d)
    d.ne = d.nefc
    for k in range(m.nv):
        if d.hfri_loss[k] > 0.0:
            dry_friction_row(m, d, k)
    tendon_friction_rows(m, d)
    d.nf = d.nefc - d.ne
    for j in range(m.njnt):
        if d.hlim_kind[j] > NONE:
            limit_rows_of(m, d, j)
    tendon_limit_rows(m, d)
    d.nl = d.nefc - d.nf - d.ne
    first_tendon_rows(m, d)
    for c in range(d.hard_nrow):
        if d.hrow_contact[c] >= 0:
            contact_rows_of(m, d, c)
    if d.nefc > 0:
        vst(d.efc_J, d.nJ, vbc(0.0))   # what lies between J's end and the next four is read, times zero
    d.maxuse_con = max(d.maxuse_con, d.ncon)
    d.maxuse_efc = max(d.maxuse_efc, d.nefc)
    constraint_forces(m, d)
