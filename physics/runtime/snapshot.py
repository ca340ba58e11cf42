"""What the physics thread publishes: copies of Data's fields under their official names, and how the run is going.

    physics thread fills buffer.writing --publish--> newest --acquire(reader)--> each reader looks, as long as it likes

As many Snapshots as there are readers and two more take turns; the lock between the threads is held for an exchange of indices, so none
ever waits for another's work, and a reader never sees a half-written copy.
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.engine.constraint.contact_force import contact_forces
from physics.engine.hard.newton import ISLANDS
from physics.engine.passive.fluid import fluid_wrenches
from physics.enums import CNSTR_EQUALITY, ENGINE_HARD, EQ_DISTANCE
from physics.model.model import Revision
from physics.recording.trace import TraceView
from physics.simulate.hard_endings import ENDINGS

# Data arrays that are copied whole
COPIED = (
    "qpos", "qvel", "act", "ctrl", "qacc", "qacc_warmstart", "mocap_pos", "mocap_quat", "eq_active", "userdata", "sensordata",
    "xpos", "xquat", "xmat", "xipos", "xiquat", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
    "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "subtree_com", "cvel", "xfrc_applied", "xfrc_perturb", "ctrl_noise",
    "ten_length", "ten_velocity", "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos", "actuator_length", "actuator_velocity", "actuator_force",
    "qfrc_applied", "qfrc_bias", "qfrc_passive", "qfrc_spring", "qfrc_damper", "qfrc_actuator", "qfrc_smooth", "qfrc_constraint",
    "energy", "warning_number", "warning_lastinfo", "history", "body_awake", "tree_asleep", "sol_tree_island",
    "qfrc_fluid",
)
SCALARS = ("time", "ncon", "ne", "nf", "nl", "nefc", "nJ", "maxuse_con", "maxuse_efc", "solver_niter_max", "sol_nisland",
           "hard_status", "hard_niter", "hard_halved", "hard_looked", "hard_rv", "hard_kv", "hard_nrestart",
           *(ending.field for ending in ENDINGS))
CONTACT = ("contact_dist", "contact_pos", "contact_frame", "contact_friction", "contact_includemargin", "contact_dim", "contact_geom",
           "contact_exclude", "contact_efc_address", "contact_force", "contact_surfacevel", "contact_adhesion")
SOLVER = ("solver_improvement", "solver_gradient", "solver_lineslope", "solver_nactive", "solver_nchange", "solver_neval", "solver_nupdate",
          "solver_niter", "solver_nnz")
LEFT_OUT = ("model", "_rooms", "timers", "watch", "history_marks", "history_branches", "changed_values", "trace", "revision")   # for another process
FARTHEST = 1e9   # that distance constraints reach [m]
HARD = ("hard_trace",)
EFC = ("efc_type", "efc_id", "efc_state", "efc_pos", "efc_margin", "efc_KBIP", "efc_force")


class Perturb:
    """What the mouse does: body `bodyid` (0: none), bits `active`, reference pose, grab point, force (6,) [N, N m] at its centre."""

    __slots__ = ("bodyid", "active", "localpos", "refpos", "refquat", "refselpos", "localmass", "force")

    def __init__(self):
        self.bodyid = self.active = 0
        self.localmass = 1.0
        self.localpos, self.refpos, self.refselpos = np.zeros(3), np.zeros(3), np.zeros(3)
        self.refquat, self.force = np.array([1.0, 0, 0, 0]), np.zeros(6)

    def copy_from(self, d) -> None:
        """Take over what the kernels use."""
        self.bodyid, self.active, self.localmass = d.perturb_bodyid, d.perturb_active, d.perturb_localmass
        self.localpos[:], self.refpos[:], self.refselpos[:] = d.perturb_localpos, d.perturb_refpos, d.perturb_refselpos
        self.refquat[:], self.force[:] = d.perturb_refquat, d.xfrc_perturb

    @property
    def newton(self) -> float:
        """Size of the force [N]."""
        return float(np.linalg.norm(self.force[:3]))

    @property
    def newton_metre(self) -> float:
        """Size of the torque [N m]."""
        return float(np.linalg.norm(self.force[3:]))


class Snapshot:
    """One published moment of one Model.

    Beside the arrays of COPIED, SCALARS, CONTACT (first ncon rows), EFC (first nefc rows), HARD (a row for each of the first islands) and SOLVER: contact_force (ncon, 6) in
    contact frames; fluid_wrench (nbody, 6) torque and force of the medium on each body about its tree's centre of mass [N m, N];
    eq_segment (neq, 6) the shortest way from the first to the second geom of distance constraints at work [m]; model, generation (counts model
    swaps), number (counts publications); running, status (a word), message; starts (counts jumps of the state: loads, resets, keyframes), jumps (these, and ways to
    other moments of the history: states with the same number go on from one another);
    speed (wanted, None: as fast as possible) and real_speed; steps_per_picture (0: the speed sets the pace); step_us (mean cost of a step); timers (stage: us per step, while
    profiled); history_length, history_index, history_time (oldest, newest), history_marks (Mark: where the state
    jumped), history_gone (entries that were dropped at its beginning), history_pace (simulated time from one entry to the next), history_branch (id of the branch that is shown),
    history_branches (BranchInfo of all), trace (TraceView: chosen numbers of every step); changed_values (ChangedValue: what was set in the window and differs from the file);
    start_key (keyframe that the model starts at, -1: its start state); revision (Model.revision: fields written by edits of the text); perturb; watch (name: copy).
    """

    def __init__(self, model, d, generation: int):
        self.model, self.generation, self.number = model, generation, 0
        for name in COPIED:
            setattr(self, name, np.zeros_like(getattr(d, name)))
        for name in SOLVER:
            setattr(self, name, np.zeros_like(getattr(d, name)))
        for name in SCALARS:
            setattr(self, name, 0)
        self._rooms: dict = {}
        self.fluid_wrench, self.eq_segment = np.zeros((model.nbody, 6)), np.zeros((model.neq, 6))
        self._distances = np.flatnonzero(model.eq_type == EQ_DISTANCE)
        self._rows(d, CONTACT, 0)
        self._rows(d, EFC, 0)
        self._rows(d, HARD, 0)
        self.running, self.status, self.message = False, "paused", ""
        self.starts, self.jumps, self.start_key, self.revision = 0, 0, -1, model.revision
        self.changed_values: tuple = ()
        self.speed, self.real_speed, self.step_us = 1.0, 0.0, 0.0
        self.steps_per_picture = 0
        self.timers: Mapping[str, float] = MappingProxyType({})
        self.history_length, self.history_index, self.history_time = 0, 0, (0.0, 0.0)
        self.history_marks: tuple = ()
        self.history_gone, self.trace = 0, TraceView()
        self.history_branch, self.history_branches = 1, ()
        self.history_pace = float(model.opt_timestep)
        self.noise = (0.0, 0.0)
        self.perturb = Perturb()
        self.watch: Mapping[str, np.ndarray] = MappingProxyType({})
        self.capacity = (0, 0, 0)

    def _rows(self, d, names, n) -> None:
        """Copy the first n rows of growing fields into storage that grows with them."""
        for name in names:
            source = getattr(d, name)
            room = self._rooms.get(name)
            if room is None or len(room) < n:
                room = self._rooms[name] = np.zeros((max(2 * n, 16), *source.shape[1:]), source.dtype)
            room[:n] = source[:n]
            setattr(self, name, room[:n])

    def __getstate__(self) -> dict:
        """For another process, which has the model: all that can be drawn, without the room for more."""
        return {name: value for name, value in self.__dict__.items() if name not in LEFT_OUT}

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state, model=None, _rooms={}, timers=MappingProxyType({}), watch=MappingProxyType({}), history_marks=(), history_branches=(), changed_values=(), trace=TraceView(), revision=Revision())

    def copy_from(self, d, watch: tuple[str, ...] = ()) -> None:
        """Fill from a Data of the same model."""
        for name in SCALARS:
            setattr(self, name, getattr(d, name))
        for name in COPIED:
            getattr(self, name)[...] = getattr(d, name)
        for name in SOLVER:
            getattr(self, name)[...] = getattr(d, name)
        trusted = not self.model.wrong_numbers()
        if d.ncon and trusted:
            contact_forces.at_once(self.model, d)
        if trusted and (self.model.opt_density or self.model.opt_viscosity):
            d.body_frc[...] = 0.0   # of bodies asleep too
            fluid_wrenches.at_once(self.model, d)
            self.fluid_wrench[...] = d.body_frc
        if len(self._distances) and trusted:
            self._measure(d)
        self._rows(d, CONTACT, d.ncon)
        self._rows(d, EFC, d.nefc)
        self._rows(d, HARD, min(d.hard_nisland, ISLANDS, d.maxhb) if self.model.opt_engine == ENGINE_HARD else 0)
        self.perturb.copy_from(d)
        self.noise = (d.noise_scale, d.noise_rate)
        self.capacity = (d.maxcon, d.maxefc, d.maxJ)
        self.watch = MappingProxyType({name: np.array(getattr(d, name)) for name in watch})

    def _measure(self, d) -> None:
        """Where the geoms of distance constraints are nearest to each other."""
        from physics.query.geom_distance import geom_distance

        self.eq_segment[...] = 0.0
        rows = d.efc_id[:d.ne][d.efc_type[:d.ne] == CNSTR_EQUALITY]
        for i in np.intersect1d(self._distances, rows).tolist():
            self.eq_segment[i] = geom_distance(self.model, d, int(self.model.eq_obj1id[i]), int(self.model.eq_obj2id[i]), FARTHEST).fromto


class SnapshotBuffer:
    """Slots that one writer and several readers exchange: one is written, one waits with the newest complete value, each reader holds one.

    There is always a free one to write: the newest and what `readers` hold are at most readers + 1 of readers + 2 slots.
    """

    def __init__(self, make: Callable[[], object], readers: int = 1):
        self.slots = [make() for _ in range(readers + 2)]
        self._lock = threading.Lock()
        self._writing, self._newest = 0, 1
        self._held = [1] * readers
        self.readers = readers

    @property
    def writing(self):
        """The slot that the writer may change."""
        return self.slots[self._writing]

    def publish(self) -> None:
        """Writer: make the written slot the newest one and get another that nobody looks at."""
        with self._lock:
            self._newest = self._writing
            taken = {self._newest, *self._held}
            self._writing = next(k for k in range(len(self.slots)) if k not in taken)

    def acquire(self, reader: int = 0):
        """The newest published slot; stays as it is until the next call for the same reader."""
        with self._lock:
            held = self._held[reader] = self._newest
        return self.slots[held]
