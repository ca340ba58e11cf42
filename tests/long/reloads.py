"""Editing without end: `./test.sh --long reloads [--count N] [--json FILE]`.

A bundled model runs at full load while its text is edited again and again: numbers change, bodies come and go, every fifth text is broken.
The simulation must stay alive, keep its time and the pose of what stayed, and neither the process's memory nor its threads may grow.
"""
import argparse
import json
import resource
import sys
import threading
import time
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from editor.live_compile import Request, compile_text
from physics.runtime import commands
from physics.runtime.carry_over import carry_over
from physics.runtime.runner import Runner

EXTRA = '    <body name="extra{i}" pos="{x} 1 1"><freejoint/><geom type="sphere" size=".05"/></body>\n  </worldbody>'
WARM_UP = 20


def edited(text: str, i: int) -> str:
    """The i-th version of a text."""
    if i % 5 == 4:
        return text[: len(text) // 2]
    text = text.replace('timestep="0.004"', f'timestep="{0.003 + 0.001 * (i % 3)}"')
    return text.replace("  </worldbody>", EXTRA.format(i=i % 7, x=0.3 * (i % 7))) if i % 2 else text


def megabytes() -> float:
    """Resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    return pages * resource.getpagesize() / 2**20


def wait_for(runner: Runner, test, seconds: float = 20.0):
    """The first snapshot that passes `test`. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        snapshot = runner.acquire()
        if snapshot is not None and test(snapshot):
            return snapshot
        time.sleep(0.002)
    raise TimeoutError("the simulation did not get there")


def soak(count: int) -> dict:
    """Swap `count` times; what was seen."""
    path = bundled_model("boxes.xml")
    text = path.read_text()
    runner = Runner()
    runner.start()
    runner.kernels_ready()
    runner.send(commands.SwapModel(physics.load(path), run=True))
    runner.send(commands.SetSpeed(None))
    wait_for(runner, lambda s: s.time > 0.05)
    memory, refused, jumps, events = [], 0, [], []
    for i in range(count):
        result = compile_text(Request(edited(text, i), str(path), str(path.parent)))
        if result.model is None:
            refused += 1
            continue
        before = runner.acquire()
        generation, old_time, old = before.generation, before.time, before.xpos[before.model.id("body", "plank00")].copy()
        runner.send(commands.SwapModel(result.model, carry=carry_over))
        after = wait_for(runner, lambda s, g=generation: s.generation > g)
        if after.time < old_time:
            raise AssertionError(f"time went back at swap {i}: {old_time} to {after.time}")
        jumps.append(float(np.abs(after.xpos[after.model.id("body", "plank00")] - old).max()))
        if not np.isfinite(after.qpos).all():
            raise AssertionError(f"not finite after swap {i}")
        events += [event.text for event in runner.events() if event.kind in ("error", "diverged")]   # a swapped event holds its model
        if i >= WARM_UP:
            memory.append(megabytes())
    alive = runner.alive
    runner.stop()
    first, last = np.median(memory[: len(memory) // 4 or 1]), np.median(memory[-(len(memory) // 4 or 1):])
    return {"swaps": len(jumps), "refused": refused, "largest_jump_m": max(jumps), "alive": alive, "errors": events[:5], "threads": threading.active_count(),
            "memory_mb": {"early": float(first), "late": float(last)}}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--json", type=Path, default=Path("reloads.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    found = soak(chosen.count)
    chosen.json.write_text(json.dumps(found, indent=1))
    print(found)
    grown = found["memory_mb"]["late"] - found["memory_mb"]["early"]
    return 0 if found["alive"] and not found["errors"] and grown < 50 else 1


if __name__ == "__main__":
    sys.exit(main())
