"""A person's drives where a policy drives: a clutch takes over in the turn in which it closes and hands back when it opens, without a jump, and what is lost hands nothing back."""
import pytest

import physics
from app.inputs.intervention import LINGER, Intervention
from app.inputs.mapping.drive_mapping import DriveMapping, Gripper, Limits
from physics.runtime import commands as c
from tests.app.inputs.devices import H, Desk

MODEL = """<mujoco><option timestep="0.002"/><worldbody><body name="target" mocap="true"><geom size=".1" contype="0" conaffinity="0"/></body>
<geom type="plane" size="5 5 .1"/><body name="block" pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/><site name="s"/></body>
<body pos="0 3 1"><joint name="a" axis="0 1 0"/><geom size=".1"/><body><joint name="b" axis="0 1 0"/><geom size=".1"/><body><joint name="c" type="slide"/><geom size=".1"/></body></body></body></worldbody>
<actuator><velocity name="left" joint="a"/><velocity name="right" joint="b"/><position name="finger" joint="c"/></actuator></mujoco>"""
CLUTCHED = DriveMapping("hand", "script:a", "mocap", mocap="target", frame="world", clutch="squeeze", limits=Limits(speed=100.0))
KEYS = DriveMapping("keys", "keyboard", "mocap", mocap="target", frame="world", limits=Limits(speed=1.0))
GRIPPING = DriveMapping("hand", "script:a", "mocap", mocap="target", frame="world", clutch="squeeze", gripper=Gripper("trigger", {"finger": (0.0, 1.0)}))
CART = DriveMapping("cart", "script:a", "base", actuators=("left", "right"), clutch="squeeze", limits=Limits(speed=1.0))
SPRING = DriveMapping("spring", "script:a", "pull", site="s", frame="world", clutch="squeeze")


class Wheel:
    """Who drives, and what was said; commands go to the runner of a Desk."""

    def __init__(self, runner):
        self.runner, self.driver, self.holding, self.said, self.made_for = runner, "policy", False, [], []

    def take_over(self, who, holding):
        self.said.append("taken")
        self.driver, self.holding = who, holding

    def let_go(self):
        self.said.append("let go")
        self.driver, self.holding = "policy", False

    def send(self, who, key, command, jumps=None):
        if who == self.driver:
            self.runner.latest(key, command)
        self.made_for.append(jumps)
        return who == self.driver

    def release(self, who, command):
        self.runner.send(command)

    def perform(self, who, command):
        self.runner.send(command)
        return True


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


def made(model, drive):
    desk = Desk(model, drive)
    wheel = Wheel(desk.runner)
    desk.hub.intervention = Intervention(wheel)
    return desk, wheel


def posed(desk, x, squeeze):
    desk.sample("script:a", kind="pose", pos=(x, 0.0, 0.0), quat=(1.0, 0.0, 0.0, 0.0), axes={"squeeze": float(squeeze)})
    return desk.turn()


def test_a_clutch_takes_over_at_once_and_begins_where_the_policy_has_brought_things(model):
    desk, wheel = made(model, CLUTCHED)
    assert posed(desk, 0.0, False) == [] and wheel.said == []
    posed(desk, 0.0, True)
    assert wheel.said == ["taken"]
    posed(desk, 0.02, True)
    assert desk.data.mocap_pos[0][0] == pytest.approx(0.02, abs=1e-3)
    posed(desk, 0.02, False)
    assert wheel.said == ["taken", "let go"]
    desk.runner.send(c.MoveMocap(0, (0.5, 0.0, 0.0)))      # the policy's
    desk.turn()
    posed(desk, 0.02, True)     # from there, not from where the person left it
    found = [command for x in (0.021, 0.022) for command in posed(desk, x, True) if isinstance(command, c.MoveMocap)]
    assert wheel.said == ["taken", "let go", "taken"] and 0.5 <= found[0].pos[0] < 0.503 and desk.data.mocap_pos[0][0] < 0.503


def test_what_was_handed_back_by_a_button_is_taken_again_by_opening_and_closing(model):
    desk, wheel = made(model, CLUTCHED)
    posed(desk, 0.0, True)
    wheel.let_go()
    assert posed(desk, 0.03, True) == [] and posed(desk, 0.05, True) == [] and wheel.driver == "policy"
    posed(desk, 0.05, False)
    posed(desk, 0.05, True)
    assert wheel.driver == "person"


