"""Inverse kinematics: against closed forms, within limits and constraints, with a posture, pins, floating bodies and targets out of reach."""
import numpy as np
import pytest

import physics
from physics.inverse_kinematics.limits import Limits
from physics.inverse_kinematics.rows import FIRST, Rows

L1, L2 = 0.5, 0.4
TWO_LINKS = """<mujoco><compiler angle="radian"/><worldbody>
  <body name="upper"><joint name="a" axis="0 1 0" {a}/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/>
    <body name="lower" pos=".5 0 0"><joint name="b" axis="0 1 0" {b}/><geom name="tip" type="capsule" fromto="0 0 0 .4 0 0" size=".02"/><site name="end" pos=".4 0 0"/></body>
  </body></worldbody></mujoco>"""
CHAIN = """<mujoco><compiler angle="radian"/><worldbody><body name="l0"><joint name="j0" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
  <body name="l1" pos=".3 0 0"><joint name="j1" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
  <body name="l2" pos=".3 0 0"><joint name="j2" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
  <body name="l3" pos=".3 0 0"><joint name="j3" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/><site name="end" pos=".3 0 0"/>
  </body></body></body></body></worldbody></mujoco>"""
FINGER = """<mujoco><compiler angle="radian"/><worldbody><body name="palm"><joint name="base" axis="0 1 0" range="-1.5 1.5"/><geom type="capsule" fromto="0 0 0 .05 0 0" size=".01"/>
  <body name="mid" pos=".05 0 0"><joint name="mid" axis="0 1 0" range="-1.5 1.5"/><geom type="capsule" fromto="0 0 0 .03 0 0" size=".01"/>
  <body name="last" pos=".03 0 0"><joint name="last" axis="0 1 0" range="-1.5 1.5"/><geom type="capsule" fromto="0 0 0 .02 0 0" size=".01"/><site name="end" pos=".02 0 0"/>
  </body></body></body></worldbody><equality><joint joint1="last" joint2="mid" polycoef="0.1 0.7 0 0 0"/></equality></mujoco>"""
BALL = """<mujoco><compiler angle="radian"/><worldbody><body name="arm"><joint name="shoulder" type="ball" range="0 0.6"/>
  <geom type="capsule" fromto="0 0 0 .5 0 0" size=".02"/><site name="end" pos=".5 0 0"/></body></worldbody></mujoco>"""
