"""What a passive viewer kept at 60 snapshots a second costs a script's own loop: `python -m benchmarks.passive_viewer [--model FILE] [--rounds N] [--apart] [--json FILE]`.

The same steps from the same state in turn, as fast as they go: alone; with `viewer.sync()` each 1/60 s while the window's process is held (SIGSTOP), which is what the script's own
process does for it; and with the window running. Of each stretch: wall time, that without the time for which the script's thread could run and had no core (Linux tells), and processor time of the whole process of the script, its
threads with it; figures are medians of the ratios of neighbours. How many snapshots a second arrived is counted in the window's process. On two cores a window that is drawn by software takes what others would have: its wall
time, and through shared caches some of its processor time, tell of the machine; --apart keeps the script on one core and the window on the others, as on a machine with enough of them.
"""
import argparse
import json
import os
import signal
import statistics
import threading
import time
from pathlib import Path

import linkwork
from assets.locate import bundled_model
from benchmarks.measuring import machine_load, median_ratio

PERIOD = 1 / 60     # s between syncs
STRETCH = 1.5       # s of one stretch, about


def waited() -> float:
    """For how long this thread could run and had no core, since it began [s]."""
    return 1e-9 * int(Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text().split()[1])


def stretch(m, d, steps: int, viewer=None) -> dict:
    """Run the steps from the start, syncing where there is a viewer. wall, ran: without waiting for a core, cpu [s]; sync: processor time of the syncs [s]; syncs: how many."""
    linkwork.reset(m, d)
    sync, syncs = 0.0, 0
    wall, cpu, idle = time.perf_counter(), time.process_time(), waited()
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
    passed = time.perf_counter() - wall
    return {"wall": passed, "ran": passed - (waited() - idle), "cpu": time.process_time() - cpu, "sync": sync, "syncs": syncs}


def keep_apart(pid: int) -> None:
    """This process on the last core, with all its threads, the other on the rest."""
    cores = sorted(os.sched_getaffinity(0))
    for process, chosen in ((os.getpid(), cores[-1:]), (pid, cores[:-1])):
        for thread in Path(f"/proc/{process}/task").iterdir():
            os.sched_setaffinity(int(thread.name), chosen)


def measure(path: Path, rounds: int, apart: bool) -> dict:
    """The figures of this file's head."""
    m = linkwork.load(path)
    d = linkwork.Data(m)
    linkwork.compile_kernels()
    began = time.perf_counter()
    stretch(m, d, 2000)
    steps = max(100, int(2000 * STRETCH / (time.perf_counter() - began)))
    alone, held, beside, arrived = [], [], [], []
    with linkwork.launch_passive(m, d) as viewer:
        if apart:
            keep_apart(viewer.pid)
        stretch(m, d, steps, viewer)
        for k in range(rounds):
            for shown in ((False, True) if k % 2 else (True, False)):
                if not shown:
                    os.kill(viewer.pid, signal.SIGSTOP)
                    for rows, seen in ((alone, None), (held, viewer)) if k % 4 < 2 else ((held, viewer), (alone, None)):
                        rows.append(stretch(m, d, steps, seen))
                    os.kill(viewer.pid, signal.SIGCONT)
                    continue
                viewer.sync()
                before = viewer.figures()["states"]
                beside.append(stretch(m, d, steps, viewer))
                arrived.append((viewer.figures()["states"] - before) / beside[-1]["wall"])
    syncs = sum(one["syncs"] for one in beside)
    return {"steps": steps, "rounds": rounds, "own_ratio": median_ratio([one["cpu"] for one in held], [one["cpu"] for one in alone]), "cpu_ratio": median_ratio([one["cpu"] for one in beside], [one["cpu"] for one in alone]),
            "ran_ratio": median_ratio([one["ran"] for one in beside], [one["ran"] for one in alone]), "wall_ratio": median_ratio([one["wall"] for one in beside], [one["wall"] for one in alone]),
            "step_us": 1e6 * statistics.median(one["cpu"] for one in alone) / steps, "sync_us": 1e6 * sum(one["sync"] for one in beside) / syncs,
            "syncs_per_second": statistics.median(one["syncs"] / one["wall"] for one in beside), "snapshots_per_second": statistics.median(arrived),
            "snapshots_least": min(arrived), "alone_wall": [one["wall"] for one in alone], "beside_wall": [one["wall"] for one in beside],
            "alone_cpu": [one["cpu"] for one in alone], "beside_cpu": [one["cpu"] for one in beside]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = {"model": arguments.model.name, "cpus": os.cpu_count(), "load": machine_load(), "apart": arguments.apart, **measure(arguments.model, arguments.rounds, arguments.apart)}
    print(f"{figures['model']}: with the viewer {figures['own_ratio']:.3f} times the script's processor time (window held), {figures['cpu_ratio']:.3f} times (window running), {figures['ran_ratio']:.3f} times its time on a core, {figures['wall_ratio']:.3f} times its wall time ({figures['steps']} steps of "
          f"{figures['step_us']:.0f} us, {figures['rounds']} rounds); {figures['syncs_per_second']:.1f} syncs a second of {figures['sync_us']:.0f} us, "
          f"{figures['snapshots_per_second']:.1f} snapshots a second arrived (least {figures['snapshots_least']:.1f}); {figures['cpus']} cores, load {figures['load']:.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
