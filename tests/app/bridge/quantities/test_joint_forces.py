"""Torques, limits and constraint forces at joints, against what formulas and the engine's own sums give."""
import numpy as np
import pytest

from app.bridge.options import VisOptions
from app.bridge.quantities import applied, constraint_forces, joint_forces, limits, scales
from render.scene import shapes
from tests.app.bridge.quantities.moments import drawn, moment, tips

PENDULUM = """<mujoco><worldbody><body pos="0 0 1"><joint name="h" axis="0 1 0" stiffness="3" damping=".5" range="-60 30" limited="true"/>
  <geom type="capsule" size=".05" fromto="0 0 0 0 0 -.5"/></body></worldbody><actuator><motor joint="h" gear="2"/></actuator></mujoco>"""
SLIDE = """<mujoco><worldbody><body pos="0 0 1"><joint type="slide" axis="0 0 1" range="-.2 .4" limited="true"/><geom size=".05"/></body></worldbody></mujoco>"""
BALL = """<mujoco><worldbody><body pos="0 0 1"><joint type="ball" range="0 50" limited="true"/><geom type="capsule" size=".05" fromto="0 0 0 0 0 -.5"/></body>
  </worldbody></mujoco>"""
CHAIN = """<mujoco><option><flag contact="disable"/></option><worldbody>
  <body pos="0 0 1"><joint name="a" axis="0 1 0" range="-20 20" limited="true"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/>
      <body pos=".3 0 0"><joint name="c" type="ball" range="0 30" limited="true"/><geom type="capsule" size=".05" fromto="0 0 0 .3 0 0"/></body></body></body>
  <body pos="0 1 1"><joint name="s" type="slide" axis="0 0 1" range="-.1 .1" limited="true"/><geom size=".1"/></body>
  </worldbody><equality><joint joint1="b" joint2="s" polycoef=".1 .5 2 -3 1"/></equality></mujoco>"""
WELD = """<mujoco><option gravity="0 0 -5"><flag contact="disable"/></option><worldbody>
  <body name="one" pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s1" pos=".1 0 0" euler="10 20 30"/></body>
  <body name="two" pos="1 0 1"><freejoint/><geom type="box" size=".2 .1 .1"/><site name="s2" pos="0 .1 0" euler="40 5 -30"/></body></worldbody>
  <equality>{0}</equality></mujoco>"""


def turn_of(m, s, scene, joint, axis, rgba, kind="torque", ring=0):
    """Angle of the arc about a joint's axis [rad], from where arcs start."""
    end = tips(scene, shapes.OBJ_JOINT, rgba)[0] - s.xanchor[joint]
    x = np.cross(axis, joint_forces.to_child(m, s)[joint])
    x /= np.linalg.norm(x)
    return np.arctan2(end @ np.cross(axis, x), end @ x)


def test_arcs_of_a_pendulum_tell_its_torques():
    m, _, s = moment(PENDULUM, qpos=.3, qvel=2.0, ctrl=1.5)
    scene, scale = drawn(m, s, "joint_torque"), scales.turning(m, VisOptions(), "torque")
    for rgba, torque in ((joint_forces.ACTUATOR, 2 * 1.5), (joint_forces.PASSIVE, -3 * .3 - .5 * 2.0)):
        assert turn_of(m, s, scene, 0, s.xaxis[0], rgba) == pytest.approx(torque * scale.radians, abs=1e-4)


def test_the_arc_of_a_limit_has_its_true_angles():
    m, _, s = moment(PENDULUM, qpos=.2)
    scene = drawn(m, s, "joint_limit")
    lines, rows = scene.lines, np.flatnonzero(scene.lines.view("objtype") == shapes.OBJ_JOINT)
    edges = lines.end[rows[-2:]] - s.xanchor[0]
    along = joint_forces.to_child(m, s)[0]
    angles = [np.arctan2(np.cross(along, e) @ s.xaxis[0], along @ e) for e in edges]
    np.testing.assert_allclose(angles, np.radians((-60, 30)) - .2, atol=1e-5)
    assert limits.closeness(np.array([np.radians(-15), np.radians(30), 9.0]), *np.radians((-60, 30))).tolist() == pytest.approx([0, 1, 1])


