"""The corpus models one after the other, each judged in a process that makes room after a few: what proofs of all models share.

Restartable: what is found is written to a JSON file after each model, and models that it has are not judged again.
"""
import argparse
import json
from collections.abc import Callable
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import physics
from physics.errors import ModelError, ViewOnlyError
from tests.oracle.corpus import Entry, read_manifest, require_corpus

MODELS_OF_A_PROCESS = 6     # some are large

Judge = Callable[[Entry, float], dict]      # of a model and the seconds of computing that it may take; a function of a module, as it is called in another process


def arguments(proof: str, found: list[str] | None = None) -> argparse.Namespace:
    """What such a proof is called with."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="*", help="names of models")
    parser.add_argument("--budget", type=float, default=15.0, help="s of computing that a model may run for")
    parser.add_argument("--json", type=Path, default=Path(f"{proof}.json"))
    return parser.parse_args(found)


def started(entry: Entry) -> tuple[physics.Model, physics.Data] | str:
    """(a model, its Data as it starts, computed), or why there is none."""
    try:
        m = physics.load(entry.path)
        d = physics.Data(m)
        if entry.starts_at_key:
            physics.reset(m, d, 0)
        physics.forward(m, d)
    except (ModelError, ViewOnlyError, ValueError, OSError) as why:
        return f"{type(why).__name__}: {str(why).splitlines()[0]}"
    return m, d


def judged(judge: Judge, given: argparse.Namespace, told: Callable[[str, dict], str]) -> dict[str, dict]:
    """What `judge` finds of each model, by its name; a line on each is printed, as `told` has it."""
    physics.ensure_kernels()
    rows = json.loads(given.json.read_text()) if given.json.exists() else {}
    entries = [entry for entry in read_manifest(require_corpus()) if (not given.only or entry.name in given.only) and entry.name not in rows]
    with get_context("spawn").Pool(1, physics.ensure_kernels, maxtasksperchild=MODELS_OF_A_PROCESS) as pool:
        for entry, row in zip(entries, pool.imap(partial(_judged, judge, given.budget), entries), strict=True):
            rows[entry.name] = row
            given.json.write_text(json.dumps(rows, indent=1))
            print(told(entry.name, row), flush=True)
    return rows


def _judged(judge: Judge, budget: float, entry: Entry) -> dict:
    """In the other process."""
    return judge(entry, budget)
