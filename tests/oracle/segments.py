"""Run by an interpreter that has an official engine: which object every pixel of its own picture belongs to.

    PYTHON tests/oracle/segments.py JOBS.json FOLDER

JOBS.json: {"width", "height", "turns", "models": [{"name", "path", "key0"}]}. Each model leaves FOLDER/NAME.npz with `segments` (height, width, 2):
object id and type, -1 for nothing; `steady` (height, width): whether a pixel says the same after each of the turns [degree] of the camera; `types`: the
names of the types in that version, by number; `camera`: lookat 3, distance, azimuth, elevation. Or FOLDER/NAME.txt: why there is none.
Needs MUJOCO_GL=egl. No import of ours: the version of MuJoCo is the interpreter's.
"""
import json
import sys
from pathlib import Path

import mujoco
import numpy as np


def segments(job, width, height, turns):
    """What the classic renderer says of one model at its start state, where it goes on saying so, and the free camera it opens with."""
    model = mujoco.MjModel.from_xml_path(job["path"])
    data = mujoco.MjData(model)
    if job["key0"]:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    visual = model.vis
    visual.global_.offwidth, visual.global_.offheight, visual.quality.offsamples = width, height, 0
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    renderer = mujoco.Renderer(model, height, width)
    renderer.enable_segmentation_rendering()
    place = np.array([*camera.lookat, camera.distance, camera.azimuth, camera.elevation])
    found = []
    for turn in (0, *turns):
        camera.azimuth = place[4] + turn
        renderer.update_scene(data, camera)
        found.append(renderer.render().copy())
    getattr(renderer, "close", renderer._gl_context.free)()     # 2.3.7 has no close
    return found[0], (np.array(found) == found[0]).all((0, 3)), place


def type_names():
    """Names of mjtObj by number."""
    kinds = {int(value): name.removeprefix("mjOBJ_").lower() for name, value in mujoco.mjtObj.__members__.items()}
    return np.array([kinds.get(k, "") for k in range(max(k for k in kinds if k < 100) + 1)])


def main(jobs, folder):
    jobs, folder = json.loads(Path(jobs).read_text()), Path(folder)
    for job in jobs["models"]:
        try:
            found, steady, camera = segments(job, jobs["width"], jobs["height"], jobs["turns"])
        except Exception as error:  # noqa: BLE001  whatever the official engine says of this model, the others follow
            (folder / f"{job['name']}.txt").write_text(str(error))
            continue
        np.savez_compressed(folder / f"{job['name']}.npz", segments=found.astype(np.int32), steady=steady, types=type_names(), camera=camera)


if __name__ == "__main__":
    main(*sys.argv[1:])
