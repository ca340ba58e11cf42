"""The law of one constraint row: from solref and solimp to the acceleration along a contact's normal or a limit.

r is the distance less the margin [m], negative where the row pushes; v its rate; a0 the acceleration that everything else gives (positive = apart);
A = J inv(M) J' the inverse mass along the row; d(r) the impedance.

    aref = -b v - k d r        R = (1 - d) / d  A / s        d_e = A / (A + R) = s d / (s d + 1 - d)
    a = a0 + d_e max(0, aref - a0)   where r < 0,   a = a0 elsewhere

Springs, servos and other contacts that hold the same bodies make a0 a line: a0(r, v) = a0 - hold (r - at) - (damping + drag) v. What is driven by strong dampers moves along
with a slow motion and stays behind in a quick one: A and the damping are then those at the frequency of the contact, which follows from its parameters.

s is the true inverse mass over the one that the regularisation R was made for: n for n like contacts that share a body's weight, and with pyramidal
cones each contact has 2 (condim - 1) rows of R = 2 mu^2 / impratio (1 + mu^2) (1 - d) / d A, so that together they weigh (condim - 1) impratio / (mu^2 (1 + mu^2))
times as much as one row would: there friction decides how deep a contact lies.

Dry friction of joints sticks at rest, where it counts as a damper of the rest of the model, and slides in an impact: a0 - dry sign(v).

The integrator `discrete` takes spring and damper at the end of the step, S = 1 + h b + h^2 k d:  aref' = -(b v + k d (r + h v)) / S,  R' = R / S.

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters" and "Contact", chapter Modeling, "Solver parameters".
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from physics.engine.constraint.impedance import DEFAULT_SOLREF, clip_impedance, damping, stiffness, usable_solref
from physics.enums import CONE_PYRAMIDAL, DSBL_REFSAFE, INT_DISCRETE, MAXIMP, MINVAL


ROUNDS = 6      # in which a row's frequency is found: A changes little with it


@dataclass(frozen=True, slots=True)
class Row:
    """What a row sees of the model.

    inverse_mass: A [1/kg, or 1/(kg m^2) of a hinge's limit]. factor: s. a0: unconstrained acceleration along the row, at rest [m/s^2], positive = apart.
    timestep [s]; integrator: a number of physics.enums.Integrator; refsafe: whether that flag is on. margin: distance at which the row begins to push [m].
    damping: rate at which joint damping alone would end the motion along the row, A times its coefficient [1/s]. a0 is that at the position `at` [m]; hold: by how much it falls
    for each m that the row opens [1/s^2], A times the stiffness that the rest of the model holds with; drag: as damping, of all that the step takes at its beginning [1/s].
    dry: A times the dry friction of joints and tendons that slide as the row moves [m/s^2]. loose: the row of an impact, where dry friction sticks now, which slides then.
    by_frequency: (w [rad/s], A, damping + drag [1/s]), w ascending, where they are others in a motion of that frequency; what is told of the row itself is told of a sudden push.
    """

    inverse_mass: float
    factor: float
    a0: float
    timestep: float
    integrator: int
    refsafe: bool
    margin: float
    damping: float = 0.0
    hold: float = 0.0
    at: float = 0.0
    drag: float = 0.0
    by_frequency: tuple[tuple[float, float, float], ...] = ()
    dry: float = 0.0
    loose: Row | None = None

    @property
    def of_impacts(self) -> Row:
        """The row as an impact feels it."""
        return self if self.loose is None else self.loose

    def load(self, r=0.0):
        """a0 at r [m] and at rest [m/s^2], of any shape: below 0 where the rest of the model presses."""
        return self.a0 - self.hold * (r - self.at) if self.hold else self.a0

    def at_frequency(self, w: float) -> Row:
        """The row as a motion of that frequency [rad/s] feels it: the forces on it are the same, its mass and damping may not be."""
        if not self.by_frequency:
            return self
        frequencies, inverse, slowing = zip(*self.by_frequency, strict=True)
        x = np.log(max(w, frequencies[0]))
        A = float(np.exp(np.interp(x, np.log(frequencies), np.log(inverse))))
        slows, before, ratio = float(np.interp(x, np.log(frequencies), slowing)), self.damping + self.drag, A / self.inverse_mass
        ends = slows * self.damping / before if before > 0.0 else 0.0
        return replace(self, inverse_mass=A, factor=self.factor * ratio, a0=self.a0 * ratio, hold=self.hold * ratio, damping=ends, drag=slows - ends, dry=self.dry * ratio,
                       by_frequency=())


@dataclass(frozen=True, slots=True)
class Parameters:
    """solref (timeconst [s], dampratio), or not positive (-stiffness [1/s^2], -damping [1/s]); solimp (dmin, dmax, width [m], midpoint, power)."""

    solref: tuple[float, float]
    solimp: tuple[float, float, float, float, float]

    @property
    def is_direct(self) -> bool:
        """Whether solref gives stiffness and damping."""
        return self.solref[0] <= 0.0 and self.solref[1] <= 0.0


# ------------------------------------------------------------------ formats

def to_direct(solref: tuple[float, float]) -> tuple[float, float]:
    """(timeconst, dampratio) as (-stiffness, -damping): S = 1 / (timeconst dampratio)^2, D = 2 / timeconst. Raises ValueError unless both are positive."""
    timeconst, dampratio = solref
    if not (timeconst > 0.0 and dampratio > 0.0):
        raise ValueError(f"timeconst and dampratio must be positive: {solref}")
    return -1.0 / (timeconst * dampratio) ** 2, -2.0 / timeconst


def to_standard(solref: tuple[float, float]) -> tuple[float, float]:
    """(-stiffness, -damping) as (timeconst, dampratio): 2 / D, D / (2 sqrt S). Raises ValueError unless both are negative: no damping has no timeconst."""
    S, D = -solref[0], -solref[1]
    if not (S > 0.0 and D > 0.0):
        raise ValueError(f"stiffness and damping must be negative numbers in this format: {solref}")
    return 2.0 / D, D / (2.0 * sqrt(S))


def to_physical(row: Row, parameters: Parameters, depth: float) -> tuple[float, float]:
    """(stiffness [N/m], damping [N s/m]) of the contact at that depth [m, positive]: d_e k d / A and d_e b / A."""
    d_e, P, Q = law_of(replace(row, by_frequency=()), parameters).terms(-abs(depth))
    return float(d_e * P / row.inverse_mass), float(d_e * Q / row.inverse_mass)


def from_physical(row: Row, solimp: tuple[float, ...], K: float, C: float, depth: float) -> tuple[float, float]:
    """solref (-stiffness, -damping) by which the contact acts as a spring of K [N/m] and a damper of C [N s/m] at that depth [m]; not for the integrator `discrete`.

    S = K A dmax^2 / (d_e d), D = C A dmax / d_e. Raises ValueError for negative K or C.
    """
    if K < 0.0 or C < 0.0:
        raise ValueError(f"stiffness and damping are not negative: {K:g}, {C:g}")
    d = float(impedance(solimp, -abs(depth))[0])
    d_e, top = effective_impedance(d, row.factor), clip_impedance(solimp[1])
    return -K * row.inverse_mass * top * top / (d_e * d), -C * row.inverse_mass * top / d_e


# ------------------------------------------------------------------ impedance

def usable_solimp(solimp: tuple[float, ...]) -> tuple[float, float, float, float, float]:
    """solimp within its range; a curve without width is the mean of its ends."""
    d0, top, width, mid, power = solimp
    d0, top, width = clip_impedance(d0), clip_impedance(top), max(0.0, width)
    if width <= MINVAL:
        d0 = top = 0.5 * (d0 + top)
    return d0, top, width, clip_impedance(mid), max(1.0, power)


def impedance(solimp: tuple[float, ...], r) -> tuple[np.ndarray, np.ndarray]:
    """(d, dd/dr [1/m]) at r [m], of any shape; with x = |r| / width, y = x^p / mid^(p-1) below mid, 1 - (1-x)^p / (1-mid)^(p-1) above, d = dmin + y (dmax - dmin)."""
    d0, top, width, mid, power = usable_solimp(solimp)
    r = np.asarray(r, float)
    if d0 == top:
        return np.full_like(r, d0), np.zeros_like(r)
    x = np.minimum(np.abs(r) / width, 1.0)
    # both halves are one power law, from their own ends
    low = x <= mid
    t = np.where(low, x, 1.0 - x)
    scale = np.where(low, mid, 1.0 - mid) ** (1.0 - power)
    arm = scale * t ** power
    d = d0 + np.where(low, arm, 1.0 - arm) * (top - d0)
    slope = power * scale * t ** (power - 1.0) * np.sign(r) * ((top - d0) / width)
    return d, np.where(x < 1.0, slope, 0.0)


def effective_impedance(d, factor: float):
    """d_e = s d / (s d + 1 - d): the share of the row in the acceleration."""
    return factor * d / (factor * d + 1.0 - d)


def raw_impedance(d_e, factor: float):
    """The impedance d whose effective one is d_e."""
    return d_e / (d_e + factor * (1.0 - d_e))


# ------------------------------------------------------------------ factor

class Friction(NamedTuple):
    """What of a contact's friction stiffens its normal: condim, the first coefficient, option impratio, option cone."""

    condim: int
    mu: float
    impratio: float
    cone: int

    @property
    def is_stiffness(self) -> bool:
        """Whether the rows of its cone share the normal's push."""
        return self.cone == CONE_PYRAMIDAL and self.condim > 1


def contact_factor(count: int = 1, friction: Friction | None = None) -> float:
    """s of `count` like contacts that bear a body together: count (condim - 1) impratio / (mu^2 (1 + mu^2)) with pyramidal cones, else count."""
    if friction is None or not friction.is_stiffness:
        return float(count)
    mu2 = friction.mu ** 2
    return count * (friction.condim - 1) * friction.impratio / (mu2 * (1.0 + mu2))


# ------------------------------------------------------------------ the law

class _Options(NamedTuple):
    """The options by which the engine judges solref, named as in a Model."""

    opt_disableflags: int
    opt_integrator: int
    opt_timestep: float


def used_solref(row: Row, solref: tuple[float, float]) -> tuple[float, float]:
    """solref as the engine takes it: the default for contradicting signs, timeconst not below two steps where refsafe holds."""
    ref = usable_solref(_Options(0 if row.refsafe else DSBL_REFSAFE, row.integrator, row.timestep), tuple(map(float, solref)), DEFAULT_SOLREF)
    return float(ref[0]), float(ref[1])


@dataclass(frozen=True, slots=True)
class Law:
    """A row with its parameters, after all clamps; row: at the frequency that they give it. k [1/s^2], b [1/s]: of the reference acceleration. dampratio: of the standard format;
    bounded: whether `discrete` may bound k."""

    row: Row
    solimp: tuple[float, float, float, float, float]
    k: float
    b: float
    dampratio: float
    bounded: bool

    @property
    def constant(self) -> bool:
        """Whether the impedance is the same at every depth."""
        return self.solimp[0] == self.solimp[1]

    def spring(self, d):
        """(k, b) at impedance d: `discrete` takes no stiffer spring than a step can resolve, k d h^2 <= 1."""
        if not self.bounded:
            return self.k, self.b
        most = 1.0 / (d * self.row.timestep ** 2)
        return np.minimum(self.k, most), np.where(self.k > most, 2.0 * self.dampratio * np.sqrt(most), self.b)

    def terms(self, r):
        """(d_e, P, Q) at r <= 0: a = a0 + d_e max(0, -P r - Q v - a0)."""
        d, _slope = impedance(self.solimp, r)
        k, b = self.spring(d)
        s, h = self.row.factor, self.row.timestep
        if self.row.integrator != INT_DISCRETE:
            return effective_impedance(d, s), k * d, b + np.zeros_like(d)
        # spring and damper at the end of the step; R' is not below that of the largest impedance
        scale = 1.0 + h * b + h * h * k * d
        least = (1.0 - MAXIMP) / MAXIMP * d / (1.0 - d)
        softness = (1.0 - d) * np.maximum(1.0 / scale, least)
        return s * d / (s * d + softness), k * d / scale, (b + h * k * d) / scale

    def terms_at(self, r: float) -> tuple[float, float, float]:
        """The same at one r <= 0, in plain numbers: some ten times as quick, for a motion that is followed step by step."""
        d0, top, width, mid, power = self.solimp
        d = d0
        if d0 != top:
            x = min(-r / width, 1.0)
            d += (mid ** (1.0 - power) * x ** power if x <= mid else 1.0 - (1.0 - mid) ** (1.0 - power) * (1.0 - x) ** power) * (top - d0)
        s, h, k, b = self.row.factor, self.row.timestep, self.k, self.b
        if self.bounded and k > 1.0 / (d * h * h):
            k, b = 1.0 / (d * h * h), 2.0 * self.dampratio * sqrt(1.0 / (d * h * h))
        if self.row.integrator != INT_DISCRETE:
            return s * d / (s * d + 1.0 - d), k * d, b
        scale = 1.0 + h * b + h * h * k * d
        softness = (1.0 - d) * max(1.0 / scale, (1.0 - MAXIMP) / MAXIMP * d / (1.0 - d))
        return s * d / (s * d + softness), k * d / scale, (b + h * k * d) / scale

    def free(self, r, v):
        """Acceleration where the row does not push."""
        row = self.row
        a = row.load(r) - (row.damping + row.drag) * v
        if row.dry:
            a = a - np.clip(np.asarray(v) / row.timestep, -row.dry, row.dry)        # which stops a motion and begins none
        return a / (1.0 + row.timestep * row.damping) if row.integrator == INT_DISCRETE and row.damping else a

    def acceleration(self, r, v, terms=None):
        """Acceleration along the row [m/s^2] at r [m] and v [m/s], of any shape; terms: those at r, where they are at hand."""
        d_e, P, Q = terms or self.terms(r)
        free = self.free(r, v)
        return free + np.where(np.asarray(r) < 0.0, d_e * np.maximum(0.0, -P * r - Q * v - free), 0.0)


def law_of(row: Row, parameters: Parameters) -> Law:
    """The law by which the engine moves this row. Raises ValueError unless inverse mass, factor and time step are positive."""
    if not (row.inverse_mass > 0.0 and row.factor > 0.0 and row.timestep > 0.0):
        raise ValueError(f"inverse mass, factor and timestep must be positive: {row}")
    solimp, ref = usable_solimp(parameters.solimp), used_solref(row, parameters.solref)
    top = clip_impedance(parameters.solimp[1])      # of the parameters as given, also where a width of 0 makes d the mean
    bounded = row.integrator == INT_DISCRETE and row.refsafe and ref[0] > 0.0
    k = float(stiffness(ref, top))
    return Law(_at_its_frequency(row, solimp, k), solimp, k, float(damping(ref, top)), ref[1], bounded)


def _at_its_frequency(row: Row, solimp: tuple[float, ...], k: float) -> Row:
    """The row at the frequency w^2 = d_e k d + (1 - d_e) hold that it has then itself, by iteration, with the mean of the impedances at the surface and deep down."""
    if not row.by_frequency:
        return row
    found, d = row, 0.5 * (solimp[0] + solimp[1])
    for _ in range(ROUNDS):
        d_e = effective_impedance(d, found.factor)
        found = row.at_frequency(sqrt(d_e * k * d + (1.0 - d_e) * found.hold))
    return found
