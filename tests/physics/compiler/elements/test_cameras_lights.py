"""Cameras and lights as the official compiler makes them."""
import mujoco
import numpy as np
import pytest

import physics
from physics import Data, forward, load_string
from physics.mjcf.reader import read_text
from tests.physics.compiler.agreement import disagreement

MODES = ("fixed", "track", "trackcom", "targetbody", "targetbodycom")


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("target", ["", 'target="a"', 'target="world"'])
def test_modes_with_and_without_target(mode, target):
    """A targeting mode without a target was refused; the official compiler leaves the pose as it is given, as public robots have it."""
    text = f"""<mujoco><worldbody><body name="a" pos="1 2 3"><freejoint/><geom size=".1" pos=".1 0 0"/></body>
<body name="b" euler="10 20 30"><joint/><geom size=".1" pos="0 .3 0"/>
<camera name="c" mode="{mode}" {target} pos="0 -1 1" euler="5 6 7"/><light mode="{mode}" {target} pos="0 0 2" dir="1 2 -3"/></body></worldbody></mujoco>"""
    assert disagreement(text) == {}
    ours, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    d, other = Data(ours), mujoco.MjData(official)
    d.qpos[-1] = other.qpos[-1] = 0.3
    forward(ours, d)
    mujoco.mj_forward(official, other)
    for field in ("cam_xpos", "cam_xmat", "light_xpos", "light_xdir"):
        assert np.allclose(np.ravel(getattr(d, field)), np.ravel(getattr(other, field)), rtol=0, atol=1e-12), field


def test_a_mode_without_target_is_reported():
    from physics import compile_root

    read = read_text('<mujoco><worldbody>\n<camera mode="targetbody"/></worldbody></mujoco>', "m.xml")
    compile_root(read)
    issue, = read.issues
    assert issue.severity == "warning" and str(issue.place) == "m.xml:2:15" and "without a target" in issue.what
