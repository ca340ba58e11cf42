"""Damaged and made-up models: `./test.sh --long fuzz [--minutes M] [--cases N] [--json FILE] [--first SEED]`.

Takes bundled and corpus models and damages their bytes, text, values and tree (damage.py), makes up models from the language's table
(generate.py), or damages meshes, pictures and skins (damaged_assets.py); the kernels of the compiler are loaded. Nothing but a Model or a
ModelError with places may come out, within ten seconds and two gigabytes. Cases run in a child process, so that a crash is a finding too.
A seed names one case; start again with --first to go on where a run ended.
"""
import argparse
import json
import random
import resource
import select
import signal
import subprocess
import sys
import time
from functools import lru_cache
from pathlib import Path

import physics
from physics.mjcf.reader import read_text
from tests.long.damage import damage
from tests.long.damaged_assets import assets, damaged
from tests.long.generate import model_text
from tests.oracle.corpus import REPOSITORY, corpus_dir

SECONDS_PER_CASE = 10
MEMORY = 2 << 30   # bytes
LARGEST_TEXT = 60_000
BATCH = 250
MADE_UP = 0.25   # share of cases that are made up from the table
ASSETS = 4   # every so manieth seed damages an asset file


@lru_cache(maxsize=1)
def _assets() -> tuple[Path, ...]:
    return tuple(assets())


def sources() -> list[Path]:
    """Files to damage."""
    found = sorted((REPOSITORY / "models").glob("*.xml"))
    if (corpus_dir() / "manifest.json").exists():
        found += sorted(path for kind in ("*.xml", "*.urdf") for path in corpus_dir().rglob(kind) if path.stat().st_size < LARGEST_TEXT)
    return found


def text_of(seed: int, files: list[Path]) -> tuple[str, Path]:
    """The text of one case, and the file whose place it takes."""
    rng = random.Random(seed)
    path = files[seed % len(files)]
    if rng.random() < MADE_UP:
        return model_text(rng), path
    return damage(path.read_text(errors="replace"), rng), path


def case(seed: int, files: list[Path]) -> tuple[str, str]:
    """('model', 'mended' or 'refused', '') or ('broken', what happened) for one seed; mended: a broken asset is replaced where that is asked for."""
    found = _assets() if seed % ASSETS == 0 else ()
    if found:
        rng = random.Random(seed)
        text, held = damaged(rng.choice(found), rng)
        name, folder = "model.xml", None
    else:
        text, path = text_of(seed, files)
        name, folder, held = str(path), str(path.parent), None
    outcome = "model"
    try:
        try:
            physics.compile_root(read_text(text, name, folder, held))
        except physics.ModelError:
            outcome = "mended"
            physics.compile_root(read_text(text, name, folder, held), stand_ins=True)
    except physics.ModelError as error:
        return ("refused", "") if error.issues and all(issue.what for issue in error.issues) else ("broken", "a ModelError without issues")
    except BaseException as error:
        return "broken", f"{type(error).__name__}: {error}"
    return outcome, ""


def worker(first: int, count: int) -> int:
    """Run cases and print one line each: the seed, what came of it, what happened."""
    def too_long(_signal, _frame):
        raise TimeoutError(f"more than {SECONDS_PER_CASE} s")

    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGPROF, too_long)
    files = sources()
    physics.ensure_kernels()
    for seed in range(first, first + count):
        signal.setitimer(signal.ITIMER_PROF, SECONDS_PER_CASE)   # CPU time: other work on the machine is no hang
        outcome, what = case(seed, files)
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps([seed, outcome, what]), flush=True)
    return 0


def batch(first: int, count: int):
    """Rows [seed, outcome, what] of cases in a child process; one that dies or hangs there is broken."""
    seed = first
    while seed < first + count:
        child = subprocess.Popen([sys.executable, "-m", "tests.long.fuzz", "--worker", str(seed), str(first + count - seed)], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        while seed < first + count:
            ready, _, _ = select.select([child.stdout], [], [], 10 * SECONDS_PER_CASE)
            line = child.stdout.readline() if ready else ""
            if not line:
                yield [seed, "broken", "the process died" if ready else "the process hangs"]
                seed += 1
                break
            yield json.loads(line)
            seed += 1
        child.kill()
        child.wait()


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--cases", type=int, default=10**9)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("fuzz.json"))
    parser.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.worker:
        return worker(*chosen.worker)
    files, end, counts, broken = sources(), time.monotonic() + 60 * chosen.minutes, {"model": 0, "mended": 0, "refused": 0, "broken": 0}, []
    seed, last = chosen.first, chosen.first + chosen.cases
    while time.monotonic() < end and seed < last:
        for at, outcome, what in batch(seed, min(BATCH, last - seed)):
            counts[outcome] += 1
            if what:
                broken.append({"seed": at, "file": str(files[at % len(files)]), "what": what})
                print(f"seed {at}: {files[at % len(files)].name}: {what}", flush=True)
        seed += min(BATCH, last - seed)
        chosen.json.write_text(json.dumps({"counts": counts, "next": seed, "broken": broken}, indent=1))
    print(f"{seed - chosen.first} cases: {counts}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
