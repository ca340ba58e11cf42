"""Why two geoms do not touch, or may: every test of the engine between two geoms, in its order, with the numbers that decide and what would have to change.

    contacts off | masks | same body, welded, neither moves, parent and child, exclude | asleep | no routine | bounds, distance | within the gap, nothing that moves

An explicit pair passes by the masks and the rules about bodies. Source: MuJoCo documentation, chapter Computation, "Collision", "Selection"; Programming chapter,
"Sleeping islands".
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.contact_parameters import contact_order, explicit_pairs, sentence
from physics.diagnostics.geom_gap import Gap, bounds_apart, gap_between, margin_decides
from physics.diagnostics.margin_change import Change, Reach, margin_change, reach_of
from physics.diagnostics.mask_bits import mask_changes, masks_text, midphase_passes_by, pair_masks
from physics.engine.collide.asleep_pairs import is_asleep_pair, pair_asleep
from physics.engine.collide.filter import body_masks_match, excluded, masks_match
from physics.engine.collide.pair_table import max_points
from physics.enums import DSBL_CONSTRAINT, DSBL_CONTACT, DSBL_FILTERPARENT, ENBL_SLEEP, GeomType
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.elements import Element, element
from physics.model.model import Model

BLOCK = 100_000      # pairs of geoms that are looked at together
BEYOND = 1e-6       # m: by how much a margin is made larger than needed, as distances and contacts are computed in different ways


@dataclass(frozen=True, slots=True)
class Check:
    """One test of the engine. word: which; blocks: whether the two do not touch for it; text: with its numbers; advice: what would have to change, '' where nothing
    stands in the way; changes: fields of the Model that would do, where fields alone do, as if this were the only one; elements: what it is about beside the two geoms."""

    word: str
    blocks: bool
    text: str
    advice: str = ""
    changes: tuple[Change, ...] = ()
    elements: tuple[Element, ...] = ()


@dataclass(frozen=True, slots=True)
class Exclusion:
    """What is said of two geoms. geoms: in the order of their contacts; pair: number of their first explicit pair, -1 none; contacts: numbers of their contacts;
    gap: how far apart they are, None where nobody can tell; margin, reach [m]: distances below which they push, and are listed, of several explicit pairs the largest;
    checks: in the engine's order."""

    geoms: tuple[int, int]
    pair: int
    contacts: tuple[int, ...]
    gap: Gap | None
    margin: float
    reach: float
    checks: tuple[Check, ...]

    @property
    def reasons(self) -> tuple[Check, ...]:
        """The tests that stand in the way."""
        return tuple(check for check in self.checks if check.blocks)

    @property
    def to_go(self) -> float:
        """How much nearer they have to come until they push on each other [m], 0 where they are near enough; NaN where nobody can tell."""
        return max(0.0, self.gap.dist - min(self.margin, self.reach)) if self.gap is not None else float("nan")


def contact_exclusion(m: Model, d: Data, geom1: int | str, geom2: int | str) -> Exclusion:
    """Why two geoms, by index or name, do not touch at the poses that `forward` has computed last; without reasons where they do.

    Raises ValueError for a geom and itself.
    """
    one, two = index_of(m, "geom", geom1), index_of(m, "geom", geom2)
    if one == two:
        raise ValueError("two geoms are asked about, not one")
    one, two = contact_order(m, one, two)
    pairs = explicit_pairs(m, one, two)
    reach = reach_of(m, one, two, pairs)
    contacts = contacts_between(d, one, two)
    between = gap_between(m, d, one, two, reach.listed) if max_points(*map(int, m.geom_type[[one, two]])) else None
    checks = [_switched_off(m)]
    checks += [_explicit(m, pairs)] if pairs else [_masks(m, d, one, two), *_bodies(m, one, two)]
    checks += [_asleep(m, d, one, two, bool(pairs)), _routine(m, one, two)]
    if between is not None:
        checks += _near(m, one, two, between, reach, contacts, any(check.blocks for check in checks))
    checks += _without_rows(m, d, one, two, contacts, reach)
    return Exclusion((one, two), pairs[0] if pairs else -1, contacts, between, reach.margin, reach.listed, tuple(checks))


def contacts_between(d, geom1: int, geom2: int) -> tuple[int, ...]:
    """Numbers of the contacts between two geoms; d: a Data or Snapshot."""
    pairs = np.asarray(d.contact_geom[:d.ncon]).reshape(-1, 2)
    return tuple(map(int, np.flatnonzero((pairs == (geom1, geom2)).all(1) | (pairs == (geom2, geom1)).all(1))))


