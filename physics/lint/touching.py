"""Rules about what touches at rest: geoms inside each other at the start, geoms that always overlap, geoms that can never touch anything."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.advice.contacts import next_to_each_other
from physics.diagnostics.advice.finding import count, length, listed, named, sentence
from physics.diagnostics.advice.shapes import is_hfield
from physics.diagnostics.mask_bits import bits_text
from physics.enums import DSBL_CONSTRAINT, DSBL_CONTACT
from physics.lint.finding import NOTE, WARNING, Finding
from physics.lint.fix import Fix, Insert, SetAttribute, numbers_text
from physics.lint.meetings import without_partner
from physics.lint.poses import Pose
from physics.lint.subject import Subject

DEPTH, SHARE = 1e-3, 0.05       # m, of the smaller bounding sphere's radius: so deep is told at the start
ALWAYS_DEPTH, ALWAYS_SHARE = 5e-4, 0.02
RANDOM_POSES = 20
CLEAR = 1e-5        # m: how far apart a fix puts them
MOST_FINDINGS = 200
MOST_GEOMS = 20_000


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two bodies with geoms inside each other. geoms: the deepest; depth [m]; normal: from the first geom to the second; also: how many other pairs of geoms of the two bodies;
    pose: the one in which they are deepest; poses: names of all in which they are."""

    geoms: tuple[int, int]
    depth: float
    normal: tuple[float, float, float]
    pose: Pose
    also: int
    poses: tuple[str, ...]


def _limits(s: Subject, geoms: np.ndarray, least: float, share: float) -> np.ndarray:
    """How deep pairs of geoms (n, 2) may be inside each other."""
    radius = np.where(s.m.geom_rbound > 0, s.m.geom_rbound, np.inf)[geoms].min(axis=1, initial=np.inf)
    return np.maximum(least, np.where(np.isfinite(radius), share * radius, 0.0))


def _deep(s: Subject, pose: Pose, least: float, share: float) -> np.ndarray:
    """Rows of the pose's contacts that are too deep."""
    return np.flatnonzero(-pose.dist > _limits(s, pose.geoms, least, share)) if len(pose.dist) else np.zeros(0, int)


def overlaps(s: Subject) -> list[Overlap]:
    """Those at the start of all poses, one for each two bodies, in the pose in which they are deepest."""
    found: dict[tuple[int, int], list] = {}
    for pose in s.poses.all:
        for k in _deep(s, pose, DEPTH, SHARE):
            bodies = tuple(sorted(map(int, s.m.geom_bodyid[pose.geoms[k]])))
            found.setdefault(bodies, []).append((float(-pose.dist[k]), pose, int(k)))
    out = []
    for rows in found.values():
        depth, pose, k = max(rows, key=lambda row: row[0])
        pairs = {tuple(p.geoms[i].tolist()) for _depth, p, i in rows}
        out.append(Overlap(tuple(map(int, pose.geoms[k])), depth, tuple(map(float, pose.normal[k])), pose, len(pairs) - 1, tuple(dict.fromkeys(p.name for _d, p, _i in rows))))
    return out


def _contacts_off(s: Subject) -> bool:
    return not s.dynamics or bool(s.m.opt_disableflags & (DSBL_CONTACT | DSBL_CONSTRAINT))


def always_overlapping(s: Subject) -> dict[tuple[int, int], tuple[float, float]]:
    """Bodies with geoms that overlap at qpos0 and in each of a number of poses at random: (least, largest depth [m])."""
    m, start = s.m, s.poses.all[0]
    rows = _deep(s, start, ALWAYS_DEPTH, ALWAYS_SHARE)
    pairs = {tuple(start.geoms[k].tolist()): [float(-start.dist[k])] for k in rows.tolist() if next_to_each_other(m, tuple(start.geoms[k].tolist()))}
    if pairs:
        for pose in s.poses.at_random(RANDOM_POSES):
            deep = {tuple(pose.geoms[k].tolist()): float(-pose.dist[k]) for k in _deep(s, pose, ALWAYS_DEPTH, ALWAYS_SHARE)}
            pairs = {pair: [*depths, deep[pair]] for pair, depths in pairs.items() if pair in deep}
            if not pairs:
                break
    out: dict[tuple[int, int], tuple[float, float]] = {}
    for pair, depths in pairs.items():
        bodies = tuple(sorted(map(int, m.geom_bodyid[list(pair)])))
        low, high = out.get(bodies, (0.0, 0.0))
        out[bodies] = max(low, min(depths)), max(high, max(depths))
    return out


