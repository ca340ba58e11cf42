"""What single operations outside the step cost: `python -m benchmarks.costs [--json FILE]`. CPU time, best of several, in milliseconds."""
import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path

import physics
from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from assets.locate import bundled_model
from benchmarks.measuring import cpu_seconds
from physics.mjcf.reader import read
from physics.runtime.snapshot import Snapshot
from render.scene.snapshot import Scene

REPEATS = 15
BALLS = 1000


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