def test_keys_hand_back_after_they_were_at_rest_for_a_while(model):
    desk, wheel = made(model, KEYS)
    desk.sample("keyboard", axes={})
    desk.turn()
    assert wheel.said == []
    for _ in range(5):
        desk.sample("keyboard", axes={"z": 1.0})
        desk.turn()
    assert wheel.said == ["taken"] and desk.data.mocap_pos[0][2] > 0
    for k in range(int(LINGER / H) + 2):
        desk.sample("keyboard", axes={})
        desk.turn()
        assert (wheel.driver == "person") or (k + 1) * H >= LINGER - 2 * H
    assert wheel.said == ["taken", "let go"]


def test_a_device_that_is_lost_hands_nothing_back(model):
    desk, wheel = made(model, CLUTCHED)
    posed(desk, 0.0, True)
    for _ in range(3):
        desk.sample("script:a", kind="pose", pos=(0.0, 0.0, 0.0), quat=(1.0, 0.0, 0.0, 0.0), axes={"squeeze": 1.0}, tracked=False)
        desk.turn(300)
    assert desk.hub.states[0].lamp == "lost" and wheel.said == ["taken"] and wheel.driver == "person"


def test_a_spring_of_who_no_longer_drives_is_let_go_of_once(model):
    desk, wheel = made(model, SPRING)
    found = [type(command) for command in posed(desk, 0.0, True)]
    assert c.PerturbStart in found
    wheel.let_go()
    found = [type(command) for x in (0.01, 0.02, 0.03) for command in posed(desk, x, True) if not isinstance(command, c.Visit)]
    assert found == [c.PerturbStop] and desk.data.perturb_active == 0


def test_going_back_in_time_begins_anew_from_there(model):
    desk, wheel = made(model, CLUTCHED)
    wheel.driver = "person"
    desk.turn(50)
    posed(desk, 0.0, True)
    posed(desk, 0.04, True)
    assert desk.data.mocap_pos[0][0] == pytest.approx(0.04, abs=1e-3)
    desk.runner.send(c.StepBack(30))
    desk.runner.send(c.Run())
    desk.turn()
    before = desk.data.mocap_pos[0][0]
    posed(desk, 0.04, True)
    posed(desk, 0.042, True)
    assert before < 0.001 and desk.data.mocap_pos[0][0] < 0.005


def test_a_gripper_that_the_policy_has_closed_stays_so_until_the_trigger_comes_past_it(model):
    desk, wheel = made(model, GRIPPING)

    def squeezed(trigger, squeeze=1.0):
        desk.sample("script:a", kind="pose", pos=(0.0, 0.0, 0.0), quat=(1.0, 0.0, 0.0, 0.0), axes={"squeeze": squeeze, "trigger": trigger})
        desk.turn(2)
        return desk.data.ctrl[2]

    for _ in range(2):
        wheel.let_go()
        squeezed(0.0, 0.0)
        desk.runner.send(c.SetCtrl(2, 0.8))      # the policy's
        desk.turn()
        assert [squeezed(at) for at in (0.0, 0.4, 0.7)] == [0.8, 0.8, 0.8] and wheel.driver == "person"
        assert desk.state("hand").waiting == ("trigger is at 70 %: bring it to 80 % to take over",)
        assert squeezed(0.9) == 0.9 and squeezed(0.2) == 0.2 and desk.state("hand").waiting == ()


def test_wheels_stand_when_it_is_handed_back_by_the_button(model):
    desk, wheel = made(model, CART)
    desk.sample("script:a", axes={"squeeze": 1.0, "x": 1.0})
    desk.turn(2)
    assert desk.data.ctrl[0] == 10.0 and wheel.driver == "person"
    wheel.let_go()
    desk.turn(2)
    assert desk.data.ctrl[:2].tolist() == [0.0, 0.0] and wheel.driver == "policy"


def test_commands_tell_for_which_state_they_were_made(model):
    desk, wheel = made(model, CLUTCHED)
    desk.turn(20)
    posed(desk, 0.0, True)
    posed(desk, 0.01, True)
    before = desk.runner.snapshot.jumps
    assert wheel.made_for and wheel.made_for[-1] == before
    desk.runner.send(c.StepBack(5))
    desk.runner.send(c.Run())
    desk.turn()
    for x in (0.01, 0.02):
        posed(desk, x, True)
    assert desk.runner.snapshot.jumps == before + 1 == wheel.made_for[-1]
