"""Rules about contact parameters: formats that cannot be mixed, friction that acts as stiffness, settings that never count."""
from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from physics.diagnostics.advice.finding import count, length, named, number, sentence
from physics.engine.constraint.impedance import clip_impedance
from physics.enums import CONE_PYRAMIDAL, DSBL_CONTACT, DSBL_REFSAFE, ENBL_OVERRIDE, MINVAL
from physics.lint.finding import NOTE, Finding
from physics.lint.fix import Fix, SetAttribute
from physics.lint.meetings import Meeting
from physics.lint.subject import Subject
from physics.spec.element import Element

FACTOR = 3.0        # of mu sqrt(1 + mu^2) between contacts of one geom
RULED = ("condim", "friction", "solref", "solimp", "solmix")    # of geoms: what the one of higher priority sets alone
GIVEN = ("condim", "friction", "solref", "solimp", "margin", "gap")     # of pairs
WIDTH, MIDPOINT, POWER = 0.001, 0.5, 2.0
SOLIMPS = (("geom", "solimp"), ("joint", "solimplimit"), ("joint", "solimpfriction"), ("tendon", "solimplimit"), ("tendon", "solimpfriction"), ("equality", "solimp"),
           ("pair", "solimp"))
FRICTION_ROWS = (("joint", "solreffriction"), ("tendon", "solreffriction"), ("pair", "solreffriction"))


def mixed_formats(s: Subject) -> Iterator[Finding]:
    """Geoms of equal priority that can meet, one with solref in the direct format and one in the standard format."""
    groups: dict[int, list] = {}
    for meeting in s.meetings.all:
        g, h = meeting.geoms
        refs = s.m.geom_solref[[g, h], 0]
        if s.m.geom_priority[g] == s.m.geom_priority[h] and (refs[0] > 0) != (refs[1] > 0) and not s.m.opt_enableflags & ENBL_OVERRIDE:
            direct, standard = (g, h) if refs[0] <= 0 else (h, g)
            source = s.attrs(s.of("geom", direct)).source("solref") if s.of("geom", direct) is not None else None
            groups.setdefault(source.id if source is not None else 0, []).append((direct, standard, meeting.count, source))
    for rows in groups.values():
        direct, standard, _count, source = rows[0]
        pairs = sum(row[2] for row in rows)
        also = f", and so in {count(pairs, 'pair')}" if pairs > 1 else ""
        text = (f"{sentence(named(s.m, 'geom', direct))} has solref in the direct format ({_two(s.m.geom_solref[direct])}) and can meet {named(s.m, 'geom', standard)} with a "
                f"timeconst ({_two(s.m.geom_solref[standard])}){also}. The two cannot be averaged: the direct one counts alone, and solmix does nothing.")
        remedy = "If that is meant, a higher priority for the direct geom says so (it then also sets condim, friction and solimp); else one format for both."
        yield s.finding("mixed_formats", NOTE, source or s.of("geom", direct), text, remedy, s.items("geom", *dict.fromkeys(row[0] for row in rows)))


def _two(values) -> str:
    return " ".join(number(float(x)) for x in values)


# ------------------------------------------------------------------ friction

def friction_as_stiffness(s: Subject) -> Iterator[Finding]:
    """Pyramidal cones: of the contacts of one geom some lie much deeper than others, as their friction differs."""
    m = s.m
    if m.opt_cone != CONE_PYRAMIDAL or m.opt_disableflags & DSBL_CONTACT or not np.any(m.opt_gravity):
        return
    by_geom: dict[int, list[tuple[float, Meeting]]] = {}
    for meeting in s.meetings.all:
        dim, mu = int(meeting.parameters["condim"].value[0]), float(meeting.parameters["friction"].used[0])
        if dim > 1 and mu > 0:
            for g in meeting.geoms:
                by_geom.setdefault(int(s.meetings.kinds[g]), []).append((mu * sqrt(1 + mu * mu), meeting))
    found = []
    for rows in by_geom.values():
        low, high = min(rows, key=lambda row: row[0]), max(rows, key=lambda row: row[0])
        if high[0] > FACTOR * low[0]:
            found.append((high[0] / low[0], low[1], high[1]))
    if not found:
        return
    ratio, slippery, rough = max(found, key=lambda row: row[0])
    shared = next((g for g in slippery.geoms for h in rough.geoms if s.meetings.kinds[g] == s.meetings.kinds[h]), slippery.geoms[0])
    told = []
    for meeting in (slippery, rough):
        mu, depth = float(meeting.parameters["friction"].used[0]), _depth(s, meeting)
        names = " and ".join(named(m, "geom", g) for g in meeting.geoms)
        told.append(f"{names} (friction {number(mu)})" + (f" by about {_small(depth)}" if depth is not None else ""))
    text = (f"With pyramidal cones friction decides how stiff a contact is: at rest under gravity, one contact each, {told[0]}, and {told[1]}, are inside each other; "
            f"friction makes a factor of {number(ratio * ratio)} of that.")
    remedy = 'cone="elliptic" in <option> makes the depth independent of friction; else a solref or solimp for these contacts that makes up for it.'
    others = tuple(g for meeting in (slippery, rough) for g in meeting.geoms)
    yield s.finding("friction_as_stiffness", NOTE, s.of("geom", shared), text, remedy, s.items("geom", *dict.fromkeys((shared, *others))), weight=ratio)


