"""The balance at every dof of every corpus model that moves: `./test.sh --long torque_balance [--only NAME ...] [--budget S] [--json FILE]`.

Each model in its start pose and after half a second with random controls, both as `forward` leaves Data and as a step does. All parts (each actuator, spring, damper, ...,
each constraint element, inertia) must add up to zero: |sum| <= 1e-9 of the largest term of the dof (a part, or what a row of the constraints contributes to one), or of 1 N or N m.

A constraint solver that is stopped early leaves a force over, the gradient that it computed last, which is a part too. Where the model's own options leave more than 1e-9,
how large it is is told, and the same state is solved to the end (tolerance 0, many iterations, Newton's method): then that part must be gone and the sum zero without it.
Exits 1 where a sum is not zero. Restartable: models that the JSON has are not done again.
"""
import sys
import time

import numpy as np

import physics
from physics.diagnostics.torque_balance import EXACT, present_balance, torque_balance
from physics.enums import SOL_NEWTON
from tests.long.corpus_models import arguments, judged, started
from tests.oracle.corpus import Entry

SPAN = 0.5      # s that pass with random controls
MANY = 1000     # iterations of a solver that is to go to the end


def figures(balance) -> dict:
    """Worst sum, relative and absolute, and the largest part."""
    of_part = float(np.max(np.abs(balance.sum) / np.maximum(1.0, balance.largest), initial=0.0))
    return {"relative": balance.error, "of_part": of_part, "absolute": float(np.abs(balance.sum).max(initial=0.0)),
            "largest": float(balance.largest.max(initial=0.0)), "left": balance.left, "parts": len(balance.parts)}


def solved(m, d, scratch) -> dict:
    """The present state with its constraints solved to the end."""
    before = {name: getattr(m, name) for name in ("opt_tolerance", "opt_ls_tolerance", "opt_iterations", "opt_ls_iterations", "opt_solver")}
    m.opt_tolerance, m.opt_ls_tolerance, m.opt_iterations, m.opt_ls_iterations, m.opt_solver = 0.0, 0.0, MANY, MANY, SOL_NEWTON
    try:
        scratch.copy_from(d)
        physics.forward(m, scratch)
        return figures(torque_balance(m, scratch))
    finally:
        for name, value in before.items():
            setattr(m, name, value)


def look(m, d, scratch) -> dict:
    """A state as it stands, and where its sum is not zero, solved to the end."""
    own = present_balance(m, d, second=lambda: scratch)
    row = figures(own) | {"recomputed": own.recomputed, "nefc": int(d.nefc)}
    if own.left > EXACT:
        row["solved"] = solved(m, d, scratch)
    return row


def judge(entry: Entry, budget: float) -> dict:
    """One model: what its sums are in each state."""
    found = started(entry)
    if isinstance(found, str):
        return {"skipped": found}
    m, d = found
    scratch = physics.Data(m)
    if m.nv == 0:
        return {"skipped": "nothing in it can move"}
    rng, begun, steps = np.random.default_rng(0), time.monotonic(), 0
    row = {"nv": int(m.nv), "solver": int(m.opt_solver), "integrator": int(m.opt_integrator), "states": {"start": look(m, d, scratch)}}
    low, high = np.where(m.actuator_ctrllimited[:, None] != 0, m.actuator_ctrlrange, (-1.0, 1.0)).reshape(-1, 2).T if m.nu == m.nactuator else (np.full(m.nu, -1.0), np.ones(m.nu))
    while steps * m.opt_timestep < SPAN and time.monotonic() - begun < budget:
        d.ctrl[:] = rng.uniform(low, high)
        if not physics.step(m, d, autoreset=False):
            break
        steps += 1
    row["steps"], row["seconds"] = steps, steps * float(m.opt_timestep)
    if steps:
        row["states"]["after a step"] = look(m, d, scratch)
        physics.forward(m, d)
        row["states"]["after forward"] = look(m, d, scratch)
    return row


def told(name: str, row: dict) -> str:
    """A line on a model."""
    if "skipped" in row:
        return f"{name}: skipped, {row['skipped']}"
    worst = max(row["states"].items(), key=lambda state: state[1]["relative"])
    text = f"{name}: nv {row['nv']}, {row['seconds']:.3f} s, worst sum {worst[1]['absolute']:.2e} of {worst[1]['largest']:.2e}, relative {worst[1]['relative']:.2e} ({worst[0]})"
    ends = [(state["left"], max(state["solved"]["relative"], state["solved"]["left"])) for state in row["states"].values() if "solved" in state]
    return text + (f"; the solver leaves {max(left for left, _ in ends):.2e}, solved to the end {max(end for _, end in ends):.2e}" if ends else "")


def main() -> int:
    """Judge the models; print the figures."""
    rows = judged(judge, arguments("torque_balance"), told)
    moving = {name: row for name, row in rows.items() if "skipped" not in row}
    states = [(name, which, state) for name, row in moving.items() for which, state in row["states"].items()]
    stopped = [(name, which, state) for name, which, state in states if "solved" in state]
    wrong = [(name, which, state) for name, which, state in states if not state["relative"] <= EXACT]
    wrong += [(name, which, state["solved"]) for name, which, state in stopped if not max(state["solved"]["relative"], state["solved"]["left"]) <= EXACT]
    print(f"{len(moving)} models that move ({len(rows) - len(moving)} skipped), {len(states)} states: "
          f"worst sum {max((state['relative'] for _n, _w, state in states), default=0.0):.2e}, "
          f"absolute {max((state['absolute'] for _n, _w, state in states), default=0.0):.2e} where the largest part is "
          f"{max(states, key=lambda row: row[2]['absolute'])[2]['largest'] if states else 0.0:.2e}")
    print(f"As a share of the largest whole part: {max((state['of_part'] for _n, _w, state in states), default=0.0):.2e}, above {EXACT:g} in "
          f"{', '.join(sorted({name for name, _w, state in states if state['of_part'] > EXACT})) or 'none'}")
    print(f"{len(stopped)} states of {len({name for name, _w, _s in stopped})} models whose own options stop the solver early: it leaves up to "
          f"{max((state['left'] for _n, _w, state in stopped), default=0.0):.2e}; solved to the end "
          f"{max((max(state['solved']['relative'], state['solved']['left']) for _n, _w, state in stopped), default=0.0):.2e}")
    for name, which, state in wrong:
        print(f"NOT ZERO: {name}, {which}: {state}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