def always_touches(s: Subject) -> Iterator[Finding]:
    """Geoms of neighbours that overlap in whatever pose."""
    if not _contacts_off(s):
        for bodies, depths in s.once("always", always_overlapping).items():
            yield _always(s, bodies, depths)


def initial_penetration(s: Subject) -> Iterator[Finding]:
    """Geoms inside each other at qpos0 or in a keyframe; where they always are, always_touches says so."""
    if _contacts_off(s):
        return
    always = s.once("always", always_overlapping)
    found = [one for one in overlaps(s) if tuple(sorted(map(int, s.m.geom_bodyid[list(one.geoms)]))) not in always]
    lifts = _lifts(s, found)
    for one in sorted(found, key=lambda one: -one.depth)[:MOST_FINDINGS]:
        yield _overlap(s, one, lifts)


def _always(s: Subject, bodies: tuple[int, int], depths: tuple[float, float]) -> Finding:
    low, high = bodies
    between = " to ".join(dict.fromkeys(map(length, depths)))
    text = (f"Geoms of {_body(s, low)} and {_body(s, high)} overlap by {between} at qpos0 and in {RANDOM_POSES} poses at random within the "
            "joints' ranges: their contacts push the joints apart at all times.")
    remedy = "If the shapes overlap by design, as links next to each other do, an <exclude> for the two bodies; else smaller shapes, or contype and conaffinity that do not match."
    items = s.items("body", *(b for b in (high, low) if b))
    return s.finding("always_touches", WARNING, s.of("body", high), text, remedy, items, [_exclude(s, low, high)], _name(s, low), depths[1])


def _overlap(s: Subject, one: Overlap, lifts: dict[int, Fix]) -> Finding:
    m = s.m
    g, h = one.geoms
    low, high = sorted(map(int, m.geom_bodyid[[g, h]]))
    text = f"{sentence(named(m, 'geom', g))} and {named(m, 'geom', h)} are {length(one.depth)} inside each other {one.pose.name}"
    text += f", as are {count(one.also, 'other pair')} of geoms of the two bodies" if one.also else ""
    text += f"; also {listed([name for name in one.poses if name != one.pose.name])}" if len(one.poses) > 1 else ""
    beside = next_to_each_other(m, one.geoms)
    remedy = "Move them apart: the first steps throw them out, at a speed that the constraint solver, not the model, decides."
    if beside:
        remedy = "If the shapes overlap by design, an <exclude> for the two bodies; else another pose to start in, narrower joint ranges or smaller shapes."
    if one.poses != ("at qpos0",):      # keyframes have a position of their own
        lifts = {}
    fixes = [_exclude(s, low, high) if beside else None, lifts.get(int(m.body_rootid[high])), lifts.get(int(m.body_rootid[low]))]
    # a model that is started at its keyframes is not in qpos0
    started = m.nkey > 0 and one.poses == ("at qpos0",)
    mine, other = (g, h) if m.body_treeid[m.geom_bodyid[h]] < 0 else (h, g)     # told at the one that moves
    return s.finding("initial_penetration", NOTE if started else WARNING, s.of("geom", mine), text + ".", remedy, s.items("geom", mine, other), fixes, _of(s, other), one.depth)


def _of(s: Subject, geom: int) -> str:
    body = int(s.m.geom_bodyid[geom])
    return s.m.names["geom"][geom] or f"{_name(s, body)}[{geom - int(s.m.body_geomadr[body])}]"


def _name(s: Subject, body: int) -> str:
    return (s.m.names["body"][body] or str(body)) if body else "world"


def _body(s: Subject, body: int) -> str:
    return named(s.m, "body", body) if body else "the world"


