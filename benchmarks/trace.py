"""What it costs to take numbers of every step: `python -m benchmarks.trace [--model FILE] [--json FILE]`.

Chunks of steps as the window takes them (physics.runtime.simulation), in turn without anything, with ten single numbers, and with a breakpoint; processor time of
one thread, median of the ratios of neighbours. And what the window's side costs: ten curves brought up to date and drawn at 100 % of real time, as a share of a core.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

import physics
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from physics.recording.series import Series
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

ROUNDS, STEPS, CHUNK = 60, 2000, 40
BREAKPOINT = ("time > 1e9",)


def scalars(m) -> tuple[str, ...]:
    """Ten single numbers of different kinds."""
    body, joint = next(name for name in m.names["body"][1:] if name), m.names["joint"][-1]
    return ("qpos[0]", f'qpos["{joint}"]', f'qvel["{joint}"]', "qacc[2]", f'body("{body}").xpos[2]', "ncon", "contact_dist[0]", f'qfrc_bias["{joint}"]', "actuator_force[0]", f'subtree_com["{body}", 2]')


def cost(sim: Simulation) -> float:
    """Processor time per step [us]."""
    begun = time.thread_time()
    for _ in range(STEPS // CHUNK):
        sim.take(CHUNK)
    return 1e6 * (time.thread_time() - begun) / STEPS


def measure(path: Path) -> dict:
    """us per step without anything, and the medians of the ratios to it."""
    m = physics.load(path)
    sim = Simulation()
    perform(sim, commands.SwapModel(m))
    texts = scalars(m)
    sim.take(500)
    plain, with_ten, with_break = [], [], []
    for _ in range(ROUNDS):
        perform(sim, commands.Reset())
        perform(sim, commands.SetTrace(()))
        plain.append(cost(sim))
        perform(sim, commands.Reset())
        perform(sim, commands.SetTrace(texts))
        with_ten.append(cost(sim))
        perform(sim, commands.Reset())
        perform(sim, commands.SetTrace(()))
        perform(sim, commands.SetBreakpoints(BREAKPOINT))
        with_break.append(cost(sim))
        perform(sim, commands.SetBreakpoints(()))
    perform(sim, commands.SetTrace(texts))
    series = [Series(text) for text in texts]
    steps = max(1, round(0.1 / m.opt_timestep))      # between two drawings
    spent = []
    for _ in range(100):
        sim.take(steps)
        begun = time.thread_time()
        view = sim.trace.view()
        for one in series:
            one.know(sim.generation, m)
            one.update(view)
        spent.append(time.thread_time() - begun)
    return {"model": path.stem, "us": statistics.median(plain), "ten_scalars": statistics.median(b / a for a, b in zip(plain, with_ten, strict=True)),
            "one_breakpoint": statistics.median(b / a for a, b in zip(plain, with_break, strict=True)), "series_share_of_core": statistics.median(spent) / 0.1, "load": machine_load()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=bundled_model("humanoid.xml"))
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    found = measure(chosen.model)
    print(found)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