def _small(depth: float) -> str:
    """A length [m], in um or nm below 0.1 mm."""
    return length(depth) if depth >= 1e-4 else f"{number(1e6 * depth)} um" if depth >= 1e-7 else f"{number(1e9 * depth)} nm"


def _depth(s: Subject, meeting: Meeting) -> float | None:
    """Depth [m] at which a body of one contact rests under gravity, with a constant impedance d: (1 - d) |a0| / (s k d^2), s = (condim - 1) impratio / (mu^2 (1 + mu^2))."""
    m, solimp = s.m, meeting.parameters["solimp"].value
    d, dw = clip_impedance(solimp[0]), clip_impedance(solimp[1])
    one, two = meeting.parameters["solref"].value
    mu, dim = float(meeting.parameters["friction"].used[0]), int(meeting.parameters["condim"].value[0])
    if one > 0 and two > 0:
        one = one if m.opt_disableflags & DSBL_REFSAFE else max(one, 2 * float(m.opt_timestep))
        k = 1.0 / max(MINVAL, (dw * one * two) ** 2)
    elif one < 0:
        k = -one / (dw * dw)
    else:
        return None
    times = (dim - 1) * float(m.opt_impratio) / (mu * mu * (1 + mu * mu))
    return (1 - d) * float(np.linalg.norm(m.opt_gravity)) / (times * k * d * d)


# ------------------------------------------------------------------ dead

def dead_settings(s: Subject) -> Iterator[Finding]:
    """Settings that never count: of geoms below others in priority or met by explicit pairs alone, a width where solimp does not change, a dampratio of dry friction."""
    yield from _outranked(s)
    yield from _only_in_pairs(s)
    yield from _no_slope(s)
    yield from _no_spring(s)


def _own(s: Subject, g: int, names) -> tuple[Element, list[str]] | None:
    element = s.of("geom", g)
    mine = [name for name in names if element is not None and element.tag == "geom" and name in element.attrs]
    return (element, mine) if mine else None


def _without(s: Subject, element: Element, names: list[str]) -> Fix | None:
    there = s.written(element)
    return Fix(f"Take {' and '.join(names)} away", tuple(SetAttribute(there.id, name, None) for name in names), keeps=True) if there is not None else None


def _outranked(s: Subject) -> Iterator[Finding]:
    priority = s.m.geom_priority
    if len(np.unique(priority)) < 2:
        return
    named_in_pairs = set(s.m.pair_geom1.tolist()) | set(s.m.pair_geom2.tolist())
    for g in np.flatnonzero(priority < priority.max()).tolist():
        found = _own(s, g, RULED) if g not in named_in_pairs else None
        partners = s.meetings.partners(g) if found is not None else ()
        if not len(partners) or (priority[partners] <= priority[g]).any():
            continue
        element, names = found
        other = int(partners[0])
        text = (f"{' and '.join(names)} of {named(s.m, 'geom', g)} never count{'s' if len(names) == 1 else ''}: all geoms that it can meet have a higher priority, as "
                f"{named(s.m, 'geom', other)} ({int(priority[other])} against {int(priority[g])}).")
        yield s.finding("dead_settings", NOTE, element, text, "Take them away, or raise the geom's priority.", s.items("geom", g), [_without(s, element, names)], "priority")