def _exclude(s: Subject, low: int, high: int) -> Fix | None:
    """An exclude of two bodies, where the text can name them."""
    names = []
    for body in (low, high):
        name, there = s.m.names["body"][body] if body else "world", s.written(s.of("body", body)) if body else s.root
        if not name or there is None or (body and there.name != name):
            return None
        names.append(name)
    return Fix(f"Exclude contacts between {names[0]} and {names[1]}", (Insert(s.root.id, "exclude", (("body1", names[0]), ("body2", names[1])), "contact"),))


def _lifts(s: Subject, found: list[Overlap]) -> dict[int, Fix]:
    """By number of a free body that is inside something fixed at qpos0: where to move it so that it is not."""
    m, out, moves = s.m, {}, {}
    for one in found:
        bodies = m.geom_bodyid[list(one.geoms)]
        fixed = m.body_treeid[bodies] < 0
        side = int(np.argmin(fixed))
        if one.pose.key >= 0 or fixed.sum() != 1 or is_hfield(m, one.geoms[1 - side]):      # on whose slopes the way out is another one
            continue
        root = int(m.body_rootid[bodies[side]])
        if m.body_dofnum[root] == 6 and m.body_jntnum[root] == 1:
            moves.setdefault(root, []).append((one.depth + CLEAR) * (1 if side else -1) * np.array(one.normal))
    for root, shifts in moves.items():
        there = s.written(s.of("body", root))
        if there is None or s.in_macro(there):
            continue
        shift = max(shifts, key=np.linalg.norm)
        pos = np.array(m.body_pos[root]) + shift
        out[root] = Fix(f"Move {_body(s, root)} by {length(float(np.linalg.norm(shift)))}, out of it", (SetAttribute(there.id, "pos", numbers_text(pos)),))
    return out


# ------------------------------------------------------------------ never

def never_touches(s: Subject) -> Iterator[Finding]:
    """Geoms whose bits were chosen, other than the usual ones, and that can touch nothing."""
    m = s.m
    chosen = []
    if m.ngeom > MOST_GEOMS or m.opt_disableflags & DSBL_CONTACT or m.nv == 0:
        return
    usual = (m.geom_contype == 1) & (m.geom_conaffinity == 1)     # what a robot has for the floor of whatever scene it comes into
    for g in np.flatnonzero(((m.geom_contype != 0) | (m.geom_conaffinity != 0)) & ~usual).tolist():
        element = s.of("geom", g)
        if element is not None and element.tag == "geom" and any(s.attrs(element).given(name) for name in ("contype", "conaffinity")):
            chosen.append(g)
    lonely = without_partner(m, np.array(chosen, int), s.go_on).tolist()
    sources = {g: next(filter(None, map(s.attrs(s.of("geom", g)).source, ("contype", "conaffinity")))) for g in chosen}
    met = {sources[g].id for g in set(chosen) - set(lonely)}
    for g in lonely:
        # of a class that is of no use to any of its geoms the class is told
        element = sources[g] if sources[g].id not in met else s.of("geom", g)
        there = s.written(element)
        text = (f"{sentence(named(m, 'geom', g))} has contype {bits_text(int(m.geom_contype[g]))} and conaffinity {bits_text(int(m.geom_conaffinity[g]))}, but there is no geom "
                f"that it could touch: {_why_alone(s, g)}.")
        remedy = "Give it bits that match those of what it is to touch; if it is only looked at, contype and conaffinity 0."
        keeps = s.settings("compiler", "discardvisual", "false") != "true" and there is not None
        off = Fix("Set contype and conaffinity to 0", tuple(SetAttribute(there.id, name, "0") for name in ("contype", "conaffinity")), keeps=True) if keeps else None
        yield s.finding("never_touches", NOTE, element, text, remedy, s.items("geom", g), [off])


def _why_alone(s: Subject, g: int) -> str:
    m = s.m
    match = ((m.geom_contype & m.geom_conaffinity[g]) != 0) | ((m.geom_conaffinity & m.geom_contype[g]) != 0)
    match[g] = False
    if not match.any():
        return "no other geom has a bit that matches"
    others = m.body_weldid[m.geom_bodyid[match]]
    if (others == m.body_weldid[m.geom_bodyid[g]]).all():
        return "those whose bits match are fixed to the same body"
    return "of those whose bits match, all are left out by the rules about parents, by excludes, or because neither moves"
