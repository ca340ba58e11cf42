"""Twenty corpus models under random control for 100 simulated seconds: `./test.sh --long hundred_seconds [--only NAME ...] [--seconds S] [--json FILE] [--again]`.

The same controls for both engines: every 0.1 s another number for each actuator, anywhere in its range (within 1 where it has none). Both
are looked at every 0.1 s too. A model is off where ours refuses a step, warns, is not finite or moves with more than ten times the energy,
and the official engine does not. What one engine does then may be chance: such a model gets five more sequences of controls,
and is off where ours fails in more of all six than the official engine. The JSON grows as it goes; a run started again goes on where it ended.
"""
import argparse
import json
import sys
import time
import zlib
from pathlib import Path

import mujoco
import numpy as np

import physics
from tests.oracle.corpus import Entry, read_manifest, require_corpus
from tests.oracle.states import start
from tests.verification.contact_scenes import Diverged, Side, energy_vel

MODELS = ("humanoid", "car", "cube_3x3x3", "active_adhesion", "treadmill", "agility_cassie", "google_barkour_vb", "google_barkour_vb_hfield", "ufactory_xarm7",
          "shadow_hand", "wonik_allegro", "robotiq_2f85", "booster_t1", "robot_soccer_kit", "aloha_pot", "dmc_humanoid_CMU", "dmc_quadruped", "dmc_rodent",
          "gymnasium_ant", "hand_manipulate_block_touch_sensors")
HELD = 0.1   # s
MORE = 10.0  # times the energy of the official engine
FURTHER = 5  # sequences of controls where ours fails alone


def controls(model, name: str, count: int) -> np.ndarray:
    """(count, nu) random controls of a model."""
    r = np.random.default_rng(zlib.crc32(name.encode()))
    low, high = np.where(np.asarray(model.actuator_ctrllimited, bool)[:, None], np.asarray(model.actuator_ctrlrange).reshape(-1, 2), [-1.0, 1.0]).T
    return r.uniform(low, high, (count, model.nu))


def run(side: Side, given: np.ndarray) -> dict:
    """What was seen of one engine under `given` controls, HELD seconds each."""
    begun, seen = time.process_time(), {"seconds": 0.0, "finite": True, "energy": 0.0, "speed": 0.0, "ncon": 0, "why": ""}
    for u in given:
        side.d.ctrl[:] = u
        try:
            side.run(HELD)
        except Diverged as error:
            seen["why"] = str(error)
            break
        seen["seconds"] = float(side.d.time)
        energy = energy_vel(side)
        if not (np.isfinite(side.d.qpos).all() and np.isfinite(side.d.qvel).all() and np.isfinite(energy)):
            seen["finite"] = False
            break
        seen["energy"], seen["speed"] = max(seen["energy"], energy), max(seen["speed"], float(np.abs(side.d.qvel).max(initial=0.0)))
        seen["ncon"] = max(seen["ncon"], int(side.d.ncon))
    return {**seen, "warned": side.warned, "cpu": time.process_time() - begun}


def judge(entry: Entry, seconds: float) -> dict:
    """The row of one model."""
    row = {"name": entry.name, "seconds": seconds, "status": "", "why": ""}
    try:
        m = physics.load(entry.path)
    except physics.ModelError as error:
        return {**row, "status": "refused", "why": str(error)[:200]}
    if m.view_only:
        return {**row, "status": "refused", "why": "; ".join(str(issue.what) for issue in m.view_only)[:200]}
    official = mujoco.MjModel.from_xml_path(str(entry.path))
    row["ours"], row["official"] = pair = both(entry, m, official, controls(official, entry.name, round(seconds / HELD)))
    row["why"] = fault(*pair)
    row["status"] = "off" if row["why"] else "ok"
    if row["why"]:
        runs = [pair] + [both(entry, m, official, controls(official, f"{entry.name} {k}", round(seconds / HELD))) for k in range(FURTHER)]
        mine, theirs = (sum(failed(run[side]) for run in runs) for side in (0, 1))
        row["status"] = "off" if mine > theirs else "ok"
        row["why"] += f"; of {len(runs)} sequences ours fails in {mine}, official in {theirs}"
    return row


def both(entry: Entry, m, official, given: np.ndarray) -> tuple[dict, dict]:
    """What was seen of ours and of the official engine from the manifest's start."""
    sides = Side("ours", m, physics.Data(m)), Side("official", official, mujoco.MjData(official))
    start(official, sides[1].d, entry)
    for name in ("qpos", "qvel", "act", "mocap_pos", "mocap_quat"):
        mine = getattr(sides[0].d, name)
        mine[...] = np.asarray(getattr(sides[1].d, name)).reshape(mine.shape)
    return run(sides[0], given), run(sides[1], given)


def failed(seen: dict) -> bool:
    """Whether a run met bad numbers."""
    return bool(seen["why"] or seen["warned"] or not seen["finite"])


def fault(ours: dict, official: dict) -> str:
    """What ours does that the official engine does not; '' where nothing."""
    theirs = failed(official)
    if failed(ours):
        return "" if theirs else ours["why"] or (f"{ours['warned']} warnings" if ours["warned"] else "not finite")
    if not theirs and ours["energy"] > MORE * official["energy"]:
        return f"{ours['energy']:.2g} J, official {official['energy']:.2g} J"
    return ""


def line(row: dict) -> str:
    if row["status"] == "refused":
        return f"refused {row['name']:36} {row['why'][:110]}"
    told = [f"{s['seconds']:5.1f} s, {s['energy']:8.2g} J, {s['speed']:7.3g} /s, ncon {s['ncon']:3}, warned {s['warned']}, cpu {s['cpu']:6.1f} s"
            for s in (row["ours"], row["official"])]
    return f"{row['status']:7} {row['name']:36} {told[0]} | official {told[1]} {row['why']}"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=MODELS)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--json", type=Path, default=Path("hundred_seconds.json"))
    parser.add_argument("--again", action="store_true")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    mujoco.set_mju_user_warning(lambda text: None)
    rows = {}
    if chosen.json.exists() and not chosen.again:
        rows = {row["name"]: row for row in json.loads(chosen.json.read_text())["models"] if row["status"] != "refused" and row["seconds"] == chosen.seconds}
    entries = {entry.name: entry for entry in read_manifest(require_corpus())}
    for name in chosen.only:
        if name not in rows:
            rows[name] = judge(entries[name], chosen.seconds)
            chosen.json.write_text(json.dumps({"models": list(rows.values())}, indent=1))
        print(line(rows[name]), flush=True)
    counts = {status: sum(rows[name]["status"] == status for name in chosen.only) for status in ("ok", "off", "refused")}
    print(counts)
    return 1 if counts["off"] else 0


if __name__ == "__main__":
    sys.exit(main())
