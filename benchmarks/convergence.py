"""How fast the solvers converge, ours beside the official ones: `python -m benchmarks.convergence [--png FILE] [--json FILE]`.

Ten hard states (hard_states.py). For each solver the cost after so many iterations, less the least cost that any of them found, as a share
of what it was at the start; lines are geometric means over the states. Also the iterations that each takes at a tolerance of 1e-8.
"""
import argparse
import json
from pathlib import Path

import mujoco
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from assets.locate import font as font_file
from benchmarks.hard_states import model, states
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.enums import Solver
from physics.kernels import load
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from

COUNTS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
FLOOR = 1e-14   # shares below are rounding
TOLERANCE = 1e-8
SIZE, MARGIN = (900, 560), (80, 40, 200, 60)   # of the picture, and around the plot: left, top, right, bottom [pixels]
COLOURS = {Solver.NEWTON: "#1f6feb", Solver.CG: "#d9822b", Solver.PGS: "#2e9e5b"}


class State:
    """One state in both engines; options go to both."""

    def __init__(self, name: str, mjd: mujoco.MjData):
        self.official, self.data = model(name), mjd
        self.kept = {n: getattr(self.official.opt, n) for n in ("solver", "iterations", "tolerance", "ls_iterations")}
        self.ours = model_from(self.official)

    def set(self, **options) -> None:
        for name, value in options.items():
            setattr(self.official.opt, name, value)
            setattr(self.ours, "opt_" + name, value)

    def solve(self) -> tuple[np.ndarray, int, np.ndarray, int]:
        """Accelerations and iterations, ours and theirs."""
        mujoco.mj_forward(self.official, self.data)
        d = o.ours_at(self.ours, self.data)
        o.with_room(make_constraint, self.ours, d)
        reference_constraint(self.ours, d)
        o.with_room(fwd_constraint, self.ours, d)
        return d.qacc.copy(), d.solver_niter_max, self.data.qacc.copy(), int(self.data.solver_niter.max())

    def cost(self, qacc: np.ndarray) -> float:
        """What all solvers lower."""
        mj, mjd, inertia, rows, cost = self.official, self.data, np.zeros(self.official.nv), np.zeros(self.data.nefc), np.zeros(1)
        mujoco.mj_mulM(mj, mjd, inertia, qacc)
        mujoco.mj_mulJacVec(mj, mjd, rows, qacc)
        mujoco.mj_constraintUpdate(mj, mjd, rows - mjd.efc_aref, cost, 0)
        return float(cost[0] + 0.5 * (inertia - mjd.qfrc_smooth) @ (qacc - mjd.qacc_smooth))


def measure(name: str, mjd: mujoco.MjData, counts=COUNTS) -> dict:
    """Costs after each number of iterations and iterations at the tolerance, by solver."""
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve"])
    state, found = State(name, mjd), {}
    for solver in Solver:
        ours, theirs = [], []
        for n in counts:
            state.set(solver=int(solver), iterations=n, tolerance=1e-20, ls_iterations=50)
            one, _, two, _ = state.solve()
            ours.append(state.cost(one))
            theirs.append(state.cost(two))
        state.set(iterations=100, tolerance=TOLERANCE)
        _, n, _, k = state.solve()
        found[solver.name] = {"ours": ours, "official": theirs, "iterations": n, "official_iterations": k}
    state.set(**state.kept)
    return found


def shares(row: dict) -> dict:
    """Costs of a state as shares of the way from the start to the least."""
    costs = [c for r in row.values() for c in (*r["ours"], *r["official"])]
    least, start = min(costs), row["NEWTON"]["official"][0]
    return {(solver, who): np.maximum((np.array(r[who]) - least) / (start - least), FLOOR) for solver, r in row.items() for who in ("ours", "official")}


def means(rows: dict) -> dict:
    """Geometric means of the shares over the states."""
    each = [shares(row) for row in rows.values()]
    return {key: np.exp(np.mean([np.log(s[key]) for s in each], 0)) for key in each[0]}


def draw(lines: dict, path: str) -> None:
    """The chart: iterations against the share of the cost that is left, both logarithmic; official lines are dotted."""
    image = Image.new("RGB", SIZE, "white")
    pen, font = ImageDraw.Draw(image), ImageFont.truetype(str(font_file()), 13)
    left, top, right, bottom = MARGIN[0], MARGIN[1], SIZE[0] - MARGIN[2], SIZE[1] - MARGIN[3]
    decades = int(-np.log10(FLOOR))

    def at(count, share):
        return (left + (right - left) * np.log1p(count) / np.log1p(COUNTS[-1]), top + (bottom - top) * -np.log10(share) / decades)

    for k in range(0, decades + 1, 2):
        y = at(0, 10.0**-k)[1]
        pen.line([(left, y), (right, y)], fill="#dddddd")
        pen.text((left - 8, y), f"1e-{k}", fill="black", font=font, anchor="rm")
    for n in COUNTS:
        x = at(n, 1.0)[0]
        pen.line([(x, top), (x, bottom)], fill="#eeeeee")
        pen.text((x, bottom + 6), str(n), fill="black", font=font, anchor="ma")
    pen.text(((left + right) / 2, SIZE[1] - 12), "iterations", fill="black", font=font, anchor="ms")
    pen.text((left, 8), "cost above the least found, as a share of the start's (geometric mean of ten hard states)", fill="black", font=font)
    for row, ((solver, who), values) in enumerate(sorted(lines.items())):
        points = [at(n, v) for n, v in zip(COUNTS, values, strict=True)]
        y = top + 20 + 22 * row
        if who == "ours":
            pen.line(points, fill=COLOURS[Solver[solver]], width=2)
            pen.line([(right + 14, y), (right + 44, y)], fill=COLOURS[Solver[solver]], width=2)
        for x, yy in (*points, (right + 29, y)) if who != "ours" else ():
            pen.ellipse([x - 4, yy - 4, x + 4, yy + 4], outline=COLOURS[Solver[solver]], width=2)
        pen.text((right + 54, y), f"{solver}, {who}", fill="black", font=font, anchor="lm")
    image.save(path)


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--png", help="draw the chart into this file")
    parser.add_argument("--json", help="write all numbers into this file")
    arguments = parser.parse_args()
    rows = {name: measure(name, mjd) for name, mjd in states().items()}
    print(f"iterations at a tolerance of {TOLERANCE}, ours / official")
    for name, row in rows.items():
        print(f"{name:34s}" + "   ".join(f"{s.lower()} {r['iterations']:3d} / {r['official_iterations']:3d}" for s, r in row.items()))
    for solver in Solver:
        ours, theirs = (np.mean([row[solver.name][k] for row in rows.values()]) for k in ("iterations", "official_iterations"))
        print(f"mean {solver.name.lower()}: {ours:.1f} / {theirs:.1f}")
    lines = means(rows)
    print("share of the cost left after", *COUNTS, "iterations")
    for (solver, who), values in sorted(lines.items()):
        print(f"{solver:7s} {who:9s}" + " ".join(f"{v:8.1e}" for v in values))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"states": rows, "means": {" ".join(k): list(v) for k, v in lines.items()}}))
    if arguments.png:
        draw(lines, arguments.png)


if __name__ == "__main__":
    main()
