"""What companion runs cost the primary: `python -m benchmarks.companions [--model FILE] [--seconds S] [--window] [--json FILE]`.

The primary runs at 100 % of real time, in turn without companions and with four, of which three differ in something and all have 10 quantities traced. Told are the
primary's real speed, processor time per step and the longest gap between two published states; how far companions are behind [ms of simulated time]; and what the whole
process takes of a core.
--window: the same in the program's window with its pictures (as benchmarks.window), then also pictures a second. On two cores: run it under `taskset -c 0,1`.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

import physics
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from benchmarks.trace import scalars
from physics.runtime import commands
from physics.runtime.companions.companions import MOST, Companions
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

SECONDS, ROUNDS, LOOK = 10.0, 3, 0.02
CHANGES = ((), (commands.SetOption("timestep", 0.002),), (commands.SetOption("gravity", (0.0, 0.0, -5.0)),), (commands.SetOption("solver", 1),))


class Looked:
    """Figures of one stretch of time, taken every LOOK seconds."""

    def __init__(self, runner: Runner):
        self._runner = runner
        self.speeds, self.costs, self.lags, self.gaps, self.shares = [], [], [], [], []
        self.begin()

    def begin(self) -> None:
        """What was before is no gap."""
        self._number, self._since = -1, time.perf_counter()
        self._used = time.process_time(), self._since

    def end(self) -> None:
        """Note the processor time since `begin`, as a share of a core."""
        self.shares.append((time.process_time() - self._used[0]) / (time.perf_counter() - self._used[1]))

    def look(self, companions) -> None:
        """Take them now."""
        snapshot, at = self._runner.acquire(), time.perf_counter()
        self.speeds.append(snapshot.real_speed)
        self.costs.append(snapshot.step_us)
        if snapshot.number != self._number:
            if self._number >= 0:
                self.gaps.append(at - self._since)
            self._number, self._since = snapshot.number, at
        self.lags += [one.state.lag for one in companions]

    def figures(self) -> dict:
        """What is told of them."""
        tail = len(self.speeds) // 4    # the beginning is another thing
        found = {"real_speed": statistics.median(self.speeds[tail:]), "slowest": min(self.speeds[tail:]), "step_us": statistics.median(self.costs[tail:]),
                 "gap_ms": 1e3 * max(self.gaps), "share_of_core": statistics.median(self.shares)}
        if self.lags:
            found |= {"lag_ms": 1e3 * statistics.median(self.lags), "lag_max_ms": 1e3 * max(self.lags[len(self.lags) // 4:])}
        return found


def wait(seconds: float, looked: Looked, companions, turn=time.sleep) -> None:
    """Let so much time pass."""
    end = time.perf_counter() + seconds
    looked.begin()
    while time.perf_counter() < end:
        turn(LOOK)
        looked.look(companions)
    looked.end()


def begin(companions: Companions, texts) -> tuple:
    """Four, running."""
    companions.trace(texts)
    started = tuple(companions.start_live(CHANGES[k % len(CHANGES)]) for k in range(MOST))
    while not all(one.state.status == "running" for one in started):
        time.sleep(LOOK)
    return started


def measure(model: Path, seconds: float) -> dict:
    """Without a window."""
    runner = Runner(Simulation())
    runner.start()
    m = physics.load(model)
    runner.send(commands.SwapModel(m))
    runner.send(commands.SetTrace(scalars(m)))
    runner.send(commands.Run())
    companions, alone, beside = Companions(runner), Looked(runner), Looked(runner)
    time.sleep(1.0)
    for _ in range(ROUNDS):
        wait(seconds, alone, ())
        started = begin(companions, scalars(m))
        wait(seconds, beside, started)
        companions.stop(wait=True)
    runner.stop()
    return {"model": model.stem, "alone": alone.figures(), "with four": beside.figures(), "load": machine_load()}


def begin_in_window(window) -> list:
    """Four rows of a window (CompanionRow), running and shown as ghosts."""
    rows = [window.application.companions.start() for _ in range(MOST)]
    window.run(30.0, lambda: all(row.snapshot is not None for row in rows))
    for row, changes in zip(rows, CHANGES, strict=True):
        for command in changes:
            row.companion.change(command)
    return rows


def measure_window(model: Path, seconds: float) -> dict:
    """In the program's window."""
    from benchmarks.real_window import RealWindow

    window = RealWindow()
    window.open(model)
    application = window.application
    runner, controller = application.runner, application.companions
    alone, beside = Looked(runner), Looked(runner)
    fps = {"alone": [], "with four": []}
    for _ in range(ROUNDS):
        window.viewport.frame_times = pictures = []
        wait(seconds, alone, (), window.run)
        fps["alone"].append(len(pictures) / seconds)
        rows = begin_in_window(window)
        window.viewport.frame_times = pictures = []
        wait(seconds, beside, [row.companion for row in rows], window.run)
        fps["with four"].append(len(pictures) / seconds)
        controller.stop_all()
        window.run(0.5)
    window.viewport.frame_times = None
    window.close()
    found = {"model": model.stem, "window": True, "alone": alone.figures(), "with four": beside.figures(), "load": machine_load()}
    for name, values in fps.items():
        found[name]["fps"] = statistics.median(values)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--window", action="store_true")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    found = (measure_window if chosen.window else measure)(chosen.model, chosen.seconds)
    for name, value in found.items():
        print(name, {key: round(one, 3) for key, one in value.items()} if isinstance(value, dict) else value)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
