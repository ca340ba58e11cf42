"""Table V of the Dojo paper: step and gradient against MuJoCo's step and finite differences: `python -m benchmarks.dojo.table5 [--steps N] [NAME ...]`.

h = 0.01 s, random actions with a seed, each engine along its own motion; medians over the steps of CPU time of one pinned thread, taken in turn. MuJoCo's
derivatives are mjd_transitionFD, forward as the paper counts them, and centred, whose error is of the order of ours. The paper's A1, Panda and X2 are not in the
open corpus: a quadruped with twelve servos, an arm with seven and a quadrotor take their places, so that figures are not the paper's.
"""
from __future__ import annotations

import argparse
import statistics
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import mujoco
import numpy as np

import physics
from benchmarks.dojo.tables import print_table
from benchmarks.measuring import cpu_seconds, machine_load, pin_to_one_core
from physics import hard
from physics.enums import Engine
from physics.hard.gradients import NoWholeStep
from tests.oracle.corpus import corpus_dir

STEP = 0.01      # s
SHARE = 0.2      # of half a control's range, about its middle or the keyframe's value
SEED = 0


class Robot(NamedTuple):
    """The paper's name and figure for its own robot, the file of the open corpus that stands for it."""

    paper: float
    file: str


ROBOTS = {
    "humanoid": Robot(1.16, "mj_humanoid/humanoid.xml"),
    "A1": Robot(4.7, "menagerie_google_barkour_vb/scene.xml"),
    "Panda": Robot(3.5, "menagerie_kuka_iiwa_14/scene.xml"),
    "X2": Robot(17.0, "menagerie_bitcraze_crazyflie_2/scene.xml"),
}


class Times(NamedTuple):
    """CPU time of every step [s]: ours with gradient, ours alone, MuJoCo's step with forward differences, with centred ones; steps without gradient."""

    ours: list[float]
    step: list[float]
    forward: list[float]
    centred: list[float]
    without: int


def actions(low: np.ndarray, high: np.ndarray, middle: np.ndarray, n: int) -> np.ndarray:
    """(n, nu) uniform about `middle`, within the controls' ranges."""
    spread = SHARE * (high - low) / 2
    return np.clip(middle + spread * np.random.default_rng(SEED).uniform(-1.0, 1.0, (n, len(low))), low, high)


def official(path: Path):
    """MuJoCo's model and data at its first keyframe, if it has one."""
    m = mujoco.MjModel.from_xml_path(str(path))
    m.opt.timestep = STEP
    if m.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4:   # of which MuJoCo has no derivatives
        m.opt.integrator = mujoco.mjtIntegrator.mjINT_EULER
    d = mujoco.MjData(m)
    if m.nkey:
        mujoco.mj_resetDataKeyframe(m, d, 0)
    return m, d


def ours(path: Path):
    """Our Model and Data at the first keyframe, if it has one."""
    m = physics.load(path)
    m.opt.timestep, m.opt.engine = STEP, Engine.HARD
    d = physics.Data(m)
    if m.nkey:
        physics.reset(m, d, 0)
    return m, d


def differences(m, d, centred: bool) -> Callable[[], None]:
    """A call of mjd_transitionFD."""
    n = 2 * m.nv + m.na
    a, b = np.zeros((n, n)), np.zeros((n, m.nu))
    return lambda: mujoco.mjd_transitionFD(m, d, 1e-6, centred, a, b, None, None)


def measured(path: Path, steps: int) -> Times:
    """Both along `steps` steps. Raises RuntimeError where a step of ours does not happen, what the engine refuses as it does."""
    (m, d), (om, od) = ours(path), official(path)
    limited = om.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited, om.actuator_ctrlrange[:, 0], -1.0), np.where(limited, om.actuator_ctrlrange[:, 1], 1.0)
    middle = od.ctrl.copy() if om.nkey else (low + high) / 2
    found, without = Times([], [], [], [], 0), 0
    forward, centred = differences(om, od, False), differences(om, od, True)
    for u in actions(low, high, middle, steps):
        d.ctrl[:] = od.ctrl[:] = u
        try:
            gradient = cpu_seconds(lambda: hard.gradients(m, d))
        except NoWholeStep:
            gradient, without = None, without + 1
        before = d.time
        step = cpu_seconds(lambda: physics.step(m, d))
        if not d.time > before:
            raise RuntimeError(f"the step from time {before:g} s did not happen: {physics.step_error(m, d) or d.hard_status}")
        by_forward, by_centred = cpu_seconds(forward), cpu_seconds(centred)
        theirs = cpu_seconds(lambda: mujoco.mj_step(om, od))
        found.step.append(step)
        if gradient is not None:
            found.ours.append(step + gradient)
        found.forward.append(theirs + by_forward)
        found.centred.append(theirs + by_centred)
    return found._replace(without=without)


def row(name: str, steps: int) -> tuple[object, ...]:
    """A line of the table."""
    robot = ROBOTS[name]
    try:
        found = measured(corpus_dir() / robot.file, steps)
    except (physics.ViewOnlyError, RuntimeError, OSError) as error:
        return (name, robot.file, robot.paper, *["-"] * 5, str(error).splitlines()[0][:90])
    both, step, forward, centred = (1e6 * statistics.median(times) for times in found[:4])
    return name, robot.file, robot.paper, f"{both / forward:.2f}", f"{both / centred:.2f}", f"{both:.0f}", f"{step:.0f}", f"{forward:.0f}", f"{found.without} without"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[], help=f"of {', '.join(ROBOTS)}")
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    mujoco.set_mju_user_warning(lambda text: None)
    warnings.simplefilter("ignore")
    physics.compile_kernels()
    physics.ensure_hard()
    pin_to_one_core()
    rows = [row(name, options.steps) for name in options.names or ROBOTS]
    print_table(f"Table V: step + gradient over MuJoCo {mujoco.__version__} + finite differences, {options.steps} steps of {STEP} s (aim 0.5; load {machine_load():.1f})", rows,
                ("robot", "stands for it", "paper", "ours/forward", "ours/centred", "ours [us]", "step [us]", "theirs [us]", "steps without gradient"))


if __name__ == "__main__":
    main()
