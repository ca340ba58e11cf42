"""The one Edit that writes chosen values at a place: by the inspector's code, so that nothing else of the texts changes and one undo takes it back.

    edit_of(reading, m, place, values) -> Edit
"""
from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

import numpy as np

from editor.edits.attribute_patches import patches_of
from editor.edits.patch import Edit, compose
from editor.edits.version import Version, outward
from editor.inspect.class_edits import class_patches
from editor.inspect.edits import insert_section, made, set_texts
from editor.inspect.sections import found
from editor.inspect.subject import MISSING, Reading, Subject
from editor.structure.draft import Draft
from editor.tuning.place import Kind, Place, Values, contact_values, geom_values, words
from editor.wording import what
from physics.enums import ENBL_OVERRIDE
from physics.schema import schema
from physics.spec.element import Element
from physics.tuning.mixing import COLUMNS, contact_table, explicit_pairs

__all__ = ["all_values", "edit_of", "override_values"]

MACROS = frozenset({"composite", "flexcomp", "attach", "flex"})
_OVERRIDDEN = ("solref", "solimp", "friction", "margin")
_PAIR_DEFAULTS = ("condim", "friction", "solref", "solimp", "margin", "gap", "adhesion", "solreffriction")


def edit_of(reading: Reading, m, place: Place, values: Values, merge: Hashable = None) -> Edit:
    """The edit that has the texts say these values at this place. values: as `places` was given them; m: the Model of the texts.

    Raises ValueError, with the reason, where they cannot: the place refuses, a tag is not well-formed, the language does not allow a value.
    """
    if place.refusal:
        raise ValueError(place.refusal)
    names = dict(place.attributes)
    values = {names.get(name, name): value for name, value in values.items()}
    if isinstance(reading.version, Version):
        Draft(reading.version)      # refuses what is no MJCF
    edit = {Kind.NEW_PAIR: _new_pair, Kind.OVERRIDE: _override, Kind.CLASS: _into_class}.get(place.kind, _on_elements)(reading, m, place, values)
    return replace(edit, label=f"{', '.join(values)} {_where(m, place)}", merge=merge)


def _where(m, place: Place) -> str:
    if place.geoms[0] < 0:
        return f"of {place.title}"
    names = [m.names["geom"][g] or f"geom {g}" for g in place.geoms]
    return f"of contacts of {' and '.join(names)}" + {Kind.OVERRIDE: ", and all others"}.get(place.kind, "")


# ------------------------------------------------------------------ elements and classes

def _said(kind: str, values: Values) -> dict[str, tuple[float, ...]]:
    """Values as an element of a kind says them."""
    return geom_values(values) if kind == "geom" else contact_values(values) if kind == "pair" else {name: tuple(value) for name, value in values.items()}


def _subjects(reading: Reading, place: Place) -> Iterator[Subject]:
    """Each element that is written to, once. Raises ValueError for one that is not in the texts."""
    for number in dict.fromkeys(place.elements):
        subject = reading.subject((number,))
        if subject is None:
            raise ValueError("its element is not in the text")
        if subject.active.tag in MACROS:
            raise ValueError(f"it is made from {what(subject.active)}, which says it in other words: expand that first")
        yield subject


def _texts(place: Place, subject: Subject, values: Values) -> dict[str, str]:
    """Attribute texts for one element."""
    given: dict[str, tuple[float, ...]] = _said(place.items[0][0], values)
    if place.kind == Kind.PRIORITY and place.priority is not None:
        given["priority"] = (float(place.priority),)
    return words(subject.reading, subject.active, subject.paths[-1], given)


def _on_elements(reading: Reading, m, place: Place, values: Values) -> Edit:
    patches = [patch for subject in _subjects(reading, place) for patch in set_texts(subject, _texts(place, subject, values)).patches]
    return Edit("", tuple(patches))


def _into_class(reading: Reading, m, place: Place, values: Values) -> Edit:
    """The class says it, and the element itself no more."""
    subject = next(_subjects(reading, place))
    mine, element = subject.reading, subject.active
    texts = words(mine, None, subject.paths[-1], _said(place.items[0][0], values))
    patches = [*class_patches(mine, place.class_name, subject.paths[-1], texts),
               *patches_of(mine.version.texts, [(element, {name: None for name in texts if name in element.attrs})])]
    return Edit("", tuple(patches))


# ------------------------------------------------------------------ a new pair

