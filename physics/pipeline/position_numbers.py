"""The stages that follow from positions, with the numbers of one body, joint, tendon, contact, row or actuator.

Each function: (m, v, b, t) -> Lines; v: the Moment after the stage, b: before it, t: the Target.

Source: MuJoCo documentation, Computation chapter; Featherstone, "Rigid Body Dynamics Algorithms", sections 6.2 and 6.5.
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.engine.actuator.transmission import joint_armature, tendon_armature
from physics.engine.kinematics.joints import is_ball, is_free, is_slide, joint_spring_energy, joint_turn, rotation_dof
from physics.engine.linalg.quat import mul4, rotate, unit4
from physics.engine.linalg.spatial import mul_inertia
from physics.engine.passive.passive import tendon_spring_energy
from physics.enums import (
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    DSBL_GRAVITY,
    DSBL_SPRING,
    GEOM_BOX,
    GEOM_CAPSULE,
    GEOM_PLANE,
    GEOM_SPHERE,
    TENDON_FIXED,
    TRN_JOINT,
    TRN_TENDON,
    ConstraintType,
)
from physics.pipeline.equality_numbers import equality_row
from physics.pipeline.line import Line, dof_name, factor, n, named, products, summed
from physics.pipeline.point_jacobians import point_jacobians

NO_CONTACT, NO_ROW, NO_TENDON, NO_ACTUATOR = "There are no contacts.", "There are no constraint rows.", "The model has no tendons.", "The model has no actuators."
NO_DOF = "Nothing moves: the model has no degrees of freedom."
PLUS, MINUS = "+", "\u2212"


def kinematics(m, v, b, t) -> list[Line]:
    """Where the body is, joint by joint; its centre of mass and that of all it carries."""
    body, parent = t.body, int(m.body_parentid[t.body])
    lines, name = [], named(m, "body", body)
    joints = range(int(m.body_jntadr[body]), int(m.body_jntadr[body]) + int(m.body_jntnum[body]))
    if is_free(m, body):
        a = int(m.jnt_qposadr[joints[0]])
        p = np.array(v.qpos[a:a + 3])
        lines.append(Line(f"xpos<sub>{name}</sub> = qpos[{a}:{a + 3}] = {n(p)}", p, v.xpos[body], "xpos", body))
    else:
        lines += _placed(m, v, body, parent, joints, name)
    r = v.xmat[body].reshape(3, 3)
    com = v.xpos[body] + r @ m.body_ipos[body]
    lines.append(Line(f"xipos = {n(v.xpos[body])} + R {n(m.body_ipos[body])} = {n(com)}", com, v.xipos[body], "xipos", body))
    children = np.flatnonzero((m.body_parentid == body) & (np.arange(m.nbody) > 0))
    mass = float(m.body_subtreemass[body])
    if mass > 1e-12:
        moment = m.body_mass[body] * v.xipos[body] + (m.body_subtreemass[children, None] * v.subtree_com[children]).sum(axis=0)
        terms = [f"{n(m.body_mass[body])}\u00b7{n(v.xipos[body])}", *(f"{n(m.body_subtreemass[c])}\u00b7{n(v.subtree_com[c])}" for c in children)]
        lines.append(Line(f"subtree_com = ({summed(terms)}) / {n(mass)} = {n(moment / mass)}", moment / mass, v.subtree_com[body], "subtree_com", body))
    return lines


def _placed(m, v, body: int, parent: int, joints: range, name: str) -> list[Line]:
    mocap = int(m.body_mocapid[body])
    local = v.mocap_pos[mocap] if mocap >= 0 else m.body_pos[body]
    turn = unit4(v.mocap_quat[mocap]) if mocap >= 0 else m.body_quat[body]
    p = v.xpos[parent] + v.xmat[parent].reshape(3, 3) @ local
    q = np.array(mul4(v.xquat[parent], turn))
    what = "mocap_pos" if mocap >= 0 else "body_pos"
    lines = [f"xpos<sub>{name}</sub> = xpos<sub>parent</sub> + R<sub>parent</sub> {what} = {n(v.xpos[parent])} + R {n(local)} = {n(p)}"]
    for j in joints:
        anchor, axis = np.array(rotate(q, m.jnt_pos[j])) + p, np.array(rotate(q, m.jnt_axis[j]))
        x = float(v.qpos[m.jnt_qposadr[j]] - m.qpos0[m.jnt_qposadr[j]])
        joint = named(m, "joint", j)
        if is_slide(m, j):
            p = p + x * axis
            lines.append(f"{joint} (slide): xpos += {n(x)}\u00b7{n(axis)} = {n(p)}")
            continue
        own = np.array(joint_turn(m, v, j, m.jnt_axis[j]))
        told = f"turned by the quaternion {n(own)}" if is_ball(m, j) else f"turned by {n(x)} rad about {n(axis)}"
        q = np.array(mul4(q, own))
        p = anchor - np.array(rotate(q, m.jnt_pos[j]))
        lines.append(f"{joint}: {told}, xpos = xanchor \u2212 R jnt_pos = {n(anchor)} \u2212 R {n(m.jnt_pos[j])} = {n(p)}")
    return [*(Line(text) for text in lines[:-1]), Line(lines[-1], p, v.xpos[body], "xpos", body)]


def com(m, v, b, t) -> list[Line]:
    """The motion axis of the dof about the centre of mass of its tree."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    j, i = int(m.dof_jntid[t.dof]), t.dof
    turning = int(rotation_dof(m, j))      # first of the dofs about the body's axes, -1 for slides and hinges
    c, anchor = v.subtree_com[m.body_rootid[m.jnt_bodyid[j]]], v.xanchor[j]
    head = f"cdof<sub>{dof_name(m, i)}</sub>"
    if is_slide(m, j) or i < turning:
        axis = v.xaxis[j] if turning < 0 else np.eye(3)[i - int(m.jnt_dofadr[j])]
        whole = np.concatenate([np.zeros(3), axis])
        return [Line(f"{head} = (0, axis) = {n(whole)}", whole, v.cdof[i], "cdof", i)]
    axis = v.xaxis[j] if turning < 0 else v.xmat[m.jnt_bodyid[j]].reshape(3, 3)[:, i - turning]
    whole = np.concatenate([axis, np.cross(axis, c - anchor)])
    return [Line(f"{head} = (axis, axis \u00d7 (c \u2212 xanchor)) = ({n(axis)}, {n(axis)} \u00d7 ({n(c)} \u2212 {n(anchor)})) = {n(whole)}", whole, v.cdof[i], "cdof", i)]


