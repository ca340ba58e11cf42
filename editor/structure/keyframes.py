"""Keyframes of the text keep pace with the model: where joints, actuators or mocap bodies come, go or change places, the numbers of a <key> do, too.

    Rows (what the numbers stand for, in order) of the version before and after -> patches of qpos, qvel, act, ctrl, mpos and mquat, number by number

What comes gets the values of the start pose: qpos0, no velocity, no activation, no control. A list that was not as long as it should be is left alone.
"""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Patch
from editor.edits.tag_places import tag_places
from editor.edits.version import Version
from editor.notation.numbers import number_text
from editor.structure.placement import UNIT_POSE, pose_of
from physics.expand.expand import expand
from physics.expand.key_layout import layout_of
from physics.expand.replicate import angle_settings
from physics.rotation import quaternion
from physics.spec.defaults import Resolver
from physics.spec.element import Element

__all__ = ["Rows", "key_patches", "rows_of"]

_WORD = re.compile(r"\S+")
Became = Mapping[int, list[int]]
Who = tuple[object, int]       # element id (or its place, in a file that is not open), number of the copy


class Row(NamedTuple):
    """who takes the numbers of a list, how many, and which they are at first; name: of the joint, actuator or body in the model, by which it is known again where it is written
    elsewhere."""

    who: Who
    count: int
    start: tuple[str, ...]
    name: str = ""


Rows = dict[str, list[Row]]     # by attribute of <key>


def rows_of(version: Version) -> Rows | None:
    """What the numbers of the keyframes stand for; None where the text has too many faults to tell."""
    try:
        expanded = expand(version.read)
        resolver = Resolver(expanded.root)
        layout = layout_of(expanded.root, resolver)
    except Exception:   # a text with errors: expansion promises nothing then
        if not version.read.errors:
            raise
        return None
    by_id = {element.id: element for world in expanded.root.all("worldbody") for element in world.walk()} | {e.id: e for e in expanded.root.section("actuator")}
    namer, poses = _Namer(version), _Poses(expanded.root, resolver)
    joints = [(e := by_id[number], namer.who(e), nq, nv, poses.qpos0(e, nq)) for number, nq, nv in layout.joints]
    actuators = [(e := by_id[number], namer.who(e), na, nu) for number, na, nu in layout.actuators]
    mocaps = [(e := by_id[number], namer.who(e), poses.of_body(e)) for (number,) in layout.mocaps]
    return {
        "qpos": [Row(who, nq, start, e.name) for e, who, nq, _nv, start in joints], "qvel": [Row(who, nv, ("0",) * nv, e.name) for e, who, _nq, nv, _start in joints],
        "act": [Row(who, na, ("0",) * na, e.name) for e, who, na, _nu in actuators], "ctrl": [Row(who, nu, ("0",) * nu, e.name) for e, who, _na, nu in actuators],
        "mpos": [Row(who, 3, _texts(pose[0]), e.name) for e, who, pose in mocaps], "mquat": [Row(who, 4, _texts(pose[1]), e.name) for e, who, pose in mocaps],
    }


class _Namer:
    """Who an expanded element is: the element of the text that it comes from, and which of its copies."""

    def __init__(self, version: Version):
        self._ids, self._met = version.ids, {}

    def who(self, element: Element) -> Who:
        origin = element.origin
        number = self._ids.get(origin.file, {}).get(origin.start, (origin.file, origin.start))
        copy = self._met[number] = self._met.get(number, -1) + 1
        return number, copy


class _Poses:
    """Start values of joints and mocap bodies in an expanded tree."""

    def __init__(self, root: Element, resolver: Resolver):
        self._resolver, self._settings = resolver, angle_settings(root)
        self._parent = {child.id: element for world in root.all("worldbody") for element in world.walk() for child in element.children}

    def _body(self, element: Element) -> Element:
        node = self._parent[element.id]
        while node.tag == "frame":
            node = self._parent[node.id]
        return node

    def of_body(self, body: Element) -> tuple[tuple, tuple]:
        """Frame of a body in the world; of one in another body that is seldom asked."""
        pose, trail, node = UNIT_POSE, [], body
        while node is not None and node.tag in ("body", "frame"):
            trail.append(node)
            node = self._parent.get(node.id)
        for one in reversed(trail):
            pose = quaternion.compose(*pose, *pose_of(self._resolver.attrs(one), self._settings))
        return pose

    def qpos0(self, joint: Element, count: int) -> tuple[str, ...]:
        if count == 7:
            pose = self.of_body(self._body(joint))
            return _texts((*pose[0], *pose[1]))
        if count == 4:
            return "1", "0", "0", "0"
        attrs = self._resolver.attrs(joint)
        turns = self._settings[0] and attrs["type"] == "hinge"
        return (number_text(float(attrs["ref"] or 0) * (math.pi / 180 if turns else 1.0)),)


