"""The stages that follow from velocities and forces, and the integrator, with the numbers of one body, dof, row or actuator.

Each function: (m, v, b, t) -> Lines; v: the Moment after the stage, b: before it, t: the Target.

Source: MuJoCo documentation, Computation chapter, "Passive forces", "Actuation model", "Constraint solver", "Numerical integration".
"""
from __future__ import annotations

import numpy as np

from physics.engine.actuator.transmission import dof_damping
from physics.engine.integrator.damped_euler import has_dof_damping
from physics.engine.kinematics.joints import poly, rotation_dof
from physics.engine.linalg.quat import turn
from physics.engine.linalg.spatial import cross_force, mul_inertia
from physics.enums import (
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_EULERDAMP,
    DSBL_GRAVITY,
    DSBL_SPRING,
    INT_DISCRETE,
    INT_EULER,
    INT_RK4,
)
from physics.pipeline.actuator_numbers import force_of
from physics.pipeline.equality_numbers import drift_of
from physics.pipeline.line import Line, dof_name, factor, n, named, products, summed
from physics.pipeline.position_numbers import NO_ACTUATOR, NO_DOF, NO_ROW, row_name, subtree, tendons_with_armature
from physics.pipeline.sparse_rows import SparseRows

OFF = "Actuation is switched off (flag actuation)."
MINUS = "\u2212"


def velocity(m, v, b, t) -> list[Line]:
    """The body's velocity from its parent's."""
    body, parent = t.body, int(m.body_parentid[t.body])
    first, count = int(m.body_dofadr[body]), int(m.body_dofnum[body])
    dofs = range(first, first + count) if count else range(0)
    total = v.cvel[parent].copy()
    for k in dofs:
        total = total + v.cdof[k] * v.qvel[k]
    terms = [n(v.cvel[parent]), *(f"{n(v.qvel[k])}\u00b7cdof<sub>{dof_name(m, k)}</sub>" for k in dofs)]
    lines = [Line(f"cvel<sub>{named(m, 'body', body)}</sub> = cvel<sub>parent</sub> + \u03a3 qvel cdof = {summed(terms)} = {n(total)}", total, v.cvel[body], "cvel", body)]
    if t.actuator >= 0:
        out = int(m.actuator_outadr[t.actuator])
        where = slice(int(v.moment_rowadr[out]), int(v.moment_rowadr[out] + v.moment_rownnz[out]))
        moments, speeds = v.actuator_moment[where], v.qvel[v.moment_colind[where]]
        speed = float(moments @ speeds)
        lines.append(Line(f"actuator_velocity<sub>{named(m, 'actuator', t.actuator)}</sub> = moment qvel = {products(moments, speeds)} = {n(speed)}", speed,
                          float(v.actuator_velocity[out]), "actuator_velocity", out))
    return lines