def geoms_of(m: Model, what: Element) -> tuple[int, ...]:
    """Numbers of the geoms that stand for an element: a geom itself, of a body all that it has of its own; none for other kinds."""
    if what.kind == "geom":
        return (what.id,)
    if what.kind == "body":
        return tuple(range(int(m.body_geomadr[what.id]), int(m.body_geomadr[what.id] + m.body_geomnum[what.id]))) if m.body_geomnum[what.id] else ()
    return ()


def nearest_geoms(m: Model, d, first: Sequence[int], second: Sequence[int]) -> tuple[int, int] | None:
    """A geom of each side: two that touch, else those whose bounds (spheres, planes) are nearest, of those with any bits of contype and conaffinity where there are such.
    None where a side is empty. d: a Data or Snapshot."""
    sides = [np.asarray(side, int) for side in (first, second)]
    geoms = np.asarray(d.contact_geom[:d.ncon]).reshape(-1, 2)
    for one, two in ((0, 1), (1, 0)):
        touching = geoms[np.isin(geoms[:, one], sides[0]) & np.isin(geoms[:, two], sides[1])]
        if len(touching):
            return int(touching[0, one]), int(touching[0, two])
    sides = [side[can] if (can := (m.geom_contype[side] != 0) | (m.geom_conaffinity[side] != 0)).any() else side for side in sides]
    if not len(sides[0]) or not len(sides[1]):
        return None
    best, found = np.inf, None
    rows = max(1, BLOCK // len(sides[1]))
    for first_row in range(0, len(sides[0]), rows):
        some = sides[0][first_row:first_row + rows]
        apart = bounds_apart(m, d, some, sides[1])
        i, j = np.unravel_index(int(np.argmin(apart)), apart.shape)
        if apart[i, j] < best:
            best, found = apart[i, j], (int(some[i]), int(sides[1][j]))
    return found


# ------------------------------------------------------------------ names

def _geom(m: Model, geom: int) -> str:
    return str(element(m, "geom", geom))


def _body(m: Model, body: int) -> str:
    return str(element(m, "body", body)) if body else "the world"


# ------------------------------------------------------------------ the tests

def _switched_off(m: Model) -> Check:
    """Whether contacts are looked for at all."""
    if m.view_only:
        return Check("disabled", True, f"This model can only be viewed, so that no contacts are looked for: {m.view_only[0].what}.")
    off = m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_CONTACT)
    if off:
        words = [word for bit, word in ((DSBL_CONSTRAINT, "constraint"), (DSBL_CONTACT, "contact")) if off & bit]
        text = f"The flag{'s' if len(words) > 1 else ''} {' and '.join(words)} {'are' if len(words) > 1 else 'is'} disabled: no contacts are looked for."
        change = ("opt_disableflags", -1, int(m.opt_disableflags & ~(DSBL_CONSTRAINT | DSBL_CONTACT)))
        return Check("disabled", True, text, f"Enable {' and '.join(words)} in option/flag.", (change,))
    if m.nbody < 2:
        return Check("disabled", True, "The model has no body but the world, so that nothing could touch.", "Give one of the geoms a body with a joint.")
    return Check("disabled", False, "Contacts are enabled.")


def _explicit(m: Model, pairs: Sequence[int]) -> Check:
    """Explicit pairs stand by themselves."""
    elements = tuple(element(m, "pair", pair) for pair in pairs)
    names = " and ".join(map(str, elements))
    return Check("pair", False, f"{sentence(names)} name{'s' if len(pairs) == 1 else ''} them: contype, conaffinity, bodies and excludes do not count.", elements=elements)


