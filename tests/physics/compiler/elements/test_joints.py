"""Limits of joints, tendons and actuators as the official compiler takes them: infinite ends, and ball joints that are held still."""
import mujoco
import numpy as np
import pytest

import physics
from physics import Data, ModelError, load_string, step
from tests.physics.compiler.agreement import disagreement

ENDS = ("-inf inf", "0 inf", "-inf 0", "inf inf", "0 1e300", "-1e11 1e11", "-Infinity INF", "0 0", "0 1", "1 0", "0 -1", ".1 1", "-1 1")
MODEL = """<mujoco>{top}<worldbody><body><joint name="j" type="{type}" limited="{limited}" {joint}/><geom size=".1" pos=".3 0 0"/></body></worldbody>
<tendon><fixed name="t" {tendon}><joint joint="{of}" coef="1"/></fixed></tendon><actuator><general {actuator}/></actuator></mujoco>"""


def model(type="hinge", limited="auto", joint="", tendon="", actuator='joint="j"', top="", of="j"):
    text = MODEL.format(type=type, limited=limited, joint=joint, tendon=tendon, actuator=actuator, top=top, of=of)
    return text if type in ("hinge", "slide") else text[:text.index("<tendon>")] + "</mujoco>"


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("ends", ENDS)
def test_ranges_are_taken_and_refused_as_officially(ends):
    """Infinite ends were refused; a public wheeled pendulum has them."""
    texts = [model(kind, limited, f'range="{ends}"') for kind in ("hinge", "slide", "ball") for limited in ("auto", "true", "false")]
    texts += [model(joint=f'range="{ends}"', top='<compiler angle="radian"/>'), model(joint=f'actuatorfrcrange="{ends}"'),
              model(tendon=f'range="{ends}"'), model(tendon=f'actuatorfrcrange="{ends}"'),
              model(actuator=f'joint="j" ctrlrange="{ends}"'), model(actuator=f'joint="j" forcerange="{ends}"'),
              model(actuator=f'joint="j" dyntype="integrator" actrange="{ends}"'),
              model(actuator=f'joint="j" dyntype="integrator" actlimited="true" actrange="{ends}"'),
              model().replace("<general", f'<pid posrange="{ends}" velrange="{ends}" ffrange="{ends}" input="pos vel ff"'),
              model(joint=f'range="{ends}"').replace("<general", '<position inheritrange="1"')]
    assert {text: off for text in texts if (off := disagreement(text))} == {}


@pytest.mark.parametrize("text", [model(joint='range="nan 1"'), model(joint='ref="inf"'), model(joint='damping="inf"'), model(tendon='stiffness="inf"'),
                                  model(actuator='joint="j" gear="inf"'), model(actuator='joint="j" ctrlrange="0 nan"')])
def test_what_is_no_end_of_an_interval_stays_finite(text):
    with pytest.raises(ModelError, match="cannot be used here"):
        load_string(text)


def moved(text, control=0.5):
    """(qpos, qvel) of us and of the official engine after some steps."""
    ours, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    d, other = Data(ours), mujoco.MjData(official)
    d.qvel[0] = other.qvel[0] = 3.0
    d.ctrl[:] = other.ctrl[:] = control
    step(ours, d, 50)
    mujoco.mj_step(official, other, 50)
    return np.concatenate([d.qpos, d.qvel]), np.concatenate([other.qpos, other.qvel])


@pytest.mark.parametrize("text", [
    model(joint='range="-inf inf"'), model("slide", joint='range="-inf .01"'), model(joint='range="0 inf"'), model(joint='actuatorfrcrange="-inf 0"'),
    model(actuator='joint="j" ctrlrange="0 inf" forcerange="-inf .2"'), model(tendon='range="-inf .01"'),
    model(actuator='joint="j" dyntype="integrator" actrange="-inf .1"'), model("ball", "true"), model("ball", "true", 'range="0 -1"'),
    model("ball", "true", 'range="0 0"', top='<compiler angle="radian"/>'),
])
def test_they_move_as_officially(text):
    ours, official = moved(text)
    assert np.isfinite(official).all()
    assert np.allclose(ours, official, rtol=0, atol=1e-7)


def test_a_ball_joint_may_get_its_limit_from_a_class_and_its_range_from_nowhere():
    text = model("ball", top='<default><joint limited="true"/></default>').replace('limited="auto"', "")
    assert disagreement(text) == {}
    with pytest.raises(ModelError, match="must start at 0"):
        load_string(model("ball", "true", 'range=".5 1"'))
