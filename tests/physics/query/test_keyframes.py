"""Keyframes as values: blended joint by joint, copied in part."""
import numpy as np
import pytest

import physics
from physics.model.state_fields import State
from physics.query.keyframes import Keyframe, blend_keyframes, copy_part, part_of

MODEL = """<mujoco><worldbody>
  <body name="base" pos="0 0 1"><freejoint name="root"/><geom size=".1"/>
    <body name="left" pos="0 .2 0"><joint name="ball" type="ball"/><geom size=".1"/>
      <body name="hand" pos="0 .2 0"><joint name="wrist" axis="1 0 0"/><geom size=".05"/></body></body>
    <body name="right" pos="0 -.2 0"><joint name="hinge" axis="0 1 0"/><geom size=".1"/></body>
  </body>
  <body name="target" mocap="true" pos="1 0 0"><geom size=".02" contype="0" conaffinity="0"/></body></worldbody>
  <actuator><motor name="wrist" joint="wrist"/><general name="slow" joint="hinge" dyntype="filter" dynprm=".1"/></actuator>
  <keyframe><key name="a" time="1" qpos="0 0 1 1 0 0 0  1 0 0 0  0  0" ctrl="1 2" act=".5"/>
    <key name="b" time="3" qpos="1 2 3 0 0 0 1  0 1 0 0  .4  -.8" qvel="1 1 1 1 1 1 1 1 1 1 1" ctrl="3 0" mpos="2 0 0" mquat=".70710678 0 0 .70710678"/></keyframe></mujoco>"""


@pytest.fixture(scope="module")
def m():
    physics.ensure_kernels()
    return physics.load_string(MODEL)


def keys(m):
    return Keyframe.of_model(m, "a"), Keyframe.of_model(m, 1)


def test_ends_and_middle_of_a_blend(m):
    a, b = keys(m)
    for key, t in ((a, 0), (b, 1)):
        found = blend_keyframes(m, a, b, t)
        assert found.time == key.time and np.allclose(found.qvel, key.qvel) and np.allclose(found.ctrl, key.ctrl) and np.allclose(found.act, key.act)
        assert np.allclose(found.qpos[[0, 1, 2, 11, 12]], key.qpos[[0, 1, 2, 11, 12]]) and all(abs(found.qpos[s] @ key.qpos[s]) == pytest.approx(1) for s in (slice(3, 7), slice(7, 11)))
    third = blend_keyframes(m, a, b, 1 / 3)
    assert third.qpos[:3] == pytest.approx([1 / 3, 2 / 3, 5 / 3]) and third.qpos[11:] == pytest.approx([0.4 / 3, -0.8 / 3])
    assert abs(third.qpos[3]) == pytest.approx(np.cos(np.pi / 6)) and abs(third.qpos[6]) == pytest.approx(np.sin(np.pi / 6)), "a third of half a turn: slerp, not a mean"
    assert np.linalg.norm(third.qpos[7:11]) == pytest.approx(1) and abs(third.qpos[8]) == pytest.approx(np.sin(np.pi / 6))
    assert third.mocap_pos[0] == pytest.approx([4 / 3, 0, 0]) and abs(third.mocap_quat[0, 3]) == pytest.approx(np.sin(np.pi / 12), abs=1e-6)


def test_the_shorter_way_is_taken(m):
    a, b = keys(m)
    turned = b.qpos.copy()
    turned[3:7] = -np.array([np.cos(0.2), 0, 0, np.sin(0.2)])
    middle = blend_keyframes(m, a, Keyframe(**{name: getattr(b, name) for name in ("time", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")}, qpos=turned), 0.5)
    assert abs(middle.qpos[6]) == pytest.approx(np.sin(0.1))


def test_of_a_state_into_a_state(m):
    d = physics.Data(m)
    a, b = keys(m)
    b.write(d)
    again = Keyframe.of(d)
    assert d.time == 3 and all(np.array_equal(getattr(again, name), getattr(b, name)) for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"))
    state = a.in_state(State.of(d))
    assert state.time == 1 and np.array_equal(state.qpos, a.qpos) and state.qacc_warmstart is not None and a.fits(m)
    start = Keyframe.start(m)
    physics.reset(m, d)
    assert np.array_equal(start.qpos, d.qpos) and np.array_equal(start.mocap_pos, d.mocap_pos)
    other = physics.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    assert not a.fits(other)
    with pytest.raises(ValueError, match="qpos of shape"):
        a.write(physics.Data(other))
    with pytest.raises(ValueError, match="another model"):
        blend_keyframes(other, a, b, 0.5)


def test_a_part_of_a_keyframe(m):
    a, b = keys(m)
    hand = copy_part(a, b, part_of(m, ["hand"]))
    assert hand.qpos[11] == 0.4 and np.array_equal(np.delete(hand.qpos, 11), np.delete(a.qpos, 11)) and hand.ctrl.tolist() == [3, 2] and hand.time == 1
    left = copy_part(a, b, part_of(m, ["left"], subtree=True))
    assert np.array_equal(left.qpos[7:12], b.qpos[7:12]) and np.array_equal(left.qvel[6:10], b.qvel[6:10]) and left.qpos[12] == a.qpos[12]
    hinge = copy_part(a, b, part_of(m, joints=["hinge"]))
    assert hinge.qpos[12] == -0.8 and hinge.ctrl.tolist() == [1, 0] and hinge.act.tolist() == [0]
    target = copy_part(a, b, part_of(m, ["target"]))
    assert np.array_equal(target.mocap_pos, b.mocap_pos) and np.array_equal(target.qpos, a.qpos)
    assert len(part_of(m)) == 0
    with pytest.raises(KeyError):
        part_of(m, ["nobody"])
