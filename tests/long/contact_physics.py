"""What people see of contacts, for longer: `./test.sh --long contact_physics [--seconds 20] [--only TEXT] [--json FILE]`.

The scenes of tests/verification (contact_scenes.py, corpus_scenes.py), each in both engines: a table of the figures that closing notes quote.
Fails where ours warns, is not finite, or ends with more than twice the energy or the depth of the official engine.
"""
import argparse
import itertools
import json
import sys
import time
from pathlib import Path

import numpy as np

import physics
from tests.verification import contact_scenes as scenes
from tests.verification import corpus_scenes

CONES = ("pyramidal", "elliptic")


def measured(text: str, measure) -> dict:
    """{engine: figures} of one scene."""
    found = {}
    for side in scenes.sides(text):
        begun = time.process_time()
        figures = measure(side)
        found[side.name] = {**(figures if isinstance(figures, dict) else {"value": figures}), "warned": side.warned, "cpu": time.process_time() - begun}
    return found


def after(state, seconds: float):
    """Run on, then look."""
    def measure(side):
        side.run(seconds)
        return state(side)
    return measure


def own_scenes(seconds: float):
    """(name, figures of both engines) of the scenes of our own."""
    for cone in CONES:
        yield f"tower of ten, {cone}, {3 * seconds:g} s", measured(scenes.tower(10, cone), after(scenes.tower_state, 3 * seconds))
        yield f"thrown box, {cone}", measured(scenes.thrown(cone), scenes.lateral_drift)
        yield f"rolling ball, {cone}", measured(scenes.rolling(cone, 0.005), lambda side: scenes.roll(side, 1.0, 8.0))
        for condim in (3, 4, 6):
            for degrees in (29, 31):
                text = scenes.slope(degrees, np.tan(np.radians(30)), cone, condim)
                yield f"slope of {degrees} degrees, friction of 30, {cone}, condim {condim}", measured(text, lambda side: dict(zip(("way", "speed"), scenes.slid(side, 1.0))))
    for damping in (0.0, 40.0, 100.0):
        yield f"restitution, expected {scenes.restitution_expected(1e4, damping):.4f}", measured(scenes.bounce(1e4, damping), scenes.restitution)
    for noslip in (0, 3):
        yield f"grasped cylinder, noslip {noslip}, {seconds:g} s", measured(scenes.grasp(noslip), lambda side: scenes.slip(side, seconds))
    for seed in range(5):
        yield f"bowl {seed}, {seconds:g} s", measured(scenes.bowl(seed), after(scenes.heap_state, seconds))


def corpus(seconds: float):
    """(name, figures of both engines) of models people have."""
    for name, quick in corpus_scenes.SECONDS.items():
        ours, official, control = corpus_scenes.both(name)
        found = {}
        for side in (ours, official):
            begun = time.process_time()
            found[side.name] = corpus_scenes.look(side, control, max(quick, seconds / 4))
            found[side.name]["cpu"] = time.process_time() - begun
        yield f"{name}, {max(quick, seconds / 4):g} s", found


def wrong(found: dict) -> str:
    """What is worse of ours."""
    ours, official = found["ours"], found["official"]
    if ours["warned"] > official["warned"] or not all(np.isfinite(np.array(value, float)).all() for value in ours.values()):
        return "bad numbers"
    worse = [name for name in ("moving", "energy", "deep", "deepest") if name in ours and ours[name] > 2 * official[name] + 2e-3]
    return ", ".join(f"more {name}" for name in worse)


def told(figures: dict) -> str:
    return " ".join(f"{name} {np.array2string(np.array(value), precision=4)}" for name, value in figures.items() if name != "finite")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path, default=Path("contact_physics.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    rows = []
    for name, found in itertools.chain(own_scenes(chosen.seconds), corpus(chosen.seconds)):
        if chosen.only in name:
            rows.append({"name": name, **found, "why": wrong(found)})
            print(f"{'OFF ' + rows[-1]['why'] if rows[-1]['why'] else 'ok'} {name}\n    ours     {told(found['ours'])}\n    official {told(found['official'])}", flush=True)
            chosen.json.write_text(json.dumps({"scenes": rows}, indent=1))
    off = [row for row in rows if row["why"]]
    print(f"{len(rows)} scenes, {len(off)} off")
    return 1 if off else 0


if __name__ == "__main__":
    sys.exit(main())