def tendon(m, v, b, t) -> list[Line]:
    """The length of the tendon."""
    k = t.tendon
    if k < 0:
        return [Line(NO_TENDON)]
    head, length = f"ten_length<sub>{named(m, 'tendon', k)}</sub>", float(v.ten_length[k])
    if m.tendon_type[k] == TENDON_FIXED:
        items = slice(int(m.tendon_adr[k]), int(m.tendon_adr[k] + m.tendon_num[k]))
        q = v.qpos[m.jnt_qposadr[m.wrap_objid[items]]]
        total = float(m.wrap_prm[items] @ q)
        return [Line(f"{head} = \u03a3 coef q = {products(m.wrap_prm[items], q)} = {n(total)}", total, length, "ten_length", k)]
    first, count = int(v.ten_wrapadr[k]), int(v.ten_wrapnum[k])
    points, on = v.wrap_xpos.reshape(-1, 3)[first:first + count], v.wrap_obj.reshape(-1)[first:first + count]
    if (on == -1).all() and count > 1:
        parts = np.linalg.norm(np.diff(points, axis=0), axis=1)
        return [Line(f"{head} = {summed([n(x) for x in parts])} = {n(parts.sum())}", float(parts.sum()), length, "ten_length", k)]
    return [Line(f"{head} = {n(length)}: straight parts between {count} points, arcs around geoms, divided behind pulleys")]


