"""What is meant for one Model, said for another: commands and inputs by the names of what they are about.

An edit of the text renumbers elements; a companion of before the edit gets the inputs of the run of after it, as far as it has what they are for.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from physics.model.elements import element, find_again
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.model.state_fields import State
from physics.runtime import commands as c
from physics.runtime import targets
from physics.runtime.carry_over import carry_over
from physics.runtime.targets import Target

FAR = 1e12          # beyond any coordinate: numbers of elements are told from positions by it
FIELDS: Mapping[str, tuple[str, str]] = MappingProxyType({      # of Data: whose places, and how many rows there are
    "qpos": ("qpos", "nq"), "qvel": ("dof", "nv"), "qacc_warmstart": ("dof", "nv"), "qfrc_applied": ("dof", "nv"), "ctrl": ("ctrl", "nu"), "xfrc_applied": ("body", "nbody"),
    "mocap_pos": ("mocap", "nmocap"), "mocap_quat": ("mocap", "nmocap")})
_ROW = re.compile(r"(\w+)\[(\d+)\]")


class Matching:
    """Which elements of a Model `new` are those of `old`, as carry_over finds them."""

    def __init__(self, old: Model, new: Model):
        self._old, self._new = old, new
        numbered = State(
            0.0, FAR + np.arange(old.nq), np.zeros(old.nv), np.zeros(old.na), np.zeros(old.nhistory), np.zeros(old.nv), 1.0 + np.arange(old.nu), 1.0 + np.arange(old.nv),
            np.tile(1.0 + np.arange(old.nbody)[:, None], (1, 6)), np.array(old.eq_active0), np.tile(FAR + np.arange(old.nmocap)[:, None], (1, 3)),
            np.zeros((old.nmocap, 4)), np.zeros(old.nuserdata))
        found, _report = carry_over(old, numbered, new)
        # for each place of the new Model that of the old one, -1: none
        self._places: Mapping[str, np.ndarray] = MappingProxyType({
            "qpos": _far(found.qpos), "ctrl": found.ctrl.astype(int) - 1, "dof": found.qfrc_applied.astype(int) - 1, "body": found.xfrc_applied[:, 0].astype(int) - 1,
            "mocap": _far(found.mocap_pos[:, 0])})

    def _place(self, what: str, number: int) -> int | None:
        """The number in the new Model."""
        found = np.flatnonzero(self._places[what] == number)
        return int(found[0]) if len(found) else None

    def _element(self, kind: str, number: int) -> int | None:
        if not 0 <= number < len(self._old.names[kind]):
            return None
        found = find_again(self._old, self._new, element(self._old, kind, number))
        return found.id if found is not None else None

    def _body(self, number: int) -> int | None:
        return self._place("body", number) if number > 0 else number

    def command(self, command):
        """The same command for the new Model; None where it has not what the command is about."""
        change = CHANGES.get(type(command))
        return command if change is None else change(self, command)

    def fields(self, given: Mapping[str, np.ndarray], data) -> dict[str, np.ndarray]:
        """Inputs {field of Data: numbers} as a Data of the new Model takes them; what is for nothing there is left out."""
        found = {"time": given["time"]} if "time" in given else {}
        for name, numbers in given.items():
            if name not in FIELDS:
                continue
            what, size = FIELDS[name]
            there = np.flatnonzero(self._places[what] >= 0)
            found[name] = np.array(getattr(data, name))
            if len(there):
                rows = np.reshape(numbers, (getattr(self._old, size), *found[name].shape[1:]))
                found[name][there] = rows[self._places[what][there]]
        return found

    # ------------------------------------------------ commands

    def numbered(self, command, field: str, number: int | None):
        """The command with another number."""
        return None if number is None else replace(command, **{field: number})

    def joint(self, command):
        """SetJointCoordinate."""
        if not 0 <= command.joint < self._old.njnt:
            return None
        address = self._place("qpos", int(self._old.jnt_qposadr[command.joint]))
        joints = np.flatnonzero(self._new.jnt_qposadr == address) if address is not None else ()
        return replace(command, joint=int(joints[0])) if len(joints) else None

    def pose(self, command):
        """SetPose: coordinates that the old Model has not stay."""
        places, given = self._places["qpos"], np.ravel(np.asarray(command.qpos, float))
        if len(given) != self._old.nq:
            return command
        return replace(command, qpos=tuple(np.where(places >= 0, given[places], np.nan).tolist()))

    def ctrls(self, command):
        """SetCtrls: controls that the new Model has not are left away."""
        found = [(place, value) for index, value in zip(command.indices, command.values) if (place := self._place("ctrl", index)) is not None]
        return replace(command, indices=tuple(place for place, _value in found), values=tuple(value for _place, value in found)) if found else None

    def start_key(self, command):
        """SetStartKey: names stay."""
        return self.numbered(command, "key", self._element("key", command.key)) if isinstance(command.key, int) else command

    def state(self, command):
        """SetState."""
        return replace(command, state=carry_over(self._old, command.state, self._new)[0])

    def row(self, name: str, row: int) -> int | None:
        """Row of a live field in the new Model."""
        try:
            found = targets.again(self._old, self._new, Target(targets.FIELD, name, int(row)))
        except IndexError:
            return None
        return found.row if found is not None else None

    def field(self, command):
        """SetField."""
        live = LIVE_FIELDS.get(command.name)
        if live is None or not live.kind:
            return command
        if command.index is not None:
            first, *rest = command.index if isinstance(command.index, tuple) else (command.index,)
            row = self.row(command.name, first)
            return None if row is None else replace(command, index=(row, *rest))
        value, given = np.array(getattr(self._new, command.name)), np.asarray(command.value).reshape(np.shape(getattr(self._old, command.name)))
        for k in range(len(given)):
            row = self.row(command.name, k)
            if row is not None:
                value[row] = given[k]
        return replace(command, value=value)

    def revert(self, command):
        """RevertValue."""
        named = _ROW.fullmatch(command.target)
        if named is None or named[1] not in LIVE_FIELDS:
            return command
        row = self.row(named[1], int(named[2]))
        return None if row is None else replace(command, target=f"{named[1]}[{row}]")


def _far(numbers: np.ndarray) -> np.ndarray:
    return np.where(numbers >= FAR / 2, numbers - FAR, -1).astype(int)


CHANGES: Mapping[type, Callable] = MappingProxyType({
    c.SetCtrl: lambda of, one: of.numbered(one, "index", of._place("ctrl", one.index)), c.SetCtrls: Matching.ctrls, c.SetQpos: lambda of, one: of.numbered(one, "adr", of._place("qpos", one.adr)),
    c.SetJointCoordinate: Matching.joint, c.SetPose: Matching.pose, c.SetForce: lambda of, one: of.numbered(one, "bodyid", of._body(one.bodyid)),
    c.PerturbStart: lambda of, one: of.numbered(one, "bodyid", of._body(one.bodyid)), c.PoseFree: lambda of, one: of.numbered(one, "bodyid", of._body(one.bodyid)),
    c.MoveMocap: lambda of, one: of.numbered(one, "mocapid", of._place("mocap", one.mocapid)),
    c.SetEqActive: lambda of, one: of.numbered(one, "index", of._element("equality", one.index)),
    c.LoadKey: lambda of, one: of.numbered(one, "key", of._element("key", one.key)),
    c.SaveKey: lambda of, one: of.numbered(one, "key", of._element("key", one.key)), c.SetStartKey: Matching.start_key, c.SetState: Matching.state, c.SetField: Matching.field,
    c.RevertValue: Matching.revert,
})
