"""Goals of which a person states some numbers: the others stay as they are now, and move only where those leave them no room.

    wanted {'restitution': 0.8} + what the present parameters do --goal_of--> Goal --objection--> why not, and the nearest that can be: by formula, at once
                                                                                  --fit_wanted--> Fit: free numbers follow the nearest goal
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf, isfinite, sqrt

from physics.enums import INT_DISCRETE
from physics.tuning.closed_forms import STEP_LIMIT, closed_forms, damping_ratio_of, rest_depth, settling
from physics.tuning.fit import Fit, Goal, deepest, fit, limits, shallowest
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import impacts, load_step

__all__ = ["NUMBERS", "fit_wanted", "goal_of", "objection", "present_by_formula", "present_numbers"]

NUMBERS = ("restitution", "rest_depth", "settling")
LIVELIEST, DULLEST = 0.98, 0.02     # restitutions that a free number is kept between: contacts that stay have none
PHASES = 8                          # of the impacts that tell what there is now
ROUNDS = 6                          # that free numbers follow the nearest goal
MET = (2e-3, 1e-2, 2e-2)            # of restitution, of rest depth and settling relative: what differs by less is the same


def present_numbers(row: Row, parameters: Parameters, speed: float) -> Goal:
    """What these parameters do, by the scalar simulation; speed of the impacts [m/s]. restitution 0 where impacts stay, settling inf where rest is unstable."""
    return Goal(impacts(row, parameters, (speed,), PHASES)[0].mean, rest_depth(row, parameters), load_step(row, parameters).settling, speed)


def present_by_formula(row: Row, parameters: Parameters, speed: float) -> Goal:
    """The same by the closed forms at rest, in microseconds."""
    depth = rest_depth(row, parameters)
    forms = closed_forms(row, parameters, depth if depth < inf else 0.0)
    return Goal(forms.restitution, depth, forms.settling, speed)


def goal_of(row: Row, wanted: Mapping[str, float], present: Goal) -> Goal:
    """The goal with these numbers (of NUMBERS) and for the others the present ones, moved as little as the closed forms of frequency and depth need:

        w = 3.9 / (zeta settling)      w h (1 + 2 zeta) <= 1.5      (1 - d_e) |a0| / w^2 = rest depth with d_e of an impedance from 0.0001 to 0.9999
    """
    e = wanted.get("restitution", min(max(present.restitution, DULLEST), LIVELIEST))
    depth = wanted.get("rest_depth", present.rest_depth if 0.0 < present.rest_depth < inf else 1e-3)
    settles = wanted.get("settling", present.settling if 0.0 < present.settling < inf else 1.0)
    goal = Goal(e, depth, settles, present.speed)
    if row.a0 >= 0.0 or not _possible(goal):
        return goal
    zeta = damping_ratio_of(e)
    w = settling(zeta, 1.0) / settles
    if "settling" not in wanted:
        # between the softest and the stiffest motion that rests so deep: depth w^2 is the same for all at an end of the impedance
        w = min(max(w, w * sqrt(shallowest(row, w) / depth) * 1.01), w * sqrt(deepest(row, w) / depth) / 1.05)
        if row.integrator != INT_DISCRETE:
            w = min(w, 0.9 * STEP_LIMIT / (row.timestep * (1.0 + 2.0 * zeta)))
    if "rest_depth" not in wanted:
        depth = min(max(depth, shallowest(row, w)), deepest(row, w))
    return replace(goal, rest_depth=depth, settling=wanted.get("settling", settling(zeta, w)))


def objection(row: Row, goal: Goal) -> tuple[str, Goal | None]:
    """(why no parameters reach this, a goal near it that some may), by closed forms, at once; ('', None) where nothing speaks against it."""
    if not _possible(goal):
        return "restitution lies between 0 and 1; rest depth, settling and speed are above 0", None
    if row.a0 >= 0.0:
        return "nothing presses on it now, so it has no rest depth: bring it into contact under load first", None
    zeta = damping_ratio_of(goal.restitution)
    return limits(row, goal, zeta, settling(zeta, 1.0) / goal.settling, "about ")


def fit_wanted(row: Row, wanted: Mapping[str, float], present: Goal) -> Fit:
    """Parameters that reach what is wanted. A refusal says what of that cannot be: numbers that nobody has stated are moved to where it can."""
    goal = goal_of(row, wanted, present)
    for _ in range(ROUNDS):
        found = fit(row, goal)
        if not found.refused or found.nearest is None:
            break
        moved = _moved(goal, found.nearest)
        if "rest_depth" in moved and "settling" not in moved.union(wanted) and "restitution" not in moved.intersection(wanted):
            # the depth stays: those at both ends of the impedance go with 1 / w^2, and so with the settling time squared
            ratio = sqrt(goal.rest_depth / found.nearest.rest_depth)
            goal = replace(found.nearest, rest_depth=goal.rest_depth, settling=goal.settling * ratio * (1.05 if ratio > 1.0 else 1.0 / 1.05))
        elif moved.isdisjoint(wanted):
            goal = found.nearest
        else:
            break
    return found


def _moved(goal: Goal, other: Goal) -> set[str]:
    """Numbers by which two goals differ by more than what counts as met."""
    return {name for name, off, scale in zip(NUMBERS, MET, (1.0, goal.rest_depth, goal.settling), strict=True) if abs(getattr(goal, name) - getattr(other, name)) > off * scale}


def _possible(goal: Goal) -> bool:
    return 0.0 < goal.restitution < 1.0 and all(isfinite(x) and x > 0.0 for x in (goal.rest_depth, goal.settling, goal.speed))
