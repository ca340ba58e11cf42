"""What can be tuned of what is selected, and without a selection the contact that presses hardest. No Qt."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.panels.diagnostics.contact_list import touching_pairs
from physics.diagnostics.contact_exclusion import geoms_of
from physics.model.elements import CONTACT, Element, element, find_again
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from physics.tuning.target import Form, Target, targets_of

MOST = 8        # contacts that are offered beside the selection


def key_of(target: Target) -> tuple:
    """What is equal for the same target at two moments: of a contact its geoms, wherever it is."""
    what = target.element
    if what.kind == CONTACT:
        return target.form, what.kind, tuple(sorted(geom.id for geom in what.geoms))
    return target.form, what.kind, what.id


def contact_of(m: Model, one: int, two: int) -> Target:
    """All contacts between two geoms."""
    return Target(Form.CONTACT, Element(CONTACT, -1, "", (element(m, "geom", one), element(m, "geom", two))))


def targets_for(m: Model, snapshot: Snapshot, elements: Sequence[Element]) -> tuple[Target, ...]:
    """Of the selected elements, the last one active: two geoms their contact; a body the contact that presses it hardest."""
    found: dict[tuple, Target] = {}
    geoms = [what.id for what in elements[-2:] if what.kind == "geom"]
    if len(geoms) == 2 and geoms[0] != geoms[1]:
        target = contact_of(m, *geoms)
        found[key_of(target)] = target
    for what in reversed(elements):
        for target in _of(m, snapshot, what):
            found.setdefault(key_of(target), target)
    return tuple(found.values())


def _of(m: Model, snapshot: Snapshot, what: Element) -> Iterator[Target]:
    if what.kind == "body":
        yield from pressing(m, snapshot, geoms_of(m, what))[:1]
        return
    touching = pressing(m, snapshot, (what.id,)) if what.kind == "geom" else ()
    if touching:        # what it says itself is one of the contact's places to write to
        yield touching[0]
        return
    for target in targets_of(m, what):
        if target.form != Form.FRICTION_LOSS:
            yield target


def pressing(m: Model, snapshot: Snapshot, of: Sequence[int] | None = None) -> tuple[Target, ...]:
    """Contacts that there are now, those with the largest normal force first; of these geoms alone, where some are given."""
    pairs, _count = touching_pairs(snapshot, of)
    return tuple(contact_of(m, *pair.geoms) for pair in pairs[:MOST])


def found_again(before: Model | None, m: Model, target: Target) -> Target | None:
    """The same in another Model, None where it has gone."""
    what = find_again(before, m, target.element)
    return Target(target.form, what, target.rotation) if what is not None else None


def name_of(target: Target) -> str:
    """As the chooser has it."""
    what = target.element
    if what.kind == CONTACT:
        return " – ".join(geom.name or f"geom {geom.id}" for geom in what.geoms)
    return str(target)


def depth_now(snapshot: Snapshot, contacts: Sequence[int]) -> float:
    """The deepest of these contacts, beyond the margin [m]; NaN where there is none."""
    rows = [k for k in contacts if snapshot.contact_exclude[k] == 0]
    return float(np.max(snapshot.contact_includemargin[rows] - snapshot.contact_dist[rows])) if rows else float("nan")
