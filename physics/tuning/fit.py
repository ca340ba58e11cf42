"""solref and solimp for a wanted contact: how deep it rests, how lively it bounces, how soon it settles.

Three goals, independent of each other: rest depth r under the row's load a0, mean restitution e at a speed, settling time of a small step of the load.
Closed forms give the start, zeta from e and w = 3.9 / (zeta settling); then two unknowns, ln zeta and ln w, are found by Broyden's method on what the scalar
simulation does (e over all phases of the time step, settling of the linearised step), while r gives the impedance each time:

    d_e = 1 - r w^2 / |a0|      d = d_e / (d_e + s (1 - d_e))      stiffness = w^2 d / d_e      damping = 2 zeta w d / d_e      solimp = d d

(less (1 - d_e) hold in w^2 and (1 - d_e) (damping + drag) in 2 zeta w, where the rest of the model holds and slows the row)

Source: Broyden, "A class of methods for solving nonlinear simultaneous equations", Mathematics of Computation 19, 1965.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import exp, inf, log, sqrt

import numpy as np

from physics.enums import INT_DISCRETE, MAXIMP, MINIMP
from physics.tuning.closed_forms import STEP_LIMIT, damping_ratio_of, restitution, settling
from physics.tuning.law import Parameters, Row, effective_impedance, law_of, raw_impedance, to_standard
from physics.tuning.scalar import Response, impacts, load_step, simulate

SOLIMP_REST = (0.001, 0.5, 2.0)         # width, midpoint, power where the impedance is the same everywhere: MJCF's defaults
ENOUGH = (5e-5, 5e-4)                   # of restitution, of ln settling
MET = (2e-3, 2e-2, 1e-2)                # of restitution, of settling and rest depth relative: beyond, a goal counts as missed
MOST_EVALUATIONS = 40
STEP_LENGTH = 0.6                       # of ln zeta and ln w at a time
AGREES = 1e-3                           # relative: the standard format is offered where it means the same to three digits


@dataclass(frozen=True, slots=True)
class Goal:
    """restitution (0 to 1) at `speed` [m/s]; rest_depth [m] under the row's load; settling [s] to 2 % of a small step of the load."""

    restitution: float
    rest_depth: float
    settling: float
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class Fit:
    """parameters: in the direct format, the best found; standard: the same in the standard format where that means the same, else None.

    refused: why the goal cannot be met, in words, '' where it is; nearest: a goal that can, None where none is known. evaluations of the simulation.
    """

    goal: Goal
    parameters: Parameters | None
    standard: Parameters | None
    response: Response | None
    evaluations: int
    refused: str = ""
    nearest: Goal | None = None


def fit(row: Row, goal: Goal) -> Fit:
    """Parameters that meet the goal, or why there are none and a goal that can be met. Raises ValueError for goals that are no numbers of their kind."""
    found = _fit(row, goal)
    if not found.refused or found.nearest is None:
        return found
    again = _fit(row, found.nearest)
    if not again.refused:
        return found
    # what is near by formula is not near enough: what was reached there can be met, being reached
    reached = again.response or found.response
    return replace(found, nearest=_reached(goal, reached) if reached is not None and reached.load_step.settling < inf else None)


def _fit(row: Row, goal: Goal) -> Fit:
    if not (0.0 < goal.restitution < 1.0 and 0.0 < goal.rest_depth < inf and 0.0 < goal.settling < inf and goal.speed > 0.0):
        raise ValueError(f"restitution lies between 0 and 1, rest depth, settling and speed are positive: {goal}")
    if row.load() >= 0.0:
        return Fit(goal, None, None, None, 0, "nothing presses on this row now (a0 >= 0), so it has no rest depth: bring it into contact under load first")

    # what the simulation says of (ln zeta, ln w), and what the closed forms say
    def missed(x):
        parameters = parameters_at(row, exp(x[0]), exp(x[1]), goal.rest_depth)
        settles = load_step(row, parameters).settling
        return np.array([impacts(row, parameters, (goal.speed,))[0].mean - goal.restitution, log(settles / goal.settling) if 0.0 < settles < inf else 3.0])

    def closed(x):
        return np.array([restitution(exp(x[0])), log(settling(exp(x[0]), exp(x[1])))])

    def frequency(zeta):
        return settling(zeta, 1.0) / goal.settling

    zeta, tries = _lively(row, goal, frequency)
    refused, nearest = limits(row, goal, zeta, frequency(zeta), "about ")
    if refused:
        return Fit(goal, None, None, None, tries, refused, nearest)
    start = np.log([zeta, frequency(zeta)])
    x, evaluations = _solve(missed, start, _slopes(closed, start))
    evaluations += tries
    zeta, w = map(exp, x)
    parameters = parameters_at(row, zeta, w, goal.rest_depth)
    response = simulate(row, parameters, goal.speed)
    refused, nearest = limits(row, goal, zeta, w)
    if not refused:
        refused, nearest = _missed(goal, response)
    return Fit(goal, parameters, None if refused else standard_of(row, parameters), response, evaluations, refused, nearest)


