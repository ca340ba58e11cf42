"""What is asked about first of an element while it moves, by kind: how it is read from a Snapshot. A table. No Qt."""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.enums import CNSTR_EQUALITY
from physics.fields.layout import LAYOUTS
from physics.model.element_views import ElementView
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import rotation

Reader = Callable[[Model, Snapshot, int], object]


class Value(NamedTuple):
    """name, unit, meaning, and how to read it: read(m, snapshot, number of the element)."""

    name: str
    unit: str
    doc: str
    read: Reader


def _row(field: str) -> Reader:
    return lambda m, s, i: getattr(s, field)[i]


def _quat(field: str) -> Reader:
    return lambda m, s, i: rotation.from_matrix(np.reshape(getattr(s, field)[i], (3, 3)))


def _part(kind: str, field: str) -> Reader:
    """The element's part of a field that some elements have several entries of."""
    def read(m: Model, s: Snapshot, i: int):
        return getattr(ElementView(SnapshotFields(s), m, kind, i), field)
    return read


class SnapshotFields:
    """A Snapshot under the names of Data, with what is watched; what it has not is empty. None: all is empty."""

    layout = LAYOUTS["d"]

    def __init__(self, snapshot: Snapshot | None):
        self._snapshot = snapshot

    def __getattr__(self, name: str):
        if self._snapshot is None:
            return np.zeros(0)
        found = getattr(self._snapshot, name, None)
        return found if found is not None else self._snapshot.watch.get(name, np.zeros(0))


def _velocity(m: Model, s: Snapshot, i: int):
    """Of the body's frame: cvel is that of its tree's centre of mass as if fixed to the body."""
    turn, move = s.cvel[i, :3], s.cvel[i, 3:]
    return move + np.cross(turn, s.xpos[i] - s.subtree_com[m.body_rootid[i]])


def contact_rows(m: Model, s: Snapshot, kind: str, i: int) -> np.ndarray:
    """Numbers of the contacts that a geom, or a body's geoms, take part in."""
    if not s.ncon:
        return np.zeros(0, int)
    pairs = s.contact_geom if kind == "geom" else np.where(s.contact_geom >= 0, m.geom_bodyid[s.contact_geom], -1)
    return np.flatnonzero((pairs == i).any(1))


def contact_force_on(m: Model, s: Snapshot, kind: str, i: int) -> np.ndarray:
    """Sum of the contact forces on a geom or body, in the world's axes [N]."""
    rows = contact_rows(m, s, kind, i)
    pairs = s.contact_geom[rows] if kind == "geom" else m.geom_bodyid[s.contact_geom[rows]]
    force = np.einsum("nk,nkj->nj", s.contact_force[rows, :3], s.contact_frame[rows].reshape(-1, 3, 3)) if len(rows) else np.zeros((0, 3))
    sign = (pairs[:, 1:] == i).astype(float) - (pairs[:, :1] == i) if len(rows) else np.zeros((0, 1))
    return (sign * force).sum(0)


def _contacts(kind: str) -> Reader:
    return lambda m, s, i: len(contact_rows(m, s, kind, i))


def _contact_force(kind: str) -> Reader:
    return lambda m, s, i: contact_force_on(m, s, kind, i)


def _equality_rows(field: str) -> Reader:
    """A field of an equality's constraint rows."""
    return lambda m, s, i: getattr(s, field)[(s.efc_type == CNSTR_EQUALITY) & (s.efc_id == i)]


def _contact_total(part: slice) -> Reader:
    return lambda m, s, i: float(np.linalg.norm(s.contact_force[i, part]))