def passive(m, v, b, t) -> list[Line]:
    """Spring, damper and their sum with the other passive forces, at the dof."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i, j = t.dof, int(m.dof_jntid[t.dof])
    lines, name = [], dof_name(m, i)
    if rotation_dof(m, j) < 0 and not m.opt_disableflags & DSBL_SPRING:
        a = int(m.jnt_qposadr[j])
        x = float(v.qpos[a] - m.qpos_spring[a])
        k = float(poly(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j, 0], m.jnt_stiffnesspoly[j, 1], x))
        checked = m.ntendon == 0
        lines.append(Line(f"spring<sub>{name}</sub> = {MINUS}k (q {MINUS} q<sub>spring</sub>) = {MINUS}{n(k)}\u00b7({n(v.qpos[a])} {MINUS} {factor(m.qpos_spring[a])}) = {n(-k * x)}",
                          -k * x if checked else None, float(v.qfrc_spring[i]) if checked else None, "qfrc_spring", i))
    if not m.opt_disableflags & DSBL_DAMPER:
        b0, p0, p1 = dof_damping(m, i)
        speed = float(v.qvel[i])
        c = float(poly(b0, p0, p1, abs(speed)))
        checked = m.ntendon == 0
        lines.append(Line(f"damper<sub>{name}</sub> = {MINUS}b qvel = {MINUS}{n(c)}\u00b7{factor(speed)} = {n(-c * speed)}", -c * speed if checked else None,
                          float(v.qfrc_damper[i]) if checked else None, "qfrc_damper", i))
    parts = {name: float(getattr(v, f"qfrc_{name}")[i]) for name in ("spring", "damper", "fluid", "adhesion", "gravcomp")}
    if m.jnt_actgravcomp[j]:
        parts.pop("gravcomp")
    shown = {word: x for word, x in parts.items() if x or word in ("spring", "damper")}
    total = sum(parts.values())
    lines.append(Line(f"qfrc_passive = {' + '.join(shown)} = {summed([n(x) for x in shown.values()])} = {n(total)}", total, float(v.qfrc_passive[i]), "qfrc_passive", i))
    return lines


def reference(m, v, b, t) -> list[Line]:
    """The row's velocity and the acceleration that it asks for."""
    if t.row < 0:
        return [Line(NO_ROW)]
    r = t.row
    where = slice(int(v.efc_J_rowadr[r]), int(v.efc_J_rowadr[r] + v.efc_J_rownnz[r]))
    row, speeds = v.efc_J[where], v.qvel[v.efc_J_colind[where]]
    speed, plain = float(row @ speeds), not m.flg_surfacevel
    lines = [Line(f"Row {r}: {row_name(m, v, r)}"),
             Line(f"efc_vel = J qvel = {products(row, speeds)} = {n(speed)}", speed if plain else None, float(v.efc_vel[r]) if plain else None, "efc_vel", r)]
    k, damping, d = (float(x) for x in v.efc_KBIP[r][:3])
    depth = float(v.efc_pos[r] - v.efc_margin[r])
    aref = -damping * float(v.efc_vel[r]) - k * d * depth
    drift = drift_of(m, v, r)
    words, numbers = "", ""
    if drift is not None:
        aref -= drift
        words, numbers = f" {MINUS} drift", f" {MINUS} {factor(drift)}"
        lines.append(Line(f"drift: what the row accelerates by itself at constant joint velocities = {n(drift)}"))
    pull = _pull(m, v, r)
    if pull:
        aref += pull
        words, numbers = f"{words} + R adhesion", f"{numbers} + {n(pull)}"
    lines.append(Line(f"efc_aref = {MINUS}B efc_vel {MINUS} K d (efc_pos {MINUS} efc_margin){words} = {MINUS}{n(damping)}\u00b7{factor(v.efc_vel[r])} {MINUS} {n(k)}\u00b7{n(d)}\u00b7{factor(depth)}"
                      f"{numbers} = {n(aref)}", aref, float(v.efc_aref[r]), "efc_aref", r))
    return lines


def _pull(m, v, r: int) -> float:
    """What a row of a sticking contact asks for on top, as it pushes back against the attraction; the edges of a pyramid share it. The discrete integrator adds it later."""
    if not m.flg_adhesion or m.opt_integrator == INT_DISCRETE or v.efc_type[r] < CNSTR_CONTACT_FRICTIONLESS:
        return 0.0
    c = int(v.efc_id[r])
    pyramid = v.efc_type[r] == CNSTR_CONTACT_PYRAMIDAL
    if not pyramid and r != v.contact_efc_address[c]:
        return 0.0
    return float(v.efc_R[r] * v.contact_adhesion[c] / (2 * (v.contact_dim[c] - 1) if pyramid else 1))


