"""Keyframes of attached models: their numbers, put where the joints, actuators and mocap bodies they stand for have come to be."""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.items import Item
from physics.expand.key_layout import KeyLayout
from physics.spec.element import Element


def spread(build: Build, element: Element, layout: KeyLayout, name: str, given: list, start: list) -> list:
    """The vector `name` of a keyframe of the whole model: the initial state but for what is given.

    given: values in the attached model's own order; layout: what they stand for; start: the initial state.
    """
    rows = _rows(build, layout, name)
    total = sum(count for _to, count in rows)
    if len(given) > total:
        build.problems.error(element, f"its model has {total} values of {name}, the keyframe {len(given)}", attr=name)
        return list(start)
    values, taken = list(start), 0
    for to, count in rows:
        some = given[taken:taken + count]   # a vector may be shorter than its model
        if to >= 0:
            values[to:to + len(some)] = some
        taken += count
    return values


def _rows(build: Build, layout: KeyLayout, name: str) -> list[tuple[int, int]]:
    """(first index in the whole vector, number of values) in the attached model's order; index -1 for what was left behind."""
    if name in ("qpos", "qvel"):
        items, column, address = _by_element(build, "joint"), 1 + (name == "qvel"), "qposadr" if name == "qpos" else "dofadr"
        return [(_at(items.get(row[0]), address), row[column]) for row in layout.joints]
    if name in ("act", "ctrl"):
        items, column, first = _by_element(build, "actuator"), 1 + (name == "ctrl"), build.fields.rows[f"actuator_{name}adr"]
        width = "actdim" if name == "act" else "ctrlnum"
        return [(first[items[row[0]].id], getattr(items[row[0]], width)) if row[0] in items else (-1, row[column]) for row in layout.actuators]
    width, items = (3 if name == "mpos" else 4), _by_element(build, "body")
    return [(width * _at(items.get(row[0]), "mocapid"), width) for row in layout.mocaps]


def _by_element(build: Build, kind: str) -> dict[int, Item]:
    return {item.element.id: item for item in build.items[kind] if item.element is not None}


def _at(item: Item | None, address: str) -> int:
    return -1 if item is None else getattr(item, address)
