"""Where an episode begins: a keyframe, or states drawn around one, the same for the same seed and number."""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State, key_number, load_keyframe
from physics.name_hints import hint
from physics.runtime.joint_coordinates import joint_coordinates, joint_qpos, qpos_slice

COMPONENTS = ("x", "y", "z", "rx", "ry", "rz")      # of a free joint; of a ball joint the last three, of the others the first
WORDS = MappingProxyType({6: COMPONENTS, 3: COMPONENTS[3:], 1: ("",)})
MOCAP = COMPONENTS[:3]


class StartError(ValueError):
    """What of a start cannot be."""


@dataclass(frozen=True, slots=True)
class Range:
    """Added to a coordinate, evenly between low and high [m or rad]. of: a joint's name or number, with '.x', '.y', '.z', '.rx', '.ry', '.rz' for one coordinate of a free or ball
    joint (r: of the rotation vector); 'mocap BODY.x' for a mocap body."""

    of: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Start:
    """key: keyframe by name or number, None: the model's own start. ranges: what is drawn, in their order; seed: of all draws."""

    key: str | int | None = None
    ranges: tuple[Range, ...] = ()
    seed: int = 0

    @property
    def drawn(self) -> bool:
        """Whether each is another one."""
        return bool(self.ranges)


def start_state(m: Model, start: Start, number: int) -> State:
    """The number-th start state: draw `number` of a PCG64 generator seeded with (seed, number), so that any of them can be had without those before. Raises StartError."""
    d = Data(m)
    key = key_number(m, start.key)
    if key is None and start.key is not None:
        known = [name for name in m.names["key"] if name]
        raise StartError(f"there is no keyframe '{start.key}'{hint(str(start.key), known)}")
    if key is not None:
        load_keyframe(m, d, key)
    generator = np.random.Generator(np.random.PCG64([start.seed, number]))
    for one in start.ranges:
        if not (np.isfinite(one.low) and np.isfinite(one.high) and one.low <= one.high):
            raise StartError(f"{one.of}: {one.low:g} to {one.high:g} is no range")
        _add(m, d, one.of, float(generator.uniform(one.low, one.high)))
    return State.of(d)


def _add(m: Model, d: Data, of: str, value: float) -> None:
    if of.startswith("mocap "):
        name, _, component = of.removeprefix("mocap ").rpartition(".")
        body = m.id("body", name)
        if body < 0 or m.body_mocapid[body] < 0:
            raise StartError(f"there is no mocap body '{name}'")
        d.mocap_pos[m.body_mocapid[body], _component(of, component, MOCAP)] += value
        return
    name, component = (of, "") if m.id("joint", of) >= 0 else of.rpartition(".")[::2] if "." in of else (of, "")
    joint = m.id("joint", name)
    if joint < 0 and name.isdecimal():
        joint = int(name)
    if not 0 <= joint < m.njnt:
        known = [one for one in m.names["joint"] if one]
        raise StartError(f"there is no joint '{name}'{hint(name, known)}")
    place = qpos_slice(m, joint)
    coordinates = joint_coordinates(d.qpos[place])
    coordinates[_component(of, component, WORDS[len(coordinates)])] += value
    d.qpos[place] = joint_qpos(coordinates)


def _component(of: str, component: str, words: tuple[str, ...]) -> int:
    if component not in words:
        raise StartError(f"{of}: its coordinates are {', '.join(word or 'itself' for word in words)}")
    return words.index(component)


def range_of(text: str) -> Range:
    """Of 'cube.x=-0.1:0.1'. Raises StartError."""
    of, _, ends = text.rpartition("=")
    low, _, high = ends.partition(":")
    try:
        return Range(of.strip(), float(low), float(high))
    except ValueError:
        raise StartError(f"'{text}' is not of the form joint.x=-0.1:0.1") from None
