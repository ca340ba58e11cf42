"""The default class in force for what is put elsewhere: what would change by that, and how it stays."""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from editor.edits.version import Version, outward
from editor.structure.draft import Draft
from physics.rotation.orientation import NOTATIONS
from physics.schema.numbers import format_floats
from physics.schema.schema import AttributeSpec
from physics.spec.defaults import Attrs, Resolver, default_tag
from physics.spec.element import Element

__all__ = ["Kept", "KEEP", "differences", "keep_values", "same_value"]

POSE = frozenset({*NOTATIONS, "pos", "fromto", "axis", "dir", "fullinertia"})     # set where the pose is
IDENTITY = frozenset({"name", "class", "childclass"})
KEEP = ("name", "write", "take")    # name the class that was in force; write what differs; take what the new class says
Kept = Mapping[int, tuple[Attrs, str]]      # id -> (attributes as they were, the class in force then)


def remember(resolver: Resolver, elements: Iterable[Element]) -> Kept:
    """Attributes and classes of all that reads a class among elements and what they hold."""
    found = {}
    for top in elements:
        for element in top.walk():
            known = resolver.context.get(element.id)
            if known is not None and default_tag(known[0].path):
                found[element.id] = (resolver.attrs(element), resolver.class_of(element))
    return found


def differences(before: Attrs, after: Attrs) -> dict[str, tuple]:
    """{attribute: (value before, value after)} of what is another, the pose left out."""
    out = {}
    for name in before.spec.attributes:
        if name in POSE or name in IDENTITY:
            continue
        a, b = before[name], after[name]
        if not same_value(a, b):
            out[name] = (a, b)
    return out


def same_value(a, b) -> bool:
    """Whether two resolved values are the same."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return a is not None and b is not None and np.array_equal(a, b)
    return a == b


def value_text(spec: AttributeSpec, value) -> str | None:
    """A resolved value as attribute text; None for one that cannot be written."""
    if value is None:
        return None
    if isinstance(value, np.ndarray):
        return format_floats(value) if value.dtype.kind == "f" else " ".join(map(str, value.tolist()))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return format_floats((value,)) if isinstance(value, float) else str(value)


def keep_values(draft: Draft, kept: Kept, tops: Iterable[int], how: str) -> None:
    """Let what was put elsewhere have the values that it had. how: one of KEEP; what the class says of poses is settled elsewhere."""
    if how == "take":
        return
    resolver = draft.resolver()
    changed = [number for number, (attrs, _name) in kept.items()
               if (found := draft.version.element(number)) is not None and found.id in resolver.context and differences(attrs, resolver.attrs(found))]
    if not changed:
        return
    if how == "write" and _write(draft, kept, changed, resolver):
        return
    _name(draft, kept, changed, set(tops))


def _write(draft: Draft, kept: Kept, changed: list[int], resolver: Resolver) -> bool:
    """Write what differs; False, with nothing done, where some of it cannot be said."""
    values: dict[int, dict[str, str]] = {}
    for number in changed:
        before = kept[number][0]
        for name, (value, _new) in differences(before, resolver.attrs(draft.element(number))).items():
            text = value_text(before.spec.attributes[name], value)
            if text is None:
                draft.notes.append(f"{draft.element(number).tag}: '{name}' is given by the class there and cannot be taken back, so the class is named")
                return False
            values.setdefault(number, {})[name] = text
    draft.set_all(values)
    return True


def _name(draft: Draft, kept: Kept, changed: list[int], tops: set[int]) -> None:
    """Name the class that was in force: once at a body or frame, else at each element."""
    values: dict[int, dict[str, str]] = {}
    for number in changed:
        holder, node = number, next((one for one in outward(draft.version, number) if one.id in tops), None)
        if node is not None and node.tag in ("body", "frame", "replicate") and not {"childclass", "class"} & node.attrs.keys() and _inherits(draft.version, number, node.id):
            holder = node.id
        element = draft.element(holder)
        values[holder] = {"childclass" if element.tag in ("body", "frame", "replicate") else "class": kept[number][1]}
    draft.set_all(values)


def _inherits(version: Version, number: int, top: int) -> bool:
    """Whether an element has its class from around `top`."""
    for node in outward(version, number):
        if "class" in node.attrs or "childclass" in node.attrs:
            return False
        if node.id == top:
            return True
    return False
