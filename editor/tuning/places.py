"""At which places of the texts the values of a target can be written, and whose contacts or constraints change with each.

    places(reading, m, target, values, d) -> Places, each with what it changes; the edit of a chosen one is editor.tuning.edits.edit_of

A contact has the values of an explicit pair of its geoms; without one those that the geoms mix to: both saying the same keeps it, and so does the geom of higher priority alone.
Names of what changes are worked out from the Model by the engine's rules (physics/tuning/mixing.py), those of a default class from the texts.

Source: MuJoCo documentation, chapter Modeling, "Contact parameters", "Default settings"; XML reference, contact/pair, option (o_solref, flag override).
"""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from editor.inspect.class_edits import class_choices, effects
from editor.inspect.subject import Reading, Subject
from editor.notation.numbers import number_of
from editor.tuning.edits import MACROS, all_values, edit_of, override_values
from editor.tuning.place import Kind, Place, Values, contact_values, geom_values
from editor.wording import place_text, what
from physics.enums import ENBL_OVERRIDE
from physics.model.elements import CONTACT, element
from physics.tuning.mixing import COLUMNS, Change, NewPair, affected_pairs, contact_table, explicit_pairs, geom_changes, override_changes, pair_changes
from physics.tuning.target import Form, Target, attributes_of

__all__ = ["attribute_values", "element_places", "names_of", "places"]

MOST_NAMES = 20
CLOSE = 1e-9        # relative: text of 15 digits, and an average of a value with itself


def attribute_values(target: Target, values: Values) -> dict[str, tuple[float, ...]]:
    """Values of a target by MJCF's attributes: solref of a joint's limit by solreflimit. Raises ValueError for what it does not have."""
    names = attributes_of(target)
    out = {}
    for name, value in values.items():
        if name not in names and not (target.form == Form.CONTACT and name == "solreffriction"):
            raise ValueError(f"{target} has no {name}; there are {', '.join(names)}")
        out[names.get(name, name)] = tuple(map(float, value))
    return out


def places(reading: Reading, m, target: Target, values: Values, d=None, stop: Callable[[], bool] = lambda: False) -> tuple[Place, ...]:
    """The places for a target's values, the most exact first; those that refuse say why. m: the Model of the texts; d: a Data or Snapshot, to say which contacts are there now.

    Raises ValueError for values that the target does not have, GivenUpError when stop() says that nobody wants them any more.
    """
    given, names = attribute_values(target, values), tuple(attributes_of(target).items())
    found = _candidates(reading, m, target)
    checked = [_checked(reading, m, replace(place, attributes=names), given, d, stop) for place in found]
    return tuple(sorted(checked, key=lambda place: (bool(place.refusal), not place.exact)))


def _candidates(reading: Reading, m, target: Target) -> list[Place]:
    """All places that a target could have."""
    if target.form != Form.CONTACT or target.element.kind == "geom":
        return element_places(reading, m, (target.element.kind, target.element.id))
    geoms, pairs = _geoms(m, target)
    found = [place for pair in pairs for place in element_places(reading, m, ("pair", pair), Kind.PAIR, geoms)]
    if not pairs:
        found += [Place(Kind.NEW_PAIR, "a new pair in <contact>", geoms=geoms), *_of_geoms(reading, m, geoms)]
    return [*found, Place(Kind.OVERRIDE, "the option block, for all contacts", geoms=geoms)]


def _geoms(m, target: Target) -> tuple[tuple[int, int], tuple[int, ...]]:
    """(two geoms, their explicit pairs) of a contact or pair."""
    if target.element.kind == CONTACT:
        geoms = tuple(geom.id for geom in target.element.geoms)
        return geoms, explicit_pairs(m, *geoms)
    pair = target.element.id
    return (int(m.pair_geom1[pair]), int(m.pair_geom2[pair])), (pair,)


# ------------------------------------------------------------------ candidates

