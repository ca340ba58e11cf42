"""How long a device's sample takes to a published Snapshot, and what junk costs: `python -m benchmarks.teleop [--model FILE] [--seconds S] [--only chain|ik] [--json FILE]`.

A source sends samples at the rate of a pad (250 Hz) into the hub, which drives a mocap body of a model that runs at 100 % of real time. Told are the parts of the chain [ms], median and
95th percentile, alone and while 10,000 junk messages a second arrive beside them; the pace of the simulation (its own speed, and how often a Snapshot is published) before and under
the junk; what a turn of the hub costs [us], and the share of a core that it takes. Aims: sample to published Snapshot 2 / 4 ms, pace unchanged.

A step of inverse kinematics by itself, for a hand of 30 dofs with five fingertips and for two hands on one waist: time on the clock and of this thread's processor [ms], alone and beside a thread that decodes messages all the time, as
the window or a flood does. What the clock has more than the processor is waiting: for a core that others have, or for Python's lock. Aim: 0.5 ms at the 95th percentile, on the clock where the machine is free, else of the processor.
"""
import argparse
import gc
import json
import threading
import time
from math import cos, sin
from pathlib import Path

import numpy as np

import physics
from app.inputs.hub import Hub
from app.inputs.interpreter_turns import take_short_turns
from app.inputs.latency import spread
from app.inputs.mapping.drive_mapping import DriveMapping, Limits, Mapping
from app.inputs.mapping.proposals import first
from app.inputs.sample import Sample
from assets.locate import bundled_model
from benchmarks.inverse_kinematics import hand
from benchmarks.measuring import machine_load, thread_seconds
from physics.inverse_kinematics.differential import DifferentialIK
from physics.inverse_kinematics.frames import FrameTask
from physics.runtime import commands
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.physics.inverse_kinematics.two_armed import WAIST

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


def steps(m, sites: list[str], seconds: float) -> dict:
    """Steps of 2 ms towards sites that are led around circles of 2 cm, one every 2 ms: times [ms], and how many collections of garbage fell among them."""
    ik = DifferentialIK(m, [FrameTask(site, turn_weight=0.0) for site in sites])
    low, high = m.jnt_range.T
    ik.start(0.6 * low + 0.4 * high)
    places = [ik.pose(k)[0] for k in range(len(sites))]
    collected = []
    gc.callbacks.append(lambda phase, info: collected.append(info["generation"]) if phase == "stop" else None)
    clock, processor, k, end = [], [], 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        way = 0.02 * np.array([cos(0.03 * k) - 1, sin(0.03 * k), 0.5 * sin(0.06 * k)])
        targets = [(place + way, None) for place in places]
        begun, cpu = time.perf_counter(), time.thread_time_ns()
        ik.step(targets, 0.002)
        clock.append(1e3 * (time.perf_counter() - begun))
        processor.append(1e-6 * (time.thread_time_ns() - cpu))
        k += 1
        time.sleep(0.001)
    gc.callbacks.pop()
    first, clock, processor = clock[0], clock[20:], processor[20:]
    rows = {name: {"p50": round(float(np.median(x)), 4), "p95": round(float(np.quantile(x, 0.95)), 4), "p99": round(float(np.quantile(x, 0.99)), 4), "most": round(max(x), 4)} for name, x in (("clock", clock), ("processor", processor))}
    return {"dofs": len(ik.q), "first_ms": round(first, 3), "steps": len(clock), "collections": len(collected), **rows}


def measure_ik(seconds: float) -> list[dict]:
    """Both mechanisms, alone and beside a thread that holds Python's lock whenever it can."""
    found = []
    for name, m, sites in (("hand of 30 dofs, five fingertips", physics.load_string(hand()), [f"tip{k}" for k in range(5)]), ("two hands on one waist", physics.load_string(WAIST), ["left_hand", "right_hand"])):
        for busy in (False, True):
            end, text = threading.Event(), json.dumps({"p": [0.1] * 3000})

            def decode(end=end, text=text) -> None:
                while not end.is_set():
                    json.loads(text)

            beside = threading.Thread(target=decode, daemon=True)
            if busy:
                beside.start()
            found.append({"ik": name, "beside": "a busy thread" if busy else "nothing", **steps(m, sites, seconds)})
            end.set()
            if busy:
                beside.join()
            print(json.dumps(found[-1]), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, action="append")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", choices=("chain", "ik"))
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    take_short_turns()      # as the program does
    rows = measure_ik(chosen.seconds / 2) if chosen.only != "chain" else []
    for path in [] if chosen.only == "ik" else chosen.model or [bundled_model("mocap_paddle.xml"), bundled_model("arm.xml")]:
        rows.append(measure(path, chosen.seconds))
        print(json.dumps(rows[-1], indent=1), flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "load": machine_load()}, indent=1))


if __name__ == "__main__":
    main()
