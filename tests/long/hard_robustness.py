"""A box thrown onto the floor under the hard engine, again and again in nine families: `./test.sh --long hard_robustness [--steps 132500] [--json FILE] [--seed N]`.

The families vary one thing each about a box of 1 kg and 0.5 m under mu 0.5: its mass, friction, size, speed and the time step. Every throw has a pose and velocities of
its own and lasts two seconds, or as many steps as its family has left. Told for each: first attempts of a solve that did not end, steps that were not taken after all that is
tried (halves of the step included), the deepest overlap by the collision test of the state, and counts of iterations, halvings and looks. Exits 1 where a step was not taken
or an overlap is deeper than WORST.

Source of the families: our own, after Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", whose drops of a box these are.
"""
import argparse
import json
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine

STEPS = 132_500
WORST = 1e-6        # m
THROW = 2.0         # s
SEEN = 5            # steps between two looks at the overlap


class Family(NamedTuple):
    """A box: mass [kg], friction, edge [m], factor on its speed, time step [s]; share: of the steps."""

    name: str
    share: float
    mass: float = 1.0
    mu: float = 0.5
    edge: float = 0.5
    speed: float = 1.0
    timestep: float = 0.01


FAMILIES = (
    Family("as it is", 15 / 132.5), Family("50 g", 15 / 132.5, mass=0.05), Family("100 kg", 15 / 132.5, mass=100.0), Family("mu 1.5", 15 / 132.5, mu=1.5), Family("mu 3", 15 / 132.5, mu=3.0),
    Family("edge of 5 cm", 15 / 132.5, edge=0.05), Family("four times the speed", 15 / 132.5, speed=4.0), Family("10 Hz", 2.5 / 132.5, timestep=0.1), Family("1000 Hz", 25 / 132.5, timestep=0.001),
)


def scene(family: Family) -> physics.Model:
    """The box above the floor, moved by the hard engine."""
    half = 0.5 * family.edge
    m = physics.load_string(f"""<mujoco><option timestep="{family.timestep}"/><worldbody><geom type="plane" size="50 50 .1" friction="{family.mu}"/>
      <body><freejoint/><geom type="box" size="{half} {half} {half}" mass="{family.mass}" friction="{family.mu}"/></body></worldbody></mujoco>""")
    m.opt.engine = Engine.HARD
    return m


def throw(d: physics.Data, family: Family, rng: np.random.Generator) -> None:
    """Any pose clear of the floor, and velocities to match."""
    physics.reset(d.model, d)
    turn = rng.normal(size=4)
    d.qpos[:] = (0, 0, family.edge * (1.0 + rng.uniform()), *(turn / np.linalg.norm(turn)))
    d.qvel[:3] = family.speed * rng.uniform(-2, 2, 3)
    d.qvel[3:] = family.speed * rng.uniform(-4, 4, 3)


def judge(family: Family, steps: int, seed: int) -> dict:
    """Throw the box until so many steps were asked for."""
    rng, m = np.random.default_rng(seed), scene(family)
    d, judged = physics.Data(m), Judge(m)
    row = {"steps": 0, "restarted": 0, "not_taken": 0, "coarse": 0, "halved": 0, "halvings": 0, "looks": 0, "iterations": 0, "most_iterations": 0, "stuck": 0, "eased": 0, "overlap": 0.0}
    while row["steps"] < steps:
        throw(d, family, rng)
        for k in range(min(steps - row["steps"], round(THROW / family.timestep))):
            row["steps"] += 1
            taken = physics.step(m, d, autoreset=False)
            row["restarted"] += d.hard_nrestart > 0
            row["halvings"] += d.hard_halved
            row["looks"] += d.hard_looked
            row["iterations"] += d.hard_niter
            row["most_iterations"] = max(row["most_iterations"], d.hard_niter)
            if not taken:
                row["not_taken"] += 1
                break
            if k % SEEN == 0:
                row["overlap"] = max(row["overlap"], judged.look(d).overlap)
        for name in ("coarse", "halved", "stuck", "eased"):
            row[name] += int(getattr(d, f"hard_n{name}"))
    return row


def main() -> int:
    """Run the families; print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=STEPS, help="of all families together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, default=Path("hard_robustness.json"))
    given = parser.parse_args()
    physics.ensure_kernels()
    rows = {}
    for k, family in enumerate(FAMILIES):
        row = rows[family.name] = judge(family, max(1, round(given.steps * family.share)), given.seed + k)
        given.json.write_text(json.dumps({"asked": given.steps, "seed": given.seed, "families": rows}, indent=1))
        print(f"{family.name}: {row['steps']} steps, first attempts failed {row['restarted']}, not taken {row['not_taken']}, coarse {row['coarse']}, halved {row['halved']} ({row['halvings']} halvings), "
              f"looks {row['looks']}, stuck {row['stuck']}, eased {row['eased']}, iterations {row['iterations'] / row['steps']:.2f} a step, at most {row['most_iterations']}; "
              f"overlap {1e6 * row['overlap']:.3g} um", flush=True)
    total = {key: sum(row[key] for row in rows.values()) for key in ("steps", "restarted", "not_taken", "coarse", "halved", "halvings", "looks", "iterations")}
    worst = max(row["overlap"] for row in rows.values())
    print(f"all: {total['steps']} steps, first attempts failed {total['restarted']}, not taken {total['not_taken']}, coarse {total['coarse']}, halved {total['halved']}, looks {total['looks']}, "
          f"iterations {total['iterations'] / total['steps']:.2f} a step; overlap {1e6 * worst:.3g} um")
    return int(total["not_taken"] > 0 or worst > WORST)


if __name__ == "__main__":
    sys.exit(main())