def parameters_at(row: Row, zeta: float, w: float, depth: float) -> Parameters:
    """Parameters in the direct format by which the row's motion in contact has damping ratio zeta and frequency w [rad/s] and rests at a depth [m], as far as impedances reach."""
    row = row.at_frequency(w)
    d = raw_impedance(_effective(row, w, depth), row.factor)
    d = min(MAXIMP, max(MINIMP, d))
    d_e = effective_impedance(d, row.factor)
    # what the rest of the model holds and damps with is not the contact's to give
    spring, slowing = w * w - (1.0 - d_e) * row.hold, 2.0 * zeta * w - (1.0 - d_e) * (row.damping + row.drag)
    return Parameters((float(-max(0.0, spring) * d / d_e), float(-max(0.0, slowing) * d / d_e)), (float(d), float(d), *SOLIMP_REST))


def standard_of(row: Row, parameters: Parameters) -> Parameters | None:
    """Direct parameters in the standard format, where that acts the same to three digits: refsafe and the bound of `discrete` look at that format only."""
    if not (parameters.solref[0] < 0.0 and parameters.solref[1] < 0.0):
        return None
    standard = Parameters(to_standard(parameters.solref), parameters.solimp)
    one, other = (law_of(row, p).terms(-parameters.solimp[2]) for p in (parameters, standard))
    return standard if np.allclose(one, other, rtol=AGREES, atol=0.0) else None


def fit_restitution(row: Row, e: float, speed: float, w: float, depth: float) -> tuple[Parameters, int]:
    """(parameters, evaluations): mean restitution e at `speed` [m/s] at a given frequency w [rad/s] and rest depth [m]; the nearest where none bounces so."""
    def missed(x):
        return np.array([impacts(row, parameters_at(row, exp(x[0]), w, depth), (speed,))[0].mean - e])

    def closed(x):
        return np.array([restitution(exp(x[0]))])

    zeta, tries = _lively(row, Goal(e, depth, inf, speed), lambda _zeta: w)
    start = np.log([zeta])
    x, evaluations = _solve(missed, start, _slopes(closed, start))
    return parameters_at(row, exp(x[0]), w, depth), tries + evaluations


def _lively(row: Row, goal: Goal, frequency: Callable[[float], float]) -> tuple[float, int]:
    """(damping ratio to begin with, evaluations): that of the closed form, less where a contact with it would not leave at all, since there no slope tells the way."""
    zeta = damping_ratio_of(goal.restitution)
    for tries in range(1, 13):
        if impacts(row, parameters_at(row, zeta, frequency(zeta), goal.rest_depth), (goal.speed,), 8)[0].mean > 0.3 * goal.restitution:
            break
        zeta *= 0.8
    return zeta, tries


# ------------------------------------------------------------------ what is possible

def _effective(row: Row, w: float, depth: float) -> float:
    """d_e of a contact that rests at that depth with frequency w, kept above 0."""
    return max(effective_impedance(MINIMP, row.factor), 1.0 - depth * w * w / -row.load())