def test_a_ruler_shows_where_a_slide_stands():
    m, _, s = moment(SLIDE, qpos=.13)
    scene = drawn(m, s, "joint_limit")
    g = scene.geoms
    ball = np.flatnonzero((g.view("objtype") == shapes.OBJ_JOINT) & (g.view("shape") == shapes.SPHERE))
    rod = np.flatnonzero((g.view("objtype") == shapes.OBJ_JOINT) & (g.view("shape") == shapes.CAPSULE))
    assert g.pos[ball[0], 2] == pytest.approx(1.13) and g.pos[rod[0], 2] == pytest.approx(1.1) and g.size[rod[0], 2] == pytest.approx(.3)
    assert g.pos[rod[1], 2] == pytest.approx(1.13)
    ticks = np.unique(np.round(scene.lines.view("start")[:, 2], 6))
    assert ticks[0] == pytest.approx(.8) and ticks[-1] == pytest.approx(1.4)
    assert "ticks every 50 mm" in scene.legend[0].scale and np.allclose(np.diff(ticks), .05)


def test_a_cone_holds_the_needle_of_a_ball_joint():
    half = np.radians(35) / 2
    m, _, s = moment(BALL, qpos=(np.cos(half), np.sin(half), 0, 0))
    scene = drawn(m, s, "joint_limit")
    rim = scene.lines.view("start") - s.xanchor[0]
    rest = np.array((0, 0, -1.0))
    np.testing.assert_allclose(np.arccos(rim @ rest / np.linalg.norm(rim, axis=1)), np.radians(50), atol=1e-4)
    g = scene.geoms
    needle = np.flatnonzero((g.view("objtype") == shapes.OBJ_JOINT) & (g.view("shape") == shapes.CAPSULE))[0]
    now = g.mat[needle].reshape(3, 3)[:, 2]
    assert np.degrees(np.arccos(now @ rest)) == pytest.approx(35, abs=0.01)


def test_couplings_and_limits_are_all_of_the_constraint_force():
    turn = np.array((.9, .1, .3, -.2))
    m, _, s = moment(CHAIN, qpos=(.5, .7, *turn / np.linalg.norm(turn), .15), qvel=(1, -1, 2, 1, 0, 1))
    assert {int(k) for k in s.efc_type} == {0, 3} and s.nl == 3
    ours = constraint_forces.coupling_forces(m, s) + constraint_forces.limit_forces(m, s)
    np.testing.assert_allclose(ours, s.qfrc_constraint, rtol=1e-9, atol=1e-9)
    assert np.abs(ours).min() > 0
    scene = drawn(m, s, "constraint_force")
    assert [row.what for row in scene.legend] == ["Equality constraints", "Limits of joints"]
    assert len(tips(scene, shapes.OBJ_JOINT, constraint_forces.LIMIT)) == 3


@pytest.mark.parametrize("constraint", ['<weld body1="one" body2="two" anchor=".1 .2 .3" torquescale="1.7"/>', '<connect body1="one" body2="two" anchor=".5 .1 0"/>',
                                        '<weld site1="s1" site2="s2" torquescale=".6"/>', '<connect site1="s1" site2="s2"/>'])
