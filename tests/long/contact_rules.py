"""Who may touch whom, in thousands of small random scenes beside the official engine: `./test.sh --long contact_rules [--scenes N] [--json FILE]`.

Weld groups, parents, worlds, mocap bodies, planes, masks, excludes, explicit pairs, margins, gaps, overriding, with the parent filter and the midphase on
or off, listed and swept. All contacts must be the official ones in number, order and every field. Not counted as wrong: a contact of two boxes beyond
the margin that the official broad phase passes over by chance (their corners are farther apart than their faces, and more than the reach).
Restartable: scenes that the JSON has are not done again.
"""
import argparse
import json
import sys
from pathlib import Path

import mujoco
import numpy as np

import physics
from physics.compiler.derived import collision_pairs
from physics.model.data import Data
from tests.physics.engine.collide import oracle_scene
from tests.physics.engine.collide.random_rules import Scene

SAVE_EVERY = 100


def by_chance(mm, md, m, d) -> bool:
    """Whether our additional contacts are all of geoms that are really farther apart than they reach."""
    ours, theirs = (sorted(tuple(pair) for pair in found.tolist()) for found in (d.contact_geom[:d.ncon], md.contact.geom))
    for pair in theirs:
        if pair not in ours:
            return False
        ours.remove(pair)
    fromto = np.zeros(6)
    for one, two in ours:
        reach = mm.geom_margin[[one, two]].sum() + mm.geom_gap[[one, two]].sum()
        if mujoco.mj_geomDistance(mm, md, one, two, 10.0, fromto) <= reach:
            return False
    return True


def judge(seed: int) -> dict:
    """One scene, listed and swept."""
    try:
        mm = mujoco.MjModel.from_xml_string(Scene(seed, seed % 2 == 0).text())
    except ValueError as error:
        return {"skipped": str(error).splitlines()[0]}
    md, rng = mujoco.MjData(mm), np.random.default_rng(seed)
    md.qpos[:] += 0.2 * rng.normal(size=mm.nq)
    md.mocap_pos[:] += 0.2 * rng.normal(size=(mm.nmocap, 3))
    mujoco.mj_kinematics(mm, md)
    row = {"contacts": 0, "pairs": int(mm.npair), "wrong": "", "chance": 0}
    limit = collision_pairs.LIST_LIMIT
    for collision_pairs.LIST_LIMIT in (0, 10**6):
        m = oracle_scene.model_like(mm)
        d = Data(m, maxcon=1)
        try:
            wrong = oracle_scene.mismatch(m, d, mm, md)
        except mujoco.FatalError as error:   # its list of pairs of bodies may overflow
            row = {"skipped": str(error)}
            break
        if wrong and by_chance(mm, md, m, d):
            row["chance"] += 1
        elif wrong:
            row["wrong"] = wrong
        row["contacts"] = int(md.ncon)
    collision_pairs.LIST_LIMIT = limit
    return row


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scenes", type=int, default=5000)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rows = json.loads(chosen.json.read_text())["rows"] if chosen.json and chosen.json.exists() else {}
    for seed in range(chosen.scenes):
        if str(seed) not in rows:
            rows[str(seed)] = judge(seed)
            if rows[str(seed)].get("wrong"):
                print(seed, rows[str(seed)]["wrong"], flush=True)
        if chosen.json and (seed % SAVE_EVERY == SAVE_EVERY - 1 or seed == chosen.scenes - 1):
            chosen.json.write_text(json.dumps({"rows": rows}, indent=1, allow_nan=False))
    judged = [row for row in rows.values() if "skipped" not in row]
    wrong = sum(bool(row["wrong"]) for row in judged)
    print(f"{len(judged)} scenes, {sum(row['contacts'] for row in judged)} contacts, {sum(row['pairs'] for row in judged)} explicit pairs: {wrong} wrong, "
          f"{sum(row['chance'] > 0 for row in judged)} where the official broad phase passes over a contact by chance, {len(rows) - len(judged)} skipped")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
