"""What a run on the disk costs while it goes on: `python -m benchmarks.recording [--model FILE] [--seconds S] [--json FILE]`.

The model runs at 100 % of real time and every step is written, as in the window: left alone, under controls that change ten times a second by chance, and with control noise
(hardest to compress). Told are the share of a core that the writing thread takes, what taking over the rows costs the physics thread once a second [ms], the longest turn of
the writing thread [ms], and megabytes an hour; then how long it takes to make a file of it, and its size.
"""
import argparse
import json
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path

import physics
from app.recordings.recorder import Recorder
from assets.locate import bundled_model
from benchmarks.measuring import machine_load, thread_seconds
from physics.runtime import commands
from physics.runtime.recorded.capture import capture
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

KINDS = ("alone", "controls", "noise")


def measure(path: Path, kind: str, seconds: float, home: Path) -> dict:
    """One way of running."""
    m, sim, r = physics.load(path), Simulation(ready=True), random.Random(0)
    runner = Runner(sim)
    recorder = Recorder(runner, home, print)
    recorder.keep_model(m, {})
    turns, turn = [], recorder._turn

    def timed() -> None:
        begun = time.perf_counter()
        turn()
        turns.append(time.perf_counter() - begun)

    recorder._turn = timed
    runner.start()
    recorder.begin(100_000)
    runner.send(commands.SwapModel(m, run=True))
    if kind == "noise":
        runner.send(commands.SetNoise(0.3, 0.1, 1))
    time.sleep(2.0)
    recorder.flush()
    thread = next(one for one in threading.enumerate() if one.name == "recording")
    size, cpu, begun = recorder.size, thread_seconds(thread.native_id), time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if kind == "controls":
            for k in range(m.nu):
                runner.send(commands.SetCtrl(k, r.uniform(-1, 1)))
        time.sleep(0.1)
    recorder.flush()
    passed = time.perf_counter() - begun
    found = {"kind": kind, "share_of_core": (thread_seconds(thread.native_id) - cpu) / passed, "mb_per_hour": (recorder.size - size) / passed * 3600 / 1e6,
             "turn_ms": 1e3 * statistics.median(turns), "turn_max_ms": 1e3 * max(turns), "real_speed": runner.acquire().real_speed}
    done, answers, file = threading.Event(), [], home / f"{kind}.h5"
    start = time.perf_counter()
    recorder.save(file, {}, lambda share: None, lambda why: (answers.append(why), done.set()))
    done.wait()
    found |= {"save_s": time.perf_counter() - start, "file_mb": file.stat().st_size / 1e6, "why": answers[0]}
    runner.stop()
    costs = []
    for _ in range(100):
        begun = time.perf_counter()
        capture(sim, None)
        costs.append(time.perf_counter() - begun)
    recorder.close()
    return found | {"take_ms": 1e3 * statistics.median(costs)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    rows = []
    for kind in KINDS:
        with tempfile.TemporaryDirectory(prefix="linkwork-") as home:
            rows.append(measure(chosen.model, kind, chosen.seconds, Path(home)))
        print(rows[-1], flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"model": chosen.model.stem, "rows": rows, "load": machine_load()}, indent=1))


if __name__ == "__main__":
    main()
