"""Opening models without end: `./test.sh --long reopen [--count N] [--json FILE]`.

Models with meshes, textures, height fields and skins are compiled, drawn (colours, numbers, normals) and thrown away, in turn, by one
renderer. Neither the process's memory (on software GL that of the graphics too) nor the number of GL objects may grow.
"""
import argparse
import ctypes
import gc
import json
import sys
import time
from pathlib import Path

import numpy as np

import physics
from app.bridge.build import build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view import default_camera, view_of
from assets.locate import bundled_model
from physics.runtime.snapshot import Snapshot
from render.gpu import context
from render.offscreen import Offscreen
from render.quality import QUALITIES
from render.scene.snapshot import Scene
from tests.long.reloads import megabytes
from tests.oracle.corpus import corpus_dir
from tests.render.gl_objects import living
from tests.render.skin_models import skin_xml

BUNDLED = ("arm.xml", "quadruped.xml", "heap.xml")
CORPUS = ("mj_cards/cards.xml", "menagerie_robotiq_2f85/scene.xml", "derived_car_hfield/car_hfield.xml", "legacy_composite/grid2.xml")
HIGHEST = 1 << 17   # names of GL objects
LARGEST_GROWTH = 5.0     # MB over all models
WARM_UP = 0.2       # share of the models before which caches and the driver still fill


def sources() -> list:
    """(name, function that compiles a new Model) of everything that is opened in turn."""
    folder = corpus_dir()
    files = [bundled_model(name) for name in BUNDLED] + [folder / name for name in CORPUS if (folder / name).exists()]
    return [(path.name, lambda path=path: physics.load(path)) for path in files] + [("skins", lambda: physics.load_string(skin_xml()))]


def held() -> float:
    """Resident memory [MB] after the allocator has given back what it only keeps for later: blocks of 64 MB come and go with the threads of the driver."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
    return megabytes()


def draw(camera: Offscreen, scene: Scene, m) -> None:
    """Every kind of picture of a model's first moment."""
    d = physics.Data(m)
    physics.forward(m, d)
    snapshot, options = Snapshot(m, d, 1), VisOptions()
    snapshot.copy_from(d)
    build_scene(ModelVisuals(m), snapshot, options, scene)
    view = view_of(m, snapshot, default_camera(m))
    if len(np.unique(camera.rgb(scene, view))) < 8:
        raise AssertionError("an empty picture")
    camera.segments(scene, view)
    camera.normals(scene, view)


def soak(count: int) -> dict:
    """Open `count` models; what was seen."""
    opened, memory, objects, scene, start = sources(), [], [], Scene(), time.monotonic()
    with Offscreen(160, 120, QUALITIES["high"]) as camera:
        for i in range(count):
            name, load = opened[i % len(opened)]
            draw(camera, scene, load())
            if (i + 1) % len(opened) == 0:      # the same models have been opened, the same one is shown
                memory.append(held())
                with context.use(camera.ctx):
                    objects.append(living(camera.ctx, HIGHEST))
            if (i + 1) % 50 == 0:
                print(f"{i + 1} {name} {megabytes():.1f} MB {sum(objects[-1].values()) if objects else 0} GL objects {time.monotonic() - start:.0f} s", flush=True)
    late = memory[int(WARM_UP * len(memory)):]
    slope = float(np.polyfit(np.arange(len(late)) * len(opened), late, 1)[0]) if len(late) > 1 else 0.0
    return {"opened": count, "models": [name for name, _ in opened], "memory_mb": {"first": memory[0], "after_warm_up": late[0], "last": memory[-1]},
            "mb_per_reload": slope, "series_mb": [round(one, 1) for one in memory], "gl_objects": {"first": objects[0], "last": objects[-1]},
            "seconds": time.monotonic() - start}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--json", type=Path, default=Path("reopen.json"))
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    found = soak(chosen.count)
    chosen.json.write_text(json.dumps(found, indent=1))
    print({name: value for name, value in found.items() if name != "series_mb"})
    return 0 if found["mb_per_reload"] * chosen.count < LARGEST_GROWTH and found["gl_objects"]["first"] == found["gl_objects"]["last"] else 1


if __name__ == "__main__":
    sys.exit(main())
