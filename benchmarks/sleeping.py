"""What sleepers cost: `python -m benchmarks.sleeping [--only NAME ...] [--json FILE]`.

Each scene is run by both engines with the flag `sleep` until so many trees are awake as its row says, and then timed from copies of that
Data, round-robin in one pinned thread: median CPU time per step, ours and the official engine's, and what a step costs with all awake.
"""
import argparse
import json
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import mujoco

import physics
from benchmarks.measuring import interleaved, median_ratio, pin_to_one_core
from benchmarks.official import silent_clock
from physics.engine.forward import step_n
from physics.enums import ENBL_SLEEP
from tests.oracle.corpus import corpus_dir

MOST_STEPS = 20_000
STEPS = 20  # of a window
ROUNDS = 31

HUMANOIDS = """<mujoco><option timestep="0.005"><flag sleep="enable"/></option><asset><model name="humanoid" file="{file}"/></asset>
<worldbody><geom size="10 10 .05" type="plane" condim="3"/><replicate count="10" euler="0 0 36" sep="-"><frame pos="1.2 0 0">
<replicate count="10" euler="0 0 17" sep="-" offset="0.6 0 0"><attach model="humanoid" body="torso" prefix="_"/></replicate></frame></replicate>
</worldbody></mujoco>"""


@dataclass
class Scene:
    """A model of both engines, and whether it is far enough."""

    name: str
    ours: physics.Model
    official: mujoco.MjModel
    reached: Callable[[int, float], bool]   # of the number of awake trees and the time


def humanoids(folder: Path) -> tuple[physics.Model, mujoco.MjModel]:
    """A hundred humanoids that begin asleep, one of which is pushed."""
    text = HUMANOIDS.format(file=folder / "mj_humanoid" / "humanoid.xml")
    ours, official = physics.load_string(text), mujoco.MjModel.from_xml_string(text)
    for model in (ours, official):
        model.tree_sleep_policy[:] = int(mujoco.mjtSleepPolicy.mjSLEEP_INIT)
    return ours, official


def scenes(corpus: Path) -> list[Scene]:
    """All scenes."""
    def of(path: Path):
        ours, official = physics.load(path), mujoco.MjModel.from_xml_path(str(path))
        ours.opt_enableflags |= ENBL_SLEEP
        official.opt.enableflags |= ENBL_SLEEP
        return ours, official

    dominos, scaling = corpus / "mj_sleep_dominos" / "dominos.xml", corpus.parent / "scaling"
    return [
        Scene("stack10 asleep", *of(scaling / "stack10.xml"), lambda awake, _time: awake == 0),
        Scene("dominos 1 awake", *of(dominos), lambda awake, _time: awake == 1),
        Scene("dominos 10 awake", *of(dominos), lambda awake, time: awake == 10 and time > 1),
        Scene("dominos asleep", *of(dominos), lambda awake, _time: awake == 0),
        Scene("100 humanoids asleep", *humanoids(corpus), lambda awake, _time: awake == 0),
    ]


def bring_up(scene: Scene) -> tuple[physics.Data, mujoco.MjData]:
    """Both Data in the state to be timed. Raises RuntimeError where one does not get there."""
    official, ours = mujoco.MjData(scene.official), physics.Data(scene.ours)
    for _ in range(MOST_STEPS):
        if scene.reached(official.ntree_awake, official.time):
            break
        mujoco.mj_step(scene.official, official)
    for _ in range(MOST_STEPS):
        if scene.reached(ours.ntree_awake, ours.time):
            break
        physics.step(scene.ours, ours)
    if not (scene.reached(official.ntree_awake, official.time) and scene.reached(ours.ntree_awake, ours.time)):
        raise RuntimeError(f"{scene.name}: {official.ntree_awake} and {ours.ntree_awake} trees stay awake")
    return ours, official


def windows(scene: Scene, ours: physics.Data, official: mujoco.MjData) -> dict[str, list[float]]:
    """CPU seconds of windows of STEPS steps from copies of the two Data."""
    mine, theirs = ours.copy(), mujoco.MjData(scene.official)
    physics.step(scene.ours, mine, 2 * STEPS)   # makes room
    times: dict[str, list[float]] = {"ours": [], "official": []}
    for _ in range(ROUNDS):
        mine.copy_from(ours)
        mujoco.mj_copyData(theirs, scene.official, official)
        found = interleaved({"ours": lambda: step_n(scene.ours, mine, STEPS), "official": lambda: mujoco.mj_step(scene.official, theirs, STEPS)}, 1)
        for name, seconds in found.items():
            times[name] += seconds
    return times


def row_of(scene: Scene) -> dict:
    """Times of a scene [us per step]."""
    ours, official = bring_up(scene)
    with silent_clock():
        asleep = windows(scene, ours, official)
        scene.ours.opt_enableflags &= ~ENBL_SLEEP
        scene.official.opt.enableflags &= ~ENBL_SLEEP
        awake = windows(scene, ours, official)

    def per_step(times):
        return statistics.median(times) / STEPS * 1e6

    return {"name": scene.name, "ntree": scene.official.ntree, "awake": int(official.ntree_awake), "ours_awake": int(ours.ntree_awake),
            "ours_us": per_step(asleep["ours"]), "official_us": per_step(asleep["official"]),
            "speedup": median_ratio(asleep["official"], asleep["ours"]),
            "ours_flag_off_us": per_step(awake["ours"]), "official_flag_off_us": per_step(awake["official"])}


def main(arguments=None) -> int:
    """Print a line per scene."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", help="words of scenes' names")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    pin_to_one_core()
    rows = []
    for scene in scenes(corpus_dir()):
        if chosen.only and not any(word in scene.name for word in chosen.only):
            continue
        row = row_of(scene)
        rows.append(row)
        print(f"{row['name']:22} {row['awake']:3} of {row['ntree']:3} awake  ours {row['ours_us']:8.2f} us  official {row['official_us']:8.2f} us  "
              f"speedup {row['speedup']:6.2f}   flag off: {row['ours_flag_off_us']:8.1f}, {row['official_flag_off_us']:8.1f}", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
