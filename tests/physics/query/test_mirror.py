"""The mirror image of a pose: on symmetric models every body is where the reflection of its partner is."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.query.keyframes import Keyframe
from physics.query.mirror import find_mirror, mirror_keyframe
from physics.query.mirror_names import partners
from tests.oracle.corpus import entry

# frames of the right side turned otherwise than the left's, axes that point the other way, a ball, slides, a second mirror axis
TWISTED = """<mujoco><worldbody><body name="torso" pos="0 0 1"><freejoint name="root"/><geom type="box" size=".1 .2 .3"/>
  <body name="head" pos="0 0 .4"><joint name="neck_yaw" axis="0 0 1"/><joint name="neck_pitch" axis="0 1 0"/><geom size=".1"/></body>
  <body name="left_arm" pos="0 .3 .2"><joint name="left_shoulder" type="ball"/><geom type="capsule" fromto="0 0 0 0 .3 0" size=".05"/>
    <body name="left_hand" pos="0 .3 0"><joint name="left_wrist" axis="1 0 0" range="-1 1"/><joint name="left_grip" type="slide" axis="0 1 0"/><geom type="box" size=".05 .03 .02" pos="0 .05 0"/></body></body>
  <body name="right_arm" pos="0 -.3 .2" euler="0 0 180"><joint name="right_shoulder" type="ball"/><geom type="capsule" fromto="0 0 0 0 .3 0" size=".05"/>
    <body name="right_hand" pos="0 .3 0"><joint name="right_wrist" axis="1 0 0" range="-1 1"/><joint name="right_grip" type="slide" axis="0 -1 0"/><geom type="box" size=".05 .03 .02" pos="0 .05 0"/></body></body>
  </body></worldbody>
  <actuator><position name="left_wrist" joint="left_wrist" kp="10"/><position name="right_wrist" joint="right_wrist" kp="10"/><motor name="yaw" joint="neck_yaw"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def random_key(m, seed, size=0.4):
    r = np.random.default_rng(seed)
    qpos = physics.integrate_pos(m, m.qpos0, size * r.normal(size=m.nv))
    return Keyframe(0.5, qpos, r.normal(size=m.nv), r.normal(size=m.na), r.normal(size=m.nu), r.normal(size=(m.nmocap, 3)), np.tile([1.0, 0, 0, 0], (m.nmocap, 1)))


def placed(m, key):
    d = physics.Data(m)
    key.write(d)
    d.mocap_quat[:] = key.mocap_quat
    physics.fwd_position(m, d)
    physics.fwd_velocity(m, d)
    return d


def check(m, key, most, leave=()):
    """Every body's centre of mass, and its velocity, is the reflection of its partner's."""
    mirror = find_mirror(m)
    image = mirror_keyframe(m, key, mirror)
    one, two = placed(m, key), placed(m, image)
    reflected = one.xipos - 2 * np.outer(one.xipos @ mirror.normal - mirror.offset, mirror.normal)
    ids = np.array([b for b in range(1, m.nbody) if m.names["body"][b] not in leave and m.body_mass[b] > 0])
    error = np.linalg.norm(two.xipos[mirror.body[ids]] - reflected[ids], axis=1)
    assert error.max() < most, [(m.names["body"][ids[k]], error[k]) for k in np.argsort(-error)[:5]]
    speeds = [np.array([physics.object_velocity(m, d, "body", int(b))[3:] for b in rows]) for d, rows in ((one, ids), (two, mirror.body[ids]))]
    assert np.abs(speeds[0] @ mirror.reflection() - speeds[1]).max() < max(20 * most, 1e-8)
    back = mirror_keyframe(m, image, mirror)
    again = placed(m, back)
    assert np.allclose(again.xpos, one.xpos, atol=1e-9) and np.allclose(back.qvel, key.qvel) and np.allclose(back.ctrl, key.ctrl)
    return mirror, image


def test_frames_and_axes_may_differ_from_side_to_side():
    m = physics.load_string(TWISTED)
    for seed in range(5):
        mirror, image = check(m, random_key(m, seed), 1e-12)
    assert np.allclose(mirror.normal, [0, 1, 0]) and mirror.offset == pytest.approx(0) and not mirror.unlike and mirror.pairs == 3
    assert mirror.sign[m.id("joint", "neck_yaw")] == -1 and mirror.sign[m.id("joint", "neck_pitch")] == 1
    key = random_key(m, 1)
    image = mirror_keyframe(m, key)
    wrists = [m.id("joint", f"{side}_wrist") for side in ("left", "right")]
    sign = mirror.sign[wrists[0]]
    assert image.ctrl[1] == pytest.approx(sign * key.ctrl[0]) and image.ctrl[2] == pytest.approx(-key.ctrl[2])


