"""What the vectors of a keyframe stand for, when it was written for another model than the one it ends up in.

A keyframe of an attached model lists the joints, actuators and mocap bodies of that model, in its order. Only some of them may have been
attached, and they have other ids and other neighbours then; everything else keeps its initial state.
Source: MuJoCo's programming chapter "Model editing", section "Attachment".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from physics.spec.actuator_counts import control_count, state_count
from physics.spec.actuator_shortcuts import Actuators
from physics.spec.defaults import Resolver
from physics.spec.element import Element

__all__ = ["KeyLayout", "layout_of"]

_QPOS = MappingProxyType({"free": 7, "ball": 4})
_QVEL = MappingProxyType({"free": 6, "ball": 3})


class KeyLayout(NamedTuple):
    """Per joint, actuator and mocap body: the id of the element that takes its numbers (None: none does) and how many they are.

    joints: (id, entries of qpos, of qvel); actuators: (id, entries of act, of ctrl); mocaps: (id,).
    """

    joints: tuple[tuple, ...]
    actuators: tuple[tuple, ...]
    mocaps: tuple[tuple, ...]

    def moved(self, made: Mapping[int, Element], otherwise_kept: bool = False) -> KeyLayout:
        """The same for copies; what was not copied takes no numbers, or keeps its own where otherwise_kept."""
        def new(rows):
            return tuple((made[row[0]].id if row[0] in made else row[0] if otherwise_kept else None, *row[1:]) for row in rows)
        return KeyLayout(new(self.joints), new(self.actuators), new(self.mocaps))

    def filled(self, before: KeyLayout, made: Mapping[int, Element]) -> KeyLayout:
        """This layout, once the copies `made` have come to what had no taker. before: the same rows for the patterns."""
        def new(rows, patterns):
            return tuple(row if row[0] is not None or old[0] not in made else (made[old[0]].id, *row[1:]) for row, old in zip(rows, patterns))
        return KeyLayout(*(new(rows, patterns) for rows, patterns in zip(self, before)))


def layout_of(root: Element, resolver: Resolver) -> KeyLayout:
    """The layout of a model's own keyframes. root: expanded; resolver: of that root."""
    joints, mocaps = [], []
    for body in _bodies(root):
        if body.attrs.get("mocap", "").strip() == "true":
            mocaps.append((body.id,))
        for part in _parts(body):
            if part.tag in ("joint", "freejoint"):
                kind = "free" if part.tag == "freejoint" else resolver.attrs(part)["type"]
                joints.append((part.id, _QPOS.get(kind, 1), _QVEL.get(kind, 1)))
    actuators, written = [], Actuators(resolver)
    for element in root.section("actuator"):
        settings = written.settings(element)
        actuators.append((element.id, state_count(settings), control_count(settings)))
    return KeyLayout(tuple(joints), tuple(actuators), tuple(mocaps))


def _bodies(root: Element) -> Iterator[Element]:
    """Bodies in the order of their ids."""
    stack = [body for world in reversed(root.all("worldbody")) for body in reversed(list(_parts(world))) if body.tag == "body"]
    while stack:
        body = stack.pop()
        yield body
        stack.extend(part for part in reversed(list(_parts(body))) if part.tag == "body")


def _parts(body: Element) -> Iterator[Element]:
    """What stands in a body, frames dissolved."""
    stack = list(reversed(body.children))
    while stack:
        element = stack.pop()
        if element.tag == "frame":
            stack.extend(reversed(element.children))
        else:
            yield element