def _masks(m: Model, d: Data, one: int, two: int) -> Check:
    """contype and conaffinity, or a filter of the user's in their place."""
    if d.cb_contactfilter:
        bodies = int(m.geom_bodyid[one]), int(m.geom_bodyid[two])
        if not body_masks_match(m, *bodies):
            return Check("masks", True, f"A contact filter is installed, and the bodies' masks share no bit: {pair_masks(m, 'body', *bodies)}.", "Give the geoms bits that match.")
        return Check("masks", False, "A contact filter of the user's is installed; it decides in place of contype and conaffinity, and was not asked here.")
    if not masks_match(m, one, two):
        changes, advice = mask_changes(m, one, two)
        return Check("masks", True, f"No bit in common: {pair_masks(m, 'geom', one, two)}.", advice, changes)
    bodies = int(m.geom_bodyid[one]), int(m.geom_bodyid[two])
    if not body_masks_match(m, *bodies):
        text = f"The geoms' bits match, but they were switched on since the model was compiled, and those of the bodies do not: {pair_masks(m, 'body', *bodies)}."
        return Check("masks", True, text, "Set contype and conaffinity in the text, so that the model is compiled with them.")
    if midphase_passes_by(m, one, two):
        late = [g for g in (one, two) if m.made_contype[g] == 0 and m.made_conaffinity[g] == 0]
        text = f"The geoms' bits match, but {' and '.join(_geom(m, g) for g in late)} had none when the model was compiled, and is passed by."
        return Check("masks", True, text, "Set contype and conaffinity in the text, so that the model is compiled with them.")
    return Check("masks", False, masks_text(m, one, two))


def _bodies(m: Model, one: int, two: int) -> list[Check]:
    """The rules about the bodies of two geoms, each as the engine's bodies_may_touch has it."""
    b1, b2 = sorted(map(int, m.geom_bodyid[[one, two]]))
    w1, w2 = int(m.body_weldid[b1]), int(m.body_weldid[b2])
    elements = tuple(element(m, "body", b) for b in dict.fromkeys((b1, b2)) if b)
    if b1 == b2:
        return [Check("same body", True, f"Both are geoms of {_body(m, b1)}: nothing can move them against each other.",
                      "Move one of them to a body of its own with a joint; an explicit pair in <contact> would list contacts without effect.", elements=elements)]
    if w1 == w2:
        fixed = [b for b in (b1, b2) if b != w1]
        names = f"{_body(m, b1)} and {_body(m, b2)} are" if len(fixed) > 1 else f"{_body(m, fixed[0])} is"
        return [Check("welded", True, f"{sentence(names)} fixed to {_body(m, w1)}: there is no joint between them.", "Give one of the bodies a joint.", elements=elements)]
    checks = []
    if m.body_dofnum[w1] == 0 and m.body_dofnum[w2] == 0:
        checks.append(Check("static", True, f"Neither {_body(m, b1)} nor {_body(m, b2)} has a degree of freedom.", "Give one of them a joint.", elements=elements))
    checks += _parents(m, b1, b2, w1, w2, elements)
    if m.nexclude and excluded(m, b1, b2):
        number = int(np.flatnonzero(m.exclude_signature == (b1 << 16) + b2)[0])
        what = element(m, "exclude", number)
        checks.append(Check("exclude", True, f"{sentence(str(what))} names {_body(m, b1)} and {_body(m, b2)}.",
                            f"Remove {what} from <contact>, or add an explicit pair of the two geoms.", elements=(what, *elements)))
    if not checks:
        checks.append(Check("bodies", False, f"{sentence(_body(m, b1))} and {_body(m, b2)} can move against each other, and no exclude names them."))
    return checks


def _parents(m: Model, b1: int, b2: int, w1: int, w2: int, elements: tuple[Element, ...]) -> list[Check]:
    """The filter between a body and what hangs on it; the world is nobody's parent here."""
    above = [int(m.body_weldid[m.body_parentid[w]]) for w in (w1, w2)]
    if w1 == 0 or w2 == 0 or (above[0] != w2 and above[1] != w1):
        return []
    child, parent = (b1, b2) if above[0] == w2 else (b2, b1)
    if m.opt_disableflags & DSBL_FILTERPARENT:
        return [Check("parent", False, f"{sentence(_body(m, child))} hangs on {_body(m, parent)}, but the flag filterparent is disabled.")]
    fixed = "" if m.body_parentid[child] == parent else ", by way of bodies that are fixed to them,"
    return [Check("parent", True, f"{sentence(_body(m, child))} hangs{fixed} on {_body(m, parent)}: a body does not collide with its parent.",
                  "Disable filterparent in option/flag (for the whole model), or add an explicit pair of the two geoms.",
                  (("opt_disableflags", -1, int(m.opt_disableflags | DSBL_FILTERPARENT)),), elements)]