def _texts(values: Iterable[float]) -> tuple[str, ...]:
    return tuple(map(number_text, values))


def key_patches(first: Version, version: Version, became: Became) -> list[Patch]:
    """Patches of a version by which its keyframes follow what has changed since another one. became: ids of the elements that copies of an element have become."""
    keys = version.root.section("keyframe")
    if not keys or first is version:
        return []
    before, after = rows_of(first), rows_of(version)
    if before is None or after is None or not any(_differ(before[name], after[name]) for name in before):
        return []
    return list(_patches(version, keys, {name: _renamed(rows, became) for name, rows in before.items()}, after))


def _differ(before: list[Row], after: list[Row]) -> bool:
    return [row[:2] for row in before] != [row[:2] for row in after]


def _renamed(rows: list[Row], became: Became) -> list[Row]:
    """Rows under the ids of the elements that copies have become."""
    return [row._replace(who=(became[row.who[0]][row.who[1]], 0)) if row.who[0] in became and row.who[1] < len(became[row.who[0]]) else row for row in rows]


def _patches(version: Version, keys: Iterable[Element], before: Rows, after: Rows) -> Iterator[Patch]:
    for key in keys:
        if key.origin.file not in version.texts:       # found beside an untitled model: nothing here may change it
            continue
        for name in before:
            words = key.attrs.get(name, "").split()
            if not words or len(words) != sum(row.count for row in before[name]):
                continue
            yield from _list_patches(version.texts[key.origin.file], key, name, before[name], after[name])


def _list_patches(text: str, key: Element, name: str, before: list[Row], after: list[Row]) -> Iterator[Patch]:
    """Of one list: numbers taken out and put in where the order stays; a new list else."""
    place = tag_places(text, key.origin.start).of(name)
    words = [(place.value + match.start(), match[0]) for match in _WORD.finditer(text[place.value:place.value_end])]
    starts, by_name, at, still = {}, {}, 0, {row.who for row in after}
    for row in before:
        starts[row.who] = (at, row.count)
        if row.name and row.who not in still:
            by_name[row.name] = (at, row.count)
        at += row.count
    wanted: list[int | str] = []        # number of a word that stays, or a new word
    for row in after:
        old, count = starts.get(row.who) or by_name.get(row.name, (0, -1))
        wanted += range(old, old + count) if count == row.count else row.start
    kept = [word for word in wanted if isinstance(word, int)]
    if kept != sorted(kept) or not kept or "&" in text[place.value:place.value_end] or not wanted:
        value = " ".join(words[word][1] if isinstance(word, int) else word for word in wanted)
        yield from attribute_patches(text, key, {name: value or None})
        return
    yield from _word_patches(key.origin.file, words, wanted, place.value_end)


def _word_patches(file: str, words: list[tuple[int, str]], wanted: list[int | str], end: int) -> Iterator[Patch]:
    """Patches of words that stay in order: each run of words that goes, with the new ones that come in its place."""
    ends = [at + len(word) for at, word in words]
    previous, new = -1, []
    for word in [*wanted, len(words)]:
        if isinstance(word, str):
            new.append(word)
            continue
        gone = word > previous + 1
        if gone or new:
            if previous >= 0:       # from behind the last one that stays
                yield Patch(file, ends[previous], ends[word - 1] if gone else ends[previous], "".join(f" {one}" for one in new))
            else:                   # in front of the first one that stays
                first = words[word][0] if word < len(words) else end
                yield Patch(file, words[0][0], first if gone else words[0][0], "".join(f"{one} " for one in new))
        previous, new = word, []
