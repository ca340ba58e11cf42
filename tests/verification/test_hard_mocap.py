"""Mocap bodies that the user moves from step to step: what lies on them is carried, what is in their way is pushed, and what is put elsewhere throws nothing about."""
import numpy as np
import pytest

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine
from physics.model.state_fields import State

H = 0.005
PLATFORM = f"""<mujoco><option timestep="{H}"/><worldbody><body name="lift" mocap="true" pos="0 0 1"><geom name="top" type="box" size=".5 .5 .05" friction="1"/></body>
<body pos=".3 0 1.1"><freejoint/><geom name="box" type="box" size=".05 .05 .05" mass="1" friction="1"/></body></worldbody></mujoco>"""
PADDLE = f"""<mujoco><option timestep="{H}" gravity="0 0 0"/><worldbody><body mocap="true" pos="-.2 0 0"><geom type="box" size=".005 .1 .1"/></body>
<body><freejoint/><geom name="ball" size=".02" mass=".1"/></body></worldbody></mujoco>"""


def hard(text):
    physics.ensure_kernels()
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def move(m, d, steps, pos=None, quat=None):
    """Each step the pose that these give for the time at its start."""
    begin = d.time
    for _ in range(steps):
        if pos is not None:
            d.mocap_pos[0] = pos(d.time - begin)
        if quat is not None:
            d.mocap_quat[0] = quat(d.time - begin)
        assert physics.step(m, d, autoreset=False) == 1


def test_a_box_is_carried_by_friction():
    m, d = hard(PLATFORM)
    move(m, d, 100, lambda t: [0.5 * t, 0, 1])
    apart = d.qpos[0] - d.mocap_pos[0, 0]
    assert 0.3 - 0.25 / (2 * 9.81) - 0.01 < apart < 0.3       # it slid until it was as fast
    move(m, d, 100, lambda t, x=d.mocap_pos[0, 0]: [x + 0.5 * (t + H), 0, 1])
    assert d.qvel[0] == pytest.approx(0.5, abs=1e-6) and d.qpos[0] - d.mocap_pos[0, 0] == pytest.approx(apart, abs=1e-6)
    assert np.abs(d.qvel[1:]).max() < 1e-6 and d.hard_nfailed == d.hard_ncoarse == 0
    # the platform stops: so does the box
    move(m, d, 60)
    assert np.abs(d.qvel).max() < 1e-6


def test_a_lift_takes_it_along_without_an_overlap():
    m, d = hard(PLATFORM)
    move(m, d, 3)
    judge = Judge(m)
    for k in range(100):
        d.mocap_pos[0, 2] += 0.4 * H
        assert physics.step(m, d, autoreset=False) == 1
        if k > 1:       # the first step of a motion begins with what it has moved
            assert judge.look(d).overlap < 0.4 * H + 1e-6
    assert d.qvel[2] == pytest.approx(0.4, abs=1e-6) and d.qpos[2] == pytest.approx(d.mocap_pos[0, 2] + 0.1 + 0.4 * H, abs=1e-6)


def test_a_turntable_turns_what_lies_on_it():
    m, d = hard(PLATFORM)
    move(m, d, 3)
    move(m, d, 200, quat=lambda t: [np.cos(0.5 * t), 0, 0, np.sin(0.5 * t)])
    assert np.hypot(*d.qpos[:2]) == pytest.approx(0.3, abs=0.01) and np.hypot(*d.qvel[:2]) == pytest.approx(0.3, abs=0.01)
    assert d.qvel[5] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("speed", [5.0, 18.0])
def test_a_fast_paddle_does_not_jump_over_a_ball(speed):
    """Ten times as fast as it is thick, and more, in a step."""
    m, d = hard(PADDLE)
    move(m, d, 2)
    move(m, d, 20, lambda t: [-0.2 + speed * t, 0, 0])
    assert d.qpos[0] > d.mocap_pos[0, 0] + 0.02 and d.qvel[0] == pytest.approx(speed, rel=1e-3)
    assert d.hard_nfailed == d.hard_ncoarse == 0


def test_parts_of_a_step_meet_it_where_it_is_then():
    m, d = hard(PADDLE)
    m.opt.hard_looks, d.qvel[5] = 4, 700.0      # spins more than half round in a step: it is taken in parts
    move(m, d, 2)
    move(m, d, 10, lambda t: [-0.2 + 8.0 * t, 0, 0])
    assert d.hard_nhalved > 0 and d.qpos[0] > d.mocap_pos[0, 0] + 0.02 and d.mocap_pos[0, 0] == pytest.approx(-0.2 + 8.0 * 9 * H)


def test_what_is_put_elsewhere_has_no_velocity():
    m, d = hard(PLATFORM)
    move(m, d, 3)
    d.mocap_pos[0] = 5, 0, 1        # farther than its size
    physics.step(m, d)
    d.mocap_pos[0] = 0, 0, 0.95
    physics.step(m, d)
    assert np.abs(d.qvel[:2]).max() < 1e-7
    d = physics.Data(m)     # where nothing is known of before
    d.mocap_pos[0] = 0.1, 0, 1
    physics.step(m, d)
    assert np.abs(d.qvel).max() < 1e-7


def test_a_step_is_done_again_bit_for_bit_from_the_state_before_it():
    m, d = hard(PLATFORM)
    move(m, d, 20, lambda t: [0.5 * t, 0, 1])
    kept = State.of(d)
    d.mocap_pos[0, 0] += 0.5 * H
    physics.step(m, d)
    again = physics.Data(m)
    kept.write(again)
    again.mocap_pos[0, 0] += 0.5 * H
    physics.step(m, again)
    assert np.array_equal(d.qpos, again.qpos) and np.array_equal(d.qvel, again.qvel) and d.qvel[0] > 0.1


def test_derivatives_are_those_of_the_step_beside_a_moving_one():
    m, d = hard(PLATFORM)
    m.opt_hard_kappa = 1e-4
    move(m, d, 4, lambda t: [0.5 * t, 0, 1])
    d.mocap_pos[0, 0] += 0.5 * H        # it slides: friction is along how fast it is against the platform
    exact, nudged = physics.hard.gradients(m, d).A, physics.transition_fd(m, d, exact=False).A
    assert np.abs(exact - nudged).max() < 2e-3 * np.abs(nudged).max() and 0.5 < exact[7, 7] < 0.95


def test_what_a_callback_writes_within_a_step_stays():
    m, d = hard(PLATFORM)
    move(m, d, 3, lambda t: [0.1 * t, 0, 1])

    def control(m, d):
        d.mocap_pos[0] = 0.2, 0.3, 1
    d.set_callback("cb_control", control)
    physics.step(m, d, 2)
    assert d.hard_niter > 0 and d.mocap_pos[0].tolist() == [0.2, 0.3, 1]
