"""What a passive viewer kept at 60 snapshots a second costs a script's own loop: `python -m benchmarks.passive_viewer [--model FILE] [--rounds N] [--json FILE]`.

The same steps from the same state, in turn without and with the window: `mj_step` as fast as it goes, and in every other stretch `viewer.sync()` each 1/60 s. The window's process is
held (SIGSTOP) while the script runs alone. Of each stretch: wall time, and processor time of the whole process of the script, its threads with it; the figure is the median of the
ratios of neighbours. How many snapshots a second arrived is counted in the window's process.
"""
import argparse
import json
import os
import signal
import statistics
import time
from pathlib import Path

import linkwork
from assets.locate import bundled_model
from benchmarks.measuring import machine_load, median_ratio

PERIOD = 1 / 60     # s between syncs
STRETCH = 1.5       # s of one stretch, about


def stretch(m, d, steps: int, viewer=None) -> dict:
    """Run the steps from the start, syncing where there is a viewer. wall, cpu [s]; sync: processor time of the syncs [s]; syncs: how many."""
    linkwork.reset(m, d)
    sync, syncs = 0.0, 0
    wall, cpu = time.perf_counter(), time.process_time()
    due = wall
    for _ in range(steps):
        linkwork.step(m, d)
        if time.perf_counter() >= due:      # the script alone looks at the clock too
            due += PERIOD
            if viewer is not None:
                began = time.thread_time()
                viewer.sync()
                sync += time.thread_time() - began
                syncs += 1
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "sync": sync, "syncs": syncs}


def measure(path: Path, rounds: int) -> dict:
    """The figures of this file's head."""
    m = linkwork.load(path)
    d = linkwork.Data(m)
    linkwork.compile_kernels()
    began = time.perf_counter()
    stretch(m, d, 2000)
    steps = max(100, int(2000 * STRETCH / (time.perf_counter() - began)))
    alone, beside, arrived = [], [], []
    with linkwork.launch_passive(m, d) as viewer:
        stretch(m, d, steps, viewer)
        for k in range(rounds):
            for shown in ((False, True) if k % 2 else (True, False)):
                if not shown:
                    os.kill(viewer.pid, signal.SIGSTOP)
                    alone.append(stretch(m, d, steps))
                    os.kill(viewer.pid, signal.SIGCONT)
                    continue
                viewer.sync()
                before = viewer.figures()["states"]
                beside.append(stretch(m, d, steps, viewer))
                arrived.append((viewer.figures()["states"] - before) / beside[-1]["wall"])
    syncs = sum(one["syncs"] for one in beside)
    return {"steps": steps, "rounds": rounds, "cpu_ratio": median_ratio([one["cpu"] for one in beside], [one["cpu"] for one in alone]),
            "wall_ratio": median_ratio([one["wall"] for one in beside], [one["wall"] for one in alone]),
            "step_us": 1e6 * statistics.median(one["cpu"] for one in alone) / steps, "sync_us": 1e6 * sum(one["sync"] for one in beside) / syncs,
            "syncs_per_second": statistics.median(one["syncs"] / one["wall"] for one in beside), "snapshots_per_second": statistics.median(arrived),
            "snapshots_least": min(arrived), "alone_wall": [one["wall"] for one in alone], "beside_wall": [one["wall"] for one in beside],
            "alone_cpu": [one["cpu"] for one in alone], "beside_cpu": [one["cpu"] for one in beside]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = {"model": arguments.model.name, "cpus": os.cpu_count(), "load": machine_load(), **measure(arguments.model, arguments.rounds)}
    print(f"{figures['model']}: with the viewer {figures['cpu_ratio']:.3f} times the script's processor time, {figures['wall_ratio']:.3f} times its wall time ({figures['steps']} steps of "
          f"{figures['step_us']:.0f} us, {figures['rounds']} rounds); {figures['syncs_per_second']:.1f} syncs a second of {figures['sync_us']:.0f} us, "
          f"{figures['snapshots_per_second']:.1f} snapshots a second arrived (least {figures['snapshots_least']:.1f}); {figures['cpus']} cores, load {figures['load']:.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