def test_forces_of_welds_and_connects_are_those_on_the_bodies(constraint):
    q1, q2 = (.8, .3, -.4, .2), (.9, -.2, .1, .3)
    m, _, s = moment(WELD.format(constraint), qpos=(.1, .2, 1, *q1 / np.linalg.norm(q1), 1.1, 0, .9, *q2 / np.linalg.norm(q2)), qvel=np.arange(12) / 9)
    _, first, second, force, torque = constraint_forces.pose_forces(m, s)
    for body, at, sign in ((1, first[0], 1), (2, second[0], -1)):
        f, t = sign * force[0], sign * torque[0] + np.cross(at - s.xpos[body], sign * force[0])
        mine = np.concatenate([f, s.xmat[body].reshape(3, 3).T @ t])
        np.testing.assert_allclose(mine, s.qfrc_constraint[6 * body - 6:6 * body], rtol=1e-8, atol=1e-8)
    scene, scale = drawn(m, s, "constraint_force"), scales.straight(m, VisOptions(), "force")
    ends = tips(scene, shapes.OBJ_EQUALITY, constraint_forces.EQUALITY)
    assert min(np.linalg.norm(ends - (first[0] + force[0] * scale.metres), axis=1)) < 1e-3 * np.linalg.norm(force[0] * scale.metres)


@pytest.mark.parametrize(("gap", "pushes"), [(.3, -1), (.12, 1), (-.05, 1)])
def test_forces_of_distances_act_at_the_nearest_points(gap, pushes):
    m, _, s = moment(f"""<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
      <body pos="0 0 1"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/></body>
      <body pos="{.2 + gap} 0 1"><freejoint/><geom name="b" size=".1"/></body></worldbody>
      <equality><distance geom1="a" geom2="b" distance=".2"/></equality></mujoco>""")
    ids, first, second, force = constraint_forces.distance_forces(m, s)
    assert ids.tolist() == [0] and np.sign(force[0, 0]) == pushes and np.abs(force[0, 1:]).max() < 1e-6 * abs(force[0, 0])
    np.testing.assert_allclose((first[0, 0], second[0, 0]), (.1, .1 + gap), atol=1e-6)
    np.testing.assert_allclose(force[0], s.qfrc_constraint[6:9], atol=1e-6)
    ends = tips(drawn(m, s, "constraint_force"), shapes.OBJ_EQUALITY, constraint_forces.EQUALITY)
    assert len(ends) == 2 and np.sign(ends[1, 0] - second[0, 0]) == pushes


def test_what_is_applied_is_drawn_where_it_acts():
    m, d, s = moment(WELD.format(""), xfrc_applied=np.array([[0] * 6, [0, 0, 40, 0, 0, 0], [0, 0, 0, 0, 3, 0]]), qfrc_applied=[0] * 6 + [7] + [0] * 5)
    scale = scales.straight(m, VisOptions(), "force")
    scene = drawn(m, s, "external_force")
    up = tips(scene, shapes.OBJ_BODY, applied.ON_BODY)
    np.testing.assert_allclose(up[0], s.xipos[1] + (0, 0, 40 * scale.metres), atol=1e-5)
    np.testing.assert_allclose(tips(scene, shapes.OBJ_JOINT, applied.ON_JOINT)[0], s.xanchor[1] + (7 * scale.metres, 0, 0), atol=1e-5)
    d.perturb_bodyid, d.perturb_active, d.xfrc_perturb[:] = 1, 1, (0, 9, 0, 0, 0, 0)
    s.copy_from(d)
    pulled = tips(drawn(m, s, "external_force"), shapes.OBJ_BODY, applied.MOUSE)
    np.testing.assert_allclose(pulled[0], s.xipos[1] + (0, 9 * scale.metres, 0), atol=1e-5)


def test_dry_friction_holds_against_a_motor():
    m, _, s = moment(PENDULUM.replace('stiffness="3" damping=".5"', 'frictionloss=".7"').replace('<mujoco>', '<mujoco><option gravity="0 0 0"/>'), 0.05, ctrl=.2)
    assert joint_forces.dry_friction(m, s)[0] == pytest.approx(-.4, rel=1e-3)
    assert "Dry friction" in [row.what for row in drawn(m, s, "joint_torque").legend]