def _asleep(m: Model, d: Data, one: int, two: int, explicit: bool) -> Check:
    """Pairs of which neither is awake are not looked at."""
    if not m.opt_enableflags & ENBL_SLEEP:
        return Check("asleep", False, "Sleeping is not enabled.")
    if is_asleep_pair(m, d, one, two) if explicit else pair_asleep(m, d, one, two):
        bodies = dict.fromkeys(int(m.geom_bodyid[g]) for g in (one, two))
        said = [f"{_body(m, b)} {'is asleep' if m.body_treeid[b] >= 0 else 'cannot move'}" for b in bodies]
        return Check("asleep", True, f"{sentence(' and '.join(said))}: the engine does not look at the pair until one wakes up.",
                     "Wake one of them: by a force, a change of its position, or a touch of what is awake.",
                     elements=tuple(element(m, "body", b) for b in bodies if b))
    return Check("asleep", False, "One of them is awake.")


def _routine(m: Model, one: int, two: int) -> Check:
    """Whether the engine can tell contacts of these types at all."""
    kinds = [GeomType(int(m.geom_type[g])).name.lower() for g in (one, two)]
    if max_points(int(m.geom_type[one]), int(m.geom_type[two])):
        return Check("routine", False, f"There is a collision routine for {kinds[0]} and {kinds[1]}.")
    return Check("routine", True, f"There is no collision routine for {kinds[0]} and {kinds[1]}.", "Use another type for one of them, such as a box in place of a plane.")


def _near(m: Model, one: int, two: int, between: Gap, reach: Reach, contacts: Sequence[int], blocked: bool) -> list[Check]:
    """Bounds and distance."""
    if between.dist >= reach.listed and not contacts:
        checks = []
        if between.bounds > 0:
            bounds = "bounding spheres are" if between.spheres else "plane and the bounding sphere are"
            checks.append(Check("bounds", True, f"Their {bounds} {between.bounds + reach.listed:.6g} m apart, {reach.text}: no routine is called for them."))
        least, go = "at least " if between.at_least else "", between.dist - reach.pushes
        text = f"They are {least}{between.dist:.6g} m apart, {reach.text}: {least}{go:.6g} m to go"
        text += "." if reach.listed <= reach.margin else f" until they push, {least}{between.dist - reach.listed:.6g} m until they are listed."
        return [*checks, Check("distance", True, text, *_nearer(m, one, two, reach, between, go))]
    apart = f"{between.dist:.6g} m apart" if between.dist >= 0 else f"{-between.dist:.6g} m inside each other"
    text = f"They are {apart}, {reach.text}."
    if contacts or blocked:
        return [Check("distance", False, text)]
    return [Check("distance", True, text + f" The routine for their types ({_geom(m, one)}, {_geom(m, two)}) finds no point there.",
                  "A small change of the position decides: the routine and the distance are computed in different ways.")]


def _nearer(m: Model, one: int, two: int, reach: Reach, between: Gap, go: float) -> tuple[str, tuple[Change, ...]]:
    """(advice, changes) for two geoms that have `go` [m] to go. Where that is known only as a least there is no margin that would do."""
    if between.at_least:
        return f"Move them nearer, by more than {go:.6g} m.", ()
    changes, words = margin_change(m, one, two, reach, go + BEYOND)
    if not margin_decides(m, one, two):
        return f"Move them {go:.6g} m nearer, or {words}; of two boxes that is sure only where sides of them face each other.", ()
    return f"Move them {go:.6g} m nearer, or {words}.", changes


def _without_rows(m: Model, d: Data, one: int, two: int, contacts: Sequence[int], reach: Reach) -> list[Check]:
    """Contacts that are listed but push on nothing."""
    outer = [k for k in contacts if d.contact_exclude[k] == 1]
    still = [k for k in contacts if d.contact_exclude[k] == 3 or (d.contact_exclude[k] == 0 and m.nv == 0)]
    if contacts and len(outer) == len(contacts):
        far = float(min(d.contact_dist[k] for k in outer))
        where = "within the gap" if far > reach.margin else "just at the margin"
        changes, words = margin_change(m, one, two, reach, far - reach.margin + BEYOND)
        advice = f"Move them more than {far - reach.margin:.6g} m nearer, or {words}."
        return [Check("gap", True, f"Listed, but {where}: {far:.6g} m apart, and they push below the margin of {reach.margin:.6g} m.", advice, changes)]
    if contacts and len(still) == len(contacts):
        return [Check("no dofs", True, "Listed, but no degree of freedom moves one against the other: the contacts have no rows.", "Give one of the bodies a joint.")]
    return []

