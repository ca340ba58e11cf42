"""What two engines are compared by, of a state: overlap, slip and energy, judged for both in the same way; and two runs of one model beside each other.

    overlap     deepest penetration of two geoms, by the collision test of that state [m]
    slip        fastest motion along a contact that sticks: whose friction is within its cone, and which pushes with more than a thousandth of the weight of the lighter of its
                bodies [m/s]: a solve that ends at a tolerance leaves some force where a contact has just come apart
    energy      potential and kinetic [J]
"""
from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from physics.engine.constraint.contact_force import contact_forces
from physics.enums import ENBL_ENERGY, ENBL_SLEEP, Engine
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import State
from physics.simulate import step, warm_up
from physics.simulate.warnings import divergence

__all__ = ["Beside", "Figures", "Judge", "Pair", "apart", "with_engine"]

WITHIN = 0.99       # of the cone: a friction force above counts as sliding
LEAST = 1e-3        # of the weight of the lighter body: a normal force below holds nothing
PULL = 0.1          # m/s2: gravity counts as this at least


class Figures(NamedTuple):
    """Of one state; as above."""

    overlap: float
    slip: float
    energy: float


class Judge:
    """Looks at states of a Model and of those that are copies of it with other options; one collision test and one energy for all."""

    def __init__(self, m: Model):
        own = with_engine(m, Engine.SOFT)
        own.opt_enableflags = (int(own.opt_enableflags) | int(ENBL_ENERGY)) & ~int(ENBL_SLEEP)
        self.data = Data(own)

    def look(self, d: Data, ahead: bool = False) -> Figures:
        """Of the state of d. Its contacts are those of the step that led there; ahead: of the step that follows, as after `forward`, whose end their velocities are of.
        Raises ViewOnlyError."""
        own = self.data
        State.of(d).write(own)
        step.forward(own.model, own)
        overlap, energy = 0.0 - float(np.min(own.contact_dist[:own.ncon], initial=0.0)), float(own.energy.sum())
        if ahead:
            own.qvel[:] += float(d.model.opt_timestep) * d.qacc
            step.fwd_velocity(own.model, own)
        return Figures(overlap, slip(d, own), energy)

    @property
    def places(self) -> np.ndarray:
        """Centres of mass of the bodies (nbody, 3) of the state that was looked at last [m]; valid until the next."""
        return self.data.xipos


def slip(d: Data, at: Data) -> float:
    """Fastest motion along contacts of d that stick, with the velocities that `at` has [m/s]; 0 where none does. Contacts ride on their bodies from the moment of d's
    poses: by where they are on a body that has moved since, a ball would slip that rolls."""
    m, n = d.model, d.ncon
    if not n:
        return 0.0
    contact_forces.at_once(m, d)
    force, mu = d.contact_force[:n], np.maximum(d.contact_friction[:n, :2], 1e-12)
    sticks = (d.contact_dim[:n] > 1) & (d.contact_efc_address[:n] >= 0) & (force[:, 0] > least_pushes(m, d)) & (np.linalg.norm(force[:, 1:3] / mu, axis=1) < WITHIN * force[:, 0])
    if not sticks.any():
        return 0.0
    bodies, where = m.geom_bodyid[d.contact_geom[:n][sticks]], d.contact_pos[:n][sticks]
    arms = at.xipos - at.subtree_com[m.body_rootid]
    one, two = (at.cvel[b, 3:] + np.cross(at.cvel[b, :3], arms[b] + where - d.xipos[b]) for b in bodies.T)
    along = np.einsum("nij,nj->ni", d.contact_frame[:n][sticks].reshape(-1, 3, 3)[:, 1:], two - one) + d.contact_surfacevel[:n][sticks][:, :2]
    return float(np.linalg.norm(along, axis=1).max())


def least_pushes(m: Model, d: Data) -> np.ndarray:
    """The normal force of each contact of d (ncon) below which it holds nothing [N]; bodies that do not move have no weight to hold."""
    masses = np.where(m.body_treeid >= 0, m.body_mass, np.inf)[m.geom_bodyid[d.contact_geom[:d.ncon]]].min(axis=1)
    return LEAST * max(float(np.linalg.norm(m.opt_gravity)), PULL) * masses


def with_engine(m: Model, engine: Engine) -> Model:
    """A copy of a Model that this engine moves."""
    made = model_beside(m)
    made.opt_engine = int(engine)
    return made


def warm_up_engine(m: Model, state: State) -> None:
    """Take a step elsewhere: kernels are loaded at the first one, which takes as long as thousands of steps of a small model and is no part of their cost."""
    d = Data(m)
    state.write(d)
    step.step(m, d, 1, autoreset=False)


def apart(one: np.ndarray, two: np.ndarray) -> float:
    """Largest distance between two sets of places (n, 3) [m]."""
    return float(np.linalg.norm(one - two, axis=1).max(initial=0.0))


class Pair(NamedTuple):
    """Both engines at one time. pose: largest distance between the same body's centres of mass [m]; cost: processor time of a step so far [s]; each (soft, hard)."""

    time: float
    figures: tuple[Figures, Figures]
    pose: float
    cost: tuple[float, float]


class Beside:
    """One model under both engines, from the same state and under the same controls. timestep: of the hard one, None: the model's. Raises ViewOnlyError for what the hard
    engine refuses."""

    def __init__(self, m: Model, state: State, timestep: float | None = None):
        self.data = tuple(Data(with_engine(m, engine)) for engine in (Engine.SOFT, Engine.HARD))
        if timestep is not None:
            self.data[1].model.opt_timestep = timestep
        for d in self.data:
            step.check_dynamics(d.model)
            state.write(d)
        self.steps, self._spent, self.ended = [0, 0], [0.0, 0.0], ""
        self._judges = [Judge(m), Judge(m)]

    def run(self, seconds: float, every: int = 1) -> Iterator[Pair]:
        """Advance both; one Pair at the beginning, after every so many steps of the soft one and at the end. Where one diverges that is the end, and `ended` says why.
        The soft engine has to be callable (ensure_engine)."""
        warm_up.ensure_hard()       # else it would be loaded within the first step, whose cost is told
        for d in self.data:
            warm_up_engine(d.model, State.of(d))
        soft, hard = self.data
        wanted, begun = round(seconds / soft.model.opt_timestep), float(soft.time)
        yield self.look()
        done = 0
        while done < wanted and not self.ended:
            n = min(every, wanted - done)
            done += n
            end = begun + done * float(soft.model.opt_timestep)
            if self._take(0, n) and self._take(1, max(0, round((end - hard.time) / hard.model.opt_timestep))):
                yield self.look()

    def _take(self, which: int, n: int) -> bool:
        """So many steps of one of them, timed; False where it has ended."""
        d = self.data[which]
        start = time.thread_time()
        done = step.step(d.model, d, n, autoreset=False)
        self._spent[which] += time.thread_time() - start
        self.steps[which] += done
        if done < n:
            found = divergence(d.model, d)
            self.ended = f"the {('soft', 'hard')[which]} engine: {found.text if found else f'the step at time {d.time:g} s could not be completed'}"
        return done == n

    def look(self) -> Pair:
        """Both as they are now."""
        figures = tuple(judge.look(d) for judge, d in zip(self._judges, self.data, strict=True))
        cost = tuple(spent / max(1, steps) for spent, steps in zip(self._spent, self.steps, strict=True))
        return Pair(float(self.data[0].time), figures, apart(*(judge.places for judge in self._judges)), cost)
