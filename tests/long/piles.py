"""Heaps of everything for ten simulated minutes: `./test.sh --long piles [--seconds 600] [--seeds N] [--overlaps N] [--json FILE] [--again]`.

Each kind of heap (tests/verification/test_robustness.py) with each seed runs in both engines, then thousands of pairs of random meshes are
held against a linear program (mesh_overlap.py). The JSON grows as it goes; a run started again goes on where it ended. Fails where ours
has numbers that are none, a warning, an error, or more energy from nowhere than ten times what the official engine has.
"""
import argparse
import json
import sys
import time
from pathlib import Path

import numpy as np

import physics
from tests.verification import mesh_overlap
from tests.verification.random_piles import pile, sides, watch
from tests.verification.test_robustness import PILES

CLOUD = 12   # meshes of one scene; 66 pairs a pose
SCALES = (1.0, 1e-3, 1e3)


def judge(name: str, seed: int, seconds: float) -> dict:
    """What was seen of one heap in both engines."""
    kind, row = PILES[name], {"name": name, "seed": seed, "seconds": seconds}
    for side in sides(pile(kind, seed)):
        begun = time.process_time()
        row[side.name] = {**watch(side, seconds * np.sqrt(kind.scale)), "cpu": time.process_time() - begun}
    row["ok"] = not faults(row)
    return row


def faults(row: dict) -> list[str]:
    """What is wrong with ours."""
    ours, official = row["ours"], row["official"]
    if not ours["finite"] or ours["warned"]:
        return [str(ours.get("why", "not finite, or warned"))] if official["finite"] and not official["warned"] else []
    if not official["finite"]:
        return []
    allowed = {"gained": 1e-3, "rise": 0.3, "moving": 0.1}
    return [f"{name} {ours[name]:.2g}, official {official[name]:.2g}" for name, least in allowed.items() if ours[name] > max(least, 10 * official[name])]


def line(row: dict) -> str:
    def told(seen: dict) -> str:
        if not seen["finite"]:
            return f"{seen.get('why', 'not finite')}"
        return (f"gained {seen['gained']:8.1e} rise {seen['rise']:8.1e} moving {seen['moving']:8.1e} ncon {seen['ncon']:4} "
                f"warned {seen['warned']} {seen['cpu']:6.1f} s")
    return f"{'ok ' if row['ok'] else 'OFF'} {row['name']:30} {row['seed']} | {told(row['ours'])} | official {told(row['official'])}"


def overlaps(count: int) -> dict:
    """At least so many pairs of meshes against the linear program."""
    found = {"cases": 0, "overlaps": 0, "wrong": []}
    seed = 1000
    while found["cases"] < count:
        cases, touching, wrong = mesh_overlap.disagreements(seed, 10, CLOUD, SCALES[seed % len(SCALES)])
        found = {"cases": found["cases"] + cases, "overlaps": found["overlaps"] + touching, "wrong": found["wrong"] + wrong}
        seed += 1
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0, help="simulated, of a heap of scale 1")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--overlaps", type=int, default=5000)
    parser.add_argument("--only", default="", help="heaps whose name holds this text")
    parser.add_argument("--json", type=Path, default=Path("piles.json"))
    parser.add_argument("--again", action="store_true")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    old = json.loads(chosen.json.read_text()) if chosen.json.exists() and not chosen.again else {"piles": []}
    known = {(row["name"], row["seed"], row["seconds"]): row for row in old["piles"]}
    for seed in range(chosen.seeds):
        for name in PILES:
            key = (name, seed, chosen.seconds)
            if chosen.only in name and key not in known:
                known[key] = judge(*key)
                print(line(known[key]), flush=True)
                chosen.json.write_text(json.dumps({**old, "piles": list(known.values())}, indent=1))
    meshes = overlaps(chosen.overlaps) if chosen.overlaps else old.get("meshes", {"cases": 0, "overlaps": 0, "wrong": []})
    chosen.json.write_text(json.dumps({"piles": list(known.values()), "meshes": meshes}, indent=1))
    print(f"{meshes['cases']} pairs of meshes, {meshes['overlaps']} overlap, {len(meshes['wrong'])} told wrongly {meshes['wrong'][:3]}")
    off = [row for row in known.values() if not row["ok"]]
    print(f"{len(known)} heaps, {len(off)} off")
    return 1 if off or meshes["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