FLOATING = """<mujoco><compiler angle="radian"/><worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/><geom type="box" size=".1 .1 .2"/>
  <body name="upper" pos="0 .1 0"><joint name="s" axis="0 1 0" range="-3 3"/><joint name="s2" axis="0 0 1" range="-2 2"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
  <body name="fore" pos=".3 0 0"><joint name="e" axis="0 1 0" range="-2.5 2.5"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="hand" pos=".3 0 0"/></body></body>
  <body name="leg" pos="0 0 -.2"><joint name="hip" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
  <body name="shin" pos="0 0 -.4"><joint name="knee" axis="0 1 0" range="-2 2"/><geom type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/><site name="foot" pos="0 0 -.4"/></body></body>
  </body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


def two_links(a="", b=""):
    return physics.load_string(TWO_LINKS.format(a=a, b=b))


def place(m, qpos, site="end"):
    d = physics.Data(m)
    d.qpos[:] = qpos
    physics.kinematics(m, d)
    return d.site_xpos[m.id("site", site)].copy()


@pytest.mark.parametrize("angles", [(0.3, 0.9), (-1.2, 1.4), (2.0, -0.7)])
def test_two_links_reach_what_the_law_of_cosines_says(angles):
    m = two_links()
    target = place(m, angles)
    found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=(angles[0] - 0.4, angles[1] + 0.3 * np.sign(angles[1])))
    elbow = np.arccos((target @ target - L1**2 - L2**2) / (2 * L1 * L2)) * np.sign(angles[1])
    assert found.converged and found.pos_errors[0] < 1e-5
    assert np.cos(found.qpos[1]) == pytest.approx(np.cos(elbow), abs=1e-4) and found.qpos[1] == pytest.approx(elbow, abs=1e-3)


def test_out_of_reach_the_arm_points_there():
    m = two_links()
    target = np.array([1.2, 0.0, -0.9])
    found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=(0.1, 0.8))
    nearest = (L1 + L2) * target / np.linalg.norm(target)
    assert not found.converged and np.linalg.norm(place(m, found.qpos) - nearest) < 1e-3
    assert found.pos_errors[0] == pytest.approx(np.linalg.norm(target) - L1 - L2, abs=1e-5)


def test_limits_hold_to_the_last_bit_and_the_best_within_them_is_found():
    m = two_links('range="-.2 .5"', 'range="0 .6"')
    random = np.random.default_rng(1)
    grid = np.stack(np.meshgrid(np.linspace(-0.2, 0.5, 141), np.linspace(0, 0.6, 121)), -1).reshape(-1, 2)
    reach = np.stack([L1 * np.cos(grid[:, 0]) + L2 * np.cos(grid.sum(1)), -L1 * np.sin(grid[:, 0]) - L2 * np.sin(grid.sum(1))], 1)
    for _ in range(30):
        target = random.uniform(-1, 1, 3) * (1, 0, 1)
        found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=(random.uniform(-3, 3), random.uniform(-3, 3)))
        assert Limits(m).excess(found.qpos) == 0
        assert found.pos_errors[0] <= np.linalg.norm(reach - target[[0, 2]], axis=1).min() + 1e-5
        assert found.converged or found.at_limit


def test_without_limits_ranges_do_not_count():
    m = two_links('range="-.2 .5"', 'range="0 .6"')
    target = place(m, (1.5, 1.0))
    assert physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], limits=False).converged
    assert not physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)]).converged


def test_what_is_left_over_keeps_to_the_rest_pose():
    m = physics.load_string(CHAIN)
    target, rest = (0.7, 0.0, -0.3), np.array([0.8, -0.4, 0.3, 0.2])
    poses = [physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=start, rest=rest) for start in ((0.1, 0.5, 0.2, 0.3), (1.2, -1.0, -0.5, 0.9), rest)]
    assert all(found.converged for found in poses)
    for found in poses:     # nothing in the null space is left to gain
        d = physics.Data(m)
        d.qpos[:] = found.qpos
        physics.fwd_position(m, d)
        jacobian = physics.jac_site(m, d, "end")[0]
        null = np.eye(4) - np.linalg.pinv(jacobian) @ jacobian
        assert np.linalg.norm(null @ (rest - found.qpos)) < 0.02
    plain = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=(1.2, -1.0, -0.5, 0.9), rest=rest, posture=0.0)
    assert np.linalg.norm(plain.qpos - rest) > np.linalg.norm(poses[1].qpos - rest) + 0.1


def test_an_orientation_is_met_together_with_the_position():
    m = physics.load_string(CHAIN)
    d = physics.Data(m)
    d.qpos[:] = (0.3, -0.6, 0.9, 0.4)
    physics.kinematics(m, d)
    pos, quat = d.xpos[m.id("body", "l3")].copy(), d.xquat[m.id("body", "l3")].copy()
    found = physics.solve_ik(m, [physics.IKTarget("body", "l3", pos=pos, quat=quat)], qpos=(0.1, 0.1, 0.1, 0.1))
    assert found.converged and found.quat_errors[0] < 1e-4 and found.pos_errors[0] < 1e-5


def test_coupled_joints_stay_coupled_and_are_free_where_that_is_not_asked():
    m = physics.load_string(FINGER)
    for angle in (0.2, 0.7, 1.2):
        target = place(m, (0.4, angle, 0.1 + 0.7 * angle))
        found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)])
        assert found.converged and found.equality < 1e-5
        assert found.qpos[2] == pytest.approx(0.1 + 0.7 * found.qpos[1], abs=1e-5)
    target = place(m, (0.4, 0.9, -0.5))     # only an uncoupled finger gets there
    held = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], restarts=0)
    assert held.equality < 1e-5
    assert physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], equality=False).converged


def test_a_ball_joint_stays_within_its_angle():
    m = physics.load_string(BALL)
    near = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=0.5 * np.array([np.cos(0.4), np.sin(0.4), 0]))])
    assert near.converged
    far = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=(0.0, 0.5, 0.0))])
    limits = Limits(m)
    assert not far.converged and limits.excess(far.qpos) < 1e-9 and far.at_limit == (0,)
    assert far.pos_errors[0] == pytest.approx(2 * 0.5 * np.sin((np.pi / 2 - 0.6) / 2), abs=1e-4)     # along the great circle


def test_what_floats_moves_last():
    m = physics.load_string(FLOATING)
    start = m.qpos0.copy()
    reachable = place(m, start, "hand") + (-0.15, 0.05, 0.2)
    found = physics.solve_ik(m, [physics.IKTarget("site", "hand", pos=reachable)], qpos=start)
    assert found.converged and np.linalg.norm(found.qpos[:3] - start[:3]) < 0.01
    far = place(m, start, "hand") + (0.5, 0, 0)
    found = physics.solve_ik(m, [physics.IKTarget("site", "hand", pos=far)], qpos=start)
    assert found.converged and np.linalg.norm(found.qpos[:3] - start[:3]) > 0.2
    fixed = physics.solve_ik(m, [physics.IKTarget("site", "hand", pos=far)], qpos=start, root="fixed")
    assert not fixed.converged and (fixed.qpos[:7] == start[:7]).all()
    trunk = physics.solve_ik(m, [physics.IKTarget("body", "trunk", pos=(0.3, 0, 1.1))], qpos=start)     # nothing but the root moves it
    assert trunk.converged


def test_a_pinned_foot_stays_while_the_trunk_is_moved():
    m = physics.load_string(FLOATING)
    start = m.qpos0.copy()
    start[10:12] = 0.4, -0.8
    foot = place(m, start, "foot")
    found = physics.solve_ik(m, [physics.IKTarget("body", "trunk", pos=(0.05, 0, 0.9))], qpos=start, pins=[physics.IKTarget("site", "foot")])
    assert found.converged and np.linalg.norm(place(m, found.qpos, "foot") - foot) < 2e-5
    far = physics.solve_ik(m, [physics.IKTarget("body", "trunk", pos=(0, 0, 3.0))], qpos=start, pins=[physics.IKTarget("site", "foot")])
    assert not far.converged and np.linalg.norm(place(m, far.qpos, "foot") - foot) < 2e-5 and far.pin_errors[0] < 2e-5


def test_a_locked_joint_does_not_move():
    m = physics.load_string(CHAIN)
    start = np.array([0.1, 0.2, 0.3, 0.4])
    found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=(0.6, 0, -0.5))], qpos=start, locked=("j1",))
    assert found.converged and found.qpos[1] == 0.2


def test_geoms_go_no_deeper_into_each_other():
    m = physics.load_string(TWO_LINKS.format(a="", b="").replace("<worldbody>", '<worldbody><geom name="wall" type="plane" pos="0 0 -.3" size="2 2 .1"/>'))
    target = physics.IKTarget("site", "end", pos=(0.5, 0, -0.5))
    through = physics.solve_ik(m, [target], qpos=(0.1, 0.1))
    assert through.converged
    found = physics.solve_ik(m, [target], qpos=(0.1, 0.1), contacts=True)
    d = physics.Data(m)
    d.qpos[:] = found.qpos
    physics.forward(m, d)
    assert not found.converged and found.depth < 1e-4 and d.contact_dist[:d.ncon].min(initial=0.0) > -1e-4
    assert found.pos_errors[0] < 0.25     # it lies on the wall above the target


def test_the_error_never_grows_and_quick_solutions_follow_a_moving_target():
    m = physics.load_string(CHAIN)
    solver, qpos = physics.IKSolver(m), np.array([0.2, 0.3, 0.2, 0.1])
    options = physics.IKOptions(quick=True)
    for k in range(40):
        target = (0.7 + 0.2 * np.cos(0.15 * k), 0.0, -0.3 + 0.2 * np.sin(0.15 * k))
        before = np.linalg.norm(place(m, qpos) - target)
        found = solver.solve([physics.IKTarget("site", "end", pos=target)], qpos, options=options)
        assert found.pos_errors[0] <= before + 1e-12 and found.pos_errors[0] < 1e-4
        qpos = found.qpos


def ten_length(m, qpos):
    d = physics.Data(m)
    d.qpos[:] = qpos
    physics.fwd_position(m, d)
    return d.ten_length.copy()


@pytest.mark.parametrize("tendon", ['<fixed name="t" range="{}"><joint joint="a" coef="1"/><joint joint="b" coef=".5"/></fixed>',
                                    '<spatial name="t" range="{}"><site site="above"/><site site="end"/></spatial>'])
def test_a_tendon_stays_within_its_range(tendon):
    """The range is cut so that the target is reached with the tendon free and not with it limited; then the best pose on the range is found, as a grid says."""
    text = TWO_LINKS.format(a='range="-2 2"', b='range="0 2.5"').replace("<worldbody>", '<worldbody><site name="above" pos="-.1 0 .6"/>')
    text = text.replace("</worldbody>", "</worldbody><tendon>" + tendon + "</tendon>")
    wanted, start = np.array((1.2, 0.9)), (0.2, 0.6)
    free = physics.load_string(text.format("-100 100"))
    length, target = ten_length(free, wanted)[0], place(free, wanted)
    assert physics.solve_ik(free, [physics.IKTarget("site", "end", pos=target)], qpos=start).converged
    m = physics.load_string(text.format(f"-100 {length - 0.05}"))
    found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=start)
    assert ten_length(m, found.qpos)[0] <= length - 0.05 and found.tendon == 0 and found.tendons_at_limit == (0,) and not found.converged
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, 401), np.linspace(0, 2.5, 251)), -1).reshape(-1, 2)
    end = np.stack([L1 * np.cos(grid[:, 0]) + L2 * np.cos(grid.sum(1)), -L1 * np.sin(grid[:, 0]) - L2 * np.sin(grid.sum(1))], 1)
    lengths = grid @ (1, 0.5) if "fixed" in tendon else np.hypot(end[:, 0] + 0.1, end[:, 1] - 0.6)
    best = np.linalg.norm(end - target[[0, 2]], axis=1)[lengths <= length - 0.05].min()
    assert found.pos_errors[0] <= best + 1e-4
    assert physics.solve_ik(m, [physics.IKTarget("site", "end", pos=target)], qpos=start, limits=False).converged
    beyond = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=place(m, (0.1, 0.3)))], qpos=(1.9, 2.0))      # from a start beyond the range
    assert beyond.converged and beyond.tendon == 0


def test_a_tendon_at_its_limit_lets_the_rest_of_the_mechanism_move():
    """Along the limit the end still goes where it can, and the rest pose is taken as far as the tendon lets it."""
    m = physics.load_string(CHAIN.replace("</worldbody>", '</worldbody><tendon><fixed name="t" range="-.6 .6"><joint joint="j1" coef="1"/><joint joint="j2" coef="1"/></fixed></tendon>'))
    rest, random = np.array([0.0, 0.8, 0.8, 0.2]), np.random.default_rng(3)
    for _ in range(10):
        bent = random.uniform(-1, 1, 4)
        bent[2] = np.clip(bent[2], -0.6 - bent[1], 0.6 - bent[1])
        found = physics.solve_ik(m, [physics.IKTarget("site", "end", pos=place(m, bent))], qpos=(0.1, 0.2, 0.2, 0.3), rest=rest)
        assert found.converged and abs(found.qpos[1] + found.qpos[2]) <= 0.6
    assert found.tendon == 0


@pytest.mark.parametrize("kind", ["connect", "weld", "tendon", "joint"])
def test_rows_of_constraints_have_no_unit(kind):
    """The same mechanism a hundredth as large has the same rows."""
    def rows(scale):
        m = physics.load_string(f"""<mujoco><worldbody><body name="a"><joint name="a" type="slide" axis="1 0 0"/><geom size="{0.1 * scale}" mass="1"/><site name="a"/></body>
          <body name="b" pos="{scale} 0 0"><joint name="b" type="slide" axis="1 0 0"/><geom size="{0.1 * scale}" mass="1"/><site name="b"/></body></worldbody>
          <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon><equality>{{}}</equality></mujoco>""".format(
            {"connect": '<connect body1="a" body2="b" anchor="0 0 0"/>', "weld": '<weld body1="a" body2="b"/>', "tendon": '<tendon tendon1="t"/>', "joint": '<joint joint1="a" joint2="b"/>'}[kind]))
        found = Rows(m, physics.Data(m), (), physics.IKOptions(), scale, {})
        errors = found.evaluate(scale * np.array([0.0, 0.3]))
        return errors.residual, found.jacobian() * scale

    (large, by), (small, small_by) = rows(1.0), rows(0.01)
    assert np.abs(large).max() == pytest.approx(0.3 * FIRST) and np.allclose(large, small) and np.allclose(by, small_by)


def test_what_is_asked_wrongly_is_told():
    m = two_links()
    for wrong, error in ((physics.IKTarget("joint", "a", pos=(0, 0, 0)), KeyError), (physics.IKTarget("site", "nowhere", pos=(0, 0, 0)), KeyError),
                         (physics.IKTarget("site", "end"), ValueError), (physics.IKTarget("site", "end", pos=(0, 0)), ValueError)):
        with pytest.raises(error):
            physics.solve_ik(m, [wrong])
    with pytest.raises(ValueError):
        physics.IKOptions(root="sometimes")
    with pytest.raises(ValueError):
        physics.solve_ik(m, [physics.IKTarget("site", "end", pos=(0, 0, 0))], qpos=(np.nan, 0))
