"""Table II, how far bodies sink in when Atlas is dropped: `python -m benchmarks.dojo.table2 [--atlas URDF] [--seconds S]`.

Atlas falls by 0.5 m onto a plane at time steps of 0.1, 0.01 and 0.001 s; the figure is the least distance of any of its spheres from the plane, in all
steps. The official engine runs the same model. Also the steps per second of ours; the paper's claim is 65 a second. Without the URDF (atlas.py says
where it is) the humanoid of ours takes its place, which is no figure of the paper.
"""
from __future__ import annotations

import argparse
import time

import mujoco
import numpy as np

import physics
from benchmarks.dojo.atlas import absent, atlas_file, atlas_mjcf, drop
from benchmarks.dojo.hard_run import hard_model, run_steps
from benchmarks.dojo.tables import print_table
from benchmarks.measuring import machine_load
from physics.model.data import Data
from physics.model.model import Model

PAPER = {0.1: (1e-12, "fails"), 0.01: (1e-7, -0.028), 0.001: (8e-6, -0.046)}   # theirs, the official engine's [m]
LEG = """<body pos="0 {y} -.2"><joint axis="0 1 0" damping="2"/><geom type="capsule" size=".07" fromto="0 0 0 0 0 -.35" mass="8"/>
<body pos="0 0 -.4"><joint axis="0 1 0" damping="2"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.35" mass="4"/>
<geom type="sphere" size=".06" pos=".1 0 -.4" mass="1"/><geom type="sphere" size=".06" pos="-.05 0 -.4" mass="1"/></body></body>"""
STANDS_IN = """<mujoco><option timestep="{h}"/><worldbody><geom type="plane" size="0 0 1"/><body pos="0 0 1.6" euler="0 10 5"><freejoint/>
<geom type="sphere" size=".15" mass="20"/>""" + LEG.format(y=0.12) + LEG.format(y=-0.12) + "</body></worldbody></mujoco>"


def least_gap(m: Model, scratch: Data, qpos: np.ndarray) -> float:
    """Least distance of a sphere from the floor [m]."""
    scratch.qpos[:] = qpos
    physics.kinematics(m, scratch)
    spheres = m.geom_type == int(physics.GeomType.SPHERE)
    return float((scratch.geom_xpos[spheres, 2] - m.geom_size[spheres, 0]).min())


def ours(text: str, seconds: float, tolerance: float, atlas: bool) -> tuple[float, object, float]:
    """(least gap [m], how the steps fared, steps a second)."""
    m = hard_model(text, tolerance)
    d, scratch = physics.Data(m), physics.Data(m)
    if atlas:
        drop(m, d)
    steps, gaps = round(seconds / m.opt_timestep), []
    fared = run_steps(m, d, steps, lambda: gaps.append(least_gap(m, scratch, d.qpos)))
    least = min(gaps)
    physics.reset(m, d)
    if atlas:
        drop(m, d)
    begun = time.process_time()
    physics.step(m, d, steps)
    return least, fared, steps / (time.process_time() - begun)


def official(text: str, seconds: float, atlas: bool) -> float | str:
    """Least contact distance of the official engine [m], or that it diverges."""
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    if atlas:
        start = physics.Data(mine := physics.load_string(text))
        drop(mine, start)
        d.qpos[:] = start.qpos
    least = 0.0
    for _ in range(round(seconds / m.opt.timestep)):
        mujoco.mj_step(m, d)
        if d.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            return "diverges"
        least = min(least, d.contact.dist.min(initial=0.0))
    return float(least)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atlas", help="path of Dojo.jl's atlas_simple.urdf")
    parser.add_argument("--seconds", type=float, default=2.5, help="simulated time of a drop")
    options = parser.parse_args()
    mujoco.set_mju_user_warning(lambda text: None)
    file = atlas_file(options.atlas)
    if file is None:
        print(f"{absent()}; a model of ours takes its place, whose figures are not the paper's", flush=True)
    rows = []
    for step, (theirs, engine) in PAPER.items():
        text = atlas_mjcf(file, step) if file else STANDS_IN.format(h=step)
        found = official(text, options.seconds, file is not None)
        for tolerance in (1e-8, 1e-6):
            gap, fared, rate = ours(text, options.seconds, tolerance, file is not None)
            rows.append((f"{step:g} s", f"{tolerance:g}", f"{theirs:+.0e}", f"{gap:+.1e}", str(fared), fared.counts, f"{rate:.0f}", str(engine),
                         found if isinstance(found, str) else f"{found:+.3f}"))
    print_table(f"Table II: least gap [m] of a drop of {options.seconds:g} s (aim: at least -1e-8; load {machine_load():.1f})", rows,
                ("step", "tolerance", "paper", "ours", "iterations", "coarse/halved/failed", "steps a second", "official, paper", f"official {mujoco.__version__}"))


if __name__ == "__main__":
    main()