@pytest.mark.parametrize("name", ["humanoid", "quadruped"])
def test_bundled_models(name):
    m = physics.load(bundled_model(f"{name}.xml"))
    mirror, _image = check(m, random_key(m, 2), 1e-6)
    assert np.allclose(np.abs(mirror.normal), [0, 1, 0]) and mirror.pairs >= 4


@pytest.mark.parametrize("name, pairs, most", [("google_barkour_vb", 6, 2e-3), ("agility_cassie", 10, 1e-3), ("booster_t1", 9, 5e-3), ("dmc_humanoid_CMU", 15, 2e-2), ("aloha_pot", 6, 2e-2), ("humanoid", 8, 1e-6)])
def test_corpus_robots(name, pairs, most):
    """The bound is how symmetric the model itself is: the two arms of the aloha are the same arm twice, turned and not reflected."""
    m = physics.load(entry(name).path)
    key = random_key(m, 3, 0.2)
    mirror = find_mirror(m)
    assert mirror.pairs >= pairs and not mirror.unlike, mirror.unlike
    single = {m.names["body"][b] for b in range(m.nbody) if mirror.body[b] == b and m.body_jntnum[b] and m.jnt_type[m.body_jntadr[b]] == 0 and m.body_subtreemass[b] < 0.2 * m.body_subtreemass[0]}
    check(m, key, most, leave=single)


def test_names_of_two_sides():
    names = ["left_hip", "right_hip", "L_knee", "R_knee", "ankleL", "ankleR", "FL_hip", "FR_hip", "RL_hip", "RR_hip", "LeftArm", "RightArm", "lhip", "rhip", "hip-l-1", "hip-r-1", "waist", "leg", "roll",
             "hip_front_left", "hip_front_right", "LF_HAA", "RF_HAA", "LH_HAA", "RH_HAA", "upper.arm.L", "upper.arm.R"]
    found = partners(names)
    for one, two in (("left_hip", "right_hip"), ("L_knee", "R_knee"), ("ankleL", "ankleR"), ("FL_hip", "FR_hip"), ("RL_hip", "RR_hip"), ("LeftArm", "RightArm"), ("lhip", "rhip"), ("hip-l-1", "hip-r-1"),
                     ("hip_front_left", "hip_front_right"), ("LF_HAA", "RF_HAA"), ("LH_HAA", "RH_HAA"), ("upper.arm.L", "upper.arm.R")):
        assert found[one] == two and found[two] == one
    assert not {"waist", "leg", "roll"} & set(found)


def test_what_is_not_symmetric_is_named_and_stays():
    m = physics.load_string("""<mujoco><worldbody><body name="left" pos="0 .2 1"><joint name="left" axis="1 0 0"/><geom size=".1"/></body>
      <body name="right" pos="0 -.2 1"><joint name="right" axis="0 1 1"/><geom size=".1"/></body></worldbody></mujoco>""")
    key = random_key(m, 1)
    mirror = find_mirror(m)
    assert mirror.unlike == ("left", "right") and np.array_equal(mirror_keyframe(m, key, mirror).qpos, key.qpos)
    with pytest.raises(ValueError, match="length"):
        find_mirror(m, normal=(0, 0, 0))
    assert np.allclose(find_mirror(m, normal=(2, 0, 0)).normal, [1, 0, 0])


def test_what_drives_a_joint_that_stays_keeps_its_control():
    """A joint that is not symmetric keeps its pose, so its servo keeps the control for it, by joint and by tendon; the pair beside it is exchanged."""
    m = physics.load_string("""<mujoco><worldbody>
      <body name="left" pos="0 .2 1"><joint name="left" axis="1 0 0"/><geom size=".1"/><body name="left_tip"><joint name="left_tip" axis="0 0 1"/><geom size=".1"/></body></body>
      <body name="right" pos="0 -.2 1"><joint name="right" axis="0 1 1"/><geom size=".1"/><body name="right_tip"><joint name="right_tip" axis="0 0 1"/><geom size=".1"/></body></body></worldbody>
      <tendon><fixed name="left"><joint joint="left" coef="1"/></fixed><fixed name="right"><joint joint="right" coef="1"/></fixed></tendon>
      <actuator><position name="left" joint="left" kp="10"/><position name="right" joint="right" kp="10"/><position name="left_tip" joint="left_tip" kp="5"/><position name="right_tip" joint="right_tip" kp="5"/>
        <position name="left_string" tendon="left" kp="3"/><position name="right_string" tendon="right" kp="3"/></actuator></mujoco>""")
    key = random_key(m, 4)
    mirror = find_mirror(m)
    image = mirror_keyframe(m, key, mirror)
    assert mirror.unlike == ("left", "right")
    assert np.array_equal(image.ctrl[[0, 1, 4, 5]], key.ctrl[[0, 1, 4, 5]]) and image.ctrl[2] == pytest.approx(-key.ctrl[3]) and image.ctrl[3] == pytest.approx(-key.ctrl[2])
