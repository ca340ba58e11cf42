"""Whole numbers written into running models: `./test.sh --long model_fuzz [--cases N] [--first K] [--json FILE]`.

A case writes random numbers into one to three fields of a Model that runs, through Python as users do, and calls one or more public functions. Each either
raises an error that names what is wrong, with the Data as it was, or computes. Then the numbers of before are written back, and a step must happen again.
Models and Data go on from case to case, mostly without a reset, so that what one leaves behind is found by another, and every array lies between
unreadable pages (tests/long/fenced.py), so that an access outside it ends the process. Cases run in child processes, so that one that dies or hangs is
known by its number; start again with --first.
"""
from __future__ import annotations

import json
import random
import sys
import warnings
from collections.abc import Callable

import numpy as np

import physics
from physics.model.index_fields import ALONE, INDEX_RULES, TRUSTED
from tests.long import child_cases
from tests.long.fenced import fence
from tests.long.lwb_fuzz import LEAST, MOST, values_for
from tests.physics.model.hostile_models import hostile_models

CASES = 10_000
STEPS = 5

Change = tuple[int, str, int, int]   # model, field, entry, value


def _queries(m: physics.Model, d: physics.Data) -> None:
    """What scripts ask of a state, without computing it anew first."""
    for k in range(1, min(m.nbody, 5)):
        physics.jac_body(m, d, k)
        physics.jac_subtree_com(m, d, k)
    physics.object_acceleration(m, d, "body", m.nbody - 1)
    physics.rne_post_constraint(m, d)
    for k in range(min(d.ncon, 3)):
        physics.contact_force(m, d, k)
    physics.ray(m, d, (0, 0, 3), (0.01, 0, -1))
    physics.mul_m(m, d, np.ones(m.nv))
    physics.energy_pos(m, d)
    for one in range(0, m.ngeom - 1, 7):
        physics.geom_distance(m, d, one, m.ngeom - 1)


def _halves(m: physics.Model, d: physics.Data) -> None:
    physics.step1(m, d)
    physics.step2(m, d)


def _second_half(m: physics.Model, d: physics.Data) -> None:
    physics.step2(m, d)


def _stages(m: physics.Model, d: physics.Data) -> None:
    for stage in (physics.kinematics, physics.com_pos, physics.tendon, physics.transmission, physics.com_vel, physics.rne, physics.subtree_vel):
        stage(m, d)


def _has_derivatives(m: physics.Model) -> bool:
    return m.nv <= 60 and not m.nhistory and not m.opt_enableflags & physics.EnableBit.SLEEP


def _rollout(m: physics.Model, d: physics.Data) -> None:
    physics.rollout(m, physics.get_state(m, d, physics.StateBit.FULLPHYSICS), nstep=3, nthread=2)


CALLS: tuple[Callable, ...] = (
    lambda m, d: physics.step(m, d, STEPS), physics.forward, lambda m, d: physics.forward(m, d, physics.Stage.POS), physics.inverse, _queries, _halves,
    _second_half, _stages, _rollout, lambda m, d: physics.integrate_pos(m, d.qpos, d.qvel, 0.01), lambda m, d: physics.step(m, physics.Data(m), STEPS),
)
SELDOM = 0.05   # how often the derivatives of a step are asked for: they take long


def changes_of(number: int, models: list[physics.Model]) -> list[Change]:
    """What case `number` writes. Fields that are checked alone are only a quarter of them: the others are harder."""
    rng = random.Random(number)
    k = rng.randrange(len(models))
    m, found = models[k], []
    sets = [[f for f in fields if isinstance(getattr(m, f), np.ndarray) and getattr(m, f).size] for fields in (sorted(TRUSTED - ALONE - {"wrap_prm"}), sorted(ALONE))]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        field = rng.choice(sets[rng.random() < 0.25])
        held = getattr(m, field)
        place = rng.randrange(held.size)
        there = int(held.flat[place])
        value = rng.choice((there + rng.choice((-3, -2, -1, 1, 2, 3)), rng.choice(values_for(m, INDEX_RULES[field], there)), int(held.flat[rng.randrange(held.size)]),
                            rng.randrange(0, 64), rng.randrange(LEAST, MOST)))
        found.append((k, field, place, value & 255 if held.dtype.itemsize == 1 else max(LEAST, min(MOST, value))))
    return found


def write(m: physics.Model, field: str, place: int, value: int) -> int:
    """Write one entry as a user would; what was there."""
    held = getattr(m, field)
    array = held.view(np.uint8) if held.dtype == bool else held
    at = np.unravel_index(place, array.shape)
    before = int(array[at])
    array[at] = value
    return before




def start_over(d: physics.Data, reset: bool) -> None:
    """From where it is, or from the initial pose, a little faster than at rest."""
    if reset or not np.isfinite(d.qpos).all() or np.abs(d.qvel).max(initial=0) > 100:
        d.reset()
        d.qvel[:] = 0.1
    physics.step(d.model, d, 3)


def outcome(number: int, models: list[physics.Model], datas: list[physics.Data]) -> str:
    """'refused' or 'ran'; AssertionError where a promise is broken, and errors that say nothing go through."""
    changes, rng = changes_of(number, models), random.Random(-number - 1)
    m, d = models[changes[0][0]], datas[changes[0][0]]
    start_over(d, rng.random() < 0.3)
    before = [(field, place, write(m, field, place, value)) for _model, field, place, value in changes]
    kept, refused = state_of(d), 0
    calls = rng.sample(CALLS, rng.choice((1, 2, 3))) + ([physics.transition] if rng.random() < SELDOM and _has_derivatives(m) else [])
    for call in calls:
        try:
            call(m, d)
        except physics.FieldError as error:
            if refused == len(calls[:calls.index(call)]):
                assert np.array_equal(kept, state_of(d), equal_nan=True), "the Data changed although the call was refused"
            assert error.issues and all(issue.path for issue in error.issues) and f"m.{changes[0][1]}" in str(error)
            refused += 1
        except (ArithmeticError, ValueError, physics.ViewOnlyError):
            pass   # refused for what the numbers mean
    assert refused in (0, len(calls)), "refused by some and not by others"
    for field, place, value in reversed(before):
        write(m, field, place, value)
    start_over(d, rng.random() < 0.3)
    assert physics.step(m, d) == 1
    return "refused" if refused else "ran"


def state_of(d: physics.Data) -> np.ndarray:
    """What goes on and what was computed, as numbers."""
    return np.concatenate([[d.time], d.qpos, d.qvel, d.act, d.ctrl, d.qacc_warmstart, d.qacc, d.xpos.ravel(), d.sensordata])


def worker(first: int, count: int) -> int:
    """Run cases; a line before each, so that one that dies is known, and one after it."""
    physics.compile_kernels()
    fence(("end", "start")[first // child_cases.BATCH % 2])
    models = hostile_models()
    datas = [physics.Data(m) for m in models]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for number in range(first, first + count):
            changes = changes_of(number, models)
            print(json.dumps([number, "begun", changes]), flush=True)
            try:
                what = outcome(number, models, datas)
            except Exception as error:
                what = f"{type(error).__name__}: {str(error)[:200]}"
                models = hostile_models()   # whatever is left is not to spoil the next
                datas = [physics.Data(m) for m in models]
            print(json.dumps([number, what, changes]), flush=True)
    return 0


GOOD = ("refused", "ran")


if __name__ == "__main__":
    sys.exit(child_cases.main("tests.long.model_fuzz", __doc__, CASES, GOOD, worker))
