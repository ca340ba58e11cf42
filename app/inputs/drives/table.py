"""Kinds of drives: a row each."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType

from app.inputs.drives.drive import Drive
from app.inputs.mapping.drive_mapping import DriveMapping
from physics.model.model import Model


class DriveMissing(Exception):
    """There is no drive of this kind."""


@dataclass(frozen=True, slots=True)
class DriveKind:
    """title: for people; maker: 'module:class', made with a DriveMapping; needs: fields of the DriveMapping one of which must be given; poses: whether it follows a target with a pose; gather: 'module:function' of a Model and the
    drives of this kind that are bound to it, where some have to know each other."""

    title: str
    maker: str
    needs: tuple[str, ...] = ()
    poses: bool = True
    gather: str = ""


DRIVES: Mapping[str, DriveKind] = MappingProxyType({
    "mocap": DriveKind("Mocap body", "app.inputs.drives.mocap:MocapDrive", ("mocap",)),
    "pull": DriveKind("Spring", "app.inputs.drives.pull:PullDrive", ("site", "body")),
    "controls": DriveKind("Controls", "app.inputs.drives.controls:ControlsDrive", ("controls",), False),
    "joints": DriveKind("Leader joints", "app.inputs.drives.joints:JointsDrive", (), False),
    "base": DriveKind("Mobile base", "app.inputs.drives.mobile_base:BaseDrive", ("mocap", "actuators"), False),
    "ik": DriveKind("Inverse kinematics", "app.inputs.drives.ik:IkDrive", ("site",), gather="app.inputs.drives.ik_stack:gather"),
    "osc": DriveKind("Operational space", "app.inputs.drives.osc:OscDrive", ("site",)),
    "legs": DriveKind("Four legs", "app.inputs.drives.legs:LegsDrive", ("feet",), False),
    "hand": DriveKind("Fingers", "app.inputs.drives.hand:HandDrive", ("tips", "leader"), False),
})


def make(mapping: DriveMapping) -> Drive:
    """A drive, not bound to a Model. Raises DriveMissing."""
    kind = DRIVES.get(mapping.kind)
    if kind is None:
        raise DriveMissing(f"there is no drive of kind '{mapping.kind}'; kinds are {', '.join(DRIVES)}")
    return _named(kind.maker)(mapping)


def gather(m: Model, drives: Sequence[Drive]) -> None:
    """Let drives that are bound to a Model know those that they share something with."""
    for name, kind in DRIVES.items():
        if kind.gather and (alike := [drive for drive in drives if drive.mapping.kind == name]):
            _named(kind.gather)(m, alike)


def _named(place: str):
    module, name = place.split(":")
    return getattr(import_module(module), name)
