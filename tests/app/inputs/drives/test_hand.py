"""Fingers: a person's hand, made up by the model's own, moves the bundled hand."""
import numpy as np
import pytest

import physics
from app.inputs.drives.hand import ANGLES, HandDrive
from app.inputs.mapping.drive_mapping import DriveMapping, Limits
from app.inputs.mapping.mapping_file import read
from assets.locate import bundled_model
from physics.inverse_kinematics.hand_frame import hand_angles
from tests.app.inputs.devices import Desk
from tests.physics.inverse_kinematics.test_retarget import bent, person

TIPS = {name: f"{name}_tip" for name in ("thumb", "index", "middle", "ring", "little")}


@pytest.fixture(scope="module")
def model():
    return physics.load(bundled_model("hand.xml"))


def mapping(**more) -> DriveMapping:
    return DriveMapping(**{"name": "f", "source": "script:right", "kind": "hand", "site": "palm", "tips": TIPS, "clutch": "always", "limits": Limits(turn=8.0), **more})


def angle(desk, joint: str) -> float:
    return float(desk.data.joint(joint).qpos[0])


def test_the_models_fingers_follow(model):
    desk = Desk(model, mapping())
    assert desk.state("f").problems == ()
    desk.hold("script:right", 0.6, h=0.01, kind="hand", hand=person(model, {**bent(1.0, 1.0), "index_knuckle": 0.0, "index_middle": 0.0, "index_end": 0.0}, 1.15))
    desk.runner.step(200)
    assert angle(desk, "index_knuckle") < 0.25 and angle(desk, "middle_knuckle") > 0.7 and angle(desk, "little_middle") > 0.6
    assert angle(desk, "ring_end") == pytest.approx(0.7 * angle(desk, "ring_middle"), abs=0.1), "the equality of the model holds too"


def test_taking_over_is_no_leap(model):
    desk = Desk(model, mapping(limits=Limits(turn=2.0)))
    desk.hold("script:right", 0.1, h=0.002, kind="hand", hand=person(model, bent(1.3, 1.3)))
    assert 0.1 < desk.data.actuator("middle_knuckle").ctrl[0] < 0.25, "2 rad/s for 0.1 s"


def test_a_hand_that_is_lost_or_none_moves_nothing(model):
    drive = HandDrive(mapping())
    assert drive.bind(model) == []
    desk = Desk(model)
    from app.inputs.sample import Sample

    hand = person(model, bent(1.0, 1.0))
    assert drive.act(None, Sample("script:right", "hand", hand=hand, tracked=False), desk.runner.snapshot, 0.01) == []
    assert drive.act(None, Sample("script:right", "hand", hand=np.zeros((25, 7))), desk.runner.snapshot, 0.01) == []
    assert drive.act(None, Sample("script:right", "hand", hand=hand), desk.runner.snapshot, 0.01)


def test_angles_are_copied_where_joints_are_named(model):
    desk = Desk(model, mapping(tips={}, leader={"index_knuckle": ("index_knuckle", 0.1, 1.0), "index_middle": ("middle_middle", 0.0, 0.5)}))
    hand = person(model, {"index_knuckle": 0.7, "index_middle": 0.8, "index_end": 0.56})
    desk.hold("script:right", 0.4, h=0.01, kind="hand", hand=hand)
    told = hand_angles(hand[:, :3], "right")
    assert set(told) == set(ANGLES)
    assert desk.data.actuator("index_knuckle").ctrl[0] == pytest.approx(told["index_knuckle"] + 0.1) and desk.data.actuator("middle_middle").ctrl[0] == pytest.approx(0.4)
    assert desk.data.actuator("ring_knuckle").ctrl[0] == 0.0


@pytest.mark.parametrize("more, field, told", [
    ({"tips": {}}, "tips", "name the sites"), ({"tips": {"index": "toe"}}, "tips.index", "no site"), ({"site": "wrist_site"}, "site", "no site"),
    ({"site": "", "body": "ball"}, "tips", "does not hang at the palm"), ({"leader": {"index_knuckle": ("toe", 0, 1)}}, "leader.index_knuckle", "no joint"),
    ({"leader": {"toe_knuckle": ("index_knuckle", 0, 1)}}, "leader", "no such angle"), ({"leader": {"index_end": ("index_end", 0, 1)}}, "leader.index_end", "no position actuator"),
])
def test_what_does_not_fit_is_told(model, more, field, told):
    problems = HandDrive(mapping(**more)).bind(model)
    assert [problem.field for problem in problems] == [field] and told in problems[0].text


def test_the_side_is_that_of_the_source(model):
    drive = HandDrive(mapping(source="xr:left"))
    assert drive.bind(model) == [] and drive._fingers.side == "left"


@pytest.mark.parametrize("name", ["hand", "two_arms", "quadruped"])
def test_bundled_mappings_fit_their_models(name):
    from app.inputs.drives.table import make
    from app.inputs.feedback import force_of

    m = physics.load(bundled_model(f"{name}.xml"))
    found = read(bundled_model(f"{name}.xml").with_name(f"{name}.teleop.toml"))
    assert found.drives
    for drive in found.drives:
        assert make(drive).bind(m) == []
        assert drive.haptics is None or not isinstance(force_of(m, drive.haptics.of), str)
