"""A script that has a window of its own, made with glfw, sees pictures in it."""
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
SCRIPT = r"""
import glfw, moderngl, mujoco, numpy as np
assert mujoco.__linkwork__
glfw.init()
glfw.window_hint(glfw.VISIBLE, 0)
window = glfw.create_window(160, 120, "own", None, None)
glfw.make_context_current(window)
m = mujoco.MjModel.from_xml_string('<mujoco><worldbody><light pos="0 0 3"/><geom size=".5" rgba="1 0 0 1"/></worldbody></mujoco>')
d = mujoco.MjData(m)
mujoco.mj_forward(m, d)
scene, context, camera, rect = mujoco.MjvScene(m, 10), mujoco.MjrContext(m, 150), mujoco.MjvCamera(), mujoco.MjrRect(0, 0, 160, 120)
mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_WINDOW, context)
assert context.windowAvailable and context.currentBuffer == mujoco.mjtFramebuffer.mjFB_WINDOW
mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, camera, 7, scene)
mujoco.mjr_render(rect, scene, context)
mujoco.mjr_overlay(0, mujoco.mjtGridPos.mjGRID_TOPLEFT, rect, "a", "b", context)
pixels = np.empty((120, 160, 3), np.uint8)
mujoco.mjr_readPixels(pixels, None, rect, context)
assert glfw.get_current_context(), "the script's context is current again"
seen = np.frombuffer(moderngl.create_context(require=210).screen.read((0, 0, 160, 120), components=3, alignment=1), np.uint8).reshape(120, 160, 3)
assert (pixels[..., 0] > 100).sum() > 300, "the ball"
assert np.array_equal(seen, pixels), np.abs(seen.astype(int) - pixels).mean()
context.free()
glfw.terminate()
print("seen")
"""


def test_pictures_are_seen_in_the_window_of_a_script():
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "app.main", "exec", "-c", SCRIPT], capture_output=True, text=True, env=env, cwd=ROOT, timeout=120)
    assert done.returncode == 0 and "seen" in done.stdout, done.stderr[-2000:]