def all_values(m, geoms: tuple[int, int], values: Values) -> dict[str, tuple[float, ...]]:
    """All that a pair of two geoms has to say so that their contact has these values, and else those that it has without the option block."""
    off = ("opt_enableflags", -1, int(m.opt_enableflags) & ~ENBL_OVERRIDE)
    row = contact_table(m, np.array([geoms]), np.array([-1]), (off,))[0]
    out = {name: tuple(row[columns].tolist()) for name, columns in COLUMNS.items()} | contact_values(values)
    if m.flg_maxmargin and "margin" not in values:      # the older rule: the gap is the outer part of the margin
        out["margin"] = (out["margin"][0] + out["gap"][0],)
    return out


def _new_pair(reading: Reading, m, place: Place, values: Values) -> Edit:
    names, patches = [], []
    for geom in place.geoms:
        name = m.names["geom"][geom]
        if not name:
            name, more = _naming(reading, m, geom, names)
            patches += more
        names.append(name)
    full = all_values(m, place.geoms, values)
    layered = bool(reading.resolver.classes.get("main", {}).get("pair"))       # the main class says something of pairs: then nothing is left to defaults
    texts = words(reading, None, "contact/pair", {name: full[name] for name in _PAIR_DEFAULTS})
    plain = words(reading, None, "contact/pair", _plain())
    given = {"geom1": names[0], "geom2": names[1]} | {name: text for name, text in texts.items() if layered or name in values or text != plain[name]}
    return Edit("", (*patches, insert_section(reading, "contact/pair", given)))


def _plain() -> dict[str, tuple[float, ...]]:
    """The language's defaults of a pair."""
    return {name: tuple(map(float, (schema.lookup("contact/pair").attributes[name].default or "0").split())) for name in _PAIR_DEFAULTS}


def _naming(reading: Reading, m, geom: int, taken: list[str]) -> tuple[str, tuple]:
    """(name, patches) for a geom that has none. Raises ValueError where a name in the text would be that of copies."""
    source = m.links.source("geom", geom)
    element: Element | None = reading.version.element(source.element) if source is not None else None
    if element is None or element.tag != "geom":
        raise ValueError(f"geom {geom} has no name, and no element of the text that could have one: a pair cannot name it")
    if source.copies or reading.version.root_of(element.id) is not reading.root or any(one.tag in ("replicate", "attach") for one in outward(reading.version, element.id)):
        raise ValueError(f"geom {geom} has no name and stands in what is copied: give it one first, by which a pair can name this copy")
    body = reading.version.parent(element.id)
    name = reading.names.unique("geom", f"{body.name or body.tag}_geom" if body is not None else "geom")
    while name in taken:
        name = reading.names.unique("geom", f"{name}_b")
    return name, patches_of(reading.version.texts, [(element, {"name": name})])


# ------------------------------------------------------------------ the option block

def override_values(m, geoms: tuple[int, int], values: Values, pair: int = -1) -> dict[str, tuple[float, ...]]:
    """What the option block has to say so that a contact has these values, and else those that it has. Raises ValueError for what it cannot say."""
    given = contact_values(values)
    for name in given:
        if name not in _OVERRIDDEN:
            raise ValueError(f"the option block has no {name} for all contacts")
    row = contact_table(m, np.array([geoms]), np.array([pair]))[0]
    out = {name: tuple(row[COLUMNS[name]].tolist()) for name in _OVERRIDDEN} | given
    if m.flg_maxmargin and "margin" not in given:
        out["margin"] = (out["margin"][0] + float(row[COLUMNS["gap"]][0]),)
    return out


def _override(reading: Reading, m, place: Place, values: Values) -> Edit:
    pairs = explicit_pairs(m, *place.geoms)
    full = {f"o_{name}": value for name, value in override_values(m, place.geoms, values, pairs[0] if pairs else -1).items()}
    edit, present = Edit("", ()), reading
    for path, texts in (("option", words(reading, None, "option", full)), ("option/flag", {"override": "enable"})):
        for name, text in texts.items():
            # of several sections the last one that says it is in force
            giving = next((one for one in reversed(list(found(present.root, path.split("/")))) if name in one.attrs), None)
            subject = present.section(path) if giving is None else Subject(present, (giving,), (path,))
            more = made(subject, "", {MISSING if subject.missing else subject.active.id: {name: text}})
            if more.patches:
                present, edit = present.after(more), compose(edit, more) if edit.patches else more
    return edit
