"""From what a policy says to commands: controls, joints and mocap poses by name, within their ranges."""
from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType

from app.demonstrations.policy.messages import actuator_names, mocap_names
from app.inputs.mapping.rotation import unit4
from app.inputs.protocol.messages import Controls, Joints, Message, Pose
from app.inputs.protocol.refused import Refused
from app.inputs.servos import position_servos
from physics.model.model import Model
from physics.name_hints import hint
from physics.runtime.commands import MoveMocap, SetCtrls

Keyed = tuple[Hashable, MoveMocap | SetCtrls]


class Actions:
    """For one Model."""

    def __init__(self, m: Model):
        self._controls = actuator_names(m)
        self._mocap = mocap_names(m)
        self._limits = {i: tuple(m.actuator_ctrlrange[i].tolist()) for i in range(m.nu) if m.actuator_ctrllimited[i]}
        servos = position_servos(m)
        self._joints = {name or f"joint{j}": servos.get(j) for j, name in enumerate(m.names["joint"])}

    def command(self, message: Message) -> Keyed | None:
        """(key, of which the newest command counts; command); None where it wants nothing. Raises Refused."""
        make = MAKERS.get(type(message))
        if make is None:
            raise Refused(f"a policy sends controls, joints, pose or event, not {type(message).__name__.lower()}")
        return make(self, message)

    def _of_controls(self, message: Controls) -> Keyed | None:
        wanted = {}
        for name, value in message.controls.items():
            i = _named(self._controls, "actuator", name)
            if i < 0:
                raise Refused(f"actuator '{name}' has not one control")
            low, high = self._limits.get(i, (value, value))
            wanted[i] = min(max(value, low), high)
        return _set(wanted)

    def _of_joints(self, message: Joints) -> Keyed | None:
        wanted = {}
        for name, value in message.joints.items():
            servo = _named(self._joints, "joint", name)
            if servo is None:
                raise Refused(f"no position actuator moves joint '{name}'")
            wanted[servo.ctrl] = servo.control(value)
        return _set(wanted)

    def _of_pose(self, message: Pose) -> Keyed | None:
        mocapid = _named(self._mocap, "mocap body", message.source)
        if message.p is None and message.q is None:
            return None
        return ("mocap", mocapid), MoveMocap(mocapid, message.p, None if message.q is None else unit4(message.q))


MAKERS: Mapping[type, Callable[[Actions, Message], Keyed | None]] = MappingProxyType({Controls: Actions._of_controls, Joints: Actions._of_joints, Pose: Actions._of_pose})


def _set(wanted: Mapping[int, float]) -> Keyed | None:
    """Of the same controls the newest values count; others stay as they are."""
    return (("ctrl", tuple(wanted)), SetCtrls(tuple(wanted), tuple(wanted.values()))) if wanted else None


def _named(table: Mapping, kind: str, name: str):
    if name not in table:
        raise Refused(f"the model has no {kind} '{name}'{hint(name, table)}")
    return table[name]
