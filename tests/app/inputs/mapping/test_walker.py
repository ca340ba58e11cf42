"""Legs found in models that nobody has described, and why they are not."""
import re

import numpy as np
import pytest

import physics
from app.inputs.drives.bearing import on_its_feet
from app.inputs.mapping.drive_mapping import DriveMapping
from app.inputs.mapping.mapping_file import parse, to_text
from app.inputs.mapping.proposals import first, not_legs, propose
from app.inputs.mapping.walker import NoWalker, find, foot_named
from assets.locate import bundled_model
from tests.app.inputs.devices import Desk

LEG = """<body name="{n}_hip" pos="{x} {y} 0"><joint name="{n}_a" axis="1 0 0" range="-45 45" class="leg"/><geom type="sphere" size=".04" mass=".4" contype="0" conaffinity="0"/>
<body name="{n}_thigh" pos="0 {s} 0"><joint name="{n}_h" axis="0 1 0" range="-90 150" class="leg"/><geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".5" contype="0" conaffinity="0"/>
<body name="{n}_shank" pos="0 0 -.2"><joint name="{n}_k" axis="0 1 0" range="{knee}" class="leg"/>{foot}</body></body></body>"""
FEET = {"sphere": '<geom type="capsule" fromto="0 0 0 0 0 -.18" size=".012" mass=".15"/><geom size=".022" pos="0 0 -.2" mass=".05" friction="1"/>',
        "capsule": '<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".2"/>',
        "site": '<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02" mass=".2" friction="1"/><site name="{n}_tip" pos="0 0 -.2"/>'}
CORNERS = (("c", .2, .06), ("d", .2, -.06), ("a", -.2, .06), ("b", -.2, -.06))
KEY = '<keyframe><key name="lying" qpos="0 0 .05 1 0 0 0 {far}"/><key name="home" qpos="0 0 .3 1 0 0 0 {bent}" ctrl="{bent}"/></keyframe>'


def text(foot="sphere", key=True, actuator='<position joint="{}" kp="80" kv="2"/>', ground=True, legs=4, knee="-155 -40") -> str:
    corners = CORNERS[:legs]
    bodies = "".join(LEG.format(n=n, x=x, y=y, s=np.copysign(0.06, y), knee=knee, foot=FEET[foot].format(n=n)) for n, x, y in corners)
    servos = "".join(actuator.format(f"{n}_{j}") for n, _x, _y in corners for j in "ahk")
    keys = KEY.format(far=" ".join(["0 2 -2.6"] * legs), bent=" ".join(["0 .8 -1.6"] * legs)) if key else ""
    floor = '<geom type="plane" size="0 0 .1"/>' if ground else ""
    return f"""<mujoco><option integrator="implicitfast" cone="elliptic" impratio="20"/><default><default class="leg"><joint damping=".3" armature=".01"/></default></default>
<worldbody>{floor}<body name="torso" pos="0 0 .45"><freejoint/><geom type="box" size=".22 .07 .05" mass="5"/>{bodies}</body></worldbody><actuator>{servos}</actuator>{keys}</mujoco>"""


def test_trunk_feet_and_stance_of_a_keyframe():
    m = physics.load_string(text())
    walker = find(m)
    assert m.name("body", walker.trunk) == "torso" and [foot.name for foot in walker.feet] == ["c_shank", "d_shank", "a_shank", "b_shank"]
    assert [foot_named(m, foot.name, m.key_qpos[1]) for foot in walker.feet] == [foot.task for foot in walker.feet]
    assert {m.name("joint", j): value for j, value in walker.stance.items()} == {f"{n}_{j}": value for n, _x, _y in CORNERS for j, value in zip("ahk", (0.0, 0.8, -1.6))}
    assert walker.height == pytest.approx(2 * 0.2 * np.cos(0.8), abs=1e-6)
    assert [foot.name for foot in find(physics.load_string(text("site"))).feet] == ["c_tip", "d_tip", "a_tip", "b_tip"]


@pytest.mark.parametrize("knee", ["-155 -40", "-155 155"])
def test_a_stance_of_its_own_has_feet_below_bent_legs(knee):
    m = physics.load_string(text(key=False, knee=knee))
    walker, d = find(m), physics.Data(m)
    for j, value in walker.stance.items():
        d.qpos[m.jnt_qposadr[j]] = value
        assert m.jnt_range[j, 0] <= value <= m.jnt_range[j, 1]
    physics.forward(m, d)
    for (n, _x, _y), foot in zip(CORNERS, walker.feet):
        hip, at = d.joint(f"{n}_h").xanchor, d.geom_xpos[foot.task.element]
        assert at[0] == pytest.approx(hip[0], abs=0.006) and hip[2] - at[2] == pytest.approx(0.8 * 0.4, abs=0.006)
        assert d.joint(f"{n}_k").xanchor[0] < hip[0] - 0.05, "knees to the back"


