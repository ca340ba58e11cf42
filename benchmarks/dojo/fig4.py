"""Figure 4, one step of a box under an impulse, smoothed by kappa: `python -m benchmarks.dojo.fig4 [--without-ours]`.

A box of edge 0.5 m and 1 kg that moves in a plane rests on the floor, gravity 1 m/s2, friction 1, step 0.1 s, contacts at its corners (four in that
plane). An impulse lifts it, or pushes it sideways; printed is how far it comes in the step and the slope of that by the impulse. Columns: the
authors' kept results (examples/gradients/data_v2 on branch DANO of their repository), their method again (tests/naive/hard/repository.py), our
engine at exactly this point of the central path, and for the lift the closed form of the latter, m x/h = F - m g h + sum of h kappa/gap.
Ours is another function on purpose: the repository differentiates wherever its solve has stopped. The lift is met to all printed digits; the push
is not: its kept files hold the two sides of a merge, and with which options the first was made is not said.
"""
from __future__ import annotations

import argparse

import numpy as np

import physics
from benchmarks.dojo.hard_run import hard_model
from benchmarks.dojo.tables import print_table
from tests.naive.hard.repository import Point, Repository, Result

EDGE, GRAVITY, STEP = 0.5, 1.0, 0.1
PLANAR = """<mujoco><option timestep="0.1" gravity="0 0 -1"/><worldbody><geom type="plane" size="0 0 1" friction="1"/><body pos="0 0 .25">
<joint name="y" type="slide" axis="0 1 0"/><joint name="z" type="slide" axis="0 0 1"/><joint type="hinge" axis="1 0 0"/>
<geom type="box" size=".25 .25 .25" mass="1" friction="1"/></body></worldbody><actuator><motor joint="y"/><motor joint="z"/></actuator></mujoco>"""
# impulse [N s] -> displacement [m] and slope [1/kg s], by direction (1 sideways, 2 up) and kappa
KEPT = {
    (2, 1e-4): {0.001: (0.0015062722181113375, 0.011701085188442595), 0.021: (0.0017181692560502837, 0.015209376459210333),
                0.1: (0.003905599353410172, 0.050251963132753256), 0.15: (0.00720241395622212, 0.07689837193669347), 0.2: (0.011516488256320456, 0.08862316284868937)},
    (2, 1e-6): {0.001: (1.99334580413546e-5, 0.00020054956460913154), 0.021: (2.4712098656509696e-5, 0.00031088341530201015),
                0.1: (0.0004128739430940831, 0.05002417917880744), 0.2: (0.010020110158281248, 0.09980352471082728)},
    (2, 1e-8): {0.001: (2.0187315241670944e-7, 2.0400504538997666e-6), 0.021: (2.531471119393558e-7, 3.2054557880689673e-6),
                0.1: (3.882199310817347e-5, 0.05000262698302227), 0.15: (0.005000403823412269, 0.09999200283691356), 0.2: (0.010000203766208637, 0.09999800066113886)},
    (1, 1e-4): {0.001: (9.738902984818553e-6, 0.011459304551498406), 0.021: (0.0002086493550458217, 0.01181222508155675),
                0.1: (0.0013106462117751375, 0.021246775702555565), 0.2: (0.007411832914260458, 0.09137313236027532)},
    (1, 1e-8): {0.001: (2.1871587445954704e-9, 2.1999777648828988e-6), 0.021: (4.8156754597965854e-8, 2.492468263404213e-6),
                0.1: (1.7360837603007935e-5, 0.018943400017473425), 0.2: (0.009974678671806384, 0.09999985370550976)},
}


def repository(axis: int, impulse: float, kappa: float) -> Result:
    """The step by the authors' method and options: r_tol 1e-10, products below kappa, target kappa."""
    m = physics.load_string(PLANAR)
    d = physics.Data(m)
    impulses = np.zeros((2, 3))
    impulses[1, axis] = impulse
    half = EDGE / 2
    points = [Point(1, np.array([0, y, z]), 1.0) for y in (half, -half) for z in (half, -half)]
    return Repository(m, d.qpos, d.qvel, points, impulses).solve(1e-10, kappa)


def closed_form(impulse: float, kappa: float, points: int) -> float:
    """How far the box is lifted where the products are exactly kappa [J s]: the root of x/h = F - g h + points kappa/x."""
    push = STEP * (impulse - GRAVITY * STEP)
    return (push + np.sqrt(push**2 + 4 * STEP * points * kappa)) / 2


def ours(axis: int, impulse: float, kappa: float) -> tuple[float, float, int]:
    """(displacement, slope, points) by the hard engine; kappa as the paper's, of distances: ours is of velocities."""
    from physics import hard

    m = hard_model(PLANAR, 1e-11, kappa / STEP)
    d = physics.Data(m)
    d.ctrl[axis - 1] = impulse / STEP
    found = hard.gradients(m, d)
    slope = float(found.B[axis - 1, axis - 1]) / STEP
    physics.step(m, d)
    return float(d.qpos[axis - 1]), slope, d.hard_nrow


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--without-ours", action="store_true", help="only the authors' method")
    options = parser.parse_args()
    worst = {1: 0.0, 2: 0.0}
    for (axis, kappa), kept in KEPT.items():
        rows = []
        for impulse, (x, slope) in kept.items():
            again = repository(axis, impulse, kappa)
            place, its = again.x3[1, axis] - (EDGE / 2 if axis == 2 else 0.0), again.by_impulse[1, axis, 1, axis]
            worst[axis] = max(worst[axis], abs(place / x - 1), abs(its / slope - 1))
            mine = (None, None, 0) if options.without_ours else ours(axis, impulse, kappa)
            exact = closed_form(impulse, kappa, mine[2]) if axis == 2 and mine[2] else None
            rows.append((f"F = {impulse:g}", f"{x:.9e}", f"{place:.9e}", mine[0], exact, f"{slope:.6e}", f"{its:.6e}", mine[1], again.iterations))
        print_table(f"Figure 4, {'lift' if axis == 2 else 'push sideways'}, kappa {kappa:g}", rows,
                    ("impulse [N s]", "kept x [m]", "their method x", "ours x", "closed form x", "kept slope", "their method slope", "ours slope", "iterations"))
    print(f"their method against what they keep: largest relative difference {worst[2]:.1e} (lift), {worst[1]:.1e} (push)")


if __name__ == "__main__":
    main()
