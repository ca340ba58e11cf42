"""How long a device's sample takes to a published Snapshot, and what junk costs: `python -m benchmarks.teleop [--model FILE] [--seconds S] [--json FILE]`.

A source sends samples at the rate of a pad (250 Hz) into the hub, which drives a mocap body of a model that runs at 100 % of real time. Told are the parts of the chain [ms], median and
95th percentile, alone and while 10,000 junk messages a second arrive beside them; the pace of the simulation (its own speed, and how often a Snapshot is published) before and under
the junk; what a turn of the hub costs [us], and the share of a core that it takes. Aims: sample to published Snapshot 2 / 4 ms, pace unchanged.
"""
import argparse
import json
import threading
import time
from math import cos, sin
from pathlib import Path

import physics
from app.inputs.hub import Hub
from app.inputs.latency import spread
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.mapping.proposals import first
from app.inputs.sample import Sample
from assets.locate import bundled_model
from benchmarks.measuring import machine_load, thread_seconds
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

RATE, JUNK = 250.0, 10_000.0    # messages per second
BURST = 50                      # junk messages at a time
SOURCE = "script:benchmark"


class Sender:
    """Samples, or junk, from a thread of its own at a rate."""

    def __init__(self, put, rate: float, make, burst: int = 1):
        self._put, self._pause, self._make, self._burst = put, burst / rate, make, burst
        self._end = threading.Event()
        self.sent = 0
        self._thread = threading.Thread(target=self._run, name="sender", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        due = time.perf_counter()
        while not self._end.wait(max(0.0, due - time.perf_counter())):
            due = max(due + self._pause, time.perf_counter() - 1.0)     # catch up for a second at most
            for _ in range(self._burst):
                self.sent += 1
                self._put(self._make(self.sent, time.perf_counter()))

    def stop(self) -> None:
        self._end.set()
        self._thread.join()


def circling(seq: int, now: float) -> Sample:
    """A hand that goes round in a circle of 5 cm."""
    return Sample(SOURCE, "pose", seq, now, now, (0.05 * cos(2 * now), 0.05 * sin(2 * now), 0.0), (1.0, 0.0, 0.0, 0.0))


def junk(seq: int, now: float) -> Sample:
    """What drives nothing: old numbers, no numbers, sources that nobody named."""
    return Sample(f"junk:{seq % 100}", "pose", seq % 7, now, now, (float("nan"), 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), buttons=frozenset([str(seq % 13)]))


def phase(runner: Runner, hub: Hub, seconds: float, noisy: bool) -> dict:
    """Some seconds of driving, with or without junk."""
    counted = []
    runner.bells = (*runner.bells, count := lambda: counted.append(time.perf_counter()))
    other = Sender(hub.put, JUNK, junk, BURST) if noisy else None
    time.sleep(0.5)
    hub.latency.rows.clear()
    counted.clear()
    thread = next(one for one in threading.enumerate() if one.name == "teleoperation")
    cpu, begun, simulated = thread_seconds(thread.native_id), time.perf_counter(), runner.published.time
    junk_before = other.sent if other else 0
    time.sleep(seconds)
    passed = time.perf_counter() - begun
    found = {"junk_per_s": (other.sent - junk_before) / passed if other else 0.0, "simulated_per_s": (runner.published.time - simulated) / passed, "published_per_s": len(counted) / passed,
             "hub_share_of_core": (thread_seconds(thread.native_id) - cpu) / passed, "samples": len(hub.latency.rows)}
    gaps = [b - a for a, b in zip(counted, counted[1:])]
    found["publish_gap_ms"] = _ms(spread(gaps)) if gaps else None
    found["parts_ms"] = {part: _ms(one) for part, one in hub.latency.spread().items()}
    if other:
        other.stop()
    runner.bells = tuple(bell for bell in runner.bells if bell is not count)
    return found


def _ms(one) -> dict:
    return {"p50": round(1e3 * one.p50, 4), "p95": round(1e3 * one.p95, 4)}


def turn_us(hub: Hub) -> float:
    """Mean cost of a turn of the hub by hand, a sample each."""
    n, begun = 2000, time.perf_counter()
    for k in range(n):
        now = time.perf_counter()
        hub.put(circling(10 ** 6 + k, now))
        hub.turn(now, 0.002)
    return 1e6 * (time.perf_counter() - begun) / n


def measure(path: Path, seconds: float) -> dict:
    """All figures of one model."""
    m = physics.load(path)
    runner = Runner(Simulation(ready=True))
    runner.start()
    runner.send(commands.SwapModel(m, run=True))
    hub = Hub(runner, measure=True)
    hub.start()
    mapping = first(m, SOURCE)
    drives = [DriveMapping(one.name, SOURCE, one.kind, one.mocap, one.site, one.body, clutch="always", limits=Limits(speed=2.0)) for one in mapping.drives]
    hub.configure(Mapping(tuple(drives)))
    hub.arm()
    sender = Sender(hub.put, RATE, circling)
    try:
        time.sleep(1.0)
        alone, under_junk = phase(runner, hub, seconds, False), phase(runner, hub, seconds, True)
    finally:
        sender.stop()
        hub.stop()
    found = {"model": path.stem, "drive": [one.kind for one in drives], "alone": alone, "junk": under_junk}
    by_hand = Hub(runner)
    by_hand._reader = 0
    by_hand.configure(Mapping(tuple(drives)))
    by_hand.arm()
    found["turn_us"] = turn_us(by_hand)
    runner.stop()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, action="append")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    rows = []
    for path in chosen.model or [bundled_model("mocap_paddle.xml"), bundled_model("arm.xml")]:
        rows.append(measure(path, chosen.seconds))
        print(json.dumps(rows[-1], indent=1), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "load": machine_load()}, indent=1))


if __name__ == "__main__":
    main()