def bias(m, v, b, t) -> list[Line]:
    """What gravity and what motion need, at the dof."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i, body = t.dof, int(m.dof_bodyid[t.dof])
    g = np.zeros(3) if m.opt_disableflags & DSBL_GRAVITY else np.asarray(m.opt_gravity)
    mass, com = float(m.body_subtreemass[body]), v.subtree_com[body]
    arm = v.cdof[i][3:] + np.cross(v.cdof[i][:3], com - v.subtree_com[m.body_rootid[body]])
    weight, motion = -mass * float(g @ arm), float(v.cdof[i] @ _motion_force(m, v, body))
    lines = [Line(f"gravity<sub>{dof_name(m, i)}</sub> = {MINUS}m<sub>subtree</sub> g \u00b7 J = {MINUS}{n(mass)}\u00b7{n(g)}\u00b7{n(arm)} = {n(weight)}"),
             Line(f"velocity's part = cdof \u00b7 \u03a3 (I a + v \u00d7 I v) = {n(motion)}")]
    total, drift = weight + motion, bool(tendons_with_armature(m))
    if drift:       # a tendon with armature resists how its own Jacobian changes
        lines.append(Line(f"tendons with armature add {n(v.qfrc_bias[i] - total)}"))
    return [*lines, Line(f"qfrc_bias = {n(weight)} + {factor(motion)}{' + tendons' if drift else ''} = {n(v.qfrc_bias[i])}", None if drift else total,
                         None if drift else float(v.qfrc_bias[i]), "qfrc_bias", i)]


def _motion_force(m, v, body: int) -> np.ndarray:
    """The spatial force that a body and all that it carries need to move on with qacc = 0, without gravity."""
    acc, above, carried = {0: np.zeros(6)}, [], subtree(m, body)
    while (up := int(m.body_parentid[above[-1] if above else body])) > 0:
        above.append(up)
    total = np.zeros(6)
    for k in (*reversed(above), *carried):
        parent, first, count = int(m.body_parentid[k]), int(m.body_dofadr[k]), int(m.body_dofnum[k])
        acc[k] = acc[parent] + (v.qvel[first:first + count] @ v.cdof_dot[first:first + count] if count else 0.0)
        if k in carried:
            moved = np.array(mul_inertia(v.cinert[k], v.cvel[k]))
            total += np.array(mul_inertia(v.cinert[k], acc[k])) + np.array(cross_force(v.cvel[k], moved))
    return total


def actuation(m, v, b, t) -> list[Line]:
    """The actuator's force, and what all actuators do to the dof."""
    i = t.actuator
    if i < 0 or m.opt_disableflags & DSBL_ACTUATION:
        return [Line(NO_ACTUATOR if i < 0 else OFF)]
    return force_of(m, v, i) + _driven(m, v, t)


def _driven(m, v, t) -> list[Line]:
    if t.dof < 0:
        return []
    i, j = t.dof, int(m.dof_jntid[t.dof])
    rows = SparseRows.of(v.actuator_moment, v.moment_colind, v.moment_rownnz, v.moment_rowadr, m.nv)
    entries = rows.cols == i
    moments, forces = rows.values[entries], v.actuator_force[rows.row[entries]]
    total = float(moments @ forces)
    words, limits = f"qfrc_actuator<sub>{dof_name(m, i)}</sub> = \u03a3 moment force = {products(moments, forces) if len(moments) else '0'} = {n(total)}", m.jnt_actfrcrange[j]
    if m.jnt_actgravcomp[j]:
        total += float(v.qfrc_gravcomp[i])
        words += f", with gravity compensation {n(total)}"
    if m.jnt_actfrclimited[j]:
        total = min(max(total, limits[0]), limits[1])
        words += f", within [{n(limits[0])}, {n(limits[1])}]: {n(total)}"
    return [Line(words, total, float(v.qfrc_actuator[i]), "qfrc_actuator", i)]