@pytest.mark.parametrize("change, why", [
    ({"actuator": '<motor joint="{}"/>'}, "position actuators, and c_a"), ({"ground": False}, "no ground"), ({"foot": "capsule"}, "'c_shank' ends in a long geom"),
    ({"actuator": '<position joint="{}" kp="12" kv=".5"/>'}, "too soft for its weight"),
    ({"actuator": '<position joint="{}" kp="80"/>', "legs": 3}, "")], ids=str)
def test_why_something_does_not_walk_is_said_by_name(change, why):
    m = physics.load_string(text(**change))
    with pytest.raises(NoWalker):
        find(m)
    assert why in not_legs(m) and bool(why) == bool(not_legs(m))
    assert all(one.kind != "legs" for one in propose(m, "pad:0").drives)


def test_what_has_no_legs_is_not_told_about():
    for name in ("arm", "heap", "pendulum", "hand", "two_arms"):
        assert not_legs(physics.load(bundled_model(f"{name}.xml"))) == ""


def test_a_leg_without_a_servo_in_it_is_named():
    m = physics.load_string(re.sub(r'<position joint="a_k"[^>]*/>', "", text(key=False)))
    assert "no position actuator moves a_k, on the way to 'a_shank'" == not_legs(m)


@pytest.mark.parametrize("key", [True, False])
@pytest.mark.parametrize("axes, way", [({"lefty": -0.8}, (0.8, 0.0, 0.0)), ({"leftx": -0.6}, (0.0, 0.6, 0.0)), ({"rightx": -0.8}, (0.0, 0.0, 0.8))], ids=["ahead", "left", "turn"])
def test_an_unknown_walker_stands_up_and_walks_by_the_first_proposal(key, axes, way):
    m = physics.load_string(text(key=key))
    mapping = first(m, "pad:0")
    drive = mapping.drives[0]
    assert drive.kind == "legs" and parse(to_text(mapping)) == mapping
    desk, speeds, least = Desk(m, drive), [], np.inf
    for k in range(500):
        desk.sample("pad:0", axes=axes if k > 120 else {})
        desk.hub.turn(desk.now, 0.01)
        desk.now += 0.01
        desk.runner.step(5)
        if k > 300:
            turn = desk.data.body("torso").xmat.reshape(3, 3)
            speeds.append((*(desk.data.qvel[:2] @ turn[:2, :2]), desk.data.qvel[5]))
            least = min(least, turn[2, 2])
    told = np.array(way) * (drive.limits.speed, drive.limits.speed, drive.limits.turn)
    reached = np.mean(speeds, axis=0)
    assert desk.hub.states[0].problems == () and least > 0.95
    for have, want in zip(reached, told):
        assert have * np.sign(want) >= 0.6 * abs(want) if want else abs(have) < 0.12, (reached, told)


def test_one_that_has_fallen_is_set_upright_where_it_is_and_one_that_stands_is_not():
    m = physics.load_string(text())
    drive = first(m, "pad:0").drives[0]
    runner = Desk(m).runner
    runner.sim.data.qpos[:7] = 1.0, 2.0, 0.1, np.cos(0.4) * 0.1, 0.995, 0.0, 0.0
    runner.sim.data.time = 3.0
    physics.forward(m, runner.sim.data)
    runner.publish()
    state = on_its_feet(m, runner.snapshot, m.id("body", "torso"), runner.snapshot.qpos.copy(), runner.snapshot.ctrl)
    assert state.qpos[:2] == pytest.approx([1.0, 2.0]) and state.qpos[3] ** 2 + state.qpos[6] ** 2 == pytest.approx(1.0)
    desk = Desk(m, drive)
    desk.hold("pad:0", 0.5, axes={})
    d = desk.data
    d.qpos[3:7], d.time = (0.0, 1.0, 0.0, 0.0), 3.0     # on its back
    desk.runner.publish()
    desk.hub.disarm()
    desk.turn()
    desk.hub.arm()
    desk.hold("pad:0", 1.0, axes={})
    assert d.body("torso").xmat[8] > 0.97 and d.body("torso").xpos[2] == pytest.approx(0.3, abs=0.02)


def test_weight_that_is_borne_ahead_does_not_sag():
    m = physics.load_string(text())
    drive = first(m, "pad:0").drives[0]
    heights = []
    for support in (0.0, 1.0):
        one = DriveMapping(**{name: getattr(drive, name) for name in DriveMapping.__slots__} | {"options": {**drive.options, "support": support}})
        desk = Desk(m, one)
        desk.hold("pad:0", 2.0, axes={})
        heights.append(desk.data.body("torso").xpos[2])
    standing = 0.4 * np.cos(0.8) + 0.022
    assert heights[1] == pytest.approx(standing, abs=0.004) and heights[0] < standing - 0.006
