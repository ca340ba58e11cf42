"""Numbered cases in child processes that are replaced where they die or hang: the frame of the proofs that attack compiled code.

A proof is a module with `worker(first, count)`, which prints a JSON line [number, "begun", changes] before each case and [number, what came of it,
changes] after it. Start again with --first.
"""
from __future__ import annotations

import argparse
import json
import select
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

BATCH = 400             # cases of one child process
SECONDS_PER_CASE = 60   # [s] before one counts as hanging


def run(module: str, first: int, count: int) -> Iterator[tuple[int, str, list]]:
    """(case, what came of it, its changes) of each. Raises RuntimeError where a child process ends before its first case."""
    number, end = first, first + count
    while number < end:
        stop = min(number + BATCH, end)
        child = subprocess.Popen([sys.executable, "-m", module, "--worker", str(number), str(stop - number)], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, text=True)
        begun: list | None = None
        while number < stop:
            ready, _, _ = select.select([child.stdout], [], [], SECONDS_PER_CASE)
            line = child.stdout.readline() if ready else ""
            if not line:
                child.kill()
                child.wait()
                if begun is None:
                    raise RuntimeError(f"the child process ended with {child.returncode} before its first case")
                yield number, "hangs" if not ready else f"the process died ({child.returncode})", begun
                number += 1
                break
            _number, what, begun = json.loads(line)
            if what != "begun":
                yield number, what, begun
                number += 1
        child.kill()
        child.wait()


def main(module: str, text: str, cases: int, good: Collection[str], worker: Callable[[int, int], int], arguments=None) -> int:
    """The command of a proof: runs so many cases, writes JSON as it goes. good: what may come of a case. The exit status."""
    name = module.rpartition(".")[2]
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path(f"{name}.json"))
    parser.add_argument("--worker", type=int, nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.worker:
        return worker(*chosen.worker)
    counts: Counter = Counter()
    bad = []

    def write(done: int) -> None:
        chosen.json.write_text(json.dumps({"cases": done, **counts, "next": chosen.first + done, "found": bad}, indent=1))

    for number, what, changes in run(module, chosen.first, chosen.cases):
        counts[what if what in good else "bad"] += 1
        if what not in good:
            bad.append({"case": number, "what": what, "changes": changes})
            print(f"case {number}: {what}: {changes}", flush=True)
        if number % BATCH == BATCH - 1:
            write(number + 1 - chosen.first)
    write(chosen.cases)
    print(f"{chosen.cases} cases: {dict(counts)}")
    return 1 if bad else 0
