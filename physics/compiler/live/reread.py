"""P1: the changed elements are read again by the compiler's own readers, and fill the fields of their kinds; nothing else follows from them."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.compiler.build import Build
from physics.compiler.elements import actuators, bodies, cameras_lights, equality, frames, geoms, joints, pairs, sensors, sites, tendons
from physics.compiler.field_rows import FieldRows
from physics.compiler.item_tables import ItemTables, References
from physics.compiler.items import BodyItem, Item
from physics.compiler.live.basis import Basis
from physics.compiler.parameters import Parameter
from physics.compiler.problems import Problems
from physics.compiler.shared_readings import SharedReadings
from physics.compiler.source import Source
from physics.compiler.texture import materials
from physics.model.changes.field_changes import FieldChange, differing_rows
from physics.spec.defaults import Resolver
from physics.spec.element import Element

# kind -> (section, reader of all its elements, what fills its fields); of what stands in bodies the reader of one element
_SECTIONS: Mapping[str, tuple[str, Callable, Callable]] = MappingProxyType({
    "tendon": ("tendon", tendons.gather, tendons.fill), "actuator": ("actuator", actuators.gather, actuators.fill), "sensor": ("sensor", sensors.gather, sensors.fill),
    "equality": ("equality", equality.gather, equality.fill), "pair": ("contact", pairs.gather, pairs.fill), "material": ("asset", materials.gather, materials.fill)})
_FILLS: Mapping[str, Callable] = MappingProxyType({
    "joint": joints.fill, "geom": geoms.fill, "site": sites.fill, "camera": cameras_lights.fill, "light": cameras_lights.fill})
_PARTS = MappingProxyType({"joints": [], "geoms": [], "sites": [], "cameras": [], "lights": []})


class Affected(NamedTuple):
    """An attribute that says something else now. old, new: its element, the same one where a class of it has changed."""

    old: Element
    new: Element
    name: str
    parameter: Parameter


def reread(kept: Basis, affected: list[Affected], new: Mapping[int, Element]) -> tuple[FieldChange, ...] | None:
    """Rows that differ from those kept; None where more than the table says would follow, or something is wrong. new: changed elements by id."""
    items = kept.items
    if any(one.old.id not in items for one in affected):
        return None     # left out of the model, or merged with others
    wanted: dict[str, dict[int, Affected]] = {}
    fields: dict[str, set[str]] = {}
    for one in affected:
        kind = items[one.old.id][0]
        wanted.setdefault(kind, {})[one.old.id] = one
        fields.setdefault(kind, set()).update(one.parameter.fields)
    defaults = {number: element for number, element in new.items() if number not in items}
    resolver = kept.build.source.resolver
    if defaults:
        resolver = resolver.with_defaults(defaults)
    found: list[FieldChange] = []
    for kind, elements in wanted.items():
        again = beside(kept.build, resolver, kind)
        olds = [items[number][1] for number in elements]
        if not read_items(again, kind, olds, [one.new for one in elements.values()]):
            return None
        made = {item.element.id: item for item in again.items[kind]}
        news = [made[old.element.id] for old in olds] if len(made) == len(olds) else None
        if news is None or any(one.parameter.unless(kept.build, item) for one in affected if one.parameter.unless is not None and items[one.old.id][0] == kind
                               for item in (items[one.old.id][1], made[one.old.id])):
            return None
        again.items[kind] = news
        (_FILLS.get(kind) or _SECTIONS[kind][2])(again)
        if again.problems.issues:
            return None     # a warning, an error: whoever compiles says it
        found += _changes(kept, again, sorted(fields[kind]), olds)
        vars(again).clear()     # it refers to itself
    return tuple(found)


def beside(build: Build, resolver: Resolver, kind: str) -> Build:
    """A build that looks things up in a finished one, without items of one kind."""
    again = Build.__new__(Build)
    again.memory = None
    source: Source = copy(build.source)
    source.expanded = replace(source.expanded, issues=[])
    source.resolver, source.scaled = resolver, set()
    again.source, again.words, again.chains = source, build.words, build.chains
    again.problems = Problems(source)
    again.items = ItemTables()
    again.items.update({name: items if name != kind else [] for name, items in build.items.items()})
    again.references = References(source, again.problems, again.items)
    again.shared = SharedReadings(again, source, again.problems)
    again.fields = FieldRows(source, again.items, again.problems)
    again.fields.sizes.update(build.fields.sizes)
    return again


def read_items(again: Build, kind: str, olds: list[Item], elements: list[Element]) -> bool:
    """Make the items anew; whether that could be done."""
    if kind in _SECTIONS:
        section, gather, _fill = _SECTIONS[kind]
        again.source.root = Element(0, "mujoco", children=(Element(0, section, children=tuple(elements)),))
        gather(again)
        return True
    around: dict[int, dict[int, frames.Frame | None]] = {}      # by body, and by what stands in it
    for old, element in zip(olds, elements):
        if old.body.id not in around:
            around[old.body.id] = {child.id: frame for child, frame in old.body.parts}
        if element.id not in around[old.body.id]:
            return False    # moved into another body
        _read_part(again, kind, old.body, element, around[old.body.id][element.id])
    return True


def _read_part(again: Build, kind: str, body: BodyItem, element: Element, frame: frames.Frame | None) -> None:
    """One thing of a body."""
    beside = BodyItem({**vars(body), **{name: [] for name in _PARTS}})
    bodies.reader_of(element.tag)(again, beside, element)
    if frame is not None and again.items[kind]:
        frames.settle(again, frame, kind, again.items[kind][-1])
    if again.items[kind]:
        again.items[kind][-1].body = body


def _changes(kept: Basis, again: Build, fields: list[str], olds: list[Item]) -> list[FieldChange]:
    """Rows of these fields that are not as they were. olds: whose, in the order of the new items."""
    found = []
    for name in fields:
        before = kept.image[name]
        rows = _rows_of(name, olds)
        values = np.asarray(again.fields.rows[name]).astype(before.dtype).reshape(len(rows), *before.shape[1:])
        differ = differing_rows(before[rows], values)
        if len(differ):
            found.append(FieldChange(name, rows[differ], values[differ]))
    return found


def _rows_of(name: str, items: list[Item]) -> np.ndarray:
    """The rows of a field that belong to items, one after the other."""
    if name.startswith("dof_"):
        rows = [dof for joint in items for dof in range(joint.dofadr, joint.dofadr + joint.nv)]
    elif name in ("actuator_ctrlrange", "actuator_ctrllimited"):
        rows = [control for item in items for control in range(item.ctrladr, item.ctrladr + item.ctrlnum)]
    else:
        rows = [item.id for item in items]
    return np.array(rows, np.int64)
