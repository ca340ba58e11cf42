"""linkwork replay: a recorded run once more, from its inputs, and whether the same numbers come of it."""
from __future__ import annotations

import sys
import time

from app.headless.models import kernels
from app.headless.outcome import DONE, PROBLEM, Failed
from app.headless.recordings import prepared_recording

CHUNK = 2000    # steps between two looks at the clock
TELL = 1.0      # s between two lines


def command_replay(arguments) -> dict:
    """Do it again; with --check compare every state."""
    from physics.recording import journal
    from physics.runtime.redo import Redo, first_difference, tracks

    with prepared_recording(arguments.recording) as (recording, prepared):
        if recording.inputs_gone or not prepared.ops or prepared.ops[0].kind != journal.INSTALL:
            raise Failed(f"{arguments.recording}: its first inputs are not there, so that it can be shown but not done again")
        kernels()
        redo = Redo(prepared.store.load)
        begun = time.perf_counter()
        simulated = _do(redo, prepared.ops, arguments.speed)
        wall = time.perf_counter() - begun
        steps = sum(map(journal.steps_of, prepared.ops))
        text = f"{steps} steps, {simulated:g} s, done again in {wall:.3g} s ({simulated / wall if wall else 0:.3g} times real time)"
        told = {"steps": steps, "simulated": simulated, "wall": wall, "branches": len(recording.branches)}
        if not arguments.check:
            return {"text": text, **told}
        again = tracks(redo.simulation)
        missing = sorted(set(recording.tracks()) - set(again))
        difference = first_difference(recording.tracks(), again)
    if difference is not None:
        return {"text": f"not the same: {difference}{_why(recording)}", "code": PROBLEM, **told, "same": False,
                "difference": {"branch": difference.branch, "step": difference.step, "time": difference.time, "field": difference.field, "index": difference.index,
                               "recorded": difference.recorded, "again": difference.again}}
    if missing:
        return {"text": f"not the same: branch {missing[0]} does not come about again{_why(recording)}", "code": PROBLEM, **told, "same": False, "missing": missing}
    return {"text": f"bit for bit the same, {steps} steps, {len(recording.branches)} branch{'es' * (len(recording.branches) > 1)}; {text}", "code": DONE, **told, "same": True}


def _do(redo, ops, speed: float | None) -> float:
    """All ops; simulated seconds that passed. speed: simulated seconds per second at most."""
    from physics.recording import journal

    begun, told, passed = time.perf_counter(), time.perf_counter(), 0.0
    for op in ops:
        steps, done = journal.steps_of(op), 0
        while done < max(1, steps):
            part = min(steps - done, CHUNK if speed is None else 20)
            try:
                redo.do([journal.part_of(op, done, part) if steps else op])
            except (LookupError, ValueError, TypeError) as why:
                raise Failed(f"input {op.kind} at {op.time:g} s cannot be done again: {why}") from None
            done += max(1, part)
            if steps:
                passed += part * redo.simulation.model.opt_timestep
            if speed is not None:
                time.sleep(max(0.0, passed / speed - (time.perf_counter() - begun)))
            if time.perf_counter() - told > TELL:
                told = time.perf_counter()
                print(f"{passed:.3f} s simulated", file=sys.stderr)
    return passed


def _why(recording) -> str:
    """What is otherwise here than where it was recorded."""
    from physics.recording.about import about

    here = about()
    others = [f"{name} {recording.about[name]} (here {here[name]})" for name in ("linkwork", "numpy", "numba", "llvmlite", "machine", "processor")
              if recording.about.get(name) and recording.about[name] != here[name]]
    return f"\nIt was recorded with {', '.join(others)}" if others else ""
