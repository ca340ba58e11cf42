"""From messages to commands, by names, within ranges; what the model does not have is refused."""
import json

import pytest

import physics
from app.demonstrations.policy.actions import Actions
from app.demonstrations.policy.messages import hello
from app.inputs.protocol.decode import decode
from app.inputs.protocol.refused import Refused
from physics.runtime.commands import MoveMocap, SetCtrls
from tests.app.demonstrations.made import TEXT

LIMITED = TEXT.replace('kp="10"', 'kp="10" ctrlrange="-1 0.5"').replace("</actuator>", '<motor joint="elbow"/></actuator>')


@pytest.fixture(scope="module")
def model():
    return physics.load_string(LIMITED)


def command(model, **message):
    return Actions(model).command(decode(json.dumps({"v": 1, "seq": 1, "t": 0, **message})))


def test_controls_joints_and_poses_become_commands(model):
    assert command(model, kind="controls", controls={"elbow": 2.0, "shoulder": 9.0, "actuator2": 0.1}) == (("ctrl", (1, 0, 2)), SetCtrls((1, 0, 2), (0.5, 9.0, 0.1)))
    assert command(model, kind="joints", joints={"elbow": -7.0}) == (("ctrl", (1,)), SetCtrls((1,), (-1.0,)))
    assert command(model, kind="pose", source="target", p=[1, 2, 3], q=[2, 0, 0, 0]) == (("mocap", 0), MoveMocap(0, (1.0, 2.0, 3.0), (1.0, 0.0, 0.0, 0.0)))
    assert command(model, kind="pose", source="target", p=[1, 2, 3])[1] == MoveMocap(0, (1.0, 2.0, 3.0), None)
    assert command(model, kind="controls", controls={}) is None and command(model, kind="pose", source="target") is None


@pytest.mark.parametrize("message, said", [({"kind": "controls", "controls": {"sholder": 1}}, "no actuator 'sholder'; did you mean 'shoulder'"),
                                           ({"kind": "joints", "joints": {"cube": 1}}, "no position actuator moves joint 'cube'"), ({"kind": "pose", "source": "cube", "p": [0, 0, 0]}, "no mocap body 'cube'"),
                                           ({"kind": "ping"}, "not ping")])
def test_what_there_is_not_is_refused(model, message, said):
    with pytest.raises(Refused, match=said):
        command(model, **message)


def test_what_is_said_of_the_model_is_enough_to_find_ones_numbers(model):
    said = json.loads(hello(model, 25.0, 1.0))
    assert said["kind"] == "hello" and said["rate"] == 25.0 and said["timestep"] == 0.005 and said["mocap"] == ["target"]
    assert said["joints"] == {"shoulder": [0, 0], "elbow": [1, 1], "cube": [2, 2]} and said["sensors"] == {"cube": [0, 3], "bend": [3, 1]}
    assert said["actuators"] == {"shoulder": None, "elbow": [-1.0, 0.5], "actuator2": None}