POSITION, ORIENTATION = "in the world", "quaternion in the world"
FIELDS: MappingProxyType[str, tuple[Value, ...]] = MappingProxyType({
    "body": (Value("pos", "m", "xpos: " + POSITION, _row("xpos")), Value("quat", "", "xquat: " + ORIENTATION, _row("xquat")),
             Value("velocity", "m/s", "of the body's frame, in the world's axes", _velocity), Value("turning", "rad/s", "angular velocity, in the world's axes", lambda m, s, i: s.cvel[i, :3]),
             Value("centre of mass", "m", "xipos: of the body alone", _row("xipos")), Value("subtree centre", "m", "subtree_com: of the body and all below it", _row("subtree_com")),
             Value("contacts", "", "that its geoms take part in", _contacts("body")), Value("contact force", "N", "sum of the contact forces on it, in the world's axes", _contact_force("body")),
             Value("xfrc_applied", "N, N m", "force and torque applied by the user", _row("xfrc_applied"))),
    "joint": (Value("qpos", "", "position", _part("joint", "qpos")), Value("qvel", "", "velocity", _part("joint", "qvel")), Value("qacc", "", "acceleration", _part("joint", "qacc")),
              Value("qfrc_actuator", "", "of actuators", _part("joint", "qfrc_actuator")), Value("qfrc_passive", "", "of springs, dampers and the medium", _part("joint", "qfrc_passive")),
              Value("qfrc_constraint", "", "of limits, friction and contacts", _part("joint", "qfrc_constraint")), Value("qfrc_applied", "", "applied by the user", _part("joint", "qfrc_applied")),
              Value("anchor", "m", "xanchor: " + POSITION, _row("xanchor")), Value("axis", "", "xaxis: " + POSITION, _row("xaxis"))),
    "geom": (Value("pos", "m", "geom_xpos: " + POSITION, _row("geom_xpos")), Value("quat", "", ORIENTATION, _quat("geom_xmat")),
             Value("contacts", "", "that it takes part in", _contacts("geom")), Value("contact force", "N", "sum of the contact forces on it, in the world's axes", _contact_force("geom"))),
    "site": (Value("pos", "m", "site_xpos: " + POSITION, _row("site_xpos")), Value("quat", "", ORIENTATION, _quat("site_xmat"))),
    "camera": (Value("pos", "m", "cam_xpos: " + POSITION, _row("cam_xpos")), Value("quat", "", ORIENTATION, _quat("cam_xmat"))),
    "light": (Value("pos", "m", "light_xpos: " + POSITION, _row("light_xpos")), Value("dir", "", "light_xdir: " + POSITION, _row("light_xdir"))),
    "tendon": (Value("length", "m, rad", "ten_length", _row("ten_length")), Value("velocity", "m/s, rad/s", "ten_velocity", _row("ten_velocity"))),
    "actuator": (Value("ctrl", "", "control", _part("actuator", "ctrl")), Value("force", "", "actuator_force", _part("actuator", "force")),
                 Value("length", "", "actuator_length", _part("actuator", "length")), Value("velocity", "", "actuator_velocity", _part("actuator", "velocity")),
                 Value("act", "", "activation", _part("actuator", "act"))),
    "sensor": (Value("data", "", "sensordata: what it measures", _part("sensor", "data")),),
    "equality": (Value("active", "", "eq_active: whether it is on", _row("eq_active")), Value("violation", "", "efc_pos of its rows", _equality_rows("efc_pos")),
                 Value("force", "", "efc_force of its rows", _equality_rows("efc_force"))),
    "contact": (Value("distance", "m", "contact_dist: negative is depth", _row("contact_dist")), Value("normal force", "N", "along the normal", lambda m, s, i: s.contact_force[i, 0]),
                Value("friction force", "N", "size, across the normal", _contact_total(slice(1, 3))), Value("torque", "N m", "contact_force: spin and roll", lambda m, s, i: s.contact_force[i, 3:]),
                Value("pos", "m", "contact_pos: midpoint between the surfaces", _row("contact_pos")), Value("normal", "", "from geom 1 to geom 2", lambda m, s, i: s.contact_frame[i, :3]),
                Value("friction", "", "two sliding, one torsional, two rolling coefficients", _row("contact_friction")), Value("dim", "", "contact_dim: directions with force", _row("contact_dim"))),
})
