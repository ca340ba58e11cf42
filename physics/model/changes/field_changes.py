"""What differs between two Models of the same structure, as rows of fields: taken, compared and written bit for bit.

    image = image_of(a)    changes = differences(image, b)    write(a, changes)    ->    a has the numbers of b

Fields of meshes, pictures and the like are not part of an image: they are large, and no parameter of an element changes them.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from physics.model.index_fields import ALONE, BUDGETS, INDEX_RULES, SEEN_BY_ENGINE, any_number
from physics.model.model import Model
from physics.model.model_changes import APART
from physics.model.visual import Visual

__all__ = ["FieldChange", "Image", "differences", "disagreeing", "image_of", "names_of", "only_looks", "present", "put_together",
           "same_bits", "visual_changes", "write", "writable"]

VISUAL = "vis."     # what the name of a picture setting begins with
# whole numbers that kernels look up afresh in each step, and on which no room in Data depends
FRESH = frozenset({"bvh_child", "bvh_nodeid", "cam_resolution", "opt_jacobian", "opt_engine"})
TREES = "bvh_"
LOOKS = (VISUAL, "mat_", "light_", "cam_", "key_", "sensor_", "stat_")      # beginnings of fields that move nothing
Image = Mapping[str, Any]       # field -> its numbers, 'vis' -> picture settings


class FieldChange(NamedTuple):
    """New numbers of a field. rows: which rows of it, None for a single number or a picture setting ('vis.map.znear'); values: one for each row."""

    name: str
    rows: np.ndarray | None
    values: Any


def image_of(m: Model) -> Image:
    """The numbers of a Model, copied; of trees of bounding boxes those of bodies, which come first."""
    bodies = int(np.sum(m.body_bvhnum))
    found: dict[str, Any] = {name: getattr(m, name) for name in m.layout.scalars}
    found.update({name: np.array(getattr(m, name)[:bodies] if name.startswith(TREES) else getattr(m, name)) for name in m.layout.arrays if not name.startswith(APART)})
    found["vis"] = settings_of(m.vis)
    return MappingProxyType(found)


def settings_of(vis: Visual) -> Mapping[str, Any]:
    """Picture settings by 'group.name'."""
    return MappingProxyType({f"{group.name}.{field.name}": getattr(getattr(vis, group.name), field.name)
                             for group in fields(vis) for field in fields(getattr(vis, group.name))})


def differences(image: Image, m: Model, skip: frozenset[str] = frozenset()) -> tuple[FieldChange, ...] | None:
    """What a Model has that an image has not, in rows; None where the two are not of the same structure. skip: fields that are not looked at."""
    found = []
    for name in m.layout.scalars:
        value = getattr(m, name)
        if name not in skip and not same_bits(value, image[name]):
            found.append(FieldChange(name, None, value))
    for name, old in image.items():
        if name == "vis" or name in skip or name in m.layout.scalars:
            continue
        new = getattr(m, name)[:len(old)] if name.startswith(TREES) else getattr(m, name)
        if old.shape != new.shape:
            return None
        rows = differing_rows(old, new)
        if len(rows):
            found.append(FieldChange(name, rows, np.array(new)[rows]))
    return (*found, *visual_changes(image, m.vis))


def visual_changes(image: Image, vis: Visual) -> tuple[FieldChange, ...]:
    """Picture settings that differ."""
    old = image["vis"]
    return tuple(FieldChange(VISUAL + name, None, value) for name, value in settings_of(vis).items() if not same_bits(value, old[name]))


def differing_rows(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Numbers of the rows whose bits differ."""
    if not old.size:
        return np.zeros(0, np.int64)
    a, b = (np.ascontiguousarray(x) for x in (old, new))
    words = np.int64 if a.nbytes % 8 == 0 else np.uint8
    if np.array_equal(a.reshape(-1).view(words), b.reshape(-1).view(words)):    # nearly all
        return np.zeros(0, np.int64)
    a, b = (x.reshape(len(x), -1).view(np.uint8) for x in (a, b))
    return np.flatnonzero((a != b).any(axis=1))


