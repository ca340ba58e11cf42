"""What a contact really does, over a running window: depth, force, speed and work, bounces with their restitution, and of one that stays its rest depth, frequency and damping.

    snapshots, Data after each step, recorded states --Probe.sample--> Sample --Window.add--> columns of the last `capacity` samples, the last touches --> Touch, Settling

The window's memory is made once; adding a sample writes numbers into it. Whoever adds does so outside the step.

Restitution e = -v_after / v_before with the speeds along the normal of the contact, at its point, in the last sample before a touch and the first after it; it is as exact as
samples are near each other. Frequency and damping: samples of a linear system obey x' = F x + c with x = (depth, speed) (MuJoCo documentation, chapter Computation,
"Constraint model: parameters": a damped spring), so the eigenvalues of F, found by least squares, are exp(dt (-zeta w +- i w sqrt(1 - zeta^2))).
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, nan
from typing import NamedTuple

import numpy as np

from physics.diagnostics.contact_parameters import contact_order
from physics.model.data import Data
from physics.model.model import Model
from physics.query.object_motion import contact_force
from physics.simulate.state_vector import set_state
from physics.simulate.step import forward
from physics.tuning.target import Target, contacts_of

__all__ = ["Probe", "Sample", "Settling", "Touch", "Window", "measure_states"]

CAPACITY, MOST_TOUCHES = 4096, 64
LEAST = 8               # samples that a fit of frequency and damping takes
NEAR = 0.3              # of the rest depth: so far from it the motion counts as that about the rest
QUIET = 1e-6            # of the rest depth: motion below is rounding
ONE_PART = 1e-3         # of the larger part of a motion: below that the other one is not seen
DRIFTS = 0.4            # by which the logarithm of what does not oscillate falls while it is seen: less is a drift that ends nowhere


class Sample(NamedTuple):
    """One moment. touching: whether rows push; depth [m] beyond the margin (NaN apart), force [N] of all contacts of the target, speed [m/s] along the normal, positive = apart
    (NaN before the first touch, when there is no normal), energy [J]: kinetic energy of the motion along the normal, NaN where no mass was told."""

    time: float
    touching: bool
    depth: float
    force: float
    speed: float
    energy: float


class Probe:
    """Takes samples of a target of contacts from Data or Snapshots of one Model. mass: 1/A [kg] of physics.tuning.target.read, for the energy; NaN: none.

    Apart, the speed is that of the two bodies at the last point of contact along its normal. Raises ValueError for what is no contact, geom or pair.
    """

    def __init__(self, m: Model, target: Target, mass: float = nan):
        self.m, self.target, self.mass = m, target, mass
        if "contact" != str(target.form):
            raise ValueError(f"{target} is no contact")
        self._bodies: tuple[int, int] | None = None
        self._normal, self._point = np.zeros(3), np.zeros(3)
        self._twist = np.zeros((2, 6))       # of both bodies in the last sample, and about which points
        self._about = np.zeros((2, 3))
        self.before = nan                    # speed in the sample before this one, at the point and along the normal of this one

    def sample(self, now: Data | object) -> Sample:
        """The contact at this moment. now: a Data or Snapshot; of a Data after `step`, positions and contacts are those that the step began with."""
        contacts = contacts_of(self.m, now, self.target)
        pushing = [k for k in contacts if now.contact_exclude[k] == 0]
        depth, force = nan, 0.0
        if pushing:
            depth = max(float(now.contact_includemargin[k] - now.contact_dist[k]) for k in pushing)
            force = sum(_normal_force(self.m, now, k) for k in pushing)
            self._take_frame(now, pushing)
            self.before = self._along_normal()
        if self._bodies is not None:
            self._keep_motion(now)
        speed = self._along_normal()
        return Sample(float(now.time), bool(pushing), depth, force, speed, 0.5 * self.mass * speed * speed)

    def _take_frame(self, now, contacts: list[int]) -> None:
        """Normal and mean point of the present contacts. Bodies that are met for the first time have no motion before."""
        bodies = tuple(int(self.m.geom_bodyid[g]) for g in now.contact_geom[contacts[0]])
        self._normal[:] = now.contact_frame[contacts[0]].reshape(-1)[:3]
        self._point[:] = 0.0
        for k in contacts:
            self._point += now.contact_pos[k]
        self._point /= len(contacts)
        if bodies != self._bodies:
            self._bodies = bodies
            self._keep_motion(now)

    def watch(self, geom1: int, geom2: int) -> None:
        """Say which two geoms will meet, so that the speed before the very first touch is known, too."""
        self._bodies = tuple(int(self.m.geom_bodyid[g]) for g in contact_order(self.m, geom1, geom2))

    def _keep_motion(self, now) -> None:
        for side, body in enumerate(self._bodies):
            self._twist[side] = now.cvel[body]
            self._about[side] = now.subtree_com[self.m.body_rootid[body]]

    def _along_normal(self) -> float:
        """Speed of the second body against the first one at the point, by the motion that was kept last."""
        if self._bodies is None or not self._normal.any():
            return nan
        total = 0.0
        for side, sign in ((0, -1.0), (1, 1.0)):
            wx, wy, wz, vx, vy, vz = self._twist[side].tolist()
            x, y, z = (self._point - self._about[side]).tolist()
            nx, ny, nz = self._normal.tolist()
            total += sign * (nx * (vx + wy * z - wz * y) + ny * (vy + wz * x - wx * z) + nz * (vz + wx * y - wy * x))
        return total


def _normal_force(m: Model, now, contact: int) -> float:
    return float(contact_force(m, now, contact)[0]) if isinstance(now, Data) else float(now.contact_force[contact, 0])


class Touch(NamedTuple):
    """One touch that has ended, or goes on (end inf). before, after [m/s]: speeds along the normal; depth [m], force [N]: largest; impulse [N s], work [J]: of the normal force
    over it, below 0 where energy goes; samples: that saw it."""

    begin: float
    end: float
    before: float
    after: float
    depth: float
    force: float
    impulse: float
    work: float
    samples: int

    @property
    def restitution(self) -> float:
        """-after / before; NaN while it goes on, or where it began before the window did."""
        return -self.after / self.before if self.before < 0.0 else nan

    @property
    def duration(self) -> float:
        """[s], inf while it goes on."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class Settling:
    """How a contact that stays comes to rest. depth [m], force [N]: means at rest; frequency w [rad/s] of the undamped motion, dampratio zeta, settling [s]: until 2 % of the
    slowest part is left; NaN where the motion says nothing, as where it has long ended. samples: that were fitted."""

    depth: float
    force: float
    frequency: float
    dampratio: float
    settling: float
    samples: int