def qacc_smooth(m, v, b, t) -> list[Line]:
    """The sum of forces at the dof, and its row of M times the acceleration."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i, name = t.dof, dof_name(m, t.dof)
    parts = (("passive", 1.0), ("bias", -1.0), ("applied", 1.0), ("actuator", 1.0))
    values = [sign * float(getattr(v, f"qfrc_{word}")[i]) for word, sign in parts]
    total, smooth = sum(values), float(v.qfrc_smooth[i])
    bodies = np.any(v.xfrc_applied) or v.perturb_bodyid > 0
    lines = [Line(f"qfrc_smooth<sub>{name}</sub> = passive {MINUS} bias + applied + actuator = {summed([n(x) for x in values])} = {n(total)}",
                  None if bodies else total, None if bodies else smooth, "qfrc_smooth", i)]
    if bodies:
        lines.append(Line(f"with forces on bodies (xfrc_applied, the mouse): + {factor(smooth - total)} = {n(smooth)}"))
    if m.opt_integrator == INT_DISCRETE:
        return [*lines, Line(f"qacc_smooth = {n(v.qacc_smooth[i])}: the discrete integrator has M + h D + h<sup>2</sup> K of springs, dampers and servos in the place of M")]
    columns, row = row_of_m(m, v, i)
    product = float(row @ v.qacc_smooth[columns])
    return [*lines, Line(f"M qacc_smooth = {products(row, v.qacc_smooth[columns])} = {n(product)} = qfrc_smooth, with qacc_smooth = {n(v.qacc_smooth[i])}", product, smooth, "qfrc_smooth", i)]


def row_of_m(m, v, i: int) -> tuple[np.ndarray, np.ndarray]:
    """(columns, entries) of the whole row i of the symmetric M."""
    start, count = int(m.M_rowadr[i]), int(m.M_rownnz[i])
    below = np.flatnonzero(m.M_colind == i)
    rows = np.searchsorted(m.M_rowadr, below, side="right") - 1
    below, rows = below[rows != i], rows[rows != i]
    return np.concatenate([m.M_colind[start:start + count], rows]).astype(int), np.concatenate([v.M[start:start + count], v.M[below]])


def solve(m, v, b, t) -> list[Line]:
    """The constraint force at the dof, the balance there, and how far the row came."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i, name = t.dof, dof_name(m, t.dof)
    entries = np.flatnonzero(v.efc_J_colind == i)
    rows = np.searchsorted(v.efc_J_rowadr, entries, side="right") - 1
    force = float(v.efc_J[entries] @ v.efc_force[rows]) if len(entries) else 0.0
    told = products(v.efc_J[entries], v.efc_force[rows]) if len(entries) else "0"
    lines = [Line(f"qfrc_constraint<sub>{name}</sub> = J\u1d40 efc_force = {told} = {n(force)}", force, float(v.qfrc_constraint[i]), "qfrc_constraint", i)]
    if m.opt_integrator != INT_DISCRETE:
        columns, row = row_of_m(m, v, i)
        product, wanted = float(row @ v.qacc[columns]), float(v.qfrc_smooth[i] + v.qfrc_constraint[i])
        lines.append(Line(f"M qacc = {n(product)}, qfrc_smooth + qfrc_constraint = {n(v.qfrc_smooth[i])} + {factor(v.qfrc_constraint[i])} = {n(wanted)}; "
                          f"the solver stopped {n(abs(product - wanted))} apart", product, wanted, "qacc", i))
    lines.append(Line(f"qacc<sub>{name}</sub>: {n(v.qacc_smooth[i])} without constraints, {n(v.qacc[i])} with them"))
    if t.row >= 0:
        r = t.row
        where = slice(int(v.efc_J_rowadr[r]), int(v.efc_J_rowadr[r] + v.efc_J_rownnz[r]))
        columns = v.efc_J_colind[where]
        free, bound = (float(v.efc_J[where] @ a[columns]) for a in (v.qacc_smooth, v.qacc))
        lines.append(Line(f"Row {r}, {row_name(m, v, r)}: J a = {n(free)} without constraints, {n(bound)} with them, asked for {n(v.efc_aref[r])}; efc_force = {n(v.efc_force[r])}"))
    return lines


