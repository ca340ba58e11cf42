"""What single operations outside the step cost: `python -m benchmarks.costs [--json FILE]`. CPU time, best of several, in milliseconds."""
import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import physics
from app.bridge.build import build_scene
from app.bridge.ghost import Ghost
from app.bridge.markers import Markers
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from assets.locate import bundled_model
from benchmarks.measuring import cpu_seconds
from physics.mjcf.reader import read
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene

REPEATS = 15
BALLS = 1000
MARKERS = 10_000


def best_ms(call: Callable[[], object]) -> float:
    """Least CPU time of a call [ms]."""
    return min(cpu_seconds(call) for _ in range(REPEATS)) * 1e3


def picture(model) -> tuple[Snapshot, Scene]:
    """A snapshot of the model's start pose and an empty scene."""
    data = physics.Data(model)
    physics.forward(model, data)
    snapshot = Snapshot(model, data, 1)
    snapshot.copy_from(data)
    return snapshot, Scene()


def marked() -> Markers:
    """MARKERS of all simple kinds, one call for each kind."""
    places, markers = np.random.default_rng(0).normal(size=(MARKERS // 4, 3)), Markers()
    markers.arrow(places, places + (0, 0, 0.1))
    markers.sphere(places)
    markers.box(places, (0.1, 0.1, 0.1))
    markers.lines(np.stack([places, places + (0, 0, 0.1)], axis=1))
    return markers


def added_rows(model) -> dict[str, float]:
    """{what: ms} that markers and ghosts cost beside the scene of the model."""
    snapshot, scene = picture(model)
    visuals, options, markers = ModelVisuals(model), VisOptions(), marked()
    ghosts = (Ghost(model, snapshot.geom_xpos + (0.5, 0, 0), snapshot.geom_xmat),) * 4
    cloud, one = np.zeros((MARKERS, 3)), Markers()

    def changed() -> None:
        markers.sphere((0, 0, 0), name="one")
        build_scene(visuals, snapshot, options, scene, ViewState(markers=markers.now()))

    plain = best_ms(lambda: build_scene(visuals, snapshot, options, scene))
    return {f"{MARKERS} markers": best_ms(lambda: build_scene(visuals, snapshot, options, scene, ViewState(markers=markers.now()))) - plain,
            "one of them changed": best_ms(changed) - plain,
            "four ghosts": best_ms(lambda: build_scene(visuals, snapshot, options, scene, ViewState(ghosts=ghosts))) - plain,
            f"call for {MARKERS} points": best_ms(lambda: one.points(cloud, name="cloud")),
            "call for one arrow": best_ms(lambda: [one.arrow((0, 0, 0), (0, 0, 1), name="arrow") for _ in range(1000)]) / 1000}


def rows() -> dict[str, float]:
    """{what: ms}."""
    path = bundled_model("humanoid.xml")
    humanoid = physics.load(path)
    bodies = "".join(f'<body pos="{i % 32} {i // 32} 1"><freejoint/><geom size=".1"/></body>' for i in range(BALLS))
    balls = physics.load_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    options = VisOptions()
    found = {"read humanoid": best_ms(lambda: read(path)), "load humanoid": best_ms(lambda: physics.load(path))}
    for name, model in (("humanoid", humanoid), (f"{BALLS} balls", balls)):
        snapshot, scene = picture(model)
        visuals = ModelVisuals(model)
        found[f"scene of {name}"] = best_ms(lambda v=visuals, s=snapshot, out=scene: build_scene(v, s, options, out))
    found.update(added_rows(humanoid))
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    found = rows()
    for name, milliseconds in found.items():
        print(f"{name:24} {milliseconds:8.3f} ms")
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
