"""One side of the frame benchmark, in a process of its own: `python -m benchmarks.frame_painter ours|official` (frames.py starts it).

It reads one request per line, {"do": "open", "path", "poses", "full", "size", "shadow", "samples"} or {"do": "draw", "frames"} or
{"do": "picture", "pose", "out"} as JSON, and answers each by a line that begins with ANSWER. A frame is what a user of a new state pays:
the abstract scene, the picture, and its pixels in memory as rows from the top.
"""
import json
import sys
import time

import numpy as np

ANSWER = "@frame "


class Official:
    """mujoco.Renderer as it comes; MUJOCO_GL=egl."""

    def __init__(self):
        self.renderer = None

    def open(self, job):
        """Load a model and make a renderer for it."""
        import mujoco
        self.close()
        self.mujoco, self.poses = mujoco, np.load(job["poses"])
        m = self.model = mujoco.MjModel.from_xml_path(job["path"])
        width, height = job["size"]
        m.vis.global_.offwidth, m.vis.global_.offheight = width, height
        m.vis.quality.shadowsize, m.vis.quality.offsamples = job["shadow"], job["samples"]
        self.data, self.camera = mujoco.MjData(m), mujoco.MjvCamera()
        mujoco.mjv_defaultFreeCamera(m, self.camera)
        self.renderer = mujoco.Renderer(m, height, width, max_geom=20_000)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            self.renderer.scene.flags[flag] = job["full"]
        return {"driver": _driver_of_this_context()}

    def pose(self, k):
        """Put the model into a pose."""
        self.data.qpos[:] = self.poses[k]
        self.mujoco.mj_forward(self.model, self.data)

    def frame(self):
        """The picture (height, width, 3)."""
        self.renderer.update_scene(self.data, self.camera)
        return self.renderer.render()

    def close(self):
        """Free the renderer."""
        if self.renderer is not None:
            self.renderer.close()
            self.renderer = None


def _driver_of_this_context() -> str:
    from OpenGL.GL import GL_RENDERER, glGetString
    return glGetString(GL_RENDERER).decode()


class Ours:
    """The bridge and the renderer of this project, forced to what the official picture has."""

    def __init__(self):
        import physics
        physics.compile_kernels()
        self.offscreen = None

    def open(self, job):
        """Load a model and make a renderer for it."""
        import physics
        from app.bridge import VisOptions, build_scene
        from app.bridge.model_visuals import ModelVisuals
        from app.bridge.view import free_camera, view_of
        from physics.runtime.snapshot import Snapshot
        from render.offscreen import Offscreen
        from render.scene.snapshot import Scene
        self.close()
        self.poses, self.job, self.physics = np.load(job["poses"]), job, physics
        m = self.model = physics.load(job["path"])
        self.data = physics.Data(m)
        self.snapshot, self.scene, self.camera, self.options = Snapshot(m, self.data, 1), Scene(), free_camera(m), VisOptions()
        self.build, self.view_of, self.visuals = build_scene, view_of, ModelVisuals(m)
        self.offscreen = Offscreen(*job["size"], quality_of(job))
        return {"driver": self.offscreen.driver, "version": self.offscreen.ctx.info["GL_VERSION"]}

    def pose(self, k):
        """Put the model into a pose."""
        self.data.qpos[...] = self.poses[k]
        try:
            self.physics.forward(self.model, self.data)
        except self.physics.ViewOnlyError:
            from physics.engine.kinematics.kinematics import kinematics
            kinematics(self.model, self.data)
        self.snapshot.copy_from(self.data)

    def frame(self):
        """The picture (height, width, 3)."""
        scene, job = self.build(self.visuals, self.snapshot, self.options, self.scene), self.job
        scene.look.shadowsize, scene.look.offsamples = job["shadow"], job["samples"]
        scene.flags.shadow = scene.flags.reflection = job["full"]
        return self.offscreen.rgb(scene, self.view_of(self.model, self.snapshot, self.camera))

    def close(self):
        """Free the renderer."""
        if self.offscreen is not None:
            self.offscreen.close()
            self.offscreen = None


def quality_of(job):
    """What the official picture has: one hard-edged map per light, one mirror at full resolution with all samples."""
    from dataclasses import replace

    from render.quality import QUALITIES
    return replace(QUALITIES["classic"], name="benchmark", samples=job["samples"], shadow_size=job["shadow"], lod=True, corners=True)


def draw(painter, frames):
    """[{clock: ms}] of so many frames, the poses in turn; putting the model into a pose is not counted."""
    out = []
    for k in range(frames):
        painter.pose(k % len(painter.poses))
        wall, cpu = time.perf_counter(), time.process_time()
        painter.frame()
        out.append({"cpu_ms": 1e3 * (time.process_time() - cpu), "wall_ms": 1e3 * (time.perf_counter() - wall)})
    return out


def picture(painter, pose, out):
    """Save the picture of one pose."""
    painter.pose(pose)
    np.save(out, painter.frame())


def main(side: str) -> int:
    """Answer requests until the input ends."""
    painter = {"official": Official, "ours": Ours}[side]()
    for line in sys.stdin:
        job = json.loads(line)
        what = job.pop("do")
        try:
            answer = painter.open(job) if what == "open" else {"frames": draw(painter, **job)} if what == "draw" else picture(painter, **job)
        except Exception as error:      # told to the parent, which makes the row void
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(f"\n{ANSWER}{json.dumps(answer)}", flush=True)
    painter.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
