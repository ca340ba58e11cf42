"""Rules about masses and inertias: moments that no body has, next to no mass below a joint, masses that differ too much."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics.diagnostics.advice.finding import named, number, sentence
from physics.lint.finding import NOTE, WARNING, Finding
from physics.lint.fix import Fix, SetAttribute, numbers_text
from physics.lint.joint_kinds import turning_dofs
from physics.lint.subject import Subject
from physics.query.mass_matrix import full_m
from physics.simulate.step import fwd_position
from physics.spec.element import Element

TRIANGLE = 1e-9         # of the largest moment
LEAST_MASS, LEAST_INERTIA = 1e-6, 1e-10     # kg, kg m2, against the motion of a joint
RATIO, NOTED_RATIO = 1000.0, 100.0
NEARLY_SINGULAR = 1e-3  # of the smallest eigenvalue of an inertia matrix whose diagonal is 1
MOST_DOFS = 400         # of a model whose inertia matrix is made full
UPWARDS = 0.5           # cosine between a contact's normal and gravity


def inertia_triangle(s: Subject) -> Iterator[Finding]:
    """Principal moments given by hand of which two do not add up to the third, so that the compiler has taken others."""
    for element in s.tagged("inertial"):
        moments = _given_moments(s, element)
        if moments is None or moments[0] + moments[1] >= moments[2] * (1 - TRIANGLE):
            continue
        body = next((item for item in s.made_of(s.resolver.parent(element)) if item.kind == "body"), None)
        used = s.m.body_inertia[body.id] if body is not None else None
        if used is None or np.allclose(np.sort(used), moments, rtol=1e-6, atol=0.0):
            continue
        a, b, c = map(number, moments)
        round_ = bool(np.ptp(used) <= TRIANGLE * used.max())
        taken = f"their mean, {number(float(used[0]))}, by balanceinertia" if round_ else f"{', '.join(map(number, np.sort(used).tolist()))}, by boundinertia"
        text = f"The moments of inertia {a}, {b}, {c} kg m2 belong to no body: {a} + {b} is less than {c}. What is used is {taken}."
        remedy = "Take the moments from the CAD program again (about the centre of mass, all in one unit), or let them follow from the geoms."
        yield s.finding("inertia_triangle", WARNING, element, text, remedy, (body,), [_balanced(s, element, used) if round_ else None], weight=float(moments[2]))


def _given_moments(s: Subject, element: Element) -> np.ndarray | None:
    """Principal moments that an inertial gives, smallest first; None where it gives none."""
    attrs = s.attrs(element)
    full, diagonal = attrs["fullinertia"], attrs["diaginertia"]
    if full is not None and len(full) == 6:
        xx, yy, zz, xy, xz, yz = full
        return np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.sort(diagonal) if diagonal is not None and len(diagonal) == 3 and diagonal.any() else None


def _balanced(s: Subject, element: Element, used: np.ndarray) -> Fix | None:
    there = s.written(element)
    if there is None:
        return None
    changes = [SetAttribute(there.id, "diaginertia", numbers_text(used, 9))]
    if "fullinertia" in there.attrs:
        changes.insert(0, SetAttribute(there.id, "fullinertia", None))
    return Fix("Write the mean that is used now", tuple(changes), keeps=True)


def massless_mover(s: Subject) -> Iterator[Finding]:
    """Joints that next to nothing hangs on: their inertia at qpos0, armature counted, is tiny."""
    m = s.m
    turning, inertia = turning_dofs(m), np.asarray(m.dof_M0)
    few = np.flatnonzero(inertia < np.where(turning, LEAST_INERTIA, LEAST_MASS))
    for j in np.unique(m.dof_jntid[few]).tolist():
        k = int(few[m.dof_jntid[few] == j][0])
        body, unit = int(m.jnt_bodyid[j]), "kg m2" if turning[k] else "kg"
        text = (f"{sentence(named(m, 'joint', j))} moves {number(float(m.body_subtreemass[body]))} kg, with an inertia of {number(float(inertia[k]))} {unit} against its motion: "
                f"a force of 1 {'N m' if turning[k] else 'N'} gives an acceleration of {number(float(1 / max(inertia[k], 1e-300)))} {'rad' if turning[k] else 'm'}/s2.")
        remedy = "Give the body its real mass and inertia, or the joint an armature (the inertia of motor and gears), or leave the joint away."
        yield s.finding("massless_mover", WARNING, s.of("joint", j), text, remedy, s.items("joint", j), weight=-float(inertia[k]))


# ------------------------------------------------------------------ ratios

def mass_ratio(s: Subject) -> Iterator[Finding]:
    """A heavy tree that lies on a light one, and a light link between joints that carries a heavy part and makes the inertia matrix nearly singular."""
    if s.dynamics:
        yield from _lying(s)
        yield from _hanging(s)


def _lying(s: Subject) -> Iterator[Finding]:
    m = s.m
    weight = float(np.linalg.norm(m.opt_gravity))
    if not weight or m.ntree < 2:
        return
    down, worst = np.array(m.opt_gravity) / weight, {}
    mass = m.body_subtreemass[m.body_rootid]
    for pose in s.poses.all:
        along = pose.normal @ down
        bodies = m.geom_bodyid[pose.geoms]
        for k in np.flatnonzero(np.abs(along) > UPWARDS):
            lower, upper = bodies[k] if along[k] < 0 else bodies[k][::-1]
            if min(m.body_treeid[[lower, upper]]) < 0 or m.body_treeid[lower] == m.body_treeid[upper] or not mass[lower] > 0:
                continue
            ratio = float(mass[upper] / mass[lower])
            if ratio > NOTED_RATIO and ratio > worst.get((int(upper), int(lower)), (0.0,))[0]:
                worst[int(upper), int(lower)] = ratio, pose.name
    for (upper, lower), (ratio, where) in worst.items():
        one, two = named(m, "body", upper), named(m, "body", lower)
        text = f"{sentence(one)} ({number(float(mass[upper]))} kg) lies on {two} ({number(float(mass[lower]))} kg) {where}: {number(ratio)} times the mass."
        remedy = ("A contact is as stiff as the lighter of the two is heavy, so the heavy one sinks in about that many times deeper than it would alone: a smaller ratio, or a "
                  "stiffer solref and a solimp nearer to 1 for these contacts.")
        yield s.finding("mass_ratio", WARNING if ratio > RATIO else NOTE, s.of("body", lower), text, remedy, s.items("body", lower, upper), part=_part(s, upper), weight=ratio)


def _part(s: Subject, body: int) -> str:
    return s.m.names["body"][body] or str(body)


def _hanging(s: Subject) -> Iterator[Finding]:
    m = s.m
    weld = np.asarray(m.body_weldid)
    own = np.bincount(weld, weights=m.body_mass, minlength=m.nbody)
    found = []
    for child in np.flatnonzero((m.body_dofnum > 0) & (weld == np.arange(m.nbody))).tolist():
        parent = int(weld[m.body_parentid[child]])
        if parent and m.body_dofnum[parent] and m.body_subtreemass[child] > NOTED_RATIO * max(own[parent], 1e-12) and not _has_armature(m, parent):
            found.append((child, parent, float(m.body_subtreemass[child] / max(own[parent], 1e-12))))
    if not found or m.nv > MOST_DOFS:
        return
    s.poses.put(-1)
    fwd_position(m, s.poses.data)
    inertia = full_m(m, s.poses.data)
    for child, parent, ratio in found:
        dofs = np.r_[_dofs(m, parent), _dofs(m, child)]
        block = inertia[np.ix_(dofs, dofs)]
        scale = np.sqrt(np.diag(block))
        least = float(np.linalg.eigvalsh(block / np.outer(scale, scale))[0])
        if least > NEARLY_SINGULAR:
            continue
        text = (f"{sentence(named(m, 'body', parent))} weighs {number(float(own[parent]))} kg and carries {number(float(m.body_subtreemass[child]))} kg by the joints of "
                f"{named(m, 'body', child)}, {number(ratio)} times as much, and the joints on both sides of it move the same way: nearly no force is needed to move it alone.")
        remedy = "Give the light body its real mass, the joints an armature, or make one body of both."
        yield s.finding("mass_ratio", WARNING if ratio > RATIO else NOTE, s.of("body", parent), text, remedy, s.items("body", parent, child), part=_part(s, child), weight=ratio)


def _dofs(m, body: int) -> np.ndarray:
    return np.arange(m.body_dofadr[body], m.body_dofadr[body] + m.body_dofnum[body])


def _has_armature(m, body: int) -> bool:
    return bool((m.dof_armature[_dofs(m, body)] > 0).all())