def _only_in_pairs(s: Subject) -> Iterator[Finding]:
    m = s.m
    if not m.npair or m.opt_disableflags & DSBL_CONTACT:
        return
    met = set(np.unique(s.meetings.pairs).tolist())
    for g in sorted((set(m.pair_geom1.tolist()) | set(m.pair_geom2.tolist())) - met):
        found = _own(s, g, GIVEN) if not m.nsapgeom else None
        if found is None:
            continue
        element, names = found
        pairs = [s.of("pair", int(p)) for p in np.flatnonzero((m.pair_geom1 == g) | (m.pair_geom2 == g))]
        dead = [name for name in names if all(pair is not None and s.attrs(pair).given(name) for pair in pairs)]
        if dead:
            text = f"{' and '.join(dead)} of {named(m, 'geom', g)} never count: it touches others by explicit pairs alone, and these set their own."
            yield s.finding("dead_settings", NOTE, element, text, "Take them away.", s.items("geom", g), [_without(s, element, dead)], "pair")


def _layers(s: Subject, kind: str, attribute: str) -> Iterator[tuple[Element, int]]:
    """Elements, default classes among them, that give an attribute in force for an item of a kind, each once, with that item."""
    seen = set()
    for i in range(len(s.m.names[kind])):
        element = s.of(kind, i)
        if element is None or attribute not in s.attrs(element).spec.attributes:
            continue
        source = s.attrs(element).source(attribute)
        if source is not None and source.id not in seen:
            seen.add(source.id)
            yield source, i


def _no_slope(s: Subject) -> Iterator[Finding]:
    """solimp with d0 = dwidth: the other three numbers mean nothing."""
    for kind, attribute in SOLIMPS:
        for source, i in _layers(s, kind, attribute):
            values = _numbers(source.attrs[attribute])
            given = [name for name, value, usual in zip(("width", "midpoint", "power"), values[2:], (WIDTH, MIDPOINT, POWER), strict=False) if value != usual]
            if len(values) < 3 or clip_impedance(values[0]) != clip_impedance(values[1]) or not given:
                continue
            text = (f"{attribute} {source.attrs[attribute]}: the impedance is {number(clip_impedance(values[0]))} at every depth, as d0 and dwidth are the same, and "
                    f"{' and '.join(given)} do{'es' if len(given) == 1 else ''} nothing.")
            there = s.written(source)
            value = " ".join(source.attrs[attribute].split()[:2])
            fix = None
            if there is not None and not _inherits(s, source, attribute):
                fix = Fix(f'Write {attribute}="{value}"', (SetAttribute(there.id, attribute, value),), keeps=True)
            remedy = "Leave them away; or another d0, smaller than dwidth, if contacts are to be softer where they begin."
            yield s.finding("dead_settings", NOTE, source, text, remedy, s.items(kind, i), [fix], f"{attribute} slope")


def _inherits(s: Subject, source: Element, attribute: str) -> bool:
    """Whether numbers that are left away would come from a default class, not the language."""
    if source.id in s.resolver.context and not s.names.in_default(source):
        layers = [layer for layer in s.attrs(source).layers if layer is not source and attribute in layer.attrs]
        return bool(layers)
    parent = s.resolver.context.get(source.id, (None, "", None))[2]
    return parent is not None and parent.attrs.get("class", "main") != "main"


def _no_spring(s: Subject) -> Iterator[Finding]:
    """Rows of dry friction have no position: of a standard solref only the timeconst counts."""
    for kind, attribute in FRICTION_ROWS:
        for source, i in _layers(s, kind, attribute):
            values = _numbers(source.attrs[attribute])
            if len(values) < 2 or values[0] <= 0 or values[1] <= 0 or values[1] == 1.0:
                continue
            text = f"{attribute} {source.attrs[attribute]}: friction has no spring, so the dampratio {number(values[1])} does nothing; the timeconst alone sets the damping."
            there = s.written(source)
            words = source.attrs[attribute].split()
            fix = Fix("Write dampratio 1", (SetAttribute(there.id, attribute, f"{words[0]} 1"),), keeps=True) if there is not None else None
            yield s.finding("dead_settings", NOTE, source, text, "Leave it at 1.", s.items(kind, i), [fix], f"{attribute} dampratio")


def _numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        return []