def same_bits(a: Any, b: Any) -> bool:
    """Whether two values are the same, bit for bit."""
    a, b = np.asarray(a), np.asarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def writable(changes: Iterable[FieldChange]) -> bool:
    """Whether all may be written into a Model that runs: no sizes, and none of the whole numbers on which the storage of Data depends."""
    return all(map(_writable, (change.name for change in changes)))


def _writable(name: str) -> bool:
    rule = INDEX_RULES.get(name)
    return rule is None or name in ALONE or name in SEEN_BY_ENGINE or name in BUDGETS or name in FRESH or any_number(rule)


def put_together(image: Image, changes: Iterable[FieldChange], before: Iterable[FieldChange]) -> tuple[FieldChange, ...]:
    """Changes, and the numbers of the image wherever an earlier list had others and this one has not: whichever of several lists was written last, it is all that counts."""
    now = {change.name: change for change in changes}
    for old in before:
        new = now.get(old.name)
        if old.rows is None:
            if new is None:
                now[old.name] = FieldChange(old.name, None, image["vis"][old.name.removeprefix(VISUAL)] if old.name.startswith(VISUAL) else image[old.name])
            continue
        if new is not None and np.array_equal(old.rows, new.rows):      # as of one motion of a drag after the other
            continue
        missing = old.rows if new is None else np.setdiff1d(old.rows, new.rows)
        if len(missing):
            back = image[old.name][missing]
            now[old.name] = FieldChange(old.name, missing, back) if new is None else FieldChange(
                old.name, np.concatenate([new.rows, missing]), np.concatenate([new.values, back]))
    return tuple(now.values())


def disagreeing(some: Iterable[FieldChange], others: Iterable[FieldChange]) -> tuple[str, ...]:
    """Fields of which two lists do not say the same, bit for bit."""
    mine, theirs = ({change.name: change for change in changes} for changes in (some, others))
    return tuple(sorted(name for name in mine.keys() | theirs.keys() if not _same(mine.get(name), theirs.get(name))))


def _same(one: FieldChange | None, other: FieldChange | None) -> bool:
    if one is None or other is None:
        return False
    if one.rows is None or other.rows is None:
        return one.rows is other.rows and same_bits(one.values, other.values)
    if np.array_equal(one.rows, other.rows):
        return same_bits(one.values, other.values)
    a, b = np.argsort(one.rows, kind="stable"), np.argsort(other.rows, kind="stable")
    return np.array_equal(one.rows[a], other.rows[b]) and same_bits(one.values[a], other.values[b])


def only_looks(name: str) -> bool:
    """Whether nothing moves otherwise for a field's sake: it is only looked at, or measured with."""
    return name.startswith(LOOKS) or name.endswith(("_rgba", "_matid", "_group", "_user"))


def names_of(changes: Iterable[FieldChange]) -> tuple[str, ...]:
    """Fields that are changed."""
    return tuple(dict.fromkeys(change.name for change in changes))


def present(m: Model, change: FieldChange) -> FieldChange | None:
    """The numbers that a Model has now where a change would write others; None where it has no such place."""
    if change.name.startswith(VISUAL):
        settings = settings_of(m.vis)
        name = change.name.removeprefix(VISUAL)
        return FieldChange(change.name, None, settings[name]) if name in settings else None
    if change.rows is None:
        return FieldChange(change.name, None, getattr(m, change.name)) if change.name in m.layout.scalars else None
    try:
        return FieldChange(change.name, change.rows, np.array(getattr(m, change.name)[change.rows])) if change.name in m.layout.arrays else None
    except IndexError:
        return None


def write(m: Model, changes: Iterable[FieldChange]) -> None:
    """Write into a Model. Raises AttributeError for fields that it has not, IndexError for rows, ValueError for shapes; then some may be written."""
    for name, rows, values in changes:
        if name.startswith(VISUAL):
            group, _, word = name.removeprefix(VISUAL).partition(".")
            setattr(getattr(m.vis, group), word, values)
        elif rows is None:
            setattr(m, name, values)
        else:
            getattr(m, name)[rows] = values