def inertia(m, v, b, t) -> list[Line]:
    """The dof's entry on the diagonal of M, and the one with its nearest ancestor."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i = t.dof
    start, count = int(m.M_rowadr[i]), int(m.M_rownnz[i])
    columns, row = m.M_colind[start:start + count], v.M[start:start + count]
    force = np.array(mul_inertia(v.crb[m.dof_bodyid[i]], v.cdof[i]))
    armature = float(m.dof_armature[i] + joint_armature(m, int(m.dof_jntid[i])))
    lines, name = [], dof_name(m, i)
    for j in (i, int(columns[-2])) if count > 1 else (i,):
        product = float(v.cdof[j] @ force)
        tendons = sum(_tendon_inertia(m, v, k, i, j) for k in tendons_with_armature(m))
        terms = [f"{n(v.cdof[j])}\u00b7{n(force)}"] + ([n(armature)] if armature and i == j else []) + ([n(tendons)] if tendons else [])
        total = product + (armature if i == j else 0.0) + tendons
        words = " + armature" if armature and i == j else ""
        lines.append(Line(f"M[{name}, {dof_name(m, j)}] = cdof \u00b7 (crb cdof){words}{' + tendons' if tendons else ''} = {summed(terms)} = {n(total)}",
                          total, float(row[np.flatnonzero(columns == j)[0]]), "M", start + int(np.flatnonzero(columns == j)[0])))
    return lines


def tendons_with_armature(m) -> list[int]:
    """Tendons that have an armature of their own or one that an actuator lends."""
    return [k for k in np.flatnonzero((m.tendon_armature != 0.0) | (m.tendon_actuatorid >= 0)).tolist() if tendon_armature(m, k) != 0.0]


def _tendon_inertia(m, v, k: int, i: int, j: int) -> float:
    armature = float(tendon_armature(m, k))
    where = slice(int(m.ten_J_rowadr[k]), int(m.ten_J_rowadr[k] + m.ten_J_rownnz[k]))
    dense = np.zeros(m.nv)
    dense[m.ten_J_colind[where]] = v.ten_J[where]
    return armature * dense[i] * dense[j]


def factored(m, v, b, t) -> list[Line]:
    """The diagonal entry of M from its factors."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i = t.dof
    entries = np.flatnonzero(m.M_colind == i)
    rows = np.searchsorted(m.M_rowadr, entries, side="right") - 1
    below = rows != i
    d, x = 1.0 / v.qLDiagInv, v.qLD[entries[below]]
    total = float(d[i] + (x * x * d[rows[below]]).sum())
    terms = [n(d[i]), *(f"{factor(a)}<sup>2</sup>\u00b7{n(d[k])}" for a, k in zip(x, rows[below], strict=True))]
    where = int(m.M_rowadr[i] + m.M_rownnz[i] - 1)
    return [Line(f"M[{dof_name(m, i)}, {dof_name(m, i)}] = D + \u03a3 L<sub>ki</sub><sup>2</sup> D<sub>k</sub> = {summed(terms)} = {n(total)}", total, float(v.M[where]), "M", where),
            Line(f"An acceleration of this dof alone, with all below it free to move, feels the inertia D = {n(d[i])}")]


def collision(m, v, b, t) -> list[Line]:
    """The distance of the contact, and whether it is near enough for rows."""
    if t.contact < 0:
        return [Line(NO_CONTACT)]
    c = t.contact
    geoms, dist, margin = v.contact_geom[c], float(v.contact_dist[c]), float(v.contact_includemargin[c])
    lines = [Line(f"{named(m, 'geom', geoms[0])} and {named(m, 'geom', geoms[1])}: n = {n(v.contact_frame[c][:3])} at {n(v.contact_pos[c])}")] if geoms.min() >= 0 else []
    if geoms.min() >= 0:
        lines += _distance(m, v, c, tuple(map(int, geoms)))
    near, sticks = dist < margin, v.contact_adhesion[c] != 0.0
    sign, what = ("&lt;", "so the contact gets constraint rows") if near else ("\u2265", "but it sticks (adhesion), so it gets a row along its normal") if sticks else (
        "\u2265", "so the contact lies in the gap and gets none")
    lines.append(Line(f"dist {sign} margin: {n(dist)} {sign} {n(margin)}, {what}", float(near or sticks), float(v.contact_exclude[c] != 1), "contact_exclude", c))
    return lines


def _distance(m, v, c: int, geoms: tuple[int, int]) -> list[Line]:
    """How far the surfaces are apart, for the simplest pairs of shapes."""
    told = _DISTANCES.get(tuple(int(m.geom_type[g]) for g in geoms))
    if told is None:
        return []
    words, gap = told(m, v, c, *geoms)
    return [Line(f"dist = {words} = {n(gap)}", gap, float(v.contact_dist[c]), "contact_dist", c)]


def _plane_sphere(m, v, c: int, plane: int, ball: int) -> tuple[str, float]:
    normal, away, r = v.geom_xmat[plane].reshape(3, 3)[:, 2], v.geom_xpos[ball] - v.geom_xpos[plane], float(m.geom_size[ball, 0])
    return f"z \u00b7 (x<sub>2</sub> \u2212 x<sub>1</sub>) \u2212 r = {n(normal)} \u00b7 {n(away)} \u2212 {n(r)}", float(normal @ away) - r