_COLUMNS = ("time", "depth", "force", "speed", "energy")


class Window:
    """The last `capacity` samples and touches of one contact. Its memory is that of the beginning."""

    def __init__(self, capacity: int = CAPACITY, touches: int = MOST_TOUCHES):
        if capacity < LEAST or touches < 1:
            raise ValueError(f"a window holds {LEAST} samples and a touch at least")
        self._rows = np.zeros((capacity, len(_COLUMNS)))
        self._touching = np.zeros(capacity, bool)
        self._touches = np.zeros((touches, len(Touch._fields)))
        self._first_of_touch = 0            # count of the first sample of the present touch
        self.count = self.touch_count = 0   # samples, touches that there were

    def add(self, sample: Sample, before: float = nan) -> None:
        """One more sample. before: speed just before it, at its point and along its normal (Probe.before), which counts where it begins a touch. A time that goes back, as after a
        reset, begins anew."""
        k, last = self.count % len(self._rows), (self.count - 1) % len(self._rows)
        if self.count and sample.time < self._rows[last, 0]:
            self.clear()
            k = 0
        row = self._rows[k]
        row[0], row[1], row[2], row[3], row[4] = sample.time, sample.depth, sample.force, sample.speed, sample.energy
        self._touching[k] = sample.touching
        touched = self.count > 0 and bool(self._touching[last])
        if sample.touching and not touched:
            self._begin(sample, before if self.count else nan)
        elif sample.touching:
            self._go_on(sample, self._rows[last])
        elif touched:
            self._end(sample, self._rows[last])
        self.count += 1

    def clear(self) -> None:
        """Forget all samples and touches."""
        self.count = self.touch_count = self._first_of_touch = 0

    # ------------------------------------------------------------------ touches

    def _begin(self, sample: Sample, before: float) -> None:
        self._touches[self.touch_count % len(self._touches)] = (sample.time, inf, before, nan, sample.depth, sample.force, 0.0, 0.0, 1)
        self._first_of_touch = self.count
        self.touch_count += 1

    def _go_on(self, sample: Sample, last: np.ndarray) -> None:
        touch = self._push(sample, last)
        touch[4], touch[5] = max(touch[4], sample.depth), max(touch[5], sample.force)
        touch[8] += 1

    def _end(self, sample: Sample, last: np.ndarray) -> None:
        touch = self._push(sample, last)
        touch[1], touch[3] = sample.time, sample.speed

    def _push(self, sample: Sample, last: np.ndarray) -> np.ndarray:
        """Impulse and work since the last sample: the force of a step is the same until its end."""
        touch, impulse = self._touches[(self.touch_count - 1) % len(self._touches)], (sample.time - last[0]) * last[2]
        touch[6] += impulse
        touch[7] += 0.5 * impulse * (last[3] + sample.speed)
        return touch

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The touches that are kept, oldest first; the last may go on."""
        first = max(0, self.touch_count - len(self._touches))
        rows = (self._touches[k % len(self._touches)] for k in range(first, self.touch_count))
        return tuple(Touch(*row[:-1].tolist(), int(row[-1])) for row in rows)

    # ------------------------------------------------------------------ columns

    def column(self, name: str) -> np.ndarray:
        """A copy of 'time', 'depth', 'force', 'speed', 'energy' or 'touching' of the samples that are kept, oldest first. Raises ValueError for another name."""
        if name == "touching":
            return self._in_order(self._touching)
        if name not in _COLUMNS:
            raise ValueError(f"no column {name}; there are {', '.join((*_COLUMNS, 'touching'))}")
        return self._in_order(self._rows[:, _COLUMNS.index(name)])

    def _in_order(self, stored: np.ndarray) -> np.ndarray:
        if self.count <= len(stored):
            return stored[:self.count].copy()
        return np.roll(stored, -(self.count % len(stored)))

    # ------------------------------------------------------------------ rest

    def settling(self) -> Settling | None:
        """How the present touch comes to rest; None while nothing touches."""
        kept = min(self.count, len(self._rows))
        if not kept or not self._touching[(self.count - 1) % len(self._rows)]:
            return None
        samples = min(kept, self.count - self._first_of_touch)
        time, depth, force, speed = (self.column(name)[-samples:] for name in _COLUMNS[:4])
        tail = max(1, samples // 8)
        rest, load = float(np.mean(depth[-tail:])), float(np.mean(force[-tail:]))
        w, zeta, slowest, fitted, centre = _fit(time, depth, speed, rest)
        return Settling(centre, load, w, zeta, float(-np.log(0.02) / slowest) if slowest > 0.0 else nan, fitted)


def _fit(time: np.ndarray, depth: np.ndarray, speed: np.ndarray, rest: float) -> tuple[float, float, float, int, float]:
    """(w, zeta, rate of the slowest part, samples used, rest depth) of a motion that comes to rest."""
    nothing = nan, nan, nan, 0, rest
    if len(time) < LEAST or rest == 0.0:
        return nothing
    # from when on it stays near the rest, as a large motion has another impedance; all of the touch where that shows one part of the motion only
    far = np.flatnonzero(np.abs(depth - rest) > NEAR * abs(rest))
    for first in dict.fromkeys((int(far[-1]) + 1 if len(far) else 0, 0)):
        quiet = np.flatnonzero((np.abs(depth - rest) > QUIET * abs(rest))[first:])
        last = first + int(quiet[-1]) + 2 if len(quiet) else first
        found = _linear_motion(time[first:last], np.stack([depth[first:last], speed[first:last]], 1), rest)
        if found is not None:
            return found
    return nothing


def _linear_motion(time: np.ndarray, x: np.ndarray, rest: float) -> tuple[float, float, float, int, float] | None:
    """The same of samples (n, 2) of depth and speed; None for too few, uneven ones, and such in which one part of the motion has died away."""
    dt = np.diff(time)
    if len(x) < LEAST or dt.max() > 1.001 * dt.min():
        return None
    # least squares of x' = F x + c, in numbers of about one size
    scale = np.maximum(np.abs(x - [rest, 0.0]).max(axis=0), 1e-300)
    y = (x - [rest, 0.0]) / scale
    left = np.column_stack([y[:-1], np.ones(len(y) - 1)])
    found, _residual, rank, _sizes = np.linalg.lstsq(left, y[1:], rcond=None)
    parts = np.linalg.svd(y[:-1], compute_uv=False)
    if rank < 3 or parts[1] < ONE_PART * parts[0]:
        return None
    F, c = found[:2].T, found[2]
    centre = rest + scale[0] * float(np.linalg.solve(np.eye(2) - F, c)[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        s = np.log(np.linalg.eigvals(F).astype(complex)) / dt.mean()
    w = float(np.sqrt(np.abs(s[0] * s[1])))
    zeta = float(-(s[0] + s[1]).real / (2.0 * w)) if w > 0.0 else nan
    slowest = float(-s.real.max())
    if zeta >= 1.0 and slowest * (time[-1] - time[0]) < DRIFTS:     # of the mechanism that it bears, not of the contact
        return None
    return w, zeta, slowest, len(x), centre


def measure_states(m: Model, states: Iterable[np.ndarray], target: Target, geoms: tuple[int, int] | None = None, sig: int | None = None, window: Window | None = None,
                   mass: float = nan) -> Window:
    """A window over recorded states, each a vector as physics.simulate.state_vector.get_state gives it: each is computed once more in a Data of its own. geoms: that will meet, for
    the speed before the first touch; sig: parts of the vectors, None for those of INTEGRATION. m must not be written to meanwhile."""
    d, probe, window = Data(m), Probe(m, target, mass), window or Window()
    if geoms is not None:
        probe.watch(*geoms)
    for state in states:
        set_state(m, d, state) if sig is None else set_state(m, d, state, sig)
        forward(m, d)
        window.add(probe.sample(d), probe.before)
    return window
