"""An electric fence: `./test.sh --long fence [--models N] [--first SEED] [--minutes M] [--json FILE]`.

Every array of Model and Data lies between unreadable pages (fenced.py), once with its end flush against one and once with its start, and Data
begins with the least room so that it grows on the way. In it composed models (composed.py), the bundled ones, and those of the corpus where it is
there, are stepped with random solvers, integrators, cones, Jacobians and flags, from random states; then forward, inverse dynamics, sensors, and
what can be asked of a state. Each runs in a child process, so that an access outside an array, which ends it, is known by its model. `outside`
counts those; start again with --first to go on where a run ended.
"""
from __future__ import annotations

import argparse
import faulthandler
import json
import random
import select
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import physics
from tests.long.composed import composed, options
from tests.long.fenced import fence, refence
from tests.oracle.corpus import REPOSITORY, corpus_dir

MODELS = 5_000
STEPS = 8
BATCH = 100
SECONDS_PER_MODEL = 120
LARGEST_TEXT = 200_000   # bytes of a file's text
MOST_DOFS = 400
SIDES = ("end", "start")


def files() -> list[Path]:
    """Bundled models and those of the corpus."""
    found = sorted((REPOSITORY / "models").glob("*.xml"))
    for folder in (corpus_dir(), corpus_dir().parent / "repro", corpus_dir().parent / "scaling"):
        if folder.exists():
            found += sorted(path for path in folder.rglob("*.xml") if path.stat().st_size < LARGEST_TEXT)
    return found


def model_of(seed: int, listed: list[Path]) -> physics.Model | None:
    """The model of a seed: the files come first, then composed ones; None where it is none, or too large."""
    rng = random.Random(seed)
    try:
        if seed < len(listed):
            m = physics.load(listed[seed])
        else:
            m = physics.load_string(composed(seed).replace("<mujoco>", "<mujoco>" + options(rng), 1))
    except physics.ModelError:
        return None
    return None if m.view_only or m.nv > MOST_DOFS else m


def exercise(m: physics.Model, seed: int) -> None:
    """Steps from a random state, then everything that is asked of one. What the engine refuses by an exception is no access outside."""
    rng = np.random.default_rng(seed)
    d = physics.Data(m, maxcon=1, maxefc=1, maxJ=8, maxH=8)
    try:
        if m.nkey and rng.random() < .3:
            physics.set_keyframe(m, d, 0)
        if rng.random() < .5:
            d.qpos[:] = physics.integrate_pos(m, d.qpos, .2 * rng.normal(size=m.nv))
        d.qvel[:] = rng.choice([0, .1, 2]) * rng.normal(size=m.nv)
        d.ctrl[:] = rng.normal(size=m.nu)
        for _ in range(STEPS):
            physics.step(m, d)
        physics.step(m, d, STEPS)
        physics.forward(m, d)
        physics.inverse(m, d)
        ask(m, d, rng)
        if m.nv < 30:
            physics.transition_fd(m, d)
    except (ArithmeticError, ValueError):
        return


def ask(m: physics.Model, d: physics.Data, rng) -> None:
    """Queries of a state."""
    physics.full_m(m, d)
    physics.solve_m(m, d, rng.normal(size=m.nv))
    body = int(rng.integers(m.nbody))
    physics.jac(m, d, rng.normal(size=3), body)
    physics.jac_dot(m, d, rng.normal(size=3), body)
    physics.angmom_mat(m, d, body)
    physics.object_velocity(m, d, "body", body)
    physics.object_acceleration(m, d, "body", body)
    physics.ray(m, d, rng.normal(size=3), rng.normal(size=3))
    for c in range(min(d.ncon, 3)):
        physics.contact_force(m, d, c)
    if m.ngeom > 1:
        one, two = rng.choice(m.ngeom, 2, replace=False).tolist()
        physics.geom_distance(m, d, one, two)


def worker(first: int, count: int) -> int:
    """Run seeds; a line before each side of each, and one after, so that one that ends the process is known."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    physics.ensure_kernels()
    listed = files()
    for seed in range(first, first + count):
        what = "no model"
        for side in SIDES:
            print(json.dumps([seed, "begun", side]), flush=True)
            try:
                fence(side)
                m = model_of(seed, listed)
                if m is None:
                    break
                refence(m, side)
                exercise(m, seed)
                what = "ran"
            except Exception as error:
                what = f"{type(error).__name__}: {str(error)[:200]}"
                break
        print(json.dumps([seed, what, ""]), flush=True)
    return 0


def run(first: int, count: int) -> Iterator[tuple[int, str, str]]:
    """(seed, 'ran', 'no model', 'outside', 'hangs' or an exception, what is known of it) of each, from child processes that are replaced where they end."""
    seed, end = first, first + count
    while seed < end:
        child = subprocess.Popen([sys.executable, "-m", "tests.long.fence", "--worker", str(seed), str(end - seed)], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        side = None
        while seed < end:
            ready, _, _ = select.select([child.stdout], [], [], SECONDS_PER_MODEL)
            line = child.stdout.readline() if ready else ""
            if not line:
                child.kill()
                _out, traceback = child.communicate()
                if side is None:
                    raise RuntimeError(f"the child process ended with {child.returncode} before its first model: {traceback[-500:]}")
                outside = child.returncode in (-signal.SIGSEGV, -signal.SIGBUS)
                yield seed, "outside" if outside else "hangs" if not ready else f"ended with {child.returncode}", f"{side}: {_where(traceback)}"
                seed += 1
                break
            _seed, what, said = json.loads(line)
            if what == "begun":
                side = said
                continue
            yield seed, what, said
            seed += 1
        if child.poll() is None:
            child.kill()
        child.communicate()


def _where(traceback: str) -> str:
    """The innermost lines of what faulthandler wrote."""
    return " < ".join(line.strip() for line in traceback.splitlines() if line.strip().startswith("File"))[:400]


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=MODELS)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("fence.json"))
    parser.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.worker:
        return worker(*chosen.worker)
    seed, models, found, end = chosen.first, 0, [], time.monotonic() + 60 * chosen.minutes
    while models < chosen.models and time.monotonic() < end:
        for at, what, said in run(seed, BATCH):
            models += what != "no model"
            if what not in ("ran", "no model"):
                found.append({"seed": at, "what": what, "where": said})
                print(f"seed {at}: {what}: {said}", flush=True)
        seed += BATCH
        outside = sum(row["what"] == "outside" for row in found)
        chosen.json.write_text(json.dumps({"models": models, "outside": outside, "next": seed, "found": found}, indent=1))
    print(f"{models} models, {sum(row['what'] == 'outside' for row in found)} accesses outside, {len(found)} findings in all")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
