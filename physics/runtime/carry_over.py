"""Carry a running state into a recompiled model: by name, unnamed elements by their place among their kind.

An element of the new model takes its state from the old one of the same name; an unnamed one from the unnamed one at the
same place among those of its type in the matching parent (for an actuator: among those that act on the matching thing).
Joint state is taken only where the joint type is the same.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from physics.enums import TransmissionType
from physics.errors import Issue, Place
from physics.model.initial_state import ring_size, start_history
from physics.model.model import Model
from physics.model.state_fields import State

_WIDTH = ((7, 6), (4, 3), (1, 1), (1, 1))  # joint type -> entries of qpos, of qvel


@dataclass(frozen=True, slots=True)
class CarryReport:
    """What became of the state.

    carried: number of elements whose state was taken over; lost: an Issue (severity 'warning') for each element of the
    old or the new model whose state was not, with its place; same: nothing was lost and nothing is new.
    """

    carried: int
    lost: tuple[Issue, ...]

    @property
    def same(self) -> bool:
        return not self.lost

    def __str__(self) -> str:
        if self.same:
            return f"state carried over ({self.carried} elements)"
        return f"state of {self.carried} elements carried over, not of {len(self.lost)}:\n" + "\n".join(map(str, self.lost))


def carry_over(old_model: Model, state: State, new_model: Model) -> tuple[State, CarryReport]:
    """The state (of old_model's sizes) in the new model's layout, and what could not be carried."""
    carry = _Carry(old_model, state, new_model)
    carry.joints()
    carry.rows("actuator", {"ctrl": ("nu", "actuator_ctrladr", "actuator_ctrlnum"), "act": ("na", "actuator_actadr", "actuator_actnum")})
    carry.bodies()
    carry.equalities()
    carry.kept_values()
    carry.userdata()
    return replace(state, **carry.new), CarryReport(carry.carried, tuple(carry.lost))


class _Carry:
    """The new arrays while they are filled."""

    def __init__(self, old: Model, state: State, new: Model):
        self.old, self.state, self.model = old, state, new
        self.carried, self.lost = 0, []
        mocap = np.flatnonzero(new.body_mocapid >= 0)
        self.new = dict(
            qpos=new.qpos0.copy(), qvel=np.zeros(new.nv), act=np.zeros(new.na), ctrl=np.zeros(new.nu),
            mocap_pos=new.body_pos[mocap].copy(), mocap_quat=new.body_quat[mocap].copy(),
            eq_active=new.eq_active0.astype(np.asarray(state.eq_active).dtype), qfrc_applied=np.zeros(new.nv), xfrc_applied=np.zeros((new.nbody, 6)),
            userdata=np.zeros(new.nuserdata), qacc_warmstart=np.zeros(new.nv), history=start_history(new),
        )
        self.body_match = _match_bodies(old, new)
        self.joint_match: list[int] = []

    def report(self, model: Model, kind: str, index: int, what: str) -> None:
        """Note an element whose state was not carried."""
        name = model.name(kind, index)
        label = f"{kind}[{name}]" if name else f"{kind} {index}"
        self.lost.append(Issue("warning", model.places[kind][index], label, what))

    def joints(self) -> None:
        """qpos, qvel, warm start and applied force, where the joint's type is the same."""
        old, new = self.old, self.model
        pairs = _match(old, new, "joint", old.jnt_bodyid, new.jnt_bodyid, old.jnt_type, new.jnt_type, _Parents(self.body_match))
        self.joint_match, taken = pairs, set()
        for j, i in enumerate(pairs):
            if i < 0:
                self.report(new, "joint", j, "is new and starts at its initial position")
                continue
            taken.add(i)
            if old.jnt_type[i] != new.jnt_type[j]:
                self.report(new, "joint", j, "has another type and starts at its initial position")
                continue
            nq, nv = _WIDTH[new.jnt_type[j]]
            a, b, c, d = old.jnt_qposadr[i], new.jnt_qposadr[j], old.jnt_dofadr[i], new.jnt_dofadr[j]
            self.new["qpos"][b:b + nq] = self.state.qpos[a:a + nq]
            for name in ("qvel", "qacc_warmstart", "qfrc_applied"):
                self.new[name][d:d + nv] = getattr(self.state, name)[c:c + nv]
            self.carried += 1
        self._gone("joint", old.njnt, taken)

    def rows(self, kind: str, fields: dict) -> None:
        """Arrays with a block per actuator."""
        old, new = self.old, self.model
        pairs = _match(old, new, kind, old.actuator_trnid[:, 0], new.actuator_trnid[:, 0], old.actuator_trntype, new.actuator_trntype,
                       _Targets(old, new, self.body_match, self.joint_match))
        for j, i in enumerate(pairs):
            if i < 0:
                self.report(new, kind, j, "is new and starts without control")
                continue
            for name, (_size, adr, num) in fields.items():
                a, b, n, k = getattr(old, adr)[i], getattr(new, adr)[j], getattr(old, num)[i], getattr(new, num)[j]
                if n == k and n:
                    self.new[name][b:b + n] = getattr(self.state, name)[a:a + n]
                elif n != k:
                    self.report(new, kind, j, f"takes another number of values of {name}, which start at 0")
            self.carried += 1
        self._gone(kind, old.nactuator, set(pairs))

    def bodies(self) -> None:
        """Mocap poses and applied forces."""
        old, new = self.old, self.model
        for j, i in enumerate(self.body_match):
            if i < 0:
                continue
            self.new["xfrc_applied"][j] = self.state.xfrc_applied[i]
            to, of = new.body_mocapid[j], old.body_mocapid[i]
            if to >= 0 and of >= 0:
                self.new["mocap_pos"][to] = self.state.mocap_pos[of]
                self.new["mocap_quat"][to] = self.state.mocap_quat[of]
                self.carried += 1
            elif of >= 0:
                self.report(new, "body", j, "is no longer moved by hand")
        gone = set(range(1, old.nbody)) - set(self.body_match.tolist())
        for i in sorted(gone):
            if old.body_mocapid[i] >= 0 or np.any(self.state.xfrc_applied[i]):
                self.report(old, "body", i, "is gone, and its pose or force with it")

    def equalities(self) -> None:
        """Which equality constraints are on."""
        old, new = self.old, self.model
        pairs = _match(old, new, "equality", np.zeros(old.neq, int), np.zeros(new.neq, int), old.eq_type, new.eq_type,
                       _Parents(np.zeros(1, int)))
        switched = {i for i in range(old.neq) if self.state.eq_active[i] != old.eq_active0[i]}
        for j, i in enumerate(pairs):
            if i in switched:   # else what the file says now
                self.new["eq_active"][j] = self.state.eq_active[i]
        for i in sorted(switched.difference(pairs)):
            self.report(old, "equality", i, f"is gone, and with it that it was switched {'on' if self.state.eq_active[i] else 'off'}")

    def userdata(self) -> None:
        """The user's own numbers, which have no names."""
        given, count = self.state.userdata, min(len(self.state.userdata), self.model.nuserdata)
        self.new["userdata"][:count] = given[:count]
        if np.any(given[count:]):
            place = Place(self.model.source[0] if self.model.source else "")
            self.lost.append(Issue("warning", place, "userdata", f"there are {len(given) - count} values fewer, and some of these were not 0"))

    def kept_values(self) -> None:
        """Kept controls and sensor values of the delays that keep as many as before; the others begin anew."""
        old, new = self.old, self.model
        for kind, targets, widths in (("actuator", "trntype", "ctrlnum"), ("sensor", "type", "dim")):
            field = lambda model, name, kind=kind: getattr(model, f"{kind}_{name}")  # noqa: E731
            nowhere = [np.zeros(len(model.names[kind]), int) for model in (old, new)]
            pairs = _match(old, new, kind, *nowhere, field(old, targets), field(new, targets), _Parents(np.zeros(1, int)))
            for j, i in enumerate(pairs):
                n, width = field(new, "history")[j][0], field(new, widths)[j]
                if n and i >= 0 and (n, width) == (field(old, "history")[i][0], field(old, widths)[i]):
                    a, b, size = field(old, "historyadr")[i], field(new, "historyadr")[j], ring_size(n, width)
                    self.new["history"][b:b + size] = self.state.history[a:a + size]
                elif i >= 0 and field(old, "history")[i][0]:
                    self.report(new if n else old, kind, j if n else i, "keeps another number of values for its delay, which begin anew" if n else "has no delay any more")

    def _gone(self, kind: str, count: int, taken: set) -> None:
        for i in range(count):
            if i not in taken:
                self.report(self.old, kind, i, "is gone, and its state with it")


class _Parents:
    """The old body of a new one."""

    def __init__(self, match):
        self._match = match

    def of(self, index: int, _kind: int) -> int:
        return int(self._match[index])


class _Targets:
    """The old joint, tendon, site or body of the new one that an actuator acts on."""

    def __init__(self, old: Model, new: Model, bodies, joints):
        sites = _match(old, new, "site", old.site_bodyid, new.site_bodyid, old.site_type, new.site_type, _Parents(bodies))
        tendons = _match(old, new, "tendon", np.zeros(old.ntendon, int), np.zeros(new.ntendon, int), old.tendon_type, new.tendon_type,
                         _Parents(np.zeros(1, int)))
        T = TransmissionType
        self._match = {T.JOINT: joints, T.JOINTINPARENT: joints, T.TENDON: tendons, T.SITE: sites, T.SLIDERCRANK: sites, T.BODY: bodies}

    def of(self, index: int, kind: int) -> int:
        match = self._match.get(TransmissionType(kind), ())
        return int(match[index]) if 0 <= index < len(match) else -2


def _match_bodies(old: Model, new: Model) -> np.ndarray:
    """Old body of each new one, -1: none. Parents come first, so that unnamed bodies can follow theirs."""
    found = np.full(new.nbody, -1)
    found[0] = 0
    place_old, place_new = _places(old), _places(new)
    named = {name: i for i, name in enumerate(old.names["body"]) if name}
    unnamed = {(old.body_parentid[i], place_old[i]): i for i in range(1, old.nbody) if not old.names["body"][i]}
    for j in range(1, new.nbody):
        name = new.names["body"][j]
        found[j] = named.get(name, -1) if name else unnamed.get((found[new.body_parentid[j]], place_new[j]), -1)
    return found


def _places(model: Model) -> list[int]:
    """Place of each unnamed body among its unnamed siblings."""
    counts: dict[int, int] = {}
    places = [0]
    for i in range(1, model.nbody):
        parent = int(model.body_parentid[i])
        places.append(counts.get(parent, 0))
        counts[parent] = places[-1] + (not model.names["body"][i])
    return places


def _match(old: Model, new: Model, kind: str, old_in, new_in, old_type, new_type, parents) -> list[int]:
    """Old element of each new one, -1: none. *_in: the parents' ids; parents.of(id, type): the old parent of a new one."""
    index = {name: i for i, name in enumerate(old.names[kind]) if name}
    unnamed: dict[tuple, list[int]] = {}
    for i, name in enumerate(old.names[kind]):
        if not name:
            unnamed.setdefault((int(old_in[i]), int(old_type[i])), []).append(i)
    seen: dict[tuple, int] = {}
    found = []
    for j, name in enumerate(new.names[kind]):
        if name:
            found.append(index.get(name, -1))
            continue
        key = int(new_in[j]), int(new_type[j])
        place = seen[key] = seen.get(key, -1) + 1
        rows = unnamed.get((parents.of(*key), key[1]), [])
        found.append(rows[place] if place < len(rows) else -1)
    return found
