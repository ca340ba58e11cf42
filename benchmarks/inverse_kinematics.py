"""Poses a second by inverse kinematics: `python -m benchmarks.inverse_kinematics [--seconds S] [--json FILE]`.

A target moves on a circle and is followed as the Pose tool follows the pointer: each solution goes on from the one before. Wall time of each, first ones left out.
The hand has 30 dofs: a forearm of five hinges, five fingers of five. The Shadow hand (24 dofs) is timed too where the model corpus is there.
"""
import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import physics
from assets.locate import bundled_model
from benchmarks.measuring import pin_to_one_core
from tests.oracle.corpus import corpus_dir, has_corpus

WANTED = 60.0       # solutions a second
TURN = 240          # solutions for one turn of the target
RADIUS = 0.02       # [m]
BEGINNING = 20      # solutions that are not counted
SHADOW = "menagerie_shadow_hand/right_hand.xml"


def hand() -> str:
    """MJCF of a hand with 30 dofs."""
    def link(name: str, length: float, axis: str, inner: str, pos: str) -> str:
        return (f'<body name="{name}" pos="{pos}"><joint name="{name}" axis="{axis}" range="-.4 1.5"/>'
                f'<geom type="capsule" fromto="0 0 0 {length} 0 0" size=".008"/>{inner}</body>')

    fingers = ""
    for k in range(5):
        inner = f'<site name="tip{k}" pos=".025 0 0"/>'
        for joint, length in ((4, 0.025), (3, 0.03), (2, 0.04), (1, 0.01), (0, 0.01)):
            inner = link(f"finger{k}_{joint}", length, "0 0 1" if joint < 2 else "0 1 0", inner, f".08 {0.02 * (k - 2)} 0" if joint == 0 else f"{(0, .01, .01, .04, .03)[joint]} 0 0")
        fingers += inner
    arm = fingers
    for joint in reversed(range(5)):
        arm = link(f"arm{joint}", 0.05, ("0 0 1", "0 1 0", "1 0 0", "0 1 0", "0 0 1")[joint], arm, "0 0 0" if joint == 0 else ".05 0 0")
    return f'<mujoco><compiler angle="radian"/><worldbody>{arm}</worldbody></mujoco>'


def follow(m, elements: Sequence[tuple[str, str]], seconds: float, pins=(), **options) -> dict[str, float]:
    """Time of solutions [ms] while each element is led around a circle from a bent pose, how far they stay behind [mm], and how many are made in a second."""
    solver, settings = physics.IKSolver(m), physics.IKOptions(quick=True, **options)
    scalar = m.jnt_limited != 0
    qpos = m.qpos0.copy()
    qpos[m.jnt_qposadr[scalar]] = 0.6 * m.jnt_range[scalar, 0] + 0.4 * m.jnt_range[scalar, 1]
    d = physics.Data(m)
    d.qpos[:] = qpos
    physics.kinematics(m, d)
    centres = [np.array(getattr(d, "site_xpos" if kind == "site" else "xpos")[m.id(kind, name)]) for kind, name in elements]
    rest, times, behind, end, k = qpos, [], [], time.perf_counter() + seconds, 0
    while time.perf_counter() < end or k < 3 * BEGINNING:
        angle = 2 * np.pi * k / TURN
        way = RADIUS * np.array([np.cos(angle) - 1, np.sin(angle), 0.5 * np.sin(2 * angle)])
        targets = [physics.IKTarget(kind, name, pos=centre + way) for (kind, name), centre in zip(elements, centres, strict=True)]
        begun = time.perf_counter()
        found = solver.solve(targets, qpos, pins, rest, settings)
        times.append(1e3 * (time.perf_counter() - begun))
        behind.append(1e3 * max(found.pos_errors))
        qpos, k = found.qpos, k + 1
    times = times[BEGINNING:]
    return {"nv": int(m.nv), "median_ms": float(np.median(times)), "p95_ms": float(np.quantile(times, 0.95)), "per_second": 1e3 * len(times) / sum(times), "behind_p95_mm": float(np.quantile(behind, 0.95))}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    pin_to_one_core()
    physics.ensure_kernels()
    own, humanoid = physics.load_string(hand()), physics.load(bundled_model("humanoid.xml"))
    cases = [("hand of 30 dofs, a fingertip", own, [("site", "tip1")], {}), ("hand of 30 dofs, five fingertips", own, [("site", f"tip{k}") for k in range(5)], {}),
             ("hand of 30 dofs, contacts", own, [("site", "tip1")], {"contacts": True}),
             ("humanoid, a hand, feet pinned", humanoid, [("body", "forearm_left")], {"pins": [physics.IKTarget("body", "foot_left"), physics.IKTarget("body", "foot_right")]})]
    if has_corpus():
        shadow = physics.load(corpus_dir() / SHADOW)
        cases += [("Shadow hand, a fingertip", shadow, [("body", "rh_ffdistal")], {}),
                  ("Shadow hand, five fingertips", shadow, [("body", f"rh_{finger}distal") for finger in ("ff", "mf", "rf", "lf", "th")], {})]
    rows = {}
    print(f"{'':34s} {'nv':>4s} {'median':>9s} {'p95':>9s} {'a second':>9s} {'behind p95':>11s}")
    for name, m, elements, options in cases:
        row = rows[name] = follow(m, elements, chosen.seconds, **options)
        print(f"{name:34s} {row['nv']:4d} {row['median_ms']:6.2f} ms {row['p95_ms']:6.2f} ms {row['per_second']:9.0f} {row['behind_p95_mm']:8.3f} mm")
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))
    slowest = min(row["per_second"] for name, row in rows.items() if "hand of 30" in name and "contacts" not in name)
    print(f"{slowest:.0f} solutions a second on the hand of 30 dofs; {WANTED:.0f} are wanted")
    return 0 if slowest >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