def limits(row: Row, goal: Goal, zeta: float, w: float, about: str = "") -> tuple[str, Goal | None]:
    """(why no parameters can give this, a goal near it that has some) by formula, for the damping ratio and frequency that it needs; ('', None) where some may.

    about: said before figures that come from closed forms.
    """
    load, h = -row.at_frequency(w).load(), row.timestep
    rule = w * h * (1.0 + 2.0 * zeta)
    if row.integrator != INT_DISCRETE and rule > STEP_LIMIT * (1.1 if about else 1.0):
        w = 0.9 * STEP_LIMIT / (h * (1.0 + 2.0 * zeta))
        soonest = settling(zeta, w)
        depth = min(max(goal.rest_depth, shallowest(row, w)), deepest(row, w))
        return (f"the time step of {h:g} s is too long: w h (1 + 2 zeta) = {rule:.3g} is above {STEP_LIMIT:g}; "
                f"with this restitution it settles in {about}{soonest:.3g} s at the soonest",
                replace(goal, settling=soonest, rest_depth=depth))
    most, least = deepest(row, w), shallowest(row, w)
    if goal.rest_depth > most:
        longest = settling(zeta, sqrt(0.97 * load / goal.rest_depth))
        return (f"a contact that settles so soon bears {load:.4g} m/s^2 less deep: {about}{most:.3g} m at most (|a0| / w^2); "
                f"at {goal.rest_depth:g} m it settles in {about}{longest:.3g} s at the soonest",
                replace(goal, rest_depth=most))
    if goal.rest_depth < least:
        return (f"impedances end at {MAXIMP:g}: a contact that settles so slowly rests {about}{least:.3g} m deep at least", replace(goal, rest_depth=least))
    return "", None


def deepest(row: Row, w: float) -> float:
    """Largest rest depth at a frequency, with a little left of the impedance."""
    return 0.97 * -row.at_frequency(w).load() / (w * w)


def shallowest(row: Row, w: float) -> float:
    """Smallest rest depth at a frequency: that of the largest impedance."""
    row = row.at_frequency(w)
    return 1.0001 * (1.0 - effective_impedance(MAXIMP, row.factor)) * -row.load() / (w * w)


def _reached(goal: Goal, response: Response) -> Goal:
    return replace(goal, restitution=min(max(response.impacts.mean, 1e-3), 0.999), rest_depth=response.rest_depth, settling=response.load_step.settling)


def _missed(goal: Goal, response: Response) -> tuple[str, Goal | None]:
    """What of the goal was not reached by the best parameters found."""
    reached = (response.impacts.mean, response.load_step.settling, response.rest_depth)
    wanted = (goal.restitution, goal.settling, goal.rest_depth)
    names = ("restitution {:.3f} (wanted {:.3f})", "settling in {:.3g} s (wanted {:.3g})", "rest depth {:.3g} m (wanted {:.3g})")
    scales = (1.0, goal.settling, goal.rest_depth)
    off = [name.format(x, y) for name, x, y, scale, met in zip(names, reached, wanted, scales, MET, strict=True) if not abs(x - y) <= met * scale]
    if response.gains_energy:
        off.append("and impacts would gain energy")
    if not off:
        return "", None
    return "these do not go together at this time step; the nearest found: " + ", ".join(off), _reached(goal, response) if reached[1] < inf and reached[0] > 0.0 else None


# ------------------------------------------------------------------ Broyden's method

def _slopes(function: Callable[[np.ndarray], np.ndarray], x: np.ndarray, nudge: float = 1e-4) -> np.ndarray:
    """Jacobian by forward differences."""
    at = function(x)
    return np.column_stack([(function(x + nudge * unit) - at) / nudge for unit in np.eye(x.size)])


def _solve(missed: Callable[[np.ndarray], np.ndarray], x: np.ndarray, jacobian: np.ndarray) -> tuple[np.ndarray, int]:
    """(best x, evaluations): a root of `missed` by Broyden's method; where a step does not help slopes are measured anew, then shorter steps are tried."""
    enough = np.array(ENOUGH[:x.size])
    f = missed(x)
    evaluations, length, fresh = 1, STEP_LENGTH, False
    while evaluations < MOST_EVALUATIONS and (np.abs(f) > enough).any() and length > 1e-4:
        step = np.linalg.lstsq(jacobian, -f, rcond=1e-6)[0]
        size = np.abs(step).max()
        if not size > 0.0:      # flat: nothing near changes anything
            break
        step *= min(1.0, length / size)
        tried = missed(x + step)
        evaluations += 1
        # rank-one update: the new slopes give what the step has shown
        update = np.outer(tried - f - jacobian @ step, step) / (step @ step)
        if np.linalg.norm(tried / enough) < np.linalg.norm(f / enough):
            x, f, jacobian, fresh, length = x + step, tried, jacobian + update, False, min(2.0 * length, STEP_LENGTH)
        elif fresh:
            length = 0.3 * min(length, size)
        else:
            jacobian, fresh = _slopes(missed, x, 0.01), True
            evaluations += 1 + x.size
    return x, evaluations
