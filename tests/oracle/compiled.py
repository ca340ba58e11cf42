"""Compares every field of a compiled model with the official compiler's."""
from functools import cache
from pathlib import Path

import numpy as np

from tests.oracle.compare import rel
from tests.oracle.hulls import sorted_hulls

IGNORED_FILE = Path(__file__).with_name("ignored_fields.txt")
OPTION_SCALARS_LEFT_OUT = ("apirate",)


@cache
def ignored_fields() -> dict:
    """{field: reason} of official fields that are not compared."""
    found = {}
    for line in IGNORED_FILE.read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            field, _, reason = line.partition(" ")
            assert reason.strip(), f"{IGNORED_FILE.name}: {field} needs a reason"
            found[field] = reason.strip()
    return found


def official_fields(model) -> dict:
    """Every numeric field of an official model, flattened: arrays and sizes as they are, options, statistics and visuals by dotted name."""
    found = {}
    for name in dir(model):
        if name.startswith("_"):
            continue
        value = getattr(model, name)
        if callable(value) and not isinstance(value, np.ndarray):
            continue
        if isinstance(value, (np.ndarray, int, float, bool, np.number, np.bool_)):
            found[name] = np.asarray(value)
        elif name in ("opt", "stat"):
            found.update(_flatten(f"{name}.", value))
        elif name == "vis":
            for group in dir(value):
                if not group.startswith("_"):
                    found.update(_flatten(f"vis.{group}.", getattr(value, group)))
    return found


def _flatten(prefix: str, struct) -> dict:
    found = {}
    for name in dir(struct):
        if name.startswith("_"):
            continue
        value = getattr(struct, name)
        if isinstance(value, (np.ndarray, int, float, bool, np.number, np.bool_)):
            found[prefix + name] = np.asarray(value)
    return found


def our_field(model, name: str):
    """Our value of the official field `name` (dotted for opt, stat, vis), or None where the model has none."""
    value = model
    for part in name.split("."):
        value = getattr(value, part, None)
        if value is None:
            return None
    return np.asarray(value)


def compare_compiled(ours, official, tolerance: float = 1e-9) -> tuple[int, dict]:
    """(number of fields compared, {field: rel} of those above `tolerance`)."""
    skipped = ignored_fields()
    off, checked = {}, 0
    mine, theirs = (sorted_hulls(model) if official.nmesh == ours.nmesh else {} for model in (ours, official))
    for name, value in official_fields(official).items():
        if name in skipped:
            continue
        checked += 1
        distance = rel(mine.get(name, our_field(ours, name)), theirs.get(name, value))
        if distance > tolerance:
            off[name] = distance
    return checked, off
