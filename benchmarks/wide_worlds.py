"""Would four simulations in one vector instruction pay? `python -m benchmarks.wide_worlds [--json FILE]` (docs/scale.md, 'Vectors across worlds').

Kinematics, centres of mass, mass matrix and factor, for humanoid and quadruped: four worlds at once (wide_stages.py) against the engine's kernels for one world after
the other, by stages, all together, and all together with the results put into each world's Data, which contacts and the solver read. CPU time, medians of turns.
"""
import argparse
import json
import statistics
import sys
from functools import partial
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from benchmarks import wide_stages
from benchmarks.measuring import interleaved, machine_load, pin_to_one_core
from benchmarks.wide_stages import BODIES, COM, CRB, FACTOR, POSE
from physics.kernels import load
from physics.model.data import Batch, Data
from physics.model.kernel_buffers import KernelBuffers

MODELS = ("humanoid", "quadruped")
ALL = BODIES | COM | CRB | FACTOR
STAGES = {"bodies": BODIES, "com": COM, "crb": CRB, "factor": FACTOR, "all": ALL}
ROUNDS, TIMES = 25, 400
SETTLE = 200


def prepare(name: str) -> tuple:
    """(Model, four Data in motion, their Batch, the wide arrays at the same states)."""
    m = physics.load(bundled_model(f"{name}.xml"))
    rng, datas = np.random.default_rng(0), []
    for _ in range(4):
        d = Data(m)
        d.qvel[:] = 0.5 * rng.normal(size=m.nv)
        physics.step(m, d, SETTLE)
        physics.forward(m, d)
        datas.append(d)
    room = {"qp_hessian": m.nq, "qp_gradient": POSE * m.nbody, "qp_lo": 6 * m.njnt, "qp_hi": 3 * m.nbody, "qp_x": 10 * m.nbody, "qp_push": 10 * m.nbody, "qp_factor": 6 * m.nv,
            "qp_step": m.nC, "qp_way": m.nC + m.nv}
    a = KernelBuffers(**{field: np.zeros(4 * n) for field, n in room.items()})
    a.qp_hessian[:] = np.array([d.qpos for d in datas]).T.ravel()
    return m, datas, Batch(datas), a


def disagreement(m, datas, batch, a) -> float:
    """The largest difference of M's factor between both ways, as a share of its largest number."""
    wide_stages.single_stages(m, batch, ALL, 1)
    single = np.array([d.qLD for d in datas])
    wide_stages.wide_stages(m, a, batch, ALL, 1, 1)
    return float(np.abs(np.array([d.qLD for d in datas]) - single).max() / np.abs(single).max())


def measure(name: str) -> dict:
    """The row of one model [us for four worlds]."""
    m, datas, batch, a = prepare(name)
    row = {"model": name, "difference": disagreement(m, datas, batch, a)}
    for stage, bit in STAGES.items():
        calls = {"single": partial(wide_stages.single_stages, m, batch, bit, TIMES), "wide": partial(wide_stages.wide_stages, m, a, batch, bit, 0, TIMES)}
        if bit == ALL:
            calls["given"] = partial(wide_stages.wide_stages, m, a, batch, ALL, 1, TIMES)
        took = interleaved(calls, ROUNDS)
        row |= {f"{stage}_{way}_us": 1e6 * statistics.median(times) / TIMES for way, times in took.items()}
    took = interleaved({"step": lambda: physics.step(m, datas[0].copy(), 50), "copy": lambda: datas[0].copy()}, ROUNDS)
    row["step_us"] = 1e6 * (statistics.median(took["step"]) - statistics.median(took["copy"])) / 50
    return row


def main(argv: list[str] | None = None) -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args(argv)
    physics.ensure_kernels()
    load.ensure(("benchmarks.wide_stages",))
    pin_to_one_core()
    rows = [measure(name) for name in MODELS]
    print("| model | stage | one after the other us | four at once us | ratio |\n|---|---|---|---|---|")
    for r in rows:
        for stage in STAGES:
            print(f"| {r['model']} | {stage} | {r[f'{stage}_single_us']:.2f} | {r[f'{stage}_wide_us']:.2f} | {r[f'{stage}_single_us'] / r[f'{stage}_wide_us']:.2f} |")
        saved = (r["all_single_us"] - r["all_given_us"]) / 4
        print(f"| {r['model']} | all, given to each Data | {r['all_single_us']:.2f} | {r['all_given_us']:.2f} | {r['all_single_us'] / r['all_given_us']:.2f} |")
        print(f"{r['model']}: {saved:.2f} us of a step of {r['step_us']:.1f} us ({saved / r['step_us']:.1%}); factors differ by {r['difference']:.0e}")
    print(f"load {machine_load():.1f}")
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows, "load": machine_load()}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
