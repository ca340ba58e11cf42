"""Which two geoms the selection means for the contact panel. No Qt."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from physics.diagnostics.contact_exclusion import geoms_of, nearest_geoms
from physics.diagnostics.contact_parameters import sentence
from physics.model.elements import CONTACT, Element, element
from physics.model.model import Model
from physics.model.relations import EXCLUDE_SHIFT
from physics.runtime.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Subject:
    """pair: two geoms, or none; contact: which of their contacts; one: a geom or body alone, whose contacts are listed, with its geoms; note: why there is no pair."""

    pair: tuple[Element, ...] = ()
    contact: Element | None = None
    one: tuple[Element, ...] = ()
    geoms: tuple[int, ...] = ()
    note: str = ""


def subject_of(m: Model, snapshot: Snapshot, elements: Sequence[Element]) -> Subject:
    """What the selected elements mean, the last one active: a contact; an explicit pair or an exclude with the two that it names; the last two geoms or bodies; one of them.
    Of bodies those geoms count that touch, or that are nearest."""
    if not elements:
        return Subject()
    active = elements[-1]
    if active.kind == CONTACT and len(active.geoms) == 2:
        return Subject(active.geoms, active)
    if active.kind == "pair":
        return Subject(tuple(element(m, "geom", int(g)) for g in (m.pair_geom1[active.id], m.pair_geom2[active.id])))
    sides = [what for what in elements if what.kind in ("geom", "body")][-2:]
    if active.kind == "exclude":
        signature = int(m.exclude_signature[active.id])
        sides = [element(m, "body", body) for body in (signature >> EXCLUDE_SHIFT, signature & ((1 << EXCLUDE_SHIFT) - 1))]
    if len(sides) < 2:
        if sides and not geoms_of(m, sides[0]):
            return Subject(note=f"{sentence(str(sides[0]))} has no geom.")
        return Subject(one=tuple(sides), geoms=geoms_of(m, sides[0])) if sides else Subject()
    found = nearest_geoms(m, snapshot, *(geoms_of(m, side) for side in sides))
    if found is None:
        without = [str(side) for side in sides if not geoms_of(m, side)]
        return Subject(note=f"{sentence(' and '.join(without))} {'have' if len(without) > 1 else 'has'} no geom." if without else "")
    return Subject(tuple(element(m, "geom", g) for g in found))
