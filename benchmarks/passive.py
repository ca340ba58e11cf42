"""What a window beside a script costs the script: `python -m benchmarks.passive [--model FILE] [--seconds S] [--json FILE]`.

A loop as people write it (step, sync, sleep until real time) with linkwork.launch_passive; how long `sync` takes in it, wall time and processor time of that
thread, how much processor time the script's other threads take, and how long until a state is shown.
"""
import argparse
import json
import os
import statistics
import time
from pathlib import Path

import linkwork
from assets.locate import bundled_model
from benchmarks.measuring import machine_load

LOOKS = 20      # at how old what is shown is


def measure(path: Path, seconds: float) -> dict:
    """us of a sync (median, 99 of 100), share of a core that the script's threads take for the window, and ms until a state is shown."""
    m = linkwork.load(path)
    d = linkwork.Data(m)
    wall, own = [], []
    with linkwork.launch_passive(m, d) as viewer:
        for _ in range(200):
            linkwork.step(m, d)
            viewer.sync()
        begun, all_threads, this = time.perf_counter(), time.process_time(), time.thread_time()
        while time.perf_counter() - begun < seconds:
            start = time.perf_counter()
            linkwork.step(m, d)
            before, at = time.thread_time(), time.perf_counter()
            viewer.sync()
            wall.append(time.perf_counter() - at)
            own.append(time.thread_time() - before)
            time.sleep(max(0.0, m.opt.timestep - (time.perf_counter() - start)))
        passed = time.perf_counter() - begun
        beside = (time.process_time() - all_threads) - (time.thread_time() - this)
        ages = [_age(viewer, m, d) for _ in range(LOOKS)]
    wall.sort()
    return {"sync_us": 1e6 * statistics.median(wall), "sync_us_99": 1e6 * wall[int(0.99 * len(wall))], "own_us": 1e6 * statistics.median(own),
            "syncs_per_second": len(wall) / passed,
            "threads_beside": beside / passed, "shown_ms": 1e3 * statistics.median(ages)}


def _age(viewer, m, d) -> float:
    """Seconds from a sync until the window has that state."""
    linkwork.step(m, d)
    viewer.sync()
    begun = time.perf_counter()
    while viewer.figures()["time"] != d.time:
        pass
    return time.perf_counter() - begun


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = {"model": arguments.model.name, "cpus": os.cpu_count(), "load": machine_load(), **measure(arguments.model, arguments.seconds)}
    print(f"{figures['model']}: sync {figures['sync_us']:.0f} us (99 of 100: {figures['sync_us_99']:.0f} us; "
          f"{figures['own_us']:.0f} us of processor time), {figures['syncs_per_second']:.0f} a second; "
          f"the script's other threads take {100 * figures['threads_beside']:.1f} % of a core; a state is there after {figures['shown_ms']:.1f} ms")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
