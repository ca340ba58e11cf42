"""Rules about constraints and springs that are stiffer than the timestep resolves.

Standard solref (timeconst, dampratio): refsafe takes a timeconst of at least 2 timesteps h. Direct (-stiffness S, -damping D): nothing is clamped; with w = sqrt(S) and
zeta = D / (2 w) bounces are right up to about w h (1 + 2 zeta) = 1.5, scatter with the phase of the impact from w h = 0.4 on, and gain energy far beyond: from there on they are
computed (impact.py).
Sources: MuJoCo documentation, chapter Modeling, "Solver parameters"; chapter Computation, "Constraint model: parameters" and "Numerical integration".
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np

from physics.diagnostics.advice.finding import count, duration, named, number, sentence
from physics.enums import (
    BIAS_AFFINE,
    DSBL_EULERDAMP,
    DSBL_REFSAFE,
    INT_DISCRETE,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    INT_RK4,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
    WRAP_JOINT,
)
from physics.lint.finding import ERROR, NOTE, WARNING, Finding
from physics.lint.fix import Fix, SetAttribute, numbers_text
from physics.lint.impact import impacts
from physics.lint.subject import Subject
from physics.model.model import Model
from physics.spec.element import Element

UNSTABLE, SCATTER = 1.5, 0.4        # of w h (1 + 2 zeta), of w h
SPRING, FAST_SPRING = 0.5, 1.5      # of w h of springs that the integrator takes explicitly
GAIN = 1.01                         # of the speed before an impact: that is energy from nowhere
WRONG, SCATTERED = 0.05, 0.05       # of the speed before an impact: so far off, and so far apart, is told
ROOM = 0.9                          # of a bound: what a fix takes
EXACT = 1.0 - 1e-9
DIVERGES = "the integrator takes springs explicitly, and beyond 2 it diverges."
COARSE = "one period is less than a dozen steps, and its motion is coarse."


@dataclass(frozen=True, slots=True)
class Stiff:
    """What is to be said of a solref. w [1/s], zeta: of the spring that it stands for."""

    severity: str
    text: str
    fixed: tuple[float, float]
    weight: float
    keeps: bool


def judge(m: Model, solref, solimp, bounces: bool) -> Stiff | None:
    """What is wrong with a solref at the timestep; None: nothing. bounces: whether its constraint is one-sided."""
    h, (one, two) = float(m.opt_timestep), map(float, solref)
    if one > 0 and two > 0:
        return _standard(m, h, one, two)
    if one >= 0 or two > 0:
        return None
    w, zeta = sqrt(-one), -two / (2.0 * sqrt(-one))
    step = w * h
    slower = min(UNSTABLE / (h * (1 + 2 * zeta)), SCATTER / h) * ROOM
    fixed = -slower * slower, -2.0 * zeta * slower
    figures = f"stiffness {number(-one)} 1/s2 and damping {number(-two)} 1/s give w h = {number(step)} with dampratio {number(zeta)} at the timestep of {duration(h)}"
    beyond = step * (1 + 2 * zeta) > UNSTABLE
    if not bounces:
        text = f"{figures}: beyond w h (1 + 2 dampratio) = {UNSTABLE:g} the step does not resolve it, and nothing clamps this format"
        return Stiff(WARNING, text, fixed, step, False) if beyond else None
    if not beyond and step <= SCATTER:
        return None
    found = impacts(-one, -two, tuple(map(float, solimp)), h)       # with a small impedance it is softer than w says
    if found.largest > GAIN:
        return Stiff(ERROR, f"{figures}: a body that hits leaves with {number(found.largest)} times its speed, so energy grows", fixed, step, False)
    if beyond and found.off > WRONG:
        return Stiff(WARNING, f"{figures}: bounces are off by up to {number(found.off)} of the speed before them, and nothing clamps this format", fixed, step, False)
    if found.scatter > SCATTERED and m.opt_integrator != INT_RK4:       # whose four stages see the impact
        text = f"{figures}: bounces differ by up to {number(found.scatter)} of the speed before them with the moment within a step at which they begin"
        return Stiff(NOTE, text, fixed, step, False)
    return None


def _standard(m: Model, h: float, timeconst: float, zeta: float) -> Stiff | None:
    if timeconst >= 2.0 * h * EXACT or m.opt_integrator == INT_DISCRETE:
        return None
    if m.opt_disableflags & DSBL_REFSAFE:
        return Stiff(WARNING, f"timeconst {duration(timeconst)} is below 2 timesteps of {duration(h)}, and the flag refsafe is off: the step does not resolve it", (2.0 * h, zeta),
                     h / timeconst, False)
    softer = number((2 * h / timeconst) ** 2)
    return Stiff(NOTE, f"timeconst {duration(timeconst)} is less than 2 timesteps of {duration(h)}: refsafe makes it {duration(2 * h)}, {softer} times softer than it says",
                 (2.0 * h, zeta), h / timeconst, True)


# ------------------------------------------------------------------ constraints

@dataclass(frozen=True, slots=True)
class Kind:
    """Where the solref of a kind of constraint is. kind: of items; switch: field that is nonzero where there is one; attribute: of its element."""

    kind: str
    what: str
    solref: str
    solimp: str
    switch: str
    attribute: str
    bounces: bool


KINDS = (
    Kind("joint", "the limit of", "jnt_solref", "jnt_solimp", "jnt_limited", "solreflimit", True),
    Kind("tendon", "the limit of", "tendon_solref_lim", "tendon_solimp_lim", "tendon_limited", "solreflimit", True),
    Kind("equality", "", "eq_solref", "eq_solimp", "", "solref", False),
    Kind("pair", "contacts of", "pair_solref", "pair_solimp", "", "solref", True),
)


def too_stiff(s: Subject) -> Iterator[Finding]:
    """Limits, equalities, explicit pairs and contacts whose solref the timestep does not resolve; one finding for each text that says so."""
    groups: dict[tuple, list] = {}
    for kind in KINDS:
        switch = getattr(s.m, kind.switch) if kind.switch else None
        for i in range(len(s.m.names[kind.kind])):
            if switch is not None and not switch[i]:
                continue
            stiff = judge(s.m, getattr(s.m, kind.solref)[i], getattr(s.m, kind.solimp)[i], kind.bounces)
            if stiff is not None:
                element = s.of(kind.kind, i)
                source = _source(s, element, kind.attribute)
                groups.setdefault((source.id if source is not None else 0, kind.attribute, kind.kind), []).append((stiff, kind, i, source, element))
    for rows in groups.values():
        yield _constraint(s, rows)
    yield from _contacts(s)


def _source(s: Subject, element: Element | None, attribute: str) -> Element | None:
    """Where an attribute in force is written."""
    if element is None or attribute not in s.attrs(element).spec.attributes:
        return None
    return s.attrs(element).source(attribute)


def _constraint(s: Subject, rows: list) -> Finding:
    stiff, kind, i, source, element = max(rows, key=lambda row: row[0].weight)
    name = f"{kind.what} {named(s.m, kind.kind, i)}".strip()
    text = f"{sentence(name)}{_and_more(rows, kind)}: {stiff.text}."
    items = s.items(kind.kind, *(row[2] for row in rows))
    return s.finding("too_stiff", stiff.severity, source or s.root.first("option") or element, text, _remedy(s, stiff, source), items, [_fix(s, source, kind.attribute, stiff)],
                     f"{kind.attribute} {kind.kind}", stiff.weight)


def _and_more(rows: list, kind: Kind) -> str:
    return f" and {count(len(rows) - 1, 'other ' + kind.kind)}" if len(rows) > 1 else ""


def _remedy(s: Subject, stiff: Stiff, source: Element | None) -> str:
    h = float(s.m.opt_timestep)
    if stiff.keeps:
        return (f"A timestep of {duration(h / (2 * stiff.weight))} or less where that stiffness is wanted; else write the timeconst that is used, {duration(2 * h)}."
                + ("" if source is not None else " It is the default: only the timestep can be changed, or a solref given."))
    return f"A smaller timestep, or softer: {numbers_text(stiff.fixed, 5)} is what {duration(h)} resolves with the same dampratio."


def _fix(s: Subject, source: Element | None, attribute: str, stiff: Stiff) -> Fix | None:
    there = s.written(source)
    if there is None or attribute not in there.attrs:
        return None
    value = numbers_text(stiff.fixed, 8)
    return Fix(f"Set {attribute} to {value}", (SetAttribute(there.id, attribute, value),), keeps=stiff.keeps)


def _contacts(s: Subject) -> Iterator[Finding]:
    """Of geoms that can meet: the solref of their contact, told at the geom that makes it so."""
    groups: dict[int, list] = {}
    for meeting in s.meetings.all:
        parameter = meeting.parameters["solref"]
        stiff = judge(s.m, parameter.value, meeting.parameters["solimp"].value, True)
        if stiff is None:
            continue
        deciding = [c.element.id for c in parameter.candidates if c.element is not None and any(c.decides)] or list(meeting.geoms)
        own = [(g, mine) for g in deciding if (mine := judge(s.m, s.m.geom_solref[g], s.m.geom_solimp[g], True)) is not None]
        for geom, mine in own or [(min(deciding, key=lambda g: _speed(s.m.geom_solref[g])), stiff)]:
            source = _source(s, s.of("geom", geom), "solref")
            groups.setdefault(source.id if source is not None else 0, []).append((stiff, meeting, geom, source, mine))
    for rows in groups.values():
        stiff, meeting, geom, source, mine = max(rows, key=lambda row: (row[0].severity != NOTE, row[0].weight))
        one, two = (named(s.m, "geom", g) for g in meeting.geoms)
        text = f"Contacts of {one} and {two}{_alike(rows)}: {stiff.text}."
        alone = all(tuple(row[1].parameters["solref"].value) == tuple(s.m.geom_solref[row[2]]) for row in rows)
        fix = _fix(s, source, "solref", replace(mine, keeps=mine.keeps and alone))
        items = s.items("geom", *dict.fromkeys(row[2] for row in rows))
        yield s.finding("too_stiff", stiff.severity, source or s.root.first("option") or s.of("geom", geom), text, _remedy(s, stiff, source), items, [fix], "contact", stiff.weight)


def _alike(rows: list) -> str:
    others = sum(row[1].count for row in rows) - 1
    return f" (and of {count(others, 'other pair')})" if others > 0 else ""


def _speed(solref) -> float:
    """Smaller for what is stiffer."""
    return float(solref[0] * solref[1]) if solref[0] > 0 else 1.0 / sqrt(-solref[0]) if solref[0] < 0 else inf


# ------------------------------------------------------------------ springs

def stiff_spring(s: Subject) -> Iterator[Finding]:
    """Springs of joints and tendons, and position servos, whose frequency the integrator does not resolve: all but 'discrete' take springs explicitly."""
    m, h = s.m, float(s.m.opt_timestep)
    if m.opt_integrator == INT_DISCRETE:
        return
    damped = _implicit_damping(m)
    for kind, i, stiffness, inverse, what, attribute, dof in _springs(m, damped):
        inertia = 1.0 / max(inverse, 1e-300) + (h * float(damped[dof]) if dof >= 0 else 0.0)
        step = h * sqrt(stiffness / inertia)
        if step <= SPRING:
            continue
        element = s.of(kind, i)
        source = _source(s, element, attribute) or element
        text = (f"{sentence(what)} {named(m, kind, i)} ({number(stiffness)}) against an inertia of {number(inertia)} has w h = {number(step)} at the timestep of "
                f"{duration(h)}: " + (DIVERGES if step > FAST_SPRING else COARSE))
        remedy = f"A timestep of {duration(h * SPRING / step)} or less, a softer spring, more armature, or the integrator 'discrete', which takes springs implicitly."
        severity = WARNING if step > FAST_SPRING else NOTE
        yield s.finding("stiff_spring", severity, source, text, remedy, s.items(kind, i), part=attribute if source is not element else "", weight=step)


def _implicit_damping(m: Model):
    """Damping of each dof (nv) that the integrator takes implicitly, so that it acts on springs as h times itself in inertia: of joints, and with the implicit integrators also
    of servos."""
    out = np.zeros(m.nv)
    if m.opt_integrator in (INT_IMPLICIT, INT_IMPLICITFAST) or m.opt_integrator == INT_EULER and not m.opt_disableflags & DSBL_EULERDAMP:
        out += m.dof_damping
    if m.opt_integrator in (INT_IMPLICIT, INT_IMPLICITFAST):
        for i in np.flatnonzero((m.actuator_biastype == BIAS_AFFINE) & (m.actuator_biasprm[:, 2] < 0) & (m.actuator_outnum == 1)).tolist():
            if m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT):
                out[m.jnt_dofadr[m.actuator_trnid[i, 0]]] -= m.actuator_biasprm[i, 2] * m.actuator_gear[m.actuator_outadr[i], 0] ** 2
    return out


def _damped_share(m: Model, t: int, damped: np.ndarray) -> float:
    """What the implicit damping of the joints of a fixed tendon leaves of its inverse inertia, their coupling left away."""
    path = slice(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t])
    if not (np.asarray(m.wrap_type[path]) == WRAP_JOINT).all():
        return 1.0
    dofs, coefficients = m.jnt_dofadr[m.wrap_objid[path]], np.asarray(m.wrap_prm[path]) ** 2
    inertia = 1.0 / np.maximum(m.dof_invweight0[dofs], 1e-300)
    whole = float((coefficients / inertia).sum())
    return float((coefficients / (inertia + float(m.opt_timestep) * damped[dofs])).sum() / whole) if whole > 0 else 1.0


def _springs(m: Model, damped: np.ndarray) -> Iterator[tuple[str, int, float, float, str, str, int]]:
    """(kind, number, stiffness, inverse inertia at qpos0, in words, attribute, dof or -1)."""
    for j in range(m.njnt):
        if m.jnt_stiffness[j] > 0:
            yield "joint", j, float(m.jnt_stiffness[j]), float(m.dof_invweight0[m.jnt_dofadr[j]]), "the spring of", "stiffness", int(m.jnt_dofadr[j])
    for t in range(m.ntendon):
        if m.tendon_stiffness[t] > 0:
            yield "tendon", t, float(m.tendon_stiffness[t]), float(m.tendon_invweight0[t]) * _damped_share(m, t, damped), "the spring of", "stiffness", -1
    for i in range(m.nactuator):
        kp = -float(m.actuator_biasprm[i, 1])
        if m.actuator_biastype[i] != BIAS_AFFINE or kp <= 0 or m.actuator_outnum[i] != 1:
            continue
        gear, target = float(m.actuator_gear[m.actuator_outadr[i], 0]), int(m.actuator_trnid[i, 0])
        if m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT):
            inverse, dof = float(m.dof_invweight0[m.jnt_dofadr[target]]), int(m.jnt_dofadr[target])
        elif m.actuator_trntype[i] == TRN_TENDON:
            inverse, dof = float(m.tendon_invweight0[target]) * _damped_share(m, target, damped), -1
        else:
            continue
        yield "actuator", i, kp * gear * gear, inverse, "the position gain of", "kp", dof