def element_places(reading: Reading, m, item: tuple[str, int], kind: Kind = Kind.ELEMENT, geoms: tuple[int, int] = (-1, -1)) -> list[Place]:
    """An element itself, or the pattern that it is a copy of, and the default class in force for it; those that refuse say why."""
    source = m.links.source(*item)
    subject = reading.subject((source.element,)) if source is not None else None
    if subject is None:
        return [Place(kind, str(element(m, *item)), items=(item,), geoms=geoms, refusal="its element is not in the text")]
    if subject.active.tag in MACROS:
        return [Place(kind, str(element(m, *item)), items=(item,), geoms=geoms, refusal=f"it is made from {what(subject.active)}, which says it in other words: expand that first")]
    title, items = f"{what(subject.active)} ({place_text(subject.active.place)})", _copies(m, item, source.element)
    if len(items) == 1:
        found = [Place(kind, title, (source.element,), items, geoms=geoms)]
    else:
        found = [Place(kind, f"{element(m, *item)} alone", items=(item,), geoms=geoms, refusal=_one_of(reading, m, item, source, len(items))),
                 Place(Kind.PATTERN, f"{title}, all {len(items)} copies", (source.element,), items, geoms=geoms)]
    return found + _of_class(subject, title, source.element, items, geoms)


def _of_class(subject: Subject, title: str, number: int, items: tuple, geoms: tuple[int, int]) -> list[Place]:
    choices = class_choices(subject)
    if not choices:
        return []
    return [Place(Kind.CLASS, f"class {choices[0]} of {title}", (number,), items, choices[0], geoms=geoms)]


def _copies(m, item: tuple[str, int], number: int) -> tuple[tuple[str, int], ...]:
    """All of a kind that an element of the text stands for."""
    return tuple(other for other in m.links.items(number) if other[0] == item[0]) or (item,)


def _one_of(reading: Reading, m, item: tuple[str, int], source, count: int) -> str:
    tags = dict.fromkeys(macro.tag for number, _k in source.copies if (macro := reading.version.element(number)) is not None)
    by = f" made by {' and '.join(tags)}" if tags else ""
    return f"{element(m, *item)} is one of {count} copies{by}, which the text says once: it cannot have values of its own there"


def _of_geoms(reading: Reading, m, geoms: tuple[int, int]) -> list[Place]:
    """Places of two geoms without a pair: both, the one of higher priority, each by itself with its class."""
    alone = [element_places(reading, m, ("geom", g), geoms=geoms) for g in geoms]
    writable = [next((place for place in some if place.elements and place.kind != Kind.CLASS), None) for some in alone]
    found = []
    if all(writable):
        ids = tuple(dict.fromkeys(number for place in writable for number in place.elements))
        items = tuple(dict.fromkeys(item for place in writable for item in place.items))
        found.append(Place(Kind.BOTH, " and ".join(place.title for place in writable), ids, items, geoms=geoms))
    priorities = [int(m.geom_priority[g]) for g in geoms]
    for side, place in enumerate(writable):
        mine, other = priorities[side], priorities[1 - side]
        if place is None or mine < other and writable[1 - side] is not None:
            continue        # the other one decides already
        if place.items and geoms[1 - side] in {number for _kind, number in place.items}:
            continue        # both are copies of one: neither can be above the other
        raised = other + 1 if mine <= other else None
        title = f"{place.title} alone" + (f", with priority {raised}" if raised is not None else ", which has the higher priority")
        found.append(replace(place, kind=Kind.PRIORITY, title=title, priority=raised))
    return found + [place for some in alone for place in some]


# ------------------------------------------------------------------ what comes of them

def _checked(reading: Reading, m, place: Place, values: Values, d, stop: Callable[[], bool]) -> Place:
    """The place with what it changes, or why it refuses."""
    if place.refusal:
        return place
    try:
        edit = edit_of(reading, m, place, values)
        changes, new_pairs, names = _changes(reading, m, place, values, edit)
    except ValueError as why:
        return replace(place, refusal=str(why))
    if place.items and place.items[0][0] not in ("geom", "pair"):
        return replace(place, others=names)
    found = affected_pairs(m, changes, d, new_pairs, stop)
    others = found.without(*place.geoms) if place.geoms[0] >= 0 else found
    exact = place.geoms[0] < 0 or _has(m, place, values, changes, new_pairs)
    return replace(place, others=others.names(MOST_NAMES), affected=found, exact=exact, notes=(*place.notes, *_notes(reading, m, place, exact)))


