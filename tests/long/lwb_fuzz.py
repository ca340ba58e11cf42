"""Compiled files with hostile whole numbers: `./test.sh --long lwb_fuzz [--cases N] [--first K] [--json FILE]`.

Every whole-number field of Model (physics/model/index_fields.py) gets numbers that it must not hold, and some that it may, in files whose
checksums are right: first systematically (each field, the least, the greatest and the nearest wrong numbers, two exchanged), then at random,
several fields at a time. Loading must refuse the file with a ModelError, or give a model that 20 steps, the inverse dynamics and the kinematics
go through without a crash. Cases run in child processes, so that one that dies or hangs is known by its number; start again with --first.
"""
from __future__ import annotations

import copy
import json
import random
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

import physics
from physics.model import lwb
from physics.model.index_fields import INDEX_FIELDS, IndexRow
from tests.long import child_cases
from tests.physics.model.force import force
from tests.physics.model.hostile_models import hostile_models

STEPS = 20
CASES = 10_000
LEAST, MOST = -2**31, 2**31 - 1
SLOW = ("opt_iterations", "opt_ls_iterations", "opt_noslip_iterations", "opt_ccd_iterations", "opt_sdf_initpoints", "opt_sdf_iterations")   # a budget of work, not a place

Change = tuple[int, str, int, int]   # model, field, entry, value


def values_for(m: physics.Model, row: IndexRow, there: int) -> list[int]:
    """Numbers to try in place of the one that is there."""
    sizes = [getattr(m, name) for name in row.of.replace("*", " ").split() if isinstance(getattr(m, name, None), int)]
    found = {LEAST, -2, -1, 0, 1, there - 1, there + 1, MOST}
    for size in sizes or [np.size(getattr(m, row.field))]:
        found |= {size - 1, size, size + 1}
    found.discard(there)
    if not isinstance(getattr(m, row.field), int) and getattr(m, row.field).dtype.itemsize == 1:
        found = {value for value in (*found, 2, 7, 255) if 0 <= value <= 255} - {there}
    if row.field in SLOW:
        found.discard(MOST)
    return sorted(found)


def systematic(models: list[physics.Model]) -> list[Change]:
    """Each field of each model, at its first, middle and last entry."""
    changes = []
    for k, m in enumerate(models):
        for row in INDEX_FIELDS:
            held = getattr(m, row.field)
            if isinstance(held, int):
                changes += [(k, row.field, -1, value) for value in values_for(m, row, held)]
                continue
            flat = held.reshape(-1)
            for place in sorted({0, flat.size // 2, flat.size - 1}) if flat.size else ():
                changes += [(k, row.field, place, value) for value in values_for(m, row, int(flat[place]))]
                if flat.size > 1:
                    changes.append((k, row.field, place, int(flat[place - 1])))   # that of its neighbour
    return changes


def at_random(rng: random.Random, models: list[physics.Model]) -> list[Change]:
    """A few changes of one model."""
    k = rng.randrange(len(models))
    m, changes = models[k], []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        row = rng.choice(INDEX_FIELDS)
        held = getattr(m, row.field)
        if isinstance(held, int):
            there, place = held, -1
        elif held.size:
            place = rng.randrange(held.size)
            there = int(held.reshape(-1)[place])
        else:
            continue
        value = rng.choice((there + rng.choice((-3, -2, -1, 1, 2, 3)), rng.choice(values_for(m, row, there)), rng.randrange(0, 64), rng.randrange(LEAST, MOST),
                            1 << rng.randrange(31)))
        value = min(value, 1000) if row.field in SLOW else value
        changes.append((k, row.field, place, value & 255 if not isinstance(held, int) and held.dtype.itemsize == 1 else value))
    return changes


def case(number: int, models: list[physics.Model], first: list[Change]) -> list[Change]:
    """What case `number` changes: two of three are systematic, which are so ordered that every stretch has most fields; the others are random."""
    systematic_one = number - number // 3 - 1
    if number % 3 and systematic_one < len(first):
        return [first[systematic_one]]
    return at_random(random.Random(number), models)


def spread(changes: list[Change], seed: int = 3) -> list[Change]:
    """The changes so ordered that any stretch of them has most fields."""
    order = list(changes)
    random.Random(seed).shuffle(order)
    seen: Counter = Counter()
    ranks = []
    for change in order:
        seen[change[1]] += 1
        ranks.append(seen[change[1]])
    return [change for _rank, change in sorted(zip(ranks, order), key=lambda pair: pair[0])]


def changed(models: list[physics.Model], changes: list[Change]) -> physics.Model | None:
    """A copy of the model with these numbers, None where the file could not hold them."""
    if not changes:
        return None
    m = copy.copy(models[changes[0][0]])
    for _model, field, place, value in changes:
        held = getattr(m, field)
        if place < 0:
            force(m, field, value)
            continue
        values = (held.view(np.uint8) if held.dtype == bool else held).reshape(-1)
        low, high = (0, 255) if values.dtype == np.uint8 else (LEAST, MOST)
        if not low <= value <= high:
            return None
        values[place] = value
    return m


def outcome(m: physics.Model, path: Path) -> str:
    """'refused' or 'ran'; any other exception than a ModelError or a refusal to step goes through."""
    lwb.save(m, path)
    try:
        again = physics.load(path)
    except physics.ModelError as error:
        if not error.issues or not all(issue.what for issue in error.issues):
            raise
        return "refused"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            d = physics.Data(again)
            d.qvel[:] = 0.1
            physics.step(again, d, STEPS)
            physics.forward(again, d)
            physics.inverse(again, d)
        except (ArithmeticError, ValueError, physics.ViewOnlyError):
            return "ran into a refusal"
    return "ran"


def worker(first: int, count: int) -> int:
    """Run cases; a line before each, so that one that dies is known, and one after it."""
    models = hostile_models()
    listed = spread(systematic(models))
    physics.ensure_kernels()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hostile.lwb"
        for number in range(first, first + count):
            changes = case(number, models, listed)
            print(json.dumps([number, "begun", changes]), flush=True)
            m = changed(models, changes)
            try:
                what = "cannot be written" if m is None else outcome(m, path)
            except Exception as error:
                what = f"{type(error).__name__}: {str(error)[:200]}"
            print(json.dumps([number, what, changes]), flush=True)
    return 0


GOOD = ("refused", "ran", "ran into a refusal", "cannot be written")


if __name__ == "__main__":
    sys.exit(child_cases.main("tests.long.lwb_fuzz", __doc__, CASES, GOOD, worker))
