"""Motion by axes: sticks, keys and 6-axis mice say how fast the target moves, and it is integrated from where the target is, never from what was reached."""
from __future__ import annotations

from collections.abc import Mapping

from app.inputs.mapping.rotation import conj4, exp, mul4, rotate, unit4
from app.inputs.sample import Pose, Sample
from app.inputs.table import TWIST


def value(sample: Sample, name: str) -> float:
    """An axis or a button (1 while it is down) of a Sample, 0 where it has neither; '-' before the name changes the sign."""
    if name.startswith("-"):
        return -value(sample, name[1:])
    found = sample.axes.get(name)
    return float(found) if found is not None else float(name in sample.buttons)


def deflection(axes: Mapping[str, tuple[str, ...]], sample: Sample) -> tuple[float, ...]:
    """How far each axis of TWIST is pushed, -1..1: the sum of what is mapped to it."""
    return tuple(min(1.0, max(-1.0, sum(value(sample, name) for name in axes.get(axis, ())))) for axis in TWIST)


def integrated(target: Pose, pushed: tuple[float, ...], rotation: tuple, speed: float, turn: float, h: float) -> Pose:
    """The target after h [s] at `speed` [m/s] and `turn` [rad/s] of full axes, which are meant in the frame of `rotation`."""
    way = rotate(rotation, tuple(speed * h * v for v in pushed[:3]))
    pos = tuple(p + d for p, d in zip(target.pos, way))
    if not any(pushed[3:]):
        return Pose(pos, target.quat)
    dq = mul4(mul4(rotation, exp(tuple(turn * h * w for w in pushed[3:]))), conj4(rotation))
    return Pose(pos, unit4(mul4(dq, target.quat)))
