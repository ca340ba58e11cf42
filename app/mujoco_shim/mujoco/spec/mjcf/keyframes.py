"""Keyframes when joints come and go: each number is kept with the joint, actuator or mocap body that it is of."""
from __future__ import annotations

from types import MappingProxyType, SimpleNamespace

import numpy as np

from physics.spec.actuator_counts import control_count, state_count

from .words import in_radians, quaternion

_WIDTHS = MappingProxyType({0: (7, 6), 1: (4, 3)})
NAMES = ("qpos", "qvel", "act", "mpos", "mquat", "ctrl")


def rows(spec, name: str) -> list[tuple[object, int]]:
    """(element, how many numbers) that a keyframe's vector is made of."""
    if name in ("qpos", "qvel"):
        return [(joint, _WIDTHS.get(joint._values["type"], (1, 1))[name == "qvel"]) for joint in spec.joints]
    if name in ("act", "ctrl"):
        count = state_count if name == "act" else control_count
        return [(one, count(SimpleNamespace(**one._values))) for one in spec._outside["actuator"]]
    return [(body, 3 if name == "mpos" else 4) for body in spec.bodies if body._values["mocap"]]


def pin(spec, keys=None) -> None:
    """Note of all keyframes of a specification, as it is now, what their numbers are of."""
    for key in spec._outside["key"] if keys is None else keys:
        pins = key.__dict__.setdefault("_pins", {})
        for name in NAMES:
            vector = key._values[name]
            if name in pins and pins[name][0] is vector:
                continue
            parts, at, held = rows(spec, name), 0, {}
            if not vector or sum(width for _one, width in parts) != len(vector):
                continue
            for one, width in parts:
                held[one] = vector[at:at + width]
                at += width
            pins[name] = vector, held


def numbers_of(spec, key, name: str):
    """A keyframe's numbers in the present order; of what it knows nothing of, those of the initial state."""
    pins = key.__dict__.get("_pins", {}).get(name) if name in NAMES else None
    vector = key._values[name]
    if pins is None or pins[0] is not vector:
        return vector
    found: list[float] = []
    for one, width in rows(spec, name):
        known = pins[1].get(one)
        found += known if known is not None and len(known) == width else _initial(one, name, width)
    return found


def _initial(one, name: str, width: int) -> list[float]:
    if name == "qpos" and width == 1:
        values = one._values
        return [float(in_radians(values["ref"], one.compiler.degree and values["type"] == 3))]
    if name == "qpos" and width == 4:
        return [1.0, 0.0, 0.0, 0.0]
    if name in ("qpos", "mpos", "mquat"):
        body = one._parent if name == "qpos" else one
        pos, quat = pose(body)
        return [*pos, *quat] if name == "qpos" else list(pos) if name == "mpos" else list(quat)
    return [0.0] * width


def pose(body) -> tuple[np.ndarray, np.ndarray]:
    """Position and orientation of a body in its parent, with the frames around it."""
    from physics.rotation.orientation import rotated  # late: only here
    from physics.rotation.quaternion import multiply

    def own(one):
        compiler = one.compiler
        return one._values["pos"].copy(), quaternion(one._values["alt"], compiler.degree, "".join(compiler.eulerseq), one._values["quat"])

    pos, quat = own(body)
    frame = body._frame
    while frame is not None:
        at, turned = own(frame)
        pos, quat = at + rotated(turned, pos * frame._values["scale"]), np.array(multiply(turned, quat))
        frame = frame._frame
    return pos, quat