def _spheres(m, v, c: int, one: int, two: int) -> tuple[str, float]:
    away, r1, r2 = float(np.linalg.norm(v.geom_xpos[two] - v.geom_xpos[one])), float(m.geom_size[one, 0]), float(m.geom_size[two, 0])
    return f"|x<sub>2</sub> \u2212 x<sub>1</sub>| \u2212 r<sub>1</sub> \u2212 r<sub>2</sub> = {n(away)} \u2212 {n(r1)} \u2212 {n(r2)}", away - r1 - r2


def _below_plane(m, v, c: int, plane: int, _other: int) -> tuple[str, float]:
    normal, away = v.geom_xmat[plane].reshape(3, 3)[:, 2], v.contact_pos[c] - v.geom_xpos[plane]
    return f"2 z \u00b7 (pos \u2212 x<sub>1</sub>) = 2\u00b7{n(normal)} \u00b7 {n(away)} (pos is the midpoint)", 2.0 * float(normal @ away)


_DISTANCES = MappingProxyType({(GEOM_PLANE, GEOM_SPHERE): _plane_sphere, (GEOM_SPHERE, GEOM_SPHERE): _spheres, (GEOM_PLANE, GEOM_CAPSULE): _below_plane,
                               (GEOM_PLANE, GEOM_BOX): _below_plane})


def subtree(m, body: int) -> range:
    """The body and all that it carries, which are numbered one after the other (depth first)."""
    beyond = np.flatnonzero(m.body_parentid[body + 1:] < body)
    return range(body, body + 1 + int(beyond[0]) if len(beyond) else int(m.nbody))


def contact_row(m, v, c: int, part: int) -> tuple[np.ndarray, str]:
    """Row `part` of contact c as a dense vector (nv), and its formula."""
    b1, b2 = (int(m.geom_bodyid[g]) for g in v.contact_geom[c])
    (lin1, ang1), (lin2, ang2) = (point_jacobians(m, v, body, v.contact_pos[c]) for body in (b1, b2))
    axes = v.contact_frame[c].reshape(3, 3)
    basis = np.concatenate([axes @ (lin2 - lin1), axes @ (ang2 - ang1)])
    words = ("n", "t<sub>1</sub>", "t<sub>2</sub>", "spin n", "roll t<sub>1</sub>", "roll t<sub>2</sub>")
    if v.efc_type[v.contact_efc_address[c]] != CNSTR_CONTACT_PYRAMIDAL:
        return basis[part], words[part]
    k, sign = part // 2, 1.0 if part % 2 == 0 else -1.0
    mu = float(v.contact_friction[c][k])
    return basis[0] + sign * mu * basis[k + 1], f"n {PLUS if sign > 0 else MINUS} {n(mu)} {words[k + 1]}"


def row_name(m, v, r: int) -> str:
    """A constraint row in words: what it belongs to, and which of several."""
    kind, ident = int(v.efc_type[r]), int(v.efc_id[r])
    if kind >= CNSTR_CONTACT_FRICTIONLESS:
        geoms = v.contact_geom[ident]
        who = " and ".join(named(m, "geom", g) for g in geoms) if geoms.min() >= 0 else "contact"
        return f"contact {ident} ({who}), row {r - int(v.contact_efc_address[ident])}"
    what = {CNSTR_FRICTION_DOF: "friction of", CNSTR_FRICTION_TENDON: "friction of", CNSTR_LIMIT_JOINT: "limit of", CNSTR_LIMIT_TENDON: "limit of"}.get(kind, "equality")
    if kind == CNSTR_FRICTION_DOF:
        return f"{what} {dof_name(m, ident)}"
    return f"{what} {named(m, {CNSTR_FRICTION_TENDON: 'tendon', CNSTR_LIMIT_JOINT: 'joint', CNSTR_LIMIT_TENDON: 'tendon'}.get(kind, 'equality'), ident)}"