def _notes(reading: Reading, m, place: Place, exact: bool) -> Iterable[str]:
    if place.kind == Kind.OVERRIDE:
        yield "with it o_margin and o_friction count for all contacts, too"
    elif m.opt_enableflags & ENBL_OVERRIDE:
        yield "the flag override is on: what geoms and pairs say has no effect until it is off"
    if not exact and not m.opt_enableflags & ENBL_OVERRIDE:
        yield "the contact will not have these values: they are mixed with those of the other geom"
    if place.kind == Kind.CLASS and any(one.tag in ("composite", "flexcomp") for one in reading.root.walk()):
        yield "elements that the compiler makes of composites may change, too"


def _changes(reading: Reading, m, place: Place, values: Values, edit) -> tuple[tuple[Change, ...], tuple[NewPair, ...], tuple[str, ...]]:
    """(fields that change, new pairs, names of other elements that change) by an edit at a place."""
    if place.kind == Kind.NEW_PAIR:
        return (), (NewPair(*place.geoms, all_values(m, place.geoms, values)),), ()
    if place.kind == Kind.OVERRIDE:
        pairs = explicit_pairs(m, *place.geoms)
        return override_changes(m, _plain(override_values(m, place.geoms, values, pairs[0] if pairs else -1))), (), ()
    kind = place.items[0][0]
    if place.kind == Kind.CLASS:
        return _of_class_edit(reading, m, place, values, edit)
    given = _plain(geom_values(values) if kind == "geom" else contact_values(values) if kind == "pair" else values)
    if place.kind == Kind.PRIORITY and place.priority is not None:
        given["priority"] = place.priority
    numbers = [number for _kind, number in place.items]
    if kind in ("geom", "pair"):
        return (geom_changes if kind == "geom" else pair_changes)(numbers, given), (), ()
    return (), (), names_of(m, ((kind, number) for number in numbers[1:]))


def _plain(values: Values) -> dict[str, object]:
    """One number as a number."""
    return {name: value[0] if len(value) == 1 else value for name, value in values.items()}


def _of_class_edit(reading: Reading, m, place: Place, values: Values, edit) -> tuple[tuple[Change, ...], tuple[NewPair, ...], tuple[str, ...]]:
    """Of a class all elements whose attribute in force is another after the edit."""
    subject = reading.subject((place.elements[0],))
    kind, changes, others = place.items[0][0], [], []
    for name in values:
        for change in effects(subject.reading, edit, (name,)):
            numbers = [number for its_kind, number in m.links.items(change.element.id) if its_kind == kind]
            others += [(kind, number) for number in numbers if change.element.id != place.elements[0]]
            given = tuple(map(number_of, change.after.split()))
            if kind in ("geom", "pair"):
                changes += (geom_changes if kind == "geom" else pair_changes)(numbers, _plain({name: given}))
    return tuple(changes), (), names_of(m, dict.fromkeys(others))


def names_of(m, items: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    said = [str(element(m, *item)) for item in items]
    return *said[:MOST_NAMES], *((f"and {len(said) - MOST_NAMES} more",) if len(said) > MOST_NAMES else ())


def _has(m, place: Place, values: Values, changes, new_pairs) -> bool:
    """Whether the contact has the wanted values after changes."""
    pairs = explicit_pairs(m, *place.geoms)
    if new_pairs:
        return not m.opt_enableflags & ENBL_OVERRIDE
    row = contact_table(m, np.array([place.geoms]), np.array([pairs[0] if pairs else -1]), changes)[0]
    return all(np.allclose(row[COLUMNS[name]], value, rtol=CLOSE, atol=1e-12) for name, value in contact_values(values).items())
