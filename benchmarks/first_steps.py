"""What a step costs while the rest of the kernels is still being compiled: `python -m benchmarks.first_steps [MODEL]`.

The same run with the kernels alone that the model can reach (the others stubs, as in a first start) and with all, alternately in one process
under the same load: processor time of the simulation per step, in chunks of 1, 10 and 100 steps, median of 25 pairs. Both must end in the same bits.
"""
import json
import statistics
import sys
import time

import numpy as np

import physics
from assets.locate import bundled_model
from physics.runtime import commands
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.simulate import reach
from tests.physics.simulate import partial_engine

PAIRS, STEPS, SETTLE = 25, 400, 300


def measured(m, chunk: int) -> tuple[float, np.ndarray]:
    """Microseconds of processor time per step after some steps, and where they have led."""
    sim = Simulation(ready=True)
    perform(sim, commands.SwapModel(m))
    sim.set_running(True)
    sim.take(SETTLE)
    begun = time.thread_time()
    for _ in range(STEPS // chunk):
        sim.take(chunk)
    return 1e6 * (time.thread_time() - begun) / STEPS, sim.data.qpos.copy()


def main() -> int:
    files = partial_engine.objects()
    m = physics.load(sys.argv[1] if len(sys.argv) > 1 else bundled_model("humanoid.xml"))
    needed = reach.reachable(m)
    for chunk in (1, 10, 100):
        rows = []
        for _ in range(PAIRS):
            whole, end = measured(m, chunk)
            with partial_engine.only(files, needed):
                part, others = measured(m, chunk)
            if not np.array_equal(end, others):
                raise RuntimeError("the runs differ")
            rows.append((whole, part))
        print(json.dumps({"chunk": chunk, "all_us": round(statistics.median(w for w, _ in rows), 2), "first_us": round(statistics.median(p for _, p in rows), 2),
                          "ratio": round(statistics.median(p / w for w, p in rows), 3)}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