def efc_rows(m, v, b, t) -> list[Line]:
    """The row's Jacobian, position and regularisation."""
    if t.row < 0:
        return [Line(NO_ROW)]
    r = t.row
    start, count = int(v.efc_J_rowadr[r]), int(v.efc_J_rownnz[r])
    columns, stored = v.efc_J_colind[start:start + count], v.efc_J[start:start + count]
    kind, ident = int(v.efc_type[r]), int(v.efc_id[r])
    lines = [Line(f"Row {r}: {row_name(m, v, r)} ({ConstraintType(kind).name.lower().replace('_', ' ')})")]
    dense, how = None, ""
    if kind >= CNSTR_CONTACT_FRICTIONLESS and v.contact_geom[ident].min() >= 0:
        dense, how = contact_row(m, v, ident, r - int(v.contact_efc_address[ident]))
        how = f"({how}) \u00b7 (J<sub>2</sub> \u2212 J<sub>1</sub>) at {n(v.contact_pos[ident])}"
    elif kind == CNSTR_FRICTION_DOF:
        dense, how = np.eye(m.nv)[ident], "1 at its dof"
    elif kind == CNSTR_LIMIT_JOINT and rotation_dof(m, ident) < 0:
        sign = 1.0 if stored[0] > 0 else -1.0
        dense, how = sign * np.eye(m.nv)[m.jnt_dofadr[ident]], "+1 at the lower end of the range, \u22121 at the upper"
    elif kind in (CNSTR_LIMIT_TENDON, CNSTR_FRICTION_TENDON):
        where = slice(int(m.ten_J_rowadr[ident]), int(m.ten_J_rowadr[ident] + m.ten_J_rownnz[ident]))
        dense = np.zeros(m.nv)
        dense[m.ten_J_colind[where]] = v.ten_J[where]
        dense *= 1.0 if dense[columns] @ stored >= 0 else -1.0
        how = "\u00b1ten_J"
    entries = summed([f"{n(x)} ({dof_name(m, int(k))})" for k, x in zip(columns, stored, strict=True)])
    if kind == CNSTR_EQUALITY:
        told, dense, how = equality_row(m, v, r)
        lines += told
    lines.append(Line(f"J = {how + ' = ' if how else ''}{entries}", None if dense is None else dense[columns], None if dense is None else stored, "efc_J", start))
    imp, diag = float(v.efc_KBIP[r][2]), float(v.efc_diagA[r])
    reg = (1 - imp) / imp * diag
    lines.append(Line(f"R = (1 \u2212 d) / d \u00b7 diagA = (1 \u2212 {n(imp)}) / {n(imp)} \u00b7 {n(diag)} = {n(reg)}", reg, float(v.efc_R[r]), "efc_R", r))
    return lines


def transmission(m, v, b, t) -> list[Line]:
    """The actuator's length and moment arms."""
    i = t.actuator
    if i < 0:
        return [Line(NO_ACTUATOR)]
    out, kind, target = int(m.actuator_outadr[i]), m.actuator_trntype[i], int(m.actuator_trnid[i, 0])
    gear, length, head = float(m.actuator_gear[out, 0]), float(v.actuator_length[out]), f"actuator_length<sub>{named(m, 'actuator', i)}</sub>"
    if kind == TRN_JOINT and rotation_dof(m, target) < 0:
        q = float(v.qpos[m.jnt_qposadr[target]])
        lines = [Line(f"{head} = gear q = {n(gear)}\u00b7{factor(q)} = {n(gear * q)}", gear * q, length, "actuator_length", out)]
    elif kind == TRN_TENDON:
        x = float(v.ten_length[target])
        lines = [Line(f"{head} = gear ten_length = {n(gear)}\u00b7{factor(x)} = {n(gear * x)}", gear * x, length, "actuator_length", out)]
    else:
        lines = [Line(f"{head} = {n(length)}")]
    start, count = int(v.moment_rowadr[out]), int(v.moment_rownnz[out])
    moments = v.actuator_moment[start:start + count]
    arms = summed([f"{n(x)} ({dof_name(m, int(k))})" for k, x in zip(v.moment_colind[start:start + count], moments, strict=True)])
    expected = np.array([gear]) if kind == TRN_JOINT and rotation_dof(m, target) < 0 else None
    lines.append(Line(f"moment = {arms}", expected, None if expected is None else moments, "actuator_moment", start))
    return lines


def potential_energy(m, v, b, t) -> list[Line]:
    """Gravity's part and the springs'."""
    weight = 0.0 if m.opt_disableflags & DSBL_GRAVITY else -float((m.body_mass[1:] * (v.xipos[1:] @ m.opt_gravity)).sum())
    springs = 0.0
    if not m.opt_disableflags & DSBL_SPRING:
        joints, tendons = (np.flatnonzero((stiffness != 0.0) | poly.any(axis=1)).tolist()
                           for stiffness, poly in ((m.jnt_stiffness, m.jnt_stiffnesspoly), (m.tendon_stiffness, m.tendon_stiffnesspoly)))
        springs = sum(joint_spring_energy(m, v, j) for j in joints) + sum(tendon_spring_energy(m, v, k) for k in tendons)
    total = weight + springs
    return [Line(f"E<sub>pot</sub> = gravity + springs = {n(weight)} + {factor(springs)} = {n(total)} J", total, float(v.energy[0]), "energy", 0)]
