"""Random actuators (tests/physics/compiler/random_elements) at random states: the actuators' fields of both engines, and a few steps.

`python -m tests.physics.engine.random_actuators --count 500 --seed 0` prints each model whose fields differ.
"""
import argparse
import random
import sys

import mujoco
import numpy as np

import physics
from tests.physics.compiler.compared import official, ours
from tests.physics.compiler.random_elements import case
from tests.physics.engine.oracle_model import rel

FIELDS = ("actuator_length", "actuator_velocity", "actuator_force", "act_dot", "qfrc_actuator", "qfrc_smooth")
STATE = ("qpos", "qvel", "act", "ctrl", "qfrc_applied", "mocap_pos", "mocap_quat", "qacc_warmstart")
INTEGRATORS = ("Euler", "implicitfast", "implicit", "RK4")


def pair(seed: int, integrator: str = "Euler"):
    """(official model, ours) of a random model that both accept and that can be simulated, else None."""
    text = case("actuator", seed).replace(' adhesion="2"', "").replace('<pair name="pa" geom1="ga" geom2="gf"/>', "")
    text = text.replace("<mujoco>", f'<mujoco><option integrator="{integrator}" tolerance="0" ls_tolerance="0"/>', 1)
    theirs, mine = official(text), ours(text)
    if isinstance(theirs, str) or isinstance(mine, str) or mine.view_only:
        return None
    mine.actuator_lengthrange[:] = theirs.actuator_lengthrange  # found by simulation, good to about 1e-7
    return theirs, mine


def scatter(mj, mjd, rng) -> None:
    """A random state; activations within what they mean, the odd control out of range."""
    mjd.qpos[:] = mj.qpos0 + 0.3 * rng.normal(size=mj.nq)
    mjd.qvel[:] = rng.normal(size=mj.nv) * rng.choice([0.1, 1, 5])
    mjd.act[:] = rng.normal(size=mj.na) * rng.choice([0.3, 1, 4])
    mjd.ctrl[:] = rng.normal(size=mj.nu) * rng.choice([0.5, 1, 5])


def moments(model, data) -> np.ndarray:
    """Moments as a full matrix."""
    dense = np.zeros((model.nout, model.nv))
    for k in range(model.nout):
        at = slice(int(data.moment_rowadr[k]), int(data.moment_rowadr[k]) + int(data.moment_rownnz[k]))
        dense[k, np.ravel(data.moment_colind)[at]] = np.ravel(data.actuator_moment)[at]
    return dense


def worst(mj, m, seed: int, steps: int = 3) -> dict:
    """{field: rel} of the largest differences over a forward pass and a few steps from a random state."""
    rng = np.random.default_rng(seed)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    started = rel(d.ctrl, mjd.ctrl)
    scatter(mj, mjd, rng)
    found = {"start ctrl": started}

    def note(name, a, b):
        found[name] = max(found.get(name, 0.0), rel(a, b))

    note("history", d.history, mjd.history)
    for k in range(steps):
        if k:
            mjd.ctrl[:] = rng.normal(size=mj.nu)
        for name in STATE:
            getattr(d, name)[...] = getattr(mjd, name)
        d.time = mjd.time
        d.history[:] = mjd.history
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        for name in FIELDS:
            note(name, getattr(d, name), getattr(mjd, name))
        note("moment", moments(m, d), moments(mj, mjd))
        mujoco.mj_step(mj, mjd)
        if not physics.step(m, d) or mjd.warning.number.any() or np.abs(mjd.qvel).max() > 100:  # diverges
            break
        for name in ("qvel", "act", "history"):
            note(f"step {name}", getattr(d, name), getattr(mjd, name))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=6)
    parser.add_argument("--bound", type=float, default=1e-9)
    args = parser.parse_args()
    physics.ensure_kernels()
    bad = taken = 0
    for seed in range(args.seed, args.seed + args.count):
        integrator = random.Random(seed).choice(INTEGRATORS)
        both = pair(seed, integrator)
        if both is None:
            continue
        taken += 1
        off = {n: v for n, v in worst(*both, seed).items() if not v <= args.bound}
        if off:
            bad += 1
            if bad <= args.show:
                text = case("actuator", seed)
                print(f"--- {seed} {integrator}: {off}", text[text.index("<default"):text.index("<worldbody>")], text[text.index("<actuator>"):text.index("</actuator>")], sep="\n")
    print(f"{args.count} models, {taken} simulated, {bad} differ by more than {args.bound:g}")
    return bad


if __name__ == "__main__":
    sys.exit(bool(main()))