def kinetic_energy(m, v, b, t) -> list[Line]:
    """Half of qvel' M qvel."""
    rows = np.repeat(np.arange(m.nv), m.M_rownnz)
    products_ = v.M * v.qvel[rows] * v.qvel[m.M_colind]
    total = float(products_.sum() - 0.5 * products_[rows == m.M_colind].sum())
    return [Line(f"E<sub>kin</sub> = qvel\u1d40 M qvel / 2 = {n(total)} J", total, float(v.energy[1]), "energy", 1)]


RK4_MEAN = "h (v<sub>1</sub> + 2 v<sub>2</sub> + 2 v<sub>3</sub> + v<sub>4</sub>) / 6"     # of the four evaluations of a Runge-Kutta step


def integrate(m, v, b, t) -> list[Line]:
    """The dof's next velocity and the joint's next position."""
    if t.dof < 0:
        return [Line(NO_DOF)]
    i, j, h = t.dof, int(m.dof_jntid[t.dof]), float(m.opt_timestep)
    before, after = float(b.qvel[i]), float(v.qvel[i])
    if v.tree_asleep[m.dof_treeid[i]] >= 0:
        return [Line(f"qvel'<sub>{dof_name(m, i)}</sub> = 0: its tree is asleep, or has fallen asleep in this step", 0.0, after, "qvel", i)]
    a, word, checked = _applied(m, v, b, i)
    lines = [Line(f"qvel'<sub>{dof_name(m, i)}</sub> = qvel + h {word} = {n(before)} + {n(h)}\u00b7{factor(a)} = {n(before + h * a)}",
                  before + h * a if checked else None, after if checked else None, "qvel", i)]
    adr, dof, turning, name = int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j]), int(rotation_dof(m, j)), named(m, "joint", j)
    if m.opt_integrator == INT_RK4:     # the velocities of its evaluations are not kept
        size = 1 if turning < 0 else 7 if dof < turning else 4
        return [*lines, Line(f"qpos'<sub>{name}</sub> = qpos \u2295 {RK4_MEAN} = {n(v.qpos[adr:adr + size])}")]
    if turning < 0:
        q = float(b.qpos[adr] + h * v.qvel[dof])
        lines.append(Line(f"qpos'<sub>{name}</sub> = qpos + h qvel' = {n(b.qpos[adr])} + {n(h)}\u00b7{factor(v.qvel[dof])} = {n(q)}", q, float(v.qpos[adr]), "qpos", adr))
        return lines
    if dof < turning:
        p = b.qpos[adr:adr + 3] + h * v.qvel[dof:dof + 3]
        lines.append(Line(f"position' = position + h qvel' = {n(b.qpos[adr:adr + 3])} + {n(h)}\u00b7{n(v.qvel[dof:dof + 3])} = {n(p)}", p, v.qpos[adr:adr + 3], "qpos", adr))
        adr += 3
    w = v.qvel[turning:turning + 3]
    q = np.array(turn(tuple(b.qpos[adr:adr + 4]), tuple(w), h))
    lines.append(Line(f"quaternion' = quaternion exp(h w / 2) = {n(b.qpos[adr:adr + 4])} exp({n(h * w / 2)}) = {n(q)}", q, v.qpos[adr:adr + 4], "qpos", adr))
    return lines


def _applied(m, v, b, i: int) -> tuple[float, str, bool]:
    """(acceleration that the integrator applied to a dof, its name, whether it is read from Data)."""
    kind = m.opt_integrator
    if kind == INT_RK4:
        h = float(m.opt_timestep)
        return (float(v.qvel[i]) - float(b.qvel[i])) / h, "(a<sub>1</sub> + 2 a<sub>2</sub> + 2 a<sub>3</sub> + a<sub>4</sub>) / 6", False
    if kind == INT_DISCRETE or kind == INT_EULER and (m.opt_disableflags & (DSBL_EULERDAMP | DSBL_DAMPER) or not has_dof_damping(m)):
        return float(b.qacc[i]), "qacc", True
    return float(v.qacc_step[i]), "a", True


