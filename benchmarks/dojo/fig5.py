"""Figure 5, a box that slides under the exact friction cone: `python -m benchmarks.dojo.fig5`.

A box of edge 0.5 m is dropped by 0.25 m at 4 m/s and 0.8 m/s along two axes onto a plane with friction 0.25; step 10 ms. Friction along the
velocity keeps it on its line, so that what it drifts sideways and turns is the error of the cone. The official engine runs the same box under its
pyramidal and its elliptic cone (RK4, as in the repository's examples/mujoco_benchmark on branch rss2022, whose results are quoted).
"""
from __future__ import annotations

import math

import mujoco
import numpy as np

import physics
from benchmarks.dojo.hard_run import hard_model, run_steps
from benchmarks.dojo.tables import print_table

VELOCITY = np.array([4.0, 0.8, 0.0])
BOX = """<mujoco><option timestep="0.01" {option}/><worldbody><geom type="plane" size="0 0 1" friction="0.25"/>
<body pos="0 0 .5"><freejoint/><geom type="box" size=".25 .25 .25" {mass} friction="0.25"/></body></worldbody></mujoco>"""
SECONDS, OFFICIAL_SECONDS = 4.0, 3.0


def drift(qpos: np.ndarray) -> tuple[float, float, float]:
    """(along the first velocity [m], sideways [m], yaw [degrees]) of a free body that began at the origin."""
    along = VELOCITY / np.linalg.norm(VELOCITY)
    yaw = math.degrees(2 * math.atan2(qpos[6], qpos[3]))
    return float(along @ qpos[:3]), float(along[0] * qpos[1] - along[1] * qpos[0]), yaw


def ours(tolerance: float) -> tuple[tuple[float, float, float], object]:
    """drift, and how the steps fared."""
    m = hard_model(BOX.format(option="", mass='mass="1"'), tolerance)
    d = physics.Data(m)
    d.qvel[:3] = VELOCITY
    fared = run_steps(m, d, round(SECONDS / 0.01))
    return drift(d.qpos), fared


def official(cone: str) -> tuple[float, float, float]:
    """The same box by the official engine."""
    m = mujoco.MjModel.from_xml_string(BOX.format(option=f'integrator="RK4" cone="{cone}"', mass='density="5"'))
    d = mujoco.MjData(m)
    d.qvel[:3] = VELOCITY
    mujoco.mj_step(m, d, round(OFFICIAL_SECONDS / 0.01))
    return drift(d.qpos)


def main() -> None:
    """Print the table."""
    rows = []
    for tolerance in (1e-8, 1e-6):
        (along, aside, yaw), fared = ours(tolerance)
        rows += [(f"exact cone, tolerance {tolerance:g}: travel [m]", None, None, along), ("  sideways [m]", "0", None, f"{aside:.1e}"),
                 ("  yaw [degrees]", "0", None, f"{yaw:.1e}"), ("  iterations", None, None, str(fared)), ("  coarse, halved, failed steps", None, None, fared.counts)]
    for cone, aside, yaw in (("pyramidal", 0.598, None), ("elliptic", -0.0025, -3.4)):
        found = official(cone)
        rows += [(f"official engine {mujoco.__version__}, {cone}: sideways [m]", "drifts", aside, found[1]), ("  yaw [degrees]", None, yaw, found[2])]
    print_table("Figure 5: drift of a sliding box from its line (aim: below 1e-6 m and 1e-5 degrees)", rows)


if __name__ == "__main__":
    main()
